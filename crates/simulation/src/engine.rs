//! The engines that run scenarios.

use network::reference::ReferenceEngine;
use network::{Engine, Parameters, Traffic};
use serde::{Deserialize, Serialize};

/// The available engines. Their results are identical, digest included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineKind {
    /// The reference: one event at a time, simple and slow.
    Reference,
    /// Time windows, swept in node order on one or more threads: fast.
    Windowed,
}

impl EngineKind {
    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Reference => "reference",
            EngineKind::Windowed => "windowed",
        }
    }
}

/// An engine of this kind; only the windowed one uses more than one thread.
pub(crate) fn build_engine(
    kind: EngineKind,
    parameters: Parameters,
    traffic: Traffic,
    threads: usize,
) -> Box<dyn Engine> {
    match kind {
        EngineKind::Reference => Box::new(ReferenceEngine::new(parameters, traffic)),
        EngineKind::Windowed => network::windowed::new_engine(parameters, traffic, threads),
    }
}
