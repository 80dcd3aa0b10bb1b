//! The scheduler of a node's time lines: it ends the task that is due and begins others, until one takes time or nothing is
//! left to do.
//!
//! ```text
//!   order          the order in which a core does its work
//!   movers         who moves packets between FIFOs and memory: the core, its co-processor, or the node's DMA engine
//!   operations     ranks are resumed, and their operations performed
//!   sending        messages become transfers       reading, writing, spreading    packets
//!   reactions      protocols                       local_messages                 messages within the node
//!   collective_networks, interrupts, observation
//! ```
//!
//! Only one thing is done at a time on a time line. It counts processor cycles; what the network sees of it is rounded up to
//! network cycles ([`base::clock`]).

mod collective_networks;
mod interrupts;
mod local_messages;
pub mod movers;
mod observation;
mod operations;
mod order;
mod reactions;
mod reading;
mod sending;
mod spreading;
mod writing;

use crate::node::Shared;
use crate::node::core::Core;
use crate::node::counters::Counts;
use crate::node::rank::Rank;
use crate::node::task::Task;
use crate::ranks::{Completion, MessageId, Operation, RankSlot, Ranks};
use crate::setup::{Movers, Setup};
use crate::time_lines::observer_state::ObserverState;
use crate::transfers::outgoing::Outgoing;
use crate::transfers::spread::Spread;
use base::clock::ClockRatio;
use movers::Mover;
use movers::coprocessor::{Coprocessor, CoreWithCoprocessor};
use movers::core::MovingCore;
use movers::dma::{CoreWithDma, DmaEngine};
use network::node::pool::Pool;
use network::node::software::{NodeIo, Resume};

/// Vectors that runs of software reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    completions: Vec<Completion>,
    operations: Vec<Operation>,
    pub accepted: Vec<MessageId>,
}

/// The scheduler of a node, at one of its time lines.
pub(crate) struct Scheduler<'a, 'io> {
    pub setup: &'a Setup,
    pub counts: &'a mut Counts,
    pub cores: &'a mut [Core],
    /// The time line: its number, and its set of FIFOs.
    pub number: usize,
    pub set: usize,
    /// The place of the node's first rank among those of `ranks`.
    pub first_slot: usize,
    pub shared: &'a mut Shared,
    pub pool: &'a mut Pool<Outgoing>,
    /// Messages that are being spread, by set of FIFOs; empty if messages never are.
    pub spreads: &'a mut [Spread],
    /// Chunks of these still to come, by FIFO.
    pub unwritten: &'a mut [u64],
    pub ranks: &'a mut dyn Ranks,
    pub scratch: &'a mut Scratch,
    pub observer: Option<&'a mut ObserverState>,
    /// Whether a core has left something for another that has been run before.
    pub has_handed_over: bool,
    pub io: &'a mut NodeIo<'io>,
}

/// How a time line goes on.
pub(crate) enum Step {
    /// Something has been done, or a task has begun.
    Done,
    /// Nothing can be done until then.
    Wait(Resume),
}

impl Scheduler<'_, '_> {
    /// Runs all cores of the node, in order; returns when one of them has to run again.
    #[inline]
    pub fn run_all(&mut self) -> Resume {
        if let [_] = self.cores {
            self.fill(0);
            return self.run();
        }
        self.run_in_turns()
    }

    /// Runs each of several cores, until none has left anything for another.
    fn run_in_turns(&mut self) -> Resume {
        let mut resume = Resume::IDLE;
        while std::mem::take(&mut self.has_handed_over) {
            resume = Resume::IDLE;
            for number in 0..self.cores.len() {
                self.number = number;
                self.set = self.io.fabric.fifo_sets.of_core(self.core_number());
                self.fill(number);
                resume = resume.or(self.run());
            }
        }
        resume
    }

    /// Runs the time line; returns when it has to run again.
    pub fn run(&mut self) -> Resume {
        match self.setup.movers {
            Movers::Cores => self.run_as::<MovingCore>(),
            Movers::Coprocessors if self.is_coprocessor() => self.run_as::<Coprocessor>(),
            Movers::Coprocessors => self.run_as::<CoreWithCoprocessor>(),
            Movers::DmaEngine if self.is_dma() => self.run_as::<DmaEngine>(),
            Movers::DmaEngine => self.run_as::<CoreWithDma>(),
        }
    }

    #[inline]
    fn run_as<M: Mover>(&mut self) -> Resume {
        loop {
            let core = &mut self.cores[self.number];
            let (now, end) = (self.io.now, core.ends);
            if let Some(task) = core.task.take_if(|_| end <= now) {
                self.end::<M>(task, end);
            } else if core.task.is_some() {
                if self.setup.is_plain || !self.setup.has_interrupts() {
                    return Resume::at(end);
                }
                if self.interrupt() {
                    continue;
                }
                return self.busy_until(end);
            }
            if let Step::Wait(resume) = M::next(self) {
                return resume;
            }
        }
    }

    pub fn clock(&self) -> ClockRatio {
        self.io.fabric.parameters.node.clock
    }

    pub fn core(&mut self) -> &mut Core {
        &mut self.cores[self.number]
    }

    /// A rank of the node.
    pub fn rank_of(&mut self, rank: u32) -> &mut Rank {
        self.cores[self.setup.line(rank)].rank.as_mut().expect("the rank is on the node")
    }

    pub fn rank(&mut self) -> &mut Rank {
        self.core().rank.as_mut().expect("the core has a rank")
    }

    /// The core to which the time line belongs, its own or that of its co-processor.
    pub fn core_number(&self) -> usize {
        self.setup.core_of(self.number)
    }

    pub fn chunk_bytes(&self) -> u32 {
        self.io.fabric.parameters.packet.chunk_bytes
    }

    /// The processor cycle at which the core begins what has been waiting for it.
    #[inline]
    pub fn start(&mut self) -> u64 {
        let core = &self.cores[self.number];
        if core.ends >= self.io.now.max(1) {
            core.free_at
        } else {
            self.clock().processor_cycle_of(self.io.now)
        }
    }

    #[inline]
    pub fn begin(&mut self, task: Task, start: u64, end: u64) {
        if self.observer.is_some() {
            self.observe_begin(&task, start, end);
        }
        let clock = self.clock();
        let core = self.core();
        core.began_at = start;
        core.set_free_at(end, clock);
        core.task = Some(task);
    }

    /// Ends a task, at network cycle `time`.
    fn end<M: Mover>(&mut self, task: Task, time: u64) {
        match task {
            Task::Write { fifo, packet, reports } => self.end_write(fifo, packet, reports, time),
            Task::Read(received) => self.end_read::<M>(&received, time),
            Task::Call | Task::Interrupt => {}
            Task::Take(packet) => self.receive(packet.tag),
            Task::Give(given) => self.end_give(*given),
            Task::Describe => self.end_describe(),
            Task::Local(local) => {
                let time = self.core().free_at;
                self.receive_local(self.number, local, time);
            }
            Task::WriteTree(packet) => self.end_tree_write(packet),
            Task::ReadTree(packet) => self.end_tree_read(&packet),
            Task::Raise { on, number } => self.io.raise_wire(on, number),
            Task::SeeRelease(on) => self.end_seeing_release(on),
            Task::Compute => self.end_compute(),
        }
    }

    /// Another core can take what is left for it at processor cycle `time` at once, if that time has come.
    pub fn hand_over(&mut self, time: u64) {
        self.has_handed_over |= self.clock().cycle_of(time) <= self.io.now;
    }

    /// The ranks of the node begin a transfer to `receivers` ranks.
    pub fn begin_transfer(&mut self, receivers: u64) {
        self.shared.begun += receivers;
        self.counts.begun += receivers;
    }

    /// A transfer has ended at a rank of the node.
    pub fn end_transfer(&mut self) {
        self.shared.ended += 1;
        self.counts.ended += 1;
    }

    /// The place of the state of a core's rank.
    pub fn slot(&self, core: usize) -> RankSlot {
        let rank = self.cores[core].rank.as_ref().expect("the core has a rank");
        RankSlot { rank: rank.number, slot: self.first_slot + core }
    }
}
