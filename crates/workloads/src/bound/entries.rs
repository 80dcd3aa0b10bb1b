//! Hot spots and hot regions: the links that lead into the box.

use crate::bound::lines::{Line, uniform_demand};
use crate::bound::{Demand, Load};
use crate::targets::region::Region;
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use network::Parameters;

type Preferences = [Preference; MAX_DIMENSIONS];

/// The demand when every node outside the box sends to every node inside (row M9).
pub(crate) fn hot_spot_demand(parameters: &Parameters, region: &Region, preferences: &Preferences) -> Demand {
    let receivers = u64::from(region.nodes());
    let pairs = (u64::from(parameters.shape.nodes()) - receivers) * receivers;
    let hops = HopsIntoRegion::new(&parameters.shape, region, preferences);
    Demand {
        flows: pairs,
        load: entry_load(parameters, region, pairs as f64),
        mean_hops: (hops.from_all - hops.from_inside) / pairs as f64,
    }
}

/// The demand when a `share` of each node's packets goes to the box and the rest to the whole machine (row M8).
/// Packets from outside with a target in the box must cross an entry link. Packets through the box may cross one,
/// and are not counted. The uniform part alone is also a bound, which limits when the box is large or the share
/// small.
pub(crate) fn hot_region_demand(
    parameters: &Parameters,
    region: &Region,
    share: f64,
    preferences: &Preferences,
) -> Demand {
    let shape = &parameters.shape;
    let uniform = uniform_demand(parameters, preferences);
    if region.nodes() == shape.nodes() {
        return uniform;
    }
    let (nodes, inside) = (f64::from(shape.nodes()), f64::from(region.nodes()));
    let entering = share + (1.0 - share) * inside / (nodes - 1.0);
    let entry = entry_load(parameters, region, (nodes - inside) * entering);
    let uniform_load = (1.0 - share) * uniform.load.cycles_per_byte;
    let load = if entry.cycles_per_byte > uniform_load {
        entry
    } else {
        Load { cycles_per_byte: uniform_load, ..uniform.load }
    };
    let hops = HopsIntoRegion::new(shape, region, preferences);
    let hot = hops.mean_of_hot_packets(nodes, inside);
    let mean_hops = share * hot + (1.0 - share) * uniform.mean_hops;
    Demand { flows: uniform.flows, load, mean_hops }
}

/// The load of the entry links when `bytes` bytes must enter, shared among the links in proportion to their rates.
fn entry_load(parameters: &Parameters, region: &Region, bytes: f64) -> Load {
    let rate = |dimension: usize| {
        region.entry_links(dimension) as f64 / f64::from(parameters.links[dimension].cycles_per_byte)
    };
    let bytes_per_cycle: f64 = (0..parameters.shape.dimensions()).map(rate).sum();
    let cycles_per_byte = if bytes_per_cycle > 0.0 { bytes / bytes_per_cycle } else { 0.0 };
    Load { kind: "entry links", cycles_per_byte }
}

/// Sums of hops over pairs whose target is in the box.
struct HopsIntoRegion {
    /// The sum over all sources.
    from_all: f64,
    /// The sum over sources in the box, including pairs of a node with itself.
    from_inside: f64,
}

impl HopsIntoRegion {
    fn new(shape: &Shape, region: &Region, preferences: &Preferences) -> Self {
        if shape.is_twisted() {
            return Self::on_twisted(shape, region);
        }
        let (nodes, inside) = (f64::from(shape.nodes()), f64::from(region.nodes()));
        let mut sums = HopsIntoRegion { from_all: 0.0, from_inside: 0.0 };
        for dimension in 0..shape.dimensions() {
            let line = Line::of(shape, dimension, preferences);
            let (origin, length) = (region.origin(dimension), region.length(dimension));
            let pairs_along = f64::from(length) * f64::from(line.length);
            sums.from_all += hops_from_line(&line, origin, length) * nodes * inside / pairs_along;
            let pairs_inside = f64::from(length) * f64::from(length);
            sums.from_inside += hops_within(&line, length) * inside * inside / pairs_inside;
        }
        sums
    }

    fn on_twisted(shape: &Shape, region: &Region) -> Self {
        let members = || (0..region.nodes()).map(|rank| region.member(rank));
        let hops_to = |target: u32, sources: &mut dyn Iterator<Item = u32>| -> f64 {
            sources.map(|source| f64::from(shape.distance(source, target))).sum()
        };
        HopsIntoRegion {
            from_all: members().map(|target| hops_to(target, &mut (0..shape.nodes()))).sum(),
            from_inside: members().map(|target| hops_to(target, &mut members())).sum(),
        }
    }

    /// Mean hops of the packets drawn for the box. If the box has only one node, that node sends them to the whole
    /// machine instead. Their mean equals that of the hops from all others to it.
    fn mean_of_hot_packets(&self, nodes: f64, inside: f64) -> f64 {
        let from_outside = (self.from_all - self.from_inside) / inside;
        let from_inside =
            if inside > 1.0 { self.from_inside / (inside - 1.0) } else { self.from_all / (nodes - 1.0) };
        (from_outside + from_inside) / nodes
    }
}

/// Hops along a line from all its coordinates to each of `length` coordinates, beginning with `origin`.
fn hops_from_line(line: &Line, origin: u32, length: u32) -> f64 {
    if line.wraps {
        return f64::from(length) * line.hops_from_one();
    }
    let to_one = |coordinate: u32| {
        let (below, above) = (f64::from(coordinate), f64::from(line.length - 1 - coordinate));
        (below * (below + 1.0) + above * (above + 1.0)) / 2.0
    };
    (origin..origin + length).map(to_one).sum()
}

/// Hops along a line between all ordered pairs of `length` successive coordinates.
fn hops_within(line: &Line, length: u32) -> f64 {
    let there_and_back = |apart: u32| match line.wraps {
        true => line.round_trip_hops(apart),
        false => 2.0 * f64::from(apart),
    };
    (1..length).map(|apart| f64::from(length - apart) * there_and_back(apart)).sum()
}
