//! Sends of ranks, and of the layer itself: each begins a transfer, which is queued.

use super::Scheduler;
use crate::node::task::Local;
use crate::parameters::message_protocol::Occasion;
use crate::protocol::{Kind, Matched};
use crate::ranks::{Envelope, Line, MAX_MESSAGE_BYTES, Message, MessageId, Operation};
use crate::transfers::making::Route;
use crate::transfers::outgoing::{Outgoing, Sizes};
use crate::transfers::span::Span;

/// The bit that marks the number of a transfer that is no message of its rank.
const CONTROL: u32 = 1 << 31;

impl Scheduler<'_, '_> {
    /// Sends a message of the rank at processor cycle `time`.
    pub fn send(&mut self, operation: &Operation, time: u64) {
        let Operation::Send { target, bytes, envelope, reports, synchronous } = *operation else {
            unreachable!("it is a send")
        };
        let message = self.new_message((bytes, envelope), 1);
        assert!(
            target < self.setup.map.ranks(),
            "rank {} sends to rank {target}, which does not exist",
            message.source
        );
        let is_local = self.setup.map.place(target).node == self.io.node;
        let wanted = if synchronous { Occasion::Rendezvous } else { self.setup.parameters.occasion(bytes) };
        let takes_credit = wanted.kinds()[0].traits().on_matched == Matched::FreeCredit;
        let lacks_credit = takes_credit && !is_local && !self.take_credit(target);
        let occasion = if lacks_credit { Occasion::Rendezvous } else { wanted };
        let kind = occasion.kinds()[0];
        if is_local {
            return self.send_local(self.setup.line(target), Local { message, kind, reports }, time);
        }
        let outgoing = Outgoing { lacks_credit, ..self.outgoing(kind, target, message, reports) };
        self.queue(self.number, outgoing, time);
    }

    /// The next message of the rank, to `receivers` others.
    pub fn new_message(&mut self, (bytes, envelope): (u64, Envelope), receivers: u32) -> Message {
        let rank = self.rank();
        let (source, number) = (rank.number, rank.messages);
        rank.messages += 1;
        assert!(bytes <= MAX_MESSAGE_BYTES, "rank {source} sends a message of {bytes} bytes");
        let (totals, receivers) = (&mut self.shared.totals, u64::from(receivers));
        totals.messages_sent += receivers;
        totals.bytes_sent += bytes * receivers;
        let (core, time) = (self.number, self.core().free_at);
        self.observe_passage(core, MessageId { source, number }, true, time);
        Message { source, number, bytes, envelope }
    }

    /// Sends a transfer that is no message of a rank, from the rank of a core to another.
    pub fn send_control(&mut self, core: usize, target: u32, kind: Kind, envelope: Envelope, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank answers another");
        let message = Message { source: rank.number, number: CONTROL | rank.controls, bytes: 0, envelope };
        rank.controls += 1;
        let outgoing = self.outgoing(kind, target, message, false);
        self.queue(core, outgoing, time);
    }

    pub fn outgoing(&self, kind: Kind, target: u32, message: Message, reports: bool) -> Outgoing {
        let place = self.setup.map.place(target);
        Outgoing {
            kind,
            target,
            place,
            span: None,
            message,
            first_packet: 0,
            packets: 0,
            written: 0,
            sent: 0,
            reports,
            lacks_credit: false,
            sizes: None,
            route: Route::Unknown,
        }
    }

    /// Begins a transfer at processor cycle `time`.
    pub fn queue(&mut self, core: usize, outgoing: Outgoing, time: u64) {
        self.begin_transfer(outgoing.receivers());
        let (kind, bytes, formats) = (outgoing.kind, outgoing.message.bytes, &self.setup.formats);
        let packets = kind.protocol().packets(formats, bytes);
        let sizes = Sizes::of(kind, formats, bytes, packets);
        let (source, smallest) = (outgoing.message.source, sizes.first.min(sizes.last));
        assert!(smallest >= self.setup.smallest_chunks, "rank {source} sends a packet of {smallest} chunks");
        let first_packet = self.shared.packets;
        self.shared.packets += u64::from(packets);
        self.shared.totals.packets_sent += u64::from(packets) * outgoing.receivers();
        let sent = self.clock().cycle_of(time);
        let outgoing = Outgoing { first_packet, packets, sent, sizes: Some(sizes), ..outgoing };
        if self.setup.spreads && outgoing.kind.traits().is_spread {
            self.spread(&outgoing, time);
        } else {
            let outgoing = self.handed_to_engine(outgoing, time);
            self.cores[core].sends.push(self.pool, outgoing);
            if core != self.number {
                self.hand_over(time);
            }
        }
    }

    /// A transfer that an engine has to start: its rank goes on at once, so that the starts of several messages overlap.
    fn handed_to_engine(&mut self, outgoing: Outgoing, time: u64) -> Outgoing {
        let is_started = self.setup.parameters.transfer_start_cycles > 0 && outgoing.kind.traits().has_data;
        if !is_started || !outgoing.reports {
            return outgoing;
        }
        self.report(outgoing.message.source, outgoing.message.number, time);
        Outgoing { reports: false, ..outgoing }
    }

    /// Sends a message of the rank along a line at processor cycle `time`.
    pub fn deposit(&mut self, operation: &Operation, time: u64) {
        let Operation::Deposit { line, bytes, envelope, reports } = *operation else {
            unreachable!("it is one")
        };
        let (span, parameters) = (self.span(line), &self.setup.parameters);
        let is_eager = parameters.is_eager(bytes) && parameters.message_credits.is_none();
        assert!(is_eager, "a message along a line waits for no answers");
        let message = self.new_message((bytes, envelope), span.nodes);
        let outgoing = self.outgoing(Kind::Eager, line.last, message, reports);
        self.queue(self.number, Outgoing { span: Some(span), ..outgoing }, time);
    }

    fn span(&mut self, line: Line) -> Span {
        let source = self.rank().number;
        assert!(self.setup.deposits, "rank {source} sends along a line, for which the network was not built");
        let ends = [line.first, line.last].map(|rank| self.setup.map.place(rank).node);
        let span = Span::new(&self.io.fabric.parameters.shape, self.io.node, line.is_plus, ends);
        span.unwrap_or_else(|| panic!("rank {source} has no line from rank {} to {}", line.first, line.last))
    }

    /// Announces to the nodes to which a message goes what they have to know before its first packet arrives.
    pub fn announce(&mut self, outgoing: &Outgoing) {
        let header = outgoing.header();
        let Some(span) = outgoing.span else {
            return self.io.announce(header.announce_to(outgoing.place.node));
        };
        for node in span.reached(&self.io.fabric.parameters.shape, self.io.node) {
            self.io.announce(header.announce_to(node));
        }
    }
}
