//! The formats of traces: a reader for each, and the table of all.
//!
//! # To add one
//!
//! 1. A file or folder here with a reader, and the properties of its format: `pub const FORMAT: Format`. From recorded
//!    calls it builds a `Recorder` for each rank, which `join` compares. From operations that wait for one another it
//!    builds a `RankGraph`, which refuses circles.
//! 2. Its module and its row of `formats!` in this file, before the formats that would take its files for theirs. The
//!    row's doc comment is the help that users see.
//! 3. A sample in `samples` of `tests/encoded/mod.rs`, which the compiler requires: the fuzz test garbles it.
//! 4. A writer, and its row of `FORMATS`, in `tests/written_traces.py`: the same program in all formats is the same
//!    program. Recordings, which only torusim writes, have `tests/test_recordings.py`.
//! 5. A row in the table of `docs/models/messages.md`. `tests/test_traces.py` compares these rows, and those of the step
//!    before, with this file.
//!
//! A reader must keep to these rules:
//!
//! - It reports to the recorder when calls begin and end, with [`Call`](mpi::Call)s in which communicators are handles.
//!   `join` follows all ranks at once, turns handles into numbers, and checks that peers and roots are in range and
//!   that all ranks of a communicator call the same collectives, of lengths that agree. A property that calls lack
//!   is added to `mpi` first.
//! - A receive is one of the recorder's `Receives`: it has the length of its buffer as its room, and ends its rank if
//!   it matches a longer message, which becomes an error with the receive's place.
//! - Requests need numbers that are free when they begin (`requests`), as MPI refuses others. So a request that has not
//!   been waited for is waited for before its name is used again.
//! - A trace has at least one rank; lengths are those of messages; times sum to at most 2^62 ps.
//! - Damaged input is refused with the file and the place in it, and no file is read whole that may have no end
//!   (`files`).

pub mod chakra;
pub mod dumpi;
pub mod goal;
pub mod liballprof;
pub mod otf2;
pub mod recording;

use crate::error::{Place, TraceError};
use crate::files::{Contents, Recognizer};
use crate::rank::Part;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Reads the contents of the files of all ranks, in order.
type Parser = fn(Vec<Contents>) -> Result<Vec<Part>, TraceError>;

/// The properties of a format.
pub struct Format {
    /// Whether a file with this name and beginning is one of a trace in this format.
    pub is_file: Recognizer,
    /// Reads a trace: a directory, or one of the files in it.
    pub read: fn(&Path) -> Result<Vec<Part>, TraceError>,
    /// Reads a trace from the contents of its files; none if their library reads them.
    pub parse: Option<Parser>,
    /// The place in a file that a number denotes.
    pub place: fn(u64) -> Place,
}

/// Declares the formats: the help that users see, the variant, and the module, whose name scenarios have.
macro_rules! formats {
    ($($(#[$help:meta])+ $Variant:ident = $module:ident,)+) => {
        /// The help of a parameter that names a format.
        #[macro_export]
        macro_rules! format_help {
            () => {
                concat!(
                    "Format of the trace: \"auto\" (recognized by its content)",
                    $(", \"", stringify!($module), "\"",)+
                    ". Default \"auto\""
                )
            };
        }

        /// Formats of traces.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum TraceFormat {
            /// Recognized by the content of the files.
            #[default]
            Auto,
            $($(#[$help])+ $Variant,)+
        }

        impl TraceFormat {
            /// The formats with a reader, in the order in which the format of a file is looked for.
            pub const ALL: &'static [Self] = &[$(TraceFormat::$Variant,)+];

            /// The name, as a scenario has it.
            pub fn name(self) -> &'static str {
                match self {
                    TraceFormat::Auto => "auto",
                    $(TraceFormat::$Variant => stringify!($module),)+
                }
            }

            /// The properties of the format; none if it is to be recognized.
            pub(crate) fn declared(self) -> Option<&'static Format> {
                match self {
                    TraceFormat::Auto => None,
                    $(TraceFormat::$Variant => Some(&$module::FORMAT),)+
                }
            }
        }
    };
}

formats! {
    /// One text file for each rank, as written by liballprof.
    Liballprof = liballprof,
    /// One binary file for each rank, as written by SST-DUMPI.
    Dumpi = dumpi,
    /// A schedule of the Group Operation Assembly Language as text, as read by LogGOPSim.
    Goal = goal,
    /// Execution traces of MLCommons Chakra.
    Chakra = chakra,
    /// An archive of the Open Trace Format 2, as written by Score-P.
    Otf2 = otf2,
    /// A recording of a program that torusim has run (`torusim mpirun --record`).
    Recording = recording,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_name_formats_as_messages_do() {
        let schema = schemars::schema_for!(TraceFormat).to_value();
        let choices = schema["oneOf"].as_array().unwrap().iter();
        let named: Vec<&str> = choices.map(|choice| choice["const"].as_str().unwrap()).collect();
        let formats = [TraceFormat::Auto].into_iter().chain(TraceFormat::ALL.iter().copied());
        assert_eq!(named, formats.map(TraceFormat::name).collect::<Vec<_>>());
    }
}
