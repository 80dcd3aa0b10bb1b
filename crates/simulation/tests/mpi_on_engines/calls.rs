//! Communicators, modes of sends, persistent requests, collectives that do not block, and the costs of data.

use crate::support::{Listed, Machine, Record};
use base::clock::ClockRatio;
use messaging::{Aborted, End, MessageProtocol, Parameters, Progress};
use mpi::{
    Call, Cartesian, Collective, Costs, Layout, Lengths, Member, Members, Mode, Needed, ReceiveFrom,
    Requests, Room, SendTo, Status, Transfer, TypedExchange, WORLD,
};

fn run_on(machine: &Machine, calls: &[Vec<Call>]) -> (Record, Progress) {
    let run = |threads| machine.run(threads, &[u64::MAX], Listed::programs(calls.to_vec()));
    let (expected, run) = (run(0), run(2));
    assert_eq!((&run.progress, &run.record), (&expected.progress, &expected.record));
    (run.record, run.progress)
}

fn run(calls: &[Vec<Call>]) -> Record {
    let (record, progress) = run_on(&Machine::torus(&[3, 2, 4], 2), calls);
    assert_eq!(progress, Progress::Finished);
    record
}

fn send(target: u32, bytes: u64, mode: Mode) -> SendTo {
    SendTo { mode, ..SendTo::new(target, 0, bytes) }
}

fn begin(transfer: Transfer) -> Call {
    Call::Begin { transfer, request: None }
}

fn receive(source: u32) -> Call {
    Call::Receive { source: Some(source), tag: None }
}

fn wait(first: u32, count: u32) -> Call {
    Call::Wait { requests: Requests::range(first, count), needed: Needed::All }
}

const LATER: Call = Call::Compute { cycles: 10_000 };

fn create(communicator: u32, members: Option<Members>, new: u32) -> Call {
    Call::Create { communicator, members, new, order: 0 }
}

fn in_communicator(communicator: u32, collective: Collective) -> Call {
    Call::Collect { collective, communicator, request: None, tuning: Box::default() }
}

#[test]
fn communicators_have_ranks_and_messages_of_their_own() {
    let calls = |rank: u32| {
        let even = Members::Stride { first: 0, stride: 2, count: 3 };
        let mut calls =
            vec![create(WORLD, Some(Members::All), 7), create(7, rank.is_multiple_of(2).then_some(even), 3)];
        let to = |communicator, target, bytes| {
            begin(Transfer::Send(SendTo { communicator, ..SendTo::new(target, 0, bytes) }))
        };
        let from = |communicator| {
            begin(Transfer::Receive(ReceiveFrom { communicator, ..ReceiveFrom::new(None, None) }))
        };
        match rank {
            0 => calls.extend([to(WORLD, 4, 1), to(7, 4, 2), to(3, 2, 3)]),
            4 => calls.extend([LATER, from(3), from(7), from(WORLD)]),
            _ => {}
        }
        calls
    };
    let record = run(&(0..6).map(calls).collect::<Vec<_>>());
    let members =
        |call: usize| record.outcomes.iter().map(|outcomes| outcomes[call].member).collect::<Vec<_>>();
    assert_eq!(members(0), (0..6).map(|rank| Some(Member { id: 1, rank, size: 6 })).collect::<Vec<_>>());
    let member = |rank| Some(Member { id: 2, rank, size: 3 });
    assert_eq!(members(1), [member(0), None, member(1), None, member(2), None]);
    let received: Vec<_> = record.outcomes[4][3..].iter().map(|outcome| outcome.received.unwrap()).collect();
    assert_eq!(received.iter().map(|status| status.bytes).collect::<Vec<_>>(), [3, 2, 1]);
    assert!(received.iter().all(|status| status.source == 0));
}

/// Ranks whose lowest free ids differ agree, also if the first 32 are taken by one or the other.
#[test]
fn an_id_is_free_at_all_members() {
    let halves = |rank: u32| {
        let half = Members::Stride { first: rank / 2 * 2, stride: 1, count: 2 };
        // The first half has 31 communicators that the other half does not have, and the other half has one.
        let own = if rank < 2 { 31 } else { 1 };
        let mut calls: Vec<Call> = vec![create(WORLD, Some(half), 100)];
        calls.extend((0..own).map(|new| create(100, Some(Members::All), new + 1)));
        calls.extend([create(WORLD, Some(Members::All), 200), in_communicator(200, Collective::Barrier)]);
        // An id that has been freed is taken again.
        calls.extend([Call::FreeCommunicator { communicator: 1 }, create(WORLD, Some(Members::All), 201)]);
        calls.push(in_communicator(201, Collective::Allreduce { bytes: 8 }));
        calls
    };
    run(&(0..4).map(halves).collect::<Vec<_>>());
}

#[test]
fn rows_and_columns_of_a_grid_have_collectives_of_their_own() {
    let grid = Cartesian::new(&[3, 4], &[true, true]);
    let calls = |rank: u32| {
        let mut calls = vec![create(WORLD, Some(grid.members()), 1)];
        for (new, keep) in [(2, [false, true]), (3, [true, false])] {
            calls.push(create(1, Some(grid.sub(rank, &keep)), new));
            calls.push(in_communicator(new, Collective::Allgather { bytes: 100 }));
        }
        calls
    };
    let record = run(&(0..12).map(calls).collect::<Vec<_>>());
    for (rank, outcomes) in (0..).zip(&record.outcomes) {
        let [row, column] = grid.coordinates(rank)[..] else { unreachable!() };
        assert_eq!(outcomes[1].member, Some(Member { id: 2, rank: column, size: 4 }));
        assert_eq!(outcomes[3].member, Some(Member { id: 3, rank: row, size: 3 }));
    }
}

/// A synchronous send ends with its receive, a standard one when it has been written, a buffered one at once.
#[test]
fn modes_determine_when_a_send_is_complete() {
    let end = |mode, protocol| {
        let mut machine = Machine::torus(&[4], 1);
        machine.parameters = Parameters { write_processor_cycles: 60, protocol, ..machine.parameters };
        let calls = [vec![begin(Transfer::Send(send(1, 1000, mode)))], vec![LATER, receive(0)]];
        let (record, progress) = run_on(&machine, &calls);
        assert_eq!(progress, Progress::Finished);
        record.times[0][1]
    };
    for protocol in [MessageProtocol::EagerDeterministic, MessageProtocol::EagerAdaptive] {
        assert!((5 * 60..1000).contains(&end(Mode::Standard, protocol)));
        assert_eq!(end(Mode::Buffered, protocol), 0);
        assert!(end(Mode::Synchronous, protocol) > 10_000);
    }
    assert!(end(Mode::Standard, MessageProtocol::Rendezvous) > 10_000);
    assert_eq!(end(Mode::Buffered, MessageProtocol::Rendezvous), 0);
}

#[test]
fn a_ready_send_whose_receive_is_posted_is_as_any_other() {
    let ready = begin(Transfer::Send(send(1, 8, Mode::Ready)));
    let calls = [vec![LATER, ready], vec![receive(0)]];
    let record = run(&calls);
    assert_eq!(record.received[0].2, Status { bytes: 8, ..Status::default() });
}

/// MPI leaves open what happens; here the run ends and says why.
#[test]
fn a_ready_send_without_a_receive_ends_the_run() {
    let sender = || vec![begin(Transfer::Send(send(1, 8, Mode::Ready))), LATER];
    // The rank computes, is blocked in another receive, and has ended.
    let other = Call::Receive { source: Some(0), tag: Some(1) };
    for receiver in [vec![LATER, receive(0)], vec![other]] {
        let (_, progress) = run_on(&Machine::torus(&[2], 1), &[sender(), receiver]);
        let Progress::Aborted(Aborted { rank: 1, end, .. }) = progress else { panic!("{progress:?}") };
        assert_eq!(end, End::NotReady { source: 0, tag: 0 });
    }
    // After MPI_Finalize messages are dropped.
    assert_eq!(run_on(&Machine::torus(&[2], 1), &[sender(), vec![]]).1, Progress::Finished);
}

/// A receive that is posted before its message, comes after it, takes any, or is started again; one with enough
/// room.
#[test]
fn a_message_without_room_in_its_receive_ends_the_run() {
    let sender = || vec![Call::Send { target: 1, tag: 7, bytes: 10 }, LATER];
    let receive = |bytes, source| {
        let room = Room { bytes, receive: 3 };
        Transfer::Receive(ReceiveFrom { room, ..ReceiveFrom::new(source, Some(7)) })
    };
    let started = |transfer| {
        let requests = || Requests::one(0);
        let prepare = Call::Prepare { transfer, request: 0 };
        vec![
            prepare,
            Call::Start { requests: requests() },
            Call::Wait { requests: requests(), needed: Needed::All },
        ]
    };
    for receiver in [
        vec![begin(receive(9, Some(0)))],
        vec![LATER, begin(receive(9, Some(0)))],
        vec![begin(receive(0, None))],
        started(receive(9, None)),
    ] {
        let (_, progress) = run_on(&Machine::torus(&[2], 1), &[sender(), receiver]);
        let Progress::Aborted(Aborted { rank: 1, end, .. }) = progress else { panic!("{progress:?}") };
        assert_eq!(end, End::Truncated { source: 0, bytes: 10, receive: 3 });
    }
    let finished = run_on(&Machine::torus(&[2], 1), &[sender(), vec![begin(receive(10, None))]]);
    assert_eq!(finished.1, Progress::Finished);
}

/// Ranks around a ring that all send first would wait for each other forever.
#[test]
fn a_send_and_receive_in_one_call_waits_for_neither_first() {
    let machine = |protocol| {
        let machine = Machine::torus(&[3, 2], 1);
        Machine { parameters: Parameters { protocol, ..machine.parameters }, ..machine }
    };
    let ring = |rank: u32| {
        let (receive, send) =
            (ReceiveFrom::new(Some((rank + 5) % 6), None), SendTo::new((rank + 1) % 6, 0, 50));
        (send, receive)
    };
    for protocol in [MessageProtocol::EagerAdaptive, MessageProtocol::Rendezvous] {
        let calls: Vec<_> =
            (0..6).map(ring).map(|(send, receive)| vec![Call::SendReceive { send, receive }]).collect();
        let (record, progress) = run_on(&machine(protocol), &calls);
        assert_eq!(progress, Progress::Finished);
        let from: Vec<_> =
            record.outcomes.iter().map(|outcomes| outcomes[0].received.unwrap().source).collect();
        assert_eq!(from, [5, 0, 1, 2, 3, 4]);
    }
    let calls: Vec<_> = (0..6)
        .map(ring)
        .map(|(send, receive)| vec![begin(Transfer::Send(send)), begin(Transfer::Receive(receive))])
        .collect();
    let (_, progress) = run_on(&machine(MessageProtocol::Rendezvous), &calls);
    assert!(matches!(progress, Progress::Stuck(_)), "{progress:?}");
}

#[test]
fn persistent_requests_are_started_again_and_again() {
    let persistent = |transfer| {
        let start = Call::Start { requests: Requests::one(5) };
        let mut calls = vec![wait(5, 1), Call::Prepare { transfer, request: 5 }, wait(5, 1)];
        (0..3).for_each(|_| calls.extend([start.clone(), wait(5, 1)]));
        calls.extend([Call::Free { request: 5 }, Call::Free { request: 4 }, wait(4, 2)]);
        // A request in progress that is freed completes.
        let other = Call::ReceiveNonBlocking { source: None, tag: Some(9), request: 4 };
        calls.insert(0, other);
        calls
    };
    let sender = persistent(Transfer::Send(SendTo::new(1, 3, 700)));
    let receiver = persistent(Transfer::Receive(ReceiveFrom::new(Some(0), Some(3))));
    let record = run(&[sender, receiver]);
    let received =
        record.outcomes[1].iter().filter_map(|outcome| outcome.received).map(|status| status.number);
    assert_eq!(received.collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
#[should_panic(expected = "request 5 is not persistent")]
fn only_persistent_requests_are_started() {
    run(&[vec![Call::Start { requests: Requests::one(5) }]]);
}

/// Two collectives in progress, computation meanwhile, and a third that ends before them.
#[test]
fn collectives_that_do_not_block_overlap() {
    let calls = |rank: u32| {
        let collect = |collective, request| Call::Collect {
            collective,
            communicator: WORLD,
            request,
            tuning: Box::default(),
        };
        vec![
            collect(Collective::Barrier, Some(0)),
            collect(Collective::Allreduce { bytes: 100_000 }, Some(1)),
            Call::Compute { cycles: 50 * u64::from(rank) },
            collect(Collective::Broadcast { root: 2, bytes: 8 }, None),
            wait(0, 2),
        ]
    };
    let record = run(&(0..7).map(calls).collect::<Vec<_>>());
    let made_at = |call: usize| record.times.iter().map(|times| times[call]).max().unwrap();
    assert_eq!((made_at(1), made_at(2)), (0, 0));
    assert!(record.times.iter().all(|times| times[4] < times[5]));
}

#[test]
#[should_panic(expected = "rank 0: MPI_Allgatherv: 2 lengths are given for 3 ranks")]
fn lengths_are_those_of_all_ranks() {
    let lengths = Lengths::new([1, 2]);
    let call = Call::Collective(Collective::Allgatherv { lengths });
    run(&[vec![call.clone()], vec![call.clone()], vec![call]]);
}

#[test]
#[should_panic(expected = "rank 0: MPI_Comm_create: the members are not different ranks of 2")]
fn members_differ() {
    let call = create(WORLD, Some(Members::list([0, 0])), 1);
    run(&[vec![call.clone()], vec![call]]);
}

#[test]
fn ranks_that_wait_in_a_collective_are_named() {
    let gather = Call::Collective(Collective::Gather { root: 0, bytes: 8 });
    let machine = Machine::torus(&[4], 1);
    let (_, progress) = run_on(&machine, &[vec![gather.clone()], vec![gather], vec![]]);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!(stuck.waiting_for, "a message from rank 2 in MPI_Gather of 8 bytes to rank 0 (call 1)");
}

/// Combining, packing and copying take the time that they cost, and no other.
#[test]
fn data_cost_what_is_set() {
    let mut machine = Machine::torus(&[4], 1);
    machine.network.node.clock = ClockRatio { processor_cycles: 1, cycles: 1 };
    let finished = |costs: Costs, calls: &[Vec<Call>]| {
        let (_, progress, finished) = machine.run_with_costs(costs, calls);
        assert_eq!(progress, Progress::Finished);
        finished
    };
    let free = Costs { chunk_bytes: 32, ..Costs::default() };
    let reduce = Call::Collective(Collective::Reduce { root: 0, bytes: 100 });
    let calls = [vec![reduce.clone()], vec![reduce]];
    let combining = Costs { combine_processor_cycles_per_byte: 3, ..free };
    assert_eq!(finished(combining, &calls)[0], finished(free, &calls)[0] + 300);

    let layout = Layout::Blocks(10);
    let calls = [
        vec![begin(Transfer::Send(SendTo { layout, ..SendTo::new(1, 0, 80) }))],
        vec![begin(Transfer::Receive(ReceiveFrom { layout, ..ReceiveFrom::new(Some(0), None) }))],
    ];
    let packing = Costs { noncontiguous_processor_cycles_per_block: 7, ..free };
    let (packed, unpacked) = (finished(packing, &calls), finished(free, &calls));
    assert_eq!([packed[0], packed[1]], [unpacked[0] + 70, unpacked[1] + 140]);

    // Rank 0 packs 5 blocks, while it waits, which rank 1 unpacks as 2; the data that a rank has for itself cost
    // nothing.
    let exchange = |blocks_sent: [u64; 2], blocks_received: [u64; 2]| {
        let lengths = || Lengths::new([64, 64]);
        let (blocks_sent, blocks_received) = (Lengths::new(blocks_sent), Lengths::new(blocks_received));
        let exchange = TypedExchange { sent: lengths(), received: lengths(), blocks_sent, blocks_received };
        vec![Call::Collective(Collective::Alltoallw(Box::new(exchange)))]
    };
    let in_one_piece = finished(packing, &[exchange([1, 1], [1, 1]), exchange([0, 0], [0, 1])]);
    let packed = finished(packing, &[exchange([4, 5], [4, 1]), exchange([1, 1], [2, 1])]);
    assert_eq!([packed[0], packed[1]], [in_one_piece[0], in_one_piece[1] + 35 + 14]);

    let alltoall = Call::Collective(Collective::Alltoall { bytes: 32 });
    let calls = vec![vec![alltoall]; 4];
    let copying = Costs { copy_processor_cycles_per_chunk: 5, ..free };
    assert_eq!(finished(copying, &calls), finished(free, &calls), "four ranks post everything at once");
}
