//! Greedy: whoever fits starts, in order, and nobody is promised anything. Large jobs may wait for ever.

use crate::machine::Machine;
use crate::queue::Queue;

pub(super) fn pass<M: Machine>(queue: &mut Queue<M>, order: &[u32]) {
    let holds = queue.machine.no_holds();
    for &job in order {
        if queue.machine.idle_nodes() < queue.smallest_waiting() {
            return;
        }
        if let Some(place) = queue.machine.find(queue.ask(job), &holds) {
            queue.start(job, place);
        }
    }
}
