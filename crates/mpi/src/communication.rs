//! The messages that a rank has sent to each rank, where they are counted: its row of the matrix of communication.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An upper limit, never reached, for what a rank sends to another in a run, in messages or bytes.
const MOST_SENT: u64 = 1 << 62;

/// Messages from one rank to another, those of collectives included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Number of messages.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
}

/// The messages that a rank has sent, by target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Communication(BTreeMap<u32, Sent>);

impl Communication {
    /// Adds a message.
    pub fn add(&mut self, target: u32, bytes: u64) {
        let sent = self.0.entry(target).or_default();
        sent.messages += 1;
        sent.bytes += bytes;
    }

    /// The targets, in order, with the messages that were sent to each.
    pub fn by_target(&self) -> impl Iterator<Item = (u32, Sent)> + '_ {
        self.0.iter().map(|(&target, &sent)| (target, sent))
    }

    /// Whether a restored count can belong to one of `ranks` ranks.
    pub fn can_be_restored(&self, ranks: u32) -> bool {
        self.by_target().all(|(target, sent)| {
            target < ranks && (1..MOST_SENT).contains(&sent.messages) && sent.bytes < MOST_SENT
        })
    }

    /// About the bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<(u32, Sent)>()
    }
}
