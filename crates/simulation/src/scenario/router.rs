//! The router that is assumed where the maker of a machine publishes none, as one word.
//!
//! # To add one
//!
//! 1. A variant of `AssumedRouter`, its number of adaptive VCs and its words, which the compiler asks for.
//! 2. Its row in `docs/machines.md`.

use input::{Document, InputError, Override};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The key of the assumed router.
const KEY: &str = "machine.assumed_router";

/// The key that it sets.
pub(super) const CHANNELS: &str = "machine.router.dynamic_channels";

/// A router that is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AssumedRouter {
    /// One VC with a bubble, in dimension order.
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
            AssumedRouter::DimensionOrder => "dimension order on one VC",
            AssumedRouter::OneAdaptive => "one adaptive VC and an escape in dimension order",
            AssumedRouter::TwoAdaptive => "two adaptive VCs and an escape in dimension order",
        };
        format!("{router}; rates and shapes of this machine are known, its router is not")
    }
}

/// Sets the adaptive VCs of a machine whose router is assumed. `gives_channels` says whether the document also gave their
/// number before it was completed from its preset: then no router is assumed.
///
/// # Errors
/// When the document gives both, and they differ.
pub(super) fn set_channels(document: &mut Document, gives_channels: bool) -> Result<(), InputError> {
    let Some(router) = document.get(KEY).and_then(|router| AssumedRouter::deserialize(router).ok()) else {
        return Ok(()); // a router that does not exist is refused with all others
    };
    let channels = router.adaptive_channels();
    match document.get(CHANNELS) {
        Some(given) if gives_channels && *given != channels => {
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
