//! Trace: a recorded program. This file has only its parameters; the readers of traces are in the crate `traces`.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{CallOrigin, Kind, Senders};
use crate::options::parameters;
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::{RankWork, Recording};
use traces::TraceFormat;

parameters! {
    /// Ranks replay the communication recorded in an MPI trace.
    pub struct Trace: {
        /// Directory of the trace, or one of the files in it. Required.
        #[schemars(example = "traces/my-program")]
        pub path: String,
        #[doc = traces::format_help!()]
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

impl Kind for Trace {
    fn senders(&self) -> Senders {
        Senders::ranks(CallOrigin::Recorded)
    }

    fn plan(&self, _context: &Context) -> Result<Plan, WorkloadError> {
        require(!self.path.is_empty(), "path", || "empty: the trace's directory is needed".into())?;
        require(self.compute_scale >= 0.0 && self.compute_scale.is_finite(), "compute_scale", || {
            format!("{} is not a factor of 0 or more", self.compute_scale)
        })?;
        Ok(Plan::of(PlannedTraffic::Ranks(RankWork::Trace(Recording {
            path: self.path.clone(),
            format: self.format,
            compute_scale: self.compute_scale,
        }))))
    }
}
