//! Plain nodes with advance reservations. Nodes are interchangeable, so that a reservation keeps a number of them.
//!
//! ```text
//!   nodes in use at a time = jobs without a reservation + of each reservation in force: max(its nodes, what its jobs use)
//! ```
//!
//! A job uses the first reservation in force that is open to it, and what that one lacks comes from the other nodes. At
//! no time may more nodes be in use than there are. Without reservations this is the same machine as [`Plain`], which
//! is faster.

use super::plain::{Steps, boundary, first_gap};
use super::{Machine, Part, Plain, Request, Reservation, Running};
use crate::job::Job;
use crate::site::AdvanceReservations;

/// The class of access of outages: no reservation is open to them.
const NO_ACCESS: u16 = u16::MAX;

/// A machine of plain nodes with advance reservations of numbers of nodes.
#[derive(Clone, Debug)]
pub struct ReservedPlain {
    plain: Plain,
    reservations: AdvanceReservations,
    /// The bookings of jobs and outages.
    held: Vec<Booking>,
}

/// Nodes of a job or an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Booking {
    /// The number of nodes.
    pub nodes: u32,
    /// The expected end.
    until: i64,
    /// The class of access of the job.
    access: u16,
}

/// A booking for a time in the future.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    from: i64,
    booking: Booking,
}

/// The nodes in use from a time on.
#[derive(Clone, Debug)]
pub struct InUse {
    /// Nodes of jobs without a reservation.
    general: i64,
    /// Nodes of the jobs of each reservation.
    reserved: Vec<i64>,
}

impl ReservedPlain {
    /// An idle machine with advance reservations of nodes.
    pub fn new(plain: Plain, reservations: AdvanceReservations) -> Self {
        ReservedPlain { plain, reservations, held: vec![] }
    }

    fn nodes_of_reservation(&self, index: usize) -> i64 {
        self.reservations.list[index].part.plain_nodes().into()
    }

    /// The reservation that a job of a class uses at a time.
    fn used_by(&self, access: u16, time: i64) -> Option<usize> {
        if access == NO_ACCESS {
            return None;
        }
        let closed = &self.reservations.closed[usize::from(access)];
        let list = self.reservations.list.iter().enumerate();
        list.filter(|(_, reservation)| reservation.is_active(time))
            .map(|(index, _)| index)
            .find(|index| !closed.contains(index))
    }

    fn add(&self, (time, in_use): &mut (i64, InUse), booking: &Booking, sign: i64) {
        let nodes = sign * i64::from(booking.nodes);
        match self.used_by(booking.access, *time) {
            Some(index) => in_use.reserved[index] += nodes,
            None => in_use.general += nodes,
        }
    }

    /// The nodes that a job of a class could get in a step; negative if more are in use than there are.
    fn free(&self, (time, in_use): &(i64, InUse), access: u16) -> i64 {
        let list = self.reservations.list.iter().enumerate();
        let of_reservations: i64 = list
            .filter(|(_, reservation)| reservation.is_active(*time))
            .map(|(index, _)| self.nodes_of_reservation(index).max(in_use.reserved[index]))
            .sum();
        let own = self.used_by(access, *time);
        let left_in_own =
            own.map_or(0, |index| (self.nodes_of_reservation(index) - in_use.reserved[index]).max(0));
        i64::from(self.plain.nodes()) - in_use.general - of_reservations + left_in_own
    }

    fn empty_step(&self, time: i64) -> (i64, InUse) {
        (time, InUse { general: 0, reserved: vec![0; self.reservations.list.len()] })
    }

    /// The use at a time, as seen from `now`, by what is held and planned.
    fn step_at(&self, time: i64, now: i64, planned: &[Planned]) -> (i64, InUse) {
        let mut step = self.empty_step(time);
        for held in self.held.iter().filter(|held| held.until.max(now + 1) > time) {
            self.add(&mut step, held, 1);
        }
        for plan in planned.iter().filter(|plan| plan.from <= time && time < plan.booking.until) {
            self.add(&mut step, &plan.booking, 1);
        }
        step
    }

    /// Whether a job that starts now leaves all nodes that are reserved for others, and those of planned bookings. Use
    /// grows only where a reservation or a planned booking begins.
    fn fits_now(&self, booking: &Booking, now: i64, planned: &[Planned]) -> bool {
        let starts = self.reservations.list.iter().map(|reservation| reservation.from);
        let starts = starts.chain(planned.iter().map(|plan| plan.from));
        let times = std::iter::once(now).chain(starts.filter(|time| (now + 1..booking.until).contains(time)));
        let nodes = i64::from(booking.nodes);
        times.into_iter().all(|time| self.free(&self.step_at(time, now, planned), booking.access) >= nodes)
    }

    /// The booking of a job that starts now; `None` if too few nodes are idle.
    fn booking(&self, request: Request<'_>) -> Option<Booking> {
        let Job { nodes, walltime, access, .. } = *request.job;
        let nodes = self.plain.granted_nodes(nodes)?;
        (nodes <= self.plain.idle_nodes()).then_some(Booking { nodes, until: request.now + walltime, access })
    }

    /// The use of the machine by what runs, beginning at `now`.
    fn timeline(&self, running: &[Running<Booking>], now: i64) -> Steps<InUse> {
        let mut timeline = vec![self.empty_step(now)];
        for reservation in &self.reservations.list {
            for time in [reservation.from, reservation.until] {
                if time > now {
                    boundary(&mut timeline, time);
                }
            }
        }
        for held in running {
            self.change(&mut timeline, &held.place, now..held.end_seen_from(now), 1);
        }
        timeline
    }

    /// Adds or removes a booking. Returns the least number of nodes that are free during its time for a job that has
    /// access to no reservation.
    fn change(
        &self,
        timeline: &mut Steps<InUse>,
        booking: &Booking,
        time: std::ops::Range<i64>,
        sign: i64,
    ) -> i64 {
        let first = boundary(timeline, time.start);
        let last = boundary(timeline, time.end);
        let steps = &mut timeline[first..last];
        steps.iter_mut().for_each(|step| self.add(step, booking, sign));
        steps.iter().map(|step| self.free(step, NO_ACCESS)).min().unwrap_or(i64::MAX)
    }
}

impl Machine for ReservedPlain {
    type Place = Booking;
    type Reservations = Vec<Planned>;
    type Plan = Steps<InUse>;

    fn nodes(&self) -> u32 {
        self.plain.nodes()
    }

    fn idle_nodes(&self) -> u32 {
        self.plain.idle_nodes()
    }

    fn nodes_of(&self, place: Booking) -> u32 {
        place.nodes
    }

    fn granted(&self, job: &Job) -> Option<u32> {
        self.plain.granted(job)
    }

    fn find(&self, request: Request<'_>, held: &Vec<Planned>) -> Option<Booking> {
        self.booking(request).filter(|booking| self.fits_now(booking, request.now, held))
    }

    fn find_unreserved(&self, request: Request<'_>, held: &Vec<Planned>) -> Option<Booking> {
        let booking = self.booking(request)?;
        let leaves_room = |plan: &Planned| {
            let step = self.step_at(plan.from, request.now, held);
            self.free(&step, booking.access) >= i64::from(booking.nodes)
        };
        (self.fits_now(&booking, request.now, &[]) && held.iter().all(leaves_room)).then_some(booking)
    }

    fn take(&mut self, place: Booking) {
        self.plain.take(place.nodes);
        self.held.push(place);
    }

    fn release(&mut self, place: Booking) {
        self.plain.release(place.nodes);
        let index = self.held.iter().position(|held| *held == place).expect("what is released was taken");
        self.held.swap_remove(index);
    }

    fn clear_reservations(&self, held: &mut Vec<Planned>) {
        held.clear();
    }

    fn hold(
        &self,
        request: Request<'_>,
        running: &[Running<Booking>],
        held: &mut Vec<Planned>,
    ) -> Option<i64> {
        let mut timeline = self.timeline(running, request.now);
        for plan in held.iter() {
            self.change(&mut timeline, &plan.booking, plan.from..plan.booking.until, 1);
        }
        let (from, booking) = self.earliest(&timeline, request)?;
        held.push(Planned { from, booking });
        Some(from)
    }

    fn plan(
        &self,
        running: &[Running<Booking>],
        reservations: &[Reservation<Booking>],
        now: i64,
    ) -> Option<Steps<InUse>> {
        let mut timeline = self.timeline(running, now);
        let mut hold = reservations
            .iter()
            .map(|it| it.from >= now && self.change(&mut timeline, &it.place, it.from..it.until, 1) >= 0);
        let all_hold = hold.all(|holds| holds);
        all_hold.then_some(timeline)
    }

    fn earliest(&self, plan: &Steps<InUse>, request: Request<'_>) -> Option<(i64, Booking)> {
        let Job { walltime, access, .. } = *request.job;
        let nodes = self.plain.granted_nodes(request.job.nodes)?;
        let start = first_gap(plan, request, |step| self.free(step, access) >= nodes.into())?;
        Some((start, Booking { nodes, until: start + walltime, access }))
    }

    fn enter(&self, plan: &mut Steps<InUse>, reservation: &Reservation<Booking>) {
        self.change(plan, &reservation.place, reservation.from..reservation.until, 1);
    }

    fn remove(&self, plan: &mut Steps<InUse>, reservation: &Reservation<Booking>) {
        self.change(plan, &reservation.place, reservation.from..reservation.until, -1);
    }

    fn outage(&self, part: &Part, until: i64, running: &[Running<Booking>]) -> (Booking, Vec<usize>) {
        let (nodes, victims) = self.plain.outage_of(part, running, |place| place.nodes);
        (Booking { nodes, until, access: NO_ACCESS }, victims)
    }

    fn check(&self, running: &[Running<Booking>]) {
        let held: u32 = running.iter().map(|held| held.place.nodes).sum();
        assert_eq!(held + self.plain.idle_nodes(), self.plain.nodes(), "nodes are lost, or held twice");
    }
}
