//! Random twists, shared by the tests of shapes and of faults.
#![allow(dead_code)] // each test file uses a part

use geometry::{Hops, Shape, Twist};
use proptest::prelude::*;

/// Random shifts, which become a twist of any shape: see [`twisted`].
#[derive(Clone, Debug)]
pub struct Shifts {
    pub first: usize,
    pub shifts: Vec<(usize, usize, i32)>,
}

pub fn shifts() -> impl Strategy<Value = Shifts> {
    let shifts = prop::collection::vec((0usize..6, 0usize..6, -9i32..10), 1..6);
    (0usize..6, shifts).prop_map(|(first, shifts)| Shifts { first, shifts })
}

/// A shape with those of some shifts that are between rings, and that go from a dimension to one after it. The
/// dimensions are numbered from `first` on, so that shifts may go from later dimensions to earlier ones.
pub fn twisted(shape: Shape, Shifts { first, shifts }: &Shifts) -> Shape {
    let dimensions = shape.dimensions();
    let is_ring = |dimension: usize| shape.wraps(dimension) && shape.length(dimension) > 1;
    let places = shifts.iter().map(|&(a, b, by)| (a % dimensions, b % dimensions, by));
    let ordered = places.filter(|(a, b, _)| a < b);
    let numbered = ordered.map(|(a, b, by)| ((a + first) % dimensions, (b + first) % dimensions, by));
    let between_rings = numbered.filter(|&(a, b, _)| is_ring(a) && is_ring(b));
    let twist = between_rings.fold(Twist::default(), |twist, (a, b, by)| twist.shifting(a, b, by));
    shape.with_twist(twist).expect("shifts between rings, in one order, are a twist")
}

/// Follows hops one link at a time, in the order of dimensions, to the node where they lead.
pub fn walk(shape: &Shape, source: u32, hops: &Hops) -> Option<u32> {
    let mut node = source;
    for direction in hops.directions() {
        for _ in 0..hops.0[direction.dimension()].unsigned_abs() {
            node = shape.neighbor(node, direction)?;
        }
    }
    Some(node)
}
