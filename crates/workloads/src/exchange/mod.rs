//! The calls of ranks that repeat an exchange of messages, as kernels and collectives do.
//!
//! ```text
//!   before --> iteration 1 --> ... --> iteration n --> after      each a list of calls: a function of rank and step
//!                  '- measurements: calls whose time is noted
//! ```

mod loads;
mod program;

pub(crate) use loads::of_exchange;
pub use loads::{of_trace, slower_of_trace};
use mpi::{Call, Given};
pub use program::{KernelProgram, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// The figures that a summary has of a kernel: keys with plain values, null if the run did not complete.
pub type Figures = Vec<(&'static str, Value)>;

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The calls that are made once, before the first iteration.
    Before,
    /// An iteration.
    Iteration,
    /// The calls that are made once, after the last iteration.
    After,
}

/// The calls of ranks that repeat an exchange.
pub trait Exchange: Debug + Send + Sync {
    /// Call `step` of a rank in an iteration, from 0; none after the last.
    fn call(&self, rank: u32, step: u32) -> Option<Call>;

    /// Call `step` of a rank before the first iteration.
    fn call_before(&self, _rank: u32, _step: u32) -> Option<Call> {
        None
    }

    /// Call `step` of a rank after the last iteration.
    fn call_after(&self, _rank: u32, _step: u32) -> Option<Call> {
        None
    }

    /// The number of the measurement to which call `step` of an iteration belongs, if any. A measurement lasts from
    /// the beginning of its first call to the end of its last.
    fn measurement(&self, _rank: u32, _step: u32) -> Option<u32> {
        None
    }

    /// The number of measurements in an iteration.
    fn measurements(&self) -> u32 {
        0
    }

    /// Reports the messages that a rank sends in an iteration, if they are known without its calls. Otherwise
    /// returns false, and its calls are read.
    fn report_sent(&self, _rank: u32, _report: &mut dyn FnMut(Sent)) -> bool {
        false
    }

    /// The communicators that a rank is in from the start, in addition to that of all ranks.
    fn communicators(&self, _rank: u32) -> Vec<Given> {
        Vec::new()
    }

    /// The periodic grid of ranks under whose translations all ranks are alike; empty if they are not.
    fn grid(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The figures that a summary has in addition to those of all kernels.
    fn figures(&self, _run: &KernelRun<'_>) -> Figures {
        Vec::new()
    }
}

/// Messages of a length to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The rank that receives the messages.
    pub target: u32,
    /// Bytes of each message.
    pub bytes: u64,
    /// The number of messages.
    pub messages: u64,
}

impl dyn Exchange {
    /// Call `step` of a part of a rank's program; none after its last.
    pub(crate) fn call_of(&self, part: Part, rank: u32, step: u32) -> Option<Call> {
        match part {
            Part::Before => self.call_before(rank, step),
            Part::Iteration => self.call(rank, step),
            Part::After => self.call_after(rank, step),
        }
    }
}

/// The measurements of a kernel in a run. Times are none while a rank has not ended.
#[derive(Clone, Copy, Debug)]
pub struct KernelRun<'a> {
    /// Processor cycles from the start until rank 0 ended.
    pub first_rank_processor_cycles: Option<u64>,
    /// Processor cycles from the start until the last rank ended.
    pub last_rank_processor_cycles: Option<u64>,
    /// The longest time of any rank for each measurement, in processor cycles, in order. None if a rank has not
    /// ended.
    pub measured_processor_cycles: Option<&'a [u64]>,
    /// Network cycles for each processor cycle.
    pub cycles_per_processor_cycle: f64,
    /// Network cycles in a microsecond.
    pub cycles_per_microsecond: f64,
    /// The number of times that the exchange was made.
    pub iterations: u32,
}

impl KernelRun<'_> {
    /// `amount` per processor cycle of the run.
    pub(crate) fn per_processor_cycle(&self, amount: f64) -> Option<f64> {
        self.last_rank_processor_cycles.filter(|&cycles| cycles > 0).map(|cycles| amount / cycles as f64)
    }
}

/// The times of the ranks of a kernel or a collective, in processor cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTimes {
    /// The end of each rank, in order of ranks; none if it has not ended.
    pub ended: Vec<Option<u64>>,
    /// The longest time of any rank for each measurement, in order.
    pub measured: Vec<u64>,
}

impl RankTimes {
    /// The times of ranks none of which has done anything.
    pub fn new(ranks: u32) -> Self {
        RankTimes { ended: vec![None; ranks as usize], measured: Vec::new() }
    }

    /// Adds the times of a rank.
    pub fn add(&mut self, rank: u32, program: &KernelProgram) {
        self.ended[rank as usize] = program.ended();
        self.add_measured(program.measured());
    }

    /// Adds the times of other ranks.
    pub fn add_all(&mut self, others: &RankTimes) {
        self.ended.iter_mut().zip(&others.ended).for_each(|(ended, other)| *ended = ended.or(*other));
        self.add_measured(&others.measured);
    }

    fn add_measured(&mut self, measured: &[u64]) {
        if self.measured.len() < measured.len() {
            self.measured.resize(measured.len(), 0);
        }
        self.measured.iter_mut().zip(measured).for_each(|(longest, &time)| *longest = time.max(*longest));
    }

    /// The end of the last rank, if all have ended.
    pub(crate) fn last(&self) -> Option<u64> {
        self.ended.iter().copied().collect::<Option<Vec<u64>>>()?.into_iter().max()
    }
}
