//! The two sides of the memory: that of a rank's process, and that of the simulator.

use crate::blocks::Allocator;
use crate::futex::is_woken;
use crate::layout::BATCH_WORDS;
use crate::memory::{Memory, inode};
use crate::record::{Batch, Records};
use crate::slot::{Answer, Ended, INLINE_ENDED, Slot};
use std::os::fd::RawFd;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

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
pub struct Life {
    pipe: RawFd,
    inode: Option<(u64, u64)>,
}

impl Life {
    /// The time between two looks.
    const LOOK: Duration = Duration::from_secs(2);

    /// The life whose pipe has this descriptor.
    pub fn new(pipe: RawFd) -> Self {
        Life { pipe, inode: inode(pipe) }
    }

    /// Whether the simulator has ended.
    pub fn has_ended(&self) -> bool {
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
            unsafe { Batch::at(memory.at(memory.layout().batch(rank)), &raw const memory.slot(rank).words) };
        let allocator = Allocator::of_rank(memory.layout(), rank);
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
        let allocator = Allocator::of_simulator(memory.layout());
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
        crate::futex::wake(&slot.turn, 1);
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
        let from: *const u64 = self.memory.at(self.memory.layout().batch(rank));
        // SAFETY: a batch has this number of words; a process that writes it out of turn gives other words, and no more.
        words.extend((0..count).map(|word| unsafe { from.add(word).read_volatile() }));
        Records::new(words)
    }
}
