//! The file of a room, as it stands: what can be said, and the rooms that are compiled in.

use input::{Document, InputError, nearest, read};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The rooms that are compiled in, by name: a package needs no checkout.
pub const ROOMS: [(&str, &str); 4] = [
    ("intrepid", include_str!("../../../machine-rooms/intrepid.toml")),
    ("bluegene-p-2-racks", include_str!("../../../machine-rooms/bluegene-p-2-racks.toml")),
    ("mira", include_str!("../../../machine-rooms/mira.toml")),
    ("tpu-v4-pod", include_str!("../../../machine-rooms/tpu-v4-pod.toml")),
];

/// The sections of a room's file; the last three hold tables of one's own names.
const SECTIONS: [&str; 6] = ["room", "midplane", "node_cards", "dimension", "boxes", "profile"];

/// The room as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomFile {
    /// What the room is, in a sentence.
    pub description: String,
    /// Names of the dimensions, each with a table of its own.
    #[schemars(length(min = 1, max = 6))]
    pub dimensions: Vec<String>,
    /// Whether switches join any midplanes to any others, so that a partition has no place of its own.
    #[serde(default)]
    pub switched: bool,
    /// The machine, of those that are compiled in, whose numbers the network model takes.
    pub machine: Option<String>,
}

/// The midplanes: the smallest parts that cables join.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MidplaneFile {
    /// Nodes along each dimension of a midplane.
    #[schemars(length(min = 1, max = 6), inner(range(min = 1)))]
    pub shape: Vec<u32>,
    /// Names of all midplanes, the last dimension varying fastest.
    pub names: Vec<String>,
}

/// What a midplane is made of, and the partitions that are smaller than it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeCardsFile {
    /// Node cards of a midplane.
    #[schemars(range(min = 1))]
    pub per_midplane: u32,
    /// What a node card is called behind its midplane, with `{}` for its number of two digits.
    pub name: String,
    /// Shapes in nodes of the partitions below a midplane, each a power of two of node cards.
    pub shapes: Vec<Vec<u32>>,
}

/// A dimension and the loops of its cables.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DimensionFile {
    /// Midplanes on a line; in a switched room the most that a partition can have.
    #[schemars(range(min = 1))]
    pub length: u32,
    /// Loops that the cables of a line close, each in the order in which the cables lead.
    #[serde(default)]
    pub loops: Vec<Vec<u32>>,
    /// Whether mesh partitions leave this dimension open.
    #[serde(default = "yes")]
    pub opens: bool,
}

/// Which places a family of boxes has along one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Spans {
    /// A word for them.
    Word(Word),
    /// Every run of so many places along a loop.
    Lengths(Vec<u32>),
    /// These sets of places.
    Sets(Vec<Vec<u32>>),
}

/// Words for places along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// Each single place.
    Each,
    /// All places at once.
    Whole,
    /// Every run of places along a loop.
    Runs,
}

/// A catalogue of partitions: families of boxes, and how they are wired.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    /// What the profile stands for, in a sentence.
    pub description: String,
    /// Families of boxes that are wired as tori.
    #[serde(default)]
    pub torus: Vec<String>,
    /// Families of boxes that are wired as meshes.
    #[serde(default)]
    pub mesh: Vec<String>,
    /// Nodes of the partitions below a midplane.
    #[serde(default)]
    pub below_midplane: Vec<u32>,
}

fn yes() -> bool {
    true
}

/// Checks that there are no sections but the known ones.
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

/// The tables within the section `section`, by name, each read by `read_one` from its path.
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

/// The families of boxes: for each dimension in order, its places. One that is not given is `whole`.
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
