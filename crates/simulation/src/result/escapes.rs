//! How much traffic uses the escape VC: a sign that a network may look steady and is not.
//!
//! ```text
//!   torus 4x16x16, all nodes to all, share of hops on the escape VC:
//!     100,000 cycles  2.5 %     98 % of peak, looks steady
//!     300,000         3.1 %
//!     420,000         7 %       packets with hops left in one dimension only fill the adaptive VCs
//!     700,000        26 %       81 % of peak, settled
//! ```
//!
//! Where dimensions are loaded unequally, a network close to saturation can keep its throughput for hundreds of thousands
//! of cycles, until packets that wait for the busy dimension have filled enough buffers. Before that, throughput and
//! latency hardly change, but the escape VC is in use, and more and more. On a cube it is not.
//!
//! The limits are fitted to 65 runs of 0.8 to 4 million cycles, 13 shapes at 5 loads each. Of 1,694 windows of these runs
//! that were called steady or saturated without them, 87 are 3 points or more off what comes later. With them none is, of
//! 1,441. With 60 times instead of 100, three are. Of other runs (study `steadiness`), one of 25 settled windows of a million
//! cycles is 5.4 points off: 4x8x8 at load 1.1, whose share stays near 1 % for a million cycles and then grows.

use network::Totals;
use network::parameters::{MAX_VCS, RouterParameters};

/// Share of hops on the escape VC up to which it serves single packets, and nothing builds up.
pub const NEGLIGIBLE_ESCAPE_SHARE: f64 = 0.002;

/// Growth of that share from the first half of a window to the second which is no chance: in hops, and in addition as a
/// part of the share.
const GROWTH: [f64; 2] = [0.001, 0.05];

/// Length of a window, in times of a packet in the network, that outlasts such a transient.
const WINDOW_IN_LATENCIES: f64 = 100.0;

/// The hops of packets that may use adaptive VCs and the escape VC.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Escapes {
    escaped: u64,
    adaptive: u64,
}

impl Escapes {
    /// The hops by VC.
    pub fn of(vcs: &[u64; MAX_VCS], router: &RouterParameters) -> Self {
        let escapes = router.escape_vcs();
        Escapes { adaptive: vcs[..escapes.start].iter().sum(), escaped: vcs[escapes].iter().sum() }
    }

    /// The hops between two points of a run.
    pub fn between(start: &Totals, end: &Totals, router: &RouterParameters) -> Self {
        let vcs = std::array::from_fn(|vc| end.vc_packets[vc] - start.vc_packets[vc]);
        Escapes::of(&vcs, router)
    }

    /// The sum of both.
    pub fn and(self, other: Self) -> Self {
        Escapes { escaped: self.escaped + other.escaped, adaptive: self.adaptive + other.adaptive }
    }

    /// The share of hops on the escape VC. None if all packets are routed there, which says nothing.
    fn share(self) -> Option<f64> {
        (self.adaptive > 0).then(|| self.escaped as f64 / (self.escaped + self.adaptive) as f64)
    }
}

/// Whether a window may be part of a transient, from its two halves. `latencies` is its length in times of a packet in
/// the network.
pub(crate) fn is_transient(first: Escapes, second: Escapes, latencies: f64) -> bool {
    let (Some(before), Some(after)) = (first.share(), second.share()) else { return false };
    let [hops, part] = GROWTH;
    let is_in_use = before.max(after) > NEGLIGIBLE_ESCAPE_SHARE;
    is_in_use && (after - before > hops + part * before || latencies < WINDOW_IN_LATENCIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_whose_escape_is_in_use_is_judged_by_growth_and_length() {
        let share =
            |per_mille: u64| Escapes { escaped: per_mille * 1000, adaptive: (1000 - per_mille) * 1000 };
        let cases = [
            (share(0), share(1), 10.0, false),
            (share(5), share(5), 50.0, true),
            (share(5), share(5), 120.0, false),
            (share(5), share(7), 120.0, true),
            (share(7), share(5), 120.0, false),
            (share(250), share(260), 120.0, false),
            (share(1000), share(1000), 10.0, false),
        ];
        for (first, second, latencies, expected) in cases {
            assert_eq!(is_transient(first, second, latencies), expected, "{first:?} {second:?} {latencies}");
        }
    }
}
