//! Substitutes for requested times that a log lacks.

use super::{LONGEST_RUN, Remark};
use crate::draws::uniform;

/// Requested times are multiples of a quarter of an hour, because users round (Tsafrir, Etsion and Feitelson: Modeling
/// user runtime estimates, 2005, found that 20 round values make up most requests).
const ROUNDED_TO_SECONDS: i64 = 900;

/// How a missing requested time is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walltimes {
    /// The run time, as if users knew it.
    Exact,
    /// Uniform between the run time and `factor` times it, rounded up to a quarter of an hour (Mu'alem and Feitelson,
    /// IEEE TPDS 12(6), 2001, section 4).
    Modelled {
        /// The maximum in run times, at least 1.
        factor: u32,
        /// Seed of the draws.
        seed: u64,
    },
}

impl Walltimes {
    pub(super) fn remark(&self) -> Remark {
        match self {
            Walltimes::Exact => Remark::WalltimeFromRun,
            Walltimes::Modelled { .. } => Remark::WalltimeModelled,
        }
    }

    /// The requested time of the job `id` with run time `run`.
    pub fn of(&self, id: i64, run: i64) -> i64 {
        match *self {
            Walltimes::Exact => run,
            Walltimes::Modelled { factor, seed } => {
                let beyond = f64::from(factor - 1) * uniform(seed, id as u64, WALLTIME_PURPOSE);
                let request = run.saturating_add((run as f64 * beyond) as i64).min(LONGEST_RUN);
                ((request / ROUNDED_TO_SECONDS + 1) * ROUNDED_TO_SECONDS).min(LONGEST_RUN)
            }
        }
    }
}

const WALLTIME_PURPOSE: u64 = 1;
