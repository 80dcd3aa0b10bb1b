//! The division of the nodes among the processes of a simulation.
//!
//! ```text
//!   |  slab 0  |  slab 1  |  slab 2  |  slab 3  |        slabs: all nodes with the same last coordinate
//!   |     process 0       |  1  |      2        |        if need be, cuts are between lines or nodes
//! ```
//!
//! Each process has consecutive nodes. No result depends on where the cuts are.

use crate::peers::Peers;
use geometry::Shape;
use std::iter::once;
use std::ops::Range;
use std::sync::Arc;

/// How much more than by cuts between any nodes the part with the greatest load may have, so that cuts are between slabs
/// or lines: a share. What crosses a border is swapped, and a cut through a slab has a longer border.
const TOLERANCE: f64 = 0.03;

/// The most nodes of a part, in those of an equal part, whatever their load: nodes take memory without load, too.
const MOST_NODES: u32 = 2;

/// The weights that each node has in addition to its load, in mean loads: as little as keeps parts within [`MOST_NODES`].
const BASES: [f64; 5] = [0.0, 0.125, 0.25, 0.5, 1.0];

/// Consecutive nodes for each of some processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The first node of each part, and the number of nodes.
    cuts: Arc<[u32]>,
}

impl Division {
    /// Parts of equal numbers of nodes.
    pub fn equal(nodes: u32, parts: usize) -> Self {
        let first = |part: usize| (part as u64 * u64::from(nodes) / parts as u64) as u32;
        Division { cuts: (0..=parts).map(first).collect() }
    }

    /// Parts that begin at node 0 and at these nodes.
    ///
    /// # Panics
    /// If a part is empty.
    pub fn at(cuts: impl IntoIterator<Item = u32>, nodes: u32) -> Self {
        let cuts: Arc<[u32]> = once(0).chain(cuts).chain(once(nodes)).collect();
        assert!(cuts.is_sorted_by(|cut, next| cut < next), "each part has a node");
        Division { cuts }
    }

    /// Parts of about equal load, with as few cuts through slabs and lines as that allows. `loads` are those of equal runs
    /// of consecutive nodes, in any unit.
    pub fn by_load(shape: &Shape, loads: &[f64], parts: usize) -> Self {
        let nodes = shape.nodes();
        let run = nodes / loads.len() as u32;
        let mean = loads.iter().sum::<f64>() / loads.len() as f64;
        // From slabs to nodes.
        let grains: Vec<u32> = (0..shape.dimensions())
            .rev()
            .map(|dimensions| shape.lengths()[..dimensions].iter().product())
            .filter(|&grain: &u32| grain >= run && nodes / grain >= parts as u32)
            .collect();
        let Some(&finest) = grains.last().filter(|_| mean > 0.0) else {
            return Division::equal(nodes, parts);
        };
        let most = nodes.div_ceil(parts as u32).saturating_mul(MOST_NODES);
        let weighted = |base: f64| Weights::new(loads, base * mean, run);
        let is_kept = |weights: &Weights| weights.cut(finest, parts).largest() <= most.max(finest);
        let weights = BASES.iter().map(|&base| weighted(base)).find(is_kept).unwrap_or_else(|| weighted(1.0));
        let least = weights.greatest(&weights.cut(finest, parts));
        let divisions = grains.iter().map(|&grain| weights.cut(grain, parts));
        let is_good = |division: &Division| weights.greatest(division) <= least * (1.0 + TOLERANCE);
        divisions.into_iter().find(is_good).expect("the finest is as good as itself")
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.cuts.len() - 1
    }

    /// The nodes of a part.
    pub fn part(&self, number: usize) -> Range<u32> {
        self.cuts[number]..self.cuts[number + 1]
    }

    /// The part that has a node.
    pub fn owner_of(&self, node: u32) -> usize {
        self.cuts[1..].partition_point(|&end| end <= node)
    }

    /// The share of each part in some loads, as [`Division::by_load`] takes them; none if all are 0. No run is cut.
    pub fn shares(&self, loads: &[f64]) -> Option<Vec<f64>> {
        let nodes = self.cuts[self.parts()];
        let weights = Weights::new(loads, 0.0, nodes / loads.len() as u32);
        let all = weights.before(nodes);
        let parts = (0..self.parts()).map(|number| weights.of(self.part(number)) / all);
        (all > 0.0).then(|| parts.collect())
    }

    /// The most nodes of a part.
    pub fn largest(&self) -> u32 {
        (0..self.parts()).map(|part| self.part(part).len() as u32).max().unwrap_or(0)
    }
}

/// The weights of runs of nodes, summed up.
struct Weights {
    run: u32,
    /// The weight of all runs before each, and of all.
    before: Vec<f64>,
}

impl Weights {
    fn new(loads: &[f64], base: f64, run: u32) -> Self {
        let sums = loads.iter().scan(0.0, |sum, load| {
            *sum += load + base;
            Some(*sum)
        });
        Weights { run, before: once(0.0).chain(sums).collect() }
    }

    fn before(&self, node: u32) -> f64 {
        self.before[(node / self.run) as usize]
    }

    /// Parts of about equal weight, each of some grains of nodes.
    fn cut(&self, grain: u32, parts: usize) -> Division {
        let grains = ((self.before.len() - 1) as u32 * self.run / grain) as usize;
        let weight = |grains: usize| self.before(grains as u32 * grain);
        let mut cuts = vec![0];
        for part in 1..parts {
            let ideal = weight(grains) * part as f64 / parts as f64;
            let next = self.before.partition_point(|&before| before < ideal) as u32 * self.run / grain;
            let next = next as usize;
            let nearest = (next.saturating_sub(1)..=(next + 1).min(grains))
                .min_by(|&one, &other| (weight(one) - ideal).abs().total_cmp(&(weight(other) - ideal).abs()));
            let last = cuts[part - 1];
            cuts.push(nearest.unwrap_or(next).clamp(last + 1, grains - (parts - part)));
        }
        Division::at(cuts[1..].iter().map(|&cut| cut as u32 * grain), grains as u32 * grain)
    }

    /// The greatest weight of a part.
    fn greatest(&self, division: &Division) -> f64 {
        let parts = (0..division.parts()).map(|number| division.part(number));
        parts.map(|part| self.of(part)).fold(0.0, f64::max)
    }

    fn of(&self, nodes: Range<u32>) -> f64 {
        self.before(nodes.end) - self.before(nodes.start)
    }
}

/// The processes of a simulation, and the nodes of each.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The processes.
    pub peers: Peers,
    /// Their nodes.
    pub division: Division,
}

impl Parts {
    /// Equal parts.
    pub fn equal(peers: &Peers, nodes: u32) -> Self {
        Parts { peers: peers.clone(), division: Division::equal(nodes, peers.count()) }
    }

    /// The nodes of this process.
    pub fn own(&self) -> Range<u32> {
        self.division.part(self.peers.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_shape() -> impl Strategy<Value = Shape> {
        prop::collection::vec(1u32..=9, 1..=4)
            .prop_map(|lengths| Shape::torus(&lengths).expect("it is small"))
    }

    /// Loads by node: about equal ones, or such that few nodes have nearly all of it.
    fn any_loads(nodes: u32) -> impl Strategy<Value = Vec<f64>> {
        let even = prop::collection::vec(0.5f64..1.5, nodes as usize);
        let hot = prop::collection::vec(0.0f64..1.0, nodes as usize).prop_map(|draws| {
            draws.into_iter().map(|draw| if draw < 0.1 { 100.0 } else { draw * 0.01 }).collect()
        });
        prop_oneof![even, hot]
    }

    /// A shape, the loads of its nodes, and a number of parts.
    fn any_division() -> impl Strategy<Value = (Shape, Vec<f64>, usize)> {
        any_shape().prop_flat_map(|shape| {
            let nodes = shape.nodes();
            (Just(shape), any_loads(nodes), 1..20.min(nodes as usize + 1))
        })
    }

    fn load_of(loads: &[f64], part: Range<u32>) -> f64 {
        loads[part.start as usize..part.end as usize].iter().sum()
    }

    proptest! {
        #[test]
        fn parts_have_each_node_once(
            (shape, loads, parts) in any_division(),
        ) {
            let nodes = shape.nodes();
            let weighted = Division::by_load(&shape, &loads, parts);
            for division in [Division::equal(nodes, parts), weighted] {
                prop_assert_eq!(division.parts(), parts);
                let mut next = 0;
                for number in 0..parts {
                    let part = division.part(number);
                    prop_assert!(part.start == next && !part.is_empty());
                    next = part.end;
                    prop_assert!(part.into_iter().all(|node| division.owner_of(node) == number));
                }
                prop_assert_eq!(next, nodes);
            }
        }

        #[test]
        fn parts_are_balanced(
            (shape, loads, parts) in any_division(),
        ) {
            let nodes = shape.nodes();
            let division = Division::by_load(&shape, &loads, parts);
            let mean = loads.iter().sum::<f64>() / parts as f64;
            let heaviest = loads.iter().copied().fold(0.0, f64::max);
            // A node of load a and a node without count as a + b and b, where b is at most the mean.
            let most = (2.0 * mean + heaviest + mean * parts as f64 / f64::from(nodes)) * (1.0 + TOLERANCE);
            for number in 0..parts {
                let part = division.part(number);
                prop_assert!(load_of(&loads, part.clone()) <= most, "{part:?} of {loads:?}");
            }
        }
    }

    #[test]
    fn equal_loads_are_cut_between_slabs_then_lines() {
        let shape = |lengths: &[u32]| Shape::torus(lengths).expect("a shape");
        for (lengths, parts, grain) in [
            (&[8, 8, 8][..], 4, 64),
            (&[8, 8, 8], 16, 32),
            (&[8, 8, 8], 64, 8),
            (&[4, 4, 4], 3, 1),
            (&[6], 4, 1),
        ] {
            let shape = shape(lengths);
            let division = Division::by_load(&shape, &vec![1.0; shape.nodes() as usize], parts);
            let cuts = (0..parts).map(|part| division.part(part).start);
            assert!(cuts.into_iter().all(|cut| cut % grain == 0), "{division:?}");
            assert!(f64::from(division.largest()) <= 1.1 * f64::from(shape.nodes()) / parts as f64 + 1.0);
        }
    }

    #[test]
    fn runs_of_nodes_are_not_cut() {
        let shape = Shape::torus(&[4, 4, 16]).expect("a shape");
        let loads: Vec<f64> = (0..64).map(|line| if line < 16 { 3.0 } else { 1.0 }).collect();
        let division = Division::by_load(&shape, &loads, 4);
        let parts: Vec<_> = (0..4).map(|part| division.part(part)).collect();
        // 96 in all: 24 for each.
        assert_eq!(parts, [0..32, 32..64, 64..160, 160..256]);
    }

    #[test]
    fn nodes_without_load_are_not_all_in_one_part() {
        let shape = Shape::torus(&[4, 4, 64]).expect("a shape");
        let loads: Vec<f64> = (0..1024).map(|node| if node < 64 { 1.0 } else { 0.0 }).collect();
        let division = Division::by_load(&shape, &loads, 8);
        assert!(division.largest() <= 256, "{division:?}");
        assert!((0..8).all(|part| load_of(&loads, division.part(part)) <= 16.0), "{division:?}");
    }

    #[test]
    fn nothing_is_known_without_load() {
        let shape = Shape::torus(&[4, 4, 4]).expect("a shape");
        assert_eq!(Division::by_load(&shape, &[0.0; 64], 5), Division::equal(64, 5));
    }
}
