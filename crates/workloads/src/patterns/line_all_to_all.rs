//! All-to-alls inside lines, as in a 3D FFT with pencil decomposition.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, require_dimension};
use crate::patterns::all_to_all::plan_groups;
use crate::plan::Plan;
use crate::targets::groups::Group;

parameters! {
    /// Every node sends a message to every other node of its line.
    // Row S25.
    pub struct LineAllToAll: finite directions {
        /// Payload in bytes from each node to each other node of its line. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
        /// Dimensions of the lines, numbered from 0. With several dimensions, each node sends along its line in each.
        /// Default [0].
        #[serde(default = "first_dimension")]
        pub dimensions: Vec<usize>,
    }
}

fn first_dimension() -> Vec<usize> {
    vec![0]
}

impl Kind for LineAllToAll {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        require(!self.dimensions.is_empty(), "dimensions", || "none: at least one".into())?;
        for (index, &dimension) in self.dimensions.iter().enumerate() {
            require_dimension("dimensions", dimension, shape)?;
            require(!self.dimensions[..index].contains(&dimension), "dimensions", || {
                format!("{dimension} is named twice")
            })?;
        }
        let groups = self.dimensions.iter().map(|&dimension| Group::new(shape, &[dimension])).collect();
        plan_groups(context, self.finite_options(), &self.directions, self.payload_bytes, groups)
    }
}
