//! What jobs are put on: a row of plain nodes, or a room of midplanes and cables.
//!
//! ```text
//!   queue: order, events  --ask-->  Machine: find a place, take it, give it back
//!                                     |  hold: where and when the job at the head will fit
//!                                     |  plan: the same for all that wait
//!                                     +-- Plain   a place is a number of nodes
//!                                     +-- Room    a place is a partition: midplanes and cables
//! ```
//!
//! The machine knows no order and no policy, and the queue no places.

mod plain;
mod room;

pub use plain::Plain;
pub use room::{Allocation, Limits, Room, RoomParts, Wirings};

use crate::job::Job;
use std::fmt::Debug;

/// A job that wants a place at a time.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The job.
    pub job: &'a Job,
    /// The time at which it would start.
    pub now: i64,
}

/// What holds a place, and until when as far as is known: a job, or an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running<P> {
    /// The end by the time that was requested, or of the repair.
    pub expected_end: i64,
    /// The number of the job, or [`OUTAGE`].
    pub job: u32,
    /// What it holds.
    pub place: P,
}

/// Stands for a job's number where an outage holds a place.
pub const OUTAGE: u32 = u32::MAX;

impl<P> Running<P> {
    /// When it is expected to end, seen from `now`: what has overrun its request may end at any time, and is expected
    /// to in the next second.
    pub fn end_seen_from(&self, now: i64) -> i64 {
        self.expected_end.max(now + 1)
    }
}

/// Why a job can not start although it asks for no more nodes than are idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its place is free: order or a promise to another job keeps it from starting.
    Promise,
    /// There is a partition of its size whose nodes are all idle, but cables of it are taken.
    Cables,
    /// The idle nodes do not form a partition of its size.
    Nodes,
}

/// Something that can be out of service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// So many nodes of a plain machine.
    Nodes(u32),
    /// A midplane of a room, by its name.
    Midplane(String),
    /// A cable of a room, by its name.
    Cable(String),
}

/// What can be allocated to jobs.
pub trait Machine {
    /// What a job gets.
    type Place: Copy + Debug + PartialEq;
    /// Promises to waiting jobs, which those that overtake them must not break.
    type Holds;
    /// Who will have what and when, by requested times.
    type Plan;

    /// Nodes in all.
    fn nodes(&self) -> u32;
    /// Nodes that neither a job nor an outage holds.
    fn idle_nodes(&self) -> u32;
    /// The nodes of a place.
    fn nodes_of(&self, place: Self::Place) -> u32;
    /// Whether the whole machine, idle, could take the job.
    fn can_hold(&self, job: &Job) -> bool;

    /// How long a job runs at a place.
    fn run_at(&self, job: &Job, place: Self::Place) -> i64;
    /// The request of a job at a place: one that is slowed down is given the time for it.
    fn walltime_at(&self, job: &Job, place: Self::Place) -> i64;

    /// A free place where the job breaks no promise.
    fn find(&self, ask: Ask<'_>, holds: &Self::Holds) -> Option<Self::Place>;
    /// A free place that nothing is promised on, however short the job is.
    fn find_unpromised(&self, ask: Ask<'_>, holds: &Self::Holds) -> Option<Self::Place>;
    /// A place goes to a job.
    fn take(&mut self, place: Self::Place);
    /// A place comes back.
    fn release(&mut self, place: Self::Place);

    /// No promises.
    fn no_holds(&self) -> Self::Holds;
    /// Takes all promises back.
    fn clear_holds(&self, holds: &mut Self::Holds);
    /// Promises the job the place that is free first, and says when; none if no end of what runs would let it start.
    fn hold(&self, ask: Ask<'_>, running: &[Running<Self::Place>], holds: &mut Self::Holds) -> Option<i64>;
    /// A job that will end at `end` has taken a place, in keeping with the promises.
    fn charge(&self, holds: &mut Self::Holds, place: Self::Place, end: i64);

    /// The plan of what runs.
    fn plan(&self, running: &[Running<Self::Place>], now: i64) -> Self::Plan;
    /// When and where the job can start first by the plan; none if never.
    fn earliest(&self, plan: &Self::Plan, ask: Ask<'_>) -> Option<(i64, Self::Place)>;
    /// Enters a job into the plan; says whether it fits there.
    fn enter(&self, plan: &mut Self::Plan, place: Self::Place, from: i64, until: i64) -> bool;
    /// Strikes a job off the plan.
    fn strike(&self, plan: &mut Self::Plan, place: Self::Place, from: i64, until: i64);

    /// Why the job, which asks for no more nodes than are idle, can not start.
    fn obstacle(&self, ask: Ask<'_>) -> Obstacle;
    /// What an outage holds, and which of those that run (by their place in the list) have to end for it.
    fn outage(&self, part: &Part, running: &[Running<Self::Place>]) -> (Self::Place, Vec<usize>);

    /// Panics where two of those that run share something.
    fn check(&self, running: &[Running<Self::Place>]);
}
