//! Cobalt's draining: each job that does not fit keeps the partition that is free first from all behind it.
//!
//! First pass, in order: a job starts where nothing is drained, or else drains its best location: of those that nobody
//! drains yet, the one that is free first by requested times; none if there is none. Second pass, in order: a job may
//! use what is drained if it ends before that is free. A job whose score is below `threshold` times the best neither
//! starts nor drains in the first pass.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32], above_threshold: usize) {
    let mut holds = std::mem::replace(&mut state.holds, state.machine.no_holds());
    state.machine.clear_holds(&mut holds);
    for &job in &order[..above_threshold] {
        if let Some(place) = state.machine.find_unpromised(state.ask(job), &holds) {
            state.start(job, place);
        } else {
            let promised = state.machine.hold(state.ask(job), &state.running, &mut holds);
            state.note_promise(job, promised);
        }
    }
    for &job in order {
        if state.machine.idle_nodes() < state.smallest_waiting() {
            break;
        }
        if state.is_waiting(job)
            && let Some(place) = state.machine.find(state.ask(job), &holds)
        {
            state.start(job, place);
        }
    }
    state.holds = holds;
}
