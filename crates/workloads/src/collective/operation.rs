//! The operations of collectives.

use mpi::Collective as Operand;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operation of a collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // the names say it
pub enum Operation {
    #[default]
    AllReduce,
    ReduceScatter,
    AllGather,
    AllToAll,
    Broadcast,
    Reduce,
    Scatter,
    Gather,
    Barrier,
}

impl Operation {
    /// The call of a rank in a group of `ranks` ranks.
    pub(super) fn call(self, bytes: u64, root: u32, ranks: u32) -> Operand {
        let each = bytes / u64::from(ranks);
        match self {
            Operation::AllReduce => Operand::Allreduce { bytes },
            Operation::ReduceScatter => Operand::ReduceScatterBlock { bytes: each },
            Operation::AllGather => Operand::Allgather { bytes: each },
            Operation::AllToAll => Operand::Alltoall { bytes: each },
            Operation::Broadcast => Operand::Broadcast { root, bytes },
            Operation::Reduce => Operand::Reduce { root, bytes },
            Operation::Scatter => Operand::Scatter { root, bytes: each },
            Operation::Gather => Operand::Gather { root, bytes: each },
            Operation::Barrier => Operand::Barrier,
        }
    }

    /// Whether the data are a block for each rank.
    pub(super) fn has_blocks(self) -> bool {
        use Operation::*;
        matches!(self, ReduceScatter | AllGather | AllToAll | Scatter | Gather)
    }

    /// The bytes that a link of a ring carries for each byte of the data, by which the rates of operations compare.
    /// None for a barrier.
    pub(super) fn bus_factor(self, ranks: u32) -> Option<f64> {
        let others = f64::from(ranks - 1) / f64::from(ranks);
        match self {
            Operation::AllReduce => Some(2.0 * others),
            Operation::AllGather | Operation::ReduceScatter | Operation::AllToAll => Some(others),
            Operation::Barrier => None,
            Operation::Broadcast | Operation::Reduce | Operation::Scatter | Operation::Gather => Some(1.0),
        }
    }
}
