//! Queries on lossy links, in subdomains at rest between windows.

use super::{LossyLinks, Shared};
use crate::WindowedEngine;
use crate::metadata::Metadata;
use crate::offered::{FarOffers, Offered};
use crate::specialization::Specialization;
use crate::steps::Steps;
use crate::subdomain::Subdomain;
use network::Engine;
use network::deadlock::Snapshot;
use network::fabric::Fabric;
use network::link::{ACK_VCS, LinkReport, LinkTotals};
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// Adds the link ends to subdomains, if the links are lossy; returns what all of them share.
pub fn attach<F: Specialization>(subdomains: &mut [Subdomain<F>], fabric: &Fabric) -> Option<Arc<Shared>> {
    let shared = Shared::new(fabric)?;
    for subdomain in subdomains {
        subdomain.store.lossy =
            Some(Box::new(LossyLinks::new(fabric, shared.clone(), subdomain.nodes.len())));
    }
    Some(shared)
}

/// The credits that the end of a link has freed, by VC.
type Freed = [u8; ACK_VCS];

impl<F: Steps> WindowedEngine<F> {
    /// The lossy links of a node of this process, and the node's number within its subdomain.
    fn lossy_links_of(&self, node: u32) -> Option<(&LossyLinks<F::Metadata>, usize)> {
        let subdomain = &self.subdomains[self.subdomain_of(node)?];
        Some((subdomain.store.lossy.as_deref()?, (node - subdomain.first()) as usize))
    }

    /// All live lossy links of the nodes of this process, by node and port.
    fn lossy_links(&self) -> impl Iterator<Item = (u32, usize)> {
        let own = if self.subdomains[0].store.lossy.is_some() { self.own_nodes() } else { 0..0 };
        let all = own.flat_map(|node| (0..self.fabric.ports).map(move |port| (node, port)));
        all.filter(|&(node, port)| self.fabric.has_live_link(node, port))
    }

    /// The credits that the receiver at a port of a node of this process has freed.
    fn freed(&self, node: u32, port: usize) -> Option<Freed> {
        let (links, local) = self.lossy_links_of(node)?;
        Some(*links.end(local, port).announcement.freed())
    }

    /// The credits freed by those receivers of other processes that this one sends to, by node and port.
    fn freed_by_others(&self) -> BTreeMap<(u32, usize), Freed> {
        let to_others = self.lossy_links().filter(|&(node, port)| {
            let next = self.fabric.neighbor(node, port);
            self.subdomain_of(next).is_none()
        });
        let own: Vec<_> =
            to_others.filter_map(|(node, port)| Some(((node, port), self.freed(node, port)?))).collect();
        self.peers.gather(own).into_iter().flatten().collect()
    }

    /// Adds the packets and credits in flight on lossy links to a snapshot.
    pub(crate) fn add_links_to(&self, snapshot: &mut Snapshot) {
        let freed_by_others = self.freed_by_others();
        for (node, port) in self.lossy_links() {
            let (next, back) = (self.fabric.neighbor(node, port), port ^ 1);
            let freed = self.freed(next, back).or_else(|| freed_by_others.get(&(next, back)).copied());
            let Some(((links, local), freed)) = self.lossy_links_of(node).zip(freed) else { continue };
            let end = links.end(local, port);
            end.lost().for_each(|carried| snapshot.packet_moves(next, back, carried.vc.into()));
            let reported_freed = end.sender.reported_freed();
            for vc in (0..self.fabric.vcs).filter(|&vc| reported_freed[vc] != freed[vc]) {
                snapshot.credits_return(node, port, vc);
            }
        }
    }

    /// The report on the links, if they are lossy.
    pub(crate) fn report_on_links(&self) -> Option<LinkReport> {
        let parts = self.peers.gather(self.report_on_own_links()).into_iter();
        parts.collect::<Option<Vec<LinkReport>>>()?.into_iter().reduce(|mut whole, mut part| {
            whole.totals += part.totals;
            whole.retransmissions.append(&mut part.retransmissions);
            whole.mismatched.append(&mut part.mismatched);
            whole.injection_checksums.append(&mut part.injection_checksums);
            whole
        })
    }

    fn report_on_own_links(&self) -> Option<LinkReport> {
        let all: Vec<&LossyLinks<F::Metadata>> = self
            .subdomains
            .iter()
            .map(|subdomain| subdomain.store.lossy.as_deref())
            .collect::<Option<_>>()?;
        let is_mismatched = |&(node, port): &(u32, usize)| {
            let links = self.lossy_links_of(node);
            links.is_some_and(|(links, local)| links.end(local, port).is_mismatched(self.now))
        };
        let retransmissions = |(node, port): (u32, usize)| {
            let (links, local) = self.lossy_links_of(node)?;
            let number = links.end(local, port).sender.retransmissions();
            (number > 0).then_some((node, port, number))
        };
        let mut totals = LinkTotals::default();
        all.iter().for_each(|links| totals += links.totals_at(self.now));
        let by_node = all.iter().flat_map(|links| links.injection.chunks(links.fifos));
        Some(LinkReport {
            totals,
            retransmissions: self.lossy_links().filter_map(retransmissions).collect(),
            mismatched: self.lossy_links().filter(is_mismatched).collect(),
            injection_checksums: by_node.map(|fifos| fifos.iter().map(|sum| sum.value()).collect()).collect(),
        })
    }
}
