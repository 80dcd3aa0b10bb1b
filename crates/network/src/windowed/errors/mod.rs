//! Links that make errors: what a slab keeps of their ends, and what becomes of each frame.
//!
//! The protocol is that of [`crate::link`], its rules and times are the reference engine's (`reference/links.rs`). What it
//! finds out when a frame arrives is known here when it leaves: which bits are wrong follows from the number of the
//! transmission, and which packet the receiver waits for from the frames that went before. So a sender judges its own
//! frames: heads that are accepted go on as all heads do, of the others only the tail is announced. Bytes are made of those
//! frames alone that have wrong bits; all others are known to have right checksums.
//!
//! ```text
//!   transmit:  errors drawn -> judged -> head that arrives, or lost frame    (mail)
//!   tails:     when an acknowledgement is due                                (noted at the receiver)
//!   acks:      when tokens come back, and kept packets can be forgotten      (noted at the sender)
//! ```

mod census;
mod checkpoint;
mod end;
mod events;

pub use census::put_on;
pub use checkpoint::{NoisyShare, NoisyWhole};
pub use end::{Carried, LinkEnd};

use super::label::Label;
use super::mail::{LINK_ACK, LOST_FRAME, Mail};
use crate::fabric::{Fabric, TransferCycles};
use crate::link::{
    ACK_BYTES, Ack, BitErrors, Checksum, Damage, Kept, LinkProtocol, LinkTotals, Reception, Transmission,
    Verdict, flip, verdict,
};
use crate::packet::Packet;
use end::NEVER;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Counts that lie ahead are looked through when there are so many, and then when they are twice as many as are left.
const MANY_AHEAD: usize = 256;

/// What all slabs of a machine share.
#[derive(Debug)]
pub struct Shared {
    protocol: LinkProtocol,
    errors: BitErrors,
    /// Room of a sender for what it keeps.
    capacity_chunks: u32,
    damage: Mutex<Damage>,
    /// Whether there is any: no packet's is asked for in the window in which it comes to be.
    is_damaged: AtomicBool,
}

/// When the ends of the links at a port are due: what is asked in every step.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Clock {
    /// When there is something to do at its very cycle.
    duty: u64,
    /// When the next acknowledgement comes: nobody need be woken for it who does not wait.
    ack: u64,
    /// Whether the sender has no room for a full packet.
    is_full: bool,
}

impl Clock {
    #[inline(always)]
    fn is_due(&self, now: u64) -> bool {
        (self.duty <= now) | (self.ack <= now)
    }
}

/// See the head of this module.
pub struct NoisyLinks<L> {
    shared: Arc<Shared>,
    ports: usize,
    fifos: usize,
    /// By node and port.
    ends: Vec<LinkEnd<L>>,
    /// The same: when they are due.
    clocks: Vec<Clock>,
    /// When each node is to be looked at next because of its links.
    wakes: Vec<u64>,
    /// Of all that has left each injection FIFO, by node and FIFO.
    injection: Vec<Checksum>,
    totals: LinkTotals,
    /// What is to be counted when it arrives.
    ahead: Vec<(u64, LinkTotals)>,
    /// How many of these are too many.
    most_ahead: usize,
    /// Acknowledgements that nodes have sent in the window under way.
    ack_mail: Vec<Mail<L>>,
    /// Kept for their room.
    wrong_bits: Vec<usize>,
    packet: Vec<u8>,
}

/// A node at a cycle.
#[derive(Clone, Copy)]
struct Here {
    /// Its number within the slab.
    local: usize,
    /// Its number.
    number: u32,
    /// The cycle.
    now: u64,
}

impl Shared {
    /// What the slabs of a machine share, if its links make errors.
    pub fn new(fabric: &Fabric) -> Option<Arc<Self>> {
        let protocol = fabric.parameters.link_protocol?;
        Some(Arc::new(Shared {
            protocol,
            errors: fabric.bit_errors(&protocol),
            capacity_chunks: fabric.retransmission_chunks(&protocol),
            damage: Mutex::new(Damage::default()),
            is_damaged: AtomicBool::new(false),
        }))
    }

    fn damage(&self) -> MutexGuard<'_, Damage> {
        self.damage.lock().expect("no thread panics with the table of damage")
    }

    /// Takes over a table of damage.
    fn put_damage(&self, damage: Damage) {
        self.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
        *self.damage() = damage;
    }
}

impl<L: Label> NoisyLinks<L> {
    /// Links at rest of `nodes` nodes.
    pub fn new(fabric: &Fabric, shared: Arc<Shared>, nodes: usize) -> Self {
        let fifos = fabric.parameters.node.injection_fifos();
        NoisyLinks {
            shared,
            ports: fabric.ports,
            fifos,
            ends: vec![LinkEnd::default(); nodes * fabric.ports],
            clocks: vec![Clock { duty: NEVER, ack: NEVER, is_full: false }; nodes * fabric.ports],
            wakes: vec![NEVER; nodes],
            injection: vec![Checksum::default(); nodes * fifos],
            totals: LinkTotals::default(),
            ahead: Vec::new(),
            most_ahead: MANY_AHEAD,
            ack_mail: Vec::new(),
            wrong_bits: Vec::new(),
            packet: Vec::new(),
        }
    }

    /// A node's end of the links at a port.
    #[inline(always)]
    fn end(&self, local: usize, port: usize) -> &LinkEnd<L> {
        &self.ends[local * self.ports + port]
    }

    /// The same, to change it.
    #[inline(always)]
    fn end_mut(&mut self, local: usize, port: usize) -> &mut LinkEnd<L> {
        &mut self.ends[local * self.ports + port]
    }

    /// When a node is to be looked at next because of its links.
    #[inline(always)]
    pub fn wake(&self, local: usize) -> Option<u64> {
        (self.wakes[local] != NEVER).then_some(self.wakes[local])
    }

    #[inline(always)]
    fn clock(&self, local: usize, port: usize) -> &Clock {
        &self.clocks[local * self.ports + port]
    }

    #[inline(always)]
    fn timeout_cycles(&self) -> u32 {
        self.shared.protocol.timeout_cycles
    }

    /// Cycles for which an acknowledgement holds a link; none where data packets pay for it.
    #[inline(always)]
    fn ack_cycles(&self, fabric: &Fabric, port: usize) -> u64 {
        let rate = u64::from(fabric.parameters.links[port / 2].cycles_per_byte);
        if self.shared.protocol.explicit_acks { ACK_BYTES as u64 * rate } else { 0 }
    }

    /// Sets the clock of a port by the state of its ends; from when on arbitration can have the link.
    #[inline(always)]
    fn set_clock(&mut self, fabric: &Fabric, local: usize, port: usize) -> u64 {
        let index = local * self.ports + port;
        let end = &self.ends[index];
        let is_full = !end.sender.has_room(fabric.full_packet, self.shared.capacity_chunks);
        self.clocks[index] = Clock { duty: end.next_duty(), ack: end.next_ack(), is_full };
        if is_full { NEVER } else { end.wire_free_at }
    }

    /// Finds out when a node's links are to be looked at next; of its ports some are `stalled`.
    #[inline(always)]
    fn plan(&mut self, local: usize, stalled: u16) {
        let clocks = &self.clocks[local * self.ports..(local + 1) * self.ports];
        let next = clocks.iter().enumerate().fold(NEVER, |next, (port, clock)| {
            let waits = clock.is_full | (stalled >> port & 1 == 1);
            next.min(clock.duty).min(if waits { clock.ack } else { NEVER })
        });
        self.wakes[local] = next;
    }

    /// Whether an acknowledgement has come by `now` that a stalled or full port of a node waits for.
    #[inline(always)]
    fn has_ack_for_waiting(&self, local: usize, stalled: u16, now: u64) -> bool {
        let clocks = &self.clocks[local * self.ports..(local + 1) * self.ports];
        let waits =
            |(port, clock): (usize, &Clock)| (clock.is_full | (stalled >> port & 1 == 1)) && clock.ack <= now;
        clocks.iter().enumerate().any(waits)
    }

    /// A packet has left a channel.
    #[inline(always)]
    fn free(&mut self, local: usize, port: usize, channel: usize, tokens: u8) {
        let index = local * self.ports + port;
        self.ends[index].free(channel, tokens);
        self.clocks[index].duty = 0;
    }

    /// Notes when the tail of a frame, or a probe, comes.
    fn note_tail(&mut self, local: usize, port: usize, time: u64, is_accepted: bool) {
        let index = local * self.ports + port;
        let tails = &mut self.ends[index].tails;
        let place = tails.partition_point(|&(earlier, _)| earlier <= time);
        tails.insert(place, (time, is_accepted));
        self.clocks[index].duty = self.clocks[index].duty.min(time);
        self.wakes[local] = self.wakes[local].min(time);
    }

    /// Notes when an acknowledgement comes; whether the node is to be woken for it, as it is if the port is `stalled`.
    fn note_ack(&mut self, local: usize, port: usize, time: u64, ack: Ack, stalled: u16) -> bool {
        let index = local * self.ports + port;
        self.ends[index].acks.push_back((time, ack));
        let clock = &mut self.clocks[index];
        clock.ack = clock.ack.min(time);
        let waits = clock.is_full | (stalled >> port & 1 == 1);
        if waits {
            self.wakes[local] = self.wakes[local].min(time);
        }
        waits
    }

    /// Counts something that is so from `time` on.
    fn count_ahead(&mut self, now: u64, time: u64, what: LinkTotals) {
        if self.ahead.len() >= self.most_ahead {
            self.totals = self.totals_at(now);
            self.ahead.retain(|(time, _)| *time >= now);
            self.most_ahead = MANY_AHEAD.max(2 * self.ahead.len());
        }
        self.ahead.push((time, what));
    }

    /// What has been counted before `now`.
    pub fn totals_at(&self, now: u64) -> LinkTotals {
        let mut totals = self.totals;
        self.ahead.iter().filter(|(time, _)| *time < now).for_each(|(_, what)| totals += *what);
        totals
    }

    /// Draws the bits of a transmission that the wire changes; whether there are any.
    #[inline(always)]
    fn draw_errors(&mut self, fabric: &Fabric, here: Here, port: usize, bytes: usize) -> bool {
        let number = self.end_mut(here.local, port).sender.count_transmission();
        let transmission = Transmission { key: fabric.seed_key.of_node(here.number), port, number };
        self.wrong_bits.clear();
        self.shared.errors.draw(&transmission, 8 * bytes, |bit| self.wrong_bits.push(bit));
        !self.wrong_bits.is_empty()
    }

    /// Puts a frame on the wire; what its receiver will see of it.
    #[inline(always)]
    fn transmit(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        sequence: u64,
        kept: &Kept<Carried<L>>,
    ) -> Mail<L> {
        let Carried { packet, offered, label, channel } = kept.content;
        let TransferCycles { wire, arrival, .. } = *fabric.transfer_cycles(port, kept.chunks);
        let arrival = here.now + u64::from(arrival);
        let is_wrong = self.draw_errors(fabric, here, port, fabric.frame_bytes(kept.chunks));
        self.totals.frames += 1;
        let end = self.end_mut(here.local, port);
        end.wire_free_at = here.now + u64::from(wire);
        let needs_bytes = is_wrong | end.is_followed() | self.shared.is_damaged.load(Ordering::Relaxed);
        let reception = match needs_bytes {
            false => self.end_mut(here.local, port).acceptance.judge(Verdict::clean(sequence)),
            true => self.judge(fabric, here, port, sequence, kept, arrival),
        };
        if reception == Reception::Accepted {
            return Mail { time: arrival, packet, offered, label, channel, ..Mail::default() };
        }
        self.count_ahead(here.now, arrival, reception.counted());
        let tail = arrival + u64::from(fabric.reception_cycles(kept.chunks));
        Mail { time: tail, tokens: LOST_FRAME, ..Mail::default() }
    }

    /// Judges a frame by its bytes.
    #[cold]
    fn judge(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        sequence: u64,
        kept: &Kept<Carried<L>>,
        arrival: u64,
    ) -> Reception {
        let Kept { content: Carried { packet, channel, .. }, chunks, .. } = *kept;
        let (shared, wrong_bits) = (self.shared.clone(), std::mem::take(&mut self.wrong_bits));
        let mut damage = shared.damage();
        let bytes = damage.bytes_of(fabric, packet, channel.into());
        let mut frame = bytes.frame(sequence, fabric.frame_bytes(chunks));
        let packet_bytes = bytes.bytes;
        wrong_bits.iter().for_each(|&bit| flip(&mut frame, bit));
        let end = self.end_mut(here.local, port);
        let reception = end.acceptance.judge(verdict(&frame, packet_bytes));
        if reception == Reception::Accepted {
            if !wrong_bits.is_empty() || end.is_followed() {
                end.follow_checksums(arrival, packet_bytes, &wrong_bits);
            }
            let counted = damage.accept(fabric, packet, &frame, !wrong_bits.is_empty());
            shared.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
            self.count_ahead(here.now, arrival, counted);
        }
        self.wrong_bits = wrong_bits;
        reception
    }

    /// Puts an acknowledgement or a probe on the wire, for `arrival`; what its receiver will see of it, if it understands it.
    #[inline(always)]
    fn transmit_ack(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        ack: Ack,
        arrival: u64,
    ) -> Option<Mail<L>> {
        let is_wrong = self.draw_errors(fabric, here, port, ACK_BYTES);
        self.totals.acks += u64::from(!ack.is_probe);
        self.totals.probes += u64::from(ack.is_probe);
        let heard = if is_wrong { self.garbled(ack) } else { Some(ack) };
        match heard {
            Some(ack) => {
                let packet = Packet(u64::from_le_bytes(ack.unchecked_bytes()));
                Some(Mail { time: arrival, packet, tokens: LINK_ACK, ..Mail::default() })
            }
            None => {
                self.count_ahead(here.now, arrival, LinkTotals { lost_acks: 1, ..LinkTotals::default() });
                None
            }
        }
    }

    /// What is understood of an acknowledgement with wrong bits.
    #[cold]
    fn garbled(&self, ack: Ack) -> Option<Ack> {
        let mut bytes = ack.bytes();
        self.wrong_bits.iter().for_each(|&bit| flip(&mut bytes, bit));
        Ack::read(&bytes)
    }

    /// Adds a packet to the checksum of all that has left an injection FIFO.
    fn add_injected(&mut self, fabric: &Fabric, here: Here, fifo: usize, packet: Packet) {
        let none = Damage::default();
        let damage = self.shared.is_damaged.load(Ordering::Relaxed).then(|| self.shared.damage());
        let bytes = damage.as_deref().unwrap_or(&none).bytes_of(fabric, packet, 0);
        bytes.write_payload(&mut self.packet);
        self.injection[here.local * self.fifos + fifo].add(bytes.payload(&self.packet));
    }

    /// Bytes of the arrays.
    pub fn bytes(&self, fabric: &Fabric) -> usize {
        let kept = (self.shared.capacity_chunks / u32::from(fabric.smallest_chunks)) as usize;
        size_of_val(&self.ends[..])
            + size_of_val(&self.clocks[..])
            + self.ends.len() * kept * size_of::<Kept<Carried<L>>>()
            + size_of_val(&self.wakes[..])
            + size_of_val(&self.injection[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::NodeKey;
    use crate::engine::{Engine, Posted};
    use crate::link::{BitErrorRate, LinkReport, forced};
    use crate::reference::ReferenceEngine;
    use crate::source::{Class, Traffic};
    use crate::{Parameters, windowed};
    use geometry::{Hops, Shape};

    const SEED: u64 = 7;

    fn parameters() -> Parameters {
        let protocol = LinkProtocol {
            bit_error_rate: BitErrorRate::new(0.0),
            timeout_cycles: 600,
            retransmission_fifo_bytes: 2048,
            explicit_acks: false,
        };
        let shape = Shape::torus(&[8]).unwrap();
        Parameters { link_protocol: Some(protocol), ..Parameters::bluegene_l(shape, SEED) }
    }

    /// The bits of a frame that differ where the polynomial of its CRC-24 is added at a byte: no checksum shows it.
    fn unseen_at(byte: usize) -> Vec<usize> {
        let polynomial = (1 << 24 | crc::CRC_24_FLEXRAY_A.poly) << 7;
        let set = (0..32).filter(|place| polynomial >> (31 - place) & 1 == 1);
        set.map(|place| 8 * (byte + place / 8) + 7 - place % 8).collect()
    }

    /// The bits that are wrong in a transmission of a node in x+.
    fn wrong(node: u32, number: u64, bits: Vec<usize>) -> (Transmission, Vec<usize>) {
        (Transmission { key: NodeKey::new(SEED, node), port: 0, number }, bits)
    }

    /// Node 0 sends four packets three hops in x+; the same of both engines at every cut.
    fn run(errors: Vec<(Transmission, Vec<usize>)>) -> LinkReport {
        forced::put(errors);
        let traffic = Traffic::Posted { smallest_chunks: 8, high_priority: false };
        let hops = Hops([3, 0, 0, 0, 0, 0]);
        let class = Class { deterministic: true, ..Class::default() };
        let posted = Posted { node: 0, core: 0, ready: 0, hops, chunks: 8, class, handle: 0 };
        let mut reference = ReferenceEngine::new(parameters(), traffic.clone());
        let mut windowed = [1, 3].map(|threads| windowed::new_engine(parameters(), traffic.clone(), threads));
        reference.post(&[posted; 4]);
        windowed.iter_mut().for_each(|engine| engine.post(&[posted; 4]));
        for cut in (0..5000).step_by(7) {
            reference.advance(cut);
            for engine in &mut windowed {
                engine.advance(cut);
                assert_eq!(engine.link_report(), reference.link_report(), "at cycle {cut}");
                assert_eq!(engine.totals().digest, reference.totals().digest, "at cycle {cut}");
            }
        }
        assert_eq!(reference.totals().delivered, 4);
        reference.link_report().expect("links make errors")
    }

    /// What no checksum of a packet shows is known to the simulation, and to the checksums of both ends of its link.
    #[test]
    fn what_escapes_is_told_by_both_engines() {
        let seen = |report: &LinkReport| {
            let totals = report.totals;
            (totals.escapes, totals.damaged_packets, totals.corrupted, report.mismatched.clone())
        };
        assert_eq!(seen(&run(vec![])), (0, 0, 0, vec![]));
        assert_eq!(seen(&run(vec![wrong(0, 1, unseen_at(100))])), (1, 1, 0, vec![(0, 0)]));
        assert_eq!(seen(&run(vec![wrong(0, 0, vec![900, 901, 903])])), (0, 0, 1, vec![]));
        let twice = vec![wrong(0, 0, unseen_at(100)), wrong(0, 1, unseen_at(20)), wrong(1, 0, unseen_at(40))];
        assert_eq!(seen(&run(twice)), (3, 2, 0, vec![(0, 0), (1, 0)]));
        // The second error undoes the first.
        let undone = vec![wrong(0, 0, unseen_at(100)), wrong(1, 0, unseen_at(100))];
        assert_eq!(seen(&run(undone)).0, 2);
    }
}
