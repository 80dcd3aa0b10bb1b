//! Machines that jobs are allocated on: plain nodes, or a room of midplanes and cables.
//!
//! ```text
//!   queue: order, events  --Request-->  Machine: find, take and release a place
//!                                         |  hold: reserves a place and a time for the head job
//!                                         |  plan: reservations of all waiting jobs
//!                                         +-- Plain   a place is a number of nodes
//!                                         +-- ReservedPlain  the same, with advance reservations
//!                                         +-- Room    a place is a partition: midplanes and cables
//! ```
//!
//! The machine does not know order or policy, and the queue does not know what a place consists of.

mod allocation;
mod plain;
mod reserved_plain;
mod room;

pub use allocation::Allocation;
pub use plain::Plain;
pub use reserved_plain::{Booking, ReservedPlain};
pub use room::{ReservationTimes, Room, RoomParts, Wirings};

use crate::job::Job;
use std::fmt::Debug;

/// A job's request for a place at a time.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The job.
    pub job: &'a Job,
    /// The time of the start.
    pub now: i64,
}

/// A job or an outage that holds a place, and its expected end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running<P> {
    /// The end by the requested time, or the time of the repair.
    pub expected_end: i64,
    /// The number of the job, or [`OUTAGE`].
    pub job: u32,
    /// The place that it holds.
    pub place: P,
}

/// A place that became free in the plan, until the time at which it was planned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed<P> {
    /// The place.
    pub place: P,
    /// The end of the time that became free.
    pub until: i64,
}

/// The job number of an outage that holds a place.
pub const OUTAGE: u32 = u32::MAX;

impl<P> Running<P> {
    /// The expected end as of `now`: a job that has overrun its request is always expected to end in the next second.
    pub fn end_seen_from(&self, now: i64) -> i64 {
        self.expected_end.max(now + 1)
    }
}

/// A place and a time that are reserved for a waiting job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reservation<P> {
    /// The place.
    pub place: P,
    /// The start.
    pub from: i64,
    /// The end by the requested time.
    pub until: i64,
    /// The number of places freed until the last attempt to move it forward.
    pub seen: usize,
}

/// Why a job cannot start although it requests no more nodes than are idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A place is free, but the order or a reservation of another job keeps it from starting.
    Reservation,
    /// A partition of its size has only idle nodes, but some of its cables are in use.
    Cables,
    /// The idle nodes do not form a partition of its size.
    Nodes,
}

/// A part of the machine that can fail or be reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// This many nodes of a plain machine.
    Nodes(u32),
    /// A midplane of a room, by name.
    Midplane(String),
    /// A cable of a room, by name.
    Cable(String),
    /// Midplanes of a room, by name; these can only be reserved.
    Midplanes(Vec<String>),
    /// A partition of a room, by name: its midplanes and its cables; it can only be reserved.
    Partition(String),
}

impl Part {
    /// The nodes of the part, on a plain machine.
    ///
    /// # Panics
    /// If it is a part of a room.
    pub(crate) fn plain_nodes(&self) -> u32 {
        match self {
            Part::Nodes(nodes) => *nodes,
            Part::Midplane(_) | Part::Cable(_) | Part::Midplanes(_) | Part::Partition(_) => {
                unreachable!("a plain machine has nodes alone")
            }
        }
    }

    /// The name of the midplane that fails with it.
    pub(crate) fn failed_midplane(&self) -> Option<&str> {
        match self {
            Part::Midplane(name) => Some(name),
            Part::Nodes(_) | Part::Cable(_) | Part::Midplanes(_) | Part::Partition(_) => None,
        }
    }

    /// Whether equal ones that fail at the same time are different parts of the machine.
    pub(crate) fn adds_up(&self) -> bool {
        match self {
            Part::Nodes(_) => true,
            Part::Midplane(_) | Part::Cable(_) | Part::Midplanes(_) | Part::Partition(_) => false,
        }
    }
}

/// A machine whose resources are allocated to jobs.
pub trait Machine {
    /// The resources of one job: a number of nodes, or a partition.
    type Place: Copy + Debug + PartialEq;
    /// Reservations of waiting jobs, which other jobs must not delay.
    type Reservations: Default;
    /// The planned use of the machine over time, by requested times.
    type Plan;

    /// The total number of nodes.
    fn nodes(&self) -> u32;
    /// Nodes that neither a job nor an outage holds.
    fn idle_nodes(&self) -> u32;
    /// The nodes of a place.
    fn nodes_of(&self, place: Self::Place) -> u32;
    /// The nodes that the machine allocates to the job; `None` if the idle machine could not hold it.
    fn granted(&self, job: &Job) -> Option<u32>;

    /// How long a job runs at a place.
    fn run_at(&self, job: &Job, _place: Self::Place) -> i64 {
        job.run
    }
    /// The requested time of a job at a place: it is stretched by the same slowdown as the run time.
    fn walltime_at(&self, job: &Job, _place: Self::Place) -> i64 {
        job.walltime
    }

    /// A free place where the job delays no reservation.
    fn find(&self, request: Request<'_>, held: &Self::Reservations) -> Option<Self::Place>;
    /// A free place outside all reservations, however short the job is.
    fn find_unreserved(&self, request: Request<'_>, held: &Self::Reservations) -> Option<Self::Place>;
    /// Allocates a place.
    fn take(&mut self, place: Self::Place);
    /// Releases a place.
    fn release(&mut self, place: Self::Place);

    /// Cancels all reservations.
    fn clear_reservations(&self, held: &mut Self::Reservations);
    /// No reservations.
    fn no_reservations(&self) -> Self::Reservations {
        let mut held = Self::Reservations::default();
        self.clear_reservations(&mut held);
        held
    }
    /// Reserves the place that becomes free first for the job, and returns the time; `None` if the end of everything
    /// that runs would not let it start.
    fn hold(
        &self,
        request: Request<'_>,
        running: &[Running<Self::Place>],
        held: &mut Self::Reservations,
    ) -> Option<i64>;
    /// Reserves the first place by name that could hold the job, whether or not it is free or reserved. By default all
    /// places of a size are alike, as in switched rooms.
    fn drain_first(
        &self,
        request: Request<'_>,
        running: &[Running<Self::Place>],
        held: &mut Self::Reservations,
    ) {
        self.hold(request, running, held);
    }
    /// Accounts for a job that takes a place until `end` without delaying a reservation.
    fn account_for(&self, _held: &mut Self::Reservations, _place: Self::Place, _end: i64) {}

    /// The plan of the running jobs and outages, and of the reservations of waiting jobs. `None` if a reservation no
    /// longer holds, because jobs overran their requests, or because of an outage.
    fn plan(
        &self,
        running: &[Running<Self::Place>],
        reservations: &[Reservation<Self::Place>],
        now: i64,
    ) -> Option<Self::Plan>;
    /// The earliest start of the job by the plan, and its place; `None` if it can never start.
    fn earliest(&self, plan: &Self::Plan, request: Request<'_>) -> Option<(i64, Self::Place)>;
    /// An earlier start, or a place with a lower number at the same time, for a job with the reservation `own`; `freed`
    /// is all that became free since it had none.
    fn earlier(
        &self,
        plan: &mut Self::Plan,
        request: Request<'_>,
        own: &Reservation<Self::Place>,
        _freed: &[Freed<Self::Place>],
    ) -> Option<(i64, Self::Place)> {
        self.remove(plan, own);
        let found = self.earliest(plan, request).filter(|&(from, _)| from < own.from);
        self.enter(plan, own);
        found
    }
    /// Enters a reservation into the plan, where it fits.
    fn enter(&self, plan: &mut Self::Plan, reservation: &Reservation<Self::Place>);
    /// Removes a reservation from the plan.
    fn remove(&self, plan: &mut Self::Plan, reservation: &Reservation<Self::Place>);

    /// Why the job, which requests no more nodes than are idle, cannot start.
    fn obstacle(&self, _request: Request<'_>) -> Obstacle {
        Obstacle::Reservation
    }
    /// The place that an outage holds until its repair, and the indices in `running` of the jobs that it ends.
    fn outage(&self, part: &Part, until: i64, running: &[Running<Self::Place>]) -> (Self::Place, Vec<usize>);

    /// Panics if two entries of `running` share resources.
    fn check(&self, running: &[Running<Self::Place>]);
}
