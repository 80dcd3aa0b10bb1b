//! Conservative backfilling (Feitelson and Weil 1998): every waiting job has a reservation of a time and a place.
//!
//! An arriving job gets the earliest hole in the plan that fits its request. At every event, whether or not a job has
//! ended early, reservations move forward one by one, in order, and never back ("compression"): the move of one job may
//! leave a hole for another that had its turn before. If a job overruns its request, or something fails, reservations
//! may no longer hold: all are then planned anew, in order.
//!
//! A job can only move forward into places that were freed since its last turn: by jobs that ended early, and by
//! reservations that moved. Most jobs see none at most events.

use crate::machine::Reservation;
use crate::machine::{Freed, Machine};
use crate::state::State;

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    state.reservations.resize(state.jobs.len(), None);
    let seen_by_all = state.freed.end();
    claim_reservations(state, order);
    let mut plan = plan(state, order);
    for &job in order {
        reserve(state, &mut plan, job);
    }
    state.freed.forget(seen_by_all);
    for &job in order {
        let reservation = state.reservations[job as usize];
        if let Some(reservation) = reservation.filter(|reservation| reservation.from == state.now) {
            state.start(job, reservation.place);
        }
    }
}

/// Counts jobs with reservations towards the limits of their queues.
fn claim_reservations<M: Machine>(state: &mut State<M>, order: &[u32]) {
    if state.usage.is_empty() {
        return;
    }
    for &job in order {
        if state.reservations[job as usize].is_some() {
            state.claim(job);
        }
    }
}

/// The plan with the reservations of all jobs; if one of them no longer holds, all are canceled.
fn plan<M: Machine>(state: &mut State<M>, order: &[u32]) -> M::Plan {
    let reservations: Vec<_> = order.iter().filter_map(|&job| state.reservations[job as usize]).collect();
    if let Some(plan) = state.machine.plan(&state.running, &reservations, state.now) {
        return plan;
    }
    order.iter().for_each(|&job| state.reservations[job as usize] = None);
    state.usage.clear_claims();
    state.machine.plan(&state.running, &[], state.now).expect("no reservation can fail to hold")
}

/// Gives a job its first reservation, or an earlier one.
fn reserve<M: Machine>(state: &mut State<M>, plan: &mut M::Plan, job: u32) {
    let own = state.reservations[job as usize];
    if own.is_none() && !state.admits(job) {
        return;
    }
    let found = match &own {
        Some(own) => {
            let freed = state.freed.since(own.seen);
            if freed.is_empty() {
                return;
            }
            state.machine.earlier(plan, state.request(job), own, freed)
        }
        None => state.machine.earliest(plan, state.request(job)),
    };
    let mut reservation = own;
    if let Some((from, place)) = found {
        if let Some(own) = own {
            state.machine.remove(plan, &own);
            state.freed.add(Freed { place: own.place, until: own.until });
        }
        let until = from + state.machine.walltime_at(&state.jobs[job as usize], place);
        let new = Reservation { place, from, until, seen: 0 };
        state.machine.enter(plan, &new);
        state.record_reservation(job, Some(from));
        state.claim(job);
        reservation = Some(new);
    }
    let seen = state.freed.end();
    state.reservations[job as usize] = reservation.map(|it| Reservation { seen, ..it });
}
