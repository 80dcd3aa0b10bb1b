//! How a core reads packets, and what becomes of the messages to which they belong.

use crate::core::{Notice, Task, Unmatched};
use crate::ranks::{Completion, End, Message, MessageId};
use crate::receiving::Begun;
use crate::transfer::Kind;
use crate::turn::Turn;
use network::ForwardAction;
use network::node::fifos::Received;
use network::node::forward::{FORWARDED, Forwarded};
use network::node::relay;
use network::node::software::Read;
use network::packet::{Stored, Tag};

impl Turn<'_, '_> {
    /// Begins to read the next packet, if there is one.
    pub fn begin_read(&mut self) -> bool {
        if !self.setup.is_plain {
            if self.setup.has_coprocessors() {
                return self.begin_take();
            }
            if self.setup.dma_line.is_some() {
                return self.begin_poll();
            }
        }
        let Some(received) = self.io.begin_read(self.set) else { return false };
        if self.setup.is_plain {
            self.ranks.prefetch_arrival(self.first_slot + self.number, received.stored.tag.rank);
        }
        let start = self.start();
        let cycles = self.read_cycles(&received.stored) + self.dispatch(&received.stored, start);
        self.begin(Task::Read(received), start, start + cycles);
        true
    }

    /// Processor cycles to get a packet out of its FIFO.
    pub fn read_cycles(&self, stored: &Stored) -> u64 {
        self.setup.parameters.read(self.io.fabric.layout.chunks(stored.packet))
    }

    /// Tells the protocol of a packet that begins to be read; returns the processor cycles to handle it.
    pub fn dispatch(&mut self, stored: &Stored, start: u64) -> u64 {
        if self.is_relayed(stored) {
            return 0;
        }
        let Begun { kind, first, is_last } = self.shared.receiving.begin(stored.tag);
        let costs = self.setup.costs_of(kind);
        let mut cycles = costs.dispatch[usize::from(self.io.fabric.layout.chunks(stored.packet))];
        if is_last {
            cycles += u64::from(costs.last);
        }
        if let Some(arriving) = first {
            cycles += u64::from(costs.first);
            (self.protocol_of)(kind).recv_new(self, &arriving, start);
        }
        cycles
    }

    pub fn is_relayed(&self, stored: &Stored) -> bool {
        self.io.fabric.forward_action(stored.tag).is_relay()
    }

    /// A packet has been read.
    pub fn end_read(&mut self, received: &Received, time: u64) {
        let stored = received.stored;
        let forward_action = self.io.fabric.forward_action(stored.tag);
        let is_relayed = forward_action.is_relay();
        self.io.end_read(received, Read { time, stored, is_relayed });
        if let ForwardAction::RelayTo(target) = forward_action {
            let count = self.shared.forwarded;
            let (offer, stored) = relay::next_segment(self.io.fabric, self.io.node, &stored, target, count);
            self.core().to_forward.push_back(Forwarded { offer, stored, number: FORWARDED | count });
            self.shared.forwarded += 1;
        } else if self.setup.is_plain {
            self.receive(stored.tag);
        } else if self.is_coprocessor() {
            self.hand_in(stored);
        } else if self.is_dma() {
            self.end_dma_read(stored);
        } else {
            self.receive(stored.tag);
        }
    }

    /// A packet has been read by the core of its rank.
    pub fn receive(&mut self, tag: Tag) {
        self.shared.totals.packets_received += 1;
        if let Some(arrived) = self.shared.receiving.count(tag) {
            self.end_transfer();
            let time = self.cores[self.number].free_at;
            (self.protocol_of)(arrived.kind).recv_done(self, &arrived, time);
        }
    }

    /// The envelope of a message for the rank of a core is there; its kind, and whether its sender on the same node wants
    /// to hear when it is complete.
    pub fn arrive(&mut self, core: usize, message: Message, (kind, reports): (Kind, bool), time: u64) {
        if self.cores[core].rank.as_ref().is_none_or(|rank| rank.has_finished()) {
            return;
        }
        let mut accepted = std::mem::take(&mut self.scratch.accepted);
        let wakes = self.ranks.arrive(self.slot(core), &message, &mut accepted);
        if self.setup.keeps_unmatched || !kind.has_data() {
            self.keep(core, Unmatched { message, kind, reports });
        }
        // An eager message may release a request to send that has overtaken it.
        accepted.drain(..).for_each(|message| self.accept(core, message, time));
        self.check_memory(core, time);
        self.scratch.accepted = accepted;
        if wakes {
            let time = time.saturating_add(self.setup.polling_interval);
            let completion = Completion::Begun(message.id());
            self.notify(core, Notice { time, message: (message.source, message.number), completion });
        }
    }

    /// Keeps an account of a message without a receive.
    fn keep(&mut self, core: usize, unmatched: Unmatched) {
        let rank = self.cores[core].rank.as_mut().expect("a message goes to a rank");
        if unmatched.kind.has_data() {
            rank.unsettled.unexpected_bytes += unmatched.message.bytes;
        }
        rank.unsettled.unmatched.push(unmatched);
    }

    /// A receive has matched a message, which has begun to arrive.
    pub fn accept(&mut self, core: usize, id: MessageId, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank has receives");
        let Some(place) = rank.unsettled.unmatched.iter().rposition(|unmatched| unmatched.message.id() == id)
        else {
            return;
        };
        let Unmatched { message, kind, reports } = rank.unsettled.unmatched.remove(place);
        let is_local = self.setup.map.place(id.source).node == self.io.node;
        match (kind.has_data(), is_local) {
            (true, _) => {
                rank.unsettled.unexpected_bytes -= message.bytes;
                if !is_local {
                    self.free_credit(core, id.source, time);
                }
            }
            (false, true) => self.complete_local(core, message, reports, time),
            (false, false) => self.clear_to_send(core, &message, time),
        }
    }

    /// Ends a rank that has no memory left for what it did not expect.
    fn check_memory(&mut self, core: usize, time: u64) {
        let rank = self.cores[core].rank.as_ref().expect("a message goes to a rank");
        let bytes = rank.unsettled.unexpected_bytes;
        if self.setup.parameters.unexpected_limit_bytes.is_some_and(|limit| bytes > limit) {
            self.finish(core, End::OutOfMemory { bytes }, time);
        }
    }

    /// A message is complete at `time`: its rank sees it one polling interval later.
    pub fn deliver(&mut self, core: usize, message: Message, time: u64) {
        let totals = &mut self.shared.totals;
        totals.messages_received += 1;
        totals.bytes_received += message.bytes;
        let time = time.saturating_add(self.setup.polling_interval);
        let completion = Completion::Arrived { id: message.id(), bytes: message.bytes };
        self.notify(core, Notice { time, message: (message.source, message.number), completion });
    }
}
