//! Protocols: how a message gets from rank to rank.
//!
//! ```text
//!   sender                                          receiver
//!   eager                the message         --->   recv_new (first packet), recv_done (last)
//!   rendezvous           request to send     --->   recv_new: matched with a receive, now or later
//!                <---    clear to send
//!                        the body            --->   recv_done
//!   message credits      an eager message    --->   matched with a receive, now or later
//!                <---    credits
//! ```
//!
//! What goes from rank to rank as packets of its own is a transfer; each kind is registered in [`Kind::protocol`] with
//! its callbacks, which have the names that the message layer of Blue Gene/L gave them (slides, October 2003):
//! `cb_recvnew`, `cb_recvdone`, `cb_senddone`, `cb_dispatch`.

pub(crate) mod credits;
mod eager;
pub(crate) mod local;
mod rendezvous;

use crate::parameters::{MessageProtocol, Parameters};
use crate::ranks::Message;
use crate::receiving::Arriving;
use crate::sends::Outgoing;
use crate::setup::Setup;
use crate::turn::Turn;
use serde::{Deserialize, Serialize};

/// The kinds of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// An eager message.
    Eager,
    /// The envelope of a rendezvous message.
    Request,
    /// The answer to it.
    Clear,
    /// The rest of a rendezvous message.
    Body,
    /// Message credits.
    Credits,
}

/// A kind of transfer and what is called for it.
pub(crate) trait Protocol: Sync {
    /// Number of packets.
    fn packets(&self, setup: &Setup, bytes: u64) -> u32;

    /// Size in chunks of a packet.
    fn chunks(&self, setup: &Setup, bytes: u64, index: u32) -> u8;

    /// Whether its packets keep their order.
    fn is_deterministic(&self, setup: &Setup) -> bool;

    /// Processor cycles to handle a packet, beside reading it (`cb_dispatch`).
    fn dispatch(&self, parameters: &Parameters, chunks: u8) -> u64;

    /// Processor cycles for the first packet and for the last, beside that.
    fn once(&self, parameters: &Parameters) -> (u32, u32);

    /// Processor cycles before its first packet is written.
    fn setup(&self, parameters: &Parameters) -> u32;

    /// Its first packet begins to be read, at processor cycle `time` (`cb_recvnew`).
    fn recv_new(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64);

    /// Its last packet has been read, at processor cycle `time` (`cb_recvdone`).
    fn recv_done(&self, turn: &mut Turn<'_, '_>, arriving: &Arriving, time: u64);

    /// Its last packet is being written (`cb_senddone`). Returns whether its rank, if it wants to hear of that, will do so
    /// when that has been written.
    fn send_done(&self, turn: &mut Turn<'_, '_>, outgoing: &Outgoing) -> bool;
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Eager, Kind::Request, Kind::Clear, Kind::Body, Kind::Credits];

    /// The kind with a number.
    pub fn of(number: u64) -> Self {
        Kind::ALL[number as usize]
    }

    /// What is registered for it.
    pub fn protocol(self) -> &'static dyn Protocol {
        match self {
            Kind::Eager => &eager::Eager,
            Kind::Request => &rendezvous::Request,
            Kind::Clear => &rendezvous::Clear,
            Kind::Body => &rendezvous::Body,
            Kind::Credits => &credits::Credits,
        }
    }

    /// Whether a restored transfer can carry this between `ranks` ranks.
    pub fn can_restore(self, message: &Message, ranks: u32) -> bool {
        match self.is_of_rank() {
            true => message.can_be_restored(ranks),
            false => message.source < ranks && message.bytes == 0,
        }
    }

    /// Whether it is a message of a rank, or part of one.
    pub fn is_of_rank(self) -> bool {
        matches!(self, Kind::Eager | Kind::Request | Kind::Body)
    }
}

/// Whether eager messages keep their order.
pub(crate) fn is_ordered(parameters: &Parameters) -> bool {
    parameters.protocol != MessageProtocol::EagerAdaptive
}
