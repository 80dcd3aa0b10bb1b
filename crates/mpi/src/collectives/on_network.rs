//! Collectives that a collective network carries out. A rank has one step for each operation of the network, which
//! ends when the rank's part has ended: the tree network itself cuts data into packets, combines them and
//! broadcasts the results.
//!
//! ```text
//!   operation    on the tree network                              by global interrupts
//!   barrier      an all-reduce of one packet                      a wire
//!   all-reduce   up and down; twice for floating-point numbers
//!   reduce       the same, but one rank keeps the result
//!   broadcast    up from the root alone, down to all others
//!   all-gather   a broadcast from each rank in turn (Blue Gene/P, paper 003)
//! ```
//!
//! The control system sets one class route, for all ranks, and the wires join all nodes (slides, October 2003). Other
//! communicators have such algorithms if they have a class route or a wire of their own ([`crate::networks`]).

use super::algorithm::Ground;
use super::schedule::{Group, Schedule, Step, alone};
use super::{Collective, Operation, Tuning};
use messaging::{NetworkCollective, TreeKind, TreeOperation};

/// A rank's part: a number of operations, one after the other.
pub(super) struct OnNetwork {
    turns: u32,
}

impl OnNetwork {
    /// The part of a rank of `group` in a collective.
    pub fn of(collective: &Collective, group: Group) -> Self {
        use Operation::*;
        let turns = match collective.operation() {
            AllGather => group.size,
            AllReduce | ReduceScatter | AllToAll | AllToAllV | Broadcast | Reduce | Scatter | Gather
            | Barrier | Other => 1,
        };
        OnNetwork { turns }
    }
}

impl Schedule for OnNetwork {
    fn rounds(&self) -> u32 {
        self.turns
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        alone(index, Some(Step::Join { turn: round }))
    }
}

/// The operation that all ranks perform together in a turn of a collective, whose messages would have the tag
/// `tag`; `place` gives the rank of the machine that is a rank of the communicator.
pub(crate) fn network_collective(
    collective: &Collective,
    tuning: &Tuning,
    (tag, turn): (u32, u32),
    place: impl Fn(u32) -> u32,
) -> NetworkCollective {
    if tuning.algorithm.ground() == Ground::Interrupts {
        return NetworkCollective::Barrier;
    }
    use Operation::*;
    let root = place(collective.root().unwrap_or(0));
    let (kind, is_combined) = match collective.operation() {
        AllReduce => (TreeKind::AllReduce, true),
        Reduce => (TreeKind::Reduce { root }, true),
        Broadcast => (TreeKind::Broadcast { root }, false),
        AllGather => (TreeKind::Broadcast { root: place(turn) }, false),
        Barrier | ReduceScatter | AllToAll | AllToAllV | Scatter | Gather | Other => {
            (TreeKind::AllReduce, false)
        }
    };
    let bytes = collective.block_bytes();
    let passes = if is_combined { tuning.operands.passes() } else { 1 };
    NetworkCollective::Tree(TreeOperation { tag, kind, bytes, passes })
}
