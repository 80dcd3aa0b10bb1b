//! The quadrant of a packet's adaptive paths, and the dead nodes and links in it.
//!
//! ```text
//!        . . . T      hops (3, 2): positions (0, 0) to (3, 2), counted from the source along the hint bits
//!        . # . .      a dead node at (1, 1) blocks the moves (0, 1) -> x and (1, 0) -> y
//!        S . . .
//! ```
//!
//! Only positions next to a dead node or link can be bad, so that a quadrant is searched only if something dead lies
//! between such a position and the source.

use crate::faults::Faults;
use crate::{Hops, MAX_DIMENSIONS, Shape};

/// Hops made in each dimension: a position in a quadrant.
type Position = [u32; MAX_DIMENSIONS];

/// An impossible move from a position along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Blocked {
    at: Position,
    dimension: usize,
}

/// The quadrant of a packet from one node with given hops.
pub(super) struct Quadrant {
    dimensions: usize,
    hops: Position,
    blocked: Vec<Blocked>,
}

impl Quadrant {
    /// The paths with these hops from live `source` to a live target.
    pub(super) fn new(faults: &Faults, shape: &Shape, source: u32, hops: &Hops) -> Self {
        let mut paths = Quadrant {
            dimensions: shape.dimensions(),
            hops: hops.0.map(i32::unsigned_abs),
            blocked: Vec::new(),
        };
        for &node in &faults.nodes {
            paths.visit_positions(shape, source, hops, node, |paths, at| paths.block_node(at));
        }
        for &(node, toward) in &faults.links {
            let dimension = toward.dimension();
            if hops.0[dimension] != 0 && (hops.0[dimension] > 0) == toward.is_plus() {
                paths.visit_positions(shape, source, hops, node, |paths, at| paths.block_link(at, dimension));
            }
        }
        paths
    }

    fn block_node(&mut self, at: Position) {
        for dimension in (0..self.dimensions).filter(|&dimension| at[dimension] > 0) {
            let mut before = at;
            before[dimension] -= 1;
            self.blocked.push(Blocked { at: before, dimension });
        }
    }

    fn block_link(&mut self, at: Position, dimension: usize) {
        if at[dimension] < self.hops[dimension] {
            self.blocked.push(Blocked { at, dimension });
        }
    }

    /// Visits the positions of a node in the quadrant: at most one, or on a twisted torus possibly several.
    fn visit_positions(
        &mut self,
        shape: &Shape,
        source: u32,
        hops: &Hops,
        node: u32,
        mut visit: impl FnMut(&mut Self, Position),
    ) {
        let Some(position) = self.position(shape, source, hops, node) else { return };
        let Some(twisted) = &shape.twisted else { return visit(self, position) };
        let ends = (&shape.coordinates(source), &shape.coordinates(node));
        twisted.visit_positions(ends, hops, &mut |made| {
            let along = |dimension: usize| match twisted.has(dimension) {
                true => made.0[dimension].unsigned_abs(),
                false => position[dimension],
            };
            visit(self, std::array::from_fn(along));
        });
    }

    /// The position of a node, if it is in the quadrant. The dimensions of a twist do not count, and are 0.
    fn position(&self, shape: &Shape, source: u32, hops: &Hops, node: u32) -> Option<Position> {
        let (from, to) = (shape.coordinates(source), shape.coordinates(node));
        let mut position = [0; MAX_DIMENSIONS];
        for dimension in (0..self.dimensions).filter(|&dimension| !shape.takes_part_in_twist(dimension)) {
            let apart = to[dimension] as i32 - from[dimension] as i32;
            let ahead = if hops.0[dimension] < 0 { -apart } else { apart };
            let ahead = match shape.wraps(dimension) {
                true => ahead.rem_euclid(shape.length(dimension) as i32),
                false => ahead,
            };
            position[dimension] = u32::try_from(ahead).ok().filter(|&made| made <= self.hops[dimension])?;
        }
        Some(position)
    }

    /// Whether nothing in the quadrant is dead.
    pub(super) fn is_clean(&self) -> bool {
        self.blocked.is_empty()
    }

    /// Whether the path in dimension order has no dead node or link.
    pub(super) fn has_clean_dimension_order(&self) -> bool {
        let is_on_path = |move_: &Blocked| {
            self.is_next_in_order(move_) && move_.at[move_.dimension + 1..].iter().all(|&made| made == 0)
        };
        !self.blocked.iter().any(is_on_path)
    }

    /// Whether the next link in dimension order is alive at every node that a packet may reach.
    pub(super) fn has_clean_escape(&self) -> bool {
        !self.blocked.iter().any(|move_| self.is_next_in_order(move_) && self.is_reachable(&move_.at))
    }

    /// Whether a packet may reach a node at which it is trapped.
    pub(super) fn traps(&self) -> bool {
        let is_trapped = |at: &Position| {
            let mut left = (0..self.dimensions).filter(|&dimension| at[dimension] < self.hops[dimension]);
            left.all(|dimension| self.is_blocked(at, dimension))
        };
        self.blocked.iter().any(|move_| is_trapped(&move_.at) && self.is_reachable(&move_.at))
    }

    fn is_next_in_order(&self, move_: &Blocked) -> bool {
        (0..move_.dimension).all(|dimension| move_.at[dimension] == self.hops[dimension])
    }

    fn is_blocked(&self, at: &Position, dimension: usize) -> bool {
        self.blocked.contains(&Blocked { at: *at, dimension })
    }

    /// Whether a path of live moves leads from the source to a position.
    fn is_reachable(&self, to: &Position) -> bool {
        let lies_before = |move_: &Blocked| {
            move_.at[move_.dimension] < to[move_.dimension]
                && move_.at.iter().zip(to).all(|(at, to)| at <= to)
        };
        !self.blocked.iter().any(lies_before) || self.search_quadrant(to)
    }

    /// Whether a path of live moves leads from the source to a position, by a search of all positions.
    fn search_quadrant(&self, to: &Position) -> bool {
        let strides: Vec<usize> = (0..self.dimensions)
            .scan(1, |stride, dimension| {
                let this = *stride;
                *stride *= to[dimension] as usize + 1;
                Some(this)
            })
            .collect();
        let positions: usize = to[..self.dimensions].iter().map(|&made| made as usize + 1).product();
        let mut reached = vec![false; positions];
        reached[0] = true;
        let mut at = [0; MAX_DIMENSIONS];
        for number in 0..positions {
            if reached[number] {
                for dimension in (0..self.dimensions).filter(|&dimension| at[dimension] < to[dimension]) {
                    reached[number + strides[dimension]] |= !self.is_blocked(&at, dimension);
                }
            }
            advance(&mut at, to);
        }
        reached[positions - 1]
    }
}

/// The next position of a quadrant; the first dimension varies fastest.
fn advance(at: &mut Position, last: &Position) {
    for (made, &max) in at.iter_mut().zip(last) {
        if *made < max {
            *made += 1;
            return;
        }
        *made = 0;
    }
}
