//! Trace: a recorded program. This file has only its parameters; the reader of traces is in `trace`.

use crate::options::parameters;
use crate::plan::{Context, Plan, PlannedTraffic, RankWork, WorkloadError, require};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

parameters! {
    /// Ranks replay the communication recorded in an MPI trace.
    pub struct Trace: {
        /// Directory of the trace, or one of the files in it. Required.
        pub path: String,
        /// Format of the trace: "auto" (recognized by its content), "liballprof", "dumpi", "goal", "chakra" or "otf2".
        /// Default "auto".
        #[serde(default)]
        pub format: TraceFormat,
        /// Factor that multiplies the recorded compute time, 0 to 1000. Default 1.
        #[serde(default = "unscaled")]
        pub compute_scale: f64,
    }
}

fn unscaled() -> f64 {
    1.0
}

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

impl Trace {
    pub(crate) fn plan(&self, _context: &Context) -> Result<Plan, WorkloadError> {
        require(!self.path.is_empty(), "path", || "empty: the trace's directory is needed".into())?;
        require(self.compute_scale >= 0.0 && self.compute_scale.is_finite(), "compute_scale", || {
            format!("{} is not a factor of 0 or more", self.compute_scale)
        })?;
        Ok(Plan {
            traffic: PlannedTraffic::Ranks(RankWork::Trace(self.clone())),
            bound: None,
            total_packets: None,
            mean_hops: None,
            offered_packets_per_cycle: None,
            mean_packet_bytes: None,
            ends: true,
            flows: None,
        })
    }
}
