//! Transfers: what goes from rank to rank as packets of its own. What each kind does is its protocol
//! ([`crate::protocol`]).

use crate::ranks::Message;
use crate::totals::MOST_MESSAGES_OF_RANK;
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

/// Of the number by which packets name the body of a message: a bit that no number of a message has.
const BODY: u32 = MOST_MESSAGES_OF_RANK;

impl Kind {
    /// All, in the order of their numbers.
    pub const ALL: [Kind; 5] = [Kind::Eager, Kind::Request, Kind::Clear, Kind::Body, Kind::Credits];

    /// The kind with a number.
    pub fn of(number: u64) -> Self {
        Kind::ALL[number as usize]
    }

    /// The number by which packets name a transfer of this kind: that of its message. A body's differs from that of its
    /// request, which another core of the node may still be reading when the body arrives.
    pub fn name(self, number: u32) -> u32 {
        if self == Kind::Body { number | BODY } else { number }
    }

    /// Whether packets with this name are those of a body.
    pub fn is_body(name: u32) -> bool {
        name & BODY != 0
    }

    /// The number of the message, whatever the kind.
    pub fn message_of(name: u32) -> u32 {
        name & !BODY
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
