//! One dimension of a room: the cabling of its lines, and the use of a line by a partition.
//!
//! ```text
//!   loops of X at Intrepid        cables of a line: each step of each loop, once
//!     0 1 / 2 3 / 2 4 3 /           0->1  1->0  0->2  2->3  3->2  2->4  4->3  3->1
//!     0 2 3 1 / 0 2 4 3 1
//!
//!   torus over {0, 1, 2}          the smallest loop through these positions is 0 2 3 1: the partition uses every
//!                                 cable between two positions of this loop and passes through position 3
//!   mesh over {0, 1, 2}           the partition uses every cable between two of these positions; no pass-through
//! ```
//!
//! All lines of a dimension have the same cabling. Cables are directed, as those of a link chip are (Desai et al. 2009,
//! section 2).

use crate::Wiring;

/// A dimension of a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The name of the dimension, such as `X`.
    pub name: String,
    /// Midplanes per line; in a switched room the maximum that a partition can have.
    pub length: u32,
    /// The loops that the cables of a line form, each in the direction of its cables.
    pub loops: Vec<Vec<u32>>,
    /// Whether a mesh partition leaves this dimension open. If not, mesh partitions close it as tori do.
    pub opens: bool,
}

/// The use of each line that a partition touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineUse {
    /// Cables, by number within the line.
    pub cables: Vec<usize>,
    /// Positions of the loop that the partition passes through without owning them.
    pub passed: Vec<u32>,
    /// Whether the cables close a loop through all positions of the partition.
    pub closes: bool,
}

impl Dimension {
    /// The cables of a line as (from, to), in order of their numbers.
    pub fn cables(&self) -> Vec<(u32, u32)> {
        let mut cables = Vec::new();
        for step in self.loops.iter().flat_map(|places| steps(places)) {
            if !cables.contains(&step) {
                cables.push(step);
            }
        }
        cables
    }

    /// The use of each line by a partition at the positions `span`, or why the cabling does not allow it.
    pub(crate) fn take(&self, span: &[u32], wiring: Wiring) -> Result<LineUse, String> {
        if span.len() == 1 {
            return Ok(LineUse { cables: vec![], passed: vec![], closes: true });
        }
        if wiring.closes_all() || !self.opens { self.take_loop(span) } else { self.take_between(span) }
    }

    /// Uses the smallest loop through all of `span`: every cable between two positions of this loop.
    fn take_loop(&self, span: &[u32]) -> Result<LineUse, String> {
        let smallest = self
            .loops
            .iter()
            .filter(|places| contains_all(places, span))
            .min_by_key(|places| places.len())
            .ok_or_else(|| format!("no loop of {} passes {}", self.name, listed(span)))?;
        let passed = smallest.iter().copied().filter(|place| !span.contains(place)).collect();
        Ok(self.taken(span, passed, |(from, to)| smallest.contains(&from) && smallest.contains(&to)))
    }

    /// Uses every cable between two positions of `span`, which must be consecutive on a loop.
    fn take_between(&self, span: &[u32]) -> Result<LineUse, String> {
        let is_between = |(from, to): (u32, u32)| span.contains(&from) && span.contains(&to);
        match self.loops.iter().any(|places| is_run(places, span)) {
            true => Ok(self.taken(span, vec![], is_between)),
            false => Err(format!("{} do not follow one another on a loop of {}", listed(span), self.name)),
        }
    }

    fn taken(&self, span: &[u32], passed: Vec<u32>, takes: impl Fn((u32, u32)) -> bool) -> LineUse {
        let all = self.cables();
        let cables: Vec<usize> = (0..all.len()).filter(|&cable| takes(all[cable])).collect();
        let is_taken = |step: (u32, u32)| cables.iter().any(|&cable| all[cable] == step);
        let closes =
            self.loops.iter().any(|places| contains_all(places, span) && steps(places).all(is_taken));
        LineUse { cables, passed, closes }
    }

    /// A loop that the cables close but `loops` does not list, starting at its smallest position. Its positions could
    /// be closed in two ways, and no rule decides between them.
    pub(crate) fn unlisted_loop(&self) -> Option<Vec<u32>> {
        let named: Vec<Vec<u32>> = self.loops.iter().map(|places| from_smallest(places)).collect();
        let cables = self.cables();
        (0..self.length).find_map(|start| unnamed_from(&cables, &named, &mut vec![start]))
    }

    /// Every set of consecutive positions on a loop, single positions included, each set in ascending order.
    pub(crate) fn runs(&self) -> Vec<Vec<u32>> {
        let mut runs: Vec<Vec<u32>> = (0..self.length).map(|place| vec![place]).collect();
        for places in &self.loops {
            for start in 0..places.len() {
                for length in 2..=places.len() {
                    runs.push(sorted((0..length).map(|step| places[(start + step) % places.len()])));
                }
            }
        }
        runs.sort_by_key(|run| (run.len(), run.clone()));
        runs.dedup();
        runs
    }
}

/// The steps of a loop, from each position to the next.
fn steps(places: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    places.iter().copied().zip(places.iter().copied().cycle().skip(1))
}

fn from_smallest(places: &[u32]) -> Vec<u32> {
    let smallest = (0..places.len()).min_by_key(|&index| places[index]).unwrap_or(0);
    [&places[smallest..], &places[..smallest]].concat()
}

/// An unlisted loop that begins with the path `path`, whose first position is the smallest of the loop. Only paths that
/// can return to the start are followed. So each step leads to a loop, and the first unlisted one ends the search.
fn unnamed_from(cables: &[(u32, u32)], named: &[Vec<u32>], path: &mut Vec<u32>) -> Option<Vec<u32>> {
    let here = path[path.len() - 1];
    for &(_, to) in cables.iter().filter(|(from, _)| *from == here) {
        if to == path[0] && !named.contains(path) {
            return Some(path.clone());
        }
        if to > path[0] && !path.contains(&to) && can_return(cables, path, to) {
            path.push(to);
            if let found @ Some(_) = unnamed_from(cables, named, path) {
                return found;
            }
            path.pop();
        }
    }
    None
}

/// Whether a path leads from `place` to the first position of `path`, avoiding its other positions and all smaller ones.
fn can_return(cables: &[(u32, u32)], path: &[u32], place: u32) -> bool {
    let mut reached = vec![place];
    let mut next = 0;
    while let Some(&here) = reached.get(next) {
        next += 1;
        for &(_, to) in cables.iter().filter(|(from, _)| *from == here) {
            if to == path[0] {
                return true;
            }
            if to > path[0] && !path.contains(&to) && !reached.contains(&to) {
                reached.push(to);
            }
        }
    }
    false
}

fn contains_all(places: &[u32], span: &[u32]) -> bool {
    span.iter().all(|place| places.contains(place))
}

/// Whether `span` is consecutive on the loop, or all of it.
fn is_run(places: &[u32], span: &[u32]) -> bool {
    let inner = steps(places).filter(|(from, to)| span.contains(from) && span.contains(to)).count();
    contains_all(places, span) && (inner + 1 == span.len() || span.len() == places.len())
}

pub(crate) fn sorted(places: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut places: Vec<u32> = places.into_iter().collect();
    places.sort_unstable();
    places
}

fn listed(span: &[u32]) -> String {
    let places: Vec<String> = span.iter().map(u32::to_string).collect();
    places.join(", ")
}
