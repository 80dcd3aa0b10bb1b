//! Fold: a row or grid of ranks is folded into the machine, so that neighbors in the grid stay neighbors.
//!
//! ```text
//!   a grid of 4 x 4 on a machine of 4 x 2 x 2        second dimension of the grid:  0 1 2 3
//!     first dimension of the grid:  x                      y                        0 1 1 0
//!     second:                       y, then z              z                        0 0 1 1
//! ```
//!
//! Each dimension of the grid takes the next dimensions of the machine, and after these its cores. It runs through them
//! as a snake: back and forth along the first, with a step along the next in between (a reflected Gray code), so that
//! each step is one hop. A ring closes with one hop where the last of these dimensions is even and has been filled. A
//! row of ranks is a grid of one dimension, and leaves out dead nodes; a grid cannot do without a node.

use super::{Place, RankMapError};
use geometry::{MAX_DIMENSIONS, Shape};
use network::Parameters;

/// Places for the ranks of a grid, or of a row if `grid` has no lengths.
///
/// # Errors
/// When the grid does not fold into the machine, or on a dead node.
pub(super) fn places(ranks: u32, grid: &[u32], parameters: &Parameters) -> Result<Vec<Place>, RankMapError> {
    let (shape, faults) = (&parameters.shape, &parameters.faults);
    let lengths: Vec<u32> = shape.lengths().iter().copied().chain([parameters.node.cores.into()]).collect();
    let is_line = grid.iter().filter(|&&length| length > 1).count() <= 1;
    if is_line {
        let all = lengths.iter().map(|&length| u64::from(length)).product();
        let snake = (0..all).map(|step| place(&snake(step, &lengths), shape));
        return Ok(snake.filter(|place| !faults.is_dead(place.node)).take(ranks as usize).collect());
    }
    let shares = shares(grid, &lengths)
        .ok_or_else(|| RankMapError::CannotFold { grid: grid.to_vec(), lengths: lengths.clone() })?;
    (0..ranks)
        .map(|rank| {
            let mut rest = rank;
            let coordinates = grid.iter().zip(&shares).flat_map(|(&length, share)| {
                let step = rest % length;
                rest /= length;
                snake(step.into(), share)
            });
            let place = place(&coordinates.collect::<Vec<_>>(), shape);
            let on_dead_node = RankMapError::DeadNode { rank: rank as usize, node: place.node };
            if faults.is_dead(place.node) { Err(on_dead_node) } else { Ok(place) }
        })
        .collect()
}

/// The lengths of the machine's dimensions that each dimension of the grid takes; the last takes all that are left.
/// None if a dimension does not fit into what is left, or ends in the middle of a row.
fn shares(grid: &[u32], lengths: &[u32]) -> Option<Vec<Vec<u32>>> {
    let mut left = lengths;
    let mut shares = Vec::new();
    for (number, &wanted) in grid.iter().enumerate() {
        let mut size = 1u64;
        let mut taken = 0;
        while size < wanted.into() && taken < left.len() {
            size *= u64::from(left[taken]);
            taken += 1;
        }
        let line = size / u64::from(*left[..taken].last().unwrap_or(&1));
        if size < wanted.into() || !u64::from(wanted).is_multiple_of(line) {
            return None;
        }
        if number + 1 == grid.len() {
            taken = left.len();
        }
        shares.push(left[..taken].to_vec());
        left = &left[taken..];
    }
    Some(shares)
}

/// The coordinates of a step of the snake through a box.
fn snake(step: u64, lengths: &[u32]) -> Vec<u32> {
    let mut rest = step;
    let forth = |&length: &u32| {
        let length = u64::from(length);
        let (coordinate, row) = (rest % length, rest / length);
        rest = row;
        (if row.is_multiple_of(2) { coordinate } else { length - 1 - coordinate }) as u32
    };
    lengths.iter().map(forth).collect()
}

/// The place at these coordinates; the last of them is the core.
fn place(coordinates: &[u32], shape: &Shape) -> Place {
    let mut node = [0; MAX_DIMENSIONS];
    node[..shape.dimensions()].copy_from_slice(&coordinates[..shape.dimensions()]);
    Place { node: shape.node(&node), core: coordinates[shape.dimensions()] as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Faults;
    use proptest::prelude::*;

    fn machine(lengths: &[u32], cores: u8) -> Parameters {
        let mut parameters = Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 1);
        parameters.node.cores = cores;
        parameters
    }

    proptest! {
        #[test]
        fn each_step_of_a_line_is_a_hop_or_to_another_core(
            lengths in prop::collection::vec(1u32..6, 1..5),
            cores in 1u8..4,
        ) {
            let machine = machine(&lengths, cores);
            let ranks = machine.shape.nodes() * u32::from(cores);
            let places = places(ranks, &[], &machine).unwrap();
            for pair in places.windows(2) {
                let hops = machine.shape.distance(pair[0].node, pair[1].node);
                prop_assert!(hops == 1 || hops == 0 && pair[0].core.abs_diff(pair[1].core) == 1);
            }
        }
    }

    #[test]
    fn neighbors_in_a_grid_are_neighbors_on_the_machine() {
        for (grid, lengths, cores) in [
            (&[8, 8][..], &[8, 4, 2][..], 1),
            (&[16, 4], &[4, 4, 4], 1),
            (&[4, 4, 8], &[4, 4, 4], 2),
            (&[8, 4], &[4, 4, 4], 1),
        ] {
            let machine = machine(lengths, cores);
            let places = places(grid.iter().product(), grid, &machine).unwrap();
            let mut stride = 1;
            for &length in grid {
                for rank in
                    (0..places.len()).filter(|rank| rank / stride % (length as usize) + 1 < length as usize)
                {
                    let hops = machine.shape.distance(places[rank].node, places[rank + stride].node);
                    assert!(hops <= 1, "{grid:?} on {lengths:?}: {rank}");
                }
                stride *= length as usize;
            }
        }
    }

    #[test]
    fn a_grid_that_does_not_fold_and_one_on_a_dead_node_are_refused() {
        let mut machine = machine(&[4, 4], 1);
        for grid in [&[3, 6][..], &[6, 2], &[2, 5]] {
            let refused = places(grid.iter().product(), grid, &machine);
            assert!(matches!(refused, Err(RankMapError::CannotFold { .. })), "{grid:?}");
        }
        machine.faults = Faults::new(&machine.shape, &[5], &[], Default::default()).unwrap();
        let refused = places(16, &[4, 4], &machine);
        assert_eq!(refused, Err(RankMapError::DeadNode { rank: 5, node: 5 }));
    }
}
