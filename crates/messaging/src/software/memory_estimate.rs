//! The memory of ranks before they run: their work under way at a time, and the bytes of the structures that hold it.
//!
//! It is known beforehand how much a rank begins before it waits. How much of that is in queues at a time depends on
//! the run, and is assumed: half, or all of it where ranks share a node with its links and FIFOs, or where handshakes
//! come first, which are short (`docs/performance.md` compares the estimate with runs).
//!
//! # To add what a rank keeps
//!
//! 1. `bytes` of the structure counts it in a run.
//! 2. `bytes_for`, next to it, predicts it from what the rank has under way at a time.
//! 3. The sum here for the message layer, or in `mpi::Process::bytes_for` for the library. What is under way
//!    comes from the calls of some ranks (`mpi::LoadMeter`, `workloads/src/exchange/loads.rs`).
//! 4. `simulation/tests/memory.rs` compares the two.

use crate::node::handover::Handover;
use crate::node::rank::{Notice, Unmatched, Unsettled};
use crate::node::task::{Given, Local};
use crate::ranks::Operation;
use crate::scheduler::movers::coprocessor::SCRATCHPAD_PACKETS;
use crate::setup::Setup;
use crate::transfers::arrivals::Arrivals;
use crate::transfers::outgoing::Outgoing;
use crate::transfers::send_queues::SendQueues;
use base::memory::{compact_bytes, grown_bytes};
use network::node::fifos::ReceptionRoom;
use network::node::pool::Pool;
use network::packet::Stored;

/// The work that a rank has under way at a time, at most, as far as its program shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Messages that it sends before it waits.
    pub sends: usize,
    /// Messages that it receives before it waits and that arrive at a time.
    pub receives: usize,
    /// Completions in its inbox at a time.
    pub notices: usize,
    /// Bytes of the longest message.
    pub message_bytes: u64,
    /// Whether all of this may be in queues at a time, rather than half.
    pub all_at_once: bool,
    /// Messages that it sends in one call.
    pub batch: usize,
    /// Whether some of its messages go to ranks of its node.
    pub sends_locally: bool,
    /// Bytes of the state of the rank in [`crate::Ranks`].
    pub rank_bytes: usize,
}

impl Load {
    /// The number of `messages` under way that are in a queue at a time.
    fn queued(&self, messages: usize) -> usize {
        queued(messages, self.all_at_once)
    }
}

/// The number of `messages` under way that are in a queue at a time.
pub fn queued(messages: usize, all_at_once: bool) -> usize {
    if all_at_once { messages } else { messages.div_ceil(2) }
}

/// Nodes whose ranks have a load.
pub(crate) struct LoadedNodes<'a> {
    pub setup: &'a Setup,
    pub reception: ReceptionRoom,
    pub ranks_per_node: usize,
    /// Injection FIFOs of a node.
    pub fifos: usize,
}

impl LoadedNodes<'_> {
    /// Bytes of a node, in addition to its cores themselves.
    pub fn bytes(&self, load: &Load) -> usize {
        let of_rank = self.bytes_of_rank(load) + load.rank_bytes;
        let arriving = self.ranks_per_node * load.queued(load.receives);
        of_rank * self.ranks_per_node
            + self.bytes_of_dma(load)
            + Arrivals::bytes_for(arriving)
            + self.bytes_of_reception(load)
    }

    /// Messages of which packets are still to be written. A message of one packet is written as soon as it is sent.
    fn unwritten(&self, load: &Load) -> usize {
        let sends = if self.packets(load) > 1 { load.sends } else { load.sends.min(1) };
        load.queued(sends)
    }

    fn packets(&self, load: &Load) -> usize {
        self.setup.formats.eager.packets(load.message_bytes) as usize
    }

    fn bytes_of_rank(&self, load: &Load) -> usize {
        let Setup { parameters, keeps_unmatched, .. } = self.setup;
        // After a handshake messages come as their receivers are ready for them, one by one.
        let [requested, notices, unmatched] = match parameters.is_eager(load.message_bytes) {
            true => {
                let unmatched = if *keeps_unmatched { load.queued(load.receives) } else { 0 };
                [0, load.notices, unmatched]
            }
            false => [load.queued(load.sends), 1, 1],
        };
        compact_bytes::<Operation>(load.batch.max(1))
            + compact_bytes::<Notice>(notices)
            + grown_bytes::<Outgoing>(requested)
            + grown_bytes::<Unmatched>(unmatched)
            + if requested + unmatched > 0 { size_of::<Unsettled>() } else { 0 }
            + grown_bytes::<(u64, Local)>(usize::from(load.sends_locally))
            + if load.sends_locally || self.setup.parameters.has_movers() { size_of::<Handover>() } else { 0 }
            + self.bytes_of_sends(load)
            + self.bytes_of_movers(load)
    }

    /// Bytes of what a core sends.
    fn bytes_of_sends(&self, load: &Load) -> usize {
        let unwritten = self.unwritten(load);
        if self.setup.spreads {
            return crate::transfers::spread::bytes_for(unwritten, self.fifos);
        }
        SendQueues::bytes_for(unwritten) + Pool::<Outgoing>::default().bytes_for(unwritten)
    }

    /// Bytes of what a core passes to its co-processor or to the DMA engine, and gets from it.
    fn bytes_of_movers(&self, load: &Load) -> usize {
        let Setup { parameters, .. } = self.setup;
        let taken = if self.setup.parameters.has_movers() { load.receives } else { 0 };
        let given = if parameters.coprocessor.is_some() { self.given(load) } else { 0 };
        let described = usize::from(parameters.dma.is_some());
        grown_bytes::<(u64, Stored)>(taken)
            + grown_bytes::<(u64, Given)>(given)
            + grown_bytes::<(u64, Outgoing)>(described)
    }

    /// Packets that a co-processor has been given, and has not written: a core is ahead of it by a part of a message.
    fn given(&self, load: &Load) -> usize {
        self.packets(load).div_ceil(4).min(SCRATCHPAD_PACKETS)
    }

    /// Bytes of the time line of a DMA engine.
    fn bytes_of_dma(&self, load: &Load) -> usize {
        match self.setup.dma_line {
            Some(_) => {
                SendQueues::bytes_for(self.ranks_per_node * self.unwritten(load)) + size_of::<Handover>()
            }
            None => 0,
        }
    }

    /// Bytes of packets that have arrived at a node and have not been read. A co-processor or a DMA engine leaves no more
    /// than one of each message.
    fn bytes_of_reception(&self, load: &Load) -> usize {
        if self.setup.parameters.is_reading_free() {
            return 0;
        }
        let packets = if self.setup.parameters.has_movers() { 1 } else { self.packets(load) };
        let packets = self.reception.packets(self.ranks_per_node * load.receives, packets);
        ReceptionRoom::bytes_of(load.queued(packets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn arrays_grow_as_assumed() {
        for elements in [0, 1, 4, 5, 12, 33] {
            let (mut array, mut queue) = (Vec::new(), VecDeque::new());
            (0..elements).for_each(|element| array.push(element as u64));
            (0..elements).for_each(|element| queue.push_back(element as u64));
            assert_eq!(array.capacity() * size_of::<u64>(), grown_bytes::<u64>(elements));
            assert_eq!(queue.capacity() * size_of::<u64>(), grown_bytes::<u64>(elements));
        }
    }
}
