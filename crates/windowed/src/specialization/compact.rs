//! Up to three dimensions and four VCs, such as Blue Gene/L: masks of 32 and 64 bits, times of 16 bits.

use super::Width;
use crate::array::{Array, Data, Items};
use crate::queues::ByteRequests;
use crate::vector::Vectors;
use std::fmt::Debug;
use std::marker::PhantomData;

/// A compact machine of form `M`, with `N` VCs at each port, for vector instructions `X`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compact<M, N, X>(PhantomData<(M, N, X)>);

/// For each set of up to four VCs, the VC of each rank in the set.
const VCS_BY_RANK: [[u8; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut vc, mut rank) = (0, 0);
        while vc < 4 {
            if set >> vc & 1 == 1 {
                table[set][rank] = vc as u8;
                rank += 1;
            }
            vc += 1;
        }
        set += 1;
    }
    table
};

/// A number of VCs at each port.
pub trait VcCount: Copy + Debug + Default + Send + Sync + 'static {
    /// The number.
    const VCS: usize;
    /// See [`Width::SLOTS`].
    const SLOTS: usize;
    /// See [`Width::Times`].
    type Times: Items<i16> + Data;
    /// See [`Width::PerVc`].
    type PerVc: Items<u8> + Data;
}

/// Three VCs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreeVcs;

/// Four VCs.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourVcs;

impl VcCount for ThreeVcs {
    const VCS: usize = 3;
    const SLOTS: usize = 40;
    type Times = Array<i16, 40>;
    type PerVc = Array<u8, 18>;
}

impl VcCount for FourVcs {
    const VCS: usize = 4;
    const SLOTS: usize = 48;
    type Times = Array<i16, 48>;
    type PerVc = Array<u8, 24>;
}

impl<M: Copy + Default + Send + Sync + 'static, N: VcCount, X: Vectors> Width for Compact<M, N, X> {
    const PORTS: usize = 6;
    const VCS: usize = N::VCS;
    const SLOTS: usize = N::SLOTS;
    type Inputs = u32;
    type Slots = u64;
    type Tick = i16;
    type Times = N::Times;
    type PerVc = N::PerVc;
    type PerPort<T: Copy> = Array<T, 6>;
    type Bytes = Array<u8, 32>;
    type RequestVectors = ByteRequests<X>;
    type Processor = X;

    #[inline(always)]
    fn nth(inputs: u32, rank: u32) -> usize {
        X::nth(inputs, rank)
    }
    #[inline(always)]
    fn nth_vc(vcs: u16, rank: u32) -> usize {
        VCS_BY_RANK[usize::from(vcs & 15)][rank as usize & 3].into()
    }
    #[inline(always)]
    fn at_least(inputs: u32, bytes: &Array<u8, 32>, min: &Array<u8, 32>) -> u32 {
        inputs & X::at_least(X::load(&bytes.0), X::load(&min.0))
    }
    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        X::due(times, now)
    }
    #[inline(always)]
    fn next(times: &[i16], now: i16) -> i16 {
        match times.try_into() {
            Ok(eight) => X::next_of_eight(eight, now),
            Err(_) => times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX),
        }
    }
    #[inline(always)]
    fn earliest(times: &[i16], slots: u64) -> i16 {
        X::earliest(times, slots)
    }
    #[inline(always)]
    fn links(slots: u64) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn inputs(slots: u64) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn slots_of_inputs(inputs: u32) -> u64 {
        inputs.into()
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u64 {
        links.into()
    }
}
