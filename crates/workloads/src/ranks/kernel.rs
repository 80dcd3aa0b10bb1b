//! A kernel on a machine.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::exchange::{Exchange, Figures, KernelProgram, KernelRun};
use crate::flows::{Flows, OfKernel};
use crate::message_size::MessageSize;
use messaging::{Layers, MAX_MESSAGE_BYTES, RankMap};
use serde_json::json;
use std::sync::Arc;

/// A kernel on a machine.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// Where each rank runs.
    pub map: RankMap,
    /// Length of each message in bytes.
    pub bytes: u64,
    /// How often the exchange is made.
    pub iterations: u32,
    message: MessageSize,
    layers: Option<Layers>,
    exchange: Arc<dyn Exchange>,
}

impl KernelPlan {
    /// The kernel whose ranks run where `map` places them, and make the calls of `exchange`.
    ///
    /// # Errors
    /// When the length or the number of iterations is out of range.
    pub(crate) fn new(
        context: &Context,
        map: RankMap,
        (bytes, iterations): (u64, u32),
        exchange: impl Exchange + 'static,
    ) -> Result<Self, WorkloadError> {
        require(bytes <= MAX_MESSAGE_BYTES, "bytes", || {
            format!("a message has from 0 to {MAX_MESSAGE_BYTES} bytes")
        })?;
        require(iterations > 0, "iterations", || "0 iterations: at least 1".into())?;
        let message = MessageSize::of(bytes, context);
        let layers = message.layers(bytes, context);
        Ok(KernelPlan { map, bytes, iterations, message, layers, exchange: Arc::new(exchange) })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.map.ranks()
    }

    /// The program of a rank.
    pub fn program(&self, rank: u32) -> KernelProgram {
        KernelProgram::new(self.exchange.clone(), rank, self.iterations)
    }

    /// What a summary says, given the processor cycle at which each rank ended its last iteration, in order of ranks.
    pub fn figures(&self, ended: &[Option<u64>], cycles_per_processor_cycle: f64) -> Figures {
        let last =
            ended.iter().copied().collect::<Option<Vec<u64>>>().and_then(|ended| ended.into_iter().max());
        let run = KernelRun {
            first_rank_processor_cycles: ended.first().copied().flatten(),
            last_rank_processor_cycles: last,
            cycles_per_processor_cycle,
            iterations: self.iterations,
            message: self.message,
            layers: self.layers,
        };
        let iteration = last.map(|cycles| cycles as f64 / f64::from(self.iterations));
        let mut figures = vec![("iteration_processor_cycles", json!(iteration))];
        figures.extend(self.exchange.figures(&run));
        figures
    }

    /// What its ranks send.
    pub(crate) fn flows(&self) -> Flows {
        let senders = OfKernel { ranks: self.ranks(), exchange: self.exchange.clone() };
        Flows::of_ranks(self.ranks(), self.exchange.grid(), self.iterations.into(), senders)
    }
}
