//! What a run counts: by link, by node, and over the network.

use crate::digest::Digest;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counters of one directed link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCounters {
    /// Packets that began to cross it.
    pub packets: u32,
    /// Their chunks.
    pub chunks: u32,
    /// Cycles in which a head packet wanted the idle link and only tokens were missing.
    pub stalled_cycles: u64,
}

/// Counters of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeCounters {
    /// Packets that left an injection FIFO for a link.
    pub injected: u32,
    /// Packets received by software.
    pub delivered: u32,
}

/// Sums of one direction over all its links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectionTotals {
    /// Packets that began to cross a link of this direction.
    pub packets: u64,
    /// Their chunks.
    pub chunks: u64,
}

impl AddAssign for DirectionTotals {
    fn add_assign(&mut self, part: Self) {
        self.packets += part.packets;
        self.chunks += part.chunks;
    }
}

/// The most channels of a receiver: four dynamic, escape, high priority.
pub const MAX_CHANNELS: usize = 6;

/// Sums over the whole network.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Totals {
    /// Packets that left an injection FIFO, in the measurement.
    pub injected: u64,
    /// Packets received by software, copies included, in the measurement.
    pub delivered: u64,
    /// Packets that the software of relays has received and sends on past what is dead, in the measurement; they are
    /// injected once more.
    pub relayed: u64,
    /// Copies that packets left at nodes which they passed, in the measurement.
    pub deposited: u64,
    /// Chunks of the packets received, in the measurement.
    pub delivered_chunks: u64,
    /// Links crossed (transfers begun) by direction, in the measurement.
    pub directions: [DirectionTotals; 2 * geometry::MAX_DIMENSIONS],
    /// Links crossed by channel: the dynamic ones in order, then escape (one or a pair), then high priority; in the
    /// measurement.
    pub channel_packets: [u64; MAX_CHANNELS],
    /// Packets that passed a node on the bypass channel, in the measurement.
    pub bypassed: u64,
    /// Times that tokens came back to a sender, in the measurement, where that is counted.
    pub token_returns: u64,
    /// Those that gave tokens to a head of a receiver which had not enough for any of its possible moves.
    pub unblocking_returns: u64,
    /// Cycles from offer to last byte received, of packets delivered in the measurement.
    #[serde(with = "recorded_values")]
    pub latency: Histogram<u64>,
    /// Sum of those cycles: the histogram rounds, the mean does not.
    pub latency_sum: u128,
    /// The largest of them.
    pub latency_max: u64,
    /// The cycle of the last delivery since the beginning.
    pub last_delivery: u64,
    /// Packets injected since the beginning.
    pub injected_ever: u64,
    /// Packets delivered since the beginning.
    pub delivered_ever: u64,
    /// Packets that relays have received and send on, since the beginning.
    pub relayed_ever: u64,
    /// Copies left since the beginning.
    pub deposited_ever: u64,
    /// Links crossed since the beginning.
    pub hops_ever: u64,
    /// The digest of everything since the beginning.
    pub digest: Digest,
}

/// A histogram as the values and counts it holds, which fill a new one in the same way.
mod recorded_values {
    use hdrhistogram::Histogram;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(histogram: &Histogram<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = histogram.iter_recorded();
        let recorded: Vec<(u64, u64)> =
            steps.map(|step| (step.value_iterated_to(), step.count_since_last_iteration())).collect();
        recorded.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Histogram<u64>, D::Error> {
        let mut histogram = super::new_histogram();
        for (value, count) in Vec::<(u64, u64)>::deserialize(deserializer)? {
            histogram.record_n(value, count).map_err(D::Error::custom)?;
        }
        Ok(histogram)
    }
}

fn new_histogram() -> Histogram<u64> {
    Histogram::new(2).expect("two significant digits are allowed")
}

impl Default for Totals {
    fn default() -> Self {
        Totals {
            injected: 0,
            delivered: 0,
            relayed: 0,
            deposited: 0,
            delivered_chunks: 0,
            directions: Default::default(),
            channel_packets: Default::default(),
            bypassed: 0,
            token_returns: 0,
            unblocking_returns: 0,
            latency: new_histogram(),
            latency_sum: 0,
            latency_max: 0,
            last_delivery: 0,
            injected_ever: 0,
            delivered_ever: 0,
            relayed_ever: 0,
            deposited_ever: 0,
            hops_ever: 0,
            digest: Digest::default(),
        }
    }
}

impl Totals {
    /// Links crossed in the measurement.
    pub fn hops(&self) -> u64 {
        self.directions.iter().map(|direction| direction.packets).sum()
    }

    /// Counts a packet that a relay has received.
    pub(crate) fn count_relay(&mut self) {
        self.relayed += 1;
        self.relayed_ever += 1;
    }

    /// Packets and copies that are in the network, or with software that has not read them. What a relay has read is
    /// neither, until it is injected once more.
    pub fn under_way(&self) -> u64 {
        self.injected_ever + self.deposited_ever - self.relayed_ever - self.delivered_ever
    }

    /// Counts one delivery.
    pub(crate) fn count_delivery(&mut self, time: u64, offered: u64, chunks: u8) {
        let latency = time - offered;
        self.delivered += 1;
        self.delivered_ever += 1;
        self.delivered_chunks += u64::from(chunks);
        self.latency += latency;
        self.latency_sum += u128::from(latency);
        self.latency_max = self.latency_max.max(latency);
        self.last_delivery = self.last_delivery.max(time);
    }

    /// Counts one transfer over a link.
    pub(crate) fn count_transfer(&mut self, direction: usize, channel: usize, chunks: u8) {
        self.directions[direction] += DirectionTotals { packets: 1, chunks: chunks.into() };
        self.channel_packets[channel] += 1;
        self.hops_ever += 1;
    }

    /// Adds what another part of the network counted.
    pub(crate) fn add(&mut self, other: &Totals) {
        self.injected += other.injected;
        self.delivered += other.delivered;
        self.relayed += other.relayed;
        self.deposited += other.deposited;
        self.delivered_chunks += other.delivered_chunks;
        for (sum, part) in self.directions.iter_mut().zip(other.directions) {
            *sum += part;
        }
        for (sum, part) in self.channel_packets.iter_mut().zip(&other.channel_packets) {
            *sum += part;
        }
        self.bypassed += other.bypassed;
        self.token_returns += other.token_returns;
        self.unblocking_returns += other.unblocking_returns;
        self.latency.add(&other.latency).expect("histograms of one kind can be added");
        self.latency_sum += other.latency_sum;
        self.latency_max = self.latency_max.max(other.latency_max);
        self.last_delivery = self.last_delivery.max(other.last_delivery);
        self.injected_ever += other.injected_ever;
        self.delivered_ever += other.delivered_ever;
        self.relayed_ever += other.relayed_ever;
        self.deposited_ever += other.deposited_ever;
        self.hops_ever += other.hops_ever;
        self.digest.add(other.digest);
    }

    /// Forgets what the measurement counts, keeps what counts since the beginning.
    pub(crate) fn start_measurement(&mut self) {
        *self = Totals {
            last_delivery: self.last_delivery,
            injected_ever: self.injected_ever,
            delivered_ever: self.delivered_ever,
            relayed_ever: self.relayed_ever,
            deposited_ever: self.deposited_ever,
            hops_ever: self.hops_ever,
            digest: self.digest,
            ..Totals::default()
        };
    }
}
