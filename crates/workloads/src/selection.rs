//! The selection of algorithms of collectives, on a machine whose ranks a map places.
//!
//! ```text
//!   RankMap --rank_grid--> lengths in the order of ranks: XYZT on 4x4x4 of two cores -> 4 4 4 2, TXYZ -> 2 4 4 4
//!                          none of folds, random places and other files, and where nodes are dead
//! ```

use geometry::{MAX_DIMENSIONS, Shape};
use messaging::{Pace, RankMap};
use mpi::{Choices, CollectiveNetworks, Grid, MAX_GRID_DIMENSIONS, Machine, Near, Selection};
use network::Parameters;

/// The collective networks of a machine.
pub(crate) fn networks(parameters: &Parameters) -> CollectiveNetworks {
    CollectiveNetworks {
        tree: parameters.tree.is_some(),
        interrupts: parameters.interrupts.is_some(),
        class_routes: parameters.tree.map_or(0, |tree| tree.class_routes - 1),
        wires: parameters.interrupts.map_or(0, |interrupts| interrupts.communicator_wires),
    }
}

/// The selection of algorithms for the collectives of ranks, with the given choices.
pub fn selection(
    parameters: &Parameters,
    messaging: &messaging::Parameters,
    choices: Choices,
    map: &RankMap,
) -> Selection {
    let networks = networks(parameters).used_by(messaging);
    let is_by_grid = choices != Choices::default();
    let grid = if is_by_grid { rank_grid(map, parameters) } else { None };
    let machine = is_by_grid.then(|| machine(parameters, messaging, near(map, parameters)));
    Selection { networks, choices, grid, seed: parameters.seed, machine }
}

/// The machine on which the choice of an algorithm depends, where ranks are near the places of a grid.
pub(crate) fn machine(
    parameters: &Parameters,
    messaging: &messaging::Parameters,
    near: Option<Near>,
) -> Machine {
    Machine { pace: Pace::new(parameters, messaging), near }
}

/// The machine as a grid near whose places ranks are, if nodes are dead and ranks are in the order of the others.
pub(crate) fn near(map: &RankMap, parameters: &Parameters) -> Option<Near> {
    let (shape, nodes) = (&parameters.shape, parameters.live_nodes());
    let is_in_order =
        |rank: u32| rank.is_multiple_of(nodes) || map.place(rank - 1).node < map.place(rank).node;
    let is_near = !parameters.faults.nodes().is_empty() && (0..map.ranks()).all(is_in_order);
    is_near.then(|| {
        let all: Vec<usize> = (0..=shape.dimensions()).collect();
        let cores = parameters.node.cores.into();
        let grid = grid_of(shape, cores, &all).with_cores(cores);
        Near { grid, nodes }
    })
}

/// Dimensions of a machine as a grid. The number after the last dimension stands for the cores of a node. Where crossing
/// a wrap shifts other dimensions than these, lines are open.
pub(crate) fn grid_of(shape: &Shape, cores: u32, dimensions: &[usize]) -> Grid {
    let place = |wanted: usize| dimensions.iter().position(|&dimension| dimension == wanted);
    let twist = shape.twist().unwrap_or_default();
    let leads_out = |dimension: usize| {
        twist.shifts().any(|(across, along, _)| across == dimension && place(along).is_none())
    };
    let line = |&dimension: &usize| match dimension == shape.dimensions() {
        true => (cores, true),
        false => (shape.length(dimension), shape.wraps(dimension) && !leads_out(dimension)),
    };
    let (lengths, wraps): (Vec<u32>, Vec<bool>) = dimensions.iter().map(line).unzip();
    let within = |(across, along, by): (usize, usize, i32)| Some((place(across)?, place(along)?, by as u32));
    let shifts: Vec<(usize, usize, u32)> = twist.shifts().filter_map(within).collect();
    Grid::new(&lengths, &wraps).with_shifts(&shifts)
}

/// The machine and the cores of its nodes as a grid in whose order ranks are numbered, if they have such an order,
/// beginning with the first core of the first node.
fn rank_grid(map: &RankMap, parameters: &Parameters) -> Option<Grid> {
    let shape = &parameters.shape;
    if !parameters.faults.nodes().is_empty() {
        return None;
    }
    let dimensions = shape.dimensions();
    let length = |dimension| {
        if dimension == dimensions { parameters.node.cores.into() } else { shape.length(dimension) }
    };
    let coordinates = |rank: u32| {
        let (place, mut all) = (map.place(rank), [0; MAX_GRID_DIMENSIONS]);
        all[..MAX_DIMENSIONS].copy_from_slice(&shape.coordinates(place.node)[..MAX_DIMENSIONS]);
        all[dimensions] = place.core.into();
        all
    };
    let mut left: Vec<usize> = (0..=dimensions).filter(|&dimension| length(dimension) > 1).collect();
    let (mut order, mut stride) = (Vec::new(), 1);
    // The dimension in which each next neighbor of rank 0 is.
    while stride < map.ranks() {
        let neighbor = coordinates(stride);
        let next = left.iter().position(|&dimension| neighbor[dimension] > 0)?;
        order.push(left.remove(next));
        stride = stride.checked_mul(length(*order.last()?))?;
    }
    order.append(&mut left);
    let is_in_order = |rank: u32| {
        let (mut rest, mut expected) = (rank, [0; MAX_GRID_DIMENSIONS]);
        for &dimension in &order {
            expected[dimension] = rest % length(dimension);
            rest /= length(dimension);
        }
        expected == coordinates(rank)
    };
    let cores = parameters.node.cores.into();
    (0..map.ranks()).all(is_in_order).then(|| grid_of(shape, cores, &order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Twist;
    use messaging::Mapping;

    fn grid(mapping: &str, ranks: u32) -> Option<Grid> {
        let shape = Shape::new(&[4, 3, 2], &[true, false, true]).unwrap();
        let mut parameters = Parameters::bluegene_l(shape, 1);
        parameters.node.cores = 2;
        let mapping = Mapping::named(mapping, 3).unwrap();
        rank_grid(&mapping.place(ranks, &[], &parameters).unwrap(), &parameters)
    }

    #[test]
    fn orders_are_grids() {
        let (x, y, z, t) = ((4, true), (3, false), (2, true), (2, true));
        let expected = |order: [(u32, bool); 4]| {
            Some(Grid::new(&order.map(|(length, _)| length), &order.map(|(_, wraps)| wraps)))
        };
        for ranks in [48, 47, 25] {
            assert_eq!(grid("XYZT", ranks), expected([x, y, z, t]));
            assert_eq!(grid("TZYX", ranks), expected([t, z, y, x]));
        }
        assert_eq!(grid("ZXTY", 17), expected([z, x, t, y]));
        assert_eq!(grid("XYZT", 1), expected([x, y, z, t]));
    }

    /// Lines along x lead to other lines along z, unless z is among the dimensions.
    #[test]
    fn rings_that_lead_out_are_open_lines() {
        let twist = Twist::default().shifting(0, 2, 2).shifting(1, 0, 1);
        let shape = Shape::torus(&[4, 3, 4]).unwrap().with_twist(twist).unwrap();
        let plain = |lengths: &[u32], wraps: &[bool]| Grid::new(lengths, wraps);
        assert_eq!(grid_of(&shape, 1, &[0]), plain(&[4], &[false]));
        assert_eq!(grid_of(&shape, 1, &[2, 1]), plain(&[4, 3], &[true, false]));
        assert_eq!(grid_of(&shape, 1, &[0, 1]), plain(&[4, 3], &[false, false]));
        assert_eq!(grid_of(&shape, 2, &[3, 2, 0]), plain(&[2, 4, 4], &[true; 3]).with_shifts(&[(2, 1, 2)]));
    }

    #[test]
    fn other_places_are_no_grids() {
        assert_eq!([grid("fold", 24), grid("random", 24)], [None, None]);
    }
}
