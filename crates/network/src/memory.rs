//! Prefetching and huge pages. The neighbors of a node lie far apart in memory, and with pages of 4 KB a TLB miss takes
//! longer than the fetch of the data. Both are hints: nothing depends on them.

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

/// A queue or list of which there is one for each rank: it grows by a half, not to twice its capacity, as ranks are many and soon
/// have as much under way as they ever will. In smaller steps it would move more often, until the memory of a rank is scattered.
pub trait Snug {
    /// Its elements.
    type Item;

    /// Makes room for another element.
    fn make_room(&mut self);

    /// Appends an element.
    fn append_one(&mut self, item: Self::Item);
}

macro_rules! grows_by_a_half {
    ($queue:ident, $append:ident) => {
        impl<T> Snug for $queue<T> {
            type Item = T;

            #[inline]
            fn make_room(&mut self) {
                if self.len() == self.capacity() {
                    self.reserve_exact(growth(self.len()));
                }
            }

            #[inline]
            fn append_one(&mut self, item: T) {
                self.make_room();
                self.$append(item);
            }
        }
    };
}

grows_by_a_half!(Vec, push);
grows_by_a_half!(VecDeque, push_back);

fn growth(elements: usize) -> usize {
    if elements == 0 { 4 } else { (elements / 2).max(2) }
}

/// Bytes of a [`Snug`] queue to which so many elements have been added one by one.
pub fn snug_bytes<T>(elements: usize) -> usize {
    let mut capacity = 0;
    while capacity < elements {
        capacity += growth(capacity);
    }
    capacity * size_of::<T>()
}

/// Bytes of a `Vec` or `VecDeque` to which so many elements have been added one by one: its capacity doubles, from four.
pub fn grown_bytes<T>(elements: usize) -> usize {
    let capacity = if elements == 0 { 0 } else { elements.next_power_of_two().max(4) };
    capacity * size_of::<T>()
}

/// Lets a queue that is empty begin again at its first place: it then goes on in the cache lines that it has just used,
/// instead of going round through all of its memory.
#[inline]
pub fn rewind<T>(queue: &mut VecDeque<T>) {
    if queue.is_empty() {
        queue.clear();
    }
}

/// Prefetches the cache line in which an item begins.
#[inline(always)]
pub fn line<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of an item, SSE is part of x86-64, and a prefetch has no observable effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// The most bytes of which a visit uses so large a part that all are worth the bandwidth: those of the packets of a node
/// whose packets are all full-size and have no tags.
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
    // SAFETY: so many bytes are those of `items`.
    unsafe { lines_from(items.as_ptr().cast(), size_of_val(items)) };
}

/// Prefetches the cache lines of the first `bytes` of an item.
#[inline(always)]
pub fn first_lines<T>(item: &T, bytes: usize) {
    // SAFETY: the item has as many bytes.
    unsafe { lines_from(std::ptr::from_ref(item).cast(), bytes.min(size_of::<T>())) };
}

/// Prefetches the cache lines of `bytes` bytes, which have to be those of one allocation.
#[inline(always)]
unsafe fn lines_from(first: *const u8, bytes: usize) {
    // A loop that is unrolled where the number of bytes is known, as one over an iterator is not.
    let mut offset = 0;
    while offset < bytes {
        // SAFETY: the address lies within the allocation.
        line(unsafe { &*first.add(offset) });
        offset += LINE_BYTES;
    }
}
