//! The twist of a machine in a scenario.
//!
//! # To add a rule for the routes of a twisted torus
//!
//! 1. A variant of `TwistRoutes`, whose doc comment is what users see, and its arm in `with_routes`.
//! 2. A row in `docs/models/network.md`: `tests/test_pages.py` asks for it.
//! 3. A setting in `crates/simulation/tests/random/mod.rs`, so that random runs take it.

use geometry::{HalfWay, Shape, Twist, dimension_name};
use input::{Document, InputError, nearest};
use network::CyclesPerByte;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The key of the twist.
const KEY: &str = "machine.twist";

/// The shifts of a twisted torus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum TwistSetting {
    Named(NamedTwist),
    /// The shift of other coordinates where the wrap of a dimension is crossed.
    Shifts(BTreeMap<String, BTreeMap<String, i32>>),
}

/// A twist that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NamedTwist {
    /// None: each line of nodes is a ring.
    None,
    /// The usual one.
    Auto,
}

impl Default for TwistSetting {
    fn default() -> Self {
        TwistSetting::Named(NamedTwist::None)
    }
}

impl TwistSetting {
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The twist for a shape of these lengths.
    fn twist(&self, lengths: &[u32]) -> Result<Twist, String> {
        match self {
            TwistSetting::Named(NamedTwist::None) => Ok(Twist::default()),
            TwistSetting::Named(NamedTwist::Auto) => Twist::automatic(lengths).ok_or_else(|| {
                let problem = "n x n x 2n and n x 2n x 2n have a usual twist, in any order; for others give the shifts, \
                               such as { x = { z = 4 } }";
                problem.to_owned()
            }),
            TwistSetting::Shifts(shifts) => {
                let mut twist = Twist::default();
                for (across, along, by) in
                    shifts.iter().flat_map(|(across, by)| by.iter().map(move |(along, by)| (across, along, by)))
                {
                    let [across, along] = [dimension(across, lengths)?, dimension(along, lengths)?];
                    twist = twist.shifting(across, along, *by);
                }
                Ok(twist)
            }
        }
    }
}

/// The number of a dimension with this name.
fn dimension(name: &str, lengths: &[u32]) -> Result<usize, String> {
    let known: Vec<String> = (0..lengths.len()).map(|number| dimension_name(number).to_string()).collect();
    let number = known.iter().position(|known| *known == name);
    number.ok_or_else(|| {
        format!("there is no dimension {name:?}; {}", nearest(name, known.iter().map(String::as_str)))
    })
}

/// The choice among the shortest routes of a twisted torus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TwistRoutes {
    /// Each with the shares with which uniform traffic loads all directions alike, as far as possible.
    #[default]
    Balanced,
    /// Each with the same share.
    Uniform,
}

impl TwistRoutes {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A shape with the twist of its machine.
///
/// # Errors
/// When the machine has no such twist, or another key has no meaning with one.
pub(super) fn twisted(
    shape: Shape,
    (setting, routes): (&TwistSetting, TwistRoutes),
    half_way: HalfWay,
    document: &Document,
) -> Result<Shape, InputError> {
    let wrong = |problem| document.error(KEY, problem);
    let twist = setting.twist(shape.lengths()).map_err(wrong)?;
    let shape = shape.with_twist(twist).map_err(|error| wrong(error.to_string()))?;
    if !shape.supports(half_way) {
        let problem =
            "has no meaning on a twisted torus, whose shortest routes differ in several dimensions at once";
        return Err(document.error("machine.half_way_routes", problem));
    }
    if !shape.is_twisted() && !routes.is_default() {
        return Err(document.error("machine.twist_routes", "has no effect without machine.twist"));
    }
    Ok(shape)
}

/// A shape with the shares of its routes; a byte takes these cycles on each link.
pub(super) fn with_routes(shape: Shape, routes: TwistRoutes, cycles_per_byte: &[CyclesPerByte]) -> Shape {
    let cost: Vec<f64> = cycles_per_byte.iter().map(|&cycles| f64::from(cycles)).collect();
    match routes {
        TwistRoutes::Balanced => shape.with_balanced_routes(&cost),
        TwistRoutes::Uniform => shape,
    }
}
