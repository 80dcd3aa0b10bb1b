//! Random draws that are pure functions, not streams.
//!
//! A draw depends only on the seed, the node, its purpose, a time (a cycle or a packet's sequence number) and a port.
//! An engine may therefore skip, reorder or repeat draws, and the number of threads changes nothing.

use crate::decimal::shortest;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Odd constants with about half of their bits set, which spread counters (cycles, nodes, ports) over 64 bits.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
pub(crate) const OTHER_STEP: u64 = 0xd1b5_4a32_d192_ed03;
pub(crate) const FACTOR: u64 = 0x8ebc_6af0_9c88_c6e3;

/// The purpose of a draw. Draws of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// Ties between equally good directions and VCs (join the shortest queue).
    RequestTie = 1,
    /// Whether a receiver's cycle serves the longest queue.
    ReceiverServesLongest,
    /// Ties between the VCs of a receiver.
    ReceiverTie,
    /// Whether a sender's cycle serves the longest queue.
    SenderServesLongest,
    /// Whether a sender's cycle favors packets in the network.
    SenderFavorsNetwork,
    /// Ties between the requests to a sender.
    SenderTie,
    /// The injection FIFO that software chooses at random.
    FifoChoice,
    /// The target of a packet.
    Target,
    /// The direction around a ring if both are equally long.
    RingTie,
    /// The size of a packet.
    Size,
    /// The time to the next packet.
    Gap,
    /// The class of a packet (high priority, deterministic).
    Class,
    /// The order in which a node visits its targets.
    Order,
    /// Whether a receiver's arbitration has its gap in a cycle.
    ArbitrationGap,
    /// The bits of a transmission that arrive inverted.
    BitError,
    /// The place of a rank.
    RankPlace,
    /// Whether a burst ends before a message.
    BurstEnd,
    /// The time between two bursts.
    Silence,
    /// The intermediate node of a non-minimal route.
    Intermediate,
    /// The directions around rings of its two segments, if both are equally long.
    SegmentTies,
}

/// The key of one node, mixed once from the seed and the node number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeKey(u64);

impl NodeKey {
    /// The key of `node` under `seed`.
    pub fn new(seed: u64, node: u32) -> Self {
        SeedKey::new(seed).of_node(node)
    }

    /// All draws of this node at `when`: a cycle, or a sequence number.
    #[inline(always)]
    pub fn at(self, when: u64) -> Draws {
        Draws(mix(self.0 ^ when.wrapping_mul(STEP)))
    }

    /// 32 random bits for this node, `purpose`, `when` (a cycle or a sequence number) and `port` (or candidate).
    #[inline(always)]
    pub fn draw(self, purpose: Purpose, when: u64, port: usize) -> u32 {
        self.at(when).draw(purpose, port)
    }

    /// 64 random bits for this node, `purpose`, `when` (a cycle or a sequence number) and `port` (or candidate).
    #[inline(always)]
    pub fn draw64(self, purpose: Purpose, when: u64, port: usize) -> u64 {
        self.at(when).draw64(purpose, port)
    }

    /// The directions of all packets to `target` that must take the same, if the target lies half-way round rings: a bit
    /// for each dimension.
    pub fn directions_to(self, target: u32) -> u32 {
        // Packets draw theirs at their sequence numbers, which never come that far.
        self.draw(Purpose::RingTie, u64::MAX - u64::from(target), 0)
    }
}

/// A seed, mixed once for all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedKey(u64);

impl SeedKey {
    /// The key of `seed`.
    pub fn new(seed: u64) -> Self {
        SeedKey(mix(seed ^ 0x746f_7275_7373_696d))
    }

    /// The key of a node under this seed.
    #[inline(always)]
    pub fn of_node(self, node: u32) -> NodeKey {
        NodeKey(mix(self.0.wrapping_add(u64::from(node).wrapping_mul(STEP))))
    }
}

/// The draws of one node at one cycle, or for one packet: mixed once for all purposes and ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws(u64);

impl Draws {
    /// 32 random bits for `purpose` and `port` (or candidate).
    #[inline(always)]
    pub fn draw(self, purpose: Purpose, port: usize) -> u32 {
        (self.draw64(purpose, port) >> 32) as u32
    }

    /// 64 random bits for `purpose` and `port` (or candidate).
    #[inline(always)]
    pub fn draw64(self, purpose: Purpose, port: usize) -> u64 {
        let place = (purpose as u64) << 8 | port as u64;
        fold(self.0 ^ place.wrapping_mul(OTHER_STEP), FACTOR)
    }
}

/// The exclusive or of the two halves of a 128-bit product. Every bit of either factor affects many bits of the result.
#[inline(always)]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// One of `count` equally likely choices, from 32 random bits.
#[inline(always)]
pub fn pick(bits: u32, count: u32) -> u32 {
    ((u64::from(bits) * u64::from(count)) >> 32) as u32
}

/// A bijection of 64 bits in which every input bit flips about half of the output bits (the finalizer of SplitMix64).
#[inline(always)]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A probability as a threshold for 32 random bits, so that no float decides an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(u64);

impl Share {
    /// The share nearest to `probability`, which is clamped to 0..=1.
    pub fn new(probability: f64) -> Self {
        Share((probability.clamp(0.0, 1.0) * (1u64 << 32) as f64).round() as u64)
    }

    /// Whether 32 random bits fall inside the share: never for 0, always for 1.
    #[inline(always)]
    pub fn contains(self, bits: u32) -> bool {
        u64::from(bits) < self.0
    }

    /// Whether 32 random bits fall inside the share; they are drawn only if the share is neither 0 nor 1.
    #[inline(always)]
    pub fn decide(self, bits: impl FnOnce() -> u32) -> bool {
        self.0 != 0 && (self.0 == 1 << 32 || self.contains(bits()))
    }

    /// Whether `part` is at least this share of `whole`.
    pub fn is_reached_by(self, part: u32, whole: u32) -> bool {
        u64::from(part) << 32 >= self.0 * u64::from(whole)
    }

    /// The probability.
    pub fn probability(self) -> f64 {
        self.0 as f64 / (1u64 << 32) as f64
    }
}

impl TryFrom<f64> for Share {
    type Error = &'static str;

    fn try_from(probability: f64) -> Result<Self, &'static str> {
        let is_within = (0.0..=1.0).contains(&probability);
        is_within.then(|| Share::new(probability)).ok_or("is not within its range")
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> f64 {
        shortest(share.probability(), |number| Share::new(number) == share)
    }
}

impl JsonSchema for Share {
    fn schema_name() -> Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "format": "double", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_as_they_were_read() {
        for written in [0.0, 1.0, 0.1, 0.75, 0.9, 0.001, 0.333] {
            assert_eq!(f64::from(Share::try_from(written).unwrap()), written);
        }
        let third = Share::new(1.0 / 3.0);
        assert_eq!(Share::new(third.into()), third);
        assert!(Share::try_from(1.1).is_err() && Share::try_from(f64::NAN).is_err());
    }

    #[test]
    fn shares_are_exact_at_0_and_1() {
        assert!(!Share::new(0.0).contains(0));
        assert!(Share::new(1.0).contains(u32::MAX));
        assert!(Share::new(0.5).contains(0x7fff_ffff) && !Share::new(0.5).contains(0x8000_0000));
    }

    #[test]
    fn draws_are_uniform_and_depend_on_every_argument() {
        let key = NodeKey::new(1, 2);
        let mut buckets = [0u32; 6];
        for cycle in 0..60_000 {
            buckets[pick(key.draw(Purpose::SenderTie, cycle, 3), 6) as usize] += 1;
        }
        assert!(buckets.iter().all(|&count| (9_500..10_500).contains(&count)), "{buckets:?}");
        let base = key.draw64(Purpose::SenderTie, 7, 3);
        assert_ne!(base, key.draw64(Purpose::SenderTie, 8, 3));
        assert_ne!(base, key.draw64(Purpose::SenderTie, 7, 4));
        assert_ne!(base, key.draw64(Purpose::ReceiverTie, 7, 3));
        assert_ne!(base, NodeKey::new(1, 3).draw64(Purpose::SenderTie, 7, 3));
        assert_ne!(base, NodeKey::new(2, 2).draw64(Purpose::SenderTie, 7, 3));
    }
}
