//! The communication of the NAS Parallel Benchmarks: EP, CG, MG, FT, IS, LU, SP and BT.
//!
//! Source: the benchmarks of NPB 3.3 for MPI (nas.nasa.gov/software/npb.html). Their sources define the calls of a
//! rank, their order, peers and lengths; sizes and iterations of the classes are those of `sys/setparams.c`. The
//! kernels contain what the benchmark times: from the end of its initialization up to its verification, which is
//! excluded. Data are not simulated. The tests compare counts and bytes with those of the sources, run with an MPI
//! library that counts (`tests/nas.rs`).

mod cg;
mod ep;
mod ft;
mod is;
mod lu;
mod mg;
mod multipartition;

pub use cg::NasCg;
pub use ep::NasEp;
pub use ft::NasFt;
pub use is::NasIs;
pub use lu::NasLu;
pub use mg::NasMg;
pub use multipartition::{NasBt, NasSp};

use super::{Exchange, KernelPlan};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::ProblemClass;

/// Bytes of a number of double precision.
const DOUBLE: u64 = 8;

/// Bytes of an integer.
const INTEGER: u64 = 4;

/// The value of a class among those of S, W, A, B, C and D.
fn of_class<T: Copy>(class: ProblemClass, values: [T; 6]) -> T {
    values[class as usize]
}

/// The plan of a benchmark whose ranks are placed as a grid of one dimension.
fn plan(
    context: &Context,
    ranks: u32,
    iterations: u32,
    exchange: impl Exchange + 'static,
) -> Result<KernelPlan, WorkloadError> {
    let map = context.placement.place(ranks, &[], context.parameters)?;
    KernelPlan::new(map, iterations, exchange)
}
