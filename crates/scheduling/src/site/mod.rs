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
//!
//! # To add a limit
//!
//! 1. A field of `Limits`, and its line in `refusal` or `admits` (`queues.rs`). A refusal has a `Reason`
//!    (`state.rs`).
//! 2. Its key in `QueueTable` (`site_settings.rs`), with its check in `check_queues`, and where limits are
//!    made of tables.
//! 3. A promise in `scheduling/tests/site.rs`, which draws random sites.
//! 4. A row in `docs/models/queue.md`.
//!
//! What is left out of a description must cost nothing and change nothing. Backfilling asks `State::admits`
//! before it tries a job, and reports to `State::claim` when it gives a reservation. Machines ask
//! `Job::access` which advance reservations are closed to a job (`closed_until` in `machine/room.rs`;
//! `machine/reserved_plain.rs` is a machine of its own, so that plain nodes stay fast).

mod dependencies;
mod queues;
mod reservations;

pub use dependencies::{Dependencies, Edge};
pub(crate) use dependencies::{Pending, Release};
pub use queues::{JobQueue, Limits};
pub(crate) use queues::{NO_QUEUE, Usage, decrease};
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
