//! EASY (Lifka 1995; Mu'alem and Feitelson 2001): a promise to the first job that does not fit.
//!
//! ```text
//!   in order:   fits, fits, HEAD does not fit -> promised the earliest time at which it will, by requested times
//!               others: start if they end by then, or need only what the head leaves over
//! ```
//!
//! The promise is made anew at each event. It never moves to later while the head stays the head and no job overruns
//! its request: who started since then ends before, or uses what was left over. On a room the promise is for a
//! partition, with its midplanes and its cables: the one that is free first. A job that has nothing in common with it
//! may start; one that has must end before.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let mut holds = std::mem::replace(&mut state.holds, state.machine.no_holds());
    state.machine.clear_holds(&mut holds);
    let mut has_head = false;
    for &job in order {
        if has_head && state.machine.idle_nodes() < state.smallest_waiting() {
            break;
        }
        if let Some(place) = state.machine.find(state.ask(job), &holds) {
            let end = state.start_by_request(job, place);
            state.machine.charge(&mut holds, place, end);
        } else if !has_head {
            let promised = state.machine.hold(state.ask(job), &state.running, &mut holds);
            state.note_promise(job, promised);
            has_head = promised.is_some();
        }
    }
    state.holds = holds;
}
