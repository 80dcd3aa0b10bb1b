//! Portable operations: one element at a time.
#![cfg_attr(target_arch = "x86_64", cfg(test))]

use super::Vectors;
use std::array::from_fn;

/// Operations for any processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Portable {
    /// The set of times no later than `now`; these are replaced by `i16::MAX`.
    pub fn take_due(times: &mut [i16; 8], now: i16) -> u8 {
        let due = Portable::due(times, now) as u8;
        times.iter_mut().filter(|at| **at <= now).for_each(|at| *at = i16::MAX);
        due
    }
}

/// The set of lanes for which `holds` is true.
fn set_of(holds: impl Fn(usize) -> bool) -> u32 {
    (0..32).fold(0, |set, lane| set | u32::from(holds(lane)) << lane)
}

impl Vectors for Portable {
    type Bytes = [u8; 32];

    fn load(bytes: &[u8; 32]) -> [u8; 32] {
        *bytes
    }
    fn store(bytes: [u8; 32], into: &mut [u8; 32]) {
        *into = bytes;
    }
    fn all(byte: u8) -> [u8; 32] {
        [byte; 32]
    }
    fn all_in(set: u32, byte: u8) -> [u8; 32] {
        from_fn(|lane| byte * (set >> lane & 1) as u8)
    }
    fn add(a: [u8; 32], b: [u8; 32]) -> [u8; 32] {
        from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }
    fn sub(a: [u8; 32], b: [u8; 32]) -> [u8; 32] {
        from_fn(|lane| a[lane].wrapping_sub(b[lane]))
    }
    fn and(a: [u8; 32], b: [u8; 32]) -> [u8; 32] {
        from_fn(|lane| a[lane] & b[lane])
    }
    fn or(a: [u8; 32], b: [u8; 32]) -> [u8; 32] {
        from_fn(|lane| a[lane] | b[lane])
    }
    fn equal(a: [u8; 32], b: [u8; 32]) -> u32 {
        set_of(|lane| a[lane] == b[lane])
    }
    fn at_least(a: [u8; 32], b: [u8; 32]) -> u32 {
        set_of(|lane| a[lane] >= b[lane])
    }
    fn with_bit(bytes: [u8; 32], bit: usize) -> u32 {
        set_of(|lane| bytes[lane] >> bit & 1 == 1)
    }
    fn lowest_is(bytes: [u8; 32], bit: usize) -> u32 {
        set_of(|lane| bytes[lane] & bytes[lane].wrapping_neg() == 1 << bit)
    }
    fn any(bytes: [u8; 32]) -> u8 {
        bytes.iter().fold(0, |all, byte| all | byte)
    }

    fn due(times: &[i16], now: i16) -> u64 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u64::from(at <= now) << slot)
    }
    fn are_now(times: &[i16; 8], now: i16) -> u8 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u8::from(at == now) << slot)
    }
    fn next_of_eight(times: &[i16; 8], now: i16) -> i16 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX)
    }
    fn earliest(times: &[i16], set: u64) -> i16 {
        let is_in = |(slot, _): &(usize, &i16)| set >> slot & 1 == 1;
        times.iter().enumerate().filter(is_in).map(|(_, &at)| at).min().unwrap_or(i16::MAX)
    }
}
