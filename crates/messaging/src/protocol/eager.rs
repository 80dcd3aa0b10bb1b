//! Eager: the packets of a message are sent without a handshake. In order (deterministic), only the first carries the
//! envelope; out of order (adaptive), all do, and the first that arrives is as good as any.

use super::{Arrival, Completed, Matched, Protocol, Traits, Written};
use crate::packetizer::{Formats, Packetizer};
use crate::parameters::Parameters;

/// The message.
pub(super) struct Eager;

impl Eager {
    pub const TRAITS: Traits = Traits {
        is_of_rank: true,
        has_data: true,
        is_put: false,
        is_spread: true,
        on_arrival: Arrival::Envelope,
        on_matched: Matched::FreeCredit,
        on_completed: Completed::Deliver,
        on_written: Written::Notify,
    };
}

impl Protocol for Eager {
    fn packetizer<'a>(&self, formats: &'a Formats) -> Option<&'a Packetizer> {
        Some(&formats.eager)
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
