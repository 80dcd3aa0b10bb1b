//! A box of nodes: the target of a hot region or hot spot.

use crate::error::{WorkloadError, require};
use crate::options::require_for_each_dimension;
use geometry::{Coordinates, Direction, MAX_DIMENSIONS, Shape};

/// A box of nodes. In a dimension that wraps, it may extend across the wrap link.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    shape: Shape,
    origin: Coordinates,
    lengths: Coordinates,
    nodes: u32,
}

impl Region {
    /// The box of `lengths` at `origin`; an empty list means the default length of each dimension, or the origin 0.
    pub(crate) fn new(
        shape: &Shape,
        origin: &[u32],
        lengths: &[u32],
        default_length: impl Fn(u32) -> u32,
    ) -> Result<Self, WorkloadError> {
        let mut region = Region {
            shape: shape.clone(),
            origin: [0; MAX_DIMENSIONS],
            lengths: [1; MAX_DIMENSIONS],
            nodes: 1,
        };
        if !origin.is_empty() {
            require_for_each_dimension("origin", origin.len(), shape)?;
            region.origin[..origin.len()].copy_from_slice(origin);
        }
        if lengths.is_empty() {
            let defaults = shape.lengths().iter().map(|&length| default_length(length));
            region.lengths.iter_mut().zip(defaults).for_each(|(length, default)| *length = default);
        } else {
            require_for_each_dimension("box", lengths.len(), shape)?;
            region.lengths[..lengths.len()].copy_from_slice(lengths);
        }
        (0..shape.dimensions()).try_for_each(|dimension| region.check(dimension))?;
        region.nodes = region.lengths[..shape.dimensions()].iter().product();
        Ok(region)
    }

    fn check(&self, dimension: usize) -> Result<(), WorkloadError> {
        let (origin, length, available) =
            (self.origin[dimension], self.lengths[dimension], self.shape.length(dimension));
        require(origin < available, "origin", || {
            format!("{origin} lies outside dimension {dimension}, which has 0 to {}", available - 1)
        })?;
        require((1..=available).contains(&length), "box", || {
            format!("{length} does not fit dimension {dimension}: from 1 to {available}")
        })?;
        require(self.shape.wraps(dimension) || length <= available - origin, "box", || {
            format!(
                "{length} from {origin} on reaches over the open edge of dimension {dimension} at {available}"
            )
        })
    }

    /// Number of nodes of the box.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Length in nodes along `dimension`.
    pub(crate) fn length(&self, dimension: usize) -> u32 {
        self.lengths[dimension]
    }

    /// First coordinate along `dimension`.
    pub(crate) fn origin(&self, dimension: usize) -> u32 {
        self.origin[dimension]
    }

    /// The number of `node` within the box, or none if it is outside.
    pub(crate) fn rank(&self, node: u32) -> Option<u32> {
        let (mut rest, mut rank, mut weight) = (node, 0, 1);
        for (dimension, &available) in self.shape.lengths().iter().enumerate() {
            let (coordinate, origin) = (rest % available, self.origin[dimension]);
            let offset =
                if coordinate < origin { coordinate + available - origin } else { coordinate - origin };
            if offset >= self.lengths[dimension] {
                return None;
            }
            rank += offset * weight;
            weight *= self.lengths[dimension];
            rest /= available;
        }
        Some(rank)
    }

    /// The node with number `rank` within the box.
    pub(crate) fn member(&self, rank: u32) -> u32 {
        let (mut rest, mut node, mut stride) = (rank, 0, 1);
        for (dimension, &available) in self.shape.lengths().iter().enumerate() {
            let length = self.lengths[dimension];
            node += (self.origin[dimension] + rest % length) % available * stride;
            stride *= available;
            rest /= length;
        }
        node
    }

    /// Number of directed links along `dimension` that lead into the box. A box that fills the dimension has none; a
    /// box at an open edge has none from that side.
    pub(crate) fn entry_links(&self, dimension: usize) -> u64 {
        if self.shape.is_twisted() {
            return self.entry_links_across_shifts(dimension);
        }
        let (length, available) = (self.lengths[dimension], self.shape.length(dimension));
        let faces = match self.shape.wraps(dimension) {
            _ if length == available => 0,
            true => 2,
            false => {
                let origin = self.origin[dimension];
                (origin > 0) as u64 + (origin + length < available) as u64
            }
        };
        u64::from(self.nodes / length) * faces
    }

    /// On a twisted torus a link may lead out of a box that fills its dimension, and back in.
    fn entry_links_across_shifts(&self, dimension: usize) -> u64 {
        let comes_from_outside = |rank: u32, is_plus: bool| {
            let before = self.shape.neighbor(self.member(rank), Direction::new(dimension, is_plus));
            before.is_some_and(|before| self.rank(before).is_none())
        };
        let entering =
            |is_plus| (0..self.nodes).filter(|&rank| comes_from_outside(rank, is_plus)).count() as u64;
        entering(true) + entering(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn regions() -> impl Strategy<Value = (Shape, Region)> {
        let dimension = (1u32..6, any::<bool>(), any::<u32>(), any::<u32>());
        prop::collection::vec(dimension, 1..=4).prop_map(|dimensions| {
            let lengths: Vec<u32> = dimensions.iter().map(|d| d.0).collect();
            let wraps: Vec<bool> = dimensions.iter().map(|d| d.1).collect();
            let shape = Shape::new(&lengths, &wraps).unwrap();
            let origin: Vec<u32> = dimensions.iter().map(|d| d.2 % d.0).collect();
            let extent = |(d, o): (&(u32, bool, u32, u32), &u32)| 1 + d.3 % if d.1 { d.0 } else { d.0 - o };
            let extents: Vec<u32> = dimensions.iter().zip(&origin).map(extent).collect();
            let region = Region::new(&shape, &origin, &extents, |_| 1).unwrap();
            (shape, region)
        })
    }

    proptest! {
        #[test]
        fn ranks_and_members_are_inverse((shape, region) in regions()) {
            for rank in 0..region.nodes() {
                prop_assert_eq!(region.rank(region.member(rank)), Some(rank));
            }
            let inside = (0..shape.nodes()).filter(|&node| region.rank(node).is_some()).count();
            prop_assert_eq!(inside as u32, region.nodes());
        }

        #[test]
        fn entry_links_lead_from_outside_to_inside((shape, region) in regions()) {
            for dimension in 0..shape.dimensions() {
                let enters = |node: u32, is_plus: bool| {
                    let next = shape.neighbor(node, Direction::new(dimension, is_plus));
                    region.rank(node).is_none() && next.is_some_and(|next| region.rank(next).is_some())
                };
                let links: usize =
                    [true, false].map(|plus| (0..shape.nodes()).filter(|&n| enters(n, plus)).count()).iter().sum();
                prop_assert_eq!(region.entry_links(dimension), links as u64);
            }
        }
    }
}
