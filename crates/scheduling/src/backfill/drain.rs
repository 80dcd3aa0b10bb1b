//! Cobalt's draining: each job that does not fit keeps the partition that is free first from all behind it.
//!
//! First pass, in order: a job starts where nothing is drained, or else drains its best location: of those that nobody
//! drains yet, the one that is free first by requested times; none if there is none. Second pass, in order: a job may
//! use what is drained if it ends before that is free. A job whose score is below `threshold` times the best neither
//! starts nor drains in the first pass.

use crate::machine::Machine;
use crate::queue::Queue;

pub(super) fn pass<M: Machine>(queue: &mut Queue<M>, order: &[u32]) {
    let mut holds = std::mem::replace(&mut queue.holds, queue.machine.no_holds());
    queue.machine.clear_holds(&mut holds);
    let first = order.len().min(queue.above_threshold(order));
    for &job in &order[..first] {
        if let Some(place) = queue.machine.find_unpromised(queue.ask(job), &holds) {
            queue.start(job, place);
        } else {
            let promised = queue.machine.hold(queue.ask(job), &queue.running, &mut holds);
            queue.note_promise(job, promised);
        }
    }
    for &job in order {
        if queue.machine.idle_nodes() < queue.smallest_waiting() {
            break;
        }
        if queue.is_waiting(job) {
            if let Some(place) = queue.machine.find(queue.ask(job), &holds) {
                queue.start(job, place);
            }
        }
    }
    queue.holds = holds;
}
