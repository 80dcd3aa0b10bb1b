//! The spread of flows over dimensions and targets, on which blocking depends.

use crate::exact::Amount;
use geometry::MAX_DIMENSIONS;
use mapping::links::Trip;
use network::Parameters;

/// The spread of the flows of a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    /// Bytes on the links of each dimension, all together.
    bytes: [Amount; MAX_DIMENSIONS],
    /// Bytes on them of packets that need other dimensions too.
    mixed_bytes: [Amount; MAX_DIMENSIONS],
    packets: u128,
    wire_bytes: u128,
    flows: u64,
    flow_hops: u64,
    /// The number of targets of equal shares to which those of a source amount, summed over sources.
    targets: Amount,
    sources: u32,
}

impl Spread {
    /// Adds packets on a trip.
    pub fn add_trip(&mut self, trip: &Trip, (wire_bytes, packets): (u128, u128)) {
        for part in trip.parts() {
            let is_mixed = part.dimensions().nth(1).is_some();
            for (toward, hops) in part.crossings() {
                let dimension = toward.dimension();
                let bytes = Amount::of(part.share * hops) * wire_bytes;
                self.bytes[dimension] += bytes;
                self.mixed_bytes[dimension] += if is_mixed { bytes } else { Amount::default() };
            }
        }
        self.packets += packets;
        self.wire_bytes += wire_bytes;
        self.flows += 1;
        self.flow_hops += u64::from(trip.hops());
    }

    /// Adds a source, given the bytes of its flows.
    pub fn add_source(&mut self, bytes: &[u128]) {
        let squares: u128 = bytes.iter().map(|bytes| bytes * bytes).sum();
        if squares > 0 {
            self.targets += Amount::of((bytes.iter().sum::<u128>() as f64).powi(2) / squares as f64);
            self.sources += 1;
        }
    }

    /// The mean number of targets of equal shares to which those of a source amount.
    pub fn targets(&self) -> f64 {
        if self.sources > 0 { self.targets.value() / f64::from(self.sources) } else { 0.0 }
    }

    /// The share of what links of a dimension carry in packets that need other dimensions too.
    pub fn mixed_share(&self, dimension: usize) -> f64 {
        let bytes = self.bytes[dimension].value();
        if bytes > 0.0 { self.mixed_bytes[dimension].value() / bytes } else { 0.0 }
    }

    /// Links that flows cross, all together.
    pub fn flow_hops(&self) -> f64 {
        self.flow_hops as f64
    }

    /// Packets of a flow, on average.
    pub fn packets_per_flow(&self) -> f64 {
        self.packets as f64 / self.flows as f64
    }

    /// The hops of a packet in a dimension, on average; one over a slower link counts for more.
    pub fn hops(&self, dimension: usize, network: &Parameters) -> f64 {
        let cycles_per_byte = |dimension: usize| f64::from(network.links[dimension].cycles_per_byte);
        let fastest = (0..network.shape.dimensions()).map(cycles_per_byte).fold(f64::INFINITY, f64::min);
        let hops = self.bytes[dimension].value() / self.wire_bytes as f64;
        if self.wire_bytes > 0 { hops * cycles_per_byte(dimension) / fastest } else { 0.0 }
    }
}
