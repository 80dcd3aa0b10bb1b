//! Reads and validates a room file. Errors give the line and the key.

use super::Room;
use crate::Dimension;
use crate::file::{self, DimensionFile, MidplaneFile, Names, RoomFile, Spans};
use geometry::{MAX_DIMENSIONS, Shape};
use input::{Document, InputError, nearest, read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Maximum number of midplanes in a room; Sequoia, the largest Blue Gene, had 192.
const MAX_MIDPLANES: u64 = 1 << 12;

/// Maximum number of midplanes on a line: a loop of 64 has about four thousand runs.
const MAX_LENGTH: u32 = 64;

/// Maximum number of midplanes along a dimension of a switched room, which has no loops.
const MAX_SWITCHED_LENGTH: u32 = 256;

impl Room {
    /// Parses the TOML text of a room file. `origin` is its path: it is shown in messages, and its stem is the room's
    /// name.
    ///
    /// # Errors
    /// The first error, with its line and key.
    pub fn parse(text: &str, origin: &str) -> Result<Self, InputError> {
        let document = file::read_document(text, origin)?;
        let room: RoomFile = read(&document, "room")?;
        let midplane: MidplaneFile = read(&document, "midplane")?;
        let dimensions = read_dimensions(&document, &room)?;
        check_names(&document, &room, &midplane)?;
        let midplanes = midplane.all_names();
        check_grid(&document, &room, (&midplane, midplanes.len() as u64), &dimensions)?;
        let names: Vec<String> = dimensions.iter().map(|dimension| dimension.name.clone()).collect();
        let boxes =
            file::read_tables(&document, "boxes", |_, path| file::read_boxes(&document, path, &names))?;
        let profiles =
            file::read_tables(&document, "profile", |_, path| file::read_profile(&document, path))?;
        let mut built = Room {
            name: Path::new(origin)
                .file_stem()
                .map_or(String::new(), |stem| stem.to_string_lossy().into_owned()),
            description: room.description,
            machine: room.machine,
            dimensions,
            switched: room.switched,
            midplane_shape: midplane.shape,
            numbers: numbers(&document, &midplanes)?,
            midplanes,
            cables: vec![],
            first_cables: vec![],
            node_cards: document.get("node_cards").map(|_| read(&document, "node_cards")).transpose()?,
            boxes: boxes.into_iter().collect(),
            profiles: profiles.into_iter().collect(),
            document,
        };
        built.lay_cables();
        built.check_node_cards()?;
        built.check_boxes()?;
        built.check_profiles()?;
        Ok(built)
    }

    fn check_node_cards(&self) -> Result<(), InputError> {
        let Some(cards) = &self.node_cards else { return Ok(()) };
        if cards.per_midplane == 0 || !self.nodes_of_midplane().is_multiple_of(cards.per_midplane) {
            let problem = format!("must divide the {} nodes of a midplane", self.nodes_of_midplane());
            return Err(self.document.error("node_cards.per_midplane", problem));
        }
        let card = self.nodes_of_midplane() / cards.per_midplane;
        for (index, shape) in cards.shapes.iter().enumerate() {
            let nodes = Shape::torus(shape).map_or(0, |shape| shape.nodes());
            let count = nodes / card;
            let fits = shape.len() == self.dimensions.len()
                && shape.iter().zip(&self.midplane_shape).all(|(part, whole)| part <= whole)
                && nodes == count * card
                && (1..cards.per_midplane).contains(&count)
                && cards.per_midplane.is_multiple_of(count);
            if !fits {
                let problem = format!(
                    "must be part of a midplane of {:?}, and of a whole number of node cards ({card} nodes each) that \
                     divides {}",
                    self.midplane_shape, cards.per_midplane
                );
                return Err(self.document.error(&format!("node_cards.shapes[{index}]"), problem));
            }
        }
        Ok(())
    }

    fn check_boxes(&self) -> Result<(), InputError> {
        for (family, spans) in &self.boxes {
            for (dimension, spans) in self.dimensions.iter().zip(spans) {
                let path = format!("boxes.{family}.{}", dimension.name);
                check_spans(dimension, spans, self.switched)
                    .map_err(|(index, problem)| self.document.error(&format!("{path}{index}"), problem))?;
            }
        }
        Ok(())
    }

    fn check_profiles(&self) -> Result<(), InputError> {
        for (name, profile) in &self.profiles {
            if !self.switched && !profile.twisted.is_empty() {
                let problem = "cables cannot twist a torus, only switches can";
                return Err(self.document.error(&format!("profile.{name}.twisted"), problem));
            }
            for (key, families, _) in profile.families() {
                if let Some((index, family)) =
                    families.iter().enumerate().find(|(_, f)| !self.boxes.contains_key(*f))
                {
                    let known = nearest(family, self.boxes.keys().map(String::as_str));
                    let path = format!("profile.{name}.{key}[{index}]");
                    return Err(self
                        .document
                        .error(&path, format!("there is no table [boxes.{family}]; {known}")));
                }
            }
            let sizes = self.small_sizes();
            if let Some(index) = profile.below_midplane.iter().position(|size| !sizes.contains(size)) {
                let problem = format!("must be the nodes of one of node_cards.shapes: {sizes:?}");
                return Err(self.document.error(&format!("profile.{name}.below_midplane[{index}]"), problem));
            }
            if let Some(index) = profile.node_cards.iter().position(|card| self.node_card(card).is_none()) {
                let problem = "must be a midplane and one of its node cards, such as R00-M0-N04, \
                               and node_cards.shapes must have the shape of one node card";
                return Err(self.document.error(&format!("profile.{name}.node_cards[{index}]"), problem));
            }
        }
        Ok(())
    }
}

fn read_dimensions(document: &Document, room: &RoomFile) -> Result<Vec<Dimension>, InputError> {
    let count = room.dimensions.len();
    if count == 0 || count > MAX_DIMENSIONS {
        return Err(document.error("room.dimensions", format!("must be 1 to {MAX_DIMENSIONS} names")));
    }
    let read_one = |name: &str, path: &str| match room.dimensions.iter().any(|known| known == name) {
        true => read_dimension(document, name, path, room.switched),
        false => {
            let known = nearest(name, room.dimensions.iter().map(String::as_str));
            Err(document.error(path, format!("room.dimensions has no such name; {known}")))
        }
    };
    let tables = file::read_tables(document, "dimension", read_one)?;
    let of_name = |(index, name): (usize, &String)| {
        let found = tables.iter().find(|(known, _)| known == name).map(|(_, dimension)| dimension.clone());
        let is_first = !room.dimensions[..index].contains(name);
        found.filter(|_| is_first).ok_or_else(|| {
            let problem = format!("{name} needs a table [dimension.{name}], and must be listed only once");
            document.error(&format!("room.dimensions[{index}]"), problem)
        })
    };
    room.dimensions.iter().enumerate().map(of_name).collect()
}

fn read_dimension(
    document: &Document,
    name: &str,
    path: &str,
    switched: bool,
) -> Result<Dimension, InputError> {
    let DimensionFile { length, loops, opens } = read(document, path)?;
    let most = if switched { MAX_SWITCHED_LENGTH } else { MAX_LENGTH };
    if length == 0 || length > most {
        return Err(document.error(&format!("{path}.length"), format!("must be from 1 to {most}")));
    }
    if switched && !loops.is_empty() {
        return Err(document.error(&format!("{path}.loops"), "a switched room has no loops of cables"));
    }
    for (index, places) in loops.iter().enumerate() {
        check_loop(name, length, places)
            .map_err(|problem| document.error(&format!("{path}.loops[{index}]"), problem))?;
    }
    let dimension = Dimension { name: name.to_owned(), length, loops, opens };
    match dimension.unlisted_loop() {
        None => Ok(dimension),
        Some(places) => {
            let problem = format!("these cables also close the loop {places:?}, which must be listed too");
            Err(document.error(&format!("{path}.loops"), problem))
        }
    }
}

fn check_loop(name: &str, length: u32, places: &[u32]) -> Result<(), String> {
    if let Some(place) = places.iter().find(|place| **place >= length) {
        return Err(format!("a cable to nowhere: {name} has the places 0 to {}, not {place}", length - 1));
    }
    let twice = places.iter().enumerate().find(|(index, place)| places[..*index].contains(place));
    match (twice, places.len()) {
        (Some((_, place)), _) => {
            Err(format!("a loop passes each position once, but this one has {place} twice"))
        }
        (None, 0 | 1) => Err("a loop of cables has at least two places".to_owned()),
        _ => Ok(()),
    }
}

fn check_spans(dimension: &Dimension, spans: &Spans, switched: bool) -> Result<(), (String, String)> {
    let at = |index: usize, problem: String| Err((format!("[{index}]"), problem));
    match spans {
        Spans::Word(_) => Ok(()),
        Spans::Lengths(lengths) => {
            match lengths.iter().position(|length| *length == 0 || *length > dimension.length) {
                Some(index) => at(index, format!("must be a length from 1 to {}", dimension.length)),
                None => Ok(()),
            }
        }
        Spans::Sets(_) if switched => {
            Err((String::new(), "in a switched room boxes have lengths, not places".to_owned()))
        }
        Spans::Sets(sets) => {
            let wrong = |set: &Vec<u32>| {
                let places: BTreeSet<&u32> = set.iter().collect();
                set.is_empty()
                    || places.len() < set.len()
                    || set.iter().any(|place| *place >= dimension.length)
            };
            match sets.iter().position(wrong) {
                Some(index) => {
                    at(index, format!("must be different places from 0 to {}", dimension.length - 1))
                }
                None => Ok(()),
            }
        }
    }
}

/// Checks that midplanes have either names or numbers.
fn check_names(document: &Document, room: &RoomFile, midplane: &MidplaneFile) -> Result<(), InputError> {
    match (&midplane.names, midplane.count) {
        (Names::Each(_), None) => Ok(()),
        (Names::Each(_), Some(_)) => {
            let problem = "must be absent, because midplane.names lists all midplanes";
            Err(document.error("midplane.count", problem))
        }
        (Names::Numbered(name), _) if !room.switched || name.matches("{}").count() != 1 => {
            let problem = "must be a list of names, or in a switched room one name with {} for a number";
            Err(document.error("midplane.names", problem))
        }
        (Names::Numbered(_), count) if count.is_none_or(|count| u64::from(count) > MAX_MIDPLANES) => {
            let problem = format!("must be the number of midplanes, at most {MAX_MIDPLANES}");
            Err(document.error("midplane.count", problem))
        }
        (Names::Numbered(_), _) => Ok(()),
    }
}

/// Checks that the midplane names fill a grid of the dimensions' lengths.
fn check_grid(
    document: &Document,
    room: &RoomFile,
    (midplane, names): (&MidplaneFile, u64),
    dimensions: &[Dimension],
) -> Result<(), InputError> {
    if midplane.shape.len() != dimensions.len() {
        let problem = format!("must be {} lengths, one for each of room.dimensions", dimensions.len());
        return Err(document.error("midplane.shape", problem));
    }
    let nodes =
        Shape::torus(&midplane.shape).map_err(|error| document.error("midplane.shape", error.to_string()))?;
    let places = dimensions.iter().try_fold(1u64, |product, d| product.checked_mul(d.length.into()));
    let is_grid = room.switched && names > 0 || places == Some(names);
    if !is_grid || names > MAX_MIDPLANES {
        let lengths: Vec<String> = dimensions.iter().map(|dimension| dimension.length.to_string()).collect();
        let wanted = if room.switched { "1".to_owned() } else { lengths.join(" x ") };
        let problem = format!("there are {names} names, and must be {wanted}, at most {MAX_MIDPLANES}");
        return Err(InputError::at(document.place("midplane.names"), problem).key("midplane.names"));
    }
    if u64::from(nodes.nodes()) * names > geometry::MAX_NODES {
        return Err(
            document.error("midplane.shape", format!("the room has more than {} nodes", geometry::MAX_NODES))
        );
    }
    Ok(())
}

fn numbers(document: &Document, names: &[String]) -> Result<BTreeMap<String, usize>, InputError> {
    let mut numbers = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        let path = format!("midplane.names[{index}]");
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(document.error(&path, "must be a name without spaces"));
        }
        if numbers.insert(name.clone(), index).is_some() {
            return Err(document.error(&path, "is named twice"));
        }
    }
    Ok(numbers)
}
