//! Injection pacing: while as many packets of a node are in flight as the window allows, the node waits for
//! acknowledgements. The node is visited at the exact cycle of an acknowledgement.

use super::machine_option::MachineOption;
use crate::buffers::Buffers;
use crate::metadata::Metadata;
use crate::outgoing::{ACKNOWLEDGEMENT, RemoteEvent};
use crate::sets::BitSet;
use crate::specialization::Specialization;
use crate::store::Store;
use crate::subdomain::Subdomain;
use crate::visit::Visit;
use network::fabric::Fabric;
use std::cmp::Reverse;

/// Injection pacing.
pub struct Pacing;

impl MachineOption for Pacing {
    fn is_on(fabric: &Fabric) -> bool {
        fabric.is_paced(false)
    }

    /// Takes the acknowledgements due by `now`. For each, the first normal FIFO without a head packet gets one.
    fn after_events<F: Specialization>(visit: &mut Visit<'_, F>, now: i32, _: &mut u32) {
        let (local, now) = (visit.local, visit.cycle(now));
        while Self::next_visit(visit.store, local).is_some_and(|time| time <= now) {
            visit.store.optional[local].acknowledgements.pop();
            visit.take_acknowledgement(now);
        }
    }

    fn next_visit<F: Specialization>(store: &Store<F>, local: usize) -> Option<u64> {
        store.optional[local].acknowledgements.peek().map(|Reverse(time)| *time)
    }

    /// Sends an acknowledgement to the source of the packet, unless a relay forwards the packet.
    fn begins_reception<F: Specialization>(visit: &mut Visit<'_, F>, index: usize, received: i32) {
        let metadata = visit.store.buffers.metadata(index);
        if !visit.fabric.is_paced(visit.fabric.layout.is_high_priority(visit.store.packet(index)))
            || visit.fabric.forward_action(metadata.tag()).is_relay()
        {
            return;
        }
        let (number, source) = (visit.store.first + visit.local as u32, metadata.source());
        let time = visit.cycle(received) + visit.fabric.acknowledgement_cycles(number, source);
        let event = RemoteEvent { time, node: source, credits: ACKNOWLEDGEMENT, ..RemoteEvent::default() };
        visit.store.outgoing.acknowledgements.push(event);
    }

    fn may_refill<F: Specialization>(visit: &Visit<'_, F>, fifo: usize) -> bool {
        !visit.fabric.is_normal_fifo(fifo)
            || !visit.fabric.window_is_full(visit.store.optional[visit.local].unacknowledged)
    }

    fn has_refilled<F: Specialization>(visit: &mut Visit<'_, F>, fifo: usize) {
        visit.store.optional[visit.local].unacknowledged += u32::from(visit.fabric.is_normal_fifo(fifo));
    }

    fn deliver<F: Specialization>(subdomain: &mut Subdomain<F>) {
        for event in std::mem::take(&mut subdomain.store.outgoing.acknowledgements) {
            match subdomain.local(event.node) {
                Some(local) => subdomain.receive_acknowledgement(local, &event),
                None => subdomain.outgoing_queue.events.push(event),
            }
        }
    }

    fn receives<F: Specialization>(
        subdomain: &mut Subdomain<F>,
        local: usize,
        event: &RemoteEvent<F::Metadata>,
    ) -> bool {
        let is_one = event.credits == ACKNOWLEDGEMENT;
        if is_one {
            subdomain.receive_acknowledgement(local, event);
        }
        is_one
    }
}

impl<F: Specialization> Visit<'_, F> {
    fn take_acknowledgement(&mut self, now: u64) {
        match self.store.endpoints_mut() {
            Some(endpoints) => {
                endpoints.acknowledge(self.local, now);
                self.update_software_time();
            }
            None => {
                self.store.optional[self.local].unacknowledged -= 1;
                let heads = self.store.fifo_state[self.store.fifo_state_of(self.local, 0)].heads;
                let normal = usize::from(self.fabric.parameters.node.normal_injection_fifos);
                if let Some(fifo) = (0..normal).find(|&fifo| !heads.has(fifo)) {
                    self.refill(fifo, now, now);
                }
            }
        }
    }
}

impl<F: Specialization> Subdomain<F> {
    fn receive_acknowledgement(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        self.store.optional[local].acknowledgements.push(Reverse(event.time));
        self.mark(local, event.time);
    }
}
