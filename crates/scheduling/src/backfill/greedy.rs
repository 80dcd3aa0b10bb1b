//! Greedy: every job that fits starts, in order, and no job gets a reservation. Large jobs may starve.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let held = state.machine.no_reservations();
    for &job in order {
        if state.machine.idle_nodes() < state.smallest_waiting() {
            return;
        }
        if state.admits(job)
            && let Some(place) = state.machine.find(state.request(job), &held)
        {
            state.start(job, place);
        }
    }
}
