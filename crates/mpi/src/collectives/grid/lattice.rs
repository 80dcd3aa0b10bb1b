//! The group of a twisted torus: vectors of steps, of which those that lead to the same rank are equal.
//!
//! A box of the group has each rank once. Its rings along a dimension are as long as the dimension's order modulo the
//! dimensions after it. So each order of the dimensions has a box of its own:
//!
//! ```text
//!   4 x 4 x 8, x and y shift z by 4     in the order z, y, x: 4 x 4 x 8 too, with 4 places along z, and 8 along x
//! ```
//!
//! Steps along a dimension leave the places in the dimensions before it as they are. Where a ring closes, they shift
//! those in the dimensions after it.

use super::MAX_GRID_DIMENSIONS;

/// A vector of steps.
pub(in crate::collectives) type Vector = [i64; MAX_GRID_DIMENSIONS];

/// A lattice, in an order of the dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::collectives) struct Lattice {
    /// The dimensions in order, each with the vector by which its rings close: their length along the dimension itself, and
    /// none along those before it.
    closing: [(usize, Vector); MAX_GRID_DIMENSIONS],
}

impl Lattice {
    /// The lattice that vectors generate, in an order of all dimensions: by Euclid's algorithm, one dimension after
    /// the other.
    pub fn new(generators: [Vector; MAX_GRID_DIMENSIONS], order: [usize; MAX_GRID_DIMENSIONS]) -> Self {
        let mut left = generators.to_vec();
        let mut closing = order.map(|dimension| (dimension, Vector::default()));
        for (dimension, vector) in &mut closing {
            let dimension = *dimension;
            // Of the vectors along this dimension one is left, the shortest.
            loop {
                left.sort_by_key(|vector| (vector[dimension] == 0, vector[dimension].abs()));
                let shortest = left[0];
                let mut others = left[1..].iter_mut().filter(|other| other[dimension] != 0).peekable();
                if others.peek().is_none() {
                    break;
                }
                others.for_each(|other| {
                    let times = other[dimension] / shortest[dimension];
                    add(other, -times, &shortest);
                });
            }
            let shortest = left.remove(0);
            *vector = shortest.map(|steps| steps * shortest[dimension].signum());
        }
        let mut lattice = Lattice { closing };
        for place in (0..MAX_GRID_DIMENSIONS).rev() {
            let mut vector = lattice.closing[place].1;
            lattice.reduce_from(place + 1, &mut vector);
            lattice.closing[place].1 = vector;
        }
        lattice
    }

    /// This lattice in another order.
    pub fn in_order(&self, order: [usize; MAX_GRID_DIMENSIONS]) -> Self {
        Lattice::new(self.closing.map(|(_, vector)| vector), order)
    }

    /// The length of the rings along a dimension.
    pub fn length(&self, dimension: usize) -> u32 {
        let along = self.closing.iter().find(|(other, _)| *other == dimension);
        along.map_or(1, |(_, vector)| vector[dimension] as u32)
    }

    /// Brings a vector into the box.
    pub fn reduce(&self, vector: &mut Vector) {
        self.reduce_from(0, vector);
    }

    fn reduce_from(&self, place: usize, vector: &mut Vector) {
        for (dimension, closing) in &self.closing[place..] {
            let times = vector[*dimension].div_euclid(closing[*dimension]);
            if times != 0 {
                add(vector, -times, closing);
            }
        }
    }

    /// A vector to the same rank that is short: the shortest of those with less than a ring of steps along each
    /// dimension of the order.
    pub fn short(&self, vector: &Vector) -> Vector {
        self.short_from(0, *vector)
    }

    fn short_from(&self, place: usize, mut vector: Vector) -> Vector {
        let Some((dimension, closing)) = self.closing.get(place) else { return vector };
        let times = vector[*dimension].div_euclid(closing[*dimension]);
        add(&mut vector, -times, closing);
        let plus = self.short_from(place + 1, vector);
        if vector[*dimension] == 0 {
            return plus;
        }
        add(&mut vector, -1, closing);
        let minus = self.short_from(place + 1, vector);
        let steps = |vector: &Vector| vector.iter().map(|steps| steps.abs()).sum::<i64>();
        if steps(&minus) < steps(&plus) { minus } else { plus }
    }
}

fn add(vector: &mut Vector, times: i64, other: &Vector) {
    vector.iter_mut().zip(other).for_each(|(steps, more)| *steps += times * more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The lattice of 4x4x8 whose x and y shift z by 4.
    fn usual() -> Lattice {
        let mut generators = std::array::from_fn(|dimension| {
            let mut vector = Vector::default();
            vector[dimension] = [4, 4, 8, 1, 1, 1, 1][dimension];
            vector
        });
        (generators[0][2], generators[1][2]) = (-4, -4);
        Lattice::new(generators, std::array::from_fn(|dimension| dimension))
    }

    #[test]
    fn each_order_has_a_box_of_its_own() {
        for (order, lengths) in
            [([0, 1, 2], [4, 4, 8]), ([2, 0, 1], [4, 8, 4]), ([2, 1, 0], [8, 4, 4]), ([1, 2, 0], [8, 4, 4])]
        {
            let all: Vec<usize> = order.into_iter().chain(3..MAX_GRID_DIMENSIONS).collect();
            let lattice = usual().in_order(all.try_into().unwrap());
            assert_eq!([0, 1, 2].map(|dimension| lattice.length(dimension)), lengths, "{order:?}");
        }
    }

    proptest! {
        /// Boxes of all orders hold as many ranks, each of them once: what is equal in one is equal in the other.
        #[test]
        fn orders_agree_on_which_vectors_are_equal(
            lengths in prop::array::uniform4(1i64..7), shifts in prop::array::uniform4(prop::array::uniform4(0i64..7)),
            order in Just([0usize, 1, 2, 3, 4, 5, 6]).prop_shuffle(), steps in prop::array::uniform4(-20i64..20),
        ) {
            let generators = std::array::from_fn(|dimension| {
                std::array::from_fn(|along| match dimension {
                    0..4 if along == dimension => lengths[dimension],
                    0..4 if (dimension..4).contains(&along) => -shifts[dimension][along],
                    _ => i64::from(along == dimension),
                })
            });
            let own = Lattice::new(generators, std::array::from_fn(|dimension| dimension));
            let other = own.in_order(order);
            prop_assert!((0..4).all(|dimension| i64::from(own.length(dimension)) == lengths[dimension]));
            let nodes = |lattice: &Lattice| -> u32 { (0..MAX_GRID_DIMENSIONS).map(|d| lattice.length(d)).product() };
            prop_assert_eq!(nodes(&own), nodes(&other));
            let mut vector = Vector::default();
            vector[..4].copy_from_slice(&steps);
            let (mut expected, mut found) = (vector, vector);
            own.reduce(&mut expected);
            other.reduce(&mut found);
            own.reduce(&mut found);
            prop_assert_eq!(expected, found);
            let short = own.short(&vector);
            let mut of_short = short;
            own.reduce(&mut of_short);
            prop_assert_eq!(expected, of_short);
            let steps = |vector: &Vector| vector.iter().map(|steps| steps.abs()).sum::<i64>();
            prop_assert!(steps(&short) <= steps(&expected));
        }
    }
}
