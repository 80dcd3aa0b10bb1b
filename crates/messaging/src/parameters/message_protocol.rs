//! How messages are sent: the protocols that scenarios name, and the reasons for which transfers are sent.

use super::Parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares the protocols: the occasion of their messages, and whether packets of eager messages keep their order, so
/// that only the first carries the envelope.
macro_rules! protocols {
    ($($(#[$attribute:meta])* $protocol:ident: $occasion:ident, keeps_order = $keeps_order:literal;)*) => {
        /// How messages are sent.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(inline)]
        pub enum MessageProtocol {
            $($(#[$attribute])* $protocol,)*
        }

        impl MessageProtocol {
            /// All protocols.
            pub const ALL: &[Self] = &[$(Self::$protocol),*];

            /// Whether packets of eager messages keep their order: only the first of a message carries its envelope then.
            pub fn keeps_order(self) -> bool {
                match self {
                    $(Self::$protocol => $keeps_order,)*
                }
            }

            fn occasion(self) -> Occasion {
                match self {
                    $(Self::$protocol => Occasion::$occasion,)*
                }
            }
        }
    };
}

protocols! {
    /// Without a handshake, in order: the first packet of a message carries its envelope.
    EagerDeterministic: Eager, keeps_order = true;
    /// Without a handshake, out of order: all packets carry the envelope.
    #[default]
    EagerAdaptive: Eager, keeps_order = false;
    /// After a handshake: the receiver asks for the body once a receive matches the message.
    Rendezvous: Rendezvous, keeps_order = true;
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

impl Occasion {
    /// Whether it may arise by these parameters, where messages may be sent synchronously or not.
    pub fn arises(self, parameters: &Parameters, synchronous: bool) -> bool {
        let has_credits = parameters.message_credits.is_some();
        let is_of_protocol = self == parameters.protocol.occasion();
        match self {
            Occasion::Eager => true,
            // A message without a credit needs a handshake.
            Occasion::Rendezvous => {
                is_of_protocol || synchronous || has_credits || parameters.rendezvous_from_bytes.is_some()
            }
            Occasion::Credits => has_credits,
        }
    }
}

impl MessageProtocol {
    /// Whether messages are sent without a handshake, unless they are long.
    pub fn is_eager(self) -> bool {
        self.occasion() == Occasion::Eager
    }
}

impl Parameters {
    /// The reason for which the transfers of a message of some length are sent.
    pub(crate) fn occasion(&self, bytes: u64) -> Occasion {
        let is_long = self.rendezvous_from_bytes.is_some_and(|min| bytes >= min);
        if is_long { Occasion::Rendezvous } else { self.protocol.occasion() }
    }

    /// Whether messages of some length are sent without a handshake.
    pub fn is_eager(&self, bytes: u64) -> bool {
        self.occasion(bytes) == Occasion::Eager
    }

    /// Whether any messages are sent with a handshake.
    pub fn has_handshakes(&self) -> bool {
        !self.protocol.is_eager() || self.rendezvous_from_bytes.is_some()
    }
}
