//! Deadlock: packets that can never move again, and the ring in which they wait for one another.

use geometry::Direction;
use std::fmt;

/// A head packet in a closed ring of waiting packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingPacket {
    /// The node whose receiver holds it.
    pub node: u32,
    /// The direction that receiver faces.
    pub receiver: Direction,
    /// The channel it heads.
    pub channel: usize,
    /// Its size.
    pub chunks: u8,
    /// The direction in which it waits to move.
    pub toward: Direction,
    /// The channel downstream for which tokens are missing.
    pub toward_channel: usize,
    /// The tokens of that channel that it sees.
    pub tokens: u8,
}

/// A deadlock: a closed ring in the wait-for graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blockage {
    /// When it was found.
    pub cycle: u64,
    /// Each packet waits for the channel that the next one heads, the last for that of the first.
    pub ring: Vec<WaitingPacket>,
    /// How many head packets can never move, those of the ring included.
    pub blocked_heads: usize,
}

impl fmt::Display for WaitingPacket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitingPacket { node, receiver, channel, chunks, toward, toward_channel, tokens } = self;
        write!(
            f,
            "node {node}, receiver {receiver}, channel {channel}: {chunks} chunks wait for {toward} channel \
             {toward_channel} ({tokens} tokens)"
        )
    }
}
