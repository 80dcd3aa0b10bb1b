//! A machine of plain nodes: any of them will do, so that a place is a number of nodes. A room whose midplanes are
//! joined by switches is one too: any of its midplanes will do, and jobs get the smallest size that holds them.

use super::{Ask, Machine, OUTAGE, Obstacle, Part, Running};
use crate::job::Job;

/// A machine of plain nodes.
#[derive(Clone, Debug)]
pub struct Plain {
    nodes: u32,
    idle: u32,
    /// The sizes that jobs get; none where they get what they ask for.
    sizes: Vec<u32>,
}

/// A promise: so many nodes more than the waiting job needs are free when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    time: i64,
    spare: u32,
}

/// The free nodes from a time on, until the next entry; below 0 where jobs overrun what was planned.
type Steps = Vec<(i64, i64)>;

impl Plain {
    /// A machine of `nodes` nodes.
    pub fn new(nodes: u32) -> Self {
        Plain { nodes, idle: nodes, sizes: vec![] }
    }

    /// A machine that rounds requests up to one of these sizes, in ascending order.
    pub fn with_sizes(nodes: u32, sizes: Vec<u32>) -> Self {
        Plain { nodes, idle: nodes, sizes }
    }

    /// What a job gets that asks for so many nodes; none if it is more than there is.
    fn granted(&self, nodes: u32) -> Option<u32> {
        if self.sizes.is_empty() {
            return Some(nodes).filter(|nodes| *nodes <= self.nodes);
        }
        self.sizes.get(self.sizes.partition_point(|size| *size < nodes)).copied()
    }
}

impl Machine for Plain {
    type Place = u32;
    type Holds = Vec<Promise>;
    type Plan = Steps;

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn idle_nodes(&self) -> u32 {
        self.idle
    }

    fn nodes_of(&self, place: u32) -> u32 {
        place
    }

    fn can_hold(&self, job: &Job) -> bool {
        self.granted(job.nodes).is_some()
    }

    fn run_at(&self, job: &Job, _place: u32) -> i64 {
        job.run
    }

    fn walltime_at(&self, job: &Job, _place: u32) -> i64 {
        job.walltime
    }

    fn find(&self, ask: Ask<'_>, holds: &Vec<Promise>) -> Option<u32> {
        let nodes = self.granted(ask.job.nodes)?;
        let end = ask.now + ask.job.walltime;
        (nodes <= self.idle && holds.iter().all(|hold| end <= hold.time || nodes <= hold.spare))
            .then_some(nodes)
    }

    fn find_unpromised(&self, ask: Ask<'_>, holds: &Vec<Promise>) -> Option<u32> {
        let spare = holds.iter().map(|hold| hold.spare).min().unwrap_or(self.idle);
        self.granted(ask.job.nodes).filter(|nodes| *nodes <= spare.min(self.idle))
    }

    fn take(&mut self, place: u32) {
        debug_assert!(place <= self.idle, "{place} nodes taken of {}", self.idle);
        self.idle -= place;
    }

    fn release(&mut self, place: u32) {
        self.idle += place;
        debug_assert!(self.idle <= self.nodes);
    }

    fn no_holds(&self) -> Vec<Promise> {
        vec![]
    }

    fn clear_holds(&self, holds: &mut Vec<Promise>) {
        holds.clear();
    }

    fn hold(&self, ask: Ask<'_>, running: &[Running<u32>], holds: &mut Vec<Promise>) -> Option<i64> {
        let nodes = self.granted(ask.job.nodes)?;
        let mut free = self.idle;
        let mut ends = running.iter().peekable();
        while let Some(ending) = ends.next() {
            free += ending.place;
            let time = ending.end_seen_from(ask.now);
            let is_last_of_its_time = ends.peek().is_none_or(|next| next.end_seen_from(ask.now) > time);
            if is_last_of_its_time && free >= nodes {
                holds.push(Promise { time, spare: free - nodes });
                return Some(time);
            }
        }
        None
    }

    fn charge(&self, holds: &mut Vec<Promise>, place: u32, end: i64) {
        for hold in holds.iter_mut().filter(|hold| end > hold.time) {
            hold.spare -= place;
        }
    }

    fn plan(&self, running: &[Running<u32>], now: i64) -> Steps {
        let mut steps: Steps = vec![(now, i64::from(self.idle))];
        for ending in running {
            let (last_time, free) = steps[steps.len() - 1];
            let time = ending.end_seen_from(now);
            if time > last_time {
                steps.push((time, free));
            }
            let last = steps.len() - 1;
            steps[last].1 += i64::from(ending.place);
        }
        steps
    }

    fn earliest(&self, plan: &Steps, ask: Ask<'_>) -> Option<(i64, u32)> {
        let granted = self.granted(ask.job.nodes)?;
        let nodes = i64::from(granted);
        let mut start = None;
        for (index, &(from, free)) in plan.iter().enumerate() {
            if free < nodes {
                start = None;
                continue;
            }
            let start = *start.get_or_insert(from.max(ask.now));
            let until = plan.get(index + 1).map_or(i64::MAX, |next| next.0);
            if until - start >= ask.job.walltime {
                return Some((start, granted));
            }
        }
        None
    }

    fn enter(&self, plan: &mut Steps, place: u32, from: i64, until: i64) -> bool {
        add(plan, -i64::from(place), from, until) >= 0
    }

    fn strike(&self, plan: &mut Steps, place: u32, from: i64, until: i64) {
        add(plan, i64::from(place), from, until);
    }

    fn obstacle(&self, _ask: Ask<'_>) -> Obstacle {
        Obstacle::Promise
    }

    /// Idle nodes fail first; then jobs end, those that came last first, until there are enough.
    fn outage(&self, part: &Part, running: &[Running<u32>]) -> (u32, Vec<usize>) {
        let Part::Nodes(nodes) = part else { unreachable!("a plain machine has nodes alone") };
        let down: u32 = running.iter().filter(|held| held.job == OUTAGE).map(|held| held.place).sum();
        let nodes = (*nodes).min(self.nodes - down);
        let mut jobs: Vec<usize> = (0..running.len()).filter(|&index| running[index].job != OUTAGE).collect();
        jobs.sort_unstable_by_key(|&index| std::cmp::Reverse(running[index].job));
        let mut idle = self.idle;
        let victims = jobs.into_iter().take_while(|&index| {
            let is_needed = idle < nodes;
            idle += if is_needed { running[index].place } else { 0 };
            is_needed
        });
        (nodes, victims.collect())
    }

    fn check(&self, running: &[Running<u32>]) {
        let held: u32 = running.iter().map(|held| held.place).sum();
        assert_eq!(held + self.idle, self.nodes, "nodes are lost, or held twice");
    }
}

/// Adds free nodes between two times, and gives the least number that is then free there.
fn add(plan: &mut Steps, nodes: i64, from: i64, until: i64) -> i64 {
    let first = boundary(plan, from);
    let last = boundary(plan, until);
    plan[first..last].iter_mut().for_each(|step| step.1 += nodes);
    plan[first..last].iter().map(|step| step.1).min().unwrap_or(i64::MAX)
}

/// The entry that begins at `time`, made where there is none.
fn boundary(plan: &mut Steps, time: i64) -> usize {
    match plan.binary_search_by_key(&time, |step| step.0) {
        Ok(index) => index,
        Err(0) => 0,
        Err(index) => {
            plan.insert(index, (time, plan[index - 1].1));
            index
        }
    }
}
