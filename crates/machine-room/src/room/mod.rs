//! A room: its midplanes and cables, and the partitions that they can form.
//!
//! ```text
//!   file -> read (parse and validate) -> Room -> form: a box, wired -> Partition
//!                                         |  grid: numbers, lines, cables
//!                                         +--> families: boxes of a profile -> Catalogue
//! ```

mod catalogues;
mod form;
mod grid;
mod read;

use crate::file::{NodeCardsFile, ProfileFile, ROOMS, Spans};
use crate::{Dimension, Partition};
use input::{Document, InputError, nearest};
use std::collections::BTreeMap;

/// The profile of a room with the partitions that its site defines.
const SITE_PROFILE: &str = "site";

/// A machine room, as its file describes it.
#[derive(Clone, Debug)]
pub struct Room {
    name: String,
    description: String,
    machine: Option<String>,
    dimensions: Vec<Dimension>,
    switched: bool,
    midplane_shape: Vec<u32>,
    midplanes: Vec<String>,
    numbers: BTreeMap<String, usize>,
    cables: Vec<Cable>,
    /// The number of the first cable of each dimension.
    first_cables: Vec<usize>,
    node_cards: Option<NodeCardsFile>,
    boxes: BTreeMap<String, Vec<Spans>>,
    profiles: BTreeMap<String, ProfileFile>,
    /// The source location of each value, for errors detected after parsing.
    document: Document,
}

/// A cable from one midplane to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable {
    /// The number of its dimension.
    pub dimension: usize,
    /// The number of the midplane that it leaves.
    pub from: usize,
    /// The number of the midplane that it enters.
    pub to: usize,
}

/// The positions of a box along each dimension, in ascending order.
type BoxSpans = Vec<Vec<u32>>;

impl Room {
    /// The names of the compiled-in rooms.
    pub fn known() -> impl Iterator<Item = &'static str> {
        ROOMS.iter().map(|(name, _)| *name)
    }

    /// The text of a compiled-in room's file.
    pub fn text_of(name: &str) -> Option<&'static str> {
        ROOMS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The compiled-in room of this name, or the room of the file at this path, which ends in `.toml`.
    ///
    /// # Errors
    /// If there is no such room or file, or if the file has an error; the message gives its line and key.
    pub fn load(name_or_path: &str) -> Result<Self, InputError> {
        if Room::text_of(name_or_path).is_some() || !name_or_path.ends_with(".toml") {
            return Room::named(name_or_path);
        }
        let text = std::fs::read_to_string(name_or_path)
            .map_err(|error| InputError::at(name_or_path, format!("cannot be read: {error}")))?;
        Room::parse(&text, name_or_path)
    }

    /// A compiled-in room.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn named(name: &str) -> Result<Self, InputError> {
        let text = Room::text_of(name).ok_or_else(|| {
            let known = nearest(name, Room::known());
            InputError::at(
                "room",
                format!("there is no room {name:?}; {known}; or the path of a file, ending in .toml"),
            )
        })?;
        Room::parse(text, &format!("machine-rooms/{name}.toml"))
    }

    /// The name of the room: the name of its file without the extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description of the room, in one sentence.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The machine preset for its nodes and links, if the file names one.
    pub fn machine(&self) -> Option<&str> {
        self.machine.as_deref()
    }

    /// The dimensions of the room.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Whether switches can connect any midplanes to each other, so that partitions have no fixed midplanes.
    pub fn is_switched(&self) -> bool {
        self.switched
    }

    /// Nodes along each dimension of a midplane.
    pub fn midplane_shape(&self) -> &[u32] {
        &self.midplane_shape
    }

    /// The names of the midplanes, indexed by number.
    pub fn midplanes(&self) -> &[String] {
        &self.midplanes
    }

    /// The number of the midplane with this name.
    pub fn midplane(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The number of the midplane with this name.
    ///
    /// # Errors
    /// If there is none; the message suggests the nearest name.
    pub fn find_midplane(&self, name: &str) -> Result<usize, InputError> {
        let problem = || format!("{} has no midplane {name:?}; {}", self.name, self.nearest_midplane(name));
        self.midplane(name).ok_or_else(|| InputError::at("midplane", problem()))
    }

    /// The number of nodes of a midplane.
    pub fn nodes_of_midplane(&self) -> u32 {
        self.midplane_shape.iter().product()
    }

    /// The number of nodes of the room.
    pub fn nodes(&self) -> u32 {
        self.nodes_of_midplane() * self.midplanes.len() as u32
    }

    /// The cables, indexed by number; a switched room has none.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// The name of a cable: dimension, from, to, as `Z R00-M0 R00-M1`.
    pub fn cable_name(&self, number: usize) -> String {
        let Cable { dimension, from, to } = self.cables[number];
        format!("{} {} {}", self.dimensions[dimension].name, self.midplanes[from], self.midplanes[to])
    }

    /// The profiles of the room, each with its description.
    pub fn profiles(&self) -> impl Iterator<Item = (&str, &str)> {
        self.profiles.iter().map(|(name, profile)| (name.as_str(), profile.description.as_str()))
    }

    /// The profile that is used if none is named: `site` if the room has it, else the first by name.
    pub fn default_profile(&self) -> Option<&str> {
        let site = self.profiles.get_key_value(SITE_PROFILE).or_else(|| self.profiles.first_key_value());
        site.map(|(name, _)| name.as_str())
    }

    /// Whether two partitions of this room share a midplane, a node card or a cable. Only one of them can then run. In
    /// a switched room they also conflict if together they are larger than the room.
    pub fn conflicts(&self, one: &Partition, other: &Partition) -> bool {
        one.shares_with(other)
            || self.switched && one.midplane_count() + other.midplane_count() > self.midplanes.len()
    }

    /// A hint for a mistyped name. A list of all midplanes would be too long.
    fn nearest_midplane(&self, name: &str) -> String {
        let hint = nearest(name, self.midplanes.iter().map(String::as_str));
        let hint = hint.split("Known: ").next().unwrap_or_default().trim();
        let range = format!(
            "its midplanes are {} to {}",
            self.midplanes[0],
            self.midplanes[self.midplanes.len() - 1]
        );
        [hint, &range].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}
