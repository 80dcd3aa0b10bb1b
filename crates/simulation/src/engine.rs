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

impl EngineKind {
    /// The engine that runs traffic on a machine where this kind is asked for, and why if it is another.
    pub(crate) fn for_run(
        self,
        parameters: &Parameters,
        traffic: &Traffic,
    ) -> (EngineKind, Option<&'static str>) {
        let lack = match self {
            EngineKind::Reference => None,
            EngineKind::Windowed => network::windowed::lack(parameters, traffic),
        };
        (if lack.is_some() { EngineKind::Reference } else { self }, lack)
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

/// Bytes of state that a run of such traffic will hold; without traffic, the least that any will.
pub(crate) fn estimate_state_bytes(parameters: &Parameters, traffic: Option<&Traffic>) -> u64 {
    network::windowed::estimate_state_bytes(parameters, traffic)
}
