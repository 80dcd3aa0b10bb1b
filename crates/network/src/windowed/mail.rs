//! What passes from one node to another.

use crate::packet::Packet;

/// In place of a number of tokens, which is never as large: a packet of the node has been received.
pub const ACKNOWLEDGEMENT: u8 = u8::MAX;

/// The same: no head comes with the tail of a frame that a link has spoilt.
pub const LOST_FRAME: u8 = u8::MAX - 1;

/// The same: an acknowledgement of a link, its bytes in place of a packet.
pub const LINK_ACK: u8 = u8::MAX - 2;

/// A head, or tokens, for a port of a node. It takes effect in a later window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mail<L> {
    /// When it takes effect.
    pub time: u64,
    /// The packet whose head arrives.
    pub packet: Packet,
    /// Low bits of the cycle at which it was offered.
    pub offered: u32,
    /// What goes with it.
    pub label: L,
    /// The node it goes to.
    pub node: u32,
    /// The port there.
    pub port: u8,
    /// The channel of the port.
    pub channel: u8,
    /// Tokens that come back: then it is no head. Or [`ACKNOWLEDGEMENT`], [`LOST_FRAME`], [`LINK_ACK`].
    pub tokens: u8,
}

/// Mail on its way out, heads and tokens apart: which of the two comes next is what no processor could foretell.
#[derive(Clone, Debug, Default)]
pub struct Outgoing<L> {
    /// Heads of packets.
    pub heads: Queue<L>,
    /// Tokens.
    pub tokens: Queue<L>,
    /// Acknowledgements of packets received, where nodes are paced.
    pub acknowledgements: Vec<Mail<L>>,
}

/// Mail of one kind, in order.
#[derive(Clone, Debug, Default)]
pub struct Queue<L> {
    mail: Vec<Mail<L>>,
    /// How much of it is handed over.
    handed: usize,
}

/// How much is handed over at a time: a loop that is left often is left at a guess.
const BATCH: usize = 32;

/// Handed-over mail is forgotten when there is this much of it.
const FORGOTTEN_AT: usize = 256;

impl<L> Queue<L> {
    /// Adds mail. Room is made first, so that it is written once, from registers: were it put together elsewhere and copied
    /// from there, the copy would wait for its stores.
    #[inline(always)]
    pub fn push(&mut self, mail: Mail<L>) {
        if self.mail.len() == self.mail.capacity() {
            self.make_room();
        }
        // SAFETY: there is room behind the last element, which is written before it counts.
        unsafe {
            self.mail.as_mut_ptr().add(self.mail.len()).write(mail);
            self.mail.set_len(self.mail.len() + 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.mail.reserve(1);
    }

    /// Whether a batch can be handed over that leaves `under_way` waiting.
    #[inline(always)]
    pub fn is_due(&self, under_way: usize) -> bool {
        self.mail.len() >= self.handed + under_way + BATCH
    }

    /// Hands over all but the last `under_way`.
    #[inline(always)]
    pub fn hand_over(&mut self, under_way: usize) -> &[Mail<L>] {
        if self.handed >= FORGOTTEN_AT {
            self.mail.drain(..self.handed);
            self.handed = 0;
        }
        let upto = self.mail.len().saturating_sub(under_way).max(self.handed);
        let from = std::mem::replace(&mut self.handed, upto);
        &self.mail[from..upto]
    }

    /// All mail that was added after the first `position`, and one in any case, if there is any: whether a node has sent
    /// something could not be foretold.
    #[inline(always)]
    pub fn latest(&self, position: usize) -> &[Mail<L>] {
        &self.mail[position.min(self.mail.len().saturating_sub(1))..]
    }

    /// A position to ask [`Queue::latest`] for.
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.mail.len()
    }
}
