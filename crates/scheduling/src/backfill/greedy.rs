//! Greedy: whoever fits starts, in order, and nobody is promised anything. Large jobs may wait for ever.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let holds = state.machine.no_holds();
    for &job in order {
        if state.machine.idle_nodes() < state.smallest_waiting() {
            return;
        }
        if let Some(place) = state.machine.find(state.ask(job), &holds) {
            state.start(job, place);
        }
    }
}
