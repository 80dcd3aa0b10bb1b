//! The closed list of workloads: each kind has a file under `patterns` and an entry here.

use crate::collective::Collective;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kernels::Kernel;
use crate::kind::{Kind, Senders};
use crate::patterns::*;
use crate::plan::Plan;
use schemars::{Schema, schema_for};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// Declares [`Workload`] and everything that must list all kinds. The kinds of `outside` are only in the scenarios
/// of results.
macro_rules! workloads {
    ($($kind:literal => $pattern:ident,)* outside: $($outside:literal => $outside_pattern:ident,)*) => {
        impl Workload {
            /// All kinds that a user can state, each with a summary in one sentence.
            pub const KINDS: &[(&str, &str)] = &[$(($kind, $pattern::SUMMARY),)*];
        }

        workloads!(@all $($kind => $pattern,)* $($outside => $outside_pattern,)*);
    };
    (@all $($kind:literal => $pattern:ident,)*) => {
        /// A workload, as a scenario states it.
        ///
        /// It is serialized as one table with `kind` first. It is read in two steps, the second by
        /// [`Workload::from_kind`], so that error messages about parameters keep their position in the file.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(tag = "kind")]
        #[allow(missing_docs)] // each variant's parameters have the description
        pub enum Workload {
            $(#[serde(rename = $kind)] $pattern($pattern),)*
        }

        impl Workload {
            /// Reads the parameters of a workload of `kind`.
            ///
            /// # Errors
            /// The deserializer's error when the kind is unknown (it lists the known kinds), or when a parameter is
            /// unknown, missing or of the wrong type.
            pub fn from_kind<'de, D: Deserializer<'de>>(kind: &str, parameters: D) -> Result<Self, D::Error> {
                match kind {
                    $($kind => $pattern::deserialize(parameters).map(Workload::$pattern),)*
                    _ => Err(D::Error::unknown_variant(kind, &[$($kind,)*])),
                }
            }

            /// The kind, as a scenario names it.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Workload::$pattern(_) => $kind,)*
                }
            }

            /// The JSON schema of the parameters of `kind`, with the meaning, unit and default of each. None for an
            /// unknown kind.
            pub fn schema(kind: &str) -> Option<Schema> {
                match kind {
                    $($kind => Some(schema_for!($pattern)),)*
                    _ => None,
                }
            }

            /// The senders, and what follows from them.
            pub fn senders(&self) -> Senders {
                match self {
                    $(Workload::$pattern(pattern) => pattern.senders(),)*
                }
            }

            /// The plan of the workload on a machine.
            ///
            /// # Errors
            /// The first parameter that is out of range or does not fit the machine.
            pub fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
                match self {
                    $(Workload::$pattern(pattern) => pattern.plan(context),)*
                }
            }
        }
    };
}

impl Workload {
    /// Whether the workload is of a kind that a user can state, in a scenario or for a job.
    pub fn can_be_stated(&self) -> bool {
        Workload::KINDS.iter().any(|(kind, _)| *kind == self.kind())
    }

    /// Whether the workload ends by itself on a given machine: the answer of its plan, without its costly parts.
    ///
    /// # Errors
    /// The errors of its plan.
    pub fn ends(&self, context: &Context) -> Result<bool, WorkloadError> {
        if let Workload::Kernel(kernel) = self {
            return kernel.check(context).map(|()| true);
        }
        Ok(self.plan(context)?.ends)
    }
}

workloads! {
    "all-to-all" => AllToAll,
    "line-all-to-all" => LineAllToAll,
    "plane-all-to-all" => PlaneAllToAll,
    "line-broadcast" => LineBroadcast,
    "plane-broadcast" => PlaneBroadcast,
    "torus-broadcast" => TorusBroadcast,
    "nearest-neighbor" => NearestNeighbor,
    "hot-spot" => HotSpot,
    "uniform-random" => UniformRandom,
    "hot-region" => HotRegion,
    "tornado" => Tornado,
    "transpose" => Transpose,
    "bit-complement" => BitComplement,
    "shift" => Shift,
    "permutation" => Permutation,
    "destination-matrix" => DestinationMatrix,
    "flows" => FlowList,
    "ping-pong" => PingPong,
    "kernel" => Kernel,
    "collective" => Collective,
    "trace" => Trace,
    outside:
    "jobs" => Jobs,
    "program" => Program,
}
