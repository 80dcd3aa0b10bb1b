//! Ping-pong: one message back and forth.

use crate::options::parameters;
use crate::plan::{Context, Plan, PlannedTraffic, PostedWork, WorkloadError, require};
use geometry::Shape;
use messaging::{MAX_MESSAGE_BYTES, node_at_distance};

parameters! {
    /// Two nodes send a message back and forth, one at a time.
    ///
    /// Row S39.
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
        require((1..=MAX_MESSAGE_BYTES).contains(&self.payload_bytes), "payload_bytes", || {
            format!("a message has from 1 to {MAX_MESSAGE_BYTES} bytes")
        })?;
        require(self.repetitions > 0, "repetitions", || "0 repetitions: at least 1".into())?;
        let target = partner(context.shape(), self.hops)?;
        if let Some(&dead) = [0, target].iter().find(|&&node| context.parameters.faults.is_dead(node)) {
            let shape = context.shape();
            let coordinates = &shape.coordinates(dead)[..shape.dimensions()];
            return Err(WorkloadError::new(
                "hops",
                format!("node {coordinates:?}, which would play, is dead"),
            ));
        }
        let plan = PingPongPlan {
            source: 0,
            target,
            payload_bytes: self.payload_bytes,
            repetitions: self.repetitions,
        };
        Ok(Plan {
            traffic: PlannedTraffic::Posted(PostedWork::PingPong(plan)),
            bound: None,
            total_packets: None,
            mean_hops: Some(self.hops.into()),
            offered_packets_per_cycle: None,
            ends: true,
        })
    }
}

/// The node so many hops from node 0, the first dimensions being used up first.
fn partner(shape: &Shape, hops: u32) -> Result<u32, WorkloadError> {
    require(shape.nodes() > 1, "shape", || format!("in {shape} no node has anyone to send to"))?;
    let partner = node_at_distance(shape, hops).filter(|_| hops > 0);
    partner.ok_or_else(|| {
        let message =
            format!("no other node of {shape} is so far from node 0: from 1 to {}", diameter(shape));
        WorkloadError::new("hops", message)
    })
}

/// The distance of the farthest node.
fn diameter(shape: &Shape) -> u32 {
    let farthest = |(dimension, &length): (usize, &u32)| match shape.wraps(dimension) {
        true => length / 2,
        false => length - 1,
    };
    shape.lengths().iter().enumerate().map(farthest).sum()
}
