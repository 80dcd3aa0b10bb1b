//! The flows that use a link.

use crate::links::{Router, Split};
use geometry::Direction;
use messaging::RankMap;
use network::Parameters;
use workloads::flows::{Flow, Flows};

/// The most flows that are followed: some seconds.
const MAX_FLOWS: u64 = 20_000_000;

/// A link: the node it leaves, and the direction.
pub type Link = (u32, Direction);

/// A flow that uses a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkFlow {
    /// The rank that sends.
    pub source: u32,
    /// The rank that receives.
    pub target: u32,
    /// The bytes of the flow on the link.
    pub bytes: f64,
}

/// The flows that use a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkFlows {
    /// The number of flows: pairs of ranks.
    pub flows: u64,
    /// The bytes of all flows on the link.
    pub bytes: f64,
    /// The flows with most bytes, in descending order; among equal ones, in order of ranks.
    pub largest: Vec<LinkFlow>,
}

impl LinkFlows {
    /// Counts a flow, of which the link has not seen any part, and keeps it if it is one of the `most` largest.
    fn add(&mut self, flow: LinkFlow, most: usize) {
        self.flows += 1;
        self.bytes += flow.bytes;
        // Flows come in order of their ranks.
        let place = self.largest.partition_point(|other| other.bytes >= flow.bytes);
        if place < most {
            self.largest.truncate(most - 1);
            self.largest.insert(place, flow);
        }
    }
}

/// The flows over some links, each with the `most` largest. None if there are too many flows to follow. Flows in
/// dimension order whose routing the workload does not state take one direction half-way round a ring, as their
/// messages do.
pub fn flows_over(
    links: &[Link],
    most: usize,
    flows: &Flows,
    map: &RankMap,
    (parameters, split): (&Parameters, Split),
) -> Option<Vec<LinkFlows>> {
    let shape = &parameters.shape;
    let mut wanted = Wanted::new(links, shape.nodes() as usize, 2 * shape.dimensions());
    let mut found = vec![LinkFlows::default(); links.len()];
    let (mut router, mut followed) = (Router::new(shape), 0);
    let is_one_way = match split {
        Split::DimensionOrder => flows.routing.is_none(),
        Split::Evenly | Split::Orders => false,
    };
    for source in 0..flows.ranks {
        let mut of_source: Vec<Flow> = Vec::new();
        flows.of_source(source, |flow| of_source.push(flow));
        followed += of_source.len() as u64;
        if followed > MAX_FLOWS {
            return None;
        }
        of_source.sort_by_key(|flow| flow.target);
        for of_pair in of_source.chunk_by(|one, other| one.target == other.target) {
            let target = of_pair[0].target;
            let nodes = (map.place(source).node, map.place(target).node);
            for flow in of_pair {
                let trip = match flow.hops {
                    Some(hops) => router.trip_by(nodes.0, &hops),
                    None if is_one_way => router.trip_in_order(parameters, nodes.0, nodes.1),
                    None => router.minimal_trip(nodes.0, nodes.1),
                };
                let mut add = |node, toward, bytes| wanted.add((node, toward), bytes);
                router.visit(&trip, flow.bytes as f64, split, &mut add);
            }
            wanted.take(|place, bytes| found[place].add(LinkFlow { source, target, bytes }, most));
        }
    }
    // Links that are wanted twice.
    for (place, link) in links.iter().enumerate() {
        let first = wanted.place(*link).unwrap_or(place);
        if first != place {
            found[place] = found[first].clone();
        }
    }
    Some(found)
}

/// No link is wanted here.
const NONE: u32 = u32::MAX;

/// The links of which flows are wanted, with the bytes of one flow.
struct Wanted {
    ports: usize,
    /// The place of each link of the machine among the wanted links.
    places: Vec<u32>,
    bytes: Vec<Option<f64>>,
    touched: Vec<usize>,
}

impl Wanted {
    fn new(links: &[Link], nodes: usize, ports: usize) -> Self {
        let mut places = vec![NONE; nodes * ports];
        for (place, (node, toward)) in links.iter().enumerate().rev() {
            places[*node as usize * ports + toward.index()] = place as u32;
        }
        Wanted { ports, places, bytes: vec![None; links.len()], touched: Vec::new() }
    }

    fn place(&self, (node, toward): Link) -> Option<usize> {
        let place = self.places[node as usize * self.ports + toward.index()];
        (place != NONE).then_some(place as usize)
    }

    /// Adds bytes of the flow on a link.
    fn add(&mut self, link: Link, bytes: f64) {
        let Some(place) = self.place(link) else { return };
        match &mut self.bytes[place] {
            Some(sum) => *sum += bytes,
            empty => {
                *empty = Some(bytes);
                self.touched.push(place);
            }
        }
    }

    /// Reports the bytes of the flow on each link that it uses, and forgets them.
    fn take(&mut self, mut report: impl FnMut(usize, f64)) {
        for place in self.touched.drain(..) {
            report(place, self.bytes[place].take().unwrap_or_default());
        }
    }
}
