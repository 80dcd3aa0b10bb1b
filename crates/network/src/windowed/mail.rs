//! What passes from one node to another.

use crate::node::software::Stored;

/// A head, or tokens, for a port of a node. It takes effect in a later window.
#[derive(Clone, Copy, Debug)]
pub struct Mail {
    /// When it takes effect.
    pub time: u64,
    /// The node it goes to.
    pub node: u32,
    /// The port there.
    pub port: u8,
    /// The channel of the port.
    pub channel: u8,
    /// What it brings.
    pub content: Content,
}

/// See [`Mail`].
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// The head of a packet arrives.
    Head(Stored),
    /// So many tokens come back.
    Tokens(u8),
}
