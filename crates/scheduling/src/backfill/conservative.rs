//! Conservative backfilling (Feitelson and Weil 1998): everyone who waits is promised a time and a place.
//!
//! A job that arrives gets the earliest hole that its request fits into. When somebody ends early, jobs are moved
//! forward one by one, in order, never back ("compression"). If a job overruns its request, or something fails, what
//! was promised may no longer hold: then all is planned anew, in order.

use crate::machine::Machine;
use crate::state::{Promise, State};

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    state.promises.resize(state.jobs.len(), None);
    let mut plan = state.machine.plan(&state.running, state.now);
    if !enter_promises(state, order, &mut plan) {
        plan = state.machine.plan(&state.running, state.now);
        order.iter().for_each(|&job| state.promises[job as usize] = None);
    }
    for &job in order {
        if let Some(promise) = state.promises[job as usize] {
            state.machine.strike(&mut plan, promise.place, promise.from, promise.until);
        }
        let Some((from, place)) = state.machine.earliest(&plan, state.ask(job)) else { continue };
        let until = from + state.machine.walltime_at(&state.jobs[job as usize], place);
        state.machine.enter(&mut plan, place, from, until);
        state.promises[job as usize] = Some(Promise { place, from, until });
        state.note_promise(job, Some(from));
    }
    for &job in order {
        if let Some(promise) = state.promises[job as usize].filter(|promise| promise.from == state.now) {
            state.start(job, promise.place);
        }
    }
}

/// Enters what was promised before; says whether all of it still holds.
fn enter_promises<M: Machine>(state: &State<M>, order: &[u32], plan: &mut M::Plan) -> bool {
    let promises = order.iter().filter_map(|&job| state.promises[job as usize]);
    let mut all_hold = true;
    for promise in promises {
        all_hold &= promise.from >= state.now
            && state.machine.enter(plan, promise.place, promise.from, promise.until);
    }
    all_hold
}
