//! Blocks: data that one process writes and others read.
//!
//! ```text
//!   owner:   allocate, write ... the offset goes to readers by way of the simulator
//!   reader:  read, release; the last one puts the block on the owner's stack
//!   owner:   reclaims the stack when it has no free block of a size
//! ```
//!
//! An owner knows its blocks in its own memory, so that another process cannot damage them: no block comes back that is
//! not out, or as one of another size. The last block that came back is used first: it touches no new page.

use crate::layout::Layout;
use crate::memory::{Memory, OfAtomics};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The bytes in front of the data of a block.
pub const BLOCK_HEADER_BYTES: u64 = size_of::<BlockHeader>() as u64;

/// Longer blocks are in the far arena.
const LONGEST_NEAR: u64 = 4_096;

/// The pages of longer blocks are given back to the host when they are free.
const LONGEST_KEPT: u64 = 16 << 20;

#[repr(C)]
pub(crate) struct BlockHeader {
    owner: AtomicU32,
    /// Readers that have not released the block.
    readers: AtomicU32,
    /// The next block on the stack of those that have come back.
    next: AtomicU64,
    bytes: AtomicU64,
}

// SAFETY: its fields are atomic words.
unsafe impl OfAtomics for BlockHeader {}

/// Sizes: four in each octave, so that at most a quarter of a block is unused.
fn class_of(bytes: u64) -> u32 {
    let bytes = bytes.max(64) - 1;
    let octave = bytes.ilog2();
    octave * 4 + ((bytes >> (octave - 2)) & 3) as u32 + 1
}

fn bytes_of(class: u32) -> u64 {
    let (octave, quarter) = (class / 4, u64::from(class % 4));
    (4 + quarter) << (octave - 2)
}

/// Takes memory for one owner.
#[derive(Debug)]
pub struct Allocator {
    owner: u32,
    /// The parts of the near and the far arena that have never been used.
    near: (u64, u64),
    far: (u64, u64),
    /// Free blocks, by class.
    free: Vec<Vec<u64>>,
    /// The classes of the blocks that have not come back.
    out: HashMap<u64, u32>,
}

impl Allocator {
    /// The arenas of a rank, of which nothing is in use.
    pub fn of_rank(layout: &Layout, rank: u32) -> Self {
        Self::new(layout, rank)
    }

    /// The arenas of the simulator.
    pub fn of_simulator(layout: &Layout) -> Self {
        Self::new(layout, layout.simulator())
    }

    fn new(layout: &Layout, owner: u32) -> Self {
        let (near, far) = (layout.near_arena(owner), layout.far_arena(owner));
        Allocator { owner, near, far, free: Vec::new(), out: HashMap::new() }
    }

    /// A block for `bytes` bytes that `readers` release; none if the arena is full. Returns the offset of its data.
    pub fn allocate(&mut self, memory: &Memory, bytes: u64, readers: u32) -> Option<u64> {
        let class = class_of(bytes.checked_add(BLOCK_HEADER_BYTES)?);
        let at = self.take(class).or_else(|| {
            self.reclaim(memory);
            self.take(class).or_else(|| self.extend(bytes_of(class)))
        })?;
        let header = memory.block(at)?;
        header.owner.store(self.owner, Ordering::Relaxed);
        header.readers.store(readers, Ordering::Relaxed);
        header.bytes.store(bytes, Ordering::Relaxed);
        self.out.insert(at, class);
        Some(at + BLOCK_HEADER_BYTES)
    }

    fn take(&mut self, class: u32) -> Option<u64> {
        self.free.get_mut(class as usize)?.pop()
    }

    fn extend(&mut self, bytes: u64) -> Option<u64> {
        let is_near = bytes <= LONGEST_NEAR && self.near.0 + bytes <= self.near.1;
        let (next, end) = if is_near { &mut self.near } else { &mut self.far };
        let first = if bytes < LONGEST_NEAR { *next } else { next.next_multiple_of(LONGEST_NEAR) };
        let after = first.checked_add(bytes).filter(|after| after <= end)?;
        *next = after;
        Some(first)
    }

    /// Takes the blocks that have come back.
    fn reclaim(&mut self, memory: &Memory) {
        let mut next = memory.returned(self.owner).swap(0, Ordering::Acquire);
        while let Some(class) = self.out.remove(&next) {
            let block = next;
            // A page that is given back is zero.
            next = memory.block(block).map_or(0, |header| header.next.load(Ordering::Relaxed));
            if bytes_of(class) > LONGEST_KEPT {
                memory.give_back(block, bytes_of(class));
            }
            let class = class as usize;
            if self.free.len() <= class {
                self.free.resize_with(class + 1, Vec::new);
            }
            self.free[class].push(block);
        }
    }
}

impl Memory {
    fn block(&self, at: u64) -> Option<&BlockHeader> {
        self.object(at)
    }

    /// Releases a block, by the offset of its data, for one reader. The last one gives it back to its owner.
    pub fn release(&self, offset: u64) {
        let Some(at) = offset.checked_sub(BLOCK_HEADER_BYTES) else { return };
        let Some(header) = self.block(at) else { return };
        if header.readers.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        let owner = header.owner.load(Ordering::Relaxed);
        if owner > self.layout().ranks {
            return;
        }
        let stack = self.returned(owner);
        let mut top = stack.load(Ordering::Relaxed);
        loop {
            header.next.store(top, Ordering::Relaxed);
            match stack.compare_exchange_weak(top, at, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// The bytes of a block, by the offset of its data.
    pub fn block_bytes(&self, offset: u64) -> Option<u64> {
        let header = self.block(offset.checked_sub(BLOCK_HEADER_BYTES)?)?;
        let bytes = header.bytes.load(Ordering::Relaxed);
        self.layout().is_in_arenas(offset, bytes).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_room_for_its_sizes() {
        for bytes in (1..5_000).chain([1 << 20, (1 << 20) + 1, (1 << 30) + 32]) {
            let class = class_of(bytes);
            assert!(bytes_of(class) >= bytes && bytes_of(class - 1) < bytes.max(64), "{bytes}");
            assert!(bytes_of(class).is_multiple_of(16));
        }
    }

    #[test]
    fn a_block_that_has_come_back_is_used_again() {
        let memory = Memory::create(Layout { ranks: 2, far_bytes: 2 << 20 }, 1e9).unwrap();
        let mut allocator = Allocator::of_rank(memory.layout(), 1);
        let first = allocator.allocate(&memory, 100, 2).unwrap();
        assert_eq!(memory.block_bytes(first), Some(100));
        memory.release(first);
        let second = allocator.allocate(&memory, 100, 1).unwrap();
        assert_ne!(first, second);
        memory.release(first);
        memory.release(second);
        let both = [(); 2].map(|()| allocator.allocate(&memory, 97, 1).unwrap());
        assert!(both.contains(&first) && both.contains(&second));
    }

    #[test]
    fn long_blocks_come_back_one_after_the_other() {
        let memory = Memory::create(Layout { ranks: 1, far_bytes: 128 << 20 }, 1e9).unwrap();
        let mut allocator = Allocator::of_rank(memory.layout(), 0);
        let mut both = || [(); 2].map(|()| allocator.allocate(&memory, LONGEST_KEPT + 1, 1));
        let first = both();
        first.iter().flatten().for_each(|block| memory.release(*block));
        let second = both();
        assert!(first.iter().all(|block| block.is_some() && second.contains(block)));
    }

    #[test]
    fn a_damaged_stack_gives_no_block_twice() {
        let memory = Memory::create(Layout { ranks: 2, far_bytes: 2 << 20 }, 1e9).unwrap();
        let mut allocator = Allocator::of_rank(memory.layout(), 0);
        let block = allocator.allocate(&memory, 100, 1).unwrap();
        memory.release(block);
        let at = block - BLOCK_HEADER_BYTES;
        // A circle, then the end of the memory.
        for next in [at, memory.layout().bytes() - BLOCK_HEADER_BYTES, u64::MAX] {
            memory.returned(0).store(at, Ordering::Relaxed);
            memory.block(at).unwrap().next.store(next, Ordering::Relaxed);
            let blocks = [(); 3].map(|()| allocator.allocate(&memory, 100, 1).unwrap());
            assert_eq!(blocks.iter().filter(|other| **other == block).count(), 1);
            blocks.iter().filter(|other| **other != block).for_each(|other| memory.release(*other));
            assert!(blocks.iter().all(|block| memory.layout().is_in_arenas(*block, 100)));
        }
    }

    #[test]
    fn a_full_arena_has_no_block() {
        let memory = Memory::create(Layout { ranks: 1, far_bytes: 2 << 20 }, 1e9).unwrap();
        let mut allocator = Allocator::of_rank(memory.layout(), 0);
        assert_eq!(allocator.allocate(&memory, 3 << 20, 1), None);
        assert!(allocator.allocate(&memory, 1 << 20, 1).is_some());
    }
}
