//! Collectives on collective networks: the operations that they wait for, their order, and that both engines run
//! them alike, also resumed.

use crate::support::{Listed, Machine, Run, cases};
use base::draws::mix;
use messaging::{Activity, Awaited, Parameters, Progress};
use mpi::{
    Algorithm, Call, Collective, CollectiveNetworks, Members, Needed, Operands, Requests, Tuning, WORLD,
};
use network::Totals;
use network::collective::parameters::{InterruptParameters, TreeParameters};
use proptest::prelude::*;
use proptest::sample::select;

const TREE: TreeParameters = TreeParameters {
    arity: 2,
    bytes_per_cycle: 2,
    hop_latency_cycles: 20,
    payload_bytes: 256,
    overhead_bytes: 8,
    buffer_packets: 2,
    fifo_packets: 4,
    class_routes: 1,
};
const PACKET_CYCLES: u64 = 132;
const WIRES: InterruptParameters = InterruptParameters {
    arity: 2,
    wires: 4,
    communicator_wires: 0,
    up_latency_cycles: 15,
    down_latency_cycles: 25,
};

pub fn machine(lengths: &[u32], cores: u8) -> Machine {
    let mut machine = Machine { joins: true, ..Machine::torus(lengths, cores) };
    (machine.network.tree, machine.network.interrupts) = (Some(TREE), Some(WIRES));
    machine
}

/// The machine with class routes and wires for this number of other communicators. Calls take them only by name.
pub fn with_routes(machine: Machine, class_routes: u8, wires: u8) -> Machine {
    let mut machine = machine;
    machine.networks = CollectiveNetworks { class_routes, wires, ..CollectiveNetworks::default() };
    if let Some(tree) = &mut machine.network.tree {
        tree.class_routes = 1 + class_routes;
    }
    if let Some(interrupts) = &mut machine.network.interrupts {
        (interrupts.wires, interrupts.communicator_wires) = (interrupts.wires + wires, wires);
    }
    machine
}

pub fn on(algorithm: Algorithm, collective: Collective, request: Option<u32>) -> Call {
    let tuning = Box::new(Tuning { algorithm, ..Tuning::default() });
    Call::Collect { collective, communicator: WORLD, request, tuning }
}

fn on_tree(collective: Collective) -> Call {
    on(Algorithm::TreeNetwork, collective, None)
}

fn wait(count: u32) -> Call {
    Call::Wait { requests: Requests::range(0, count), needed: Needed::All }
}

fn run(machine: &Machine, threads: usize, cuts: &[u64], calls: &[Vec<Call>]) -> Run {
    machine.run(threads, cuts, Listed::programs(calls.to_vec()))
}

/// Rank 1 expects a message of rank 0 before it takes part in the broadcast, which rank 0 begins first.
fn crossed(packets: u64) -> Vec<Vec<Call>> {
    let broadcast = || on_tree(Collective::Broadcast { root: 0, bytes: packets * 256 });
    let source = vec![broadcast(), Call::Send { target: 1, tag: 0, bytes: 8 }];
    let late = vec![Call::Receive { source: Some(0), tag: Some(0) }, broadcast()];
    vec![source, late, vec![broadcast()], vec![broadcast()]]
}

/// On the torus, arriving packets would go to memory. Here packets that do not fit into FIFOs and buffers stop the
/// network. Rank 0 has the two slots of each buffer and the four of each FIFO on the way to rank 1.
#[test]
fn a_core_that_does_not_read_stops_the_tree() {
    let machine = machine(&[4], 1);
    for threads in [0, 1, 3] {
        let short = run(&machine, threads, &[u64::MAX], &crossed(4));
        assert_eq!(short.progress, Progress::Finished, "{threads}");
        let long = run(&machine, threads, &[u64::MAX], &crossed(100));
        let Progress::Stuck(stuck) = long.progress else { panic!("{:?}", long.progress) };
        let words = [
            "the tree network in MPI_Bcast of 25600 bytes from rank 0",
            "of 100 packets",
            "rank 1 does not read what the tree network has brought it",
        ];
        assert!(stuck.rank == 0 && words.iter().all(|words| stuck.waiting_for.contains(words)), "{stuck:?}");
        assert_eq!(stuck.ranks, 4);
    }
}

#[test]
fn a_collective_that_some_ranks_do_not_call_is_stuck() {
    for (call, words) in [
        (on_tree(Collective::Allreduce { bytes: 8 }), "written 1 of 1 packets and read 0 of 1"),
        (on(Algorithm::Interrupts, Collective::Barrier, None), "not all nodes have raised their wires"),
    ] {
        let mut calls = vec![vec![call]; 6];
        calls[4] = vec![];
        let Progress::Stuck(stuck) = run(&machine(&[6], 1), 2, &[u64::MAX], &calls).progress else {
            panic!("{words}")
        };
        assert!(stuck.waiting_for.contains(words) && stuck.ranks == 5, "{stuck:?}");
    }
    let all = Collective::Allreduce { bytes: 8 };
    let mut calls = vec![vec![on_tree(all)]; 4];
    calls[2] = vec![on_tree(Collective::Reduce { root: 0, bytes: 8 })];
    let progress = run(&machine(&[4], 1), 1, &[u64::MAX], &calls).progress;
    assert!(matches!(progress, Progress::Stuck(_)), "operations that differ are not combined: {progress:?}");
}

/// Rank 3 is late; the others wait for its operation on either network.
#[test]
fn time_lines_name_the_collective_network_for_which_a_rank_waits() {
    for (call, awaited, name) in [
        (on_tree(Collective::Allreduce { bytes: 8 }), Awaited::Tree, "MPI_Allreduce"),
        (on(Algorithm::Interrupts, Collective::Barrier, None), Awaited::Interrupts, "MPI_Barrier"),
    ] {
        let mut calls = vec![vec![call.clone()]; 4];
        calls[3] = vec![Call::Compute { cycles: 5000 }, call];
        let lines = run(&machine(&[4], 1), 2, &[u64::MAX], &calls).time_lines;
        let is_it = |line: &&messaging::Interval| line.activity == Activity::Wait(awaited);
        let collective =
            |line: &messaging::Interval| line.round.map(|round| (round.collective, round.number));
        let waits: Vec<_> = lines.iter().filter(is_it).collect();
        assert!(waits.iter().all(|line| collective(line) == Some((name, Some(1)))), "{waits:?}");
        for rank in 0..3 {
            let of_rank = |line: &&&messaging::Interval| line.rank == Some(rank);
            assert!(waits.iter().filter(of_rank).map(|line| line.end).max() > Some(5000), "{name}: {rank}");
        }
    }
}

/// The latency of a barrier is that of the deepest of 15 nodes, three hops there and three back.
#[test]
fn as_many_barriers_as_wires_are_under_way() {
    let latency = 3 * (15 + 25) + 1;
    for (barriers, rounds) in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3)] {
        let begin = |request| on(Algorithm::Interrupts, Collective::Barrier, Some(request));
        let calls: Vec<Call> = (0..barriers).map(begin).chain([wait(barriers)]).collect();
        let run = run(&machine(&[15], 1), 2, &[u64::MAX], &vec![calls; 15]);
        assert_eq!(run.progress, Progress::Finished);
        let ended = run.finished.iter().map(|cycle| cycle.unwrap()).max().unwrap();
        // A rank near the root raises again earlier, but the last to be notified of a release is the last to raise
        // again.
        assert_eq!(ended, rounds * latency, "{barriers}");
    }
}

/// Of broadcasts that all ranks post at once, all but the first wait: their roots have data while another is under way.
#[test]
fn broadcasts_that_are_posted_at_once_wait() {
    for (roots, waits) in [(1, 0), (8, 7)] {
        let begin = |root| on(Algorithm::TreeNetwork, Collective::Broadcast { root, bytes: 600 }, Some(root));
        let calls: Vec<Call> = (0..roots).map(begin).chain([wait(roots)]).collect();
        for threads in [0, 1, 3] {
            let mut run = run(&machine(&[8], 1), threads, &[u64::MAX], &vec![calls.clone(); 8]);
            assert_eq!(run.progress, Progress::Finished);
            assert_eq!(run.engine.totals().collective.tree_waits, waits, "{threads} threads");
        }
    }
}

/// A core that reads slowly holds up all: 100 packets at 300 cycles each, once the pipeline is full.
#[test]
fn the_slowest_core_sets_the_rate() {
    let calls = vec![vec![on_tree(Collective::Broadcast { root: 0, bytes: 25_600 })]; 8];
    let mut machine = machine(&[8], 1);
    let ended = |machine: &Machine| {
        let run = run(machine, 2, &[u64::MAX], &calls);
        run.finished.iter().map(|cycle| cycle.unwrap()).max().unwrap()
    };
    assert_eq!(ended(&machine), 3 * 20 + 100 * PACKET_CYCLES);
    machine.parameters.tree_read_processor_cycles = 300;
    let slow = ended(&machine);
    assert_eq!(slow, 3 * 20 + PACKET_CYCLES + 100 * 300);
}

#[test]
#[should_panic(
    expected = "tree-network is for MPI_COMM_WORLD, and for communicators that have a class route"
)]
fn other_communicators_have_no_class_route() {
    let create = Call::Create { communicator: WORLD, members: Some(mpi::Members::All), new: 1, order: 0 };
    let tuning = Box::new(Tuning { algorithm: Algorithm::TreeNetwork, ..Tuning::default() });
    let barrier = Call::Collect { collective: Collective::Barrier, communicator: 1, request: None, tuning };
    run(&machine(&[2], 1), 1, &[u64::MAX], &[vec![create.clone(), barrier.clone()], vec![create, barrier]]);
}

/// Operations of all kinds, begun one after the other and waited for now and then, between computations.
fn calls(ranks: u32, rank: u32, count: u32, seed: u64) -> Vec<Call> {
    let draw = |number: u32, what: u64, max: u64| mix(mix(seed ^ what).wrapping_add(number.into())) % max;
    let mut calls = Vec::new();
    let mut open = 0;
    for number in 0..count {
        let (root, bytes) =
            (draw(number, 0, ranks.into()) as u32, [0, 8, 700, 3000][draw(number, 1, 4) as usize]);
        let (algorithm, collective) = match draw(number, 2, 6) {
            0 => (Algorithm::Interrupts, Collective::Barrier),
            1 => (Algorithm::TreeNetwork, Collective::Barrier),
            2 => (Algorithm::TreeNetwork, Collective::Reduce { root, bytes }),
            3 => (Algorithm::TreeNetwork, Collective::Allreduce { bytes }),
            4 => (Algorithm::Auto, Collective::Allreduce { bytes: bytes.min(64) }),
            _ => (Algorithm::TreeNetwork, Collective::Broadcast { root, bytes }),
        };
        let operands = [Operands::Integer, Operands::Floating][draw(number, 3, 2) as usize];
        let tuning = Box::new(Tuning { algorithm, operands, ..Tuning::default() });
        let request = Some(open);
        calls.push(Call::Collect { collective, communicator: WORLD, request, tuning });
        open += 1;
        calls.push(Call::Compute { cycles: draw(number, 4 + u64::from(rank), 500) });
        if draw(number, 3, 3) == 0 {
            calls.push(wait(open));
            open = 0;
        }
    }
    calls.push(wait(open));
    calls
}

prop_compose! {
    fn machines()(
        lengths in prop::collection::vec(1u32..=4, 1..=3), cores in 1u8..=3,
        arity in 1u8..=8, bytes_per_cycle in 1u32..5, hop_latency_cycles in 1u32..40, buffer_packets in 1u8..5,
        fifo_packets in 1u8..5, wires in 1u8..=5, up in 1u32..40, down in 1u32..40,
        write in select(vec![0u32, 60]), read in select(vec![0u32, 204]), wire in select(vec![0u32, 100]),
        call in select(vec![0u32, 245]), reads_while_computing: bool,
    ) -> Machine {
        let mut machine = Machine { joins: true, ..Machine::torus(&lengths, cores) };
        machine.network.tree =
            Some(TreeParameters { arity, bytes_per_cycle, hop_latency_cycles, buffer_packets, fifo_packets, ..TREE });
        machine.network.interrupts =
            Some(InterruptParameters { arity: 9 - arity, wires, up_latency_cycles: up, down_latency_cycles: down, ..WIRES });
        machine.network.node.clock.processor_cycles = 1 + u32::from(wires) % 4;
        machine.parameters = Parameters {
            tree_write_processor_cycles: write,
            tree_read_processor_cycles: read,
            wire_processor_cycles: wire,
            call_processor_cycles: call.into(),
            reads_while_computing,
            ..Parameters::default()
        };
        machine
    }
}

/// Runs programs on any engine and any number of threads, also resumed: all agree. Returns the sums of all.
fn agree(
    machine: &Machine,
    calls: &[Vec<Call>],
    (threads, cut): (usize, u64),
) -> Result<Totals, TestCaseError> {
    let mut expected = run(machine, 0, &[u64::MAX], calls);
    prop_assert_eq!(&expected.progress, &Progress::Finished);
    let totals = expected.engine.totals();
    for (threads, cuts) in [
        (1, vec![u64::MAX]),
        (threads, vec![u64::MAX]),
        (0, vec![cut, u64::MAX]),
        (2, vec![cut, 2 * cut, u64::MAX]),
    ] {
        let mut other = run(machine, threads, &cuts, calls);
        prop_assert_eq!(&other.progress, &expected.progress);
        prop_assert_eq!(&other.finished, &expected.finished);
        prop_assert_eq!(&other.record.times, &expected.record.times);
        prop_assert_eq!(other.operations, expected.operations);
        prop_assert_eq!(other.engine.totals().digest, totals.digest);
        prop_assert_eq!(other.engine.totals().collective, totals.collective);
    }
    Ok(totals.clone())
}

/// The packets that all ranks of a communicator write and read in a collective on the tree network.
fn packets(collective: &Collective, tuning: &Tuning, ranks: u64) -> (u64, u64) {
    let passes = if tuning.operands == Operands::Floating { 2 } else { 1 };
    let packets = |bytes: u64| bytes.div_ceil(256).max(1);
    match *collective {
        Collective::Reduce { bytes, .. } => {
            let each = packets(bytes);
            (ranks * each * passes, (ranks * (passes - 1) + 1) * each)
        }
        Collective::Allreduce { bytes } => (ranks * packets(bytes) * passes, ranks * packets(bytes) * passes),
        Collective::Broadcast { bytes, .. } => (packets(bytes), (ranks - 1) * packets(bytes)),
        Collective::Barrier => (ranks, ranks),
        Collective::Gather { .. }
        | Collective::Gatherv { .. }
        | Collective::Scatter { .. }
        | Collective::Scatterv { .. }
        | Collective::Allgather { .. }
        | Collective::Allgatherv { .. }
        | Collective::Alltoall { .. }
        | Collective::Alltoallv { .. }
        | Collective::Alltoallw(_)
        | Collective::ReduceScatter { .. }
        | Collective::ReduceScatterBlock { .. }
        | Collective::Scan { .. }
        | Collective::Exscan { .. } => unreachable!("the programs have none"),
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Network collectives that overlap end, in the same way on any engine and any number of threads, also resumed.
    /// Every rank reads packets with the right contributions (the message layer checks each), and the right number
    /// of them.
    #[test]
    fn engines_agree_on_network_collectives(
        machine in machines(), count in 1u32..12, seed: u64, threads in 2usize..9, cut in 1u64..6000,
    ) {
        let ranks = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let calls: Vec<Vec<Call>> = (0..ranks).map(|rank| calls(ranks, rank, count, seed)).collect();
        let totals = agree(&machine, &calls, (threads, cut))?;
        let (mut injected, mut delivered, mut barriers) = (0, 0, 0);
        for call in &calls[0] {
            let Call::Collect { collective, tuning, .. } = call else { continue };
            barriers += u64::from(tuning.algorithm == Algorithm::Interrupts);
            if tuning.algorithm != Algorithm::TreeNetwork {
                continue;
            }
            let (written, read) = packets(collective, tuning, ranks.into());
            (injected, delivered) = (injected + written, delivered + read);
        }
        prop_assert_eq!((totals.collective.tree_injected, totals.collective.tree_delivered), (injected, delivered));
        prop_assert_eq!(totals.collective.releases, barriers);
    }
}

/// Some communicators of all ranks at a time, by the color of each rank.
struct Split {
    /// The number by which each rank calls its communicator.
    number: u32,
    colors: Vec<u32>,
    /// The class of each color, if it has one.
    classes: Vec<Option<u8>>,
}

impl Split {
    fn members(&self, color: u32) -> Vec<u32> {
        (0..self.colors.len() as u32).filter(|&rank| self.colors[rank as usize] == color).collect()
    }

    /// Colors in the order in which they get classes: those of several ranks first.
    fn order(&self, color: u32) -> u32 {
        let place = |color: u32| (self.members(color).len() < 2, color);
        (0..self.classes.len() as u32).filter(|&other| place(other) < place(color)).count() as u32
    }

    fn give_classes(&mut self, free: &[u8]) {
        for color in 0..self.classes.len() as u32 {
            let several = self.members(color).len() > 1;
            self.classes[color as usize] = free.get(self.order(color) as usize).copied().filter(|_| several);
        }
    }
}

/// The calls of all ranks, and the packets written, the packets read and the barriers of all collectives.
#[derive(Default)]
struct Programs {
    calls: Vec<Vec<Call>>,
    counts: (u64, u64, u64),
}

impl Programs {
    /// Rounds in which all ranks split, and then make calls on their communicators. Those on different communicators
    /// come in any order at each rank. Some communicators are freed, and leave their classes to others.
    fn new(machine: &Machine, ranks: u32, rounds: u32, seed: u64) -> Self {
        let draw = |what: u64, max: u64| mix(mix(seed).wrapping_add(what)) % max;
        let classes = machine.networks.class_routes.max(machine.networks.wires);
        let mut programs = Programs { calls: vec![vec![]; ranks as usize], ..Programs::default() };
        let mut splits = Vec::<Split>::new();
        for round in 0..rounds {
            let draw = |what: u64, max: u64| draw(u64::from(round) << 32 | what, max);
            let colors = 1 + draw(0, 4) as u32;
            let color = |rank: u32| draw(1000 + u64::from(rank), colors.into()) as u32;
            let mut split = Split {
                number: round + 1,
                colors: (0..ranks).map(color).collect(),
                classes: vec![None; colors as usize],
            };
            let used: Vec<u8> = splits.iter().flat_map(|split| &split.classes).flatten().copied().collect();
            let free: Vec<u8> = (1..=classes).filter(|class| !used.contains(class)).collect();
            split.give_classes(&free);
            programs.create(&split);
            splits.push(split);
            programs.collect(machine, &splits, 1 + draw(1, 6) as u32, mix(seed ^ u64::from(round)));
            if draw(2, 2) == 0 {
                let freed = splits.remove(draw(3, splits.len() as u64) as usize);
                let call = Call::FreeCommunicator { communicator: freed.number };
                programs.calls.iter_mut().for_each(|calls| calls.push(call.clone()));
            }
        }
        programs
    }

    fn create(&mut self, split: &Split) {
        for (calls, &color) in self.calls.iter_mut().zip(&split.colors) {
            calls.push(Call::Create {
                communicator: WORLD,
                members: Some(Members::list(split.members(color))),
                new: split.number,
                order: split.order(color),
            });
        }
    }

    /// Calls that all ranks begin and then wait for.
    fn collect(&mut self, machine: &Machine, splits: &[Split], count: u32, seed: u64) {
        let ranks = self.calls.len() as u32;
        let mut begun = vec![Vec::<(u64, Call)>::new(); ranks as usize];
        for number in 0..count {
            let draw = |what: u64, max: u64| mix(mix(seed ^ what).wrapping_add(number.into())) % max;
            // MPI_COMM_WORLD is a split with one color.
            let split = draw(0, 1 + splits.len() as u64).checked_sub(1).map(|split| &splits[split as usize]);
            let colors = split.map_or(1, |split| split.classes.len() as u32);
            for color in 0..colors {
                let members = split.map_or((0..ranks).collect(), |split| split.members(color));
                let class = split.map_or(Some(0), |split| split.classes[color as usize]);
                let communicator = split.map_or(WORLD, |split| split.number);
                if members.is_empty() {
                    continue;
                }
                let (collective, tuning) = drawn(machine, class, members.len() as u32, draw);
                self.count(&collective, &tuning, members.len() as u64);
                for rank in members {
                    let begin = Call::Collect {
                        collective: collective.clone(),
                        communicator,
                        request: Some(number),
                        tuning: Box::new(tuning),
                    };
                    // All ranks make the calls on one communicator in the same order.
                    let place = mix(seed ^ u64::from(communicator) << 32 ^ u64::from(rank));
                    begun[rank as usize].push((place, begin));
                }
            }
        }
        for (rank, mut begun) in begun.into_iter().enumerate() {
            begun.sort_by_key(|(place, _)| *place);
            let cycles = mix(seed ^ rank as u64) % 500;
            self.calls[rank].push(Call::Compute { cycles });
            self.calls[rank].extend(begun.into_iter().map(|(_, call)| call));
            self.calls[rank].push(wait(count));
        }
    }

    fn count(&mut self, collective: &Collective, tuning: &Tuning, members: u64) {
        let (injected, delivered, barriers) = &mut self.counts;
        *barriers += u64::from(tuning.algorithm == Algorithm::Interrupts);
        if tuning.algorithm == Algorithm::TreeNetwork {
            let (written, read) = packets(collective, tuning, members);
            (*injected, *delivered) = (*injected + written, *delivered + read);
        }
    }
}

/// A collective of the ranks of a communicator, on a network if its class has a part of one.
fn drawn(
    machine: &Machine,
    class: Option<u8>,
    members: u32,
    draw: impl Fn(u64, u64) -> u64,
) -> (Collective, Tuning) {
    let CollectiveNetworks { class_routes, wires, .. } = machine.networks;
    let has = |classes: u8| class.is_some_and(|class| class <= classes);
    let (root, bytes) = (draw(1, members.into()) as u32, [0, 8, 700, 3000][draw(2, 4) as usize]);
    let collective = match draw(3, 4) {
        0 => Collective::Barrier,
        1 => Collective::Reduce { root, bytes },
        2 => Collective::Allreduce { bytes },
        _ => Collective::Broadcast { root, bytes },
    };
    let algorithm = if collective == Collective::Barrier && has(wires) && draw(4, 2) == 0 {
        Algorithm::Interrupts
    } else if has(class_routes) {
        Algorithm::TreeNetwork
    } else {
        Algorithm::Auto
    };
    let operands = [Operands::Integer, Operands::Floating][draw(5, 2) as usize];
    (collective, Tuning { algorithm, operands, ..Tuning::default() })
}

proptest! {
    #![proptest_config(cases(40))]

    /// Collectives of several communicators that overlap end, in any order, in the same way on any engine and any number
    /// of threads, also resumed. What goes into a class route comes out of it.
    #[test]
    fn engines_agree_on_class_routes(
        machine in machines(), class_routes in 0u8..6, wires in 0u8..4, rounds in 1u32..5, seed: u64,
        threads in 2usize..9, cut in 1u64..30_000,
    ) {
        let machine = with_routes(machine, class_routes, wires);
        let ranks = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let Programs { calls, counts } = Programs::new(&machine, ranks, rounds, seed);
        let totals = agree(&machine, &calls, (threads, cut))?.collective;
        prop_assert_eq!((totals.tree_injected, totals.tree_delivered, totals.releases), counts);
    }
}

/// The depth of a node, and its way to the root, in a binary tree of all nodes.
fn way_up(node: u32) -> Vec<u32> {
    std::iter::successors(Some(node), |node| Some((node.checked_sub(1)?) / 2)).collect()
}

/// The hops from each of these nodes to the topmost node of the smallest subtree that joins them.
fn depths(nodes: &[u32]) -> Vec<u64> {
    let is_above_all = |above: &u32| nodes.iter().all(|&node| way_up(node).contains(above));
    let top = way_up(nodes[0]).into_iter().find(is_above_all).expect("the root is above all");
    nodes.iter().map(|&node| (way_up(node).len() - way_up(top).len()) as u64).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    /// Without other load, and if all ranks of a communicator begin at once, the last ends as the formulas of the page
    /// of the tree network say, for the depths of its own class route.
    #[test]
    fn times_on_a_class_route_are_those_of_the_formulas(
        lengths in prop::collection::vec(2u32..=4, 1..=3), seed: u64, share in 1u64..5, packets in 1u64..20,
        root in any::<prop::sample::Index>(), order in 0u32..3, all_hops in 1u32..40,
    ) {
        let mut machine = with_routes(machine(&lengths, 1), 3, 3);
        machine.network.tree.as_mut().unwrap().hop_latency_cycles = all_hops;
        let ranks = machine.network.shape.nodes();
        let is_member = |rank: &u32| mix(seed ^ u64::from(*rank)) % 5 < share;
        let drawn: Vec<u32> = (0..ranks).filter(is_member).collect();
        let members = if drawn.len() < 2 { vec![ranks - 2, ranks - 1] } else { drawn };
        let bytes = packets * 256;
        let root = root.index(members.len());
        let depth = depths(&members);
        let deepest = depth.iter().max().copied().unwrap();
        let others = depth.iter().enumerate().filter(|&(place, _)| place != root).map(|(_, depth)| *depth).max();
        let (hop, up_and_down) = (u64::from(all_hops), u64::from(WIRES.up_latency_cycles + WIRES.down_latency_cycles));
        let levels = members.iter().map(|&node| way_up(node).len() as u64 - 1).max().unwrap();
        let of_root = depth[root];
        let root = root as u32;
        let operations = [
            (Algorithm::Interrupts, Collective::Barrier, 1, levels * up_and_down + 1),
            (Algorithm::TreeNetwork, Collective::Barrier, 1, 2 * deepest * hop + PACKET_CYCLES),
            (Algorithm::TreeNetwork, Collective::Allreduce { bytes }, 1, 2 * deepest * hop + packets * PACKET_CYCLES),
            (Algorithm::TreeNetwork, Collective::Allreduce { bytes }, 2, 2 * deepest * hop + 2 * packets * PACKET_CYCLES),
            (Algorithm::TreeNetwork, Collective::Reduce { root, bytes }, 1,
                (deepest + of_root) * hop + packets * PACKET_CYCLES),
            (Algorithm::TreeNetwork, Collective::Broadcast { root, bytes }, 1,
                (of_root + others.unwrap_or(0)) * hop + packets * PACKET_CYCLES),
        ];
        let begin = |number: u64| 1_000_000 * (1 + number);
        let program = |rank: u32| {
            let members = members.contains(&rank).then(|| Members::list(members.iter().copied()));
            let is_in = members.is_some();
            let mut calls = vec![Call::Create { communicator: WORLD, members, new: 1, order }];
            for (number, (algorithm, collective, passes, _)) in (0..).zip(&operations).filter(|_| is_in) {
                let operands = if *passes == 2 { Operands::Floating } else { Operands::Integer };
                let tuning = Tuning { algorithm: *algorithm, operands, ..Tuning::default() };
                let collective = collective.clone();
                calls.push(Call::Advance { until: begin(number) });
                calls.push(Call::Collect { collective, communicator: 1, request: None, tuning: Box::new(tuning) });
            }
            calls
        };
        let run = run(&machine, 2, &[u64::MAX], &(0..ranks).map(program).collect::<Vec<_>>());
        prop_assert_eq!(&run.progress, &Progress::Finished);
        for (number, (algorithm, collective, passes, expected)) in (0..).zip(&operations) {
            let ends = members.iter().map(|&rank| run.record.times[rank as usize][3 + 2 * number as usize]);
            let last = ends.max().unwrap() - begin(number);
            // In two passes, the second needs the first packet of the first.
            let least = if *passes == 2 && packets * PACKET_CYCLES < 2 * deepest * hop + PACKET_CYCLES {
                2 * (2 * deepest * hop + PACKET_CYCLES) + (packets - 1) * PACKET_CYCLES
            } else {
                *expected
            };
            prop_assert_eq!(last, least, "{:?} {} of {:?}", algorithm, collective, members);
        }
    }
}
