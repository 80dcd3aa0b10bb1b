//! Frames: what goes over the wire, in bytes.
//!
//! ```text
//!   data   | seq | channel, size | way and flags: 5 | CRC-8 | name: 8 | payload | CRC-24: 3 | valid | token-ack: 8 | gap: 2 |
//!          |<------------- header: 8 ------------------->|                                          as far as it is charged
//!   ack    | kind, next seq | tokens freed by channel, modulo 256: 6 | CRC-8 |
//! ```
//!
//! The polynomials of Blue Gene/L are not published. These are chosen: CRC-8/AUTOSAR (0x2f), CRC-24/FLEXRAY-A (0x5d6dcb),
//! and for links CRC-32/ISCSI (0x1edc6f41).

use crate::counters::MAX_CHANNELS;
use crate::draws::{STEP, mix};
use crc::{CRC_8_AUTOSAR, CRC_24_FLEXRAY_A, CRC_32_ISCSI, Crc, Table};

static HEADER_CRC: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_AUTOSAR);
static PACKET_CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_24_FLEXRAY_A);
static LINK_CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Bytes of the header, its checksum being the last.
const HEADER_BYTES: usize = 8;
/// CRC-24 and the valid byte.
const TRAILER_BYTES: usize = 4;
/// Says that a packet was whole.
const VALID: u8 = 0xa5;
/// What keeps a link trained when nothing else is on it.
const IDLE: u8 = 0x5a;

/// Bits of a packet's record below its name that a header has room for.
pub const MOST_WAY_BITS: u32 = 40;

/// Bytes of an acknowledgement.
pub const ACK_BYTES: usize = 8;

/// Sequence numbers on the wire count modulo this.
pub(super) const SEQUENCES: u64 = 128;

/// What a frame is made of.
#[derive(Clone, Copy, Debug)]
pub struct PacketBytes<'a> {
    /// The packet's record: its name, then way, size and flags in `way_bits` bits.
    pub record: u64,
    /// Bits below the name.
    pub way_bits: u32,
    /// The channel it is sent for.
    pub channel: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// The payload, if errors have escaped that changed it on its way; else it follows from the name.
    pub damaged: Option<&'a [u8]>,
}

/// What a receiver makes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every checksum is right; the sequence number it bears.
    Clean(u8),
    /// The header is wrong.
    BadHeader,
    /// The packet, or what comes behind it, is wrong.
    BadPacket,
}

impl Verdict {
    /// That on a frame with this sequence number none of whose bits is wrong.
    pub fn clean(sequence: u64) -> Self {
        Verdict::Clean((sequence % SEQUENCES) as u8)
    }
}

impl PacketBytes<'_> {
    /// The frame with this sequence number, in `frame_bytes` bytes.
    pub fn frame(&self, sequence: u64, frame_bytes: usize) -> Vec<u8> {
        debug_assert!(self.way_bits <= MOST_WAY_BITS && frame_bytes >= self.bytes + TRAILER_BYTES);
        let mut frame = Vec::with_capacity(frame_bytes);
        let way = self.record & ((1 << self.way_bits) - 1);
        frame.push((sequence % SEQUENCES) as u8);
        frame.push(((self.channel << 5) | ((self.bytes / 32) & 31)) as u8);
        frame.extend_from_slice(&way.to_le_bytes()[..5]);
        frame.push(HEADER_CRC.checksum(&frame));
        let mut packet = Vec::with_capacity(self.bytes);
        self.write_payload(&mut packet);
        frame.extend_from_slice(self.payload(&packet));
        let checksum = PACKET_CRC.checksum(&frame);
        frame.extend_from_slice(&checksum.to_le_bytes()[..3]);
        frame.push(VALID);
        frame.resize(frame_bytes, IDLE);
        frame
    }

    /// The payload of a frame, behind its header.
    pub fn payload<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        &frame[HEADER_BYTES..self.bytes]
    }

    /// Writes its payload behind as many bytes as a header has, in place of what is in `packet`.
    pub fn write_payload(&self, packet: &mut Vec<u8>) {
        packet.clear();
        packet.resize(HEADER_BYTES, 0);
        match self.damaged {
            Some(payload) => packet.extend_from_slice(payload),
            None => fill_payload(self.record >> self.way_bits, self.bytes, packet),
        }
    }

    /// Whether a frame has the payload that its packet was sent with.
    pub fn is_intact(&self, frame: &[u8]) -> bool {
        let mut expected = Vec::with_capacity(self.bytes);
        PacketBytes { damaged: None, ..*self }.write_payload(&mut expected);
        self.payload(&expected) == self.payload(frame)
    }
}

/// Continues a packet behind its header up to `bytes` bytes: its name, then bytes that follow from that.
fn fill_payload(name: u64, bytes: usize, packet: &mut Vec<u8>) {
    let mut word = name;
    let begun = packet.len();
    packet.resize(bytes, 0);
    for place in packet[begun..].chunks_mut(8) {
        match place.try_into() {
            Ok::<&mut [u8; 8], _>(whole) => *whole = word.to_le_bytes(),
            Err(_) => place.copy_from_slice(&word.to_le_bytes()[..place.len()]),
        }
        word = mix(word.wrapping_add(STEP));
    }
}

/// What a receiver makes of a frame of a packet of so many bytes.
pub fn verdict(frame: &[u8], packet_bytes: usize) -> Verdict {
    let header = &frame[..HEADER_BYTES];
    if HEADER_CRC.checksum(&header[..HEADER_BYTES - 1]) != header[HEADER_BYTES - 1] {
        return Verdict::BadHeader;
    }
    let (packet, rest) = frame.split_at(packet_bytes);
    let checksum = PACKET_CRC.checksum(packet).to_le_bytes();
    let is_clean =
        rest[..3] == checksum[..3] && rest[3] == VALID && rest[4..].iter().all(|&byte| byte == IDLE);
    if is_clean { Verdict::Clean(header[0]) } else { Verdict::BadPacket }
}

/// A running checksum over packets, which both ends of a link keep, and each injection FIFO.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checksum(u32);

impl Checksum {
    /// The checksum after another packet.
    pub fn add(&mut self, packet: &[u8]) {
        let mut digest = LINK_CRC.digest_with_initial(self.0);
        digest.update(packet);
        self.0 = digest.finalize();
    }

    /// Its value.
    pub fn value(self) -> u32 {
        self.0
    }
}

/// What two checksums over packets differ by. That follows from what the packets differ by, whatever they are: so it is kept
/// where only that is asked, and costs nothing while no bit is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChecksumDifference(u32);

impl ChecksumDifference {
    /// The difference after another packet, whose bits at the two ends differ where those of `wrong` are set.
    pub fn add(&mut self, wrong: &[u8]) {
        let (mut one, mut other) = (Checksum(self.0), Checksum::default());
        one.add(wrong);
        other.add(&vec![0; wrong.len()]);
        self.0 = one.0 ^ other.0;
    }

    /// Whether the checksums are the same.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// An acknowledgement, or a probe that asks for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ack {
    /// Whether it asks for one.
    pub is_probe: bool,
    /// The sequence number that is expected next, modulo 128.
    pub next: u8,
    /// Tokens freed since the beginning, by channel, modulo 256.
    pub freed: [u8; MAX_CHANNELS],
}

impl Ack {
    /// Its bytes.
    pub fn bytes(&self) -> [u8; ACK_BYTES] {
        let mut bytes = self.unchecked_bytes();
        bytes[ACK_BYTES - 1] = HEADER_CRC.checksum(&bytes[..ACK_BYTES - 1]);
        bytes
    }

    /// What bytes say, if their checksum is right.
    pub fn read(bytes: &[u8; ACK_BYTES]) -> Option<Ack> {
        let is_clean = HEADER_CRC.checksum(&bytes[..ACK_BYTES - 1]) == bytes[ACK_BYTES - 1];
        is_clean.then(|| Self::read_unchecked(bytes))
    }

    /// Its bytes without their checksum, which is 0: for a wire that is known to change none.
    pub fn unchecked_bytes(&self) -> [u8; ACK_BYTES] {
        let mut bytes = [0; ACK_BYTES];
        bytes[0] = (self.is_probe as u8) << 7 | self.next;
        bytes[1..=MAX_CHANNELS].copy_from_slice(&self.freed);
        bytes
    }

    /// What bytes say, whatever their checksum.
    pub fn read_unchecked(bytes: &[u8; ACK_BYTES]) -> Ack {
        let freed = bytes[1..=MAX_CHANNELS].try_into().expect("there is a byte for each channel");
        Ack { is_probe: bytes[0] >> 7 == 1, next: bytes[0] & 127, freed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: PacketBytes<'static> =
        PacketBytes { record: 0x1234_5678_9abc_def0, way_bits: 26, channel: 2, bytes: 256, damaged: None };

    #[test]
    fn what_is_framed_is_read() {
        for chunks in 1..=8 {
            let packet = PacketBytes { bytes: 32 * chunks, ..WHOLE };
            let frame = packet.frame(300, packet.bytes + 14);
            assert_eq!(verdict(&frame, packet.bytes), Verdict::Clean((300 % SEQUENCES) as u8));
            assert!(packet.is_intact(&frame));
        }
        let ack = Ack { is_probe: true, next: 99, freed: [1, 2, 3, 4, 5, 255] };
        assert_eq!(Ack::read(&ack.bytes()), Some(ack));
    }

    /// All errors of one and of two bits are seen, wherever they are.
    #[test]
    fn one_or_two_wrong_bits_are_seen() {
        let frame = WHOLE.frame(1, 270);
        let is_seen = |bits: &[usize]| {
            let mut wrong = frame.clone();
            bits.iter().for_each(|bit| wrong[bit / 8] ^= 1 << (bit % 8));
            verdict(&wrong, 256) != Verdict::Clean(1)
        };
        assert!((0..8 * 270).all(|bit| is_seen(&[bit])));
        // Each pair's distance is what counts for a cyclic code, so that a few first bits do.
        assert!((0..64).all(|first| (first + 1..8 * 270).all(|second| is_seen(&[first, second]))));
        let ack = Ack { is_probe: false, next: 5, freed: [7; MAX_CHANNELS] };
        for first in 0..64 {
            for second in first..64 {
                let mut wrong = ack.bytes();
                wrong[first / 8] ^= 1 << (first % 8);
                wrong[second / 8] ^= if second > first { 1 << (second % 8) } else { 0 };
                assert_eq!(Ack::read(&wrong), None);
            }
        }
    }

    #[test]
    fn checksums_differ_by_what_packets_differ_by() {
        let packets = [*b"one", *b"two", *b"six", *b"ten"];
        for wrong in [[0, 0, 0, 0], [0, 7, 0, 0], [1, 0, 255, 3]] {
            let (mut sent, mut accepted) = (Checksum::default(), Checksum::default());
            let mut difference = ChecksumDifference::default();
            for (packet, wrong) in packets.iter().zip(wrong) {
                let pattern = [0, wrong, 0];
                let changed: Vec<u8> = packet.iter().zip(pattern).map(|(byte, wrong)| byte ^ wrong).collect();
                sent.add(packet);
                accepted.add(&changed);
                difference.add(&pattern);
                assert_eq!(difference.0, sent.0 ^ accepted.0);
            }
            assert_eq!(difference.is_none(), wrong == [0; 4]);
        }
    }

    #[test]
    fn checksums_of_links_depend_on_order() {
        let checksum = |packets: [&[u8]; 2]| {
            let mut sum = Checksum::default();
            packets.iter().for_each(|packet| sum.add(packet));
            sum
        };
        assert_ne!(checksum([b"one", b"two"]), checksum([b"two", b"one"]));
    }
}
