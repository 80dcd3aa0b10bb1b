//! The head packets of infinite FIFOs.

use crate::packet::Packet;
use serde::{Deserialize, Serialize};

/// The head packet of an infinite FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FifoHead {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which its age counts: when software offered it or, for packets that are always waiting, when it
    /// became the head packet.
    pub offered: u64,
    /// The cycle of its first request.
    pub requests_from: u64,
    /// Its number in its lane, from 0.
    pub number: u32,
}
