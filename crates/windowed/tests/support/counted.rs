//! A carrier that counts the swaps of a process.

use network::Peers;
use network::peers::Carrier;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A process whose swaps are counted.
#[derive(Debug)]
pub struct Counted {
    peers: Peers,
    swaps: AtomicU64,
}

impl Counted {
    /// Counts from 0.
    pub fn new(peers: Peers) -> Arc<Self> {
        Arc::new(Counted { peers, swaps: AtomicU64::new(0) })
    }

    /// The number of swaps so far.
    pub fn swaps(&self) -> u64 {
        self.swaps.load(Ordering::Relaxed)
    }
}

impl Carrier for Counted {
    fn number(&self) -> usize {
        self.peers.number()
    }

    fn count(&self) -> usize {
        self.peers.count()
    }

    fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64 {
        self.swaps.fetch_add(1, Ordering::Relaxed);
        self.peers.swap(word, messages)
    }
}
