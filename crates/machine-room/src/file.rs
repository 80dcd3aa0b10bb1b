//! The schema of a room file, and the compiled-in rooms.
//!
//! # To add a room
//!
//! 1. A file in `machine-rooms/`. Each number has a line `# source:` or `# assumed`.
//! 2. Its row of `ROOMS`: it is compiled in. Its catalogues, sources and wraps are then tested with those of
//!    the others (`machine-room/tests/rooms.rs`).
//! 3. A rule that no file can express belongs in `dimension.rs`, which says what cables of a line a partition
//!    takes, and nowhere else.

use crate::Wiring;
use input::{Document, InputError, nearest, parse_toml, read};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The compiled-in rooms by name: an installed package does not need the repository.
pub const ROOMS: [(&str, &str); 6] = [
    ("intrepid", include_str!("../../../machine-rooms/intrepid.toml")),
    ("bluegene-p-2-racks", include_str!("../../../machine-rooms/bluegene-p-2-racks.toml")),
    ("mira", include_str!("../../../machine-rooms/mira.toml")),
    ("tpu-v4-pod", include_str!("../../../machine-rooms/tpu-v4-pod.toml")),
    ("tpu-v5p-pod", include_str!("../../../machine-rooms/tpu-v5p-pod.toml")),
    ("tpu-7x-pod", include_str!("../../../machine-rooms/tpu-7x-pod.toml")),
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
    /// Name of the compiled-in room that has all values that this file does not state.
    #[serde(default, rename = "like")]
    pub _like: Option<String>, // `read_document` has followed it
}

/// The midplanes: the smallest units that cables connect.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MidplaneFile {
    /// Nodes along each dimension of a midplane.
    #[schemars(length(min = 1, max = 6), inner(range(min = 1)))]
    pub shape: Vec<u32>,
    /// Names of all midplanes, the last dimension varying fastest. In a switched room also one name in which `{}` stands for
    /// a number.
    pub names: Names,
    /// Number of midplanes, if they have numbers for names.
    #[serde(default)]
    pub count: Option<u32>,
}

/// The names of midplanes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Names {
    /// One by one.
    Each(Vec<String>),
    /// Numbered.
    Numbered(String),
}

impl MidplaneFile {
    /// The names of all midplanes.
    pub fn all_names(&self) -> Vec<String> {
        match &self.names {
            Names::Each(names) => names.clone(),
            Names::Numbered(name) => {
                let count = self.count.unwrap_or(0);
                let digits = count.saturating_sub(1).to_string().len().max(2);
                (0..count).map(|number| name.replace("{}", &format!("{number:0digits$}"))).collect()
            }
        }
    }
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
    /// Families of boxes that switches wire as twisted tori: those of n x n x 2n and n x 2n x 2n nodes.
    #[serde(default)]
    pub twisted: Vec<String>,
    /// Families of boxes that are wired as meshes.
    #[serde(default)]
    pub mesh: Vec<String>,
    /// Greatest number of nodes of a partition. Default: those of the room.
    pub most_nodes: Option<u32>,
    /// Sizes in nodes of the partitions smaller than a midplane.
    #[serde(default)]
    pub below_midplane: Vec<u32>,
    /// Names of single node cards that are partitions, such as R00-M0-N04.
    #[serde(default)]
    pub node_cards: Vec<String>,
}

impl ProfileFile {
    /// The families of each wiring, with the key that lists them.
    pub fn families(&self) -> [(&'static str, &[String], Wiring); 3] {
        [
            ("torus", &self.torus, Wiring::Torus),
            ("twisted", &self.twisted, Wiring::TwistedTorus),
            ("mesh", &self.mesh, Wiring::Mesh),
        ]
    }
}

fn yes() -> bool {
    true
}

/// The document of a room, completed with that of the room that it is like, which may be like another itself.
///
/// # Errors
/// When it is no TOML, has an unknown section, or is like a room that there is not.
pub(crate) fn read_document(text: &str, origin: &str) -> Result<Document, InputError> {
    read_like(text, origin, &mut Vec::new())
}

/// The document of a room. `followed` are the rooms that have led to it, each like the next.
fn read_like(text: &str, origin: &str, followed: &mut Vec<&'static str>) -> Result<Document, InputError> {
    let document = parse_toml(text, origin)?;
    check_sections(&document)?;
    let key = "room.like";
    let Some(like) = document.get(key) else { return Ok(document) };
    let name = like.as_str().ok_or_else(|| document.error(key, "must be the name of a room"))?;
    let (name, text) = ROOMS.iter().find(|(known, _)| *known == name).copied().ok_or_else(|| {
        let known = nearest(name, ROOMS.iter().map(|(name, _)| *name));
        document.error(key, format!("there is no room {name:?}; {known}"))
    })?;
    if followed.contains(&name) {
        return Err(document.error(key, "leads back to itself: a room cannot be like itself"));
    }
    followed.push(name);
    let mut complete = read_like(text, &format!("machine-rooms/{name}.toml"), followed)?;
    if document.get("midplane.names").is_some_and(Value::is_array) {
        complete.remove("midplane", "count"); // the list counts them
    }
    complete.merge(document);
    Ok(complete)
}

/// Checks that the file has no unknown section.
fn check_sections(document: &Document) -> Result<(), InputError> {
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
