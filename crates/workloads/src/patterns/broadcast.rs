//! Broadcasts over a line, a plane, and the whole machine.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::Routing;
use crate::options::{parameters, require_dimension};
use crate::plan::Plan;
use crate::traffic::broadcast::{self, Broadcast};

parameters! {
    /// One node broadcasts a message along its line; the deposit bit leaves a copy at every node on the way.
    // Row S37.
    pub struct LineBroadcast: {
        /// Payload in bytes. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
        /// Dimension of the line, numbered from 0; it must wrap. Default 0.
        #[serde(default)]
        pub dimension: usize,
        /// Coordinates of the sending node, one for each dimension. Default: the first node, 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Number of colors, the parts of the message that use different links: 1 (plus) or 2 (plus and minus).
        /// Default 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

parameters! {
    /// One node broadcasts a message over its plane; software on a line forwards it into the other dimension.
    // Row S38.
    pub struct PlaneBroadcast: {
        /// Payload in bytes. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
        /// The two dimensions of the plane, numbered from 0; they must wrap. Default [0, 1].
        #[serde(default = "first_plane")]
        pub dimensions: [usize; 2],
        /// Coordinates of the sending node, one for each dimension. Default: the first node, 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Number of colors, the parts of the message that use different links: 1 to 4, in the order x+, x-, y+, y-.
        /// Default 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

parameters! {
    /// One node broadcasts a message to all others; software forwards it from each dimension into the next ones.
    // Row M13.
    pub struct TorusBroadcast: {
        /// Payload in bytes. Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
        /// Coordinates of the sending node, one for each dimension. Default: the first node, 0 in each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Number of colors, the parts of the message that use different links: 1 to twice the number of dimensions
        /// longer than one node, in the order x+, x-, y+ and so on. Default: the largest number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

fn first_plane() -> [usize; 2] {
    [0, 1]
}

impl Kind for LineBroadcast {
    fn senders(&self) -> Senders {
        Senders::nodes(Routing::Adaptive)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require_dimension("dimension", self.dimension, context.shape())?;
        let broadcast = Broadcast::new(context, "dimension", &[self.dimension], &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}

impl Kind for PlaneBroadcast {
    fn senders(&self) -> Senders {
        Senders::nodes(Routing::Adaptive)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        for dimension in self.dimensions {
            require_dimension("dimensions", dimension, context.shape())?;
        }
        let [first, second] = self.dimensions;
        require(first != second, "dimensions", || format!("{first} is named twice"))?;
        let broadcast = Broadcast::new(context, "dimensions", &self.dimensions, &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}

impl Kind for TorusBroadcast {
    fn senders(&self) -> Senders {
        Senders::nodes(Routing::Adaptive)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let dimensions: Vec<usize> = (0..context.shape().dimensions()).collect();
        let broadcast = Broadcast::new(context, "shape", &dimensions, &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}
