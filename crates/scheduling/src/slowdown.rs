//! The slowdown of a job on a partition with an open dimension: a factor on its run time in parts per million, so that
//! times stay integers.

use crate::job::Job;
use machine_room::Partition;

/// A rule of a slowdown table; a condition that is `None` always matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The number of the application, as in the log.
    pub application: Option<i32>,
    /// Nodes of the partition.
    pub nodes: Option<u32>,
    /// Shape of the partition, such as `8x8x16`, or with its open dimensions, such as `8x8x16m`.
    pub shape: Option<String>,
    /// Run time relative to that on a torus.
    pub parts_per_million: u64,
}

/// The slowdown of jobs on partitions that have open dimensions: that of the first matching rule of the table, or else
/// a uniform one. Predictions of the network model can be given as such a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slowdown {
    /// The factor if no rule matches.
    pub parts_per_million: u64,
    /// The first matching rule applies.
    pub rules: Vec<Rule>,
}

impl Default for Slowdown {
    fn default() -> Self {
        Slowdown { parts_per_million: Slowdown::ONE, rules: vec![] }
    }
}

impl Slowdown {
    /// No slowdown.
    pub const ONE: u64 = 1_000_000;

    /// The factor for a job on a partition with an open dimension.
    pub fn parts_per_million(&self, job: &Job, partition: &Partition) -> u64 {
        let fits = |rule: &&Rule| {
            rule.application.is_none_or(|application| application == job.application)
                && rule.nodes.is_none_or(|nodes| nodes == partition.nodes())
                && rule.shape.as_ref().is_none_or(|shape| is_of_shape(partition, shape))
        };
        self.rules.iter().find(fits).map_or(self.parts_per_million, |rule| rule.parts_per_million)
    }

    /// A time multiplied by a factor, rounded to the nearest second.
    pub fn stretch(seconds: i64, parts_per_million: u64) -> i64 {
        if parts_per_million == Slowdown::ONE {
            return seconds;
        }
        ((i128::from(seconds) * i128::from(parts_per_million) + 500_000) / 1_000_000) as i64
    }
}

/// Whether a partition has these lengths, and open the dimensions that are marked if any is.
fn is_of_shape(partition: &Partition, text: &str) -> bool {
    let marked = partition.shape().to_string();
    text == marked || text == marked.replace(OPEN, "")
}

/// The letter that follows the length of an open dimension.
const OPEN: char = 'm';
