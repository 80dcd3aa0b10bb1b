//! Queries on a subdomain between windows: counters, packet ages, and the state for which each head packet waits.

use super::node::Node;
use super::pending::Pending;
use super::pending::PendingEvent;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::subdomain::Subdomain;
use super::timestamped::Timestamped;
use network::counters::{LinkCounters, NodeCounters};
use network::deadlock::Snapshot;
use network::packet::Packet;

impl<F: Specialization> Subdomain<F> {
    /// Counters of the subdomain's links; stalls in progress count up to `now`.
    pub fn links_at(&self, now: u64) -> Vec<LinkCounters> {
        self.links_with_stalls()
            .map(|(link, is_stalled)| self.store.links.at(link, is_stalled, now))
            .collect()
    }

    /// The subdomain's links, and whether each is stalled.
    pub(super) fn links_with_stalls(&self) -> impl Iterator<Item = (usize, bool)> {
        let ports = self.store.layout.ports;
        self.nodes.iter().enumerate().flat_map(move |(local, node)| node.links(local, ports))
    }

    /// Sets the counters to zero; stalls in progress count from `now`.
    pub fn start_measurement(&mut self, now: u64) {
        self.store.totals.start_measurement();
        self.nodes.iter_mut().for_each(|node| node.counters = NodeCounters::default());
        let mut links = std::mem::take(&mut self.store.links);
        links.start_measurement(self.links_with_stalls(), now);
        self.store.links = links;
        self.store.link_vcs.fill(0);
    }

    /// The earliest end of a reception in progress.
    pub fn next_reception(&self) -> Option<u64> {
        let ends = |node: &Node<F>| {
            let inputs = node.to_reception.iter();
            let times = inputs.map(|input| node.times[F::VC_SLOT + input].cycles());
            times.min().map(|time| node.epoch_start().wrapping_add_signed(time.into()))
        };
        self.nodes.iter().filter_map(ends).min()
    }

    /// Adds the subdomain's head packets, credits and packets in flight to `snapshot`.
    pub fn describe(&self, snapshot: &mut Snapshot, now: u64) {
        for local in 0..self.nodes.len() {
            for port in 0..self.store.layout.ports {
                self.describe_port(local, port, snapshot, now);
            }
        }
    }

    fn describe_port(&self, local: usize, port: usize, snapshot: &mut Snapshot, now: u64) {
        let number = self.first() + local as u32;
        let node = &self.nodes[local];
        let vcs = self.store.fabric.vcs;
        let row = &self.store.pending_events[self.store.layout.credit_events(local, port)];
        let pending_events: Vec<PendingEvent<F::Tick>> =
            node.pending.credits(port, row, self.store.fabric.full_packet).collect();
        let is_due = |entry: &&PendingEvent<F::Tick>| {
            node.epoch_start().wrapping_add_signed(entry.time.cycles().into()) < now
        };
        let mut credits = node.credits_of(port).to_vec();
        for entry in pending_events.iter().filter(is_due) {
            credits[entry.vc as usize] += entry.credits;
        }
        snapshot.credits(number, port, &credits[..vcs]);
        for vc in 0..vcs {
            let input = port * F::VCS + vc;
            let is_leaving = node.leaving().has(input);
            if is_leaving | (node.queues.waiting[input] > 0) {
                let mut packets = self.packets_of(local, input);
                let head = self.store.packet(packets.next().expect("one is leaving or waits"));
                snapshot.head(number, port, vc, head, is_leaving);
                if let Some(waited_for) =
                    self.packets_blocking(local, port, head, now).filter(|_| !is_leaving)
                {
                    snapshot.waits_for_software(number, port, vc, waited_for);
                }
            }
        }
        for entry in pending_events.iter().filter(|entry| !is_due(entry)) {
            snapshot.credits_return(number, port, entry.vc.into());
        }
        let row = &self.store.pending_events[self.store.layout.arrival_events(local, port)];
        for vc in node.pending.heads(port, row) {
            snapshot.packet_moves(number, port, vc);
        }
    }

    /// The head packets of the injection FIFOs of which one must leave before the head packet of a VC can be received.
    /// None unless that packet waits for software to forward a packet.
    fn packets_blocking(
        &self,
        local: usize,
        receiver: usize,
        packet: Packet,
        now: u64,
    ) -> Option<Vec<Packet>> {
        self.store.endpoints()?.packets_blocking_reception(&self.store.fabric, local, receiver, packet, now)
    }

    /// The indices of the packets of a VC; the index of the packet that is leaving comes first.
    pub(super) fn packets_of(&self, local: usize, input: usize) -> impl Iterator<Item = usize> {
        let node = &self.nodes[local];
        self.store.packets_of(self.vc(local, input), node.leaving().has(input), node.count[input])
    }

    /// The cycle at which the oldest packet in the network or at the head of an injection FIFO was offered.
    pub fn oldest_offer(&self, now: u64) -> Option<u64> {
        (0..self.nodes.len()).filter_map(|local| self.oldest_offer_of(local, now)).min()
    }

    fn oldest_offer_of(&self, local: usize, now: u64) -> Option<u64> {
        let node = &self.nodes[local];
        let in_network = (0..F::VC_INPUTS).flat_map(|input| {
            self.packets_of(local, input).map(move |index| self.store.stored(index, now).offered)
        });
        let fifos = 0..self.store.layout.fifos;
        let waiting = fifos.filter(|fifo| !node.injecting.has(F::VC_INPUTS + fifo));
        let lost = self.store.lossy.iter().flat_map(|lossy| lossy.lost_offers(local));
        let lost = lost.map(|offered| self.store.far.cycle(offered, now));
        in_network.chain(waiting.filter_map(|fifo| self.offered_at(local, fifo, now))).chain(lost).min()
    }

    /// The cycle at which the head packet of an injection FIFO was offered.
    fn offered_at(&self, local: usize, fifo: usize, now: u64) -> Option<u64> {
        match &self.store.endpoints {
            Some(endpoints) => Some(endpoints.fifos().head(local, fifo)?.stored.offered),
            None => {
                let head = self.store.heads[local * self.store.layout.fifos + fifo];
                self.store.has_head(local, fifo).then(|| self.store.far.cycle(head.offered(), now))
            }
        }
    }
}
