//! Records: what a rank does, in the order in which it does it. A record is a word with its code and length, and that
//! many words.

use crate::layout::BATCH_WORDS;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

macro_rules! codes {
    ($(#[$of_kind:meta])* $kind:ident; $($(#[$doc:meta])* $name:ident = $value:literal,)*) => {
        $(#[$of_kind])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum $kind {
            $($(#[$doc])* $name = $value,)*
        }

        impl $kind {
            /// The one with a number.
            pub fn of(value: u64) -> Option<Self> {
                match value {
                    $($value => Some($kind::$name),)*
                    _ => None,
                }
            }
        }
    };
}

codes! {
    /// The kind of a record. Its words are listed in their order; `x?` is [`NOTHING`] where there is none, and a list is
    /// the offset of a block and the number of its words.
    Code;
    /// communicator, target, tag, bytes, mode, blocks, request?, offset of the data
    Send = 1,
    /// communicator, source?, tag?, blocks, request?
    Receive = 2,
    /// The words of a send (without request), then those of a receive (without request).
    SendReceive = 3,
    /// The words of a send, without the offset.
    SendInit = 4,
    /// The words of a receive.
    ReceiveInit = 5,
    /// For each request: its number, and the offset of the data of a send.
    Start = 6,
    /// request
    Free = 7,
    /// request
    Cancel = 8,
    /// needed (0 all, 1 any, 2 some), whether it blocks, whether the rank hears which requests end, the list of requests
    /// (offset 0: they are the next words)
    End = 9,
    /// communicator, source?, tag?, takes, blocks
    Probe = 10,
    /// handle, request?
    MatchedReceive = 11,
    /// collective, communicator, request?, root?, bytes, operation, offset of the data, whether the rank reads the table
    /// when its part has ended, then for each list of lengths its
    /// offset and the number of its words
    Collect = 12,
    /// communicator, new, order, the list of members as ranks of the communicator: its offset is [`NOTHING`] for all of
    /// them, and 0 if the rank is no member
    Create = 13,
    /// new, id, the list of members as ranks of the machine
    Define = 14,
    /// communicator
    FreeCommunicator = 15,
    /// No word: the time, as a call.
    Time = 16,
    /// processor cycles
    Compute = 17,
    /// code
    Abort = 18,
    /// code, offset and bytes of a text: an error that ends the program.
    Fail = 19,
    /// No word: `MPI_Finalize`.
    Finish = 20,
    /// processor cycles, nanoseconds, the number of the program's call that follows, and the hash of its name: computation
    /// that has been measured.
    Measured = 22,
    /// No word: the rank waits until its calls have ended, and goes on at that time.
    Settle = 21,
}

codes! {
    /// A collective. Lengths are in bytes; the lists of lengths follow the words of the record.
    #[allow(missing_docs, reason = "the names are MPI's")]
    Collective;
    Barrier = 0,
    Bcast = 1,
    Allreduce = 2,
    Reduce = 3,
    Scan = 4,
    Exscan = 5,
    ReduceScatterBlock = 6,
    /// The lengths of blocks.
    ReduceScatter = 7,
    Gather = 8,
    /// The lengths of blocks at the root, else the own one.
    Gatherv = 9,
    Scatter = 10,
    /// The lengths of blocks at the root, else the own one.
    Scatterv = 11,
    Allgather = 12,
    /// The lengths of blocks.
    Allgatherv = 13,
    Alltoall = 14,
    /// The lengths sent, then those received.
    Alltoallv = 15,
    /// The lengths sent and received, then the blocks of memory sent and received.
    Alltoallw = 16,
}

/// The word that stands for none, or any.
pub const NOTHING: u64 = u64::MAX;

/// A record, as it is in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The kind.
    pub code: Code,
    /// Its words.
    pub words: &'a [u64],
}

/// A batch that no library has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wrote a damaged record")
    }
}

/// The records of a batch that has been copied, one by one.
#[derive(Clone, Debug, Default)]
pub struct Records {
    words: Vec<u64>,
    next: usize,
}

impl Records {
    /// The records of a batch.
    pub fn new(words: Vec<u64>) -> Self {
        Records { words, next: 0 }
    }

    /// Whether no record is left.
    pub fn is_empty(&self) -> bool {
        self.next >= self.words.len()
    }

    /// The memory of the words, to be used again.
    pub fn into_words(mut self) -> Vec<u64> {
        self.words.clear();
        self.words
    }

    /// The next record.
    ///
    /// # Errors
    /// If it has no known code, or is longer than the batch.
    pub fn read(&mut self) -> Result<Record<'_>, Damaged> {
        let head = *self.words.get(self.next).ok_or(Damaged)?;
        let code = Code::of(u64::from(head as u32)).ok_or(Damaged)?;
        let first = self.next + 1;
        let end = first.checked_add((head >> 32) as usize).ok_or(Damaged)?;
        let words = self.words.get(first..end).ok_or(Damaged)?;
        self.next = end;
        Ok(Record { code, words })
    }
}

/// The records that a rank has not handed over yet.
#[derive(Debug)]
pub struct Batch {
    words: *mut u64,
    /// The number of words, for a simulator that reads the batch of a process that has died.
    count: *const AtomicU32,
    len: usize,
}

impl Batch {
    /// An empty batch in shared memory.
    ///
    /// # Safety
    /// There are [`BATCH_WORDS`] words at the address, and the word for their number, for as long as the batch is used,
    /// and only this rank writes them.
    pub(crate) unsafe fn at(words: *mut u64, count: *const AtomicU32) -> Self {
        Batch { words, count, len: 0 }
    }

    /// Whether there is room for a record with this number of words.
    pub fn has_room(&self, words: usize) -> bool {
        self.len + 1 + words <= BATCH_WORDS
    }

    /// Whether nothing is to be handed over.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a record.
    ///
    /// # Panics
    /// If there is no room.
    pub fn push(&mut self, code: Code, words: &[u64]) {
        assert!(self.has_room(words.len()), "a record has room");
        self.write(&[u64::from(code as u32) | (words.len() as u64) << 32]);
        self.write(words);
        self.publish();
    }

    /// Appends words that may be no record, as a program does that overwrites the memory.
    ///
    /// # Panics
    /// If there is no room.
    pub fn push_words(&mut self, words: &[u64]) {
        self.write(words);
        self.publish();
    }

    fn write(&mut self, words: &[u64]) {
        assert!(self.len + words.len() <= BATCH_WORDS, "words have room");
        // SAFETY: there is room for the words in the batch, and the simulator does not read it before it is handed over.
        unsafe { self.words.add(self.len).copy_from_nonoverlapping(words.as_ptr(), words.len()) };
        self.len += words.len();
    }

    fn publish(&self) {
        // SAFETY: the word is in the slot of the rank.
        unsafe { &*self.count }.store(self.len as u32, Ordering::Release);
    }

    /// Empties the batch, which the simulator has or will read.
    pub(crate) fn empty(&mut self) {
        self.len = 0;
    }
}
