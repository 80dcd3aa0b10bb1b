//! Broadcasts along a line, over a plane, and over the whole machine.

use crate::options::{parameters, require_dimension};
use crate::plan::{Context, Plan, WorkloadError, require};
use crate::traffic::broadcast::{self, Broadcast};

parameters! {
    /// One node sends a message to all nodes of its line, each of which gets a copy as it passes.
    ///
    /// Row S37.
    pub struct LineBroadcast: {
        /// Payload in bytes. Required.
        pub payload_bytes: u64,
        /// Dimension along which the line lies, from 0; it must wrap. Default 0.
        #[serde(default)]
        pub dimension: usize,
        /// Coordinates of the sending node. Default: the first node.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Parts of the message with a way each of their own: 1 (plus) or 2 (plus and minus). Default 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

parameters! {
    /// One node sends a message to all nodes of its plane, software of the first line turning the corners.
    ///
    /// Row S38.
    pub struct PlaneBroadcast: {
        /// Payload in bytes. Required.
        pub payload_bytes: u64,
        /// The two dimensions that span the plane, from 0; they must wrap. Default [0, 1].
        #[serde(default = "first_plane")]
        pub dimensions: [usize; 2],
        /// Coordinates of the sending node. Default: the first node.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Parts of the message with links each of their own: 1 to 4, in the order x+, x-, y+, y-. Default 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

parameters! {
    /// One node sends a message to all others, software turning the corners.
    ///
    /// Row M13.
    pub struct TorusBroadcast: {
        /// Payload in bytes. Required.
        pub payload_bytes: u64,
        /// Coordinates of the sending node. Default: the first node.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub root: Vec<u32>,
        /// Parts of the message with links each of their own: 1 to twice the number of dimensions that have more than one
        /// node, in the order x+, x-, y+ and so on. Default: all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub colors: Option<u32>,
    }
}

fn first_plane() -> [usize; 2] {
    [0, 1]
}

impl LineBroadcast {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require_dimension("dimension", self.dimension, context.shape())?;
        let broadcast = Broadcast::new(context, "dimension", &[self.dimension], &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}

impl PlaneBroadcast {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        for dimension in self.dimensions {
            require_dimension("dimensions", dimension, context.shape())?;
        }
        let [first, second] = self.dimensions;
        require(first != second, "dimensions", || format!("{first} is named twice"))?;
        let broadcast = Broadcast::new(context, "dimensions", &self.dimensions, &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}

impl TorusBroadcast {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let dimensions: Vec<usize> = (0..context.shape().dimensions()).collect();
        let broadcast = Broadcast::new(context, "shape", &dimensions, &self.root, self.colors)?;
        broadcast::plan(context, broadcast, self.payload_bytes)
    }
}
