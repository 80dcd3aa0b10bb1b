//! The connection of a rank with the simulator: its records, its data and its clock.

use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::of_process::OfProcess;
use rank_wire::{Answer, Code, Ended, FAR_BYTES, Memory, NOTHING, RankSide};
use std::cell::RefCell;
use std::os::fd::RawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of requests that the program had freed, and that are free now.
pub(crate) static FREED: OfProcess<RefCell<Vec<u32>>> = OfProcess::new(RefCell::new(Vec::new()));

/// The simulated time in seconds as far as it is known, as the bits of a float.
static SECONDS: AtomicU64 = AtomicU64::new(0);

/// The simulated time in seconds as far as it is known, for any thread.
pub(crate) fn noted_seconds() -> f64 {
    f64::from_bits(SECONDS.load(Ordering::Relaxed))
}

/// The connection.
#[derive(Debug)]
pub(crate) struct Link {
    side: RankSide,
    pub rank: u32,
    pub size: u32,
    /// The processor cycle at which the last call that has been answered has ended, and what has been computed since then
    /// and is a record.
    time: u64,
    /// Processor cycles of computation since the last record.
    computed: u64,
    /// Whether the clock has been read since the last call: time has to pass before it is read again.
    was_read: bool,
    /// How often Python has looked at a clock since the last call.
    looks: u32,
    /// The requests that the last answer has ended.
    pub ended: Vec<Ended>,
}

/// Why a rank that has `room` bytes for all of its messages has none for one.
fn no_memory(bytes: u64, room: u64) -> String {
    const LONGEST: u64 = 1 << 30;
    if bytes > LONGEST {
        return format!("the data are {bytes} bytes: messages of more than 1 GiB are not simulated");
    }
    let why = match room {
        FAR_BYTES.. => "",
        _ => ", as many ranks or the host's limit of addresses (ulimit -v) leave no more",
    };
    format!(
        "no shared memory is left for the data of messages that have not been received: a rank has {} MiB{why}",
        room >> 20
    )
}

impl Link {
    /// Connects a rank, which waits for its first turn; `life` is the pipe of the simulator's life.
    pub fn new(memory: Arc<Memory>, rank: u32, life: RawFd) -> Self {
        let size = memory.layout().ranks;
        memory.slot(rank).process.store(std::process::id(), Ordering::Release);
        let side = RankSide::new(memory, rank, life);
        let answer = side.wait();
        let link = Link {
            side,
            rank,
            size,
            time: answer.time,
            computed: 0,
            was_read: false,
            looks: 0,
            ended: Vec::new(),
        };
        link.note_seconds();
        link
    }

    /// The memory.
    pub fn memory(&self) -> &Arc<Memory> {
        self.side.memory()
    }

    /// A block for data that `readers` ranks read.
    ///
    /// # Errors
    /// If the arena is full.
    pub fn allocate(&mut self, bytes: u64, readers: u32) -> Outcome<u64> {
        let block = self.side.allocate(bytes, readers);
        block.ok_or_else(|| Error::new(c::ERR_NO_MEM, no_memory(bytes, self.memory().layout().far_bytes)))
    }

    /// A block with data, from `fill`; 0 for no bytes.
    pub fn put(&mut self, bytes: u64, readers: u32, fill: impl FnOnce(*mut u8)) -> Outcome<u64> {
        if bytes == 0 {
            return Ok(0);
        }
        let at = self.allocate(bytes, readers)?;
        if let Some(data) = self.memory().data(at, bytes) {
            fill(data);
        }
        Ok(at)
    }

    /// A block with words, which the simulator reads.
    pub fn put_words(&mut self, words: &[u64]) -> Outcome<u64> {
        self.put(size_of_val(words) as u64, 1, |to| {
            // SAFETY: the block has room for the words.
            unsafe { to.copy_from_nonoverlapping(words.as_ptr().cast(), size_of_val(words)) }
        })
    }

    /// Makes a call whose outcome the program does not need.
    pub fn post(&mut self, code: Code, words: &[u64]) {
        let computed = std::mem::take(&mut self.computed);
        if computed > 0 {
            self.push(Code::Compute, &[computed]);
            self.time = self.time.saturating_add(computed);
        }
        self.push(code, words);
        (self.was_read, self.looks) = (false, 0);
    }

    fn push(&mut self, code: Code, words: &[u64]) {
        if !self.side.batch.has_room(words.len()) {
            self.flush();
        }
        self.side.batch.push(code, words);
    }

    /// Makes a call that does nothing, and takes the time of one.
    pub fn post_nothing(&mut self) {
        self.post(Code::End, &[0, 1, 0, 0, 0]);
    }

    /// Makes a call, and waits for its outcome. The requests that it ends are in `ended`.
    pub fn ask(&mut self, code: Code, words: &[u64]) -> Answer {
        self.post(code, words);
        self.flush()
    }

    fn flush(&mut self) -> Answer {
        let answer = self.side.hand_over();
        self.time = answer.time;
        self.note_seconds();
        self.side.take_ended(&answer, &mut self.ended);
        self.ended.retain(|ended| {
            let is_freed = ended.flags & Ended::FREED != 0;
            if is_freed {
                FREED.borrow_mut().push(ended.request);
            }
            !is_freed
        });
        answer
    }

    /// Makes the last call of the program.
    pub fn finish(&mut self) {
        self.post(Code::Finish, &[]);
        self.side.hand_over_and_go_on();
    }

    /// Ends the program, with a code and the reason in words.
    pub fn fail(&mut self, code: i32, words: &str) -> ! {
        let text = words.as_bytes();
        let at = self.put(text.len() as u64, 1, |to| {
            // SAFETY: the block has room for the text.
            unsafe { to.copy_from_nonoverlapping(text.as_ptr(), text.len()) }
        });
        self.post(Code::Fail, &[code as i64 as u64, at.unwrap_or(0), text.len() as u64]);
        self.stop()
    }

    /// Ends the program with `MPI_Abort`.
    pub fn abort(&mut self, code: i32) -> ! {
        self.post(Code::Abort, &[code as i64 as u64]);
        self.stop()
    }

    /// Hands over for the last time: the simulator ends the process.
    fn stop(&mut self) -> ! {
        loop {
            self.side.hand_over();
        }
    }

    /// Computes for a time.
    pub fn compute(&mut self, seconds: f64) {
        let cycles = (seconds * self.memory().hertz()).round();
        if cycles > 0.0 {
            self.computed = self.computed.saturating_add(cycles as u64);
            self.note_seconds();
            (self.was_read, self.looks) = (false, 0);
        }
    }

    /// Computes for a measured time, before a call of the program.
    pub fn measured(&mut self, nanoseconds: u64, scale: f64, call: u64, name: u64) {
        let cycles = (nanoseconds as f64 * 1e-9 * scale * self.memory().hertz()).round() as u64;
        self.post(Code::Measured, &[cycles, nanoseconds, call, name]);
    }

    /// The processor cycle at which the last call has ended, and what has been computed since then.
    pub fn settled_cycle(&mut self) -> u64 {
        if !self.side.batch.is_empty() {
            // What the rank has computed since its last record has not passed at the simulator: it stays on its own clock.
            self.push(Code::Settle, &[]);
            self.flush();
        }
        self.time + self.computed
    }

    /// The simulated time in seconds. A program that reads it again and again, without a call between, does so in time.
    pub fn seconds(&mut self) -> f64 {
        if self.was_read {
            self.ask(Code::Time, &[]);
        } else {
            self.settled_cycle();
        }
        self.was_read = true;
        self.known_seconds()
    }

    /// The same, where the interpreter of Python looks at the clock, too: each thousandth look costs a call.
    pub fn seconds_in_python(&mut self) -> f64 {
        const FREE: u32 = 1_000;
        if self.looks == FREE {
            self.ask(Code::Time, &[]);
        } else {
            self.settled_cycle();
        }
        self.looks += 1;
        self.known_seconds()
    }

    /// Tells all threads the simulated time as far as it is known.
    fn note_seconds(&self) {
        SECONDS.store(self.known_seconds().to_bits(), Ordering::Relaxed);
    }

    /// The simulated time as far as it is known, in seconds.
    pub fn known_seconds(&self) -> f64 {
        (self.time + self.computed) as f64 / self.memory().hertz()
    }
}

/// A number, or none.
pub(crate) fn optional(number: Option<u32>) -> u64 {
    number.map_or(NOTHING, u64::from)
}

#[cfg(test)]
mod tests {
    use super::no_memory;

    #[test]
    fn a_full_memory_is_explained() {
        assert!(no_memory((1 << 30) + 1, 4 << 30).ends_with("messages of more than 1 GiB are not simulated"));
        assert!(no_memory(1 << 30, 4 << 30).ends_with("a rank has 4096 MiB"));
        assert!(
            no_memory(1 << 30, 64 << 20).contains("a rank has 64 MiB, as many ranks or the host's limit")
        );
    }
}
