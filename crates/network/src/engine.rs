//! What every engine can do. Two engines implement it: [`crate::reference`], the truth, and [`crate::windowed`], fast.

use crate::checkpoint::{FrameReader, FrameWriter};
use crate::counters::{LinkCounters, MAX_CHANNELS, NodeCounters, Totals};
use crate::deadlock::Blockage;
use crate::link::LinkReport;
use crate::source::Class;
use geometry::Hops;
use serde::{Deserialize, Serialize};
use std::io;

/// A packet that software above the network hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The sending node.
    pub node: u32,
    /// The core that writes it, from 0.
    pub core: u8,
    /// The cycle from which the core can write it.
    pub ready: u64,
    /// The way to go; at least one hop.
    pub hops: Hops,
    /// Size in chunks.
    pub chunks: u8,
    /// How it is treated.
    pub class: Class,
    /// What the poster wants to hear again on delivery; the network does not look at it.
    pub handle: u32,
}

/// A posted packet that software at the target has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Delivery {
    /// The cycle at which its last byte was received (or read, where reading costs).
    pub time: u64,
    /// The receiving node.
    pub node: u32,
    /// The handle it was posted with.
    pub handle: u32,
    /// Its size.
    pub chunks: u8,
}

/// How far a network has come since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoFar {
    /// Links crossed.
    pub hops: u64,
    /// Packets delivered.
    pub delivered: u64,
}

/// A running network.
///
/// Time only moves in [`Engine::advance`]. All of an engine's observable state at cycle `t` is the same for every
/// engine and thread count.
pub trait Engine: Send {
    /// The cycle up to which everything has happened.
    fn now(&self) -> u64;

    /// Runs everything that happens before cycle `until`; afterwards `now()` is `until`.
    fn advance(&mut self, until: u64);

    /// The earliest cycle at which something can happen (a lower bound), or none when nothing ever will.
    fn next_event(&self) -> Option<u64>;

    /// Hands over packets, each to be written no earlier than `now()`; a core writes them in order of `ready`.
    ///
    /// # Panics
    /// When the engine's traffic is generated.
    fn post(&mut self, packets: &[Posted]);

    /// Posted packets delivered since the last call, in order of time, node and handle.
    fn take_deliveries(&mut self) -> Vec<Delivery>;

    /// Sums over the network since the beginning, or since [`Engine::start_measurement`].
    fn totals(&mut self) -> Totals;

    /// What of them tells how far a run has come, without counting anew: it may lag behind a little.
    fn so_far(&self) -> SoFar;

    /// Counters by link, indexed `node x 2 dimensions + direction`; missing links stay 0.
    fn links(&self) -> Vec<LinkCounters>;

    /// Counters by node.
    fn nodes(&mut self) -> Vec<NodeCounters>;

    /// Tokens that senders are without, by channel, summed over the network: how full its buffers are.
    fn tokens_out(&mut self) -> [u64; MAX_CHANNELS];

    /// Sets all counters but the digest and the totals "since the beginning" to zero: the warm-up is over.
    fn start_measurement(&mut self);

    /// What blocks the packets that can never move again, if any.
    fn find_deadlock(&mut self) -> Option<Blockage>;

    /// The age in cycles of the oldest packet in the network, since software offered it.
    fn oldest_packet_age(&mut self) -> u64;

    /// What can be said of links that make errors; none where they do not.
    fn link_report(&self) -> Option<LinkReport> {
        None
    }

    /// Writes its whole state. Nothing may be left in [`Engine::take_deliveries`].
    ///
    /// # Errors
    /// The output's.
    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Takes over a state that an engine of the same kind, for the same machine and traffic, has written; the number of
    /// threads may differ.
    ///
    /// # Errors
    /// The input's, and when the state is of another machine. The engine cannot be used then.
    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// Bytes of state that the engine holds: nodes, packets, calendars, counters.
    fn state_bytes(&self) -> u64;
}
