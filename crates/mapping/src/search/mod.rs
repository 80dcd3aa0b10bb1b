//! The search for a mapping with few hop-bytes: ranks move, and swap with those that are in their place.
//!
//! ```text
//!   temperature   hot \        hot \        hot \              a move that costs more is made with a probability
//!                      \            \            \             that falls with the temperature (Metropolis)
//!                       cold         cold         cold
//!   step          0 ......... round ....... round ....... steps    after each round: the best so far is kept
//! ```
//!
//! Mostly a rank moves next to one of its peers. A slow fall of the temperature orders a random start as a melt
//! crystallizes, but may end in a regular mapping that is twisted around the torus, which no single move can repair,
//! and which heat does not melt at once. So annealing begins with a mapping that has [grown](growth), unless its start
//! is better, and only warms it; further rounds melt a random one. A greedy search is one round at no temperature.
//! Every draw is a function of the seed and the step.

mod arrangement;
mod growth;

use crate::graph::Graph;
use arrangement::Arrangement;
use base::draws::{Draws, NodeKey, Purpose, pick};
use growth::grow;
use messaging::RankMap;
use network::Parameters;

/// Steps of a round for each rank. Most rounds that melt 512 ranks then end ordered, about half of them without a long
/// twist.
const ROUND_STEPS_PER_RANK: u64 = 6_000;

/// Temperatures at the start and the end of a round, in units of a rank's binding to its peers. For a halo exchange in
/// three dimensions, order sets in at 0.8 of that. A warm round keeps the order of its start.
const HOT: f64 = 1.15;
const WARM: f64 = 0.7;
const COLD: f64 = 0.5;

/// The last part of each round is at no temperature.
const COOLED_SHARE: f64 = 0.95;

/// The share of moves to any place, rather than next to a peer, in 32 random bits.
const ANYWHERE: u32 = u32::MAX / 10;

/// How a search accepts moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Only moves that cost no more.
    Greedy,
    /// Simulated annealing.
    Anneal,
}

impl Method {
    /// Whether it begins with a mapping that grows, and then cools down, round by round.
    fn cools(self) -> bool {
        match self {
            Method::Greedy => false,
            Method::Anneal => true,
        }
    }
}

/// A search in progress.
#[derive(Clone, Debug)]
pub struct Search {
    graph: Graph,
    arrangement: Arrangement,
    method: Method,
    seed: u64,
    /// The key of the draws of steps.
    key: NodeKey,
    /// Steps in all, and those made.
    steps: u64,
    step: u64,
    /// Steps of a round.
    round_steps: u64,
    /// The unit of temperatures, in bytes.
    unit: f64,
    /// No mapping has fewer hop-bytes.
    min: u128,
    best: RankMap,
    best_hop_bytes: u128,
}

impl Search {
    /// A search of `steps` steps from `start`.
    pub fn new(
        graph: Graph,
        start: &RankMap,
        parameters: &Parameters,
        method: Method,
        (steps, seed): (u64, u64),
    ) -> Self {
        let arrangement = Arrangement::new(&graph, start, parameters);
        let in_a_round = ROUND_STEPS_PER_RANK * u64::from(graph.ranks()).max(1);
        let rounds = if method.cools() { (steps / in_a_round).max(1) } else { 1 };
        let mut search = Search {
            unit: binding(&graph),
            min: if parameters.node.cores == 1 { graph.bytes() } else { 0 },
            best: start.clone(),
            best_hop_bytes: arrangement.hop_bytes,
            round_steps: steps.div_ceil(rounds),
            key: NodeKey::new(seed, 0),
            seed,
            step: 0,
            graph,
            arrangement,
            method,
            steps,
        };
        if method.cools() && !search.is_optimal() {
            search.start_grown();
        }
        search
    }

    /// Makes up to `steps` more steps; returns whether any are left.
    pub fn advance(&mut self, steps: u64) -> bool {
        let until = self.step.saturating_add(steps).min(self.steps);
        while self.step < until && !self.is_optimal() {
            self.make_step();
            self.step += 1;
            if self.step.is_multiple_of(self.round_steps) && self.step < self.steps {
                self.keep_best();
                self.start_round();
            }
        }
        self.step < self.steps && !self.is_optimal()
    }

    /// Steps made.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Hop-bytes now, and of the best mapping so far.
    pub fn hop_bytes(&self) -> (u128, u128) {
        (self.arrangement.hop_bytes, self.best_hop_bytes.min(self.arrangement.hop_bytes))
    }

    /// The best mapping found, the start included.
    pub fn best(mut self) -> RankMap {
        self.keep_best();
        self.best
    }

    fn is_optimal(&self) -> bool {
        self.arrangement.hop_bytes <= self.min || self.best_hop_bytes <= self.min
    }

    fn keep_best(&mut self) {
        if self.arrangement.hop_bytes < self.best_hop_bytes {
            self.best_hop_bytes = self.arrangement.hop_bytes;
            self.best = self.arrangement.map();
        }
    }

    /// Begins another round, with all ranks in random places.
    fn start_round(&mut self) {
        let key = NodeKey::new(self.seed, self.round() as u32);
        self.arrangement.shuffle(&self.graph, |rank| key.draw(Purpose::RankPlace, rank.into(), 0));
    }

    /// Goes on from a mapping that grows from a random rank in a random slot, if it is better.
    fn start_grown(&mut self) {
        let bits = |port| self.key.draw(Purpose::RankPlace, self.step, port);
        let (rank, slot) = (pick(bits(6), self.graph.ranks()), pick(bits(7), self.arrangement.slots()));
        let mut grown = self.arrangement.clone();
        grown.place(&self.graph, &grow(&self.graph, &self.arrangement, rank, slot));
        if grown.hop_bytes < self.arrangement.hop_bytes {
            self.arrangement = grown;
        }
    }

    fn round(&self) -> u64 {
        self.step / self.round_steps
    }

    /// Whether the round does not melt what it begins with: a growth that does not suit is not repeated.
    fn is_warm(&self) -> bool {
        self.round() == 0
    }

    fn make_step(&mut self) {
        let draws = self.key.at(self.step);
        let bits = |port| draws.draw(Purpose::RankPlace, port);
        let rank = pick(bits(0), self.graph.ranks());
        let Some(slot) = self.proposal(rank, &draws) else { return };
        let change = self.arrangement.change_of_swap(&self.graph, rank, slot);
        if change <= 0 || self.accepts(change as f64, bits(5)) {
            self.arrangement.swap(rank, slot, change);
        }
    }

    /// Whether a move is made that costs `change` more.
    fn accepts(&self, change: f64, bits: u32) -> bool {
        let temperature = self.temperature();
        temperature > 0.0 && (-change / temperature).exp() * f64::from(u32::MAX) > f64::from(bits)
    }

    /// A place for a rank other than its own: mostly next to one of its peers, or on the same node.
    fn proposal(&self, rank: u32, draws: &Draws) -> Option<u32> {
        let bits = |port| draws.draw(Purpose::RankPlace, port);
        let peers = self.graph.peers(rank);
        let slot = if peers.is_empty() || bits(1) < ANYWHERE {
            Some(pick(bits(2), self.arrangement.slots()))
        } else {
            let peer = peers[pick(bits(2), peers.len() as u32) as usize].peer;
            self.arrangement.neighboring_slot(peer, bits(3), bits(4))
        };
        slot.filter(|&slot| slot != self.arrangement.slot_of(rank))
    }

    fn temperature(&self) -> f64 {
        let share = (self.step % self.round_steps) as f64 / self.round_steps as f64;
        if !self.method.cools() || share >= COOLED_SHARE {
            return 0.0;
        }
        let first = if self.is_warm() { WARM } else { HOT };
        self.unit * first * (COLD / first).powf(share / COOLED_SHARE)
    }
}

/// The binding of a rank to its peers: the root of the sum of the squared bytes of its pairs, in the mean over ranks.
fn binding(graph: &Graph) -> f64 {
    let of_rank = |rank: u32| {
        let squares = graph.peers(rank).iter().map(|pair| (pair.bytes() as f64).powi(2));
        squares.sum::<f64>().sqrt()
    };
    (0..graph.ranks()).map(of_rank).sum::<f64>() / f64::from(graph.ranks().max(1))
}
