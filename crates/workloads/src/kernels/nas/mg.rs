//! MG: V-cycles of a multigrid method, whose points are on a grid of ranks.
//!
//! Source: `MG/mg.f` of NPB 3.3 (`setup`, `mg3P`, `comm3`, `comm3_ex`). At each level a rank exchanges faces along
//! the three axes, one after the other, with ghost points of the axes before. A coarse grid has fewer points than
//! ranks along an axis: then some ranks pause, and the next finer level, on the way up, gives them their points.

use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::{DOUBLE, of_class};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;
use mpi::Collective;

parameters! {
    /// NAS benchmark MG: faces of all lengths in V-cycles over a grid of ranks, a power of two.
    pub struct NasMg: nas {}
}

const AXES: usize = 3;

impl NasMg {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let points: u32 = of_class(self.class, [32, 128, 256, 256, 512, 1024]);
        let iterations = self.iterations.unwrap_or(of_class(self.class, [4, 4, 4, 20, 20, 50]));
        let ranks = fitting::ranks(context, |ranks| {
            let is_too_fine = || grid(ranks)[AXES - 1] > points;
            fitting::no_power_of_two(ranks).or_else(|| {
                is_too_fine().then(|| format!("{points} points along a side are too few for {ranks} ranks"))
            })
        })?;
        let levels = Levels { finest: points.ilog2(), grid: grid(ranks) };
        let exchange = Scripted::new(
            ranks,
            levels,
            self.compute_processor_cycles,
            |rank| levels.roles(rank),
            |roles| script(roles),
        );
        super::plan(context, ranks, iterations, exchange)
    }
}

/// Ranks along each axis, the last the longest. Rank numbers increase fastest along the first.
fn grid(ranks: u32) -> [u32; AXES] {
    let bits = ranks.ilog2();
    let first = bits / 3;
    let second = (bits - first) / 2;
    [1 << first, 1 << second, 1 << (bits - first - second)]
}

/// The points of all levels on a grid of ranks. Level `k` has `2^k` along each axis, and level 1 is the coarsest.
#[derive(Clone, Copy, Debug)]
struct Levels {
    finest: u32,
    grid: [u32; AXES],
}

/// The role of a rank at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LevelRole {
    /// Whether the rank has points at all.
    is_active: bool,
    /// Whether, along each axis, the rank gets the faces of points that it does not have at the next coarser level.
    takes: [bool; AXES],
    /// Whether the rank gives faces to such ranks.
    gives: [bool; AXES],
}

impl Levels {
    fn place(&self, rank: u32, axis: usize) -> u32 {
        let before: u32 = self.grid[..axis].iter().product();
        rank / before % self.grid[axis]
    }

    /// Points at a level along an axis, without ghost points, of the ranks at a place.
    fn points(&self, level: u32, axis: usize, place: u32) -> u32 {
        let until = |place: u32| (u64::from(place) << level) / u64::from(self.grid[axis]);
        (until(place + 1) - until(place)) as u32
    }

    /// The distance of neighbors along an axis at a level: more than one where there are fewer points than ranks.
    fn distance(&self, level: u32, axis: usize) -> u32 {
        (self.grid[axis] >> level).max(1)
    }

    /// Points along an axis, with the ghost points on both sides.
    fn extent(&self, rank: u32, level: u32, axis: usize) -> u64 {
        2 + u64::from(self.points(level, axis, self.place(rank, axis)))
    }

    /// The role of a rank at each level, beginning with the coarsest.
    fn roles(&self, rank: u32) -> Vec<LevelRole> {
        (1..=self.finest).map(|level| self.role(rank, level)).collect()
    }

    fn role(&self, rank: u32, level: u32) -> LevelRole {
        let has = |level, axis, place| self.points(level, axis, place) > 0;
        let (mut takes, mut gives) = ([false; AXES], [false; AXES]);
        for axis in (0..AXES).filter(|_| level > 1) {
            let place = self.place(rank, axis);
            // The neighbor at the distance of this level, as if places continued beyond the last.
            let neighbor = place + self.distance(level, axis);
            let (own, others) = (self.points(level - 1, axis, place), self.points(level - 1, axis, neighbor));
            takes[axis] = own == 0 && others == 1;
            gives[axis] = own == 1 && others == 0;
        }
        let is_active = (0..AXES).all(|axis| has(level, axis, self.place(rank, axis)));
        LevelRole { is_active, takes, gives }
    }
}

/// The directions along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toward {
    Minus,
    Plus,
}

/// The number of a peer: level, axis and direction.
fn peer(level: u32, axis: usize, toward: Toward) -> u32 {
    (level * AXES as u32 + axis as u32) * 2 + toward as u32
}

/// The number of a length: that of a peer, and whether the face has all ghost points.
fn length(peer: u32, is_whole: bool) -> u32 {
    peer * 2 + u32::from(is_whole)
}

impl Roles for Levels {
    fn peer(&self, rank: u32, number: u32) -> u32 {
        let (level, axis) = (number / (2 * AXES as u32), number as usize / 2 % AXES);
        let (length, place) = (self.grid[axis], self.place(rank, axis));
        let distance = self.distance(level, axis) % length;
        let step = if number.is_multiple_of(2) { length - distance } else { distance };
        let stride: u32 = self.grid[..axis].iter().product();
        rank - place * stride + (place + step) % length * stride
    }

    fn bytes(&self, rank: u32, number: u32) -> u64 {
        let (peer, is_whole) = (number / 2, !number.is_multiple_of(2));
        let (level, axis) = (peer / (2 * AXES as u32), peer as usize / 2 % AXES);
        let [x, y, z] = std::array::from_fn(|axis| self.extent(rank, level, axis));
        let numbers = match (axis, is_whole) {
            (0, false) => (y - 2) * (z - 2),
            (1, false) => x * (z - 2),
            (0, true) => y * z,
            (1, true) => x * z,
            _ => x * y,
        };
        // Toward plus, two planes of points are given.
        let planes = if is_whole && !peer.is_multiple_of(2) { 2 } else { 1 };
        numbers * planes * DOUBLE
    }
}

/// The calls of a rank with the given roles, beginning with the coarsest level.
fn script(roles: &[LevelRole]) -> Script {
    let finest = roles.len() as u32;
    let (mut before, mut steps, mut after) = (Steps::default(), Steps::default(), Steps::default());
    let role = |level: u32| &roles[level as usize - 1];
    let faces = |steps: &mut Steps, level| {
        steps.compute();
        if role(level).is_active {
            exchange_faces(steps, level);
        }
    };
    let norms =
        |steps: &mut Steps| (0..2).for_each(|_| steps.collective(Collective::Allreduce { bytes: DOUBLE }));
    faces(&mut before, finest);
    norms(&mut before);
    // Down: the residual on ever coarser grids, to the solution on the coarsest.
    (1..finest).rev().for_each(|level| faces(&mut steps, level));
    faces(&mut steps, 1);
    // Up: interpolation, residual, smoothing.
    for level in 2..=finest {
        steps.compute();
        expand(&mut steps, role(level), level);
        (0..2).for_each(|_| faces(&mut steps, level));
    }
    faces(&mut steps, finest);
    norms(&mut after);
    Script { before, iteration: steps, after }
}

/// `comm3`. Requests and tags are directions of messages.
fn exchange_faces(steps: &mut Steps, level: u32) {
    for axis in 0..AXES {
        let [minus, plus] = [Toward::Minus, Toward::Plus].map(|toward| peer(level, axis, toward));
        steps.begin_receive(plus, 0, 0);
        steps.begin_receive(minus, 1, 1);
        steps.send(plus, 1, length(plus, false));
        steps.send(minus, 0, length(minus, false));
        steps.wait(0, 1);
        steps.wait(1, 1);
    }
}

/// `comm3_ex`.
fn expand(steps: &mut Steps, role: &LevelRole, level: u32) {
    for axis in 0..AXES {
        let [minus, plus] = [Toward::Minus, Toward::Plus].map(|toward| peer(level, axis, toward));
        if role.takes[axis] {
            steps.begin_receive(plus, 0, 0);
            steps.begin_receive(minus, 1, 1);
            steps.wait(0, 1);
            steps.wait(1, 1);
        }
        if role.gives[axis] {
            steps.send(plus, 1, length(plus, true));
            steps.send(minus, 0, length(minus, true));
        }
    }
}
