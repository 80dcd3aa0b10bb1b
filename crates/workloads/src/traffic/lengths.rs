//! The lengths of packets and messages of open-loop traffic.
//!
//! ```text
//!   packets:   every packet has its own size
//!   messages:  m0 m0 m0 | m1 | m2 m2 | m3 ...     packets of one message go to one target
//!              '---------- a block ---------'
//! ```
//!
//! Packet `index` must be the same whenever it is requested, so its message cannot follow from a running sum.
//! Lengths are therefore drawn without replacement: each block of [`BLOCK`] messages has the same lengths, the
//! quantiles of the distribution, in its own order. All blocks then have equally many packets.

use crate::error::{WorkloadError, require};
use crate::options::{MessageBytes, PacketBytes};
use crate::traffic::finite::Message;
use crate::traffic::sender::PacketDraws;
use base::draws::{Purpose, mix, pick};
use network::Lane;
use network::parameters::PacketFormat;

/// Messages of a block, and so quantiles of a distribution.
const BLOCK: usize = 256;

/// The greatest relative difference of a block's mean length from that of the distribution.
const MEAN_TOLERANCE: f64 = 0.02;

/// An odd constant with about half of its bits set, which spreads counters over 64 bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Sizes of packets in chunks, uniform from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    min_chunks: u8,
    max_chunks: u8,
}

impl Sizes {
    fn new(packet_bytes: PacketBytes, format: &PacketFormat) -> Result<Self, WorkloadError> {
        let [min, max] = match packet_bytes {
            PacketBytes::Fixed(bytes) => [bytes, bytes],
            PacketBytes::Range(range) => range,
        };
        require(min <= max, "packet_bytes", || {
            format!("[{min}, {max}] is not a range: the smaller size comes first")
        })?;
        Ok(Sizes { min_chunks: chunks(min, format)?, max_chunks: chunks(max, format)? })
    }

    fn draw(&self, draws: &PacketDraws) -> u8 {
        let sizes = u32::from(self.max_chunks - self.min_chunks) + 1;
        if sizes == 1 {
            return self.min_chunks;
        }
        self.min_chunks + pick(draws.bits(Purpose::Size), sizes) as u8
    }
}

/// The size in chunks of a packet of `bytes` bytes.
fn chunks(bytes: u32, format: &PacketFormat) -> Result<u8, WorkloadError> {
    let (chunk_bytes, max) = (format.chunk_bytes, format.chunk_bytes * u32::from(format.max_chunks));
    require(
        (chunk_bytes..=max).contains(&bytes) && bytes.is_multiple_of(chunk_bytes),
        "packet_bytes",
        || format!("{bytes} is not a multiple of {chunk_bytes} bytes from {chunk_bytes} to {max}"),
    )?;
    Ok((bytes / chunk_bytes) as u8)
}

/// Messages of several lengths, in blocks.
#[derive(Clone, Debug)]
pub(crate) struct Messages {
    /// The quantiles, ascending; one if all messages are equally long.
    lengths: Vec<Message>,
    /// Packets of a block.
    packets: u64,
}

impl Messages {
    fn new(message_bytes: &MessageBytes, format: &PacketFormat) -> Result<Self, WorkloadError> {
        let lengths = quantiles(message_bytes)?.into_iter().map(|bytes| {
            let message = Message::with_payload(bytes, format);
            message.map_err(|error| WorkloadError { key: "message_bytes".into(), ..error })
        });
        let lengths = lengths.collect::<Result<Vec<Message>, _>>()?;
        let packets = lengths.iter().try_fold(0u64, |sum, message| sum.checked_add(message.packets()));
        let too_long = || WorkloadError::new("message_bytes", "longer than can be counted");
        Ok(Messages { packets: packets.filter(|&sum| sum < 1 << 48).ok_or_else(too_long)?, lengths })
    }

    /// Packets of a message, on average.
    fn mean_packets(&self) -> f64 {
        self.packets as f64 / self.lengths.len() as f64
    }

    /// The message of a lane's packet `index`: its number among those of the lane, and the packet's number in the
    /// message.
    fn locate(&self, draws: &PacketDraws, lane: Lane, index: u64) -> (u64, u64, &Message) {
        if let [only] = &self.lengths[..] {
            return (index / only.packets(), index % only.packets(), only);
        }
        let (block, mut rest) = (index / self.packets, index % self.packets);
        let seed = draws.block_bits(lane.sequence(block));
        let mut order: [u8; BLOCK] = std::array::from_fn(|place| place as u8);
        for place in 0..BLOCK {
            let left = (BLOCK - place) as u32;
            let bits = (mix(seed.wrapping_add(STEP.wrapping_mul(place as u64 + 1))) >> 32) as u32;
            order.swap(place, place + pick(bits, left) as usize);
            let message = &self.lengths[usize::from(order[place])];
            if rest < message.packets() {
                return (block * BLOCK as u64 + place as u64, rest, message);
            }
            rest -= message.packets();
        }
        unreachable!("a block has as many packets as its messages")
    }
}

/// Lengths in bytes that are equally frequent: one, or [`BLOCK`].
fn quantiles(message_bytes: &MessageBytes) -> Result<Vec<u64>, WorkloadError> {
    const KEY: &str = "message_bytes";
    match message_bytes {
        MessageBytes::Fixed(bytes) => Ok(vec![*bytes]),
        MessageBytes::Range([min, max]) => {
            require((1..=*max).contains(min), KEY, || {
                format!("[{min}, {max}] is not a range of lengths from 1 on: the smaller one comes first")
            })?;
            let step = (max - min) as f64 + 1.0;
            let quantile = |place: usize| min + (step * (place as f64 + 0.5) / BLOCK as f64) as u64;
            Ok((0..BLOCK).map(|place| quantile(place).min(*max)).collect())
        }
        MessageBytes::Weighted(distribution) => {
            let weighted = distribution.weighted().map_err(|problem| WorkloadError::new(KEY, problem))?;
            let quantiles = quantiles_of(&weighted);
            let sum: f64 = weighted.iter().map(|(_, weight)| weight).sum();
            let mean = weighted.iter().map(|&(bytes, weight)| bytes as f64 * weight).sum::<f64>() / sum;
            let found = quantiles.iter().map(|&bytes| bytes as f64).sum::<f64>() / BLOCK as f64;
            require((found / mean - 1.0).abs() <= MEAN_TOLERANCE, KEY, || {
                format!(
                    "{BLOCK} messages cannot have these shares: their mean would be {found:.0} bytes instead of {mean:.0}; \
                     rare long messages need more weight, or another job"
                )
            })?;
            Ok(quantiles)
        }
        MessageBytes::File(_) => Err(WorkloadError::new(KEY, "the file has not been read")),
    }
}

fn quantiles_of(weighted: &[(u64, f64)]) -> Vec<u64> {
    let sum: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let (mut place, mut reached) = (0, weighted[0].1);
    let quantile = |number: usize| {
        let wanted = (number as f64 + 0.5) / BLOCK as f64 * sum;
        while reached < wanted && place + 1 < weighted.len() {
            place += 1;
            reached += weighted[place].1;
        }
        weighted[place].0
    };
    (0..BLOCK).map(quantile).collect()
}

/// The lengths of all packets.
#[derive(Clone, Debug)]
pub(crate) enum Lengths {
    /// Sizes of packets that are single messages.
    Packets(Sizes),
    /// Lengths of messages of several packets.
    Messages(Messages),
}

/// A packet's place in its message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The number of the message among those of the lane.
    pub message: u64,
    /// Whether the packet is the message's first.
    pub is_first: bool,
    /// The size of the packet in chunks.
    pub chunks: u8,
}

impl Lengths {
    /// The lengths that options state.
    ///
    /// # Errors
    /// Sizes that packets cannot have, or both packets and messages.
    pub(crate) fn new(
        packet_bytes: PacketBytes,
        message_bytes: Option<&MessageBytes>,
        format: &PacketFormat,
    ) -> Result<Self, WorkloadError> {
        let Some(message_bytes) = message_bytes else {
            return Sizes::new(packet_bytes, format).map(Lengths::Packets);
        };
        require(packet_bytes == PacketBytes::default(), "packet_bytes", || {
            "message_bytes says how long messages are; their packets are as long as possible".into()
        })?;
        Messages::new(message_bytes, format).map(Lengths::Messages)
    }

    /// The place of packet `index` of a lane with the given draws.
    #[inline]
    pub(crate) fn place(&self, draws: &PacketDraws, lane: Lane, index: u64) -> Place {
        match self {
            Lengths::Packets(sizes) => Place { message: index, is_first: true, chunks: sizes.draw(draws) },
            Lengths::Messages(messages) => {
                let (number, packet, message) = messages.locate(draws, lane, index);
                Place { message: number, is_first: packet == 0, chunks: message.chunks(packet) }
            }
        }
    }

    /// Whether messages may have several packets.
    pub(crate) fn are_of_messages(&self) -> bool {
        matches!(self, Lengths::Messages(_))
    }

    /// Packets of a message, on average.
    pub(crate) fn mean_packets(&self) -> f64 {
        match self {
            Lengths::Packets(_) => 1.0,
            Lengths::Messages(messages) => messages.mean_packets(),
        }
    }

    /// Size of the smallest packet.
    pub(crate) fn smallest_chunks(&self) -> u8 {
        match self {
            Lengths::Packets(sizes) => sizes.min_chunks,
            Lengths::Messages(messages) => {
                let smallest = messages.lengths.iter().map(Message::smallest_chunks).min();
                smallest.expect("there is a length")
            }
        }
    }

    /// Mean size of a packet in memory.
    pub(crate) fn mean_bytes(&self, format: &PacketFormat) -> f64 {
        match self {
            Lengths::Packets(Sizes { min_chunks, max_chunks }) => {
                f64::from(u32::from(*min_chunks) + u32::from(*max_chunks)) / 2.0
                    * f64::from(format.chunk_bytes)
            }
            Lengths::Messages(messages) => {
                let bytes = messages.lengths.iter().map(|message| message.bytes(format) as f64);
                bytes.sum::<f64>() / messages.packets as f64
            }
        }
    }

    /// Mean link time of a packet, in bytes.
    pub(crate) fn mean_wire_bytes(&self, format: &PacketFormat) -> f64 {
        match self {
            Lengths::Packets(Sizes { min_chunks, max_chunks }) => {
                let ends = [*min_chunks, *max_chunks].map(|chunks| f64::from(format.wire_bytes(chunks)));
                (ends[0] + ends[1]) / 2.0
            }
            Lengths::Messages(messages) => {
                let bytes = messages.lengths.iter().map(|message| message.size(format).wire_bytes as f64);
                bytes.sum::<f64>() / messages.packets as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Distribution;

    #[test]
    fn quantiles_have_the_shares_of_the_distribution() {
        let weighted = |bytes: &[u64], weights: &[f64]| {
            let distribution = Distribution { bytes: bytes.to_vec(), weights: weights.to_vec() };
            quantiles(&MessageBytes::Weighted(distribution))
        };
        let found = weighted(&[16, 4096], &[3.0, 1.0]).unwrap();
        assert_eq!(found.iter().filter(|&&bytes| bytes == 16).count(), 192);
        assert_eq!(found.len(), BLOCK);
        assert_eq!(weighted(&[1, 2, 3, 4], &[]).unwrap().iter().sum::<u64>(), 64 * 10);
        let rare = weighted(&[16, 1 << 20], &[1.0, 0.0005]).unwrap_err();
        assert!(rare.message.contains("256 messages cannot have these shares"), "{rare}");
        let range = quantiles(&MessageBytes::Range([1, 512])).unwrap();
        assert_eq!((range[0], range[255]), (2, 512));
    }
}
