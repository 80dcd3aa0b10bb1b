//! Pending events of a node: credits in flight to its senders, and packets in flight to its receivers.
//!
//! ```text
//!   rows:   a row of pending events per port, in the subdomain's arrays; their length depends on the machine
//!   lanes:  two times per VC of a sender, and a bit per VC of a receiver, in the node itself
//! ```
//!
//! Lanes are for machines whose packets are all full-size. There, a return of credits is just a time; a VC has at most
//! two of them pending (a transfer in progress, whose credits are recorded at its start, and one before it); and a link
//! has at most one arrival pending. All other machines have rows.
//!
//! Due events are applied at a visit, or when a row is full. The length of a row follows from the machine's
//! parameters, and an overrun fails an assertion: a lost credit would be silent and fatal.

use super::sets::{BitSet, Tick, assume};
use super::vector::{Baseline, Vectors};
use network::fabric::Fabric;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// An event at a later cycle.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PendingEvent<T> {
    /// The time at which the event takes effect.
    pub time: T,
    /// The VC concerned.
    pub vc: u8,
    /// Number of credits that return; 0 for an arrival.
    pub credits: u8,
}

/// The most returns of credits pending for a VC. One is of a transfer in progress, whose credits are recorded at its
/// start. The others are of transfers that ended within the last credit latency and window.
pub fn credit_events(fabric: &Fabric) -> usize {
    let shortest = fabric.reception_cycles(fabric.smallest_chunks);
    2 + ((fabric.credit_latency() + fabric.window_cycles()) / shortest) as usize
}

/// The most arrivals pending for a port: one for each transfer that begins within the link's latency and a window.
pub fn arrival_events(fabric: &Fabric) -> usize {
    let longest = (0..fabric.ports).map(|port| {
        let ahead = fabric.transfer_cycles(port, fabric.full_packet).arrival + fabric.window_cycles();
        ahead / fabric.transfer_cycles(port, fabric.smallest_chunks).wire
    });
    1 + longest.max().unwrap_or(0) as usize
}

/// Whether lanes have room for all pending events that a node can have.
pub fn fits_lanes(fabric: &Fabric) -> bool {
    fabric.packets_are_full() && credit_events(fabric) <= 2 && arrival_events(fabric) <= 1
}

/// The first arrival at a receiver, taken from its pending events. The time of the arrival is that of the receiver's
/// slot.
pub struct Arrival<T> {
    /// The VC on which it arrives.
    pub vc: usize,
    /// Time of the next arrival at the receiver.
    pub next: Option<T>,
}

/// Pending events of a node, by port. `row` is the port's row of pending events,
/// empty for lanes.
pub trait Pending<T: Tick>: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// Whether ports have rows.
    const HAS_ROWS: bool;
    /// See [`Pending::lane`].
    type Lane;

    /// No pending events.
    fn none() -> Self;
    /// Rebases times to an epoch that begins `epochs` epochs later.
    fn age(&mut self, epochs: u32);

    /// Records credits that will return to a port. To make room, it may add earlier ones due by `past` to the `credits`
    /// of the port's VCs.
    fn record_credits(
        &mut self,
        port: usize,
        entry: PendingEvent<T>,
        past: T,
        row: &mut [PendingEvent<T>],
        credits: &mut [u8],
    );
    /// The times of a port's pending credits, or their number; for prefetching.
    fn lane(&self, port: usize) -> &Self::Lane;
    /// Adds the credits due by `now` to the `credits` of the port's VCs.
    fn take_credits(
        &mut self,
        port: usize,
        now: T,
        row: &mut [PendingEvent<T>],
        full_packet: u8,
        credits: &mut [u8],
    );
    /// The earliest return of a port's pending credits, which may have passed.
    fn next_credit_return(&self, port: usize, row: &[PendingEvent<T>]) -> T;
    /// All pending credits of a port, including those that are due.
    fn credits(
        &self,
        port: usize,
        row: &[PendingEvent<T>],
        full_packet: u8,
    ) -> impl Iterator<Item = PendingEvent<T>>;

    /// Whether there is room for another arrival at a port; `is_first` if none is pending there.
    fn has_room_for_arrival(&self, port: usize, is_first: bool, row: &[PendingEvent<T>]) -> bool;
    /// Records an arrival, after those already pending. There must be room.
    fn record_arrival(&mut self, port: usize, time: T, vc: u8, row: &mut [PendingEvent<T>]);
    /// Takes the first pending arrival of a port. There must be one.
    fn take_arrival(&mut self, port: usize, row: &mut [PendingEvent<T>]) -> Arrival<T>;
    /// The VCs of the arrivals pending at a port.
    fn heads(&self, port: usize, row: &[PendingEvent<T>]) -> impl Iterator<Item = usize>;

    /// Whether the restored events of a port, whose rows are `[credits, arrivals]`, fit these and are of `vcs` VCs.
    /// `has_arrival` states whether an arrival is pending.
    fn names_what_exists(
        &self,
        port: usize,
        vcs: usize,
        rows: [&[PendingEvent<T>]; 2],
        has_arrival: bool,
    ) -> bool;
}

/// Number of events in each port's row of credits and in its row of arrivals.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Rows<const P: usize> {
    #[serde(with = "serde_big_array::BigArray")]
    credits: [u16; P],
    #[serde(with = "serde_big_array::BigArray")]
    heads: [u16; P],
}

impl<T: Tick, const P: usize> Pending<T> for Rows<P> {
    const HAS_ROWS: bool = true;
    type Lane = u16;

    fn none() -> Self {
        Rows { credits: [0; P], heads: [0; P] }
    }

    fn age(&mut self, _: u32) {}

    #[inline(always)]
    fn record_credits(
        &mut self,
        port: usize,
        entry: PendingEvent<T>,
        past: T,
        row: &mut [PendingEvent<T>],
        credits: &mut [u8],
    ) {
        if usize::from(self.credits[port]) == row.len() {
            // The size of a full packet matters only for lanes.
            <Self as Pending<T>>::take_credits(self, port, past, row, 0, credits);
            assert!(usize::from(self.credits[port]) < row.len(), "too many pending credits for a link");
        }
        row[usize::from(self.credits[port])] = entry;
        self.credits[port] += 1;
    }

    #[inline(always)]
    fn lane(&self, port: usize) -> &u16 {
        &self.credits[port]
    }

    #[inline(always)]
    fn take_credits(&mut self, port: usize, now: T, row: &mut [PendingEvent<T>], _: u8, credits: &mut [u8]) {
        let recorded = usize::from(self.credits[port]);
        let mut left = 0;
        // SAFETY: a row never holds more events than it has room for.
        unsafe { assume(recorded <= row.len()) };
        for position in 0..recorded {
            let entry = row[position];
            // SAFETY: the VC is one of the machine's.
            unsafe { assume(usize::from(entry.vc) < credits.len()) };
            let is_due = u8::from(entry.time <= now);
            credits[usize::from(entry.vc)] += entry.credits & is_due.wrapping_neg();
            row[left] = entry;
            left += 1 - usize::from(is_due);
        }
        self.credits[port] = left as u16;
    }

    #[inline(always)]
    fn next_credit_return(&self, port: usize, row: &[PendingEvent<T>]) -> T {
        let recorded = &row[..usize::from(self.credits[port])];
        recorded.iter().fold(T::NEVER, |next, entry| next.min(entry.time))
    }

    #[inline(always)]
    fn credits(&self, port: usize, row: &[PendingEvent<T>], _: u8) -> impl Iterator<Item = PendingEvent<T>> {
        row[..usize::from(self.credits[port])].iter().copied()
    }

    #[inline(always)]
    fn has_room_for_arrival(&self, port: usize, _: bool, row: &[PendingEvent<T>]) -> bool {
        usize::from(self.heads[port]) < row.len()
    }

    #[inline(always)]
    fn record_arrival(&mut self, port: usize, time: T, vc: u8, row: &mut [PendingEvent<T>]) {
        row[usize::from(self.heads[port])] = PendingEvent { time, vc, credits: 0 };
        self.heads[port] += 1;
    }

    #[inline(always)]
    fn take_arrival(&mut self, port: usize, row: &mut [PendingEvent<T>]) -> Arrival<T> {
        // SAFETY: a row has room for at least one event, and one is pending.
        unsafe { assume(!row.is_empty()) };
        let vc = row[0].vc;
        self.heads[port] -= 1;
        let mut next = None;
        if self.heads[port] > 0 {
            row.copy_within(1.., 0);
            next = Some(row[0].time);
        }
        Arrival { vc: vc.into(), next }
    }

    fn heads(&self, port: usize, row: &[PendingEvent<T>]) -> impl Iterator<Item = usize> {
        row[..usize::from(self.heads[port])].iter().map(|entry| usize::from(entry.vc))
    }

    fn names_what_exists(
        &self,
        port: usize,
        vcs: usize,
        [credits, arrivals]: [&[PendingEvent<T>]; 2],
        _: bool,
    ) -> bool {
        let exist = |row: &[PendingEvent<T>], count: u16| {
            usize::from(count) <= row.len() && row.iter().all(|event| usize::from(event.vc) < vcs)
        };
        exist(credits, self.credits[port]) && exist(arrivals, self.heads[port])
    }
}

/// Number of lanes of a port. They are a first time for each of up to four VCs, then a second one for each. Lanes are
/// read eight at a time on every processor. A wider load would wait for the stores of lanes that have just changed.
const LANES: usize = 8;
const VCS: usize = LANES / 2;

/// For each set of up to six ports, a word with the lanes of the ports in it.
const ALL_EACH: [u64; 64] = {
    let (mut lanes, mut ports) = ([0; 64], 1usize);
    while ports < 64 {
        let first = ports & ports.wrapping_neg();
        lanes[ports] = lanes[ports - first] | 0xff << (LANES * first.trailing_zeros() as usize);
        ports += 1;
    }
    lanes
};

/// For each set of up to four VCs, a word with one byte per VC. The byte is 1 for a VC in the set, else 0.
const ONE_EACH: [u32; 16] = {
    let (mut ones, mut set) = ([0; 16], 0);
    while set < 16 {
        ones[set as usize] = set & 1 | (set & 2) << 7 | (set & 4) << 14 | (set & 8) << 21;
        set += 1;
    }
    ones
};

/// Times of returning credits by sender and VC, and the VCs with a pending arrival; `V` VCs at each port.
#[repr(C)]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Lanes<const V: usize> {
    credits: [[i16; LANES]; 6],
    heads: u32,
}

impl<const V: usize> Lanes<V> {
    /// The ports with credits due by `now`.
    #[inline(always)]
    pub fn ports_with_due_credits(&self, now: i16) -> u32 {
        // Each port has one byte: its top bit becomes whether it is nonzero, and the product gathers the top bits.
        const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        const TO_TOP_BYTE: u64 = 0x0102_0408_1020_4080;
        let arriving = Baseline::due(self.credits.as_flattened(), now);
        let some = (((arriving & LOW_BITS) + LOW_BITS) | arriving) & !LOW_BITS;
        ((some >> 7).wrapping_mul(TO_TOP_BYTE) >> 56) as u32
    }

    /// The earliest return of the pending credits of some ports.
    #[inline(always)]
    pub fn next_credit_return_of(&self, ports: u32) -> i16 {
        Baseline::earliest(self.credits.as_flattened(), ALL_EACH[ports as usize % 64])
    }

    /// Takes all arrivals pending for some VCs, and returns their VCs.
    #[inline(always)]
    pub fn take_arrivals(&mut self, vcs: u32) -> u32 {
        let heads = self.heads & vcs;
        self.heads &= !vcs;
        heads
    }
}

impl<const V: usize> Pending<i16> for Lanes<V> {
    const HAS_ROWS: bool = false;
    type Lane = [i16; LANES];

    fn none() -> Self {
        Lanes { credits: [[i16::NEVER; LANES]; 6], heads: 0 }
    }

    fn age(&mut self, epochs: u32) {
        self.credits.as_flattened_mut().iter_mut().for_each(|time| *time = time.age(epochs));
    }

    #[inline(always)]
    fn record_credits(
        &mut self,
        port: usize,
        entry: PendingEvent<i16>,
        past: i16,
        _: &mut [PendingEvent<i16>],
        credits: &mut [u8],
    ) {
        let vc = usize::from(entry.vc);
        // SAFETY: the VC is one of the machine's, which has up to four.
        unsafe { assume(vc < V && V <= 4) };
        let lanes = &mut self.credits[port];
        let first = lanes[vc];
        // A time must be later than `past`, but not `NEVER`: one comparison instead of an unpredictable branch.
        let later = past.wrapping_add(1);
        let is_to_come = (first.wrapping_sub(later) as u16) < i16::NEVER.wrapping_sub(later) as u16;
        let lane = vc + VCS * usize::from(is_to_come);
        let is_due = lanes[lane] <= past;
        assert!(is_due | (lanes[lane] == i16::NEVER), "too many pending credits for a VC");
        credits[vc] += entry.credits & u8::from(is_due).wrapping_neg();
        lanes[lane] = entry.time;
    }

    #[inline(always)]
    fn lane(&self, port: usize) -> &[i16; LANES] {
        &self.credits[port]
    }

    #[inline(always)]
    fn take_credits(
        &mut self,
        port: usize,
        now: i16,
        _: &mut [PendingEvent<i16>],
        full_packet: u8,
        credits: &mut [u8],
    ) {
        let arriving = usize::from(Baseline::take_due(&mut self.credits[port], now));
        let packets = ONE_EACH[arriving % 16] + ONE_EACH[arriving / 16];
        let mut word = [0; VCS];
        word[..V].copy_from_slice(credits);
        let word = u32::from_le_bytes(word) + packets * u32::from(full_packet);
        credits.copy_from_slice(&word.to_le_bytes()[..V]);
    }

    #[inline(always)]
    fn next_credit_return(&self, port: usize, _: &[PendingEvent<i16>]) -> i16 {
        Baseline::earliest(&self.credits[port], u64::MAX)
    }

    fn credits(
        &self,
        port: usize,
        _: &[PendingEvent<i16>],
        full_packet: u8,
    ) -> impl Iterator<Item = PendingEvent<i16>> {
        let recorded = self.credits[port].iter().enumerate().filter(|(_, time)| **time != i16::NEVER);
        recorded.map(move |(lane, &time)| PendingEvent { time, vc: (lane % VCS) as u8, credits: full_packet })
    }

    #[inline(always)]
    fn has_room_for_arrival(&self, _: usize, is_first: bool, _: &[PendingEvent<i16>]) -> bool {
        is_first
    }

    #[inline(always)]
    fn record_arrival(&mut self, port: usize, _: i16, vc: u8, _: &mut [PendingEvent<i16>]) {
        self.heads |= 1 << (port * V + usize::from(vc));
    }

    fn take_arrival(&mut self, port: usize, _: &mut [PendingEvent<i16>]) -> Arrival<i16> {
        let head = (self.heads >> (port * V)).first();
        self.heads &= !u32::only(port * V + head);
        Arrival { vc: head, next: None }
    }

    fn heads(&self, port: usize, _: &[PendingEvent<i16>]) -> impl Iterator<Item = usize> {
        (self.heads >> (port * V) & ((1 << V) - 1)).iter()
    }

    fn names_what_exists(
        &self,
        port: usize,
        _: usize,
        _: [&[PendingEvent<i16>]; 2],
        has_arrival: bool,
    ) -> bool {
        !has_arrival || self.heads >> (port * V) & ((1 << V) - 1) != 0
    }
}
