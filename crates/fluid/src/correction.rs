//! The cost of blocking for packets: the time by which they need longer than their links are busy.
//!
//! Packets wait behind others that wait for a busier link. The cost of that was measured on all-to-alls whose shapes,
//! routes and sizes are other than those on which the error of this engine is measured (the study `fluid`, which fits
//! the numbers below; `docs/models/fluid.md` has the formulas and their reasons). With the load `l` of each dimension's
//! busiest link, as a share of the busiest of all, and the mean hops `h` of a packet in it:
//!
//! ```text
//!   adaptive, torus        BASE + crowding (GROWTH - SHORT / sqrt(h2 h3) + FEW / packets of a flow)
//!                          crowding = min(1, (h1 - h2) h3), 1 to 3 with the busiest dimension first
//!   adaptive, open         OPEN_BASE + OPEN l2, 2 the second among open dimensions
//!   dimension order        BASE + WAITING (sum of l over dimensions before the busiest, of l^2 over those behind it),
//!                          the sum times OPEN_SHARE if the busiest is open
//! ```

use crate::demand::Demand;
use crate::machine::{Machine, Sender};
use geometry::Shape;
use network::Parameters;
use network::parameters::FifoChoice;

/// The cost that packets of several dimensions always have for each other.
const BASE: f64 = 0.053;
/// The cost of the longest lines whose packets crowd the buffers of two others.
const GROWTH: f64 = 0.509;
/// The amount by which that is less on short lines.
const SHORT: f64 = 0.32;
/// The amount by which it is more for flows of a single packet, whose order is less regular.
const FEW: f64 = 0.063;
/// The cost that packets have for each other on open lines.
const OPEN_BASE: f64 = 0.041;
/// The cost of a second open dimension, the middles of whose lines are as busy.
const OPEN: f64 = 0.171;
/// The cost of waiting in the one queue of packets in dimension order.
const WAITING: f64 = 0.367;
/// The share of that cost on open lines, of which only the middles are busy.
const OPEN_SHARE: f64 = 0.626;
/// Packet times until lines that several flows share are filled and empty again.
const FILLING: f64 = 2.23;

/// At this number of targets of a source or more, nodes that are alike count as sending everywhere.
const MANY_TARGETS: f64 = 6.0;
/// At this share of all nodes as targets or more, other nodes count as sending everywhere.
const MAX_NODES: f64 = 0.5;
/// Up to this multiple of the mean, the busiest receiver counts as one of many.
const EVEN: f64 = 1.5;
/// Up to this share of packets that need several dimensions, flows count as straight.
const STRAIGHT: f64 = 0.1;

/// Loads that differ by less are equal.
const ROUNDING: f64 = 1e-6;

/// The cost of blocking for the flows of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blocking {
    /// Share by which links take longer than they are busy.
    share: f64,
    /// Cycles until lines are filled and empty again.
    filling_cycles: f64,
    /// Whether the cost is known.
    pub is_known: bool,
}

impl Blocking {
    /// The cost for a round, whose nodes are alike or not.
    pub fn of(machine: &Machine, demand: &Demand, are_alike: bool) -> Self {
        let loads = Loads::of(demand, &machine.network.shape);
        let mixed = demand.spread.mixed_share(loads.busiest);
        let nodes = f64::from(machine.network.shape.nodes());
        let many = if are_alike { MANY_TARGETS } else { MANY_TARGETS.max(MAX_NODES * nodes) };
        let (is_straight, is_wide) =
            (mixed < STRAIGHT, demand.spread.targets() >= many && demand.unevenness() < EVEN);
        // In dimension order, nodes that are alike meet no packets of other routes on theirs.
        let is_alone = is_straight || are_alike && !demand.is_adaptive();
        let goes_everywhere = is_wide && !is_straight;
        let (is_fitted, is_known) = match machine.sender {
            Sender::Ranks(software) => {
                let are_flows = goes_everywhere || is_alone && go_as_flows(machine, software, demand);
                let is_fitted = are_flows && !demand.has_handshakes && software.dma.is_none();
                // Cores that read packets stop the one queue of those behind, which costs more.
                (is_fitted, is_fitted && (demand.is_adaptive() || !goes_everywhere))
            }
            Sender::Nodes { .. } | Sender::Listed(_) => (is_alone || is_wide, is_alone || is_wide),
        };
        if !is_fitted {
            return Blocking { share: 0.0, filling_cycles: 0.0, is_known };
        }
        let is_shared = demand.spread.targets() > 1.0 && demand.flows_per_link() > 1.0;
        Blocking {
            share: if is_wide { mixed * loads.share(machine, demand) } else { 0.0 },
            filling_cycles: if is_shared { FILLING * (1.0 + mixed) * demand.packet_cycles } else { 0.0 },
            is_known,
        }
    }

    /// Cycles in which links carry what keeps them busy for `cycles` cycles.
    pub fn corrected(&self, cycles: f64) -> f64 {
        if cycles > 0.0 { cycles * (1.0 + self.share) + self.filling_cycles } else { 0.0 }
    }
}

/// Whether messages to few targets use links as their flows do.
fn go_as_flows(machine: &Machine, software: &messaging::Parameters, demand: &Demand) -> bool {
    if !software.protocol.is_eager() {
        return false;
    }
    // Packets that all go in one direction, though the other is as short, meet by chance.
    if software.protocol.keeps_order() {
        return !demand.is_drawn;
    }
    // The packets of a message fill all FIFOs before those of the next, so that only its links are in use.
    match machine.network.node.fifo_choice {
        FifoChoice::ByDirection => true,
        FifoChoice::Emptiest | FifoChoice::RoundRobin | FifoChoice::Random => false,
    }
}

/// The loads of dimensions.
struct Loads {
    busiest: usize,
    /// The load of each dimension's busiest link, as a share of the busiest of all.
    shares: Vec<f64>,
}

impl Loads {
    fn of(demand: &Demand, shape: &Shape) -> Self {
        let cycles = demand.busiest_links();
        let max = cycles.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let shares: Vec<f64> = cycles.iter().map(|cycles| cycles / max).collect();
        let is_busiest = |dimension: &usize| shares[*dimension] > 1.0 - ROUNDING;
        // If several are the busiest, an open one is taken: it is busy in its middle only, and waits there.
        let open = (0..shares.len()).find(|dimension| is_busiest(dimension) && !shape.wraps(*dimension));
        let busiest = open.or_else(|| (0..shares.len()).find(is_busiest)).unwrap_or(0);
        Loads { busiest, shares }
    }

    /// The share by which links take longer than they are busy.
    fn share(&self, machine: &Machine, demand: &Demand) -> f64 {
        let shape = &machine.network.shape;
        match (demand.is_adaptive(), shape.wraps(self.busiest)) {
            (true, true) => BASE + Self::crowding(machine.network, demand),
            (true, false) => OPEN_BASE + OPEN * self.second_open(shape),
            (false, true) => BASE + WAITING * self.waiting(),
            (false, false) => BASE + OPEN_SHARE * WAITING * self.waiting(),
        }
    }

    fn crowding(network: &Parameters, demand: &Demand) -> f64 {
        let dimensions = 0..network.shape.dimensions();
        let mut hops: Vec<f64> = dimensions.map(|dimension| demand.spread.hops(dimension, network)).collect();
        hops.sort_by(|one, other| other.total_cmp(one));
        let [first, second, third] = [0, 1, 2].map(|place| hops.get(place).copied().unwrap_or(0.0));
        if third == 0.0 {
            return 0.0;
        }
        let crowding = ((first - second) * third).min(1.0);
        let growth = (GROWTH - SHORT / (second * third).sqrt()).max(0.0);
        crowding * (growth + FEW / demand.spread.packets_per_flow())
    }

    fn second_open(&self, shape: &Shape) -> f64 {
        let open =
            (0..self.shares.len()).filter(|&dimension| !shape.wraps(dimension) && dimension != self.busiest);
        open.map(|dimension| self.shares[dimension]).fold(0.0, f64::max)
    }

    fn waiting(&self) -> f64 {
        let of_dimension = |(dimension, &share): (usize, &f64)| match dimension.cmp(&self.busiest) {
            std::cmp::Ordering::Less => share,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => share * share,
        };
        self.shares.iter().enumerate().map(of_dimension).sum()
    }
}
