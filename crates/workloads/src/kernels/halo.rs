//! Exchange with the neighbors in a periodic grid of ranks, as in codes with stencils.

use super::grid::balanced_grid;
use super::{Exchange, KernelPlan, fitting};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;
use mpi::{Call, Needed, Requests};

parameters! {
    /// Exchange with the four neighbors in a periodic grid of ranks of two dimensions.
    pub struct Halo2d: {
        /// Length of each message in bytes. Default 1024.
        #[serde(default = "one_kibibyte")]
        pub bytes: u64,
        /// Number of exchanges. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
        /// Ranks along each of two dimensions. Default: the machine's first length, and the rest of it times its cores;
        /// with `mapping.ranks`, lengths as equal as possible.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grid: Option<[u32; 2]>,
    }
}

parameters! {
    /// Exchange with the six neighbors in a periodic grid of ranks of three dimensions.
    pub struct Halo3d: {
        /// Length of each message in bytes. Default 1024.
        #[serde(default = "one_kibibyte")]
        pub bytes: u64,
        /// Number of exchanges. Default 10.
        #[serde(default = "ten_times")]
        pub iterations: u32,
        /// Ranks along each of three dimensions. Default: the machine's shape, times its cores in the last; with
        /// `mapping.ranks`, lengths as equal as possible.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grid: Option<[u32; 3]>,
    }
}

fn one_kibibyte() -> u64 {
    1024
}

fn ten_times() -> u32 {
    10
}

impl Halo2d {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        plan(context, self.grid, (self.bytes, self.iterations))
    }
}

impl Halo3d {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        plan(context, self.grid, (self.bytes, self.iterations))
    }
}

fn plan<const DIMENSIONS: usize>(
    context: &Context,
    grid: Option<[u32; DIMENSIONS]>,
    (bytes, iterations): (u64, u32),
) -> Result<KernelPlan, WorkloadError> {
    let wanted = context.placement.ranks;
    let grid = grid.unwrap_or_else(|| wanted.map_or_else(|| default_grid(context), balanced_grid));
    let ranks = fitting::require_grid(context, &grid)?;
    let map = context.placement.place(ranks, &grid, context.parameters)?;
    KernelPlan::new(map, iterations, Halo::new(grid, bytes))?.with_messages_of(bytes)
}

/// The machine's shape, with further dimensions and the cores in the last one.
fn default_grid<const DIMENSIONS: usize>(context: &Context) -> [u32; DIMENSIONS] {
    let lengths = context.shape().lengths();
    let mut grid = [1; DIMENSIONS];
    let (first, last) = grid.split_at_mut(DIMENSIONS - 1);
    first.iter_mut().zip(lengths).for_each(|(length, &of_shape)| *length = of_shape);
    let rest: u32 = lengths.iter().skip(DIMENSIONS - 1).product();
    last[0] = rest.saturating_mul(context.parameters.node.cores.into());
    grid
}

/// The exchange: a rank posts a receive from each neighbor, sends to each, and waits for all.
#[derive(Clone, Debug)]
struct Halo {
    bytes: u64,
    grid: Vec<u32>,
    /// Dimensions in which ranks have neighbors.
    dimensions: Vec<GridDimension>,
}

/// A dimension of a grid whose first dimension varies fastest in rank numbers.
#[derive(Clone, Copy, Debug)]
struct GridDimension {
    length: u32,
    /// The difference of the numbers of two neighbors.
    stride: u32,
}

impl Halo {
    fn new<const DIMENSIONS: usize>(grid: [u32; DIMENSIONS], bytes: u64) -> Self {
        let strides = grid.iter().scan(1, |stride, &length| {
            let own = *stride;
            *stride *= length;
            Some(GridDimension { length, stride: own })
        });
        Halo {
            bytes,
            grid: grid.to_vec(),
            dimensions: strides.filter(|dimension| dimension.length > 1).collect(),
        }
    }

    /// The neighbor of a rank in a direction: 2 x dimension, plus one toward minus.
    fn neighbor(&self, rank: u32, direction: u32) -> u32 {
        let GridDimension { length, stride } = self.dimensions[(direction / 2) as usize];
        let coordinate = rank / stride % length;
        let step = if direction.is_multiple_of(2) { 1 } else { length - 1 };
        rank - coordinate * stride + (coordinate + step) % length * stride
    }
}

impl Exchange for Halo {
    fn grid(&self) -> Vec<u32> {
        self.grid.clone()
    }

    /// The tag is the direction of the message.
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let directions = 2 * self.dimensions.len() as u32;
        let (direction, request) = (step % directions, step);
        match step / directions {
            0 => {
                let source = Some(self.neighbor(rank, direction));
                Some(Call::ReceiveNonBlocking { source, tag: Some(direction ^ 1), request })
            }
            1 => {
                let target = self.neighbor(rank, direction);
                Some(Call::SendNonBlocking { target, tag: direction, bytes: self.bytes, request })
            }
            _ if step > 2 * directions => None,
            _ => {
                let requests = Requests::range(0, 2 * directions);
                Some(Call::Wait { requests, needed: Needed::All })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_mutual_and_calls_are_two_a_neighbor_and_a_wait() {
        for (halo, ranks, calls) in [
            (Halo::new([4, 3, 2], 8), 24, 13),
            (Halo::new([5, 2], 8), 10, 9),
            (Halo::new([4, 1, 1], 8), 4, 5),
        ] {
            for rank in 0..ranks {
                for direction in 0..2 * halo.dimensions.len() as u32 {
                    let neighbor = halo.neighbor(rank, direction);
                    assert!(neighbor < ranks && neighbor != rank);
                    assert_eq!(halo.neighbor(neighbor, direction ^ 1), rank);
                }
                assert_eq!((0..).map_while(|step| halo.call(rank, step)).count(), calls);
            }
        }
    }
}
