//! Which engine runs a scenario.

use network::reference::ReferenceEngine;
use network::{Engine, Parameters, Traffic};
use serde::{Deserialize, Serialize};

/// The engines there are. Both give the same results, to the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineKind {
    /// One event at a time, plainly written, slow: the truth.
    Reference,
    /// Windows swept in node order, on one or several threads: fast.
    Windowed,
}

impl EngineKind {
    /// As the command line and results name it.
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
