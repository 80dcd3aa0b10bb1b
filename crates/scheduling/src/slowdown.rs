//! What a partition with an open dimension costs a job: a number of parts per million of its run time, so that times
//! stay integers.

use crate::job::Job;
use machine_room::Partition;

/// A rule of a table; what is none fits all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The application, as the log numbers it.
    pub application: Option<i32>,
    /// Nodes of the partition.
    pub nodes: Option<u32>,
    /// Its shape, as `8x8x16`.
    pub shape: Option<String>,
    /// Of the run time on a torus.
    pub parts_per_million: u64,
}

/// How much longer jobs run on partitions that have open dimensions: the first rule of the table that fits, or else the
/// same for all. A prediction of the network model is such a table, worked out beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slowdown {
    /// For what no rule fits.
    pub parts_per_million: u64,
    /// The first that fits holds.
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

    /// For a job on a partition with an open dimension.
    pub fn parts_per_million(&self, job: &Job, partition: &Partition) -> u64 {
        let fits = |rule: &&Rule| {
            rule.application.is_none_or(|application| application == job.application)
                && rule.nodes.is_none_or(|nodes| nodes == partition.nodes())
                && rule.shape.as_ref().is_none_or(|shape| *shape == shape_in_words(partition))
        };
        self.rules.iter().find(fits).map_or(self.parts_per_million, |rule| rule.parts_per_million)
    }

    /// A time at a pace, rounded to the nearest second.
    pub fn stretch(seconds: i64, parts_per_million: u64) -> i64 {
        if parts_per_million == Slowdown::ONE {
            return seconds;
        }
        ((i128::from(seconds) * i128::from(parts_per_million) + 500_000) / 1_000_000) as i64
    }
}

fn shape_in_words(partition: &Partition) -> String {
    let shape = partition.shape();
    let lengths: Vec<String> =
        (0..shape.dimensions()).map(|dimension| shape.lengths()[dimension].to_string()).collect();
    lengths.join("x")
}
