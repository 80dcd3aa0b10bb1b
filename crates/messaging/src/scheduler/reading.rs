//! Reading: packets out of reception FIFOs, and the end of the transfers to which they belong.
//!
//! A message is matched where its first packet begins to be read, since what reading costs depends on its
//! protocol and on whether a receive is posted. The rank is notified when the last packet has been read.

use super::Scheduler;
use super::movers::Mover;
use crate::transfers::arrivals::Begun;
use network::ForwardAction;
use network::node::fifos::Received;
use network::node::forward::{FORWARDED, Forwarded};
use network::node::relay;
use network::node::software::Read;
use network::packet::{Stored, Tag};

impl Scheduler<'_, '_> {
    /// Processor cycles to get a packet out of its FIFO.
    pub fn read_cycles(&self, stored: &Stored) -> u64 {
        self.setup.parameters.read(self.io.fabric.layout.chunks(stored.packet))
    }

    /// A packet begins to be read; returns the processor cycles to handle it.
    pub fn dispatch(&mut self, stored: &Stored, start: u64) -> u64 {
        if self.is_relayed(stored) {
            return 0;
        }
        let Begun { kind, first, is_last } = self.shared.arrivals.begin(stored.tag);
        let costs = self.setup.costs_of(kind);
        let mut cycles = costs.dispatch[usize::from(self.io.fabric.layout.chunks(stored.packet))];
        if is_last {
            cycles += u64::from(costs.last);
        }
        if let Some(arriving) = first {
            cycles += u64::from(costs.first);
            self.arrival_begins(&arriving, start);
        }
        cycles
    }

    pub fn is_relayed(&self, stored: &Stored) -> bool {
        self.io.fabric.forward_action(stored.tag).is_relay()
    }

    /// A packet has been read.
    pub fn end_read<M: Mover>(&mut self, received: &Received, time: u64) {
        let stored = received.stored;
        let forward_action = self.io.fabric.forward_action(stored.tag);
        let is_relayed = forward_action.is_relay();
        self.io.end_read(received, Read { time, stored, is_relayed });
        if let ForwardAction::RelayTo(target) = forward_action {
            let count = self.shared.forwarded;
            let (offer, stored) = relay::next_segment(self.io.fabric, self.io.node, &stored, target, count);
            self.core().to_forward.push_back(Forwarded { offer, stored, number: FORWARDED | count });
            self.shared.forwarded += 1;
        } else {
            M::end_read(self, stored);
        }
    }

    /// A packet has been read by the core of its rank.
    pub fn receive(&mut self, tag: Tag) {
        self.shared.totals.packets_received += 1;
        if let Some(arrived) = self.shared.arrivals.count(tag) {
            self.end_transfer();
            let time = self.cores[self.number].free_at;
            self.arrival_ends(&arrived, time);
        }
    }
}
