//! WFP, the policy of Intrepid (paper 004, section 4.3): it aims at short waits *relative to the requested time* and
//! favors large jobs. score = (wait / requested time)^exponent x nodes.

use crate::job::Job;

/// The parameters of WFP, which vary between releases of Cobalt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wfp {
    /// The exponent of wait over requested time.
    pub exponent: f64,
}

impl Default for Wfp {
    fn default() -> Self {
        // assumed: 3, as in the site's own descriptions of the policy; paper 004 does not give it.
        Wfp { exponent: 3.0 }
    }
}

impl Wfp {
    pub(super) fn score(&self, job: &Job, now: i64) -> f64 {
        let waited = (now - job.submit) as f64 / job.walltime as f64;
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
