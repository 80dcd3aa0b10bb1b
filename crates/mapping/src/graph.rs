//! The traffic between ranks, as a sparse graph.

use geometry::Shape;
use messaging::RankMap;
use std::collections::{BTreeMap, HashSet};
use thiserror::Error;
use workloads::flows::Flows;

/// The most pairs that are held: some hundred megabytes.
const MAX_PAIRS: usize = 8 << 20;

/// A peer of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The peer.
    pub peer: u32,
    /// Bytes to it.
    pub sent: u64,
    /// Bytes from it.
    pub received: u64,
}

impl Pair {
    /// Bytes in both directions.
    pub fn bytes(&self) -> u64 {
        self.sent + self.received
    }
}

/// More pairs than a search can hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "more than {MAX_PAIRS} pairs of ranks send to each other: a mapping of so dense a pattern cannot be searched"
)]
pub struct TooManyPairs;

/// The peers of each rank; what a rank sends to itself is left out, and so are messages without bytes.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the peers of each rank begin, and at last their number.
    starts: Vec<usize>,
    pairs: Vec<Pair>,
}

impl Graph {
    /// The graph of some flows between ranks.
    ///
    /// # Errors
    /// When too many ranks send to each other.
    pub fn of(flows: &Flows) -> Result<Self, TooManyPairs> {
        if !flows.grid.is_empty() && targets_of_first(flows) * flows.ranks as usize > MAX_PAIRS {
            return Err(TooManyPairs);
        }
        let mut of_ranks: Vec<BTreeMap<u32, (u64, u64)>> = vec![BTreeMap::new(); flows.ranks as usize];
        let mut pairs = 0;
        for source in 0..flows.ranks {
            flows.of_source(source, |flow| {
                if flow.target == source || flow.bytes == 0 || pairs > MAX_PAIRS {
                    return;
                }
                let entry = of_ranks[source as usize].entry(flow.target).or_default();
                pairs += usize::from(*entry == (0, 0));
                entry.0 += flow.bytes;
                of_ranks[flow.target as usize].entry(source).or_default().1 += flow.bytes;
            });
            if pairs > MAX_PAIRS {
                return Err(TooManyPairs);
            }
        }
        let mut graph = Graph { starts: vec![0], pairs: Vec::with_capacity(2 * pairs) };
        for peers in of_ranks {
            let of_rank = peers.into_iter().map(|(peer, (sent, received))| Pair { peer, sent, received });
            graph.pairs.extend(of_rank);
            graph.starts.push(graph.pairs.len());
        }
        Ok(graph)
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// The peers of a rank, by number.
    pub fn peers(&self, rank: u32) -> &[Pair] {
        &self.pairs[self.starts[rank as usize]..self.starts[rank as usize + 1]]
    }

    /// Number of pairs, each counted at both of its ranks.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// All bytes that are sent to other ranks.
    pub fn bytes(&self) -> u128 {
        self.pairs.iter().map(|pair| u128::from(pair.sent)).sum()
    }

    /// Bytes between ranks, each times its hops under a mapping.
    pub fn hop_bytes(&self, map: &RankMap, shape: &Shape) -> u128 {
        let of_rank = |rank: u32| {
            let node = map.place(rank).node;
            let hops = move |peer: u32| u128::from(shape.distance(node, map.place(peer).node));
            self.peers(rank).iter().map(move |pair| u128::from(pair.sent) * hops(pair.peer))
        };
        (0..self.ranks()).flat_map(of_rank).sum()
    }
}

/// The number of other ranks to which rank 0 sends: as all do, if they are alike.
fn targets_of_first(flows: &Flows) -> usize {
    let mut targets = HashSet::new();
    flows.of_source(0, |flow| {
        if flow.target != 0 && flow.bytes > 0 {
            targets.insert(flow.target);
        }
    });
    targets.len()
}
