//! The theory of a pattern: its mean hops, and the load of the links that limit it.
//!
//! ```text
//!   lines    all-to-all and uniform traffic   closed form, by dimension       rows M1-M4
//!   entries  hot spot, hot region             the links into the box          rows M8, M9
//!   cuts     one target per node              the busiest cut between planes  row M11
//!   messages messages of kernels              the busiest link, or the busiest cut
//!   nodes    listed flows                     the links of a node too
//! ```
//!
//! Bounds hold for the traffic as sent (with its hint bits) under minimal routing. They do not depend on virtual
//! channels, arbitration or software. No machine beats them; simulation shows how closely a machine approaches
//! them. A measured window counts whole packets and random targets vary: it may exceed the bound by that
//! difference.

pub(crate) mod cuts;
pub(crate) mod detours;
pub(crate) mod entries;
pub(crate) mod lines;
pub(crate) mod messages;
mod nodes;

use network::Parameters;
use network::parameters::LinkParameters;

/// The theoretical peak of a workload, in network cycles; "peak" counts all bytes on the wire (row S5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The limit: `busiest dimension`, `entry links`, `busiest cut`, `busiest link`, `links of the colors`, `links of a node`,
    /// `links of the root`, `latency` or `links` (all equally).
    pub kind: &'static str,
    /// The fewest cycles in which the limiting links can carry all packets, if the workload ends.
    pub drained_cycles: Option<f64>,
    /// The most packets per cycle that all nodes together can receive.
    pub packets_per_cycle: Option<f64>,
}

/// The load of the links that limit a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// The kind of these links.
    pub kind: &'static str,
    /// Cycles for which the busiest of these links is busy when every flow sends one byte.
    pub cycles_per_byte: f64,
}

/// The demand of a pattern on the network: a number of equal flows, and their load. Without flows, the other fields are
/// meaningless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Demand {
    /// Number of pairs of a finite workload, or of sending nodes of an open-loop workload.
    pub flows: u64,
    /// The load of the links that limit the flows.
    pub load: Load,
    /// Mean hops of a packet.
    pub mean_hops: f64,
}

impl Demand {
    /// The most packets per cycle that each flow can send, if a packet takes `mean_wire_bytes` of link time on average.
    pub(crate) fn flow_packets_per_cycle(&self, mean_wire_bytes: f64) -> f64 {
        1.0 / (self.load.cycles_per_byte * mean_wire_bytes)
    }

    /// The bound when each flow sends such packets: `packets_per_flow` of them, or without end.
    pub(crate) fn bound(
        &self,
        packets_per_flow: Option<u64>,
        mean_wire_bytes: f64,
        parameters: &Parameters,
    ) -> Bound {
        let rate = self.flow_packets_per_cycle(mean_wire_bytes);
        let cycles = |packets| last_reception_cycle(packets as f64 / rate, mean_wire_bytes, parameters);
        Bound {
            kind: self.load.kind,
            drained_cycles: packets_per_flow.map(cycles),
            packets_per_cycle: Some(self.flows as f64 * rate),
        }
    }
}

/// The earliest cycle at which the last packet can be received if the limiting links are busy for `busy_cycles`.
/// The token-ack and the gap after a packet keep its link busy while the packet itself moves on. Where links are so
/// slow that this takes longer than a hop, the last packet is received before its link is free.
pub(crate) fn last_reception_cycle(busy_cycles: f64, mean_wire_bytes: f64, parameters: &Parameters) -> f64 {
    let format = &parameters.packet;
    let after_packet = f64::from(format.token_ack_bytes + format.gap_bytes);
    let early = |link: &LinkParameters| {
        after_packet * f64::from(link.cycles_per_byte) - f64::from(link.hop_latency_cycles)
    };
    let dimensions = parameters.shape.dimensions();
    let early_cycles = parameters.links[..dimensions].iter().map(early).fold(0.0, f64::max);
    // With less than a packet for each of the limiting links, only links with a packet are free early.
    let min_share = 1.0 - after_packet / mean_wire_bytes;
    (busy_cycles - early_cycles).max(busy_cycles * min_share)
}
