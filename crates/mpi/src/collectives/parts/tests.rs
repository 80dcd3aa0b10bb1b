//! Every named algorithm leaves each rank with the right contributions. The model has no network: messages take any
//! time, but messages between two ranks on one channel keep their order.

use super::super::forest::Tree;
use super::*;
use crate::{Call, DryRun, WORLD};
use base::draws::mix;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet, VecDeque};

/// A set of ranks.
type Set = u128;

fn set(rank: u32) -> Set {
    1 << rank
}

fn all(size: u32) -> Set {
    Set::MAX >> (Set::BITS - size)
}

/// The ranks that have contributed, by segment of a color, and block.
type Data = BTreeMap<(u32, u32), Set>;

#[derive(Clone, Debug)]
struct Carried {
    data: Data,
    received_from: Set,
}

#[derive(Clone, Debug, Default)]
struct Progress {
    round: u32,
    waits: Vec<(Option<u32>, Then)>,
}

#[derive(Clone, Debug)]
struct Rank {
    data: Data,
    received_from: Set,
    parts: Vec<Progress>,
    sent: u64,
    sends: u32,
    receives: u32,
}

impl Progressed for Rank {
    fn received(&self) -> u32 {
        self.receives
    }

    fn ended(&self, part: u32) -> u32 {
        let Progress { round, waits } = &self.parts[part as usize];
        *round - u32::from(!waits.is_empty())
    }
}

/// A rank that has received everything.
struct Ended;

impl Progressed for Ended {
    fn received(&self) -> u32 {
        u32::MAX
    }

    fn ended(&self, _: u32) -> u32 {
        u32::MAX
    }
}

struct Model<'a> {
    collective: &'a Collective,
    tuning: &'a Tuning,
    size: u32,
    ranks: Vec<Rank>,
    /// Messages under way, by target, channel and source.
    wires: BTreeMap<(u32, u32, u32), VecDeque<Carried>>,
    draws: u64,
}

impl Model<'_> {
    fn part(&self, rank: u32, number: u32) -> Part<'_> {
        let group = Group { rank, size: self.size };
        Part::new(self.collective, self.tuning, group, number)
    }

    fn draw(&mut self, count: usize) -> usize {
        self.draws = mix(self.draws.wrapping_add(1));
        (self.draws % count as u64) as usize
    }

    /// The blocks that a step names, each with its segment of a color.
    fn named(&self, part: &Part<'_>, color: u32, round: u32, blocks: Blocks) -> Vec<(u32, u32)> {
        let cut = part.cut();
        let rounds = part.rounds() / part.segments(cut).max(1);
        let piece = color * cut.segments + part.segment(cut, round / rounds.max(1));
        let parts = part.visit(cut, color, round, |_, sizes, _| sizes.parts());
        let blocks: Vec<u32> = match blocks {
            Blocks::None => Vec::new(),
            Blocks::All => (0..parts).collect(),
            Blocks::Range { first, count } => (first..first + count).map(|block| block % parts).collect(),
            Blocks::WithBit(bit) => (0..parts).filter(|block| block >> bit & 1 == 1).collect(),
            Blocks::Gathered { block, .. } => vec![block],
            Blocks::Reached { by, from, count } => {
                let swing = self.swing(color);
                let mut reached = HashSet::from([by]);
                for step in from..swing.steps() {
                    let more: Vec<u32> = reached.iter().map(|&rank| swing.partner(rank, step)).collect();
                    reached.extend(more);
                }
                assert_eq!(reached.len(), count as usize);
                reached.into_iter().collect()
            }
        };
        blocks.into_iter().map(|block| (piece, block)).collect()
    }

    fn swing(&self, color: u32) -> Swing {
        let part = self.part(0, 0);
        let grid = self.tuning.grid.unwrap();
        let (first, is_plus) = ((color % part.dimensions()) as usize, color < part.dimensions());
        Swing { grid, rank: 0, first, is_plus, scatters: true, gathers: true }
    }

    /// Begins the next round of a part; returns whether it could, or none if no round is left.
    fn begin(&mut self, rank: u32, number: u32) -> Option<bool> {
        let part = self.part(rank, number);
        let round = self.ranks[rank as usize].parts[number as usize].round;
        let Round { channel, held, .. } = part.round(round, &self.ranks[rank as usize])?;
        if held.is_some() {
            return Some(false);
        }
        let steps: Vec<(u32, Step)> = (0..)
            .map_while(|index| {
                let (color, index) = part.color_of(part.cut(), index);
                let look = |schedule: &dyn Schedule, _: &Sizes<'_>, round: u32| {
                    Some((color, schedule.step(round, index)?))
                };
                part.visit(part.cut(), color, round, look)
            })
            .collect();
        let bytes: Vec<u64> =
            (0..).map_while(|index| part.step(round, index)).map(|action| action.bytes_sent()).collect();
        let named: Vec<Vec<(u32, u32)>> = steps
            .iter()
            .map(|(color, step)| match step {
                Step::Send { blocks, .. } | Step::Post { blocks, .. } | Step::Deposit { blocks, .. } => {
                    self.named(&part, *color, round, *blocks)
                }
                Step::Receive { .. }
                | Step::ReceiveAny
                | Step::Pass { .. }
                | Step::Copy(_)
                | Step::Join { .. }
                | Step::Skip => Vec::new(),
            })
            .collect();
        let state = &mut self.ranks[rank as usize];
        state.parts[number as usize].round += 1;
        for (((_, step), named), bytes) in steps.into_iter().zip(named).zip(bytes) {
            match step {
                Step::Send { target, blocks } | Step::Post { target, blocks } => {
                    assert_ne!(target, rank);
                    let data: Data = named.into_iter().map(|at| (at, state.data[&at])).collect();
                    if let Blocks::Gathered { count, .. } = blocks {
                        assert!(data.values().all(|set| set.count_ones() == count), "not all are combined");
                    }
                    let carried = Carried { data, received_from: state.received_from };
                    self.wires.entry((target, channel, rank)).or_default().push_back(carried);
                    (state.sent, state.sends) = (state.sent + bytes, state.sends + 1);
                }
                Step::Deposit { branch, .. } => {
                    let data: Data = named.into_iter().map(|at| (at, state.data[&at])).collect();
                    let carried = Carried { data, received_from: state.received_from };
                    for target in self.tuning.grid.unwrap().along(rank, branch) {
                        assert_ne!(target, rank);
                        self.wires.entry((target, channel, rank)).or_default().push_back(carried.clone());
                    }
                    (state.sent, state.sends) = (state.sent + bytes, state.sends + 1);
                }
                Step::Receive { source, then } => {
                    state.parts[number as usize].waits.push((Some(source), then));
                }
                Step::ReceiveAny => state.parts[number as usize].waits.push((None, Then::Keep)),
                Step::Join { .. } => unreachable!("routers carry it out: see the tests of whole machines"),
                Step::Copy(_) | Step::Pass { .. } | Step::Skip => {}
            }
        }
        Some(true)
    }

    /// Lets a part receive one message, if one has arrived for it; returns whether one has.
    fn receive(&mut self, rank: u32, number: u32) -> bool {
        let Progress { round, waits } = &self.ranks[rank as usize].parts[number as usize];
        let (round, waits) = (*round, waits.clone());
        for (place, &(source, then)) in waits.iter().enumerate() {
            let channel = self.part(rank, number).round(round - 1, &Ended).expect("it has begun").channel;
            let (first, last) = (source.unwrap_or(0), source.unwrap_or(u32::MAX));
            let wires = self.wires.range((rank, channel, first)..=(rank, channel, last));
            let sources: Vec<u32> =
                wires.filter(|(_, wire)| !wire.is_empty()).map(|((_, _, from), _)| *from).collect();
            if sources.is_empty() {
                continue;
            }
            let from = sources[self.draw(sources.len())];
            let carried = self.wires.get_mut(&(rank, channel, from)).unwrap().pop_front().unwrap();
            self.take(rank, carried, then);
            self.ranks[rank as usize].parts[number as usize].waits.remove(place);
            return true;
        }
        false
    }

    fn take(&mut self, rank: u32, carried: Carried, then: Then) {
        let unites = self.collective.operation().is_exchange();
        let state = &mut self.ranks[rank as usize];
        state.received_from |= carried.received_from;
        state.receives += 1;
        for (at, from) in carried.data {
            let own = state.data.get_mut(&at).unwrap();
            match then {
                Then::Combine(_) => {
                    assert_eq!(*own & from, 0, "an operand is combined twice");
                    *own |= from;
                }
                Then::Keep if unites => {
                    assert_eq!(*own & from, 0, "a block comes twice");
                    *own |= from;
                }
                Then::Keep | Then::Copy => *own = from,
            }
        }
    }

    fn run(mut self) -> Vec<Rank> {
        let parts = self.ranks[0].parts.len();
        let mut open: Vec<(u32, u32)> =
            (0..self.size).flat_map(|rank| (0..parts as u32).map(move |part| (rank, part))).collect();
        let mut idle = 0;
        while !open.is_empty() {
            let place = self.draw(open.len());
            let (rank, part) = open[place];
            let moves = match self.ranks[rank as usize].parts[part as usize].waits.is_empty() {
                true => self.begin(rank, part),
                false => Some(self.receive(rank, part)),
            };
            idle = if moves == Some(false) { idle + 1 } else { 0 };
            if moves.is_none() {
                open.swap_remove(place);
            }
            assert!(
                idle < 100 * open.len().max(100),
                "{} of {} by {:?} is stuck",
                self.collective,
                self.size,
                self.tuning
            );
        }
        assert!(self.wires.values().all(VecDeque::is_empty), "a message is never received");
        self.ranks
    }
}

/// Runs a collective; `data` gives the contributions that a rank begins with, by block.
fn run(collective: &Collective, tuning: &Tuning, size: u32, data: impl Fn(u32, u32) -> Set) -> Vec<Rank> {
    let new = |rank: u32| {
        let group = Group { rank, size };
        let part = Part::new(collective, tuning, group, 0);
        let (cut, blocks) = (part.cut(), part.visit(part.cut(), 0, 0, |_, sizes, _| sizes.parts()));
        let places =
            (0..cut.colors * cut.segments).flat_map(|piece| (0..blocks).map(move |block| (piece, block)));
        let data = places.map(|at| (at, data(rank, at.1))).collect();
        let parts = vec![Progress::default(); Part::count(collective, tuning, group) as usize];
        Rank { data, received_from: set(rank), parts, sent: 0, sends: 0, receives: 0 }
    };
    let ranks = (0..size).map(new).collect();
    Model { collective, tuning, size, ranks, wires: BTreeMap::new(), draws: tuning.seed }.run()
}

/// The block of a reduce-scatter or allgather that belongs to a rank, by color.
fn own_block(tuning: &Tuning, color: u32, group: Group) -> u32 {
    use Colors::*;
    match tuning.algorithm.colors() {
        Ways => {
            let collective = &Collective::Allgather { bytes: 0 };
            Part::new(collective, tuning, group, 0).cycle(color).place(group.rank)
        }
        Stages => {
            let grid = tuning.grid.expect("a bucket has a grid");
            let orders = Orders::of(&grid, tuning.directions, false);
            let (order, is_plus) = ((color % orders.count()) as usize, color < orders.count());
            (0..orders.stages() as usize).fold(0, |block, stage| {
                let dimension = orders.dimension(order, stage).unwrap();
                let coordinate = orders.coordinate(&grid, group.rank, order, dimension);
                let length = orders.length(order, stage);
                block * length + if is_plus { coordinate } else { length - 1 - coordinate }
            })
        }
        One | Together | TwoTrees | Trees | Lines | Targets | TargetLines => group.rank,
    }
}

/// Whether a rank ends with the right data.
fn is_right(collective: &Collective, tuning: &Tuning, group: Group, state: &Rank) -> bool {
    let Group { rank, size } = group;
    let part = Part::new(collective, tuning, group, 0);
    let segments = part.cut().segments;
    let own = |piece: u32| own_block(tuning, piece / segments, group);
    let root = collective.root().unwrap_or(0);
    let relative = group.relative_to(root).rank;
    let has_no_bytes = *collective == Collective::Alltoall { bytes: 0 };
    let each = |is_right: &dyn Fn(u32, u32, Set) -> bool| {
        state.data.iter().all(|(&(piece, block), &set)| is_right(piece, block, set))
    };
    match collective.operation() {
        Operation::AllReduce => each(&|_, _, found| found == all(size)),
        Operation::Broadcast => each(&|_, _, found| found == set(root)),
        Operation::Reduce => rank != root || each(&|_, _, found| found == all(size)),
        Operation::ReduceScatter => each(&|piece, block, found| block != own(piece) || found == all(size)),
        Operation::AllGather => each(&|piece, block, found| {
            found.count_ones() == 1
                && own_block(tuning, piece / segments, Group { rank: found.trailing_zeros(), size }) == block
        }),
        Operation::Gather => {
            rank != root || each(&|_, block, found| found == set(Group { rank: root, size }.after(block)))
        }
        Operation::Scatter => each(&|_, block, found| block != relative || found == set(root)),
        // Posted transfers leave out blocks without bytes, as MPICH2's do.
        Operation::AllToAll if tuning.algorithm == Algorithm::PostAndWait && has_no_bytes => state.sends == 0,
        Operation::AllToAll => each(&|_, block, found| block != rank || found == all(size)),
        Operation::AllToAllV | Operation::Barrier | Operation::Other => state.received_from == all(size),
    }
}

/// The contributions with which a rank begins in a block, equal for all colors.
fn beginning(collective: &Collective, size: u32, rank: u32, block: u32) -> Set {
    let root = collective.root().unwrap_or(0);
    use Operation::*;
    let has_block = match collective.operation() {
        Broadcast | Scatter => rank == root,
        AllGather => rank == block,
        Gather => Group { rank, size }.relative_to(root).rank == block,
        AllReduce | ReduceScatter | AllToAll | AllToAllV | Reduce | Barrier | Other => true,
    };
    if has_block { set(rank) } else { 0 }
}

fn collectives(root: u32, bytes: u64) -> [Collective; 9] {
    [
        Collective::Broadcast { root, bytes },
        Collective::Reduce { root, bytes },
        Collective::Allreduce { bytes },
        Collective::Allgather { bytes },
        Collective::ReduceScatterBlock { bytes },
        Collective::Scatter { root, bytes },
        Collective::Gather { root, bytes },
        Collective::Alltoall { bytes },
        Collective::Barrier,
    ]
}

/// Runs a collective and checks the data of all ranks. Colors whose blocks are numbered otherwise than ranks begin
/// with each rank's own block.
fn assert_right(collective: &Collective, tuning: &Tuning, size: u32) -> Vec<Rank> {
    let is_exchange = collective.operation().is_exchange();
    if is_exchange && tuning.algorithm == Algorithm::Bruck {
        return assert_right_by_number(collective, tuning, size, |target, rank| target.before(rank));
    }
    if is_exchange && tuning.algorithm == Algorithm::RecursiveDoubling {
        return assert_right_by_number(collective, tuning, size, |target, rank| target.rank ^ rank);
    }
    let new = |rank: u32, block: u32| beginning(collective, size, rank, block);
    let ranks = match collective.operation() == Operation::AllGather {
        true => run_gathering(collective, tuning, size),
        false => run(collective, tuning, size, new),
    };
    for (rank, state) in (0..).zip(&ranks) {
        let right = is_right(collective, tuning, Group { rank, size }, state);
        assert!(right, "{collective} by {tuning:?} of {size} at {rank}: {state:?}");
    }
    ranks
}

/// An allgather, in which each rank begins with its own block of each color.
fn run_gathering(collective: &Collective, tuning: &Tuning, size: u32) -> Vec<Rank> {
    let part = |rank| Part::new(collective, tuning, Group { rank, size }, 0);
    let cut = part(0).cut();
    let new = |rank: u32| {
        let places =
            (0..cut.colors * cut.segments).flat_map(|piece| (0..size).map(move |block| (piece, block)));
        let group = Group { rank, size };
        let of = |(piece, block): (u32, u32)| {
            let own = own_block(tuning, piece / cut.segments, group);
            ((piece, block), if block == own { set(rank) } else { 0 })
        };
        let parts = vec![Progress::default(); Part::count(collective, tuning, group) as usize];
        Rank {
            data: places.map(of).collect(),
            received_from: set(rank),
            parts,
            sent: 0,
            sends: 0,
            receives: 0,
        }
    };
    let ranks = (0..size).map(new).collect();
    Model { collective, tuning, size, ranks, wires: BTreeMap::new(), draws: tuning.seed }.run()
}

/// Alltoalls whose blocks are numbered by distance: one destination after the other is followed. `number` gives the
/// number of a rank's block for a target, which is also the rank from which a block of that number comes.
fn assert_right_by_number(
    collective: &Collective,
    tuning: &Tuning,
    size: u32,
    number: impl Fn(Group, u32) -> u32,
) -> Vec<Rank> {
    let mut last = Vec::new();
    for target in 0..size {
        let number = |other: u32| number(Group { rank: target, size }, other);
        let data = |rank: u32, block: u32| if block == number(rank) { set(rank) } else { 0 };
        last = run(collective, tuning, size, data);
        let right = last[target as usize].data.iter().all(|(&(_, block), &data)| data == set(number(block)));
        assert!(right, "{collective} by {tuning:?} of {size} to {target}");
    }
    last
}

/// Shifts of random twists: the dimensions across and along, and by how much.
fn shifts() -> impl Strategy<Value = Vec<(usize, usize, u32)>> {
    prop::collection::vec((0usize..4, 0usize..4, 1u32..6), 1..=4)
}

/// The shifts that suit a grid and form no circle.
fn of_grid(shifts: &[(usize, usize, u32)], lengths: &[u32]) -> Vec<(usize, usize, u32)> {
    let has = |dimension: usize| lengths.get(dimension).is_some_and(|&length| length > 1);
    let suit = shifts.iter().filter(|shift| shift.0 < shift.1 && has(shift.0) && has(shift.1));
    let within = suit.map(|&(across, along, by)| (across, along, by % lengths[along]));
    let mut within: Vec<_> = within.filter(|shift| shift.2 > 0).collect();
    within.dedup_by_key(|shift| (shift.0, shift.1));
    within
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Any named algorithm on any grid that it suits, for any root, length and segments.
    #[test]
    fn every_rank_gets_its_data(
        lengths in prop::collection::vec(1u32..=6, 1..=4), wraps in prop::collection::vec(any::<bool>(), 4),
        has_grid in prop::bool::weighted(0.9), has_cores: bool, twist in prop::option::of(shifts()), root in any::<prop::sample::Index>(),
        bytes in prop_oneof![1 => Just(0u64), 9 => 0u64..5_000], segment_bytes in prop_oneof![Just(0u64), 100u64..3_000], both: bool, seed: u64,
    ) {
        let size: u32 = lengths.iter().product();
        prop_assume!(size <= 36);
        let directions = if both { Directions::Both } else { Directions::One };
        let cores = lengths.iter().copied().rev().find(|&length| length > 1).filter(|_| has_cores);
        let grid = Grid::new(&lengths, &wraps[..lengths.len()]).with_cores(cores.unwrap_or(1));
        let shifts = of_grid(&twist.unwrap_or_default(), &lengths[..lengths.len() - usize::from(has_cores)]);
        let grid = has_grid.then(|| grid.with_shifts(&shifts));
        for collective in collectives(root.index(size as usize) as u32, bytes) {
            for algorithm in collective.operation().algorithms() {
                let tuning =
                    Tuning { algorithm, directions, segment_bytes, grid, seed, ..Tuning::default() };
                if tuning.misfit(&collective, size).is_none() && !algorithm.is_on_network() {
                    assert_right(&collective, &tuning, size);
                }
            }
        }
    }
}

/// The grid of shapes on which every algorithm is tried: unequal, odd, of two, of one dimension, closed and open.
#[test]
fn every_algorithm_is_right_on_asymmetric_odd_and_open_shapes() {
    for (lengths, wraps) in [
        (&[2, 6][..], &[true, true][..]),
        (&[6, 2], &[true, true]),
        (&[5, 3], &[true, true]),
        (&[3, 4, 5], &[true, true, true]),
        (&[2, 2, 6], &[true, false, true]),
        (&[4, 8], &[true, true]),
        (&[4, 8], &[true, false]),
        (&[4, 8], &[false, true]),
        (&[4, 8], &[false, false]),
        (&[1, 7], &[true, true]),
        (&[1, 7], &[true, false]),
    ] {
        let size: u32 = lengths.iter().product();
        // Segments are many messages, which take long to follow among many ranks.
        let segment_bytes = if size < 16 { 500 } else { 0 };
        for collective in &collectives(size / 3, 9_000) {
            for algorithm in collective.operation().algorithms() {
                let grid = Some(Grid::new(lengths, wraps));
                let tuning = Tuning { algorithm, segment_bytes, grid, ..Tuning::default() };
                if tuning.misfit(collective, size).is_none() && !algorithm.is_on_network() {
                    assert_right(collective, &tuning, size);
                }
            }
        }
    }
}

/// Lengths, wraps and shifts.
type Twisted = (&'static [u32], &'static [bool], &'static [(usize, usize, u32)]);

/// Twisted tori: the usual ones, rings through three lines, all nodes in one ring, four dimensions, an open one, and
/// a dimension whose steps are steps along others.
const TWISTED: &[Twisted] = &[
    (&[4, 4, 8], &[true; 3], &[(0, 2, 4), (1, 2, 4)]),
    (&[2, 4, 4], &[true; 3], &[(0, 1, 2), (0, 2, 2)]),
    (&[2, 4], &[true; 2], &[(0, 1, 2)]),
    (&[6, 3], &[true; 2], &[(1, 0, 2)]),
    (&[3, 6], &[true; 2], &[(0, 1, 3)]),
    (&[4, 5], &[true; 2], &[(0, 1, 1)]),
    (&[2, 2, 2, 4], &[true; 4], &[(0, 3, 2), (1, 2, 1), (2, 3, 2)]),
    (&[3, 2, 6], &[true, false, true], &[(0, 2, 2)]),
    (&[2, 3, 4], &[true; 3], &[(0, 1, 1), (1, 2, 1)]),
];

#[test]
fn every_algorithm_is_right_on_twisted_tori() {
    for &(lengths, wraps, shifts) in TWISTED {
        let size: u32 = lengths.iter().product();
        let segment_bytes = if size < 16 { 500 } else { 0 };
        let grid = Some(Grid::new(lengths, wraps).with_shifts(shifts));
        for collective in &collectives(size / 3, 9_000) {
            for algorithm in collective.operation().algorithms() {
                let tuning = Tuning { algorithm, segment_bytes, grid, ..Tuning::default() };
                if tuning.misfit(collective, size).is_none() && !algorithm.is_on_network() {
                    assert_right(collective, &tuning, size);
                }
            }
        }
    }
}

/// All messages of rings and trees go to neighbors, and those of a rank together are the least that is possible.
#[test]
fn messages_on_twisted_tori_go_to_neighbors() {
    let usual: [Twisted; 2] = [
        (&[4, 8, 8], &[true; 3], &[(0, 1, 4), (0, 2, 4)]),
        (&[8, 8, 16], &[true; 3], &[(0, 2, 8), (1, 2, 8)]),
    ];
    for &(lengths, wraps, shifts) in usual.iter().chain(TWISTED) {
        let grid = Grid::new(lengths, wraps).with_shifts(shifts);
        let size = grid.ranks() as u32;
        for (collective, algorithm) in [
            (Collective::Allreduce { bytes: 1 << 20 }, Algorithm::Bucket),
            (Collective::Broadcast { root: 1, bytes: 1 << 20 }, Algorithm::Rectangle),
        ] {
            let tuning = Tuning { algorithm, grid: Some(grid), ..Tuning::default() };
            if tuning.misfit(&collective, size).is_some() {
                continue;
            }
            for rank in 0..size {
                let group = Group { rank, size };
                let part = |number| Part::new(&collective, &tuning, group, number);
                let parts: Vec<Part<'_>> = (0..Part::count(&collective, &tuning, group)).map(part).collect();
                let steps = parts.iter().flat_map(|part| part.actions(0..part.rounds()));
                let mut sent = 0;
                for action in steps {
                    if let Action::Send { target, bytes } = action {
                        assert!(grid.neighbors(rank).any(|neighbor| neighbor == target), "{lengths:?}");
                        sent += bytes;
                    }
                }
                let least = 2 * (1 << 20) / u64::from(size) * u64::from(size - 1);
                let is_closed = wraps.iter().all(|&wraps| wraps);
                assert!(
                    algorithm == Algorithm::Rectangle || !is_closed || sent.abs_diff(least) < 1 << 13,
                    "{sent}"
                );
            }
        }
    }
}

fn tuned(algorithm: Algorithm, lengths: &[u32], wraps: bool) -> Tuning {
    let grid = Some(Grid::new(lengths, &vec![wraps; lengths.len()]));
    Tuning { algorithm, grid, ..Tuning::default() }
}

/// Makes blocks long, so that little of them is rounded.
const SCALE: u64 = 64;

/// The least data that any algorithm can send.
#[test]
fn rings_buckets_and_swing_send_no_byte_too_many() {
    for lengths in [&[4, 4, 2][..], &[8, 4], &[16]] {
        let size: u32 = lengths.iter().product();
        // Blocks of colors with unequal shares are rounded, which matters little for blocks of kilobytes.
        let bytes = 12 * 4 * u64::from(size) * 8 * SCALE;
        for algorithm in [Algorithm::Ring, Algorithm::Bucket, Algorithm::Swing] {
            for segment_bytes in [0, 512 * SCALE] {
                let tuning = Tuning { segment_bytes, ..tuned(algorithm, lengths, true) };
                let each = bytes / u64::from(size);
                for (collective, times) in [
                    (Collective::Allreduce { bytes }, 2),
                    (Collective::Allgather { bytes: each }, 1),
                    (Collective::ReduceScatterBlock { bytes: each }, 1),
                ] {
                    let ranks = assert_right(&collective, &tuning, size);
                    let sent = ranks.iter().map(|rank| rank.sent);
                    let expected = times * each * u64::from(size - 1);
                    assert_eq!(sent.clone().sum::<u64>(), expected * u64::from(size), "{tuning:?}");
                    // Colors of dimensions that differ have shares that are not equal blocks.
                    let has_shares =
                        algorithm == Algorithm::Bucket && lengths.iter().any(|&length| length != lengths[0]);
                    let max = if has_shares { expected / 1000 } else { 0 };
                    assert!(sent.clone().all(|sent| sent.abs_diff(expected) <= max), "{tuning:?}");
                }
            }
        }
    }
}

/// In every round the colors of a rank exchange along all dimensions, with two ranks along each.
#[test]
fn colors_of_swing_begin_each_round_together() {
    let (tuning, group) = (tuned(Algorithm::Swing, &[8, 8, 8], true), Group { rank: 77, size: 512 });
    let collective = &Collective::Allreduce { bytes: 1 << 20 };
    assert_eq!(Part::count(collective, &tuning, group), 1);
    let part = Part::new(collective, &tuning, group, 0);
    for round in 0..part.rounds() {
        let actions: Vec<Action> = (0..).map_while(|index| part.step(round, index)).collect();
        let bytes =
            |action: &Action| if let Action::Send { bytes, .. } = action { Some(*bytes) } else { None };
        let sent: Vec<u64> = actions.iter().filter_map(bytes).collect();
        assert_eq!((actions.len(), sent.len()), (12, 6));
        assert!(sent.iter().all(|&bytes| bytes.abs_diff(sent[0]) <= 512), "{sent:?}");
        let target =
            |action: &Action| if let Action::Send { target, .. } = action { Some(*target) } else { None };
        let targets = actions.iter().filter_map(target);
        assert_eq!(targets.collect::<HashSet<_>>().len(), 6);
    }
}

/// The links of a forest, each as its two ends.
fn links(size: u32, trees: &[&dyn Tree]) -> Vec<(u32, u32)> {
    let of_tree =
        |tree: &&dyn Tree| (0..size).filter_map(|rank| Some((tree.parent(rank)?, rank))).collect::<Vec<_>>();
    trees.iter().flat_map(of_tree).collect()
}

/// In rings of more than two, all links but those into the root (row M13).
#[test]
fn trees_of_a_rectangle_share_no_link() {
    for (lengths, shifts) in [
        (&[5][..], &[][..]),
        (&[4, 3], &[]),
        (&[3, 4, 5], &[]),
        (&[3, 1, 4], &[]),
        (&[3, 3, 3, 3], &[]),
        (&[4, 4, 8], &[(0, 2, 4), (1, 2, 4)]),
        (&[3, 6], &[(0, 1, 3)]),
        (&[4, 5], &[(0, 1, 1)]),
        (&[3, 3, 4], &[(0, 1, 1), (1, 2, 1)]),
    ] {
        let grid = Grid::new(lengths, &vec![true; lengths.len()]).with_shifts(shifts);
        let (size, dimensions) = (grid.ranks() as u32, grid.long().1);
        for root in [0, size / 2] {
            let trees: Vec<Rectangle> = (0..2 * dimensions)
                .map(|color| Rectangle { grid, root, first: color % dimensions, is_plus: color < dimensions })
                .collect();
            let links = links(size, &trees.iter().map(|tree| tree as &dyn Tree).collect::<Vec<_>>());
            assert_eq!(links.len(), 2 * dimensions * (size as usize - 1));
            assert_eq!(links.iter().collect::<HashSet<_>>().len(), links.len());
            assert!(links.iter().all(|&(from, to)| grid.neighbors(to).any(|neighbor| neighbor == from)));
        }
    }
}

/// The load of each link, hop by hop, is what the trees send from neighbor to neighbor. A rank writes data once for
/// each line that begins with it.
#[test]
fn lines_carry_what_trees_send() {
    let sent = |algorithm, lengths: &[u32], wraps| {
        let tuning = tuned(algorithm, lengths, wraps);
        let (collective, size) = (Collective::Broadcast { root: 1, bytes: 6000 }, lengths.iter().product());
        let of_rank = |rank: u32| {
            let mut sent = Vec::new();
            let call = Call::Collect {
                collective: collective.clone(),
                communicator: WORLD,
                request: None,
                tuning: Box::new(tuning),
            };
            DryRun::new(rank, size, &[]).read(&call, &mut |target, bytes| sent.push((rank, target, bytes)));
            sent
        };
        let mut sent: Vec<_> = (0..size).flat_map(of_rank).collect();
        sent.sort_unstable();
        (sent, assert_right(&collective, &tuning, size))
    };
    for (lengths, wraps, tree) in [
        (&[5][..], true, Algorithm::Rectangle),
        (&[4, 3], true, Algorithm::Rectangle),
        (&[2, 3, 4], true, Algorithm::Rectangle),
        (&[5, 4], false, Algorithm::RedBlue),
    ] {
        let ((along_lines, ranks), (from_neighbors, others)) =
            (sent(Algorithm::Deposit, lengths, wraps), sent(tree, lengths, wraps));
        assert_eq!(along_lines, from_neighbors, "{lengths:?}");
        let written = |ranks: &[Rank]| ranks.iter().map(|rank| rank.sends).sum::<u32>();
        assert!(written(&ranks) < written(&others), "{lengths:?}");
    }
    let (_, ranks) = sent(Algorithm::Deposit, &[3, 4, 5], false);
    let sends: Vec<u32> = ranks.iter().map(|rank| rank.sends).collect();
    // Both ways of x, y and z from the root; one way in the lines at an end.
    assert_eq!((sends[1], sends[0], sends.iter().sum::<u32>()), (4, 2, 4 + 2 * 2 + 9));
}

/// Sends and receives as the slides count them, and no link twice.
#[test]
fn red_blue_has_the_sends_and_receives_of_the_slides() {
    for lengths in [[8, 7], [5, 4]] {
        let tuning = tuned(Algorithm::RedBlue, &lengths, false);
        let (grid, size) = (tuning.grid.unwrap(), lengths[0] * lengths[1]);
        let trees = [true, false].map(|is_red| RedBlue { grid, root: 0, is_red });
        let links = links(size, &[&trees[0], &trees[1]]);
        assert_eq!(links.iter().collect::<HashSet<_>>().len(), 2 * (size as usize - 1));
        let ranks = assert_right(&Collective::Broadcast { root: 0, bytes: 1000 }, &tuning, size);
        let counts: Vec<(u32, u32)> = ranks.iter().map(|rank| (rank.sends, rank.receives)).collect();
        assert_eq!(counts[0], (2, 0));
        let others: HashSet<(u32, u32)> = counts[1..].iter().copied().collect();
        assert_eq!(others, HashSet::from([(3, 2), (2, 2), (1, 2), (0, 2)]));
        let is_zero = |count: &&(u32, u32)| count.0 == 0;
        assert_eq!(counts.iter().filter(is_zero).count(), 1);
    }
}

/// The longest message that some ranks report is that of all ranks, to a rounded byte.
#[test]
fn the_longest_message_is_known() {
    let bytes = 3 * MAX_MESSAGE_BYTES;
    for lengths in [&[8][..], &[6], &[4, 2], &[3, 3], &[4, 4, 2]] {
        let ranks: u32 = lengths.iter().product();
        let calls = [
            Collective::Allreduce { bytes },
            Collective::ReduceScatterBlock { bytes: bytes / u64::from(ranks) },
            Collective::Allgather { bytes: bytes / u64::from(ranks) },
            Collective::Alltoall { bytes: bytes / u64::from(ranks) },
            Collective::Broadcast { root: 3, bytes },
        ];
        for collective in calls {
            for algorithm in collective.operation().algorithms() {
                let tuning = tuned(algorithm, lengths, true);
                if algorithm.is_on_network() || tuning.misfit(&collective, ranks).is_some() {
                    continue;
                }
                let of_rank = |rank| tuning.longest_of_rank(&collective, Group { rank, size: ranks });
                let longest = (0..ranks).map(of_rank).max().unwrap_or(0);
                let stated = tuning.longest_message(&collective, ranks);
                assert!(
                    stated <= longest && longest - stated <= 16,
                    "{algorithm:?} of {lengths:?}: {stated} {longest}"
                );
                assert!(longest <= bytes, "{algorithm:?} of {lengths:?}");
                let cut = Tuning { segment_bytes: 2_400, ..tuning };
                if algorithm.has_segments(collective.operation()) {
                    assert!(cut.longest_message(&collective, ranks) < MAX_MESSAGE_BYTES, "{algorithm:?}");
                }
            }
        }
    }
}

#[test]
fn misfits_are_named() {
    let bytes = 4096;
    let misfit = |algorithm, lengths: &[u32], wraps| {
        let size = lengths.iter().product();
        tuned(algorithm, lengths, wraps).misfit(&Collective::Allreduce { bytes }, size)
    };
    assert_eq!(misfit(Algorithm::Swing, &[4, 8], true), None);
    assert!(misfit(Algorithm::Swing, &[4, 6], true).unwrap().contains("powers of two"));
    assert!(misfit(Algorithm::Swing, &[4, 8], false).unwrap().contains("wrap"));
    assert!(misfit(Algorithm::Binomial, &[4, 8], true).unwrap().contains("no algorithm"));
    assert!(misfit(Algorithm::HalvingDoubling, &[1024], true).unwrap().contains("8192"));
    let bucket = Tuning { algorithm: Algorithm::Bucket, ..Tuning::default() };
    assert!(bucket.misfit(&Collective::Allreduce { bytes }, 4).unwrap().contains("dead"));
}

#[test]
fn all_algorithms_have_names() {
    for operation in collectives(0, 1).map(|collective| collective.operation()) {
        assert!(operation.algorithms().all(|algorithm| !algorithm.name().is_empty()));
    }
    let all = || Operation::NAMES.iter().flat_map(|(_, operation)| operation.algorithms());
    assert_eq!(
        all().collect::<HashSet<_>>().len() + 1,
        Algorithm::NAMES.len(),
        "all but \"auto\" are of an operation"
    );
    let names: HashSet<&str> = Algorithm::NAMES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), Algorithm::NAMES.len());
}
