//! Cartesian communicators: a grid of ranks, whose last coordinate varies fastest (MPI-1, section 6). Ranks are not
//! reordered, so that everything about the grid follows from its lengths.

use crate::Members;

/// A grid of the first ranks of a communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cartesian {
    lengths: Vec<u32>,
    periodic: Vec<bool>,
}

impl Cartesian {
    /// A grid with the given lengths, each at least 1, closed to rings where it is periodic.
    pub fn new(lengths: &[u32], periodic: &[bool]) -> Self {
        assert_eq!(lengths.len(), periodic.len(), "each dimension is periodic or not");
        assert!(lengths.iter().all(|&length| length > 0), "every dimension has a length");
        Cartesian { lengths: lengths.to_vec(), periodic: periodic.to_vec() }
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.lengths.iter().product()
    }

    /// The members of the grid's communicator (`MPI_Cart_create`).
    pub fn members(&self) -> Members {
        Members::Stride { first: 0, stride: 1, count: self.ranks() }
    }

    /// The coordinates of a rank (`MPI_Cart_coords`).
    pub fn coordinates(&self, rank: u32) -> Vec<u32> {
        let mut rest = rank;
        let mut coordinates: Vec<u32> = self
            .lengths
            .iter()
            .rev()
            .map(|length| {
                let coordinate = rest % length;
                rest /= length;
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    /// The rank at the given coordinates (`MPI_Cart_rank`); none outside the grid.
    pub fn rank(&self, coordinates: &[i64]) -> Option<u32> {
        let mut dimensions = self.lengths.iter().zip(&self.periodic).zip(coordinates);
        dimensions.try_fold(0, |rank, ((&length, &periodic), &coordinate)| {
            let wrapped = if periodic { coordinate.rem_euclid(length.into()) } else { coordinate };
            let wrapped = u32::try_from(wrapped).ok().filter(|&wrapped| wrapped < length)?;
            Some(rank * length + wrapped)
        })
    }

    /// The ranks from which a rank receives, and to which it sends, when data move by `displacement` along a
    /// dimension (`MPI_Cart_shift`).
    pub fn shift(&self, rank: u32, dimension: usize, displacement: i64) -> (Option<u32>, Option<u32>) {
        let moved = |by: i64| {
            let mut coordinates: Vec<i64> = self.coordinates(rank).into_iter().map(i64::from).collect();
            coordinates[dimension] += by;
            self.rank(&coordinates)
        };
        (moved(-displacement), moved(displacement))
    }

    /// The ranks of a rank's sub-grid, in which only the kept dimensions remain.
    pub fn sub_ranks(&self, rank: u32, keep: &[bool]) -> Vec<u32> {
        let own = self.coordinates(rank);
        self.lengths.iter().zip(own).zip(keep).fold(vec![0], |ranks, ((&length, own), &kept)| {
            let coordinates = if kept { 0..length } else { own..own + 1 };
            let with = |rank: u32| coordinates.clone().map(move |coordinate| rank * length + coordinate);
            ranks.into_iter().flat_map(with).collect()
        })
    }

    /// The members of the sub-grid (`MPI_Cart_sub`).
    pub fn sub(&self, rank: u32, keep: &[bool]) -> Members {
        Members::list(self.sub_ranks(rank, keep))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_name_ranks() {
        let grid = Cartesian::new(&[2, 3, 4], &[true, false, true]);
        for rank in 0..grid.ranks() {
            let coordinates: Vec<i64> = grid.coordinates(rank).into_iter().map(i64::from).collect();
            assert_eq!(grid.rank(&coordinates), Some(rank));
        }
        assert_eq!(grid.coordinates(17), [1, 1, 1]);
        assert_eq!(grid.rank(&[-1, 0, 5]), Some(13));
        assert_eq!(grid.rank(&[0, 3, 0]), None);
    }

    #[test]
    fn a_shift_ends_at_open_sides() {
        let grid = Cartesian::new(&[3, 4], &[false, true]);
        assert_eq!(grid.shift(1, 0, 1), (None, Some(5)));
        assert_eq!(grid.shift(0, 1, 1), (Some(3), Some(1)));
        assert_eq!(grid.shift(0, 1, -2), (Some(2), Some(2)));
    }

    #[test]
    fn grids_of_kept_dimensions_are_strides_or_lists() {
        let grid = Cartesian::new(&[2, 3, 4], &[true; 3]);
        let sub = |keep: [bool; 3]| grid.sub(17, &keep);
        assert_eq!(sub([false, false, true]), Members::Stride { first: 16, stride: 1, count: 4 });
        assert_eq!(sub([false, true, false]), Members::Stride { first: 13, stride: 4, count: 3 });
        assert_eq!(sub([false, true, true]), Members::Stride { first: 12, stride: 1, count: 12 });
        assert_eq!(sub([true, false, true]), Members::list([4, 5, 6, 7, 16, 17, 18, 19]));
    }
}
