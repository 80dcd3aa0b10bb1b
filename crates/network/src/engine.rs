//! The interface of the packet engines. The fast engine, `windowed`, is checked against the simple and slow
//! `reference`.

use crate::counters::{LinkCounters, NodeCounters, Totals};
use crate::deadlock::{Blockage, Search, WaitingPacket};
use crate::link::LinkReport;
use crate::node::software::NodeSoftware;
use crate::parameters::MAX_VCS;
use crate::peers::Peers;
use base::checkpoint::{FrameReader, FrameWriter};
use std::io;
use std::ops::Range;

/// Progress of a run since cycle 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoFar {
    /// Links crossed.
    pub hops: u64,
    /// Packets delivered.
    pub delivered: u64,
}

/// A running network.
///
/// An engine can be one of several, each in its own process and with some of the nodes ([`Engine::peers`]). All of them
/// make the same calls, and get the same answers unless a call says otherwise.
///
/// Time advances only in [`Engine::advance`]. All observable state of an engine at cycle `t` is the same for every
/// engine and thread count.
pub trait Engine: Send {
    /// The current cycle: all earlier events have been processed.
    fn now(&self) -> u64;

    /// Processes all events before cycle `until`; afterwards `now()` is `until`.
    fn advance(&mut self, until: u64);

    /// The shortest time, in cycles, in which one node can affect another. Code outside the network interacts with it
    /// only at multiples of this time.
    fn window_cycles(&self) -> u64;

    /// A lower bound on the cycle of the next event, or none if there will be no more.
    fn next_event(&self) -> Option<u64>;

    /// Sums over the network: some since cycle 0, the others since [`Engine::start_measurement`].
    fn totals(&mut self) -> Totals;

    /// The progress of the run, without summing over the network: it may lag slightly behind [`Engine::totals`].
    fn so_far(&self) -> SoFar;

    /// The processes that run this network together.
    fn peers(&self) -> Peers {
        Peers::none()
    }

    /// Counters of the links of this process's nodes, for each node by direction; those of missing links stay 0.
    fn links(&self) -> Vec<LinkCounters>;

    /// The packets of these links by VC, of each link one number for each VC, if buffers are observed; otherwise empty.
    fn link_vcs(&self) -> Vec<u32>;

    /// Counters by node. Only process 0 gets them.
    fn nodes(&mut self) -> Vec<NodeCounters>;

    /// Credits in use, by VC, summed over the network: a measure of how full its buffers are.
    fn credits_out(&mut self) -> [u64; MAX_VCS];

    /// Ends the warm-up: resets all counters except the digest and those that count since cycle 0.
    fn start_measurement(&mut self);

    /// Searches for a deadlock, which blocks packets forever.
    fn search_deadlock(&mut self) -> Search;

    /// The deadlock that blocks packets forever, if one is found.
    fn find_deadlock(&mut self) -> Option<Blockage> {
        self.search_deadlock().deadlock
    }

    /// The head packets in buffers of this process's nodes that wait for a link.
    fn waiting(&mut self) -> Vec<WaitingPacket>;

    /// The age of the oldest packet in the network: the cycles since software offered it.
    fn oldest_packet_age(&mut self) -> u64;

    /// The report on lossy links; none if links make no errors.
    fn link_report(&self) -> Option<LinkReport> {
        None
    }

    /// The nodes of this process.
    fn own_nodes(&self) -> Range<u32>;

    /// Saves the state that belongs to no node. Every process gets the same.
    ///
    /// # Errors
    /// Errors of the output.
    fn save_whole(&self, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Saves the state of a node of this process.
    ///
    /// # Errors
    /// Errors of the output.
    fn save_node(&self, node: u32, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Begins to restore a state saved by engines of the same kind for the same machine and traffic. The number of threads
    /// and of processes may differ. After an error, here or in what follows, the engine is unusable.
    ///
    /// # Errors
    /// Errors of the input, or a state of another machine.
    fn restore_whole(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// Restores the state of a node of this process.
    ///
    /// # Errors
    /// Errors of the input, or a state of another machine.
    fn restore_node(&mut self, node: u32, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// Ends the restoration, when all nodes of this process are restored.
    fn end_restoration(&mut self);

    /// Saves the state of an engine that has all nodes.
    ///
    /// # Errors
    /// Errors of the output.
    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_whole(frames)?;
        self.own_nodes().try_for_each(|node| self.save_node(node, frames))
    }

    /// Restores the state of an engine that has all nodes.
    ///
    /// # Errors
    /// Errors of the input, or a state of another machine.
    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_whole(frames)?;
        self.own_nodes().try_for_each(|node| self.restore_node(node, frames))?;
        self.end_restoration();
        Ok(())
    }

    /// The software of the nodes of this process, in parts. Each part is the software of consecutively numbered nodes, in order. Empty
    /// if the traffic needs no software.
    fn software(&self) -> Vec<&dyn NodeSoftware>;

    /// The software in the same parts, so that the caller can pass it the events for which it waits. The caller must
    /// not change the time at which software runs next.
    fn software_mut(&mut self) -> Vec<&mut dyn NodeSoftware>;

    /// Bytes of the engine's state: nodes, packets, calendars, counters.
    fn state_bytes(&self) -> u64;
}
