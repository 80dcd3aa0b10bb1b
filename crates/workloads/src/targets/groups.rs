//! Groups of nodes that differ only in the coordinates of some dimensions: lines, planes, the whole machine.

use crate::targets::Peers;
use crate::targets::Route;
use geometry::{Faults, Shape};

/// The groups along some dimensions, stored as distances between members in node numbers.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Dimensions along which members differ, ascending.
    pub dimensions: Vec<usize>,
    /// Number of members.
    pub members: u64,
    /// Length of each dimension, and its stride in node numbers.
    steps: Vec<(u32, u32)>,
    is_whole_machine: bool,
}

impl Group {
    /// The groups along `dimensions` of `shape`.
    pub(crate) fn new(shape: &Shape, dimensions: &[usize]) -> Self {
        let mut dimensions = dimensions.to_vec();
        dimensions.sort_unstable();
        let stride = |dimension: usize| shape.lengths()[..dimension].iter().product();
        let steps: Vec<(u32, u32)> =
            dimensions.iter().map(|&dimension| (shape.length(dimension), stride(dimension))).collect();
        let members = steps.iter().map(|&(length, _)| u64::from(length)).product();
        Group { dimensions, members, steps, is_whole_machine: members == u64::from(shape.nodes()) }
    }

    /// The number of `node` among its group's members.
    fn rank(&self, node: u32) -> u32 {
        if self.is_whole_machine {
            return node;
        }
        let ranks = self.steps.iter().rev();
        ranks.fold(0, |rank, &(length, stride)| rank * length + node / stride % length)
    }

    /// Member number `rank` of the group of `node`.
    fn member(&self, node: u32, rank: u32) -> u32 {
        if self.is_whole_machine {
            return rank;
        }
        let (mut member, mut rest) = (node, rank);
        for &(length, stride) in &self.steps {
            member = member - node / stride % length * stride + rest % length * stride;
            rest /= length;
        }
        member
    }

    /// The slot of `peer` among the peers of `node`, if it is one.
    fn slot(&self, node: u32, peer: u32) -> Option<u32> {
        let (own, rank) = (self.rank(node), self.rank(peer));
        (own != rank && self.member(node, rank) == peer).then(|| rank - (rank > own) as u32)
    }

    /// Peer `slot` of `node`; peers are the members in order of number, without the node itself.
    pub(crate) fn peer(&self, node: u32, slot: u32) -> u32 {
        self.member(node, slot + (slot >= self.rank(node)) as u32)
    }
}

/// The peers of each node in one or more groups, group after group.
pub(crate) struct GroupPeers {
    pub groups: Vec<Group>,
    pub is_twisted: bool,
}

impl Peers for GroupPeers {
    fn count(&self, _node: u32) -> u64 {
        self.groups.iter().map(|group| group.members - 1).sum()
    }

    fn peer(&self, node: u32, mut slot: u64) -> Route {
        for group in &self.groups {
            if slot < group.members - 1 {
                return Route::To(group.peer(node, slot as u32));
            }
            slot -= group.members - 1;
        }
        unreachable!("a slot is below the count of peers")
    }

    /// The first peer after the node's own number.
    fn rotation(&self, node: u32) -> u64 {
        u64::from(self.groups[0].rank(node))
    }

    fn possibly_unreachable(&self, node: u32, faults: &Faults) -> Vec<u64> {
        let mut possibly_unreachable = Vec::new();
        let mut first = 0;
        for group in &self.groups {
            let slots = faults.nodes().iter().filter_map(|&dead| group.slot(node, dead));
            possibly_unreachable.extend(slots.map(|slot| first + u64::from(slot)));
            first += group.members - 1;
        }
        possibly_unreachable.sort_unstable();
        possibly_unreachable
    }

    fn are_alike(&self) -> bool {
        // Translations of a twisted torus do not move its lines and planes to others.
        !self.is_twisted || self.groups.iter().all(|group| group.is_whole_machine)
    }
}
