//! All-to-all and uniform traffic: each line of a dimension carries its own all-to-alls.
//!
//! In a group of `S` nodes, a line of length `k` along one of its dimensions carries each ordered pair of its
//! coordinates `S / k` times. On a ring, symmetry spreads the hops evenly over the links. On an open line the middle
//! link is the busiest; as a cut of the machine it limits every routing.

use crate::bound::cuts::Cuts;
use crate::bound::{Demand, Load};
use crate::targets::groups::Group;
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use network::Parameters;

/// One dimension, and the direction of its traffic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub length: u32,
    pub wraps: bool,
    pub preference: Preference,
}

impl Line {
    pub(crate) fn of(shape: &Shape, dimension: usize, preferences: &[Preference; MAX_DIMENSIONS]) -> Self {
        Line {
            length: shape.length(dimension),
            wraps: shape.wraps(dimension),
            preference: preferences[dimension],
        }
    }

    fn is_forced(&self) -> bool {
        self.preference != Preference::Minimal
    }

    /// Sum of hops over all ordered pairs of the line's nodes.
    pub(crate) fn hops_of_all_pairs(&self) -> f64 {
        let length = f64::from(self.length);
        match self.wraps {
            true => length * self.hops_from_one(),
            false => (length * length - 1.0) * length / 3.0,
        }
    }

    /// On a ring: sum of hops from one node to all, which equals that from all nodes to one.
    pub(crate) fn hops_from_one(&self) -> f64 {
        let length = f64::from(self.length);
        if self.is_forced() { length * (length - 1.0) / 2.0 } else { (length * length / 4.0).floor() }
    }

    /// On a ring: hops there and back between two nodes that are `apart` coordinates apart.
    pub(crate) fn round_trip_hops(&self, apart: u32) -> f64 {
        f64::from(if self.is_forced() { self.length } else { 2 * apart.min(self.length - apart) })
    }

    /// Number of ordered pairs whose route crosses the busiest link.
    fn busiest_link_crossings(&self) -> f64 {
        match (self.wraps, self.is_forced()) {
            (true, true) => self.hops_from_one(),
            (true, false) => self.hops_from_one() / 2.0,
            (false, _) => (f64::from(self.length) * f64::from(self.length) / 4.0).floor(),
        }
    }
}

/// The demand when every node sends to all others of its group, in each of `groups`.
pub(crate) fn demand(
    parameters: &Parameters,
    groups: &[Group],
    preferences: &[Preference; MAX_DIMENSIONS],
) -> Demand {
    let shape = &parameters.shape;
    let (cycles_in_twist, hops_in_twist) = in_twist(parameters, groups);
    let mut crossings = [0.0; MAX_DIMENSIONS];
    let mut hops = hops_in_twist;
    for group in groups {
        for &dimension in group.dimensions.iter().filter(|&&dimension| !shape.takes_part_in_twist(dimension))
        {
            let line = Line::of(shape, dimension, preferences);
            let share = group.members as f64 / f64::from(line.length);
            crossings[dimension] += line.busiest_link_crossings() * share;
            hops += line.hops_of_all_pairs() * share / f64::from(line.length);
        }
    }
    let cycles = crossings.iter().zip(&parameters.links).map(|(c, link)| c * f64::from(link.cycles_per_byte));
    let peers: u64 = groups.iter().map(|group| group.members - 1).sum();
    Demand {
        flows: u64::from(shape.nodes()) * peers,
        load: Load { kind: "busiest dimension", cycles_per_byte: cycles.fold(cycles_in_twist, f64::max) },
        mean_hops: hops / peers as f64,
    }
}

/// The cycles for which the busiest links of a machine are busy when every node sends a byte to all others.
pub fn all_to_all_cycles_per_byte(parameters: &Parameters) -> f64 {
    let dimensions: Vec<usize> = (0..parameters.shape.dimensions()).collect();
    let whole_machine = [Group::new(&parameters.shape, &dimensions)];
    demand(parameters, &whole_machine, &[Preference::Minimal; MAX_DIMENSIONS]).load.cycles_per_byte
}

/// The cycles for which the busiest links of a twist are busy, and the hops in its dimensions of what a node sends. From
/// every node the same vectors lead to all nodes of the machine, but not to those of lines and planes.
fn in_twist(parameters: &Parameters, groups: &[Group]) -> (f64, f64) {
    let shape = &parameters.shape;
    let (mut cuts, mut hops) = (Cuts::new(shape), 0.0);
    for group in groups.iter().filter(|_| shape.is_twisted()) {
        let is_alike = group.members == u64::from(shape.nodes());
        let (senders, bytes) = if is_alike { (1, u64::from(shape.nodes())) } else { (shape.nodes(), 1) };
        for source in 0..senders {
            for slot in 0..group.members - 1 {
                hops += cuts.add_in_twist(source, group.peer(source, slot as u32), bytes) * bytes as f64;
            }
        }
    }
    (cuts.busiest_cycles(parameters), hops / f64::from(shape.nodes()))
}

/// The demand when every node sends packets to all others uniformly.
pub(crate) fn uniform_demand(parameters: &Parameters, preferences: &[Preference; MAX_DIMENSIONS]) -> Demand {
    let shape = &parameters.shape;
    let dimensions: Vec<usize> = (0..shape.dimensions()).collect();
    let demand = demand(parameters, &[Group::new(shape, &dimensions)], preferences);
    let nodes = shape.nodes();
    if nodes == 1 {
        return demand;
    }
    let cycles_per_byte = demand.load.cycles_per_byte / f64::from(nodes - 1);
    Demand { flows: nodes.into(), load: Load { cycles_per_byte, ..demand.load }, ..demand }
}
