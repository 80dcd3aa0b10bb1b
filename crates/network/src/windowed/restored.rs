//! Nodes restored from a checkpoint: what follows from the rest of their state is rebuilt, and the rest is checked.
//!
//! ```text
//!   stored:    times, armed slots, pending events, packets and where each ring begins, credits, FIFOs ...
//!   checked:   each by itself                                 before anything is computed from it
//!   rebuilt:   queues, requests, buses and paths in use
//!   checked:   conservation of credits and packets            over the whole network
//! ```
//!
//! The code for each packet assumes that sets hold ports, inputs and slots that exist, and that rows and rings do not
//! overflow ([`assume`](super::sets::assume)). A forged checkpoint must not break that, so all of it is checked here.

use super::WindowedEngine;
use super::buffers::Buffers;
use super::node::Node;
use super::options;
use super::pending::Pending;
use super::queues::NextHeadRequests;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::steps::Steps;
use super::store::{FifoState, Layout};
use super::subdomain::Subdomain;
use super::timestamped::Timestamped;
use super::visit::Visit;
use crate::arbitration::Memory;
use crate::counters::{DirectionTotals, Totals};
use crate::node::infinite::lane_of_fifo;
use crate::packet::Packet;
use base::time::LATEST_READY;
use geometry::MAX_DIMENSIONS;

impl<F: Specialization> Visit<'_, F> {
    /// Whether the stored state of the node is one that it can have at `now`; `live` are the ports with a live link,
    /// `window_start` is the start of the window of `now`.
    pub fn can_be_restored(&self, live: u16, now: u64, window_start: u64) -> bool {
        self.epoch_start <= window_start
            && self.node.next_wake().is_none_or(|wake| wake >= now)
            && self.has_existing_slots(live)
            && self.has_existing_inputs(live)
            && (0..F::PORTS).all(|port| self.can_restore_port(port, live))
            && (0..F::VC_INPUTS).all(|input| self.can_restore_ring(input, live, now))
            && self.can_restore_fifos(now)
            && self.can_restore_options(live, now)
            && self.store.memories_of(self.local).iter().all(Memory::can_be_restored)
    }

    fn number(&self) -> u32 {
        self.store.first + self.local as u32
    }

    /// The VCs of some ports, all `V` of each.
    fn inputs_of(ports: u16) -> F::Inputs {
        ports.iter().fold(F::Inputs::default(), |set, port| set | F::Inputs::range(port * F::VCS, F::VCS))
    }

    /// Links that exist are always armed, and no others; arrivals are, if any are pending.
    fn has_existing_slots(&self, live: u16) -> bool {
        let Node { armed, wakes_if_idle, wakes_always, .. } = &*self.node;
        let links = F::slots_of_links(live.into());
        let existing = links
            | F::slots_of_inputs(Self::inputs_of(live)) << F::VC_SLOT
            | F::Slots::range(F::FIFO_SLOT, self.store.layout.fifos)
            | links << F::ARRIVAL_SLOT;
        let has_time = |slot: usize| self.node.times[slot] != F::Tick::NEVER;
        let timed = *armed & !links;
        (*armed & F::Slots::range(0, F::VC_SLOT)) == links
            && [*armed, *wakes_if_idle, *wakes_always].iter().all(|&slots| (slots & !existing).is_empty())
            && (*wakes_always & !*wakes_if_idle).is_empty()
            && timed.iter().all(has_time)
            // A link without room in its retransmission FIFO is never idle, nor is one that does not exist.
            && (0..F::VC_SLOT)
                .all(|slot| links.has(slot) == has_time(slot) || links.has(slot) && options::acknowledges_on_links::<F>(self.fabric))
    }

    fn has_existing_inputs(&self, live: u16) -> bool {
        let Node { stalled, blocked_outputs, bypassing, injecting, .. } = &*self.node;
        let ports = u16::from(self.node.without_adaptive_vc | self.node.with_escape_room);
        let leaving = F::slots_of_inputs(*injecting >> F::VC_INPUTS) << F::FIFO_SLOT;
        (stalled | blocked_outputs | ports) & !live == 0
            && (*bypassing & !self.node.leaving()).is_empty()
            && (*injecting & !F::Inputs::range(F::VC_INPUTS, self.store.layout.fifos)).is_empty()
            && (leaving & !self.node.armed).is_empty()
    }

    /// A port without a live link has its first credits and no events.
    fn can_restore_port(&self, port: usize, live: u16) -> bool {
        let vcs = if live.has(port) { self.fabric.vcs } else { 0 };
        let slot = F::ARRIVAL_SLOT + port;
        let first_arrival = self.node.is_pending(slot).then_some(self.node.times[slot]);
        let mut others =
            (vcs..F::VCS).map(|vc| (self.node.credits[port * F::VCS + vc], self.fabric.capacity[vc]));
        let layout = &self.store.layout;
        let rows = match F::Pending::HAS_ROWS && port < layout.ports {
            true => [
                &self.store.pending_events[layout.credit_events(self.local, port)],
                &self.store.pending_events[layout.arrival_events(self.local, port)],
            ],
            false => [&[][..]; 2],
        };
        others.all(|(credits, capacity)| credits == capacity)
            && self.node.pending.is_consistent(port, vcs, rows, first_arrival)
    }

    /// The packets of a VC fit its ring; those on the link toward it are among them.
    fn can_restore_ring(&self, input: usize, live: u16, now: u64) -> bool {
        let is_there = live.has(input / F::VCS) && input % F::VCS < self.fabric.vcs;
        let is_leaving = self.node.leaving().has(input);
        let packets = self.node.count[input].saturating_add(is_leaving.into());
        if !is_there {
            return packets == 0;
        }
        // The packet that is leaving may have left already.
        usize::from(self.node.count[input]) <= self.fabric.packet_capacity(input % F::VCS)
            && !self.store.buffers.is_full(self.vc(input), packets.saturating_sub(1))
            && self.arriving(input) <= self.node.count[input]
            && self
                .store
                .packets_of(self.vc(input), false, self.node.count[input])
                .all(|index| self.can_restore_packet(input, index, now, now))
            && (!is_leaving || self.can_restore_leaving(input, now))
    }

    /// A packet, or a copy of one, that is being received has been offered before that ends, which may not have been applied
    /// yet. One that has left for another node may have arrived since, so that its offer is forgotten.
    fn can_restore_leaving(&self, input: usize, now: u64) -> bool {
        let index = self.index_of_leaving(input);
        let left = self.node.times[F::VC_SLOT + input].cycles();
        let left = self.epoch_start.checked_add_signed(left.into());
        let is_received = self.receives_part_of(self.store.packet(index));
        let latest = if is_received { left.map(|left| left.min(now)) } else { Some(u64::MAX) };
        latest.is_some_and(|latest| self.can_restore_packet(input, index, now, latest))
    }

    /// Whether a packet that leaves its VC does so for a reception FIFO, or leaves a copy there.
    fn receives_part_of(&self, packet: Packet) -> bool {
        let leaves_copy = F::HAS_OPTIONS && self.fabric.deposits && self.fabric.deposits_here(packet);
        self.fabric.layout.hint_bits(packet) == 0 || leaves_copy
    }

    /// Whether there can be a packet in a VC that was offered by `latest`.
    fn can_restore_packet(&self, input: usize, index: usize, now: u64, latest: u64) -> bool {
        let offered = self.store.far.restored(self.store.buffers.timestamped(index).offered(), now);
        offered.is_some_and(|offered| offered <= latest)
            && self.fabric.can_hold(self.number(), input % F::VCS, &self.store.stored(index, now))
    }

    /// The packets on the link toward a VC.
    fn arriving(&self, input: usize) -> u8 {
        let port = input / F::VCS;
        let row = self.store.layout.arrival_events(self.local, port);
        let row = if F::Pending::HAS_ROWS { &self.store.pending_events[row] } else { &[] };
        self.node.pending.heads(port, row).filter(|&vc| vc == input % F::VCS).count() as u8
    }

    fn can_restore_fifos(&self, now: u64) -> bool {
        let is_injecting = |fifo: usize| self.node.injecting.has(F::VC_INPUTS + fifo);
        match self.store.endpoints() {
            Some(endpoints) => (0..self.store.layout.fifos)
                .all(|fifo| is_injecting(fifo) == endpoints.fifos().is_leaving(self.local, fifo)),
            None => {
                let lanes = (0..self.store.layout.lanes).all(|lane| self.can_restore_lane(lane));
                lanes && (0..self.store.layout.fifos).all(|fifo| self.can_restore_head(fifo, now))
            }
        }
    }

    fn can_restore_lane(&self, lane: usize) -> bool {
        let Layout { lanes, fifos, .. } = self.store.layout;
        let FifoState { heads, always_waiting, progress } = self.store.fifo_state[self.local * lanes + lane];
        let of_lane = |fifo: &usize| self.fabric.is_normal_fifo(*fifo) == (lane == 0);
        let mine = (0..fifos).filter(of_lane).fold(0, |set, fifo| set | 1 << fifo);
        heads & !mine == 0 && always_waiting & !heads == 0 && progress.can_be_restored(heads.count_ones())
    }

    /// The head packet of an infinite FIFO, if it has one. It may become ready after `now`.
    fn can_restore_head(&self, fifo: usize, now: u64) -> bool {
        let has_head = self.store.has_head(self.local, fifo);
        let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
        let lane = lane_of_fifo(self.fabric, self.number(), fifo);
        let taken = self.store.fifo_state[self.store.fifo_state_of(self.local, fifo)].progress.taken;
        let options = self.store.optional.get(self.local);
        let is_taken = options.is_none_or(|options| options.numbers[fifo] <= taken);
        let offered = self.store.far.restored(head.offered(), now);
        let is_high_priority = self.fabric.layout.is_high_priority(head.packet());
        let is_injecting = self.node.injecting.has(F::VC_INPUTS + fifo);
        let is_awaited = !is_injecting && self.node.is_pending(F::FIFO_SLOT + fifo);
        is_taken
            && (has_head || !is_injecting)
            && (!has_head
                || (is_injecting
                    || offered.is_some_and(|cycle| cycle <= now || is_awaited && cycle < LATEST_READY))
                    && self.fabric.can_be_at(self.number(), head.packet())
                    && self.fabric.layout.hint_bits(head.packet()) != 0
                    && is_high_priority == lane.kind.is_high_priority())
    }

    fn can_restore_options(&self, live: u16, now: u64) -> bool {
        let Some(options) = self.store.optional.get(self.local) else { return true };
        let others = !Self::inputs_of(live);
        let is_paced = self.fabric.is_paced(false);
        let acknowledgements = &options.acknowledgements;
        ((options.found_outputs_busy | options.copies.without_room) & others).is_empty()
            && options.examined_before <= now
            && (is_paced || acknowledgements.is_empty())
            && acknowledgements.iter().all(|time| time.0 >= now)
            && (self.store.endpoints().is_some() || acknowledgements.len() <= options.unacknowledged as usize)
    }

    /// Rebuilds what a saved state omits. Returns whether paths and buses suffice for the packets that are leaving.
    pub fn rebuild(&mut self) -> bool {
        let blocked_outputs = self.node.blocked_outputs;
        let vcs = self.fabric.vcs;
        let mut inputs = (0..self.store.layout.ports * F::VCS).filter(|input| input % F::VCS < vcs);
        let has_buses = inputs.all(|input| self.rebuild_vc(input));
        (0..self.store.layout.fifos).for_each(|fifo| self.rebuild_fifo(fifo));
        let has_paths = (0..self.store.layout.ports).all(|receiver| self.rebuild_paths(receiver));
        self.node.blocked_outputs = blocked_outputs; // requests have unblocked some
        has_buses && has_paths
    }

    /// Returns whether the packet that is leaving, if any, has its bus for itself.
    fn rebuild_vc(&mut self, input: usize) -> bool {
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
        !is_leaving || self.rebuild_leaving(input)
    }

    /// A packet leaves for a reception FIFO if it is at its destination, and a copy does if it leaves one here.
    fn rebuild_leaving(&mut self, input: usize) -> bool {
        let (receiver, vc) = (input / F::VCS, input % F::VCS);
        let packet = self.store.packet(self.index_of_leaving(input));
        let is_received = self.fabric.layout.hint_bits(packet) == 0;
        if is_received {
            self.node.to_reception |= F::Inputs::only(input);
        } else if F::HAS_OPTIONS && self.fabric.deposits && self.fabric.deposits_here(packet) {
            self.store.optional[self.local].copies.leaving |= F::Inputs::only(input);
        } else {
            return true;
        }
        if let Some(endpoints) = self.store.endpoints_mut() {
            endpoints.begin_reception(self.fabric, self.local, receiver, packet);
        }
        let bus = self.inputs_of_bus(receiver, vc);
        let is_free = (self.node.bus_blocked & bus).is_empty();
        self.node.bus_blocked |= bus;
        is_free
    }

    fn rebuild_paths(&mut self, receiver: usize) -> bool {
        let inputs = F::Inputs::range(receiver * F::VCS, F::VCS);
        let used = (self.node.leaving() & !self.node.to_reception & inputs).count();
        let paths = u32::from(self.fabric.parameters.router.transfer_paths);
        if used == paths {
            self.node.path_blocked |= inputs;
        }
        used <= paths
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
    /// Whether the restored nodes and their links agree with one another and with the totals.
    pub(super) fn is_consistent(&self, totals: &Totals) -> bool {
        totals.is_consistent(self.now)
            && self.counts_as(totals)
            && (0..self.fabric.parameters.shape.nodes()).all(|node| self.conserves_credits(node))
    }

    /// Whether the counters of nodes and links add up to the totals.
    fn counts_as(&self, totals: &Totals) -> bool {
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

    fn place_of(&self, node: u32) -> (&Subdomain<F>, usize) {
        let subdomain = &self.subdomains[self.subdomain_of(node)];
        (subdomain, (node - subdomain.first()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::engine::Engine;
    use crate::fabric::Fabric;
    use crate::packet::Packet;
    use crate::source::{Class, ForwardAction, Lane, Offer, Source};
    use crate::traffic::Traffic;
    use crate::windowed::offered::Offered;
    use crate::windowed::specialization::{Common, Compact, ThreeVcs, Width};
    use crate::windowed::vector::Baseline;
    use base::checkpoint::{FrameReader, FrameWriter};
    use geometry::Shape;
    use std::sync::Arc;

    /// Full packets, always waiting, to the third node on.
    struct ToThirdNode(Shape);

    impl Source for ToThirdNode {
        fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
            let hops = self.0.route(lane.node, (lane.node + 3) % self.0.nodes(), index as u32);
            let forward_action = ForwardAction::Consume;
            Some(Offer { hops, chunks: 8, class: Class::default(), ready: 0, forward_action })
        }

        fn smallest_chunks(&self) -> u8 {
            8
        }
    }

    type Machine = Compact<Common, ThreeVcs, Baseline>;
    type Ring = WindowedEngine<Machine>;
    type RingNode = Node<Machine>;
    /// What is altered, and how.
    type Alteration = (&'static str, fn(&mut RingNode));

    /// A ring of eight nodes at cycle 0.
    fn ring() -> Ring {
        let shape = Shape::torus(&[8]).unwrap();
        let traffic = Traffic::Generated(Arc::new(ToThirdNode(shape.clone())));
        let fabric = Fabric::new(Parameters::bluegene_l(shape, 1), &traffic.needs());
        Ring::new(Arc::new(fabric), traffic, 1)
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

    /// A VC with a packet that is not leaving.
    fn occupied(node: &RingNode) -> usize {
        (0..6).find(|&input| node.count[input] > 0).expect("the ring is busy")
    }

    #[test]
    fn what_no_node_can_have_is_refused() {
        assert!(is_restored(|_| {}));
        let alterations: &[Alteration] = &[
            ("a link that does not exist", |node| node.armed |= 1 << 4),
            ("no link where there is one", |node| node.armed &= !1),
            ("a slot that does not exist", |node| node.armed |= 1 << 39),
            ("a wake-up by a slot that does not exist", |node| node.wakes_if_idle |= 1 << 39),
            ("an arrival that is not pending", |node| {
                node.armed ^= 1 << Machine::ARRIVAL_SLOT;
                node.times[Machine::ARRIVAL_SLOT] = 0;
            }),
            ("a time of a link that does not exist", |node| node.times[3] = 0),
            ("a wake-up in the past", |node| node.wake = 0),
            ("an epoch ahead of time", |node| node.epoch += 1),
            ("more packets than a ring holds", |node| node.count[0] = 200),
            ("a packet of a VC that does not exist", |node| node.count[17] = 1),
            ("a packet more", |node| {
                let vc = occupied(node);
                node.count[vc] += 1;
            }),
            ("a packet less", |node| {
                let vc = occupied(node);
                node.count[vc] -= 1;
            }),
            ("a packet from where there is no link", |node| node.count[6] = 1),
            ("a credit more", |node| node.credits[0] += 1),
            ("a credit of a port that does not exist", |node| node.credits[17] -= 1),
            ("a blocked port that does not exist", |node| node.blocked_outputs |= 1 << 5),
            ("a stalled port that does not exist", |node| node.stalled |= 1 << 2),
            ("a bypass by no packet", |node| node.bypassing |= 1 << 17),
            ("a FIFO that does not exist", |node| node.injecting |= 1 << 31),
            ("a FIFO that never becomes free", |node| node.armed &= !(0x3f << Machine::FIFO_SLOT)),
            ("another count", |node| node.counters.injected += 1),
        ];
        for (what, alter) in alterations {
            // Some alterations of one node fit its state by chance.
            let refused = (0..8).filter(|&node| !is_restored(|ring| alter(&mut ring.nodes[node]))).count();
            assert!(refused > 4, "{what}: refused at {refused} of 8 nodes");
        }
    }

    #[test]
    fn packets_that_no_source_sends_are_refused() {
        let refused_with = |bits: u64| {
            !is_restored(|ring| {
                let node =
                    (0..8).find(|&node| ring.nodes[node].count[..6] != [0; 6]).expect("the ring is busy");
                let input = occupied(&ring.nodes[node]);
                let index = ring.packets_of(node, input).last().expect("the VC has a packet");
                let altered = ring.store.packet(index).0 ^ bits;
                ring.store.buffers.replace(index, Timestamped::new(Packet(altered), Offered::default()));
            })
        };
        assert!(!refused_with(0));
        // Hint bits of the dimension and of two that do not exist, high priority, deposit, size.
        for bits in [1 << 3, 1 << 4, 1 << 5, 1 << 8, 2 << 9, 8 << 9, 7 << 13] {
            assert!(refused_with(bits), "{bits:b}");
        }
    }
}
