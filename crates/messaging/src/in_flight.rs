//! Messages in flight: a table indexed by the handles of the packets.

use crate::Message;
use serde::{Deserialize, Serialize};

/// A message with packets that are not delivered yet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct InFlightMessage {
    pub target: u32,
    /// Number of the message among those of its source.
    pub sequence: u64,
    pub packets_left: u64,
    pub message: Message,
}

/// The table: rows, and a list of the free ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct InFlight {
    rows: Vec<InFlightMessage>,
    free: Vec<u32>,
}

impl InFlight {
    /// Adds a message and returns its handle. Handles are reused, so nothing may depend on their order.
    pub(crate) fn insert(&mut self, message: InFlightMessage) -> u32 {
        match self.free.pop() {
            Some(handle) => {
                self.rows[handle as usize] = message;
                handle
            }
            None => {
                self.rows.push(message);
                (self.rows.len() - 1) as u32
            }
        }
    }

    /// A message in flight.
    pub(crate) fn message(&self, handle: u32) -> &InFlightMessage {
        &self.rows[handle as usize]
    }

    /// Counts a delivered packet; returns the message if this was its last one.
    pub(crate) fn count_packet(&mut self, handle: u32) -> Option<InFlightMessage> {
        let row = &mut self.rows[handle as usize];
        row.packets_left -= 1;
        if row.packets_left > 0 {
            return None;
        }
        self.free.push(handle);
        Some(*row)
    }

    /// Number of messages in flight.
    pub(crate) fn count(&self) -> u32 {
        (self.rows.len() - self.free.len()) as u32
    }
}
