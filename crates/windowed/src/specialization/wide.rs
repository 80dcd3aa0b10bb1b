//! Up to six dimensions and 6 or 20 VCs, and any latency: masks of 128 or 320 bits, times of 32 bits.

use super::Width;
use crate::array::{Array, Data, Items};
use crate::queues::WideRequests;
use crate::sets::{BitSet, Words};
use crate::vector::{Vectors, count_off};
use std::fmt::Debug;
use std::marker::PhantomData;

/// A wide machine with `N` VCs at each port, for vector instructions `X`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide<N, X>(PhantomData<(N, X)>);

/// A number of VCs at each port of up to twelve.
pub trait WideVcCount: Copy + Debug + Default + Send + Sync + 'static {
    /// The number.
    const VCS: usize;
    /// See [`Width::SLOTS`].
    const SLOTS: usize;
    /// Set of inputs, and of slots.
    type Set: BitSet;
    /// See [`Width::Times`].
    type Times: Items<i32> + Data;
    /// See [`Width::PerVc`].
    type PerVc: Items<u8> + Data;
    /// See [`Width::Bytes`].
    type Bytes: Items<u8> + Data + Default;
    /// Hint bits, by input.
    type Hints: Items<u16> + Data + Default;
}

/// Six VCs.
#[derive(Clone, Copy, Debug, Default)]
pub struct SixVcs;

/// Twenty VCs.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwentyVcs;

impl WideVcCount for SixVcs {
    const VCS: usize = 6;
    const SLOTS: usize = 112;
    type Set = u128;
    type Times = Array<i32, 112>;
    type PerVc = Array<u8, 72>;
    type Bytes = Array<u8, 80>;
    type Hints = Array<u16, 80>;
}

impl WideVcCount for TwentyVcs {
    const VCS: usize = 20;
    const SLOTS: usize = 280;
    type Set = Words<5>;
    type Times = Array<i32, 280>;
    type PerVc = Array<u8, 240>;
    type Bytes = Array<u8, 248>;
    type Hints = Array<u16, 248>;
}

impl<N: WideVcCount, X: Vectors> Width for Wide<N, X> {
    const PORTS: usize = 12;
    const VCS: usize = N::VCS;
    const SLOTS: usize = N::SLOTS;
    type Inputs = N::Set;
    type Slots = N::Set;
    type Tick = i32;
    type Times = N::Times;
    type PerVc = N::PerVc;
    type PerPort<T: Copy> = Array<T, 12>;
    type Bytes = N::Bytes;
    type RequestVectors = WideRequests<N::Set, N::Hints>;
    type Processor = X;

    fn nth(inputs: N::Set, rank: u32) -> usize {
        count_off(inputs, rank)
    }
    fn at_least(inputs: N::Set, bytes: &N::Bytes, min: &N::Bytes) -> N::Set {
        N::Set::of(inputs.iter().filter(|&input| bytes[input] >= min[input]))
    }
    #[inline(always)]
    fn due(times: &[i32], now: i32) -> N::Set {
        N::Set::of_flags(times.iter().map(|&at| at <= now))
    }
    #[inline(always)]
    fn next(times: &[i32], now: i32) -> i32 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn earliest(times: &[i32], slots: N::Set) -> i32 {
        slots.iter().map(|slot| times[slot]).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn links(slots: N::Set) -> u32 {
        slots.low_word()
    }
    #[inline(always)]
    fn inputs(slots: N::Set) -> N::Set {
        slots
    }
    #[inline(always)]
    fn slots_of_inputs(inputs: N::Set) -> N::Set {
        inputs
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> N::Set {
        N::Set::from_word(links)
    }
}
