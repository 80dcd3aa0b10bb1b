//! Message credits: a connection from one rank to another owns a credit for each eager message that may be on its way
//! or wait for a receive. The receiver grants credits again, half of them at a time, as receives match messages, and lends
//! others to busy connections ([`crate::node::connections`]).
//! Without a credit, a message is sent by rendezvous: if it were held back, it would also hold back what the receiver
//! may be waiting for.

use super::{Arrival, Completed, Matched, Protocol, Traits, Written};
use crate::parameters::Parameters;

/// The credits that are granted: the envelope says how many.
pub(super) struct Credits;

impl Credits {
    pub const TRAITS: Traits = Traits {
        is_of_rank: false,
        has_data: false,
        is_put: false,
        is_spread: false,
        on_arrival: Arrival::Nothing,
        on_matched: Matched::Nothing,
        on_completed: Completed::GrantCredits,
        on_written: Written::Nothing,
    };
}

impl Protocol for Credits {
    fn once(&self, parameters: &Parameters) -> (u32, u32) {
        (parameters.dispatch_processor_cycles, 0)
    }
}
