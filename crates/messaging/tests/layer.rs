//! Requirements on the message layer, on both engines.

use base::checkpoint::{FrameReader, FrameWriter};
use base::clock::ClockRatio;
use geometry::Shape;
use messaging::{
    Aborted, Activity, Awaited, CallKind, Completion, Dma, End, Envelope, Interval, Line, Message, MessageId,
    MessageProtocol, Messages, MessagingBuilder, NodeCosts, Operation, Parameters, Place, Progress, RankMap,
    RankMapError, RankSlot, Ranks, Recorder, Report, Transfer, Waiting, Watermark, node_at_distance,
};
use network::parameters::FifoSize;
use network::{Engine, Traffic};
use reference::ReferenceEngine;
use std::any::Any;
use std::io;
use std::sync::{Arc, Mutex};
use windowed::new_engine;

/// A resumption of a rank: rank, processor cycle, completions.
type Notified = (u32, u64, Vec<Completion>);

/// Ranks that execute a script, one batch per resumption; the resumptions are recorded for all parts together.
struct Scripted {
    batches: Vec<Vec<Vec<Operation>>>,
    notified: Arc<Mutex<Vec<Notified>>>,
}

impl Ranks for Scripted {
    fn resume(
        &mut self,
        rank: RankSlot,
        time: u64,
        completions: &[Completion],
        operations: &mut Vec<Operation>,
    ) {
        self.notified.lock().unwrap().push((rank.rank, time, completions.to_vec()));
        let batches = &mut self.batches[rank.rank as usize];
        if !batches.is_empty() {
            operations.extend(batches.remove(0));
        }
    }

    fn arrive(&mut self, _: RankSlot, message: &Message, accepted: &mut Vec<MessageId>) -> bool {
        accepted.push(message.id());
        false
    }

    fn waiting(&self, rank: RankSlot) -> Waiting {
        Waiting { since: u64::from(10_u32.saturating_sub(rank.rank)), what: format!("script {}", rank.rank) }
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, _: RankSlot, _: &mut FrameWriter<'_>) -> io::Result<()> {
        Ok(())
    }

    fn restore(&mut self, _: RankSlot, _: &mut FrameReader<'_>) -> io::Result<()> {
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// One processor cycle per network cycle, so that times are easy to read.
const CLOCK: ClockRatio = ClockRatio { processor_cycles: 1, cycles: 1 };

fn machine(lengths: &[u32], cores: u8) -> network::Parameters {
    let mut network = network::Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 7);
    network.node.cores = cores;
    network.node.clock = CLOCK;
    network
}

/// A run of a script: its engine at the end, and the resumptions of the ranks, in order of time and rank.
struct Run {
    engine: Box<dyn Engine>,
    notified: Vec<Notified>,
}

impl Run {
    fn report(&self) -> Report<'_> {
        Report::of(&*self.engine, CLOCK).expect("the nodes have software")
    }
}

/// Runs a script on an engine: the reference engine for 0 threads.
fn run_on(
    threads: usize,
    network: &network::Parameters,
    parameters: Parameters,
    batches: &[Vec<Vec<Operation>>],
) -> Run {
    let map = RankMap::in_order(batches.len() as u32, &network.shape, network.node.cores).unwrap();
    let deposits =
        batches.iter().flatten().flatten().any(|operation| matches!(operation, Operation::Deposit { .. }));
    let (notified, batches) = (Arc::new(Mutex::new(Vec::new())), batches.to_vec());
    let record = notified.clone();
    let new_ranks = move |_: &[Option<u32>]| -> Box<dyn Ranks> {
        Box::new(Scripted { batches: batches.clone(), notified: record.clone() })
    };
    let builder = MessagingBuilder::new(network, &parameters, map, Messages::ANY, new_ranks).unwrap();
    let builder = if deposits { builder.depositing() } else { builder };
    let builder = builder.observed(|| Box::new(Recorder::default()));
    let traffic = Traffic::Software(Arc::new(builder));
    let mut engine: Box<dyn Engine> = match threads {
        0 => Box::new(ReferenceEngine::new(network.clone(), traffic)),
        _ => new_engine(network.clone(), traffic, threads),
    };
    while let Some(next) = engine.next_event() {
        engine.advance(next + 1);
    }
    let mut notified = notified.lock().unwrap().clone();
    notified.sort();
    Run { engine, notified }
}

/// Runs a script on all engines, which agree.
fn run_with(network: &network::Parameters, parameters: Parameters, batches: &[Vec<Vec<Operation>>]) -> Run {
    let expected = run_on(0, network, parameters, batches);
    for threads in [1, 3] {
        let run = run_on(threads, network, parameters, batches);
        assert_eq!(run.notified, expected.notified, "{threads} threads");
        assert_eq!(run.report().totals(), expected.report().totals());
        assert_eq!(run.report().progress(), expected.report().progress());
        assert_eq!(run.report().time_lines(), expected.report().time_lines(), "{threads} threads");
    }
    expected
}

fn run(batches: &[Vec<Vec<Operation>>]) -> Run {
    run_with(&machine(&[4, 2, 2], 1), Parameters::default(), batches)
}

fn send(target: u32, bytes: u64) -> Operation {
    Operation::Send { target, bytes, envelope: Envelope::default(), reports: false, synchronous: false }
}

fn compute(cycles: u64) -> Operation {
    Operation::Compute { cycles }
}

fn arrived(source: u32, number: u32, bytes: u64) -> Completion {
    Completion::Arrived { id: MessageId { source, number }, bytes }
}

const FINISH: Operation = Operation::Finish(End::Finalized);

/// Injection latency, a hop, the packet, the receiver's part (row M6) and the polling interval.
fn one_way(bytes: u64) -> u64 {
    10 + 12 + bytes + 4 + 12
}

#[test]
fn a_message_is_received_one_poll_after_its_last_packet() {
    let run = run(&[vec![vec![send(1, 0), FINISH]], vec![vec![], vec![FINISH]]]);
    assert_eq!(run.report().progress(), Progress::Finished);
    let expected = [(0, 0, vec![]), (1, 0, vec![]), (1, one_way(32), vec![arrived(0, 0, 0)])];
    assert_eq!(run.notified, expected);
    assert_eq!(run.report().finish_cycles(), [Some(0), Some(one_way(32))]);
    assert_eq!(run.report().last_finish_cycle(), Some(one_way(32)));
    let totals = run.report().totals();
    assert_eq!((totals.packets_sent, totals.packets_received), (1, 1));
}

fn deposit(first: u32, last: u32, is_plus: bool, bytes: u64) -> Operation {
    let line = Line { first, last, is_plus };
    Operation::Deposit { line, bytes, envelope: Envelope::default(), reports: false }
}

/// A copy is complete when the tail has left to the next node, one hop after the other.
#[test]
fn a_message_along_a_line_is_received_at_each_of_its_nodes() {
    for (line, hops_to) in [(deposit(1, 4, true, 0), [1, 2, 3, 4]), (deposit(4, 1, false, 0), [4, 3, 2, 1])] {
        let receiver = || vec![vec![], vec![FINISH]];
        let batches = [vec![vec![line, FINISH]], receiver(), receiver(), receiver(), receiver()];
        let mut run = run_with(&machine(&[5], 1), Parameters::default(), &batches);
        assert_eq!(run.report().progress(), Progress::Finished);
        let received: Vec<u64> = (1..5).map(|rank| run.report().finish_cycles()[rank].unwrap()).collect();
        let expected: Vec<u64> = hops_to.iter().map(|hops| one_way(32) + 12 * (hops - 1)).collect();
        assert_eq!(received, expected);
        let totals = run.report().totals();
        assert_eq!((totals.messages_sent, totals.messages_received), (4, 4));
        assert_eq!((totals.packets_sent, totals.packets_received), (4, 4));
        let packets = run.engine.totals();
        assert_eq!((packets.injected, packets.deposited, packets.delivered), (1, 3, 4));
    }
}

/// The cores of a node have separate lines; messages along one keep their order, and wait for no others.
#[test]
fn messages_along_lines_keep_their_order_on_each_core() {
    let mut network = machine(&[4, 2], 2);
    network.node.injection_fifo = FifoSize::Bytes(512);
    let costs = Parameters { write_processor_cycles: 40, read_processor_cycles: 90, ..Parameters::default() };
    // Cores last: rank 8 + n is on the second core of node n.
    let lines = |first: u32| {
        let sizes = [900, 0, 2000];
        sizes.map(|bytes| deposit(first + 1, first + 3, true, bytes)).to_vec()
    };
    let mut batches = vec![vec![vec![FINISH]]; 16];
    for first in [0, 8] {
        batches[first as usize] = vec![[lines(first), vec![FINISH]].concat()];
        (1..4).for_each(|place| batches[(first + place) as usize] = vec![vec![]; 3]);
        (1..4).for_each(|place| batches[(first + place) as usize].push(vec![FINISH]));
    }
    let run = run_with(&network, costs, &batches);
    assert_eq!(run.report().progress(), Progress::Finished);
    for (first, place) in [(0, 1), (0, 3), (8, 2), (8, 3)] {
        let notified = run.notified.iter().filter(|(rank, ..)| *rank == first + place);
        let numbers: Vec<u32> = notified
            .flat_map(|(_, _, completions)| completions)
            .map(|completion| {
                let Completion::Arrived { id, .. } = completion else { panic!("{completion:?}") };
                assert_eq!(id.source, first, "{completion:?}");
                id.number
            })
            .collect();
        assert_eq!(numbers, [0, 1, 2], "rank {}", first + place);
    }
}

#[test]
#[should_panic(expected = "rank 0 has no line from rank 1 to 3")]
fn ranks_off_the_line_get_nothing() {
    let mut batches = vec![vec![vec![FINISH]]; 4];
    batches[0] = vec![vec![deposit(1, 3, true, 0)]];
    run_on(1, &machine(&[2, 2], 1), Parameters::default(), &batches);
}

/// The second packet takes the link after the first, at 256 + 14 cycles.
#[test]
fn a_message_of_two_packets_is_received_once() {
    let run = run(&[vec![vec![send(1, 241), FINISH]], vec![vec![], vec![FINISH]]]);
    assert_eq!(run.notified[2..], [(1, 270 + one_way(32), vec![arrived(0, 0, 241)])]);
    let totals = run.report().totals();
    assert_eq!((totals.packets_sent, totals.packets_received), (2, 2));
}

/// Messages arrive in the order of their last packets: MPI restores that of the sends. The short packet takes the other
/// of the two shortest paths.
#[test]
fn a_short_message_overtakes_a_long_one() {
    let sender = vec![vec![send(5, 240), send(5, 0), FINISH]];
    let receiver = vec![vec![], vec![], vec![FINISH]];
    let bystander = vec![vec![FINISH]];
    let mut scripts = vec![bystander; 6];
    (scripts[0], scripts[5]) = (sender, receiver);
    let run = run(&scripts);
    let completions: Vec<Completion> =
        run.notified.iter().flat_map(|(_, _, notified)| notified.clone()).collect();
    assert_eq!(completions, [arrived(0, 1, 0), arrived(0, 0, 240)]);
}

/// No cycle of an idle machine is simulated.
#[test]
fn idle_periods_are_skipped() {
    let pause = vec![vec![compute(1 << 32), send(1, 1)], vec![FINISH]];
    let run = run(&[pause, vec![vec![], vec![FINISH]]]);
    assert_eq!(run.report().progress(), Progress::Finished);
    assert_eq!(run.report().last_finish_cycle(), Some((1 << 32) + one_way(32)));
}

#[test]
fn operations_after_a_computation_are_delayed() {
    let sender = vec![vec![compute(1000), send(1, 0)], vec![FINISH]];
    let run = run(&[sender, vec![vec![], vec![FINISH]]]);
    assert_eq!(run.notified[1], (0, 1000, vec![]));
    assert_eq!(run.notified[3], (1, 1000 + one_way(32), vec![arrived(0, 0, 0)]));
    assert_eq!(run.report().computed_cycles(), [1000, 0]);
}

#[test]
fn a_busy_rank_is_notified_of_messages_when_its_computation_ends() {
    let busy = vec![vec![compute(5000)], vec![FINISH]];
    let run = run(&[busy, vec![vec![send(0, 8), compute(500), send(0, 9)], vec![FINISH]]]);
    assert!(run.notified.contains(&(0, 5000, vec![arrived(1, 0, 8), arrived(1, 1, 9)])));
}

/// With costs, a packet is written and read by the core, and a core that computes does neither.
#[test]
fn writing_and_reading_take_the_time_of_the_core() {
    let parameters = Parameters {
        write_processor_cycles: 60,
        read_processor_cycles: 204,
        reads_while_computing: false,
        ..Parameters::default()
    };
    let scripts = |computes: u64| {
        let sender = vec![vec![send(1, 0), compute(computes)], vec![FINISH]];
        vec![sender, vec![vec![], vec![FINISH]]]
    };
    let network = machine(&[4], 1);
    let free = run_with(&network, parameters, &scripts(0));
    assert_eq!(free.notified.last(), Some(&(1, 60 + one_way(32) + 204, vec![arrived(0, 0, 0)])));
    // The packet is written before the computation begins.
    let busy = run_with(&network, parameters, &scripts(1000));
    assert_eq!(busy.notified.last(), free.notified.last());
    assert_eq!(busy.notified[1], (0, 1060, vec![]));
    // The receiver computes first.
    let late = vec![vec![vec![send(1, 0), FINISH]], vec![vec![compute(1000)], vec![], vec![FINISH]]];
    let late = run_with(&network, parameters, &late);
    assert_eq!(late.notified.last(), Some(&(1, 1000 + 204 + 12, vec![arrived(0, 0, 0)])));
}

/// The cost of a message is the time that the time lines of both nodes spend on it.
#[test]
fn transfers_cost_what_time_lines_spend_on_them() {
    let mut different = (11u32..).step_by(4);
    let by_offset: Vec<u32> = (0..16).map(|offset| 1000 * offset).collect();
    let costs = Parameters {
        rendezvous_from_bytes: Some(700),
        envelope_bytes: 16,
        partial_packets: false,
        alignment_bytes: 16,
        send_offset_bytes: 7,
        receive_offset_bytes: 5, // 14 behind those of the sender
        realign_processor_cycles_by_offset: by_offset.try_into().unwrap(),
        reads_while_computing: false,
        ..Parameters::default().with_costs(|_| different.next().unwrap_or(0))
    };
    let costs = Parameters { eager_processor_cycles: 5_000, ..costs };
    let network = machine(&[4], 1);
    let cases = MessageProtocol::ALL.iter().flat_map(|&protocol| {
        let movers = [None, Some(DMA)].into_iter();
        movers.flat_map(move |dma| [0, 600, 700].map(|bytes| (Parameters { protocol, dma, ..costs }, bytes)))
    });
    for (parameters, bytes) in cases {
        let run = run_with(&network, parameters, &[vec![vec![send(1, bytes)], vec![]], vec![vec![]]]);
        // By node: its core, and its DMA engine.
        let mut spent = [NodeCosts::default(); 2];
        for line in run.report().time_lines() {
            let is_of_message = matches!(line.activity, Activity::Write | Activity::Read | Activity::Copy);
            let cycles = if is_of_message { line.end - line.start } else { 0 };
            let of_node = &mut spent[line.place.node as usize];
            *(if line.place.core == 0 { &mut of_node.core } else { &mut of_node.dma }) += cycles;
        }
        let mut expected = [NodeCosts::default(); 2];
        for transfer in Transfer::all(&network, &parameters, bytes) {
            let (from, to) = if transfer.is_answer { (1, 0) } else { (0, 1) };
            expected[from] += transfer.sent;
            expected[to] += transfer.received;
        }
        assert_eq!(spent, expected, "{parameters:?} {bytes} bytes");
        let packets: u64 =
            Transfer::all(&network, &parameters, bytes).iter().map(|transfer| transfer.packets).sum();
        assert_eq!(run.report().totals().packets_received, packets);
    }
    // Layers divide the same.
    let [message] = Transfer::all(&network, &costs, 100)[..] else { panic!("it is eager") };
    let layers = costs.layers_of_one_packet(message.chunks as u8);
    let calls = u64::from(costs.call_processor_cycles.of(CallKind::Send));
    assert_eq!(
        layers.packet + layers.message + layers.mpi,
        message.sent.core + message.received.core + calls
    );
}

/// The time lines of nodes of one core: node, activity, start, end.
fn time_lines(
    reads_while_computing: bool,
    scripts: &[Vec<Vec<Operation>>],
) -> Vec<(u32, Activity, u64, u64)> {
    let parameters = Parameters {
        write_processor_cycles: 60,
        read_processor_cycles: 204,
        reads_while_computing,
        ..Parameters::default()
    };
    let run = run_with(&machine(&[4], 1), parameters, scripts);
    let of_last = MessageId { source: 0, number: run.report().totals().messages_sent as u32 - 1 };
    let line = |line: Interval| {
        let moves_packets = matches!(line.activity, Activity::Write | Activity::Read);
        let is_poll = line.activity == Activity::Wait(Awaited::Poll);
        assert_eq!(line.message, (moves_packets || is_poll).then_some(of_last));
        assert_eq!(line.rank, Some(line.place.node));
        (line.place.node, line.activity, line.start, line.end)
    };
    run.report().time_lines().into_iter().map(line).collect()
}

/// Rank 0 sends two packets, after a message to itself; the second takes the link when the first has left it.
#[test]
fn an_observer_receives_the_complete_time_line_of_each_core() {
    use Activity::{Call, Compute, Read, Write};
    const ANY: Activity = Activity::Wait(Awaited::Unknown);
    const POLL: Activity = Activity::Wait(Awaited::Poll);
    let calls = vec![send(0, 9), send(1, 241), Operation::Call { cycles: 48 }, compute(100)];
    let sender = vec![calls, vec![FINISH]];
    let of_sender = [(0, Write, 0, 60), (0, Write, 60, 120), (0, Call, 120, 168), (0, Compute, 168, 268)];
    let check =
        |reads_while_computing, receiver: Vec<Vec<Operation>>, expected: &[(u32, Activity, u64, u64)]| {
            let mut expected = [&of_sender, expected].concat();
            expected.sort_by_key(|&(node, _, start, _)| (start, node));
            assert_eq!(time_lines(reads_while_computing, &[sender.clone(), receiver]), expected);
        };
    let receiver = |cycles| vec![vec![compute(cycles)], vec![], vec![FINISH]];
    let (first, second) = (60 + 10 + 12 + 256 + 4, 60 + 10 + 12 + 256 + 4 + 204);
    let reads = [(1, Read, first, second), (1, Read, second, 750)];
    for reads_while_computing in [false, true] {
        let early = [(1, Compute, 0, 10), (1, ANY, 10, first), reads[0], reads[1], (1, POLL, 750, 762)];
        check(reads_while_computing, receiver(10), &early);
    }
    let late = [(1, Compute, 0, 1000), (1, Read, 1000, 1204), (1, Read, 1204, 1408), (1, POLL, 1408, 1420)];
    check(false, receiver(1000), &late);
    // The computation ends while the core reads, or later.
    check(true, receiver(400), &[(1, Compute, 0, first), reads[0], reads[1], (1, POLL, 750, 762)]);
    let latest = [(1, Compute, 0, first), reads[0], reads[1], (1, Compute, 750, 5000)];
    check(true, vec![vec![compute(5000)], vec![FINISH]], &latest);
}

#[test]
fn the_core_of_a_rank_that_has_ended_is_idle_until_it_reads() {
    use Activity::{Idle, Read, Write};
    let lines = time_lines(false, &[vec![vec![send(1, 0), FINISH]], vec![vec![FINISH]]]);
    assert_eq!(lines, [(0, Write, 0, 60), (1, Idle, 0, 118), (1, Read, 118, 322)]);
}

/// A sender is notified when its last packet is in a FIFO.
#[test]
fn a_sender_is_notified_when_its_message_has_left() {
    let parameters = Parameters { write_processor_cycles: 60, ..Parameters::default() };
    let send = Operation::Send {
        target: 1,
        bytes: 720,
        envelope: Envelope::default(),
        reports: true,
        synchronous: false,
    };
    let scripts = vec![vec![vec![send], vec![FINISH]], vec![vec![], vec![FINISH]]];
    let run = run_with(&machine(&[4], 1), parameters, &scripts);
    assert_eq!(run.notified[1], (0, 180, vec![Completion::Sent(0)]));
}

#[test]
fn messages_to_self_and_within_a_node_take_one_poll() {
    let network = machine(&[2], 2);
    let own = vec![vec![send(0, 500), send(2, 0)], vec![FINISH]];
    let idle = || vec![vec![FINISH]];
    let scripts = [own, idle(), vec![vec![], vec![FINISH]], idle()];
    let run = run_with(&network, Parameters::default(), &scripts);
    assert_eq!(run.engine.so_far().delivered, 0);
    assert_eq!(run.notified.iter().filter(|notified| notified.1 == 12).count(), 2);
    let map = RankMap::in_order(4, &network.shape, 2).unwrap();
    assert_eq!(map.place(3), Place { node: 1, core: 1 });
}

#[test]
fn ranks_that_can_never_continue_are_reported() {
    let run = run(&[vec![vec![FINISH]], vec![vec![]], vec![vec![]]]);
    let Progress::Stuck(stuck) = run.report().progress() else { panic!("not stuck") };
    assert_eq!((stuck.rank, stuck.ranks, stuck.since, stuck.quiet_since), (2, 2, 8, 9));
    assert_eq!(stuck.waiting_for, "script 2");
    let others: Vec<_> =
        stuck.others.iter().map(|other| (other.rank, other.since, &*other.waiting_for)).collect();
    assert_eq!(others, [(1, 9, "script 1")]);
}

#[test]
fn only_some_of_many_stuck_ranks_are_named() {
    let run = run_with(&machine(&[20], 1), Parameters::default(), &vec![vec![vec![]]; 20]);
    let Progress::Stuck(stuck) = run.report().progress() else { panic!("not stuck") };
    assert_eq!((stuck.ranks, stuck.others.len()), (20, 7));
    let waits: Vec<_> = stuck.others.iter().map(|other| (other.since, other.rank)).collect();
    assert!(waits.is_sorted() && waits[0] > (stuck.since, stuck.rank));
}

/// Ranks 1 and 2 end in the same cycle, rank 0 earlier but as it should, and rank 3 later.
#[test]
fn a_rank_that_ends_without_finalizing_ends_the_run() {
    let ends =
        [(5, End::Finalized), (40, End::Failed), (40, End::Aborted { code: -7 }), (41, End::NotFinalized)];
    let batches = |&(cycles, end): &(u64, End)| vec![vec![compute(cycles), Operation::Finish(end)]];
    let progress = |ends: &[(u64, End)]| {
        let run = run(&ends.iter().map(batches).collect::<Vec<_>>());
        run.report().progress()
    };
    assert_eq!(progress(&ends), Progress::Aborted(Aborted { job: 0, rank: 1, end: End::Failed, cycle: 40 }));
    let aborted = Aborted { job: 0, rank: 1, end: End::Aborted { code: -7 }, cycle: 40 };
    assert_eq!(progress(&[ends[0], ends[2], ends[3]]), Progress::Aborted(aborted));
    assert_eq!(progress(&ends[..1]), Progress::Finished);
}

/// It counts from where the computation begins, here after the packet has been written.
#[test]
fn a_rank_advances_to_a_cycle_that_has_not_passed() {
    let parameters = Parameters { write_processor_cycles: 60, ..Parameters::default() };
    let advance = |until| Operation::Advance { until };
    let sender = vec![vec![send(1, 0), advance(100)], vec![advance(90)], vec![advance(101)], vec![FINISH]];
    for reads_while_computing in [true, false] {
        let parameters = Parameters { reads_while_computing, ..parameters };
        let scripts = [sender.clone(), vec![vec![], vec![FINISH]]];
        let run = run_with(&machine(&[4], 1), parameters, &scripts);
        let times: Vec<u64> =
            run.notified.iter().filter(|notified| notified.0 == 0).map(|notified| notified.1).collect();
        assert_eq!(times, [0, 100, 100, 101]);
        assert_eq!(run.report().computed_cycles()[0], 41);
    }
}

#[test]
fn messages_for_a_finished_rank_are_counted_and_dropped() {
    let run = run(&[vec![vec![send(1, 3), FINISH]], vec![vec![FINISH]]]);
    assert_eq!((run.report().progress(), run.report().totals().bytes_received), (Progress::Finished, 3));
}

/// A message of 64 MB takes little more memory than its packets in the network.
#[test]
fn long_messages_take_no_memory_before_they_are_sent() {
    let network = machine(&[4], 1);
    let scripts = |bytes| vec![vec![vec![send(1, bytes)]; 1], vec![vec![]]];
    let bytes = |bytes: u64| {
        let map = RankMap::in_order(2, &network.shape, 1).unwrap();
        let batches = scripts(bytes);
        let new_ranks = move |_: &[Option<u32>]| -> Box<dyn Ranks> {
            Box::new(Scripted { batches: batches.clone(), notified: Arc::default() })
        };
        let builder = MessagingBuilder::new(&network, &Parameters::default(), map, Messages::ANY, new_ranks);
        let traffic = Traffic::Software(Arc::new(builder.unwrap()));
        let mut engine = new_engine(network.clone(), traffic, 1);
        engine.advance(100_000);
        engine.state_bytes()
    };
    assert_eq!(bytes(64 << 20), bytes(1 << 20));
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
    let parameters = Parameters { polling_interval_cycles: 0, ..Parameters::default() };
    let error = parameters.check(&machine(&[2], 1).packet).unwrap_err();
    assert_eq!(error.to_string(), "messaging.polling_interval_cycles = 0: must be from 1 to 1000000000");
}

/// A DMA engine whose costs are easy to distinguish.
const DMA: Dma = Dma {
    processor_cycles_per_chunk: 10,
    injection_fifo_descriptors: 4,
    descriptor_processor_cycles: 20,
    interrupt_processor_cycles: 300,
};

fn with_dma(dma: Dma) -> Parameters {
    Parameters { dma: Some(dma), reads_while_computing: false, ..Parameters::default() }
}

fn times_of(run: &Run, rank: u32) -> Vec<u64> {
    run.notified.iter().filter(|notified| notified.0 == rank).map(|notified| notified.1).collect()
}

/// Row S49 and section II of the paper: a core that finds its injection FIFO full goes on. It is interrupted when there
/// is room, so that its computation ends later.
#[test]
fn a_full_fifo_of_descriptors_interrupts_a_computation() {
    let batches = vec![vec![vec![send(1, 2400), send(1, 2400), compute(50_000)]], vec![vec![]]];
    let ends = |injection_fifo_descriptors| {
        let parameters = with_dma(Dma { injection_fifo_descriptors, ..DMA });
        times_of(&run_with(&machine(&[4], 1), parameters, &batches), 0)[1]
    };
    assert_eq!(ends(2), 2 * 20 + 50_000, "both descriptors have room");
    assert_eq!(ends(1), 2 * 20 + 50_000 + 300, "an interrupt, then the second descriptor");
}

/// The engine stores the body of a rendezvous message while the core computes. Packets of an eager one wait for the
/// core in memory, and not in the network.
#[test]
fn a_dma_engine_receives_while_a_core_computes() {
    // After a short computation the core answers the request to send, or takes the first packets, and computes again.
    let computing = vec![Operation::Call { cycles: 1000 }, compute(100_000)];
    let batches = vec![vec![vec![send(1, 24_000)]], vec![vec![compute(5000)], computing, vec![]]];
    let notified = |protocol| {
        let parameters = Parameters { protocol, read_processor_cycles: 50, ..with_dma(DMA) };
        let run = run_with(&machine(&[4], 1), parameters, &batches);
        run.notified
            .into_iter()
            .filter(|notified| notified.0 == 1 && !notified.2.is_empty())
            .collect::<Vec<Notified>>()
    };
    let rendezvous = notified(MessageProtocol::Rendezvous);
    let [(_, body, _)] = rendezvous[..] else { panic!("{rendezvous:?}") };
    assert!((106_000..106_200).contains(&body), "{body}");
    let eager = notified(MessageProtocol::EagerAdaptive);
    let [(_, message, _)] = eager[..] else { panic!("{eager:?}") };
    assert!((109_000..112_000).contains(&message), "{message}: most packets are taken from memory then");
}

/// At its watermark the FIFO in memory interrupts the core, which answers the request to send. So the body comes while it
/// computes.
#[test]
fn a_watermark_lets_a_handshake_with_a_dma_engine_go_on() {
    let batches = vec![vec![vec![send(1, 24_000)]], vec![vec![compute(100_000)], vec![]]];
    let got = |watermark| {
        let parameters = Parameters { protocol: MessageProtocol::Rendezvous, watermark, ..with_dma(DMA) };
        let run = run_with(&machine(&[4], 1), parameters, &batches);
        let of_receiver =
            run.notified.into_iter().filter(|notified| notified.0 == 1 && !notified.2.is_empty());
        of_receiver.map(|notified| notified.1).collect::<Vec<u64>>()
    };
    let polled = got(None);
    assert!(polled[0] > 100_000 + 24_000, "the body comes after the computation: {polled:?}");
    let interrupted = got(Some(Watermark { bytes: 32, interrupt_processor_cycles: 300 }));
    assert!((100_300..101_000).contains(&interrupted[0]), "one interrupt: {interrupted:?}");
}

/// A core that has filled its injection FIFO is interrupted as this is empty down to a watermark, and fills it again. Its
/// computation ends later by what it does meanwhile.
#[test]
fn an_injection_watermark_lets_a_core_write_while_its_rank_computes() {
    let mut network = machine(&[4], 1);
    network.node.injection_fifo = FifoSize::Bytes(1024);
    let batches = vec![vec![vec![send(1, 24_000), compute(100_000)], vec![]], vec![vec![]]];
    let run = |injection_watermark| {
        let costs = Parameters { write_processor_cycles: 60, ..Parameters::default() };
        let parameters = Parameters { reads_while_computing: false, injection_watermark, ..costs };
        run_with(&network, parameters, &batches)
    };
    let notified = |run: &Run, rank| {
        let of_rank = run.notified.iter().filter(|notified| notified.0 == rank && notified.1 > 0);
        of_rank.map(|notified| notified.1).max().unwrap()
    };
    let polled = run(None);
    assert!(notified(&polled, 1) > 120_000, "most packets are written after the computation");
    let mut interrupts = Vec::new();
    for bytes in [0, 512] {
        let run = run(Some(Watermark { bytes, interrupt_processor_cycles: 300 }));
        assert!(notified(&run, 1) < 40_000, "a link takes 27,000 cycles for the packets");
        let lines = run.report().time_lines();
        let spent = |activity| {
            let of_sender = lines.iter().filter(|line| line.place.node == 0 && line.activity == activity);
            of_sender.map(|line| line.end - line.start).collect::<Vec<u64>>()
        };
        let (served, written) = (spent(Activity::Interrupt), spent(Activity::Write));
        assert_eq!(written.len(), 100);
        assert_eq!(served, vec![300; served.len()]);
        let busy: u64 = served.iter().chain(&written).sum();
        assert_eq!(notified(&run, 0), 100_000 + busy);
        interrupts.push(served.len());
    }
    assert!(interrupts[0] < interrupts[1], "an emptier FIFO has room for more: {interrupts:?}");
}

/// All directions share the engine: it takes 80 cycles for a packet, and a link 270.
#[test]
fn the_bandwidth_of_a_dma_engine_is_shared_by_all_directions() {
    let neighbors = [1, 3, 4, 12, 16, 48];
    let cycles = |targets: &[u32]| {
        let sends = || targets.iter().map(|&target| send(target, 24_000)).collect();
        let batches: Vec<_> = (0..64).map(|rank| vec![if rank == 0 { sends() } else { vec![] }]).collect();
        let dma = Dma { injection_fifo_descriptors: 6, ..DMA };
        let run = run_with(&machine(&[4, 4, 4], 1), with_dma(dma), &batches);
        run.notified
            .iter()
            .filter(|notified| !notified.2.is_empty())
            .map(|notified| notified.1)
            .max()
            .unwrap()
    };
    let (one, six) = (cycles(&neighbors[..1]), cycles(&neighbors));
    assert!((100 * 270..100 * 270 + 1000).contains(&one), "{one}: the link");
    assert!((600 * 80..600 * 80 + 1000).contains(&six), "{six}: the engine");
}
