//! The messages that a rank has sent to each rank, where they are counted: its row of the matrix of communication.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    /// About the bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<(u32, Sent)>()
    }
}
