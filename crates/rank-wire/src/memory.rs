//! The mapping of the memory.

use crate::futex::wake;
use crate::layout::Layout;
use crate::slot::{Computing, Header, Slot};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// "torusim", and the version of the layout.
const MAGIC: u64 = 0x746f_7275_7369_6d01;

/// The memory, mapped by this process.
#[derive(Debug)]
pub struct Memory {
    base: *mut u8,
    layout: Layout,
    file: OwnedFd,
}

// SAFETY: what several threads or processes change at a time are atomic words; turns order all other accesses.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is not used any more; nothing that borrows from it outlives it.
        unsafe { libc::munmap(self.base.cast(), self.layout.bytes() as usize) };
    }
}

impl Memory {
    /// New memory for the ranks of a machine with `hertz` processor cycles in a second.
    ///
    /// # Errors
    /// If the host has no room for its addresses.
    pub fn create(layout: Layout, hertz: f64) -> io::Result<Self> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a string that ends with 0.
        let file = unsafe { libc::memfd_create(c"torusim".as_ptr(), flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new, and owned by nobody else.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        // SAFETY: a plain system call.
        if unsafe { libc::ftruncate64(file.as_raw_fd(), layout.bytes() as i64) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // A program that truncated the file would end the simulator with SIGBUS.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: a plain system call.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let memory = Self::map(file, layout)?;
        // A process that has the memory is a rank, and none that the simulator's own process has forked off.
        // SAFETY: the range is that of the mapping.
        unsafe { libc::madvise(memory.base.cast(), layout.bytes() as usize, libc::MADV_DONTFORK) };
        let header = memory.header();
        header.ranks.store(layout.ranks, Ordering::Relaxed);
        header.far_bytes.store(layout.far_bytes, Ordering::Relaxed);
        header.hertz.store(hertz.to_bits(), Ordering::Relaxed);
        header.magic.store(MAGIC, Ordering::Release);
        Ok(memory)
    }

    /// The memory of a descriptor that the process has inherited.
    ///
    /// # Errors
    /// If the descriptor is none of such memory, or if the process has no room for its addresses.
    pub fn attach(file: OwnedFd) -> io::Result<Self> {
        let first = Self::map(file.try_clone()?, Layout { ranks: 0, far_bytes: 0 })?;
        let header = first.header();
        if header.magic.load(Ordering::Acquire) != MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "memory of another version of torusim"));
        }
        let ranks = header.ranks.load(Ordering::Relaxed);
        let far_bytes = header.far_bytes.load(Ordering::Relaxed);
        Self::map(file, Layout { ranks, far_bytes })
    }

    fn map(file: OwnedFd, layout: Layout) -> io::Result<Self> {
        let bytes = usize::try_from(layout.bytes()).map_err(io::Error::other)?;
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_NORESERVE);
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let base = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, file.as_raw_fd(), 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Memory { base: base.cast(), layout, file })
    }

    /// The places of its parts.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The descriptor, for processes that inherit it.
    pub fn file(&self) -> BorrowedFd<'_> {
        use std::os::fd::AsFd;
        self.file.as_fd()
    }

    /// Processor cycles in a second.
    pub fn hertz(&self) -> f64 {
        f64::from_bits(self.header().hertz.load(Ordering::Relaxed))
    }

    /// Notes where a rank is.
    pub fn place(&self, rank: u32, node: &[u32]) {
        self.header().dimensions.store(node.len() as u32, Ordering::Relaxed);
        let coordinates = self.slot(rank).node.iter().zip(node);
        coordinates.for_each(|(coordinate, value)| coordinate.store(*value, Ordering::Relaxed));
    }

    /// Sets how ranks compute, and a factor of measured times.
    pub fn set_computing(&self, computing: Computing, scale: f64) {
        self.header().computing.store(computing as u32, Ordering::Relaxed);
        self.header().scale.store(scale.to_bits(), Ordering::Relaxed);
    }

    /// How ranks compute, and the factor of measured times.
    pub fn computing(&self) -> (Computing, f64) {
        let computing = match self.header().computing.load(Ordering::Relaxed) {
            1 => Computing::Measured,
            2 => Computing::Replayed,
            _ => Computing::None,
        };
        (computing, f64::from_bits(self.header().scale.load(Ordering::Relaxed)))
    }

    /// The recording of computing times of a rank.
    pub fn replayed(&self, rank: u32) -> Option<Vec<u64>> {
        let [offset, words] = &self.slot(rank).replayed;
        self.words(offset.load(Ordering::Relaxed), words.load(Ordering::Relaxed))
    }

    /// The coordinates of the node of a rank.
    pub fn node_of(&self, rank: u32) -> Vec<u32> {
        let dimensions = self.header().dimensions.load(Ordering::Relaxed) as usize;
        let coordinates = self.slot(rank).node.iter().take(dimensions);
        coordinates.map(|coordinate| coordinate.load(Ordering::Relaxed)).collect()
    }

    pub(crate) fn at<T>(&self, offset: u64) -> *mut T {
        debug_assert!(offset + size_of::<T>() as u64 <= self.layout.bytes());
        // SAFETY: the layout gives places within the mapping.
        unsafe { self.base.add(offset as usize).cast() }
    }

    pub(crate) fn header(&self) -> &Header {
        // SAFETY: the header is atomic words, at the aligned beginning of the mapping.
        unsafe { &*self.at(0) }
    }

    /// The slot of a rank, which must exist.
    pub fn slot(&self, rank: u32) -> &Slot {
        assert!(rank < self.layout.ranks, "rank {rank} is one of {}", self.layout.ranks);
        // SAFETY: all but the answer, which has accessors of its own, are atomic words; slots are aligned.
        unsafe { &*self.at(self.layout.slot(rank)) }
    }

    /// The stack of blocks that have come back to an owner.
    pub(crate) fn returned(&self, owner: u32) -> &AtomicU64 {
        static OF_NOBODY: AtomicU64 = AtomicU64::new(0);
        if owner == self.layout.simulator() {
            return &self.header().returned;
        }
        if owner > self.layout.ranks { &OF_NOBODY } else { &self.slot(owner).returned }
    }

    /// An object of atomic words in an arena; none outside the arenas.
    pub(crate) fn object<T: OfAtomics>(&self, offset: u64) -> Option<&T> {
        let is_there = offset.is_multiple_of(8) && self.layout.is_in_arenas(offset, size_of::<T>() as u64);
        // SAFETY: the object is within the mapping, aligned, and of atomic words, for which every value is valid.
        is_there.then(|| unsafe { &*self.at::<T>(offset) })
    }

    /// The address of `bytes` bytes of data; none if they are not in the arenas.
    pub fn data(&self, offset: u64, bytes: u64) -> Option<*mut u8> {
        self.layout.is_in_arenas(offset, bytes).then(|| self.at(offset))
    }

    /// A copy of data; none if they are not in the arenas.
    pub fn copied(&self, offset: u64, bytes: u64) -> Option<Vec<u8>> {
        let from = self.data(offset, bytes)?;
        let mut copy = vec![0; bytes as usize];
        // SAFETY: both have room. Another process may change the data meanwhile, which gives other bytes, and no more.
        unsafe { ptr::copy_nonoverlapping(from, copy.as_mut_ptr(), copy.len()) };
        Some(copy)
    }

    /// A copy of `count` words; none if they are not in the arenas.
    pub fn words(&self, offset: u64, count: u64) -> Option<Vec<u64>> {
        let bytes = self.copied(offset, count.checked_mul(8)?)?;
        Some(
            bytes
                .chunks_exact(8)
                .map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()))
                .collect(),
        )
    }

    /// Gives the pages of a range back to the host; they are zero when they are used again.
    pub(crate) fn give_back(&self, offset: u64, bytes: u64) {
        if self.data(offset, bytes).is_some() {
            // SAFETY: the range is in the mapping, and belongs to a block that nobody uses.
            unsafe { libc::madvise(self.at(offset), bytes as usize, libc::MADV_REMOVE) };
        }
    }

    /// The number of the file, which mappings of it show.
    pub fn number(&self) -> u64 {
        inode(self.file.as_raw_fd()).map_or(0, |(_, number)| number)
    }

    /// A number that no other memory of the host has at the time.
    pub fn run(&self) -> u64 {
        u64::from(std::process::id()) << 32 | self.number() & 0xffff_ffff
    }

    /// Lets this process be a rank, or the one that forks all of them; returns whether no other is.
    pub fn claim(&self, rank: Option<u32>) -> bool {
        let process = rank.map_or(&self.header().parent, |rank| &self.slot(rank).process);
        let own = std::process::id();
        process.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Whether it is a rank whose process lives, and whose turn it is.
    pub fn is_running(&self, rank: u32) -> bool {
        let is_running = |slot: &Slot| {
            slot.death.load(Ordering::Acquire) == 0 && slot.turn.load(Ordering::Acquire) == Slot::OF_RANK
        };
        rank < self.layout.ranks && is_running(self.slot(rank))
    }

    /// Reports that the process of a rank has ended, with its status as `waitpid` gives it, and wakes the simulator.
    pub fn report_death(&self, rank: u32, status: i32) {
        if rank < self.layout.ranks {
            self.slot(rank).death.store((status as u32).wrapping_add(1).max(1), Ordering::Release);
            self.header().deaths.fetch_add(1, Ordering::AcqRel);
        }
        self.ring();
    }

    /// Wakes the simulator.
    pub fn ring(&self) {
        self.header().bell.fetch_add(1, Ordering::AcqRel);
        wake(&self.header().bell, 1);
    }
}

/// The device and the number of the file of a descriptor.
pub(crate) fn inode(descriptor: RawFd) -> Option<(u64, u64)> {
    // SAFETY: zero is a value of all its fields.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the address is that of a status.
    let is_known = unsafe { libc::fstat(descriptor, &raw mut status) } == 0;
    is_known.then_some((status.st_dev, status.st_ino))
}

/// Types that consist of atomic words, and may lie in shared memory.
///
/// # Safety
/// Every pattern of bits is a value, and no field is read but atomically.
pub(crate) unsafe trait OfAtomics {}

// SAFETY: an atomic word.
unsafe impl OfAtomics for AtomicU32 {}
// SAFETY: an atomic word.
unsafe impl OfAtomics for AtomicU64 {}
