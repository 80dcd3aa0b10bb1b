//! What can be asked of a slab at rest between windows: counters, ages, who waits for whom.

use super::dated::Dated;
use super::family::Family;
use super::node::Node;
use super::pending::Note;
use super::pending::Pending;
use super::sets::{BitSet, Tick};
use super::slab::Slab;
use super::stalls::Stalls;
use crate::counters::{LinkCounters, NodeCounters};
use crate::deadlock::Snapshot;
use crate::packet::Packet;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// Counters of the slab's links; what is stalled still counts until `now`.
    pub fn links_at(&self, now: u64) -> Vec<LinkCounters> {
        self.links().map(|(link, is_stalled)| self.store.link(link, is_stalled, now)).collect()
    }

    /// The slab's links, and whether they are stalled.
    fn links(&self) -> impl Iterator<Item = (usize, bool)> {
        let ports = self.store.layout.ports;
        self.nodes.iter().enumerate().flat_map(move |(local, node)| node.links(local, ports))
    }

    /// Sees to it that links may stall for another while.
    pub fn carry_stalls(&mut self, now: u64) {
        self.change_stalls(|stalls, link, is_stalled| stalls.carry(link, is_stalled, now));
    }

    fn change_stalls(&mut self, change: impl Fn(&mut Stalls, usize, bool)) {
        let mut stalls = std::mem::take(&mut self.store.stalls);
        self.links().for_each(|(link, is_stalled)| change(&mut stalls, link, is_stalled));
        self.store.stalls = stalls;
    }

    /// Sets the counters to zero; what is stalled counts from `now`.
    pub fn start_measurement(&mut self, now: u64) {
        self.store.totals.start_measurement();
        self.nodes.iter_mut().for_each(|node| node.counters = NodeCounters::default());
        self.store.link_packets.fill(0);
        self.store.link_chunks.fill(0);
        self.change_stalls(|stalls, link, is_stalled| stalls.set(link, is_stalled, now, 0));
    }

    /// When the next reception ends that is under way.
    pub fn next_reception(&self) -> Option<u64> {
        let ends = |node: &Node<F, P, V, C, S>| {
            let places = node.to_reception.iter();
            let times = places.map(|place| node.times[Node::<F, P, V, C, S>::CHANNELS + place].cycles());
            times.min().map(|time| node.epoch_start().wrapping_add_signed(time.into()))
        };
        self.nodes.iter().filter_map(ends).min()
    }

    /// Writes down who waits for what.
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
        let channels = self.store.fabric.channels;
        let row = &self.store.notes[self.store.layout.token_notes(local, port)];
        let notes: Vec<Note<F::Tick>> =
            node.pending.tokens(port, row, self.store.fabric.full_packet).collect();
        let has_come =
            |note: &&Note<F::Tick>| node.epoch_start().wrapping_add_signed(note.time.cycles().into()) < now;
        let mut tokens = *node.tokens_of(port);
        for note in notes.iter().filter(has_come) {
            tokens[note.channel as usize] += note.tokens;
        }
        snapshot.tokens(number, port, &tokens[..channels]);
        for channel in 0..channels {
            let place = port * V + channel;
            let is_leaving = node.leaving().has(place);
            if is_leaving | (node.queues.waiting[place] > 0) {
                let position = node.first[place].wrapping_sub(u8::from(is_leaving));
                let head = self.store.packets[self.packet_index(local, place, position)].packet();
                snapshot.head(number, port, channel, head, is_leaving);
                if let Some(waited_for) = self.held_up_by(local, port, head, now).filter(|_| !is_leaving) {
                    snapshot.waits_for_software(number, port, channel, waited_for);
                }
            }
        }
        for note in notes.iter().filter(|note| !has_come(note)) {
            snapshot.tokens_return(number, port, note.channel.into());
        }
        let row = &self.store.notes[self.store.layout.arrival_notes(local, port)];
        for channel in node.pending.heads::<V>(port, row) {
            snapshot.packet_moves(number, port, channel);
        }
    }

    /// The packets one of which has to leave its injection FIFO before the head of a channel can be received, if it waits for
    /// that.
    fn held_up_by(&self, local: usize, receiver: usize, packet: Packet, now: u64) -> Option<Vec<Packet>> {
        let injecting = self.nodes[local].injecting;
        let is_leaving = |fifo: usize| injecting.has(C + fifo);
        self.store.software(local)?.holds_up_reception(&self.store.fabric, receiver, packet, now, is_leaving)
    }

    fn packet_index(&self, local: usize, place: usize, position: u8) -> usize {
        let layout = &self.store.layout;
        local * layout.packets + layout.packet(place, position)
    }

    /// The cycle at which the oldest packet was offered, of those in the network or at the head of an injection FIFO.
    pub fn oldest_offer(&self, now: u64) -> Option<u64> {
        (0..self.nodes.len()).filter_map(|local| self.oldest_offer_of(local, now)).min()
    }

    fn oldest_offer_of(&self, local: usize, now: u64) -> Option<u64> {
        let node = &self.nodes[local];
        let in_network = (0..C).flat_map(|place| {
            let leaving = u8::from(node.leaving().has(place));
            let start = node.first[place].wrapping_sub(leaving);
            let positions = (0..node.count[place] + leaving).map(move |rank| start.wrapping_add(rank));
            positions.map(move |position| {
                self.store.stored(self.packet_index(local, place, position), now).offered
            })
        });
        let fifos = 0..self.store.layout.fifos;
        let waiting = fifos.filter(|fifo| !node.injecting.has(C + fifo));
        let lost = self.store.noisy.iter().flat_map(|noisy| noisy.lost_offers(local, now));
        in_network.chain(waiting.filter_map(|fifo| self.offered_at(local, fifo, now))).chain(lost).min()
    }

    /// When the head of an injection FIFO was offered.
    fn offered_at(&self, local: usize, fifo: usize, now: u64) -> Option<u64> {
        match self.store.software.get(local) {
            Some(software) => Some(software.head(fifo)?.stored.offered),
            None => {
                let has_head = self.store.filling[self.store.filling_of(local, fifo)].heads.has(fifo);
                has_head.then(|| self.store.heads[local * self.store.layout.fifos + fifo].offered_near(now))
            }
        }
    }
}
