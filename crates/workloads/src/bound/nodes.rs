//! The links of a node. Data that a node sends must leave by links in directions toward its targets, and data that
//! it receives must arrive by links from its sources.
//!
//! ```text
//!   a node's flows by their sets of directions:   {x+}: 100   {x+, y-}: 60   {z+}: 30
//!   of every set of links:                        {x+}: 100 over 1 link      {x+, y-}: 160 over 2     {z+}: 30 over 1
//! ```

use geometry::{Hops, Shape};
use network::Parameters;
use std::collections::HashMap;

/// The most directions, those of six dimensions, with 4,096 sets.
const MAX_DIRECTIONS: usize = 12;

/// Bytes by node, whether they leave, and the set of directions that they can take.
pub(super) struct LinksOfNodes<'a> {
    shape: &'a Shape,
    bytes: HashMap<(u32, bool), HashMap<u32, u64>>,
}

impl<'a> LinksOfNodes<'a> {
    pub(super) fn new(shape: &'a Shape) -> Self {
        LinksOfNodes { shape, bytes: HashMap::new() }
    }

    /// Adds a flow on minimal routes.
    pub(super) fn add(&mut self, source: u32, target: u32, bytes: u64) {
        let set_of = |hops: Hops| hops.directions().fold(0, |set, direction| set | 1 << direction.index());
        let set = match self.shape.is_twisted() {
            true => self.shape.route_shares(source, target).fold(0, |set, (hops, _)| set | set_of(hops)),
            false => {
                set_of(self.shape.route(source, target, 0))
                    | set_of(self.shape.route(source, target, u32::MAX))
            }
        };
        for end in [(source, true), (target, false)] {
            *self.bytes.entry(end).or_default().entry(set).or_default() += bytes;
        }
    }

    /// Cycles for which the busiest set of links of a node is busy.
    pub(super) fn busiest_cycles(&self, parameters: &Parameters) -> f64 {
        debug_assert!(2 * self.shape.dimensions() <= MAX_DIRECTIONS);
        self.bytes.values().map(|sets| self.busiest_of(sets, parameters)).fold(0.0, f64::max)
    }

    fn busiest_of(&self, sets: &HashMap<u32, u64>, parameters: &Parameters) -> f64 {
        let directions = 2 * self.shape.dimensions();
        let mut within = vec![0u64; 1 << directions];
        sets.iter().for_each(|(&set, &bytes)| within[set as usize] = bytes);
        for direction in 0..directions {
            for set in (0..within.len()).filter(|set| set >> direction & 1 == 1) {
                within[set] += within[set ^ 1 << direction];
            }
        }
        let rate = |set: usize| -> f64 {
            let of_set = (0..directions).filter(|direction| set >> direction & 1 == 1);
            of_set.map(|direction| 1.0 / f64::from(parameters.links[direction / 2].cycles_per_byte)).sum()
        };
        let cycles =
            (1..within.len()).filter(|&set| within[set] > 0).map(|set| within[set] as f64 / rate(set));
        cycles.fold(0.0, f64::max)
    }
}
