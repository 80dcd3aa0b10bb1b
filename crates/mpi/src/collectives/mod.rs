//! Collectives: each is a fixed sequence of sends and receives at every rank.
//!
//! An algorithm is a function `step(group, index)`: the rank's step `index`, or none after the last. Besides the call
//! itself, the state of a collective in progress is therefore only its tag and the next index. Combining operands takes
//! no time (assumed: the papers give no cost, and the reductions of traces are a few bytes long).

mod allreduce;
mod barrier;
mod broadcast;
mod tree;

use messaging::MAX_MESSAGE_BYTES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A collective call of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collective {
    /// `MPI_Bcast`: a binomial tree from the root.
    Broadcast {
        /// The rank that has the data.
        root: u32,
        /// Length of the data in bytes.
        bytes: u64,
    },
    /// `MPI_Allreduce`: recursive doubling among 2^n ranks; otherwise a binomial reduction to rank 0 and a broadcast
    /// from it.
    Allreduce {
        /// Length of each operand, and of the result, in bytes.
        bytes: u64,
    },
    /// `MPI_Barrier`: dissemination.
    Barrier,
}

/// The participants, as seen from one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Group {
    pub rank: u32,
    pub size: u32,
}

/// One step of a rank in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Send { target: u32, bytes: u64 },
    Receive { source: u32 },
}

impl Collective {
    /// Whether a restored collective can be one of `ranks` ranks.
    pub(crate) fn can_be_restored(&self, ranks: u32) -> bool {
        match *self {
            Collective::Broadcast { root, bytes } => root < ranks && bytes <= MAX_MESSAGE_BYTES,
            Collective::Allreduce { bytes } => bytes <= MAX_MESSAGE_BYTES,
            Collective::Barrier => true,
        }
    }

    /// Step `index` of this rank's part, or none after the last.
    pub(crate) fn step(&self, group: Group, index: u32) -> Option<Step> {
        match *self {
            Collective::Broadcast { root, bytes } => broadcast::step(group, root, bytes, index),
            Collective::Allreduce { bytes } => allreduce::step(group, bytes, index),
            Collective::Barrier => barrier::step(group, index),
        }
    }

    /// The tag for the messages of a rank's `number`-th collective. Ranks that disagree about which collective it is
    /// then block and are reported, instead of matching by accident.
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

    /// Runs the steps of all ranks until none can continue. Data are bit masks of the ranks that contributed; a message
    /// carries its sender's mask. Returns the final mask of each rank.
    fn final_data(collective: Collective, size: u32, mut known: Vec<u32>) -> Vec<u32> {
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
        assert!(wires.iter().all(VecDeque::is_empty), "{collective} of {size}: a message is never received");
        for (rank, &index) in (0..).zip(&indices) {
            assert_eq!(collective.step(Group { rank, size }, index), None, "{collective} of {size} is stuck");
        }
        known
    }

    #[test]
    fn every_rank_gets_the_data_of_the_collective() {
        for size in 1..=17 {
            let all_ranks = (1 << size) - 1;
            let own: Vec<u32> = (0..size).map(|rank| 1 << rank).collect();
            for collective in [Collective::Barrier, Collective::Allreduce { bytes: 8 }] {
                assert!(final_data(collective, size, own.clone()).iter().all(|&data| data == all_ranks));
            }
            for root in 0..size {
                let collective = Collective::Broadcast { root, bytes: 8 };
                let known = (0..size).map(|rank| (rank == root) as u32).collect();
                assert!(final_data(collective, size, known).iter().all(|&data| data == 1));
            }
        }
    }

    #[test]
    fn steps_grow_logarithmically() {
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
