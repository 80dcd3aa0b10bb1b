//! Links that make errors: what a slab keeps of their ends, and what becomes of each frame.
//!
//! The protocol is that of [`crate::link`], its rules and times are the reference engine's (`reference/links.rs`). What
//! that finds out when a frame arrives is known here when it leaves: which bits are wrong follows from the number of the
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

use super::mail::{LINK_ACK, LOST_FRAME, Mail};
use crate::fabric::{Fabric, TransferCycles};
use crate::link::{
    ACK_BYTES, Ack, BitErrors, Checksum, Damage, Kept, LinkProtocol, LinkTotals, Reception, Transmission,
    Verdict, verdict,
};
use crate::packet::Packet;
use end::{NEVER, flip};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Counts that lie ahead are looked through when there are so many.
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

/// See the head of this module.
pub struct NoisyLinks {
    shared: Arc<Shared>,
    ports: usize,
    fifos: usize,
    /// By node and port.
    pub ends: Vec<LinkEnd>,
    /// When each node is to be looked at next because of its links.
    pub wakes: Vec<u64>,
    /// Of all that has left each injection FIFO, by node and FIFO.
    pub injection: Vec<Checksum>,
    totals: LinkTotals,
    /// What is to be counted when it arrives.
    ahead: Vec<(u64, LinkTotals)>,
    /// Kept for their room.
    wrong_bits: Vec<usize>,
    packet: Vec<u8>,
}

/// A node at a cycle.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    /// The machine.
    pub fabric: &'a Fabric,
    /// Its number within the slab.
    pub local: usize,
    /// Its number.
    pub number: u32,
    /// The cycle.
    pub now: u64,
}

impl Shared {
    /// What the slabs of a machine share, if its links make errors.
    pub fn new(fabric: &Fabric) -> Option<Arc<Self>> {
        let protocol = fabric.parameters.link_protocol?;
        let most_bits = 8 * fabric.frame_bytes(fabric.full_packet).max(ACK_BYTES);
        Some(Arc::new(Shared {
            protocol,
            errors: BitErrors::new(protocol.bit_error_rate, most_bits),
            capacity_chunks: protocol.retransmission_fifo_bytes / fabric.parameters.packet.chunk_bytes,
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

impl NoisyLinks {
    /// Links at rest of `nodes` nodes.
    pub fn new(fabric: &Fabric, shared: Arc<Shared>, nodes: usize) -> Self {
        let node = &fabric.parameters.node;
        let fifos = usize::from(node.normal_injection_fifos + node.high_priority_injection_fifos);
        NoisyLinks {
            shared,
            ports: fabric.ports,
            fifos,
            ends: vec![LinkEnd::default(); nodes * fabric.ports],
            wakes: vec![NEVER; nodes],
            injection: vec![Checksum::default(); nodes * fifos],
            totals: LinkTotals::default(),
            ahead: Vec::new(),
            wrong_bits: Vec::new(),
            packet: Vec::new(),
        }
    }

    /// A node's end of the links at a port.
    #[inline(always)]
    pub fn end(&self, local: usize, port: usize) -> &LinkEnd {
        &self.ends[local * self.ports + port]
    }

    /// The same, to change it.
    #[inline(always)]
    pub fn end_mut(&mut self, local: usize, port: usize) -> &mut LinkEnd {
        &mut self.ends[local * self.ports + port]
    }

    /// When a node is to be looked at next because of its links.
    #[inline(always)]
    pub fn wake(&self, local: usize) -> Option<u64> {
        (self.wakes[local] != NEVER).then_some(self.wakes[local])
    }

    /// Whether a sender could take a full packet.
    #[inline(always)]
    pub fn has_room(&self, fabric: &Fabric, local: usize, port: usize) -> bool {
        self.end(local, port).sender.has_room(fabric.full_packet, self.shared.capacity_chunks)
    }

    /// Counts something that is so from `time` on.
    fn count_ahead(&mut self, now: u64, time: u64, what: LinkTotals) {
        if self.ahead.len() >= MANY_AHEAD {
            self.totals = self.totals_at(now);
            self.ahead.retain(|(time, _)| *time >= now);
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
    fn draw_errors(&mut self, here: Here<'_>, port: usize, bytes: usize) -> bool {
        let number = self.end_mut(here.local, port).sender.count_transmission();
        let transmission = Transmission { key: here.fabric.seed_key.of_node(here.number), port, number };
        self.wrong_bits.clear();
        self.shared.errors.draw(&transmission, 8 * bytes, |bit| self.wrong_bits.push(bit));
        !self.wrong_bits.is_empty()
    }

    /// Puts a frame on the wire; what its receiver will see of it.
    #[inline(always)]
    fn transmit(&mut self, here: Here<'_>, port: usize, sequence: u64, kept: &Kept<Carried>) -> Mail {
        let Carried { packet, offered, handle, channel } = kept.content;
        let TransferCycles { wire, arrival, .. } = *here.fabric.transfer_cycles(port, kept.chunks);
        let arrival = here.now + u64::from(arrival);
        let is_wrong = self.draw_errors(here, port, here.fabric.frame_bytes(kept.chunks));
        self.totals.frames += 1;
        let end = self.end_mut(here.local, port);
        end.wire_free_at = here.now + u64::from(wire);
        let needs_bytes = is_wrong | end.is_followed() | self.shared.is_damaged.load(Ordering::Relaxed);
        let reception = match needs_bytes {
            false => self.end_mut(here.local, port).acceptance.judge(Verdict::clean(sequence)),
            true => self.judge(here, port, sequence, kept, arrival),
        };
        if reception == Reception::Accepted {
            return Mail { time: arrival, packet, offered, handle, channel, ..Mail::default() };
        }
        self.count_ahead(here.now, arrival, reception.counted());
        let tail = arrival + u64::from(here.fabric.reception_cycles(kept.chunks));
        Mail { time: tail, tokens: LOST_FRAME, ..Mail::default() }
    }

    /// Judges a frame by its bytes.
    #[cold]
    fn judge(
        &mut self,
        here: Here<'_>,
        port: usize,
        sequence: u64,
        kept: &Kept<Carried>,
        arrival: u64,
    ) -> Reception {
        let Kept { content: Carried { packet, channel, .. }, chunks, .. } = *kept;
        let (shared, wrong_bits) = (self.shared.clone(), std::mem::take(&mut self.wrong_bits));
        let mut damage = shared.damage();
        let bytes = damage.bytes_of(here.fabric, packet, channel.into());
        let mut frame = bytes.frame(sequence, here.fabric.frame_bytes(chunks));
        let packet_bytes = bytes.bytes;
        wrong_bits.iter().for_each(|&bit| flip(&mut frame, bit));
        let end = self.end_mut(here.local, port);
        let reception = end.acceptance.judge(verdict(&frame, packet_bytes));
        if reception == Reception::Accepted {
            if !wrong_bits.is_empty() || end.is_followed() {
                end.follow_checksums(arrival, packet_bytes, &wrong_bits);
            }
            let counted = damage.accept(here.fabric, packet, &frame, !wrong_bits.is_empty());
            shared.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
            self.count_ahead(here.now, arrival, counted);
        }
        self.wrong_bits = wrong_bits;
        reception
    }

    /// Puts an acknowledgement or a probe on the wire at `start`; what comes of it at the other end, if it is understood.
    #[inline(always)]
    fn transmit_ack(&mut self, here: Here<'_>, port: usize, ack: Ack, arrival: u64) -> Option<Mail> {
        let is_wrong = self.draw_errors(here, port, ACK_BYTES);
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
    fn add_injected(&mut self, here: Here<'_>, fifo: usize, packet: Packet) {
        let none = Damage::default();
        let damage = self.shared.is_damaged.load(Ordering::Relaxed).then(|| self.shared.damage());
        let bytes = damage.as_deref().unwrap_or(&none).bytes_of(here.fabric, packet, 0);
        bytes.write_payload(&mut self.packet);
        self.injection[here.local * self.fifos + fifo].add(bytes.payload(&self.packet));
    }

    /// Bytes of the arrays.
    pub fn bytes(&self, fabric: &Fabric) -> usize {
        let kept = (self.shared.capacity_chunks / u32::from(fabric.smallest_chunks)) as usize;
        size_of_val(&self.ends[..])
            + self.ends.len() * kept * size_of::<Kept<Carried>>()
            + size_of_val(&self.wakes[..])
            + size_of_val(&self.injection[..])
    }
}
