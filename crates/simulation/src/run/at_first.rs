//! Ranks outside the simulator that process 0 runs, whichever process has their nodes.
//!
//! ```text
//!   process 0:   wake-ups of all  --->  ranks  --->  answers of all
//!                   ^                                      |
//!   others:      wake-ups                                  +--->  answers
//! ```

use base::bytes::{packed, unpacked};
use mpi::{Answer, Failure, Given, OutsideRanks, Stop, WakeUp};
use network::Peers;
use std::collections::HashSet;

/// The ranks of a run of several processes.
pub(super) struct AtFirst {
    peers: Peers,
    /// None in the other processes.
    ranks: Option<Box<dyn OutsideRanks + Send>>,
    /// The communicators that exist from the start, by rank.
    communicators: Vec<Vec<Given>>,
    /// In process 0, the ranks of each process that have been woken up.
    asked: Vec<Vec<u32>>,
    has_asked: bool,
}

impl AtFirst {
    /// The ranks of a run, which process 0 has. All processes call it.
    pub fn new(ranks: Option<Box<dyn OutsideRanks + Send>>, count: u32, peers: &Peers) -> Self {
        let communicators = peers.decide(|| {
            let ranks = ranks.as_ref().expect("process 0 has the ranks");
            (0..count).map(|rank| ranks.communicators(rank)).collect()
        });
        AtFirst { peers: peers.clone(), ranks, communicators, asked: Vec::new(), has_asked: false }
    }

    /// Swaps messages; returns the least of the words of all processes.
    fn swap(&self, word: u64, message_for: impl Fn(usize) -> Vec<u8>) -> (u64, Vec<Vec<u8>>) {
        let mut messages: Vec<Vec<u8>> = (0..self.peers.count()).map(message_for).collect();
        let least = self.peers.swap(word, &mut messages);
        (least, messages)
    }
}

impl OutsideRanks for AtFirst {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.communicators[rank as usize].clone()
    }

    fn is_joint(&self) -> bool {
        true
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        let own = packed(&batch);
        let to_first = |process: usize| if process == 0 { own.clone() } else { Vec::new() };
        let (least, messages) = self.swap(u64::from(batch.is_empty()), to_first);
        self.has_asked = least == 0;
        let Some(ranks) = self.ranks.as_mut().filter(|_| self.has_asked) else { return };
        let batches: Vec<Vec<WakeUp>> = messages.iter().map(|batch| unpacked(batch)).collect();
        self.asked = batches.iter().map(|batch| batch.iter().map(|wake_up| wake_up.rank).collect()).collect();
        let mut all = batches.concat();
        all.sort_unstable_by_key(|wake_up| (wake_up.time, wake_up.rank));
        ranks.begin(all);
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        if !self.has_asked {
            return Ok(Vec::new());
        }
        let answers = self.ranks.as_mut().map(|ranks| ranks.collect());
        let for_process = |process: usize| match &answers {
            Some(answers) => packed(&of_ranks(answers, &self.asked[process])),
            None => Vec::new(),
        };
        unpacked(&self.swap(0, for_process).1[0])
    }

    fn look(&mut self) -> Result<(), Stop> {
        let ranks = &mut self.ranks;
        self.peers.decide(|| ranks.as_mut().expect("process 0 has the ranks").look())
    }

    fn failure(&self, rank: u32) -> Option<Failure> {
        self.ranks.as_ref()?.failure(rank)
    }
}

/// The answers of some ranks.
fn of_ranks(answers: &Result<Vec<Answer>, Stop>, ranks: &[u32]) -> Result<Vec<Answer>, Stop> {
    let answers = answers.as_ref().map_err(|stop| *stop)?;
    let asked: HashSet<u32> = ranks.iter().copied().collect();
    Ok(answers.iter().filter(|answer| asked.contains(&answer.rank)).cloned().collect())
}
