//! A three-dimensional fast Fourier transform on pencils: lines of points that are whole along one axis.
//!
//! ```text
//!   pencils along x  --rows-->  pencils along y  --columns-->  pencils along z
//!   ny/px x nz/py lines         nx/px x nz/py                  nx/px x ny/py
//! ```
//!
//! The transposes are all-to-alls of the ranks of a row (along the first dimension of the grid of ranks) and of a
//! column, as in P3DFFT (Pekurovsky, SIAM J. Sci. Comput. 34, 2012) and in FT of the NAS benchmarks with more ranks
//! than planes.

use super::grid::balanced_grid;
use super::script::{Roles, Script, Scripted, Steps};
use super::{KernelPlan, fitting};
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::message_size::require_length;
use crate::options::parameters;
use mpi::{Collective, Given, Members, WORLD};

parameters! {
    /// Three-dimensional Fourier transform on pencils: all-to-alls of rows, then of columns of a grid of ranks.
    pub struct Fft3d: {
        /// Points along each of three dimensions. Default [128, 128, 128].
        #[serde(default = "points")]
        pub n: [u32; 3],
        /// Ranks along each of two dimensions, the lengths of rows and of columns, which divide the points that
        /// they cut. Default: lengths as equal as possible of `mapping.ranks` or else of as many as fit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grid: Option<[u32; 2]>,
        /// Bytes of a point. Default 16, a complex number of double precision.
        #[serde(default = "complex")]
        pub point_bytes: u32,
        /// Number of transforms. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
        /// Processor cycles that a rank computes in a transform, a third along each axis. Default 0.
        #[serde(default)]
        pub compute_processor_cycles: u64,
    }
}

fn points() -> [u32; 3] {
    [128; 3]
}

fn complex() -> u32 {
    16
}

fn ten_times() -> u32 {
    10
}

impl Fft3d {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points =
            self.n.iter().try_fold(u64::from(self.point_bytes), |bytes, &n| bytes.checked_mul(n.into()));
        let points = points.filter(|&bytes| bytes > 0).ok_or_else(|| {
            WorkloadError::new("n", format!("{:?} points: at least 1 each, fewer than 2^64 bytes", self.n))
        })?;
        require(self.point_bytes > 0, "point_bytes", || "0 bytes: at least 1".into())?;
        let grid = self.grid(context)?;
        let ranks = grid[0] * grid[1];
        let script = self.script(points / u64::from(ranks), grid)?;
        let map = context.placement.place(ranks, &grid, context.parameters)?;
        let exchange = Scripted::alike(ranks, Pencils { grid }, self.compute_processor_cycles, &script);
        KernelPlan::new(map, self.iterations, exchange)
    }

    /// The grid of ranks that is stated, or else the one nearest to a square.
    fn grid(&self, context: &Context) -> Result<[u32; 2], WorkloadError> {
        let Some(grid) = self.grid else {
            return fitting::ranks(context, |ranks| self.misfit(balanced_grid(ranks))).map(balanced_grid);
        };
        fitting::require_grid(context, &grid)?;
        self.misfit(grid).map_or(Ok(grid), |why| Err(WorkloadError::new("grid", why)))
    }

    fn misfit(&self, [row, column]: [u32; 2]) -> Option<String> {
        let [x, y, z] = self.n;
        let cuts = [(x, row), (y, row), (y, column), (z, column)];
        let (points, ranks) = cuts.into_iter().find(|(points, ranks)| !points.is_multiple_of(*ranks))?;
        Some(format!("{points} points are no equal parts for {ranks} ranks in a grid of {row} x {column}"))
    }

    /// The calls of a transform, given the bytes of a rank's points.
    fn script(&self, local_bytes: u64, grid: [u32; 2]) -> Result<Script, WorkloadError> {
        let mut iteration = Steps::default();
        for (communicator, ranks) in (WORLD + 1..).zip(grid) {
            iteration.compute();
            let bytes = local_bytes / u64::from(ranks);
            if ranks > 1 {
                require_length("n", bytes)?;
                iteration.collective_in(Collective::Alltoall { bytes }, communicator);
            }
        }
        iteration.compute();
        Ok(Script { iteration, ..Script::default() })
    }
}

/// The rows and columns of the grid of ranks, whose first dimension varies fastest.
#[derive(Clone, Copy, Debug)]
struct Pencils {
    grid: [u32; 2],
}

impl Roles for Pencils {
    fn peer(&self, _rank: u32, number: u32) -> u32 {
        unreachable!("a transform has no peer {number}")
    }

    fn bytes(&self, _rank: u32, number: u32) -> u64 {
        unreachable!("a transform has no length {number}")
    }

    fn communicators(&self, rank: u32) -> Vec<Given> {
        let [row, column] = self.grid;
        let lines = [
            Members::Stride { first: rank / row * row, stride: 1, count: row },
            Members::Stride { first: rank % row, stride: row, count: column },
        ];
        lines.map(Given::from).into()
    }
}
