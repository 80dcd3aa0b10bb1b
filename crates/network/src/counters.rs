//! Counters of a run: per link, per node, and over the network.
//!
//! # To add a counter of links
//!
//! 1. A row of `link_counters!` with its meaning. Its field, its column in results, its sum and its part of checkpoints
//!    follow.
//! 2. The reference engine counts it where that happens (`self.links` in `reference/src/lib.rs`).
//! 3. The windowed engine keeps it in an array, `windowed/src/links.rs`: the compiler asks where it is read and set. An array of
//!    what few machines count is empty on others.
//! 4. The windowed engine counts it where that happens (`transfer.rs`, say).
//! 5. Its name in the row `links` of the tables in `docs/guide.md`: `tests/test_api.py` compares it with the columns.
//!
//! `windowed/tests/engines.rs` compares it on random machines at once, and refuses one that no engine counts. A counter that is
//! `summed` is in summaries too: its keys are rows of `simulation/src/result/quantities.rs`.

use crate::collective::recorded::Recorded;
use crate::parameters::MAX_VCS;
use base::digest::Digest;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The values of a counter of several links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkColumn {
    /// Counts of 32 bits.
    U32(Vec<u32>),
    /// Counts of 64 bits.
    U64(Vec<u64>),
}

impl FromIterator<u32> for LinkColumn {
    fn from_iter<I: IntoIterator<Item = u32>>(counts: I) -> Self {
        LinkColumn::U32(counts.into_iter().collect())
    }
}

impl FromIterator<u64> for LinkColumn {
    fn from_iter<I: IntoIterator<Item = u64>>(counts: I) -> Self {
        LinkColumn::U64(counts.into_iter().collect())
    }
}

/// Declares the counters of links, in the order of their columns. Summaries have the sums of `summed` counters, over
/// all links and by dimension.
macro_rules! link_counters {
    (@summed $links:ident $counter:ident) => {
        (stringify!($counter), $links.clone().map(|link| u64::from(link.$counter)).sum())
    };
    ($($(#[$doc:meta])* $counter:ident: $bits:ty $(=> $sum:ident)?,)*) => {
        /// Counters of one directed link.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct LinkCounters {
            $($(#[$doc])* pub $counter: $bits,)*
        }

        impl LinkCounters {
            /// The names of the counters.
            pub const NAMES: &[&str] = &[$(stringify!($counter)),*];

            /// A column of each counter of some links, by its name.
            pub fn columns<'a>(
                links: impl Iterator<Item = &'a LinkCounters> + Clone,
            ) -> Vec<(&'static str, LinkColumn)> {
                vec![$((stringify!($counter), links.clone().map(|link| link.$counter).collect())),*]
            }

            /// The sums over some links of the counters that are summed, by their names.
            pub fn sums<'a>(
                links: impl Iterator<Item = &'a LinkCounters> + Clone,
            ) -> Vec<(&'static str, u64)> {
                vec![$($(link_counters!(@$sum links $counter),)?)*]
            }
        }
    };
}

link_counters! {
    /// Packets whose transfer over it has begun.
    packets: u32,
    /// Chunks of these packets.
    chunks: u32,
    /// Cycles in which the link was idle and head packets needed it, but lacked credits.
    stalled_cycles: u64,
    /// Stall events, as hardware counts them: times at which the link came to be idle with head packets that needed it,
    /// but lacked credits (tokens).
    token_stalls: u32 => summed,
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
    /// Packets whose transfer over a link of this direction has begun.
    pub packets: u64,
    /// Chunks of these packets.
    pub chunks: u64,
}

impl DirectionTotals {
    /// The sums of links, which are in order of node and direction, of as many directions as nodes have ports.
    pub fn of_links(links: &[LinkCounters], ports: usize) -> [Self; 2 * geometry::MAX_DIMENSIONS] {
        let mut directions = [DirectionTotals::default(); 2 * geometry::MAX_DIMENSIONS];
        for (link, counters) in links.iter().enumerate() {
            let (packets, chunks) = (counters.packets.into(), counters.chunks.into());
            directions[link % ports] += DirectionTotals { packets, chunks };
        }
        directions
    }
}

impl AddAssign for DirectionTotals {
    fn add_assign(&mut self, part: Self) {
        self.packets += part.packets;
        self.chunks += part.chunks;
    }
}

/// Sums over the collective networks, in the measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectiveTotals {
    /// Packets that have left an injection FIFO of the tree network.
    pub tree_injected: u64,
    /// Packets that are complete in a reception FIFO of the tree network.
    pub tree_delivered: u64,
    /// Links of the tree network that packets have crossed.
    pub tree_hops: u64,
    /// Stall events of the tree network: packets of cores that were to go up next and found the network busy.
    pub tree_stalls: u64,
    /// Operations of the tree network for which a rank had data while another of its operations was under way there.
    pub tree_waits: u64,
    /// Wires of the global interrupts that all nodes had raised.
    pub releases: u64,
}

/// The value of the port in the digest for the collective networks.
const COLLECTIVE_PORT: usize = 15;

/// Sums of the packets that a group of nodes has received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Packets received by software, in the measurement.
    pub delivered: u64,
    /// Their chunks.
    pub delivered_chunks: u64,
    /// Cycles from offer to last byte received, of these packets.
    #[serde(with = "recorded_values")]
    pub latency: Histogram<u64>,
    /// Sum of these latencies.
    pub latency_sum: u128,
    /// The largest of these latencies.
    pub latency_max: u64,
    /// The cycle of the last delivery, in the measurement or before.
    pub last_delivery: u64,
    /// Packets received since cycle 0.
    pub delivered_ever: u64,
    /// Packets that software of the nodes has forwarded as relays, in the measurement.
    pub relayed: u64,
}

impl Default for GroupTotals {
    fn default() -> Self {
        GroupTotals {
            delivered: 0,
            delivered_chunks: 0,
            latency: new_histogram(),
            latency_sum: 0,
            latency_max: 0,
            last_delivery: 0,
            delivered_ever: 0,
            relayed: 0,
        }
    }
}

impl GroupTotals {
    fn count(&mut self, time: u64, offered: u64, chunks: u8) {
        let latency = time - offered;
        self.delivered += 1;
        self.delivered_ever += 1;
        self.delivered_chunks += u64::from(chunks);
        self.latency += latency;
        self.latency_sum += u128::from(latency);
        self.latency_max = self.latency_max.max(latency);
        self.last_delivery = self.last_delivery.max(time);
    }

    fn add(&mut self, other: &GroupTotals) {
        self.delivered += other.delivered;
        self.delivered_ever += other.delivered_ever;
        self.delivered_chunks += other.delivered_chunks;
        self.latency.add(&other.latency).expect("histograms of one kind can be added");
        self.latency_sum += other.latency_sum;
        self.latency_max = self.latency_max.max(other.latency_max);
        self.last_delivery = self.last_delivery.max(other.last_delivery);
        self.relayed += other.relayed;
    }

    fn start_measurement(&mut self) {
        *self = GroupTotals {
            last_delivery: self.last_delivery,
            delivered_ever: self.delivered_ever,
            ..GroupTotals::default()
        };
    }
}

/// Sums over the whole network.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Totals {
    /// Packets that left an injection FIFO, in the measurement.
    pub injected: u64,
    /// Packets received by software, copies included, in the measurement.
    pub delivered: u64,
    /// Packets received by relays, whose software forwards them past dead nodes and links, in the measurement; each is
    /// injected again.
    pub relayed: u64,
    /// Copies that packets left at the nodes they passed, in the measurement.
    pub deposited: u64,
    /// Chunks of the packets received, in the measurement.
    pub delivered_chunks: u64,
    /// Link crossings (transfers begun) by direction, in the measurement.
    pub directions: [DirectionTotals; 2 * geometry::MAX_DIMENSIONS],
    /// Link crossings by VC: the adaptive VCs in order, then the escape VC (or dateline pair), then the high-priority
    /// VC; in the measurement.
    pub vc_packets: [u64; MAX_VCS],
    /// Packets that left a node by bypassing an empty buffer, in the measurement.
    pub bypassed: u64,
    /// Credit returns to senders, in the measurement, if they are counted.
    pub credit_returns: u64,
    /// Returns, a part of `credit_returns`, that gave a blocked head packet of a receiver enough credits for at least one of its possible
    /// moves.
    pub unblocking_returns: u64,
    /// Cycles from offer to last byte received, for packets delivered in the measurement.
    #[serde(with = "recorded_values")]
    pub latency: Histogram<u64>,
    /// Sum of these latencies: the histogram rounds, the mean does not.
    pub latency_sum: u128,
    /// The largest of these latencies.
    pub latency_max: u64,
    /// The cycle of the last delivery, in the measurement or before.
    pub last_delivery: u64,
    /// Packets injected since cycle 0.
    pub injected_ever: u64,
    /// Packets delivered since cycle 0.
    pub delivered_ever: u64,
    /// Packets received by relays since cycle 0.
    pub relayed_ever: u64,
    /// Copies left since cycle 0.
    pub deposited_ever: u64,
    /// Links crossed since cycle 0.
    pub hops_ever: u64,
    /// Sums over the collective networks, in the measurement.
    pub collective: CollectiveTotals,
    /// The digest of all transfers and deliveries since cycle 0.
    pub digest: Digest,
    /// Deliveries by group of nodes, if these are counted; groups behind the last with a delivery are missing.
    pub groups: Vec<GroupTotals>,
}

/// Serializes a histogram as its recorded values and counts, from which an equal one is filled.
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
        let mut all: u64 = 0;
        for (value, count) in Vec::<(u64, u64)>::deserialize(deserializer)? {
            // The histogram itself does not check the sum of its counts.
            all = all.checked_add(count).ok_or_else(|| D::Error::custom("too many values"))?;
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
            vc_packets: Default::default(),
            bypassed: 0,
            credit_returns: 0,
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
            collective: CollectiveTotals::default(),
            digest: Digest::default(),
            groups: Vec::new(),
        }
    }
}

impl CollectiveTotals {
    fn add(&mut self, other: &CollectiveTotals) {
        let CollectiveTotals { tree_injected, tree_delivered, tree_hops, tree_stalls, tree_waits, releases } =
            *other;
        self.tree_injected += tree_injected;
        self.tree_delivered += tree_delivered;
        self.tree_hops += tree_hops;
        self.tree_stalls += tree_stalls;
        self.tree_waits += tree_waits;
        self.releases += releases;
    }
}

impl Totals {
    /// Links crossed in the measurement.
    pub fn hops(&self) -> u64 {
        self.directions.iter().map(|direction| direction.packets).sum()
    }

    /// Counts a packet that a relay, of a group or of none, has received.
    pub(crate) fn count_relay(&mut self, group: Option<usize>) {
        self.relayed += 1;
        self.relayed_ever += 1;
        if let Some(group) = group {
            self.group(group).relayed += 1;
        }
    }

    /// Counts a record of a node in the collective networks.
    pub(crate) fn record_collective(&mut self, time: u64, node: u32, recorded: Recorded) {
        let CollectiveTotals { tree_injected, tree_delivered, tree_hops, tree_stalls, tree_waits, releases } =
            &mut self.collective;
        let (kind, what) = match recorded {
            Recorded::Ascent(packet, links, injected) => {
                *tree_hops += u64::from(links);
                *tree_injected += u64::from(injected);
                (0, packet.identity())
            }
            Recorded::Stall => {
                *tree_stalls += 1;
                return; // a count, not an event of the network
            }
            Recorded::Wait => {
                *tree_waits += 1;
                return;
            }
            Recorded::Descent(packet, links) => {
                *tree_hops += u64::from(links);
                (1, packet.identity())
            }
            Recorded::Delivery(packet) => {
                *tree_delivered += 1;
                (2, packet.identity())
            }
            Recorded::Raise(wire) => (3, wire.into()),
            Recorded::Release(is_root) => {
                *releases += u64::from(is_root);
                (4, 0)
            }
        };
        self.digest.record(time, node, COLLECTIVE_PORT, kind, what);
    }

    /// Packets and copies in the network, or received and not yet read by software. A packet that a relay has read
    /// counts as neither until it is injected again.
    pub fn in_flight(&self) -> u64 {
        self.injected_ever + self.deposited_ever - self.relayed_ever - self.delivered_ever
    }

    /// Counts one delivery to a node of a group or of none.
    #[inline]
    pub(crate) fn count_delivery(&mut self, time: u64, offered: u64, chunks: u8, group: Option<usize>) {
        let latency = time - offered;
        self.delivered += 1;
        self.delivered_ever += 1;
        self.delivered_chunks += u64::from(chunks);
        self.latency += latency;
        self.latency_sum += u128::from(latency);
        self.latency_max = self.latency_max.max(latency);
        self.last_delivery = self.last_delivery.max(time);
        if let Some(group) = group {
            self.group(group).count(time, offered, chunks);
        }
    }

    fn group(&mut self, group: usize) -> &mut GroupTotals {
        if self.groups.len() <= group {
            self.groups.resize_with(group + 1, GroupTotals::default);
        }
        &mut self.groups[group]
    }

    /// Counts one transfer over a link.
    pub fn count_transfer(&mut self, direction: usize, vc: usize, chunks: u8) {
        self.directions[direction] += DirectionTotals { packets: 1, chunks: chunks.into() };
        self.vc_packets[vc] += 1;
        self.hops_ever += 1;
    }

    /// Adds the counts of another part of the network.
    pub fn add(&mut self, other: &Totals) {
        self.injected += other.injected;
        self.delivered += other.delivered;
        self.relayed += other.relayed;
        self.deposited += other.deposited;
        self.delivered_chunks += other.delivered_chunks;
        for (sum, part) in self.directions.iter_mut().zip(other.directions) {
            *sum += part;
        }
        for (sum, part) in self.vc_packets.iter_mut().zip(&other.vc_packets) {
            *sum += part;
        }
        self.bypassed += other.bypassed;
        self.credit_returns += other.credit_returns;
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
        self.collective.add(&other.collective);
        self.digest.add(other.digest);
        if self.groups.len() < other.groups.len() {
            self.groups.resize_with(other.groups.len(), GroupTotals::default);
        }
        self.groups.iter_mut().zip(&other.groups).for_each(|(sum, part)| sum.add(part));
    }

    /// Resets the counts of the measurement and keeps those since cycle 0.
    pub fn start_measurement(&mut self) {
        let mut groups = std::mem::take(&mut self.groups);
        groups.iter_mut().for_each(GroupTotals::start_measurement);
        *self = Totals {
            groups,
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
