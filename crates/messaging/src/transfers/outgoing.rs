//! A transfer with packets that are still to be written, and the data that its packets have in common.

use super::arrivals::Header;
use super::making::Route;
use super::span::Span;
use crate::mapping::Place;
use crate::packetizer::Formats;
use crate::protocol::{Kind, Written};
use crate::ranks::Message;
use crate::time_lines::awaited::Awaited;
use serde::{Deserialize, Serialize};

/// A transfer with packets that are still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outgoing {
    pub kind: Kind,
    /// The target rank, and its place.
    pub target: u32,
    pub place: Place,
    /// The span, if the transfer goes to all ranks along a line; `target` is then the last of them.
    pub span: Option<Span>,
    pub message: Message,
    /// The number of the transfer's first packet among all packets of the node.
    pub first_packet: u64,
    /// The number of packets in all, and the number written so far.
    pub packets: u32,
    pub written: u32,
    /// The network cycle in which it was sent.
    pub sent: u64,
    /// Whether the sending rank is to be notified when the last packet has been written.
    pub reports: bool,
    /// Whether it is sent by rendezvous because no message credit was left.
    pub lacks_credit: bool,
    /// The sizes of its packets. After a restore, none until the next packet is made.
    #[serde(skip)]
    pub sizes: Option<Sizes>,
    /// The data that its packets have in common, known once a packet has been made.
    #[serde(skip)]
    pub route: Route,
}

/// The sizes of a transfer's first and last packets, in chunks. The others are full.
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

    /// The event for which the rank waits, if it keeps the transfer as a request.
    pub fn awaited(&self) -> Awaited {
        match self.kind.traits().on_written {
            Written::KeepRequest(_) if self.lacks_credit => Awaited::ClearToSendForCredit,
            Written::KeepRequest(awaited) => awaited,
            Written::Nothing | Written::Notify => Awaited::Unknown,
        }
    }

    /// The network cycle from which on its packets can be written, if the transfer of data takes `start` cycles to start.
    #[inline]
    pub fn begins_at(&self, start: u32) -> u64 {
        self.sent + if self.kind.traits().has_data { u64::from(start) } else { 0 }
    }

    /// The header that the receiver needs before the first packet arrives.
    pub fn header(&self) -> Header {
        Header { target: self.target, kind: self.kind, message: self.message }
    }
}
