//! The engines that run scenarios.
//!
//! # To add one
//!
//! 1. A crate with what implements [`Engine`], `link_report` included, as `reference` and `windowed` are. `Cargo.toml`
//!    and the manifest of `simulation` name it; `tests/test_layers.py` asks for its layer, and for that in
//!    `ARCHITECTURE.md`.
//! 2. A row in `engines!`, and its arm in [`build_engine`], which the compiler asks for. The names on the command line,
//!    results, the package, the whole runs of `tests/whole_runs.rs`, the checkpoints of `tests/random_runs.rs` and the
//!    golden digests follow from it.
//! 3. Its name where `docs/guide.md` has those of `--engine`: `tests/test_api.py` asks for it. What the help of
//!    `--engine` says of it is in `python/torusim/cli/run.py`.
//! 4. Tests that it agrees with the reference engine on every packet: its own, as `windowed/tests/engines.rs`, and an
//!    arm in `simulation/tests/mpi_on_engines/support.rs`.
//!
//! An engine that is not of packets is of a new [`EngineFamily`], which scenarios name, and a run of its own, as
//! [`FluidRun`](crate::FluidRun) is.

use network::{Engine, Parameters, Parts, Traffic};
use reference::ReferenceEngine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The family of engines that computes the result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EngineFamily {
    /// Every packet, hop by hop.
    #[default]
    Packets,
    /// Flows that share links fairly.
    Fluid,
}

impl EngineFamily {
    pub(crate) fn is_default(&self) -> bool {
        *self == EngineFamily::default()
    }
}

/// Declares the engines: the description, name and family of each.
macro_rules! engines {
    ($($(#[$attribute:meta])* $engine:ident, $name:literal, $family:ident;)*) => {
        /// The available engines. The results of engines of packets are identical, digest included.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum EngineKind {
            $($(#[$attribute])* $engine,)*
        }

        impl EngineKind {
            /// All engines.
            pub const ALL: &[EngineKind] = &[$(EngineKind::$engine,)*];

            /// The name on the command line and in results.
            pub fn name(self) -> &'static str {
                match self {
                    $(EngineKind::$engine => $name,)*
                }
            }

            /// The family of the engine, which scenarios name.
            pub fn family(self) -> EngineFamily {
                match self {
                    $(EngineKind::$engine => EngineFamily::$family,)*
                }
            }
        }
    };
}

engines! {
    /// The reference: one event at a time, simple and slow.
    Reference, "reference", Packets;
    /// Time windows, swept in node order on one or more threads: fast.
    Windowed, "windowed", Packets;
    /// Flows without packets; its runs are instances of [`crate::FluidRun`], and have no checkpoints.
    Fluid, "fluid", Fluid;
}

impl EngineKind {
    /// The engines of packets.
    pub fn of_packets() -> impl Iterator<Item = EngineKind> {
        Self::ALL.iter().copied().filter(|engine| engine.family() == EngineFamily::Packets)
    }
}

/// All engines: pairs of a name and the value of `run.engine`.
pub fn engines() -> Value {
    EngineKind::ALL.iter().map(|engine| json!([engine.name(), engine.family()])).collect()
}

/// An engine of packets of this kind. Only the windowed one uses more than one thread, and
/// more than one process.
///
/// # Panics
/// If it is no engine of packets.
pub(crate) fn build_engine(
    kind: EngineKind,
    parameters: Parameters,
    traffic: Traffic,
    threads: usize,
    parts: &Parts,
) -> Box<dyn Engine> {
    match kind {
        EngineKind::Reference => Box::new(ReferenceEngine::new(parameters, traffic)),
        EngineKind::Windowed => windowed::new_engine_of_parts(parameters, traffic, threads, parts),
        EngineKind::Fluid => unreachable!("it has no packets"),
    }
}
