//! Failures of ranks whose programs run outside the simulator, which only the world outside knows.

/// The way in which a rank outside has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Its program has ended the run, or has made a call that MPI does not allow.
    Aborted,
    /// Its process has ended before its program has.
    RankDied,
    /// Its process has not answered in time.
    RankTimeout,
}

impl FailureKind {
    /// The outcome of the run.
    pub fn outcome(self) -> &'static str {
        match self {
            FailureKind::Aborted => "aborted",
            FailureKind::RankDied => "rank-died",
            FailureKind::RankTimeout => "rank-timeout",
        }
    }
}

/// The failure of a rank outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The way in which the rank has failed.
    pub kind: FailureKind,
    /// The failure in a sentence without its time: "rank 1 was killed by SIGSEGV after MPI_Irecv (call 17)".
    pub words: String,
    /// The exit status, or the error code, if there is one.
    pub code: Option<i32>,
}
