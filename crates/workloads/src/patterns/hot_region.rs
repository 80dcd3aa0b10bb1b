//! A hot region: uniform traffic, of which a share is drawn to a box.

use crate::bound::entries;
use crate::options::{parameters, preferences, require_share};
use crate::patterns::uniform_random::Everyone;
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::region::Region;
use crate::traffic::sender::{PacketDraws, Way};
use crate::traffic::stream::{self, Targets};
use network::draws::{Purpose, Share, pick};

parameters! {
    /// Every node sends a share of its packets into a box, the others anywhere.
    ///
    /// Rows S21, S22, S28.
    pub struct HotRegion: stream directions {
        /// Share of packets whose target is drawn from the box, 0 to 1; the others' is drawn from the whole machine.
        /// A node never sends to itself. Default 0.25, as in the papers.
        #[serde(default = "papers_share")]
        pub share: f64,
        /// Lowest coordinates of the box, one for each dimension. Default: 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub origin: Vec<u32>,
        /// Nodes of the box along each dimension. Default: half of each, rounded up: 12.5 % of a cube.
        #[serde(default, rename = "box", skip_serializing_if = "Vec::is_empty")]
        pub box_lengths: Vec<u32>,
    }
}

fn papers_share() -> f64 {
    0.25
}

impl HotRegion {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        require_share("share", self.share)?;
        let preferences = preferences(&self.directions, shape)?;
        let region = Region::new(shape, &self.origin, &self.box_lengths, |length| length.div_ceil(2))?;
        let demand = entries::hot_region_demand(context.parameters, &region, self.share, &preferences);
        let everyone = Everyone { nodes: shape.nodes() };
        let targets = HotTargets { everyone, region, share: Share::new(self.share) };
        stream::plan(context, self.stream_options(), preferences, targets, demand)
    }
}

struct HotTargets {
    everyone: Everyone,
    region: Region,
    share: Share,
}

impl HotTargets {
    /// A node of the box other than `node`, or anyone when there is none.
    fn hot_target(&self, node: u32, bits: u32) -> u32 {
        match self.region.rank(node) {
            None => self.region.member(pick(bits, self.region.nodes())),
            Some(_) if self.region.nodes() == 1 => self.everyone.target(node, bits),
            Some(own) => {
                let other = pick(bits, self.region.nodes() - 1);
                self.region.member(other + (other >= own) as u32)
            }
        }
    }
}

impl Targets for HotTargets {
    fn way(&self, node: u32, draws: &PacketDraws) -> Option<Way> {
        let bits = draws.bits64(Purpose::Target);
        let (kind, choice) = ((bits >> 32) as u32, bits as u32);
        let is_hot = self.share.contains(kind);
        let target = if is_hot { self.hot_target(node, choice) } else { self.everyone.target(node, choice) };
        Some(Way::To(target))
    }
}
