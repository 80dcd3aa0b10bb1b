//! The interface of the engines. There are two: [`crate::reference`], simple and slow, against which
//! [`crate::windowed`], the fast one, is checked.

use crate::checkpoint::{FrameReader, FrameWriter};
use crate::counters::{LinkCounters, MAX_VCS, NodeCounters, Totals};
use crate::deadlock::Blockage;
use crate::link::LinkReport;
use crate::source::Class;
use geometry::Hops;
use serde::{Deserialize, Serialize};
use std::io;

/// A packet that the software above the network posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The sending node.
    pub node: u32,
    /// The core that writes it, from 0.
    pub core: u8,
    /// The cycle from which the core can write it.
    pub ready: u64,
    /// The hops to make; at least one.
    pub hops: Hops,
    /// Size in chunks.
    pub chunks: u8,
    /// How it is treated.
    pub class: Class,
    /// Returned to the poster with the [`Delivery`]; the network does not interpret it.
    pub handle: u32,
}

/// A posted packet that the target's software has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Delivery {
    /// The cycle at which its last byte was received (or read, if reading takes time).
    pub time: u64,
    /// The receiving node.
    pub node: u32,
    /// The handle it was posted with.
    pub handle: u32,
    /// Its size.
    pub chunks: u8,
}

/// The progress of a run since cycle 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoFar {
    /// Links crossed.
    pub hops: u64,
    /// Packets delivered.
    pub delivered: u64,
}

/// A running network.
///
/// Time advances only in [`Engine::advance`]. All observable state of an engine at cycle `t` is the same for every
/// engine and thread count.
pub trait Engine: Send {
    /// The current cycle: all earlier events have been processed.
    fn now(&self) -> u64;

    /// Processes all events before cycle `until`; afterwards `now()` is `until`.
    fn advance(&mut self, until: u64);

    /// A lower bound on the cycle of the next event, or none if there will be no more.
    fn next_event(&self) -> Option<u64>;

    /// Posts packets, each to be written no earlier than `now()`; a core writes its packets in order of `ready`.
    ///
    /// # Panics
    /// If the engine's traffic is generated.
    fn post(&mut self, packets: &[Posted]);

    /// Posted packets delivered since the last call, in order of time, node and handle.
    fn take_deliveries(&mut self) -> Vec<Delivery>;

    /// Sums over the network since cycle 0, or since [`Engine::start_measurement`].
    fn totals(&mut self) -> Totals;

    /// The progress of the run, without summing over the network: it may lag slightly behind [`Engine::totals`].
    fn so_far(&self) -> SoFar;

    /// Counters by link, indexed `node x 2 dimensions + direction`; those of missing links stay 0.
    fn links(&self) -> Vec<LinkCounters>;

    /// Counters by node.
    fn nodes(&mut self) -> Vec<NodeCounters>;

    /// Credits in use, by VC, summed over the network: a measure of how full its buffers are.
    fn credits_out(&mut self) -> [u64; MAX_VCS];

    /// Resets all counters except the digest and the totals since cycle 0: the warm-up is over.
    fn start_measurement(&mut self);

    /// The deadlock that blocks packets forever, if there is one.
    fn find_deadlock(&mut self) -> Option<Blockage>;

    /// The age in cycles of the oldest packet in the network, since software offered it.
    fn oldest_packet_age(&mut self) -> u64;

    /// The report on lossy links; none if links make no errors.
    fn link_report(&self) -> Option<LinkReport> {
        None
    }

    /// Saves the engine's whole state. All deliveries must have been taken ([`Engine::take_deliveries`]).
    ///
    /// # Errors
    /// Errors of the output.
    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Restores a state saved by an engine of the same kind for the same machine and traffic; the number of threads may
    /// differ.
    ///
    /// # Errors
    /// Errors of the input, and a state of another machine. The engine is unusable afterwards.
    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// The handles of the posted packets that have not been delivered, in no order.
    fn undelivered(&self) -> Vec<u32>;

    /// Bytes of the engine's state: nodes, packets, calendars, counters.
    fn state_bytes(&self) -> u64;
}
