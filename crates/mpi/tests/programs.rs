//! Requirements on MPI on top of any network that delivers all packets, in any order.

#[path = "../../messaging/tests/fake_network/mod.rs"]
mod fake_network;

use fake_network::FakeNetwork;
use geometry::Shape;
use messaging::{MessageLayer, Parameters, Progress, RankMap, node_at_distance};
use mpi::{Call, Collective, Mpi, PingPong, Program, Status};
use network::Engine;
use network::draws::mix;
use proptest::prelude::*;

/// A list of calls for each rank, and a record of the messages received.
#[derive(Clone, Default)]
struct Listed {
    calls: Vec<Vec<Call>>,
    positions: Vec<usize>,
    received: Vec<(u32, u64, Status)>,
    /// When each rank made each of its calls, including its end.
    times: Vec<Vec<u64>>,
}

impl Listed {
    fn new(calls: Vec<Vec<Call>>) -> Self {
        let ranks = calls.len();
        Listed { calls, positions: vec![0; ranks], times: vec![vec![]; ranks], received: vec![] }
    }
}

impl Program for Listed {
    fn next(&mut self, rank: u32, time: u64, received: Option<Status>) -> Option<Call> {
        let index = rank as usize;
        self.received.extend(received.map(|status| (rank, time, status)));
        self.times[index].push(time);
        self.positions[index] += 1;
        self.calls[index].get(self.positions[index] - 1).copied()
    }
}

fn send(target: u32, tag: u32, bytes: u64) -> Call {
    Call::Send { target, tag, bytes }
}

fn receive(source: Option<u32>, tag: Option<u32>) -> Call {
    Call::Receive { source, tag }
}

/// Runs a program on a torus of 24 nodes of two cores, in these steps, repeated cyclically.
fn run<P: Program>(program: P, ranks: u32, disorder: u64, steps: &[u64]) -> (Mpi<P>, Progress, MessageLayer) {
    let mut network = network::Parameters::bluegene_l(Shape::torus(&[3, 2, 4]).unwrap(), 3);
    network.node.cores = 2;
    let map = RankMap::in_order(ranks, &network.shape, 2).unwrap();
    let mut layer = MessageLayer::new(&network, &Parameters::default(), map).unwrap();
    let mut engine = FakeNetwork::new(&network.shape, disorder);
    let mut mpi = Mpi::new(program, ranks);
    let mut steps = steps.iter().cycle();
    let progress = loop {
        let until = engine.now().saturating_add(*steps.next().unwrap());
        let progress = layer.advance(&mut engine, &mut mpi, until);
        if progress != Progress::Running {
            break progress;
        }
    };
    (mpi, progress, layer)
}

fn run_list(calls: Vec<Vec<Call>>, disorder: u64) -> (Listed, Progress) {
    let ranks = calls.len() as u32;
    let (mpi, progress, _) = run(Listed::new(calls), ranks, disorder, &[u64::MAX]);
    (mpi.program().clone(), progress)
}

#[test]
fn messages_of_a_pair_match_in_send_order_although_packets_overtake() {
    // Long messages are sent first; the short ones after them arrive earlier.
    let sends = (0..40).map(|number| send(1, 0, (40 - number) * 100)).collect();
    let (program, progress) = run_list(vec![sends, vec![receive(Some(0), None); 40]], 5000);
    assert_eq!(progress, Progress::Finished);
    let bytes: Vec<u64> = program.received.iter().map(|(_, _, status)| status.bytes).collect();
    assert_eq!(bytes, (0..40).map(|number| (40 - number) * 100).collect::<Vec<_>>());
}

#[test]
fn tags_select_messages_and_wildcards_take_the_first_arrival() {
    let sends = |tag: u32| vec![Call::Compute { cycles: tag.into() }, send(0, tag, 0)];
    let wait = Call::Compute { cycles: 100_000 };
    let receives = vec![
        wait,
        receive(None, Some(300)),
        receive(None, None),
        receive(Some(1), None),
        receive(None, Some(400)),
    ];
    let (program, progress) = run_list(vec![receives, sends(100), sends(5), sends(300), sends(400)], 0);
    assert_eq!(progress, Progress::Finished);
    let tags: Vec<u32> = program.received.iter().map(|(_, _, status)| status.tag).collect();
    assert_eq!(tags, [300, 5, 100, 400]);
}

#[test]
fn a_receive_waits_for_its_message_and_a_send_completes_immediately() {
    let late = vec![Call::Compute { cycles: 7000 }, send(1, 0, 8)];
    let (program, _) = run_list(vec![late, vec![receive(Some(0), Some(0))]], 0);
    assert_eq!(program.times[0], [0, 7000, 7000]);
    assert_eq!(program.times[1], [0, 7000 + 10 + 12 + 32 + 12]);
}

#[test]
fn a_receive_without_a_sender_is_reported_with_rank_and_call() {
    let calls = vec![vec![send(1, 5, 0)], vec![receive(Some(0), Some(5)), receive(Some(0), Some(6))]];
    let (_, progress) = run_list(calls, 0);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!((stuck.rank, stuck.ranks, stuck.since), (1, 1, 66));
    assert_eq!(stuck.waiting_for, "MPI_Recv from rank 0 with tag 6 (call 2)");
}

#[test]
fn ranks_that_disagree_about_a_collective_are_reported_as_stuck() {
    let barrier = Call::Collective(Collective::Barrier);
    let allreduce = Call::Collective(Collective::Allreduce { bytes: 8 });
    let (_, progress) = run_list(vec![vec![barrier], vec![allreduce]], 0);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!(stuck.waiting_for, "a message from rank 1 in MPI_Barrier (call 1)");
    assert_eq!(stuck.ranks, 2);
}

#[test]
fn a_collective_of_one_rank_takes_no_time_and_does_not_recurse() {
    let calls = vec![Call::Collective(Collective::Barrier); 1_000_000];
    let (program, progress) = run_list(vec![calls], 0);
    assert_eq!((progress, program.times[0].last()), (Progress::Finished, Some(&0)));
}

#[test]
fn a_receive_after_a_collective_reports_only_its_own_message() {
    let allreduce = Call::Collective(Collective::Allreduce { bytes: 8 });
    let calls = vec![vec![allreduce, send(1, 9, 3)], vec![allreduce, receive(None, None)]];
    let (program, _) = run_list(calls, 0);
    assert_eq!(program.received.len(), 1);
    assert_eq!(program.received[0].2, Status { source: 0, tag: 9, bytes: 3 });
}

#[test]
fn ping_pong_measures_one_way_times() {
    let network = network::Parameters::bluegene_l(Shape::torus(&[8, 8, 8]).unwrap(), 1);
    for (hops, bytes, size) in [(1, 0, 32), (4, 16, 32), (9, 240, 256)] {
        let nodes = [0, node_at_distance(&network.shape, hops).unwrap()];
        let map = RankMap::on_nodes(&nodes, &network.shape, 1).unwrap();
        let mut layer = MessageLayer::new(&network, &Parameters::default(), map).unwrap();
        let mut mpi = Mpi::new(PingPong::new(bytes, 5), 2);
        let mut engine = FakeNetwork::new(&network.shape, 0);
        assert_eq!(layer.advance(&mut engine, &mut mpi, u64::MAX), Progress::Finished);
        assert_eq!(mpi.program().one_way_cycles(), [10 + 12 * u64::from(hops) + size + 12; 10]);
    }
}

/// Every rank enters after its own delay. No rank may leave a barrier or an allreduce before the last has entered.
fn assert_synchronizes(collective: Collective, ranks: u32, disorder: u64) {
    let delay = |rank: u32| mix(rank.into()) % 10_000;
    let calls = (0..ranks)
        .map(|rank| vec![Call::Compute { cycles: delay(rank) }, Call::Collective(collective)])
        .collect();
    let (program, progress) = run_list(calls, disorder);
    assert_eq!(progress, Progress::Finished);
    let last = (0..ranks).map(delay).max().unwrap();
    assert!(program.times.iter().all(|times| times[2] >= last), "{collective} of {ranks}");
}

/// Random traffic in which every message is received; the receives select sources and tags in varying order.
fn exchange(ranks: u32, rounds: u32) -> Listed {
    let calls = |rank: u32| {
        let round = |round: u32| {
            let shift = 1 + (mix(round.into()) % u64::from(ranks)) as u32;
            let bytes = mix(u64::from(rank) << 32 | u64::from(round)) % 3000;
            let root = round % ranks;
            [
                Call::Compute { cycles: bytes % 97 },
                send((rank + shift) % ranks, round % 3, bytes),
                send((rank + shift) % ranks, 7, bytes / 2),
                receive(Some((rank + ranks - shift % ranks) % ranks), Some(7)),
                receive(None, Some(round % 3)),
                Call::Collective(match round % 4 {
                    0 => Collective::Barrier,
                    1 => Collective::Allreduce { bytes },
                    _ => Collective::Broadcast { root, bytes },
                }),
            ]
        };
        (0..rounds).flat_map(round).collect()
    };
    Listed::new((0..ranks).map(calls).collect())
}

proptest! {
    #[test]
    fn collectives_synchronize(ranks in 1u32..=17, disorder in 0u64..2000) {
        assert_synchronizes(Collective::Barrier, ranks, disorder);
        assert_synchronizes(Collective::Allreduce { bytes: 1000 }, ranks, disorder);
    }

    #[test]
    fn results_do_not_depend_on_step_boundaries(
        ranks in 1u32..=17,
        disorder in 0u64..2000,
        steps in prop::collection::vec(1u64..500, 1..20),
    ) {
        let (whole, progress, layer) = run(exchange(ranks, 8), ranks, disorder, &[u64::MAX]);
        prop_assert_eq!(&progress, &Progress::Finished);
        let totals = layer.totals();
        prop_assert_eq!(totals.messages_sent, totals.messages_received);
        prop_assert_eq!(totals.bytes_sent, totals.bytes_received);
        let (chopped, _, chopped_layer) = run(exchange(ranks, 8), ranks, disorder, &steps);
        prop_assert_eq!(&whole.program().received, &chopped.program().received);
        prop_assert_eq!(&whole.program().times, &chopped.program().times);
        prop_assert_eq!(layer.last_finish_time(), chopped_layer.last_finish_time());
        prop_assert_eq!(totals, chopped_layer.totals());
    }
}
