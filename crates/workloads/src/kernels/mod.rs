//! Kernels: programs of ranks that communicate as real programs do.
//!
//! ```text
//!   name + parameters --plan(machine)--> KernelPlan     the place of each rank, bytes, iterations
//!                                            '- Exchange    the calls of a rank in one iteration
//! ```
//!
//! A kernel is a file with its parameters and its [`Exchange`], and an entry in the list below. Each call of an
//! iteration is a function of rank and step. So the program of a rank ([`crate::exchange::KernelProgram`]) has no
//! state but its position and the times that it has measured. The theoretical peak follows from the calls.
//! Benchmarks whose ranks are alike are lists of steps ([`script`]).
//!
//! # To add one
//!
//! 1. A file here. A `parameters!` struct has defaults for all its keys, `iterations` among them. Their doc
//!    comments are what `torusim list kernels` prints. The `plan` of the struct places the ranks on their grid
//!    (`Placement::place`), and makes a `KernelPlan` from an `Exchange`. The `Exchange` returns call `step` of a
//!    rank in an iteration, as a pure function. Flows, bound, program and checkpoints follow from these calls.
//! 2. Its `mod`, its `pub use`, and its row of `kernels!` in this file. The row says whether a mapping places
//!    its ranks. If all messages of the kernel have one length, its plan says so
//!    (`KernelPlan::with_messages_of`), because the lookahead follows from this length. Random tests run every
//!    kernel with values of `keys` (`simulation/tests/random/mod.rs`) for the keys that are named there.
//! 3. `python -m tests.golden_digests`, which stores its digest: `tests/test_golden_digests.py` asks for it.
//! 4. A row in the table of `docs/models/kernels.md`, or of `docs/models/messages.md` if the kernel is not a
//!    benchmark: `tests/test_pages.py` asks for it.
//!
//! A benchmark whose ranks fall into a few classes is a list of steps (`script.rs`), with functions for peers
//! and lengths. `fitting.rs` chooses the number of ranks, or refuses the given one. If a kernel has figures of
//! its own (`Exchange::figures`), each has a row in `simulation/src/result/quantities.rs`, and in the guide.

mod b_eff;
mod fft_3d;
mod fitting;
mod grid;
mod halo;
mod nas;
mod ping_pong;
mod script;
mod six_way;
mod sweep3d;

use crate::bound::messages;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::exchange::{Exchange, Figures, KernelRun};
use crate::kind::{CallOrigin, Kind, Senders};
use crate::message_size::MessageSize;
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::{KernelPlan, RankWork};
pub use b_eff::BEff;
pub use fft_3d::Fft3d;
pub use halo::{Halo2d, Halo3d};
pub use nas::{NasBt, NasCg, NasEp, NasFt, NasIs, NasLu, NasMg, NasSp};
pub use ping_pong::PingPong;
use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
pub use six_way::{SixWayReceive, SixWaySend};
pub use sweep3d::Sweep3d;

/// Declares [`Kernel`] and everything that must list all names.
macro_rules! kernels {
    ($($name:literal => $kernel:ident { is_mapped: $is_mapped:literal },)*) => {
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

            /// The JSON schema of the parameters of the kernel `name`, with the meaning, unit and default of each.
            /// None for an unknown name.
            pub fn schema_of(name: &str) -> Option<Schema> {
                match name {
                    $($name => Some(schema_for!($kernel)),)*
                    _ => None,
                }
            }

            /// Whether a mapping places the ranks, rather than the kernel itself.
            fn is_mapped(&self) -> bool {
                match self {
                    $(Kernel::$kernel(_) => $is_mapped,)*
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
    "ping-pong" => PingPong { is_mapped: false },
    "six-way-send" => SixWaySend { is_mapped: false },
    "six-way-receive" => SixWayReceive { is_mapped: false },
    "halo-2d" => Halo2d { is_mapped: true },
    "halo-3d" => Halo3d { is_mapped: true },
    "b-eff" => BEff { is_mapped: true },
    "sweep3d" => Sweep3d { is_mapped: true },
    "fft-3d" => Fft3d { is_mapped: true },
    "nas-ep" => NasEp { is_mapped: true },
    "nas-cg" => NasCg { is_mapped: true },
    "nas-mg" => NasMg { is_mapped: true },
    "nas-ft" => NasFt { is_mapped: true },
    "nas-is" => NasIs { is_mapped: true },
    "nas-lu" => NasLu { is_mapped: true },
    "nas-sp" => NasSp { is_mapped: true },
    "nas-bt" => NasBt { is_mapped: true },
}

impl Kernel {
    /// A summary of all kernels in one sentence.
    pub(crate) const SUMMARY: &str =
        "Ranks exchange messages as in the inner loop of a program, through MPI.";

    /// Checks the parameters as [`Kind::plan`] does, but does not compute the bound and the flows.
    ///
    /// # Errors
    /// When the kernel refuses its parameters.
    pub(crate) fn check(&self, context: &Context) -> Result<(), WorkloadError> {
        self.plan_ranks(context).map(|_| ())
    }
}

impl Kind for Kernel {
    fn senders(&self) -> Senders {
        Senders { is_mapped: self.is_mapped(), ..Senders::ranks(CallOrigin::Simulated) }
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let kernel = self.plan_ranks(context)?;
        let flows = kernel.flows(context.selection(&kernel.map));
        let size_of = |bytes| MessageSize::of(bytes, context);
        let bound = messages::bound(context.parameters, &flows, &kernel.map, size_of);
        Ok(Plan {
            bound: bound.map(|(bound, _)| bound),
            mean_hops: bound.map(|(_, mean_hops)| mean_hops),
            flows: Some(flows),
            ..Plan::of(PlannedTraffic::Ranks(RankWork::Kernel(kernel)))
        })
    }
}
