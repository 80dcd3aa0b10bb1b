//! Slices: the parts of a maker's machine that its users get, by their names. `machine.slice = "v5p-4x4x8"` states the
//! shape, the wraps and the twist that the maker gives such a slice.
//!
//! # To add the slices of a maker
//!
//! 1. The table `[slices]` in the machine's file (`machines/`, or a user's own), with the keys of `Slices` and the source
//!    of each. Its name must not be that of another machine's slices.
//! 2. A rule for wraps that is not there: a variant of `Wraps`, and its arm in `Wraps::of`.

use super::built_in::{self, PRESETS};
use geometry::{Direction, Shape, Twist, dimension_name};
use input::{Document, InputError, Override, nearest, parse_toml, read};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The key of a slice's name.
pub(super) const KEY: &str = "machine.slice";

/// The key of switches that are dead.
const SWITCHES: &str = "machine.dead_switches";

/// The key of the links that they take.
const LINKS: &str = "machine.dead_links";

/// The section of a machine's file that has its slices.
pub(super) const SECTION: &str = "slices";

/// The key of the first part of their names.
pub(super) const NAME: &str = "slices.name";

/// The ending of the name of a twisted slice.
const TWISTED: &str = "_twisted";

/// The slices of a machine, in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Slices {
    /// First part of the names: "v5p" of "v5p-4x4x8".
    name: String,
    /// Shapes that are offered, with their lengths in any order.
    #[serde(default)]
    shapes: Vec<Vec<u32>>,
    /// Lengths of which slices have multiples, in the order of the dimensions. Default: only `shapes` are offered.
    #[serde(default)]
    multiples_of: Vec<u32>,
    /// Greatest length of each dimension of these. Default: as the number of nodes allows.
    #[serde(default)]
    greatest: Vec<u32>,
    /// Greatest number of nodes of these.
    #[serde(default)]
    most_nodes: Option<u64>,
    /// Dimensions that are closed to rings.
    wraps: Wraps,
    /// Whether slices of n x n x 2n and n x 2n x 2n nodes can be twisted.
    #[serde(default)]
    can_twist: bool,
    /// Length of the cubes that optical switches join, in nodes. Default: there are no switches.
    #[serde(default)]
    cube: Option<u32>,
}

/// The dimensions of a slice that are closed to rings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wraps {
    /// All dimensions.
    Always,
    /// All dimensions if each has this length at least; otherwise none.
    AllIfEachFrom(u32),
    /// Dimensions of exactly these lengths; one for each dimension, and 0 for one that is never closed.
    AtLengths(Vec<u32>),
}

/// An optical switch, which joins the cubes of a slice along a dimension, at a place of their faces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Switch {
    /// Dimension of its links, such as "z".
    pub along: String,
    /// Coordinates of its links on the face of a cube, in the order of the other dimensions, such as [1, 2].
    pub at: Vec<u32>,
}

/// A slice as its name states it.
struct Named<'a> {
    prefix: &'a str,
    lengths: Vec<u32>,
    is_twisted: bool,
}

/// Names the machine of a document's slice as its preset, if the document has a slice of another machine and no preset.
///
/// # Errors
/// When no machine has such slices.
pub(super) fn name_preset(document: &mut Document) -> Result<(), InputError> {
    if document.get(KEY).is_none() || document.get(built_in::KEY).is_some() {
        return Ok(());
    }
    let prefix = named(document)?.prefix.to_owned();
    if slices_of(document)?.is_some_and(|own| own.name == prefix) {
        return Ok(());
    }
    let (preset, _) = built_in_slices(&prefix, document)?;
    document.set_default(built_in::KEY, preset.into());
    Ok(())
}

/// Refuses what a result, which has no slices, cannot have: it has what these keys stand for.
///
/// # Errors
/// When the document has a slice, or dead switches.
pub(super) fn refuse(result: &Document) -> Result<(), InputError> {
    check_alone(result)?;
    match result.get(SWITCHES) {
        Some(_) => {
            let problem = "a result has the links of its machine, and no slices: set dead switches in the original scenario";
            Err(result.error(SWITCHES, problem))
        }
        None => Ok(()),
    }
}

/// Refuses a slice with a shape, or with what is closed.
fn check_alone(document: &Document) -> Result<(), InputError> {
    let is_given = |key: &&str| document.get(&format!("machine.{key}")).is_some();
    match ["shape", "wrap"].iter().find(|key| is_given(key)) {
        Some(key) if document.get(KEY).is_some() => {
            let problem = match document.get("schema_version") {
                Some(_) => {
                    "a result has the shape of its machine: set the slice in the original scenario".to_owned()
                }
                None => format!("states the shape of the machine and what is closed: give it without {key}"),
            };
            Err(document.error(KEY, problem))
        }
        _ => Ok(()),
    }
}

/// Replaces the slice of a document by its shape, wraps and twist. `machine` is the document's preset, or a file of a
/// machine that is completed from its own.
///
/// # Errors
/// When the maker has no such slice, or the document gives one of these too.
pub(super) fn expand(document: &mut Document, machine: &Document) -> Result<(), InputError> {
    if document.get(KEY).is_none() {
        return Ok(());
    }
    let wrong = |problem: String| document.error(KEY, problem);
    check_alone(document)?;
    let slice = named(document)?;
    let slices = slices_named(slice.prefix, document, machine)?;
    if !slices.offers(&slice.lengths) {
        return Err(wrong(format!("there is no such slice; there are {}", slices.offered())));
    }
    let wraps = slices.wraps.of(&slice.lengths);
    let twist = twist_of(&slice, &slices, document)?;
    let mut changes = vec![("shape", json!(slice.lengths)), ("wrap", json!(wraps))];
    changes.extend(twist.map(|twist| ("twist", twist)));
    for (key, value) in changes {
        state(document, &format!("machine.{key}"), value, KEY)?;
    }
    document.remove("machine", "slice");
    Ok(())
}

/// States a value that follows from what the user wrote at the key `written`, which errors show.
fn state(document: &mut Document, path: &str, value: Value, written: &str) -> Result<(), InputError> {
    let given = document.get(written).cloned().unwrap_or_default();
    let origin = document.place(written).to_owned();
    document.apply(&Override { path: path.to_owned(), value: given, origin })?;
    document.name_as_written(path, written);
    document.convert(path, value, None);
    Ok(())
}

/// The setting of the twist that the name of a slice states; none if `machine.twist` states it.
fn twist_of(slice: &Named<'_>, slices: &Slices, document: &Document) -> Result<Option<Value>, InputError> {
    let given = document.get("machine.twist");
    if given.is_some_and(|given| slice.is_twisted || !given.is_string()) {
        let problem = "a slice has the usual twist, as slice = \"..._twisted\" or twist = \"auto\", or none";
        return Err(document.error("machine.twist", problem));
    }
    let wants = slice.is_twisted || given.is_some_and(|given| given == "auto");
    let can = slices.can_twist
        && slices.wraps.of(&slice.lengths).iter().all(|wraps| *wraps)
        && Twist::automatic(&slice.lengths).is_some();
    if wants && !can {
        let problem = match slices.can_twist {
            true => {
                "only slices of n x n x 2n and n x 2n x 2n chips that are closed in all dimensions can be twisted"
            }
            false => "this machine does not twist its slices",
        };
        return Err(document.error(KEY, problem));
    }
    let stated = if slice.is_twisted { "auto" } else { "none" };
    Ok(given.is_none().then(|| stated.into()))
}

/// Adds the links of dead switches to the dead links of a document, which has the values and the slices of its machine.
///
/// # Errors
/// When there is no such switch.
pub(super) fn expand_switches(document: &mut Document) -> Result<(), InputError> {
    let slices = slices_of(document)?;
    document.remove("", SECTION);
    if document.get(LINKS).is_some_and(|links| !links.is_array()) {
        return Ok(()); // refused with all that is no list
    }
    if let Some(listed) = document.get(SWITCHES) {
        let wrong = |problem: &str| document.error(SWITCHES, problem);
        let switches = Vec::<Switch>::deserialize(listed)
            .map_err(|_| wrong("must be a list such as [{ along = \"z\", at = [1, 2] }]"))?;
        let cube = slices.and_then(|slices| slices.cube);
        let cube = cube.ok_or_else(|| wrong("this machine has no optical switches"))?;
        let lengths = Vec::<u32>::deserialize(document.get("machine.shape").unwrap_or(&Value::Null));
        let shape = lengths.ok().and_then(|lengths| Shape::torus(&lengths).ok());
        let own = document.get(LINKS).and_then(Value::as_array).filter(|links| !links.is_empty());
        let has_own = own.is_some();
        let mut dead = own.cloned().unwrap_or_default();
        // A shape that is wrong is refused where it is read.
        if let Some(shape) = &shape {
            for switch in &switches {
                dead.extend(links_of(switch, shape, cube).map_err(|problem| wrong(&problem))?);
            }
        }
        match has_own {
            true => document.convert(LINKS, dead.into(), None),
            false => state(document, LINKS, dead.into(), SWITCHES)?,
        }
        document.remove("machine", "dead_switches");
    }
    Ok(())
}

/// The links of a switch: one of each cube, toward plus, from the face where the next cube begins.
fn links_of(switch: &Switch, shape: &Shape, cube: u32) -> Result<Vec<Value>, String> {
    let dimensions = shape.dimensions();
    if shape.lengths().iter().any(|length| length % cube != 0) {
        return Err(format!("{shape} has no links through switches: these join whole cubes of {cube}"));
    }
    let along = (0..dimensions).find(|&dimension| dimension_name(dimension).to_string() == switch.along);
    let along = along.ok_or_else(|| format!("there is no dimension {:?}", switch.along))?;
    if switch.at.len() + 1 != dimensions || switch.at.iter().any(|&at| at >= cube) {
        return Err(format!("at = {:?} is no place of a face of {cube}x{cube} chips", switch.at));
    }
    let mut within = switch.at.clone();
    within.insert(along, cube - 1);
    let is_its = |node: &u32| {
        let coordinates = shape.coordinates(*node);
        within.iter().zip(coordinates).all(|(within, coordinate)| coordinate % cube == *within)
    };
    let toward = Direction::new(along, true).to_string();
    let link = |node| json!({ "node": shape.coordinates(node)[..dimensions], "toward": toward });
    Ok((0..shape.nodes()).filter(is_its).map(link).collect())
}

impl Slices {
    /// Checks the values of the table.
    ///
    /// # Errors
    /// The key of the first that is wrong, within the table, and what would be right.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let Slices { shapes, multiples_of, greatest, .. } = self;
        let each_from_1 = |lengths: &[u32]| !lengths.is_empty() && !lengths.contains(&0);
        let count = multiples_of.len();
        let closed = match &self.wraps {
            Wraps::AtLengths(closed) => Some(closed.len()),
            Wraps::Always | Wraps::AllIfEachFrom(_) => None,
        };
        let other = shapes.iter().chain(Some(multiples_of).filter(|lengths| !lengths.is_empty()));
        let other = other.map(Vec::len).find(|&count| closed.is_some_and(|closed| closed != count));
        let wrong = |key, problem: &str| Err((key, problem.to_owned()));
        if self.name.is_empty() || self.name.contains('-') {
            return wrong("name", "must be the first part of the names, without \"-\"");
        }
        if shapes.is_empty() && count == 0 {
            return wrong("shapes", "there are no slices: give shapes, multiples_of or both");
        }
        if !shapes.iter().all(|shape| each_from_1(shape)) {
            return wrong("shapes", "must be lists of lengths, each from 1");
        }
        if multiples_of.contains(&0) {
            return wrong("multiples_of", "must be lengths from 1");
        }
        if !greatest.is_empty() && (greatest.len() != count || greatest.contains(&0)) {
            return Err(("greatest", format!("must be {count} lengths from 1, as many as multiples_of has")));
        }
        if self.most_nodes.is_some_and(|most| most == 0 || count == 0) {
            return wrong("most_nodes", "must be from 1, and limits multiples_of");
        }
        if let Some(count) = other {
            let problem = format!("at_lengths must have {count} lengths, as the slices have");
            return Err(("wraps", problem));
        }
        if self.cube == Some(0) {
            return wrong("cube", "must be a length from 1");
        }
        Ok(())
    }

    /// Whether a slice of these lengths is offered.
    fn offers(&self, lengths: &[u32]) -> bool {
        let sorted = |lengths: &[u32]| {
            let mut sorted = lengths.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let nodes = lengths.iter().try_fold(1u64, |nodes, &length| nodes.checked_mul(length.into()));
        let is_multiple = !self.multiples_of.is_empty()
            && self.multiples_of.len() == lengths.len()
            && lengths.iter().zip(&self.multiples_of).all(|(length, of)| *length > 0 && length % of == 0)
            && lengths.iter().zip(&self.greatest).all(|(length, greatest)| length <= greatest)
            && nodes.is_some_and(|nodes| self.most_nodes.is_none_or(|most| nodes <= most));
        is_multiple || self.shapes.iter().any(|shape| sorted(shape) == sorted(lengths))
    }

    /// The slices that are offered, in words.
    fn offered(&self) -> String {
        let mut offered: Vec<String> =
            self.shapes.iter().map(|shape| format!("{}-{}", self.name, joined(shape))).collect();
        if !self.multiples_of.is_empty() {
            let limits = match (self.greatest.as_slice(), self.most_nodes) {
                ([], None) => String::new(),
                ([], Some(most)) => format!(" of at most {most} chips"),
                (greatest, _) => format!(" up to {}", joined(greatest)),
            };
            offered.push(format!("multiples of {}{limits}", joined(&self.multiples_of)));
        }
        match offered.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

impl Wraps {
    fn of(&self, lengths: &[u32]) -> Vec<bool> {
        match self {
            Wraps::Always => vec![true; lengths.len()],
            Wraps::AllIfEachFrom(least) => {
                vec![lengths.iter().all(|length| length >= least); lengths.len()]
            }
            Wraps::AtLengths(closed) => lengths.iter().zip(closed).map(|(length, at)| length == at).collect(),
        }
    }
}

fn joined(lengths: &[u32]) -> String {
    lengths.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// The slice of a document.
///
/// # Errors
/// When its name is not that of a slice.
fn named(document: &Document) -> Result<Named<'_>, InputError> {
    let wrong = || {
        let problem = "must be the name of a slice: its machine, lengths and perhaps \"_twisted\", such as \
                       \"v5p-4x4x8\" or \"v4-4x4x8_twisted\"";
        document.error(KEY, problem)
    };
    let name = document.get(KEY).and_then(Value::as_str).ok_or_else(wrong)?;
    let name = name.strip_prefix("tpu-").unwrap_or(name); // as presets are named
    let (prefix, shape) = name.split_once('-').ok_or_else(wrong)?;
    let plain = shape.strip_suffix(TWISTED);
    let lengths = plain.unwrap_or(shape).split('x').map(str::parse).collect::<Result<Vec<u32>, _>>();
    Ok(Named { prefix, lengths: lengths.map_err(|_| wrong())?, is_twisted: plain.is_some() })
}

/// The slices of a machine's file, if it has any.
///
/// # Errors
/// When its table has a key or a value that is none of slices.
fn slices_of(machine: &Document) -> Result<Option<Slices>, InputError> {
    if machine.get(SECTION).is_none() {
        return Ok(None);
    }
    let slices: Slices = read(machine, SECTION)?;
    let checked = slices.check();
    checked.map_err(|(key, problem)| machine.error(&format!("{SECTION}.{key}"), problem))?;
    Ok(Some(slices))
}

/// Checks the table of a user's file, `file`, which is completed in `complete`.
///
/// # Errors
/// When it is wrong, or the file gives its slices the name of those of a built-in machine.
pub(super) fn check(file: Option<&Value>, complete: &Document) -> Result<(), InputError> {
    slices_of(complete)?;
    let own = file.and_then(Value::as_str);
    match built_in_tables().into_iter().find(|(_, slices)| Some(slices.name.as_str()) == own) {
        Some((machine, _)) => {
            let problem = format!("is the name of the slices of {machine}: choose another");
            Err(complete.error(NAME, problem))
        }
        None => Ok(()),
    }
}

/// The slices whose names begin with `prefix`: those of the machine of a document, or of a built-in one.
///
/// # Errors
/// When there are none, or they are those of another machine than the built-in one on which the document is based.
fn slices_named(prefix: &str, document: &Document, machine: &Document) -> Result<Slices, InputError> {
    if let Some(own) = slices_of(machine)?.filter(|slices| slices.name == prefix) {
        return Ok(own);
    }
    let (maker, slices) = built_in_slices(prefix, document)?;
    let preset = document.get(built_in::KEY).or(machine.get(built_in::KEY)).and_then(Value::as_str);
    match preset.filter(|preset| built_in::is_makers(preset)) {
        Some(preset) => {
            let problem =
                format!("is a slice of {maker}, not of {preset}: give preset = \"{maker}\" or \"generic\"");
            Err(document.error(KEY, problem))
        }
        None => Ok(slices),
    }
}

/// The built-in machines that have slices, and these.
fn built_in_tables() -> Vec<(&'static str, Slices)> {
    let tables = PRESETS.iter().filter_map(|(name, text)| {
        let slices = slices_of(&parse_toml(text, name).ok()?).ok()??;
        Some((*name, slices))
    });
    tables.collect()
}

/// The built-in machine whose slices have names that begin with `prefix`, and these slices.
fn built_in_slices(prefix: &str, document: &Document) -> Result<(&'static str, Slices), InputError> {
    let all = built_in_tables();
    all.iter().find(|(_, slices)| slices.name == prefix).cloned().ok_or_else(|| {
        let known = all.iter().map(|(_, slices)| slices.name.as_str());
        document.error(KEY, format!("no machine has slices {prefix:?}; {}", nearest(prefix, known)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::resolve;
    use std::path::Path;

    fn machine(lines: &str) -> Result<Value, String> {
        let text = format!("[machine]\n{lines}\n[workload]\nkind = \"uniform-random\"");
        let scenario = resolve(&text, "a.toml", Path::new(""), &[]).map_err(|error| error.to_string())?;
        Ok(scenario.to_json()["machine"].clone())
    }

    #[test]
    fn slices_have_the_wraps_and_twists_of_their_makers() {
        for (slice, preset, shape, wrap, twist) in [
            ("v4-4x4x8", "tpu-v4", json!([4, 4, 8]), json!([true, true, true]), json!(null)),
            ("v4-4x4x8_twisted", "tpu-v4", json!([4, 4, 8]), json!([true, true, true]), json!("auto")),
            ("v5p-8x4x4", "tpu-v5p", json!([8, 4, 4]), json!([true, true, true]), json!(null)),
            ("v5p-2x4x4", "tpu-v5p", json!([2, 4, 4]), json!([false, false, false]), json!(null)),
            ("7x-16x24x24", "tpu-7x", json!([16, 24, 24]), json!([true, true, true]), json!(null)),
            ("v5e-8x16", "tpu-v5e", json!([8, 16]), json!([false, true]), json!(null)),
            ("v6e-16x8", "tpu-v6e", json!([16, 8]), json!([true, false]), json!(null)),
            ("tpu-v6e-16x16", "tpu-v6e", json!([16, 16]), json!([true, true]), json!(null)),
            ("trn2-4x4", "trainium2", json!([4, 4]), json!([true, true]), json!(null)),
            (
                "fugaku-24x23x24x2x3x2",
                "tofu-d",
                json!([24, 23, 24, 2, 3, 2]),
                json!([true, false, true, false, true, false]),
                json!(null),
            ),
            (
                "fugaku-4x6x12x2x3x2",
                "tofu-d",
                json!([4, 6, 12, 2, 3, 2]),
                json!([false, false, false, false, true, false]),
                json!(null),
            ),
        ] {
            let machine = machine(&format!("slice = \"{slice}\"")).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(machine["preset"], preset);
            assert_eq!(
                (&machine["shape"], &machine["wrap"], &machine["twist"]),
                (&shape, &wrap, &twist),
                "{slice}"
            );
            assert_eq!(machine["slice"], json!(null));
        }
    }

    #[test]
    fn slices_that_no_maker_offers_are_refused() {
        for (lines, expected) in [
            ("slice = \"v5p-4x4x6\"", "v5p-2x4x4 and multiples of 4x4x4 of at most 6144 chips"),
            ("slice = \"v5p-2147483648x2147483648x4\"", "of at most 6144 chips"),
            ("slice = \"v5p-16x20x28\"", "of at most 6144 chips"),
            ("slice = \"v5e-4x16\"", "there is no such slice; there are v5e-1x1, "),
            ("slice = \"v9-4x4x4\"", "no machine has slices \"v9\""),
            ("slice = \"v5p\"", "must be the name of a slice"),
            ("slice = \"v5p-8x8x8_twisted\"", "n x n x 2n"),
            ("slice = \"v5p-2x2x4_twisted\"", "closed in all dimensions"),
            ("slice = \"trn2-4x4_twisted\"", "does not twist its slices"),
            ("slice = \"v5p-4x4x8\"\ntwist = { x = { z = 1 } }", "a slice has the usual twist"),
            ("slice = \"v5p-4x4x8_twisted\"\ntwist = \"none\"", "a slice has the usual twist"),
            ("slice = \"v5p-4x4x8\"\nshape = [4, 4, 8]", "give it without shape"),
            ("slice = \"v5p-4x4x8\"\nwrap = true", "give it without wrap"),
            ("slice = \"fugaku-25x1x1x2x3x2\"", "up to 24x23x24x2x3x2"),
        ] {
            let error = machine(lines).expect_err(lines);
            assert!(error.contains(expected), "{lines}: {error}");
            assert!(error.contains("a.toml:2") || error.contains("a.toml:3"), "{error}");
        }
    }

    #[test]
    fn a_dead_switch_takes_one_link_of_each_cube() {
        let switch = "dead_switches = [{ along = \"z\", at = [1, 2] }]";
        let dead =
            |slice: &str| machine(&format!("slice = \"{slice}\"\n{switch}")).map(|m| m["dead_links"].clone());
        let links = json!([{ "node": [1, 2, 3], "toward": "z+" }, { "node": [1, 2, 7], "toward": "z+" }]);
        assert_eq!(dead("v5p-4x4x8").unwrap(), links);
        assert_eq!(dead("v5p-4x4x8_twisted").unwrap(), links);
        assert_eq!(dead("v4-8x8x8").unwrap().as_array().unwrap().len(), 8);
        for (slice, expected) in [("v5p-2x4x4", "whole cubes"), ("v5e-16x16", "no optical switches")] {
            let error = dead(slice).unwrap_err();
            assert!(error.contains(expected) && error.contains("dead_switches"), "{error}");
        }
    }

    #[test]
    fn dead_links_of_a_user_stay_those_of_the_user() {
        let with = |dead_links: &str| {
            let lines =
                "slice = \"v5p-4x4x8\"\ndead_switches = [{ along = \"z\", at = [1, 2] }]\ndead_links = ";
            machine(&format!("{lines}{dead_links}"))
        };
        let both = with("[{ node = [0, 0, 0], toward = \"x+\" }]").unwrap();
        assert_eq!(both["dead_links"].as_array().unwrap().len(), 3);
        for wrong in ["7", "[{ node = [9, 9, 9], toward = \"x+\" }]"] {
            let error = with(wrong).unwrap_err();
            assert!(error.starts_with(&format!("a.toml:4: machine.dead_links = {wrong}")), "{error}");
        }
    }

    #[test]
    fn errors_about_the_shape_of_a_slice_name_the_slice() {
        let error = machine("slice = \"v5e-1x1\"").unwrap_err();
        assert!(error.starts_with("a.toml:2: machine.slice = \"v5e-1x1\" ([1, 1]): "), "{error}");
    }

    #[test]
    fn slices_are_those_of_the_machine_that_is_named() {
        for preset in ["bluegene-l", "tpu-v5p"] {
            let error = machine(&format!("slice = \"v4-4x4x4\"\npreset = \"{preset}\"")).unwrap_err();
            assert!(error.contains(&format!("a slice of tpu-v4, not of {preset}")), "{error}");
        }
        let generic = "slice = \"v4-4x4x8\"\npreset = \"generic\"\nlink = { rate = \"1 GB/s\", hop_latency = \"50 ns\" }";
        assert_eq!(machine(generic).unwrap()["shape"], json!([4, 4, 8]));
    }

    #[test]
    fn faults_of_a_table_of_slices_are_named() {
        let table = |lines: &str| {
            let text = format!("[slices]\nname = \"mine\"\nwraps = \"always\"\n{lines}");
            slices_of(&parse_toml(&text, "mine.toml").unwrap()).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(table("multiples_of = [2, 4]\ngreatest = [8, 8]\ncube = 2"), Ok(()));
        for (lines, expected) in [
            ("", "mine.toml:1: slices.shapes: there are no slices"),
            ("shapes = [[4, 0]]", "mine.toml:4: slices.shapes = [[4, 0]]: must be lists"),
            ("shapes = [[]]", "must be lists of lengths"),
            ("multiples_of = [0, 4]", "mine.toml:4: slices.multiples_of = [0, 4]: must be"),
            (
                "multiples_of = [4, 4]\ngreatest = [8]",
                "mine.toml:5: slices.greatest = [8]: must be 2 lengths",
            ),
            ("multiples_of = [4]\ngreatest = [0]", "must be 1 lengths from 1"),
            ("shapes = [[4, 4]]\nmost_nodes = 16", "limits multiples_of"),
            ("shapes = [[4, 4]]\ncube = 0", "mine.toml:5: slices.cube = 0: must be"),
        ] {
            let error = table(lines).expect_err(lines);
            assert!(error.contains(expected), "{lines}: {error}");
        }
        for (text, expected) in [
            (
                "[slices]\nname = \"my-own\"\nshapes = [[4]]\nwraps = \"always\"",
                ":2: slices.name = \"my-own\": must be",
            ),
            (
                "[slices]\nname = \"a\"\nshapes = [[4]]\nwraps = { at_lengths = [4, 4] }",
                "slices.wraps: at_lengths must have 1",
            ),
        ] {
            let error = slices_of(&parse_toml(text, "mine.toml").unwrap()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn each_machine_has_its_own_names_of_slices() {
        let names: Vec<String> = PRESETS
            .iter()
            .filter_map(|(name, text)| slices_of(&parse_toml(text, name).unwrap()).unwrap())
            .map(|slices| slices.name)
            .collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        assert!(names.len() >= 7);
    }
}
