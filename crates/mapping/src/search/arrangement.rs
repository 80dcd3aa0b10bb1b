//! The state of a search: which rank is in which place, and what a swap would change.

use crate::graph::Graph;
use base::draws::pick;
use geometry::{Coordinates, Direction, Shape};
use messaging::{Mapping, Order, Place, RankMap};
use network::Parameters;

/// No rank, or no place.
const NONE: u32 = u32::MAX;

/// Ranks in slots: the cores of live nodes.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    shape: Shape,
    cores: u8,
    places: Vec<Place>,
    /// The coordinates of each slot's node.
    coordinates: Vec<Coordinates>,
    /// The slot of each core, by node and core.
    slots: Vec<u32>,
    rank_in: Vec<u32>,
    slot_of: Vec<u32>,
    /// Bytes between ranks, each times its hops.
    pub hop_bytes: u128,
}

impl Arrangement {
    pub fn new(graph: &Graph, start: &RankMap, parameters: &Parameters) -> Self {
        let Parameters { shape, node, .. } = parameters;
        let all = Mapping::Order(Order::cores_last(shape.dimensions()));
        let slots = parameters.live_nodes() * u32::from(node.cores);
        let all = all.place(slots, &[], parameters).expect("every core has room for a rank");
        let places: Vec<Place> = (0..all.ranks()).map(|slot| all.place(slot)).collect();
        let mut arrangement = Arrangement {
            coordinates: places.iter().map(|place| shape.coordinates(place.node)).collect(),
            slots: vec![NONE; shape.nodes() as usize * usize::from(node.cores)],
            rank_in: vec![NONE; places.len()],
            slot_of: vec![NONE; graph.ranks() as usize],
            hop_bytes: graph.hop_bytes(start, shape),
            shape: shape.clone(),
            cores: node.cores,
            places,
        };
        for slot in 0..arrangement.slots() {
            let index = arrangement.index(arrangement.places[slot as usize]);
            arrangement.slots[index] = slot;
        }
        for rank in 0..graph.ranks() {
            let slot = arrangement.slots[arrangement.index(start.place(rank))];
            arrangement.rank_in[slot as usize] = rank;
            arrangement.slot_of[rank as usize] = slot;
        }
        arrangement
    }

    /// Puts all ranks in random places, given 32 random bits for each rank.
    pub fn shuffle(&mut self, graph: &Graph, bits: impl Fn(u32) -> u32) {
        (0..graph.ranks()).for_each(|rank| self.exchange(rank, pick(bits(rank), self.slots())));
        self.hop_bytes = graph.hop_bytes(&self.map(), &self.shape);
    }

    /// Puts each rank in its slot; all slots differ.
    pub fn place(&mut self, graph: &Graph, slots: &[u32]) {
        self.rank_in.fill(NONE);
        (0..).zip(slots).for_each(|(rank, &slot)| self.rank_in[slot as usize] = rank);
        self.slot_of.copy_from_slice(slots);
        self.hop_bytes = graph.hop_bytes(&self.map(), &self.shape);
    }

    /// Number of nodes, the dead included.
    pub fn nodes(&self) -> usize {
        self.shape.nodes() as usize
    }

    /// The neighbors of a node; one that two links reach comes twice.
    pub fn neighbors(&self, node: u32) -> impl Iterator<Item = u32> {
        Direction::all(self.shape.dimensions()).filter_map(move |toward| self.shape.neighbor(node, toward))
    }

    pub fn node_of(&self, slot: u32) -> u32 {
        self.places[slot as usize].node
    }

    /// The slots of a slot's node and of its neighbors.
    pub fn nearby_slots(&self, slot: u32) -> impl Iterator<Item = u32> {
        let node = self.node_of(slot);
        let nodes = std::iter::once(node).chain(self.neighbors(node));
        let places = nodes.flat_map(|node| (0..self.cores).map(move |core| Place { node, core }));
        places.map(|place| self.slots[self.index(place)]).filter(|&slot| slot != NONE)
    }

    /// Number of slots.
    pub fn slots(&self) -> u32 {
        self.places.len() as u32
    }

    pub fn slot_of(&self, rank: u32) -> u32 {
        self.slot_of[rank as usize]
    }

    /// Where the ranks are.
    pub fn map(&self) -> RankMap {
        RankMap::of_places(self.slot_of.iter().map(|&slot| self.places[slot as usize]).collect())
    }

    /// A slot of a neighbor of a rank's node, or of the same node; none if there is no such node.
    pub fn neighboring_slot(&self, rank: u32, node_bits: u32, core_bits: u32) -> Option<u32> {
        let node = self.places[self.slot_of(rank) as usize].node;
        let directions = 2 * self.shape.dimensions() as u32;
        let choices = directions + u32::from(self.cores > 1);
        let choice = pick(node_bits, choices);
        let node = match choice {
            same if same == directions => node,
            _ => self.shape.neighbor(node, Direction::from_index(choice as usize))?,
        };
        let core = pick(core_bits, self.cores.into()) as u8;
        Some(self.slots[self.index(Place { node, core })]).filter(|&slot| slot != NONE)
    }

    /// The change of hop-bytes if a rank and whatever is in `slot` change places.
    pub fn change_of_swap(&self, graph: &Graph, rank: u32, slot: u32) -> i128 {
        let (own, other) = (self.slot_of(rank), self.rank_in[slot as usize]);
        let change = self.change_of_move(graph, (rank, other), (own, slot));
        match other {
            NONE => change,
            _ => change + self.change_of_move(graph, (other, rank), (slot, own)),
        }
    }

    pub fn swap(&mut self, rank: u32, slot: u32, change: i128) {
        self.exchange(rank, slot);
        self.hop_bytes = self.hop_bytes.checked_add_signed(change).expect("hop-bytes are not negative");
    }

    /// A rank and whatever is in `slot` change places.
    fn exchange(&mut self, rank: u32, slot: u32) {
        let (own, other) = (self.slot_of(rank), self.rank_in[slot as usize]);
        self.slot_of[rank as usize] = slot;
        self.rank_in[slot as usize] = rank;
        self.rank_in[own as usize] = other;
        if other != NONE {
            self.slot_of[other as usize] = own;
        }
    }

    /// The change for the pairs of a rank without that with `except`, whose distance stays the same.
    fn change_of_move(&self, graph: &Graph, (rank, except): (u32, u32), (from, to): (u32, u32)) -> i128 {
        let others = graph.peers(rank).iter().filter(|pair| pair.peer != except);
        let change = others.map(|pair| {
            let peer = self.slot_of(pair.peer);
            let hops = i128::from(self.hops(to, peer)) - i128::from(self.hops(from, peer));
            hops * i128::from(pair.bytes())
        });
        change.sum()
    }

    fn hops(&self, from: u32, to: u32) -> u32 {
        if self.shape.is_twisted() {
            return self.shape.distance(self.node_of(from), self.node_of(to));
        }
        let (from, to) = (&self.coordinates[from as usize], &self.coordinates[to as usize]);
        (0..self.shape.dimensions())
            .map(|dimension| self.shape.distance_along(dimension, from[dimension], to[dimension]))
            .sum()
    }

    fn index(&self, place: Place) -> usize {
        place.node as usize * usize::from(self.cores) + usize::from(place.core)
    }
}
