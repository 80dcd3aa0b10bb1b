//! The ranks of a part of the machine: each has a program and its MPI library.

use crate::collectives::Group;
use crate::digest::Digest;
use crate::process::Process;
use crate::{Call, Program};
use messaging::{Completion, End, Operation, RankSlot, Ranks, Waiting};
use network::checkpoint::{FrameReader, FrameWriter, require};
use std::any::Any;
use std::io;

/// What calls cost, and whether their senders wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Processor cycles of a call.
    pub call_processor_cycles: u32,
    /// Whether a message is out of its sender's hands only when its last packet has been written.
    pub sends_take_time: bool,
}

/// The ranks of a part of the machine, for [`messaging::Messaging`] to resume.
pub struct Mpi<P> {
    costs: Costs,
    /// By core: the library and the program of its rank, if it has one.
    ranks: Vec<Option<Box<(Process, P)>>>,
}

impl<P: Program> Mpi<P> {
    /// The ranks of some cores, of `size` in all; `program` makes the program of each.
    pub fn new(costs: Costs, size: u32, ranks: &[Option<u32>], program: impl Fn(u32) -> P) -> Self {
        let new = |rank: u32| Box::new((Process::new(Group { rank, size }), program(rank)));
        Mpi { costs, ranks: ranks.iter().map(|rank| rank.map(new)).collect() }
    }

    /// The program of a rank, with its measurements.
    pub fn program(&self, rank: RankSlot) -> &P {
        &self.rank(rank).1
    }

    /// MPI calls that the ranks have made.
    pub fn calls(&self) -> u64 {
        self.ranks.iter().flatten().map(|rank| rank.0.calls).sum()
    }

    /// The digest of the operations that the ranks have completed.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        self.ranks.iter().flatten().for_each(|rank| digest.add(rank.0.digest));
        digest
    }

    fn rank(&self, rank: RankSlot) -> &(Process, P) {
        self.ranks[rank.slot].as_ref().expect("the core has a rank")
    }

    /// Continues a rank until it is blocked, or has to spend time; appends its operations.
    fn run(costs: Costs, (process, program): &mut (Process, P), time: u64, operations: &mut Vec<Operation>) {
        let reports = costs.sends_take_time;
        if let Some(call) = process.pending.take() {
            process.make(call, time, reports, operations);
        }
        while !process.is_blocked() {
            if process.continue_collective(time, reports, operations) {
                continue;
            }
            let outcome = std::mem::take(&mut process.outcome);
            match program.next(time, &outcome) {
                None => return operations.push(Operation::Finish(End::Finalized)),
                Some(Call::Compute { cycles: 0 }) => {}
                Some(Call::Compute { cycles }) => return operations.push(Operation::Compute { cycles }),
                Some(Call::Advance { until }) if until <= time => {}
                Some(Call::Advance { until }) => return operations.push(Operation::Advance { until }),
                Some(call) => {
                    process.calls += 1;
                    if costs.call_processor_cycles > 0 {
                        process.pending = Some(call);
                        let cycles = costs.call_processor_cycles.into();
                        return operations.push(Operation::Call { cycles });
                    }
                    process.make(call, time, reports, operations);
                    if call.asks() && !process.outcome.flag {
                        // A rank that asks again and again does so in time.
                        return operations.push(Operation::Call { cycles: 1 });
                    }
                }
            }
        }
    }
}

impl<P: Program> Ranks for Mpi<P> {
    fn resume(
        &mut self,
        rank: RankSlot,
        time: u64,
        completions: &[Completion],
        operations: &mut Vec<Operation>,
    ) {
        let rank = self.ranks[rank.slot].as_mut().expect("the core has a rank");
        for completion in completions {
            match completion {
                Completion::Arrived(message) => rank.0.arrive(message, time),
                Completion::Sent(number) => rank.0.sent(*number, time),
            }
        }
        rank.0.unblock(time);
        Self::run(self.costs, rank, time, operations);
    }

    fn waiting(&self, rank: RankSlot) -> Waiting {
        self.rank(rank).0.waiting()
    }

    fn bytes(&self) -> usize {
        let of_rank = |rank: &(Process, P)| size_of::<(Process, P)>() + rank.0.bytes() + rank.1.bytes();
        let beside = self.ranks.iter().flatten().map(|rank| of_rank(rank));
        size_of_val(&self.ranks[..]) + beside.sum::<usize>()
    }

    fn save(&self, rank: RankSlot, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let (process, program) = self.rank(rank);
        frames.write(&(process, program.state()))
    }

    fn restore(&mut self, rank: RankSlot, now: u64, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let (process, program) = &mut **self.ranks[rank.slot].as_mut().expect("the core has a rank");
        let (restored, state): (Process, P::State) = frames.read()?;
        require(restored.can_be_restored(process.group(), now))?;
        *process = restored;
        require(program.restore(state, now))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
