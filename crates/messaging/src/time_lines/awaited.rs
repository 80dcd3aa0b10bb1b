//! The events for which ranks and cores wait.

use serde::{Deserialize, Serialize};

/// The event that ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Awaited {
    /// Something that the rank's library does not name.
    Unknown,
    /// A message of which no packet has been read.
    Message,
    /// The rest of a message that has begun to arrive, eager or the body of one by rendezvous.
    Rest,
    /// The body of a message by rendezvous of which no packet has been read; its sender may send it.
    Body,
    /// The clear to send of a message by rendezvous.
    ClearToSend,
    /// The clear to send of a message that is sent by rendezvous as no message credit was left.
    ClearToSendForCredit,
    /// A rank of the same node, which is to take a message out of memory.
    SameNode,
    /// Room for a packet in an injection FIFO.
    InjectionFifo,
    /// The acknowledgement of a packet, as no more may be on their way.
    Acknowledgement,
    /// The co-processor: that it writes packets, or makes room for those that it is to write.
    Coprocessor,
    /// The DMA engine: that it writes packets, or makes room for a descriptor.
    Dma,
    /// Room in an injection FIFO for a packet that the core forwards; until then it reads nothing.
    Forwarding,
    /// A packet of the tree network, or room for one.
    Tree,
    /// All nodes, which are to raise their wires of the global interrupts.
    Interrupts,
    /// The next time that the rank polls: what it waits for has happened, and it does not know yet.
    Poll,
}

impl Awaited {
    /// The name of a wait for it: `wait`, a colon and what ends it.
    pub fn name(self) -> &'static str {
        match self {
            Awaited::Unknown => "wait",
            Awaited::Message => "wait: message",
            Awaited::Rest => "wait: rest of message",
            Awaited::Body => "wait: body",
            Awaited::ClearToSend => "wait: clear to send",
            Awaited::ClearToSendForCredit => "wait: clear to send, no credit",
            Awaited::SameNode => "wait: rank of same node",
            Awaited::InjectionFifo => "wait: injection FIFO",
            Awaited::Acknowledgement => "wait: acknowledgement",
            Awaited::Coprocessor => "wait: co-processor",
            Awaited::Dma => "wait: DMA engine",
            Awaited::Forwarding => "wait: forwarding",
            Awaited::Tree => "wait: tree network",
            Awaited::Interrupts => "wait: global interrupts",
            Awaited::Poll => "wait: poll",
        }
    }
}
