//! Rendezvous: a request to send carries the envelope, in order; once a receive has matched it, the receiver asks for the
//! body, whose packets name a buffer and can be stored in any order.

use crate::parameters::Parameters;
use crate::ranks::{Envelope, Message};
use crate::receiving::Arriving;
use crate::sends::{Outgoing, Way};
use crate::setup::Setup;
use crate::transfer::Kind;
use crate::turn::{Protocol, Turn};

/// The request to send.
pub(super) struct Request;

/// The clear to send.
pub(super) struct Clear;

/// The body.
pub(super) struct Body;

impl Protocol for Request {
    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        let first = parameters.dispatch_processor_cycles
            + parameters.receive_processor_cycles
            + parameters.match_processor_cycles;
        (first, 0)
    }

    fn setup(&self, parameters: &Parameters) -> u32 {
        parameters.setup_processor_cycles + parameters.send_processor_cycles
    }

    fn recv_new(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64) {
        turn.arrive(arriving.core.into(), arriving.message, (Kind::Request, false), time);
    }

    /// The message waits for the receiver.
    fn send_done(&self, turn: &mut Turn<'_, '_>, outgoing: &Outgoing) -> bool {
        turn.rank_of(outgoing.message.source).unsettled.requested.push(*outgoing);
        false
    }
}

impl Protocol for Clear {
    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles + parameters.receive_processor_cycles, 0)
    }

    /// The body follows.
    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64) {
        let Envelope([number, _]) = arriving.message.envelope;
        turn.send_body(arriving.core.into(), number as u32, time);
    }
}

impl Protocol for Body {
    fn packets(&self, setup: &Setup, bytes: u64) -> u32 {
        setup.bodies.packets(bytes)
    }

    fn chunks(&self, setup: &Setup, bytes: u64, index: u32) -> u8 {
        setup.bodies.chunks(bytes, index)
    }

    fn smallest_chunks(&self, setup: &Setup, bytes: Option<u64>) -> u8 {
        setup.bodies.smallest_chunks(bytes)
    }

    fn is_deterministic(&self, _: &Setup) -> bool {
        false
    }

    fn dispatch(&self, parameters: &Parameters, chunks: u8) -> u64 {
        parameters.store(chunks)
    }

    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles, parameters.complete_processor_cycles)
    }

    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64) {
        turn.deliver(arriving.core.into(), arriving.message, time);
    }

    fn send_done(&self, _: &mut Turn<'_, '_>, _: &Outgoing) -> bool {
        true
    }
}

impl Turn<'_, '_> {
    /// A receive has matched a message that a rank has requested to send: it may.
    pub fn clear_to_send(&mut self, core: usize, message: &Message, time: u64) {
        let envelope = Envelope([message.number.into(), 0]);
        self.send_control(core, message.source, Kind::Clear, envelope, time);
    }

    /// A rank may send the body of a message.
    fn send_body(&mut self, core: usize, number: u32, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank has requested to send");
        let place = rank.unsettled.requested.iter().position(|request| request.message.number == number);
        let request = rank.unsettled.requested.remove(place.expect("a message is cleared once"));
        self.queue(core, Outgoing { kind: Kind::Body, written: 0, way: Way::Unknown, ..request }, time);
    }
}
