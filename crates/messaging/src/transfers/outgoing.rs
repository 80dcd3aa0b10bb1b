//! A transfer of which packets are still to be written, and what its packets have in common.

use super::arrivals::Header;
use super::making::Route;
use super::span::Span;
use crate::mapping::Place;
use crate::packetizer::Formats;
use crate::protocol::{Kind, Written};
use crate::ranks::Message;
use crate::time_lines::awaited::Awaited;
use serde::{Deserialize, Serialize};

/// A transfer of which packets are still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outgoing {
    pub kind: Kind,
    /// The rank to which it goes, and the place of that rank.
    pub target: u32,
    pub place: Place,
    /// The span, if it goes to the ranks of a line, of which `target` is the last.
    pub span: Option<Span>,
    pub message: Message,
    /// The number of its first packet among those of the node.
    pub first_packet: u64,
    /// Packets in all, and of these already written.
    pub packets: u32,
    pub written: u32,
    /// The network cycle in which it was sent.
    pub sent: u64,
    /// Whether its rank is to be notified when the last packet has been written.
    pub reports: bool,
    /// Whether it is sent by rendezvous as no message credit was left.
    pub lacks_credit: bool,
    /// The sizes of its packets, unless it has been restored and none has been made since then.
    #[serde(skip)]
    pub sizes: Option<Sizes>,
    /// The data that its packets have in common, once one has been made.
    #[serde(skip)]
    pub route: Route,
}

/// The sizes of the packets of a transfer in chunks: of the first and the last. The others are full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub first: u8,
    pub last: u8,
}

impl Sizes {
    /// The sizes of a transfer of `bytes` bytes in `packets` packets.
    pub fn of(kind: Kind, formats: &Formats, bytes: u64, packets: u32) -> Self {
        let protocol = kind.protocol();
        let first = protocol.chunks(formats, bytes, 0);
        let last = if packets == 1 { first } else { protocol.chunks(formats, bytes, packets - 1) };
        Sizes { first, last }
    }

    /// The size of packet `index` of `packets`; `full` is the size of a full packet.
    #[inline]
    pub fn chunks(self, index: u32, packets: u32, full: u8) -> u8 {
        match index {
            0 => self.first,
            _ if index + 1 == packets => self.last,
            _ => full,
        }
    }
}

impl Outgoing {
    /// The number of ranks that get the transfer.
    pub fn receivers(&self) -> u64 {
        self.span.map_or(1, |span| span.nodes.into())
    }

    /// The event that a rank awaits for which the transfer is kept as a request.
    pub fn awaited(&self) -> Awaited {
        match self.kind.traits().on_written {
            Written::KeepRequest(_) if self.lacks_credit => Awaited::ClearToSendForCredit,
            Written::KeepRequest(awaited) => awaited,
            Written::Nothing | Written::Notify => Awaited::Unknown,
        }
    }

    /// The header that the receiver needs before the first packet arrives.
    pub fn header(&self) -> Header {
        Header { target: self.target, kind: self.kind, message: self.message }
    }
}
