//! Nodes restored from a checkpoint.
//!
//! ```text
//!   stored:    times, armed slots, pending events, packets and where each ring begins, credits, FIFOs ...
//!   checked:   that each set, row and kept packet names what the machine has, and that no node is due in the past
//!   rebuilt:   queues, requests, buses and paths in use
//! ```
//!
//! The code for each packet assumes that sets hold ports, inputs and slots that exist, and that rows do not overflow
//! ([`assume`](super::sets::assume)). It keeps that true by itself, whatever the packets are. So a forged checkpoint
//! cannot break it if it holds at first, which is checked here, and for the packets that lossy links keep in
//! `options/lossy_links/checkpoint.rs`.

use super::WindowedEngine;
use super::node::Node;
use super::pending::Pending;
use super::queues::NextHeadRequests;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::timestamped::Timestamped;
use super::visit::Visit;
use geometry::MAX_DIMENSIONS;
use network::counters::{DirectionTotals, Totals};

impl<F: Specialization> Visit<'_, F> {
    /// Whether the epoch of the restored node has begun by `window_start`, and the node is not due before `now`: a node
    /// that is due in the past would be visited for ever.
    pub fn is_of_time(&self, window_start: u64, now: u64) -> bool {
        let wake = self.node.wake;
        self.epoch_start <= window_start && (wake == F::Tick::NEVER || self.cycle(wake.cycles()) >= now)
    }

    /// Whether the sets and rows of the restored node name only what exists; `live` are the ports with a live link.
    pub fn names_what_exists(&self, live: u16) -> bool {
        self.has_existing_slots(live)
            && self.has_existing_inputs(live)
            && (0..F::PORTS).all(|port| self.has_existing_events(port))
    }

    /// Links that exist are armed, and no others. A link that does not exist has no time at which it becomes idle, so
    /// that nothing is sent over it.
    fn has_existing_slots(&self, live: u16) -> bool {
        let Node { armed, wakes_if_idle, wakes_always, times, .. } = &*self.node;
        let links = F::slots_of_links(live.into());
        let existing = links
            | F::slots_of_inputs(Self::inputs_of(live)) << F::VC_SLOT
            | F::Slots::range(F::FIFO_SLOT, self.store.layout.fifos)
            | links << F::ARRIVAL_SLOT;
        [*armed, *wakes_if_idle, *wakes_always].iter().all(|&slots| (slots & !existing).is_empty())
            && (*armed & F::Slots::range(0, F::VC_SLOT)) == links
            && (0..F::VC_SLOT).all(|slot| links.has(slot) || times[slot] == F::Tick::NEVER)
    }

    fn has_existing_inputs(&self, live: u16) -> bool {
        let Node { stalled, blocked_outputs, bypassing, injecting, .. } = &*self.node;
        let ports = u16::from(self.node.without_adaptive_vc | self.node.with_escape_room);
        let fifos = F::Inputs::range(F::VC_INPUTS, self.store.layout.fifos);
        let vcs = Self::inputs_of(live);
        let of_options = self.store.optional.get(self.local).map(|options| {
            let copies = &options.copies;
            options.found_outputs_busy | copies.without_room
        });
        (stalled | blocked_outputs | ports) & !live == 0
            && (*injecting & !fifos).is_empty()
            && ((*bypassing | of_options.unwrap_or_default()) & !vcs).is_empty()
    }

    /// The VCs of some ports, all `V` of each.
    fn inputs_of(ports: u16) -> F::Inputs {
        ports.iter().fold(F::Inputs::default(), |set, port| set | F::Inputs::range(port * F::VCS, F::VCS))
    }

    fn has_existing_events(&self, port: usize) -> bool {
        let layout = &self.store.layout;
        let rows = match F::Pending::HAS_ROWS && port < layout.ports {
            true => [
                &self.store.pending_events[layout.credit_events(self.local, port)],
                &self.store.pending_events[layout.arrival_events(self.local, port)],
            ],
            false => [&[][..]; 2],
        };
        let has_arrival = self.node.is_pending(F::ARRIVAL_SLOT + port);
        self.node.pending.names_what_exists(port, F::VCS, rows, has_arrival)
    }

    /// The packets on the link toward a VC.
    fn arriving(&self, input: usize) -> u8 {
        let port = input / F::VCS;
        let row = self.store.layout.arrival_events(self.local, port);
        let row = if F::Pending::HAS_ROWS { &self.store.pending_events[row] } else { &[] };
        self.node.pending.heads(port, row).filter(|&vc| vc == input % F::VCS).count() as u8
    }

    /// Rebuilds what a saved state omits.
    pub fn rebuild(&mut self) {
        let blocked_outputs = self.node.blocked_outputs;
        let vcs = self.fabric.vcs;
        let inputs = (0..self.store.layout.ports * F::VCS).filter(|input| input % F::VCS < vcs);
        inputs.for_each(|input| self.rebuild_vc(input));
        (0..self.store.layout.fifos).for_each(|fifo| self.rebuild_fifo(fifo));
        (0..self.store.layout.ports).for_each(|receiver| self.rebuild_paths(receiver));
        self.node.blocked_outputs = blocked_outputs; // requests have unblocked some
    }

    fn rebuild_vc(&mut self, input: usize) {
        let (node, vc) = (&self.node, input % F::VCS);
        let waiting = node.count[input] - self.arriving(input);
        let is_leaving = node.leaving().has(input);
        let in_buffer = is_leaving && !node.bypassing.has(input);
        let packets = self.store.packets_of(self.vc(input), in_buffer, waiting);
        let charge = |index: usize| self.charge_of(vc, || self.store.packet(index));
        let occupied = packets.map(charge).fold(0, u8::saturating_add);
        let head = self.store.packet(self.packet_index(input, 0));
        self.node.queues.waiting[input] = waiting;
        self.node.queues.occupied[input] = occupied;
        self.request_if(waiting > 0 && !is_leaving, input, head);
        let is_tracked = self.node.count[input] > 0;
        let request_vector = || self.fabric.layout.request_vector(head);
        self.node.queues.next_head_requests.entry(is_tracked, input, request_vector);
        if is_leaving {
            self.rebuild_leaving(input);
        }
    }

    /// A packet leaves for a reception FIFO if it is at its destination, and a copy does if it leaves one here.
    fn rebuild_leaving(&mut self, input: usize) {
        let (receiver, vc) = (input / F::VCS, input % F::VCS);
        let packet = self.store.packet(self.index_of_leaving(input));
        let is_received = self.fabric.layout.hint_bits(packet) == 0;
        if is_received {
            self.node.to_reception |= F::Inputs::only(input);
        } else if F::HAS_OPTIONS && self.fabric.deposits && self.fabric.deposits_here(packet) {
            self.store.optional[self.local].copies.leaving |= F::Inputs::only(input);
        } else {
            return;
        }
        if let Some(endpoints) = self.store.endpoints_mut() {
            endpoints.begin_reception(self.fabric, self.local, receiver, packet);
        }
        self.node.bus_blocked |= self.inputs_of_bus(receiver, vc);
    }

    fn rebuild_paths(&mut self, receiver: usize) {
        let inputs = F::Inputs::range(receiver * F::VCS, F::VCS);
        let used = (self.node.leaving() & !self.node.to_reception & inputs).count();
        let paths = u32::from(self.fabric.parameters.router.transfer_paths);
        if used == paths {
            self.node.path_blocked |= inputs;
        }
    }

    /// The head packet of an injection FIFO requests from the event of its FIFO until it begins to leave.
    fn rebuild_fifo(&mut self, fifo: usize) {
        let has_to_wait =
            self.node.injecting.has(F::VC_INPUTS + fifo) || self.node.is_pending(F::FIFO_SLOT + fifo);
        let (quarter, head) = match self.store.endpoints() {
            Some(endpoints) => {
                let fifos = endpoints.fifos();
                let head = fifos.head(self.local, fifo).map(|written| written.stored.packet);
                (fifos.quarter(self.local, fifo), head)
            }
            None => {
                let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
                (3, self.store.has_head(self.local, fifo).then_some(head.packet()))
            }
        };
        self.node.queues.occupied[F::VC_INPUTS + fifo] = quarter;
        if let Some(packet) = head.filter(|_| !has_to_wait) {
            self.request_if(true, F::VC_INPUTS + fifo, packet);
        }
    }
}

impl<F: Specialization> Subdomain<F> {
    /// Credits that a sender has, those that are returning included.
    fn credits(&self, local: usize, port: usize, vc: usize) -> u32 {
        let node = &self.nodes[local];
        let row = &self.store.pending_events[self.store.layout.credit_events(local, port)];
        let returning = node.pending.credits(port, row, self.store.fabric.full_packet);
        let returning = returning.filter(|event| usize::from(event.vc) == vc);
        u32::from(node.credits_of(port)[vc]) + returning.map(|event| u32::from(event.credits)).sum::<u32>()
    }

    /// Credits that the packets of a VC hold. Those of a leaving packet are returning already.
    fn held(&self, local: usize, input: usize) -> u32 {
        let fabric = &self.store.fabric;
        let charge = |packet| u32::from(fabric.charge(input % F::VCS, fabric.layout.chunks(packet)));
        let is_leaving = self.nodes[local].leaving().has(input);
        let waiting = self.packets_of(local, input).skip(is_leaving.into());
        waiting.map(|index| charge(self.store.packet(index))).sum()
    }

    /// Packets and copies that are in flight at a node.
    fn packets_at(&self, local: usize) -> u64 {
        let node = &self.nodes[local];
        let in_vcs: u64 = node.count.iter().map(|&count| u64::from(count)).sum();
        let unread = self.store.endpoints().map_or(0, |endpoints| endpoints.unread(local) as u64);
        let lost = self.store.lossy.as_ref().map_or(0, |lossy| lossy.lost_packets(local) as u64);
        in_vcs + u64::from(node.to_reception.count()) + unread + lost
    }
}

impl<F: Steps> WindowedEngine<F> {
    /// Whether each credit of all senders is available, returning, or held by a packet.
    pub(super) fn conserves_all_credits(&self) -> bool {
        (0..self.fabric.parameters.shape.nodes()).all(|node| self.conserves_credits(node))
    }

    /// Whether the counters of nodes and links, and the packets in flight, add up to the totals.
    pub(super) fn counts_as(&self, totals: &Totals) -> bool {
        let (mut injected, mut delivered, mut in_flight) = (0, 0, 0);
        let mut directions = [DirectionTotals::default(); 2 * MAX_DIMENSIONS];
        for subdomain in &self.subdomains {
            for (local, node) in subdomain.nodes.iter().enumerate() {
                injected += u64::from(node.counters.injected);
                delivered += u64::from(node.counters.delivered);
                in_flight += subdomain.packets_at(local);
            }
            let of_subdomain = DirectionTotals::of_links(&subdomain.links_at(self.now), self.fabric.ports);
            directions.iter_mut().zip(of_subdomain).for_each(|(sum, part)| *sum += part);
        }
        // A packet is lost for good if an error escapes the checksum of the acknowledgement that removes it.
        let is_whole = match self.fabric.parameters.link_protocol {
            None => in_flight == totals.in_flight(),
            Some(_) => in_flight <= totals.in_flight(),
        };
        is_whole
            && (injected, delivered) == (totals.injected, totals.delivered)
            && directions == totals.directions
    }

    /// Whether each credit of a node's senders is available, returning, or held by a packet. On lossy links, an error
    /// that escapes the checksum of an acknowledgement may change that.
    fn conserves_credits(&self, node: u32) -> bool {
        let fabric = &self.fabric;
        let live = (0..fabric.ports).filter(|&port| fabric.has_live_link(node, port));
        let live = live.filter(|_| fabric.parameters.link_protocol.is_none());
        let (here, local) = self.place_of(node);
        live.flat_map(|port| (0..fabric.vcs).map(move |vc| (port, vc))).all(|(port, vc)| {
            let (there, local_there) = self.place_of(fabric.neighbor(node, port));
            let held = there.held(local_there, (port ^ 1) * F::VCS + vc);
            here.credits(local, port, vc) + held == u32::from(fabric.capacity[vc])
        })
    }

    pub(super) fn place_of(&self, node: u32) -> (&Subdomain<F>, usize) {
        let subdomain = &self.subdomains[self.subdomain_of(node).expect("a node of this process")];
        (subdomain, (node - subdomain.first()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specialization::{Common, Compact, ThreeVcs};
    use crate::tests::ToAll;
    use crate::vector::Baseline;
    use base::checkpoint::{FrameReader, FrameWriter};
    use geometry::Shape;
    use network::Parameters;
    use network::engine::Engine;
    use network::fabric::Fabric;
    use network::traffic::Traffic;
    use std::sync::Arc;

    type Machine = Compact<Common, ThreeVcs, Baseline>;
    type Ring = WindowedEngine<Machine>;
    type RingNode = Node<Machine>;
    /// A change of a node, with its name.
    type Alteration = (&'static str, fn(&mut RingNode));

    /// A ring of eight nodes at cycle 0.
    fn ring() -> Ring {
        let shape = Shape::torus(&[8]).unwrap();
        let source = ToAll { shape: shape.clone(), packets: u64::MAX };
        let traffic = Traffic::Generated(Arc::new(source));
        let fabric = Fabric::new(Parameters::bluegene_l(shape, 1), &traffic.needs());
        let parts = network::Parts::equal(&network::Peers::none(), 8);
        Ring::new(Arc::new(fabric), traffic, 1, &parts)
    }

    /// Whether the state of a busy ring can be restored when it has been altered.
    fn is_restored(alter: impl FnOnce(&mut Subdomain<Machine>)) -> bool {
        let mut engine = ring();
        engine.advance(1000);
        alter(&mut engine.subdomains[0]);
        let mut saved = Vec::new();
        engine.save(&mut FrameWriter::new(&mut saved)).unwrap();
        ring().restore(&mut FrameReader::new(&mut &saved[..])).is_ok()
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        assert!(is_restored(|_| {}));
        let alterations: &[Alteration] = &[
            ("a link that does not exist", |node| node.armed |= 1 << 4),
            ("no link where there is one", |node| node.armed &= !1),
            ("a slot that does not exist", |node| node.armed |= 1 << 39),
            ("a wake-up by a slot that does not exist", |node| node.wakes_if_idle |= 1 << 39),
            ("a time of a link that does not exist", |node| node.times[3] = 0),
            ("a blocked port that does not exist", |node| node.blocked_outputs |= 1 << 5),
            ("a stalled port that does not exist", |node| node.stalled |= 1 << 2),
            ("a bypass of a VC that does not exist", |node| node.bypassing |= 1 << 17),
            ("a FIFO that does not exist", |node| node.injecting |= 1 << 31),
        ];
        for (what, alter) in alterations {
            assert!((0..8).all(|node| !is_restored(|ring| alter(&mut ring.nodes[node]))), "{what}");
        }
    }
}
