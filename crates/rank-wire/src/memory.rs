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

    /// A number that no other memory of the host has at the time.
    pub fn run(&self) -> u64 {
        let number = inode(self.file.as_raw_fd()).map_or(0, |(_, number)| number);
        u64::from(std::process::id()) << 32 | number & 0xffff_ffff
    }

    /// Lets this process be a rank, or the one that forks all of them; returns whether no other is.
    pub fn claim(&self, rank: Option<u32>) -> bool {
        let process = rank.map_or(&self.header().parent, |rank| &self.slot(rank).process);
        let own = std::process::id();
        process.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Whether it is a rank whose process lives, and whose turn it is.
    pub(crate) fn is_running(&self, rank: u32) -> bool {
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
fn inode(descriptor: RawFd) -> Option<(u64, u64)> {
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
<<<<<<< HEAD

/// The side of one rank's process.
#[derive(Debug)]
pub struct RankSide {
    memory: Arc<Memory>,
    rank: u32,
    /// The records that have not been handed over.
    pub batch: Batch,
    allocator: Allocator,
    life: Life,
}

/// The simulator's life: a pipe whose other end closes with it. It is in use where the death of the simulator does not
/// end the rank, because other programs have started it.
#[derive(Debug)]
struct Life {
    pipe: RawFd,
    inode: Option<(u64, u64)>,
}

impl Life {
    /// The time between two looks.
    const LOOK: Duration = Duration::from_secs(2);

    fn new(pipe: RawFd) -> Self {
        Life { pipe, inode: inode(pipe) }
    }

    fn has_ended(&self) -> bool {
        // The program may have closed the pipe, and may have another file under its number.
        if self.inode.is_none() || inode(self.pipe) != self.inode {
            return false;
        }
        let mut poll = libc::pollfd { fd: self.pipe, events: 0, revents: 0 };
        // SAFETY: the address is that of one entry.
        unsafe { libc::poll(&raw mut poll, 1, 0) };
        poll.revents & libc::POLLHUP != 0
    }
}

impl RankSide {
    /// The side of a rank, which no other process takes; `life` is the pipe of the simulator's life.
    pub fn new(memory: Arc<Memory>, rank: u32, life: RawFd) -> Self {
        // SAFETY: the batch is within the mapping, which lives as long as it; the caller is the rank.
        let batch =
            unsafe { Batch::at(memory.at(memory.layout.batch(rank)), &raw const memory.slot(rank).words) };
        let allocator = Allocator::of_rank(&memory.layout, rank);
        RankSide { memory, rank, batch, allocator, life: Life::new(life) }
    }

    /// The memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// A block for `bytes` bytes that `readers` release; none if the arena is full. Returns the offset of its data.
    pub fn allocate(&mut self, bytes: u64, readers: u32) -> Option<u64> {
        self.allocator.allocate(&self.memory, bytes, readers)
    }

    /// Hands the batch over, and waits for its answer.
    pub fn hand_over(&mut self) -> Answer {
        self.hand_over_and_go_on();
        self.wait()
    }

    /// Hands the batch over without a wait for its answer: the last thing that a rank does.
    pub fn hand_over_and_go_on(&mut self) {
        self.batch.empty();
        let slot = self.memory.slot(self.rank);
        slot.turn.store(Slot::OF_SIMULATOR, Ordering::Release);
        if self.memory.header().pending.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.memory.ring();
        }
    }

    /// Waits for the answer to the last batch; a rank that has just begun, for its first turn. Ends the process if the
    /// simulator has ended.
    pub fn wait(&self) -> Answer {
        let slot = self.memory.slot(self.rank);
        while slot.turn.load(Ordering::Acquire) != Slot::OF_RANK {
            let is_woken = is_woken(&slot.turn, Slot::OF_SIMULATOR, Some(Life::LOOK));
            if !is_woken && self.life.has_ended() {
                // SAFETY: a plain system call, which runs nothing that the program has registered for its end.
                unsafe { libc::_exit(1) };
            }
        }
        // SAFETY: the simulator writes an answer before it gives the turn, and not until the rank hands over again.
        unsafe { slot.answer.get().read() }
    }

    /// The requests of an answer, which the rank takes once.
    pub fn take_ended(&self, answer: &Answer, ended: &mut Vec<Ended>) {
        ended.clear();
        if answer.ended_at == 0 {
            ended.extend_from_slice(&answer.ended[..INLINE_ENDED.min(answer.count as usize)]);
            return;
        }
        let bytes = u64::from(answer.count) * size_of::<Ended>() as u64;
        if let Some(from) = self.memory.data(answer.ended_at, bytes) {
            // SAFETY: the block has room for these plain values, which the simulator has written before the answer.
            unsafe {
                let from = std::slice::from_raw_parts(from.cast::<Ended>(), answer.count as usize);
                ended.extend_from_slice(from);
            }
        }
        self.memory.release(answer.ended_at);
    }
}

/// The side of the simulator.
#[derive(Debug)]
pub struct SimulatorSide {
    memory: Arc<Memory>,
    allocator: Allocator,
}

impl SimulatorSide {
    /// The side of the simulator.
    pub fn new(memory: Arc<Memory>) -> Self {
        let allocator = Allocator::of_simulator(&memory.layout);
        SimulatorSide { memory, allocator }
    }

    /// The memory.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// A block of the simulator; none if its arena is full.
    pub(crate) fn allocate(&mut self, bytes: u64, readers: u32) -> Option<u64> {
        self.allocator.allocate(&self.memory, bytes, readers)
    }

    /// Gives a rank the recording of its computing times; returns whether there was room.
    pub fn replay(&mut self, rank: u32, words: &[u64]) -> bool {
        let Some(at) = self.allocate(size_of_val(words) as u64, 1) else { return false };
        // SAFETY: the block is the simulator's, and has room for these words.
        unsafe { ptr::copy_nonoverlapping(words.as_ptr(), self.memory.at(at), words.len()) };
        let [offset, count] = &self.memory.slot(rank).replayed;
        offset.store(at, Ordering::Relaxed);
        count.store(words.len() as u64, Ordering::Relaxed);
        true
    }

    /// Begins a round in which this number of ranks is resumed.
    pub fn begin_round(&self, ranks: u32) {
        self.memory.header().pending.store(ranks, Ordering::Release);
    }

    /// Gives a rank its answer, and the turn. Returns whether there was room for the requests that have ended.
    pub fn resume(&mut self, rank: u32, answer: &Answer, ended: &[Ended]) -> bool {
        let mut answer = Answer { count: ended.len() as u32, ended_at: 0, ..*answer };
        if ended.len() <= INLINE_ENDED {
            answer.ended[..ended.len()].copy_from_slice(ended);
        } else {
            let bytes = size_of_val(ended) as u64;
            let Some(at) = self.allocate(bytes, 1) else { return false };
            answer.ended_at = at;
            // SAFETY: the block is the simulator's, and has room for these bytes.
            unsafe { ptr::copy_nonoverlapping(ended.as_ptr(), self.memory.at(at), ended.len()) };
        }
        let slot = self.memory.slot(rank);
        // SAFETY: it is the simulator's turn, so that the rank does not read the answer.
        unsafe { slot.answer.get().write(answer) };
        slot.turn.store(Slot::OF_RANK, Ordering::Release);
        wake(&slot.turn, 1);
        true
    }

    /// Waits until the last rank of a round has handed over or a process has died, or for `limit` at most. It may return
    /// earlier, so that the caller looks, and waits again.
    pub fn wait(&self, limit: Duration, deaths_seen: u32) {
        let header = self.memory.header();
        let bell = header.bell.load(Ordering::Acquire);
        if header.pending.load(Ordering::Acquire) != 0 && self.deaths() == deaths_seen {
            is_woken(&header.bell, bell, Some(limit));
        }
    }

    /// Deaths that have been reported.
    pub fn deaths(&self) -> u32 {
        self.memory.header().deaths.load(Ordering::Acquire)
    }

    /// The status with which the process of a rank has ended, as `waitpid` gives it.
    pub fn death(&self, rank: u32) -> Option<i32> {
        let death = self.memory.slot(rank).death.load(Ordering::Acquire);
        (death > 0).then(|| death.wrapping_sub(1) as i32)
    }

    /// Whether it is the simulator's turn.
    pub fn has_handed_over(&self, rank: u32) -> bool {
        self.memory.slot(rank).turn.load(Ordering::Acquire) == Slot::OF_SIMULATOR
    }

    /// A copy of the batch that a rank has handed over, in the memory of an earlier one.
    pub fn batch(&self, rank: u32, mut words: Vec<u64>) -> Records {
        let count = (self.memory.slot(rank).words.swap(0, Ordering::Acquire) as usize).min(BATCH_WORDS);
        words.clear();
        let from: *const u64 = self.memory.at(self.memory.layout.batch(rank));
        // SAFETY: a batch has this number of words; a process that writes it out of turn gives other words, and no more.
        words.extend((0..count).map(|word| unsafe { from.add(word).read_volatile() }));
        Records::new(words)
    }
}
=======
>>>>>>> origin/main
