//! Lossy links: the state of their ends in a subdomain, and the outcome of each frame.
//!
//! The protocol is that of [`network::link`]; its rules and times are those of the reference engine
//! (`reference/src/links.rs`). There the outcome of a frame is determined when it arrives. Here it is known when the frame
//! leaves: the number of the transmission determines which bits are wrong, and the preceding frames determine which
//! packet the receiver expects. So a sender judges its own frames. Accepted packets continue like any others; of a lost
//! frame, only the tail is announced. Bytes are built only for frames with wrong bits and where an earlier error has
//! escaped detection: all other frames are known to have correct checksums.
//!
//! ```text
//!   transmit:  errors drawn -> judged -> packet that arrives, or lost frame    (event to the other node)
//!   tails:     when an acknowledgement is due                                  (recorded at the receiver)
//!   acks:      when credits return, and kept packets can be discarded          (recorded at the sender)
//! ```

mod checkpoint;
mod end;
mod events;
mod inspection;

pub use checkpoint::{LossyEngineState, LossyNodeState};
pub use end::{Carried, LinkEnd};
pub(super) use events::LinkErrors;
pub use inspection::attach;

use crate::metadata::Metadata;
use crate::outgoing::{LINK_ACK, LOST_FRAME, RemoteEvent};
use end::NEVER;
use network::fabric::{Fabric, TransferCycles};
use network::link::{
    ACK_BYTES, Ack, BitErrors, Change, Checksum, DamagedPayloads, LinkProtocol, LinkTotals, Reception,
    Transmission, Unacknowledged, Verdict, flip, verdict,
};
use network::packet::Packet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Length at which the list of future counts is first compacted. Later compactions begin at twice the length that
/// remained, if that is more.
const COMPACT_AT: usize = 256;

/// State that all subdomains of a machine share.
#[derive(Debug)]
pub struct Shared {
    protocol: LinkProtocol,
    errors: BitErrors,
    /// Capacity of a sender's retransmission FIFO, in chunks.
    capacity_chunks: u32,
    damage: Mutex<DamagedPayloads>,
    /// Whether any payload is damaged. A packet's damage is never looked up in the window in which it arises.
    is_damaged: AtomicBool,
}

/// The times at which the link ends at a port are due, which every step checks.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// The next cycle in which an end has something to do; the node is always woken for it.
    next_task: u64,
    /// The cycle in which the next acknowledgement arrives. The node is woken for it only if the port waits for it.
    ack: u64,
    /// Whether the sender has no room for a full packet.
    is_full: bool,
}

impl Clock {
    #[inline(always)]
    fn is_due(&self, now: u64) -> bool {
        (self.next_task <= now) | (self.ack <= now)
    }
}

/// The lossy links of a subdomain. See the module documentation.
pub struct LossyLinks<L> {
    shared: Arc<Shared>,
    ports: usize,
    fifos: usize,
    /// Link ends, by node and port.
    ends: Vec<LinkEnd<L>>,
    /// The times at which the ends are due, by node and port.
    clocks: Vec<Clock>,
    /// The cycle in which each node next has to be visited because of its links.
    wakes: Vec<u64>,
    /// Checksum of all packets that have left each injection FIFO, by node and FIFO.
    injection: Vec<Checksum>,
    totals: LinkTotals,
    /// Counts that take effect in a later cycle.
    ahead: Vec<(u64, LinkTotals)>,
    /// Length of `ahead` at which it is compacted.
    compact_at: usize,
    /// Acknowledgements that nodes have sent in the current window.
    outgoing_acks: Vec<RemoteEvent<L>>,
    /// Scratch buffer, kept to reuse its allocation, like `packet`.
    wrong_bits: Vec<usize>,
    packet: Vec<u8>,
}

/// A node and the current cycle.
#[derive(Clone, Copy)]
pub struct Here {
    /// The node's number within the subdomain.
    pub local: usize,
    /// The node's number.
    pub number: u32,
    /// The cycle.
    pub now: u64,
}

impl Shared {
    /// The state that the subdomains of a machine share, if its links are lossy.
    pub fn new(fabric: &Fabric) -> Option<Arc<Self>> {
        let protocol = fabric.parameters.link_protocol?;
        Some(Arc::new(Shared {
            protocol,
            errors: fabric.bit_errors(&protocol),
            capacity_chunks: fabric.retransmission_chunks(&protocol),
            damage: Mutex::new(DamagedPayloads::default()),
            is_damaged: AtomicBool::new(false),
        }))
    }

    fn damage(&self) -> MutexGuard<'_, DamagedPayloads> {
        self.damage.lock().expect("no thread panics with the table of damage")
    }

    /// Replaces the table of damage.
    fn set_damage(&self, damage: DamagedPayloads) {
        self.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
        self.damage().replace(damage);
    }

    /// Lets the table of damage keep news from now on.
    pub fn keep_news(&self) {
        self.damage().keep_news();
    }

    /// The changes of the table of damage since the last news.
    pub fn take_news(&self) -> Vec<Change> {
        self.damage().take_news()
    }

    /// Makes the changes of another process to the table of damage.
    pub fn hear(&self, news: Vec<Change>) {
        if !news.is_empty() {
            let mut damage = self.damage();
            damage.hear(news);
            self.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
        }
    }
}

impl<L: Metadata> LossyLinks<L> {
    /// Links of `nodes` nodes, at rest.
    pub fn new(fabric: &Fabric, shared: Arc<Shared>, nodes: usize) -> Self {
        let fifos = fabric.parameters.node.injection_fifos();
        LossyLinks {
            shared,
            ports: fabric.ports,
            fifos,
            ends: vec![LinkEnd::default(); nodes * fabric.ports],
            clocks: vec![Clock { next_task: NEVER, ack: NEVER, is_full: false }; nodes * fabric.ports],
            wakes: vec![NEVER; nodes],
            injection: vec![Checksum::default(); nodes * fifos],
            totals: LinkTotals::default(),
            ahead: Vec::new(),
            compact_at: COMPACT_AT,
            outgoing_acks: Vec::new(),
            wrong_bits: Vec::new(),
            packet: Vec::new(),
        }
    }

    /// A node's end of the links at a port.
    #[inline(always)]
    fn end(&self, local: usize, port: usize) -> &LinkEnd<L> {
        &self.ends[local * self.ports + port]
    }

    /// A node's end of the links at a port, mutable.
    #[inline(always)]
    fn end_mut(&mut self, local: usize, port: usize) -> &mut LinkEnd<L> {
        &mut self.ends[local * self.ports + port]
    }

    /// The cycle in which a node next has to be visited because of its links.
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

    /// Cycles for which an acknowledgement occupies a link; 0 if data packets account for it.
    #[inline(always)]
    fn ack_cycles(&self, fabric: &Fabric, port: usize) -> u64 {
        let rate = fabric.parameters.links[port / 2].cycles_per_byte;
        if self.shared.protocol.explicit_acks { rate.cycles_of(ACK_BYTES as u32).into() } else { 0 }
    }

    /// Sets the clock of a port from the state of its ends. Returns the cycle in which the link becomes available to
    /// arbitration.
    #[inline(always)]
    fn set_clock(&mut self, fabric: &Fabric, local: usize, port: usize) -> u64 {
        let index = local * self.ports + port;
        let end = &self.ends[index];
        let is_full = !end.sender.has_room(fabric.full_packet, self.shared.capacity_chunks);
        self.clocks[index] = Clock { next_task: end.next_task(), ack: end.next_ack(), is_full };
        if is_full { NEVER } else { end.wire_free_at }
    }

    /// Computes the cycle in which a node next has to be visited because of its links. `stalled` are its stalled ports.
    #[inline(always)]
    fn plan(&mut self, local: usize, stalled: u16) {
        let clocks = &self.clocks[local * self.ports..(local + 1) * self.ports];
        let next = clocks.iter().enumerate().fold(NEVER, |next, (port, clock)| {
            let waits = clock.is_full | (stalled >> port & 1 == 1);
            next.min(clock.next_task).min(if waits { clock.ack } else { NEVER })
        });
        self.wakes[local] = next;
    }

    /// Whether an acknowledgement has arrived by `now` that a stalled or full port of a node waits for.
    #[inline(always)]
    fn has_ack_for_waiting(&self, local: usize, stalled: u16, now: u64) -> bool {
        let clocks = &self.clocks[local * self.ports..(local + 1) * self.ports];
        let waits =
            |(port, clock): (usize, &Clock)| (clock.is_full | (stalled >> port & 1 == 1)) && clock.ack <= now;
        clocks.iter().enumerate().any(waits)
    }

    /// Records that a packet has left a VC.
    #[inline(always)]
    fn free(&mut self, local: usize, port: usize, vc: usize, credits: u8) {
        let index = local * self.ports + port;
        self.ends[index].free(vc, credits);
        self.clocks[index].next_task = 0;
    }

    /// Records when the tail of a frame, or a probe, arrives.
    fn record_tail(&mut self, local: usize, port: usize, time: u64, is_accepted: bool) {
        let index = local * self.ports + port;
        let tails = &mut self.ends[index].tails;
        let position = tails.partition_point(|&(earlier, _)| earlier <= time);
        tails.insert(position, (time, is_accepted));
        self.clocks[index].next_task = self.clocks[index].next_task.min(time);
        self.wakes[local] = self.wakes[local].min(time);
    }

    /// Records when an acknowledgement arrives. Returns whether the node is to be woken for it. It is if the port is
    /// `stalled`, or if its sender is full.
    fn record_ack(&mut self, local: usize, port: usize, time: u64, ack: Ack, stalled: u16) -> bool {
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

    /// Adds counts that take effect at `time`.
    fn count_at(&mut self, now: u64, time: u64, what: LinkTotals) {
        if self.ahead.len() >= self.compact_at {
            self.totals = self.totals_at(now);
            self.ahead.retain(|(time, _)| *time >= now);
            self.compact_at = COMPACT_AT.max(2 * self.ahead.len());
        }
        self.ahead.push((time, what));
    }

    /// The totals of everything before `now`.
    pub fn totals_at(&self, now: u64) -> LinkTotals {
        let mut totals = self.totals;
        self.ahead.iter().filter(|(time, _)| *time < now).for_each(|(_, what)| totals += *what);
        totals
    }

    /// Draws the bits of a transmission that the wire inverts; returns whether any is inverted.
    #[inline(always)]
    fn draw_errors(&mut self, fabric: &Fabric, here: Here, port: usize, bytes: usize) -> bool {
        let number = self.end_mut(here.local, port).sender.count_transmission();
        let transmission = Transmission { key: fabric.seed_key.of_node(here.number), port, number };
        self.wrong_bits.clear();
        self.shared.errors.draw(&transmission, 8 * bytes, |bit| self.wrong_bits.push(bit));
        !self.wrong_bits.is_empty()
    }

    /// Puts a frame on the wire; returns the event at its receiver.
    #[inline(always)]
    fn transmit(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        sequence: u64,
        kept: &Unacknowledged<Carried<L>>,
    ) -> RemoteEvent<L> {
        let Carried { packet, offered, metadata, vc } = kept.content;
        let TransferCycles { wire, arrival, .. } = *fabric.transfer_cycles(port, kept.chunks);
        let arrival = here.now + u64::from(arrival);
        let is_wrong = self.draw_errors(fabric, here, port, fabric.frame_bytes(kept.chunks));
        self.totals.frames += 1;
        let end = self.end_mut(here.local, port);
        end.wire_free_at = here.now + u64::from(wire);
        let needs_bytes = is_wrong | end.is_tracked() | self.shared.is_damaged.load(Ordering::Relaxed);
        let reception = match needs_bytes {
            false => self.end_mut(here.local, port).acceptance.judge(Verdict::clean(sequence)),
            true => self.judge(fabric, here, port, sequence, kept, arrival),
        };
        if reception == Reception::Accepted {
            return RemoteEvent { time: arrival, packet, offered, metadata, vc, ..RemoteEvent::default() };
        }
        self.count_at(here.now, arrival, reception.counted());
        let tail = arrival + u64::from(fabric.reception_cycles(kept.chunks));
        RemoteEvent { time: tail, credits: LOST_FRAME, ..RemoteEvent::default() }
    }

    /// Judges a frame by its bytes.
    #[cold]
    fn judge(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        sequence: u64,
        kept: &Unacknowledged<Carried<L>>,
        arrival: u64,
    ) -> Reception {
        let Unacknowledged { content: Carried { packet, vc, .. }, chunks, .. } = *kept;
        let (shared, wrong_bits) = (self.shared.clone(), std::mem::take(&mut self.wrong_bits));
        let mut damage = shared.damage();
        let bytes = damage.bytes_of(fabric, packet, vc.into());
        let mut frame = bytes.frame(sequence, fabric.frame_bytes(chunks));
        let packet_bytes = bytes.bytes;
        wrong_bits.iter().for_each(|&bit| flip(&mut frame, bit));
        let end = self.end_mut(here.local, port);
        let reception = end.acceptance.judge(verdict(&frame, packet_bytes));
        if reception == Reception::Accepted {
            if !wrong_bits.is_empty() || end.is_tracked() {
                end.track_checksums(arrival, packet_bytes, &wrong_bits);
            }
            let counted = damage.accept(fabric, packet, &frame, !wrong_bits.is_empty());
            shared.is_damaged.store(!damage.is_empty(), Ordering::Relaxed);
            self.count_at(here.now, arrival, counted);
        }
        self.wrong_bits = wrong_bits;
        reception
    }

    /// Puts an acknowledgement or a probe on the wire, to arrive at `arrival`. Returns the event at its receiver, if
    /// the receiver can read it.
    #[inline(always)]
    fn transmit_ack(
        &mut self,
        fabric: &Fabric,
        here: Here,
        port: usize,
        ack: Ack,
        arrival: u64,
    ) -> Option<RemoteEvent<L>> {
        let is_wrong = self.draw_errors(fabric, here, port, ACK_BYTES);
        self.totals.acks += u64::from(!ack.is_probe);
        self.totals.probes += u64::from(ack.is_probe);
        let reported_freed = if is_wrong { self.read_with_errors(ack) } else { Some(ack) };
        match reported_freed {
            Some(ack) => {
                let packet = Packet(u64::from_le_bytes(ack.unchecked_bytes()));
                Some(RemoteEvent { time: arrival, packet, credits: LINK_ACK, ..RemoteEvent::default() })
            }
            None => {
                self.count_at(here.now, arrival, LinkTotals { lost_acks: 1, ..LinkTotals::default() });
                None
            }
        }
    }

    /// The content that the receiver reads from an acknowledgement with wrong bits, if it can read it.
    #[cold]
    fn read_with_errors(&self, ack: Ack) -> Option<Ack> {
        let mut bytes = ack.bytes();
        self.wrong_bits.iter().for_each(|&bit| flip(&mut bytes, bit));
        Ack::read(&bytes)
    }

    /// Adds a packet to the checksum of all packets that have left an injection FIFO.
    fn add_injected(&mut self, fabric: &Fabric, here: Here, fifo: usize, packet: Packet) {
        let none = DamagedPayloads::default();
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
            + self.ends.len() * kept * size_of::<Unacknowledged<Carried<L>>>()
            + size_of_val(&self.wakes[..])
            + size_of_val(&self.injection[..])
    }
}

#[cfg(all(test, debug_assertions))] // only such builds can inject errors
mod tests {
    use super::*;
    use base::draws::NodeKey;
    use geometry::{Hops, Shape};
    use network::Parameters;
    use network::engine::Engine;
    use network::link::{BitErrorRate, LinkReport, forced};
    use network::source::{Class, ForwardAction, Lane, Offer, Source};
    use network::traffic::Traffic;
    use reference::ReferenceEngine;

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

    /// The bits of a frame that change when the generator polynomial of its CRC-24 is added at a byte. None of the
    /// frame's checksums detects that.
    fn undetected_at(byte: usize) -> Vec<usize> {
        let polynomial = (1 << 24 | crc::CRC_24_FLEXRAY_A.poly) << 7;
        let set = (0..32).filter(|bit| polynomial >> (31 - bit) & 1 == 1);
        set.map(|bit| 8 * (byte + bit / 8) + 7 - bit % 8).collect()
    }

    /// The wrong bits of a transmission by a node in x+.
    fn wrong(node: u32, number: u64, bits: Vec<usize>) -> (Transmission, Vec<usize>) {
        (Transmission { key: NodeKey::new(SEED, node), port: 0, number }, bits)
    }

    struct FourPackets;

    impl Source for FourPackets {
        fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
            let offer = Offer {
                hops: Hops([3, 0, 0, 0, 0, 0]),
                chunks: 8,
                class: Class { deterministic: true, ..Class::default() },
                ready: 0,
                forward_action: ForwardAction::Consume,
            };
            (lane.node == 0 && !lane.kind.is_high_priority() && index < 4).then_some(offer)
        }

        fn smallest_chunks(&self) -> u8 {
            8
        }
    }

    /// Node 0 sends four packets three hops in x+. All engines agree at every cut.
    fn run(errors: Vec<(Transmission, Vec<usize>)>) -> LinkReport {
        forced::put(errors);
        let traffic = Traffic::Generated(Arc::new(FourPackets));
        let mut reference = ReferenceEngine::new(parameters(), traffic.clone());
        let mut windowed = [1, 3].map(|threads| crate::new_engine(parameters(), traffic.clone(), threads));
        for cut in (0..5000).step_by(7) {
            reference.advance(cut);
            for engine in &mut windowed {
                engine.advance(cut);
                assert_eq!(engine.link_report(), reference.link_report(), "at cycle {cut}");
                assert_eq!(engine.totals().digest, reference.totals().digest, "at cycle {cut}");
            }
        }
        assert_eq!(reference.totals().delivered, 4);
        reference.link_report().expect("links are lossy")
    }

    /// Errors that no checksum of a packet detects are known to the simulation. The checksums of both link ends show
    /// them too.
    #[test]
    fn both_engines_report_escaped_errors() {
        let seen = |report: &LinkReport| {
            let totals = report.totals;
            (totals.escapes, totals.damaged_packets, totals.corrupted, report.mismatched.clone())
        };
        assert_eq!(seen(&run(vec![])), (0, 0, 0, vec![]));
        assert_eq!(seen(&run(vec![wrong(0, 1, undetected_at(100))])), (1, 1, 0, vec![(0, 0)]));
        assert_eq!(seen(&run(vec![wrong(0, 0, vec![900, 901, 903])])), (0, 0, 1, vec![]));
        let twice = vec![
            wrong(0, 0, undetected_at(100)),
            wrong(0, 1, undetected_at(20)),
            wrong(1, 0, undetected_at(40)),
        ];
        assert_eq!(seen(&run(twice)), (3, 2, 0, vec![(0, 0), (1, 0)]));
        // The second error undoes the first.
        let undone = vec![wrong(0, 0, undetected_at(100)), wrong(1, 0, undetected_at(100))];
        assert_eq!(seen(&run(undone)).0, 2);
    }
}
