//! What can be asked of links that make errors, of slabs at rest between windows.

use super::{NoisyLinks, Shared};
use crate::deadlock::Snapshot;
use crate::fabric::Fabric;
use crate::link::{LinkReport, LinkTotals};
use crate::windowed::WindowedEngine;
use crate::windowed::dated::offered_before;
use crate::windowed::family::Family;
use crate::windowed::label::Label;
use crate::windowed::slab::Slab;

impl<L: Label> NoisyLinks<L> {
    /// When packets were offered that a node's senders keep and that have been lost.
    pub fn lost_offers(&self, local: usize, now: u64) -> impl Iterator<Item = u64> {
        let lost = (0..self.ports).flat_map(move |port| self.end(local, port).lost());
        lost.map(move |carried| offered_before(carried.offered, now))
    }
}

/// Gives slabs the ends of their links, if these make errors.
pub fn put_on<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    slabs: &mut [Slab<F, P, V, C, S>],
    fabric: &Fabric,
) {
    let Some(shared) = Shared::new(fabric) else { return };
    for slab in slabs {
        slab.store.noisy = Some(Box::new(NoisyLinks::new(fabric, shared.clone(), slab.nodes.len())));
    }
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>
    WindowedEngine<F, P, V, C, S>
{
    /// The links of the slab of a node, where they make errors, and the node's number within it.
    fn noisy_links_of(&self, node: u32) -> Option<(&NoisyLinks<F::Label>, usize)> {
        let slab = &self.slabs[self.slab_of(node)];
        Some((slab.store.noisy.as_deref()?, (node - slab.first()) as usize))
    }

    /// All live links that make errors, by node and port.
    fn noisy_links(&self) -> impl Iterator<Item = (u32, usize)> {
        let nodes =
            if self.slabs[0].store.noisy.is_some() { self.fabric.parameters.shape.nodes() } else { 0 };
        let all = (0..nodes).flat_map(|node| (0..self.fabric.ports).map(move |port| (node, port)));
        all.filter(|&(node, port)| self.fabric.has_live_link(node, port))
    }

    /// Writes down what is on its way over links that make errors.
    pub(in crate::windowed) fn describe_links(&self, snapshot: &mut Snapshot) {
        for (node, port) in self.noisy_links() {
            let next = self.fabric.neighbor(node, port);
            let (Some((here, local)), Some((there, local_there))) =
                (self.noisy_links_of(node), self.noisy_links_of(next))
            else {
                continue;
            };
            let (end, other) = (here.end(local, port), there.end(local_there, port ^ 1));
            end.lost().for_each(|carried| snapshot.packet_moves(next, port ^ 1, carried.channel.into()));
            let (heard, freed) = (end.sender.heard(), other.announcement.freed());
            for channel in (0..self.fabric.channels).filter(|&channel| heard[channel] != freed[channel]) {
                snapshot.tokens_return(node, port, channel);
            }
        }
    }

    /// What can be said of the links, if they make errors.
    pub(in crate::windowed) fn report_on_links(&self) -> Option<LinkReport> {
        let all: Vec<&NoisyLinks<F::Label>> =
            self.slabs.iter().map(|slab| slab.store.noisy.as_deref()).collect::<Option<_>>()?;
        let is_mismatched = |&(node, port): &(u32, usize)| {
            let links = self.noisy_links_of(node);
            links.is_some_and(|(links, local)| links.end(local, port).is_mismatched(self.now))
        };
        let mut totals = LinkTotals::default();
        all.iter().for_each(|links| totals += links.totals_at(self.now));
        let by_node = all.iter().flat_map(|links| links.injection.chunks(links.fifos));
        Some(LinkReport {
            totals,
            mismatched: self.noisy_links().filter(is_mismatched).collect(),
            injection_checksums: by_node.map(|fifos| fifos.iter().map(|sum| sum.value()).collect()).collect(),
        })
    }
}
