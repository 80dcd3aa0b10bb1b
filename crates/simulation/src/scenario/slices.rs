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

/// The section of a machine's file that has its slices.
pub(super) const SECTION: &str = "slices";

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
    /// All.
    Always,
    /// All if each of them has this length at least; otherwise none.
    AllIfEachFrom(u32),
    /// Those of exactly these lengths; one for each dimension, and 0 for those that are never closed.
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

/// Names the machine of a document's slice as its preset, if the document has a slice and no preset.
///
/// # Errors
/// When no machine has such slices.
pub(super) fn name_preset(document: &mut Document) -> Result<(), InputError> {
    if document.get(KEY).is_none() || document.get(built_in::KEY).is_some() {
        return Ok(());
    }
    let prefix = named(document)?.prefix.to_owned();
    let (preset, _) = built_in_slices(&prefix, document)?;
    document.set_default(built_in::KEY, preset.into());
    Ok(())
}

/// Replaces the slice of a document by its shape, wraps and twist. `machine` is the document's preset.
///
/// # Errors
/// When the maker has no such slice, or the document gives one of these too.
pub(super) fn expand(document: &mut Document, machine: &Document) -> Result<(), InputError> {
    if document.get(KEY).is_none() {
        return Ok(());
    }
    let wrong = |problem: String| document.error(KEY, problem);
    for key in ["shape", "wrap"] {
        if document.get(&format!("machine.{key}")).is_some() {
            let problem =
                format!("states the shape of the machine and what is closed: give it without {key}");
            return Err(wrong(problem));
        }
    }
    let slice = named(document)?;
    let own = slices_of(machine)?.filter(|slices| slices.name == slice.prefix);
    let slices = own.map_or_else(|| built_in_slices(slice.prefix, document).map(|(_, slices)| slices), Ok)?;
    if !slices.offers(&slice.lengths) {
        return Err(wrong(format!("there is no such slice; there are {}", slices.offered())));
    }
    let wraps = slices.wraps.of(&slice.lengths);
    let twist = twist_of(&slice, &slices, document)?;
    let origin = document.place(KEY).to_owned();
    let mut changes = vec![("shape", json!(slice.lengths)), ("wrap", json!(wraps))];
    changes.extend(twist.map(|twist| ("twist", twist)));
    for (key, value) in changes {
        document.apply(&Override { path: format!("machine.{key}"), value, origin: origin.clone() })?;
        document.name_as_written(&format!("machine.{key}"), KEY);
    }
    document.remove("machine", "slice");
    Ok(())
}

/// The setting of the twist that the name of a slice states; none if it leaves this to `machine.twist`.
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
    Ok(slice.is_twisted.then(|| "auto".into()))
}

/// Adds the links of dead switches to the dead links of a document, which has the values and the slices of its machine.
///
/// # Errors
/// When there is no such switch.
pub(super) fn expand_switches(document: &mut Document) -> Result<(), InputError> {
    let slices = slices_of(document)?;
    if let Some(listed) = document.get(SWITCHES) {
        let wrong = |problem: &str| document.error(SWITCHES, problem);
        let switches = Vec::<Switch>::deserialize(listed)
            .map_err(|_| wrong("must be a list such as [{ along = \"z\", at = [1, 2] }]"))?;
        let cube = slices.and_then(|slices| slices.cube);
        let cube = cube.ok_or_else(|| wrong("this machine has no optical switches"))?;
        let lengths = Vec::<u32>::deserialize(document.get("machine.shape").unwrap_or(&Value::Null));
        let shape = lengths.ok().and_then(|lengths| Shape::torus(&lengths).ok());
        let mut dead =
            document.get("machine.dead_links").and_then(Value::as_array).cloned().unwrap_or_default();
        for switch in shape.iter().flat_map(|shape| switches.iter().map(move |switch| (shape, switch))) {
            dead.extend(links_of(switch.1, switch.0, cube).map_err(|problem| wrong(&problem))?);
        }
        let origin = document.place(SWITCHES).to_owned();
        document.apply(&Override { path: "machine.dead_links".to_owned(), value: dead.into(), origin })?;
        document.name_as_written("machine.dead_links", SWITCHES);
        document.remove("machine", "dead_switches");
    }
    document.remove("", SECTION);
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
    /// Whether a slice of these lengths is offered.
    fn offers(&self, lengths: &[u32]) -> bool {
        let sorted = |lengths: &[u32]| {
            let mut sorted = lengths.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let nodes: u64 = lengths.iter().map(|&length| u64::from(length)).product();
        let is_multiple = !self.multiples_of.is_empty()
            && self.multiples_of.len() == lengths.len()
            && lengths.iter().zip(&self.multiples_of).all(|(length, of)| *length > 0 && length % of == 0)
            && lengths.iter().zip(&self.greatest).all(|(length, greatest)| length <= greatest)
            && self.most_nodes.is_none_or(|most| nodes <= most);
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
    let wrong =
        || document.error(KEY, "must be the name of a slice, such as \"v5p-4x4x8\" or \"v4-4x4x8_twisted\"");
    let name = document.get(KEY).and_then(Value::as_str).ok_or_else(wrong)?;
    let (prefix, shape) = name.split_once('-').ok_or_else(wrong)?;
    let plain = shape.strip_suffix(TWISTED);
    let lengths = plain.unwrap_or(shape).split('x').map(str::parse).collect::<Result<Vec<u32>, _>>();
    Ok(Named { prefix, lengths: lengths.map_err(|_| wrong())?, is_twisted: plain.is_some() })
}

/// The slices of a machine's file, if it has any.
fn slices_of(machine: &Document) -> Result<Option<Slices>, InputError> {
    machine.get(SECTION).map(|_| read(machine, SECTION)).transpose()
}

/// The built-in machine whose slices have names that begin with `prefix`, and these slices.
fn built_in_slices(prefix: &str, document: &Document) -> Result<(&'static str, Slices), InputError> {
    let all = PRESETS.iter().filter_map(|(name, text)| {
        let slices = slices_of(&parse_toml(text, name).ok()?).ok()??;
        Some((*name, slices))
    });
    let all: Vec<(&str, Slices)> = all.collect();
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
            ("v6e-16x16", "tpu-v6e", json!([16, 16]), json!([true, true]), json!(null)),
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
