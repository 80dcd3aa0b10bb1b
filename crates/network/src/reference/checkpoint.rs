//! The engine's state as frames: one for the whole, one for each node, one for the events of each cycle.

use super::{Event, ReferenceEngine};
use crate::checkpoint::{FrameReader, FrameWriter, not_what_was_expected};
use crate::{LinkCounters, Totals};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;

/// What does not belong to a node.
#[derive(Serialize, Deserialize)]
struct Whole {
    now: u64,
    nodes: usize,
    ports: usize,
    cycles_with_events: usize,
    totals: Totals,
}

impl ReferenceEngine {
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        debug_assert!(self.deliveries.is_empty());
        frames.write(&Whole {
            now: self.now,
            nodes: self.nodes.len(),
            ports: self.fabric.ports,
            cycles_with_events: self.events.len(),
            totals: self.totals.clone(),
        })?;
        for (number, node) in self.nodes.iter().enumerate() {
            let links = &self.links[number * self.fabric.ports..][..self.fabric.ports];
            frames.write(&(node, links, self.counters[number]))?;
        }
        self.events.iter().try_for_each(|events| frames.write(&events))
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let Whole { now, nodes, ports, cycles_with_events, totals } = frames.read()?;
        if (nodes, ports) != (self.nodes.len(), self.fabric.ports) {
            return Err(not_what_was_expected());
        }
        (self.now, self.totals) = (now, totals);
        self.links.clear();
        for number in 0..nodes {
            let links: Vec<LinkCounters>;
            (self.nodes[number], links, self.counters[number]) = frames.read()?;
            self.links.extend(links);
        }
        self.events.clear();
        for _ in 0..cycles_with_events {
            let (time, events): (u64, BTreeSet<(u32, Event)>) = frames.read()?;
            self.events.insert(time, events);
        }
        match self.links.len() == nodes * ports {
            true => Ok(()),
            false => Err(not_what_was_expected()),
        }
    }
}
