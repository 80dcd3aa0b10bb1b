//! The operations that a rank has begun on the collective networks and not ended.

use crate::mapping::Place;
use crate::ranks::{TreeKind, TreeOperation};
use network::collective::RouteName;
use network::collective::parameters::TreeParameters;
use network::collective::tree::{CorePlace, Route};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// More packets than an operation on the tree network has.
pub(crate) const MAX_TREE_PACKETS: u64 = 1 << 31;

/// A rank's part of an operation on the tree network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreePart {
    /// The number of the network collective.
    pub number: u32,
    /// The class route on which it is carried out.
    pub on: RouteName,
    /// The number of contributions of all ranks of the route, and the sum of their names.
    pub contributions: (u32, u64),
    pub operation: TreeOperation,
    /// Packets of a pass.
    pub packets: u32,
    /// Packets that the core has begun to write, and that it has read.
    pub written: u32,
    pub read: u32,
}

/// The barriers of a rank by the wires of a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Barriers {
    pub on: RouteName,
    /// The numbers of those that have not ended.
    pub numbers: VecDeque<u32>,
    /// Wires that the core has begun to raise so far, and barriers that have ended.
    pub raised: u64,
    pub ended: u64,
}

/// The network collectives of a rank that have not ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NetworkCollectives {
    /// In the order in which they have begun. The first of each class route is carried out.
    pub tree: VecDeque<TreePart>,
    /// By route.
    pub barriers: Vec<Barriers>,
}

impl TreePart {
    /// The number of packets that a rank writes in all.
    pub fn to_write(self, rank: u32) -> u32 {
        match self.operation.kind {
            TreeKind::Broadcast { root } if root != rank => 0,
            TreeKind::AllReduce | TreeKind::Reduce { .. } | TreeKind::Broadcast { .. } => {
                self.packets * u32::from(self.operation.passes)
            }
        }
    }

    /// The number of packets that a rank reads in all. The result of a last pass may be for one rank only.
    pub fn to_read(self, rank: u32) -> u32 {
        let all = self.packets * u32::from(self.operation.passes);
        match self.operation.kind {
            TreeKind::AllReduce => all,
            TreeKind::Reduce { root } => {
                if root == rank {
                    all
                } else {
                    all - self.packets
                }
            }
            TreeKind::Broadcast { root } => {
                if root == rank {
                    0
                } else {
                    all
                }
            }
        }
    }

    pub fn has_ended(&self, rank: u32) -> bool {
        (self.written, self.read) == (self.to_write(rank), self.to_read(rank))
    }

    /// Whether a rank can write its next packet: a packet of a second pass depends on the result of the first.
    pub fn can_write(&self, rank: u32) -> bool {
        self.written < self.to_write(rank)
            && self.written.checked_sub(self.packets).is_none_or(|before| before < self.read)
    }

    /// The operation of routers on a packet.
    pub fn route(&self, index: u32, place: impl Fn(u32) -> Place) -> Route {
        let core_place = |rank: u32| {
            let Place { node, core } = place(rank);
            CorePlace { node, core }
        };
        let is_of_last_pass = index / self.packets + 1 == u32::from(self.operation.passes);
        match self.operation.kind {
            TreeKind::Broadcast { root } => Route::Broadcast(core_place(root)),
            TreeKind::Reduce { root } if is_of_last_pass => Route::CombineFor(core_place(root)),
            TreeKind::AllReduce | TreeKind::Reduce { .. } => Route::CombineForAll,
        }
    }
}

impl NetworkCollectives {
    /// The operation on the tree network of a class route that is carried out.
    pub fn first_on(&mut self, on: RouteName) -> Option<&mut TreePart> {
        self.tree.iter_mut().find(|part| part.on == on)
    }

    /// Ends the first operation of a class route.
    pub fn remove_first_on(&mut self, on: RouteName) {
        let place = self.tree.iter().position(|part| part.on == on);
        self.tree.remove(place.expect("the rank has begun an operation"));
    }

    /// The operations on the tree network that are carried out: the first of each class route.
    pub fn first_of_each(&self) -> impl Iterator<Item = &TreePart> {
        let mut classes = 0_u32;
        self.tree.iter().filter(move |part| {
            let class = 1 << part.on.class();
            let is_first = classes & class == 0;
            classes |= class;
            is_first
        })
    }

    /// The barriers by the wires of a route. The class's route before has ended all of its own.
    pub fn barriers_on(&mut self, on: RouteName) -> &mut Barriers {
        let place = self.barriers.iter().position(|barriers| barriers.on == on).unwrap_or_else(|| {
            self.barriers.retain(|barriers| barriers.on.class() != on.class());
            self.barriers.push(Barriers { on, numbers: VecDeque::new(), raised: 0, ended: 0 });
            self.barriers.len() - 1
        });
        &mut self.barriers[place]
    }

    /// The number of operations in progress.
    pub fn count(&self) -> u32 {
        let barriers: usize = self.barriers.iter().map(|barriers| barriers.numbers.len()).sum();
        (self.tree.len() + barriers) as u32
    }

    /// The progress of the operation that the rank waits for, in words.
    pub fn waiting_for(&self, rank: u32) -> Option<String> {
        if let Some(part) = self.tree.front() {
            let (written, read) = (part.written, part.read);
            return Some(format!(
                "; on the tree network it has written {written} of {} packets and read {read} of {}",
                part.to_write(rank),
                part.to_read(rank)
            ));
        }
        (self.barriers.iter().any(|barriers| !barriers.numbers.is_empty()))
            .then(|| String::from("; not all nodes have raised their wires of the global interrupts"))
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let of_route = |barriers: &Barriers| barriers.numbers.capacity() * size_of::<u32>();
        self.tree.capacity() * size_of::<TreePart>()
            + self.barriers.capacity() * size_of::<Barriers>()
            + self.barriers.iter().map(of_route).sum::<usize>()
    }
}

pub(crate) fn packets(parameters: &TreeParameters, operation: &TreeOperation) -> u64 {
    let packets = parameters.packets(operation.bytes);
    let all = packets * u64::from(operation.passes);
    assert!(all < MAX_TREE_PACKETS, "{} bytes are too many for the tree network", operation.bytes);
    packets
}
