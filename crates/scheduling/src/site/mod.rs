//! What a site adds to a queue: queues with limits and priorities, advance reservations, dependencies between jobs.
//!
//! ```text
//!   log's details + tables of the description --> queue and access of each job, dependencies
//!                                                     |
//!   arrival --> dependencies: now, or after jobs before it --> queues: refuse, or wait
//!   pass    --> queues: order by priority; a job that a limit holds is passed over
//!               machine: no place that an advance reservation keeps for others
//! ```
//!
//! A site without any of them is [`Site::default`], which changes nothing and costs nothing.

mod dependencies;
mod queues;
mod reservations;

pub use dependencies::{Dependencies, Edge};
pub(crate) use dependencies::{Pending, Release};
pub use queues::{JobQueue, Limits};
pub(crate) use queues::{NO_QUEUE, Usage};
pub use reservations::{AdvanceReservation, AdvanceReservations};

/// The rules of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Site {
    /// The queues; [`Job::queue`](crate::job::Job::queue) counts them from 1.
    pub queues: Vec<JobQueue>,
    /// The advance reservations, as the machine has them too.
    pub reservations: AdvanceReservations,
    /// The jobs that others wait for.
    pub dependencies: Dependencies,
}
