//! Which processors of the host ranks run on.
//!
//! In a round of one or two ranks, such as a ping-pong, the simulator waits while a rank runs, and the other way round.
//! Waking a sleeping processor takes longer than what a rank does there. So ranks of small rounds run on the simulator's
//! own processor. In large rounds they run anywhere.

use crate::processes::Processes;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The most ranks of a round that is small.
const SMALL: usize = 2;

/// Rounds that are small, one after the other, until ranks are moved.
const PATIENCE: u32 = 16;

/// The places of ranks.
#[derive(Debug)]
pub(crate) struct Places {
    /// The processors that this process may use; none if the host does not tell.
    all: Option<CpuSet>,
    /// The processor of each rank that has been moved to one.
    moved: Vec<Option<usize>>,
    small_rounds: u32,
}

impl Places {
    /// The places of ranks, which run anywhere.
    pub fn new(ranks: u32) -> Self {
        let all = sched_getaffinity(None).ok().filter(|all| all.count() > 1);
        Places { all, moved: vec![None; ranks as usize], small_rounds: 0 }
    }

    /// Begins a round of this number of ranks.
    pub fn begin_round(&mut self, ranks: usize) {
        self.small_rounds = if ranks > SMALL { 0 } else { self.small_rounds.saturating_add(1) };
    }

    /// Moves a rank of the round, if it pays; `process` is its number, which the rank may have overwritten.
    pub fn place(&mut self, rank: u32, process: u32, of: &Processes) {
        let Some(all) = &self.all else { return };
        let here = (self.small_rounds >= PATIENCE).then(sched_getcpu);
        let moved = &mut self.moved[rank as usize];
        // A rank of a large round leaves the simulator's processor.
        if *moved == here || self.small_rounds > 0 && here.is_none() {
            return;
        }
        let mut allowed = *all;
        if let Some(here) = here {
            allowed.clear();
            allowed.set(here);
        }
        *moved = here;
        // A process that has ended, or that has chosen its processors, stays as it is.
        let process = i32::try_from(process).ok().and_then(Pid::from_raw).filter(|process| of.has(*process));
        let _ = process.map(|process| sched_setaffinity(Some(process), &allowed));
    }
}
