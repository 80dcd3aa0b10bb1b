//! Grids of ranks.

/// Lengths as equal as the prime factors of `ranks` allow, the longest first (as `MPI_Dims_create` chooses them).
pub(super) fn balanced_grid<const DIMENSIONS: usize>(ranks: u32) -> [u32; DIMENSIONS] {
    let mut grid = [1; DIMENSIONS];
    for factor in prime_factors(ranks).into_iter().rev() {
        let shortest = grid.iter_mut().min().expect("a grid has dimensions");
        *shortest *= factor;
    }
    grid.sort_unstable_by(|a, b| b.cmp(a));
    grid
}

/// The prime factors of a number, ascending.
fn prime_factors(number: u32) -> Vec<u32> {
    let (mut rest, mut factors, mut candidate) = (number.max(1), Vec::new(), 2);
    while u64::from(candidate) * u64::from(candidate) <= rest.into() {
        while rest.is_multiple_of(candidate) {
            factors.push(candidate);
            rest /= candidate;
        }
        candidate += 1;
    }
    if rest > 1 {
        factors.push(rest);
    }
    factors
}

/// The part of `points` points at `place` of `places`. Parts differ by one at most, the larger first.
pub(super) fn share_of(points: u32, places: u32, place: u32) -> u32 {
    points / places + u32::from(place < points % places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_balanced() {
        assert_eq!(balanced_grid::<3>(512), [8, 8, 8]);
        assert_eq!(balanced_grid::<2>(512), [32, 16]);
        assert_eq!(balanced_grid::<3>(12), [3, 2, 2]);
        assert_eq!(balanced_grid::<3>(14), [7, 2, 1]);
        assert_eq!(balanced_grid::<2>(1), [1, 1]);
    }

    #[test]
    fn shares_sum_to_the_whole() {
        for (points, places, expected) in
            [(10, 4, vec![3, 3, 2, 2]), (8, 4, vec![2; 4]), (2, 3, vec![1, 1, 0])]
        {
            assert_eq!(
                (0..places).map(|place| share_of(points, places, place)).collect::<Vec<_>>(),
                expected
            );
        }
    }
}
