//! A job as the queue sees it. Times are whole seconds on the clock of the log, whatever its origin.

/// A job: its request and its actual run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// When it is submitted.
    pub submit: i64,
    /// The number in the log, not always unique. It orders jobs of equal submit time and selects their random draws.
    pub id: i64,
    /// The run time without slowdown, at least 0.
    pub run: i64,
    /// The requested time, at least 1.
    pub walltime: i64,
    /// The requested nodes, at least 1.
    pub nodes: u32,
    /// The number of its user; negative if unknown.
    pub user: i32,
    /// The number of its application, as in the log; negative if unknown.
    pub application: i32,
    /// Whether it requires a torus; other jobs may get a mesh.
    pub requires_torus: bool,
    /// The number of its [details](crate::log::Details) in the log; 0 if it has none.
    pub details: u32,
    /// The number of its queue, counted from 1; 0 if it is in none.
    pub queue: u16,
    /// The class of access: which advance reservations the job may not use (see
    /// [`AdvanceReservations`](crate::site::AdvanceReservations)); 0 if it may use all.
    pub access: u16,
}

/// Sorts jobs into the order in which they are numbered: by (submit, id), then by all other fields. The order of the
/// lines of a file therefore does not matter.
pub fn sort(jobs: &mut [Job]) {
    jobs.sort_unstable();
}
