//! The message layer in checkpoints: what is written of it, and what can be restored.

use super::Messaging;
use crate::node::core::Core;
use crate::node::counters::MOST_COUNTED;
use crate::node::handover::Passed;
use crate::node::joint_operations::JointOperations;
use crate::node::rank::{Notice, Rank};
use crate::node::task::{Given, Local, Task};
use crate::node::{LATEST, Shared};
use crate::protocol::Kind;
use crate::ranks::MAX_MESSAGE_BYTES;
use crate::ranks::MOST_MESSAGES_OF_RANK;
use crate::ranks::{Joint, Line, Operation, RankSlot};
use crate::setup::Setup;
use crate::transfers::outgoing::Outgoing;
use crate::transfers::send_queues::SendQueues;
use crate::transfers::span::Span;
use crate::transfers::spread::Spread;
use base::checkpoint::{FrameReader, FrameWriter, MOST_PACKETS, require};
use base::clock::ClockRatio;
use base::memory::Rare;
use network::fabric::Fabric;
use network::node::fifos::{can_be_read, can_be_written};
use network::node::forward::Forwarded;
use network::node::pool::Pool;
use network::node::software::RestoredNode;
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io;

impl Messaging {
    pub(super) fn save_node(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
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

    pub(super) fn restore_node(
        &mut self,
        node: &mut RestoredNode<'_>,
        frames: &mut FrameReader<'_>,
    ) -> io::Result<()> {
        let local = node.local;
        let before = self.count(local);
        let state: NodeState = frames.read()?;
        require(state.can_be_restored(self, node))?;
        let clock = node.fabric.parameters.node.clock;
        let now = clock.processor_cycle_of(node.now);
        for (slot, core) in self.cores_of(local).zip(state.cores) {
            if let Some(rank) = &core.rank {
                let until = core.busy_until(rank, now);
                self.ranks.restore(RankSlot { rank: rank.number, slot }, until, frames)?;
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

    /// The chunks still to come follow from the messages.
    fn restore_unwritten(&mut self, node: &RestoredNode<'_>) {
        let size = node.fabric.full_packet.into();
        for set in 0..self.sets {
            let spread = &self.spreads[node.local * self.sets + set];
            for (place, fifo) in node.fabric.fifo_sets.fifos(set, false).enumerate() {
                let chunks = |bytes: u64, index: u32| self.setup.formats.eager.chunks(bytes, index);
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
    passed: Rare<Passed>,
    written: u32,
    writes_first: bool,
    is_interrupted: bool,
    joining: Option<Box<JointOperations>>,
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
            passed: core.passed.clone(),
            written: core.written,
            writes_first: core.writes_first,
            is_interrupted: core.is_interrupted,
            joining: core.joining.clone(),
        }
    }

    fn into_core(self, pool: &mut Pool<Outgoing>, clock: ClockRatio) -> Core {
        let mut sends = SendQueues::default();
        self.sends.into_iter().for_each(|outgoing| sends.push(pool, outgoing));
        Core {
            began_at: self.began_at,
            free_at: self.free_at,
            ends: clock.cycle_of(self.free_at),
            task: self.task,
            rank: self.rank,
            sends,
            to_forward: self.to_forward,
            passed: self.passed,
            written: self.written,
            writes_first: self.writes_first,
            is_interrupted: self.is_interrupted,
            joining: self.joining,
            ignores_tree: false,
        }
    }

    /// The latest processor cycle at which its rank has computed what it has begun by `now`. A rank may know beforehand
    /// what it does then.
    fn busy_until(&self, rank: &Rank, now: u64) -> u64 {
        let begun = now.max(self.free_at).max(rank.due().unwrap_or(0));
        rank.operations.iter().fold(begun, |time, operation| match *operation {
            Operation::Call { cycles } | Operation::Compute { cycles } => time.saturating_add(cycles),
            Operation::Advance { until } => time.max(until),
            Operation::Send { .. }
            | Operation::Deposit { .. }
            | Operation::Accept { .. }
            | Operation::Join { .. }
            | Operation::Finish(_) => time,
        })
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
            // The collective networks keep an account of their own FIFOs.
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

    /// Whether this is core `slot` of `messaging`, in a state that it can have.
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
            && self.passed.described.iter().all(|(time, described)| *time < latest() && outgoing(described))
            && self.passed.next_set < messaging.sets
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

    /// Whether the work that cores have left for one another can be restored.
    fn can_restore_passed(&self, messaging: &Messaging, node: &RestoredNode<'_>) -> bool {
        let RestoredNode { fabric, node: number, now, .. } = *node;
        let can_be_given = |given: &Given| given.packet.can_be_restored(fabric, number, now);
        let Passed { local, taken, given, .. } = &*self.passed;
        taken.iter().all(|(time, packet)| *time < latest() && can_be_taken(fabric, number, now, packet))
            && given.iter().all(|(time, given)| *time < latest() && can_be_given(given))
            && local
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

/// The latest cycle in which a task can have begun by now. Where processor cycles are longer than those of the network,
/// it begins with the next of them.
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
        let packets = |kind: Kind, bytes: u64| kind.protocol().packets(&messaging.setup.formats, bytes);
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
            && self.shared.arrivals.can_be_restored(slots.len(), ranks, packets)
            && self
                .shared
                .arrivals
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
            return self
                .cores
                .iter()
                .all(|core| (core.passed.descriptors, core.passed.described.len()) == (0, 0));
        };
        let fetched = |core: usize| {
            let of_core = |outgoing: &&Outgoing| messaging.setup.line(outgoing.message.source) == core;
            self.cores[line].sends.iter().filter(of_core).count()
        };
        self.cores.iter().enumerate().all(|(number, core)| {
            core.passed.descriptors as usize
                == core.passed.described.len() + if number == line { 0 } else { fetched(number) }
                && core.passed.descriptors <= dma.injection_fifo_descriptors
        })
    }
}

impl Messaging {
    /// Whether the transfer can have been sent by now.
    fn can_restore_outgoing(&self, outgoing: &Outgoing, node: &RestoredNode<'_>) -> bool {
        let Outgoing { kind, span, place, message, packets, written, sent, first_packet, .. } = *outgoing;
        let (protocol, shape) = (kind.protocol(), &node.fabric.parameters.shape);
        let is_span = |span: Span| self.setup.deposits && span.can_be_restored(shape, node.node, place.node);
        self.can_restore_unsent(outgoing, node.node)
            && span.is_none_or(is_span)
            && packets == protocol.packets(&self.setup.formats, message.bytes)
            && protocol.chunks(&self.setup.formats, message.bytes, packets - 1) >= self.setup.smallest_chunks
            && written < packets
            && sent <= last_begin(node)
            && first_packet < MOST_PACKETS
    }

    /// Whether a transfer can be restored, as far as that does not depend on its progress.
    fn can_restore_unsent(&self, outgoing: &Outgoing, node: u32) -> bool {
        let Outgoing { kind, target, place, message, lacks_credit, .. } = *outgoing;
        let map = &self.setup.map;
        let has_credits = self.setup.parameters.message_credits.is_some();
        target < map.ranks()
            && (!lacks_credit || has_credits && kind.traits().can_lack_credit)
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
        let stored = rank.unsettled.unmatched.iter().filter(|unmatched| unmatched.kind.traits().has_data);
        let stored = stored.map(|unmatched| unmatched.message.bytes).fold(0, u64::saturating_add);
        let can_be_heard = |notice: &Notice| {
            notice.time < latest()
                && match notice.completion {
                    crate::Completion::Arrived { id, bytes } => {
                        id.can_be_restored(ranks) && bytes <= MAX_MESSAGE_BYTES
                    }
                    crate::Completion::Sent(number) => number < rank.messages,
                    crate::Completion::Begun(message) => message.source < ranks,
                    crate::Completion::Joined(_) => self.setup.participants.is_some(),
                }
        };
        rank.unsettled.requested.iter().all(|outgoing| self.can_restore_unsent(outgoing, node))
            && rank.unsettled.unmatched.iter().all(|unmatched| unmatched.message.can_be_restored(ranks))
            && rank.unsettled.unexpected_bytes == stored
            && rank.unsettled.connections.can_be_restored(ranks, credits)
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
