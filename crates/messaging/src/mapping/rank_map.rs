//! Where each rank runs: rank -> (node, core).

use geometry::{MAX_DIMENSIONS, Shape};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use thiserror::Error;

/// Where a rank runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The node.
    pub node: u32,
    /// The core of that node, from 0.
    pub core: u8,
}

/// Why ranks do not fit on a machine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RankMapError {
    /// More ranks than cores in the machine.
    #[error("{ranks} ranks need as many cores, but the machine has {nodes} nodes of {cores}")]
    TooManyRanks {
        /// Number of ranks.
        ranks: u64,
        /// Number of nodes.
        nodes: u32,
        /// Number of cores per node.
        cores: u8,
    },
    /// A node that does not exist.
    #[error("rank {rank} is mapped to node {node}, but nodes are numbered from 0 to {last}")]
    UnknownNode {
        /// The rank.
        rank: usize,
        /// The node that it is mapped to.
        node: u32,
        /// The last node of the machine.
        last: u32,
    },
    /// More ranks on a node than cores.
    #[error("rank {rank} is mapped to node {node}, whose {cores} cores are already taken")]
    NodeFull {
        /// The rank.
        rank: usize,
        /// The node that it is mapped to.
        node: u32,
        /// Number of cores of the node.
        cores: u8,
    },
    /// Fewer places are listed than there are ranks.
    #[error("{ranks} ranks need a place each, but {listed} are listed")]
    ListTooShort {
        /// Number of ranks.
        ranks: u32,
        /// Number of places.
        listed: usize,
    },
    /// A grid of ranks that does not fold.
    #[error(
        "a grid {grid:?} of ranks does not fold into a machine of {lengths:?} (cores last): each of its lengths has to be a \
         product of the next lengths of the machine, the last of which it may fill in part"
    )]
    CannotFold {
        /// The lengths of the grid.
        grid: Vec<u32>,
        /// The machine's lengths, and the number of cores.
        lengths: Vec<u32>,
    },
    /// A grid of ranks that would need a dead node.
    #[error("rank {rank} of the folded grid would be on node {node}, which is dead")]
    DeadNode {
        /// The rank.
        rank: usize,
        /// The node.
        node: u32,
    },
}

/// Where each rank runs; no two share a core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankMap {
    places: Vec<Place>,
}

impl RankMap {
    /// Rank `r` on node `r`; once every node has a rank, the second cores follow in the same order (the papers' XYZT).
    ///
    /// # Errors
    /// When there are more ranks than cores in the machine.
    pub fn in_order(ranks: u32, shape: &Shape, cores: u8) -> Result<Self, RankMapError> {
        let nodes = shape.nodes();
        if u64::from(ranks) > u64::from(nodes) * u64::from(cores) {
            return Err(RankMapError::TooManyRanks { ranks: ranks.into(), nodes, cores });
        }
        let places = (0..ranks).map(|rank| Place { node: rank % nodes, core: (rank / nodes) as u8 });
        Ok(RankMap { places: places.collect() })
    }

    /// Rank `r` at `places[r]`; all places differ.
    pub fn of_places(places: Vec<Place>) -> Self {
        RankMap { places }
    }

    /// Rank `r` on node `nodes[r]`, on the first core that no lower rank has taken.
    ///
    /// # Errors
    /// When a node does not exist or has fewer cores than ranks.
    pub fn on_nodes(nodes: &[u32], shape: &Shape, cores: u8) -> Result<Self, RankMapError> {
        let mut taken = vec![0u8; shape.nodes() as usize];
        let mut places = Vec::with_capacity(nodes.len());
        for (rank, &node) in nodes.iter().enumerate() {
            let last = shape.nodes() - 1;
            let core = taken.get_mut(node as usize).ok_or(RankMapError::UnknownNode { rank, node, last })?;
            if *core == cores {
                return Err(RankMapError::NodeFull { rank, node, cores });
            }
            places.push(Place { node, core: *core });
            *core += 1;
        }
        Ok(RankMap { places })
    }

    /// Whether some node has several ranks.
    pub fn shares_nodes(&self) -> bool {
        let mut nodes = HashSet::new();
        (0..self.ranks()).any(|rank| !nodes.insert(self.place(rank).node))
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.places.len() as u32
    }

    /// Where `rank` runs.
    pub fn place(&self, rank: u32) -> Place {
        self.places[rank as usize]
    }
}

/// A node at distance `hops` from node 0. Its hops use the dimensions in order, each up to its longest minimal route
/// before the next. On a twisted torus it is the first node at this distance. None if no node is that far away.
pub fn node_at_distance(shape: &Shape, hops: u32) -> Option<u32> {
    if shape.is_twisted() {
        return (0..shape.nodes()).find(|&node| shape.distance(0, node) == hops);
    }
    let mut rest = hops;
    let mut coordinates = [0; MAX_DIMENSIONS];
    for (dimension, coordinate) in coordinates.iter_mut().enumerate().take(shape.dimensions()) {
        let length = shape.length(dimension);
        let farthest = if shape.wraps(dimension) { length / 2 } else { length - 1 };
        *coordinate = rest.min(farthest);
        rest -= *coordinate;
    }
    (rest == 0).then(|| shape.node(&coordinates))
}
