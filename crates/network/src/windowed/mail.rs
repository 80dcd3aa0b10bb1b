//! What passes from one node to another.

use crate::packet::Packet;

/// A head, or tokens, for a port of a node. It takes effect in a later window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mail {
    /// When it takes effect.
    pub time: u64,
    /// The packet whose head arrives.
    pub packet: Packet,
    /// Low bits of the cycle at which it was offered.
    pub offered: u32,
    /// Its handle, where it was posted.
    pub handle: u32,
    /// The node it goes to.
    pub node: u32,
    /// The port there.
    pub port: u8,
    /// The channel of the port.
    pub channel: u8,
    /// Tokens that come back: then it is no head.
    pub tokens: u8,
}

/// Mail on its way out, in order.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    mail: Vec<Mail>,
    /// How many of it are handed over.
    handed: usize,
}

/// Handed-over mail is forgotten when there is this much of it.
const FORGOTTEN_AT: usize = 256;

impl Outgoing {
    /// Adds mail.
    #[inline(always)]
    pub fn push(&mut self, mail: Mail) {
        self.mail.push(mail);
    }

    /// The position up to which mail is to be handed over so that no more than `under_way` wait, if there is any.
    #[inline(always)]
    pub fn due(&self, under_way: usize) -> Option<usize> {
        (self.mail.len() > self.handed + under_way).then(|| self.mail.len() - under_way)
    }

    /// Hands over the mail up to a position.
    #[inline(always)]
    pub fn hand_over(&mut self, upto: usize) -> &[Mail] {
        let forgotten = if self.handed >= FORGOTTEN_AT { std::mem::take(&mut self.handed) } else { 0 };
        self.mail.drain(..forgotten);
        let upto = upto - forgotten;
        let from = std::mem::replace(&mut self.handed, upto);
        &self.mail[from..upto]
    }

    /// All mail that waits and was added after the first `position`.
    pub fn added_since(&self, position: usize) -> &[Mail] {
        &self.mail[position..]
    }

    /// A position to ask [`Outgoing::added_since`] for.
    pub fn position(&self) -> usize {
        self.mail.len()
    }
}
