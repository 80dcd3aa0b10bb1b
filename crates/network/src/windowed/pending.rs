//! What is on its way to a node: tokens that come back to its senders, and heads that come to its receivers.
//!
//! ```text
//!   rows:   a row of notes for each port in the slab's arrays, as long as the machine's numbers ask for
//!   lanes:  two times for each sender's channel and a channel for each receiver, in the node itself
//! ```
//!
//! Lanes are for machines whose packets are all full-size: a note of tokens is a time then, a channel has no more than two
//! of them (a transfer under way, whose tokens are noted at its start, and one before it), and a link has one head under
//! way. All other machines have rows.

use super::sets::{Tick, is_given};
use super::vector;
use crate::fabric::Fabric;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Something that will happen at a later cycle.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Note<T> {
    /// When.
    pub time: T,
    /// On which channel.
    pub channel: u8,
    /// How many tokens come back.
    pub tokens: u8,
}

/// A channel has one transfer under way, whose tokens are noted at its start, and so many that ended no longer ago than
/// tokens take and a window lasts.
pub fn token_notes(fabric: &Fabric) -> usize {
    let shortest = fabric.reception_cycles(fabric.smallest_chunks);
    2 + ((fabric.token_latency() + fabric.window_cycles()) / shortest) as usize
}

/// A link has so many heads under way as begin within its latency and a window: one, and as many more as fit into that.
pub fn head_notes(fabric: &Fabric) -> usize {
    let longest = (0..fabric.ports).map(|port| {
        let ahead = fabric.transfer_cycles(port, fabric.full_packet).arrival + fabric.window_cycles();
        ahead / fabric.transfer_cycles(port, fabric.smallest_chunks).wire
    });
    1 + longest.max().unwrap_or(0) as usize
}

/// Whether lanes have room for all that can be on its way to a node.
pub fn fits_lanes(fabric: &Fabric) -> bool {
    fabric.packets_are_full() && token_notes(fabric) <= 2 && head_notes(fabric) <= 1
}

/// Heads that come to one receiver, when one is taken off them.
pub struct Arrival<T> {
    /// When the one that is taken arrives.
    pub time: T,
    /// On which channel.
    pub channel: usize,
    /// When the one behind it does.
    pub next: Option<T>,
}

/// What is on its way to a node, by port. `row` is the port's row of notes, empty where there are none.
pub trait Pending<T: Tick>: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// Whether ports have rows of notes.
    const HAS_ROWS: bool;

    /// Nothing is on its way.
    fn none() -> Self;
    /// Counts times from an epoch that begins so many epochs later.
    fn age(&mut self, epochs: u32);

    /// Whether there is room for tokens that come back to a channel.
    fn has_room_for_tokens(&self, port: usize, channel: u8, row: &[Note<T>]) -> bool;
    /// Notes tokens that come back; there is room.
    fn note_tokens(&mut self, port: usize, note: Note<T>, row: &mut [Note<T>]);
    /// Adds those that have come by `now` to the `tokens` of the port's channels.
    fn take_tokens<const V: usize>(
        &mut self,
        port: usize,
        now: T,
        row: &mut [Note<T>],
        full_packet: u8,
        tokens: &mut [u8; V],
    );
    /// All tokens that come, or have come, back to a port.
    fn tokens(&self, port: usize, row: &[Note<T>], full_packet: u8) -> impl Iterator<Item = Note<T>>;

    /// Whether there is room for a head that comes to a port where, if any, one `is_first`.
    fn has_room_for_head(&self, port: usize, is_first: bool, row: &[Note<T>]) -> bool;
    /// Notes a head that comes, behind others unless it is the first; there is room.
    fn note_head(&mut self, port: usize, time: T, channel: u8, row: &mut [Note<T>]);
    /// Takes the first of the heads that come, at `time`; there is one.
    fn take_head(&mut self, port: usize, time: T, row: &mut [Note<T>]) -> Arrival<T>;
    /// The channels of the heads that come to a port, `is_any` if there are any.
    fn heads(&self, port: usize, is_any: bool, row: &[Note<T>]) -> impl Iterator<Item = usize>;
}

/// How many notes are in each port's row of tokens and in its row of heads.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Rows<const P: usize> {
    #[serde(with = "serde_big_array::BigArray")]
    tokens: [u8; P],
    #[serde(with = "serde_big_array::BigArray")]
    heads: [u8; P],
}

impl<T: Tick, const P: usize> Pending<T> for Rows<P> {
    const HAS_ROWS: bool = true;

    fn none() -> Self {
        Rows { tokens: [0; P], heads: [0; P] }
    }

    fn age(&mut self, _: u32) {}

    #[inline(always)]
    fn has_room_for_tokens(&self, port: usize, _: u8, row: &[Note<T>]) -> bool {
        usize::from(self.tokens[port]) < row.len()
    }

    #[inline(always)]
    fn note_tokens(&mut self, port: usize, note: Note<T>, row: &mut [Note<T>]) {
        row[usize::from(self.tokens[port])] = note;
        self.tokens[port] += 1;
    }

    #[inline(always)]
    fn take_tokens<const V: usize>(
        &mut self,
        port: usize,
        now: T,
        row: &mut [Note<T>],
        _: u8,
        tokens: &mut [u8; V],
    ) {
        let noted = usize::from(self.tokens[port]);
        let mut left = 0;
        // SAFETY: no more is noted than there is room for.
        unsafe { is_given(noted <= row.len()) };
        for position in 0..noted {
            let note = row[position];
            // SAFETY: the channel is one of the machine's.
            unsafe { is_given(usize::from(note.channel) < V) };
            let has_come = u8::from(note.time <= now);
            tokens[usize::from(note.channel)] += note.tokens & has_come.wrapping_neg();
            row[left] = note;
            left += 1 - usize::from(has_come);
        }
        self.tokens[port] = left as u8;
    }

    #[inline(always)]
    fn tokens(&self, port: usize, row: &[Note<T>], _: u8) -> impl Iterator<Item = Note<T>> {
        row[..usize::from(self.tokens[port])].iter().copied()
    }

    #[inline(always)]
    fn has_room_for_head(&self, port: usize, _: bool, row: &[Note<T>]) -> bool {
        usize::from(self.heads[port]) < row.len()
    }

    #[inline(always)]
    fn note_head(&mut self, port: usize, time: T, channel: u8, row: &mut [Note<T>]) {
        row[usize::from(self.heads[port])] = Note { time, channel, tokens: 0 };
        self.heads[port] += 1;
    }

    #[inline(always)]
    fn take_head(&mut self, port: usize, _: T, row: &mut [Note<T>]) -> Arrival<T> {
        // SAFETY: there is room for a note at least, and one is there.
        unsafe { is_given(!row.is_empty()) };
        let Note { time, channel, .. } = row[0];
        self.heads[port] -= 1;
        let mut next = None;
        if self.heads[port] > 0 {
            row.copy_within(1.., 0);
            next = Some(row[0].time);
        }
        Arrival { time, channel: channel.into(), next }
    }

    fn heads(&self, port: usize, _: bool, row: &[Note<T>]) -> impl Iterator<Item = usize> {
        row[..usize::from(self.heads[port])].iter().map(|note| usize::from(note.channel))
    }
}

/// Lanes of a port: two times for each of up to four channels.
const LANES: usize = 8;

/// Times of tokens by sender and channel, and the channel of the head that comes to each receiver.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Lanes {
    tokens: [[i16; LANES]; 6],
    head_channels: [u8; 6],
}

impl Pending<i16> for Lanes {
    const HAS_ROWS: bool = false;

    fn none() -> Self {
        Lanes { tokens: [[i16::NEVER; LANES]; 6], head_channels: [0; 6] }
    }

    fn age(&mut self, epochs: u32) {
        self.tokens.as_flattened_mut().iter_mut().for_each(|time| *time = time.age(epochs));
    }

    #[inline(always)]
    fn has_room_for_tokens(&self, port: usize, channel: u8, _: &[Note<i16>]) -> bool {
        // SAFETY: the channel is one of up to four.
        unsafe { is_given(channel < 4) };
        let first = 2 * usize::from(channel);
        (self.tokens[port][first] == i16::NEVER) | (self.tokens[port][first + 1] == i16::NEVER)
    }

    #[inline(always)]
    fn note_tokens(&mut self, port: usize, note: Note<i16>, _: &mut [Note<i16>]) {
        // SAFETY: the channel is one of up to four.
        unsafe { is_given(note.channel < 4) };
        let first = 2 * usize::from(note.channel);
        let lane = first + usize::from(self.tokens[port][first] != i16::NEVER);
        debug_assert!(self.tokens[port][lane] == i16::NEVER, "tokens overrun their lanes");
        self.tokens[port][lane] = note.time;
    }

    #[inline(always)]
    fn take_tokens<const V: usize>(
        &mut self,
        port: usize,
        now: i16,
        _: &mut [Note<i16>],
        full_packet: u8,
        tokens: &mut [u8; V],
    ) {
        let come = vector::take_at_most(&mut self.tokens[port], now);
        for (channel, tokens) in tokens.iter_mut().enumerate() {
            let packets = (come >> (2 * channel) & 1) + (come >> (2 * channel + 1) & 1);
            *tokens += full_packet * packets;
        }
    }

    fn tokens(&self, port: usize, _: &[Note<i16>], full_packet: u8) -> impl Iterator<Item = Note<i16>> {
        let noted = self.tokens[port].iter().enumerate().filter(|(_, time)| **time != i16::NEVER);
        noted.map(move |(lane, &time)| Note { time, channel: (lane / 2) as u8, tokens: full_packet })
    }

    #[inline(always)]
    fn has_room_for_head(&self, _: usize, is_first: bool, _: &[Note<i16>]) -> bool {
        is_first
    }

    #[inline(always)]
    fn note_head(&mut self, port: usize, _: i16, channel: u8, _: &mut [Note<i16>]) {
        self.head_channels[port] = channel;
    }

    #[inline(always)]
    fn take_head(&mut self, port: usize, time: i16, _: &mut [Note<i16>]) -> Arrival<i16> {
        Arrival { time, channel: self.head_channels[port].into(), next: None }
    }

    fn heads(&self, port: usize, is_any: bool, _: &[Note<i16>]) -> impl Iterator<Item = usize> {
        is_any.then(|| usize::from(self.head_channels[port])).into_iter()
    }
}
