//! Checkpoints of lossy links.

use super::{Carried, Here, LinkEnd, LossyLinks};
use crate::fabric::Fabric;
use crate::link::{Checksum, DamagedPayloads, LinkTotals};
use crate::packet::Stored;
use crate::windowed::WindowedEngine;
use crate::windowed::metadata::Metadata;
use crate::windowed::offered::FarOffers;
use crate::windowed::steps::Steps;
use base::checkpoint::{require, unexpected_state};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// The state of a node's links.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Metadata")]
pub struct LossyNodeState<'a, L: Metadata> {
    ends: Cow<'a, [LinkEnd<L>]>,
    injection: Cow<'a, [Checksum]>,
}

/// The state that belongs to no node.
#[derive(Serialize, Deserialize)]
pub struct LossyEngineState {
    totals: LinkTotals,
    ahead: Vec<(u64, LinkTotals)>,
    damage: DamagedPayloads,
}

impl<L: Metadata> LossyLinks<L> {
    /// The state of a node's links.
    pub fn node_state(&self, local: usize) -> LossyNodeState<'_, L> {
        LossyNodeState {
            ends: Cow::Borrowed(&self.ends[local * self.ports..(local + 1) * self.ports]),
            injection: Cow::Borrowed(&self.injection[local * self.fifos..(local + 1) * self.fifos]),
        }
    }

    /// Restores the state of a node's links at `now`; `stalled` are its stalled ports. The times at which the links are
    /// due follow from their ends.
    pub fn restore_node(
        &mut self,
        fabric: &Fabric,
        far: &FarOffers,
        here: Here,
        stalled: u16,
        share: LossyNodeState<'_, L>,
    ) -> io::Result<()> {
        let Here { local, number, now } = here;
        require([share.ends.len(), share.injection.len()] == [self.ports, self.fifos])?;
        self.ends[local * self.ports..(local + 1) * self.ports].clone_from_slice(&share.ends);
        self.injection[local * self.fifos..(local + 1) * self.fifos].copy_from_slice(&share.injection);
        for port in 0..self.ports {
            require(self.can_restore_end((fabric, far), number, self.end(local, port), port, now))?;
            self.set_clock(fabric, local, port);
        }
        self.plan(local, stalled);
        require(self.wakes[local] >= now)
    }

    fn can_restore_end(
        &self,
        (fabric, far): (&Fabric, &FarOffers),
        node: u32,
        end: &LinkEnd<L>,
        port: usize,
        now: u64,
    ) -> bool {
        if !fabric.has_live_link(node, port) {
            return end.is_at_rest();
        }
        let next = fabric.neighbor(node, port);
        end.can_be_restored(now, self.shared.capacity_chunks, |carried| {
            let Carried { packet, offered, metadata, vc } = *carried;
            let (tag, source) = (metadata.tag(), metadata.source());
            // A packet that has arrived may still be stored, when its cycle is no longer known.
            let offered = far.restored(offered, now)?.min(now);
            let stored = Stored { packet, offered, tag, source };
            fabric.can_hold(next, vc.into(), &stored).then(|| fabric.layout.chunks(packet))
        })
    }
}

impl<F: Steps> WindowedEngine<F> {
    /// The state that belongs to no node.
    pub(in crate::windowed) fn lossy_engine_state(&self) -> Option<LossyEngineState> {
        let damage = self.subdomains[0].store.lossy.as_ref()?.shared.damage().clone();
        let mut whole = LossyEngineState { totals: LinkTotals::default(), ahead: Vec::new(), damage };
        for links in self.subdomains.iter().filter_map(|subdomain| subdomain.store.lossy.as_deref()) {
            whole.totals += links.totals;
            whole.ahead.extend(&links.ahead);
        }
        Some(whole)
    }

    /// Restores the state that belongs to no node into the first subdomain: only sums over all subdomains are used.
    pub(in crate::windowed) fn restore_lossy_engine_state(
        &mut self,
        whole: Option<LossyEngineState>,
    ) -> io::Result<()> {
        match (self.subdomains[0].store.lossy.as_deref_mut(), whole) {
            (Some(links), Some(LossyEngineState { totals, ahead, damage })) => {
                require(damage.can_be_restored(&self.fabric))?;
                require(totals.can_be_restored())?;
                require(ahead.iter().all(|(_, counts)| counts.can_be_restored()))?;
                (links.totals, links.ahead) = (totals, ahead);
                links.shared.set_damage(damage);
                Ok(())
            }
            (None, None) => Ok(()),
            _ => Err(unexpected_state()),
        }
    }
}
