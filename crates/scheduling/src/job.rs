//! A job as the queue knows it. Times are whole seconds of the log, counted from wherever it counts.

/// A job: what was asked for, and what it then did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// When it is submitted.
    pub submit: i64,
    /// Its number in the log. Not always unique, so nothing relies on that but the order of equals.
    pub id: i64,
    /// How long it runs where nothing slows it down, at least 0.
    pub run: i64,
    /// The time that was asked for, at least 1.
    pub walltime: i64,
    /// The nodes that were asked for, at least 1.
    pub nodes: u32,
    /// Who submitted it; negative where unknown.
    pub user: i32,
    /// What it runs, as the log numbers it; negative where unknown.
    pub application: i32,
    /// Whether it asks for a torus, where jobs of its size get a mesh otherwise.
    pub asks_torus: bool,
}

/// Puts jobs into the order in which everything is numbered: by (submit, id), and by all else where those are equal, so
/// that the order of a file's lines never decides anything.
pub fn sort(jobs: &mut [Job]) {
    jobs.sort_unstable();
}
