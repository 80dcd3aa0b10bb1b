//! The formats of traces, by name.

pub mod chakra;
pub mod dumpi;
pub mod goal;
pub mod liballprof;
pub mod otf2;

use crate::error::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Formats of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceFormat {
    /// Recognized by the content of the files.
    #[default]
    Auto,
    /// One text file for each rank, as written by liballprof.
    Liballprof,
    /// One binary file for each rank, as written by SST-DUMPI.
    Dumpi,
    /// A schedule of the Group Operation Assembly Language as text, as read by LogGOPSim.
    Goal,
    /// Execution traces of MLCommons Chakra.
    Chakra,
    /// An archive of the Open Trace Format 2, as written by Score-P.
    Otf2,
}

impl TraceFormat {
    /// A place in a file of this format.
    pub(crate) fn place(self, number: u64) -> Place {
        match self {
            TraceFormat::Liballprof | TraceFormat::Goal => Place::Line(number),
            TraceFormat::Otf2 => Place::Record(number),
            TraceFormat::Dumpi | TraceFormat::Chakra | TraceFormat::Auto => Place::Byte(number),
        }
    }

    /// The name, as a scenario has it.
    pub fn name(self) -> &'static str {
        match self {
            TraceFormat::Auto => "auto",
            TraceFormat::Liballprof => "liballprof",
            TraceFormat::Dumpi => "dumpi",
            TraceFormat::Goal => "goal",
            TraceFormat::Chakra => "chakra",
            TraceFormat::Otf2 => "otf2",
        }
    }
}
