//! Transfers: what goes from rank to rank as packets of its own. What each kind does is its protocol
//! ([`crate::protocol`]).

use crate::ranks::Message;
use crate::totals::MOST_MESSAGES_OF_RANK;
use serde::{Deserialize, Serialize};

/// Declares the kinds, and the list of all of them.
macro_rules! kinds {
    ($($(#[$comment:meta])* $kind:ident,)*) => {
        /// The kinds of transfers. The methods below ask what sets one apart: a new kind has to answer each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) enum Kind {
            $($(#[$comment])* $kind,)*
        }

        impl Kind {
            /// All, in the order of their numbers, which is that of the transfers of a message.
            pub const ALL: [Kind; [$(Kind::$kind),*].len()] = [$(Kind::$kind),*];
        }
    };
}

kinds! {
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

/// The reason for which a transfer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// A message that is sent without a handshake.
    Eager,
    /// A message that is sent by rendezvous.
    Rendezvous,
    /// Messages that have returned their credits.
    Credits,
}

/// The bit that marks transfers that are put, in the numbers by which packets name them; no message's number has it.
const PUT: u32 = MOST_MESSAGES_OF_RANK;

impl Kind {
    /// The kind with a number.
    pub fn of(number: u64) -> Self {
        Kind::ALL[number as usize]
    }

    /// The reason for which the transfer is sent.
    pub fn occasion(self) -> Occasion {
        match self {
            Kind::Eager => Occasion::Eager,
            Kind::Request | Kind::Clear | Kind::Body => Occasion::Rendezvous,
            Kind::Credits => Occasion::Credits,
        }
    }

    /// Whether it is a message of a rank, or part of one; otherwise it goes back to the rank that has sent the message.
    pub fn is_of_rank(self) -> bool {
        match self {
            Kind::Eager | Kind::Request | Kind::Body => true,
            Kind::Clear | Kind::Credits => false,
        }
    }

    /// Whether the data of a message come with it. Of a kind with an envelope that is without, they come when a receive has
    /// matched it.
    pub fn has_data(self) -> bool {
        match self {
            Kind::Eager | Kind::Body => true,
            Kind::Request | Kind::Clear | Kind::Credits => false,
        }
    }

    /// Whether it may be sent, or follow, because no message credit was left.
    pub fn can_lack_credit(self) -> bool {
        match self {
            Kind::Request | Kind::Body => true,
            Kind::Eager | Kind::Clear | Kind::Credits => false,
        }
    }

    /// Whether its packets name the buffer where their data belong, so that the reader can put them there.
    pub fn is_put(self) -> bool {
        match self {
            Kind::Body => true,
            Kind::Eager | Kind::Request | Kind::Clear | Kind::Credits => false,
        }
    }

    /// Whether it is spread over infinite FIFOs in the cycle in which it is sent, where messages are.
    pub fn is_spread(self) -> bool {
        match self {
            Kind::Eager => true,
            Kind::Request | Kind::Clear | Kind::Body | Kind::Credits => false,
        }
    }

    /// The number by which packets name a transfer of this kind: that of its message. A body's differs from that of its
    /// request, which another core of the node may still be reading when the body arrives.
    pub fn name(self, number: u32) -> u32 {
        if self.is_put() { number | PUT } else { number }
    }

    /// Whether packets with this name are [put](Self::is_put).
    pub fn names_put(name: u32) -> bool {
        name & PUT != 0
    }

    /// The number of the message, whatever the kind.
    pub fn message_of(name: u32) -> u32 {
        name & !PUT
    }

    /// Whether a restored transfer can carry this between `ranks` ranks.
    pub fn can_restore(self, message: &Message, ranks: u32) -> bool {
        match self.is_of_rank() {
            true => message.can_be_restored(ranks),
            false => message.source < ranks && message.bytes == 0,
        }
    }
}
