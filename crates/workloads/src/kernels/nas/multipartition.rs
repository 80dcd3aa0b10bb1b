//! SP and BT: solvers along the three axes, on cells that are spread over the ranks as a multi-partition.
//!
//! ```text
//!   9 ranks, 3 x 3 x 3 cells: each rank has one cell in every plane across every axis, so that all work in each stage
//!
//!   z = 0   0 1 2      z = 1   5 3 4      z = 2   7 8 6      cell (x, y, z) is at rank x - z + 3 (y + z), modulo 3 each
//!           3 4 5              8 6 7              1 2 0
//!           6 7 8              2 0 1              4 5 3
//! ```
//!
//! Source: `make_set.f`, `copy_faces.f`, `define.f`, `x_solve.f`, `y_solve.f`, `z_solve.f` of `SP` and `BT` of NPB
//! 3.3. An iteration copies the faces of all cells, two points deep, to six neighbors, then solves along x, y and
//! z: forward, one cell after another, and back. SP sends the data of a cell's face, BT a buffer of fixed size. The
//! benchmarks use duplicates of the communicator of all ranks; here tags separate the messages.

use super::super::grid::share_of;
use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::{DOUBLE, of_class};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;

parameters! {
    /// NAS benchmark SP: faces to six neighbors and solves along rows of cells, on a square number of ranks.
    pub struct NasSp: nas {}
}

parameters! {
    /// NAS benchmark BT: as SP, with fewer and longer messages in solves.
    pub struct NasBt: nas {}
}

/// Variables at a point.
const VARIABLES: u64 = 5;

/// The fewest points along a side of a cell.
const MIN_POINTS: u32 = 3;

/// The length of a copy to peer 0. Copies to the others follow.
const COPY: u32 = 0;

/// The first of the lengths that a solve sends at a stage: by axis, direction and stage.
const SOLVE: u32 = 6;

impl NasSp {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points = of_class(self.class, [12, 36, 64, 102, 162, 408]);
        let iterations = self.iterations.unwrap_or(of_class(self.class, [100, 400, 400, 400, 400, 500]));
        plan(context, points, (iterations, self.compute_processor_cycles), Solver::Scalar)
    }
}

impl NasBt {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points = of_class(self.class, [12, 24, 64, 102, 162, 408]);
        let iterations = self.iterations.unwrap_or(of_class(self.class, [60, 200, 200, 200, 200, 250]));
        plan(context, points, (iterations, self.compute_processor_cycles), Solver::Block)
    }
}

fn plan(
    context: &Context,
    points: u32,
    (iterations, compute_processor_cycles): (u32, u64),
    solver: Solver,
) -> Result<KernelPlan, WorkloadError> {
    let ranks = fitting::ranks(context, |ranks| {
        let side = ranks.isqrt();
        if side * side != ranks {
            return Some("the kernel needs a square".into());
        }
        let is_too_fine = points / side < MIN_POINTS;
        is_too_fine.then(|| {
            format!("{points} points along a side are fewer than {MIN_POINTS} for each of {side} cells")
        })
    })?;
    let cells = Cells::new(points, ranks.isqrt(), solver);
    let script = script(cells.side, solver);
    super::plan(context, ranks, iterations, Scripted::alike(ranks, cells, compute_processor_cycles, &script))
}

/// The solver of a row of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solver {
    /// SP: scalar pentadiagonal systems.
    Scalar,
    /// BT: block-tridiagonal systems.
    Block,
}

impl Solver {
    /// Numbers that are sent for each row of points, forward or back.
    fn numbers(self, is_forward: bool) -> u64 {
        match (self, is_forward) {
            (Solver::Scalar, true) => 22,
            (Solver::Scalar, false) => 2 * VARIABLES,
            (Solver::Block, true) => VARIABLES * VARIABLES + VARIABLES,
            (Solver::Block, false) => VARIABLES,
        }
    }
}

/// The cells of all ranks.
#[derive(Clone, Debug)]
struct Cells {
    points: u32,
    /// Cells along each axis, and ranks along each side of their grid.
    side: u32,
    solver: Solver,
    /// The bytes that each rank copies to each neighbor.
    copies: Vec<[u64; 6]>,
}

impl Cells {
    fn new(points: u32, side: u32, solver: Solver) -> Self {
        let cells = Cells { points, side, solver, copies: Vec::new() };
        let copies = (0..side * side).map(|rank| cells.copies_of(rank)).collect();
        Cells { copies, ..cells }
    }

    /// The place of a rank's cell in the plane `z`.
    fn cell(&self, rank: u32, z: u32) -> [u32; 3] {
        [(rank % self.side + z) % self.side, (rank / self.side + self.side - z) % self.side, z]
    }

    /// The rank's cell in plane `stage` across an axis.
    fn cell_in_plane(&self, rank: u32, axis: usize, stage: u32) -> [u32; 3] {
        let z = match axis {
            0 => (stage + self.side - rank % self.side) % self.side,
            1 => (rank / self.side + self.side - stage) % self.side,
            _ => stage,
        };
        self.cell(rank, z)
    }

    /// Points along an axis of cells at a place.
    fn extent(&self, place: u32) -> u64 {
        share_of(self.points, self.side, place).into()
    }

    /// Points along an axis of cells at a place, without those on the boundary of the cube.
    fn inner_extent(&self, place: u32) -> u64 {
        self.extent(place) - u64::from(place == 0) - u64::from(place + 1 == self.side)
    }

    /// Bytes of faces, two points deep, to the successor and the predecessor along each axis.
    fn copies_of(&self, rank: u32) -> [u64; 6] {
        let mut copies = [0; 6];
        for cell in (0..self.side).map(|z| self.cell(rank, z)) {
            for axis in 0..3 {
                let [one, other] = others(cell, axis).map(|place| self.extent(place));
                let face = one * other * 2 * VARIABLES * DOUBLE;
                let is_inner = [cell[axis] + 1 < self.side, cell[axis] > 0];
                (0..2)
                    .filter(|&toward| is_inner[toward])
                    .for_each(|toward| copies[2 * axis + toward] += face);
            }
        }
        copies
    }

    /// Rows of points across a face that a solve along an axis treats.
    fn lines(&self, rank: u32, axis: usize, stage: u32) -> u64 {
        match self.solver {
            Solver::Scalar => others(self.cell_in_plane(rank, axis, stage), axis)
                .map(|place| self.inner_extent(place))
                .iter()
                .product(),
            // `MAX_CELL_DIM`.
            Solver::Block => u64::from(self.points / self.side + 1).pow(2),
        }
    }
}

/// The places along the other two axes.
fn others(cell: [u32; 3], axis: usize) -> [u32; 2] {
    [cell[(axis + 1) % 3], cell[(axis + 2) % 3]]
}

/// The peer that has the next cell along an axis; the previous one has the number after it.
fn successor(axis: u32) -> u32 {
    2 * axis
}

fn predecessor(axis: u32) -> u32 {
    2 * axis + 1
}

/// The number of the length that a solve sends.
fn solved(axis: u32, is_forward: bool, stage: u32) -> u32 {
    SOLVE + (stage * 2 + u32::from(is_forward)) * 3 + axis
}

impl Roles for Cells {
    fn peer(&self, rank: u32, number: u32) -> u32 {
        let side = self.side;
        let (i, j) = (rank % side, rank / side);
        let (next, previous) = (|place: u32| (place + 1) % side, |place: u32| (place + side - 1) % side);
        let [i, j] = match number {
            0 => [next(i), j],
            1 => [previous(i), j],
            2 => [i, next(j)],
            3 => [i, previous(j)],
            4 => [previous(i), next(j)],
            _ => [next(i), previous(j)],
        };
        i + side * j
    }

    fn bytes(&self, rank: u32, number: u32) -> u64 {
        let Some(solve) = number.checked_sub(SOLVE) else {
            return self.copies[rank as usize][(number - COPY) as usize];
        };
        let (axis, is_forward, stage) = (solve as usize % 3, solve / 3 % 2 == 1, solve / 6);
        self.lines(rank, axis, stage) * self.solver.numbers(is_forward) * DOUBLE
    }
}

/// The calls of an iteration with `side` cells along each axis.
fn script(side: u32, solver: Solver) -> Script {
    let mut steps = Steps::default();
    // The tag of a copy is its direction.
    (0..6).for_each(|peer| steps.begin_receive(peer, peer ^ 1, peer));
    (0..6).for_each(|peer| steps.begin_send(peer, peer, COPY + peer, 6 + peer));
    steps.wait(0, 12);
    for axis in 0..3 {
        let tag = 6 + 2 * axis;
        for stage in 0..side {
            let to = (stage + 1 < side).then_some(successor(axis));
            solve(
                &mut steps,
                (stage > 0).then_some(predecessor(axis)),
                to,
                (tag, solved(axis, true, stage)),
                solver,
            );
        }
        for stage in (0..side).rev() {
            let to = (stage > 0).then_some(predecessor(axis));
            let from = (stage + 1 < side).then_some(successor(axis));
            solve(&mut steps, from, to, (tag + 1, solved(axis, false, stage)), solver);
        }
    }
    Script { iteration: steps, ..Script::default() }
}

/// A cell is solved with the data that the one before it has sent, and its results are sent to the one after it.
/// The send of the stage before has ended by then.
fn solve(steps: &mut Steps, from: Option<u32>, to: Option<u32>, (tag, length): (u32, u32), solver: Solver) {
    let (receive, send) = (0, 1);
    if let Some(from) = from {
        steps.begin_receive(from, tag, receive);
        match solver {
            Solver::Scalar => steps.wait(receive, 2),
            Solver::Block => {
                steps.wait(send, 1);
                steps.wait(receive, 1);
            }
        }
    }
    steps.compute();
    if let Some(to) = to {
        steps.begin_send(to, tag, length, send);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_somewhere_and_successors_have_the_next_one() {
        for side in [2, 3, 5] {
            let cells = Cells::new(4 * side + 1, side, Solver::Scalar);
            let mut found = Vec::new();
            for rank in 0..side * side {
                for z in 0..side {
                    let cell = cells.cell(rank, z);
                    found.push(cell);
                    for axis in 0..3 {
                        assert_eq!(cells.cell_in_plane(rank, axis, cell[axis]), cell);
                        if cell[axis] + 1 < side {
                            let mut next = cell;
                            next[axis] += 1;
                            let other = cells.peer(rank, successor(axis as u32));
                            assert_eq!(cells.cell(other, next[2]), next);
                            assert_eq!(cells.peer(other, predecessor(axis as u32)), rank);
                        }
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len() as u32, side * side * side);
        }
    }
}
