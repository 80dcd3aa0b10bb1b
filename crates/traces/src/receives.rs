//! The receives of a rank: the greatest length of the message of each, and its place in the trace.

use mpi::{ReceiveFrom, Room};

/// Communicator, source and tag of the messages that a receive takes; none stands for any source or tag.
pub(crate) type Envelope = (u32, Option<u32>, Option<u32>);

/// The receives of a rank, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Receives(Vec<(u32, u64)>);

impl Receives {
    /// A receive of at most `bytes` bytes, which is at `place` in the file.
    pub fn add(&mut self, place: u64, (communicator, source, tag): Envelope, bytes: u64) -> ReceiveFrom {
        let room = Room { bytes: u32::try_from(bytes).unwrap_or(u32::MAX), receive: self.0.len() as u32 };
        self.0.push((room.bytes, place));
        ReceiveFrom { room, ..message_from(communicator, source, tag) }
    }

    /// The room of a receive in bytes, and its place.
    pub fn get(&self, receive: u32) -> Option<(u32, u64)> {
        self.0.get(receive as usize).copied()
    }
}

/// The message for which a probe looks.
pub(crate) fn message_from(communicator: u32, source: Option<u32>, tag: Option<u32>) -> ReceiveFrom {
    ReceiveFrom { communicator, ..ReceiveFrom::new(source, tag) }
}
