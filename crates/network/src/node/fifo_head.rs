//! The head packets of infinite FIFOs.

use crate::packet::Packet;
use serde::{Deserialize, Serialize};

/// The head packet of an infinite FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FifoHead {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which the packet's age counts: the cycle in which software offered it. A packet that is always
    /// waiting counts from the cycle in which it became the head packet.
    pub offered: u64,
    /// The cycle of the packet's first request.
    pub requests_from: u64,
    /// The packet's number in its lane, from 0.
    pub number: u32,
}
