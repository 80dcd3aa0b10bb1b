//! The shortest vectors of each difference.

use super::lattice::Lattice;
use crate::{Direction, Hops};
use std::ops::Range;

/// The shortest vectors of each difference whose hops are in some directions. Vectors are numbered: first those of
/// difference 0, then those of difference 1, and so on. Those of a difference are sorted, plus first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vectors {
    /// The dimensions in which vectors have hops.
    dimensions: Vec<usize>,
    /// The number of each difference's first vector; then the number of vectors.
    starts: Vec<u32>,
    /// The hops of the vectors, in these dimensions.
    hops: Vec<i16>,
}

impl Vectors {
    /// Finds the vectors by a breadth-first search from the difference 0. A vector is shortest if and only if, without
    /// its last hop, it is a shortest one of a difference that is one link nearer.
    pub fn shortest(lattice: &Lattice, directions: &[Direction]) -> Self {
        let mut found: Vec<Vec<Hops>> = vec![Vec::new(); lattice.differences as usize];
        found[0].push(Hops::default());
        let mut shell = vec![0u32];
        while !shell.is_empty() {
            let mut reached: Vec<(u32, Hops)> = Vec::new();
            for &difference in &shell {
                for &toward in directions {
                    let next = lattice.next(difference, toward);
                    if found[next as usize].is_empty() {
                        let farther = |hops: &Hops| (next, hops.and_one(toward));
                        reached.extend(found[difference as usize].iter().map(farther));
                    }
                }
            }
            reached.sort_unstable_by_key(|&(difference, hops)| (difference, std::cmp::Reverse(hops.0)));
            reached.dedup();
            for &(difference, hops) in &reached {
                found[difference as usize].push(hops);
            }
            shell = reached.iter().map(|&(difference, _)| difference).collect();
            shell.dedup();
        }
        Self::packed(lattice, &found)
    }

    fn packed(lattice: &Lattice, found: &[Vec<Hops>]) -> Self {
        let mut vectors =
            Vectors { dimensions: lattice.dimensions.clone(), starts: vec![0], hops: Vec::new() };
        for of_difference in found {
            for hops in of_difference {
                vectors.hops.extend(lattice.dimensions.iter().map(|&dimension| hops.0[dimension] as i16));
            }
            vectors.starts.push((vectors.hops.len() / lattice.dimensions.len()) as u32);
        }
        vectors
    }

    /// The numbers of a difference's vectors.
    #[inline]
    pub fn of(&self, difference: u32) -> Range<usize> {
        let difference = difference as usize;
        self.starts[difference] as usize..self.starts[difference + 1] as usize
    }

    /// Whether any difference has several vectors.
    pub fn are_several(&self) -> bool {
        self.starts.len() <= *self.starts.last().expect("the first is 0") as usize
    }

    /// Sets the hops of a vector in the dimensions of the twist.
    #[inline]
    pub fn set(&self, vector: usize, hops: &mut Hops) {
        let width = self.dimensions.len();
        for (&dimension, &along) in self.dimensions.iter().zip(&self.hops[vector * width..][..width]) {
            hops.0[dimension] = along.into();
        }
    }

    /// A vector.
    pub fn get(&self, vector: usize) -> Hops {
        let mut hops = Hops::default();
        self.set(vector, &mut hops);
        hops
    }

    /// The number of links of a difference's vectors.
    pub fn length(&self, difference: u32) -> u32 {
        self.get(self.of(difference).start).total()
    }
}
