//! How good a mapping is.

use crate::graph::Graph;
use crate::links::{LinkLoads, Split};
use geometry::Shape;
use messaging::RankMap;
use network::Parameters;

/// What ranks send each other under a mapping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Bytes between ranks, each times its hops.
    pub hop_bytes: u128,
    /// Mean hops of a byte, those within a node included; none without bytes.
    pub mean_hops: Option<f64>,
    /// Bytes on the busiest link in dimension order; none on machines with dead nodes or links, where routes are others.
    pub busiest_link_in_order: Option<f64>,
    /// The same if each message is split evenly over its minimal routes.
    pub busiest_link_split_evenly: Option<f64>,
}

/// Evaluates a mapping.
pub fn evaluate(graph: &Graph, map: &RankMap, parameters: &Parameters) -> Evaluation {
    let shape = &parameters.shape;
    let hop_bytes = hop_bytes(graph, map, shape);
    let bytes = graph.bytes();
    let busiest = |split| parameters.faults.is_empty().then(|| loads(graph, map, shape, split).busiest());
    Evaluation {
        hop_bytes,
        mean_hops: (bytes > 0).then(|| hop_bytes as f64 / bytes as f64),
        busiest_link_in_order: busiest(Split::DimensionOrder),
        busiest_link_split_evenly: busiest(Split::Evenly),
    }
}

/// Bytes between ranks, each times its hops.
pub(crate) fn hop_bytes(graph: &Graph, map: &RankMap, shape: &Shape) -> u128 {
    let of_rank = |rank: u32| {
        let node = map.place(rank).node;
        let hops = move |peer: u32| u128::from(shape.distance(node, map.place(peer).node));
        graph.peers(rank).iter().map(move |pair| u128::from(pair.sent) * hops(pair.peer))
    };
    (0..graph.ranks()).flat_map(of_rank).sum()
}

/// What each link carries.
fn loads(graph: &Graph, map: &RankMap, shape: &Shape, split: Split) -> LinkLoads {
    let mut loads = LinkLoads::new(shape);
    for rank in 0..graph.ranks() {
        for pair in graph.peers(rank).iter().filter(|pair| pair.sent > 0) {
            let ends = (map.place(rank).node, map.place(pair.peer).node);
            loads.add(ends, pair.sent as f64, split);
        }
    }
    loads
}
