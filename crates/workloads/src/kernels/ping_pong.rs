//! A message back and forth between two neighbors, as in the usual measurement of MPI's latency.

use super::{Exchange, KernelPlan, KernelRun};
use crate::options::parameters;
use crate::plan::{Context, WorkloadError};
use geometry::Direction;
use mpi::Call;

parameters! {
    /// Two neighbors send a message back and forth.
    ///
    /// Rows S40, S41.
    pub struct PingPong: {
        /// Length of the message in bytes. Default 0.
        #[serde(default)]
        pub bytes: u64,
        /// Number of round trips. Default 100.
        #[serde(default = "hundred_times")]
        pub iterations: u32,
    }
}

fn hundred_times() -> u32 {
    100
}

impl PingPong {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let nodes = neighbors(context).ok_or_else(|| {
            WorkloadError::new("shape", format!("in {} no node has a neighbor to send to", context.shape()))
        })?;
        KernelPlan::new(context, nodes, (self.bytes, self.iterations), self.clone())
    }
}

/// The first live node with a live link, and its neighbor there.
fn neighbors(context: &Context) -> Option<Vec<u32>> {
    let (shape, faults) = (context.shape(), &context.parameters.faults);
    (0..shape.nodes()).find_map(|node| {
        let mut directions = Direction::all(shape.dimensions());
        let toward = directions.find(|&toward| !faults.is_dead_link(shape, node, toward))?;
        Some(vec![node, shape.neighbor(node, toward)?])
    })
}

impl Exchange for PingPong {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let peer = 1 - rank;
        let receive = Call::Receive { source: Some(peer), tag: Some(0) };
        let send = Call::Send { target: peer, tag: 0, bytes: self.bytes };
        let calls = if rank == 0 { [send, receive] } else { [receive, send] };
        calls.get(step as usize).copied()
    }

    fn figures(&self, run: &KernelRun) -> Vec<(&'static str, Option<f64>)> {
        let half = |cycles: u64| cycles as f64 / (2.0 * f64::from(self.iterations));
        vec![("half_round_trip_processor_cycles", run.first_rank_processor_cycles.map(half))]
    }
}
