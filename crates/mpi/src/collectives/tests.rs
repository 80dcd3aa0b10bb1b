//! Every algorithm leaves each rank with the right contributions, on a plain model without a network.

use super::parts::Part;
use super::schedule::Step;
use super::*;
use proptest::prelude::*;
use std::collections::VecDeque;

/// A set of ranks.
type Set = u64;

fn set(rank: u32) -> Set {
    1 << rank
}

fn all(size: u32) -> Set {
    (1 << size) - 1
}

/// The content of a message: its blocks, and the ranks of which its sender knows. Each block has the ranks that
/// have contributed.
#[derive(Clone, Debug)]
struct Carried {
    blocks: Vec<(u32, Set)>,
    received_from: Set,
}

/// A rank of the model.
#[derive(Clone, Debug)]
struct Rank {
    /// The ranks that have contributed, by block.
    data: Vec<Set>,
    /// The second operand of a scan.
    result: Set,
    received_from: Set,
    round: u32,
    /// Receives of the round that are not complete.
    waits: Vec<(u32, Then)>,
}

/// Steps, in one round, that are posted and wait for no other rank.
struct Model<'a> {
    collective: &'a Collective,
    size: u32,
    ranks: Vec<Rank>,
    wires: Vec<VecDeque<Carried>>,
}

fn members(blocks: Blocks, parts: u32) -> Vec<u32> {
    match blocks {
        Blocks::None => Vec::new(),
        Blocks::All => (0..parts).collect(),
        Blocks::Range { first, count } => (first..first + count).map(|block| block % parts).collect(),
        Blocks::WithBit(bit) => (0..parts).filter(|block| block >> bit & 1 == 1).collect(),
        Blocks::Gathered { .. } | Blocks::Reached { .. } => unreachable!("only named algorithms have these"),
    }
}

/// A rank's part of a collective whose algorithm is chosen by length.
fn part(collective: &Collective, group: Group) -> Part<'_> {
    Part::new(collective, &Tuning::UNSTATED, group, 0)
}

impl Model<'_> {
    fn group(&self, rank: usize) -> Group {
        Group { rank: rank as u32, size: self.size }
    }

    /// Begins the next round of a rank; returns whether it has one.
    fn begin(&mut self, rank: usize) -> bool {
        let (collective, group, round) = (self.collective, self.group(rank), self.ranks[rank].round);
        let steps: Option<(Vec<Step>, u32)> = collective.visit(group, |schedule, sizes, _| {
            let steps = || (0..).map_while(|index| schedule.step(round, index)).collect();
            (round < schedule.rounds()).then(|| (steps(), sizes.parts()))
        });
        let Some((steps, parts)) = steps else { return false };
        self.ranks[rank].round += 1;
        for step in steps {
            match step {
                Step::Send { target, blocks } => {
                    assert_ne!(target as usize, rank);
                    let Rank { data, received_from, .. } = &self.ranks[rank];
                    let carried = members(blocks, parts).into_iter();
                    let blocks = carried.map(|block| (block, data[block as usize])).collect();
                    let carried = Carried { blocks, received_from: *received_from };
                    self.wires[rank * self.size as usize + target as usize].push_back(carried);
                }
                Step::Receive { source, then } => self.ranks[rank].waits.push((source, then)),
                Step::ReceiveAny | Step::Post { .. } | Step::Deposit { .. } | Step::Pass { .. } => {
                    unreachable!("no algorithm that is chosen by length has these")
                }
                Step::Join { .. } => unreachable!("no algorithm that is chosen by length has it"),
                Step::Copy(_) | Step::Skip => {}
            }
        }
        true
    }

    /// Lets a rank receive the messages that have arrived; returns whether any has.
    fn receive(&mut self, rank: usize) -> bool {
        let waits = std::mem::take(&mut self.ranks[rank].waits);
        let before = waits.len();
        for (source, then) in waits {
            let Some(carried) = self.wires[source as usize * self.size as usize + rank].pop_front() else {
                self.ranks[rank].waits.push((source, then));
                continue;
            };
            self.take(rank, &carried, then);
        }
        self.ranks[rank].waits.len() < before
    }

    fn take(&mut self, rank: usize, carried: &Carried, then: Then) {
        let Rank { data, result, received_from, .. } = &mut self.ranks[rank];
        *received_from |= carried.received_from;
        for &(block, from) in &carried.blocks {
            let own = &mut data[block as usize];
            match then {
                Then::Keep | Then::Copy => *own = from,
                Then::Combine(times) => {
                    assert_eq!(*own & from, 0, "an operand is combined twice");
                    *own |= from;
                    if times > 1 {
                        assert_eq!(*result & from, 0, "an operand is combined twice");
                        *result |= from;
                    }
                }
            }
        }
    }

    fn run(mut self) -> Vec<Rank> {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for rank in 0..self.ranks.len() {
                moved |= self.receive(rank);
                while self.ranks[rank].waits.is_empty() && self.begin(rank) {
                    moved = true;
                }
            }
        }
        let (collective, size) = (self.collective, self.size);
        assert!(
            self.wires.iter().all(VecDeque::is_empty),
            "{collective} of {size}: a message is never received"
        );
        for (rank, state) in self.ranks.iter().enumerate() {
            let rounds = part(collective, self.group(rank)).rounds();
            assert!(state.waits.is_empty() && state.round == rounds, "{collective} of {size} is stuck");
        }
        self.ranks
    }
}

/// Runs a collective; `data` gives the contributions that a rank begins with, by block.
fn run(collective: &Collective, size: u32, data: impl Fn(u32, u32) -> Set) -> Vec<Rank> {
    let new = |rank: u32| {
        let group = Group { rank, size };
        let parts = collective.visit(group, |_, sizes, _| sizes.parts().max(1));
        // Where only the root knows all lengths, the others have one block, which is their own.
        let data = (0..parts).map(|block| data(rank, block)).collect();
        Rank { data, result: 0, received_from: set(rank), round: 0, waits: Vec::new() }
    };
    let ranks = (0..size).map(new).collect();
    Model { collective, size, ranks, wires: vec![VecDeque::new(); (size * size) as usize] }.run()
}

fn own(rank: u32, block: u32) -> Set {
    if rank == block { set(rank) } else { 0 }
}

/// The collectives with data of `bytes` bytes a block, among `size` ranks.
fn assert_right(size: u32, root: u32, bytes: u64, lengths: &Lengths) {
    let relative = |rank: u32| Group { rank, size }.before(root);
    let each = |ranks: Vec<Rank>, right: &dyn Fn(u32, &Rank) -> bool, what: &Collective| {
        for (rank, state) in (0..).zip(&ranks) {
            assert!(right(rank, state), "{what} of {size} at {rank}: {state:?}");
        }
    };
    let barrier = Collective::Barrier;
    each(run(&barrier, size, |_, _| 0), &|_, state| state.received_from == all(size), &barrier);
    let broadcast = Collective::Broadcast { root, bytes };
    let has_data = |rank: u32, _| Set::from(rank == root);
    each(run(&broadcast, size, has_data), &|_, state| state.data.iter().all(|&set| set == 1), &broadcast);
    let reduced = |state: &Rank| state.data.iter().all(|&set| set == all(size));
    let allreduce = Collective::Allreduce { bytes };
    each(run(&allreduce, size, |rank, _| set(rank)), &|_, state| reduced(state), &allreduce);
    let reduce = Collective::Reduce { root, bytes };
    each(run(&reduce, size, |rank, _| set(rank)), &|rank, state| rank != root || reduced(state), &reduce);

    let has_all = |state: &Rank| (0..).zip(&state.data).all(|(block, &data)| data == set(block));
    for allgather in [Collective::Allgather { bytes }, Collective::Allgatherv { lengths: lengths.clone() }] {
        each(run(&allgather, size, own), &|_, state| has_all(state), &allgather);
    }
    let gather = Collective::Gather { root, bytes };
    let ranks = run(&gather, size, |rank, block| own(relative(rank), block));
    each(ranks, &|rank, state| rank != root || has_all(state), &gather);
    let scatter = Collective::Scatter { root, bytes };
    let ranks = run(&scatter, size, |rank, block| if rank == root { set(block) } else { 0 });
    let right = |rank: u32, state: &Rank| state.data[relative(rank) as usize] == set(relative(rank));
    each(ranks, &right, &scatter);

    for reduce_scatter in
        [Collective::ReduceScatterBlock { bytes }, Collective::ReduceScatter { lengths: lengths.clone() }]
    {
        let ranks = run(&reduce_scatter, size, |rank, _| set(rank));
        each(ranks, &|rank, state| state.data[rank as usize] == all(size), &reduce_scatter);
    }
    let below = |rank: u32| set(rank) - 1;
    for scan in [Collective::Scan { bytes }, Collective::Exscan { bytes }] {
        each(run(&scan, size, |rank, _| set(rank)), &|rank, state| state.result == below(rank), &scan);
    }
}

/// Alltoalls: the data that a rank sends another are identified by their sender and by the number of their block.
fn assert_right_alltoall(size: u32, bytes: u64) {
    let alltoall = Collective::Alltoall { bytes };
    let is_bruck = bytes <= long::ALLTOALL[0] && size >= long::BRUCK_RANKS;
    // One destination after the other is followed: only blocks for it count.
    for target in 0..size {
        let number = |rank: u32| if is_bruck { Group { rank: target, size }.before(rank) } else { target };
        let data = |rank: u32, block: u32| if block == number(rank) { set(rank) } else { 0 };
        let ranks = run(&alltoall, size, data);
        let state = &ranks[target as usize];
        if is_bruck {
            let source = |block: u32| Group { rank: target, size }.before(block);
            let right = (0..).zip(&state.data).all(|(block, &data)| data == set(source(block)));
            assert!(right, "{alltoall} of {size} to {target}: {state:?}");
        }
    }
}

/// The peers with which each rank exchanges, in posted transfers and pairwise exchange.
fn assert_exchanges_with_all(
    tuning: &Tuning,
    collective: impl Fn(u32) -> Collective,
    size: u32,
    has: impl Fn(u32, u32) -> bool,
) {
    for rank in 0..size {
        let collective = collective(rank);
        let part = Part::new(&collective, tuning, Group { rank, size }, 0);
        let (mut targets, mut sources) = (vec![0; size as usize], vec![0; size as usize]);
        for round in 0..part.rounds() {
            for step in (0..).map_while(|index| part.step(round, index)) {
                if let Action::Send { target, .. } = step {
                    targets[target as usize] += 1;
                }
                if let Action::Receive { source, .. } = step {
                    sources[source.unwrap() as usize] += 1;
                }
            }
        }
        let expected = |sends: bool| {
            let has = |peer: u32| if sends { has(rank, peer) } else { has(peer, rank) };
            (0..size).map(|peer| u32::from(peer != rank && has(peer))).collect::<Vec<_>>()
        };
        assert_eq!((targets, sources), (expected(true), expected(false)), "{collective} of {size}");
    }
}

proptest! {
    #[test]
    fn every_rank_gets_its_data(
        size in 1u32..=40, root in any::<prop::sample::Index>(),
        bytes in prop_oneof![0u64..64, 100u64..30_000, 30_000u64..2_000_000],
        lengths in prop::collection::vec(prop_oneof![Just(0u64), 1u64..30_000], 40),
    ) {
        let lengths = Lengths::new(lengths[..size as usize].iter().copied());
        assert_right(size, root.index(size as usize) as u32, bytes, &lengths);
    }

    #[test]
    fn alltoalls_reach_everybody(
        size in 1u32..=40, bytes in prop_oneof![1u64..=256, 257u64..=32_768, 32_769u64..100_000], seed: u64,
    ) {
        assert_right_alltoall(size, bytes);
        if !(bytes <= 256 && size >= 8) {
            assert_exchanges_with_all(&Tuning::UNSTATED, |_| Collective::Alltoall { bytes }, size, |_, _| true);
        }
        let length = |from: u32, to: u32| {
            let drawn = base::draws::mix(seed ^ u64::from(from * 64 + to));
            if drawn.is_multiple_of(3) { 0 } else { drawn % 1000 }
        };
        let alltoallv = |rank| Collective::Alltoallv {
            sent: Lengths::new((0..size).map(|peer| length(rank, peer))),
            received: Lengths::new((0..size).map(|peer| length(peer, rank))),
        };
        assert_exchanges_with_all(&Tuning::UNSTATED, alltoallv, size, |from, to| length(from, to) > 0);
        let alltoallw = |rank| {
            let Collective::Alltoallv { sent, received } = alltoallv(rank) else { unreachable!() };
            let [blocks_sent, blocks_received] = [&sent, &received].map(Lengths::clone);
            Collective::Alltoallw(Box::new(TypedExchange { sent, received, blocks_sent, blocks_received }))
        };
        assert_exchanges_with_all(&Tuning::UNSTATED, alltoallw, size, |from, to| length(from, to) > 0);
        // All posted in one round.
        let at_once = &Tuning::UNSTATED.with(Algorithm::PostAndWait);
        for rank in 0..size {
            let rounds = Part::new(&alltoallv(rank), at_once, Group { rank, size }, 0).rounds();
            assert_eq!(rounds, u32::from(size > 1));
        }
        assert_exchanges_with_all(at_once, alltoallv, size, |from, to| length(from, to) > 0);
        assert_exchanges_with_all(at_once, alltoallw, size, |from, to| length(from, to) > 0);
        let root = (seed % u64::from(size)) as u32;
        let lengths = |rank: u32| match rank == root {
            true => Lengths::new((0..size).map(|peer| length(0, peer))),
            false => Lengths::new([length(0, rank)]),
        };
        let gatherv = |rank| Collective::Gatherv { root, lengths: lengths(rank) };
        assert_exchanges_with_all(&Tuning::UNSTATED, gatherv, size, |from, to| to == root && length(0, from) > 0);
        let scatterv = |rank| Collective::Scatterv { root, lengths: lengths(rank) };
        assert_exchanges_with_all(&Tuning::UNSTATED, scatterv, size, |from, to| from == root && length(0, to) > 0);
    }
}

#[test]
fn rounds_grow_logarithmically_and_steps_are_never_stored() {
    let rounds = |collective: Collective, size| part(&collective, Group { rank: 0, size }).rounds();
    assert_eq!(rounds(Collective::Barrier, 1 << 20), 20);
    assert_eq!(rounds(Collective::Barrier, (1 << 20) + 1), 21);
    assert_eq!(rounds(Collective::Allreduce { bytes: 1 }, 1 << 20), 2 + 20);
    assert_eq!(rounds(Collective::Broadcast { root: 0, bytes: 1 }, 1 << 20), 1 + 20);
    assert_eq!(rounds(Collective::Alltoall { bytes: 1 << 20 }, 1 << 20), (1 << 20) - 1);
    assert!(size_of::<Collective>() <= 40);
}

/// The lengths at which MPICH2 changes its algorithm.
#[test]
fn algorithms_are_chosen_by_length() {
    let rounds = |collective: Collective, size| part(&collective, Group { rank: 0, size }).rounds();
    let broadcast = |bytes| Collective::Broadcast { root: 0, bytes };
    assert_eq!(rounds(broadcast(12_287), 16), 1 + 4);
    assert_eq!(rounds(broadcast(12_288), 16), 1 + 4 + 4);
    assert_eq!(rounds(broadcast(524_288), 16), 1 + 4 + 15);
    assert_eq!(rounds(broadcast(1 << 20), 7), 1 + 3);
    assert_eq!(rounds(Collective::Allreduce { bytes: 2048 }, 16), 2 + 4);
    assert_eq!(rounds(Collective::Allreduce { bytes: 2056 }, 16), 2 + 8);
    assert_eq!(rounds(Collective::Allgather { bytes: 1024 }, 12), 4 + 1);
    assert_eq!(rounds(Collective::Allgather { bytes: 81_920 / 10 }, 10), 9);
    assert_eq!(rounds(Collective::Alltoall { bytes: 256 }, 8), 2 * 3 + 2);
    assert_eq!(rounds(Collective::Alltoall { bytes: 257 }, 8), 1);
    assert_eq!(rounds(Collective::Alltoall { bytes: 32_769 }, 8), 7);
    assert_eq!(rounds(Collective::ReduceScatterBlock { bytes: 524_288 / 8 }, 8), 7);
}
