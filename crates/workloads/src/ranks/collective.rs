//! A collective on a machine.

use crate::exchange::{self, Exchange, Figures, KernelProgram};
use messaging::RankMap;
use mpi::{Algorithm, Load, Selection};
use serde_json::json;
use std::sync::Arc;

/// A collective on a machine.
#[derive(Clone, Debug)]
pub struct CollectivePlan {
    /// The place of each rank.
    pub map: RankMap,
    /// The group of each rank: a group makes the call together.
    pub groups: Arc<[u32]>,
    /// The length of all messages, if it is the same: where a rank sends blocks to their targets.
    pub message_bytes: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) repetitions: u32,
    pub(crate) algorithm: Algorithm,
    /// The name of the algorithm, or of the one that MPICH2 takes.
    pub(crate) algorithm_name: &'static str,
    pub(crate) steps: u32,
    /// The bytes that a link of a ring carries for each byte of the data, by which the rates of operations compare.
    /// None for a barrier, which has no data.
    pub(crate) bus_factor: Option<f64>,
    /// The bound of one repetition.
    pub(crate) bound_cycles: Option<f64>,
    pub(crate) exchange: Arc<dyn Exchange>,
}

/// The measurements of a collective in a run.
#[derive(Clone, Copy, Debug)]
pub struct CollectiveRun<'a> {
    /// The processor cycle at which each rank ended its last repetition.
    pub ended: &'a [Option<u64>],
    /// Network cycles for each processor cycle.
    pub cycles_per_processor_cycle: f64,
    /// Bytes that a link carries in a second, in millions: the bytes per network cycle, times the network cycles
    /// per microsecond.
    pub megabytes_per_second: f64,
    /// Bytes on the wire of the link that carried most.
    pub busiest_link_bytes: u64,
}

impl CollectivePlan {
    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.map.ranks()
    }

    /// The name of the algorithm, or of the one that MPICH2 takes.
    pub fn algorithm_name(&self) -> &'static str {
        self.algorithm_name
    }

    /// Whether ranks use a collective network.
    pub fn is_on_network(&self) -> bool {
        self.algorithm.is_on_network()
    }

    /// Whether ranks send messages along lines, by the deposit bit.
    pub fn deposits(&self) -> bool {
        self.algorithm.deposits()
    }

    /// The program of a rank.
    pub fn program(&self, rank: u32) -> KernelProgram {
        KernelProgram::new(self.exchange.clone(), rank, self.repetitions)
    }

    /// The operations that some of its ranks have under way at a time, with algorithms of collectives chosen by
    /// `selection`.
    pub fn loads(&self, selection: Selection) -> Vec<Load> {
        exchange::of_exchange(&*self.exchange, &self.map, selection)
    }

    /// The figures of a summary.
    pub fn figures(&self, run: &CollectiveRun<'_>) -> Figures {
        let each = run.cycles_per_processor_cycle / f64::from(self.repetitions);
        let cycles: Option<Vec<f64>> =
            run.ended.iter().map(|ended| ended.map(|cycle| cycle as f64 * each)).collect();
        let of_all = |combine: fn(f64, f64) -> f64| cycles.as_ref()?.iter().copied().reduce(combine);
        let slowest = of_all(f64::max);
        let mean = cycles.as_ref().map(|cycles| cycles.iter().sum::<f64>() / cycles.len() as f64);
        let timed = slowest.filter(|&cycles| cycles > 0.0).zip(self.bus_factor);
        let rates = timed.map(|(cycles, factor)| {
            let rate = self.bytes as f64 / cycles * run.megabytes_per_second;
            (rate, rate * factor)
        });
        vec![
            ("algorithm", json!(self.algorithm_name)),
            ("collective_cycles_min", json!(of_all(f64::min))),
            ("collective_cycles_mean", json!(mean)),
            ("collective_cycles_max", json!(slowest)),
            ("algorithm_megabytes_per_second", json!(rates.map(|(rate, _)| rate))),
            ("bus_megabytes_per_second", json!(rates.map(|(_, bus)| bus))),
            ("bound_cycles", json!(self.bound_cycles)),
            ("steps", json!(self.steps)),
            ("busiest_link_bytes", json!(run.busiest_link_bytes)),
        ]
    }
}
