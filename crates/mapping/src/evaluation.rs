//! How good a mapping is.
//!
//! ```text
//!   alike under translation, and so placed on a torus:   what rank 0 sends, times the ranks
//!   otherwise, rank by rank:   few targets --> links of each flow        many --> SourceLoads, all at once
//! ```
//!
//! Flows are produced again and again, never held for all ranks. Where a target is half-way round a ring, messages in
//! order take the one direction that is drawn for their pair of nodes. Then links are loaded pair by pair, for as many
//! pairs as take a second.

use crate::links::{LinkLoads, Router, Split};
use crate::source_loads::SourceLoads;
use crate::symmetry::ranks_per_node;
use geometry::{MAX_DIMENSIONS, Shape};
use messaging::RankMap;
use network::Parameters;
use workloads::flows::Flows;

/// The traffic of ranks under a mapping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Bytes between ranks, each times its hops.
    pub hop_bytes: u128,
    /// Mean hops of a byte, those within a node included; none without bytes.
    pub mean_hops: Option<f64>,
    /// Bytes on the busiest link in dimension order; none on machines with dead nodes or links, where routes are others.
    pub busiest_link_in_order: Option<f64>,
    /// Whether a run in dimension order loads that link with exactly this number of bytes. Otherwise it is an
    /// expectation, with half of what goes half-way round a ring in either direction. Then packets are drawn one by
    /// one, or pairs are too many.
    pub is_in_order_exact: bool,
    /// Bytes on the busiest link if each message is split evenly over its minimal routes: an expectation.
    pub busiest_link_split_evenly: Option<f64>,
}

/// The most pairs of ranks whose directions are drawn one by one.
const MAX_DRAWN_PAIRS: u64 = 4_000_000;

/// Evaluates a mapping. Calls `goes_on` before each rank, and ends with none once it returns false.
pub fn evaluate(
    flows: &Flows,
    map: &RankMap,
    parameters: &Parameters,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Evaluation> {
    let shape = &parameters.shape;
    let costs = match ranks_per_node(flows, map, shape) {
        Some(per_node) => Costs::of_alike(flows, map, (shape, per_node)),
        None => Costs::of_all(flows, map, parameters, goes_on)?,
    };
    let Costs { bytes, hop_bytes, busiest_in_order, busiest_evenly } = costs;
    let has_routes = parameters.faults.is_empty();
    let drawn = if has_routes { drawn_in_order(flows, map, parameters, goes_on)? } else { InOrder::Expected };
    let (busiest_in_order, is_in_order_exact) = match drawn {
        InOrder::OneRoute => (busiest_in_order, true),
        InOrder::Drawn(busiest) => (busiest, true),
        InOrder::Expected => (busiest_in_order, false),
    };
    Some(Evaluation {
        hop_bytes,
        mean_hops: (bytes > 0).then(|| hop_bytes as f64 / bytes as f64),
        busiest_link_in_order: has_routes.then_some(busiest_in_order),
        is_in_order_exact,
        busiest_link_split_evenly: has_routes.then_some(busiest_evenly),
    })
}

/// The kinds of routes in dimension order.
enum InOrder {
    /// Each message has a single route.
    OneRoute,
    /// Draws decide the directions of pairs; the busiest link carries this number of bytes.
    Drawn(f64),
    /// Draws decide for each packet, or for too many pairs.
    Expected,
}

/// Routes in dimension order, as a run draws them; none once `goes_on` has returned false.
fn drawn_in_order(
    flows: &Flows,
    map: &RankMap,
    parameters: &Parameters,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<InOrder> {
    let shape = &parameters.shape;
    let sent = Sent::new(flows);
    if !shape.has_half_ways() {
        return Some(InOrder::OneRoute);
    }
    if sent
        .of_first
        .as_ref()
        .is_some_and(|of_first| of_first.len() as u64 * u64::from(flows.ranks) > MAX_DRAWN_PAIRS)
    {
        return Some(InOrder::Expected);
    }
    let (mut router, mut loads) = (Router::new(shape), LinkLoads::new(shape));
    let (mut pairs, mut is_drawn) = (0, false);
    for rank in 0..flows.ranks {
        if !goes_on() {
            return None;
        }
        sent.of_source(rank, |target, bytes| {
            pairs += 1;
            let (from, to) = (map.place(rank).node, map.place(target).node);
            is_drawn |= router.minimal_trip(from, to).has_choices();
            let trip = router.trip_in_order(parameters, from, to);
            let mut add = |node, toward, bytes| loads.add_at(node, toward, bytes);
            router.visit(&trip, bytes as f64, Split::DimensionOrder, &mut add);
        });
        if pairs > MAX_DRAWN_PAIRS {
            return Some(InOrder::Expected);
        }
    }
    Some(match (is_drawn, flows.routing) {
        (false, _) => InOrder::OneRoute,
        (true, None) => InOrder::Drawn(loads.busiest()),
        // Workloads that state their routing draw the direction of each packet.
        (true, Some(_)) => InOrder::Expected,
    })
}

struct Costs {
    bytes: u128,
    hop_bytes: u128,
    busiest_in_order: f64,
    busiest_evenly: f64,
}

impl Costs {
    /// The costs of ranks that are alike: all links of a direction carry the same, however routes are chosen.
    fn of_alike(flows: &Flows, map: &RankMap, (shape, per_node): (&Shape, u32)) -> Self {
        let router = Router::new(shape);
        let (mut bytes, mut hop_bytes, mut by_direction) = (0, 0, [0.0; 2 * MAX_DIMENSIONS]);
        Sent::new(flows).of_source(0, |target, sent| {
            let trip = router.minimal_trip(map.place(0).node, map.place(target).node);
            bytes += u128::from(sent);
            hop_bytes += u128::from(sent) * u128::from(trip.hops());
            for (direction, crossings) in trip.crossings() {
                by_direction[direction.index()] += sent as f64 * crossings;
            }
        });
        let busiest = f64::from(per_node) * by_direction.into_iter().fold(0.0, f64::max);
        let all = |of_one: u128| of_one * u128::from(flows.ranks);
        let [busiest_in_order, busiest_evenly] = [busiest; 2];
        Costs { bytes: all(bytes), hop_bytes: all(hop_bytes), busiest_in_order, busiest_evenly }
    }

    /// The costs of ranks that differ.
    fn of_all(
        flows: &Flows,
        map: &RankMap,
        parameters: &Parameters,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let shape = &parameters.shape;
        let (router, mut loads) = (Router::new(shape), SourceLoads::new(shape));
        let [mut in_order, mut evenly] = [LinkLoads::new(shape), LinkLoads::new(shape)];
        let (sent, mut targets) = (Sent::new(flows), Vec::new());
        let (mut bytes, mut hop_bytes) = (0, 0);
        for rank in 0..flows.ranks {
            if !goes_on() {
                return None;
            }
            let source = map.place(rank).node;
            targets.clear();
            sent.of_source(rank, |target, sent| {
                bytes += u128::from(sent);
                targets.push((map.place(target).node, sent));
            });
            let of_many =
                loads.as_mut().filter(|loads| are_many(&targets, source, &router, loads.visits(source)));
            if let Some(loads) = of_many {
                targets.iter().for_each(|&(target, sent)| loads.add(target, sent));
                hop_bytes += loads.spread(source, &mut in_order, &mut evenly);
                continue;
            }
            for &(target, sent) in &targets {
                hop_bytes += u128::from(sent) * u128::from(shape.distance(source, target));
                if parameters.faults.is_empty() {
                    in_order.add((source, target), sent as f64, Split::DimensionOrder);
                    evenly.add((source, target), sent as f64, Split::Evenly);
                }
            }
        }
        Some(Costs {
            bytes,
            hop_bytes,
            busiest_in_order: in_order.busiest(),
            busiest_evenly: evenly.busiest(),
        })
    }
}

/// Whether the boxes of nodes between a source and its targets have more than `visits` nodes together.
fn are_many(targets: &[(u32, u64)], source: u32, router: &Router, visits: u64) -> bool {
    let boxes = targets.iter().map(|&(target, _)| router.minimal_trip(source, target).nodes());
    let mut left = visits;
    boxes.into_iter().any(|nodes| {
        let is_used_up = nodes > left;
        left = left.saturating_sub(nodes);
        is_used_up
    })
}

/// The messages of ranks to others, without those that have no bytes. If ranks are alike, all do what rank 0 does,
/// moved by their distance from it. A dry run of each would take longer.
struct Sent<'a> {
    flows: &'a Flows,
    /// The messages of rank 0: the coordinates of targets in the grid, and the bytes for them.
    of_first: Option<Vec<([u32; MAX_GRID_DIMENSIONS], u64)>>,
}

/// Dimensions of the machine, and the cores of a node.
const MAX_GRID_DIMENSIONS: usize = MAX_DIMENSIONS + 1;

impl<'a> Sent<'a> {
    fn new(flows: &'a Flows) -> Self {
        let is_grid = (1..=MAX_GRID_DIMENSIONS).contains(&flows.grid.len())
            && flows.grid.iter().product::<u32>() == flows.ranks;
        let of_first = is_grid.then(|| {
            let mut sent = Vec::new();
            flows.of_source(0, |flow| sent.push((coordinates(flow.target, &flows.grid), flow.bytes)));
            sent
        });
        Sent { flows, of_first }
    }

    /// Passes the targets of a rank, and the bytes for each, to `hear`.
    fn of_source(&self, source: u32, mut hear: impl FnMut(u32, u64)) {
        let mut hear = |target: u32, bytes: u64| {
            if target != source && bytes > 0 {
                hear(target, bytes);
            }
        };
        let Some(of_first) = &self.of_first else {
            return self.flows.of_source(source, |flow| hear(flow.target, flow.bytes));
        };
        let moved = moved_coordinates(source, &self.flows.grid);
        for &(offset, bytes) in of_first {
            let target = moved.iter().zip(offset).map(|(parts, offset)| parts[offset as usize]).sum();
            hear(target, bytes);
        }
    }
}

/// The coordinates of a rank in a grid, whose first dimension varies fastest.
fn coordinates(rank: u32, grid: &[u32]) -> [u32; MAX_GRID_DIMENSIONS] {
    let (mut rest, mut coordinates) = (rank, [0; MAX_GRID_DIMENSIONS]);
    for (coordinate, &length) in coordinates.iter_mut().zip(grid) {
        *coordinate = rest % length;
        rest /= length;
    }
    coordinates
}

/// The amount that each coordinate adds to the number of a rank, by dimension of the grid and offset from `source`.
fn moved_coordinates(source: u32, grid: &[u32]) -> Vec<Vec<u32>> {
    let from = coordinates(source, grid);
    let mut stride = 1;
    let of_dimension = |(&length, from): (&u32, u32)| {
        let parts = (0..length).map(|offset| (from + offset) % length * stride).collect();
        stride *= length;
        parts
    };
    grid.iter().zip(from).map(of_dimension).collect()
}
