//! A hot spot: all other nodes send to a few receivers.

use crate::bound::entries;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences};
use crate::plan::Plan;
use crate::targets::Peers;
use crate::targets::Route;
use crate::targets::region::Region;
use crate::traffic::finite::{self, Message};
use geometry::Faults;

parameters! {
    /// Every node outside a box sends full packets to every node inside it.
    // Rows S35, S36.
    pub struct HotSpot: finite directions {
        /// Number of full packets from each sender to each receiver. Required.
        #[schemars(example = 100)]
        pub packets_per_pair: u64,
        /// Lowest coordinates of the box, one for each dimension. Default: 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub origin: Vec<u32>,
        /// Length of the box in nodes along each dimension. Default: 1 in each.
        #[serde(default, rename = "box", skip_serializing_if = "Vec::is_empty")]
        pub box_lengths: Vec<u32>,
    }
}

impl Kind for HotSpot {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        let preferences = preferences(&self.directions, shape)?;
        let region = Region::new(shape, &self.origin, &self.box_lengths, |_| 1)?;
        require(region.nodes() < shape.nodes() || shape.nodes() == 1, "box", || {
            format!("it fills the machine {shape}: no node is left outside to send")
        })?;
        let format = &context.parameters.packet;
        let message = Message::of_full_packets(self.packets_per_pair, "packets_per_pair", format)?;
        let demand = entries::hot_spot_demand(context.parameters, &region, &preferences);
        let peers = Receivers { region };
        finite::plan(context, self.finite_options(), preferences, peers, message, demand)
    }
}

/// The nodes of the box, as peers of those outside.
struct Receivers {
    region: Region,
}

impl Peers for Receivers {
    fn count(&self, node: u32) -> u64 {
        if self.region.rank(node).is_some() { 0 } else { u64::from(self.region.nodes()) }
    }

    fn peer(&self, _node: u32, slot: u64) -> Route {
        Route::To(self.region.member(slot as u32))
    }

    fn rotation(&self, node: u32) -> u64 {
        u64::from(node)
    }

    fn possibly_unreachable(&self, node: u32, faults: &Faults) -> Vec<u64> {
        if self.region.rank(node).is_some() {
            return Vec::new();
        }
        let mut possibly_unreachable: Vec<u64> =
            faults.nodes().iter().filter_map(|&dead| self.region.rank(dead)).map(u64::from).collect();
        possibly_unreachable.sort_unstable();
        possibly_unreachable
    }
}
