//! What a checkpoint holds of links that make errors.

use super::{Clock, LinkEnd, NoisyLinks};
use crate::checkpoint::not_what_was_expected;
use crate::link::{Checksum, Damage, LinkTotals};
use crate::windowed::WindowedEngine;
use crate::windowed::family::Family;
use crate::windowed::label::Label;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// What belongs to a node.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Label")]
pub struct NoisyShare<'a, L: Label> {
    ends: Cow<'a, [LinkEnd<L>]>,
    clocks: Cow<'a, [Clock]>,
    wake: u64,
    injection: Cow<'a, [Checksum]>,
}

/// What belongs to none.
#[derive(Serialize, Deserialize)]
pub struct NoisyWhole {
    totals: LinkTotals,
    ahead: Vec<(u64, LinkTotals)>,
    damage: Damage,
}

impl<L: Label> NoisyLinks<L> {
    /// What belongs to a node.
    pub fn share_of(&self, local: usize) -> NoisyShare<'_, L> {
        NoisyShare {
            ends: Cow::Borrowed(&self.ends[local * self.ports..(local + 1) * self.ports]),
            clocks: Cow::Borrowed(&self.clocks[local * self.ports..(local + 1) * self.ports]),
            wake: self.wakes[local],
            injection: Cow::Borrowed(&self.injection[local * self.fifos..(local + 1) * self.fifos]),
        }
    }

    /// Takes over what belongs to a node.
    pub fn take_over(&mut self, local: usize, share: NoisyShare<'_, L>) -> io::Result<()> {
        if [share.ends.len(), share.clocks.len(), share.injection.len()]
            != [self.ports, self.ports, self.fifos]
        {
            return Err(not_what_was_expected());
        }
        self.ends[local * self.ports..(local + 1) * self.ports].clone_from_slice(&share.ends);
        self.clocks[local * self.ports..(local + 1) * self.ports].copy_from_slice(&share.clocks);
        self.wakes[local] = share.wake;
        self.injection[local * self.fifos..(local + 1) * self.fifos].copy_from_slice(&share.injection);
        Ok(())
    }
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>
    WindowedEngine<F, P, V, C, S>
{
    /// What belongs to no node.
    pub(in crate::windowed) fn noisy_whole(&self) -> Option<NoisyWhole> {
        let damage = self.slabs[0].store.noisy.as_ref()?.shared.damage().clone();
        let mut whole = NoisyWhole { totals: LinkTotals::default(), ahead: Vec::new(), damage };
        for links in self.slabs.iter().filter_map(|slab| slab.store.noisy.as_deref()) {
            whole.totals += links.totals;
            whole.ahead.extend(&links.ahead);
        }
        Some(whole)
    }

    /// Takes it over; only sums over all slabs are ever looked at.
    pub(in crate::windowed) fn restore_noisy_whole(&mut self, whole: Option<NoisyWhole>) -> io::Result<()> {
        match (self.slabs[0].store.noisy.as_deref_mut(), whole) {
            (Some(links), Some(NoisyWhole { totals, ahead, damage })) => {
                (links.totals, links.ahead) = (totals, ahead);
                links.shared.put_damage(damage);
                Ok(())
            }
            (None, None) => Ok(()),
            _ => Err(not_what_was_expected()),
        }
    }
}
