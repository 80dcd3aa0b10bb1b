//! Places listed one by one: the mapping files of Blue Gene/L's `mpirun -mapfile`, and lists of coordinates.

use super::{Place, RankMap, RankMapError};
use geometry::{MAX_DIMENSIONS, Shape};
use network::Parameters;
use std::collections::HashMap;
use std::fmt::Write;
use thiserror::Error;

/// The places of ranks 0, 1, ..., no two of them the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    places: Vec<Place>,
}

/// A list that cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{problem}")]
pub struct ListError {
    /// The number of the item, from 0: a text line of a file, or a rank of a list.
    pub item: usize,
    /// The problem with the item, and what would be right.
    pub problem: String,
}

impl Listed {
    /// Reads a mapping file: a text line for each rank, with the coordinates of its node and the core, separated by
    /// blanks or commas. Empty lines, text after a `#`, and a byte-order mark are left out.
    ///
    /// # Errors
    /// The first text line that is wrong.
    pub fn parse(text: &str, parameters: &Parameters) -> Result<Self, ListError> {
        let mut reader = Reader::new(parameters);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (item, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            // Blanks around a comma are no separators.
            let words = line.split(',').flat_map(|part| match part.trim() {
                "" => vec![""],
                part => part.split_whitespace().collect(),
            });
            let numbers = words.map(|word| word.parse().map_err(|_| word));
            let numbers: Vec<u32> = numbers.collect::<Result<_, _>>().map_err(|word| {
                let word: String = word.chars().take(40).collect();
                ListError { item, problem: format!("{word:?} is not a number: {}", reader.expected()) }
            })?;
            reader.add(item, &numbers)?;
        }
        if reader.places.is_empty() {
            let problem = format!("there is no line with {}", reader.expected());
            return Err(ListError { item: 0, problem });
        }
        Ok(Listed { places: reader.places })
    }

    /// Reads a list, with the coordinates of each rank's node and its core.
    ///
    /// # Errors
    /// The first item that is wrong.
    pub fn of_numbers(ranks: &[Vec<u32>], parameters: &Parameters) -> Result<Self, ListError> {
        let mut reader = Reader::new(parameters);
        ranks.iter().enumerate().try_for_each(|(item, numbers)| reader.add(item, numbers))?;
        Ok(Listed { places: reader.places })
    }

    /// The numbers that [`Listed::of_numbers`] reads.
    pub fn numbers(&self, shape: &Shape) -> Vec<Vec<u32>> {
        self.places.iter().map(|&place| numbers_of(place, shape)).collect()
    }

    /// The places of the first `ranks` ranks.
    pub(super) fn first(&self, ranks: u32) -> Result<Vec<Place>, RankMapError> {
        let listed = self.places.len();
        let places = self.places.get(..ranks as usize);
        places.map(<[Place]>::to_vec).ok_or(RankMapError::ListTooShort { ranks, listed })
    }
}

impl RankMap {
    /// A mapping file with the places of all ranks, which [`Listed::parse`] reads.
    pub fn text(&self, shape: &Shape) -> String {
        let mut text = String::new();
        for rank in 0..self.ranks() {
            let numbers = numbers_of(self.place(rank), shape);
            let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
            writeln!(text, "{}", words.join(" ")).expect("a text takes any line");
        }
        text
    }
}

fn numbers_of(place: Place, shape: &Shape) -> Vec<u32> {
    let coordinates = shape.coordinates(place.node);
    coordinates[..shape.dimensions()].iter().copied().chain([place.core.into()]).collect()
}

/// Checks places one by one.
struct Reader<'a> {
    parameters: &'a Parameters,
    places: Vec<Place>,
    /// The rank that has taken a place.
    taken: HashMap<Place, usize>,
}

impl<'a> Reader<'a> {
    fn new(parameters: &'a Parameters) -> Self {
        Reader { parameters, places: Vec::new(), taken: HashMap::new() }
    }

    fn expected(&self) -> String {
        let dimensions = self.parameters.shape.dimensions();
        format!("{dimensions} coordinates of a node and a core, such as {}", "0 ".repeat(dimensions) + "0")
    }

    fn add(&mut self, item: usize, numbers: &[u32]) -> Result<(), ListError> {
        let place = self.place(numbers).map_err(|problem| ListError { item, problem })?;
        if let Some(rank) = self.taken.insert(place, self.places.len()) {
            return Err(ListError { item, problem: format!("rank {rank} is on this core already") });
        }
        self.places.push(place);
        Ok(())
    }

    fn place(&self, numbers: &[u32]) -> Result<Place, String> {
        let Parameters { shape, faults, node, .. } = self.parameters;
        let dimensions = shape.dimensions();
        if numbers.len() != dimensions + 1 {
            return Err(format!("must be {}: {} numbers are given", self.expected(), numbers.len()));
        }
        let mut coordinates = [0; MAX_DIMENSIONS];
        for (dimension, &number) in numbers[..dimensions].iter().enumerate() {
            let length = shape.length(dimension);
            if number >= length {
                let last = length - 1;
                return Err(format!(
                    "coordinate {number} is outside dimension {dimension} of {shape}, which has 0 to {last}"
                ));
            }
            coordinates[dimension] = number;
        }
        let (core, cores) = (numbers[dimensions], node.cores);
        if core >= u32::from(cores) {
            let last = cores - 1;
            return Err(format!("core {core} is none of a node's cores, which are 0 to {last}"));
        }
        let node = shape.node(&coordinates);
        if faults.is_dead(node) {
            return Err(format!("node {:?} is dead", &coordinates[..dimensions]));
        }
        Ok(Place { node, core: core as u8 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Faults;

    #[test]
    fn damaged_lists_are_refused_with_their_line() {
        let mut parameters = Parameters::bluegene_l(Shape::torus(&[2, 2]).unwrap(), 1);
        parameters.node.cores = 2;
        parameters.faults = Faults::new(&parameters.shape, &[3], &[], Default::default()).unwrap();
        for (text, item, problem) in [
            ("0 0 0\n0 1", 1, "2 numbers are given"),
            ("# x y t\n0 0 0\n\n1 0 x", 3, "\"x\" is not a number"),
            ("0 0 -1", 0, "\"-1\" is not a number"),
            ("0 2 0", 0, "coordinate 2 is outside dimension 1 of 2x2"),
            ("0 0 2", 0, "core 2 is none"),
            ("0 0 0\n0 0 1\n0 0 0", 2, "rank 0 is on this core already"),
            ("1 1 0", 0, "node [1, 1] is dead"),
            ("", 0, "there is no line"),
        ] {
            let error = Listed::parse(text, &parameters).unwrap_err();
            assert!(error.item == item && error.problem.contains(problem), "{text:?}: {error:?}");
        }
        let listed = Listed::parse("# a comment\n 1 0 1 \r\n0 0 0\n", &parameters).unwrap();
        assert_eq!(listed.numbers(&parameters.shape), [[1, 0, 1], [0, 0, 0]]);
        assert_eq!(listed.first(3), Err(RankMapError::ListTooShort { ranks: 3, listed: 2 }));
    }
}
