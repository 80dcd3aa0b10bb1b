//! Topologies: who the neighbors of a rank are.

use crate::abi::Ref;
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::collections::BTreeMap;
use std::ffi::c_int;

/// A topology.
#[derive(Debug)]
pub(crate) enum Topology {
    Grid(Grid),
    Graph(Graph),
    Distributed(Distributed),
}

/// A grid of ranks, whose last coordinate varies fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub dims: Vec<u32>,
    /// Whether each dimension is closed to a ring.
    pub periods: Vec<bool>,
}

/// A graph that all ranks know.
#[derive(Debug)]
pub(crate) struct Graph {
    /// For each rank, the place behind its last edge.
    pub index: Vec<c_int>,
    pub edges: Vec<c_int>,
}

/// The edges of one rank: the ranks it receives from and those it sends to.
#[derive(Debug)]
pub(crate) struct Distributed {
    pub sources: Vec<c_int>,
    pub targets: Vec<c_int>,
    /// The weights of both, if edges have weights.
    pub weights: Option<[Vec<c_int>; 2]>,
}

/// The ranks with which a rank exchanges data, in the order of blocks in its buffers, with the tags of messages: each
/// rank that it receives from, and that it sends to; none is `MPI_PROC_NULL`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Neighbors {
    pub sources: Vec<(Option<u32>, u32)>,
    pub targets: Vec<(Option<u32>, u32)>,
}

impl Topology {
    /// The neighbors of a rank.
    pub fn neighbors(&self, rank: u32) -> Neighbors {
        match self {
            Topology::Grid(grid) => grid.neighbors(rank),
            Topology::Graph(graph) => {
                let edges = numbered(graph.of_rank(rank));
                Neighbors { sources: edges.clone(), targets: edges }
            }
            Topology::Distributed(Distributed { sources, targets, .. }) => {
                Neighbors { sources: numbered(sources), targets: numbered(targets) }
            }
        }
    }
}

/// Ranks with tags that tell several edges between the same two ranks apart: the first, the second and so on.
pub(crate) fn numbered(ranks: &[c_int]) -> Vec<(Option<u32>, u32)> {
    let mut seen: BTreeMap<c_int, u32> = BTreeMap::new();
    let number = |rank: &c_int| {
        let next = seen.entry(*rank).or_default();
        *next += 1;
        (u32::try_from(*rank).ok(), *next - 1)
    };
    ranks.iter().map(number).collect()
}

impl Grid {
    pub fn of(ndims: c_int, dims: Ref<c_int>, periods: Ref<c_int>) -> Outcome<Self> {
        let count = dimensions(ndims)?;
        let length = |place: usize| {
            let length = dims.get(place);
            let words = format!("dims: {length} is not positive");
            u32::try_from(length)
                .ok()
                .filter(|length| *length > 0)
                .ok_or_else(|| Error::new(c::ERR_DIMS, words))
        };
        let dims = (0..count).map(length).collect::<Outcome<_>>()?;
        Ok(Grid { dims, periods: (0..count).map(|place| periods.get(place) != 0).collect() })
    }

    /// The number of ranks.
    pub fn size(&self) -> u64 {
        self.dims.iter().fold(1, |size, length| size.saturating_mul(u64::from(*length)))
    }

    /// The coordinates of a rank.
    pub fn coordinates(&self, rank: u32) -> Vec<u32> {
        let mut left = rank;
        let mut coordinates = vec![0; self.dims.len()];
        for (coordinate, length) in coordinates.iter_mut().zip(&self.dims).rev() {
            (*coordinate, left) = (left % length, left / length);
        }
        coordinates
    }

    /// The rank at coordinates, which wrap around in periodic dimensions; none outside the grid.
    pub fn rank(&self, coordinates: impl IntoIterator<Item = i64>) -> Option<u32> {
        let mut rank = 0;
        for ((at, length), period) in coordinates.into_iter().zip(&self.dims).zip(&self.periods) {
            let length = i64::from(*length);
            let at = if *period { at.rem_euclid(length) } else { at };
            if !(0..length).contains(&at) {
                return None;
            }
            rank = rank * length + at;
        }
        Some(rank as u32)
    }

    /// The ranks from which a rank receives, and to which it sends, if data move by `displacement` in a dimension.
    pub fn shift(&self, rank: u32, dimension: usize, displacement: c_int) -> [Option<u32>; 2] {
        let coordinates = self.coordinates(rank);
        [-i64::from(displacement), i64::from(displacement)].map(|step| {
            let at = |(place, at): (usize, &u32)| i64::from(*at) + if place == dimension { step } else { 0 };
            self.rank(coordinates.iter().enumerate().map(at))
        })
    }

    /// The previous and the next rank in each dimension. What is sent to the one arrives as from the other.
    pub fn neighbors(&self, rank: u32) -> Neighbors {
        let sides: Vec<_> =
            (0..self.dims.len()).flat_map(|dimension| self.shift(rank, dimension, 1)).collect();
        let tagged = |tag: fn(u32) -> u32| {
            (0..).zip(&sides).map(|(place, side)| (*side, tag(place))).collect::<Vec<_>>()
        };
        Neighbors { sources: tagged(|place| place), targets: tagged(|place| place ^ 1) }
    }

    /// The grid of the dimensions that are kept, the ranks of the one that a rank is in, and how many come before it.
    pub fn sub(&self, rank: u32, is_kept: &[bool]) -> (Grid, Vec<u32>, u32) {
        let kept = |wanted: bool| {
            let of_dimension = self.dims.iter().zip(&self.periods).zip(is_kept);
            let chosen = of_dimension.filter(|(_, is_kept)| **is_kept == wanted);
            let (dims, periods) = chosen.map(|((length, period), _)| (*length, *period)).unzip();
            Grid { dims, periods }
        };
        let (inner, outer) = (kept(true), kept(false));
        let own = self.coordinates(rank);
        let fixed = own.iter().zip(is_kept).filter(|(_, is_kept)| !**is_kept).map(|(at, _)| i64::from(*at));
        let before = outer.rank(fixed).unwrap_or(0);
        let at = |place: u32| {
            let mut inside = inner.coordinates(place).into_iter();
            let of_dimension = own.iter().zip(is_kept);
            let coordinates = of_dimension
                .map(|(at, is_kept)| i64::from(if *is_kept { inside.next().unwrap_or(0) } else { *at }));
            self.rank(coordinates.collect::<Vec<_>>()).unwrap_or(0)
        };
        let ranks = (0..inner.size() as u32).map(at).collect();
        (inner, ranks, before)
    }
}

impl Graph {
    /// A graph of `nodes` ranks, after a check.
    pub fn checked(index: Vec<c_int>, edges: impl FnOnce(usize) -> Vec<c_int>) -> Outcome<Self> {
        let nodes = index.len();
        let is_ascending = index.first().is_none_or(|first| *first >= 0) && index.is_sorted();
        if !is_ascending {
            return Err(Error::new(c::ERR_TOPOLOGY, "index: it has numbers from 0 that do not fall"));
        }
        let edges = edges(index.last().map_or(0, |last| *last as usize));
        let is_rank = |rank: &c_int| (0..nodes as c_int).contains(rank);
        if let Some(rank) = edges.iter().find(|rank| !is_rank(rank)) {
            return Err(Error::new(c::ERR_TOPOLOGY, format!("edges: {rank} is none of {nodes} ranks")));
        }
        Ok(Graph { index, edges })
    }

    pub fn of(nnodes: c_int, index: Ref<c_int>, edges: Ref<c_int>) -> Outcome<Self> {
        let nodes = number("nnodes", nnodes)?;
        let index = (0..nodes).map(|place| index.get(place)).collect();
        Graph::checked(index, |count| (0..count).map(|place| edges.get(place)).collect())
    }

    /// The neighbors of a rank.
    pub fn of_rank(&self, rank: u32) -> &[c_int] {
        let (rank, end) = (rank as usize, |rank: usize| self.index[rank] as usize);
        &self.edges[rank.checked_sub(1).map_or(0, end)..end(rank)]
    }
}

pub(crate) fn number(name: &str, value: c_int) -> Outcome<usize> {
    usize::try_from(value).map_err(|_| Error::argument(name, value, "a number from 0"))
}

pub(crate) fn dimensions(ndims: c_int) -> Outcome<usize> {
    number("ndims", ndims).map_err(|error| error.of_class(c::ERR_DIMS))
}
