//! Advance reservations: times in which a part of the machine is kept for some jobs, or for nobody.
//!
//! They are known beforehand, unlike [outages](crate::queue::Outage): a job that may not use one does not start on its
//! part if its requested time reaches into it. Jobs that may use it can also run elsewhere.

use crate::machine::Part;

/// An advance reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvanceReservation {
    /// The beginning of the reservation.
    pub from: i64,
    /// The end of the reservation.
    pub until: i64,
    /// The reserved part of the machine.
    pub part: Part,
}

impl AdvanceReservation {
    /// Whether it is in force at a time.
    pub(crate) fn is_active(&self, time: i64) -> bool {
        self.from <= time && time < self.until
    }
}

/// All advance reservations, and who may not use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvanceReservations {
    /// The reservations.
    pub list: Vec<AdvanceReservation>,
    /// For each class of access, as [`Job::access`](crate::job::Job::access) gives it, the reservations that its jobs
    /// may not use. Class 0 may use all.
    pub closed: Vec<Vec<usize>>,
}

impl Default for AdvanceReservations {
    fn default() -> Self {
        AdvanceReservations { list: vec![], closed: vec![vec![]] }
    }
}

impl AdvanceReservations {
    /// The reservations that jobs of a class may not use.
    pub(crate) fn closed_to(&self, access: u16) -> impl Iterator<Item = &AdvanceReservation> {
        self.closed[usize::from(access)].iter().map(|index| &self.list[*index])
    }

    /// Whether a reservation that never ends is closed to a class.
    pub(crate) fn is_ever_closed_to(&self, access: u16) -> bool {
        self.closed_to(access).any(|reservation| reservation.until == i64::MAX)
    }
}
