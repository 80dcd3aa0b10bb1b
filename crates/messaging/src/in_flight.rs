//! Messages in flight: a table whose rows the packets' handles name.

use crate::Message;
use serde::{Deserialize, Serialize};

/// A message whose packets are not all delivered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct InFlightMessage {
    pub target: u32,
    /// Its number among the messages of its source.
    pub sequence: u64,
    pub packets_left: u64,
    pub message: Message,
}

/// The table: plain rows, those that are free in a list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct InFlight {
    rows: Vec<InFlightMessage>,
    free: Vec<u32>,
}

impl InFlight {
    /// Takes a message in and names it. Names are used again, so nothing may depend on their order.
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

    /// Counts a delivered packet; gives the message back when it was the last one.
    pub(crate) fn count_packet(&mut self, handle: u32) -> Option<InFlightMessage> {
        let row = &mut self.rows[handle as usize];
        row.packets_left -= 1;
        if row.packets_left > 0 {
            return None;
        }
        self.free.push(handle);
        Some(*row)
    }

    /// How many messages are on their way.
    pub(crate) fn count(&self) -> u32 {
        (self.rows.len() - self.free.len()) as u32
    }
}
