//! Ping-pong: ranks 0 and 1 send a message back and forth.

use crate::{Call, Program, Status};
use serde::{Deserialize, Serialize};

/// The program of two ranks, and the times it has measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PingPong {
    bytes: u64,
    repetitions: u32,
    /// Calls made so far by ranks 0 and 1.
    calls: [u32; 2],
    /// The cycle at which the message in flight was sent.
    sent_time: u64,
    one_way_cycles: Vec<u64>,
}

impl PingPong {
    /// `repetitions` round trips with messages of `bytes` bytes.
    pub fn new(bytes: u64, repetitions: u32) -> Self {
        PingPong { bytes, repetitions, calls: [0; 2], sent_time: 0, one_way_cycles: Vec::new() }
    }

    /// Whether a restored program can continue for `new`, one with the same messages, at cycle `now`.
    pub fn can_continue(&self, new: &PingPong, now: u64) -> bool {
        let most = 2 * u64::from(self.repetitions);
        (self.bytes, self.repetitions) == (new.bytes, new.repetitions)
            && self.calls.iter().all(|&calls| u64::from(calls) <= most + 1)
            && self.one_way_cycles.len() as u64 <= most
            && self.sent_time <= now
    }

    /// The one-way time of each message in cycles, from the call that sends it to the end of the call that receives it.
    /// It includes the receiver's polling interval. Even entries are from rank 0 to rank 1, odd ones back.
    pub fn one_way_cycles(&self) -> &[u64] {
        &self.one_way_cycles
    }
}

impl Program for PingPong {
    fn next(&mut self, rank: u32, time: u64, received: Option<Status>) -> Option<Call> {
        if received.is_some() {
            self.one_way_cycles.push(time - self.sent_time);
        }
        let call = self.calls[rank as usize];
        self.calls[rank as usize] += 1;
        if call / 2 == self.repetitions {
            return None;
        }
        let peer = 1 - rank;
        if call % 2 != rank {
            return Some(Call::Receive { source: Some(peer), tag: Some(0) });
        }
        self.sent_time = time;
        Some(Call::Send { target: peer, tag: 0, bytes: self.bytes })
    }
}
