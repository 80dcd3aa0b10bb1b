//! One dimension of a room: how its lines are cabled, and what a partition takes of a line.
//!
//! ```text
//!   loops of X at Intrepid        cables of a line: each step of each loop, once
//!     0 1 / 2 3 / 2 4 3 /           0->1  1->0  0->2  2->3  3->2  2->4  4->3  3->1
//!     0 2 3 1 / 0 2 4 3 1
//!
//!   torus over {0, 1, 2}          the smallest loop that has them all is 0 2 3 1: every cable between two of its
//!                                 places is taken, and place 3 is passed through
//!   mesh over {0, 1, 2}           every cable between two of them is taken, and nothing passed through
//! ```
//!
//! Every line of a dimension is cabled alike. Cables are directed, as a link chip's are (Desai et al. 2009, section 2).

use crate::Wiring;

/// A dimension of a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// What it is called, `X`.
    pub name: String,
    /// How many midplanes a line of it has; in a switched room the most that a partition can have.
    pub length: u32,
    /// The loops that its cables close, each in the order in which its cables lead.
    pub loops: Vec<Vec<u32>>,
    /// Whether a mesh partition leaves it open; where not, mesh partitions close it as tori do.
    pub opens: bool,
}

/// What a partition takes of each line that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Cables, by their number within the line.
    pub cables: Vec<usize>,
    /// Places on the loop that are not the partition's own.
    pub passed: Vec<u32>,
    /// Whether the cables close a loop through all of the partition's places.
    pub closes: bool,
}

impl Dimension {
    /// The cables of a line, (from, to), in the order of their numbers.
    pub fn cables(&self) -> Vec<(u32, u32)> {
        let mut cables = Vec::new();
        for step in self.loops.iter().flat_map(|places| steps(places)) {
            if !cables.contains(&step) {
                cables.push(step);
            }
        }
        cables
    }

    /// What a partition at the places `span` of each line takes of it, or why it can not be wired so.
    pub(crate) fn take(&self, span: &[u32], wiring: Wiring) -> Result<Taken, String> {
        if span.len() == 1 {
            return Ok(Taken { cables: vec![], passed: vec![], closes: true });
        }
        if wiring == Wiring::Torus || !self.opens { self.take_loop(span) } else { self.take_between(span) }
    }

    /// The smallest loop that has all of `span`, with every cable between two of its places.
    fn take_loop(&self, span: &[u32]) -> Result<Taken, String> {
        let smallest = self
            .loops
            .iter()
            .filter(|places| has_all(places, span))
            .min_by_key(|places| places.len())
            .ok_or_else(|| format!("no loop of {} passes {}", self.name, listed(span)))?;
        let passed = smallest.iter().copied().filter(|place| !span.contains(place)).collect();
        Ok(self.taken(span, passed, |(from, to)| smallest.contains(&from) && smallest.contains(&to)))
    }

    /// Every cable between two of the places, which must follow one another on a loop.
    fn take_between(&self, span: &[u32]) -> Result<Taken, String> {
        let is_between = |(from, to): (u32, u32)| span.contains(&from) && span.contains(&to);
        match self.loops.iter().any(|places| is_run(places, span)) {
            true => Ok(self.taken(span, vec![], is_between)),
            false => Err(format!("{} do not follow one another on a loop of {}", listed(span), self.name)),
        }
    }

    fn taken(&self, span: &[u32], passed: Vec<u32>, takes: impl Fn((u32, u32)) -> bool) -> Taken {
        let all = self.cables();
        let cables: Vec<usize> = (0..all.len()).filter(|&cable| takes(all[cable])).collect();
        let is_taken = |step: (u32, u32)| cables.iter().any(|&cable| all[cable] == step);
        let closes = self.loops.iter().any(|places| has_all(places, span) && steps(places).all(is_taken));
        Taken { cables, passed, closes }
    }

    /// A loop that the cables close though it is not named, from its smallest place on. Its places could be closed in two
    /// ways, and no rule says which.
    pub(crate) fn unnamed_loop(&self) -> Option<Vec<u32>> {
        let named: Vec<Vec<u32>> = self.loops.iter().map(|places| from_smallest(places)).collect();
        let cables = self.cables();
        (0..self.length).find_map(|start| unnamed_from(&cables, &named, &mut vec![start]))
    }

    /// Every set of places that follow one another on a loop, single ones included, each in ascending order.
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

/// The steps of a loop, from each place to the next.
fn steps(places: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    places.iter().copied().zip(places.iter().copied().cycle().skip(1))
}

fn from_smallest(places: &[u32]) -> Vec<u32> {
    let smallest = (0..places.len()).min_by_key(|&index| places[index]).unwrap_or(0);
    [&places[smallest..], &places[..smallest]].concat()
}

/// A loop that is not named among those that begin with `way`, whose first place is their smallest. Only ways that lead
/// back are followed, so that each step finds a loop, and the first that is not named ends the search.
fn unnamed_from(cables: &[(u32, u32)], named: &[Vec<u32>], way: &mut Vec<u32>) -> Option<Vec<u32>> {
    let here = way[way.len() - 1];
    for &(_, to) in cables.iter().filter(|(from, _)| *from == here) {
        if to == way[0] && !named.contains(way) {
            return Some(way.clone());
        }
        if to > way[0] && !way.contains(&to) && leads_back(cables, way, to) {
            way.push(to);
            if let found @ Some(_) = unnamed_from(cables, named, way) {
                return found;
            }
            way.pop();
        }
    }
    None
}

/// Whether a way from `place` leads to the first place of `way` without its other places or smaller ones.
fn leads_back(cables: &[(u32, u32)], way: &[u32], place: u32) -> bool {
    let mut reached = vec![place];
    let mut next = 0;
    while let Some(&here) = reached.get(next) {
        next += 1;
        for &(_, to) in cables.iter().filter(|(from, _)| *from == here) {
            if to == way[0] {
                return true;
            }
            if to > way[0] && !way.contains(&to) && !reached.contains(&to) {
                reached.push(to);
            }
        }
    }
    false
}

fn has_all(places: &[u32], span: &[u32]) -> bool {
    span.iter().all(|place| places.contains(place))
}

/// Whether `span` is an unbroken piece of the loop, or the whole of it.
fn is_run(places: &[u32], span: &[u32]) -> bool {
    let inner = steps(places).filter(|(from, to)| span.contains(from) && span.contains(to)).count();
    has_all(places, span) && (inner + 1 == span.len() || span.len() == places.len())
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
