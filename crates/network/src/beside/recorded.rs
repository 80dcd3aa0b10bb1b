//! What the networks beside the torus tell the digest and the counters.

use super::packet::Packet;

/// What the digest and the counters record of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A transfer upward begins: over so many links, one or, at the root, none; and so many packets leave injection FIFOs
    /// for it.
    Ascent(Packet, u32, u32),
    /// A core's packet is to go up next, and the network is busy.
    Stall,
    /// A transfer to so many children begins.
    Descent(Packet, u32),
    /// A packet is complete in the reception FIFO of a core.
    Delivery(Packet),
    /// A core or a child has raised a wire.
    Raise(u8),
    /// The release of a wire reaches the node; whether the node is the root.
    Release(bool),
}
