//! Memory: what is on huge pages, what is prefetched, and collections that take little ([`Compact`], [`OnDemand`]).
//!
//! The neighbors of a node lie far apart in memory, and with pages of 4 KB a TLB miss takes longer than the fetch of the
//! data. Prefetching and huge pages are hints: nothing depends on them.

#![allow(unsafe_code, reason = "requests of huge pages and prefetches have no safe form")]

mod compact;
mod on_demand;

pub use compact::{Compact, compact_bytes, grown_bytes};
pub use on_demand::{Absent, OnDemand};

use std::collections::VecDeque;

const LINE_BYTES: usize = 64;

/// Smaller arrays do not use huge pages, which have 2 MB each.
#[cfg(target_os = "linux")]
const LARGE_BYTES: usize = 2 << 20;

/// An array of `count` copies of `item`, on huge pages if it is large.
pub fn filled<T: Clone>(count: usize, item: T) -> Vec<T> {
    let mut array = room_for(count);
    array.resize(count, item);
    array
}

/// An array of some items, on huge pages if it is large.
pub fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut array = room_for(items.len());
    array.extend(items);
    array
}

/// An empty array with a capacity of `count` items, on huge pages if it is large.
pub fn room_for<T>(count: usize) -> Vec<T> {
    let array = Vec::with_capacity(count);
    #[cfg(target_os = "linux")]
    advise_huge_pages(array.as_ptr() as usize, count * size_of::<T>());
    array
}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: usize, bytes: usize) {
    const PAGE_BYTES: usize = 4096;
    if bytes >= LARGE_BYTES {
        let (first, end) = (start.next_multiple_of(PAGE_BYTES), (start + bytes) / PAGE_BYTES * PAGE_BYTES);
        // SAFETY: these are whole pages of one allocation, and the advice has no observable effect. Its failure does
        // not matter.
        unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE) };
    }
}

/// Lets a queue that is empty begin again at its first place. It then goes on in the cache lines that it has just used,
/// instead of going round through all of its memory.
#[inline]
pub fn rewind<T>(queue: &mut VecDeque<T>) {
    if queue.is_empty() {
        queue.clear();
    }
}

/// The cache into which memory is prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    First,
    Second,
}

/// Prefetches the cache line in which an item begins.
#[inline(always)]
pub fn line<T>(item: &T) {
    prefetch(std::ptr::from_ref(item).cast(), Level::First);
}

/// Prefetches the cache line in which an item of an array begins. If there is no item with this number, it prefetches
/// some cache line, as that costs less than an unpredictable branch.
#[inline(always)]
pub fn line_of<T>(items: &[T], number: usize) {
    let number = number.min(items.len().saturating_sub(1));
    prefetch(items.as_ptr().wrapping_add(number).cast(), Level::First);
}

/// The most bytes of which a visit uses so large a part that all are worth the bandwidth. A node whose packets are all
/// full-size and have no tags has that many bytes of packets.
const FEW_BYTES: usize = 1024;

/// Prefetches the cache lines of `items` if they are few.
#[inline(always)]
pub fn few_lines<T>(items: &[T]) {
    if size_of_val(items) <= FEW_BYTES {
        lines(items);
    }
}

/// Prefetches the cache lines of `items`.
#[inline(always)]
pub fn lines<T>(items: &[T]) {
    prefetch_all(items, Level::First);
}

/// Prefetches the cache lines of an item, which is state of software, into the second-level cache. The state of a few
/// nodes would drive everything else out of the first level.
#[inline(always)]
pub fn software<T>(item: &T) {
    prefetch_all(std::slice::from_ref(item), Level::Second);
}

/// Prefetches the cache lines of several items of software, if they are few.
#[inline(always)]
pub fn few_of_software<T>(items: &[T]) {
    if size_of_val(items) <= FEW_BYTES {
        prefetch_all(items, Level::Second);
    }
}

#[inline(always)]
fn prefetch_all<T>(items: &[T], level: Level) {
    let first = items.as_ptr().cast::<u8>();
    // This loop is unrolled where the number of bytes is known, as one over an iterator is not.
    let mut offset = 0;
    while offset < size_of_val(items) {
        prefetch(first.wrapping_add(offset), level);
        offset += LINE_BYTES;
    }
}

#[inline(always)]
fn prefetch(address: *const u8, level: Level) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch has no observable effect, whatever the address.
        unsafe {
            match level {
                Level::First => _mm_prefetch::<_MM_HINT_T0>(address.cast()),
                Level::Second => _mm_prefetch::<_MM_HINT_T1>(address.cast()),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, level);
}
