//! The data of messages: where each is, from the call that sends it to the one that receives it.

use rustc_hash::FxHashMap;

/// The messages from one rank to another on a communicator: its id, the sender and the receiver, as ranks of the
/// machine.
pub(crate) type Stream = (u32, u32, u32);

/// The blocks of messages that have been sent and not received.
#[derive(Debug, Default)]
pub(crate) struct Payloads {
    /// The number of messages sent so far, by stream.
    sent: FxHashMap<Stream, u32>,
    /// The offset of the block, by stream and number. A message without data has none.
    blocks: FxHashMap<(Stream, u32), u64>,
}

impl Payloads {
    /// Notes the next message of a stream: the simulator counts them in the same order.
    pub fn send(&mut self, stream: Stream, offset: u64) {
        let next = self.sent.entry(stream).or_default();
        let number = *next;
        *next = next.wrapping_add(1);
        if offset != 0 {
            self.blocks.insert((stream, number), offset);
        }
    }

    /// Takes the block of a message; 0 without data.
    pub fn take(&mut self, stream: Stream, number: u32) -> u64 {
        self.blocks.remove(&(stream, number)).unwrap_or(0)
    }
}
