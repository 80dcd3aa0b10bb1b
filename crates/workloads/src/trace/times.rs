//! From recorded time to processor cycles.

use base::ParameterError;
use base::clock::ClockRatio;
use serde::{Deserialize, Serialize};

/// Converts recorded computation to network cycles, in fixed point so that no event depends on floating-point rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeScale {
    /// Cycles per microsecond of computation, times 2^32.
    cycles_per_microsecond: u64,
}

impl TimeScale {
    /// `cycles_per_microsecond` is that of the machine (175 at 175 MB/s). `compute_scale` multiplies computation,
    /// so 1 is as recorded and 0 removes it.
    ///
    /// # Errors
    /// When one is outside its range.
    pub fn new(cycles_per_microsecond: f64, compute_scale: f64) -> Result<Self, ParameterError> {
        range("cycles_per_microsecond", cycles_per_microsecond, 1e6)?;
        range("compute_scale", compute_scale, 1e3)?;
        let scaled = cycles_per_microsecond * compute_scale * (1u64 << 32) as f64;
        Ok(TimeScale { cycles_per_microsecond: scaled.round() as u64 })
    }

    /// The cycles of `compute_ps` picoseconds of computation, rounded down.
    pub fn cycles(&self, compute_ps: u64) -> u64 {
        let cycles = u128::from(compute_ps) * u128::from(self.cycles_per_microsecond) / (1_000_000 << 32);
        u64::try_from(cycles).unwrap_or(u64::MAX)
    }
}

fn range(key: &'static str, value: f64, high: f64) -> Result<(), ParameterError> {
    if (0.0..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from 0 to {high}") })
}

/// Converts recorded computation to processor cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) scale: TimeScale,
    pub(super) clock: ClockRatio,
}

impl Times {
    pub fn cycles(&self, compute_ps: u64) -> u64 {
        self.clock.processor_cycle_of(self.scale.cycles(compute_ps))
    }
}
