//! WFP, the policy of Intrepid (paper 004, section 4.3): it aims at short waits *relative to the requested time* and
//! favors large jobs. score = (wait / requested time)^exponent x nodes.

use super::{Moment, Scoring};
use crate::job::Job;
use crate::queue_settings::QueueSettings;
use crate::site_settings::Wrong;

/// The parameters of WFP, which vary between releases of Cobalt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wfp {
    /// The exponent of wait over requested time.
    pub exponent: f64,
}

impl Scoring for Wfp {
    fn new(settings: &QueueSettings) -> Result<Self, Wrong> {
        Ok(Wfp { exponent: settings.wfp_exponent })
    }

    fn score(&self, job: &Job, moment: Moment<'_>) -> f64 {
        let waited = (moment.now - job.submit) as f64 / job.walltime as f64;
        power(waited, self.exponent) * f64::from(job.nodes)
    }
}

/// The power, by multiplication if the exponent is a small integer; the result is then identical on all hosts.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    const LARGEST_WHOLE: f64 = 64.0;
    if exponent.fract() != 0.0 || exponent.abs() > LARGEST_WHOLE {
        return base.powf(exponent);
    }
    let product = (0..exponent.abs() as u32).fold(1.0, |product, _| product * base);
    if exponent < 0.0 { 1.0 / product } else { product }
}
