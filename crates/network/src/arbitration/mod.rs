//! The rules of arbitration: which of the requests that compete for a receiver or a sender it prefers, before a random
//! draw among equals.
//!
//! ```text
//!   before any rule:   high priority; at receivers packets that are not on the bypass, at senders the share of cycles
//!                      that favors packets in the network
//!   the rule:          the requests with the lowest place
//!   after it:          a random draw among these
//! ```
//!
//! A rule knows nothing of the engines: each of them finds out by its own means what a rule asks of a request
//! ([`HeadPacket`]), and when an arbiter has granted one, which its [`Memory`] records. A single request wins under every
//! rule. Nothing changes in a cycle without grants, so that engines may skip it under every rule.
//!
//! # To add one
//!
//! 1. A file here with a type that implements [`Rule`]: its `place`, and `HAS_MEMORY` if that depends on what the arbiter
//!    has granted before. The file's head names the source.
//! 2. The module, and a line in `rules!` below, whose comment users see. The word in scenarios, the schema,
//!    `torusim list`, both engines, checkpoints, and the random machines of `windowed/tests/engines.rs` follow from it.
//! 3. A row in the table of rules in `docs/models/network.md`.
//! 4. A result that is known of the rule, in `windowed/tests/arbitration.rs`.
//!
//! Rules that need more of a request than [`HeadPacket`] has, or more of the past than [`Memory`], add it there; the
//! compiler lists what is missing.

mod least_recently_used;
mod longest_queue;
mod memory;
mod oldest_first;
mod random;
mod round_robin;

use base::draws::Share;
use geometry::MAX_DIMENSIONS;
pub use memory::Memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum number of injection FIFOs of a node.
pub(crate) const MAX_FIFOS: usize = 8;

/// The maximum number of inputs of an arbiter. A sender's inputs are all receivers and injection FIFOs.
pub(crate) const MAX_INPUTS: usize = 2 * MAX_DIMENSIONS + MAX_FIFOS;

/// The head packet that makes a request, as rules see it.
pub trait HeadPacket {
    /// The cycle in which software offered it.
    fn offered(&self) -> u64;
    /// The fullness of its queue, in quarters: 0 to 3.
    fn fullness(&self) -> u8;
}

/// A rule of arbitration.
trait Rule {
    /// Whether it depends on what the arbiter has granted before.
    const HAS_MEMORY: bool = false;

    /// The place of a request: those with the lowest place are preferred, and equal for the draw. `input` is its
    /// [number](Origin) at the arbiter.
    fn place(input: usize, head: &impl HeadPacket, memory: &Memory) -> u64;
}

/// Declares the rules.
macro_rules! rules {
    ($($(#[$attribute:meta])* $rule:ident of $module:ident,)*) => {
        /// The rule by which receivers and senders prefer some requests to others.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(inline)]
        pub enum ArbitrationRule {
            $($(#[$attribute])* $rule,)*
        }

        impl ArbitrationRule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// Whether it depends on what an arbiter has granted before.
            pub fn has_memory(self) -> bool {
                match self {
                    $(Self::$rule => $module::$rule::HAS_MEMORY,)*
                }
            }

            /// The place of a request; see [`Rule::place`].
            pub fn place(self, input: usize, head: &impl HeadPacket, memory: &Memory) -> u64 {
                match self {
                    $(Self::$rule => $module::$rule::place(input, head, memory),)*
                }
            }
        }
    };
}

rules! {
    /// In `serve_longest_queue_share` of cycles, the queues in the fullest quarter of their buffers first.
    #[default]
    LongestQueue of longest_queue,
    /// All requests are equal.
    Random of random,
    /// The packets first that software offered first.
    OldestFirst of oldest_first,
    /// Inputs in turn, from the one behind that of the last grant on.
    RoundRobin of round_robin,
    /// The input first whose last grant was longest ago.
    LeastRecentlyUsed of least_recently_used,
}

impl ArbitrationRule {
    /// The rule that one receiver or sender follows in a cycle. `bits` are random, and drawn only if they decide whether
    /// the longest queue is served first.
    #[inline(always)]
    pub(crate) fn of_cycle(self, longest_queue_share: Share, bits: impl FnOnce() -> u32) -> Self {
        let serves_all_alike = self == Self::LongestQueue && !longest_queue_share.decide(bits);
        if serves_all_alike { Self::Random } else { self }
    }

    /// Whether the windowed engine has it in those of its forms only that have options. All forms have the rules of the
    /// hardware, on sets of inputs.
    #[inline(always)]
    pub fn needs_options(self) -> bool {
        self != Self::LongestQueue && self != Self::Random
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The input of a node in which a head packet waits. At its receiver, its number is that of its VC. At a sender it is that
/// of its receiver, and injection FIFOs follow all receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A VC of a receiver.
    VirtualChannel {
        /// The port of the receiver.
        port: usize,
        /// The VC.
        vc: usize,
    },
    /// An injection FIFO.
    Injection {
        /// The FIFO.
        fifo: usize,
    },
}

impl Origin {
    /// Whether the packet is in the network: senders prefer such packets to others in a share of the cycles.
    pub fn is_in_network(self) -> bool {
        match self {
            Origin::VirtualChannel { .. } => true,
            Origin::Injection { .. } => false,
        }
    }

    /// The number of the input at an arbiter.
    pub fn number_at(self, arbiter: Arbiter) -> usize {
        match (self, arbiter) {
            (Origin::VirtualChannel { vc, .. }, Arbiter::Receiver(_)) => vc,
            (Origin::VirtualChannel { port, .. }, Arbiter::Sender(_)) => port,
            (Origin::Injection { fifo }, _) => 2 * MAX_DIMENSIONS + fifo,
        }
    }
}

/// An arbiter of a node, by its port.
#[derive(Clone, Copy, Debug)]
pub enum Arbiter {
    /// It selects the request of one of its VCs.
    Receiver(usize),
    /// It grants one request.
    Sender(usize),
}

impl Arbiter {
    /// The arbiter's memory among those of its node. Without memory, a node has none.
    pub fn memory(self, memories: &[Memory]) -> &Memory {
        memories.get(self.place(memories)).unwrap_or(&Memory::NEW)
    }

    /// Receivers come first, then senders.
    fn place(self, memories: &[Memory]) -> usize {
        match self {
            Arbiter::Receiver(port) => port,
            Arbiter::Sender(port) => memories.len() / 2 + port,
        }
    }
}

/// Records in the memories of a node that a packet leaves through a sender, or for its reception FIFO.
pub fn record_grant(memories: &mut [Memory], origin: Origin, sender: Option<usize>) {
    let receiver = match origin {
        Origin::VirtualChannel { port, .. } => Some(Arbiter::Receiver(port)),
        Origin::Injection { .. } => None,
    };
    for arbiter in receiver.into_iter().chain(sender.map(Arbiter::Sender)) {
        let place = arbiter.place(memories);
        if let Some(memory) = memories.get_mut(place) {
            memory.record(origin.number_at(arbiter));
        }
    }
}
