//! The forwarding by a core: packets that it writes because of one that it has read, before it reads the next.

use crate::fabric::Fabric;
use crate::packet::Stored;
use crate::source::Offer;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// The bit that is set in the sequence numbers of forwarded packets. Their names and draws thus differ from those of
/// other packets.
pub const FORWARDED: u64 = 1 << 63;

/// A packet that software forwards, or creates because of a packet that it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forwarded {
    /// The packet's route and class.
    pub offer: Offer,
    /// The packet.
    pub stored: Stored,
    /// The sequence number of its draws.
    pub number: u64,
}

/// The FIFOs that could take the packet that the first core of a set has to forward. None unless all cores of the set
/// have to forward a packet before they read. `cores` are the cores of a node. Each has the packets that it has to
/// forward, or none while it is busy.
pub fn waits_for_room<'a>(
    fabric: &Fabric,
    set: usize,
    cores: impl Iterator<Item = Option<&'a VecDeque<Forwarded>>>,
) -> Option<Range<usize>> {
    let of_set = cores.enumerate().filter(|(core, _)| fabric.fifo_sets.of_core(*core) == set);
    let mut blocked = of_set.map(|(_, to_forward)| to_forward?.front());
    let first = blocked.next()??;
    blocked.all(|front| front.is_some()).then(|| fabric.fifo_sets.fifos(set, first.offer.class.high_priority))
}
