//! What theory says of a pattern: its mean hops, and the load of the links that limit it.
//!
//! ```text
//!   lines    all-to-all and uniform traffic   closed form, by dimension       rows M1-M4
//!   entries  hot spot, hot region             the links into the box          rows M8, M9
//!   cuts     one target a node                 the busiest cut between planes  row M11
//! ```
//!
//! Bounds are of the traffic as sent (with its hint bits), under minimal routing. They do not depend on channels,
//! arbitration or software, and no machine beats them; whether any attains them is what a simulation is for.

pub(crate) mod cuts;
pub(crate) mod entries;
pub(crate) mod lines;

use crate::plan::Bound;

/// The load of the links that limit a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// Which links.
    pub kind: &'static str,
    /// Cycles for which the busiest of them is held when every flow sends one byte.
    pub cycles_per_byte: f64,
}

/// What a pattern asks of the network: so many equal flows, and their load. Without flows the rest means nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Demand {
    /// Pairs of an exchange, or sending nodes of a stream.
    pub flows: u64,
    /// The load of the links that limit them.
    pub load: Load,
    /// Mean hops of a packet.
    pub mean_hops: f64,
}

impl Demand {
    /// The most packets a cycle that each flow can send, when they hold a link for so many bytes on average.
    pub(crate) fn flow_packets_per_cycle(&self, mean_wire_bytes: f64) -> f64 {
        1.0 / (self.load.cycles_per_byte * mean_wire_bytes)
    }

    /// The bound when each flow sends such packets, so many or without end.
    pub(crate) fn bound(&self, packets_per_flow: Option<u64>, mean_wire_bytes: f64) -> Bound {
        let rate = self.flow_packets_per_cycle(mean_wire_bytes);
        Bound {
            kind: self.load.kind,
            drained_cycles: packets_per_flow.map(|packets| packets as f64 / rate),
            packets_per_cycle: Some(self.flows as f64 * rate),
        }
    }
}
