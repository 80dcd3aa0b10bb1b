//! The time of flows that a test lists, by what they must need of links, cores and DMA engines.

#[path = "../../geometry/tests/support/mod.rs"]
mod random_twists;

use fluid::{Estimate, Machine, Sender, Unsuited, time_of};
use geometry::{Hops, Shape};
use messaging::{Dma, MessageProtocol, RankMap, Transfer};
use network::Parameters;
use proptest::prelude::*;
use random_twists::{shifts, twisted};
use std::sync::Arc;
use workloads::Routing;
use workloads::flows::{Flow, Flows, Phase, Round, Senders};

/// Rounds of each rank, from a function; none if they are not known.
struct Listed<F>(F);

impl<F: Fn(u32) -> Option<Vec<Round>> + Send + Sync> Senders for Listed<F> {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        self.0(source).into_iter().flatten().flat_map(|round| round.flows).for_each(visit);
    }

    fn rounds(&self, source: u32) -> Option<Vec<Round>> {
        self.0(source)
    }
}

fn flows(ranks: u32, rounds: impl Fn(u32) -> Option<Vec<Round>> + Send + Sync + 'static) -> Flows {
    let phases = vec![Phase { repetitions: 1, senders: Arc::new(Listed(rounds)) }];
    Flows { ranks, grid: Vec::new(), are_alike_nodes: false, routing: None, phases }
}

/// One message, from rank 0.
fn message(target: u32, bytes: u64) -> impl Fn(u32) -> Option<Vec<Round>> + Send + Sync {
    move |source| {
        let flow = Flow { target, bytes, messages: 1, hops: None };
        let flows = if source == 0 { vec![flow] } else { Vec::new() };
        Some(vec![Round { flows, received: Some(u64::from(source == target)), ..Round::default() }])
    }
}

fn torus(lengths: &[u32]) -> Parameters {
    Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 1)
}

/// The time of flows among ranks in order, one for each core.
fn time(network: &Parameters, software: &messaging::Parameters, flows: &Flows) -> Result<Estimate, Unsuited> {
    let places = RankMap::in_order(flows.ranks, &network.shape, network.node.cores).unwrap();
    time_of(&Machine { network, sender: Sender::Ranks(software) }, flows, &places)
}

fn used_links(estimate: &Estimate) -> usize {
    estimate.links.iter().filter(|link| link.packets > 0.0).count()
}

/// Eager messages go in order on one route, and bodies of longer ones on all; requests and answers go in order too.
#[test]
fn packets_are_routed_by_the_length_of_their_message() {
    let network = torus(&[5, 5]);
    let software = messaging::Parameters {
        protocol: MessageProtocol::EagerDeterministic,
        rendezvous_from_bytes: Some(1201),
        ..messaging::Parameters::default()
    };
    let estimate = |bytes| time(&network, &software, &flows(25, message(12, bytes))).unwrap();
    let (short, long) = (estimate(1200), estimate(1201));
    // 2 + 2 hops: 4 links of one route, 12 of all routes, and 4 of the answer back.
    assert_eq!((used_links(&short), used_links(&long)), (4, 12 + 4));
    assert_eq!((short.packets, long.packets), (5.0, 6.0 + 2.0));
    assert_eq!((long.nodes[0].injected, long.nodes[0].received), (7.0, 1.0));
    // A lonely flow is straight, but not what becomes of handshakes.
    assert!(!long.is_corrected && long.cycles == long.uncorrected_cycles);
}

/// Half-way round a ring, packets that stay in order all go in one direction; others go in both.
#[test]
fn packets_in_order_take_one_way_round_a_ring() {
    let network = torus(&[8]);
    for (protocol, links) in [(MessageProtocol::EagerDeterministic, 4), (MessageProtocol::EagerAdaptive, 8)] {
        let software = messaging::Parameters { protocol, ..messaging::Parameters::default() };
        let estimate = time(&network, &software, &flows(8, message(4, 24_000))).unwrap();
        assert_eq!(used_links(&estimate), links, "{protocol:?}");
    }
    // Ranks are not alike where draws decide.
    let all = |source: u32| {
        let flow = Flow { target: (source + 4) % 8, bytes: 24_000, messages: 1, hops: None };
        Some(vec![Round { flows: vec![flow], received: Some(1), ..Round::default() }])
    };
    let software = messaging::Parameters {
        protocol: MessageProtocol::EagerDeterministic,
        ..messaging::Parameters::default()
    };
    let drawn = Flows { grid: vec![8], ..flows(8, all) };
    assert_eq!(time(&network, &software, &drawn).unwrap().nodes.len(), 8);
    assert_eq!(time(&network, &messaging::Parameters::default(), &drawn).unwrap().nodes.len(), 1);
}

/// The part that is busy longest decides: a core that writes, one that reads, or the engines of both nodes.
#[test]
fn cores_and_engines_spend_what_transfers_cost() {
    let network = torus(&[4]);
    let slow = messaging::Parameters { write_processor_cycles: 10_000, ..messaging::Parameters::default() };
    let dma = |processor_cycles_per_chunk| Dma {
        processor_cycles_per_chunk,
        injection_fifo_descriptors: 4,
        descriptor_processor_cycles: 20,
        interrupt_processor_cycles: 0,
    };
    let clock = f64::from(network.node.clock.processor_cycles) / f64::from(network.node.clock.cycles);
    for (software, bytes) in [
        (slow, 24_000),
        (messaging::Parameters { read_processor_cycles: 10_000, ..messaging::Parameters::default() }, 24_000),
        (messaging::Parameters { dma: Some(dma(1000)), ..slow }, 24_000),
        (messaging::Parameters { dma: Some(dma(1000)), rendezvous_from_bytes: Some(100), ..slow }, 24_000),
    ] {
        let transfers = Transfer::all(&network, &software, bytes);
        let of_sender =
            |transfer: &Transfer| if transfer.is_answer { transfer.received } else { transfer.sent };
        let of_receiver =
            |transfer: &Transfer| if transfer.is_answer { transfer.sent } else { transfer.received };
        let sum = |of: &dyn Fn(&Transfer) -> messaging::NodeCosts| {
            let all = transfers.iter().map(of).fold(messaging::NodeCosts::default(), |sum, one| sum + one);
            all.core.max(all.dma)
        };
        let busiest = sum(&of_sender).max(sum(&of_receiver)) as f64 / clock;
        let cycles = time(&network, &software, &flows(4, message(1, bytes))).unwrap().cycles;
        assert!((busiest..busiest * 1.05).contains(&cycles), "{cycles} and {busiest}: {software:?}");
    }
}

#[test]
fn a_message_within_a_node_costs_its_receiver() {
    let mut network = torus(&[4]);
    network.node.cores = 2;
    let software = messaging::Parameters {
        send_processor_cycles: 100,
        receive_processor_cycles: 200,
        copy_processor_cycles_per_chunk: 50,
        ..messaging::Parameters::default()
    };
    let clock = f64::from(network.node.clock.processor_cycles) / f64::from(network.node.clock.cycles);
    // In order, ranks 0 and 4 are on the first node.
    let cycles = time(&network, &software, &flows(8, message(4, 320))).unwrap().cycles;
    assert_eq!(cycles, (100 + 200 + 10 * 50) as f64 / clock);
}

#[test]
fn what_flows_do_not_state_is_refused() {
    let network = torus(&[4]);
    let software = messaging::Parameters::default();
    let refused = |flows: Flows| time(&network, &software, &flows).unwrap_err();
    assert_eq!(refused(flows(4, |_| None)), Unsuited::NoRounds);
    let many = |rounds: u64, kinds: u64| {
        let round = move |number| Round {
            received: Some(0),
            compute_processor_cycles: 4 * (1 + number % kinds),
            ..Round::default()
        };
        flows(4, move |_| Some((0..rounds).map(round).collect()))
    };
    assert_eq!(refused(many(4097, 4097)), Unsuited::TooManyRounds);
    assert!(time(&network, &software, &many(4096, 4096)).is_ok());
    let cycles = |rounds, kinds| time(&network, &software, &many(rounds, kinds)).unwrap().cycles;
    assert_eq!(cycles(60_000, 2), 30_000.0 * cycles(2, 2)); // alike rounds count once
    let alone = flows(4, |source| Some(vec![Round { received: Some(source.into()), ..Round::default() }]));
    assert_eq!(refused(alone), Unsuited::NotTogether);
    let detours = Flows { routing: Some(Routing::Valiant), ..flows(4, message(1, 100)) };
    assert_eq!(refused(detours), Unsuited::Detours);
}

/// Shares of far corners of large boxes are below the rounding of sums; every flow ends all the same.
#[test]
fn large_permutations_end() {
    let network = torus(&[96, 96]);
    let ranks = network.shape.nodes();
    let order = base::permutation::Permutation::new(ranks.into(), 7);
    let permuted = move |source: u32| {
        let target = order.at(source.into()) as u32;
        let flow = Flow { target, bytes: 240, messages: 1, hops: None };
        let flows = if source.is_multiple_of(4) { vec![flow] } else { Vec::new() };
        Some(vec![Round { flows, ..Round::default() }])
    };
    let estimate = time(&network, &messaging::Parameters::default(), &flows(ranks, permuted)).unwrap();
    let busiest = estimate.links.iter().map(|link| link.packets * 270.0).fold(0.0, f64::max);
    assert!((busiest..50.0 * busiest).contains(&estimate.cycles), "{}", estimate.cycles);
}

/// A row of a table of flows: source, target and bytes.
type Row = (u32, u32, u64);

/// The time of a table of flows, whose packets are routed as it says.
fn of_table(network: &Parameters, rows: &[Row], routing: Routing) -> Estimate {
    let (nodes, rows) = (network.shape.nodes(), rows.to_vec());
    let rounds = move |source: u32| {
        let own = rows.iter().filter(|row| row.0 == source);
        let flow = |&(_, target, bytes): &Row| Flow { target, bytes, messages: 1, hops: None };
        Some(vec![Round { flows: own.map(flow).collect(), ..Round::default() }])
    };
    let software = messaging::Parameters::default();
    let machine = Machine { network, sender: Sender::Listed(&software) };
    let places = RankMap::in_order(nodes, &network.shape, 1).unwrap();
    time_of(&machine, &Flows { routing: Some(routing), ..flows(nodes, rounds) }, &places).unwrap()
}

/// The figures of a table of flows, to the last bit.
fn figures(estimate: &Estimate) -> [u64; 4] {
    let Estimate { cycles, uncorrected_cycles, packets, packet_hops, .. } = *estimate;
    [cycles, uncorrected_cycles, packets, packet_hops].map(f64::to_bits)
}

/// Rows moved by as many steps in each closed dimension.
fn moved(rows: &[Row], shape: &Shape, steps: &[u32]) -> Vec<Row> {
    let mut hops = Hops::default();
    for dimension in (0..shape.dimensions()).filter(|&dimension| shape.wraps(dimension)) {
        hops.0[dimension] = steps[dimension] as i32;
    }
    let move_node = |node: u32| shape.translated(node, &hops);
    rows.iter().map(|&(source, target, bytes)| (move_node(source), move_node(target), bytes)).collect()
}

/// A machine of 1 to 5 dimensions, open or closed, half of them twisted if they can be, a table of flows on it, the same rows in another order, and steps.
fn tables() -> impl Strategy<Value = (Shape, Vec<Row>, Vec<Row>, Vec<u32>)> {
    let lengths = prop::collection::vec((1u32..6, prop::bool::weighted(0.8)), 1..=5);
    let small = lengths.prop_filter("at most 300 nodes", |lengths| {
        (2..=300).contains(&lengths.iter().map(|of| of.0).product::<u32>())
    });
    (small, prop::option::of(shifts())).prop_flat_map(|(lengths, shifts)| {
        let (lengths, wraps): (Vec<u32>, Vec<bool>) = lengths.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).unwrap();
        let shape = shifts.map_or(shape.clone(), |shifts| twisted(shape, &shifts));
        let shape = shape.with_balanced_routes(&vec![1.0; lengths.len()]);
        let bytes = prop_oneof![Just(240u64), Just(2400), 1u64..20_000];
        let rows = prop::collection::vec((0..shape.nodes(), 0..shape.nodes(), bytes), 1..40);
        let shuffled = rows.prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()));
        let steps = prop::collection::vec(0u32..6, lengths.len());
        (Just(shape), shuffled, steps)
            .prop_map(|(shape, (rows, shuffled), steps)| (shape, rows, shuffled, steps))
    })
}

/// Cases of a property: as many as `PROPTEST_CASES` says, or `few`.
fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(few))
}

proptest! {
    #![proptest_config(cases(40))]

    /// Neither the order of rows nor their place on a torus changes what they take, to the last bit.
    #[test]
    fn order_and_place_of_rows_do_not_matter((shape, rows, shuffled, steps) in tables()) {
        let network = Parameters::bluegene_l(shape, 1);
        for routing in [Routing::Adaptive, Routing::Deterministic] {
            let known = of_table(&network, &rows, routing);
            let reordered = of_table(&network, &shuffled, routing);
            prop_assert_eq!(&known.links, &reordered.links);
            prop_assert_eq!(figures(&known), figures(&reordered));
            let moved = moved(&rows, &network.shape, &steps);
            prop_assert_eq!(figures(&known), figures(&of_table(&network, &moved, routing)));
        }
    }
}

/// Rounding had decided which streams end together: 1,453 or 1,556 cycles, by the order of these rows.
#[test]
fn four_rows_take_the_same_in_any_order() {
    let network = torus(&[2, 2, 1, 2, 2]);
    let rows = [(6, 0, 2400), (12, 0, 2400), (5, 1, 2400), (5, 2, 240)];
    let known = figures(&of_table(&network, &rows, Routing::Adaptive));
    for order in [[3, 2, 1, 0], [1, 0, 3, 2], [2, 0, 3, 1], [0, 3, 1, 2], [1, 2, 0, 3]] {
        let reordered = order.map(|row: usize| rows[row]);
        assert_eq!(figures(&of_table(&network, &reordered, Routing::Adaptive)), known, "{order:?}");
    }
}
