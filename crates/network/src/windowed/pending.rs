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

use super::sets::{BitSet, Tick, is_given};
use super::vector::{Baseline, Vectors};
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

/// What is on its way to a node, by port; `V` channels of each are numbered, one port behind the other. `row` is the port's
/// row of notes, empty where there are none.
pub trait Pending<T: Tick, B: BitSet>: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// Whether ports have rows of notes.
    const HAS_ROWS: bool;
    /// See [`Pending::lane`].
    type Lane;

    /// Nothing is on its way.
    fn none() -> Self;
    /// Counts times from an epoch that begins so many epochs later.
    fn age(&mut self, epochs: u32);

    /// Notes tokens that come back to a port. If others have come by `past`, it may add them to the `tokens` of the port's
    /// channels to have room.
    fn note_tokens<const V: usize>(
        &mut self,
        port: usize,
        note: Note<T>,
        past: T,
        row: &mut [Note<T>],
        tokens: &mut [u8; V],
    );
    /// Where tokens that come back to a port are noted, or how many are.
    fn lane(&self, port: usize) -> &Self::Lane;
    /// Adds those that have come by `now` to the `tokens` of the port's channels.
    fn take_tokens<const V: usize>(
        &mut self,
        port: usize,
        now: T,
        row: &mut [Note<T>],
        full_packet: u8,
        tokens: &mut [u8; V],
    );
    /// When the first of a port's tokens come, or have come.
    fn next_tokens(&self, port: usize, row: &[Note<T>]) -> T;
    /// The ports whose tokens have come by `now`, all at once; without rows only.
    fn ports_with_tokens(&self, now: T) -> u32;
    /// When the first tokens of some ports come, all at once; without rows only.
    fn next_tokens_of(&self, ports: u32) -> T;
    /// All tokens that come, or have come, back to a port.
    fn tokens(&self, port: usize, row: &[Note<T>], full_packet: u8) -> impl Iterator<Item = Note<T>>;

    /// Whether there is room for a head that comes to a port where, if any, one `is_first`.
    fn has_room_for_head(&self, port: usize, is_first: bool, row: &[Note<T>]) -> bool;
    /// Notes a head that comes, behind others unless it is the first; there is room.
    fn note_head<const V: usize>(&mut self, port: usize, time: T, channel: u8, row: &mut [Note<T>]);
    /// Takes the first of the heads that come, at `time`; there is one.
    fn take_head(&mut self, port: usize, row: &mut [Note<T>]) -> Arrival<T>;
    /// Takes all heads that come to some channels, where no more than one comes to a port.
    fn take_heads(&mut self, channels: B) -> B;
    /// The channels of the heads that come to a port.
    fn heads<const V: usize>(&self, port: usize, row: &[Note<T>]) -> impl Iterator<Item = usize>;
}

/// How many notes are in each port's row of tokens and in its row of heads.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Rows<const P: usize> {
    #[serde(with = "serde_big_array::BigArray")]
    tokens: [u8; P],
    #[serde(with = "serde_big_array::BigArray")]
    heads: [u8; P],
}

impl<T: Tick, B: BitSet, const P: usize> Pending<T, B> for Rows<P> {
    const HAS_ROWS: bool = true;
    type Lane = u8;

    fn none() -> Self {
        Rows { tokens: [0; P], heads: [0; P] }
    }

    fn age(&mut self, _: u32) {}

    #[inline(always)]
    fn note_tokens<const V: usize>(
        &mut self,
        port: usize,
        note: Note<T>,
        past: T,
        row: &mut [Note<T>],
        tokens: &mut [u8; V],
    ) {
        if usize::from(self.tokens[port]) == row.len() {
            // Of full-size packets there is no row.
            <Self as Pending<T, B>>::take_tokens(self, port, past, row, 0, tokens);
            assert!(usize::from(self.tokens[port]) < row.len(), "tokens overrun the notes of a link");
        }
        row[usize::from(self.tokens[port])] = note;
        self.tokens[port] += 1;
    }

    #[inline(always)]
    fn lane(&self, port: usize) -> &u8 {
        &self.tokens[port]
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
    fn next_tokens(&self, port: usize, row: &[Note<T>]) -> T {
        let noted = &row[..usize::from(self.tokens[port])];
        noted.iter().fold(T::NEVER, |next, note| next.min(note.time))
    }

    fn ports_with_tokens(&self, _: T) -> u32 {
        unreachable!("rows are looked at one by one")
    }

    fn next_tokens_of(&self, _: u32) -> T {
        unreachable!("rows are looked at one by one")
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
    fn note_head<const V: usize>(&mut self, port: usize, time: T, channel: u8, row: &mut [Note<T>]) {
        row[usize::from(self.heads[port])] = Note { time, channel, tokens: 0 };
        self.heads[port] += 1;
    }

    #[inline(always)]
    fn take_head(&mut self, port: usize, row: &mut [Note<T>]) -> Arrival<T> {
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

    fn take_heads(&mut self, _: B) -> B {
        unreachable!("a row may hold several heads of a port")
    }

    fn heads<const V: usize>(&self, port: usize, row: &[Note<T>]) -> impl Iterator<Item = usize> {
        row[..usize::from(self.heads[port])].iter().map(|note| usize::from(note.channel))
    }
}

/// Lanes of a port: a time for each of up to four channels, and a second one for each. They are looked at eight at a time on
/// any processor: a wider look would wait for the stores of those that have just changed.
const LANES: usize = 8;
const CHANNELS: usize = LANES / 2;

/// For each set of up to six ports, all lanes of those in it.
const ALL_EACH: [u64; 64] = {
    let (mut lanes, mut ports) = ([0; 64], 1usize);
    while ports < 64 {
        let first = ports & ports.wrapping_neg();
        lanes[ports] = lanes[ports - first] | 0xff << (LANES * first.trailing_zeros() as usize);
        ports += 1;
    }
    lanes
};

/// For each set of up to four channels, a word of bytes that is 1 for those in it.
const ONE_EACH: [u32; 16] = {
    let (mut ones, mut set) = ([0; 16], 0);
    while set < 16 {
        ones[set as usize] = set & 1 | (set & 2) << 7 | (set & 4) << 14 | (set & 8) << 21;
        set += 1;
    }
    ones
};

/// Times of tokens by sender and channel, and the channels that heads come to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Lanes {
    tokens: [[i16; LANES]; 6],
    heads: u32,
}

impl Pending<i16, u32> for Lanes {
    const HAS_ROWS: bool = false;
    type Lane = [i16; LANES];

    fn none() -> Self {
        Lanes { tokens: [[i16::NEVER; LANES]; 6], heads: 0 }
    }

    fn age(&mut self, epochs: u32) {
        self.tokens.as_flattened_mut().iter_mut().for_each(|time| *time = time.age(epochs));
    }

    #[inline(always)]
    fn note_tokens<const V: usize>(
        &mut self,
        port: usize,
        note: Note<i16>,
        past: i16,
        _: &mut [Note<i16>],
        tokens: &mut [u8; V],
    ) {
        let channel = usize::from(note.channel);
        // SAFETY: the channel is one of the machine's, of which there are up to four.
        unsafe { is_given(channel < V && V <= 4) };
        let lanes = &mut self.tokens[port];
        let first = lanes[channel];
        // What comes later, but not never: one comparison, as no processor could foretell it.
        let later = past.wrapping_add(1);
        let is_to_come = (first.wrapping_sub(later) as u16) < i16::NEVER.wrapping_sub(later) as u16;
        let lane = channel + CHANNELS * usize::from(is_to_come);
        let has_come = lanes[lane] <= past;
        assert!(has_come | (lanes[lane] == i16::NEVER), "tokens overrun their lanes");
        tokens[channel] += note.tokens & u8::from(has_come).wrapping_neg();
        lanes[lane] = note.time;
    }

    #[inline(always)]
    fn lane(&self, port: usize) -> &[i16; LANES] {
        &self.tokens[port]
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
        let come = usize::from(Baseline::take_due(&mut self.tokens[port], now));
        let packets = ONE_EACH[come % 16] + ONE_EACH[come / 16];
        let mut word = [0; CHANNELS];
        word[..V].copy_from_slice(tokens);
        let word = u32::from_le_bytes(word) + packets * u32::from(full_packet);
        tokens.copy_from_slice(&word.to_le_bytes()[..V]);
    }

    #[inline(always)]
    fn next_tokens(&self, port: usize, _: &[Note<i16>]) -> i16 {
        Baseline::earliest(&self.tokens[port], u64::MAX)
    }

    #[inline(always)]
    fn ports_with_tokens(&self, now: i16) -> u32 {
        // A byte a port: whether it is 0 goes to its top bit, and the tops of all to the top byte.
        const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        const TO_TOP_BYTE: u64 = 0x0102_0408_1020_4080;
        let come = Baseline::due(self.tokens.as_flattened(), now);
        let some = (((come & LOW_BITS) + LOW_BITS) | come) & !LOW_BITS;
        ((some >> 7).wrapping_mul(TO_TOP_BYTE) >> 56) as u32
    }

    #[inline(always)]
    fn next_tokens_of(&self, ports: u32) -> i16 {
        Baseline::earliest(self.tokens.as_flattened(), ALL_EACH[ports as usize % 64])
    }

    fn tokens(&self, port: usize, _: &[Note<i16>], full_packet: u8) -> impl Iterator<Item = Note<i16>> {
        let noted = self.tokens[port].iter().enumerate().filter(|(_, time)| **time != i16::NEVER);
        noted.map(move |(lane, &time)| Note { time, channel: (lane % CHANNELS) as u8, tokens: full_packet })
    }

    #[inline(always)]
    fn has_room_for_head(&self, _: usize, is_first: bool, _: &[Note<i16>]) -> bool {
        is_first
    }

    #[inline(always)]
    fn note_head<const V: usize>(&mut self, port: usize, _: i16, channel: u8, _: &mut [Note<i16>]) {
        self.heads |= 1 << (port * V + usize::from(channel));
    }

    fn take_head(&mut self, _: usize, _: &mut [Note<i16>]) -> Arrival<i16> {
        unreachable!("heads in lanes are taken all at once")
    }

    #[inline(always)]
    fn take_heads(&mut self, channels: u32) -> u32 {
        let heads = self.heads & channels;
        self.heads &= !channels;
        heads
    }

    fn heads<const V: usize>(&self, port: usize, _: &[Note<i16>]) -> impl Iterator<Item = usize> {
        (self.heads >> (port * V) & ((1 << V) - 1)).iter()
    }
}
