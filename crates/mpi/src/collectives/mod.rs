//! Collectives: each a fixed sequence of sends and receives at every rank.
//!
//! An algorithm is a function `step(group, index)`: what the rank does as step `index`, or none after the last. A
//! collective under way is therefore two numbers, and needs no memory of its own. Combining operands takes no time
//! (assumed: the papers say nothing, and a trace's reductions are of a few bytes).

mod allreduce;
mod barrier;
mod broadcast;
mod tree;

use serde::{Deserialize, Serialize};
use std::fmt;

/// A call of all ranks together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collective {
    /// `MPI_Bcast`: a binomial tree from the root.
    Broadcast {
        /// The rank that has the data.
        root: u32,
        /// How many bytes.
        bytes: u64,
    },
    /// `MPI_Allreduce`: recursive doubling among 2^n ranks; else a binomial reduction to rank 0 and a broadcast from
    /// it.
    Allreduce {
        /// Bytes of the operands, and of the result.
        bytes: u64,
    },
    /// `MPI_Barrier`: dissemination.
    Barrier,
}

/// Who takes part, seen from one rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub rank: u32,
    pub size: u32,
}

/// What a rank does as one step of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Send { target: u32, bytes: u64 },
    Receive { source: u32 },
}

impl Collective {
    /// Step `index` of this rank's part, or none after the last.
    pub(crate) fn step(&self, group: Group, index: u32) -> Option<Step> {
        match *self {
            Collective::Broadcast { root, bytes } => broadcast::step(group, root, bytes, index),
            Collective::Allreduce { bytes } => allreduce::step(group, bytes, index),
            Collective::Barrier => barrier::step(group, index),
        }
    }

    /// A tag for the messages of the `number`-th collective of a rank: ranks that disagree about which one it is get
    /// stuck and are told, instead of matching by chance.
    pub(crate) fn tag(&self, number: u32) -> u32 {
        let kind = match self {
            Collective::Broadcast { .. } => 0,
            Collective::Allreduce { .. } => 1,
            Collective::Barrier => 2,
        };
        number << 2 | kind
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Collective::Broadcast { root, bytes } => write!(f, "MPI_Bcast of {bytes} bytes from rank {root}"),
            Collective::Allreduce { bytes } => write!(f, "MPI_Allreduce of {bytes} bytes"),
            Collective::Barrier => f.write_str("MPI_Barrier"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Runs all ranks' steps until none can go on; each message carries the ranks whose data it holds. Returns the data
    /// that each rank has at its end.
    fn spread(collective: Collective, size: u32, mut known: Vec<u32>) -> Vec<u32> {
        let count = size as usize;
        let mut wires = vec![VecDeque::new(); count * count];
        let mut indices = vec![0; count];
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for rank in 0..count {
                let group = Group { rank: rank as u32, size };
                match collective.step(group, indices[rank]) {
                    Some(Step::Send { target, .. }) => {
                        assert_ne!(target as usize, rank);
                        wires[rank * count + target as usize].push_back(known[rank]);
                    }
                    Some(Step::Receive { source }) => match wires[source as usize * count + rank].pop_front()
                    {
                        Some(data) => known[rank] |= data,
                        None => continue,
                    },
                    None => continue,
                }
                indices[rank] += 1;
                moved = true;
            }
        }
        assert!(wires.iter().all(VecDeque::is_empty), "{collective} of {size}: a message nobody receives");
        for (rank, &index) in (0..).zip(&indices) {
            assert_eq!(collective.step(Group { rank, size }, index), None, "{collective} of {size} is stuck");
        }
        known
    }

    #[test]
    fn everybody_hears_what_the_collective_promises() {
        for size in 1..=17 {
            let everybody = (1 << size) - 1;
            let own: Vec<u32> = (0..size).map(|rank| 1 << rank).collect();
            for collective in [Collective::Barrier, Collective::Allreduce { bytes: 8 }] {
                assert!(spread(collective, size, own.clone()).iter().all(|&data| data == everybody));
            }
            for root in 0..size {
                let collective = Collective::Broadcast { root, bytes: 8 };
                let known = (0..size).map(|rank| (rank == root) as u32).collect();
                assert!(spread(collective, size, known).iter().all(|&data| data == 1));
            }
        }
    }

    #[test]
    fn steps_grow_with_the_logarithm() {
        let steps = |collective: Collective, size| {
            let group = Group { rank: 0, size };
            (0..).take_while(|&index| collective.step(group, index).is_some()).count()
        };
        assert_eq!(steps(Collective::Barrier, 1 << 20), 40);
        assert_eq!(steps(Collective::Barrier, (1 << 20) + 1), 42);
        assert_eq!(steps(Collective::Allreduce { bytes: 1 }, 1 << 20), 40);
        assert_eq!(steps(Collective::Broadcast { root: 0, bytes: 1 }, 1 << 20), 20);
    }
}
