//! The twists of a torus whose links carry the least under uniform traffic.
//!
//! ```text
//!   all lattices     each order of the dimensions, each shift of later ones: every twist there is (see `lattice`)
//!   each once        one of those that differ by the names and the directions of dimensions
//!   by distances     links together carry at least all distances: the least load that a twist can have
//!   by load          a linear program each (see `balance`), until no other twist can have less
//! ```

use super::Twist;
use super::lattice::Lattice;
use crate::{Direction, MAX_DIMENSIONS, Shape, ShapeError};
use std::collections::HashSet;

/// A basis of a lattice: triangular, with entries below its diagonal reduced, so that a lattice has one.
type Basis = Vec<Vec<i64>>;

/// A twist of a torus, with its distances and its load.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTwist {
    /// The shifts.
    pub twist: Twist,
    /// The distance of the farthest node.
    pub longest_distance: u32,
    /// The mean distance of two nodes.
    pub mean_distance: f64,
    /// The cost of the busiest link if each node sends a byte to each other: see [`Shape::uniform_load`].
    pub load: f64,
}

/// The twists of a torus of these lengths with the least loads, at most `most`, the best first. A hop costs its link
/// `cost_of_hop` in each dimension. `goes_on` may end the search.
///
/// # Errors
/// If there is no torus of these lengths, or none that can be twisted.
pub fn best_twists(
    lengths: &[u32],
    cost_of_hop: &[f64],
    most: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<FoundTwist>, ShapeError> {
    let shape = Shape::torus(lengths)?;
    let twists = all_twists(lengths, cost_of_hop);
    let least = |distances: &[u32]| {
        let rates: f64 = cost_of_hop.iter().map(|cost| 1.0 / cost).sum();
        distances.iter().map(|&distance| f64::from(distance)).sum::<f64>() / (2.0 * rates)
    };
    let mut candidates = Vec::with_capacity(twists.len());
    for twist in &twists {
        let distances = distances(lengths, twist)?;
        candidates.push((least(&distances), *twist));
        if !goes_on() {
            break;
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Vec<FoundTwist> = Vec::new();
    for &(least, twist) in &candidates {
        let can_improve = found.len() < most || found.last().is_some_and(|worst| least < worst.load);
        if !can_improve || !goes_on() {
            break;
        }
        found.push(evaluated(&shape, twist, cost_of_hop)?);
        found.sort_by(|a, b| a.load.total_cmp(&b.load).then(a.mean_distance.total_cmp(&b.mean_distance)));
        found.truncate(most);
    }
    Ok(found)
}

/// The distances and the load of a torus with a twist.
///
/// # Errors
/// If the torus cannot have it.
pub fn evaluated(shape: &Shape, twist: Twist, cost_of_hop: &[f64]) -> Result<FoundTwist, ShapeError> {
    let shape = shape.clone().with_twist(twist)?.with_balanced_routes(cost_of_hop);
    Ok(FoundTwist {
        twist: shape.twist().unwrap_or_default(),
        longest_distance: shape.greatest_cost(&[1.0; MAX_DIMENSIONS]) as u32,
        mean_distance: shape.mean_distance(),
        load: shape.uniform_load(cost_of_hop),
    })
}

/// The distance of each node from node 0.
fn distances(lengths: &[u32], twist: &Twist) -> Result<Vec<u32>, ShapeError> {
    let lattice = Lattice::of_all(lengths, twist)?;
    let mut distances = vec![u32::MAX; lattice.differences as usize];
    distances[0] = 0;
    let mut shell = vec![0];
    while !shell.is_empty() {
        let mut next_shell = Vec::new();
        for node in shell {
            for toward in Direction::all(lengths.len()).filter(|toward| lengths[toward.dimension()] > 1) {
                let next = lattice.next(node, toward) as usize;
                if distances[next] == u32::MAX {
                    distances[next] = distances[node as usize] + 1;
                    next_shell.push(next as u32);
                }
            }
        }
        shell = next_shell;
    }
    Ok(distances)
}

/// All twists, of those that look alike one.
fn all_twists(lengths: &[u32], cost_of_hop: &[f64]) -> Vec<Twist> {
    let alike = alike_orders(lengths, cost_of_hop);
    let mut seen: HashSet<Basis> = HashSet::new();
    let mut twists = Vec::new();
    for order in permutations(lengths.len()) {
        let pairs: Vec<(usize, usize)> = (0..order.len())
            .flat_map(|first| (first + 1..order.len()).map(move |later| (first, later)))
            .map(|(first, later)| (order[first], order[later]))
            .filter(|&(across, along)| lengths[across] > 1 && lengths[along] > 1)
            .collect();
        visit_shifts(lengths, &pairs, Twist::default(), &mut |twist| {
            if seen.insert(usual_basis(&basis_of(lengths, &twist), &alike)) {
                twists.push(twist);
            }
        });
    }
    twists
}

/// Visits all shifts of these pairs of dimensions.
fn visit_shifts(lengths: &[u32], pairs: &[(usize, usize)], twist: Twist, visit: &mut impl FnMut(Twist)) {
    let Some((&(across, along), rest)) = pairs.split_first() else { return visit(twist) };
    for by in 0..lengths[along] {
        visit_shifts(lengths, rest, twist.shifting(across, along, by as i32), visit);
    }
}

/// Orders of the dimensions that exchange only equal ones.
fn alike_orders(lengths: &[u32], cost_of_hop: &[f64]) -> Vec<Vec<usize>> {
    let is_alike = |(place, &dimension): (usize, &usize)| {
        lengths[place] == lengths[dimension]
            && cost_of_hop[place].to_bits() == cost_of_hop[dimension].to_bits()
    };
    permutations(lengths.len()).into_iter().filter(|order| order.iter().enumerate().all(is_alike)).collect()
}

fn permutations(dimensions: usize) -> Vec<Vec<usize>> {
    let Some(last) = dimensions.checked_sub(1) else { return vec![Vec::new()] };
    let with_last = |shorter: Vec<usize>| {
        (0..=shorter.len()).map(move |place| [&shorter[..place], &[last], &shorter[place..]].concat())
    };
    permutations(last).into_iter().flat_map(with_last).collect()
}

fn basis_of(lengths: &[u32], twist: &Twist) -> Basis {
    let row = |across: usize| {
        let entry = |along: usize| match along == across {
            true => i64::from(lengths[across]),
            false => -i64::from(twist.shift(across)[along]),
        };
        (0..lengths.len()).map(entry).collect()
    };
    (0..lengths.len()).map(row).collect()
}

/// The least of the bases that a lattice has if dimensions are renamed or turned round.
fn usual_basis(basis: &Basis, orders: &[Vec<usize>]) -> Basis {
    let dimensions = basis.len();
    let turned = |order: &Vec<usize>, signs: usize| {
        let entry = |row: &Vec<i64>, &dimension: &usize| {
            if signs >> dimension & 1 == 1 { -row[dimension] } else { row[dimension] }
        };
        let rows = basis.iter().map(|row| order.iter().map(|dimension| entry(row, dimension)).collect());
        hermite(rows.collect())
    };
    let all = orders.iter().flat_map(|order| (0..1 << dimensions).map(move |signs| turned(order, signs)));
    all.min().expect("the order as it is is one")
}

/// The Hermite normal form: the only triangular basis of a lattice with positive entries on its diagonal, and smaller ones
/// that are not negative above them.
fn hermite(mut rows: Basis) -> Basis {
    for column in 0..rows.len() {
        // Euclid's algorithm leaves one row with an entry in this column.
        loop {
            let with_entry = (column..rows.len()).filter(|&row| rows[row][column] != 0);
            let Some(pivot) = with_entry.min_by_key(|&row| rows[row][column].unsigned_abs()) else { break };
            rows.swap(column, pivot);
            if (column + 1..rows.len()).all(|row| rows[row][column] == 0) {
                break;
            }
            for row in column + 1..rows.len() {
                let times = rows[row][column].div_euclid(rows[column][column]);
                subtract(&mut rows, row, column, times);
            }
        }
        if rows[column][column] < 0 {
            rows[column].iter_mut().for_each(|entry| *entry = -*entry);
        }
        for row in 0..column {
            let times = rows[row][column].div_euclid(rows[column][column]);
            subtract(&mut rows, row, column, times);
        }
    }
    rows
}

/// Subtracts a multiple of a row from another.
fn subtract(rows: &mut Basis, from: usize, row: usize, times: i64) {
    let subtracted = rows[row].clone();
    rows[from].iter_mut().zip(subtracted).for_each(|(entry, by)| *entry -= times * by);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(lengths: &[u32]) -> FoundTwist {
        let costs = vec![1.0; lengths.len()];
        best_twists(lengths, &costs, 1, &mut || true).unwrap().remove(0)
    }

    fn gain(lengths: &[u32]) -> f64 {
        Shape::torus(lengths).unwrap().uniform_load(&vec![1.0; lengths.len()]) / best(lengths).load
    }

    #[test]
    fn no_twist_is_better_than_the_best_of_all_shifts() {
        for lengths in [vec![2, 4], vec![3, 6], vec![4, 8], vec![2, 3, 4], vec![2, 2, 4]] {
            let costs = vec![1.0; lengths.len()];
            let shape = Shape::torus(&lengths).unwrap();
            let mut least = f64::INFINITY;
            for order in permutations(lengths.len()) {
                let pairs: Vec<_> = (0..order.len())
                    .flat_map(|first| (first + 1..order.len()).map(move |later| (first, later)))
                    .map(|(first, later)| (order[first], order[later]))
                    .collect();
                visit_shifts(&lengths, &pairs, Twist::default(), &mut |twist| {
                    least = least.min(evaluated(&shape, twist, &costs).unwrap().load);
                });
            }
            assert!((best(&lengths).load - least).abs() < 1e-9, "{lengths:?}");
        }
    }

    #[test]
    fn the_usual_twists_are_found_or_bettered() {
        assert!(gain(&[4, 4, 8]) > 1.7454);
        assert!(gain(&[4, 8, 8]) > 1.3912);
    }

    #[test]
    fn a_twist_of_4x8x16_more_than_doubles_its_bound() {
        assert!(gain(&[4, 8, 16]) > 2.2);
    }
}
