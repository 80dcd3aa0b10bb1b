//! Which algorithm is taken for a collective among ranks whose places in a torus or mesh are known.
//!
//! The message layer of Blue Gene/L was to have algorithms of its own for broadcasts and alltoalls on lines, planes and in
//! three dimensions, later for reductions, such that all links of all nodes are used; for communicators of any other shape
//! it kept those of MPICH2 (slides, October 2003). Which lengths are long enough for the torus is assumed.
//!
//! | operation | data | grid | algorithm |
//! |---|---|---|---|
//! | broadcast | from 12,288 bytes on | closed | rectangle |
//! | broadcast | from 12,288 bytes on | an open plane | red-blue |
//! | all-reduce, reduce-scatter, all-gather | a packet in each block of a color | any | bucket |
//! | all-to-all | blocks beyond 256 bytes | one dimension is the longest, 16 lines along it | two-phase |
//! | all-to-all | blocks beyond 256 bytes | any other | direct |

use super::algorithm::{Algorithm, Tuning};
use super::grid::Grid;
use super::{Collective, long, two_phase};

/// Segments of a broadcast down trees: ten packets, of which no more than one is short.
const TREE_SEGMENT_BYTES: u64 = 2_400;

/// The data of a full packet on Blue Gene/L.
const PACKET_BYTES: u64 = 240;

impl Tuning {
    /// The same with an algorithm for the shape of the grid, if none is named and there is one for data of such a length.
    #[must_use]
    pub fn for_shape(self, collective: &Collective, ranks: u32) -> Self {
        let grid = self.grid.filter(|_| self.algorithm == Algorithm::Auto);
        let chosen = grid.and_then(|grid| choice(&grid, collective, ranks));
        let tuning = chosen.map(|algorithm| self.by(algorithm));
        tuning.filter(|tuning| tuning.misfit(collective, ranks).is_none()).unwrap_or(self)
    }

    /// The same by another algorithm, in segments if that is one of trees and their length is not stated: a tree is slow for
    /// messages that go on only when they have come as a whole.
    #[must_use]
    pub(crate) fn by(self, algorithm: Algorithm) -> Self {
        let is_of_trees = matches!(algorithm, Algorithm::Rectangle | Algorithm::RedBlue);
        let is_free = is_of_trees && self.segment_bytes == 0;
        let segment_bytes = if is_free { TREE_SEGMENT_BYTES } else { self.segment_bytes };
        Tuning { segment_bytes, ..self.with(algorithm) }
    }
}

fn choice(grid: &Grid, collective: &Collective, ranks: u32) -> Option<Algorithm> {
    let (long, count) = grid.long();
    // One packet for each rank in each color, one for each direction.
    let fills_packets = |bytes: u64| bytes >= 2 * count as u64 * u64::from(ranks) * PACKET_BYTES;
    match *collective {
        Collective::Broadcast { bytes, .. } if bytes >= long::BROADCAST[0] => {
            Some(if grid.is_closed() { Algorithm::Rectangle } else { Algorithm::RedBlue })
        }
        Collective::Allreduce { bytes } if fills_packets(bytes) => Some(Algorithm::Bucket),
        Collective::Allgather { bytes } | Collective::ReduceScatterBlock { bytes }
            if fills_packets(bytes * u64::from(ranks)) =>
        {
            Some(Algorithm::Bucket)
        }
        Collective::Alltoall { bytes } if bytes > long::ALLTOALL[0] => {
            let lengths = long[..count].iter().map(|&dimension| grid.length(dimension));
            let (longest, lines) = two_phase::longest(grid);
            let is_alone = lengths.filter(|&length| length >= grid.length(longest)).count() == 1;
            // With fewer lines, all are under way in the first phase at once, and none is left to overlap the second.
            let is_overlapped = is_alone && lines >= two_phase::WINDOW;
            Some(if is_overlapped { Algorithm::TwoPhase } else { Algorithm::Direct })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_chosen_by_operation_length_and_shape() {
        let chosen = |lengths: &[u32], wraps, collective: Collective| {
            let grid = Some(Grid::new(lengths, &vec![wraps; lengths.len()]));
            let tuning = Tuning { grid, ..Tuning::default() };
            tuning.for_shape(&collective, lengths.iter().product()).algorithm
        };
        let broadcast = |bytes| Collective::Broadcast { root: 0, bytes };
        let alltoall = |bytes| Collective::Alltoall { bytes };
        for lengths in [&[8][..], &[8, 4], &[4, 4, 4]] {
            assert_eq!(chosen(lengths, true, broadcast(1 << 20)), Algorithm::Rectangle);
            assert_eq!(chosen(lengths, true, broadcast(1 << 10)), Algorithm::Auto);
            let bytes = 1 << 20;
            assert_eq!(chosen(lengths, true, Collective::Allreduce { bytes }), Algorithm::Bucket);
            assert_eq!(chosen(lengths, false, Collective::Allreduce { bytes: 8 }), Algorithm::Auto);
            assert_eq!(chosen(lengths, true, alltoall(8)), Algorithm::Auto);
        }
        assert_eq!(chosen(&[8, 4], false, broadcast(1 << 20)), Algorithm::RedBlue);
        assert_eq!(chosen(&[4, 4, 4], false, broadcast(1 << 20)), Algorithm::Auto);
        assert_eq!(chosen(&[8, 4, 4], true, alltoall(1024)), Algorithm::TwoPhase);
        assert_eq!(chosen(&[8, 4], true, alltoall(1024)), Algorithm::Direct);
        assert_eq!(chosen(&[8, 8, 4], true, alltoall(1024)), Algorithm::Direct);
        assert_eq!(chosen(&[8, 4, 4], true, Collective::Barrier), Algorithm::Auto);
    }

    #[test]
    fn stated_segments_stay() {
        let grid = Some(Grid::new(&[4, 4], &[true; 2]));
        let broadcast = Collective::Broadcast { root: 0, bytes: 1 << 20 };
        let cut = |segment_bytes| {
            let stated = Tuning { grid, segment_bytes, ..Tuning::default() };
            stated.for_shape(&broadcast, 16).segment_bytes
        };
        assert_eq!([0, 480].map(cut), [2_400, 480]);
    }

    #[test]
    fn a_named_algorithm_stays() {
        let grid = Some(Grid::new(&[4, 4], &[true; 2]));
        let named = Tuning { grid, ..Tuning::default() }.with(Algorithm::Ring);
        assert_eq!(named.for_shape(&Collective::Allreduce { bytes: 1 << 20 }, 16), named);
    }
}
