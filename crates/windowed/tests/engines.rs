//! Both engines move every packet at the same cycle over the same link, with any number of threads and processes.

#[path = "support/counted.rs"]
mod counted;
#[path = "../../geometry/tests/support/mod.rs"]
mod random_twists;
mod support;

use base::checkpoint::{FrameReader, FrameWriter};
use base::clock::ClockRatio;
use base::draws::{Share, mix, pick};
use counted::Counted;
use geometry::{Direction, Faults, HalfWay, MAX_DIMENSIONS, Preference, Shape, Twist, WithoutCleanEscape};
use network::arbitration::ArbitrationRule;
use network::link::{ACK_VCS, BitErrorRate, LinkProtocol};
use network::parameters::{
    BubbleRule, EscapeKind, EscapeOrder, FifoChoice, FifoSize, LinkParameters, MAX_ADAPTIVE_VCS,
    RouterParameters, SoftwareCost,
};
use network::several_jobs::{Part, SoftwareOfJobsBuilder};
use network::{
    CyclesPerByte, Division, Engine, LinkColumn, LinkCounters, Parameters, Parts, Peers, Totals, Traffic,
};
use proptest::prelude::*;
use random_twists::{Shifts, shifts, twisted};
use reference::ReferenceEngine;
use std::collections::BTreeSet;
use std::sync::Arc;
use support::{EqualPackets, RandomPackets, cases, on_peers};
use windowed::{new_engine, new_engine_of_parts};

/// A machine with its packets.
struct Case {
    parameters: Parameters,
    traffic: Traffic,
}

impl Case {
    fn generated(parameters: &Parameters, packets: &RandomPackets) -> Self {
        Case { parameters: parameters.clone(), traffic: packets.traffic() }
    }

    /// The packets as one source sends them, and as two jobs do that have every other node.
    fn of_jobs(parameters: &Parameters, packets: &RandomPackets) -> [Self; 2] {
        let groups: Arc<[u16]> = (0..parameters.shape.nodes()).map(|node| (node % 2) as u16).collect();
        let packets = RandomPackets { groups: Some(groups.clone()), ..packets.clone() };
        let part = |job| Part { traffic: packets.traffic(), jobs: vec![job] };
        let software = SoftwareOfJobsBuilder::new(vec![part(1), part(0)], groups, [0, 0].into());
        let [own, parted] = [packets.traffic(), Traffic::Software(Arc::new(software))];
        [own, parted].map(|traffic| Case { parameters: parameters.clone(), traffic })
    }

    fn reference(&self) -> ReferenceEngine {
        ReferenceEngine::new(self.parameters.clone(), self.traffic.clone())
    }

    fn windowed(&self, threads: usize) -> Box<dyn Engine> {
        new_engine(self.parameters.clone(), self.traffic.clone(), threads)
    }

    /// All observable state of an engine at each cut; measurement starts at the first.
    fn observe(&self, engine: &mut dyn Engine, cuts: &[u64]) -> String {
        let observed = observe_parts(engine, &cuts[..1]);
        engine.start_measurement();
        observed + &observe_parts(engine, &cuts[1..])
    }

    /// All observable state of an engine at each cut. It is checkpointed at every cut and resumed as another engine,
    /// with another number of threads.
    fn observe_resumed(&self, new_engine: impl Fn(usize) -> Box<dyn Engine>, cuts: &[u64]) -> String {
        let mut engine = new_engine(1);
        let mut observed = String::new();
        for (number, cut) in cuts.iter().enumerate() {
            observed += &observe_parts(&mut *engine, std::slice::from_ref(cut));
            if number == 0 {
                engine.start_measurement();
            }
            let mut checkpoint = Vec::new();
            engine.save(&mut FrameWriter::new(&mut checkpoint)).expect("memory takes what is written");
            engine = new_engine(2 + number);
            let resumed = engine.restore(&mut FrameReader::new(&mut &checkpoint[..]));
            resumed.expect("what was saved can be restored");
        }
        observed
    }

    /// What process 0 of some observes.
    fn observe_with_peers(&self, processes: usize, threads: usize, cuts: &[u64]) -> String {
        let nodes = self.parameters.shape.nodes();
        let processes = processes.min(nodes as usize);
        let division = random_division(nodes, processes, cuts[0]);
        let observe = |peers: Peers| {
            let (parameters, traffic) = (self.parameters.clone(), self.traffic.clone());
            let parts = Parts { peers, division: division.clone() };
            self.observe(&mut *new_engine_of_parts(parameters, traffic, threads, &parts), cuts)
        };
        let observed = on_peers(processes, observe);
        observed.into_iter().next().expect("there is a process")
    }

    fn assert_same(&self, cuts: &[u64]) {
        let mut reference = self.reference();
        let expected = self.observe(&mut reference, cuts);
        reference.assert_credits_conserved();
        let resumed = self.observe_resumed(|_| Box::new(self.reference()), cuts);
        compare(&expected, &resumed, "reference engines, one resumed,");
        for threads in [1, 2, 3, 8, 16] {
            let observed = self.observe(&mut *self.windowed(threads), cuts);
            compare(&expected, &observed, &format!("{threads} threads"));
        }
        compare(&expected, &self.observe_resumed(|threads| self.windowed(threads), cuts), "resumed");
        // One of them for each case: many cases are drawn.
        let (processes, threads) = [(2, 1), (3, 2), (4, 1), (8, 1)][cuts[0] as usize % 4];
        let observed = self.observe_with_peers(processes, threads, cuts);
        compare(&expected, &observed, &format!("{processes} processes with {threads} threads"));
    }
}

/// Any division of some nodes.
fn random_division(nodes: u32, parts: usize, seed: u64) -> Division {
    let mut cuts = BTreeSet::new();
    let mut draws = (seed..).map(|draw| 1 + pick(mix(draw) as u32, nodes - 1));
    while cuts.len() + 1 < parts {
        cuts.extend(draws.next());
    }
    Division::at(cuts, nodes)
}

fn observe_parts(engine: &mut dyn Engine, cuts: &[u64]) -> String {
    let mut observed = String::new();
    for &cut in cuts {
        engine.advance(cut);
        let mut totals = engine.totals();
        // Histograms with equal counts may cover different ranges of values.
        let latencies: Vec<_> = totals.latency.iter_recorded().map(|step| step.value_iterated_to()).collect();
        totals.latency = Totals::default().latency;
        totals.groups.iter_mut().for_each(|group| group.latency = Totals::default().latency);
        observed += &format!(
            "{cut}: {:?} {} {} {} {:?} {latencies:?} {:?} {:?} {:?} {} {:?} {:?} {:?} {:?}\n",
            totals.digest,
            totals.latency_sum,
            totals.latency_max,
            totals.last_delivery,
            Totals { digest: Default::default(), ..totals },
            engine.peers().joined_at_first(engine.links()),
            engine.peers().joined_at_first(engine.link_vcs()),
            engine.nodes(),
            engine.oldest_packet_age(),
            engine.credits_out(),
            engine.find_deadlock(),
            engine.peers().joined_at_first(engine.waiting()),
            engine.link_report(),
        );
    }
    observed
}

fn compare(expected: &str, observed: &str, what: &str) {
    if observed != expected {
        let difference = expected.lines().zip(observed.lines()).find(|(a, b)| a != b);
        let (a, b) = difference.expect("some text line differs");
        let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        panic!("{what} differ:\nreference {}\nwindowed  {}", clip(a, same), clip(b, same));
    }
}

#[test]
fn state_of_another_machine_is_refused() {
    let engine = |lengths| {
        let shape = Shape::torus(lengths).unwrap();
        let packets = RandomPackets::new(&shape, 1);
        new_engine(Parameters::bluegene_l(shape, 1), packets.traffic(), 1)
    };
    let mut checkpoint = Vec::new();
    engine(&[4, 4]).save(&mut FrameWriter::new(&mut checkpoint)).unwrap();
    let restore = |lengths, mut bytes: &[u8]| engine(lengths).restore(&mut FrameReader::new(&mut bytes));
    assert!(restore(&[4, 4], &checkpoint).is_ok());
    assert!(restore(&[4, 5], &checkpoint).is_err());
    assert!(restore(&[2, 2, 4], &checkpoint).is_err(), "as many nodes, but other links");
    assert!(restore(&[4, 4], &checkpoint[..checkpoint.len() - 1]).is_err());
}

/// The text around the first difference of two text lines.
fn clip(line: &str, same: usize) -> &str {
    &line[same.saturating_sub(400)..line.len().min(same + 400)]
}

fn shapes() -> impl Strategy<Value = Shape> {
    let dimensions = prop::collection::vec((1u32..=5, prop::bool::weighted(0.75)), 1..=6);
    let machines = (dimensions, prop::sample::select(&HalfWay::ALL[..]), any::<u64>());
    machines.prop_filter_map("2 to 100 nodes", |(dimensions, half_way, seed)| {
        let (lengths, wraps): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).ok().filter(|shape| (2..=100).contains(&shape.nodes()))?;
        Some(shape.with_half_way(half_way, seed))
    })
}

/// The shape with random shifts, unless the hops around its rings would then be too many for a packet or a frame.
fn with_twist(shape: Shape, shifts: Option<Shifts>) -> Shape {
    let Some(shifts) = shifts else { return shape };
    let twisted = twisted(shape.clone(), &shifts);
    let bits = |dimension: usize| u32::BITS - twisted.longest_hops(dimension).leading_zeros();
    if (0..shape.dimensions()).map(bits).sum::<u32>() <= 13 { twisted } else { shape }
}

fn shares() -> impl Strategy<Value = Share> {
    prop_oneof![Just(0.0), Just(1.0), Just(0.75), 0.0..1.0].prop_map(Share::new)
}

prop_compose! {
    fn routers()(
        dynamic_channels in prop_oneof![6 => 0u8..=4, 1 => 5u8..=16], adaptive_packets in 1u32..=4, bubble_packets in 2u32..=4,
        true_size in prop::bool::weighted(0.2), transfer_paths in 1u8..=4, bypass: bool,
        join_shortest_queue: bool, mut token_ranges in [shares(), shares(), shares()], serve_longest_queue_share in shares(), in_network_share in shares(),
        arbitration in prop_oneof![Just(ArbitrationRule::default()), prop::sample::select(ArbitrationRule::ALL)],
        token_latency_cycles in 1u32..30, datelines in prop::bool::weighted(0.15),
        by_direction in prop::bool::weighted(0.15), detours in prop::bool::weighted(0.25), gap in prop::option::weighted(0.1, shares()),
    ) -> RouterParameters {
        token_ranges.sort();
        RouterParameters {
            dynamic_channels,
            dynamic_channel_bytes: 256 * adaptive_packets,
            escape: if datelines { EscapeKind::Dateline } else { EscapeKind::Bubble },
            escape_order: if by_direction { EscapeOrder::Direction } else { EscapeOrder::Dimension },
            escape_channel_bytes: 256 * (bubble_packets - datelines as u32),
            high_priority_channel_bytes: 256 * bubble_packets,
            detours,
            bubble_rule: if true_size { BubbleRule::TrueSize } else { BubbleRule::FullSize },
            transfer_paths, bypass, join_shortest_queue, token_ranges, arbitration, serve_longest_queue_share, in_network_share,
            arbitration_gap_share: gap.unwrap_or(Share::new(0.0)), token_latency_cycles,
        }
    }
}

prop_compose! {
    fn nodes()(
        injection_latency_cycles in 0u32..20, normal in 2u8..=6, real: bool, fifo_choice in 0usize..4,
        fifo_packets in 1u32..=4, cores in prop_oneof![4 => 1u8..=2, 1 => 3u8..=9],
        injection_window_packets in prop::option::weighted(0.15, 1u32..20), costs in prop::option::of((0u32..300, 0u32..300)),
        clock in prop_oneof![3 => Just((4, 1)), 1 => (1u32..20, 1u32..20)],
    ) -> network::parameters::NodeParameters {
        network::parameters::NodeParameters {
            injection_latency_cycles,
            normal_injection_fifos: normal,
            high_priority_injection_fifos: 2,
            injection_fifo: if real { FifoSize::Bytes(256 * fifo_packets) } else { FifoSize::Infinite },
            fifo_choice: [FifoChoice::Emptiest, FifoChoice::RoundRobin, FifoChoice::ByDirection, FifoChoice::Random]
                [fifo_choice],
            reception_fifo: FifoSize::Bytes(256 * fifo_packets),
            cores,
            injection_window_packets,
            software: costs.map_or(SoftwareCost::default(), |(write, read)| SoftwareCost {
                write_processor_cycles: write,
                read_processor_cycles: read,
            }),
            clock: ClockRatio { processor_cycles: clock.0, cycles: clock.1 },
        }
    }
}

/// Dead nodes and links of a shape; none if the live nodes would not be connected.
fn faults(shape: &Shape, nodes: &[u32], links: &[(u32, usize)], relay: bool) -> Faults {
    let nodes: Vec<u32> = nodes.iter().map(|node| node % shape.nodes()).collect();
    let link = |&(node, toward): &(u32, usize)| {
        (node % shape.nodes(), Direction::from_index(toward % (2 * shape.dimensions())))
    };
    let exists = |&(node, toward): &(u32, Direction)| shape.neighbor(node, toward).is_some();
    let links: Vec<(u32, Direction)> = links.iter().map(link).filter(exists).collect();
    let policy = if relay { WithoutCleanEscape::Relay } else { WithoutCleanEscape::AdaptiveOnly };
    Faults::new(shape, &nodes, &links, policy).unwrap_or_default()
}

prop_compose! {
    /// Lossy links; the time-out here is added to the shortest that is allowed.
    fn protocols()(
        bit_error_rate in prop_oneof![Just(0.0), (3.0f64..6.0).prop_map(|exponent| 10f64.powf(-exponent))],
        timeout_cycles in prop_oneof![Just(0u32), 0u32..2000], retransmission_packets in 1u32..=8, explicit_acks: bool,
    ) -> LinkProtocol {
        LinkProtocol {
            bit_error_rate: BitErrorRate::new(bit_error_rate),
            timeout_cycles,
            retransmission_fifo_bytes: 256 * retransmission_packets,
            explicit_acks,
        }
    }
}

/// The protocol with a time-out that the machine's links allow: a round trip is added to it.
fn with_valid_timeout(
    protocol: LinkProtocol,
    links: &[LinkParameters],
    router: &RouterParameters,
) -> LinkProtocol {
    let round_trip =
        |link: &LinkParameters| link.hop_latency_cycles + 2 * link.cycles_per_byte.cycles_of(270);
    let longest = links.iter().map(round_trip).max().unwrap_or(0) + router.token_latency_cycles;
    LinkProtocol { timeout_cycles: longest + protocol.timeout_cycles, ..protocol }
}

prop_compose! {
    fn scenarios()(
        shape in shapes(), router in routers(), node in nodes(), seed: u64,
        links in prop::collection::vec((1u32..40, prop::sample::select(vec![(1u32, 1u32), (1, 1), (1, 1), (2, 1), (3, 1), (4, 3), (5, 2), (1, 16)])), 6),
        chunks in prop_oneof![Just((8u8, 8u8)), Just((1, 8)), Just((1, 1)), Just((2, 5))],
        packets_per_node in prop::option::of(0u64..60), gap in prop_oneof![Just(0u32), 20u32..3000],
        deterministic_percent in prop_oneof![Just(0u32), Just(100), 0u32..100],
        high_priority_percent in prop_oneof![Just(0u32), Just(0), 1u32..=100],
        preferences in prop::collection::vec(prop_oneof![3 => Just(Preference::Minimal), 1 => Just(Preference::Plus),
            1 => Just(Preference::Minus)], MAX_DIMENSIONS),
        displacement in prop::option::weighted(0.2, 1u32..5), counts_unblocking in prop::bool::weighted(0.1),
        dead_nodes in prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(any::<u32>(), 1..4)],
        dead_links in prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(any::<(u32, usize)>(), 1..4)],
        relay: bool, broadcasts in prop::option::weighted(0.35, (prop_oneof![Just(0u32), Just(100), 1u32..100], any::<bool>())),
        protocol in prop::option::weighted(0.3, protocols()),
        detour_percent in prop_oneof![Just(100u32), 1u32..100], chooses_detours: bool,
        twist in prop::option::weighted(0.4, shifts()),
    ) -> (Parameters, RandomPackets) {
        let shape = with_twist(shape, twist);
        let faults = match broadcasts {
            Some(_) => Faults::default(), // copies cannot be routed around dead nodes or links
            None => faults(&shape, &dead_nodes, &dead_links, relay),
        };
        let (deposit_percent, forwards) = broadcasts.unwrap_or_default();
        let links: Vec<LinkParameters> = links[..shape.dimensions()].iter()
            .map(|&(hop_latency_cycles, (cycles, bytes))| {
                let cycles_per_byte = CyclesPerByte::new(cycles, bytes).unwrap();
                LinkParameters { hop_latency_cycles, cycles_per_byte }
            })
            .collect();
        let packets = RandomPackets {
            packets_per_node, chunks, gap_cycles: gap, deterministic_percent, high_priority_percent,
            reception_groups: node.fifo_sets() as u8,
            preferences: preferences.try_into().unwrap(),
            displacement: displacement.map(|displacement| displacement % shape.nodes()).filter(|&displacement| displacement > 0),
            faults: faults.clone(),
            is_dimension_ordered: router.dynamic_channels == 0,
            deposit_percent,
            forwards,
            ..RandomPackets::new(&shape, seed)
        };
        let packet = Parameters::bluegene_l(shape.clone(), seed).packet;
        // Routes around dead nodes and links are computed for dimension order only.
        let escape_order = if faults.is_empty() { router.escape_order } else { EscapeOrder::Dimension };
        let router = RouterParameters { escape_order, ..router };
        let max_channels = match protocol {
            Some(_) => (ACK_VCS - 1 - router.escape_vcs().len()) as u8,
            None => MAX_ADAPTIVE_VCS,
        };
        let router = RouterParameters { dynamic_channels: router.dynamic_channels.min(max_channels), ..router };
        let link_protocol = protocol.map(|protocol| with_valid_timeout(protocol, &links, &router));
        let (tree, interrupts) = (None, None); // generated traffic does not use them
        let mut parameters = Parameters {
            shape, faults, packet, links, link_protocol, router, node, tree, interrupts, counts_unblocking, seed,
        };
        parameters.router.detours &= broadcasts.is_none() && parameters.check().is_ok();
        let detour_percent = if parameters.router.detours { detour_percent } else { 0 };
        (parameters, RandomPackets { detour_percent, chooses_detours, ..packets })
    }
}

/// A scenario changed to a uniform machine, whose specializations are compiled for full-size packets only: few random
/// machines use them.
fn as_uniform_machine((mut parameters, packets): (Parameters, RandomPackets)) -> (Parameters, RandomPackets) {
    let lengths: Vec<u32> = parameters.shape.lengths().iter().copied().take(3).collect();
    let lengths = if lengths.iter().all(|&length| length == 1) { vec![4] } else { lengths };
    let shape = Shape::torus(&lengths).expect("the first dimensions of a shape are one");
    let packets = RandomPackets {
        chunks: (8, 8),
        high_priority_percent: 0,
        displacement: packets
            .displacement
            .map(|displacement| displacement % shape.nodes())
            .filter(|&displacement| displacement > 0),
        shape: shape.clone(),
        faults: Faults::default(),
        deposit_percent: 0,
        forwards: false,
        detour_percent: 0,
        ..packets
    };
    parameters.router.detours = false;
    if parameters.router.arbitration.needs_options() {
        parameters.router.arbitration = ArbitrationRule::default();
    }
    parameters.links =
        vec![LinkParameters { cycles_per_byte: CyclesPerByte::ONE, ..parameters.links[0] }; lengths.len()];
    parameters.router.dynamic_channels = 2;
    parameters.link_protocol = None;
    parameters.shape = shape;
    parameters.faults = Faults::default();
    (parameters, packets)
}

/// A scenario changed to a uniform machine without software on its nodes.
fn as_plain_machine(scenario: (Parameters, RandomPackets)) -> (Parameters, RandomPackets) {
    let (mut parameters, packets) = as_uniform_machine(scenario);
    parameters.node.injection_fifo = FifoSize::Infinite;
    parameters.node.software = SoftwareCost::default();
    (parameters, packets)
}

/// Scenarios of twisted tori only, which are a sixth of all.
fn twisted_scenarios() -> impl Strategy<Value = (Parameters, RandomPackets)> {
    scenarios().prop_filter("a twist", |(parameters, _)| parameters.shape.is_twisted())
}

/// A scenario changed to packets that jobs can send: each ends where it is read.
fn without_copies((parameters, packets): (Parameters, RandomPackets)) -> (Parameters, RandomPackets) {
    (parameters, RandomPackets { deposit_percent: 0, forwards: false, ..packets })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nodes_of_jobs_send_as_without_software((parameters, packets) in scenarios().prop_map(without_copies), cut in 1u64..3000) {
        let [own, parted] = Case::of_jobs(&parameters, &packets);
        let cuts = [cut, cut + 1, cut + 2500, 8_000];
        let expected = own.observe(&mut own.reference(), &cuts);
        compare(&expected, &parted.observe(&mut parted.reference(), &cuts), "jobs");
        for threads in [1, 3] {
            let observed = parted.observe(&mut *parted.windowed(threads), &cuts);
            compare(&expected, &observed, &format!("jobs on {threads} threads"));
        }
        compare(&expected, &parted.observe_resumed(|threads| parted.windowed(threads), &cuts), "jobs, resumed");
        compare(&expected, &parted.observe_resumed(|_| Box::new(parted.reference()), &cuts), "jobs, reference resumed");
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn engines_agree_on_random_scenarios((parameters, packets) in scenarios(), cut in 1u64..3000) {
        Case::generated(&parameters, &packets).assert_same(&[cut, cut + 1, cut + 2500, 8_000]);
    }

    #[test]
    fn engines_agree_on_uniform_machines((parameters, packets) in scenarios().prop_map(as_uniform_machine), cut in 1u64..3000) {
        Case::generated(&parameters, &packets).assert_same(&[cut, cut + 1, cut + 2500, 8_000]);
    }

    #[test]
    fn engines_agree_on_plain_machines((parameters, packets) in scenarios().prop_map(as_plain_machine), cut in 1u64..3000) {
        Case::generated(&parameters, &packets).assert_same(&[cut, cut + 1, cut + 2500, 8_000]);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn engines_agree_on_twisted_machines((parameters, packets) in twisted_scenarios(), cut in 1u64..3000) {
        Case::generated(&parameters, &packets).assert_same(&[cut, cut + 1, cut + 2500, 8_000]);
    }
}

#[test]
fn engines_agree_on_a_blue_gene_midplane() {
    let shape = Shape::torus(&[8, 8, 8]).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
    Case::generated(&Parameters::bluegene_l(shape, 1), &packets).assert_same(&[500, 3000]);
}

#[test]
fn engines_agree_on_a_twisted_torus() {
    let twist = Twist::automatic(&[4, 4, 8]).expect("a usual twist");
    let shape = Shape::torus(&[4, 4, 8]).unwrap().with_twist(twist).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
    for (escape, escape_channel_bytes) in [(EscapeKind::Bubble, 512), (EscapeKind::Dateline, 256)] {
        let mut parameters = Parameters::bluegene_l(shape.clone(), 1);
        parameters.router.escape = escape;
        parameters.router.escape_channel_bytes = escape_channel_bytes;
        Case::generated(&parameters, &packets).assert_same(&[500, 3000]);
    }
}

/// A counter that neither engine counts would be equal in both.
#[test]
fn every_counter_of_links_counts() {
    let shape = Shape::torus(&[16, 4]).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
    let mut engine = Case::generated(&Parameters::bluegene_l(shape, 1), &packets).windowed(1);
    engine.advance(20_000);
    for (name, column) in LinkCounters::columns(engine.links().iter()) {
        let is_counted = match column {
            LinkColumn::U32(counts) => counts.iter().any(|&count| count > 0),
            LinkColumn::U64(counts) => counts.iter().any(|&count| count > 0),
        };
        assert!(is_counted, "{name}");
    }
}

#[test]
fn engines_agree_on_a_midplane_with_lossy_links() {
    let shape = Shape::torus(&[8, 8, 8]).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
    for (bit_error_rate, explicit_acks) in [(1e-6, false), (3e-5, true)] {
        let link_protocol = LinkProtocol {
            bit_error_rate: BitErrorRate::new(bit_error_rate),
            timeout_cycles: 600,
            retransmission_fifo_bytes: 2048,
            explicit_acks,
        };
        let parameters =
            Parameters { link_protocol: Some(link_protocol), ..Parameters::bluegene_l(shape.clone(), 1) };
        Case::generated(&parameters, &packets).assert_same(&[500, 3000]);
    }
}

#[test]
fn engines_agree_when_head_packets_request_at_cycle_0() {
    let shape = Shape::torus(&[4, 4]).unwrap();
    let mut parameters = Parameters::bluegene_l(shape.clone(), 1);
    parameters.node.injection_latency_cycles = 0;
    Case::generated(&parameters, &RandomPackets::new(&shape, 1)).assert_same(&[500, 8_000]);
}

/// A VC becomes free while only software has work, and the packet behind was there before.
#[test]
fn engines_agree_on_a_packet_that_waits_while_software_runs_alone() {
    const SEED: u64 = 4_160_426_843_556_987_104;
    let shape = Shape::new(&[5, 3, 5], &[false; 3]).unwrap();
    let dead = [(28, Direction::from_index(4))];
    let faults = Faults::new(&shape, &[], &dead, WithoutCleanEscape::Relay).unwrap();
    let mut parameters = Parameters::bluegene_l(shape.clone(), SEED);
    parameters.faults = faults.clone();
    let link = |hop_latency_cycles, cycles| LinkParameters {
        hop_latency_cycles,
        cycles_per_byte: CyclesPerByte::whole(cycles),
    };
    parameters.links = vec![link(35, 3), link(28, 1), link(9, 1)];
    parameters.router = RouterParameters {
        dynamic_channels: 1,
        dynamic_channel_bytes: 256,
        escape_channel_bytes: 768,
        bubble_rule: BubbleRule::FullSize,
        bypass: false,
        serve_longest_queue_share: Share::new(1.0),
        in_network_share: Share::new(0.0),
        token_latency_cycles: 3,
        ..parameters.router
    };
    parameters.node.injection_latency_cycles = 3;
    parameters.node.fifo_choice = FifoChoice::ByDirection;
    parameters.node.reception_fifo = FifoSize::Bytes(256);
    parameters.node.cores = 2;
    parameters.node.software = SoftwareCost { write_processor_cycles: 38, read_processor_cycles: 277 };
    parameters.node.clock = ClockRatio { processor_cycles: 1, cycles: 1 };
    let mut packets = RandomPackets {
        packets_per_node: Some(50),
        chunks: (2, 5),
        deterministic_percent: 17,
        reception_groups: 2,
        faults,
        ..RandomPackets::new(&shape, SEED)
    };
    packets.preferences[2] = Preference::Minus;
    Case::generated(&parameters, &packets).assert_same(&[5_832, 8_000]);
}

/// The number of windows with events before cycle `until`, on any node.
fn windows_with_events(engine: &mut dyn Engine, until: u64) -> u64 {
    let mut windows = 0;
    while let Some(next) = engine.next_event().filter(|&next| next < until) {
        engine.advance((next + engine.window_cycles()).min(until));
        windows += 1;
    }
    windows
}

/// Nobody waits for those that have nothing to do for longer than a swap takes, as empty windows are skipped by all.
#[test]
fn processes_swap_once_in_each_window_with_events() {
    const UNTIL: u64 = 100_000_000;
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let rare = RandomPackets { gap_cycles: 1_000_000, ..RandomPackets::new(&shape, 1) };
    let of_two_nodes =
        EqualPackets { nodes: vec![0, 1], packets_per_node: 100, ..EqualPackets::one([1, 0, 0]) };
    for (traffic, least, most) in [(rare.traffic(), 1000, 50_000), (of_two_nodes.traffic(), 100, 2000)] {
        let case = Case { parameters: Parameters::bluegene_l(shape.clone(), 1), traffic };
        let mut alone = case.windowed(1);
        let windows = windows_with_events(&mut *alone, UNTIL);
        assert!((least..most).contains(&windows), "{windows} windows");
        let swaps = on_peers(3, |peers| {
            let counted = Counted::new(peers);
            let peers = Peers::joined_by(counted.clone());
            let parts = Parts::equal(&peers, case.parameters.shape.nodes());
            new_engine_of_parts(case.parameters.clone(), case.traffic.clone(), 1, &parts).advance(UNTIL);
            counted.swaps()
        });
        // Another process may only note what was sent to it, for which it has no event of its own.
        assert!(swaps.iter().all(|swaps| (windows..2 * windows).contains(swaps)), "{swaps:?}, {windows}");
    }
}
