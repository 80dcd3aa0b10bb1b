//! Eager: the packets of a message are sent without a handshake. In order (deterministic), only the first carries the
//! envelope; out of order (adaptive), all do, and the first that arrives is as good as any.

use super::{Arrival, Completed, Occasion, Protocol, Traits, Written};
use crate::packetizer::Formats;
use crate::parameters::Parameters;

/// The message.
pub(super) struct Eager;

impl Eager {
    pub const TRAITS: Traits = Traits {
        occasion: Occasion::Eager,
        is_of_rank: true,
        has_data: true,
        is_put: false,
        is_spread: true,
        on_arrival: Arrival::Envelope,
        on_completed: Completed::Deliver,
        on_written: Written::Notify,
    };
}

impl Protocol for Eager {
    fn packets(&self, formats: &Formats, bytes: u64) -> u32 {
        formats.eager.packets(bytes)
    }

    fn chunks(&self, formats: &Formats, bytes: u64, index: u32) -> u8 {
        formats.eager.chunks(bytes, index)
    }

    fn smallest_chunks(&self, formats: &Formats, bytes: Option<u64>) -> u8 {
        formats.eager.smallest_chunks(bytes)
    }

    fn is_deterministic(&self, parameters: &Parameters) -> bool {
        parameters.protocol.keeps_order()
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
}
