//! The calls of ranks that repeat an exchange of messages, as kernels and collectives do.

mod program;

use crate::message_size::MessageSize;
use messaging::Layers;
use mpi::{Call, Members};
pub use program::{KernelProgram, Position};
use serde_json::Value;
use std::fmt::Debug;

/// What a summary says of a kernel: keys with plain values, null if the run did not complete.
pub type Figures = Vec<(&'static str, Value)>;

/// What ranks do in an iteration.
pub trait Exchange: Debug + Send + Sync {
    /// Call `step` of a rank, from 0; none after the last.
    fn call(&self, rank: u32, step: u32) -> Option<Call>;

    /// The communicators that a rank is in from the start, beside that of all ranks.
    fn communicators(&self, _rank: u32) -> Vec<Members> {
        Vec::new()
    }

    /// The periodic grid of ranks under whose translations all ranks are alike; empty if they are not.
    fn grid(&self) -> Vec<u32> {
        Vec::new()
    }

    /// What a summary has beside the figures of all kernels.
    fn figures(&self, _run: &KernelRun) -> Figures {
        Vec::new()
    }
}

/// What a run has measured of a kernel. Times are none while a rank has not ended its last iteration.
#[derive(Clone, Copy, Debug)]
pub struct KernelRun {
    /// Processor cycles from the start until rank 0 ended its last iteration.
    pub first_rank_processor_cycles: Option<u64>,
    /// The same of the rank that did so last.
    pub last_rank_processor_cycles: Option<u64>,
    /// Network cycles for each processor cycle.
    pub cycles_per_processor_cycle: f64,
    /// How often the exchange was made.
    pub iterations: u32,
    /// The size of each message.
    pub message: MessageSize,
    /// What software takes for it, if it is eager, of one packet, and moved by the core of its rank.
    pub layers: Option<Layers>,
}

impl KernelRun {
    /// `amount` a processor cycle of the run.
    pub(crate) fn per_processor_cycle(&self, amount: f64) -> Option<f64> {
        self.last_rank_processor_cycles.filter(|&cycles| cycles > 0).map(|cycles| amount / cycles as f64)
    }
}
