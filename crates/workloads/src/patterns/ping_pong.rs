//! Ping-pong: one message at a time, back and forth.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{CallOrigin, Kind, Senders};
use crate::options::parameters;
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::{PingPongPlan, RankWork};
use geometry::{MAX_DIMENSIONS, Shape};
use messaging::{MAX_MESSAGE_BYTES, node_at_distance};

parameters! {
    /// Two nodes send a message back and forth, one at a time.
    // Row S39.
    pub struct PingPong: {
        /// Distance between the two nodes in hops. One is node 0; the hops to the other use x first, then y, and so on.
        /// Default 1.
        #[serde(default = "one_hop")]
        pub hops: u32,
        /// Payload of the message in bytes. Default 16, which makes one packet of 32 bytes.
        #[serde(default = "one_chunk")]
        pub payload_bytes: u64,
        /// Number of round trips. Default 100.
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

impl Kind for PingPong {
    fn senders(&self) -> Senders {
        Senders { is_mapped: false, ..Senders::ranks(CallOrigin::Recorded) }
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require((1..=MAX_MESSAGE_BYTES).contains(&self.payload_bytes), "payload_bytes", || {
            format!("a message has from 1 to {MAX_MESSAGE_BYTES} bytes")
        })?;
        require(self.repetitions > 0, "repetitions", || "0 repetitions: at least 1".into())?;
        let target = partner(context.shape(), self.hops)?;
        if let Some(&dead) = [0, target].iter().find(|&&node| context.parameters.faults.is_dead(node)) {
            let shape = context.shape();
            let coordinates = &shape.coordinates(dead)[..shape.dimensions()];
            return Err(WorkloadError::new("hops", format!("node {coordinates:?}, of the pair is dead")));
        }
        let plan = PingPongPlan {
            source: 0,
            target,
            payload_bytes: self.payload_bytes,
            repetitions: self.repetitions,
        };
        Ok(Plan {
            mean_hops: Some(self.hops.into()),
            ..Plan::of(PlannedTraffic::Ranks(RankWork::PingPong(plan)))
        })
    }
}

/// The node at distance `hops` from node 0, using up the first dimensions first.
fn partner(shape: &Shape, hops: u32) -> Result<u32, WorkloadError> {
    require(shape.nodes() > 1, "shape", || format!("in {shape} no node has a peer to send to"))?;
    let partner = node_at_distance(shape, hops).filter(|_| hops > 0);
    partner.ok_or_else(|| {
        let message =
            format!("no other node of {shape} is so far from node 0: from 1 to {}", diameter(shape));
        WorkloadError::new("hops", message)
    })
}

/// The distance of the farthest node from node 0.
fn diameter(shape: &Shape) -> u32 {
    shape.greatest_cost(&[1.0; MAX_DIMENSIONS]) as u32
}
