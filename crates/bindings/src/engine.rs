//! Engines of packets, by their names.

use crate::input_error;
use pyo3::prelude::*;
use simulation::EngineKind;

/// The engine of packets with a name.
pub fn engine_kind(name: &str) -> PyResult<EngineKind> {
    EngineKind::of_packets().find(|engine| engine.name() == name).ok_or_else(|| {
        let known: Vec<String> =
            EngineKind::of_packets().map(|engine| format!("{:?}", engine.name())).collect();
        input_error(format!("engine: {name:?} is not known; it can be {}", known.join(" or ")))
    })
}
