//! Conservative backfilling (Feitelson and Weil 1998): every waiting job has a reservation of a time and a place.
//!
//! An arriving job gets the earliest hole in the plan that fits its request. When a job ends early, reservations move
//! forward one by one, in order, and never back ("compression"). If a job overruns its request, or something fails,
//! reservations may no longer hold: all are then planned anew, in order.

use crate::machine::Machine;
use crate::state::{Reservation, State};

pub(super) fn pass<M: Machine>(state: &mut State<M>, order: &[u32]) {
    state.reservations.resize(state.jobs.len(), None);
    let mut plan = state.machine.plan(&state.running, state.now);
    if !enter_reservations(state, order, &mut plan) {
        plan = state.machine.plan(&state.running, state.now);
        order.iter().for_each(|&job| state.reservations[job as usize] = None);
    }
    for &job in order {
        if let Some(reservation) = state.reservations[job as usize] {
            state.machine.remove(&mut plan, reservation.place, reservation.from, reservation.until);
        }
        let Some((from, place)) = state.machine.earliest(&plan, state.request(job)) else { continue };
        let until = from + state.machine.walltime_at(&state.jobs[job as usize], place);
        state.machine.enter(&mut plan, place, from, until);
        state.reservations[job as usize] = Some(Reservation { place, from, until });
        state.record_reservation(job, Some(from));
    }
    for &job in order {
        if let Some(reservation) =
            state.reservations[job as usize].filter(|reservation| reservation.from == state.now)
        {
            state.start(job, reservation.place);
        }
    }
}

/// Enters the existing reservations into the plan; returns whether all of them still hold.
fn enter_reservations<M: Machine>(state: &State<M>, order: &[u32], plan: &mut M::Plan) -> bool {
    let reservations = order.iter().filter_map(|&job| state.reservations[job as usize]);
    let mut all_hold = true;
    for reservation in reservations {
        all_hold &= reservation.from >= state.now
            && state.machine.enter(plan, reservation.place, reservation.from, reservation.until);
    }
    all_hold
}
