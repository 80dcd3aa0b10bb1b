//! EASY (Lifka 1995; Mu'alem and Feitelson 2001): a reservation for the head job, the first job that does not fit.
//!
//! ```text
//!   in order:   fits, fits, HEAD does not fit -> reserves the shadow time: the earliest at which it fits, by
//!                                                requested times
//!               others: start if they end by the shadow time, or use only extra nodes, which the head leaves over
//! ```
//!
//! The reservation is renewed at each event. It never moves to a later time while the head job stays the same and no
//! job overruns its request: a job started since then ends before the shadow time or uses extra nodes. On a room the
//! reservation is for a partition with its midplanes and cables: the one that becomes free first. A job may start if
//! its partition shares nothing with the reserved one; otherwise it must end before the shadow time.

use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    let mut held = state.take_held();
    let mut has_head = false;
    for &job in order {
        if has_head && state.machine.idle_nodes() < state.smallest_waiting() {
            break;
        }
        if !state.admits(job) {
            continue;
        }
        if let Some(place) = state.machine.find(state.request(job), &held) {
            let end = state.start(job, place);
            state.machine.account_for(&mut held, place, end);
        } else if !has_head {
            let reserved = state.machine.hold(state.request(job), &state.running, &mut held);
            state.record_reservation(job, reserved);
            has_head = reserved.is_some();
            if has_head {
                state.claim(job);
            }
        }
    }
    state.held = held;
}
