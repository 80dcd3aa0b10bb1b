//! Requirements on MPI, above the message layer and the engines.

use crate::support::{Listed, Machine, Record};
use base::draws::mix;
use geometry::Shape;
use messaging::{Aborted, CallCosts, CallKind, End, Progress, node_at_distance};
use mpi::{
    Call, Collective, Members, Needed, Outcome, PingPong, Program, ReceiveFrom, Requests, SendTo, Status,
    Transfer,
};

fn send(target: u32, tag: u32, bytes: u64) -> Call {
    Call::Send { target, tag, bytes }
}

fn receive(source: Option<u32>, tag: Option<u32>) -> Call {
    Call::Receive { source, tag }
}

/// Runs lists of calls on a torus of 24 nodes of two cores.
fn run_list(calls: Vec<Vec<Call>>) -> (Record, Progress) {
    run_on(&Machine::torus(&[3, 2, 4], 2), calls)
}

/// Runs lists of calls on both engines, which agree.
fn run_on(machine: &Machine, calls: Vec<Vec<Call>>) -> (Record, Progress) {
    let run = |threads| machine.run(threads, &[u64::MAX], Listed::programs(calls.clone()));
    let (expected, run) = (run(0), run(2));
    assert_eq!(run.progress, expected.progress);
    assert_eq!(run.record, expected.record);
    (run.record, run.progress)
}

/// Nodes that have been idle for longer than an engine's times reach are restored, and the run ends.
#[test]
fn runs_are_resumed_after_long_idleness() {
    let machine = Machine::torus(&[2, 2, 2], 1);
    let calls = vec![
        vec![send(1, 0, 500), Call::Compute { cycles: 800_000 }, send(1, 0, 500)],
        vec![receive(Some(0), None); 2],
    ];
    let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
    let expected = run(0, &[u64::MAX]);
    assert_eq!(expected.progress, Progress::Finished);
    for cut in [40_000, 70_000, 150_000] {
        for threads in [0, 1, 3] {
            let run = run(threads, &[cut, u64::MAX]);
            assert_eq!((&run.progress, &run.record), (&expected.progress, &expected.record));
            assert_eq!(run.totals, expected.totals);
        }
    }
}

#[test]
fn messages_of_a_pair_match_in_send_order_although_packets_overtake() {
    // Long messages are sent first; the short ones after them arrive earlier.
    let sends = (0..40).map(|number| send(1, 0, (40 - number) * 100)).collect();
    let (record, progress) = run_list(vec![sends, vec![receive(Some(0), None); 40]]);
    assert_eq!(progress, Progress::Finished);
    let bytes: Vec<u64> = record.received.iter().map(|(_, _, status)| status.bytes).collect();
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
    let (record, progress) = run_list(vec![receives, sends(100), sends(5), sends(300), sends(400)]);
    assert_eq!(progress, Progress::Finished);
    let tags: Vec<u32> = record.received.iter().map(|(_, _, status)| status.tag).collect();
    assert_eq!(tags, [300, 5, 100, 400]);
}

#[test]
fn a_receive_waits_for_its_message_and_a_send_completes_immediately() {
    let late = vec![Call::Compute { cycles: 7000 }, send(1, 0, 8)];
    let (record, _) = run_list(vec![late, vec![receive(Some(0), Some(0))]]);
    assert_eq!(record.times[0], [0, 7000, 7000]);
    assert_eq!(record.times[1], [0, 7000 + 10 + 12 + 32 + 4 + 12]);
}

#[test]
fn a_receive_without_a_sender_is_reported_with_rank_and_call() {
    let calls = vec![vec![send(1, 5, 0)], vec![receive(Some(0), Some(5)), receive(Some(0), Some(6))]];
    let (_, progress) = run_list(calls);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!((stuck.rank, stuck.ranks, stuck.since), (1, 1, 70));
    assert_eq!(stuck.waiting_for, "MPI_Recv from rank 0 with tag 6 (call 2)");
}

#[test]
fn ranks_that_disagree_about_a_collective_are_reported_as_stuck() {
    let barrier = Call::Collective(Collective::Barrier);
    let allreduce = Call::Collective(Collective::Allreduce { bytes: 8 });
    let (_, progress) = run_list(vec![vec![barrier], vec![allreduce]]);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!(stuck.waiting_for, "a message from rank 1 in MPI_Barrier (call 1)");
    assert_eq!(stuck.ranks, 2);
}

#[test]
fn a_collective_of_one_rank_takes_no_time_and_does_not_recurse() {
    let calls = vec![Call::Collective(Collective::Barrier); 1_000_000];
    let (record, progress) = run_list(vec![calls]);
    assert_eq!((progress, record.times[0].last()), (Progress::Finished, Some(&0)));
}

#[test]
fn a_receive_after_a_collective_reports_only_its_own_message() {
    let allreduce = Call::Collective(Collective::Allreduce { bytes: 8 });
    let calls = vec![vec![allreduce.clone(), send(1, 9, 3)], vec![allreduce, receive(None, None)]];
    let (record, _) = run_list(calls);
    assert_eq!(record.received.len(), 1);
    assert_eq!(record.received[0].2, Status { tag: 9, bytes: 3, number: 1, ..Status::default() });
}

#[test]
fn ping_pong_measures_one_way_times() {
    for (hops, bytes, size) in [(1, 0, 32), (4, 16, 32), (9, 240, 256)] {
        let machine = Machine::torus(&[8, 8, 8], 1);
        let target = node_at_distance(&Shape::torus(&[8, 8, 8]).unwrap(), hops).unwrap();
        let machine = machine.with_nodes(&[0, target]);
        let one_way = machine.one_way_times(&move |rank| PingPong::new(rank, bytes, 5));
        assert_eq!(one_way, [10 + 12 * u64::from(hops) + size + 4 + 12; 10]);
    }
}

fn isend(target: u32, tag: u32, bytes: u64, request: u32) -> Call {
    Call::SendNonBlocking { target, tag, bytes, request }
}

fn irecv(source: Option<u32>, tag: Option<u32>, request: u32) -> Call {
    Call::ReceiveNonBlocking { source, tag, request }
}

fn wait(first: u32, count: u32, needed: Needed) -> Call {
    Call::Wait { requests: Requests::range(first, count), needed }
}

#[test]
fn a_wait_for_all_ends_with_the_last_and_one_for_any_with_the_first() {
    let late = |cycles| vec![Call::Compute { cycles }, send(0, 0, 0)];
    let receives = |needed| vec![irecv(Some(1), None, 0), irecv(Some(2), None, 1), wait(0, 2, needed)];
    let one_way = 10 + 32 + 4 + 12;
    let run = |needed| {
        let (record, _) = run_list(vec![receives(needed), late(9000), late(1000)]);
        let last = record.outcomes[0].last().copied().unwrap();
        (record.times[0][3], last)
    };
    let (time, outcome) = run(Needed::All);
    assert_eq!((time, outcome.request), (9000 + one_way + 12, Some(2)));
    let (time, outcome) = run(Needed::Any);
    assert_eq!((time, outcome.request), (1000 + one_way + 12, Some(1)));
    let (_, outcome) = run(Needed::Some);
    assert_eq!(outcome.request, Some(1), "one has arrived");
}

#[test]
fn tests_and_probes_answer_without_waiting() {
    let probe = |blocks| Call::Probe { source: None, tag: Some(3), blocks };
    let receiver = vec![
        irecv(Some(1), Some(3), 0),
        Call::Test { requests: Requests::one(0) },
        wait(0, 1, Needed::All),
        Call::Test { requests: Requests::one(0) },
        probe(false),
        probe(true),
        probe(false),
        receive(None, Some(3)),
    ];
    let sender = vec![isend(0, 3, 5, 0), Call::Compute { cycles: 5000 }, isend(0, 3, 6, 1)];
    let (record, progress) = run_list(vec![receiver, sender]);
    assert_eq!(progress, Progress::Finished);
    let flags: Vec<bool> = record.outcomes[0].iter().map(|outcome| outcome.flag).collect();
    assert_eq!(flags, [false, false, false, true, false, true, true, false]);
    let status = Status { source: 1, tag: 3, bytes: 6, number: 1, sequence: 1 };
    assert_eq!(record.outcomes[0][5].received, Some(status));
    assert_eq!(record.received, [(0, record.times[0][8], status)]);
}

fn mprobe(source: Option<u32>, tag: Option<u32>, blocks: bool) -> Call {
    Call::MatchedProbe { source, tag, blocks }
}

fn mrecv(handle: u32) -> Call {
    Call::MatchedReceive { handle }
}

const LATER: Call = Call::Compute { cycles: 10_000 };

#[test]
fn a_message_taken_by_a_matched_probe_matches_no_other_receive() {
    let receiver = vec![
        mprobe(None, Some(7), false),
        LATER,
        mprobe(None, Some(7), false),
        mprobe(Some(1), None, true),
        irecv(None, None, 4),
        wait(4, 1, Needed::All),
        Call::Probe { source: None, tag: None, blocks: false },
        mrecv(1),
        Call::MatchedReceiveNonBlocking { handle: 0, request: 2 },
        wait(2, 1, Needed::All),
    ];
    let sender = (0..3).map(|number| send(0, 7, 10 + number)).collect();
    let (record, progress) = run_list(vec![receiver, sender]);
    assert_eq!(progress, Progress::Finished);
    let outcomes = &record.outcomes[0];
    let status = |number: u32| {
        let bytes = 10 + u64::from(number);
        Status { source: 1, tag: 7, bytes, number, sequence: number }
    };
    let found = |number| Outcome {
        received: Some(status(number)),
        handle: Some(number),
        flag: true,
        ..Outcome::default()
    };
    assert_eq!([outcomes[0], outcomes[2], outcomes[3]], [Outcome::default(), found(0), found(1)]);
    let received: Vec<_> = [5, 7, 9].map(|call| outcomes[call].received).into();
    assert_eq!(received, [Some(status(2)), Some(status(1)), Some(status(0))]);
    assert!(!outcomes[6].flag, "nothing is left");
}

#[test]
fn a_matched_probe_waits_for_its_message() {
    let late = vec![Call::Compute { cycles: 7000 }, send(1, 3, 8)];
    let (record, progress) = run_list(vec![late.clone(), vec![mprobe(Some(0), Some(3), true), mrecv(0)]]);
    assert_eq!(progress, Progress::Finished);
    let arrival = 7000 + 10 + 12 + 32 + 4 + 12;
    assert_eq!(record.times[1], [0, arrival, arrival]);
    let (_, progress) = run_list(vec![late, vec![mprobe(None, Some(4), true)]]);
    let Progress::Stuck(stuck) = progress else { panic!("{progress:?}") };
    assert_eq!(stuck.waiting_for, "MPI_Mprobe from rank any with tag 4 (call 1)");
}

#[test]
#[should_panic(expected = "handle 0 is of no message, or of one that has been received")]
fn a_handle_is_used_once() {
    run_list(vec![vec![send(0, 1, 0), mprobe(None, None, true), LATER, mrecv(0), LATER, mrecv(0)]]);
}

/// The lengths of the messages that calls of a rank have returned.
fn bytes_received(record: &Record, rank: usize) -> Vec<u64> {
    let received = record.outcomes[rank].iter().filter_map(|outcome| outcome.received);
    received.map(|status| status.bytes).collect()
}

/// A test for any ends one request at a time, the lowest first. One of requests that are not in use has nothing to
/// end.
#[test]
fn a_test_for_any_ends_the_lowest_request() {
    let any = |first, count| Call::TestAny { requests: Requests::range(first, count) };
    let receiver = vec![
        irecv(Some(1), Some(7), 1),
        irecv(Some(1), Some(5), 0),
        any(0, 2),
        LATER,
        any(0, 2),
        any(0, 2),
        any(0, 2),
        irecv(None, None, 0),
        irecv(None, None, 1),
        Call::Cancel { request: 0 },
        Call::Cancel { request: 1 },
        wait(0, 2, Needed::All),
    ];
    let (record, progress) = run_list(vec![receiver, vec![send(0, 5, 50), send(0, 7, 70)]]);
    assert_eq!(progress, Progress::Finished);
    assert_eq!(bytes_received(&record, 0), [50, 70]);
}

/// A test for some ends all requests that are complete, and returns their number; it fails if none is.
#[test]
fn a_test_for_some_ends_all_that_are_complete() {
    let some = |first, count| Call::TestSome { requests: Requests::range(first, count) };
    let receiver = vec![
        irecv(Some(1), Some(5), 0),
        irecv(Some(1), Some(9), 1),
        irecv(Some(1), Some(7), 2),
        some(0, 3),
        LATER,
        some(0, 3),
        some(0, 3),
        wait(0, 3, Needed::All),
        some(0, 3),
    ];
    let sender = vec![send(0, 5, 50), send(0, 7, 70), LATER, LATER, send(0, 9, 90)];
    let (record, progress) = run_list(vec![receiver, sender]);
    assert_eq!(progress, Progress::Finished);
    let reported = [3, 5, 6, 8].map(|call| (record.outcomes[0][call].flag, record.outcomes[0][call].request));
    assert_eq!(reported, [(false, None), (true, Some(2)), (false, None), (false, None)]);
    assert_eq!(bytes_received(&record, 0), [90], "of two messages none is reported");
}

/// The end of a request that the program has freed does not end tests of others.
#[test]
fn a_freed_request_ends_no_test() {
    let any = |first, count| Call::TestAny { requests: Requests::range(first, count) };
    let receiver = vec![irecv(Some(1), Some(5), 0), Call::Free { request: 0 }, LATER, any(1, 1), any(0, 1)];
    let (record, progress) = run_list(vec![receiver, vec![send(0, 5, 50)]]);
    assert_eq!(progress, Progress::Finished);
    let reported = [3, 4].map(|call| (record.outcomes[0][call].flag, record.outcomes[0][call].request));
    assert_eq!(reported, [(false, None); 2]);
}

/// Communicators that exist without a call: no message creates them, and messages in them match no others.
#[test]
fn a_defined_communicator_needs_no_message() {
    let define = |members: &[u32], id| Call::Define { members: Members::list(members.to_vec()), new: 1, id };
    let send_in = |target, tag, bytes| {
        let send = SendTo { communicator: 1, ..SendTo::new(target, tag, bytes) };
        Call::Begin { transfer: Transfer::Send(send), request: None }
    };
    let receive_in = |source, tag| {
        let receive = ReceiveFrom { communicator: 1, ..ReceiveFrom::new(Some(source), Some(tag)) };
        Call::Begin { transfer: Transfer::Receive(receive), request: None }
    };
    let reduce = Call::Collect {
        collective: Collective::Allreduce { bytes: 8 },
        communicator: 1,
        request: None,
        tuning: Box::default(),
    };
    let pair = |own: Call| vec![define(&[2, 0], 4), own, reduce.clone()];
    // Rank 2 of all is rank 0 of the pair.
    let calls = vec![
        [vec![send(2, 3, 30)], pair(send_in(0, 3, 33))].concat(),
        vec![define(&[1], 5)],
        [pair(receive_in(1, 3)), vec![receive(Some(0), Some(3))]].concat(),
    ];
    let (record, progress) = run_list(calls);
    assert_eq!(progress, Progress::Finished);
    assert_eq!(bytes_received(&record, 2), [33, 30]);
}

#[test]
#[should_panic(expected = "request 3 is not in use")]
fn a_request_that_is_not_in_use_cannot_be_cancelled() {
    run_list(vec![vec![Call::Cancel { request: 3 }]]);
}

#[test]
fn only_a_receive_that_no_message_has_matched_is_cancelled() {
    let (cancel, test) =
        (|request| Call::Cancel { request }, |request| Call::Test { requests: Requests::one(request) });
    let receiver = vec![
        irecv(Some(1), Some(5), 0),
        irecv(Some(1), Some(6), 1),
        cancel(1),
        LATER,
        cancel(0),
        wait(0, 1, Needed::All),
        wait(0, 2, Needed::Any),
        irecv(None, None, 1),
        irecv(None, Some(9), 2),
        cancel(1),
        cancel(2),
        test(1),
        wait(0, 3, Needed::Some),
    ];
    let sender = vec![isend(0, 5, 50, 0), isend(0, 6, 60, 1), cancel(0), wait(0, 2, Needed::All)];
    let (record, progress) = run_list(vec![receiver, sender]);
    assert_eq!(progress, Progress::Finished);
    let [receiver, sender] = &record.outcomes[..] else { panic!("two ranks") };
    let status = |number: u32, tag, bytes| Some(Status { source: 1, tag, bytes, number, sequence: number });
    let ended = |call: usize| (receiver[call].request, receiver[call].cancelled, receiver[call].received);
    assert_eq!(ended(5), (Some(1), 0, status(0, 5, 50)), "it has matched");
    assert_eq!(ended(6), (Some(1), 1, None));
    assert_eq!(ended(11), (None, 0, status(1, 6, 60)), "the receive that was cancelled left it");
    assert!(receiver[11].flag);
    assert_eq!(ended(12), (Some(1), 1, None));
    assert_eq!((sender[3].request, sender[3].cancelled, sender[3].received), (Some(2), 0, None));
}

#[test]
fn a_message_has_a_number_among_all_of_its_rank_and_one_in_its_stream() {
    let barrier = Call::Collective(Collective::Barrier);
    let calls = vec![
        vec![send(1, 0, 0), barrier.clone(), isend(1, 0, 0, 0), Call::Time],
        vec![barrier, receive(None, None), receive(None, None)],
    ];
    let (record, _) = run_list(calls);
    let received: Vec<_> =
        record.received.iter().map(|(_, _, status)| (status.number, status.sequence)).collect();
    assert_eq!(received, [(0, 0), (2, 1)]);
}

#[test]
fn the_time_is_read_when_the_cost_of_the_call_has_passed() {
    let calls =
        vec![vec![Call::Time, Call::Advance { until: 5000 }, Call::Advance { until: 200 }, Call::Time]];
    let mut machine = Machine::torus(&[4], 1);
    let read = |record: &Record| [0, 3].map(|call| record.outcomes[0][call].time.unwrap());
    let (record, _) = run_on(&machine, calls.clone());
    assert_eq!((read(&record), &record.times[0][..]), ([0, 5000], &[0, 1, 5000, 5000, 5001][..]));
    machine.parameters.call_processor_cycles = 48.into();
    let (record, _) = run_on(&machine, calls);
    assert_eq!((read(&record), &record.times[0][..]), ([48, 5048], &[0, 48, 5000, 5000, 5048][..]));
}

/// Each call takes the cost of its kind, also after computation.
#[test]
fn a_call_costs_what_its_kind_does() {
    let requests = |first, count| Requests::range(first, count);
    let wait = |first, count| Call::Wait { requests: requests(first, count), needed: Needed::All };
    let (to_self, from_self) = (SendTo::new(0, 1, 9), ReceiveFrom::new(Some(0), Some(1)));
    // The messages have arrived during the computation before.
    let calls = [
        (Call::ReceiveNonBlocking { source: Some(0), tag: Some(0), request: 0 }, CallKind::Receive),
        (isend(0, 0, 100, 1), CallKind::Send),
        (Call::Test { requests: requests(0, 2) }, CallKind::Test),
        (wait(0, 2), CallKind::Wait),
        (Call::Probe { source: None, tag: None, blocks: false }, CallKind::Probe),
        (Call::Time, CallKind::Other),
        (Call::Collective(Collective::Barrier), CallKind::Collective),
        (Call::Prepare { transfer: Transfer::Send(to_self), request: 2 }, CallKind::Other),
        (Call::Start { requests: requests(2, 1) }, CallKind::Start),
        (receive(Some(0), Some(1)), CallKind::Receive),
        (wait(2, 1), CallKind::Wait),
        (Call::SendReceive { send: to_self, receive: from_self }, CallKind::SendReceive),
    ];
    let with_computation = |(call, _): &(Call, _)| [Call::Compute { cycles: 1000 }, call.clone()];
    let list: Vec<Call> = calls.iter().flat_map(with_computation).collect();
    let mut machine = Machine::torus(&[4], 1);
    for min in [0, 50] {
        let cost = |kind: CallKind| min + 7 * kind as u32;
        let costs =
            CallKind::ALL.into_iter().fold(CallCosts::default(), |costs, kind| costs.with(kind, cost(kind)));
        machine.parameters.call_processor_cycles = costs;
        let (record, _) = run_on(&machine, vec![list.clone()]);
        let spent = record.times[0][1..].chunks(2).map(|times| times[1] - times[0]);
        // A rank sees a message to itself a polling interval later.
        let blocked = |kind| if kind == CallKind::SendReceive { 12 } else { 0 };
        let expected = calls.iter().map(|&(_, kind)| u64::from(cost(kind)) + blocked(kind));
        assert_eq!(spent.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{min}");
    }
}

/// Rank 2 aborts first. A rank that has aborted makes no more calls.
#[test]
fn an_abort_ends_the_run() {
    let abort = |cycles, code| vec![Call::Compute { cycles }, Call::Abort { code }, LATER, send(0, 0, 0)];
    for (call, cost) in [(0, 0), (48, 48)] {
        let mut machine = Machine::torus(&[3, 2, 4], 1);
        machine.parameters.call_processor_cycles = call.into();
        let (record, progress) = run_on(&machine, vec![vec![LATER], abort(900, 1), abort(800, 2)]);
        let aborted = Aborted { job: 0, rank: 2, end: End::Aborted { code: 2 }, cycle: 800 + cost };
        assert_eq!(progress, Progress::Aborted(aborted));
        assert_eq!(record.times[2], [0, 800]);
    }
}

/// Rank 0 sends a long message without blocking, and tests it until it is complete; rank 1 receives it.
#[derive(Clone)]
struct Tester {
    rank: u32,
    calls: u32,
}

impl Program for Tester {
    type State = u32;

    fn next(&mut self, _: u64, outcome: &Outcome) -> Option<Call> {
        self.calls += 1;
        match (self.rank, self.calls) {
            (0, 1) => Some(isend(1, 0, 100_000, 0)),
            (0, _) => {
                let requests = Requests::one(0);
                (!outcome.flag).then_some(Call::Test { requests })
            }
            (_, 1) => Some(receive(Some(0), None)),
            _ => None,
        }
    }

    fn state(&self) -> u32 {
        self.calls
    }

    fn restore(&mut self, calls: u32) -> bool {
        self.calls = calls;
        true
    }
}

#[test]
fn a_rank_that_only_tests_makes_progress() {
    for (write, call) in [(60, 0), (60, 48), (0, 0), (0, 48)] {
        let mut machine = Machine::torus(&[4], 1);
        machine.network.node.injection_fifo = network::parameters::FifoSize::Bytes(1024);
        machine.parameters.write_processor_cycles = write;
        machine.parameters.call_processor_cycles = call.into();
        let progress = machine.progress(2, |rank| Tester { rank, calls: 0 });
        assert_eq!(progress, Progress::Finished, "write {write}, call {call}");
    }
}

/// Every rank enters after its own delay. No rank may leave a barrier or an allreduce before the last has entered.
fn assert_synchronizes(collective: &Collective, ranks: u32) {
    let delay = |rank: u32| mix(rank.into()) % 10_000;
    let calls = (0..ranks)
        .map(|rank| vec![Call::Compute { cycles: delay(rank) }, Call::Collective(collective.clone())])
        .collect();
    let (record, progress) = run_list(calls);
    assert_eq!(progress, Progress::Finished);
    let last = (0..ranks).map(delay).max().unwrap();
    assert!(record.times.iter().all(|times| times[2] >= last), "{collective} of {ranks}");
}

#[test]
fn collectives_synchronize() {
    for ranks in 1..=17 {
        assert_synchronizes(&Collective::Barrier, ranks);
        assert_synchronizes(&Collective::Allreduce { bytes: 1000 }, ranks);
        assert_synchronizes(&Collective::Allreduce { bytes: 10_000 }, ranks);
        assert_synchronizes(&Collective::Allgather { bytes: 100 }, ranks);
    }
}
