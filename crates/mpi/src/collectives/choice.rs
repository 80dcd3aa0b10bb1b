//! The choice of an algorithm for a collective whose call names none, on a machine whose ranks are in known places.
//!
//! | operation | algorithm |
//! |---|---|
//! | all-reduce, reduce-scatter, all-gather | the one that is [predicted](super::prediction) to end first, MPICH2's among them |
//! | broadcast, at 12,288 bytes or more | rectangle on a closed grid, red-blue on an open plane |
//! | all-to-all, blocks beyond 256 bytes | two-phase on a plain torus or mesh where one dimension is the longest, 16 lines along it; else direct |
//! | any other | MPICH2's |
//!
//! The message layer of Blue Gene/L was to have its own algorithms for broadcasts and alltoalls on lines, planes
//! and in three dimensions, later for reductions, such that all links of all nodes are used. For communicators of
//! any other shape it kept those of MPICH2 (slides, October 2003). The lengths that are long enough for the torus
//! are assumed.

use super::algorithm::{Algorithm, Halves, Operation, Tuning};
use super::directions::Directions;
use super::grid::Grid;
use super::grid::orders::Orders;
use super::prediction::Machine;
use super::{Collective, long, two_phase};
use std::cell::RefCell;
use std::collections::HashMap;

/// Segments of a broadcast down trees: ten packets, of which no more than one is short.
const TREE_SEGMENT_BYTES: u64 = 2_400;

/// The numbers of segments into which the colors of `bucket` can be cut.
const SEGMENTS: [u64; 9] = [1, 2, 3, 4, 8, 12, 16, 24, 32];

/// Predictions are taken as equal if they differ by at most the least divided by this number.
const UNCERTAIN: u64 = 50;

/// Everything on which a choice depends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Question {
    stated: Tuning,
    operation: Operation,
    bytes: u64,
    ranks: u32,
    machine: Machine,
}

/// The most choices that a thread remembers.
const REMEMBERED: usize = 4096;

thread_local! {
    // Every rank makes the same choice for every call, which takes far longer to compute than the call.
    static CHOICES: RefCell<HashMap<Question, Tuning>> = RefCell::default();
}

impl Tuning {
    /// This tuning with an algorithm and segments for the collective, its ranks and the machine, unless they are
    /// stated.
    #[must_use]
    pub fn chosen(self, collective: &Collective, ranks: u32, machine: &Machine) -> Self {
        let question = Question {
            stated: self,
            operation: collective.operation(),
            bytes: collective.cut_bytes(ranks),
            ranks,
            machine: *machine,
        };
        if let Some(known) = CHOICES.with_borrow(|choices| choices.get(&question).copied()) {
            return known;
        }
        let choice = self.choose(collective, ranks, machine);
        CHOICES.with_borrow_mut(|choices| {
            if choices.len() >= REMEMBERED {
                choices.clear();
            }
            choices.insert(question, choice);
        });
        choice
    }

    fn choose(self, collective: &Collective, ranks: u32, machine: &Machine) -> Self {
        use Operation::*;
        let fitted = |algorithm| {
            let tuning = self.by(algorithm);
            let suits = tuning.misfit(collective, ranks).is_none();
            if suits { tuning.in_segments(collective, ranks, machine) } else { tuning }
        };
        if self.algorithm != Algorithm::Auto {
            return fitted(self.algorithm);
        }
        match collective.operation() {
            operation @ (AllReduce | ReduceScatter | AllGather) => {
                let named = operation.selectable().map(fitted);
                let all = [self.for_length(collective)].into_iter().chain(named);
                let suited = all.filter(|tuning| {
                    self.states_nothing_else(tuning.algorithm, operation) && tuning.suits(collective, ranks)
                });
                machine.soonest(suited, collective, ranks).unwrap_or(self)
            }
            AllToAll | AllToAllV | Broadcast | Reduce | Scatter | Gather | Barrier | Other => {
                let chosen = self.grid.and_then(|grid| choice(&grid, collective)).map(fitted);
                chosen.filter(|tuning| tuning.misfit(collective, ranks).is_none()).unwrap_or(self)
            }
        }
    }

    /// Whether an algorithm has the settings that are stated.
    fn states_nothing_else(&self, algorithm: Algorithm, operation: Operation) -> bool {
        (self.directions == Directions::Both || algorithm.has_directions())
            && (self.segment_bytes == 0 || algorithm.has_segments(operation))
    }

    /// This tuning with another algorithm. If that is one of trees and the length of segments is not stated, it
    /// gets segments. A tree is slow for messages that are forwarded only after they have fully arrived.
    #[must_use]
    pub(crate) fn by(self, algorithm: Algorithm) -> Self {
        let is_free = algorithm.is_of_trees() && self.segment_bytes == 0;
        let segment_bytes = if is_free { TREE_SEGMENT_BYTES } else { self.segment_bytes };
        Tuning { segment_bytes, ..self.with(algorithm) }
    }

    /// This tuning with the number of segments that is predicted to end first. It applies to `bucket` if their
    /// length is not stated. Few segments leave links idle at the beginning and end; many cost software time and
    /// packets that are not full. Where software is free, the number is the one that has been found to be best.
    fn in_segments(self, collective: &Collective, ranks: u32, machine: &Machine) -> Self {
        // Where no segments are needed, on plain tori in step, one is taken.
        let has_choice =
            |grid: &Grid| !self.is_in_step() || self.algorithm.is_staged() && grid.orbits().is_some();
        let Some(grid) = self.grid.filter(|grid| self.segment_bytes == 0 && has_choice(grid)) else {
            return self;
        };
        let (bytes, halves) = (collective.cut_bytes(ranks), collective.operation().halves());
        let orders = Orders::of(&grid, self.directions, halves == Some(Halves::Both));
        let longest = orders.longest_message(bytes);
        if machine.pace.is_free() {
            let segments = orders.segments_of_free_software(bytes, machine.pace.has_fifos_of_directions());
            // Each segment waits for the start of its transfers.
            let most = longest.checked_div(machine.pace.bytes_of_start()).unwrap_or(segments).max(1);
            let segments = segments.min(most);
            return Tuning { segment_bytes: longest.div_ceil(segments).max(1), ..self };
        }
        let lengths = SEGMENTS.map(|segments| longest.div_ceil(segments).max(1));
        let cut = lengths.into_iter().map(|segment_bytes| Tuning { segment_bytes, ..self });
        machine.soonest(cut, collective, ranks).unwrap_or(self)
    }
}

impl Machine {
    /// The first candidate that is predicted to end no later than all others, or hardly later. None if the places
    /// of ranks are not known.
    fn soonest(
        &self,
        all: impl Iterator<Item = Tuning>,
        collective: &Collective,
        ranks: u32,
    ) -> Option<Tuning> {
        let predict = |tuning: Tuning| Some((self.predict(collective, &tuning, ranks)?, tuning));
        let predicted: Vec<(u64, Tuning)> = all.filter_map(predict).collect();
        let min = predicted.iter().map(|(cycles, _)| *cycles).min()?;
        let hardly_later = min + min / UNCERTAIN;
        predicted.into_iter().find(|(cycles, _)| *cycles <= hardly_later).map(|(_, tuning)| tuning)
    }
}

fn choice(grid: &Grid, collective: &Collective) -> Option<Algorithm> {
    use Operation::*;
    let ((long, count), bytes) = (grid.long(), collective.block_bytes());
    match collective.operation() {
        Broadcast if bytes >= long::BROADCAST[0] => {
            Some(if grid.is_closed() { Algorithm::Rectangle } else { Algorithm::RedBlue })
        }
        AllToAll if bytes > long::ALLTOALL[0] => {
            let lengths = long[..count].iter().map(|&dimension| grid.length(dimension));
            let (longest, lines) = two_phase::longest(grid);
            let is_alone = lengths.filter(|&length| length >= grid.length(longest)).count() == 1;
            // With fewer lines, all are under way in the first phase at once, and none is left to overlap the
            // second.
            let is_overlapped = is_alone && lines >= two_phase::WINDOW;
            // On a twisted torus, the ways over the plane of a target are not the shortest.
            let is_overlapped = is_overlapped && grid.orbits().is_none();
            Some(if is_overlapped { Algorithm::TwoPhase } else { Algorithm::Direct })
        }
        Broadcast | AllToAll => None,
        AllReduce | ReduceScatter | AllGather | AllToAllV | Reduce | Scatter | Gather | Barrier | Other => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Shape;
    use messaging::Pace;

    fn machine(lengths: &[u32], wraps: bool) -> Machine {
        let shape = Shape::new(lengths, &vec![wraps; lengths.len()]).unwrap();
        let pace = Pace::on_bluegene_l(shape, &messaging::Parameters::default());
        Machine { pace, near: None }
    }

    #[test]
    fn algorithms_are_chosen_by_operation_length_and_shape() {
        let chosen = |lengths: &[u32], wraps, collective: Collective| {
            let grid = Some(Grid::new(lengths, &vec![wraps; lengths.len()]));
            let tuning = Tuning { grid, ..Tuning::default() };
            tuning.chosen(&collective, lengths.iter().product(), &machine(lengths, wraps)).algorithm
        };
        let broadcast = |bytes| Collective::Broadcast { root: 0, bytes };
        let alltoall = |bytes| Collective::Alltoall { bytes };
        for lengths in [&[8][..], &[8, 4], &[4, 4, 4]] {
            assert_eq!(chosen(lengths, true, broadcast(1 << 20)), Algorithm::Rectangle);
            assert_eq!(chosen(lengths, true, broadcast(1 << 10)), Algorithm::Auto);
            let bytes = 1 << 20;
            // On one ring both are the same.
            let expected = if lengths.len() == 1 { Algorithm::Ring } else { Algorithm::Bucket };
            assert_eq!(chosen(lengths, true, Collective::Allreduce { bytes }), expected);
            assert_eq!(chosen(lengths, false, Collective::Allreduce { bytes: 8 }), Algorithm::Auto);
            assert_eq!(chosen(lengths, true, alltoall(8)), Algorithm::Auto);
        }
        assert_eq!(chosen(&[8, 4], false, broadcast(1 << 20)), Algorithm::RedBlue);
        assert_eq!(chosen(&[4, 4, 4], false, broadcast(1 << 20)), Algorithm::Auto);
        assert_eq!(chosen(&[8, 4, 4], true, alltoall(1024)), Algorithm::TwoPhase);
        assert_eq!(chosen(&[8, 4], true, alltoall(1024)), Algorithm::Direct);
        let twisted = Grid::new(&[8, 4, 4], &[true; 3]).with_shifts(&[(1, 0, 4), (2, 0, 4)]);
        assert_eq!(choice(&twisted, &alltoall(1024)), Some(Algorithm::Direct));
        assert_eq!(choice(&twisted, &broadcast(1 << 20)), Some(Algorithm::Rectangle));
        assert_eq!(chosen(&[8, 8, 4], true, alltoall(1024)), Algorithm::Direct);
        assert_eq!(chosen(&[8, 4, 4], true, Collective::Barrier), Algorithm::Auto);
    }

    #[test]
    fn stated_segments_stay() {
        let grid = Some(Grid::new(&[4, 4], &[true; 2]));
        let broadcast = Collective::Broadcast { root: 0, bytes: 1 << 20 };
        let cut = |segment_bytes| {
            let stated = Tuning { grid, segment_bytes, ..Tuning::default() };
            stated.chosen(&broadcast, 16, &machine(&[4, 4], true)).segment_bytes
        };
        assert_eq!([0, 480].map(cut), [2_400, 480]);
    }

    #[test]
    fn a_named_algorithm_stays() {
        let grid = Some(Grid::new(&[4, 4], &[true; 2]));
        let named = Tuning { grid, ..Tuning::default() }.with(Algorithm::Ring);
        assert_eq!(
            named.chosen(&Collective::Allreduce { bytes: 1 << 20 }, 16, &machine(&[4, 4], true)),
            named
        );
    }
}
