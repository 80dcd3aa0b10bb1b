//! Tests for steady state: compares the two halves of the measurement window.

use super::escapes::{Escapes, is_transient};
use network::Totals;
use network::parameters::RouterParameters;

/// Relative difference in throughput between the halves that counts as a change, beyond counting noise.
const THROUGHPUT_TOLERANCE: f64 = 0.02;

/// Growth of latency, in cycles per cycle, above which packets are offered faster than delivered. With offered rate
/// `a` and delivered rate `b`, latency eventually grows by `1 - b/a`.
const LATENCY_GROWTH_LIMIT: f64 = 0.01;

/// Growth of the number of packets in the network, as a share of those delivered, above which its buffers are still
/// filling.
const FILLING_TOLERANCE: f64 = 0.01;

/// The shortest meaningful measurement, in mean latencies. In a shorter one, most packets delivered were already in
/// the network when it began, or most that left have not arrived.
const SHORTEST_IN_LATENCIES: u128 = 2;

/// The verdict on a run whose measurement is too short.
pub(crate) const TOO_SHORT: &str = "too short";

/// Whether a measurement of `cycles` cycles delivered nothing, or is shorter than [`SHORTEST_IN_LATENCIES`]. With
/// `verdict` saturated, most of the latency is the time before injection, which grows with the measurement. Then
/// the time in the network follows from the number of packets in it and their rate (Little's law).
pub(crate) fn is_too_short(totals: &Totals, cycles: u64, verdict: Option<&str>) -> bool {
    let latency_sum = match verdict {
        Some("saturated") => u128::from(totals.in_flight()) * u128::from(cycles),
        _ => totals.latency_sum,
    };
    totals.delivered == 0
        || u128::from(cycles) * u128::from(totals.delivered) < SHORTEST_IN_LATENCIES * latency_sum
}

/// Counts of one half of the measurement window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Half {
    injected: u64,
    delivered: u64,
    latency_sum: u128,
    escapes: Escapes,
    /// Packets in the network at its end.
    in_flight: u64,
}

impl Half {
    /// The counts between two points of the measurement.
    pub(crate) fn between(start: &Totals, end: &Totals, router: &RouterParameters) -> Self {
        Half {
            injected: end.injected - start.injected,
            delivered: end.delivered - start.delivered,
            latency_sum: end.latency_sum - start.latency_sum,
            escapes: Escapes::between(start, end, router),
            in_flight: end.in_flight(),
        }
    }

    fn latency_mean(&self) -> f64 {
        self.latency_sum as f64 / self.delivered as f64
    }
}

/// The verdict: `steady`, `saturated` (steady throughput, but more is offered than delivered) or `not yet steady`.
/// `None` if a half delivered nothing. `half_cycles` is the length of each half.
pub(crate) fn steadiness(first: Half, second: Half, half_cycles: u64) -> Option<&'static str> {
    if first.delivered == 0 || second.delivered == 0 {
        return None;
    }
    // Both halves in times of a packet in the network, by Little's law.
    let latencies = (first.delivered + second.delivered) as f64 / second.in_flight.max(1) as f64;
    let is_transient = is_transient(first.escapes, second.escapes, latencies);
    if has_changed(first, second) || is_filling(second) || is_transient {
        return Some("not yet steady");
    }
    let growth = (second.latency_mean() - first.latency_mean()) / half_cycles as f64;
    Some(if growth > LATENCY_GROWTH_LIMIT { "saturated" } else { "steady" })
}

fn has_changed(first: Half, second: Half) -> bool {
    let (a, b) = (first.delivered as f64, second.delivered as f64);
    (a - b).abs() > THROUGHPUT_TOLERANCE * a + noise(a + b)
}

fn is_filling(half: Half) -> bool {
    let (injected, delivered) = (half.injected as f64, half.delivered as f64);
    injected - delivered > FILLING_TOLERANCE * delivered + noise(delivered)
}

/// Three standard deviations of a count.
fn noise(count: f64) -> f64 {
    3.0 * count.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_must_outlast_its_packets() {
        let of = |delivered, latency_mean, in_flight| Totals {
            delivered,
            latency_sum: u128::from(delivered * latency_mean),
            injected_ever: in_flight,
            ..Totals::default()
        };
        let cases = [
            (of(0, 0, 0), None, true),
            (of(100, 499, 0), Some("steady"), false),
            (of(100, 501, 0), Some("steady"), true),
            (of(100, 5_000, 40), Some("saturated"), false),
            (of(100, 5_000, 60), Some("saturated"), true),
        ];
        for (totals, verdict, expected) in cases {
            assert_eq!(is_too_short(&totals, 1_000, verdict), expected, "{totals:?} {verdict:?}");
        }
    }

    fn half(delivered: u64, latency_mean: u64) -> Half {
        let latency_sum = u128::from(delivered * latency_mean);
        Half { injected: delivered, delivered, latency_sum, escapes: Escapes::default(), in_flight: 100 }
    }

    #[test]
    fn halves_distinguish_steady_from_saturated() {
        let cases = [
            (half(10_000, 500), half(10_050, 510), Some("steady")),
            (half(10_000, 5_000), half(10_050, 7_000), Some("saturated")),
            (half(10_000, 500), half(12_000, 500), Some("not yet steady")),
            (half(100, 500), half(112, 500), Some("steady")),
            (half(10_000, 500), Half { injected: 10_600, ..half(10_000, 500) }, Some("not yet steady")),
            (half(0, 0), half(10, 500), None),
        ];
        for (first, second, expected) in cases {
            assert_eq!(steadiness(first, second, 10_000), expected, "{first:?} {second:?}");
        }
    }
}
