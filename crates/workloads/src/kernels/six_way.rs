//! A node and its neighbors: the node sends to all of them, or they all send to it.

use super::{Exchange, Figures, KernelPlan, KernelRun};
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::message_size::{MessageSize, require_length};
use crate::options::parameters;
use geometry::Direction;
use mpi::{Call, Needed, Requests};
use serde_json::json;

parameters! {
    /// The node in the middle of the machine sends a message to each of its neighbors, six on a three-dimensional torus.
    // Rows S42, S46.
    pub struct SixWaySend: {
        /// Length of each message in bytes. Default 100000.
        #[serde(default = "hundred_kilobytes")]
        pub bytes: u64,
        /// Number of messages to each neighbor. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
    }
}

parameters! {
    /// Each neighbor of the node in the middle of the machine, six on a three-dimensional torus, sends it a message.
    // Row S45.
    pub struct SixWayReceive: {
        /// Length of each message in bytes. Default 100000.
        #[serde(default = "hundred_kilobytes")]
        pub bytes: u64,
        /// Number of messages of each neighbor. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
    }
}

fn hundred_kilobytes() -> u64 {
    100_000
}

fn ten_times() -> u32 {
    10
}

impl SixWaySend {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        plan(context, (self.bytes, self.iterations), true)
    }
}

impl SixWayReceive {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        plan(context, (self.bytes, self.iterations), false)
    }
}

fn plan(
    context: &Context,
    (bytes, iterations): (u64, u32),
    sends: bool,
) -> Result<KernelPlan, WorkloadError> {
    require_length("bytes", bytes)?;
    let (shape, faults) = (context.shape(), &context.parameters.faults);
    let mut middle = shape.coordinates(0);
    (0..shape.dimensions()).for_each(|dimension| middle[dimension] = shape.length(dimension) / 2);
    let node = shape.node(&middle);
    let coordinates = &middle[..shape.dimensions()];
    require(!faults.is_dead(node), "dead_nodes", || format!("node {coordinates:?}, in the middle, is dead"))?;
    let links =
        || Direction::all(shape.dimensions()).filter(|&toward| !faults.is_dead_link(shape, node, toward));
    let mut nodes = vec![node];
    // A neighbor in a ring of two nodes is one in both directions.
    nodes.extend(links().filter_map(|toward| shape.neighbor(node, toward)));
    nodes.dedup();
    require(nodes.len() > 1, "shape", || format!("in {shape} the node {coordinates:?} has no neighbor"))?;
    let rate =
        |toward: Direction| 1.0 / f64::from(context.parameters.links[toward.dimension()].cycles_per_byte);
    let link_bytes_per_cycle = links().map(rate).sum();
    let neighbors = nodes.len() as u32 - 1;
    let fifo_bytes = MessageSize::of(bytes, context).fifo_bytes;
    let exchange = SixWay { neighbors, bytes, fifo_bytes, sends, link_bytes_per_cycle };
    KernelPlan::new(context.on_nodes(&nodes)?, iterations, exchange)?.with_messages_of(bytes)
}

/// The exchange of rank 0, in the middle, with ranks 1 to `neighbors`.
#[derive(Clone, Debug)]
struct SixWay {
    neighbors: u32,
    bytes: u64,
    /// The packets of a message in FIFOs.
    fifo_bytes: u64,
    /// Whether rank 0 sends, or all others.
    sends: bool,
    /// The bytes per cycle that the links in one direction between rank 0 and its neighbors carry together.
    link_bytes_per_cycle: f64,
}

impl SixWay {
    /// Rank 0 has a request for each neighbor, and waits for all.
    fn call_in_the_middle(&self, step: u32) -> Option<Call> {
        let (peer, tag) = (step + 1, 0);
        match self.sends {
            _ if step == self.neighbors => {
                Some(Call::Wait { requests: Requests::range(0, step), needed: Needed::All })
            }
            _ if step > self.neighbors => None,
            true => Some(Call::SendNonBlocking { target: peer, tag, bytes: self.bytes, request: step }),
            false => Some(Call::ReceiveNonBlocking { source: Some(peer), tag: Some(tag), request: step }),
        }
    }
}

impl Exchange for SixWay {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        match (rank, self.sends) {
            (0, _) => self.call_in_the_middle(step),
            _ if step > 0 => None,
            (_, true) => Some(Call::Receive { source: Some(0), tag: Some(0) }),
            (_, false) => Some(Call::Send { target: 0, tag: 0, bytes: self.bytes }),
        }
    }

    fn figures(&self, run: &KernelRun<'_>) -> Figures {
        let messages = f64::from(self.neighbors) * f64::from(run.iterations);
        let payload = run.per_processor_cycle(messages * self.bytes as f64);
        let peak = self.link_bytes_per_cycle * run.cycles_per_processor_cycle;
        vec![
            ("payload_bytes_per_processor_cycle", json!(payload)),
            (
                "fifo_bytes_per_processor_cycle",
                json!(run.per_processor_cycle(messages * self.fifo_bytes as f64)),
            ),
            ("payload_share_of_links", json!(payload.map(|payload| payload / peak))),
        ]
    }
}
