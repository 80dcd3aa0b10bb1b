//! Checkpoints of lossy links.

use super::{Clock, LinkEnd, LossyLinks};
use crate::checkpoint::unexpected_state;
use crate::link::{Checksum, DamagedPayloads, LinkTotals};
use crate::windowed::WindowedEngine;
use crate::windowed::metadata::Metadata;
use crate::windowed::specialization::Specialization;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// The state of a node's links.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Metadata")]
pub struct LossyNodeState<'a, L: Metadata> {
    ends: Cow<'a, [LinkEnd<L>]>,
    clocks: Cow<'a, [Clock]>,
    wake: u64,
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
            clocks: Cow::Borrowed(&self.clocks[local * self.ports..(local + 1) * self.ports]),
            wake: self.wakes[local],
            injection: Cow::Borrowed(&self.injection[local * self.fifos..(local + 1) * self.fifos]),
        }
    }

    /// Restores the state of a node's links.
    pub fn restore_node(&mut self, local: usize, share: LossyNodeState<'_, L>) -> io::Result<()> {
        if [share.ends.len(), share.clocks.len(), share.injection.len()]
            != [self.ports, self.ports, self.fifos]
        {
            return Err(unexpected_state());
        }
        self.ends[local * self.ports..(local + 1) * self.ports].clone_from_slice(&share.ends);
        self.clocks[local * self.ports..(local + 1) * self.ports].copy_from_slice(&share.clocks);
        self.wakes[local] = share.wake;
        self.injection[local * self.fifos..(local + 1) * self.fifos].copy_from_slice(&share.injection);
        Ok(())
    }
}

impl<F: Specialization, const P: usize, const V: usize, const C: usize, const S: usize>
    WindowedEngine<F, P, V, C, S>
{
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

    /// Restores that state into the first subdomain: only sums over all subdomains are used.
    pub(in crate::windowed) fn restore_lossy_engine_state(
        &mut self,
        whole: Option<LossyEngineState>,
    ) -> io::Result<()> {
        match (self.subdomains[0].store.lossy.as_deref_mut(), whole) {
            (Some(links), Some(LossyEngineState { totals, ahead, damage })) => {
                (links.totals, links.ahead) = (totals, ahead);
                links.shared.set_damage(damage);
                Ok(())
            }
            (None, None) => Ok(()),
            _ => Err(unexpected_state()),
        }
    }
}
