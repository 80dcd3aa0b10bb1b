//! No backfilling: jobs start strictly in order.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let holds = state.machine.no_holds();
    for &job in order {
        match state.machine.find(state.ask(job), &holds) {
            Some(place) => state.start(job, place),
            None if state.can_start_some_time(job) => return,
            None => {}
        }
    }
}
