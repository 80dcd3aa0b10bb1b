//! The engine's state as frames: one for the whole, one for each node.

use super::WindowedEngine;
use super::errors::{NoisyShare, NoisyWhole};
use super::family::Family;
use super::node::Node;
use super::pending::Note;
use super::slab::Slab;
use super::store::{Filling, Layout, Optionals, Store};
use crate::Totals;
use crate::checkpoint::{FrameReader, FrameWriter, not_what_was_expected};
use crate::node::software::Software;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// What does not belong to a node.
#[derive(Serialize, Deserialize)]
struct Whole {
    now: u64,
    nodes: u32,
    totals: Totals,
    noisy: Option<NoisyWhole>,
}

/// A node, and its share of the slab's arrays.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Share<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    node: Cow<'a, Node<F, P, V, C, S>>,
    packets: Cow<'a, [F::Dated]>,
    labels: Cow<'a, [F::Label]>,
    notes: Cow<'a, [Note<F::Tick>]>,
    heads: Cow<'a, [F::Dated]>,
    filling: Cow<'a, [Filling]>,
    software: Cow<'a, [Software]>,
    optional: Cow<'a, [Optionals<F::Places>]>,
    noisy: Option<NoisyShare<'a, F::Label>>,
    link_packets: Cow<'a, [u32]>,
    link_chunks: Cow<'a, [u32]>,
    stalled_cycles: Vec<u64>,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>
    WindowedEngine<F, P, V, C, S>
{
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let nodes = self.fabric.parameters.shape.nodes();
        frames.write(&Whole { now: self.now, nodes, totals: self.counted(), noisy: self.noisy_whole() })?;
        self.slabs.iter().try_for_each(|slab| slab.save(self.now, frames))
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let Whole { now, nodes, totals, noisy } = frames.read()?;
        if nodes != self.fabric.parameters.shape.nodes() {
            return Err(not_what_was_expected());
        }
        self.now = now;
        for slab in &mut self.slabs {
            slab.restore(now, frames)?;
        }
        // Only sums over all slabs are ever looked at.
        self.slabs[0].store.totals = totals;
        self.restore_noisy_whole(noisy)
    }
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    fn save(&self, now: u64, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        debug_assert!(self.store.deliveries.is_empty() && self.outbox.is_empty());
        (0..self.nodes.len())
            .try_for_each(|local| frames.write(&share(&self.nodes[local], &self.store, local, now)))
    }

    fn restore(&mut self, now: u64, frames: &mut FrameReader<'_>) -> io::Result<()> {
        for local in 0..self.nodes.len() {
            let share: Share<'_, F, P, V, C, S> = frames.read()?;
            take_over(share, &mut self.nodes[local], &mut self.store, local, now)?;
        }
        self.begin_at(now);
        Ok(())
    }
}

/// A node's part of an array of which every node has as much.
fn part<T: Clone>(array: &[T], local: usize, count: usize) -> Cow<'_, [T]> {
    let each = if array.is_empty() { 0 } else { count };
    Cow::Borrowed(&array[local * each..(local + 1) * each])
}

fn share<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    node: &'a Node<F, P, V, C, S>,
    store: &'a Store<F, C>,
    local: usize,
    now: u64,
) -> Share<'a, F, P, V, C, S> {
    let layout = &store.layout;
    Share {
        node: Cow::Borrowed(node),
        packets: part(&store.packets, local, layout.packets),
        labels: part(&store.labels, local, layout.packets),
        notes: part(&store.notes, local, layout.notes),
        heads: part(&store.heads, local, layout.fifos),
        filling: part(&store.filling, local, layout.lanes),
        software: part(&store.software, local, 1),
        optional: part(&store.optional, local, 1),
        noisy: store.noisy.as_ref().map(|noisy| noisy.share_of(local)),
        link_packets: part(&store.link_packets, local, layout.ports),
        link_chunks: part(&store.link_chunks, local, layout.ports),
        stalled_cycles: node
            .links(local, layout.ports)
            .map(|(link, is_stalled)| store.stalls.at(link, is_stalled, now))
            .collect(),
    }
}

fn take_over<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    share: Share<'_, F, P, V, C, S>,
    node: &mut Node<F, P, V, C, S>,
    store: &mut Store<F, C>,
    local: usize,
    now: u64,
) -> io::Result<()> {
    *node = share.node.into_owned();
    let Layout { packets, notes, fifos, lanes, ports, .. } = store.layout;
    put(&mut store.packets, local, packets, &share.packets)?;
    put(&mut store.labels, local, packets, &share.labels)?;
    put(&mut store.notes, local, notes, &share.notes)?;
    put(&mut store.heads, local, fifos, &share.heads)?;
    put(&mut store.filling, local, lanes, &share.filling)?;
    put(&mut store.software, local, 1, &share.software)?;
    put(&mut store.optional, local, 1, &share.optional)?;
    match (&mut store.noisy, share.noisy) {
        (Some(noisy), Some(share)) => noisy.take_over(local, share)?,
        (None, None) => {}
        _ => return Err(not_what_was_expected()),
    }
    put(&mut store.link_packets, local, ports, &share.link_packets)?;
    put(&mut store.link_chunks, local, ports, &share.link_chunks)?;
    if share.stalled_cycles.len() != ports {
        return Err(not_what_was_expected());
    }
    for ((link, is_stalled), cycles) in node.links(local, ports).zip(share.stalled_cycles) {
        store.stalls.set(link, is_stalled, now, cycles);
    }
    Ok(())
}

/// Puts a node's part into an array of which every node has as much.
fn put<T: Clone>(array: &mut [T], local: usize, count: usize, part: &[T]) -> io::Result<()> {
    let each = if array.is_empty() { 0 } else { count };
    if part.len() != each {
        return Err(not_what_was_expected());
    }
    array[local * each..(local + 1) * each].clone_from_slice(part);
    Ok(())
}
