//! LU: symmetric successive over-relaxation, whose two sweeps are wavefronts over a grid of ranks.
//!
//! Source: `LU/ssor.f`, `exchange_1.f`, `exchange_3.f`, `subdomain.f` of NPB 3.3. In the lower sweep, plane by plane, a
//! rank receives from the north and the west and sends to the south and the east, in the upper sweep the other way;
//! then faces two points deep are exchanged. The two norms of the last iteration are here after it, though the
//! benchmark computes the first of them before the last exchange of faces.

use super::super::grid::share_of;
use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::{DOUBLE, of_class};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;
use mpi::Collective;

parameters! {
    /// NAS benchmark LU: wavefronts of short messages over a grid of ranks, at most twice as long as wide.
    pub struct NasLu: nas {}
}

/// Variables at a point.
const VARIABLES: u64 = 5;

/// The fewest points along a side of a rank's part.
const MIN_POINTS: u32 = 3;

// Peers.
const NORTH: u32 = 0;
const SOUTH: u32 = 1;
const WEST: u32 = 2;
const EAST: u32 = 3;

/// The row of points of a plane to the north or south.
const LINE_ALONG_Y: u32 = 0;
/// The row of points of a plane to the west or east.
const LINE_ALONG_X: u32 = 1;
/// The face to the north or south, two points deep.
const FACE_ALONG_Y: u32 = 2;
/// The face to the west or east, two points deep.
const FACE_ALONG_X: u32 = 3;

impl NasLu {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points = of_class(self.class, [12, 33, 64, 102, 162, 408]);
        let iterations = self.iterations.unwrap_or(of_class(self.class, [50, 300, 250, 250, 250, 300]));
        let ranks = fitting::ranks(context, |ranks| misfit(ranks, points))?;
        let parts = Parts { points, grid: grid(ranks).expect("the number of ranks fits") };
        let script = |directions: &[bool; 4]| script(directions, points);
        let class_of = |rank| [NORTH, SOUTH, WEST, EAST].map(|peer| parts.has(rank, peer));
        let exchange = Scripted::new(ranks, parts, self.compute_processor_cycles, class_of, script);
        super::plan(context, ranks, iterations, exchange)
    }
}

fn misfit(ranks: u32, points: u32) -> Option<String> {
    match grid(ranks) {
        None => Some("no grid of ranks is at most twice as long as wide".into()),
        Some([long, _]) if points / long < MIN_POINTS => {
            Some(format!("{points} points along a side are fewer than {MIN_POINTS} for each of {long} ranks"))
        }
        Some(_) => None,
    }
}

/// The grid of ranks nearest to a square, the longer side first, if that is at most twice the other (`isqrt2`).
fn grid(ranks: u32) -> Option<[u32; 2]> {
    let short = (1..=ranks.isqrt()).rev().find(|short| ranks.is_multiple_of(*short))?;
    let long = ranks / short;
    (long <= 2 * short).then_some([long, short])
}

/// The parts of the points on a grid of ranks: rows are along its first side, which varies fastest.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// Points along each side of the cube.
    points: u32,
    grid: [u32; 2],
}

impl Parts {
    fn place(&self, rank: u32) -> [u32; 2] {
        [rank % self.grid[0], rank / self.grid[0]]
    }

    fn has(&self, rank: u32, peer: u32) -> bool {
        let ([row, column], [rows, columns]) = (self.place(rank), self.grid);
        match peer {
            NORTH => row > 0,
            SOUTH => row + 1 < rows,
            WEST => column > 0,
            _ => column + 1 < columns,
        }
    }

    /// Points of a rank along a side.
    fn points(&self, rank: u32, side: usize) -> u64 {
        share_of(self.points, self.grid[side], self.place(rank)[side]).into()
    }

    /// Points of a rank along a side, without those on the boundary of the cube.
    fn inner_points(&self, rank: u32, side: usize) -> u64 {
        let at_boundary = |peer| u64::from(!self.has(rank, peer));
        let [first, last] = if side == 0 { [NORTH, SOUTH] } else { [WEST, EAST] };
        self.points(rank, side) - at_boundary(first) - at_boundary(last)
    }
}

impl Roles for Parts {
    fn peer(&self, rank: u32, number: u32) -> u32 {
        match number {
            NORTH => rank - 1,
            SOUTH => rank + 1,
            WEST => rank - self.grid[0],
            _ => rank + self.grid[0],
        }
    }

    fn bytes(&self, rank: u32, number: u32) -> u64 {
        let face = |side| 2 * self.points(rank, side) * u64::from(self.points);
        let points = match number {
            LINE_ALONG_Y => self.inner_points(rank, 1),
            LINE_ALONG_X => self.inner_points(rank, 0),
            FACE_ALONG_Y => face(1),
            _ => face(0),
        };
        points * VARIABLES * DOUBLE
    }
}

/// The calls of a rank with neighbors in the given directions.
fn script(has: &[bool; 4], points: u32) -> Script {
    let has = |peer: u32| has[peer as usize];
    let mut steps = Steps::default();
    // Messages have the direction from which they come as their tag.
    for from in [[NORTH, WEST], [SOUTH, EAST]] {
        for _ in 0..points - 2 {
            from.into_iter().filter(|&peer| has(peer)).for_each(|peer| steps.receive(peer, peer));
            steps.compute();
            for peer in from.map(opposite).into_iter().filter(|&peer| has(peer)) {
                steps.send(peer, opposite(peer), if peer < WEST { LINE_ALONG_Y } else { LINE_ALONG_X });
            }
        }
    }
    for (from, face) in
        [(NORTH, FACE_ALONG_Y), (SOUTH, FACE_ALONG_Y), (WEST, FACE_ALONG_X), (EAST, FACE_ALONG_X)]
    {
        exchange_faces(&mut steps, from, face, has);
    }
    let mut after = Steps::default();
    (0..2).for_each(|_| after.collective(Collective::Allreduce { bytes: VARIABLES * DOUBLE }));
    Script { iteration: steps, after, ..Script::default() }
}

/// A face is received from one side, and sent to the other.
fn exchange_faces(steps: &mut Steps, from: u32, face: u32, has: impl Fn(u32) -> bool) {
    if has(from) {
        steps.begin_receive(from, from, 0);
    }
    if has(opposite(from)) {
        steps.send(opposite(from), from, face);
    }
    if has(from) {
        steps.wait(0, 1);
    }
}

fn opposite(peer: u32) -> u32 {
    peer ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_nearly_square() {
        for (ranks, expected) in [
            (8, Some([4, 2])),
            (16, Some([4, 4])),
            (12, Some([4, 3])),
            (10, None),
            (7, None),
            (512, Some([32, 16])),
            (50, Some([10, 5])),
        ] {
            assert_eq!(grid(ranks), expected);
        }
    }
}
