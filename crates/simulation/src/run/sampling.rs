//! Sampling: a long, regular workload is simulated until the rate of its deliveries has settled, and the rest of its time
//! follows from that rate.
//!
//! ```text
//!   delivered |        . - - - - total
//!             |      . -             remaining / rate
//!             |    /
//!             |  /|  settled, in batches: mean and 95 % interval
//!             |_/_|_______________________
//! ```
//!
//! The beginning is excluded by MSER-5 ([`truncation`]); the interval is that of batch means (Law: Simulation
//! Modeling and Analysis, 2015, chapter 9). A settled part may still be a transient ([`is_transient`]).

use super::series::{Delivered, Series};
use crate::mapping::flows_and_map;
use crate::result::{Escapes, is_transient};
use crate::scenario::Scenario;
use crate::truncation::truncation;
use input::InputError;
use messaging::Transfer;
use network::Totals;
use network::parameters::RouterParameters;
use workloads::{Plan, PlannedTraffic};

/// Batches of the settled part. More would be shorter and depend more on one another.
const BATCHES: usize = 20;

/// Rows of the settled part, below which its batches would be too unequal.
const FEWEST_ROWS: usize = 2 * BATCHES;

/// The factor of the 95 % interval for as many batches: Student's t with 19 degrees of freedom.
const STUDENT_T: f64 = 2.093;

/// Closed rows of the time series between two attempts.
const ROWS_BETWEEN: usize = 20;

/// The condition at which a sampled run ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampling {
    /// Packets that all nodes receive.
    total: u64,
    /// Half of the interval of the rate at which the run ends, as a share of the rate.
    half_width: f64,
    /// The bound, which the whole cannot beat.
    min_cycles: f64,
    router: RouterParameters,
}

impl Sampling {
    /// The sampling of a scenario; none if its runs are not sampled.
    ///
    /// # Errors
    /// When the number of packets is not known in advance.
    pub fn of(scenario: &Scenario, plan: &Plan) -> Result<Option<Self>, InputError> {
        let Some(percent) = scenario.run.sample_half_width_percent else { return Ok(None) };
        let total = match &plan.traffic {
            PlannedTraffic::Ranks(_) if plan.total_packets.is_none() => packets_of_ranks(scenario, plan)?,
            PlannedTraffic::Ranks(_) | PlannedTraffic::Generated(_) | PlannedTraffic::Jobs(_) => {
                plan.total_packets
            }
        };
        let problem = "the number of packets of this workload is not known in advance, so that nothing can be \
                       extrapolated from a sample: must be \"drained\"";
        let total =
            total.filter(|_| plan.jobs.is_empty()).ok_or_else(|| scenario.error("run.stop", problem))?;
        let min_cycles = plan.bound.and_then(|bound| bound.drained_cycles).unwrap_or(0.0);
        let router = scenario.parameters.router;
        Ok(Some(Sampling { total, half_width: percent / 100.0, min_cycles, router }))
    }

    /// The extrapolation at cycle `now`, if a row of the series has just been closed and the rate has settled.
    pub fn end(&self, series: &Series, now: u64, totals: &Totals) -> Option<Extrapolation> {
        let rows = series.delivered(&self.router);
        if rows.len() == 0 || !rows.len().is_multiple_of(ROWS_BETWEEN) {
            return None;
        }
        let rows: Vec<Delivered> = rows.collect();
        let found = Extrapolation::of(&rows, now, (totals.delivered_ever, self.total), self.half_width)?;
        if may_be_transient(&rows, found.sample.settled_cycle, totals.in_flight()) {
            return None;
        }
        // Nodes that are ahead of others, as at the ends of a mesh, end before these, and the rate falls.
        Some(Extrapolation { cycles: found.cycles.max(self.min_cycles), ..found })
    }
}

/// Whether the settled part of a series may be a transient.
fn may_be_transient(rows: &[Delivered], settled_cycle: u64, in_flight: u64) -> bool {
    let settled = &rows[rows.partition_point(|row| row.start < settled_cycle)..];
    let (first, second) = settled.split_at(settled.len() / 2);
    let escapes = |half: &[Delivered]| half.iter().fold(Escapes::default(), |sum, row| sum.and(row.escapes));
    let packets: u64 = settled.iter().map(|row| row.packets).sum();
    is_transient(escapes(first), escapes(second), packets as f64 / in_flight.max(1) as f64)
}

/// Packets of the messages that ranks of different nodes send to each other, if their number is known without a
/// run.
fn packets_of_ranks(scenario: &Scenario, plan: &Plan) -> Result<Option<u64>, InputError> {
    let Some((flows, map)) = flows_and_map(scenario, plan)? else { return Ok(None) };
    let parameters = scenario.messaging_parameters();
    let packets = Transfer::packets_by_length(&scenario.parameters, &parameters);
    let mut total = 0;
    flows.for_each(|source, flow| {
        if map.place(source).node == map.place(flow.target).node {
            return;
        }
        total += flow.messages * packets(flow.bytes / flow.messages.max(1));
    });
    Ok(Some(total))
}

/// The figures that a sample gives of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Packets per cycle of all nodes together, once the rate has settled.
    pub rate: f64,
    /// Half of the 95 % interval of the rate.
    pub half_width: f64,
    /// The cycle at which the rate has settled.
    pub settled_cycle: u64,
}

/// The cycle at which all packets will be delivered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extrapolation {
    /// The sample.
    pub sample: Sample,
    /// The share of the packets that have been delivered.
    pub share: f64,
    /// The cycle of the last delivery, if the rate stays the same.
    pub cycles: f64,
    /// Half of the 95 % interval of the cycle, which follows from that of the rate alone.
    pub half_width: f64,
}

impl Sample {
    /// The sample of a series of deliveries; none if too few rows have settled.
    fn of(rows: &[Delivered]) -> Option<Self> {
        let rates: Vec<f64> = rows.iter().map(Delivered::rate).collect();
        let settled = &rows[truncation(&rates)..];
        if settled.len() < FEWEST_ROWS {
            return None;
        }
        let edges = |batch: usize| settled.len() * batch / BATCHES;
        let means = (0..BATCHES).map(|batch| mean_rate(&settled[edges(batch)..edges(batch + 1)]));
        let means: Vec<f64> = means.collect();
        let rate = mean_rate(settled);
        let squares: f64 = means.iter().map(|mean| (mean - rate).powi(2)).sum();
        let deviation = (squares / (BATCHES - 1) as f64).sqrt();
        let half_width = STUDENT_T * deviation / (BATCHES as f64).sqrt();
        let is_level = is_level(&means, deviation);
        (rate > 0.0 && is_level).then_some(Sample { rate, half_width, settled_cycle: settled[0].start })
    }
}

impl Extrapolation {
    /// The extrapolation at cycle `now` from the rows so far, with `delivered` packets of `total`. None unless the
    /// interval of the rate is as narrow as `relative_half_width` requires.
    fn of(
        rows: &[Delivered],
        now: u64,
        (delivered, total): (u64, u64),
        relative_half_width: f64,
    ) -> Option<Self> {
        let sample =
            Sample::of(rows).filter(|sample| sample.half_width <= relative_half_width * sample.rate)?;
        let remaining = total.checked_sub(delivered)? as f64 / sample.rate;
        Some(Extrapolation {
            sample,
            share: delivered as f64 / total as f64,
            cycles: now as f64 + remaining,
            half_width: remaining * sample.half_width / sample.rate,
        })
    }
}

fn mean_rate(rows: &[Delivered]) -> f64 {
    let packets: u64 = rows.iter().map(|row| row.packets).sum();
    let cycles: u64 = rows.iter().map(|row| row.end - row.start).sum();
    packets as f64 / cycles.max(1) as f64
}

/// Whether the batches show no trend: a slope within the 95 % interval of one by chance.
fn is_level(means: &[f64], deviation: f64) -> bool {
    let middle = (means.len() - 1) as f64 / 2.0;
    let spread: f64 = (0..means.len()).map(|batch| (batch as f64 - middle).powi(2)).sum();
    let slope =
        means.iter().enumerate().map(|(batch, mean)| (batch as f64 - middle) * mean).sum::<f64>() / spread;
    slope.abs() <= STUDENT_T * deviation / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROW: u64 = 1_000;

    fn rows(packets: impl IntoIterator<Item = u64>) -> Vec<Delivered> {
        let row = |(number, packets)| Delivered {
            start: number as u64 * ROW,
            end: (number as u64 + 1) * ROW,
            packets,
            escapes: Escapes::default(),
        };
        packets.into_iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_rate_that_rises_or_falls_has_not_settled() {
        let rising = rows((0..200).map(|row| 1_000 + row));
        let falling = rows((0..200).map(|row| 1_200 - row));
        assert_eq!((Sample::of(&rising), Sample::of(&falling)), (None, None));
        assert_eq!(Sample::of(&rows([0; 200])), None);
        assert_eq!(Sample::of(&rows([7; 30])), None);
    }

    proptest! {
        #[test]
        fn the_beginning_is_left_out(start in 10usize..60, noise in prop::collection::vec(0u64..40, 160)) {
            let warmup = (0..start).map(|row| 500 * row as u64 / start as u64);
            let series = rows(warmup.chain(noise.iter().map(|more| 980 + more)));
            let now = series.len() as u64 * ROW;
            let delivered: u64 = series.iter().map(|row| row.packets).sum();
            if let Some(found) = Extrapolation::of(&series, now, (delivered, 10_000_000), 0.05) {
                let expected = now as f64 + (10_000_000 - delivered) as f64 / 0.9995;
                prop_assert!(found.sample.settled_cycle + 5 * ROW >= start as u64 * ROW);
                prop_assert!((found.cycles / expected - 1.0).abs() < 0.02, "{found:?} {expected}");
                prop_assert!(found.half_width < 0.01 * found.cycles);
            }
        }
    }
}
