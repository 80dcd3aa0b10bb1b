//! Non-minimal routes ([`network::detour`]): packets on the first of two segments have separate escape VCs, and a packet
//! chooses its route as it makes its first request from an infinite injection FIFO.
//!
//! That choice sees the credits of its cycle, so that events of these FIFOs always wake the node: applied later,
//! credits that have returned meanwhile would count. Cores that write packets choose no routes by credits.

use super::machine_option::MachineOption;
use crate::sets::{BitSet, Tick};
use crate::specialization::Specialization;
use crate::timestamped::Timestamped;
use crate::visit::Visit;
use network::fabric::Fabric;
use network::node::infinite::{lane_of_fifo, on_detour};
use network::node::software::Occupied;
use network::packet::Packet;

/// Non-minimal routes.
pub struct Detours;

impl MachineOption for Detours {
    fn is_on(fabric: &Fabric) -> bool {
        fabric.has_detours
    }

    fn new_head<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, packet: Packet) {
        let is_first = visit.fabric.layout.has_onward(packet);
        let first_segment = &mut visit.store.optional[visit.local].first_segment;
        *first_segment &= !F::Inputs::only(input);
        *first_segment |= F::Inputs::only_if(input, is_first);
    }

    fn has_refilled<F: Specialization>(visit: &mut Visit<'_, F>, fifo: usize) {
        let store = &mut *visit.store;
        let taken = store.fifo_state[store.fifo_state_of(visit.local, fifo)].progress.taken;
        store.optional[visit.local].numbers[fifo] = taken - 1;
    }

    /// Gives the head packet of an infinite FIFO its route.
    fn before_first_request<F: Specialization>(visit: &mut Visit<'_, F>, fifo: usize, now: u64) {
        let occupied = visit.occupied(now);
        let store = &mut *visit.store;
        let source = store.source.as_deref().expect("infinite FIFOs are filled from a source");
        let lane = lane_of_fifo(visit.fabric, store.first + visit.local as u32, fifo);
        let place = (lane, store.optional[visit.local].numbers[fifo]);
        let head = &mut store.heads[visit.local * store.layout.fifos + fifo];
        let packet = on_detour(visit.fabric, source, place, head.packet(), |port| occupied[port]);
        *head = F::Timestamped::new(packet, head.offered());
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// Whether packets may be routed over an intermediate node.
    #[inline(always)]
    pub(crate) fn has_detours(&self) -> bool {
        F::HAS_OPTIONS && self.fabric.has_detours
    }

    /// Inputs whose head packets are on the first of two route segments.
    #[inline(always)]
    pub(crate) fn first_segment(&self) -> F::Inputs {
        if self.has_detours() { self.store.optional[self.local].first_segment } else { F::Inputs::default() }
    }

    /// Credits in use behind the ports at cycle `time`.
    pub(crate) fn occupied(&self, time: u64) -> Occupied {
        let ports = self.fabric.ports;
        std::array::from_fn(|port| if port < ports { self.credits_in_use(port, time) } else { 0 })
    }

    /// Credits in use behind a port at cycle `time`, after the return of all credits due by then.
    fn credits_in_use(&self, port: usize, time: u64) -> u32 {
        let returned = self.credit_events(port).filter(|event| self.cycle(event.time.cycles()) <= time);
        let returned: u32 = returned
            .filter(|event| usize::from(event.vc) < self.fabric.normal_vcs)
            .map(|event| u32::from(event.credits))
            .sum();
        self.fabric.credits_in_use(self.node.credits_of(port)) - returned
    }
}
