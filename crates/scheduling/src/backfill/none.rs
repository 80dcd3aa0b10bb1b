//! No backfilling: jobs start strictly in order.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let held = state.machine.no_reservations();
    for &job in order {
        if !state.admits(job) {
            continue;
        }
        if let Some(place) = state.machine.find(state.request(job), &held) {
            state.start(job, place);
        } else if state.can_ever_start(job) {
            return;
        }
    }
}
