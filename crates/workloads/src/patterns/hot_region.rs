//! A hot region: uniform random traffic, with a share of it to a box.

use crate::bound::entries;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences, require_share};
use crate::patterns::uniform_random::AllOthers;
use crate::plan::Plan;
use crate::targets::Route;
use crate::targets::region::Region;
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::PacketDraws;
use base::draws::{Purpose, Share, pick};

parameters! {
    /// Every node sends a share of its packets to random nodes of a box, the others to random nodes of the machine.
    // Rows S21, S22, S28.
    pub struct HotRegion: open_loop directions {
        /// Share of packets with a target drawn from the box, 0 to 1. Targets of the others are drawn from the whole
        /// machine, which includes the box. A node never sends to itself. Default 0.25, as in the papers.
        #[serde(default = "default_share")]
        pub share: f64,
        /// Lowest coordinates of the box, one for each dimension. Default: 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub origin: Vec<u32>,
        /// Length of the box in nodes along each dimension. Default: half of each dimension, rounded up, so that the
        /// box has 12.5 % of the nodes of a machine with three even dimensions.
        #[serde(default, rename = "box", skip_serializing_if = "Vec::is_empty")]
        pub box_lengths: Vec<u32>,
    }
}

fn default_share() -> f64 {
    0.25
}

impl Kind for HotRegion {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        require_share("share", self.share)?;
        let preferences = preferences(&self.directions, shape)?;
        let region = Region::new(shape, &self.origin, &self.box_lengths, |length| length.div_ceil(2))?;
        self.routing.require_minimal()?;
        let demand = entries::hot_region_demand(context.parameters, &region, self.share, &preferences);
        let all_others = AllOthers { nodes: shape.nodes() };
        let targets = HotTargets { all_others, region, share: Share::new(self.share) };
        open_loop::plan(context, &self.open_loop_options(), preferences, targets, demand)
    }
}

struct HotTargets {
    all_others: AllOthers,
    region: Region,
    share: Share,
}

impl HotTargets {
    /// A random node of the box other than `node`, or of the whole machine if the box has no other.
    fn hot_target(&self, node: u32, bits: u32) -> u32 {
        match self.region.rank(node) {
            None => self.region.member(pick(bits, self.region.nodes())),
            Some(_) if self.region.nodes() == 1 => self.all_others.target(node, bits),
            Some(own) => {
                let other = pick(bits, self.region.nodes() - 1);
                self.region.member(other + (other >= own) as u32)
            }
        }
    }
}

impl Targets for HotTargets {
    fn route(&self, node: u32, draws: &PacketDraws) -> Option<Route> {
        let bits = draws.bits64(Purpose::Target);
        let (kind, choice) = ((bits >> 32) as u32, bits as u32);
        let is_hot = self.share.contains(kind);
        let target =
            if is_hot { self.hot_target(node, choice) } else { self.all_others.target(node, choice) };
        Some(Route::To(target))
    }
}
