//! The ranks of a part of the machine: each has a program and its MPI library.

use crate::caller::Caller;
use crate::communication::Sent;
use crate::digest::Digest;
use crate::outside::{Answer, WakeUp};
use crate::process::{Next, Now, Process};
use crate::{Call, Given, Selection};
use base::checkpoint::{FrameReader, FrameWriter};
use base::memory;
use messaging::{
    Blocking, CallCosts, CallKind, Called, Completion, End, Message, MessageId, Operation, RankSlot, Ranks,
    RouteName, Waiting,
};
use std::any::Any;
use std::io;

/// The costs of calls, and whether their senders wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Processor cycles of calls.
    pub calls: CallCosts,
    /// Whether a send is complete only when the last packet of its message has been written.
    pub sends_take_time: bool,
    /// Processor cycles in which a chunk of a message that has waited for its receive is copied.
    pub copy_processor_cycles_per_chunk: u32,
    /// Bytes of a chunk.
    pub chunk_bytes: u32,
    /// Processor cycles in which a byte of an operand is combined with another.
    pub combine_processor_cycles_per_byte: u32,
    /// Processor cycles to pack or unpack a block of data that do not lie in one piece.
    pub noncontiguous_processor_cycles_per_block: u32,
    /// How the algorithms of collectives are selected.
    pub selection: Selection,
}

impl Costs {
    /// The costs of MPI among those of a message layer, on a machine with chunks of `chunk_bytes` bytes.
    pub fn of(parameters: &messaging::Parameters, sends_take_time: bool, chunk_bytes: u32) -> Self {
        Costs {
            calls: parameters.call_processor_cycles,
            sends_take_time,
            copy_processor_cycles_per_chunk: parameters.copy_processor_cycles_per_chunk,
            chunk_bytes,
            combine_processor_cycles_per_byte: parameters.combine_processor_cycles_per_byte,
            noncontiguous_processor_cycles_per_block: parameters.noncontiguous_processor_cycles_per_block,
            selection: Selection::default(),
        }
    }

    pub(crate) fn copy(&self, bytes: u64) -> u64 {
        let chunks = bytes.div_ceil(self.chunk_bytes.max(1).into());
        chunks.saturating_mul(self.copy_processor_cycles_per_chunk.into())
    }

    pub(crate) fn combine(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(self.combine_processor_cycles_per_byte.into())
    }

    pub(crate) fn pack(&self, blocks: u32) -> u64 {
        u64::from(blocks) * u64::from(self.noncontiguous_processor_cycles_per_block)
    }

    /// The least processor cycles from the time at which a rank receives the outcome of a call until its next call
    /// takes effect.
    pub fn lookahead(&self) -> u64 {
        self.calls.min().into()
    }
}

/// The place of a core without a rank.
const NO_RANK: u32 = u32::MAX;

/// The ranks of a part of the machine, for [`messaging::Messaging`] to resume.
pub struct Mpi<C> {
    costs: Costs,
    /// The library of each rank, and its caller.
    ranks: Vec<(Process, C)>,
    /// The place among these of a core's rank, by core, if it has one.
    places: Vec<u32>,
    /// Wake-ups, with their slots, of ranks that have asked and do not know yet what they do next.
    pub(crate) wake_ups: Vec<(usize, WakeUp)>,
    /// The name of each rank's last call, by place, if names are kept.
    called: Option<Vec<&'static str>>,
}

impl<C: Caller> Mpi<C> {
    /// The ranks of some cores, of `size` in all; `caller` makes the program of each, or [`crate::Outside`].
    pub fn new(costs: Costs, size: u32, ranks: &[Option<u32>], caller: impl Fn(u32) -> C) -> Self {
        let new = |rank: u32| {
            let caller = caller(rank);
            let mut process = Process::new(rank, size, &caller.communicators());
            if C::IS_NOTIFIED_OF_REQUESTS {
                process.requests.notify_program();
            }
            (process, caller)
        };
        let mut all = memory::room_for(ranks.iter().flatten().count());
        let places = ranks.iter().map(|rank| {
            all.extend(rank.map(new));
            rank.map_or(NO_RANK, |_| all.len() as u32 - 1)
        });
        Mpi { costs, places: places.collect(), ranks: all, wake_ups: Vec::new(), called: None }
    }

    /// Gives each rank that has made no call the communicators that exist from the start.
    pub(crate) fn give_communicators(&mut self, of_rank: impl Fn(u32) -> Vec<Given>) {
        self.ranks.iter_mut().for_each(|(process, _)| process.give_communicators(&of_rank(process.rank)));
    }

    /// This part, with counts of the messages between ranks.
    #[must_use]
    pub fn counting_communication(mut self) -> Self {
        for (process, _) in &mut self.ranks {
            process.communication = Some(Box::default());
        }
        self
    }

    /// This part, for observers: it keeps the name of each rank's last call, and reports rounds of collectives.
    #[must_use]
    pub fn observed(self) -> Self {
        Mpi { called: Some(vec![""; self.ranks.len()]), ..self }
    }

    /// The source, the target, and the messages sent, where they are counted and not zero.
    pub fn communication(&self) -> impl Iterator<Item = (u32, u32, Sent)> + '_ {
        let of_process = |process: &Process| {
            let source = process.rank;
            let counted = process.communication.iter().flat_map(|counted| counted.by_target());
            counted.map(move |(target, sent)| (source, target, sent)).collect::<Vec<_>>()
        };
        self.ranks.iter().flat_map(move |rank| of_process(&rank.0))
    }

    /// The caller of a rank, with its measurements.
    pub fn program(&self, rank: RankSlot) -> &C {
        &self.rank(rank).1
    }

    /// MPI calls that the ranks have made.
    pub fn calls(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.0.calls).sum()
    }

    /// The digest of the operations that the ranks have completed.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        self.ranks.iter().for_each(|rank| digest.add(rank.0.digest));
        digest
    }

    fn process(&mut self, rank: RankSlot) -> &mut Process {
        &mut self.rank_mut(rank.slot).0
    }

    fn rank_mut(&mut self, slot: usize) -> &mut (Process, C) {
        self.ranks.get_mut(self.places[slot] as usize).expect("the core has a rank")
    }

    fn rank(&self, rank: RankSlot) -> &(Process, C) {
        self.ranks.get(self.places[rank.slot] as usize).expect("the core has a rank")
    }

    /// Gives a rank that has asked its answer.
    pub(crate) fn answer(&mut self, slot: usize, Answer { rank, calls }: Answer) {
        let (process, _) = self.rank_mut(slot);
        assert!(Call::lead_to_one(calls.iter()), "rank {rank} makes several calls at once: {calls:?}");
        (process.next, process.to_do) = (Next::Known, calls.into());
    }

    /// Continues a rank until it is blocked, or has to spend time; appends its operations.
    fn run(&mut self, rank: RankSlot, time: u64, operations: &mut Vec<Operation>) {
        let place = self.places[rank.slot] as usize;
        let mut goes_on = true;
        while goes_on {
            let process = &mut self.ranks[place].0;
            if let Some(end) = process.fault {
                return operations.push(Operation::Finish(end));
            }
            if let Some(cycles) = process.begin_work() {
                return operations.push(Operation::Call { cycles });
            }
            if process.is_blocked() {
                return;
            }
            goes_on = match process.next {
                Next::Known | Next::Paid => {
                    let reports_rounds = self.called.is_some();
                    let named = self.called.as_mut().zip(process.to_do.front().map(|call| call.name()));
                    let calls = process.calls;
                    let goes_on =
                        act(process, &mut Now { time, costs: &self.costs, operations, reports_rounds });
                    if let Some((names, name)) = named.filter(|_| process.calls > calls) {
                        names[place] = name;
                    }
                    goes_on
                }
                Next::Unknown => self.ask(rank, time, operations),
                Next::Asked => panic!("rank {} has no answer by processor cycle {time}", rank.rank),
            }
        }
    }

    /// Passes a rank the outcome of its last call; returns whether it continues at once.
    fn ask(&mut self, rank: RankSlot, time: u64, operations: &mut Vec<Operation>) -> bool {
        let (process, caller) = self.rank_mut(rank.slot);
        let outcome = std::mem::take(&mut process.outcome);
        let ended = process.requests.take_ended();
        process.next = Next::Known;
        if !caller.ask(time, &outcome, &mut process.to_do) {
            process.next = Next::Asked;
            self.wake_ups.push((rank.slot, WakeUp { time, rank: rank.rank, outcome, ended }));
        }
        // The cost of a call passes first, also if the rank computes before it: what it does may not be known yet.
        // The cost of its next call beyond that of the cheapest call passes when it makes that call.
        let cycles = self.costs.lookahead();
        if cycles > 0 {
            operations.push(Operation::Call { cycles });
        }
        cycles == 0
    }
}

/// Does what the program of a rank does next, once its cost has passed. Only the cost beyond that of the cheapest
/// call may be left. Returns whether the rank continues at once.
fn act(process: &mut Process, now: &mut Now<'_>) -> bool {
    let Now { time, costs, .. } = *now;
    let paid = costs.lookahead();
    let kind = process.to_do.front().map_or(Some(CallKind::Other), Call::kind);
    let rest = kind.map_or(0, |kind| costs.calls.beyond_min(kind));
    if rest > 0 && process.next == Next::Known {
        process.next = Next::Paid;
        now.operations.push(Operation::Call { cycles: rest.into() });
        return false;
    }
    let next = process.to_do.pop_front();
    memory::rewind(&mut process.to_do);
    let operation = match next {
        None => Operation::Finish(End::Finalized),
        Some(Call::Compute { cycles: 0 }) => return true,
        Some(Call::Compute { cycles }) => Operation::Compute { cycles },
        Some(Call::Advance { until }) => match until.saturating_add(paid) {
            until if until <= time => return true,
            until => Operation::Advance { until },
        },
        Some(call) => {
            let is_free_poll = paid + u64::from(rest) == 0 && call.arguments().is_poll;
            process.next = Next::Unknown;
            process.calls += 1;
            process.make(call, now);
            if !is_free_poll || process.outcome.flag {
                return true;
            }
            // A rank that asks repeatedly does so in time.
            Operation::Call { cycles: 1 }
        }
    };
    now.operations.push(operation);
    false
}

impl<C: Caller> Ranks for Mpi<C> {
    fn prefetch(&self, slot: usize) {
        if let Some(rank) = self.ranks.get(self.places[slot] as usize) {
            memory::software(rank);
        }
    }

    fn prefetch_queues(&self, slot: usize, is_busy: bool) {
        if let Some((process, _)) = self.ranks.get(self.places[slot] as usize) {
            process.prefetch_queues(is_busy);
        }
    }

    fn prefetch_arrival(&self, slot: usize, source: u32) {
        if let Some((process, _)) = self.ranks.get(self.places[slot] as usize) {
            process.prefetch_arrival(source);
        }
    }

    fn resume(
        &mut self,
        rank: RankSlot,
        time: u64,
        completions: &[Completion],
        operations: &mut Vec<Operation>,
    ) {
        let reports_rounds = self.called.is_some();
        let mut now = Now { time, costs: &self.costs, operations, reports_rounds };
        let process = &mut self.ranks[self.places[rank.slot] as usize].0;
        process.prefetch();
        process.end_work(&mut now);
        process.finish_ready(&mut now);
        for completion in completions {
            match completion {
                Completion::Arrived { id, .. } => process.complete_message(*id, &mut now),
                Completion::Sent(number) => process.sent(*number, &mut now),
                Completion::Joined(number) => process.joined(*number, &mut now),
                Completion::Begun(_) => {}
            }
        }
        process.unblock(time);
        self.run(rank, time, operations);
    }

    fn arrive(&mut self, rank: RankSlot, message: &Message, accepted: &mut Vec<MessageId>) -> bool {
        self.process(rank).arrive(message, accepted)
    }

    fn members(&self, rank: RankSlot, on: RouteName) -> Vec<u32> {
        self.rank(rank).0.members(on)
    }

    fn waiting(&self, rank: RankSlot) -> Waiting {
        self.rank(rank).0.waiting()
    }

    fn blocking(&self, rank: RankSlot) -> Blocking {
        self.rank(rank).0.blocking()
    }

    fn call(&self, rank: RankSlot, pays: bool) -> Option<Called> {
        let names = self.called.as_ref()?;
        let process = &self.rank(rank).0;
        if pays && !process.is_blocked() && !process.is_working() && process.next != Next::Unknown {
            let next = process.to_do.back().filter(|call| !call.is_computation()).map(Call::name);
            let name =
                next.or((process.next == Next::Known && process.to_do.is_empty()).then_some("MPI_Finalize"));
            return Some(Called { number: process.calls + 1, name });
        }
        let name = Some(names[self.places[rank.slot] as usize]);
        (process.calls > 0).then_some(Called { number: process.calls, name })
    }

    fn bytes(&self) -> usize {
        let of_rank = |rank: &(Process, C)| size_of::<(Process, C)>() + rank.0.bytes() + rank.1.bytes();
        size_of_val(&self.places[..]) + self.ranks.iter().map(of_rank).sum::<usize>()
    }

    fn save(&self, rank: RankSlot, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let (process, caller) = self.rank(rank);
        frames.write(process)?;
        caller.save(frames)
    }

    fn restore(&mut self, rank: RankSlot, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let (process, caller) = self.rank_mut(rank.slot);
        *process = frames.read()?;
        caller.restore(frames)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
