//! Ping-pong: one message back and forth.

use crate::options::parameters;
use crate::plan::{Context, Plan, PlannedTraffic, PostedWork, WorkloadError, require};
use geometry::{Coordinates, Shape};

parameters! {
    /// Two nodes send a message back and forth, one at a time (row S39).
    pub struct PingPong: {
        /// Distance of the two nodes in hops: node 0, and one reached by going out in x first, then y, and so on.
        /// Default 1.
        #[serde(default = "one_hop")]
        pub hops: u32,
        /// Payload of the message in bytes. Default 16: one packet of 32 bytes.
        #[serde(default = "one_chunk")]
        pub payload_bytes: u64,
        /// How often the message goes there and back. Default 100.
        #[serde(default = "hundred_times")]
        pub repetitions: u64,
    }
}

fn one_hop() -> u32 {
    1
}

fn one_chunk() -> u64 {
    16
}

fn hundred_times() -> u64 {
    100
}

/// Who plays ping-pong with what; a driver above the network plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingPongPlan {
    /// The node that starts.
    pub source: u32,
    /// The node that answers.
    pub target: u32,
    /// Payload of the message in bytes.
    pub payload_bytes: u64,
    /// How often the message goes there and back.
    pub repetitions: u64,
}

impl PingPong {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require(self.payload_bytes > 0, "payload_bytes", || "0 bytes are no message: at least 1".into())?;
        require(self.repetitions > 0, "repetitions", || "0 repetitions: at least 1".into())?;
        let plan = PingPongPlan {
            source: 0,
            target: partner(context.shape(), self.hops)?,
            payload_bytes: self.payload_bytes,
            repetitions: self.repetitions,
        };
        Ok(Plan {
            traffic: PlannedTraffic::Posted(PostedWork::PingPong(plan)),
            bound: None,
            total_packets: None,
            mean_hops: Some(self.hops.into()),
            ends: true,
        })
    }
}

/// The node so many hops from node 0, the first dimensions being used up first.
fn partner(shape: &Shape, hops: u32) -> Result<u32, WorkloadError> {
    let mut coordinates = Coordinates::default();
    let mut rest = hops;
    for (dimension, &length) in shape.lengths().iter().enumerate() {
        let farthest = if shape.wraps(dimension) { length / 2 } else { length - 1 };
        coordinates[dimension] = rest.min(farthest);
        rest -= coordinates[dimension];
    }
    require(hops > 0 && rest == 0, "hops", || {
        format!("no node of {shape} is {hops} hops from node 0: from 1 to {}", hops - rest)
    })?;
    Ok(shape.node(&coordinates))
}
