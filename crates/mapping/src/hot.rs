//! The flows that use a link.

use crate::links::{Router, Split};
use geometry::Direction;
use messaging::RankMap;
use network::Parameters;
use std::collections::HashMap;
use workloads::flows::Flows;

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

/// All flows over some links, those with most bytes first. None if there are too many flows to follow. Flows in
/// dimension order whose routing the workload does not state take one direction half-way round a ring, as their
/// messages do.
pub fn flows_over(
    links: &[Link],
    flows: &Flows,
    map: &RankMap,
    (parameters, split): (&Parameters, Split),
) -> Option<Vec<Vec<LinkFlow>>> {
    let mut wanted: HashMap<Link, HashMap<(u32, u32), f64>> =
        links.iter().map(|&link| (link, HashMap::new())).collect();
    let (mut router, mut followed) = (Router::new(&parameters.shape), 0);
    let is_one_way = match split {
        Split::DimensionOrder => flows.routing.is_none(),
        Split::Evenly | Split::Orders => false,
    };
    for source in 0..flows.ranks {
        flows.of_source(source, |flow| {
            followed += 1;
            let (node, target) = (map.place(source).node, map.place(flow.target).node);
            let trip = match flow.hops {
                Some(hops) => router.trip_by(node, &hops),
                None if is_one_way => router.trip_in_order(parameters, node, target),
                None => router.minimal_trip(node, target),
            };
            router.visit(&trip, flow.bytes as f64, split, &mut |node, toward, bytes| {
                if let Some(of_link) = wanted.get_mut(&(node, toward)) {
                    *of_link.entry((source, flow.target)).or_default() += bytes;
                }
            });
        });
        if followed > MAX_FLOWS {
            return None;
        }
    }
    Some(links.iter().map(|link| by_bytes(&wanted[link])).collect())
}

fn by_bytes(flows: &HashMap<(u32, u32), f64>) -> Vec<LinkFlow> {
    let of_pair = |(&(source, target), &bytes)| LinkFlow { source, target, bytes };
    let mut flows: Vec<LinkFlow> = flows.iter().map(of_pair).collect();
    flows.sort_unstable_by(|a, b| {
        b.bytes.total_cmp(&a.bytes).then_with(|| (a.source, a.target).cmp(&(b.source, b.target)))
    });
    flows
}
