//! The links that packets within groups may take, and the hops to the farthest rank.
//!
//! On a torus or mesh a packet stays in the line or plane of its group. On a twisted torus the shortest way to another
//! rank of a plane may lead out of it and back in, along other dimensions too. There all minimal routes between the
//! members of a group are looked at:
//!
//! ```text
//!   4x4x8, x and y shift z by 4, groups along z      from z = 0 to z = 4: four hops along z, or along x, or along y
//!                                                    other members: along z alone
//! ```
//!
//! A byte over the links of x takes four of them there. So for all groups together, links of x count a quarter.

use super::groups::Groups;
use crate::context::Context;
use crate::targets::groups::Group;
use geometry::{Direction, Hops, MAX_DIMENSIONS, Shape};
use std::collections::HashMap;
use std::iter;

/// The links that carry the data of groups.
pub(super) struct Links<'a> {
    groups: &'a Groups,
    context: &'a Context<'a>,
    /// What is known of minimal routes within groups that are a part of a twisted torus.
    routes: Option<Routes>,
}

impl<'a> Links<'a> {
    pub fn new(groups: &'a Groups, context: &'a Context<'_>) -> Self {
        let shape = context.shape();
        let is_part = groups.dimensions.len() < shape.dimensions();
        let looks = shape.is_twisted() && is_part && context.parameters.faults.is_empty();
        let links = &context.parameters.links;
        let cost_of_hop: Vec<f64> = links.iter().map(|link| f64::from(link.hop_latency_cycles)).collect();
        let routes = || Routes::new(shape, &groups.dimensions, &cost_of_hop);
        Links { groups, context, routes: looks.then(routes) }
    }

    /// The rate at which the links of a node carry packets of its group, in bytes per cycle.
    pub fn of_node(&self, node: u32) -> f64 {
        let is_used = |toward: &Direction| {
            self.routes.as_ref().is_none_or(|routes| routes.of(node).directions.contains(toward))
        };
        self.live(node).filter(is_used).map(|toward| self.rate(toward)).sum()
    }

    /// The rate at which the links of nodes carry the data of all groups, if each byte crosses no more of them than it must.
    pub fn of_all(&self, nodes: impl Iterator<Item = u32>) -> f64 {
        let of_link = |node: u32, toward: Direction| match &self.routes {
            None => self.rate(toward),
            Some(routes) => self.rate(toward) * routes.share(self.context.shape(), node, toward),
        };
        nodes.map(|node| self.live(node).map(|toward| of_link(node, toward)).sum::<f64>()).sum()
    }

    /// Whether the groups are a part of a twisted torus, of whose links no other bound is known than that of all together.
    pub fn are_of_twisted_part(&self) -> bool {
        self.routes.is_some()
    }

    /// The latency of the hops from a node to the farthest rank of its group, if the groups are a part of a twisted torus.
    pub fn farthest(&self, node: u32) -> Option<f64> {
        Some(self.routes.as_ref()?.of(node).farthest)
    }

    fn rate(&self, toward: Direction) -> f64 {
        1.0 / f64::from(self.context.parameters.links[toward.dimension()].cycles_per_byte)
    }

    /// The directions of a node's links. Packets of a part of a twisted torus may take those in all dimensions.
    fn live(&self, node: u32) -> impl Iterator<Item = Direction> + '_ {
        let (shape, faults) = (self.context.shape(), &self.context.parameters.faults);
        let is_of_group = |toward: &Direction| {
            self.routes.is_some() || self.groups.dimensions.contains(&toward.dimension())
        };
        Direction::all(shape.dimensions()).filter(is_of_group).filter(move |&toward| {
            shape.neighbor(node, toward).is_some_and(|neighbor| neighbor != node)
                && !faults.is_dead_link(shape, node, toward)
        })
    }
}

/// The minimal routes between the members of a group. Groups are alike, as those who differ in other coordinates only are
/// as far apart.
struct Routes {
    /// The dimensions along which members differ.
    dimensions: Vec<usize>,
    /// By node of the first group; that of node 0 alone, if all nodes look alike.
    from: HashMap<u32, From>,
    looks_alike: bool,
    /// The strides of the dimensions in which groups differ, with their lengths.
    others: Vec<(u32, u32)>,
    /// The fewest hops of the routes with hops along a dimension; 0 if there is none.
    least_hops: [u32; MAX_DIMENSIONS],
    /// Whether no route leaves the group.
    stay: bool,
}

/// The minimal routes from a member to all others.
#[derive(Default)]
struct From {
    /// The directions of their hops: any may be the first.
    directions: Vec<Direction>,
    /// The latency of the hops to the farthest.
    farthest: f64,
}

impl From {
    /// With the routes to one more.
    fn add(&mut self, routes: &[Hops], cost_of_hop: &[f64]) {
        let cost = |hops: &Hops| -> f64 {
            hops.0.iter().zip(cost_of_hop).map(|(hops, cost)| f64::from(hops.unsigned_abs()) * cost).sum()
        };
        self.farthest = self.farthest.max(routes.iter().map(cost).fold(f64::INFINITY, f64::min));
        for toward in routes.iter().flat_map(Hops::directions) {
            if !self.directions.contains(&toward) {
                self.directions.push(toward);
            }
        }
    }
}

impl Routes {
    fn new(shape: &Shape, dimensions: &[usize], cost_of_hop: &[f64]) -> Self {
        let group = Group::new(shape, dimensions);
        let is_among = |dimension: usize| dimensions.contains(&dimension);
        let twist = shape.twist().unwrap_or_default();
        let leads_out = |dimension: usize| {
            twist.shifts().any(|(across, along, _)| across == dimension && !is_among(along))
        };
        let is_open = |dimension: usize| !shape.wraps(dimension) || leads_out(dimension);
        let strides = |dimension: usize| {
            (shape.lengths()[..dimension].iter().product::<u32>(), shape.length(dimension))
        };
        let others = (0..shape.dimensions()).filter(|&dimension| !is_among(dimension)).map(strides);
        let mut routes = Routes {
            dimensions: dimensions.to_vec(),
            from: HashMap::new(),
            looks_alike: !dimensions.iter().any(|&dimension| is_open(dimension)),
            others: others.collect(),
            least_hops: [0; MAX_DIMENSIONS],
            stay: true,
        };
        let others = 0..group.members as u32 - 1;
        let members = others.clone().map(|slot| group.peer(0, slot)).filter(|_| !routes.looks_alike);
        for source in iter::once(0).chain(members.collect::<Vec<u32>>()) {
            let (at, mut from) = (shape.coordinates(source), From::default());
            for target in others.clone().map(|slot| group.peer(source, slot)) {
                let all = shape.route_shares(source, target).filter(|(_, share)| *share > 0.0);
                let vectors: Vec<Hops> = all.map(|(hops, _)| hops).collect();
                from.add(&vectors, cost_of_hop);
                for (hops, toward) in
                    vectors.iter().flat_map(|hops| hops.directions().map(move |d| (hops, d)))
                {
                    let dimension = toward.dimension();
                    let to = i64::from(at[dimension]) + i64::from(hops.0[dimension]);
                    let is_within = (0..shape.length(dimension).into()).contains(&to);
                    routes.stay &= is_among(dimension) && (is_within || !is_open(dimension));
                    let least = &mut routes.least_hops[dimension];
                    *least = if *least == 0 { hops.total() } else { hops.total().min(*least) };
                }
            }
            routes.from.insert(source, from);
        }
        routes
    }

    /// The routes from a node, or from the one that looks as it does.
    fn of(&self, node: u32) -> &From {
        let without = |node: u32, &(stride, length): &(u32, u32)| node - node / stride % length * stride;
        let first = if self.looks_alike { 0 } else { self.others.iter().fold(node, without) };
        &self.from[&first]
    }

    /// The bytes for which a byte over a link counts at most: one divided by the number of its hops. None if no route has
    /// the link.
    fn share(&self, shape: &Shape, node: u32, toward: Direction) -> f64 {
        let least = self.least_hops[toward.dimension()];
        let is_within = || {
            let neighbor = shape.neighbor(node, toward).unwrap_or(node);
            let other = |&(stride, length): &(u32, u32)| node / stride % length != neighbor / stride % length;
            self.dimensions.contains(&toward.dimension()) && !self.others.iter().any(other)
        };
        if least == 0 || self.stay && !is_within() { 0.0 } else { 1.0 / f64::from(least) }
    }
}
