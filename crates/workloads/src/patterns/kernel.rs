//! Kernels: the communication of programs. This file has only their parameters; the programs are in `kernels`.

use crate::kernels::Halo3dPlan;
use crate::options::parameters;
use crate::plan::{Context, Plan, PlannedTraffic, RankWork, WorkloadError, require};
use geometry::Shape;
use messaging::MAX_MESSAGE_BYTES;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

parameters! {
    /// Ranks exchange messages as in the inner loop of a program, through MPI.
    pub struct Kernel: {
        /// The kernel: "halo-3d" is an exchange with the six neighbors in a periodic grid of ranks. Required.
        pub name: KernelName,
        /// Length of each message in bytes. Default 1024.
        #[serde(default = "one_kibibyte")]
        pub bytes: u64,
        /// Number of exchanges. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
        /// Ranks along each of three dimensions. Default: the machine's shape, times its cores in the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grid: Option<[u32; 3]>,
    }
}

fn one_kibibyte() -> u64 {
    1024
}

fn ten_times() -> u32 {
    10
}

/// Names of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KernelName {
    /// Exchange with the neighbors in a three-dimensional grid.
    #[serde(rename = "halo-3d")]
    Halo3d,
}

impl Kernel {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require(self.bytes <= MAX_MESSAGE_BYTES, "bytes", || {
            format!("a message has from 0 to {MAX_MESSAGE_BYTES} bytes")
        })?;
        require(self.iterations > 0, "iterations", || "0 iterations: at least 1".into())?;
        let cores = context.parameters.node.cores;
        let grid = self.grid.unwrap_or_else(|| default_grid(context.shape(), cores));
        let ranks: Option<u32> = grid.iter().try_fold(1u32, |ranks, &length| ranks.checked_mul(length));
        let live = context.shape().nodes() - context.parameters.faults.nodes().len() as u32;
        let most = u64::from(live) * u64::from(cores);
        require(ranks.is_some_and(|ranks| (2..=most).contains(&ranks.into())), "grid", || {
            format!("a grid {grid:?} needs from 2 to {most} ranks, one for each core of the machine")
        })?;
        let KernelName::Halo3d = self.name;
        let plan = Halo3dPlan { grid, bytes: self.bytes, iterations: self.iterations };
        Ok(Plan {
            traffic: PlannedTraffic::Ranks(RankWork::Halo3d(plan)),
            bound: None,
            total_packets: None,
            mean_hops: None,
            offered_packets_per_cycle: None,
            ends: true,
        })
    }
}

/// The machine's shape, with further dimensions and the cores in the last of three.
fn default_grid(shape: &Shape, cores: u8) -> [u32; 3] {
    let length = |dimension: usize| shape.lengths().get(dimension).copied().unwrap_or(1);
    let rest: u32 = shape.lengths().iter().skip(2).product();
    [length(0), length(1), rest.saturating_mul(cores.into())]
}
