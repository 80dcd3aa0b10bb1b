//! The message layer as software of nodes, for the engines.

pub mod borders;
mod builder;
mod checkpoint;
pub mod memory_estimate;
pub mod report;

pub use builder::MessagingBuilder;

use crate::mapping::Place;
use crate::node::Shared;
use crate::node::core::Core;
use crate::node::counters::{Counts, Totals};
use crate::node::network_collectives::NetworkCollectives;
use crate::node::rank::Rank;
use crate::node::task::Task;
use crate::ranks::{RankSlot, Ranks};
use crate::scheduler::{Scheduler, Scratch};
use crate::setup::Setup;
use crate::time_lines::DetailedActivity;
use crate::time_lines::observer::Observer;
use crate::time_lines::observer_state::ObserverState;
use crate::transfers::arrivals::{Arriving, Header};
use crate::transfers::outgoing::Outgoing;
use crate::transfers::spread::Spread;
use base::checkpoint::{FrameReader, FrameWriter};
use base::memory;
use network::fabric::Fabric;
use network::node::forward;
use network::node::pool::Pool;
use network::node::software::{Announcement, NodeIo, NodeSoftware, RestoredNode, Resume};
use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The message layer of some nodes; see the head of this crate.
pub struct Messaging {
    setup: Arc<Setup>,
    lines_per_node: usize,
    cores: Vec<Core>,
    shared: Vec<Shared>,
    pool: Pool<Outgoing>,
    /// The messages that are being spread, by node and set of FIFOs; empty if messages never are.
    spreads: Vec<Spread>,
    /// The chunks of these still to come, by node and FIFO.
    unwritten: Vec<u64>,
    sets: usize,
    fifos: usize,
    ranks: Box<dyn Ranks>,
    scratch: Scratch,
    observer: Option<ObserverState>,
    counts: Counts,
}

impl Messaging {
    /// The ranks.
    pub fn ranks(&self) -> &dyn Ranks {
        &*self.ranks
    }

    /// The ranks, to pass them what they have been waiting for.
    pub(crate) fn ranks_mut(&mut self) -> &mut dyn Ranks {
        &mut *self.ranks
    }

    /// The observer, if any.
    pub(crate) fn observer(&self) -> Option<&dyn Observer> {
        self.observer.as_ref().map(ObserverState::observer)
    }

    /// The activity of a core with a rank, and the time since which it lasts, if the core has no task.
    pub(crate) fn pause(&self, slot: usize) -> Option<(u64, DetailedActivity)> {
        let Core { free_at, rank, .. } = &self.cores[slot];
        let pause = self.observer.as_ref().and_then(|observing| observing.pause(slot, *free_at));
        pause.or_else(|| Some((*free_at, rank.as_ref()?.between_tasks())))
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The ranks of the cores, with their slots.
    pub(crate) fn ranks_with_slots(&self) -> impl Iterator<Item = (RankSlot, &Rank)> {
        self.cores.iter().enumerate().filter_map(|(slot, core)| {
            let rank = core.rank.as_ref()?;
            Some((RankSlot { rank: rank.number, slot }, rank))
        })
    }

    /// The network collectives of a rank, if it has begun any.
    pub(crate) fn network_collectives(&self, rank: RankSlot) -> Option<&NetworkCollectives> {
        self.cores[rank.slot].network_collectives.as_deref()
    }

    /// The cores that have ranks.
    pub(crate) fn cores_with_ranks(&self) -> impl Iterator<Item = &Core> {
        self.cores.iter().filter(|core| core.rank.is_some())
    }

    /// Where a rank runs.
    pub(crate) fn place(&self, rank: u32) -> Place {
        self.setup.map.place(rank)
    }

    fn cores_of(&self, local: usize) -> Range<usize> {
        local * self.lines_per_node..(local + 1) * self.lines_per_node
    }

    /// Runs all cores of a node, in order; returns when the node has to run next.
    fn run_cores(&mut self, io: &mut NodeIo<'_>) -> Resume {
        let (local, first) = (io.local, io.local * self.lines_per_node);
        let (spreads, unwritten) = match self.setup.spreads {
            true => (
                &mut self.spreads[local * self.sets..][..self.sets],
                &mut self.unwritten[local * self.fifos..][..self.fifos],
            ),
            false => (&mut [][..], &mut [][..]),
        };
        let clock = io.fabric.parameters.node.clock;
        let mut scheduler = Scheduler {
            setup: &self.setup,
            counts: &mut self.counts,
            cores: &mut self.cores[first..first + self.lines_per_node],
            number: 0,
            set: 0,
            first_slot: first,
            shared: &mut self.shared[local],
            pool: &mut self.pool,
            spreads,
            unwritten,
            ranks: &mut *self.ranks,
            scratch: &mut self.scratch,
            observer: self.observer.as_mut(),
            has_handed_over: true,
            io,
        };
        let mut resume = scheduler.run_all();
        if scheduler.observer.is_some() {
            scheduler.observe_pauses();
        }
        if self.setup.spreads {
            let spread = (0..).zip(&*scheduler.unwritten).filter(|&(_, unwritten)| *unwritten > 0);
            resume.when_room |= spread.fold(0, |bits, (fifo, _)| bits | 1 << fifo);
        }
        if self.lines_per_node > 1 {
            let idle =
                scheduler.cores.iter().filter(|core| core.task.is_none() && core.to_forward.is_empty());
            let due = idle
                .flat_map(|core| [core.handover.due(), core.rank.as_ref().and_then(Rank::due)])
                .flatten()
                .min();
            if let Some(due) = due {
                let at = clock.cycle_of(due).max(scheduler.io.now + 1);
                resume = resume.or(Resume::at(at));
            }
        }
        resume
    }

    /// Counters since the start of the run.
    pub(crate) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.shared.iter().for_each(|shared| totals.add(&shared.totals));
        totals
    }

    /// A node's share of the counts.
    fn count(&self, local: usize) -> Counts {
        let Shared { begun, ended, .. } = self.shared[local];
        let mut counts = Counts { begun, ended, ..Counts::default() };
        for core in &self.cores[self.cores_of(local)] {
            counts.network_collectives +=
                core.network_collectives.as_ref().map_or(0, |collectives| collectives.count());
            let Some(rank) = &core.rank else { continue };
            counts.unfinished += u32::from(!rank.has_finished());
            counts.busy += u32::from(rank.is_busy());
            if let Some((at, end)) = rank.finish() {
                counts.failed += u32::from(end.is_failure());
                counts.last_finish = counts.last_finish.max(at);
            }
        }
        counts
    }

    /// Replaces a node's share of the counts.
    fn recount(&mut self, local: usize, before: &Counts) {
        let after = self.count(local);
        let counts = &mut self.counts;
        counts.begun += after.begun - before.begun;
        counts.ended += after.ended - before.ended;
        counts.network_collectives =
            counts.network_collectives - before.network_collectives + after.network_collectives;
        counts.unfinished = counts.unfinished - before.unfinished + after.unfinished;
        counts.busy = counts.busy - before.busy + after.busy;
        counts.failed = counts.failed - before.failed + after.failed;
        counts.last_finish = counts.last_finish.max(after.last_finish);
    }
}

impl NodeSoftware for Messaging {
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume {
        let resume = self.run_cores(io);
        debug_assert!(resume.at > io.now, "a message within a node takes at least a cycle");
        resume
    }

    fn acknowledge(&mut self, local: usize) {
        self.shared[local].unacknowledged -= 1;
    }

    fn receive(&mut self, local: usize, announcement: &Announcement) {
        let Header { target, kind, message } = Header::of(announcement);
        let core = self.setup.line(target) as u8;
        let packets = kind.protocol().packets(&self.setup.formats, message.bytes);
        self.shared[local].arrivals.insert(Arriving { core, kind, message }, packets);
    }

    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>> {
        let cores = &self.cores[self.cores_of(local)];
        if let Some(engine) = self.setup.dma_line.map(|line| &cores[line]) {
            let first = engine.to_forward.front().filter(|_| engine.task.is_none())?;
            let set = fabric.fifo_sets.of_core(0);
            return Some(fabric.fifo_sets.fifos(set, first.offer.class.high_priority));
        }
        forward::waits_for_room(
            fabric,
            set,
            cores
                .iter()
                .skip(self.setup.lines_of_core - 1)
                .step_by(self.setup.lines_of_core)
                .map(|core| core.task.is_none().then_some(&core.to_forward)),
        )
    }

    fn bytes(&self) -> usize {
        let shared = |shared: &Shared| shared.arrivals.bytes();
        size_of_val(&self.cores[..])
            + self.cores.iter().map(Core::bytes).sum::<usize>()
            + size_of_val(&self.shared[..])
            + self.shared.iter().map(shared).sum::<usize>()
            + size_of_val(&self.spreads[..])
            + self.spreads.iter().map(Spread::bytes).sum::<usize>()
            + size_of_val(&self.unwritten[..])
            + self.pool.bytes_for(0)
            + self.ranks.bytes()
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_node(local, frames)
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_node(node, frames)
    }

    fn reading(&self, local: usize) -> usize {
        let is_reading = |core: &&Core| matches!(core.task, Some(Task::Read(_)));
        self.cores[self.cores_of(local)].iter().filter(is_reading).count()
    }

    fn reads_at_once(&self, _: &Fabric, _: usize) -> bool {
        let parameters = &self.setup.parameters;
        parameters.is_reading_free()
            && parameters.is_writing_free()
            && (self.setup.participants.is_none() || parameters.is_collective_free())
            && parameters.call_processor_cycles.are_free()
            && parameters.reads_while_computing
    }

    fn prefetch(&self, local: usize) {
        self.cores[self.cores_of(local)].iter().for_each(Core::prefetch);
        memory::software(&self.shared[local]);
        self.cores_of(local).for_each(|slot| self.ranks.prefetch(slot));
    }

    fn prefetch_queues(&self, local: usize) {
        for slot in self.cores_of(local) {
            let core = &self.cores[slot];
            core.sends.prefetch(&self.pool);
            if let Some(rank) = &core.rank {
                self.ranks.prefetch_queues(slot, rank.is_busy());
            }
        }
        self.shared[local].arrivals.prefetch();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
