//! Sweep3D: wavefronts of particle transport over a grid of ranks.
//!
//! ```text
//!   octants 1, 2: from the upper right     3, 4: from the lower right
//!           5, 6: from the upper left      7, 8: from the lower left
//!   in each octant, for each batch of mmi angles and each block of mk planes:
//!       receive from east or west, from north or south; compute; forward
//! ```
//!
//! Source: the ASCI benchmark Sweep3D, version 2.2b (`sweep.f`, `octant.f`, `decomp.f`, `inner.f`). Blocks of the
//! last planes are as long as all others, also where fewer planes are left. An iteration ends with the sum of
//! fixups and the largest error over all ranks. The last one ends with a barrier, at which the benchmark stops its
//! timer.

use super::grid::{balanced_grid, share_of};
use super::script::{Roles, Script, Scripted, Steps};
use super::{KernelPlan, fitting};
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::message_size::require_length;
use crate::options::parameters;
use mpi::Collective;

parameters! {
    /// Sweep3D: wavefronts from the corners of a grid of ranks, as in the transport of particles.
    pub struct Sweep3d: {
        /// Ranks along x and y. Default: lengths as equal as possible of `mapping.ranks` or else of as many as fit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grid: Option<[u32; 2]>,
        /// Points along x. Default 150.
        #[serde(default = "points")]
        pub nx: u32,
        /// Points along y. Default 150.
        #[serde(default = "points")]
        pub ny: u32,
        /// Points along z, which are not divided among ranks. Default 150.
        #[serde(default = "points")]
        pub nz: u32,
        /// Planes of points in a message; at most `nz` count. Default 10.
        #[serde(default = "planes")]
        pub mk: u32,
        /// Angles in a message, a divisor of `angles`. Default 3.
        #[serde(default = "angles_at_once")]
        pub mmi: u32,
        /// Angles of an octant. Default 6.
        #[serde(default = "angles")]
        pub angles: u32,
        /// Number of iterations. Default 12.
        #[serde(default = "twelve_times")]
        pub iterations: u32,
        /// Processor cycles that a rank computes in an iteration, in equal parts between receiving and sending. Default
        /// 0.
        #[serde(default)]
        pub compute_processor_cycles: u64,
    }
}

fn points() -> u32 {
    150
}

fn planes() -> u32 {
    10
}

fn angles_at_once() -> u32 {
    3
}

fn angles() -> u32 {
    6
}

fn twelve_times() -> u32 {
    12
}

// Peers.
const WEST: u32 = 0;
const EAST: u32 = 1;
const SOUTH: u32 = 2;
const NORTH: u32 = 3;

/// The most blocks of an octant: lists of steps have some for each.
const MAX_BLOCKS: u32 = 100_000;

const DOUBLE: u64 = 8;
const INTEGER: u64 = 4;

impl Sweep3d {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        self.check()?;
        let grid = self.grid(context)?;
        let ranks = grid[0] * grid[1];
        let parts = Parts { points: [self.nx, self.ny], grid, lines: self.mk.min(self.nz) * self.mmi };
        (0..2).try_for_each(|side| require_length("mk", parts.face_bytes(0, side)))?;
        let map = context.placement.place(ranks, &grid, context.parameters)?;
        let blocks = self.blocks();
        let class_of = |rank| [WEST, EAST, SOUTH, NORTH].map(|peer| parts.has(rank, peer));
        let script_of = |has: &[bool; 4]| script(has, blocks);
        let exchange = Scripted::new(ranks, parts, self.compute_processor_cycles, class_of, script_of);
        KernelPlan::new(map, self.iterations, exchange)
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let keys = [
            ("nx", self.nx),
            ("ny", self.ny),
            ("nz", self.nz),
            ("mk", self.mk),
            ("mmi", self.mmi),
            ("angles", self.angles),
        ];
        for (key, value) in keys {
            require((1..=1 << 20).contains(&value), key, || format!("{value}: from 1 to {}", 1 << 20))?;
        }
        require(self.angles.is_multiple_of(self.mmi), "mmi", || {
            let divisors: Vec<String> = (1..=self.angles)
                .filter(|mmi| self.angles.is_multiple_of(*mmi))
                .map(|mmi| mmi.to_string())
                .collect();
            format!("{} is no divisor of {} angles: {}", self.mmi, self.angles, divisors.join(", "))
        })?;
        require(self.blocks() <= MAX_BLOCKS, "mk", || {
            format!("{} blocks in an octant: at most {MAX_BLOCKS}", self.blocks())
        })
    }

    /// Blocks of an octant: batches of angles, and in each batch blocks of planes.
    fn blocks(&self) -> u32 {
        (self.angles / self.mmi).saturating_mul(self.nz.div_ceil(self.mk))
    }

    /// The grid of ranks that is stated, or else the one nearest to a square.
    fn grid(&self, context: &Context) -> Result<[u32; 2], WorkloadError> {
        let misfit = |[x, y]: [u32; 2]| {
            let is_too_fine = x > self.nx || y > self.ny;
            is_too_fine.then(|| format!("{} x {} points are too few for {x} x {y} ranks", self.nx, self.ny))
        };
        let Some(grid) = self.grid else {
            return fitting::ranks(context, |ranks| misfit(balanced_grid(ranks))).map(balanced_grid);
        };
        fitting::require_grid(context, &grid)?;
        misfit(grid).map_or(Ok(grid), |why| Err(WorkloadError::new("grid", why)))
    }
}

/// The parts of the points on a grid of ranks, x varying fastest.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// Points along x and y.
    points: [u32; 2],
    grid: [u32; 2],
    /// Planes times angles in a message.
    lines: u32,
}

impl Parts {
    fn place(&self, rank: u32) -> [u32; 2] {
        [rank % self.grid[0], rank / self.grid[0]]
    }

    fn has(&self, rank: u32, peer: u32) -> bool {
        let ([x, y], [columns, rows]) = (self.place(rank), self.grid);
        match peer {
            WEST => x > 0,
            EAST => x + 1 < columns,
            SOUTH => y > 0,
            _ => y + 1 < rows,
        }
    }

    /// The face of a block along x (0) or y (1).
    fn face_bytes(&self, rank: u32, side: usize) -> u64 {
        let points = share_of(self.points[side], self.grid[side], self.place(rank)[side]);
        u64::from(points) * u64::from(self.lines) * DOUBLE
    }
}

impl Roles for Parts {
    fn peer(&self, rank: u32, number: u32) -> u32 {
        match number {
            WEST => rank - 1,
            EAST => rank + 1,
            SOUTH => rank - self.grid[0],
            _ => rank + self.grid[0],
        }
    }

    /// The bytes for a peer: to the west and east a face along y.
    fn bytes(&self, rank: u32, peer: u32) -> u64 {
        self.face_bytes(rank, if peer < SOUTH { 1 } else { 0 })
    }
}

/// The calls of a rank with neighbors in the given directions, with `blocks` blocks in each octant.
fn script(has: &[bool; 4], blocks: u32) -> Script {
    let has = |peer: &u32| has[*peer as usize];
    let (mut iteration, mut after) = (Steps::default(), Steps::default());
    for octant in 1..=8 {
        // Minus directions come before plus directions, along x slowest and along z fastest; z needs no messages.
        let (is_plus_x, is_plus_y) = (octant > 4, octant % 4 == 3 || octant % 4 == 0);
        let (from_x, to_x) = if is_plus_x { (WEST, EAST) } else { (EAST, WEST) };
        let (from_y, to_y) = if is_plus_y { (SOUTH, NORTH) } else { (NORTH, SOUTH) };
        for _ in 0..blocks {
            [from_x, from_y].into_iter().filter(has).for_each(|peer| iteration.receive(peer, octant));
            iteration.compute();
            [to_x, to_y].into_iter().filter(has).for_each(|peer| iteration.send(peer, octant, peer));
        }
    }
    for bytes in [INTEGER, DOUBLE] {
        iteration.collective(Collective::Allreduce { bytes });
    }
    after.collective(Collective::Barrier);
    Script { iteration, after, ..Script::default() }
}
