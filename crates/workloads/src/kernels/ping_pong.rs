//! A message back and forth between two neighbors, as in the usual measurement of MPI's latency.

use super::{Exchange, Figures, KernelPlan, KernelRun};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::message_size::{MessageSize, require_length};
use crate::options::parameters;
use geometry::Direction;
use messaging::Layers;
use mpi::Call;
use serde_json::{Value, json};

parameters! {
    /// Two neighbors send a message back and forth.
    // Rows S40, S41.
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
        let PingPong { bytes, iterations } = *self;
        require_length("bytes", bytes)?;
        let layers = MessageSize::of(bytes, context).layers(bytes, context);
        let exchange = BackAndForth { bytes, iterations, layers };
        KernelPlan::new(context.on_nodes(&nodes)?, iterations, exchange)?.with_messages_of(bytes)
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

/// The exchange of two ranks.
#[derive(Clone, Debug)]
struct BackAndForth {
    bytes: u64,
    iterations: u32,
    /// The times of software for the message, if that is eager, has one packet, and is moved by the core of its
    /// rank.
    layers: Option<Layers>,
}

impl Exchange for BackAndForth {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let peer = 1 - rank;
        let receive = Call::Receive { source: Some(peer), tag: Some(0) };
        let send = Call::Send { target: peer, tag: 0, bytes: self.bytes };
        let calls = if rank == 0 { [send, receive] } else { [receive, send] };
        calls.get(step as usize).cloned()
    }

    fn figures(&self, run: &KernelRun<'_>) -> Figures {
        let half = |cycles: u64| cycles as f64 / (2.0 * f64::from(self.iterations));
        let half_round_trip = run.first_rank_processor_cycles.map(half);
        let shares = half_round_trip.zip(self.layers).map(|(cycles, layers)| shares(cycles, &layers));
        vec![
            ("half_round_trip_processor_cycles", json!(half_round_trip)),
            ("latency_share_by_layer", json!(shares)),
        ]
    }
}

/// The shares of the layers of software in a latency; the rest is the hardware's.
fn shares(cycles: f64, layers: &Layers) -> Value {
    let [packet, message, mpi] =
        [layers.packet, layers.message, layers.mpi].map(|of_layer| of_layer as f64 / cycles);
    json!({ "hardware": 1.0 - packet - message - mpi, "packet_layer": packet, "message_layer": message, "mpi": mpi })
}
