//! The groups of ranks that make a collective call. They are formed on the machine with every rank in its default
//! place. A mapping places the same groups elsewhere.

use super::Over;
use crate::context::{Context, Placement};
use crate::error::{WorkloadError, require};
use crate::selection::grid_of;
use geometry::Direction;
use messaging::RankMap;
use mpi::{Given, Grid, Members, RouteName};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All ranks, one for each core of the live nodes (by default first cores first, the papers' XYZT), in groups.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The place of each rank.
    pub map: RankMap,
    /// Whether that is the default.
    pub is_in_place: bool,
    /// The periodic grid of all ranks: the machine's, and the cores of a node; empty if nodes are dead.
    pub lengths: Vec<u32>,
    /// The dimensions of the machine in which the nodes of a group differ.
    pub dimensions: Vec<usize>,
    /// The grid of the ranks of a group, if no node is dead.
    pub grid: Option<Grid>,
    /// The members of each group, in order, and the group of each rank.
    groups: Vec<Arc<[u32]>>,
    group_of: Vec<u32>,
}

impl Groups {
    pub fn new(over: &Over, context: &Context) -> Result<Self, WorkloadError> {
        let (shape, faults) = (context.shape(), &context.parameters.faults);
        let cores = context.parameters.node.cores;
        let dimensions = match over {
            Over::Word(_) => (0..shape.dimensions()).collect(),
            Over::Dimensions(names) => dimensions(names, shape.dimensions())?,
        };
        let is_over_cores = matches!(over, Over::Word(_));
        let live: Vec<u32> = (0..shape.nodes()).filter(|&node| !faults.is_dead(node)).collect();
        let ranks = context.max_ranks();
        let all_lengths: Vec<u32> = shape.lengths().iter().copied().chain([cores.into()]).collect();
        let (map, is_in_place) = place(ranks, &all_lengths, context)?;
        let key = |rank: usize| {
            let core = if is_over_cores { 0 } else { rank / live.len() };
            let mut coordinates = shape.coordinates(live[rank % live.len()]);
            dimensions.iter().for_each(|&dimension| coordinates[dimension] = 0);
            (core, coordinates)
        };
        let (mut numbers, mut groups) = (BTreeMap::new(), Vec::<Vec<u32>>::new());
        let group_of = (0..ranks as usize).map(|rank| {
            let number = *numbers.entry(key(rank)).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
            }
            groups[number].push(rank as u32);
            number as u32
        });
        let group_of = group_of.collect();
        let cores_too = if is_over_cores { Some(shape.dimensions()) } else { None };
        let of_grid: Vec<usize> = dimensions.iter().copied().chain(cores_too).collect();
        let is_whole = faults.nodes().is_empty();
        let ranks_of_node = if is_over_cores { cores.into() } else { 1 };
        let grid = is_whole.then(|| grid_of(shape, cores.into(), &of_grid).with_cores(ranks_of_node));
        let all_lengths = if is_whole { all_lengths } else { Vec::new() };
        let groups = groups.into_iter().map(Arc::from).collect();
        let groups = Groups { map, is_in_place, lengths: all_lengths, dimensions, grid, groups, group_of };
        require(groups.largest() > 1, "over", || format!("on {shape} each group is of one rank alone"))?;
        Ok(groups)
    }

    /// The node of a rank.
    pub fn node(&self, rank: u32) -> u32 {
        self.map.place(rank).node
    }

    /// Whether all ranks are in one group.
    pub fn is_whole(&self) -> bool {
        self.groups.len() == 1
    }

    /// The different sizes of groups.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = self.groups.iter().map(|group| group.len() as u32).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Ranks of the largest group.
    pub fn largest(&self) -> u32 {
        self.sizes().last().copied().unwrap_or(0)
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// The groups' members.
    pub fn all(&self) -> impl Iterator<Item = &[u32]> {
        self.groups.iter().map(|group| &**group)
    }

    /// The class route of the last group, if there are not more of them than classes.
    pub fn last_route(&self) -> Option<RouteName> {
        if self.is_whole() { Some(RouteName::WORLD) } else { RouteName::of_class(self.count()) }
    }

    /// The group of each rank.
    pub fn of_ranks(&self) -> &[u32] {
        &self.group_of
    }

    fn of(&self, rank: u32) -> &Arc<[u32]> {
        &self.groups[self.group_of[rank as usize] as usize]
    }

    /// Ranks of the group of a rank.
    pub fn size_of(&self, rank: u32) -> u32 {
        self.of(rank).len() as u32
    }

    /// The group of a rank, as a communicator. Groups have the class routes behind that of all ranks.
    pub fn given(&self, rank: u32) -> Given {
        let group = self.of(rank);
        let stride = group.get(1).map_or(1, |second| second - group[0]);
        let members = match group.windows(2).all(|pair| pair[1] - pair[0] == stride) {
            true => Members::Stride { first: group[0], stride, count: group.len() as u32 },
            false => Members::List(group.clone()),
        };
        let class = RouteName::of_class(self.group_of[rank as usize] as usize + 1).map(RouteName::class);
        Given { members, class }
    }

    /// Rank `root` of each group.
    pub fn roots(&self, root: u32) -> impl Iterator<Item = u32> + '_ {
        self.groups.iter().map(move |group| group[root as usize])
    }

    /// Nodes of each group.
    pub fn nodes_of_groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().map(|group| {
            let mut nodes: Vec<u32> = group.iter().map(|&rank| self.node(rank)).collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes.len()
        })
    }
}

/// The places of all ranks, and whether they are the default ones.
fn place(ranks: u32, lengths: &[u32], context: &Context) -> Result<(RankMap, bool), WorkloadError> {
    let wanted = context.placement.ranks.unwrap_or(ranks);
    if wanted != ranks {
        let problem = format!("{wanted} ranks: a collective is of all {ranks} cores of the machine");
        return Err(WorkloadError::new("mapping", problem));
    }
    let map = context.placement.place(ranks, lengths, context.parameters)?;
    let is_in_place = map == Placement::default().place(ranks, lengths, context.parameters)?;
    Ok((map, is_in_place))
}

/// Dimensions by their names.
fn dimensions(names: &[String], count: usize) -> Result<Vec<usize>, WorkloadError> {
    let name = |dimension: usize| Direction::new(dimension, true).to_string().replace('+', "");
    let known: Vec<String> = (0..count).map(name).collect();
    let mut dimensions = Vec::new();
    for given in names {
        let found = known.iter().position(|known| known == given);
        let dimension = found.ok_or_else(|| {
            WorkloadError::new(
                "over",
                format!("\"{given}\" is no dimension: those here are {}", known.join(", ")),
            )
        })?;
        require(!dimensions.contains(&dimension), "over", || format!("\"{given}\" is named twice"))?;
        dimensions.push(dimension);
    }
    require(!dimensions.is_empty(), "over", || "no dimension: at least one, or \"all\"".into())?;
    dimensions.sort_unstable();
    Ok(dimensions)
}
