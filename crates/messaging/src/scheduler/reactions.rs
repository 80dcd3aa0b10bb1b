//! The reactions of nodes to transfers, as their protocols describe them ([`crate::protocol`]): envelopes arrive at ranks,
//! receives match them, messages are delivered, bodies follow their requests, and credits go to and fro.

use super::Scheduler;
use crate::node::connections::Credits;
use crate::node::rank::{Notice, Unmatched};
use crate::parameters::Parameters;
use crate::protocol::{Arrival, Completed, Kind, Matched, Written};
use crate::ranks::{Completion, End, Envelope, Message, MessageId};
use crate::transfers::arrivals::Arriving;
use crate::transfers::making::Route;
use crate::transfers::outgoing::Outgoing;

impl Scheduler<'_, '_> {
    /// The first packet of a transfer begins to be read at processor cycle `time`.
    #[inline]
    pub fn arrival_begins(&mut self, arriving: &Arriving, time: u64) {
        match arriving.kind.traits().on_arrival {
            Arrival::Nothing => {}
            Arrival::Envelope => {
                self.arrive(arriving.core.into(), arriving.message, (arriving.kind, false), time);
            }
        }
    }

    /// The last packet of a transfer has been read at processor cycle `time`.
    #[inline]
    pub fn arrival_ends(&mut self, arrived: &Arriving, time: u64) {
        let (core, message) = (usize::from(arrived.core), arrived.message);
        let Envelope([number, _]) = message.envelope;
        match arrived.kind.traits().on_completed {
            Completed::Nothing => {}
            Completed::Deliver => self.deliver(core, message, time),
            Completed::SendBody => self.send_body(core, number as u32, time),
            Completed::GrantCredits => {
                let rank = self.cores[core].rank.as_mut().expect("a rank has used the credits");
                rank.unsettled.connections.grant(message.source, number as u32);
            }
        }
    }

    /// The last packet of a transfer is being written. Returns whether its rank, if it asks for that, is notified when
    /// the packet has been written.
    pub fn writing_ends(&mut self, outgoing: &Outgoing) -> bool {
        match outgoing.kind.traits().on_written {
            Written::Nothing => false,
            Written::Notify => true,
            Written::KeepRequest(_) => {
                self.rank_of(outgoing.message.source).unsettled.requested.push(*outgoing);
                false
            }
        }
    }

    /// The envelope of a message for the rank of a core has arrived. `kind` is that of the message; `reports` says
    /// whether its sender on the same node is to be notified when it is complete.
    pub fn arrive(&mut self, core: usize, message: Message, (kind, reports): (Kind, bool), time: u64) {
        if self.cores[core].rank.as_ref().is_none_or(|rank| rank.has_finished()) {
            return;
        }
        let mut accepted = std::mem::take(&mut self.scratch.accepted);
        let wakes = self.ranks.arrive(self.slot(core), &message, &mut accepted);
        if self.setup.keeps_unmatched || !kind.traits().has_data {
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
        if unmatched.kind.traits().has_data {
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
        let traits = kind.traits();
        if traits.has_data {
            rank.unsettled.unexpected_bytes -= message.bytes;
        } else if is_local {
            self.complete_local(core, message, reports, time);
        }
        match traits.on_matched {
            Matched::FreeCredit if !is_local => self.free_credit(core, id.source, time),
            Matched::ClearToSend if !is_local => self.clear_to_send(core, &message, time),
            Matched::Nothing | Matched::FreeCredit | Matched::ClearToSend => {}
        }
    }

    /// Ends a rank that has no memory left for messages that it did not expect.
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

    /// A receive has matched a message that a rank has requested to send: the rank may send it.
    pub fn clear_to_send(&mut self, core: usize, message: &Message, time: u64) {
        let envelope = Envelope([message.number.into(), 0]);
        self.send_control(core, message.source, Kind::Clear, envelope, time);
    }

    /// A rank may send the body of a message.
    fn send_body(&mut self, core: usize, number: u32, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank has requested to send");
        let place = rank.unsettled.requested.iter().position(|request| request.message.number == number);
        let request = rank.unsettled.requested.remove(place.expect("a message is cleared once"));
        self.queue(core, Outgoing { kind: Kind::Body, written: 0, route: Route::Unknown, ..request }, time);
    }

    /// Takes a credit for a message of the rank to another; returns whether one was left.
    pub fn take_credit(&mut self, target: u32) -> bool {
        let Some(own) = self.setup.parameters.message_credits else { return true };
        self.rank().unsettled.connections.take(target, own)
    }

    /// A receive has matched an eager message of a peer, whose credit is free again.
    pub fn free_credit(&mut self, core: usize, peer: u32, time: u64) {
        let Parameters { message_credits: Some(own), message_credit_pool: pool, .. } = self.setup.parameters
        else {
            return;
        };
        let rank = self.cores[core].rank.as_mut().expect("a rank has connections");
        if let Some(owed) = rank.unsettled.connections.free(peer, Credits { own, pool }) {
            self.send_control(core, peer, Kind::Credits, Envelope([owed.into(), 0]), time);
        }
    }
}
