//! The waits of ranks, as their time lines name them: the step of the protocol, the other rank and the message.

use crate::support::{Listed, Machine};
use Awaited::{Body, ClearToSend, ClearToSendForCredit, InjectionFifo, Message, Poll, Rest, SameNode};
use messaging::{
    Activity, Awaited, Coprocessor, Dma, Interval, MessageProtocol, Parameters, Progress, Round,
};
use mpi::{Call, Collective, Needed, Requests};
use network::parameters::FifoSize;

/// A wait: its reason, the other rank, the bytes of the message.
type Wait = (Awaited, Option<u32>, Option<u64>);

const BYTES: u64 = 5000;
const POLLED: Wait = (Poll, Some(0), Some(BYTES));

fn parameters() -> Parameters {
    Parameters { write_processor_cycles: 20, read_processor_cycles: 50, ..Parameters::default() }
}

fn machine(parameters: Parameters) -> Machine {
    Machine { parameters, ..Machine::torus(&[4], 1) }
}

/// The time lines of a run, the same on both engines.
fn time_lines(machine: &Machine, calls: &[Vec<Call>]) -> Vec<Interval> {
    let run = |threads| machine.run(threads, &[u64::MAX], Listed::programs(calls.to_vec()));
    let expected = run(0);
    assert_eq!(expected.progress, Progress::Finished);
    for threads in [1, 3] {
        assert_eq!(run(threads).time_lines, expected.time_lines);
    }
    expected.time_lines
}

fn waits_of(rank: u32, lines: &[Interval]) -> impl Iterator<Item = (Awaited, &Interval)> {
    let of_rank = lines.iter().filter(move |line| line.rank == Some(rank) && !line.is_coprocessor);
    of_rank.filter_map(|line| {
        let Activity::Wait(awaited) = line.activity else { return None };
        Some((awaited, line))
    })
}

/// The waits of a rank; repeated waits for the same reason count once.
fn waits(rank: u32, lines: &[Interval]) -> Vec<Wait> {
    let mut waits: Vec<Wait> =
        waits_of(rank, lines).map(|(awaited, line)| (awaited, line.peer, line.bytes)).collect();
    waits.dedup();
    waits
}

/// The end of the last wait of a rank for a reason.
fn end_of(awaited: Awaited, rank: u32, lines: &[Interval]) -> u64 {
    let ends = waits_of(rank, lines).filter(|(other, _)| *other == awaited).map(|(_, line)| line.end);
    ends.max().unwrap_or_else(|| panic!("rank {rank} does not wait for {awaited:?}"))
}

fn send(target: u32) -> Call {
    Call::Send { target, tag: 0, bytes: BYTES }
}

fn receive(source: Option<u32>) -> Call {
    Call::Receive { source, tag: None }
}

fn compute(cycles: u64) -> Call {
    Call::Compute { cycles }
}

#[test]
fn a_receiver_waits_for_a_late_sender_and_then_for_the_rest_of_the_message() {
    for source in [Some(0), None] {
        let lines =
            time_lines(&machine(parameters()), &[vec![compute(1000), send(1)], vec![receive(source)]]);
        let rest = (Rest, Some(0), Some(BYTES));
        assert_eq!(waits(1, &lines), [(Message, source, None), rest, POLLED]);
        let (_, first) = waits_of(1, &lines).next().expect("it waits");
        assert!(first.start == 0 && (1000..1500).contains(&first.end), "{first:?}");
        assert_eq!(first.message, None);
        let (_, second) = waits_of(1, &lines).nth(1).expect("it waits for packets");
        assert_eq!(second.message.map(|id| (id.source, id.number)), Some((0, 0)));
    }
}

/// A rank that waits for several requests waits for the first receive without a message.
#[test]
fn the_first_receive_without_a_message_names_the_wait_for_requests() {
    let begin = |source, request| Call::ReceiveNonBlocking { source: Some(source), tag: None, request };
    let send_to = |request| Call::SendNonBlocking { target: 1, tag: 0, bytes: 9, request };
    let wait = Call::Wait { requests: Requests::range(0, 3), needed: Needed::All };
    let calls = [
        vec![compute(1000), send(2)],
        vec![compute(2000), Call::Send { target: 2, tag: 0, bytes: 10 }, receive(Some(2))],
        vec![begin(0, 0), begin(1, 1), send_to(2), wait],
    ];
    let lines = time_lines(&machine(parameters()), &calls);
    let waits = waits(2, &lines);
    let place = |source| waits.iter().position(|&wait| wait == (Message, Some(source), None));
    assert!(place(0).expect("rank 0 is late") < place(1).expect("rank 1 is later"), "{waits:?}");
    assert!(end_of(Message, 2, &lines) > 2000);
}

#[test]
fn a_sender_waits_for_the_clear_to_send_of_a_late_receiver() {
    let rendezvous = Parameters { protocol: MessageProtocol::Rendezvous, ..parameters() };
    let calls = [vec![send(1)], vec![compute(3000), receive(Some(0))]];
    let lines = time_lines(&machine(rendezvous), &calls);
    let of_sender = waits(0, &lines);
    assert_eq!(of_sender[0], (ClearToSend, Some(1), Some(BYTES)));
    assert!((3000..3500).contains(&end_of(ClearToSend, 0, &lines)));
    let (body, rest) = ((Body, Some(0), Some(BYTES)), (Rest, Some(0), Some(BYTES)));
    assert_eq!(waits(1, &lines), [body, rest, POLLED]);
    let synchronous = Parameters { protocol: MessageProtocol::EagerAdaptive, ..rendezvous };
    let mode = mpi::SendTo { mode: mpi::Mode::Synchronous, ..mpi::SendTo::new(1, 0, BYTES) };
    let call = Call::Begin { transfer: mpi::Transfer::Send(mode), request: None };
    let lines = time_lines(&machine(synchronous), &[vec![call], calls[1].clone()]);
    assert_eq!(waits(0, &lines)[0], (ClearToSend, Some(1), Some(BYTES)));
}

/// Two eager messages with one credit: the second goes by rendezvous.
#[test]
fn a_sender_without_a_message_credit_waits_for_the_clear_to_send() {
    let one = Parameters { message_credits: Some(1), ..parameters() };
    let receiver = vec![compute(20_000), receive(Some(0)), receive(Some(0))];
    let lines = time_lines(&machine(one), &[vec![send(1), send(1)], receiver]);
    assert!(end_of(ClearToSendForCredit, 0, &lines) > 20_000);
    let wait = waits(0, &lines).into_iter().find(|wait| wait.0 == ClearToSendForCredit);
    assert_eq!(wait, Some((ClearToSendForCredit, Some(1), Some(BYTES))));
    assert!(waits(0, &lines).iter().all(|wait| wait.0 != ClearToSend));
}

#[test]
fn a_sender_waits_for_room_in_an_injection_fifo() {
    let mut machine = machine(parameters());
    machine.network.node.injection_fifo = FifoSize::Bytes(256);
    let lines = time_lines(&machine, &[vec![send(1)], vec![receive(Some(0))]]);
    assert_eq!(waits(0, &lines), [(InjectionFifo, Some(1), Some(BYTES))]);
}

/// Rank 3 is late: the others wait for messages of the rounds of the barrier.
#[test]
fn ranks_wait_in_rounds_of_a_collective() {
    let barrier = Call::Collective(Collective::Barrier);
    let mut calls = vec![vec![barrier.clone()]; 4];
    calls[3] = vec![compute(2000), barrier];
    let lines = time_lines(&machine(parameters()), &calls);
    let mut rounds = Vec::new();
    for (awaited, line) in (0..3).flat_map(|rank| waits_of(rank, &lines)) {
        if awaited == Message {
            rounds.push(line.round.expect("it waits in a round"));
        } else {
            assert_eq!((awaited, line.round), (Poll, None), "{line:?}");
        }
    }
    let round = |number| Round { collective: "MPI_Barrier", stage: None, number: Some(number) };
    assert!(rounds.contains(&round(1)) && rounds.contains(&round(2)), "{rounds:?}");
    assert!(rounds.iter().all(|other| [round(1), round(2)].contains(other)), "{rounds:?}");
}

#[test]
fn a_sender_waits_for_a_rank_of_its_node() {
    let rendezvous = Parameters {
        protocol: MessageProtocol::Rendezvous,
        copy_processor_cycles_per_chunk: 3,
        ..parameters()
    };
    let machine = Machine { parameters: rendezvous, ..Machine::torus(&[2], 2) };
    let calls = |other: usize| {
        let mut calls = vec![vec![]; 4];
        calls[0] = vec![send(other as u32)];
        calls[other] = vec![compute(3000), receive(Some(0))];
        calls
    };
    let of_first = |other| waits(0, &time_lines(&machine, &calls(other)))[0];
    let awaited: Vec<Wait> = (1..4).map(|other| of_first(other as usize)).collect();
    let same_node = awaited.iter().filter(|wait| wait.0 == SameNode).count();
    let other_node = awaited.iter().filter(|wait| wait.0 == ClearToSend).count();
    assert_eq!((same_node, other_node), (1, 2), "{awaited:?}");
}

/// The core has no task meanwhile. Its wait changes when the engine has written the request, behind a packet of a
/// message to another rank.
#[test]
fn a_wait_whose_reason_changes_is_several_intervals() {
    let dma = Dma {
        processor_cycles_per_chunk: 30,
        injection_fifo_descriptors: 4,
        descriptor_processor_cycles: 100,
        interrupt_processor_cycles: 0,
    };
    let rendezvous = Parameters { rendezvous_from_bytes: Some(BYTES), dma: Some(dma), ..parameters() };
    let other = Call::SendNonBlocking { target: 2, tag: 0, bytes: BYTES - 1, request: 0 };
    let calls = [vec![other, send(1)], vec![compute(3000), receive(Some(0))], vec![receive(Some(0))]];
    let lines = time_lines(&machine(rendezvous), &calls);
    let of_sender: Vec<Awaited> = waits(0, &lines).iter().map(|wait| wait.0).collect();
    assert_eq!(of_sender, [Awaited::Dma, ClearToSend, Awaited::Dma]);
    let of_receiver: Vec<Awaited> = waits(1, &lines).iter().map(|wait| wait.0).collect();
    assert_eq!(of_receiver, [Body, Rest, Poll]);
}

#[test]
fn a_core_waits_for_its_coprocessor() {
    let coprocessor = Coprocessor {
        scratchpad_processor_cycles_per_chunk: Some(10),
        handover_processor_cycles: 30,
        flush_processor_cycles_per_chunk: 0,
    };
    let eager = Parameters { coprocessor: Some(coprocessor), ..parameters() };
    let lines = time_lines(&machine(eager), &[vec![send(1)], vec![receive(Some(0))]]);
    assert!(waits(0, &lines).contains(&(Awaited::Coprocessor, Some(1), Some(BYTES))));
}
