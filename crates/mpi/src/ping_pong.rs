//! Ping-pong: ranks 0 and 1 send a message back and forth.

use crate::{Call, Outcome, Program};
use serde::{Deserialize, Serialize};

/// The program of one of the two ranks, and the times it has measured.
#[derive(Clone, Debug)]
pub struct PingPong {
    rank: u32,
    bytes: u64,
    repetitions: u32,
    state: State,
}

/// The position in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Calls made so far.
    calls: u32,
    /// Processor cycles at which messages were sent.
    sent: Vec<u64>,
    /// Processor cycles at which messages were received.
    received: Vec<u64>,
}

impl PingPong {
    /// `repetitions` round trips with messages of `bytes` bytes, as rank 0 or 1.
    pub fn new(rank: u32, bytes: u64, repetitions: u32) -> Self {
        PingPong { rank, bytes, repetitions, state: State::default() }
    }

    /// The processor cycles at which the rank made the calls that sent its messages.
    pub fn sent(&self) -> &[u64] {
        &self.state.sent
    }

    /// The processor cycles at which the calls ended that received its messages, after the polling interval.
    pub fn received(&self) -> &[u64] {
        &self.state.received
    }
}

impl Program for PingPong {
    type State = State;

    fn next(&mut self, time: u64, outcome: &Outcome) -> Option<Call> {
        if outcome.received.is_some() {
            self.state.received.push(time);
        }
        let call = self.state.calls;
        if call / 2 == self.repetitions {
            return None;
        }
        self.state.calls += 1;
        let peer = 1 - self.rank;
        if call % 2 != self.rank {
            return Some(Call::Receive { source: Some(peer), tag: Some(0) });
        }
        self.state.sent.push(time);
        Some(Call::Send { target: peer, tag: 0, bytes: self.bytes })
    }

    fn state(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, state: State) -> bool {
        self.state = state;
        true
    }

    fn bytes(&self) -> usize {
        (self.state.sent.capacity() + self.state.received.capacity()) * size_of::<u64>()
    }
}
