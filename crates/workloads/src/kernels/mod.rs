//! Kernels: the communication of programs, as programs of ranks.
//!
//! ```text
//!   name + parameters --plan(machine)--> KernelPlan     the place of each rank, bytes, iterations
//!                                            '- Exchange    the calls of a rank in one iteration
//! ```
//!
//! A kernel is a file with its parameters and its [`Exchange`], and a line below. The calls of an iteration are a function
//! of rank and step, so that a [`KernelProgram`] has no state but its position; the theoretical peak follows from them.

mod halo;
mod ping_pong;
mod program;
mod six_way;

use crate::bound::messages;
pub use crate::bound::messages::MessageSize;
use crate::flows::{Flows, OfKernel};
use crate::plan::{Context, Plan, PlannedTraffic, RankWork, WorkloadError, require};
pub use halo::{Halo2d, Halo3d};
use messaging::{Layers, MAX_MESSAGE_BYTES, Packetizer, RankMap};
use mpi::{Call, Members, WorldNetworks};
pub use ping_pong::PingPong;
pub use program::{KernelProgram, Position};
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Value, json};
pub use six_way::{SixWayReceive, SixWaySend};
use std::fmt::Debug;
use std::sync::Arc;

/// Declares [`Kernel`] and everything that must list all names.
macro_rules! kernels {
    ($($name:literal => $kernel:ident,)*) => {
        /// A kernel, as a scenario states it: one table with its `name`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "name")]
        #[allow(missing_docs)] // each variant's parameters have the description
        pub enum Kernel {
            $(#[serde(rename = $name)] $kernel($kernel),)*
        }

        impl Kernel {
            /// All names, each with a summary in one sentence.
            pub const NAMES: &[(&str, &str)] = &[$(($name, $kernel::SUMMARY),)*];

            /// Reads the parameters of the kernel `name`.
            ///
            /// # Errors
            /// The deserializer's error when the name is unknown, or when a parameter is unknown or of the wrong type.
            pub fn from_name<'de, D: Deserializer<'de>>(name: &str, parameters: D) -> Result<Self, D::Error> {
                match name {
                    $($name => $kernel::deserialize(parameters).map(Kernel::$kernel),)*
                    _ => Err(D::Error::unknown_variant(name, &[$($name,)*])),
                }
            }

            /// The name, as a scenario states it.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Kernel::$kernel(_) => $name,)*
                }
            }

            /// The JSON schema of the parameters of the kernel `name`, with the meaning, unit and default of each; none
            /// for an unknown name.
            pub fn schema_of(name: &str) -> Option<Schema> {
                match name {
                    $($name => Some(schema_for!($kernel)),)*
                    _ => None,
                }
            }

            fn plan_ranks(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
                match self {
                    $(Kernel::$kernel(kernel) => kernel.plan(context),)*
                }
            }
        }
    };
}

kernels! {
    "ping-pong" => PingPong,
    "six-way-send" => SixWaySend,
    "six-way-receive" => SixWayReceive,
    "halo-2d" => Halo2d,
    "halo-3d" => Halo3d,
}

impl Kernel {
    /// A summary of all kernels in one sentence.
    pub(crate) const SUMMARY: &str =
        "Ranks exchange messages as in the inner loop of a program, through MPI.";

    /// Whether a mapping places its ranks, rather than itself.
    pub fn is_mapped(&self) -> bool {
        !matches!(self, Kernel::PingPong(_) | Kernel::SixWaySend(_) | Kernel::SixWayReceive(_))
    }

    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let kernel = self.plan_ranks(context)?;
        let flows = kernel.flows();
        let size_of = |bytes| MessageSize::of(bytes, context);
        let bound = messages::bound(context.parameters, &flows, &kernel.map, size_of);
        Ok(Plan {
            bound: bound.map(|(bound, _)| bound),
            total_packets: None,
            mean_hops: bound.map(|(_, mean_hops)| mean_hops),
            flows: Some(flows),
            offered_packets_per_cycle: None,
            mean_packet_bytes: None,
            ends: true,
            traffic: PlannedTraffic::Ranks(RankWork::Kernel(kernel)),
        })
    }
}

/// What a summary says of a kernel: keys with plain values, null if the run did not complete.
pub type Figures = Vec<(&'static str, Value)>;

/// What ranks do in an iteration.
pub trait Exchange: Debug + Send + Sync {
    /// Call `step` of a rank, from 0; none after the last.
    fn call(&self, rank: u32, step: u32) -> Option<Call>;

    /// The communicators that a rank is in from the start, beside that of all ranks.
    fn communicators(&self, _rank: u32) -> Vec<Members> {
        Vec::new()
    }

    /// The periodic grid of ranks under whose translations all ranks are alike; empty if they are not.
    fn grid(&self) -> Vec<u32> {
        Vec::new()
    }

    /// What a summary has beside the figures of all kernels.
    fn figures(&self, _run: &KernelRun) -> Figures {
        Vec::new()
    }
}

/// A kernel on a machine.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// Where each rank runs.
    pub map: RankMap,
    /// Length of each message in bytes.
    pub bytes: u64,
    /// How often the exchange is made.
    pub iterations: u32,
    message: MessageSize,
    layers: Option<Layers>,
    exchange: Arc<dyn Exchange>,
    world: WorldNetworks,
}

/// What a run has measured of a kernel. Times are none while a rank has not ended its last iteration.
#[derive(Clone, Copy, Debug)]
pub struct KernelRun {
    /// Processor cycles from the start until rank 0 ended its last iteration.
    pub first_rank_processor_cycles: Option<u64>,
    /// The same of the rank that did so last.
    pub last_rank_processor_cycles: Option<u64>,
    /// Network cycles for each processor cycle.
    pub cycles_per_processor_cycle: f64,
    /// How often the exchange was made.
    pub iterations: u32,
    /// The size of each message.
    pub message: MessageSize,
    /// What software takes for it, if it is eager, of one packet, and moved by the core of its rank.
    pub layers: Option<Layers>,
}

impl KernelRun {
    /// `amount` a processor cycle of the run.
    pub(crate) fn per_processor_cycle(&self, amount: f64) -> Option<f64> {
        self.last_rank_processor_cycles.filter(|&cycles| cycles > 0).map(|cycles| amount / cycles as f64)
    }
}

impl KernelPlan {
    /// The kernel whose ranks run where `map` places them, and make the calls of `exchange`.
    ///
    /// # Errors
    /// When the length or the number of iterations is out of range.
    pub(crate) fn new(
        context: &Context,
        map: RankMap,
        (bytes, iterations): (u64, u32),
        exchange: impl Exchange + 'static,
    ) -> Result<Self, WorkloadError> {
        require(bytes <= MAX_MESSAGE_BYTES, "bytes", || {
            format!("a message has from 0 to {MAX_MESSAGE_BYTES} bytes")
        })?;
        require(iterations > 0, "iterations", || "0 iterations: at least 1".into())?;
        let message = MessageSize::of(bytes, context);
        let layers = message.layers(bytes, context);
        let world = context.world_networks();
        Ok(KernelPlan { map, bytes, iterations, message, layers, exchange: Arc::new(exchange), world })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.map.ranks()
    }

    /// The program of a rank.
    pub fn program(&self, rank: u32) -> KernelProgram {
        KernelProgram::new(self.exchange.clone(), rank, self.iterations)
    }

    /// What a summary says, given the processor cycle at which each rank ended its last iteration, in order of ranks.
    pub fn figures(&self, ended: &[Option<u64>], cycles_per_processor_cycle: f64) -> Figures {
        let last =
            ended.iter().copied().collect::<Option<Vec<u64>>>().and_then(|ended| ended.into_iter().max());
        let run = KernelRun {
            first_rank_processor_cycles: ended.first().copied().flatten(),
            last_rank_processor_cycles: last,
            cycles_per_processor_cycle,
            iterations: self.iterations,
            message: self.message,
            layers: self.layers,
        };
        let iteration = last.map(|cycles| cycles as f64 / f64::from(self.iterations));
        let mut figures = vec![("iteration_processor_cycles", json!(iteration))];
        figures.extend(self.exchange.figures(&run));
        figures
    }

    /// What its ranks send.
    fn flows(&self) -> Flows {
        let senders = OfKernel { ranks: self.ranks(), exchange: self.exchange.clone(), world: self.world };
        Flows::of_ranks(self.ranks(), self.exchange.grid(), self.iterations.into(), senders)
    }
}

impl MessageSize {
    fn layers(&self, bytes: u64, context: &Context) -> Option<Layers> {
        let (chunk_bytes, software) = (u64::from(context.parameters.packet.chunk_bytes), context.messaging);
        let is_simple = self.packets == 1 && !software.is_rendezvous(bytes) && software.coprocessor.is_none();
        is_simple.then(|| software.layers_of_one_packet((self.fifo_bytes / chunk_bytes) as u8))
    }

    fn of(bytes: u64, context: &Context) -> Self {
        let packetizer = match context.messaging.is_rendezvous(bytes) {
            true => Packetizer::of_bodies(context.parameters, context.messaging),
            false => Packetizer::new(context.parameters, context.messaging),
        };
        let format = &context.parameters.packet;
        let packets = packetizer.packets(bytes);
        let add = |size: MessageSize, index: u32| {
            let chunks = packetizer.chunks(bytes, index);
            MessageSize {
                packets: size.packets + 1,
                fifo_bytes: size.fifo_bytes + u64::from(chunks) * u64::from(format.chunk_bytes),
                wire_bytes: size.wire_bytes + u64::from(format.wire_bytes(chunks)),
            }
        };
        (0..packets).fold(MessageSize::default(), add)
    }
}
