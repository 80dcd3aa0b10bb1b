//! The records of the collective networks for the digest and the counters.

use super::packet::Packet;

/// A record of a node for the digest and the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A transfer upward begins. The first number counts the links that it crosses: one or, at the root, none. The
    /// second counts the packets that leave injection FIFOs for it.
    Ascent(Packet, u32, u32),
    /// A core's packet is to go up next, and the network is busy.
    Stall,
    /// A rank has data for an operation of the tree network, and another of its operations is under way there.
    Wait,
    /// A transfer downward begins; the number counts the children to which it goes.
    Descent(Packet, u32),
    /// A packet is complete in the reception FIFO of a core.
    Delivery(Packet),
    /// A core or a child has raised a wire.
    Raise(u8),
    /// The release of a wire reaches the node; whether the node is the root.
    Release(bool),
}
