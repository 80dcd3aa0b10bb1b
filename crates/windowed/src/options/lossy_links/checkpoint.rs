//! Checkpoints of lossy links.

use super::{LinkEnd, LossyLinks};
use crate::WindowedEngine;
use crate::metadata::Metadata;
use crate::steps::Steps;
use base::checkpoint::require;
use network::fabric::Fabric;
use network::link::{Checksum, DamagedPayloads, LinkTotals};
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

impl<L: Metadata> LossyNodeState<'_, L> {
    /// Adds `start` to all places in the table of far offers.
    pub fn move_far(&mut self, start: u32) -> io::Result<()> {
        let moved = self.ends.to_mut().iter_mut().all(|end| end.move_far(start));
        require(moved)
    }
}

impl<L: Metadata> LossyLinks<L> {
    /// The state of a node's links.
    pub fn node_state(&self, local: usize) -> LossyNodeState<'_, L> {
        LossyNodeState {
            ends: Cow::Borrowed(&self.ends[local * self.ports..(local + 1) * self.ports]),
            injection: Cow::Borrowed(&self.injection[local * self.fifos..(local + 1) * self.fifos]),
        }
    }

    /// Restores the state of a node's links; `stalled` are its stalled ports. The times at which the links are due
    /// follow from their ends. Every kept packet must be meant for a VC that exists.
    pub fn restore_node(
        &mut self,
        fabric: &Fabric,
        local: usize,
        stalled: u16,
        share: &LossyNodeState<'_, L>,
    ) -> io::Result<()> {
        require(share.ends.iter().flat_map(LinkEnd::kept).all(|kept| usize::from(kept.vc) < fabric.vcs))?;
        self.ends[local * self.ports..(local + 1) * self.ports].clone_from_slice(&share.ends);
        self.injection[local * self.fifos..(local + 1) * self.fifos].copy_from_slice(&share.injection);
        for port in 0..self.ports {
            self.set_clock(fabric, local, port);
        }
        self.plan(local, stalled);
        Ok(())
    }
}

impl<F: Steps> WindowedEngine<F> {
    /// The state of all processes that belongs to no node.
    pub(crate) fn lossy_engine_state(&self) -> Option<LossyEngineState> {
        let damage = self.subdomains[0].store.lossy.as_ref()?.shared.damage().clone();
        let (mut totals, mut ahead) = (LinkTotals::default(), Vec::<(u64, LinkTotals)>::new());
        for links in self.subdomains.iter().filter_map(|subdomain| subdomain.store.lossy.as_deref()) {
            totals += links.totals;
            ahead.extend(&links.ahead);
        }
        let mut whole = LossyEngineState { totals: LinkTotals::default(), ahead: Vec::new(), damage };
        for (totals, ahead) in self.peers.gather((totals, ahead)) {
            whole.totals += totals;
            whole.ahead.extend(ahead);
        }
        Some(whole)
    }

    /// Restores the state that belongs to no node into the first subdomain of process 0: only sums over all are used. All
    /// processes know the damage.
    pub(crate) fn restore_lossy_engine_state(&mut self, whole: Option<LossyEngineState>) {
        if let Some((links, whole)) = self.subdomains[0].store.lossy.as_deref_mut().zip(whole) {
            if self.peers.is_first() {
                (links.totals, links.ahead) = (whole.totals, whole.ahead);
            }
            links.shared.set_damage(whole.damage);
        }
    }
}
