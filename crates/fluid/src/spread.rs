//! How flows spread over dimensions and targets: what blocking depends on.

use geometry::MAX_DIMENSIONS;
use mapping::links::Trip;
use network::Parameters;

/// How the flows of a round spread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    /// Cycles for which links of each dimension are busy, all together.
    cycles: [f64; MAX_DIMENSIONS],
    /// Those with packets that need other dimensions too.
    mixed_cycles: [f64; MAX_DIMENSIONS],
    packets: f64,
    wire_cycles: f64,
    flows: f64,
    flow_hops: f64,
    /// The number of targets of equal shares as which those of a source count, summed over sources.
    targets: f64,
    sources: f64,
}

impl Spread {
    /// Adds packets on a trip.
    pub fn add_trip(&mut self, network: &Parameters, trip: &Trip, wire_bytes: f64, packets: f64) {
        let is_mixed = trip.dimensions().nth(1).is_some();
        for (toward, hops) in trip.crossings() {
            let dimension = toward.dimension();
            let cycles = wire_bytes * hops * f64::from(network.links[dimension].cycles_per_byte);
            self.cycles[dimension] += cycles;
            self.mixed_cycles[dimension] += if is_mixed { cycles } else { 0.0 };
        }
        let fastest =
            network.links.iter().map(|link| f64::from(link.cycles_per_byte)).fold(f64::INFINITY, f64::min);
        self.packets += packets;
        self.wire_cycles += wire_bytes * fastest;
        self.flows += 1.0;
        self.flow_hops += f64::from(trip.hops());
    }

    /// Adds a source, given the bytes of its flows.
    pub fn add_source(&mut self, bytes: &[f64]) {
        let squares: f64 = bytes.iter().map(|bytes| bytes * bytes).sum();
        if squares > 0.0 {
            self.targets += bytes.iter().sum::<f64>().powi(2) / squares;
            self.sources += 1.0;
        }
    }

    /// Targets of equal shares as which those of a source count, on average.
    pub fn targets(&self) -> f64 {
        if self.sources > 0.0 { self.targets / self.sources } else { 0.0 }
    }

    /// Of what links of a dimension carry, the share of packets that need other dimensions too.
    pub fn mixed_share(&self, dimension: usize) -> f64 {
        if self.cycles[dimension] > 0.0 { self.mixed_cycles[dimension] / self.cycles[dimension] } else { 0.0 }
    }

    /// Links that flows cross, all together.
    pub fn flow_hops(&self) -> f64 {
        self.flow_hops
    }

    /// Packets of a flow, on average.
    pub fn packets_per_flow(&self) -> f64 {
        self.packets / self.flows
    }

    /// The hops of a packet in a dimension, on average; one over a slower link counts for more.
    pub fn hops(&self, dimension: usize) -> f64 {
        if self.wire_cycles > 0.0 { self.cycles[dimension] / self.wire_cycles } else { 0.0 }
    }
}
