//! Counters of the links of a subdomain: another counter is another array here. The links of a node follow one another in
//! order of its ports.

use super::sets::assume;
use super::stalls::Stalls;
use base::memory::{self, filled};
use network::counters::LinkCounters;
use network::fabric::Fabric;

/// The counters of all links of a subdomain.
#[derive(Default)]
pub struct Links {
    packets: Vec<u32>,
    /// Chunks, if packets differ in size.
    chunks: Vec<u32>,
    /// Stalls in which each link lacked only credits.
    pub stalls: Stalls,
    /// Ports of a node.
    ports: usize,
    /// Chunks of each packet if they do not differ.
    full_packet: u8,
}

impl Links {
    /// The links of `nodes` nodes.
    pub fn new(fabric: &Fabric, nodes: usize) -> Self {
        let links = nodes * fabric.ports;
        Links {
            packets: filled(links, 0),
            chunks: filled(if fabric.packets_are_full() { 0 } else { links }, 0),
            stalls: Stalls::new(links),
            ports: fabric.ports,
            full_packet: fabric.full_packet,
        }
    }

    /// Prefetches what a visit to a node is likely to access.
    #[inline(always)]
    pub fn prefetch(&self, local: usize) {
        memory::line(&self.packets[local * self.ports]);
    }

    /// Counts a packet; those of uniform machines are all full-size.
    #[inline(always)]
    pub fn count(&mut self, link: usize, chunks: u8, is_uniform: bool) {
        // SAFETY: links are indexed by node of the subdomain and port.
        unsafe { assume(link < self.packets.len()) };
        self.packets[link] += 1;
        if !is_uniform && let Some(sum) = self.chunks.get_mut(link) {
            *sum += u32::from(chunks);
        }
    }

    /// The counters of a link at `now`; `is_stalled` states whether it is stalled.
    pub fn at(&self, link: usize, is_stalled: bool, now: u64) -> LinkCounters {
        let packets = self.packets[link];
        let chunks = self.chunks.get(link).copied().unwrap_or(packets * u32::from(self.full_packet));
        let stalled_cycles = self.stalls.at(link, is_stalled, now);
        LinkCounters { packets, chunks, stalled_cycles, token_stalls: self.stalls.events(link) }
    }

    /// Sets the counters of a link at `now`, when it is or is not stalled.
    fn set(&mut self, link: usize, is_stalled: bool, now: u64, counters: LinkCounters) {
        let LinkCounters { packets, chunks, stalled_cycles, token_stalls } = counters;
        self.packets[link] = packets;
        if let Some(sum) = self.chunks.get_mut(link) {
            *sum = chunks;
        }
        self.stalls.set(link, is_stalled, now, stalled_cycles);
        self.stalls.set_events(link, token_stalls);
    }

    /// Sets the counters of `links` to zero, each with whether it is stalled; stalls in progress count from `now`.
    pub fn start_measurement(&mut self, links: impl Iterator<Item = (usize, bool)>, now: u64) {
        links.for_each(|(link, is_stalled)| self.set(link, is_stalled, now, LinkCounters::default()));
    }

    /// The counters of a node whose links are `links`, each with whether it is stalled, at `now`.
    pub fn save(&self, links: impl Iterator<Item = (usize, bool)>, now: u64) -> Vec<LinkCounters> {
        links.map(|(link, is_stalled)| self.at(link, is_stalled, now)).collect()
    }

    /// Restores the counters of a node.
    pub fn restore(&mut self, links: impl Iterator<Item = (usize, bool)>, now: u64, saved: &[LinkCounters]) {
        for ((link, is_stalled), &counters) in links.zip(saved) {
            self.set(link, is_stalled, now, counters);
        }
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        let Links { packets, chunks, stalls, ports: _, full_packet: _ } = self;
        size_of_val(&packets[..]) + size_of_val(&chunks[..]) + stalls.bytes()
    }
}
