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
use crate::queue::Queue;

pub(super) fn pass<M: Machine>(queue: &mut Queue<M>, order: &[u32]) {
    let mut holds = std::mem::replace(&mut queue.holds, queue.machine.no_holds());
    queue.machine.clear_holds(&mut holds);
    let mut has_head = false;
    for &job in order {
        if has_head && queue.machine.idle_nodes() < queue.smallest_waiting() {
            break;
        }
        if let Some(place) = queue.machine.find(queue.ask(job), &holds) {
            let end = queue.start_by_request(job, place);
            queue.machine.charge(&mut holds, place, end);
        } else if !has_head {
            let promised = queue.machine.hold(queue.ask(job), &queue.running, &mut holds);
            queue.note_promise(job, promised);
            has_head = promised.is_some();
        }
    }
    queue.holds = holds;
}
