//! Cobalt's rule from 16 January to 11 March 2009 ("smart draining", revision 676409fa; 624803c6 of 19 January): jobs
//! start one at a time, and after each the rule begins again.
//!
//! In order, each job in turn is the winner. The jobs from it on whose score is at least `threshold` times its own are
//! tried on partitions that are not drained. If none of them fits, and jobs of lower score are left, the winner drains
//! a partition: the first by name of its size, free or not. If no job has started, the longest request that ends before
//! any running job will, or two minutes later, starts where it fits.
//!
//! With a threshold of 0, as in Cobalt's built-in first come, first served, nothing is drained, and every job that fits
//! starts in order: [`greedy`](super::greedy).

use super::Scores;
use crate::machine::Machine;
use crate::state::State;
use std::cmp::Reverse;

/// Cobalt adds two minutes so that jobs of one requested time can start together.
const GRACE_SECONDS: i64 = 120;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32], scores: Scores<'_>) {
    let mut waiting = order.to_vec();
    while state.machine.idle_nodes() >= state.smallest_waiting() {
        waiting.retain(|&job| state.admits(job));
        let found = by_score(state, &waiting, scores).or_else(|| by_length(state, &waiting));
        let Some((job, place)) = found else { return };
        state.start(job, place);
        waiting.retain(|&other| other != job);
    }
}

/// The first job that fits while its score is near enough to that of the winner, and its place.
fn by_score<M: Machine>(state: &State<M>, order: &[u32], scores: Scores<'_>) -> Option<(u32, M::Place)> {
    let mut drained = state.machine.no_reservations();
    // A job that did not fit when less was drained does not fit later: each is tried once.
    let mut next = 0;
    for (index, &winner) in order.iter().enumerate() {
        next = next.max(index);
        while let Some(&job) = order.get(next).filter(|&&job| scores.is_near(state, winner, job)) {
            if let Some(place) = state.machine.find_unreserved(state.request(job), &drained) {
                return Some((job, place));
            }
            next += 1;
        }
        if next == order.len() {
            return None;
        }
        state.machine.drain_first(state.request(winner), &state.running, &mut drained);
    }
    None
}

/// The job with the longest request of those that end before any running job, and its place, drained or not.
fn by_length<M: Machine>(state: &State<M>, order: &[u32]) -> Option<(u32, M::Place)> {
    let limit = state.first_expected_end()? - state.now + GRACE_SECONDS;
    let walltime = |job: u32| state.jobs[job as usize].walltime;
    let mut short: Vec<u32> = order.iter().copied().filter(|&job| walltime(job) <= limit).collect();
    short.sort_by_key(|&job| Reverse(walltime(job)));
    let drained = state.machine.no_reservations();
    short
        .into_iter()
        .find_map(|job| state.machine.find(state.request(job), &drained).map(|place| (job, place)))
}
