//! Orders such as XYZT: ranks count along one dimension after another.

use super::Place;
use geometry::{Direction, MAX_DIMENSIONS, Shape};
use network::Parameters;

/// The letter of the cores.
const CORES: char = 'T';

/// The dimensions of a machine and its cores in the order in which rank numbers count them, the fastest first. The
/// papers' XYZT places one rank on each node, x first. Once every node has one, the second cores follow in the same
/// order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    axes: Vec<Axis>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Dimension(usize),
    Cores,
}

impl Order {
    /// The machine's dimensions in their own order, then the cores: XYZT.
    pub fn cores_last(dimensions: usize) -> Self {
        Order { axes: (0..dimensions).map(Axis::Dimension).chain([Axis::Cores]).collect() }
    }

    /// The order that `name` spells, on a machine with `dimensions` dimensions. It has each of their letters once, and
    /// T for the cores, which come last if T is missing. None if `name` spells no order.
    pub fn named(name: &str, dimensions: usize) -> Option<Self> {
        let mut axes: Vec<Axis> =
            name.chars().map(|letter| axis_named(letter, dimensions)).collect::<Option<_>>()?;
        if !axes.contains(&Axis::Cores) {
            axes.push(Axis::Cores);
        }
        let is_once = |axis: &Axis| axes.iter().filter(|other| *other == axis).count() == 1;
        (axes.len() == dimensions + 1 && axes.iter().all(is_once)).then_some(Order { axes })
    }

    /// The name of the order, in capitals.
    pub fn name(&self) -> String {
        let letter = |axis: &Axis| match *axis {
            Axis::Dimension(dimension) => dimension_letter(dimension),
            Axis::Cores => CORES,
        };
        self.axes.iter().map(letter).collect()
    }

    /// All orders that differ on a machine: axes of length 1 keep their place.
    pub fn all(shape: &Shape, cores: u8) -> Vec<Order> {
        let first = Order::cores_last(shape.dimensions());
        let is_long = |axis: &Axis| axis_length(*axis, shape, cores) > 1;
        let long: Vec<Axis> = first.axes.iter().copied().filter(is_long).collect();
        let of_long = |long: Vec<Axis>| {
            let mut long = long.into_iter();
            let next = |axis: &Axis| if is_long(axis) { long.next() } else { Some(*axis) };
            Order { axes: first.axes.iter().filter_map(next).collect() }
        };
        permutations(&long).into_iter().map(of_long).collect()
    }

    /// The places of a machine in this order, without those on dead nodes.
    pub(super) fn live_places<'a>(&'a self, parameters: &'a Parameters) -> impl Iterator<Item = Place> + 'a {
        let (shape, cores) = (&parameters.shape, parameters.node.cores);
        let all = u64::from(shape.nodes()) * u64::from(cores);
        let place = move |number: u64| self.place(number, shape, cores);
        (0..all).map(place).filter(|place| !parameters.faults.is_dead(place.node))
    }

    fn place(&self, number: u64, shape: &Shape, cores: u8) -> Place {
        let (mut rest, mut coordinates, mut core) = (number, [0; MAX_DIMENSIONS], 0);
        for &axis in &self.axes {
            let length = u64::from(axis_length(axis, shape, cores));
            match axis {
                Axis::Dimension(dimension) => coordinates[dimension] = (rest % length) as u32,
                Axis::Cores => core = (rest % length) as u8,
            }
            rest /= length;
        }
        Place { node: shape.node(&coordinates), core }
    }

    #[cfg(test)]
    pub(super) fn permuted(dimensions: usize, turn: u64) -> Self {
        let all = permutations(&Order::cores_last(dimensions).axes);
        Order { axes: all[(turn % all.len() as u64) as usize].clone() }
    }
}

/// The letter of a dimension, as in the name of its directions.
fn dimension_letter(dimension: usize) -> char {
    let name = Direction::new(dimension, true).to_string();
    name.chars().next().expect("directions have names").to_ascii_uppercase()
}

fn axis_named(letter: char, dimensions: usize) -> Option<Axis> {
    let letter = letter.to_ascii_uppercase();
    let dimension = (0..dimensions).find(|&dimension| dimension_letter(dimension) == letter);
    dimension.map(Axis::Dimension).or((letter == CORES).then_some(Axis::Cores))
}

fn axis_length(axis: Axis, shape: &Shape, cores: u8) -> u32 {
    match axis {
        Axis::Dimension(dimension) => shape.length(dimension),
        Axis::Cores => cores.into(),
    }
}

/// All orders of `items`, the given one first.
fn permutations<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let starting_with = |first: usize| {
        let others: Vec<T> = [&items[..first], &items[first + 1..]].concat();
        permutations(&others).into_iter().map(move |rest| [&[items[first]][..], &rest].concat())
    };
    (0..items.len()).flat_map(starting_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_count_their_first_letter_fastest() {
        let mut parameters = Parameters::bluegene_l(Shape::torus(&[3, 2]).unwrap(), 1);
        parameters.node.cores = 2;
        let places = |name: &str| -> Vec<(u32, u8)> {
            let order = Order::named(name, 2).unwrap();
            order.live_places(&parameters).map(|place| (place.node, place.core)).take(4).collect()
        };
        assert_eq!(places("XYT"), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(places("yx"), [(0, 0), (3, 0), (1, 0), (4, 0)]);
        assert_eq!(places("TYX"), [(0, 0), (0, 1), (3, 0), (3, 1)]);
        assert_eq!(places("XTY"), [(0, 0), (1, 0), (2, 0), (0, 1)]);
    }

    #[test]
    fn names_are_permutations_of_the_letters_of_the_machine() {
        for name in ["XYZT", "TZYX", "YTXZ"] {
            assert_eq!(Order::named(name, 3).unwrap().name(), name);
        }
        assert_eq!(Order::named("zyx", 3).unwrap().name(), "ZYXT");
        for name in ["", "XY", "XYZZ", "XYZTT", "XYZU", "XYZTU", "XY ZT", "fold"] {
            assert_eq!(Order::named(name, 3), None, "{name}");
        }
    }

    #[test]
    fn orders_that_differ_are_listed_once() {
        let names = |lengths: &[u32], cores| -> Vec<String> {
            Order::all(&Shape::torus(lengths).unwrap(), cores).iter().map(Order::name).collect()
        };
        assert_eq!(names(&[4, 1, 2], 1), ["XYZT", "ZYXT"]);
        assert_eq!(names(&[2, 2], 2), ["XYT", "XTY", "YXT", "YTX", "TXY", "TYX"]);
        assert_eq!(names(&[1], 1), ["XT"]);
    }
}
