//! Conservative backfilling (Feitelson and Weil 1998): everyone who waits is promised a time and a place.
//!
//! A job that arrives gets the earliest hole that its request fits into. When somebody ends early, jobs are moved
//! forward one by one, in order, never back ("compression"). If a job overruns its request, or something fails, what
//! was promised may no longer hold: then all is planned anew, in order.

use crate::machine::Machine;
use crate::queue::{Promise, Queue};

pub(super) fn pass<M: Machine>(queue: &mut Queue<M>, order: &[u32]) {
    let mut plan = queue.machine.plan(&queue.running, queue.now);
    if !enter_promises(queue, order, &mut plan) {
        plan = queue.machine.plan(&queue.running, queue.now);
        order.iter().for_each(|&job| queue.promises[job as usize] = None);
    }
    for &job in order {
        if let Some(promise) = queue.promises[job as usize] {
            queue.machine.strike(&mut plan, promise.place, promise.from, promise.until);
        }
        let Some((from, place)) = queue.machine.earliest(&plan, queue.ask(job)) else { continue };
        let until = from + queue.machine.walltime_at(&queue.jobs[job as usize], place);
        queue.machine.enter(&mut plan, place, from, until);
        queue.promises[job as usize] = Some(Promise { place, from, until });
        queue.note_promise(job, Some(from));
    }
    for &job in order {
        if let Some(promise) = queue.promises[job as usize].filter(|promise| promise.from == queue.now) {
            queue.start(job, promise.place);
        }
    }
}

/// Enters what was promised before; says whether all of it still holds.
fn enter_promises<M: Machine>(queue: &Queue<M>, order: &[u32], plan: &mut M::Plan) -> bool {
    let promises = order.iter().filter_map(|&job| queue.promises[job as usize]);
    let mut all_hold = true;
    for promise in promises {
        all_hold &= promise.from >= queue.now
            && queue.machine.enter(plan, promise.place, promise.from, promise.until);
    }
    all_hold
}
