//! EP: random numbers, almost without communication.
//!
//! Source: `EP/ep.f` of NPB 3.3. The sums of the Gaussian deviates in x and y and the ten counts of annuli are reduced
//! once.

use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::DOUBLE;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;
use mpi::Collective;

parameters! {
    /// NAS benchmark EP: three short all-reduces after all computation.
    pub struct NasEp: nas {}
}

/// Annuli whose deviates are counted (`nq`).
const ANNULI: u64 = 10;

impl NasEp {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let ranks = fitting::ranks(context, |_| None)?;
        let mut iteration = Steps::default();
        iteration.compute();
        for numbers in [1, 1, ANNULI] {
            iteration.collective(Collective::Allreduce { bytes: numbers * DOUBLE });
        }
        let script = Script { iteration, ..Script::default() };
        let exchange = Scripted::alike(ranks, Nobody, self.compute_processor_cycles, &script);
        super::plan(context, ranks, self.iterations.unwrap_or(1), exchange)
    }
}

/// Ranks without peers.
#[derive(Clone, Copy, Debug)]
struct Nobody;

impl Roles for Nobody {
    fn peer(&self, _rank: u32, number: u32) -> u32 {
        unreachable!("EP has no peer {number}")
    }

    fn bytes(&self, _rank: u32, number: u32) -> u64 {
        unreachable!("EP has no length {number}")
    }
}
