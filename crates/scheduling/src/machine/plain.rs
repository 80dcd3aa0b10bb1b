//! A machine of interchangeable nodes: a place is a number of nodes. A switched room is modeled in the same way: any
//! midplanes can form a partition, and jobs get the smallest size that holds them.

use super::{Machine, OUTAGE, Part, Request, Reservation, Running};
use crate::job::Job;

/// A machine of plain nodes.
#[derive(Clone, Debug)]
pub struct Plain {
    nodes: u32,
    idle: u32,
    /// The partition sizes, in ascending order; empty if jobs get exactly the nodes that they request.
    sizes: Vec<u32>,
}

/// A reservation: its time, and the nodes that are then free beyond those that the job needs (extra nodes).
#[derive(Clone, Copy, Debug)]
pub struct ShadowTime {
    time: i64,
    extra_nodes: u32,
}

/// The use of the machine from each time until that of the next entry.
pub(super) type Steps<Use> = Vec<(i64, Use)>;

/// The free nodes; negative if jobs overrun the plan.
type Free = i64;

impl Plain {
    /// A machine of `nodes` nodes.
    pub fn new(nodes: u32) -> Self {
        Plain { nodes, idle: nodes, sizes: vec![] }
    }

    /// A machine that rounds requests up to one of these sizes, in ascending order.
    pub fn with_sizes(nodes: u32, sizes: Vec<u32>) -> Self {
        Plain { nodes, idle: nodes, sizes }
    }

    /// The nodes that a request for `nodes` nodes gets; `None` if the machine has too few.
    pub(super) fn granted_nodes(&self, nodes: u32) -> Option<u32> {
        if self.sizes.is_empty() {
            return Some(nodes).filter(|nodes| *nodes <= self.nodes);
        }
        self.sizes.get(self.sizes.partition_point(|size| *size < nodes)).copied()
    }

    /// The nodes that fail, and the jobs that end. Idle nodes fail first; then jobs end, the latest submitted first,
    /// until enough nodes are free.
    pub(super) fn outage_of<P: Copy>(
        &self,
        part: &Part,
        running: &[Running<P>],
        nodes_of: impl Fn(P) -> u32,
    ) -> (u32, Vec<usize>) {
        let down: u32 =
            running.iter().filter(|held| held.job == OUTAGE).map(|held| nodes_of(held.place)).sum();
        let nodes = part.plain_nodes().min(self.nodes - down);
        let mut jobs: Vec<usize> = (0..running.len()).filter(|&index| running[index].job != OUTAGE).collect();
        jobs.sort_unstable_by_key(|&index| std::cmp::Reverse(running[index].job));
        let mut idle = self.idle;
        let victims = jobs.into_iter().take_while(|&index| {
            let is_needed = idle < nodes;
            idle += if is_needed { nodes_of(running[index].place) } else { 0 };
            is_needed
        });
        (nodes, victims.collect())
    }
}

impl Machine for Plain {
    type Place = u32;
    type Reservations = Vec<ShadowTime>;
    type Plan = Steps<Free>;

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn idle_nodes(&self) -> u32 {
        self.idle
    }

    fn nodes_of(&self, place: u32) -> u32 {
        place
    }

    fn granted(&self, job: &Job) -> Option<u32> {
        self.granted_nodes(job.nodes)
    }

    fn find(&self, request: Request<'_>, held: &Vec<ShadowTime>) -> Option<u32> {
        let nodes = self.granted_nodes(request.job.nodes)?;
        let end = request.now + request.job.walltime;
        (nodes <= self.idle && held.iter().all(|hold| end <= hold.time || nodes <= hold.extra_nodes))
            .then_some(nodes)
    }

    fn find_unreserved(&self, request: Request<'_>, held: &Vec<ShadowTime>) -> Option<u32> {
        let extra_nodes = held.iter().map(|hold| hold.extra_nodes).min().unwrap_or(self.idle);
        self.granted_nodes(request.job.nodes).filter(|nodes| *nodes <= extra_nodes.min(self.idle))
    }

    fn take(&mut self, place: u32) {
        debug_assert!(place <= self.idle, "{place} nodes taken of {}", self.idle);
        self.idle -= place;
    }

    fn release(&mut self, place: u32) {
        self.idle += place;
        debug_assert!(self.idle <= self.nodes);
    }

    fn clear_reservations(&self, held: &mut Vec<ShadowTime>) {
        held.clear();
    }

    fn hold(
        &self,
        request: Request<'_>,
        running: &[Running<u32>],
        held: &mut Vec<ShadowTime>,
    ) -> Option<i64> {
        let nodes = self.granted_nodes(request.job.nodes)?;
        let mut free = self.idle;
        // A permanent outage never ends: its nodes are not awaited.
        let mut ends = running.iter().filter(|held| held.expected_end < i64::MAX).peekable();
        while let Some(ending) = ends.next() {
            free += ending.place;
            let time = ending.end_seen_from(request.now);
            let is_last_of_its_time = ends.peek().is_none_or(|next| next.end_seen_from(request.now) > time);
            if is_last_of_its_time && free >= nodes {
                held.push(ShadowTime { time, extra_nodes: free - nodes });
                return Some(time);
            }
        }
        None
    }

    fn account_for(&self, held: &mut Vec<ShadowTime>, place: u32, end: i64) {
        for hold in held.iter_mut().filter(|hold| end > hold.time) {
            hold.extra_nodes -= place;
        }
    }

    fn plan(
        &self,
        running: &[Running<u32>],
        reservations: &[Reservation<u32>],
        now: i64,
    ) -> Option<Steps<Free>> {
        let mut steps = vec![(now, i64::from(self.idle))];
        for ending in running {
            let (last_time, free) = steps[steps.len() - 1];
            let time = ending.end_seen_from(now);
            if time > last_time {
                steps.push((time, free));
            }
            let last = steps.len() - 1;
            steps[last].1 += i64::from(ending.place);
        }
        let mut hold = reservations.iter().map(|it| it.from >= now && enter(&mut steps, it) >= 0);
        let all_hold = hold.all(|holds| holds);
        all_hold.then_some(steps)
    }

    fn earliest(&self, plan: &Steps<Free>, request: Request<'_>) -> Option<(i64, u32)> {
        let nodes = self.granted_nodes(request.job.nodes)?;
        Some((first_gap(plan, request, |&(_, free)| free >= nodes.into())?, nodes))
    }

    fn enter(&self, plan: &mut Steps<Free>, reservation: &Reservation<u32>) {
        enter(plan, reservation);
    }

    fn remove(&self, plan: &mut Steps<Free>, reservation: &Reservation<u32>) {
        add(plan, i64::from(reservation.place), reservation.from, reservation.until);
    }

    fn outage(&self, part: &Part, _until: i64, running: &[Running<u32>]) -> (u32, Vec<usize>) {
        self.outage_of(part, running, |place| place)
    }

    fn check(&self, running: &[Running<u32>]) {
        let held: u32 = running.iter().map(|held| held.place).sum();
        assert_eq!(held + self.idle, self.nodes, "nodes are lost, or held twice");
    }
}

/// Enters a reservation, and returns the minimum of free nodes during its time.
fn enter(plan: &mut Steps<Free>, reservation: &Reservation<u32>) -> i64 {
    add(plan, -i64::from(reservation.place), reservation.from, reservation.until)
}

/// Adds free nodes between two times, and returns the minimum of free nodes between them.
fn add(plan: &mut Steps<Free>, nodes: i64, from: i64, until: i64) -> i64 {
    let first = boundary(plan, from);
    let last = boundary(plan, until);
    plan[first..last].iter_mut().for_each(|step| step.1 += nodes);
    plan[first..last].iter().map(|step| step.1).min().unwrap_or(i64::MAX)
}

/// The earliest time from which a job has room for its requested time.
pub(super) fn first_gap<Use>(
    plan: &Steps<Use>,
    request: Request<'_>,
    has_room: impl Fn(&(i64, Use)) -> bool,
) -> Option<i64> {
    let mut start = None;
    for (index, step) in plan.iter().enumerate() {
        if !has_room(step) {
            start = None;
            continue;
        }
        let start = *start.get_or_insert(step.0.max(request.now));
        let until = plan.get(index + 1).map_or(i64::MAX, |next| next.0);
        if until - start >= request.job.walltime {
            return Some(start);
        }
    }
    None
}

/// The index of the entry that begins at `time`, which is inserted if missing.
pub(super) fn boundary<Use: Clone>(plan: &mut Steps<Use>, time: i64) -> usize {
    match plan.binary_search_by_key(&time, |step| step.0) {
        Ok(index) => index,
        Err(0) => 0,
        Err(index) => {
            plan.insert(index, (time, plan[index - 1].1.clone()));
            index
        }
    }
}
