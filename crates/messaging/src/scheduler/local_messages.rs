//! Messages between the ranks of a node, which need no packets: they lie in memory until their receiver takes them.

use crate::node::task::{Local, Task};
use crate::ranks::Message;
use crate::scheduler::Scheduler;

impl Scheduler<'_, '_> {
    /// Sends a message to a rank of the same node at processor cycle `time`.
    pub fn send_local(&mut self, core: usize, local: Local, time: u64) {
        self.begin_transfer(1);
        if self.setup.parameters.is_local_free() {
            self.receive_local(core, local, time);
        } else {
            self.cores[core].handover.local.push_back((time, local));
            self.hand_over(time);
        }
    }

    /// Begins to receive the next message from a rank of the same node, if one has been sent by now.
    #[inline]
    pub fn begin_local(&mut self) -> bool {
        let now = self.io.now;
        let Some(&(sent, local)) = self.core().handover.local.front() else { return false };
        if self.clock().cycle_of(sent) > now {
            return false;
        }
        self.core().handover.local.pop_front();
        let start = self.start().max(sent);
        let cycles = self.setup.parameters.receive_local(local.message.bytes, self.chunk_bytes());
        self.begin(Task::Local(local), start, start + cycles);
        true
    }

    /// A rank of the node gets a message of another; a rendezvous message goes on when a receive matches it.
    pub fn receive_local(&mut self, core: usize, local: Local, time: u64) {
        let Local { message, kind, reports } = local;
        self.end_transfer();
        self.arrive(core, message, (kind, reports), time);
        if kind.traits().has_data {
            self.complete_local(core, message, reports, time);
        }
    }

    /// A message between ranks of the node has reached its place in memory.
    pub fn complete_local(&mut self, core: usize, message: Message, reports: bool, time: u64) {
        self.deliver(core, message, time);
        if reports {
            self.report(message.source, message.number, time);
        }
    }
}
