//! The Python bindings: plain data in, plain data out.
//!
//! ```text
//!   Python: text, JSON, (path, JSON, origin)  -->  Scenario --> Run --advance--> Progress
//!   Python: JSON, NumPy arrays                <--  RunResult <--finish--|
//!   Python: a program's ranks    <-- arrays of a batch -->  Run --advance
//! ```
//!
//! Nested data is passed as JSON text, columns as NumPy arrays. The bindings only convert arguments and results: the
//! crates below check the input, and Python formats and plots. The GIL is released while the engine runs, so that other
//! Python threads run and Ctrl-C takes effect between two calls of `advance`.

#![forbid(unsafe_code)]

mod engine;
mod machine_room;
mod mapping;
mod mpi_libraries;
mod otf2;
mod peers;
mod processes;
mod program;
mod program_calls;
mod resumed;
mod run;
mod scenario;
mod schedule;
mod sheet;
mod table;
mod twists;

use pyo3::prelude::*;

mod error {
    //! The one exception of the package, for invalid input.
    // The macro's public items cannot carry their own doc comments.
    #![allow(missing_docs)]
    pyo3::create_exception!(
        torusim,
        InputError,
        pyo3::exceptions::PyValueError,
        "A scenario, file or option that cannot be used; its text says where, what, and what would be right."
    );
}

pub use error::InputError;

/// A Python `InputError` with the message of a Rust error.
fn input_error(error: impl std::fmt::Display) -> PyErr {
    InputError::new_err(error.to_string())
}

/// The compiled part of torusim.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::error::InputError;
    #[pymodule_export]
    use crate::machine_room::{Catalogue, MachineRoom, Partition, known_rooms};
    #[pymodule_export]
    use crate::mapping::{MappingSearch, Mappings};
    #[pymodule_export]
    use crate::mpi_libraries::mpi_libraries;
    #[pymodule_export]
    use crate::peers::{LostProcessError, Peers};
    #[pymodule_export]
    use crate::processes::{Processes, program_file};
    #[pymodule_export]
    use crate::program::{Cartesian, Lengths, Members, Outcome, PlacedRanks, program_records};
    #[pymodule_export]
    use crate::program_calls::ProgramCalls;
    #[pymodule_export]
    use crate::run::{Progress, Run, RunResult, engines, quantities, truncation};
    #[pymodule_export]
    use crate::scenario::{
        Scenario, catalog, check, hot_flows, messages, parse_override, resolve, resolve_plain,
        resolve_program, schema, template, view,
    };
    #[pymodule_export]
    use crate::schedule::{Schedule, ScheduleResult, quantities_of_schedules, rules_of_schedules};
    #[pymodule_export]
    use crate::twists::best_twists;
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const NEGLIGIBLE_ESCAPE_SHARE: f64 = simulation::NEGLIGIBLE_ESCAPE_SHARE;

    /// Sets everything that is set once.
    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        simulation::set_otf2_locator(crate::otf2::library);
        simulation::set_sheet_reader(crate::sheet::read);
        Ok(())
    }
}
