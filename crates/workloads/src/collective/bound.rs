//! The least time of a collective on the links of a torus or mesh, for any algorithm (rows M2, M4, M13, M14).
//!
//! A node with few links must send and receive what no algorithm can spare it. This is its vector in an all-reduce
//! or a broadcast, and the vector without its own block in a reduce-scatter or an all-gather. In an all-reduce all
//! nodes together send twice the vector for each node but one, over all links: the end of an open line may send
//! data to reduce while it receives gathered data. Where groups are a part of a twisted torus, all nodes together receive
//! over all links that their packets may take ([`links`](super::links)). An all-to-all is bounded by the links between the halves of its
//! longest lines. Nothing takes less time than hops to the farthest rank. Groups that a mapping has moved away from
//! their lines have no bound here.

use super::groups::Groups;
use super::links::Links;
use super::{Collective, Operands, Operation};
use crate::bound::Bound;
use crate::bound::lines;
use crate::context::Context;
use crate::targets::groups::Group;
use geometry::{MAX_DIMENSIONS, Preference};
use mpi::{Algorithm, Ground};
use network::collective::parameters::TreeParameters;
use network::collective::route::{ClassRoute, Top, Tree};
use network::collective::tree::CorePlace;
use std::collections::BTreeSet;

/// The bound of `repetitions` of the collective, if it is known: that of the network on which the algorithm runs.
pub(super) fn of(
    collective: &Collective,
    repetitions: u32,
    algorithm: Algorithm,
    groups: &Groups,
    context: &Context,
) -> Option<Bound> {
    let repetitions = f64::from(repetitions);
    // Where one rank sends to the others, or they to it, some begin the next while others are in the last.
    let follow_closely = matches!(
        collective.operation,
        Operation::Broadcast | Operation::Reduce | Operation::Scatter | Operation::Gather
    );
    let (of_links, of_all) = if follow_closely { (repetitions, 1.0) } else { (1.0, repetitions) };
    let Times { kind, latency, links } = match algorithm.ground() {
        Ground::TreeNetwork => on_tree(collective, groups, context)?,
        Ground::Interrupts => by_interrupts(groups, context)?,
        Ground::Anywhere | Ground::Grid | Ground::Torus | Ground::TorusOfPowers | Ground::Plane => {
            on_torus(collective, groups, context)?
        }
    };
    let links = of_links * links;
    // Packets on the torus need not wait for one another: the bound is the larger of both.
    let cycles = if algorithm == Algorithm::TreeNetwork { latency + links } else { latency.max(links) };
    let kind = if latency > links { "latency" } else { kind };
    (cycles > 0.0).then_some(Bound { kind, drained_cycles: Some(of_all * cycles), packets_per_cycle: None })
}

/// The least times of a collective, in cycles.
struct Times {
    /// The kind of the bound, if it is not the latency.
    kind: &'static str,
    /// The hops of a packet.
    latency: f64,
    /// The packets one after the other on the busiest link.
    links: f64,
}

/// The tree of a network, and the class route of each group, or of a wire: that goes up to the root. Times do not depend
/// on which cores of a node have ranks.
fn routes<'a>(
    groups: &'a Groups,
    arity: u8,
    top: Top,
    context: &Context,
) -> impl Iterator<Item = (&'a [u32], Route)> {
    let tree = Tree::new(context.shape(), &context.parameters.faults, arity);
    let top = if groups.is_whole() { Top::Root } else { top };
    groups.all().map(move |ranks| {
        let places = ranks.iter().map(|&rank| CorePlace { node: groups.node(rank), core: 0 });
        (ranks, Route { of: ClassRoute::new(&tree, places, top), tree: tree.clone() })
    })
}

/// A class route, with its tree.
struct Route {
    tree: Tree,
    of: ClassRoute,
}

/// Hops in both directions, and the packets one after the other on a link, of the group for which this takes longest. Of
/// two passes, the second needs the first packet of the first.
fn on_tree(collective: &Collective, groups: &Groups, context: &Context) -> Option<Times> {
    let tree = context.parameters.tree?;
    let of_groups = routes(groups, tree.arity, Top::OfSmallest, context).map(|(ranks, route)| {
        let depth = |rank: u32| route.of.depth(&route.tree, groups.node(rank));
        on_route(collective, &tree, ranks, depth)
    });
    let longest = |a: Times, b: Times| if a.latency + a.links < b.latency + b.links { b } else { a };
    of_groups.collect::<Option<Vec<Times>>>()?.into_iter().reduce(longest)
}

/// The least times on a class route of these ranks, each at a depth of it.
fn on_route(
    collective: &Collective,
    tree: &TreeParameters,
    ranks: &[u32],
    depth: impl Fn(u32) -> u32,
) -> Option<Times> {
    let root = *ranks.get(collective.root as usize)?;
    let others = ranks.iter().filter(|&&rank| rank != root);
    let (of_root, of_others) = (depth(root), others.map(|&rank| depth(rank)).max().unwrap_or(0));
    let deepest = of_root.max(of_others);
    let count = ranks.len() as u64;
    let (data, up, down) = match collective.operation {
        Operation::AllReduce => (collective.bytes, deepest, deepest),
        Operation::Reduce => (collective.bytes, deepest, of_root),
        Operation::Broadcast => (collective.bytes, of_root, of_others),
        // All blocks reach the deepest rank.
        Operation::AllGather => (collective.bytes / count, deepest, deepest),
        Operation::Barrier => (0, deepest, deepest),
        // The tree network does not suit these operations.
        Operation::ReduceScatter | Operation::AllToAll | Operation::Scatter | Operation::Gather => {
            return None;
        }
    };
    let turns = if collective.operation == Operation::AllGather { count } else { 1 };
    let is_combined = matches!(collective.operation, Operation::AllReduce | Operation::Reduce);
    let passes = if is_combined && collective.operands == Operands::Floating { 2 } else { 1 };
    let packets = tree.packets(data) * passes * turns;
    let latency = f64::from(up + down) * f64::from(tree.hop_latency_cycles);
    let links = packets as f64 * f64::from(tree.packet_cycles());
    Some(Times { kind: "tree link", latency, links })
}

/// Hops in both directions.
fn by_interrupts(groups: &Groups, context: &Context) -> Option<Times> {
    let wires = context.parameters.interrupts?;
    let depths = routes(groups, wires.arity, Top::Root, context)
        .map(|(_, route)| route.of.greatest_depth(&route.tree));
    let latency = f64::from(depths.max()?) * f64::from(wires.up_latency_cycles + wires.down_latency_cycles);
    Some(Times { kind: "latency", latency, links: 0.0 })
}

fn on_torus(collective: &Collective, groups: &Groups, context: &Context) -> Option<Times> {
    if !groups.is_whole() && !groups.is_in_place {
        return None;
    }
    let nodes = groups.nodes_of_groups().max().unwrap_or(1) as f64;
    let others = (nodes - 1.0) / nodes;
    let bytes = collective.bytes as f64;
    let all = || (0..groups.map.ranks()).map(|rank| groups.node(rank));
    let links = Links::new(groups, context);
    let payload = payload_share(context);
    let lowest = |nodes: &mut dyn Iterator<Item = u32>| {
        payload * nodes.map(|node| links.of_node(node)).fold(f64::INFINITY, f64::min)
    };
    // What all nodes of all groups receive: this many times the bytes for each node but one of a group.
    let of_all = |times: f64| {
        // Groups of different cores share their nodes.
        let live: BTreeSet<u32> = all().collect();
        let received = times * groups.nodes_of_groups().map(|nodes| nodes as f64 - 1.0).sum::<f64>() * bytes;
        received / (payload * links.of_all(live.into_iter()))
    };
    let of_node = |share: f64| share * bytes / lowest(&mut all());
    // Elsewhere a node with the fewest links has no more than the mean.
    let of_all_once = || if links.are_of_twisted_part() { of_all(1.0) } else { 0.0 };
    let (kind, cycles) = match collective.operation {
        Operation::AllReduce => ("links of a node", of_node(1.0).max(of_all(2.0))),
        Operation::AllGather | Operation::ReduceScatter => {
            ("links of a node", of_node(others).max(of_all_once()))
        }
        Operation::Broadcast | Operation::Reduce => ("links of a node", of_node(1.0).max(of_all_once())),
        Operation::Scatter | Operation::Gather => {
            let mut roots = groups.roots(collective.root).map(|rank| groups.node(rank));
            ("links of the root", others * bytes / lowest(&mut roots))
        }
        Operation::AllToAll => ("busiest dimension", all_to_all(collective, groups, context)),
        Operation::Barrier => ("latency", 0.0),
    };
    Some(Times { kind, latency: latency(collective, groups, &links, context), links: cycles })
}

/// The share of a link's time that is data, in full packets.
fn payload_share(context: &Context) -> f64 {
    let (format, software) = (&context.parameters.packet, context.messaging);
    let packet = u32::from(format.max_chunks) * format.chunk_bytes;
    let header = software.header_bytes.min(software.rendezvous_header_bytes);
    f64::from(packet - header) / f64::from(format.wire_bytes(format.max_chunks))
}

/// The closed form for whole machines. With dead nodes or links, the remaining links may carry more of less data:
/// no bound.
fn all_to_all(collective: &Collective, groups: &Groups, context: &Context) -> f64 {
    if !context.parameters.faults.is_empty() {
        return 0.0;
    }
    let group = [Group::new(context.shape(), &groups.dimensions)];
    let demand = lines::demand(context.parameters, &group, &[Preference::Minimal; MAX_DIMENSIONS]);
    let ranks = f64::from(groups.largest());
    let nodes = groups.nodes_of_groups().max().unwrap_or(1) as f64;
    // The data that the ranks of a node send those of another, also where each core has its own group.
    let cores = f64::from(context.parameters.node.cores);
    let of_pair = collective.bytes as f64 / ranks * (ranks / nodes) * cores;
    demand.load.cycles_per_byte * of_pair / payload_share(context)
}

/// Hops to the farthest rank.
fn latency(collective: &Collective, groups: &Groups, links: &Links<'_>, context: &Context) -> f64 {
    let shape = context.shape();
    let is_rooted = matches!(
        collective.operation,
        Operation::Broadcast | Operation::Reduce | Operation::Scatter | Operation::Gather
    );
    let cycles = |dimension: usize, hops: u32| {
        f64::from(hops) * f64::from(context.parameters.links[dimension].hop_latency_cycles)
    };
    let farthest = |dimension: usize, from: u32| {
        let length = shape.length(dimension);
        if shape.wraps(dimension) { length / 2 } else { from.max(length - 1 - from) }
    };
    let of_rank = |rank: u32| {
        let from = shape.coordinates(groups.node(rank));
        let hops = |&dimension: &usize| cycles(dimension, farthest(dimension, from[dimension]));
        groups.dimensions.iter().map(hops).sum::<f64>()
    };
    let from_end = |&dimension: &usize| cycles(dimension, farthest(dimension, 0));
    let hop_cycles: Vec<f64> = (0..shape.dimensions()).map(|dimension| cycles(dimension, 1)).collect();
    let ranks = 0..groups.map.ranks();
    let in_part = |rank: u32| links.farthest(groups.node(rank)).unwrap_or(0.0);
    match is_rooted {
        _ if !context.parameters.faults.is_empty() => 0.0,
        true if links.are_of_twisted_part() => groups.roots(collective.root).map(in_part).fold(0.0, f64::max),
        false if links.are_of_twisted_part() => ranks.map(in_part).fold(0.0, f64::max),
        // All nodes look alike.
        _ if shape.is_twisted() => shape.greatest_cost(&hop_cycles),
        true => groups.roots(collective.root).map(of_rank).fold(0.0, f64::max),
        false => groups.dimensions.iter().map(from_end).sum(),
    }
}
