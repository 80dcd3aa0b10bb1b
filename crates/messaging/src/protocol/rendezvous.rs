//! Rendezvous: a request to send carries the envelope, in order; once a receive has matched it, the receiver asks for the
//! body, whose packets name a buffer and can be stored in any order.

use super::{Arrival, Completed, Matched, Protocol, Traits, Written};
use crate::packetizer::{Formats, Packetizer};
use crate::parameters::Parameters;
use crate::time_lines::awaited::Awaited;

/// The request to send.
pub(super) struct Request;

/// The clear to send.
pub(super) struct Clear;

/// The body.
pub(super) struct Body;

impl Request {
    pub const TRAITS: Traits = Traits {
        is_of_rank: true,
        has_data: false,
        is_put: false,
        is_spread: false,
        on_arrival: Arrival::Envelope,
        on_matched: Matched::ClearToSend,
        on_completed: Completed::Nothing,
        on_written: Written::KeepRequest(Awaited::ClearToSend),
    };
}

impl Clear {
    pub const TRAITS: Traits = Traits {
        is_of_rank: false,
        has_data: false,
        is_put: false,
        is_spread: false,
        on_arrival: Arrival::Nothing,
        on_matched: Matched::Nothing,
        on_completed: Completed::SendBody,
        on_written: Written::Nothing,
    };
}

impl Body {
    pub const TRAITS: Traits = Traits {
        is_of_rank: true,
        has_data: true,
        is_put: true,
        is_spread: false,
        on_arrival: Arrival::Nothing,
        on_matched: Matched::Nothing,
        on_completed: Completed::Deliver,
        on_written: Written::Notify,
    };
}

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
}

impl Protocol for Clear {
    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles + parameters.receive_processor_cycles, 0)
    }
}

impl Protocol for Body {
    fn packetizer<'a>(&self, formats: &'a Formats) -> Option<&'a Packetizer> {
        Some(&formats.bodies)
    }

    fn is_deterministic(&self, _: &Parameters) -> bool {
        false
    }

    fn dispatch(&self, parameters: &Parameters, chunks: u8) -> u64 {
        parameters.store(chunks)
    }

    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles, parameters.complete_processor_cycles)
    }
}
