//! All-to-alls inside planes, as in a 3D FFT with slab decomposition.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, require_dimension};
use crate::patterns::all_to_all::plan_groups;
use crate::plan::Plan;
use crate::targets::groups::Group;

parameters! {
    /// Every node sends a message to every other node of its plane.
    // Row S25.
    pub struct PlaneAllToAll: finite directions {
        /// Payload in bytes from each node to each other node of its plane. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
        /// The two dimensions of the planes, numbered from 0. Default [0, 1].
        #[serde(default = "first_dimensions")]
        pub dimensions: [usize; 2],
    }
}

fn first_dimensions() -> [usize; 2] {
    [0, 1]
}

impl Kind for PlaneAllToAll {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        let [first, second] = self.dimensions;
        self.dimensions
            .iter()
            .try_for_each(|&dimension| require_dimension("dimensions", dimension, shape))?;
        require(first != second, "dimensions", || format!("{first} is named twice: two span a plane"))?;
        let groups = vec![Group::new(shape, &self.dimensions)];
        plan_groups(context, self.finite_options(), &self.directions, self.payload_bytes, groups)
    }
}
