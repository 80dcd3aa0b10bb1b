//! Eager: the packets of a message are sent without a handshake. In order (deterministic), only the first carries the
//! envelope; out of order (adaptive), all do, and the first that arrives is as good as any.

use crate::parameters::Parameters;
use crate::receiving::Arriving;
use crate::sends::Outgoing;
use crate::setup::Setup;
use crate::transfer::Kind;
use crate::turn::{Protocol, Turn};

pub(super) struct Eager;

impl Protocol for Eager {
    fn packets(&self, setup: &Setup, bytes: u64) -> u32 {
        setup.packetizer.packets(bytes)
    }

    fn chunks(&self, setup: &Setup, bytes: u64, index: u32) -> u8 {
        setup.packetizer.chunks(bytes, index)
    }

    fn smallest_chunks(&self, setup: &Setup, bytes: Option<u64>) -> u8 {
        setup.packetizer.smallest_chunks(bytes)
    }

    fn is_deterministic(&self, setup: &Setup) -> bool {
        setup.parameters.protocol.keeps_order()
    }

    fn dispatch(&self, parameters: &Parameters, chunks: u8) -> u64 {
        u64::from(parameters.eager_processor_cycles) + parameters.store(chunks)
    }

    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        let first = parameters.dispatch_processor_cycles
            + parameters.receive_processor_cycles
            + parameters.match_processor_cycles;
        (first, parameters.complete_processor_cycles)
    }

    fn setup(&self, parameters: &Parameters) -> u32 {
        parameters.setup_processor_cycles + parameters.send_processor_cycles
    }

    fn recv_new(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64) {
        turn.arrive(arriving.core.into(), arriving.message, (Kind::Eager, false), time);
    }

    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64) {
        turn.deliver(arriving.core.into(), arriving.message, time);
    }

    fn send_done(&self, _: &mut Turn<'_, '_>, _: &Outgoing) -> bool {
        true
    }
}
