//! Cobalt's rule from 12 March 2009 (revision f5fb3ae7): each job that does not fit reserves (drains) the partition that
//! becomes free first.
//!
//! First pass, in order: a job starts on a partition that is not drained. If there is none, it drains its best
//! location: of the partitions that no job drains yet, the one that becomes free first by requested times. Second pass,
//! in order: a job may use a drained partition if it ends before that partition becomes free for the draining job. A
//! job whose score is below `threshold` times the best neither starts nor drains in the first pass; with a threshold of 0
//! all do (in Cobalt none would drain then).
//!
//! A drained partition is no promise: a later job that drains another may start on a partition that shares cables with
//! it, and of several jobs any may take it when it becomes free. Jobs can start later than first reserved.

use super::Scores;
use crate::machine::Machine;
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32], scores: Scores<'_>) {
    let above_threshold = above_threshold(state, order, scores);
    let mut held = state.take_held();
    for &job in &order[..above_threshold] {
        if !state.admits(job) {
            continue;
        }
        if let Some(place) = state.machine.find_unreserved(state.request(job), &held) {
            state.start(job, place);
        } else {
            let reserved = state.machine.hold(state.request(job), &state.running, &mut held);
            state.record_reservation(job, reserved);
            if reserved.is_some() {
                state.claim(job);
            }
        }
    }
    for &job in order {
        if state.machine.idle_nodes() < state.smallest_waiting() {
            break;
        }
        if state.is_waiting(job)
            && state.admits(job)
            && let Some(place) = state.machine.find(state.request(job), &held)
        {
            state.start(job, place);
        }
    }
    state.held = held;
}

/// How many jobs of `order` have a score of at least `threshold` times the best.
fn above_threshold<M: Machine>(state: &State<M>, order: &[u32], scores: Scores<'_>) -> usize {
    match (scores.threshold > 0.0, order.first()) {
        (true, Some(&best)) => order.partition_point(|&job| scores.is_near(state, best, job)),
        _ => order.len(),
    }
}
