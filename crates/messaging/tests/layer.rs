//! Requirements on the message layer on top of any network.

mod fake_network;

use fake_network::FakeNetwork;
use geometry::Shape;
use messaging::{
    Completion, Envelope, Message, MessageLayer, Operation, Parameters, Place, Progress, RankMap,
    RankMapError, Ranks, Totals, Waiting, node_at_distance,
};
use network::Engine;
use network::draws::mix;
use proptest::prelude::*;

/// Ranks that execute a script, one batch per resumption, and record what they received and when.
struct Scripted {
    batches: Vec<Vec<Vec<Operation>>>,
    received: Vec<(u32, u64, Vec<Message>)>,
}

impl Scripted {
    fn new(batches: Vec<Vec<Vec<Operation>>>) -> Self {
        Scripted { batches, received: Vec::new() }
    }
}

impl Ranks for Scripted {
    fn resume(&mut self, rank: u32, time: u64, completions: &[Completion], operations: &mut Vec<Operation>) {
        let messages = completions.iter().map(|Completion::Arrived(message)| *message).collect();
        self.received.push((rank, time, messages));
        let batches = &mut self.batches[rank as usize];
        if !batches.is_empty() {
            operations.extend(batches.remove(0));
        }
    }

    fn waiting(&self, rank: u32) -> Waiting {
        Waiting { since: u64::from(10 - rank), what: format!("script {rank}") }
    }
}

/// Ranks that send messages of many sizes to one another, compute in between, and finish when all have arrived.
struct Chatter {
    ranks: u32,
    rounds: u32,
    sent: Vec<u32>,
    received: Vec<u32>,
    wakeups: Vec<(u32, u64, Vec<Completion>)>,
}

impl Chatter {
    fn new(ranks: u32, rounds: u32) -> Self {
        let zeros = vec![0; ranks as usize];
        Chatter { ranks, rounds, sent: zeros.clone(), received: zeros, wakeups: Vec::new() }
    }
}

impl Ranks for Chatter {
    fn resume(&mut self, rank: u32, time: u64, completions: &[Completion], operations: &mut Vec<Operation>) {
        self.wakeups.push((rank, time, completions.to_vec()));
        self.received[rank as usize] += completions.len() as u32;
        let round = self.sent[rank as usize];
        if round < self.rounds {
            self.sent[rank as usize] += 1;
            let target = (rank + round + 1) % self.ranks;
            let bytes = mix(u64::from(round << 16 | rank)) % 2000;
            operations.push(Operation::Compute { cycles: bytes / 7 });
            operations.push(Operation::Send { target, bytes, envelope: Envelope([round.into(), 0]) });
        } else if self.received[rank as usize] == self.rounds {
            operations.push(Operation::Finish);
        }
    }

    fn waiting(&self, _rank: u32) -> Waiting {
        Waiting { since: 0, what: String::from("more chatter") }
    }
}

fn send(target: u32, bytes: u64) -> Operation {
    Operation::Send { target, bytes, envelope: Envelope::default() }
}

fn network(lengths: &[u32]) -> network::Parameters {
    let mut network = network::Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 7);
    network.node.cores = 2;
    network
}

fn layer(network: &network::Parameters, ranks: u32, cores: u8) -> MessageLayer {
    let map = RankMap::in_order(ranks, &network.shape, cores).unwrap();
    MessageLayer::new(network, &Parameters::default(), map).unwrap()
}

fn run_script(batches: Vec<Vec<Vec<Operation>>>) -> (Scripted, Progress, MessageLayer) {
    let network = network(&[4, 2, 2]);
    let mut engine = FakeNetwork::new(&network.shape, 0);
    let mut layer = layer(&network, batches.len() as u32, 1);
    let mut ranks = Scripted::new(batches);
    let progress = layer.advance(&mut engine, &mut ranks, u64::MAX);
    (ranks, progress, layer)
}

#[test]
fn a_message_is_received_one_poll_after_its_last_packet() {
    let receiver = vec![vec![], vec![Operation::Finish]];
    let (ranks, progress, layer) = run_script(vec![vec![vec![send(1, 241), Operation::Finish]], receiver]);
    assert_eq!(progress, Progress::Finished);
    // The second packet leaves after the first, at 256 + 14, and takes 10 + 12 + 32; the poll takes 12.
    let received = 270 + 54 + 12;
    let message = Message { source: 0, bytes: 241, envelope: Envelope::default() };
    assert_eq!(ranks.received, [(0, 0, vec![]), (1, 0, vec![]), (1, received, vec![message])]);
    assert_eq!((layer.finish_time(0), layer.last_finish_time()), (Some(0), Some(received)));
    let totals = layer.totals();
    assert_eq!((totals.packets_sent, totals.packets_received), (2, 2));
}

#[test]
fn operations_after_a_computation_are_delayed() {
    let sender = vec![vec![Operation::Compute { cycles: 1000 }, send(1, 0)], vec![Operation::Finish]];
    let (ranks, _, layer) = run_script(vec![sender, vec![vec![], vec![Operation::Finish]]]);
    assert_eq!(ranks.received[2].1, 1000);
    assert_eq!((ranks.received[3].0, ranks.received[3].1), (1, 1000 + 10 + 12 + 32 + 12));
    assert_eq!((layer.compute_cycles(0), layer.compute_cycles(1)), (1000, 0));
}

#[test]
fn a_busy_rank_receives_messages_when_its_computation_ends() {
    let busy = vec![vec![Operation::Compute { cycles: 5000 }], vec![Operation::Finish]];
    let (ranks, _, _) = run_script(vec![busy, vec![vec![send(0, 8), send(0, 9), Operation::Finish]]]);
    let (rank, time, messages) = ranks.received.last().unwrap();
    assert_eq!((*rank, *time), (0, 5000));
    assert_eq!(messages.iter().map(|message| message.bytes).collect::<Vec<_>>(), [8, 9]);
}

#[test]
fn messages_to_self_and_within_a_node_take_one_poll() {
    let network = network(&[2]);
    let mut layer = layer(&network, 4, 2);
    assert_eq!(layer.map().place(3), Place { node: 1, core: 1 });
    let own = vec![vec![send(0, 500), send(2, 0)], vec![Operation::Finish]];
    let idle = || vec![vec![Operation::Finish]];
    let mut ranks = Scripted::new(vec![own, idle(), vec![vec![], vec![Operation::Finish]], idle()]);
    let mut engine = FakeNetwork::new(&network.shape, 0);
    assert_eq!(layer.advance(&mut engine, &mut ranks, 100), Progress::Finished);
    assert!(engine.posted.is_empty());
    assert_eq!(ranks.received.iter().filter(|received| received.1 == 12).count(), 2);
}

#[test]
fn ranks_that_can_never_continue_are_reported() {
    let (_, progress, _) = run_script(vec![vec![vec![Operation::Finish]], vec![vec![]], vec![vec![]]]);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!((stuck.rank, stuck.ranks, stuck.since), (2, 2, 8));
    assert_eq!(stuck.waiting_for, "script 2");
}

#[test]
fn messages_for_a_finished_rank_are_counted_and_dropped() {
    let (_, progress, layer) =
        run_script(vec![vec![vec![send(1, 3), Operation::Finish]], vec![vec![Operation::Finish]]]);
    assert_eq!((progress, layer.totals().bytes_received), (Progress::Finished, 3));
}

#[test]
fn idle_periods_are_skipped() {
    let pause = vec![vec![Operation::Compute { cycles: 1 << 60 }, send(1, 1)], vec![Operation::Finish]];
    let (_, progress, layer) = run_script(vec![pause, vec![vec![], vec![Operation::Finish]]]);
    assert_eq!(progress, Progress::Finished);
    assert!(layer.last_finish_time().unwrap() > 1 << 60);
}

#[test]
fn rank_maps_that_do_not_fit_are_rejected() {
    let shape = Shape::torus(&[2, 2]).unwrap();
    let too_many = RankMap::in_order(9, &shape, 2).unwrap_err();
    assert_eq!(too_many.to_string(), "9 ranks need as many cores, but the machine has 4 nodes of 2");
    let unknown = RankMapError::UnknownNode { rank: 1, node: 4, last: 3 };
    assert_eq!(RankMap::on_nodes(&[0, 4], &shape, 1), Err(unknown));
    assert_eq!(
        RankMap::on_nodes(&[1, 1], &shape, 1),
        Err(RankMapError::NodeFull { rank: 1, node: 1, cores: 1 })
    );
    assert_eq!(RankMap::on_nodes(&[1, 1], &shape, 2).unwrap().place(1), Place { node: 1, core: 1 });
}

#[test]
fn nodes_at_every_distance_up_to_the_farthest() {
    let shape = Shape::new(&[8, 3, 4], &[true, false, true]).unwrap();
    for hops in 0..=8 {
        assert_eq!(shape.distance(0, node_at_distance(&shape, hops).unwrap()), hops);
    }
    assert_eq!(node_at_distance(&shape, 9), None);
}

#[test]
fn parameters_out_of_range_are_named() {
    let network = network(&[2]);
    let map = RankMap::in_order(1, &network.shape, 1).unwrap();
    let parameters = Parameters { polling_interval_cycles: 0, ..Parameters::default() };
    let error = MessageLayer::new(&network, &parameters, map).unwrap_err();
    assert_eq!(error.to_string(), "messaging.polling_interval_cycles = 0: must be from 1 to 1000000000");
}

/// The results of a run: what every rank received and when, the packets, the counters.
type RunRecord = (Vec<(u32, u64, Vec<Completion>)>, Vec<network::Posted>, Totals);

/// Runs [`Chatter`] in steps of these lengths, repeated cyclically.
fn chatter(ranks: u32, disorder: u64, polling_interval_cycles: u32, steps: &[u64]) -> RunRecord {
    let network = network(&[3, 2, 4]);
    let map = RankMap::in_order(ranks, &network.shape, 2).unwrap();
    let mut engine = FakeNetwork::new(&network.shape, disorder);
    let parameters = Parameters { polling_interval_cycles, ..Parameters::default() };
    let mut layer = MessageLayer::new(&network, &parameters, map).unwrap();
    let mut chatter = Chatter::new(ranks, 12);
    let mut steps = steps.iter().cycle();
    loop {
        let until = engine.now().saturating_add(*steps.next().unwrap());
        match layer.advance(&mut engine, &mut chatter, until) {
            Progress::Running => {}
            Progress::Finished => break,
            other => panic!("{other:?}"),
        }
    }
    // Handles depend on when rows became free, and the network does not use them.
    let mut packets = engine.posted;
    packets.iter_mut().for_each(|packet| packet.handle = 0);
    (chatter.wakeups, packets, layer.totals())
}

proptest! {
    #[test]
    fn results_do_not_depend_on_step_boundaries(
        ranks in 1u32..49,
        disorder in 0u64..500,
        polling_interval_cycles in 1u32..40,
        steps in prop::collection::vec(1u64..200, 1..20),
    ) {
        let whole = chatter(ranks, disorder, polling_interval_cycles, &[u64::MAX]);
        prop_assert_eq!(&whole, &chatter(ranks, disorder, polling_interval_cycles, &steps));
        let totals = whole.2;
        prop_assert_eq!(totals.messages_sent, u64::from(ranks) * 12);
        prop_assert_eq!(totals.messages_sent, totals.messages_received);
        prop_assert_eq!(totals.bytes_sent, totals.bytes_received);
        prop_assert_eq!(totals.packets_sent, totals.packets_received);
    }
}
