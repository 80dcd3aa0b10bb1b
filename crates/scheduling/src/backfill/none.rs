//! No backfilling: jobs start strictly in order.

use crate::machine::Machine;
use crate::queue::Queue;

pub(super) fn pass<M: Machine>(queue: &mut Queue<M>, order: &[u32]) {
    let holds = queue.machine.no_holds();
    for &job in order {
        match queue.machine.find(queue.ask(job), &holds) {
            Some(place) => queue.start(job, place),
            None if queue.can_start_some_time(job) => return,
            None => {}
        }
    }
}
