//! Both engines run random programs alike, with any number of subdomains, also resumed from checkpoints.

use crate::support::{Listed, Machine, Run, cases, choices};
use base::checkpoint::FrameWriter;
use base::clock::ClockRatio;
use base::draws::mix;
use geometry::{HalfWay, Shape, Twist};
use messaging::{
    CallCosts, CallKind, Called, Coprocessor, Dma, End, Interval, MessageProtocol, Parameters, Progress,
    RankStep, Watermark,
};
use mpi::{
    Algorithm, Call, Collective, Directions, Layout, Member, Members, Needed, Operands, Outside, ReceiveFrom,
    Requests, SendTo, Transfer, Tuning, WORLD,
};
use network::parameters::{FifoChoice, FifoSize};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::HashMap;
use std::iter;

/// These calls with sends that never block, so that no rank waits for another that waits for it. Receives that are
/// cancelled and collectives are left out: these wait for their messages under all protocols.
fn without_blocking_sends(calls: Vec<Call>) -> Vec<Call> {
    let mut next = 100;
    let mut unblocked: Vec<Call> = calls
        .into_iter()
        .filter(|call| !matches!(call, Call::Collective(_)))
        .map(|call| {
            let Call::Send { target, tag, bytes } = call else { return call };
            next += 1;
            Call::SendNonBlocking { target, tag, bytes, request: next }
        })
        .collect();
    let requests = Requests::range(100, next - 99);
    unblocked.push(Call::Wait { requests, needed: Needed::All });
    unblocked
}

/// Lists of calls in which every message is received: rounds of computation, sends and receives that block or not, with
/// sources and tags or wildcards, matched probes, cancelled receives, and times.
fn programs(ranks: u32, rounds: u32, longest: u64, seed: u64) -> Vec<Vec<Call>> {
    listed(ranks, rounds, longest, seed, [0, 1, 2, 3, 4])
}

/// Programs that need no blocking sends.
fn safe_programs(ranks: u32, rounds: u32, longest: u64, seed: u64) -> Vec<Vec<Call>> {
    listed(ranks, rounds, longest, seed, [0, 1, 2, 1, 0]).into_iter().map(without_blocking_sends).collect()
}

fn listed(ranks: u32, rounds: u32, longest: u64, seed: u64, kinds: [u64; 5]) -> Vec<Vec<Call>> {
    let draw = |what: u64, max: u64| mix(mix(seed).wrapping_add(what)) % max;
    let calls = |rank: u32| {
        let round = |round: u32| {
            let key = |what: u64| u64::from(round) << 8 | what;
            let of_rank = |what: u64| u64::from(rank) << 40 | key(what);
            let shift = 1 + draw(key(0), ranks.into()) as u32;
            let (to, from) = ((rank + shift) % ranks, (rank + ranks - shift % ranks) % ranks);
            let bytes = draw(of_rank(1), longest);
            let mut calls = Vec::new();
            if draw(of_rank(2), 2) == 0 {
                calls.push(Call::Compute { cycles: draw(of_rank(3), 4000) });
            }
            let is_exact = draw(of_rank(4), 2) == 0;
            let (source, tag) = if is_exact { (Some(from), Some(round)) } else { (None, Some(round)) };
            if draw(of_rank(6), 3) == 0 {
                calls.extend([Call::Time, Call::Advance { until: draw(of_rank(7), 30_000) }]);
            }
            let waits = draw(of_rank(8), 2) == 0;
            // Some of these numbers, or all from the first to the last.
            let some = |[first, second, third, last]: [u32; 4]| match waits {
                true => Requests::list([first, second, third, last]),
                false => Requests::range(first, last + 1 - first),
            };
            calls.extend(match kinds[draw(key(5), 5) as usize] {
                // All send first: a send never waits for a receive.
                0 if waits => {
                    vec![Call::Send { target: to, tag: round, bytes }, Call::Receive { source, tag }]
                }
                // A send or receive of data in several blocks.
                0 => {
                    let layout = |what| Layout::of(draw(of_rank(what), 20) as u32);
                    let send = SendTo { layout: layout(10), ..SendTo::new(to, round, bytes) };
                    let receive = ReceiveFrom { layout: layout(11), ..ReceiveFrom::new(source, tag) };
                    vec![
                        Call::Begin { transfer: Transfer::Send(send), request: Some(0) },
                        Call::Begin { transfer: Transfer::Receive(receive), request: None },
                        Call::Wait { requests: Requests::one(0), needed: Needed::All },
                    ]
                }
                1 => vec![
                    Call::ReceiveNonBlocking { source, tag, request: 0 },
                    Call::SendNonBlocking { target: to, tag: round, bytes, request: 1 },
                    Call::SendNonBlocking { target: to, tag: round, bytes: bytes / 2, request: 2 },
                    Call::ReceiveNonBlocking { source: None, tag, request: 3 },
                    Call::Wait { requests: some([0, 1, 2, 3]), needed: Needed::Any },
                    Call::Test { requests: some([0, 1, 3, 3]) },
                    Call::TestAny { requests: some([1, 2, 3, 3]) },
                    Call::TestSome { requests: some([0, 0, 2, 2]) },
                    Call::Wait { requests: some([0, 1, 3, 3]), needed: Needed::Some },
                    Call::Wait { requests: Requests::range(0, 4), needed: Needed::All },
                ],
                // Whether or not the probe finds the message, the next call receives it.
                2 => vec![
                    Call::SendNonBlocking { target: to, tag: round, bytes, request: 0 },
                    Call::Send { target: to, tag: round, bytes: bytes / 3 },
                    Call::MatchedProbe { source, tag, blocks: true },
                    Call::MatchedReceiveNonBlocking { handle: 0, request: 1 },
                    Call::MatchedProbe { source, tag, blocks: waits },
                    Call::Receive { source, tag },
                    Call::Wait { requests: Requests::range(0, 2), needed: Needed::Some },
                    Call::Wait { requests: Requests::range(0, 2), needed: Needed::All },
                ],
                // Some receives are cancelled, and their messages never received.
                3 => vec![
                    Call::ReceiveNonBlocking { source, tag: Some(rounds + round), request: 0 },
                    Call::ReceiveNonBlocking { source, tag: Some(2 * rounds), request: 1 },
                    Call::SendNonBlocking { target: to, tag: rounds + round, bytes, request: 2 },
                    Call::Compute { cycles: draw(of_rank(9), 4000) },
                    Call::Cancel { request: 0 },
                    Call::Cancel { request: 1 },
                    Call::Cancel { request: 2 },
                    Call::Wait { requests: Requests::one(0), needed: Needed::All },
                    Call::Wait { requests: Requests::range(0, 3), needed: Needed::All },
                ],
                _ => vec![
                    Call::Send { target: to, tag: round, bytes },
                    Call::Probe { source, tag, blocks: true },
                    Call::Receive { source, tag },
                    Call::Collective(match round % 3 {
                        0 => Collective::Barrier,
                        1 => Collective::Allreduce { bytes: bytes.min(64) / 8 },
                        _ => Collective::Broadcast { root: round % ranks, bytes: 700 },
                    }),
                ],
            });
            calls
        };
        (0..rounds).flat_map(round).collect()
    };
    (0..ranks).map(calls).collect()
}

/// A torus with those of some shifts that it can have.
fn twisted(shape: Shape, shifts: &[(usize, usize, i32)]) -> Shape {
    let is_ring = |dimension: usize| dimension < shape.dimensions() && shape.length(dimension) > 1;
    let can =
        |&&(across, along, _): &&(usize, usize, i32)| across < along && is_ring(across) && is_ring(along);
    let twist = shifts
        .iter()
        .filter(can)
        .fold(Twist::default(), |twist, &(across, along, by)| twist.shifting(across, along, by));
    shape.with_twist(twist).expect("shifts of later dimensions alone form no circle")
}

prop_compose! {
    fn networks()(
        lengths in prop::collection::vec(1u32..=4, 1..=3), half_way in select(&HalfWay::ALL[..]), cores in 1u8..=4,
        seed: u64,
        injection in prop_oneof![
            3 => Just(FifoSize::Infinite), 1 => Just(FifoSize::Bytes(1024)), 1 => Just(FifoSize::Bytes(256)),
        ],
        // Emptiest, infinite and free: messages are spread over the FIFOs.
        choice in prop_oneof![
            3 => Just(FifoChoice::Emptiest),
            1 => select(vec![FifoChoice::RoundRobin, FifoChoice::ByDirection, FifoChoice::Random]),
        ],
        window in prop::option::weighted(0.2, 1u32..10),
        clock in select(vec![(1, 1), (4, 1), (11, 34), (7, 3)]),
        shifts in prop::collection::vec((0usize..3, 0usize..3, 0i32..4), 0..4),
    ) -> network::Parameters {
        let twisted = twisted(Shape::torus(&lengths).unwrap(), &shifts);
        let shape = if twisted.supports(half_way) { twisted } else { twisted.without_twist() };
        let shape = shape.with_half_way(half_way, seed);
        let mut network = network::Parameters::bluegene_l(shape, seed);
        network.node.cores = cores;
        network.node.injection_fifo = injection;
        network.node.fifo_choice = choice;
        network.node.injection_window_packets = window;
        network.node.clock = ClockRatio { processor_cycles: clock.0, cycles: clock.1 };
        network
    }
}

/// The costs that are drawn one by one; if there are more, some are equal.
const COSTS: usize = 20;

fn cost(max: u32) -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0), 1 => 1..max]
}

prop_compose! {
    /// The costs of calls: mostly all the same.
    fn calls()(
        all in cost(100), by_kind in prop::option::weighted(0.4, prop::collection::vec(cost(100), CallKind::ALL.len())),
    ) -> CallCosts {
        let by_kind = by_kind.into_iter().flatten();
        CallKind::ALL.into_iter().zip(by_kind).fold(all.into(), |costs: CallCosts, (kind, cost)| costs.with(kind, cost))
    }
}

prop_compose! {
    /// The costs of software; a third of the machines have costs of each kind.
    fn costs()(
        (write, read) in (cost(300), cost(400)), call_processor_cycles in calls(),
        details in prop::collection::vec(cost(100), COSTS), has_details: bool,
        polling_interval_cycles in 1u32..40, reads_while_computing: bool,
    ) -> Parameters {
        let simple = Parameters {
            polling_interval_cycles,
            write_processor_cycles: write,
            read_processor_cycles: read,
            call_processor_cycles,
            reads_while_computing,
            ..Parameters::default()
        };
        let mut details = details.into_iter().cycle();
        let mut drawn = |key: &str| match key {
            "write_processor_cycles" => write,
            "read_processor_cycles" => read,
            _ => details.next().unwrap_or(0) / if key.contains("_per_") { 4 } else { 1 },
        };
        if has_details { simple.with_costs(&mut drawn) } else { simple }
    }
}

prop_compose! {
    fn sizes()(
        header_bytes in 0u32..40, envelope_bytes in 0u32..40, rendezvous_header_bytes in 0u32..40,
        full_packets: bool, partial_packets: bool,
        (alignment_bytes, send_offset_bytes, receive_offset_bytes) in select(vec![(1, 0, 0), (16, 0, 5), (16, 3, 3)]),
        by_offset in prop::collection::vec(0u32..300, 15),
    ) -> Parameters {
        let by_offset: Vec<u32> = iter::once(0).chain(by_offset).take(alignment_bytes as usize).collect();
        Parameters {
            header_bytes, envelope_bytes, rendezvous_header_bytes, full_packets, partial_packets,
            alignment_bytes, send_offset_bytes, receive_offset_bytes,
            realign_processor_cycles_by_offset: by_offset.try_into().unwrap(),
            ..Parameters::default()
        }
    }
}

prop_compose! {
    fn engines_of_nodes()(
        processor_cycles_per_chunk in cost(40), injection_fifo_descriptors in 1u32..5,
        descriptor_processor_cycles in cost(200), interrupt_processor_cycles in cost(500),
    ) -> Dma {
        Dma {
            processor_cycles_per_chunk, injection_fifo_descriptors, descriptor_processor_cycles,
            interrupt_processor_cycles,
        }
    }
}

prop_compose! {
    /// The mover of packets: the core alone, one that is interrupted to read, to write or for both, a co-processor, or the
    /// DMA engine of the node.
    fn movers()(
        mover in 0..6, handover_processor_cycles in 0u32..50, each in 0u32..40, bytes in 32u32..900, is_copied: bool,
        dma in engines_of_nodes(),
    ) -> ([Option<Watermark>; 2], Option<Coprocessor>, Option<Dma>) {
        let coprocessor = Coprocessor {
            scratchpad_processor_cycles_per_chunk: is_copied.then_some(each),
            handover_processor_cycles,
            flush_processor_cycles_per_chunk: each,
        };
        let watermark = Watermark { bytes, interrupt_processor_cycles: 2 * handover_processor_cycles };
        match mover {
            0 => ([Some(watermark), is_copied.then_some(watermark)], None, None),
            1 => ([None, Some(watermark)], None, None),
            2 => ([None; 2], Some(coprocessor), None),
            3 => ([is_copied.then_some(watermark), None], None, Some(dma)),
            _ => ([None; 2], None, None),
        }
    }
}

prop_compose! {
    /// Eager protocols without message credits: programs with blocking sends end.
    fn machines()(
        network in networks(), costs in costs(), sizes in prop::option::of(sizes()),
        ([watermark, injection_watermark], coprocessor, dma) in movers(),
        protocol in select(MessageProtocol::ALL).prop_filter("it has no handshake", |it| it.is_eager()),
        unexpected_limit_bytes in select(vec![None, Some(u64::MAX)]), choices in choices(),
    ) -> Machine {
        let sizes = sizes.unwrap_or_default();
        let parameters = Parameters {
            header_bytes: sizes.header_bytes,
            envelope_bytes: sizes.envelope_bytes,
            rendezvous_header_bytes: sizes.rendezvous_header_bytes,
            full_packets: sizes.full_packets,
            partial_packets: sizes.partial_packets,
            alignment_bytes: sizes.alignment_bytes,
            send_offset_bytes: sizes.send_offset_bytes,
            receive_offset_bytes: sizes.receive_offset_bytes,
            realign_processor_cycles_by_offset: sizes.realign_processor_cycles_by_offset,
            watermark, injection_watermark, coprocessor, dma, protocol, unexpected_limit_bytes,
            ..costs
        };
        Machine { choices, ..Machine::of(network, parameters) }
    }
}

prop_compose! {
    /// All protocols, with message credits or without.
    fn machines_with_handshakes()(
        machine in machines(), message_credits in prop::option::of(1u32..6), pool in 0u32..20,
        protocol in select(MessageProtocol::ALL),
        rendezvous_from_bytes in select(vec![None, Some(0), Some(400), Some(1000)]),
    ) -> Machine {
        let parameters = Parameters {
            message_credits,
            message_credit_pool: message_credits.map_or(0, |_| pool),
            protocol,
            rendezvous_from_bytes,
            ..machine.parameters
        };
        Machine { parameters, ..machine }
    }
}

fn assert_same(expected: &mut Run, run: &mut Run, what: &str) {
    assert_eq!(run.progress, expected.progress, "{what}");
    assert_eq!(run.totals, expected.totals, "{what}");
    assert_eq!(run.finished, expected.finished, "{what}");
    assert_eq!(run.record, expected.record, "{what}");
    assert_eq!(run.operations, expected.operations, "{what}: operations");
    assert_eq!(run.engine.totals().digest, expected.engine.totals().digest, "{what}: packets");
}

/// Time lines without the names of calls: the next call of a program outside the simulator is not known early.
fn unnamed(time_lines: &[Interval]) -> Vec<Interval> {
    let unnamed = |step| match step {
        RankStep::Call(Some(called)) => RankStep::Call(Some(Called { name: None, ..called })),
        RankStep::Call(None) | RankStep::Computation => step,
    };
    time_lines.iter().map(|line| Interval { step: line.step.map(unnamed), ..*line }).collect()
}

/// The engine on one thread and several, and resumed ones, do what was `expected`.
fn assert_engines_agree(expected: &mut Run, run: impl Fn(usize, &[u64]) -> Run, threads: usize, cut: u64) {
    for threads in [1, threads] {
        let mut run = run(threads, &[u64::MAX]);
        assert_same(expected, &mut run, &format!("{threads} threads"));
        assert_eq!(run.time_lines, expected.time_lines);
        assert_eq!(run.rounds, expected.rounds);
    }
    assert_same(expected, &mut run(0, &[cut, u64::MAX]), "the reference engine, resumed");
    assert_same(expected, &mut run(2, &[cut, 2 * cut, u64::MAX]), "resumed");
}

/// The intervals of a core follow one another without gaps.
fn assert_contiguous(time_lines: &[Interval]) {
    let mut ends = HashMap::new();
    for line in time_lines {
        let end = ends.insert((line.place, line.is_coprocessor), line.end).unwrap_or(0);
        assert!(line.start == end && line.end >= end, "{line:?}");
    }
}

/// Collectives by algorithms that suit all cores of a machine, each drawn.
fn named_collectives(machine: &Machine, count: u64, bytes: u64, seed: u64) -> Vec<Call> {
    let (cores, ranks) = (u32::from(machine.network.node.cores), machine.grid().ranks() as u32);
    let call = |number: u64| {
        let draw = |what: u64, max: usize| mix(mix(seed ^ what).wrapping_add(number)) as usize % max;
        let root = draw(0, ranks as usize) as u32;
        let collectives = [
            Collective::Allreduce { bytes },
            Collective::Broadcast { root, bytes },
            Collective::Allgather { bytes: bytes / 10 },
            Collective::ReduceScatterBlock { bytes: bytes / 10 },
            Collective::Alltoall { bytes: bytes / 10 },
            Collective::Barrier,
        ];
        let collective = collectives[draw(1, collectives.len())].clone();
        let tuning = Tuning {
            algorithm: Algorithm::Auto,
            directions: if draw(2, 2) == 0 { Directions::Both } else { Directions::One },
            segment_bytes: [0, 300][draw(3, 2)],
            grid: Some(machine.grid().with_cores(cores)),
            seed,
            operands: [Operands::Integer, Operands::Floating][draw(5, 2)],
        };
        let suits = |algorithm: &Algorithm| {
            (machine.deposits || !algorithm.deposits())
                && tuning.with(*algorithm).misfit(&collective, ranks).is_none()
        };
        let suiting: Vec<Algorithm> = collective.operation().algorithms().filter(suits).collect();
        let tuning = tuning.with(suiting[draw(4, suiting.len())]);
        Call::Collect { collective, communicator: WORLD, request: None, tuning: Box::new(tuning) }
    };
    (0..count).map(call).collect()
}

proptest! {
    #![proptest_config(cases(25))]

    /// Collectives by named algorithms end under all protocols, in the same way on any engine, also resumed.
    #[test]
    fn engines_agree_on_named_collectives(
        machine in machines_with_handshakes(), count in 1u64..4, bytes in select(vec![0u64, 64, 900, 6000]),
        seed: u64, threads in 2usize..9, cut in 1u64..4000,
    ) {
        let Parameters { message_credits, .. } = machine.parameters;
        let deposits = !machine.parameters.has_handshakes() && message_credits.is_none();
        let machine = Machine { joins: true, deposits, ..machine };
        let ranks = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let calls = vec![named_collectives(&machine, count, bytes, seed); ranks as usize];
        let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
        let mut expected = run(0, &[u64::MAX]);
        prop_assert_eq!(&expected.progress, &Progress::Finished);
        assert_engines_agree(&mut expected, run, threads, cut);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn engines_agree_on_random_programs(
        machine in machines(), share in 1u32..=100, rounds in 1u32..6, longest in select(vec![1u64, 400, 3000, 30_000]),
        seed: u64, threads in 2usize..9, cut in 1u64..4000,
    ) {
        let max = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let ranks = (max * share).div_ceil(100);
        let calls = programs(ranks, rounds, longest, seed);
        let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
        let mut expected = run(0, &[u64::MAX]);
        prop_assert_eq!(&expected.progress, &Progress::Finished);
        prop_assert_eq!(expected.totals.messages_sent, expected.totals.messages_received);
        prop_assert_eq!(expected.totals.packets_sent, expected.totals.packets_received);
        assert_contiguous(&expected.time_lines);
        assert_engines_agree(&mut expected, run, threads, cut);
    }

    #[test]
    fn engines_agree_on_handshakes(
        machine in machines_with_handshakes(), share in 1u32..=100, rounds in 1u32..6,
        longest in select(vec![1u64, 400, 3000, 30_000]), seed: u64, threads in 2usize..9, cut in 1u64..4000,
        limit in prop::option::weighted(0.2, 0u64..3000),
    ) {
        let mut machine = machine;
        machine.parameters.unexpected_limit_bytes = limit.or(machine.parameters.unexpected_limit_bytes);
        let max = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let ranks = (max * share).div_ceil(100);
        let calls = safe_programs(ranks, rounds, longest, seed);
        let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
        let mut expected = run(0, &[u64::MAX]);
        match &expected.progress {
            Progress::Finished => {
                prop_assert_eq!(expected.totals.messages_sent, expected.totals.messages_received);
                prop_assert_eq!(expected.totals.packets_sent, expected.totals.packets_received);
            }
            Progress::Aborted(aborted) => {
                let is_out_of_memory = matches!(aborted.end, End::OutOfMemory { bytes } if Some(bytes) > limit);
                prop_assert!(is_out_of_memory, "{aborted:?}");
            }
            Progress::Running | Progress::Stuck(_) | Progress::Blocked => {
                prop_assert!(false, "{:?}", expected.progress);
            }
        }
        assert_contiguous(&expected.time_lines);
        assert_engines_agree(&mut expected, run, threads, cut);
    }

    /// The first rank that aborts is the same, and so are the actions of the others until they wait for it.
    #[test]
    fn engines_agree_on_aborted_programs(
        machine in machines(), rounds in 1u32..4, seed: u64, threads in 2usize..9, cut in 1u64..4000,
        aborts in prop::collection::vec((any::<Index>(), any::<Index>()), 1..4),
    ) {
        let ranks = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let mut calls = programs(ranks, rounds, 2000, seed);
        for (code, (rank, call)) in (0..).zip(&aborts) {
            let calls = &mut calls[rank.index(ranks as usize)];
            calls.insert(call.index(calls.len() + 1), Call::Abort { code });
        }
        let run = |threads, cuts: &[u64]| machine.run(threads, cuts, Listed::programs(calls.clone()));
        let mut expected = run(0, &[u64::MAX]);
        prop_assert!(matches!(expected.progress, Progress::Aborted(_)));
        assert_same(&mut expected, &mut run(threads, &[u64::MAX]), &format!("{threads} threads"));
        assert_same(&mut expected, &mut run(0, &[cut, u64::MAX]), "the reference engine, resumed");
        assert_same(&mut expected, &mut run(2, &[cut, 2 * cut, u64::MAX]), "resumed");
    }
}

proptest! {
    #![proptest_config(cases(20))]

    /// Programs outside the simulator behave as they do inside, if a call costs at least a window.
    #[test]
    fn programs_outside_do_the_same(
        mut machine in machines(), share in 1u32..=100, rounds in 1u32..5, longest in select(vec![400u64, 3000, 30_000]),
        seed: u64, slices in prop::collection::vec(1u64..300, 1..20),
    ) {
        let (costs, min) = (machine.parameters.call_processor_cycles, min_call(&machine));
        machine.parameters.call_processor_cycles =
            CallKind::ALL.into_iter().fold(costs, |raised, kind| raised.with(kind, costs.of(kind) + min));
        let max = machine.network.shape.nodes() * u32::from(machine.network.node.cores);
        let ranks = (max * share).div_ceil(100);
        let calls = programs(ranks, rounds, longest, seed);
        let mut expected = machine.run(0, &[u64::MAX], Listed::programs(calls.clone()));
        prop_assert_eq!(&expected.progress, &Progress::Finished);
        for threads in [0, 1, 2, 3] {
            for slices in [&[1 << 20][..], &slices] {
                let mut run = machine.run_outside(threads, slices, Listed::programs(calls.clone()));
                assert_same(&mut expected, &mut run, &format!("outside, {threads} threads, slices {slices:?}"));
                prop_assert_eq!(unnamed(&run.time_lines), unnamed(&expected.time_lines));
                prop_assert_eq!(&run.rounds, &expected.rounds);
            }
        }
    }
}

/// The least cost of a call with which programs can be outside.
fn min_call(machine: &Machine) -> u32 {
    let engine = machine.engine(0, machine.traffic(1, |_| Outside));
    machine.network.node.clock.processor_cycle_of(engine.window_cycles()) as u32
}

#[test]
fn programs_outside_need_calls_that_cost_a_window() {
    let mut machine = Machine::torus(&[4, 4], 1);
    machine.network.node.clock = ClockRatio { processor_cycles: 4, cycles: 1 };
    let min = min_call(&machine);
    assert_eq!(min, 4 * 10);
    for threads in [0, 1, 3] {
        let mut borders = |calls: CallCosts| {
            machine.parameters.call_processor_cycles = calls;
            machine.borders(&*machine.engine(threads, machine.traffic(4, |_| Outside)))
        };
        let enough = CallCosts::from(min);
        assert!(borders(enough).is_ok() && borders(enough.with(CallKind::Send, 10 * min)).is_ok());
        for (calls, key) in [((min - 1).into(), ""), (enough.with(CallKind::Test, min - 1), ".test")] {
            let error = borders(calls).unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "messaging.call_processor_cycles{key} = 39: must be at least 40 for ranks outside the simulator: \
                     nodes affect one another within 10 cycles"
                )
            );
        }
    }
}

/// `MPI_COMM_SELF`, with which each rank begins, is like any other communicator.
#[test]
fn programs_outside_begin_with_communicators_of_their_own() {
    let mut machine = Machine::torus(&[4, 2], 1);
    machine.parameters.call_processor_cycles = min_call(&machine).into();
    let (itself, copy, other) = (1, 2, 3);
    let collect = |collective, communicator| Call::Collect {
        collective,
        communicator,
        request: None,
        tuning: Box::default(),
    };
    let create =
        |communicator, new| Call::Create { communicator, members: Some(Members::All), new, order: 0 };
    let to_itself = SendTo { communicator: itself, ..SendTo::new(0, 5, 100) };
    let from_itself = ReceiveFrom { communicator: itself, ..ReceiveFrom::new(Some(0), None) };
    let calls = vec![
        collect(Collective::Allreduce { bytes: 3000 }, itself),
        create(itself, copy),
        Call::SendReceive { send: to_itself, receive: from_itself },
        create(WORLD, other),
        collect(Collective::Alltoall { bytes: 100 }, copy),
        collect(Collective::Alltoall { bytes: 100 }, other),
    ];
    let programs = || {
        let (record, ranks, program) = Listed::programs(vec![calls.clone(); 8]);
        (record, ranks, move |rank| program(rank).with_self())
    };
    let mut expected = machine.run(0, &[u64::MAX], programs());
    assert_eq!(expected.progress, Progress::Finished);
    for (rank, outcomes) in (0..).zip(&expected.record.outcomes) {
        let members = [1, 3].map(|call: usize| outcomes[call].member.unwrap());
        assert_eq!(members, [Member { id: 2, rank: 0, size: 1 }, Member { id: 3, rank, size: 8 }]);
    }
    for threads in [0, 2] {
        let mut run = machine.run_outside(threads, &[1000], programs());
        assert_same(&mut expected, &mut run, &format!("outside, {threads} threads"));
    }
}

#[test]
fn programs_outside_cannot_be_saved() {
    let machine = Machine::torus(&[4, 4], 1);
    for threads in [0, 2] {
        let engine = machine.engine(threads, machine.traffic(4, |_| Outside));
        let error = engine.save(&mut FrameWriter::new(&mut Vec::new())).unwrap_err();
        assert_eq!(error.to_string(), "programs outside the simulator cannot be saved");
    }
}
