//! The message layer in checkpoints.

use super::Messaging;
use crate::node::Shared;
use crate::node::core::Core;
use crate::node::handover::Handover;
use crate::node::network_collectives::NetworkCollectives;
use crate::node::rank::Rank;
use crate::node::task::Task;
use crate::ranks::RankSlot;
use crate::transfers::outgoing::Outgoing;
use crate::transfers::send_queues::SendQueues;
use crate::transfers::spread::Spread;
use base::checkpoint::{FrameReader, FrameWriter};
use base::clock::ClockRatio;
use base::memory::OnDemand;
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
        let clock = node.fabric.parameters.node.clock;
        for (slot, core) in self.cores_of(local).zip(state.cores) {
            if let Some(rank) = &core.rank {
                self.ranks.restore(RankSlot { rank: rank.number, slot }, frames)?;
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
    handover: OnDemand<Handover>,
    written: u32,
    writes_first: bool,
    is_interrupted: bool,
    network_collectives: Option<Box<NetworkCollectives>>,
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
            handover: core.handover.clone(),
            written: core.written,
            writes_first: core.writes_first,
            is_interrupted: core.is_interrupted,
            network_collectives: core.network_collectives.clone(),
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
            handover: self.handover,
            written: self.written,
            writes_first: self.writes_first,
            is_interrupted: self.is_interrupted,
            network_collectives: self.network_collectives,
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
}
