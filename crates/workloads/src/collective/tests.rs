//! Groups and bounds; whole runs are in `simulation/tests/collectives.rs`.

use super::*;
use crate::context::Placement;
use crate::job_nodes::JobNodes;
use geometry::{Direction, Faults, Shape, WithoutCleanEscape};
use messaging::Mapping;
use mpi::Members;

fn plan(lengths: &[u32], collective: &Collective) -> Result<CollectivePlan, WorkloadError> {
    let parameters = network::Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 1);
    let messaging = messaging::Parameters::default();
    let plan = collective.plan(&Context {
        parameters: &parameters,
        messaging: &messaging,
        placement: &Placement::default(),
        choices: mpi::Choices::default(),
    })?;
    let PlannedTraffic::Ranks(RankWork::Collective(plan)) = plan.traffic else { panic!("it has ranks") };
    Ok(plan)
}

fn collective(operation: Operation, bytes: u64) -> Collective {
    Collective {
        operation,
        algorithm: auto(),
        bytes,
        over: Over::default(),
        directions: Directions::Both,
        segment_bytes: 0,
        root: 0,
        operands: Operands::Integer,
        repetitions: 1,
        combine_processor_cycles_per_byte: None,
    }
}

/// Rows M2, M13, M14: 240 of 270 bytes of a link are data.
#[test]
fn bounds_are_those_of_the_links() {
    let cycles = |operation, bytes, over: &[&str]| {
        let mut collective = collective(operation, bytes);
        if !over.is_empty() {
            collective.over = Over::Dimensions(over.iter().map(|&name| name.into()).collect());
        }
        plan(&[8, 8, 16], &collective).unwrap().bound_cycles.unwrap()
    };
    let is_near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let bytes = 1 << 20;
    let on_links = |links: f64| bytes as f64 * 1.125 / links;
    is_near(cycles(Operation::AllReduce, bytes, &[]), 2.0 * 1023.0 / 1024.0 * on_links(6.0));
    is_near(cycles(Operation::AllGather, bytes, &["x"]), 7.0 / 8.0 * on_links(2.0));
    is_near(cycles(Operation::Broadcast, bytes, &["x", "y"]), on_links(4.0));
    // m N L / 8 B, with m = 240 bytes of data in 270 on the wire.
    is_near(cycles(Operation::AllToAll, 1024 * 240, &[]), 270.0 * 1024.0 * 16.0 / 8.0);
    is_near(cycles(Operation::AllToAll, 8 * 240, &["y"]), 270.0 * 8.0 * 8.0 / 8.0);
    is_near(cycles(Operation::Barrier, 0, &[]), 12.0 * 16.0);
}

#[test]
fn long_collectives_of_short_messages_are_planned() {
    for operation in
        [Operation::AllReduce, Operation::AllGather, Operation::ReduceScatter, Operation::AllToAll]
    {
        for algorithm in ["auto", "ring", "bucket", "direct", "pairwise"] {
            let mut long = collective(operation, 5_600_000_000 / 64 * 64);
            long.algorithm = algorithm.into();
            let is_known =
                ["auto", "ring", "bucket"].contains(&algorithm) != (operation == Operation::AllToAll);
            if is_known || algorithm == "auto" {
                assert!(plan(&[4, 4, 4], &long).is_ok(), "{operation:?} by {algorithm}");
            }
        }
    }
}

#[test]
fn groups_are_lines_and_planes() {
    let mut lines = collective(Operation::AllReduce, 4096);
    lines.over = Over::Dimensions(vec!["y".into()]);
    let plan = plan(&[2, 3, 2], &lines).unwrap();
    let given =
        |rank| plan.exchange.communicators(rank).into_iter().map(|given| given.members).collect::<Vec<_>>();
    assert_eq!(given(5), [Members::Stride { first: 1, stride: 2, count: 3 }]);
    assert_eq!(given(6), [Members::Stride { first: 6, stride: 2, count: 3 }]);
}

#[test]
fn what_does_not_fit_is_refused_with_what_does() {
    let refused = |change: &dyn Fn(&mut Collective), key: &str, words: &str| {
        let mut collective = collective(Operation::AllReduce, 4096);
        change(&mut collective);
        let error = plan(&[4, 3], &collective).unwrap_err();
        assert!(error.key == key && error.message.contains(words), "{error}");
    };
    refused(
        &|collective| collective.algorithm = "swing".into(),
        "algorithm",
        "do: auto, ring, bucket, halving",
    );
    refused(&|collective| collective.algorithm = "deposit".into(), "algorithm", "no algorithm for it");
    let on_lines = |collective: &mut Collective| {
        collective.algorithm = "tree-network".into();
        collective.over = Over::Dimensions(vec!["x".into()]);
    };
    refused(&on_lines, "algorithm", "3 groups need a class route each: machine.tree.class_routes of 4");
    refused(&on_lines, "algorithm", "do: auto, ring, bucket");
    refused(&|collective| collective.algorithm = "interrupts".into(), "algorithm", "no algorithm for it");
    refused(&|collective| collective.operands = Operands::Floating, "operands", "\"tree-network\"");
    refused(&|collective| collective.algorithm = "rings".into(), "algorithm", "no algorithm");
    refused(&|collective| collective.operation = Operation::AllGather, "bytes", "4104 would be");
    refused(&|collective| collective.root = 12, "root", "12 ranks");
    let of_halves = |collective: &mut Collective| {
        (collective.algorithm, collective.bytes) = ("halving-doubling".into(), 3 << 30);
    };
    refused(&of_halves, "bytes", "\"halving-doubling\" sends messages of 3221225472 bytes here");
    refused(&|collective| collective.bytes = 12 << 36, "bytes", "a message has at most 1073741824");
    let of_all_to_all = |collective: &mut Collective| {
        (collective.operation, collective.bytes) = (Operation::AllToAll, (12 << 30) + 12);
    };
    refused(&of_all_to_all, "bytes", "messages of 1073741825 bytes here");
    refused(&|collective| collective.repetitions = 0, "repetitions", "at least 1");
    let of_reduce = |collective: &mut Collective| collective.operation = Operation::Reduce;
    let in_segments = |collective: &mut Collective| {
        of_reduce(collective);
        collective.segment_bytes = 100;
    };
    refused(&in_segments, "segment_bytes", "\"auto\"");
    let one_way = |collective: &mut Collective| {
        of_reduce(collective);
        collective.directions = Directions::One;
    };
    refused(&one_way, "directions", "these have: ring, bucket");
    let over = |names: &[&str]| Over::Dimensions(names.iter().map(|&name| name.into()).collect());
    refused(&|collective| collective.over = over(&["z"]), "over", "those here are x, y");
    refused(&|collective| collective.over = over(&["x", "x"]), "over", "twice");
    refused(&|collective| collective.over = over(&[]), "over", "at least one");
}

/// Rows N1, N2: 128 nodes are seven levels of a binary tree, three of eights.
#[test]
fn bounds_of_collective_networks_are_those_of_their_trees() {
    let cycles = |operation, algorithm: &str, bytes, change: &dyn Fn(&mut Collective)| {
        let mut collective = Collective { algorithm: algorithm.into(), ..collective(operation, bytes) };
        change(&mut collective);
        plan(&[4, 4, 8], &collective).unwrap().bound_cycles.unwrap()
    };
    let same = |_: &mut Collective| {};
    let is_near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    let (hop, packet) = (19.0, 132.0);
    is_near(cycles(Operation::Barrier, "tree-network", 0, &same), 14.0 * hop + packet);
    is_near(cycles(Operation::Barrier, "interrupts", 0, &same), 3.0 * 44.0);
    is_near(cycles(Operation::AllReduce, "tree-network", 2560, &same), 14.0 * hop + 10.0 * packet);
    let floating = |collective: &mut Collective| collective.operands = Operands::Floating;
    is_near(cycles(Operation::AllReduce, "tree-network", 2560, &floating), 14.0 * hop + 20.0 * packet);
    is_near(cycles(Operation::Reduce, "tree-network", 2560, &same), 7.0 * hop + 10.0 * packet);
    // 128 blocks of 20 bytes, a packet each.
    is_near(cycles(Operation::AllGather, "tree-network", 2560, &same), 14.0 * hop + 128.0 * packet);
    // The last node is alone at its depth, and reads none of its own data.
    let from_last = |collective: &mut Collective| collective.root = 127;
    is_near(cycles(Operation::Broadcast, "tree-network", 2560, &from_last), 13.0 * hop + 10.0 * packet);
}

#[test]
fn the_deposit_bit_needs_lines_and_eager_messages() {
    let parameters = network::Parameters::bluegene_l(Shape::torus(&[4, 4]).unwrap(), 1);
    let messaging = messaging::Parameters::default();
    let broadcast = Collective { algorithm: "deposit".into(), ..collective(Operation::Broadcast, 12_000) };
    let refused =
        |parameters: &network::Parameters, messaging: &messaging::Parameters, placement: &Placement| {
            let error = broadcast
                .plan(&Context { parameters, messaging, placement, choices: mpi::Choices::default() })
                .unwrap_err();
            assert!(
                error.key == "algorithm" && error.message.contains("those that do: auto, binomial"),
                "{error}"
            );
            error.message
        };
    let in_place = Placement::default();
    let mut dead = parameters.clone();
    dead.faults =
        Faults::new(&dead.shape, &[], &[(0, Direction::new(0, true))], WithoutCleanEscape::Relay).unwrap();
    assert!(refused(&dead, &messaging, &in_place).contains("around dead nodes or links"));
    let moved = Placement { mapping: Some(Mapping::Random), ..Placement::default() };
    assert!(refused(&parameters, &messaging, &moved).contains("moved its ranks"));
    let listed = Arc::new(JobNodes::of_list(&parameters.shape, &[0, 5, 9]).unwrap());
    let listed = Placement { nodes: Some(listed), ..Placement::default() };
    assert!(refused(&parameters, &messaging, &listed).contains("a box"));
    let credits = messaging::Parameters { message_credits: Some(9), ..messaging };
    assert!(refused(&parameters, &credits, &in_place).contains("no messaging.message_credits"));
    let long = messaging::Parameters { rendezvous_from_bytes: Some(3000), ..messaging };
    assert!(refused(&parameters, &long, &in_place).contains("up to 3000 bytes"));
    let longer = messaging::Parameters { rendezvous_from_bytes: Some(3001), ..messaging };
    assert!(
        broadcast
            .plan(&Context {
                parameters: &parameters,
                messaging: &longer,
                placement: &in_place,
                choices: mpi::Choices::default()
            })
            .is_ok()
    );
}

#[test]
fn machines_without_other_networks_refuse_their_algorithms() {
    let mut parameters = network::Parameters::bluegene_l(Shape::torus(&[4]).unwrap(), 1);
    (parameters.tree, parameters.interrupts) = (None, None);
    let messaging = messaging::Parameters::default();
    let context = Context {
        parameters: &parameters,
        messaging: &messaging,
        placement: &Placement::default(),
        choices: mpi::Choices::default(),
    };
    for (algorithm, words) in [
        ("tree-network", "no tree network (machine.tree)"),
        ("interrupts", "no global interrupts (machine.in"),
    ] {
        let barrier = Collective { algorithm: algorithm.into(), ..collective(Operation::Barrier, 0) };
        let error = barrier.plan(&context).unwrap_err();
        assert!(error.key == "algorithm" && error.message.contains(words), "{error}");
        assert!(error.message.ends_with("those that do: auto, dissemination"), "{error}");
    }
}
