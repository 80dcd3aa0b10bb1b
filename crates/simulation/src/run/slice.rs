//! The number of cycles to run before checking the wall clock.

use std::time::Duration;

/// The first and shortest slice, in cycles: several windows of usual machines. An engine visits the nodes of a window that
/// is cut in two twice.
const SHORTEST_SLICE_CYCLES: u64 = 64;

/// Target wall time of a slice: short enough to keep any budget, long enough for negligible overhead.
const SLICE_TARGET: Duration = Duration::from_millis(20);

/// The length of a slice, adapted to the speed of the run. Results do not depend on it.
pub(super) struct Slice {
    cycles: u64,
}

impl Slice {
    pub(super) fn new() -> Self {
        Slice { cycles: SHORTEST_SLICE_CYCLES }
    }

    pub(super) fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Slices of this length, until they adapt.
    #[cfg(test)]
    pub(super) fn of(cycles: u64) -> Self {
        Slice { cycles }
    }

    /// Adapts to a slice of `cycles` cycles that took `spent`.
    pub(super) fn adapt(&mut self, cycles: u64, spent: Duration) {
        if spent > SLICE_TARGET * 2 {
            self.cycles = (cycles / 2).max(SHORTEST_SLICE_CYCLES);
        } else if spent < SLICE_TARGET / 2 && cycles >= self.cycles {
            self.cycles = self.cycles.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_adapt_to_the_speed() {
        let mut slice = Slice::new();
        for _ in 0..10 {
            slice.adapt(slice.cycles(), Duration::from_millis(1));
        }
        assert_eq!(slice.cycles(), SHORTEST_SLICE_CYCLES << 10);
        slice.adapt(slice.cycles(), Duration::from_secs(1));
        assert_eq!(slice.cycles(), SHORTEST_SLICE_CYCLES << 9);
        slice.adapt(1, Duration::from_micros(1));
        assert_eq!(
            slice.cycles(),
            SHORTEST_SLICE_CYCLES << 9,
            "a slice cut short by a boundary says nothing"
        );
    }
}
