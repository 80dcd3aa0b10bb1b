//! Mean, percentiles and maximum of a set of numbers.

use serde::Serialize;

/// The statistics of a set of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Statistics {
    /// The arithmetic mean.
    pub mean: f64,
    /// The 50th percentile.
    pub median: f64,
    /// The 90th percentile: the smallest number that 90 % do not exceed (nearest rank).
    pub p90: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

impl Statistics {
    /// The statistics of these numbers; `None` if there are none.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let max = *sorted.last()?;
        let rank = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1];
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Some(Statistics { mean, median: rank(50), p90: rank(90), p99: rank(99), max })
    }
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn nearest_ranks() {
        let statistics = Statistics::of((1..=10).map(f64::from)).unwrap();
        assert_eq!(
            (statistics.mean, statistics.median, statistics.p90, statistics.max),
            (5.5, 5.0, 9.0, 10.0)
        );
        assert_eq!(statistics.p99, 10.0);
        assert_eq!(Statistics::of(std::iter::empty()), None);
    }
}
