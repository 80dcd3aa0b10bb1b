//! Up to six dimensions and six VCs, and any latency: masks of 128 bits, times of 32.

use super::Width;
use crate::windowed::array::Array;
use crate::windowed::queues::WideRequests;
use crate::windowed::sets::BitSet;
use crate::windowed::vector::{Vectors, count_off};
use std::marker::PhantomData;

/// A wide machine, for vector instructions `X`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide<X>(PhantomData<X>);

impl<X: Vectors> Width for Wide<X> {
    const PORTS: usize = 12;
    const VCS: usize = 6;
    const SLOTS: usize = 112;
    type Inputs = u128;
    type Slots = u128;
    type Tick = i32;
    type Times = Array<i32, 112>;
    type PerVc = Array<u8, 72>;
    type PerPort<T: Copy> = Array<T, 12>;
    type Bytes = Array<u8, 80>;
    type RequestVectors = WideRequests;
    type Processor = X;

    fn nth(inputs: u128, rank: u32) -> usize {
        count_off(inputs, rank)
    }
    fn at_least(inputs: u128, bytes: &Array<u8, 80>, least: &Array<u8, 80>) -> u128 {
        inputs.iter().fold(0, |set, input| set | u128::only_if(input, bytes[input] >= least[input]))
    }
    #[inline(always)]
    fn due(times: &[i32], now: i32) -> u128 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u128::from(at <= now) << slot)
    }
    #[inline(always)]
    fn next(times: &[i32], now: i32) -> i32 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn earliest(times: &[i32], slots: u128) -> i32 {
        slots.iter().map(|slot| times[slot]).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn links(slots: u128) -> u32 {
        slots as u32
    }
    #[inline(always)]
    fn inputs(slots: u128) -> u128 {
        slots
    }
    #[inline(always)]
    fn slots_of_inputs(inputs: u128) -> u128 {
        inputs
    }
    #[inline(always)]
    fn slots_of_links(links: u32) -> u128 {
        links.into()
    }
}
