//! The renewal of values that are kept in few bits, before the bits no longer suffice: the times at which packets were
//! offered, and the cycles for which links have been stalled.

use super::buffers::Buffers;
use super::sets::BitSet;
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::timestamped::Timestamped;

impl<F: Steps> Subdomain<F> {
    /// Renews all packets at `now`; see [`RENEWAL_CYCLES`](super::offered::RENEWAL_CYCLES).
    pub fn renew(&mut self, now: u64) {
        // The offer of a packet that has left its place need not be renewed then.
        self.settle(now);
        self.carry_stalls(now);
        for local in 0..self.nodes.len() {
            self.renew_offers(local, now);
        }
    }

    /// Carries the stall counters of all links; see [`super::stalls::Stalls::carry`].
    fn carry_stalls(&mut self, now: u64) {
        let mut links = std::mem::take(&mut self.store.links);
        self.links_with_stalls().for_each(|(link, is_stalled)| links.stalls.carry(link, is_stalled, now));
        self.store.links = links;
    }

    /// Renews the times at which packets were offered. The packets are those that wait in a node's VCs and infinite
    /// FIFOs, and those that its links have lost.
    fn renew_offers(&mut self, local: usize, now: u64) {
        for input in 0..F::VC_INPUTS {
            for rank in 0..self.nodes[local].count[input] {
                let index = self.store.buffers.index(self.vc(local, input), rank);
                let packet = self.store.buffers.timestamped(index);
                if let Some(offered) = self.store.far.renewed(packet.offered(), now) {
                    self.store.buffers.replace(index, F::Timestamped::new(packet.packet(), offered));
                }
            }
        }
        let fifos = if self.store.heads.is_empty() { 0 } else { self.store.layout.fifos };
        let injecting = self.nodes[local].injecting;
        let waits = |&fifo: &usize| self.store.has_head(local, fifo) && !injecting.has(F::VC_INPUTS + fifo);
        for fifo in (0..fifos).filter(waits).collect::<Vec<_>>() {
            let head = &mut self.store.heads[local * fifos + fifo];
            if let Some(offered) = self.store.far.renewed(head.offered(), now) {
                *head = F::Timestamped::new(head.packet(), offered);
            }
        }
        if let Some(lossy) = &mut self.store.lossy {
            lossy.renew_lost(local, &self.store.far, now);
        }
    }
}
