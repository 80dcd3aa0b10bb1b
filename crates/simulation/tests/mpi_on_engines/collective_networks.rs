//! Collectives on collective networks: the operations that they wait for, their order, and that both engines run
//! them alike, also resumed.

use crate::support::{Listed, Machine, Run, cases};
use base::draws::mix;
use messaging::{Activity, Awaited, Parameters, Progress};
use mpi::{Algorithm, Call, Collective, Needed, Operands, Requests, Tuning, WORLD};
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
};
const PACKET_CYCLES: u64 = 132;
const WIRES: InterruptParameters =
    InterruptParameters { arity: 2, wires: 4, up_latency_cycles: 15, down_latency_cycles: 25 };

pub fn machine(lengths: &[u32], cores: u8) -> Machine {
    let mut machine = Machine { joins: true, ..Machine::torus(lengths, cores) };
    (machine.network.tree, machine.network.interrupts) = (Some(TREE), Some(WIRES));
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
    Call::Wait { requests: Requests { first: 0, count }, needed: Needed::All }
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
#[should_panic(expected = "tree-network is for MPI_COMM_WORLD alone")]
fn other_communicators_have_no_class_route() {
    let create = Call::Create { communicator: WORLD, members: Some(mpi::Members::All), new: 1 };
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
            Some(InterruptParameters { arity: 9 - arity, wires, up_latency_cycles: up, down_latency_cycles: down });
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
        let mut expected = run(&machine, 0, &[u64::MAX], &calls);
        prop_assert_eq!(&expected.progress, &Progress::Finished);
        let totals = expected.engine.totals();
        for (threads, cuts) in [
            (1, vec![u64::MAX]), (threads, vec![u64::MAX]), (0, vec![cut, u64::MAX]), (2, vec![cut, 2 * cut, u64::MAX]),
        ] {
            let mut other = run(&machine, threads, &cuts, &calls);
            prop_assert_eq!(&other.progress, &expected.progress);
            prop_assert_eq!(&other.finished, &expected.finished);
            prop_assert_eq!(&other.record.times, &expected.record.times);
            prop_assert_eq!(other.operations, expected.operations);
            prop_assert_eq!(other.engine.totals().digest, totals.digest);
            prop_assert_eq!(other.engine.totals().collective, totals.collective);
        }
        let (mut injected, mut delivered, mut barriers) = (0, 0, 0);
        for call in &calls[0] {
            let Call::Collect { collective, tuning, .. } = call else { continue };
            barriers += u64::from(tuning.algorithm == Algorithm::Interrupts);
            if tuning.algorithm != Algorithm::TreeNetwork {
                continue;
            }
            let passes = if tuning.operands == Operands::Floating { 2 } else { 1 };
            let packets = |bytes: u64| bytes.div_ceil(256).max(1);
            let all = u64::from(ranks);
            let (written, read) = match *collective {
                Collective::Reduce { bytes, .. } => {
                    let each = packets(bytes);
                    (all * each * passes, (all * (passes - 1) + 1) * each)
                }
                Collective::Allreduce { bytes } => (all * packets(bytes) * passes, all * packets(bytes) * passes),
                Collective::Broadcast { bytes, .. } => (packets(bytes), (all - 1) * packets(bytes)),
                Collective::Barrier => (all, all),
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
            };
            (injected, delivered) = (injected + written, delivered + read);
        }
        prop_assert_eq!((totals.collective.tree_injected, totals.collective.tree_delivered), (injected, delivered));
        prop_assert_eq!(totals.collective.releases, barriers);
    }
}
