//! FT: three-dimensional fast Fourier transforms, whose transposes are all-to-alls.
//!
//! Source: `FT/ft.f` of NPB 3.3 (`setup`, `fft`, `checksum`). With up to as many ranks as planes, points along z,
//! each has whole planes, and a transform has one transpose over all ranks. With more, each has pencils, and a
//! transform has a transpose over the ranks of a row of the grid of ranks and one over those of a column. Rows and
//! columns are communicators from the start, as the benchmark creates them before it starts its timer.

use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::of_class;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::message_size::require_length;
use crate::options::parameters;
use mpi::{Collective, Given, Members, WORLD};

parameters! {
    /// NAS benchmark FT: all-to-alls of all ranks, a power of two, or of the rows and columns of their grid.
    pub struct NasFt: nas {}
}

/// Bytes of a complex number of double precision.
const COMPLEX: u64 = 16;

impl NasFt {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points: [u64; 3] = of_class(
            self.class,
            [[64; 3], [128, 128, 32], [256, 256, 128], [512, 256, 256], [512; 3], [2048, 1024, 1024]],
        );
        let iterations = self.iterations.unwrap_or(of_class(self.class, [6, 6, 6, 20, 20, 25]));
        let ranks = fitting::ranks(context, |ranks| misfit(ranks, points))?;
        let groups = Groups::new(ranks, points);
        let local_bytes = points.iter().product::<u64>() / u64::from(ranks) * COMPLEX;
        let transposes = groups.transposes(local_bytes);
        transposes.iter().try_for_each(|transpose| require_length("class", transpose.block_bytes))?;
        let script = script(&transposes);
        let exchange = Scripted::alike(ranks, groups, self.compute_processor_cycles, &script);
        super::plan(context, ranks, iterations, exchange)
    }
}

fn misfit(ranks: u32, points: [u64; 3]) -> Option<String> {
    let [x, y, z] = points;
    let [row, column] = Groups::new(ranks, points).lengths.map(u64::from);
    // Each rank needs at least one pencil along each axis.
    let is_too_fine = || column > y || column > x || row > z || row > y;
    fitting::no_power_of_two(ranks)
        .or_else(|| is_too_fine().then(|| format!("{x} x {y} x {z} points are too few for {ranks} ranks")))
}

/// The rows and columns of the grid of ranks: those of a row are successive.
#[derive(Clone, Copy, Debug)]
struct Groups {
    /// Ranks in a row and in a column (`np2`, `np1`).
    lengths: [u32; 2],
}

/// A transpose among the ranks of a communicator.
#[derive(Clone, Copy, Debug)]
struct Transpose {
    communicator: u32,
    /// The bytes that each of two ranks has for the other.
    block_bytes: u64,
}

impl Groups {
    fn new(ranks: u32, [_, _, planes]: [u64; 3]) -> Self {
        let column = if u64::from(ranks) <= planes { 1 } else { planes as u32 };
        Groups { lengths: [ranks / column, column] }
    }

    /// The transposes of the inverse transform, given the bytes of a rank's points. A column of one rank has none.
    fn transposes(&self, local_bytes: u64) -> Vec<Transpose> {
        let all = (WORLD + 1..).zip(self.lengths).map(|(communicator, length)| {
            (length, Transpose { communicator, block_bytes: local_bytes / u64::from(length) })
        });
        all.filter(|&(length, _)| length > 1).map(|(_, transpose)| transpose).collect()
    }
}

impl Roles for Groups {
    fn peer(&self, _rank: u32, number: u32) -> u32 {
        unreachable!("FT has no peer {number}")
    }

    fn bytes(&self, _rank: u32, number: u32) -> u64 {
        unreachable!("FT has no length {number}")
    }

    fn communicators(&self, rank: u32) -> Vec<Given> {
        let [row, column] = self.lengths;
        let lines = [
            Members::Stride { first: rank / row * row, stride: 1, count: row },
            Members::Stride { first: rank % row, stride: row, count: column },
        ];
        lines.map(Given::from).into()
    }
}

/// The transform before the first iteration, and in each the inverse one with its checksum.
fn script(transposes: &[Transpose]) -> Script {
    let (mut before, mut iteration) = (Steps::default(), Steps::default());
    let transpose = |steps: &mut Steps, transpose: &Transpose| {
        let all_to_all = Collective::Alltoall { bytes: transpose.block_bytes };
        steps.collective_in(all_to_all, transpose.communicator);
    };
    transposes.iter().rev().for_each(|of| transpose(&mut before, of));
    for of in transposes {
        iteration.compute();
        transpose(&mut iteration, of);
    }
    iteration.compute();
    iteration.collective(Collective::Reduce { root: 0, bytes: COMPLEX });
    Script { before, iteration, ..Script::default() }
}
