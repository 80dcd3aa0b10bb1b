//! Frames: the bytes that cross the wire.
//!
//! ```text
//! data | seq | VC, size | route and flags: 5 | CRC-8 | name: 8 | payload | CRC-24: 3 | valid | token-ack: 8 | gap: 2 |
//!      |<---------------- header: 8 ---------------->|                                         if charged
//! ack  | kind, next seq | credits freed by VC, modulo 256: 6 | CRC-8 |
//! ```
//!
//! The polynomials of Blue Gene/L are not published. The choice here: CRC-8/AUTOSAR (0x2f), CRC-24/FLEXRAY-A
//! (0x5d6dcb), and CRC-32/ISCSI (0x1edc6f41) for the checksums of links.

use base::draws::{STEP, mix};
use crc::{CRC_8_AUTOSAR, CRC_24_FLEXRAY_A, CRC_32_ISCSI, Crc, Table};

static HEADER_CRC: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_AUTOSAR);
static PACKET_CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_24_FLEXRAY_A);
static LINK_CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Bytes of the header; the last one is the header's checksum.
pub(super) const HEADER_BYTES: usize = 8;
/// Bytes of the trailer: CRC-24 and the valid byte.
const TRAILER_BYTES: usize = 4;
/// The byte that indicates that a packet is complete.
const VALID: u8 = 0xa5;
/// The byte that keeps an idle link trained.
const IDLE: u8 = 0x5a;

/// Bits of a packet's record below its name that fit the header.
pub const MAX_ROUTE_BITS: u32 = 40;

/// Number of VCs for whose freed credits an acknowledgement has room.
pub const ACK_VCS: usize = 6;

/// Bytes of an acknowledgement: its kind, freed credits and checksum.
pub const ACK_BYTES: usize = ACK_VCS + 2;

/// The modulus of sequence numbers on the wire.
pub(super) const SEQUENCES: u64 = 128;

/// The contents of a frame.
#[derive(Clone, Copy, Debug)]
pub struct PacketBytes<'a> {
    /// The packet's record: its name, then route, size and flags in `route_bits` bits.
    pub record: u64,
    /// Number of bits below the name.
    pub route_bits: u32,
    /// The VC to which the packet is sent.
    pub vc: usize,
    /// The packet's size in bytes.
    pub bytes: usize,
    /// The payload, if undetected errors have changed it; otherwise it is generated from the name.
    pub damaged: Option<&'a [u8]>,
}

/// A receiver's check of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every checksum is correct; the field is the frame's sequence number.
    Clean(u8),
    /// The header has errors.
    BadHeader,
    /// The packet, or the part behind it, has errors.
    BadPacket,
}

impl Verdict {
    /// The verdict on an error-free frame with this sequence number.
    pub fn clean(sequence: u64) -> Self {
        Verdict::Clean((sequence % SEQUENCES) as u8)
    }
}

impl PacketBytes<'_> {
    /// The frame with this sequence number, in `frame_bytes` bytes.
    pub fn frame(&self, sequence: u64, frame_bytes: usize) -> Vec<u8> {
        debug_assert!(self.route_bits <= MAX_ROUTE_BITS && frame_bytes >= self.bytes + TRAILER_BYTES);
        let mut frame = Vec::with_capacity(frame_bytes);
        let route = self.record & ((1 << self.route_bits) - 1);
        frame.push((sequence % SEQUENCES) as u8);
        frame.push(((self.vc << 5) | ((self.bytes / 32) & 31)) as u8);
        frame.extend_from_slice(&route.to_le_bytes()[..5]);
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

    /// The payload of a frame, after its header.
    pub fn payload<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        &frame[HEADER_BYTES..self.bytes]
    }

    /// Replaces the contents of `packet` with as many bytes as a header has, followed by its payload.
    pub fn write_payload(&self, packet: &mut Vec<u8>) {
        packet.clear();
        packet.resize(HEADER_BYTES, 0);
        match self.damaged {
            Some(payload) => packet.extend_from_slice(payload),
            None => fill_payload(self.record >> self.route_bits, self.bytes, packet),
        }
    }

    /// Whether a frame has the payload with which its packet was sent.
    pub(crate) fn is_intact(&self, frame: &[u8]) -> bool {
        let mut expected = Vec::with_capacity(self.bytes);
        PacketBytes { damaged: None, ..*self }.write_payload(&mut expected);
        self.payload(&expected) == self.payload(frame)
    }
}

/// Fills a packet after its header up to `bytes` bytes: with its name, then with bytes generated from the name.
fn fill_payload(name: u64, bytes: usize, packet: &mut Vec<u8>) {
    let mut word = name;
    let begun = packet.len();
    packet.resize(bytes, 0);
    for word_bytes in packet[begun..].chunks_mut(8) {
        match word_bytes.try_into() {
            Ok::<&mut [u8; 8], _>(whole) => *whole = word.to_le_bytes(),
            Err(_) => word_bytes.copy_from_slice(&word.to_le_bytes()[..word_bytes.len()]),
        }
        word = mix(word.wrapping_add(STEP));
    }
}

/// Checks a frame of a packet of `packet_bytes` bytes.
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

/// A running checksum over packets, kept at both ends of a link and at each injection FIFO.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checksum(u32);

impl Checksum {
    /// The checksum after another packet.
    pub fn add(&mut self, packet: &[u8]) {
        let mut digest = LINK_CRC.digest_with_initial(self.0);
        digest.update(packet);
        self.0 = digest.finalize();
    }

    /// The value of the checksum.
    pub fn value(self) -> u32 {
        self.0
    }
}

/// The difference of two checksums over packets. It depends on the bits in which the packets differ, and on nothing
/// else of the packets. It is kept where only the difference matters, and costs nothing while no bit is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChecksumDifference(u32);

impl ChecksumDifference {
    /// The difference after another packet; the bits that differ at the two ends are set in `wrong`.
    pub fn add(&mut self, wrong: &[u8]) {
        let (mut one, mut other) = (Checksum(self.0), Checksum::default());
        one.add(wrong);
        other.add(&vec![0; wrong.len()]);
        self.0 = one.0 ^ other.0;
    }

    /// Whether the checksums are equal.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// An acknowledgement, or a probe that requests one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ack {
    /// Whether the frame is a probe.
    pub is_probe: bool,
    /// The sequence number expected next, modulo 128.
    pub next: u8,
    /// Credits freed since cycle 0, by VC, modulo 256.
    pub freed: [u8; ACK_VCS],
}

impl Ack {
    /// The bytes of the acknowledgement.
    pub fn bytes(&self) -> [u8; ACK_BYTES] {
        let mut bytes = self.unchecked_bytes();
        bytes[ACK_BYTES - 1] = HEADER_CRC.checksum(&bytes[..ACK_BYTES - 1]);
        bytes
    }

    /// Decodes an acknowledgement, if its checksum is correct.
    pub fn read(bytes: &[u8; ACK_BYTES]) -> Option<Ack> {
        let is_clean = HEADER_CRC.checksum(&bytes[..ACK_BYTES - 1]) == bytes[ACK_BYTES - 1];
        is_clean.then(|| Self::read_unchecked(bytes))
    }

    /// The bytes of the acknowledgement with a checksum of 0, for a transmission known to be free of errors.
    pub fn unchecked_bytes(&self) -> [u8; ACK_BYTES] {
        let mut bytes = [0; ACK_BYTES];
        bytes[0] = (self.is_probe as u8) << 7 | self.next;
        bytes[1..=ACK_VCS].copy_from_slice(&self.freed);
        bytes
    }

    /// Decodes an acknowledgement without checking its checksum.
    pub fn read_unchecked(bytes: &[u8; ACK_BYTES]) -> Ack {
        let freed = bytes[1..=ACK_VCS].try_into().expect("there is a byte for each channel");
        Ack { is_probe: bytes[0] >> 7 == 1, next: bytes[0] & 127, freed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: PacketBytes<'static> =
        PacketBytes { record: 0x1234_5678_9abc_def0, route_bits: 26, vc: 2, bytes: 256, damaged: None };

    #[test]
    fn frames_and_acks_read_back() {
        for chunks in 1..=8 {
            let packet = PacketBytes { bytes: 32 * chunks, ..WHOLE };
            let frame = packet.frame(300, packet.bytes + 14);
            assert_eq!(verdict(&frame, packet.bytes), Verdict::Clean((300 % SEQUENCES) as u8));
            assert!(packet.is_intact(&frame));
        }
        let ack = Ack { is_probe: true, next: 99, freed: [1, 2, 3, 4, 5, 255] };
        assert_eq!(Ack::read(&ack.bytes()), Some(ack));
    }

    /// All errors of one and of two bits are detected, at any position.
    #[test]
    fn one_or_two_wrong_bits_are_detected() {
        let frame = WHOLE.frame(1, 270);
        let is_seen = |bits: &[usize]| {
            let mut wrong = frame.clone();
            bits.iter().for_each(|bit| wrong[bit / 8] ^= 1 << (bit % 8));
            verdict(&wrong, 256) != Verdict::Clean(1)
        };
        assert!((0..8 * 270).all(|bit| is_seen(&[bit])));
        // For a cyclic code only the distance within a pair matters, so that a few first bits suffice.
        assert!((0..64).all(|first| (first + 1..8 * 270).all(|second| is_seen(&[first, second]))));
        let ack = Ack { is_probe: false, next: 5, freed: [7; ACK_VCS] };
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
    fn checksum_difference_depends_on_wrong_bits_only() {
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
