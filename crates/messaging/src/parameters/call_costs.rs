//! The costs of calls of MPI, by kind.
//!
//! # To add a kind
//!
//! 1. A row of `kinds!`, whose doc comment users see. The table, its errors, the schema, the lookahead
//!    (`CallCosts::min`) and what the fluid engine counts follow from it.
//! 2. Its calls in `Call::spent` (`mpi/src/call.rs`).
//! 3. A call in `a_call_costs_what_its_kind_does` (`simulation/tests/mpi_on_engines/programs.rs`). Random
//!    tables of `mpi_on_engines/engines.rs` have the kind already.
//! 4. A row in `docs/models/messages.md`.

use base::ParameterError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The key of the costs in a scenario.
macro_rules! key {
    () => {
        "messaging.call_processor_cycles"
    };
    ($name:ident) => {
        concat!(key!(), ".", stringify!($name))
    };
}

/// Declares [`CallKind`], and the table of costs by its names.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident = $name:ident,)*) => {
        /// The kind of a call of MPI, as far as its cost depends on it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CallKind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl CallKind {
            /// All kinds.
            pub const ALL: [CallKind; [$(CallKind::$kind),*].len()] = [$(CallKind::$kind),*];

            /// The key of its cost in a scenario.
            fn key(self) -> &'static str {
                match self {
                    $(CallKind::$kind => key!($name),)*
                }
            }
        }

        /// The costs as a scenario states them by kind.
        #[derive(Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        struct Table {
            /// Calls of the kinds that are not named, in processor cycles. Default: that of all calls.
            all: u32,
            $(
                $(#[doc = $doc])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $name: Option<u32>,
            )*
        }

        impl From<CallCosts> for Table {
            fn from(costs: CallCosts) -> Self {
                let named = |kind| Some(costs.of(kind)).filter(|&cost| cost != costs.all);
                Table { all: costs.all, $($name: named(CallKind::$kind),)* }
            }
        }

        impl From<Table> for CallCosts {
            fn from(table: Table) -> Self {
                let by_kind = [$(table.$name.unwrap_or(table.all)),*];
                CallCosts::new(table.all, by_kind)
            }
        }
    };
}

kinds! {
    /// Sends, blocking or not, in processor cycles.
    Send = send,
    /// Receives, blocking or not, matched ones included, in processor cycles.
    Receive = receive,
    /// `MPI_Sendrecv`, in processor cycles.
    SendReceive = send_receive,
    /// `MPI_Start` and `MPI_Startall`, in processor cycles.
    Start = start,
    /// Waits for requests, in processor cycles.
    Wait = wait,
    /// Tests of requests, in processor cycles.
    Test = test,
    /// Probes, in processor cycles.
    Probe = probe,
    /// Collectives, blocking or not, and new communicators on which ranks agree, in processor cycles.
    Collective = collective,
    /// All other calls, `MPI_Wtime` and `MPI_Finalize` among them, in processor cycles.
    Other = other,
}

/// Number of kinds.
const KINDS: usize = CallKind::ALL.len();

/// The processor cycles from a call of a rank until it takes effect, by kind; in a scenario one number, or a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "Form")]
pub struct CallCosts {
    /// The cost of kinds that a scenario does not name.
    all: u32,
    min: u32,
    by_kind: [u32; KINDS],
}

impl CallCosts {
    fn new(all: u32, by_kind: [u32; KINDS]) -> Self {
        let min = by_kind.into_iter().min().unwrap_or(all);
        CallCosts { all, min, by_kind }
    }

    /// These costs, with the cost of one kind changed.
    #[must_use]
    pub fn with(self, kind: CallKind, processor_cycles: u32) -> Self {
        let mut by_kind = self.by_kind;
        by_kind[kind as usize] = processor_cycles;
        CallCosts::new(self.all, by_kind)
    }

    /// The cost of a kind, in processor cycles.
    pub fn of(&self, kind: CallKind) -> u32 {
        self.by_kind[kind as usize]
    }

    /// The least of all costs, in processor cycles.
    pub fn min(&self) -> u32 {
        self.min
    }

    /// The processor cycles by which the cost of a kind exceeds the least of all.
    pub fn beyond_min(&self, kind: CallKind) -> u32 {
        self.of(kind) - self.min
    }

    /// Whether no call takes time.
    pub fn are_free(&self) -> bool {
        self.by_kind == [0; KINDS]
    }

    /// Whether all kinds cost the same, so that a scenario states one number.
    fn is_one(&self) -> bool {
        self.by_kind == [self.all; KINDS]
    }

    /// The cost of all `calls`, in processor cycles.
    pub fn of_calls(&self, calls: &CallCounts) -> u64 {
        CallKind::ALL.iter().map(|&kind| calls.0[kind as usize] * u64::from(self.of(kind))).sum()
    }

    /// Each cost with its key in a scenario.
    pub(crate) fn by_key(&self) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        let key = |kind: CallKind| match self.of(kind) == self.all {
            true if self.is_one() => key!(),
            true => key!(all),
            false => kind.key(),
        };
        CallKind::ALL.iter().map(move |&kind| (key(kind), self.of(kind)))
    }

    /// An error of the least cost, at its key in a scenario.
    pub(crate) fn error_of_min(&self, expected: String) -> ParameterError {
        let min = self.by_key().min_by_key(|&(_, cost)| cost);
        let key = min.map_or(key!(), |(key, _)| key);
        ParameterError { key, value: self.min.to_string(), expected }
    }
}

impl From<u32> for CallCosts {
    /// One cost for calls of all kinds.
    fn from(all: u32) -> Self {
        CallCosts::new(all, [all; KINDS])
    }
}

/// How a scenario states costs.
#[derive(Serialize)]
#[serde(untagged)]
enum Form {
    OfAll(u32),
    ByKind(Table),
}

impl From<CallCosts> for Form {
    fn from(costs: CallCosts) -> Self {
        if costs.is_one() { Form::OfAll(costs.all) } else { Form::ByKind(costs.into()) }
    }
}

// Written by hand, so that errors name the kind.
impl<'de> Deserialize<'de> for CallCosts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrTable)
    }
}

struct NumberOrTable;

impl<'de> Visitor<'de> for NumberOrTable {
    type Value = CallCosts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of processor cycles, or a table of them by kind of call")
    }

    fn visit_u64<E: Error>(self, all: u64) -> Result<CallCosts, E> {
        u32::try_from(all).map(CallCosts::from).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CallCosts, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map)).map(CallCosts::from)
    }
}

impl JsonSchema for CallCosts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CallCosts".into()
    }

    /// The schema of the table, which may be a number instead.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({
            "type": ["integer", "object"], "format": "uint32", "minimum": 0, "additionalProperties": false,
        });
        let properties = Table::json_schema(generator).remove("properties").unwrap_or_default();
        schema.insert("properties".to_owned(), properties);
        schema
    }
}

/// Numbers of calls by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallCounts([u64; KINDS]);

impl CallCounts {
    /// Counts a call.
    pub fn add(&mut self, kind: CallKind) {
        self.0[kind as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn costs_are_written_as_they_were_read() {
        let mixed = CallCosts::from(48).with(CallKind::Send, 100).with(CallKind::Test, 0);
        for costs in [CallCosts::default(), 245.into(), mixed, mixed.with(CallKind::Send, 48)] {
            assert_eq!(serde_json::from_value::<CallCosts>(json!(costs)).unwrap(), costs);
        }
        assert_eq!(json!(mixed), json!({ "all": 48, "send": 100, "test": 0 }));
        assert_eq!(json!(CallCosts::from(48)), json!(48));
        for wrong in [json!(-1), json!(1.5), json!({ "all": 4, "sned": 5 }), json!({ "send": 5 }), json!("4")]
        {
            assert!(serde_json::from_value::<CallCosts>(wrong).is_err());
        }
    }

    #[test]
    fn the_least_cost_is_named() {
        let mixed = CallCosts::from(48).with(CallKind::Probe, 30);
        assert_eq!((mixed.min(), mixed.beyond_min(CallKind::Wait)), (30, 18));
        assert_eq!(mixed.error_of_min(String::new()).key, "messaging.call_processor_cycles.probe");
        assert_eq!(CallCosts::from(3).error_of_min(String::new()).key, "messaging.call_processor_cycles");
    }
}
