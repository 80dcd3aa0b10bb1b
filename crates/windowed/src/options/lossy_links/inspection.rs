//! Queries on lossy links, in subdomains at rest between windows.

use super::{LossyLinks, Shared};
use crate::WindowedEngine;
use crate::metadata::Metadata;
use crate::offered::{FarOffers, Offered};
use crate::specialization::Specialization;
use crate::steps::Steps;
use crate::subdomain::Subdomain;
use network::deadlock::Snapshot;
use network::fabric::Fabric;
use network::link::{LinkReport, LinkTotals};

impl<L: Metadata> LossyLinks<L> {
    /// Number of lost packets that a node's senders store.
    pub fn lost_packets(&self, local: usize) -> usize {
        (0..self.ports).map(|port| self.end(local, port).lost().count()).sum()
    }

    /// The times at which the lost packets that a node's senders store were offered.
    pub fn lost_offers(&self, local: usize) -> impl Iterator<Item = Offered> {
        let lost = (0..self.ports).flat_map(move |port| self.end(local, port).lost());
        lost.map(|carried| carried.offered)
    }

    /// Renews, at `now`, the times at which the lost packets that a node's senders store were offered.
    pub fn renew_lost(&mut self, local: usize, far: &FarOffers, now: u64) {
        let ends = &mut self.ends[local * self.ports..(local + 1) * self.ports];
        ends.iter_mut().for_each(|end| end.renew_lost(far, now));
    }
}

/// Adds the link ends to subdomains, if the links are lossy.
pub fn attach<F: Specialization>(subdomains: &mut [Subdomain<F>], fabric: &Fabric) {
    let Some(shared) = Shared::new(fabric) else { return };
    for subdomain in subdomains {
        subdomain.store.lossy =
            Some(Box::new(LossyLinks::new(fabric, shared.clone(), subdomain.nodes.len())));
    }
}

impl<F: Steps> WindowedEngine<F> {
    /// The lossy links of a node's subdomain, and the node's number within it.
    fn lossy_links_of(&self, node: u32) -> Option<(&LossyLinks<F::Metadata>, usize)> {
        let subdomain = &self.subdomains[self.subdomain_of(node)];
        Some((subdomain.store.lossy.as_deref()?, (node - subdomain.first()) as usize))
    }

    /// All live lossy links, by node and port.
    fn lossy_links(&self) -> impl Iterator<Item = (u32, usize)> {
        let nodes =
            if self.subdomains[0].store.lossy.is_some() { self.fabric.parameters.shape.nodes() } else { 0 };
        let all = (0..nodes).flat_map(|node| (0..self.fabric.ports).map(move |port| (node, port)));
        all.filter(|&(node, port)| self.fabric.has_live_link(node, port))
    }

    /// Adds the packets and credits in flight on lossy links to a snapshot.
    pub(crate) fn add_links_to(&self, snapshot: &mut Snapshot) {
        for (node, port) in self.lossy_links() {
            let next = self.fabric.neighbor(node, port);
            let (Some((here, local)), Some((there, local_there))) =
                (self.lossy_links_of(node), self.lossy_links_of(next))
            else {
                continue;
            };
            let (end, other) = (here.end(local, port), there.end(local_there, port ^ 1));
            end.lost().for_each(|carried| snapshot.packet_moves(next, port ^ 1, carried.vc.into()));
            let (reported_freed, freed) = (end.sender.reported_freed(), other.announcement.freed());
            for vc in (0..self.fabric.vcs).filter(|&vc| reported_freed[vc] != freed[vc]) {
                snapshot.credits_return(node, port, vc);
            }
        }
    }

    /// The report on the links, if they are lossy.
    pub(crate) fn report_on_links(&self) -> Option<LinkReport> {
        let all: Vec<&LossyLinks<F::Metadata>> = self
            .subdomains
            .iter()
            .map(|subdomain| subdomain.store.lossy.as_deref())
            .collect::<Option<_>>()?;
        let is_mismatched = |&(node, port): &(u32, usize)| {
            let links = self.lossy_links_of(node);
            links.is_some_and(|(links, local)| links.end(local, port).is_mismatched(self.now))
        };
        let mut totals = LinkTotals::default();
        all.iter().for_each(|links| totals += links.totals_at(self.now));
        let by_node = all.iter().flat_map(|links| links.injection.chunks(links.fifos));
        Some(LinkReport {
            totals,
            mismatched: self.lossy_links().filter(is_mismatched).collect(),
            injection_checksums: by_node.map(|fifos| fifos.iter().map(|sum| sum.value()).collect()).collect(),
        })
    }
}
