//! The router that is assumed where the maker of a machine publishes none, as one word.
//!
//! # To add one
//!
//! 1. A variant of `AssumedRouter`, its number of adaptive VCs and its words, which the compiler asks for.
//! 2. Its row in `docs/machines.md`.

use super::built_in;
use input::{Document, InputError, Override};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The key of the assumed router.
const KEY: &str = "machine.assumed_router";

/// The key that it sets.
const CHANNELS: &str = "machine.router.dynamic_channels";

/// A router that is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AssumedRouter {
    /// No adaptive VCs: the escape alone, in dimension order.
    DimensionOrder,
    /// An adaptive VC, and the VC in dimension order as its escape.
    OneAdaptive,
    /// Two adaptive VCs, and the VC in dimension order as their escape.
    TwoAdaptive,
}

impl AssumedRouter {
    /// The number of its adaptive VCs.
    fn adaptive_channels(self) -> u64 {
        match self {
            AssumedRouter::DimensionOrder => 0,
            AssumedRouter::OneAdaptive => 1,
            AssumedRouter::TwoAdaptive => 2,
        }
    }

    /// The router in words, with the reason why it is named at all.
    pub fn words(self) -> String {
        let router = match self {
            AssumedRouter::DimensionOrder => "dimension order, no adaptive VCs",
            AssumedRouter::OneAdaptive => "one adaptive VC and an escape in dimension order",
            AssumedRouter::TwoAdaptive => "two adaptive VCs and an escape in dimension order",
        };
        format!("{router}; rates and shapes of this machine are known, its router is not")
    }
}

/// Sets the adaptive VCs of a document that names an assumed router.
///
/// # Errors
/// When there is no such router, or the document gives both, and they differ.
pub(super) fn set_channels(document: &mut Document) -> Result<(), InputError> {
    let Some(given) = document.get(KEY) else { return Ok(()) };
    let router = AssumedRouter::deserialize(given).map_err(|_| {
        document.error(KEY, "must be \"dimension-order\", \"one-adaptive\" or \"two-adaptive\"")
    })?;
    let channels = router.adaptive_channels();
    match document.get(CHANNELS) {
        Some(given) if *given != channels => {
            let problem =
                format!("machine.assumed_router sets the adaptive VCs: must be {channels}, or absent");
            Err(document.error(CHANNELS, problem))
        }
        _ => {
            let origin = document.place(KEY).to_owned();
            document.apply(&Override { path: CHANNELS.to_owned(), value: channels.into(), origin })
        }
    }
}

/// Forgets the assumed router of a machine if a document that is based on it has a router of its own.
pub(super) fn forget_assumed(machine: &mut Document, over: &Document) {
    if over.get(CHANNELS).is_some() && over.get(KEY).is_none() {
        machine.remove("machine", "assumed_router");
    }
}

/// Forgets the router of a document if overrides give another, as a word or as a number of adaptive VCs. If they give
/// both, these are those of one document.
pub(super) fn forget_replaced(document: &mut Document, overrides: &[Override]) {
    let gives = |key: &str| overrides.iter().any(|change| gives(change, key));
    match (gives(KEY), gives(CHANNELS)) {
        (true, false) => document.remove("machine.router", "dynamic_channels"),
        (false, true) => document.remove("machine", "assumed_router"),
        (true, true) | (false, false) => {}
    }
}

/// Whether an override gives a key, itself or in a table.
fn gives(change: &Override, key: &str) -> bool {
    let Some(rest) = key.strip_prefix(change.path.as_str()) else { return false };
    rest.split('.')
        .filter(|key| !key.is_empty())
        .try_fold(&change.value, |value, key| value.get(key))
        .is_some()
}

/// Refuses an assumed router on the built-in machine of a maker that has a router. `machine` is the document's preset.
///
/// # Errors
/// When the document names one.
pub(super) fn check_maker(document: &Document, machine: &Document) -> Result<(), InputError> {
    let preset = document.get(built_in::KEY).or(machine.get(built_in::KEY)).and_then(Value::as_str);
    let known = preset.filter(|preset| built_in::is_makers(preset) && machine.get(KEY).is_none());
    match known.filter(|_| document.get(KEY).is_some()) {
        Some(preset) => {
            let problem = format!(
                "{preset} has a router: give machine.router.dynamic_channels, or preset = \"generic\" or that of a \
                 machine without one"
            );
            Err(document.error(KEY, problem))
        }
        None => Ok(()),
    }
}
