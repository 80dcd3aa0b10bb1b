//! The schema of a room file, and the compiled-in rooms.
//!
//! # To add a room
//!
//! 1. A file in `machine-rooms/`. Each number has a line `# source:` or `# assumed`.
//! 2. Its row of `ROOMS`: it is compiled in. Its catalogues, sources and wraps are then tested with those of
//!    the others (`machine-room/tests/rooms.rs`).
//! 3. A rule that no file can express belongs in `dimension.rs`, which says what cables of a line a partition
//!    takes, and nowhere else.

use input::{Document, InputError, nearest, read};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The compiled-in rooms by name: an installed package does not need the repository.
pub const ROOMS: [(&str, &str); 4] = [
    ("intrepid", include_str!("../../../machine-rooms/intrepid.toml")),
    ("bluegene-p-2-racks", include_str!("../../../machine-rooms/bluegene-p-2-racks.toml")),
    ("mira", include_str!("../../../machine-rooms/mira.toml")),
    ("tpu-v4-pod", include_str!("../../../machine-rooms/tpu-v4-pod.toml")),
];

/// The sections of a room file; the last three hold tables with names of the author's choice.
const SECTIONS: [&str; 6] = ["room", "midplane", "node_cards", "dimension", "boxes", "profile"];

/// The room as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomFile {
    /// Description of the room, in one sentence.
    pub description: String,
    /// Names of the dimensions; each has its own table.
    #[schemars(length(min = 1, max = 6))]
    pub dimensions: Vec<String>,
    /// Whether switches can connect any midplanes to each other, so that a partition has no fixed midplanes.
    #[serde(default)]
    pub switched: bool,
    /// Name of the compiled-in machine whose parameters the network model uses.
    pub machine: Option<String>,
}

/// The midplanes: the smallest units that cables connect.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MidplaneFile {
    /// Nodes along each dimension of a midplane.
    #[schemars(length(min = 1, max = 6), inner(range(min = 1)))]
    pub shape: Vec<u32>,
    /// Names of all midplanes, the last dimension varying fastest.
    pub names: Vec<String>,
}

/// The node cards of a midplane, and the partitions smaller than a midplane.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeCardsFile {
    /// Node cards per midplane.
    #[schemars(range(min = 1))]
    pub per_midplane: u32,
    /// Name of a node card within its midplane; `{}` stands for its two-digit number.
    pub name: String,
    /// Shapes in nodes of the partitions smaller than a midplane; their node cards must divide per_midplane.
    pub shapes: Vec<Vec<u32>>,
}

/// A dimension and the loops of its cables.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DimensionFile {
    /// Midplanes per line; in a switched room the maximum that a partition can have.
    #[schemars(range(min = 1))]
    pub length: u32,
    /// Loops that the cables of a line form, each as positions in the direction of its cables.
    #[serde(default)]
    pub loops: Vec<Vec<u32>>,
    /// Whether mesh partitions leave this dimension open.
    #[serde(default = "yes")]
    pub opens: bool,
}

/// The positions of a family of boxes along one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Spans {
    /// A keyword.
    Word(Word),
    /// Every run of consecutive positions along a loop whose length is listed.
    Lengths(Vec<u32>),
    /// These sets of positions.
    Sets(Vec<Vec<u32>>),
}

/// Keywords for positions along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// Each single position.
    Each,
    /// All positions at once.
    Whole,
    /// Every run of consecutive positions along a loop.
    Runs,
}

/// A catalogue of partitions: families of boxes and their wiring.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    /// Description of the profile, in one sentence.
    pub description: String,
    /// Families of boxes that are wired as tori.
    #[serde(default)]
    pub torus: Vec<String>,
    /// Families of boxes that are wired as meshes.
    #[serde(default)]
    pub mesh: Vec<String>,
    /// Sizes in nodes of the partitions smaller than a midplane.
    #[serde(default)]
    pub below_midplane: Vec<u32>,
    /// Names of single node cards that are partitions, such as R00-M0-N04.
    #[serde(default)]
    pub node_cards: Vec<String>,
}

fn yes() -> bool {
    true
}

/// Checks that the file has no unknown section.
pub(crate) fn check_sections(document: &Document) -> Result<(), InputError> {
    if document.is_empty() {
        let problem =
            "the room is empty: needs [room], [midplane] and a [dimension.…] for each of its dimensions";
        return Err(InputError::at(document.place(""), problem));
    }
    let keys = document.root().as_object().into_iter().flatten();
    match keys.into_iter().find(|(key, _)| !SECTIONS.contains(&key.as_str())) {
        Some((key, _)) => {
            let problem = format!("a room has no such section; {}", nearest(key, SECTIONS.into_iter()));
            Err(document.error(key, problem))
        }
        None => Ok(()),
    }
}

/// The tables of the section `section` by name; `read_one` reads each from its name and path.
pub(crate) fn read_tables<T>(
    document: &Document,
    section: &str,
    read_one: impl Fn(&str, &str) -> Result<T, InputError>,
) -> Result<Vec<(String, T)>, InputError> {
    let tables = match document.get(section) {
        None => return Ok(vec![]),
        Some(Value::Object(tables)) => tables,
        Some(_) => return Err(document.error(section, format!("must be tables, as in [{section}.name]"))),
    };
    tables.keys().map(|name| Ok((name.clone(), read_one(name, &format!("{section}.{name}"))?))).collect()
}

/// A family of boxes: its positions along each dimension, in order of the dimensions. The default is `whole`.
pub(crate) fn read_boxes(
    document: &Document,
    path: &str,
    dimensions: &[String],
) -> Result<Vec<Spans>, InputError> {
    let Some(Value::Object(table)) = document.get(path) else {
        return Err(document.error(path, format!("must be a table, as in [{path}]")));
    };
    if let Some(key) = table.keys().find(|key| !dimensions.contains(key)) {
        let known = nearest(key, dimensions.iter().map(String::as_str));
        return Err(
            document.error(&format!("{path}.{key}"), format!("the room has no such dimension; {known}"))
        );
    }
    dimensions
        .iter()
        .map(|dimension| match table.get(dimension) {
            None => Ok(Spans::Word(Word::Whole)),
            Some(value) => Spans::deserialize(value).map_err(|_| {
                let problem =
                    "must be \"each\", \"whole\", \"runs\", a list of lengths, or a list of lists of places";
                document.error(&format!("{path}.{dimension}"), problem)
            }),
        })
        .collect()
}

/// Reads the profile at `path`.
pub(crate) fn read_profile(document: &Document, path: &str) -> Result<ProfileFile, InputError> {
    read(document, path)
}
