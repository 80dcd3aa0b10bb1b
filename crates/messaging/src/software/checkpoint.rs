//! The message layer in checkpoints.

use super::Messaging;
use crate::node::Shared;
use crate::node::core::Core;
use crate::node::task::Task;
use crate::ranks::RankSlot;
use crate::transfers::outgoing::Outgoing;
use crate::transfers::spread::Spread;
use base::checkpoint::{FrameReader, FrameWriter};
use base::clock::ClockRatio;
use network::node::pool::Pool;
use network::node::software::RestoredNode;
use network::packet::Stored;
use serde::{Deserialize, Serialize};
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
            if let Some(rank) = &core.core.rank {
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

/// A core in a checkpoint, with the messages of its queues.
#[derive(Serialize, Deserialize)]
struct CoreState {
    core: Core,
    sends: Vec<Outgoing>,
}

impl CoreState {
    fn of(core: &Core, pool: &Pool<Outgoing>) -> Self {
        CoreState { core: core.clone(), sends: core.sends.messages(pool).copied().collect() }
    }

    fn into_core(mut self, pool: &mut Pool<Outgoing>, clock: ClockRatio) -> Core {
        self.sends.into_iter().for_each(|outgoing| self.core.sends.push(pool, outgoing));
        self.core.set_free_at(self.core.free_at, clock);
        self.core
    }

    /// Takes the room of the packet that it is writing or reading.
    fn take_room(&self, node: &mut RestoredNode<'_>) {
        let chunks = |stored: &Stored| node.fabric.layout.chunks(stored.packet);
        match &self.core.task {
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
                | Task::Raise { .. }
                | Task::SeeRelease(_)
                | Task::Call
                | Task::Compute
                | Task::Interrupt,
            )
            | None => {}
        }
    }
}
