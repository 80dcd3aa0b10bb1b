//! Counters of the links of a subdomain: another counter is another array here. The links of a node follow one another in
//! order of its ports.

use super::sets::assume;
use super::stalls::Stalls;
use crate::counters::LinkCounters;
use crate::fabric::Fabric;
use base::checkpoint::require;
use base::memory::{self, filled};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// More packets than a link carries in any run: their chunks are counted in 32 bits too.
const MOST_PACKETS: u32 = 1 << 28;

/// More stalls than a link has in any run.
const MOST_STALLS: u32 = 1 << 31;

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

/// The counters of a node's links in a checkpoint.
#[derive(Serialize, Deserialize)]
pub struct NodeLinks {
    packets: Vec<u32>,
    chunks: Vec<u32>,
    stalled_cycles: Vec<u64>,
    token_stalls: Vec<u32>,
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

    /// Sets the counters of `links` to zero, each with whether it is stalled; stalls in progress count from `now`.
    pub fn start_measurement(&mut self, links: impl Iterator<Item = (usize, bool)>, now: u64) {
        self.packets.fill(0);
        self.chunks.fill(0);
        links.for_each(|(link, is_stalled)| {
            self.stalls.set(link, is_stalled, now, 0);
            self.stalls.set_events(link, 0);
        });
    }

    fn of_node(&self, local: usize) -> Range<usize> {
        local * self.ports..(local + 1) * self.ports
    }

    /// The counters of a node whose links are `links`, each with whether it is stalled, at `now`.
    pub fn save(&self, local: usize, links: impl Iterator<Item = (usize, bool)>, now: u64) -> NodeLinks {
        let stalled_cycles = links.map(|(link, is_stalled)| self.stalls.at(link, is_stalled, now));
        NodeLinks {
            packets: self.packets[self.of_node(local)].to_vec(),
            chunks: self.chunks.get(self.of_node(local)).unwrap_or_default().to_vec(),
            stalled_cycles: stalled_cycles.collect(),
            token_stalls: self.of_node(local).map(|link| self.stalls.events(link)).collect(),
        }
    }

    /// Restores the counters of a node.
    ///
    /// # Errors
    /// Counters that the node cannot have.
    pub fn restore(
        &mut self,
        local: usize,
        links: impl Iterator<Item = (usize, bool)>,
        now: u64,
        saved: &NodeLinks,
    ) -> io::Result<()> {
        let NodeLinks { packets, chunks, stalled_cycles, token_stalls } = saved;
        let expected_chunks = if self.chunks.is_empty() { 0 } else { self.ports };
        require((packets.len(), chunks.len()) == (self.ports, expected_chunks))?;
        require((stalled_cycles.len(), token_stalls.len()) == (self.ports, self.ports))?;
        require(packets.iter().all(|&packets| packets < MOST_PACKETS))?;
        require(token_stalls.iter().all(|&events| events < MOST_STALLS))?;
        let range = self.of_node(local);
        self.packets[range.clone()].copy_from_slice(packets);
        if !chunks.is_empty() {
            self.chunks[range].copy_from_slice(chunks);
        }
        let stalls = stalled_cycles.iter().zip(token_stalls);
        for ((link, is_stalled), (&cycles, &events)) in links.zip(stalls) {
            self.stalls.set(link, is_stalled, now, cycles);
            self.stalls.set_events(link, events);
            require(self.at(link, is_stalled, now).has_possible_stalls(now))?;
        }
        Ok(())
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.packets[..]) + size_of_val(&self.chunks[..]) + self.stalls.bytes()
    }
}
