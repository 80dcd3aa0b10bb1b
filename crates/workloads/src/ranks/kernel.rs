//! A kernel on a machine.

use crate::error::{WorkloadError, require};
use crate::exchange::{self, Exchange, Figures, KernelProgram, KernelRun, Part, RankTimes};
use crate::flows::{Flows, OfKernel, Phase};
use crate::message_size::require_length;
use messaging::RankMap;
use mpi::{Load, Selection};
use serde_json::json;
use std::sync::Arc;

/// The most iterations: the parts of a program, two more, are numbered.
const MAX_ITERATIONS: u32 = u32::MAX - 2;

/// A kernel on a machine.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// The place of each rank.
    pub map: RankMap,
    /// The length of all messages, if it is the same.
    pub message_bytes: Option<u64>,
    /// The number of times that the exchange is made.
    pub iterations: u32,
    exchange: Arc<dyn Exchange>,
}

impl KernelPlan {
    /// The kernel whose ranks run where `map` places them, and make the calls of `exchange`.
    ///
    /// # Errors
    /// When there are no iterations.
    pub(crate) fn new(
        map: RankMap,
        iterations: u32,
        exchange: impl Exchange + 'static,
    ) -> Result<Self, WorkloadError> {
        require(iterations > 0, "iterations", || "0 iterations: at least 1".into())?;
        require(iterations <= MAX_ITERATIONS, "iterations", || {
            format!("{iterations} iterations: at most {MAX_ITERATIONS}")
        })?;
        Ok(KernelPlan { map, message_bytes: None, iterations, exchange: Arc::new(exchange) })
    }

    /// This kernel with `bytes` bytes in every message.
    ///
    /// # Errors
    /// When the length is out of range.
    pub(crate) fn with_messages_of(self, bytes: u64) -> Result<Self, WorkloadError> {
        require_length("bytes", bytes)?;
        Ok(KernelPlan { message_bytes: Some(bytes), ..self })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.map.ranks()
    }

    /// The program of a rank.
    pub fn program(&self, rank: u32) -> KernelProgram {
        KernelProgram::new(self.exchange.clone(), rank, self.iterations)
    }

    /// The operations that some of its ranks have under way at a time, with algorithms of collectives chosen by
    /// `selection`.
    pub fn loads(&self, selection: Selection) -> Vec<Load> {
        exchange::of_exchange(&*self.exchange, &self.map, selection)
    }

    /// The figures of a summary, given the times of its ranks, and the network cycles in a processor cycle and in a
    /// microsecond.
    pub fn figures(
        &self,
        times: &RankTimes,
        cycles_per_processor_cycle: f64,
        cycles_per_microsecond: f64,
    ) -> Figures {
        let last = times.last();
        let run = KernelRun {
            first_rank_processor_cycles: times.ended.first().copied().flatten(),
            last_rank_processor_cycles: last,
            measured_processor_cycles: last.map(|_| &times.measured[..]),
            cycles_per_processor_cycle,
            cycles_per_microsecond,
            iterations: self.iterations,
        };
        let iteration = last.map(|cycles| cycles as f64 / f64::from(self.iterations));
        let mut figures = vec![("iteration_processor_cycles", json!(iteration))];
        figures.extend(self.exchange.figures(&run));
        figures
    }

    /// The data that its ranks send, before the iterations, in them, and after them, with algorithms of collectives
    /// chosen by `selection`.
    pub(crate) fn flows(&self, selection: Selection) -> Flows {
        let phase = |(part, repetitions)| {
            let senders = OfKernel { ranks: self.ranks(), exchange: self.exchange.clone(), part, selection };
            Phase { repetitions, senders: Arc::new(senders) }
        };
        let parts =
            [(Part::Before, 1), (Part::Iteration, self.iterations.into()), (Part::After, 1)].map(phase);
        Flows {
            ranks: self.ranks(),
            grid: self.exchange.grid(),
            are_alike_nodes: false,
            routing: None,
            phases: parts.into(),
        }
    }
}
