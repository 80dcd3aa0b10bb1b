//! Options that few machines have, behind one interface: a [`MachineOption`] states its action at each place of the
//! engine at which options can act, and the functions of this module call it there for every option that the machine
//! has.
//!
//! ```text
//!   run.rs         step_alone | before_events | events | after_events | software | before_arbitration | arbitration
//!                  | after_step; settle
//!   wake.rs        next_visit (visits.rs too)
//!   head packets   new_head | blocked, held_back | begins_transfer, carries, or begins_reception | frees_bus, has_left
//!   injection.rs   may_refill, has_refilled, before_first_request
//!   delivery.rs    deliver | accepts, receives | wakes_for_credits
//!   arbitration/   transfers_use_buses, granted              departure.rs   acknowledges_on_links
//! ```
//!
//! All of this is compiled only into specializations with
//! [`HAS_OPTIONS`](super::specialization::Specialization::HAS_OPTIONS), so that other machines pay nothing for it;
//! [`Fabric::has_options`] states whether a machine needs these. The state of options for each node is in [`state`],
//! part of the arrays of a subdomain. Datelines, detours and the direction order also change how packets move and how
//! ports are numbered: their files have functions for that, as `machine.rs` has for other
//! properties of the machine.
//!
//! # To add one
//!
//! 1. A file here with a type that implements `MachineOption`: `is_on`, and those functions at whose places
//!    it acts.
//! 2. Its name in the list of `for_each_option!`, and the machines that need it in `Fabric::has_options`.
//! 3. What it keeps for each node: a field of `OptionalState` (`state.rs`), which checkpoints contain, and
//!    its check in `windowed/src/restored.rs`.
//! 4. If no function fits: one in the trait, with a default that does nothing, and a function here that calls
//!    it. Call that where the option has to act. Do not ask for the option there.
//! 5. Its parameter: see the head of `network/src/parameters.rs`.

mod arbitration_gap;
mod arbitration_memory;
mod counted_credits;
mod datelines;
mod deposits;
mod detours;
mod direction_order;
pub mod lossy_links;
mod machine_option;
mod pacing;
pub mod state;

use super::outgoing::RemoteEvent;
use super::sets::Tick;
use super::specialization::Specialization;
use super::steps::Steps;
use super::store::Store;
use super::subdomain::Subdomain;
use super::visit::Visit;
pub use machine_option::Departure;
use machine_option::MachineOption;
use network::fabric::Fabric;
use network::packet::Packet;

/// Runs a block for each option that a machine has. The order matters twice. Links run before the gap is determined, as
/// the gap depends on the credits that they bring. The gap is determined before credits are counted, as it must not
/// know these yet.
macro_rules! for_each_option {
    ($F:ident, $fabric:expr, |$option:ident| $action:expr) => {
        for_each_option!($F, $fabric, $option, $action, [
            lossy_links::LinkErrors,
            arbitration_gap::ArbitrationGap,
            counted_credits::CountedCredits,
            pacing::Pacing,
            deposits::Deposits,
            datelines::Datelines,
            detours::Detours,
            arbitration_memory::ArbitrationMemory
        ])
    };
    ($F:ident, $fabric:expr, $option:ident, $action:expr, [$($name:path),*]) => {
        if $F::HAS_OPTIONS {
            $({
                type $option = $name;
                if $option::is_on($fabric) {
                    $action
                }
            })*
        }
    };
}

/// See [`MachineOption::before_events`]; likewise for the other functions.
#[inline(always)]
pub fn before_events<F: Steps>(visit: &mut Visit<'_, F>, now: i32) {
    for_each_option!(F, visit.fabric, |O| O::before_events(visit, now));
}

/// See [`MachineOption::after_events`].
#[inline(always)]
pub fn after_events<F: Specialization>(visit: &mut Visit<'_, F>, now: i32, idle: &mut u32) {
    for_each_option!(F, visit.fabric, |O| O::after_events(visit, now, idle));
}

/// See [`MachineOption::before_arbitration`].
#[inline(always)]
pub fn before_arbitration<F: Specialization>(visit: &mut Visit<'_, F>) {
    for_each_option!(F, visit.fabric, |O| O::before_arbitration(visit));
}

/// See [`MachineOption::after_step`].
#[inline(always)]
pub fn after_step<F: Specialization>(visit: &mut Visit<'_, F>) {
    for_each_option!(F, visit.fabric, |O| O::after_step(visit));
}

/// See [`MachineOption::settle`].
#[inline(always)]
pub fn settle<F: Specialization>(visit: &mut Visit<'_, F>, end: u64) {
    for_each_option!(F, visit.fabric, |O| O::settle(visit, end));
}

/// See [`MachineOption::next_visit`].
#[inline(always)]
pub fn next_visit<F: Specialization>(store: &Store<F>, local: usize) -> Option<u64> {
    let mut next: Option<u64> = None;
    for_each_option!(F, &store.fabric, |O| {
        next = next.into_iter().chain(O::next_visit(store, local)).min();
    });
    next
}

/// Runs a step of an option, if neither the router nor software is due at `next`, and the option needs no full step. If
/// another option is due in the same cycle, its step follows.
#[inline(always)]
pub fn step_alone<F: Specialization>(visit: &mut Visit<'_, F>, next: F::Tick) -> Option<F::Tick> {
    if !F::HAS_OPTIONS || visit.next_of_router() <= next {
        return None;
    }
    let mut stepped = None;
    for_each_option!(F, visit.fabric, |O| {
        let time = O::next_visit(visit.store, visit.local);
        if stepped.is_none() && time.is_some_and(|time| visit.tick_of(time) <= next) {
            stepped = O::step_alone(visit, next.cycles());
        }
    });
    stepped
}

/// See [`MachineOption::WAKES_FOR_CREDITS`].
#[inline(always)]
pub fn wakes_for_credits<F: Specialization>(fabric: &Fabric) -> bool {
    let mut is_so = false;
    for_each_option!(F, fabric, |O| is_so |= O::WAKES_FOR_CREDITS);
    is_so
}

/// See [`MachineOption::TRANSFERS_USE_BUSES`].
#[inline(always)]
pub fn transfers_use_buses<F: Specialization>(fabric: &Fabric) -> bool {
    let mut is_so = false;
    for_each_option!(F, fabric, |O| is_so |= O::TRANSFERS_USE_BUSES);
    is_so
}

/// See [`MachineOption::ACKNOWLEDGES_ON_LINKS`].
#[inline(always)]
pub fn acknowledges_on_links<F: Specialization>(fabric: &Fabric) -> bool {
    let mut is_so = false;
    for_each_option!(F, fabric, |O| is_so |= O::ACKNOWLEDGES_ON_LINKS);
    is_so
}

/// See [`MachineOption::new_head`].
#[inline(always)]
pub fn new_head<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, packet: Packet) {
    for_each_option!(F, visit.fabric, |O| O::new_head(visit, input, packet));
}

/// See [`MachineOption::blocked`].
#[inline(always)]
pub fn blocked<F: Specialization>(visit: &Visit<'_, F>) -> F::Inputs {
    let mut inputs = F::Inputs::default();
    for_each_option!(F, visit.fabric, |O| inputs |= O::blocked(visit));
    inputs
}

/// See [`MachineOption::held_back`].
#[inline(always)]
pub fn held_back<F: Specialization>(visit: &Visit<'_, F>) -> F::Inputs {
    let mut inputs = F::Inputs::default();
    for_each_option!(F, visit.fabric, |O| inputs |= O::held_back(visit));
    inputs
}

/// See [`MachineOption::granted`].
#[inline(always)]
pub fn granted<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, sender: Option<usize>) {
    for_each_option!(F, visit.fabric, |O| O::granted(visit, input, sender));
}

/// See [`MachineOption::begins_transfer`].
#[inline(always)]
pub fn begins_transfer<F: Specialization>(visit: &mut Visit<'_, F>, input: usize) -> bool {
    let mut wakes = false;
    for_each_option!(F, visit.fabric, |O| wakes |= O::begins_transfer(visit, input));
    wakes
}

/// See [`MachineOption::carries`].
#[inline(always)]
pub fn carries<F: Specialization>(
    visit: &mut Visit<'_, F>,
    now: i32,
    port: usize,
    arrival: &RemoteEvent<F::Metadata>,
    fifo: Option<usize>,
) -> bool {
    let mut is_carried = false;
    for_each_option!(F, visit.fabric, |O| is_carried |= O::carries(visit, now, port, arrival, fifo));
    is_carried
}

/// See [`MachineOption::begins_reception`].
#[inline(always)]
pub fn begins_reception<F: Specialization>(visit: &mut Visit<'_, F>, index: usize, received: i32) {
    for_each_option!(F, visit.fabric, |O| O::begins_reception(visit, index, received));
}

/// See [`MachineOption::frees_bus`].
#[inline(always)]
pub fn frees_bus<F: Specialization>(visit: &mut Visit<'_, F>, inputs: F::Inputs) {
    for_each_option!(F, visit.fabric, |O| O::frees_bus(visit, inputs));
}

/// See [`MachineOption::has_left`].
#[inline(always)]
pub fn has_left<F: Specialization>(visit: &mut Visit<'_, F>, departure: Departure, now: i32) {
    for_each_option!(F, visit.fabric, |O| O::has_left(visit, departure, now));
}

/// See [`MachineOption::may_refill`].
#[inline(always)]
pub fn may_refill<F: Specialization>(visit: &Visit<'_, F>, fifo: usize) -> bool {
    let mut may = true;
    for_each_option!(F, visit.fabric, |O| may &= O::may_refill(visit, fifo));
    may
}

/// See [`MachineOption::has_refilled`].
#[inline(always)]
pub fn has_refilled<F: Specialization>(visit: &mut Visit<'_, F>, fifo: usize) {
    for_each_option!(F, visit.fabric, |O| O::has_refilled(visit, fifo));
}

/// See [`MachineOption::before_first_request`].
#[inline(always)]
pub fn before_first_request<F: Specialization>(visit: &mut Visit<'_, F>, fifo: usize, now: u64) {
    for_each_option!(F, visit.fabric, |O| O::before_first_request(visit, fifo, now));
}

/// See [`MachineOption::deliver`].
#[inline(always)]
pub fn deliver<F: Specialization>(subdomain: &mut Subdomain<F>) {
    for_each_option!(F, &subdomain.fabric, |O| O::deliver(subdomain));
}

/// See [`MachineOption::accepts`].
#[inline(always)]
pub fn accepts<F: Specialization>(
    subdomain: &mut Subdomain<F>,
    local: usize,
    event: &RemoteEvent<F::Metadata>,
) -> bool {
    let mut accepts = true;
    for_each_option!(F, &subdomain.fabric, |O| accepts &= O::accepts(subdomain, local, event));
    accepts
}

/// See [`MachineOption::receives`].
#[inline(always)]
pub fn receives<F: Specialization>(
    subdomain: &mut Subdomain<F>,
    local: usize,
    event: &RemoteEvent<F::Metadata>,
) -> bool {
    let mut receives = false;
    for_each_option!(F, &subdomain.fabric, |O| receives |= O::receives(subdomain, local, event));
    receives
}
