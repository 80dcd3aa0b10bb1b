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

    /// Whether the table is one of messages between `ranks` ranks, and each free row is free once; `most_packets` gives
    /// the number of packets of a message.
    pub(crate) fn can_be_restored(&self, ranks: u32, most_packets: impl Fn(u64) -> u64) -> bool {
        let mut is_free = vec![false; self.rows.len()];
        let is_free_once = |&row: &u32| {
            is_free.get_mut(row as usize).is_some_and(|is_free| !std::mem::replace(is_free, true))
        };
        let is_message = |row: &InFlightMessage| {
            row.target < ranks
                && row.message.can_be_restored(ranks)
                && (1..=most_packets(row.message.bytes)).contains(&row.packets_left)
        };
        self.free.iter().all(is_free_once)
            && self.rows.iter().zip(&is_free).all(|(row, is_free)| *is_free || is_message(row))
    }

    /// Whether each of these packets belongs to a message in flight that expects it.
    pub(crate) fn expects(&self, handles: impl Iterator<Item = u32>) -> bool {
        let mut left: Vec<u64> = self.rows.iter().map(|row| row.packets_left).collect();
        self.free.iter().for_each(|&row| left[row as usize] = 0);
        let mut is_expected = |handle: u32| {
            let left = left.get_mut(handle as usize).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        handles.into_iter().all(&mut is_expected)
    }

    /// Number of messages in flight.
    pub(crate) fn count(&self) -> u32 {
        (self.rows.len() - self.free.len()) as u32
    }
}
