//! Cobalt's draining: each job that does not fit reserves (drains) the partition that becomes free first.
//!
//! First pass, in order: a job starts on a partition that is not drained. If there is none, it drains its best
//! location: of the partitions that no job drains yet, the one that becomes free first by requested times. Second pass,
//! in order: a job may use a drained partition if it ends before that partition becomes free for the draining job. A
//! job whose score is below `threshold` times the best neither starts nor drains in the first pass.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32], above_threshold: usize) {
    let mut held = std::mem::replace(&mut state.held, state.machine.no_reservations());
    state.machine.clear_reservations(&mut held);
    for &job in &order[..above_threshold] {
        if let Some(place) = state.machine.find_unreserved(state.request(job), &held) {
            state.start(job, place);
        } else {
            let reserved = state.machine.hold(state.request(job), &state.running, &mut held);
            state.record_reservation(job, reserved);
        }
    }
    for &job in order {
        if state.machine.idle_nodes() < state.smallest_waiting() {
            break;
        }
        if state.is_waiting(job)
            && let Some(place) = state.machine.find(state.request(job), &held)
        {
            state.start(job, place);
        }
    }
    state.held = held;
}
