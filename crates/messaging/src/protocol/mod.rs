//! Protocols: how a message gets from rank to rank.
//!
//! ```text
//!   sender                                          receiver
//!   eager                the message         --->   first packet: its envelope arrives; last: it is delivered
//!   rendezvous           request to send     --->   first packet: its envelope arrives, and a receive matches it, now or later
//!                <---    clear to send
//!                        the body            --->   last packet: it is delivered
//!   message credits      an eager message    --->   matched with a receive, now or later
//!                <---    credits
//! ```
//!
//! A *transfer* goes from rank to rank in separate packets. A protocol describes one kind of transfer as plain data:
//! its packets, its costs, and how the nodes at both ends react to it. The scheduler carries out the reactions
//! (`scheduler/reactions.rs`).
//!
//! # To add one
//!
//! 1. A file here with a unit struct for each of its transfers, their `TRAITS`, and their [`Protocol`]: the compiler asks for
//!    each answer.
//! 2. Below: its `mod`, its transfers in `kinds!`, and a variant of [`Arrival`], [`Matched`], [`Completed`] or [`Written`]
//!    if its nodes react as those of no other kind do.
//! 3. That reaction in `scheduler/reactions.rs`: the compiler asks for its arm.
//! 4. A variant of `Occasion`, and its row in `protocols!` if scenarios name it, in `parameters/message_protocol.rs`.
//!    `torusim list`, the schema, costs, the fluid engine, and the tests over all protocols follow from it:
//!    `tests/layer.rs` compares its costs with its time lines, `simulation/tests/mpi_on_engines` runs it on both engines.
//! 5. Its word in `docs/models/messages.md`: `tests/test_pages.py` asks for it.
//!
//! The compiler asks for the name of an [`Awaited`] that is new, and of a field of `Unsettled` (`node/rank.rs`) if a
//! rank has to remember more than requests.

mod credits;
mod eager;
mod rendezvous;

use crate::packetizer::{Formats, Packetizer};
use crate::parameters::Parameters;
use crate::parameters::message_protocol::Occasion;
use crate::ranks::MAX_MESSAGES_OF_RANK;
use crate::time_lines::awaited::Awaited;
use serde::{Deserialize, Serialize};

/// Declares the kinds with their protocols, by the occasion of which they are the transfers, in order.
macro_rules! kinds {
    ($($occasion:ident { $($(#[$comment:meta])* $kind:ident = $protocol:path,)* })*) => {
        /// The kinds of transfers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) enum Kind {
            $($($(#[$comment])* $kind,)*)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: [Kind; [$($(Kind::$kind,)*)*].len()] = [$($(Kind::$kind,)*)*];

            /// By kind: its traits, and its protocol.
            const TRAITS: [Traits; Kind::ALL.len()] = [$($(<$protocol>::TRAITS,)*)*];
            const PROTOCOLS: [&'static dyn Protocol; Kind::ALL.len()] = [$($(&$protocol,)*)*];

            /// The reason for which it is sent.
            pub fn occasion(self) -> Occasion {
                match self {
                    $($(Kind::$kind => Occasion::$occasion,)*)*
                }
            }
        }

        impl Occasion {
            /// The kinds of its transfers, in order.
            pub fn kinds(self) -> &'static [Kind] {
                match self {
                    $(Occasion::$occasion => &[$(Kind::$kind),*],)*
                }
            }
        }
    };
}

kinds! {
    Eager {
        /// An eager message.
        Eager = eager::Eager,
    }
    Rendezvous {
        /// The envelope of a rendezvous message.
        Request = rendezvous::Request,
        /// The answer to the request.
        Clear = rendezvous::Clear,
        /// The rest of a rendezvous message.
        Body = rendezvous::Body,
    }
    Credits {
        /// Message credits.
        Credits = credits::Credits,
    }
}

/// The traits that set a kind of transfer apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    /// Whether it is a message of a rank, or part of one; otherwise it goes back to the rank that has sent the message.
    pub is_of_rank: bool,
    /// Whether the data of a message come with it. If a kind has an envelope and no data, they come when a receive has
    /// matched it.
    pub has_data: bool,
    /// Whether its packets name the buffer where their data belong, so that the reader can put them there.
    pub is_put: bool,
    /// Whether it is spread over infinite FIFOs in the cycle in which it is sent, where messages are.
    pub is_spread: bool,
    /// The reactions of the node at its end and of the one at its beginning.
    pub on_arrival: Arrival,
    pub on_matched: Matched,
    pub on_completed: Completed,
    pub on_written: Written,
}

/// The reaction when the first packet of a transfer begins to be read. The message layer of Blue Gene/L calls it `cb_recvnew`
/// (slides, October 2003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Nothing but the cost of it.
    Nothing,
    /// The envelope of a message arrives at its rank, and a receive matches it, now or later.
    Envelope,
}

/// The reaction when a receive has matched the envelope of a message of another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    /// Nothing.
    Nothing,
    /// The credit that the message has taken is free again.
    FreeCredit,
    /// The rank clears the message to send.
    ClearToSend,
}

/// The reaction when the last packet of a transfer has been read (`cb_recvdone`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completed {
    /// Nothing but the cost of it.
    Nothing,
    /// The message is complete.
    Deliver,
    /// The rank sends the body for which its request has been cleared.
    SendBody,
    /// The rank has the credits again that the envelope names.
    GrantCredits,
}

/// The reaction when the last packet of a transfer is being written (`cb_senddone`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// Nothing.
    Nothing,
    /// The rank is notified when the packet has been written, if it wants to be.
    Notify,
    /// The rank keeps the request until the answer, which it awaits under this name.
    KeepRequest(Awaited),
}

/// The packets and the costs of a kind of transfer. The defaults are those of a single packet without data that keeps
/// its order.
pub(crate) trait Protocol: Sync {
    /// The packetizer of its data, if it has any.
    fn packetizer<'a>(&self, _: &'a Formats) -> Option<&'a Packetizer> {
        None
    }

    /// Number of packets.
    fn packets(&self, formats: &Formats, bytes: u64) -> u32 {
        self.packetizer(formats).map_or(1, |packetizer| packetizer.packets(bytes))
    }

    /// Size in chunks of a packet.
    fn chunks(&self, formats: &Formats, bytes: u64, index: u32) -> u8 {
        self.packetizer(formats).map_or(formats.control_chunks, |packetizer| packetizer.chunks(bytes, index))
    }

    /// Size in chunks of the smallest packet, of messages of this length or of any.
    fn smallest_chunks(&self, formats: &Formats, bytes: Option<u64>) -> u8 {
        self.packetizer(formats)
            .map_or(formats.control_chunks, |packetizer| packetizer.smallest_chunks(bytes))
    }

    /// Whether its packets keep their order.
    fn is_deterministic(&self, _: &Parameters) -> bool {
        true
    }

    /// Processor cycles to handle a packet, in addition to reading it (`cb_dispatch`).
    fn dispatch(&self, _: &Parameters, _chunks: u8) -> u64 {
        0
    }

    /// Processor cycles for the first packet and for the last, in addition to `dispatch`.
    fn once(&self, parameters: &Parameters) -> (u32, u32);

    /// Processor cycles before its first packet is written.
    fn setup(&self, parameters: &Parameters) -> u32 {
        parameters.setup_processor_cycles
    }
}

/// The bit that marks transfers that are put, in the numbers by which packets name them; no message's number has it.
const PUT: u32 = MAX_MESSAGES_OF_RANK;

impl Kind {
    /// The kind with a number.
    pub fn of(number: u64) -> Self {
        Kind::ALL[number as usize]
    }

    /// The traits of the kind.
    #[inline]
    pub fn traits(self) -> &'static Traits {
        const TRAITS: &[Traits; Kind::ALL.len()] = &Kind::TRAITS;
        &TRAITS[self as usize]
    }

    /// The packets and costs of the kind.
    pub fn protocol(self) -> &'static dyn Protocol {
        Kind::PROTOCOLS[self as usize]
    }

    /// The number by which packets name a transfer of this kind: that of its message. A body's differs from that of its
    /// request, which another core of the node may still be reading when the body arrives.
    pub fn name(self, number: u32) -> u32 {
        if self.traits().is_put { number | PUT } else { number }
    }

    /// Whether packets with this name are [put](Traits::is_put).
    pub fn names_put(name: u32) -> bool {
        name & PUT != 0
    }

    /// The number of the message, for any kind.
    pub fn message_of(name: u32) -> u32 {
        name & !PUT
    }
}
