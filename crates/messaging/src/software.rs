//! The message layer as software of nodes, for the engines.

use crate::core::{Core, Given, Local, Notice, Rank, State, Task};
use crate::joining::Joining;
use crate::lines::Span;
use crate::load::{Load, LoadedNodes};
use crate::observer::{Doing, Observer};
use crate::observing::Observing;
use crate::packetizer::Packetizer;
use crate::parameters::MessageProtocol;
use crate::protocol::registered;
use crate::ranks::{End, Joint, Line, Operation, RankSlot, Ranks};
use crate::receiving::{Arriving, Header};
use crate::sends::{Outgoing, Sends};
use crate::setup::Setup;
use crate::spread::Spread;
use crate::totals::{Counts, MOST_COUNTED, MOST_MESSAGES_OF_RANK, Totals};
use crate::transfer::Kind;
use crate::turn::{LATEST, Scratch, Shared, Turn};
use crate::{MAX_MESSAGE_BYTES, Parameters, Place, RankMap};
use network::SoftwareBuilder;
use network::beside::tree::name;
use network::checkpoint::{FrameReader, FrameWriter, MOST_PACKETS, require};
use network::fabric::Fabric;
use network::memory;
use network::node::clock::ClockRatio;
use network::node::fifos::{ReceptionRoom, can_be_read, can_be_written};
use network::node::forward::{self, Forwarded};
use network::node::pool::Pool;
use network::node::software::{Announcement, NodeIo, NodeSoftware, RestoredNode, Resume};
use network::packet::Stored;
use network::parameters::{FifoChoice, FifoSize, ParameterError};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// About the bytes of a node's part of the networks beside the torus while packets pass: measured with an all-reduce.
const BYTES_BESIDE: usize = 1_200;

/// Makes the ranks of a part of the machine, given the rank of each of its cores.
type NewRanks = dyn Fn(&[Option<u32>]) -> Box<dyn Ranks> + Send + Sync;

/// Makes the observer of a part of the machine.
type NewObserver = dyn Fn() -> Box<dyn Observer> + Send + Sync;

/// Builds the software of nodes.
#[derive(Clone)]
pub struct MessagingBuilder {
    setup: Arc<Setup>,
    lines_per_node: usize,
    /// The rank of each time line, node by node.
    ranks: Arc<Vec<Option<u32>>>,
    new_ranks: Arc<NewRanks>,
    new_observer: Option<Arc<NewObserver>>,
    /// What ranks have under way, of some of them.
    loads: Vec<Load>,
    reception: ReceptionRoom,
    injection_fifos: usize,
}

impl MessagingBuilder {
    /// Ranks placed by `map` on a machine, made by `new_ranks`; `smallest_chunks` is the size of the smallest packet that
    /// they send.
    ///
    /// # Errors
    /// The first of the layer's parameters outside its range.
    pub fn new(
        network: &network::Parameters,
        parameters: &Parameters,
        map: RankMap,
        smallest_chunks: impl FnOnce(&Packetizer) -> u8,
        new_ranks: impl Fn(&[Option<u32>]) -> Box<dyn Ranks> + Send + Sync + 'static,
    ) -> Result<Self, ParameterError> {
        parameters.check(&network.packet)?;
        let setup = Setup::new(network, parameters, map, smallest_chunks);
        let lines_of_cores = usize::from(network.node.cores) * setup.lines_of_core;
        let lines_per_node = setup.dma_line.map_or(lines_of_cores, |line| line + 1);
        let mut ranks = vec![None; network.shape.nodes() as usize * lines_per_node];
        for rank in 0..setup.map.ranks() {
            let node = setup.map.place(rank).node as usize;
            ranks[node * lines_per_node + setup.line(rank)] = Some(rank);
        }
        Ok(MessagingBuilder {
            setup: Arc::new(setup),
            lines_per_node,
            ranks: Arc::new(ranks),
            new_ranks: Arc::new(new_ranks),
            new_observer: None,
            loads: Vec::new(),
            reception: ReceptionRoom::of(network),
            injection_fifos: network.node.injection_fifos(),
        })
    }

    /// The same, with ranks that use networks beside the torus.
    ///
    /// # Panics
    /// When the builder has been cloned.
    #[must_use]
    pub fn joining(mut self) -> Self {
        let nodes = self.ranks.len() / self.lines_per_node;
        let setup = Arc::get_mut(&mut self.setup).expect("nobody else has the setup yet");
        let mut participants = vec![0; nodes];
        for place in (0..setup.map.ranks()).map(|rank| setup.map.place(rank)) {
            participants[place.node as usize] |= 1 << place.core;
        }
        let names = (0..setup.map.ranks()).map(name).fold(0, u64::wrapping_add);
        setup.all_contributions = (setup.map.ranks(), names);
        setup.participants = Some(participants.into());
        setup.is_plain = false;
        self
    }

    /// The same, with ranks that send messages along lines.
    ///
    /// # Panics
    /// When the builder has been cloned.
    #[must_use]
    pub fn depositing(mut self) -> Self {
        let setup = Arc::get_mut(&mut self.setup).expect("nobody else has the setup yet");
        setup.deposits = true;
        self
    }

    /// The same, with an observer of each part of the machine.
    #[must_use]
    pub fn observed(self, new_observer: impl Fn() -> Box<dyn Observer> + Send + Sync + 'static) -> Self {
        MessagingBuilder { new_observer: Some(Arc::new(new_observer)), ..self }
    }

    /// The same, with ranks of which some that stand for all have these loads. It only serves to estimate their memory.
    #[must_use]
    pub fn loaded(self, loads: Vec<Load>) -> Self {
        MessagingBuilder { loads, ..self }
    }

    /// Bytes of what ranks have under way and keep, on all nodes: the mean of the loads.
    fn loaded_bytes(&self) -> usize {
        let ranks_of = |lines: &[Option<u32>]| lines.iter().flatten().count();
        let ranks_per_node = self.ranks.chunks(self.lines_per_node).map(ranks_of).max().unwrap_or(0);
        let nodes = LoadedNodes {
            setup: &self.setup,
            reception: self.reception,
            ranks_per_node,
            fifos: self.injection_fifos,
        };
        let of_nodes: usize = self.loads.iter().map(|load| nodes.bytes(load)).sum();
        let parts = self.loads.len() * ranks_per_node;
        (self.setup.map.ranks() as usize * of_nodes).checked_div(parts).unwrap_or(0)
    }

    /// The message layer of nodes `first..first + nodes`.
    pub(crate) fn messaging(&self, fabric: &Fabric, first: u32, nodes: usize) -> Messaging {
        let slots = first as usize * self.lines_per_node..(first as usize + nodes) * self.lines_per_node;
        Messaging::new(fabric, self, &self.ranks[slots], nodes)
    }

    /// Whether all packets of a message are in FIFOs in the cycle in which it is sent, so that ranks need no report of
    /// that: writing takes no time, FIFOs are infinite and chosen by how empty they are, all packets of a message but the last
    /// are full, and nothing has to be waited for.
    pub fn sends_at_once(network: &network::Parameters, parameters: &Parameters) -> bool {
        let node = &network.node;
        parameters.is_writing_free()
            && parameters.protocol == MessageProtocol::EagerAdaptive
            && parameters.rendezvous_from_bytes.is_none()
            && parameters.message_credits.is_none()
            && (parameters.alignment_bytes == 1 || parameters.full_packets)
            && node.injection_fifo == FifoSize::Infinite
            && node.fifo_choice == FifoChoice::Emptiest
            && node.injection_window_packets.is_none()
    }
}

impl SoftwareBuilder for MessagingBuilder {
    fn build(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware> {
        Box::new(self.messaging(fabric, first, nodes))
    }

    fn smallest_chunks(&self) -> u8 {
        self.setup.smallest_chunks
    }

    fn deposits(&self) -> bool {
        self.setup.deposits
    }

    fn participants(&self) -> Option<Arc<[u64]>> {
        self.setup.participants.clone()
    }

    fn state_bytes(&self) -> u64 {
        let of_cores = self.ranks.len() * (size_of::<Core>() + size_of::<Option<u32>>());
        let of_nodes = self.ranks.len() / self.lines_per_node * size_of::<Shared>();
        let beside = self.setup.participants.as_ref().map_or(0, |nodes| nodes.len() * BYTES_BESIDE);
        (of_cores + of_nodes + beside + self.loaded_bytes()) as u64
    }
}

/// The message layer of some nodes; see the head of this crate.
pub struct Messaging {
    setup: Arc<Setup>,
    lines_per_node: usize,
    cores: Vec<Core>,
    shared: Vec<Shared>,
    pool: Pool<Outgoing>,
    /// By node and set of FIFOs, if messages are spread.
    spreads: Vec<Spread>,
    /// By node and FIFO, if messages are spread: chunks of them still to come.
    unwritten: Vec<u64>,
    sets: usize,
    fifos: usize,
    ranks: Box<dyn Ranks>,
    scratch: Scratch,
    observer: Option<Observing>,
    counts: Counts,
}

impl Messaging {
    fn new(fabric: &Fabric, builder: &MessagingBuilder, ranks: &[Option<u32>], nodes: usize) -> Self {
        let parameters = &fabric.parameters.node;
        let (sets, fifos) = (parameters.fifo_sets(), parameters.injection_fifos());
        let spread = if builder.setup.spreads { nodes } else { 0 };
        let unfinished = ranks.iter().flatten().count() as u32;
        Messaging {
            setup: builder.setup.clone(),
            lines_per_node: builder.lines_per_node,
            cores: memory::collected(ranks.iter().map(|rank| Core::new(rank.map(Rank::new)))),
            shared: memory::filled(nodes, Shared::default()),
            pool: Pool::default(),
            spreads: vec![Spread::default(); spread * sets],
            unwritten: vec![0; spread * fifos],
            sets,
            fifos,
            ranks: (builder.new_ranks)(ranks),
            scratch: Scratch::default(),
            observer: builder.new_observer.as_ref().map(|new| Observing::new(new(), ranks.len())),
            counts: Counts { unfinished, busy: unfinished, ..Counts::default() },
        }
    }

    /// The ranks.
    pub fn ranks(&self) -> &dyn Ranks {
        &*self.ranks
    }

    /// The ranks, to pass them what they have been waiting for.
    pub(crate) fn ranks_mut(&mut self) -> &mut dyn Ranks {
        &mut *self.ranks
    }

    /// The observer, if there is one.
    pub(crate) fn observer(&self) -> Option<&dyn Observer> {
        self.observer.as_ref().map(Observing::observer)
    }

    /// What a core with a rank does, and since when, if it has no task.
    pub(crate) fn pause(&self, slot: usize) -> Option<(u64, Doing)> {
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

    /// The joint operations of a rank, if it has begun any.
    pub(crate) fn joining(&self, rank: RankSlot) -> Option<&Joining> {
        self.cores[rank.slot].joining.as_deref()
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

    /// The turns of all cores of a node, in order; when the node has to run next.
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
        let mut turn = Turn {
            setup: &self.setup,
            protocol_of: registered,
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
        let mut resume = turn.run_all();
        if turn.observer.is_some() {
            turn.observe_pauses();
        }
        if self.setup.spreads {
            let spread = (0..).zip(&*turn.unwritten).filter(|&(_, unwritten)| *unwritten > 0);
            resume.when_room |= spread.fold(0, |bits, (fifo, _)| bits | 1 << fifo);
        }
        if self.lines_per_node > 1 {
            let idle = turn.cores.iter().filter(|core| core.task.is_none() && core.to_forward.is_empty());
            let due =
                idle.flat_map(|core| [core.due(), core.rank.as_ref().and_then(Rank::due)]).flatten().min();
            if let Some(due) = due {
                let at = clock.cycle_of(due).max(turn.io.now + 1);
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
            counts.joint += core.joining.as_ref().map_or(0, |joining| joining.count());
            let Some(rank) = &core.rank else { continue };
            counts.unfinished += u32::from(!rank.has_finished());
            counts.busy += u32::from(rank.is_busy());
            if let State::Finished { at, end } = rank.state {
                counts.failed += u32::from(end != End::Finalized);
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
        counts.joint = counts.joint - before.joint + after.joint;
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
        let packets = registered(kind).packets(&self.setup, message.bytes);
        self.shared[local].receiving.insert(Arriving { core, kind, message }, packets);
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
        let shared = |shared: &Shared| shared.receiving.bytes();
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
        let cores = &self.cores[self.cores_of(local)];
        let state = NodeState {
            shared: self.shared[local].clone(),
            cores: cores.iter().map(|core| CoreState::of(core, &self.pool)).collect(),
            spreads: match self.setup.spreads {
                true => self.spreads[local * self.sets..(local + 1) * self.sets].to_vec(),
                false => Vec::new(),
            },
        };
        frames.write(&state)?;
        let mut slots = self.cores_of(local).zip(cores);
        slots.try_for_each(|(slot, core)| match &core.rank {
            Some(rank) => self.ranks.save(RankSlot { rank: rank.number, slot }, frames),
            None => Ok(()),
        })
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let local = node.local;
        let before = self.count(local);
        let state: NodeState = frames.read()?;
        require(state.can_be_restored(self, node))?;
        let clock = node.fabric.parameters.node.clock;
        let now = clock.processor_cycle_of(node.now);
        for (slot, core) in self.cores_of(local).zip(state.cores) {
            if let Some(rank) = &core.rank {
                self.ranks.restore(RankSlot { rank: rank.number, slot }, now, frames)?;
            }
            core.take_room(node);
            self.cores[slot] = core.into_core(&mut self.pool, clock);
        }
        self.shared[local] = state.shared;
        if self.setup.spreads {
            self.spreads[local * self.sets..(local + 1) * self.sets].clone_from_slice(&state.spreads);
            self.restore_unwritten(node);
        }
        self.recount(local, &before);
        Ok(())
    }

    fn reading(&self, local: usize) -> usize {
        let is_reading = |core: &&Core| matches!(core.task, Some(Task::Read(_)));
        self.cores[self.cores_of(local)].iter().filter(is_reading).count()
    }

    fn reads_at_once(&self, _: &Fabric, _: usize) -> bool {
        let parameters = &self.setup.parameters;
        parameters.is_reading_free()
            && parameters.is_writing_free()
            && (self.setup.participants.is_none() || parameters.is_joining_free())
            && parameters.call_processor_cycles.are_free()
            && parameters.reads_while_computing
    }

    fn prefetch(&self, local: usize) {
        self.cores[self.cores_of(local)].iter().for_each(Core::prefetch);
        memory::few_lines(&self.shared[local..local + 1]);
        self.cores_of(local).for_each(|slot| self.ranks.prefetch(slot));
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Messaging {
    /// The chunks still to come follow from the messages.
    fn restore_unwritten(&mut self, node: &RestoredNode<'_>) {
        let size = node.fabric.full_packet.into();
        for set in 0..self.sets {
            let spread = &self.spreads[node.local * self.sets + set];
            for (place, fifo) in node.fabric.fifo_sets.fifos(set, false).enumerate() {
                let chunks = |bytes: u64, index: u32| self.setup.packetizer.chunks(bytes, index);
                self.unwritten[node.local * self.fifos + fifo] = spread.chunks_to_come(place, size, chunks);
            }
        }
    }
}

/// A node in a checkpoint.
#[derive(Serialize, Deserialize)]
struct NodeState {
    shared: Shared,
    cores: Vec<CoreState>,
    spreads: Vec<Spread>,
}

/// A core in a checkpoint.
#[derive(Serialize, Deserialize)]
struct CoreState {
    began_at: u64,
    free_at: u64,
    task: Option<Task>,
    rank: Option<Rank>,
    sends: Vec<Outgoing>,
    to_forward: VecDeque<Forwarded>,
    taken: VecDeque<(u64, Stored)>,
    given: VecDeque<(u64, Given)>,
    local: VecDeque<(u64, Local)>,
    described: VecDeque<(u64, Outgoing)>,
    descriptors: u32,
    awaits_descriptors: bool,
    next_set: usize,
    written: u32,
    writes_first: bool,
    is_interrupted: bool,
    joining: Option<Box<Joining>>,
}

impl CoreState {
    fn of(core: &Core, pool: &Pool<Outgoing>) -> Self {
        CoreState {
            began_at: core.began_at,
            free_at: core.free_at,
            task: core.task.clone(),
            rank: core.rank.clone(),
            sends: core.sends.messages(pool).copied().collect(),
            to_forward: core.to_forward.clone(),
            taken: core.taken.clone(),
            given: core.given.clone(),
            local: core.local.clone(),
            described: core.described.clone(),
            descriptors: core.descriptors,
            awaits_descriptors: core.awaits_descriptors,
            next_set: core.next_set,
            written: core.written,
            writes_first: core.writes_first,
            is_interrupted: core.is_interrupted,
            joining: core.joining.clone(),
        }
    }

    fn into_core(self, pool: &mut Pool<Outgoing>, clock: ClockRatio) -> Core {
        let mut sends = Sends::default();
        self.sends.into_iter().for_each(|outgoing| sends.push(pool, outgoing));
        Core {
            began_at: self.began_at,
            free_at: self.free_at,
            ends: clock.cycle_of(self.free_at),
            task: self.task,
            rank: self.rank,
            sends,
            to_forward: self.to_forward,
            taken: self.taken,
            given: self.given,
            local: self.local,
            described: self.described,
            descriptors: self.descriptors,
            awaits_descriptors: self.awaits_descriptors,
            next_set: self.next_set,
            written: self.written,
            writes_first: self.writes_first,
            is_interrupted: self.is_interrupted,
            joining: self.joining,
            ignores_tree: false,
        }
    }

    /// Takes the room of the packet that it is writing or reading.
    fn take_room(&self, node: &mut RestoredNode<'_>) {
        let chunks = |stored: &Stored| node.fabric.layout.chunks(stored.packet);
        match &self.task {
            Some(Task::Write { fifo, packet, .. }) => {
                node.fifos.reserve(node.local, *fifo, chunks(packet));
            }
            Some(Task::Read(received)) => {
                node.fifos.hold(node.local, received.fifo, chunks(&received.stored));
            }
            // The networks beside the torus keep an account of their own FIFOs.
            Some(
                Task::Take(_)
                | Task::Give(_)
                | Task::Describe
                | Task::Local(_)
                | Task::WriteTree(_)
                | Task::ReadTree(_)
                | Task::Raise(_)
                | Task::SeeRelease
                | Task::Call
                | Task::Compute
                | Task::Interrupt,
            )
            | None => {}
        }
    }

    /// Whether it is core `slot` of `messaging`, in a state that it can have.
    fn can_be_restored(&self, messaging: &Messaging, node: &RestoredNode<'_>, slot: usize) -> bool {
        let RestoredNode { fabric, node: number, now, .. } = *node;
        let line = slot - messaging.cores_of(node.local).start;
        let own_set = fabric.fifo_sets.of_core(messaging.setup.core_of(line));
        let serves = |set: usize| set == own_set || messaging.setup.dma_line == Some(line);
        let expected = messaging.cores[slot].rank.as_ref().map(|rank| rank.number);
        let forwarded = |forwarded: &Forwarded| forwarded.can_be_restored(fabric, number, now);
        let outgoing = |outgoing: &Outgoing| messaging.can_restore_outgoing(outgoing, node);
        self.rank.as_ref().map(|rank| rank.number) == expected
            && self.began_at <= self.free_at
            && self.free_at < latest()
            && self.can_restore_passed(messaging, node)
            && self.rank.as_ref().is_none_or(|rank| messaging.can_restore_rank(rank))
            && self.sends.iter().all(outgoing)
            && self.described.iter().all(|(time, described)| *time < latest() && outgoing(described))
            && self.next_set < messaging.sets
            && self.joining.as_ref().is_none_or(|joining| {
                let ranks = messaging.setup.map.ranks();
                expected.is_some_and(|rank| joining.can_be_restored(fabric, rank, ranks))
            })
            && self.to_forward.iter().all(forwarded)
            && self.task.as_ref().is_none_or(|task| match task {
                Task::Write { fifo, packet, .. } => {
                    can_be_written(fabric, number, now, packet)
                        && (0..messaging.sets)
                            .any(|set| serves(set) && fabric.fifo_sets.fifos(set, false).contains(fifo))
                }
                Task::Read(received) => {
                    can_be_read(fabric, number, now, received)
                        && serves(node.fifos.set_of(fabric, received.stored.packet))
                }
                Task::Describe => messaging.setup.dma_line.is_some(),
                Task::Take(packet) => can_be_taken(fabric, number, now, packet),
                Task::Give(given) => forwarded(&given.packet),
                Task::Local(local) => messaging.can_restore_local(local, number),
                Task::WriteTree(_) | Task::ReadTree(_) | Task::Raise(_) | Task::SeeRelease => {
                    self.joining.as_ref().is_some_and(|joining| joining.count() > 0)
                }
                Task::Call => true,
                Task::Compute => self.rank.is_some(),
                Task::Interrupt => self.rank.is_some() && self.is_interrupted,
            })
    }

    /// What cores have left for one another.
    fn can_restore_passed(&self, messaging: &Messaging, node: &RestoredNode<'_>) -> bool {
        let RestoredNode { fabric, node: number, now, .. } = *node;
        let can_be_given = |given: &Given| given.packet.can_be_restored(fabric, number, now);
        self.taken.iter().all(|(time, packet)| *time < latest() && can_be_taken(fabric, number, now, packet))
            && self.given.iter().all(|(time, given)| *time < latest() && can_be_given(given))
            && self
                .local
                .iter()
                .all(|(time, local)| *time < latest() && messaging.can_restore_local(local, number))
    }
}

/// Whether a packet that has arrived at a node can be with its software.
fn can_be_taken(fabric: &Fabric, node: u32, now: u64, packet: &Stored) -> bool {
    fabric.can_be_stored(node, packet)
        && (fabric.layout.hint_bits(packet.packet) == 0 || fabric.deposits_here(packet.packet))
        && packet.offered <= now
}

/// The latest cycle in which a task can have begun by now: where processor cycles are longer than those of the network, it
/// begins with the next of them.
fn last_begin(node: &RestoredNode<'_>) -> u64 {
    let clock = node.fabric.parameters.node.clock;
    clock.cycle_of(clock.start(0, node.now))
}

/// A processor cycle later than any that a run reaches.
fn latest() -> u64 {
    2 * LATEST
}

impl NodeState {
    fn can_be_restored(&self, messaging: &Messaging, node: &RestoredNode<'_>) -> bool {
        let fabric = node.fabric;
        let (sets, size) = (messaging.sets, u64::from(fabric.full_packet));
        let slots = messaging.cores_of(node.local);
        let packets = |kind: Kind, bytes: u64| registered(kind).packets(&messaging.setup, bytes);
        let ranks = messaging.setup.map.ranks();
        let expected = if messaging.setup.spreads { sets } else { 0 };
        let spread = |(set, spread): (usize, &Spread)| {
            let fifos = fabric.fifo_sets.fifos(set, false).len();
            spread.can_be_restored(fifos, size)
                && spread
                    .messages()
                    .all(|spreading| messaging.can_restore_outgoing(&spreading.outgoing, node))
        };
        self.cores.len() == slots.len()
            && self.shared.packets < MOST_PACKETS
            && self.shared.forwarded < MOST_PACKETS
            && self.shared.begun < MOST_COUNTED
            && self.shared.ended < MOST_COUNTED
            && self.shared.totals.can_be_restored()
            && self.shared.receiving.can_be_restored(slots.len(), ranks, packets)
            && self
                .shared
                .receiving
                .cores()
                .all(|core| messaging.cores[slots.start + usize::from(core)].rank.is_some())
            && self.cores.iter().zip(slots).all(|(core, slot)| core.can_be_restored(messaging, node, slot))
            && self.has_descriptors_of_messages(messaging)
            && self.spreads.len() == expected
            && self.spreads.iter().enumerate().all(spread)
    }
}

impl NodeState {
    /// Whether each core has as many descriptors as messages between it and the DMA engine.
    fn has_descriptors_of_messages(&self, messaging: &Messaging) -> bool {
        let Setup { dma_line, parameters, .. } = &*messaging.setup;
        let Some((line, dma)) = dma_line.zip(parameters.dma) else {
            return self.cores.iter().all(|core| (core.descriptors, core.described.len()) == (0, 0));
        };
        let fetched = |core: usize| {
            let of_core = |outgoing: &&Outgoing| messaging.setup.line(outgoing.message.source) == core;
            self.cores[line].sends.iter().filter(of_core).count()
        };
        self.cores.iter().enumerate().all(|(number, core)| {
            core.descriptors as usize
                == core.described.len() + if number == line { 0 } else { fetched(number) }
                && core.descriptors <= dma.injection_fifo_descriptors
        })
    }
}

impl Messaging {
    /// Whether it can have been sent by now.
    fn can_restore_outgoing(&self, outgoing: &Outgoing, node: &RestoredNode<'_>) -> bool {
        let Outgoing { kind, span, place, message, packets, written, sent, first_packet, .. } = *outgoing;
        let (protocol, shape) = (registered(kind), &node.fabric.parameters.shape);
        let is_span = |span: Span| self.setup.deposits && span.can_be_restored(shape, node.node, place.node);
        self.can_restore_unsent(outgoing, node.node)
            && span.is_none_or(is_span)
            && packets == protocol.packets(&self.setup, message.bytes)
            && protocol.chunks(&self.setup, message.bytes, packets - 1) >= self.setup.smallest_chunks
            && written < packets
            && sent <= last_begin(node)
            && first_packet < MOST_PACKETS
    }

    /// What does not depend on how far it is.
    fn can_restore_unsent(&self, outgoing: &Outgoing, node: u32) -> bool {
        let Outgoing { kind, target, place, message, lacks_credit, .. } = *outgoing;
        let map = &self.setup.map;
        let has_credits = self.setup.parameters.message_credits.is_some();
        target < map.ranks()
            && (!lacks_credit || has_credits && matches!(kind, Kind::Request | Kind::Body))
            && map.place(target) == place
            && place.node != node
            && kind.can_restore(&message, map.ranks())
    }

    fn can_restore_local(&self, local: &Local, node: u32) -> bool {
        let map = &self.setup.map;
        local.message.can_be_restored(map.ranks()) && map.place(local.message.source).node == node
    }

    fn can_restore_rank(&self, rank: &Rank) -> bool {
        let (ranks, credits) = (self.setup.map.ranks(), self.setup.parameters.message_credits);
        let node = self.setup.map.place(rank.number).node;
        let stored = rank.unmatched.iter().filter(|unmatched| unmatched.kind == Kind::Eager);
        let stored = stored.map(|unmatched| unmatched.message.bytes).fold(0, u64::saturating_add);
        let can_be_heard = |notice: &Notice| {
            notice.time < latest()
                && match notice.completion {
                    crate::Completion::Arrived(message) => message.can_be_restored(ranks),
                    crate::Completion::Sent(number) => number < rank.messages,
                    crate::Completion::Begun(message) => message.source < ranks,
                    crate::Completion::Joined(_) => self.setup.participants.is_some(),
                }
        };
        rank.requested.iter().all(|outgoing| self.can_restore_unsent(outgoing, node))
            && rank.unmatched.iter().all(|unmatched| unmatched.message.can_be_restored(ranks))
            && rank.unexpected_bytes == stored
            && rank.connections.can_be_restored(ranks, credits)
            && rank.inbox.iter().all(can_be_heard)
            && rank.inbox.iter().is_sorted()
            && rank.messages < MOST_MESSAGES_OF_RANK
            && rank.due().is_none_or(|due| due < latest())
            && rank.operations.iter().all(|operation| self.can_restore_operation(operation))
    }

    fn can_restore_operation(&self, operation: &Operation) -> bool {
        match *operation {
            Operation::Send { target, bytes, .. } => {
                target < self.setup.map.ranks() && bytes <= MAX_MESSAGE_BYTES
            }
            Operation::Deposit { line: Line { first, last, .. }, bytes, .. } => {
                self.setup.deposits && first.max(last) < self.setup.map.ranks() && bytes <= MAX_MESSAGE_BYTES
            }
            Operation::Accept { message } => message.source < self.setup.map.ranks(),
            Operation::Join { joint: Joint::Tree(tree), .. } => {
                self.setup.participants.is_some() && tree.can_be_restored(self.setup.map.ranks())
            }
            Operation::Join { joint: Joint::Barrier, .. } => self.setup.participants.is_some(),
            Operation::Call { .. }
            | Operation::Compute { .. }
            | Operation::Advance { .. }
            | Operation::Finish(_) => true,
        }
    }
}
