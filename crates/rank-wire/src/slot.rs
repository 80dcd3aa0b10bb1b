//! What a process and the simulator exchange in turns: the header of the memory, and a slot for each rank.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The beginning of the memory.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    /// A mark of such memory, with the version of its layout.
    pub magic: AtomicU64,
    /// The number of ranks.
    pub ranks: AtomicU32,
    /// Ranks that have to hand over before the simulator goes on. A hint: it does not trust the number.
    pub pending: AtomicU32,
    /// Changes when the simulator has to look: the last rank has handed over, or a process has died.
    pub bell: AtomicU32,
    /// Deaths so far.
    pub deaths: AtomicU32,
    /// The process that forks all ranks, once there is one.
    pub(crate) parent: AtomicU32,
    /// The number of dimensions of the machine.
    pub dimensions: AtomicU32,
    /// The bytes of addresses of each far arena.
    pub far_bytes: AtomicU64,
    /// Processor cycles in a second, as the bits of a float.
    pub hertz: AtomicU64,
    /// How ranks compute, and the factor of measured times, as the bits of a float.
    pub(crate) computing: AtomicU32,
    pub(crate) scale: AtomicU64,
    /// The blocks of the simulator that have been read: a stack through the blocks.
    pub returned: AtomicU64,
}

/// A request with which a wait or a test has ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The number of the request.
    pub request: u32,
    /// The sender, as a rank in the communicator.
    pub source: u32,
    /// The tag of the message.
    pub tag: u32,
    /// 1 for a received message, 2 if the request was cancelled, 4 if it had been freed.
    pub flags: u32,
    /// The length of the message in bytes.
    pub bytes: u64,
    /// The block with the data of the message, or the table of a collective; 0 without one.
    pub offset: u64,
}

impl Ended {
    /// A message has been received.
    pub const RECEIVED: u32 = 1;
    /// The request was cancelled.
    pub const CANCELLED: u32 = 2;
    /// The rank had freed the request: its number is free now.
    pub const FREED: u32 = 4;
}

/// Requests that have ended for which a slot has room; more of them are in a block.
pub const INLINE_ENDED: usize = 3;

/// The outcome of a rank's last call.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The processor cycle.
    pub time: u64,
    /// Whether a test or a probe has succeeded.
    pub flag: u32,
    /// The number of requests that have ended.
    pub count: u32,
    /// The handle of the message that a matched probe has taken.
    pub handle: u32,
    /// The id of a new communicator.
    pub id: u32,
    /// The message that the call has received or found: `request` has no meaning.
    pub received: Ended,
    /// The table of a collective that does not return a request.
    pub table: u64,
    /// The block with the requests that have ended; 0 if they are in the slot.
    pub ended_at: u64,
    /// These requests, if there are few.
    pub ended: [Ended; INLINE_ENDED],
}

/// The state of one rank.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Slot {
    /// Whose turn it is: [`Slot::OF_RANK`] or [`Slot::OF_SIMULATOR`].
    pub turn: AtomicU32,
    /// The words of the batch that the rank hands over.
    pub words: AtomicU32,
    /// The process of the rank, once it has one.
    pub process: AtomicU32,
    /// 0 while the process lives, then its status, as `waitpid` gives it, plus 1.
    pub death: AtomicU32,
    /// The blocks of the rank that have been read: a stack through the blocks.
    pub returned: AtomicU64,
    /// The number of the program's last call, and its name.
    pub calls: AtomicU64,
    name: [AtomicU64; NAME_WORDS],
    /// The recording of computing times: the offset and the number of its words.
    pub(crate) replayed: [AtomicU64; 2],
    /// The coordinates of the rank's node, as many as the machine has dimensions.
    pub node: [AtomicU32; 6],
    /// The answer to the last batch.
    pub(crate) answer: UnsafeCell<Answer>,
}

/// The time that ranks compute between calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Computing {
    /// None.
    #[default]
    None,
    /// Their processor time.
    Measured,
    /// That of an earlier run.
    Replayed,
}

/// Room for the longest name of a function.
const NAME_WORDS: usize = 4;

impl Slot {
    /// Notes the name and the number of the program's next call.
    pub fn note_call(&self, name: &str, number: u64) {
        self.calls.store(number, Ordering::Relaxed);
        let mut bytes = [0; 8 * NAME_WORDS];
        let length = name.len().min(bytes.len());
        bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
        for (word, bytes) in self.name.iter().zip(bytes.chunks_exact(8)) {
            word.store(u64::from_ne_bytes(bytes.try_into().unwrap_or_default()), Ordering::Relaxed);
        }
    }

    /// The name of the program's last call; no other characters than those of names.
    pub fn called(&self) -> String {
        let bytes = self.name.iter().flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes());
        bytes.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').map(char::from).collect()
    }

    /// The simulator may read the batch.
    pub const OF_SIMULATOR: u32 = 0;
    /// The rank may read the answer, and runs.
    pub const OF_RANK: u32 = 1;
}

const _: () = assert!(size_of::<Ended>() == 32 && size_of::<Slot>() == 320);
