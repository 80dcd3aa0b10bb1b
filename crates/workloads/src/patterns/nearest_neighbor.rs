//! Exchange with the neighbors, as in a halo update.

use crate::bound::{Demand, Load};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences};
use crate::plan::Plan;
use crate::targets::Peers;
use crate::targets::Route;
use crate::traffic::finite::{self, Message};
use geometry::{Direction, Faults, Hops, Shape};

parameters! {
    /// Every node sends a message to its neighbor over each of its links.
    pub struct NearestNeighbor: finite {
        /// Payload in bytes to the neighbor in each direction with a link; in a ring of two nodes, both directions have
        /// one. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
    }
}

impl Kind for NearestNeighbor {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let message = Message::with_payload(self.payload_bytes, &context.parameters.packet)?;
        let peers = Neighbors::of(context.shape().clone());
        let preferences = preferences(&[], context.shape())?;
        finite::plan(context, self.finite_options(), preferences, peers, message, demand(context))
    }
}

/// Each link carries one pair's packets.
fn demand(context: &Context) -> Demand {
    let shape = context.shape();
    let has_links = |dimension: usize| shape.links_toward(Direction::new(dimension, true)) > 0;
    let cycles = (0..shape.dimensions())
        .filter(|&dimension| has_links(dimension))
        .map(|dimension| f64::from(context.parameters.links[dimension].cycles_per_byte));
    Demand {
        flows: shape.links(),
        load: Load { kind: "links", cycles_per_byte: cycles.fold(0.0, f64::max) },
        mean_hops: 1.0,
    }
}

/// A node's neighbors, by direction.
struct Neighbors {
    shape: Shape,
    /// Whether every node has a neighbor in every direction, as in a torus.
    has_all: bool,
}

impl Neighbors {
    fn of(shape: Shape) -> Self {
        let has_all =
            (0..shape.dimensions()).all(|dimension| shape.wraps(dimension) && shape.length(dimension) > 1);
        Neighbors { shape, has_all }
    }

    fn directions(&self, node: u32) -> impl Iterator<Item = Direction> + '_ {
        Direction::all(self.shape.dimensions())
            .filter(move |&direction| self.has_all || self.shape.neighbor(node, direction).is_some())
    }
}

impl Peers for Neighbors {
    fn count(&self, node: u32) -> u64 {
        match self.has_all {
            true => 2 * self.shape.dimensions() as u64,
            false => self.directions(node).count() as u64,
        }
    }

    fn peer(&self, node: u32, slot: u64) -> Route {
        // Most machines have all neighbors, and a search for the slot's would be mispredicted.
        let direction = match self.has_all {
            true => Direction::from_index(slot as usize),
            false => self.directions(node).nth(slot as usize).expect("a slot is below the count of peers"),
        };
        let mut hops = Hops::default();
        hops.0[direction.dimension()] = if direction.is_plus() { 1 } else { -1 };
        Route::By(hops)
    }

    /// All nodes start with the same direction, so that the links of one direction are used at the same time.
    fn rotation(&self, _node: u32) -> u64 {
        0
    }

    fn possibly_unreachable(&self, node: u32, _faults: &Faults) -> Vec<u64> {
        (0..self.count(node)).collect()
    }

    fn are_alike(&self) -> bool {
        true
    }
}
