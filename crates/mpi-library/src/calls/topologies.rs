//! Topologies: who the neighbors of a rank are. Ranks stay where they are: `reorder` has no effect.

mod distributed;

use crate::abi::{self, Comm, Index, Rank, Ref};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::objects::communicators::{self, Communicator};
use crate::objects::topologies::{Graph, Grid, Topology, dimensions};
use std::ffi::c_int;
use std::rc::Rc;

pub use distributed::{
    dist_graph_create, dist_graph_create_adjacent, dist_graph_neighbors, dist_graph_neighbors_count,
};

/// The lengths of a grid of `ranks` ranks, as equal as possible, in descending order: lengths of 0 are filled in.
///
/// # Errors
/// If the given lengths do not divide the number of ranks.
fn balanced_dims(ranks: u32, lengths: &[u32]) -> Outcome<Vec<u32>> {
    let given = lengths.iter().filter(|length| **length > 0);
    let given = given.fold(1_u64, |product, length| product.saturating_mul(u64::from(*length)));
    let open = lengths.iter().filter(|length| **length == 0).count();
    let left = u64::from(ranks) / given;
    if left * given != u64::from(ranks) || (open == 0 && left != 1) {
        let words = format!("dims = {lengths:?}: these lengths make no grid of {ranks} ranks");
        return Err(Error::new(c::ERR_DIMS, words));
    }
    let mut found = factors(left as u32, open, ranks).unwrap_or_default().into_iter();
    let filled = lengths.iter().map(|length| if *length > 0 { *length } else { found.next().unwrap_or(1) });
    Ok(filled.collect())
}

/// Descending factors of at most `most`: the first is as small as possible, then the second, and so on.
fn factors(ranks: u32, count: usize, most: u32) -> Option<Vec<u32>> {
    if count == 0 {
        return (ranks == 1).then(Vec::new);
    }
    let is_divisor = |divisor: &u32| ranks.is_multiple_of(*divisor);
    let mut divisors: Vec<u32> = (1..=ranks.isqrt()).filter(is_divisor).collect();
    divisors.extend(divisors.clone().into_iter().rev().map(|divisor| ranks / divisor));
    let fits =
        |factor: &u32| *factor <= most && u64::from(*factor).saturating_pow(count as u32) >= ranks.into();
    divisors.into_iter().filter(fits).find_map(|factor| {
        let rest = factors(ranks / factor, count - 1, factor)?;
        Some([vec![factor], rest].concat())
    })
}

/// The topology of a communicator, if it is of a kind.
fn topology<T>(
    comm: Comm,
    kind: &str,
    take: impl FnOnce(&Topology, &Communicator) -> Option<Outcome<T>>,
) -> Outcome<T> {
    let of = communicators::of(comm)?;
    let known = of.topology.borrow().clone();
    let taken = known.and_then(|known| take(&known, &of));
    let words = || Error::new(c::ERR_TOPOLOGY, format!("comm has no topology of {kind}"));
    taken.unwrap_or_else(|| Err(words())).map_err(|error| error.on(comm))
}

fn grid<T>(comm: Comm, take: impl FnOnce(&Grid, &Communicator) -> Outcome<T>) -> Outcome<T> {
    topology(comm, "a grid", |topology, of| match topology {
        Topology::Grid(grid) => Some(take(grid, of)),
        Topology::Graph(_) | Topology::Distributed(_) => None,
    })
}

fn graph<T>(comm: Comm, take: impl FnOnce(&Graph) -> Outcome<T>) -> Outcome<T> {
    topology(comm, "a graph", |topology, _| match topology {
        Topology::Graph(graph) => Some(take(graph)),
        Topology::Grid(_) | Topology::Distributed(_) => None,
    })
}

fn rank_of(rank: Rank, size: u64) -> Outcome<u32> {
    let words = || format!("rank = {}: it is a rank from 0 to {}", rank.0, size - 1);
    let place = u32::try_from(rank.0).ok().filter(|rank| u64::from(*rank) < size);
    place.ok_or_else(|| Error::new(c::ERR_RANK, words()))
}

/// Stores numbers in an array of the program, which has room for `most`.
fn store(name: &str, numbers: &[c_int], most: c_int, to: Ref<c_int>) -> Outcome {
    if usize::try_from(most).is_ok_and(|most| most >= numbers.len()) {
        numbers.iter().enumerate().for_each(|(place, number)| to.set(place, *number));
        return Ok(());
    }
    Err(Error::argument(name, most, &format!("at least {}", numbers.len())))
}

fn old(comm: Comm) -> Outcome<Rc<Communicator>> {
    let of = communicators::of(comm)?;
    match of.remote {
        None => Ok(of),
        Some(_) => Err(Error::new(c::ERR_COMM, "comm is an intercommunicator")),
    }
}

/// Makes a communicator of the first ranks of another, with a topology.
fn make(comm: Comm, size: u64, topology: Topology, new: Ref<Comm>) -> Outcome {
    let of = old(comm)?;
    if size > u64::from(of.size()) {
        let words = format!("the topology has {size} ranks, and the communicator {}", of.size());
        return Err(Error::new(c::ERR_TOPOLOGY, words));
    }
    let ranks: Vec<u32> = (0..size as u32).collect();
    let is_member = u64::from(of.rank) < size;
    let made = communicators::agree(&of, is_member.then_some(&ranks[..]), 0)?;
    if let Some(made) = &made {
        *made.topology.borrow_mut() = Some(Rc::new(topology));
    }
    new.set(0, communicators::handle(made));
    Ok(())
}

/// `MPI_Cart_create`.
///
/// # Errors
/// If a length is not positive, or the grid has more ranks than the communicator.
pub fn cart_create(
    comm_old: Comm,
    ndims: c_int,
    dims: Ref<c_int>,
    periods: Ref<c_int>,
    _: c_int,
    comm_cart: Ref<Comm>,
) -> Outcome {
    comm_cart.set(0, Comm(c::COMM_NULL));
    let grid = Grid::of(ndims, dims, periods);
    let made = grid.and_then(|grid| make(comm_old, grid.size(), Topology::Grid(grid), comm_cart));
    made.map_err(|error| error.on(comm_old))
}

/// `MPI_Dims_create`.
///
/// # Errors
/// If the lengths that are given make no grid of these ranks.
pub fn dims_create(nnodes: c_int, ndims: c_int, dims: Ref<c_int>) -> Outcome {
    let ranks = u32::try_from(nnodes).ok().filter(|ranks| *ranks > 0);
    let ranks = ranks.ok_or_else(|| Error::argument("nnodes", nnodes, "a number from 1"))?;
    let count = dimensions(ndims)?;
    if count == 0 {
        return Ok(());
    }
    let length = |place: usize| {
        let words = || format!("dims: {} is negative", dims.get(place));
        u32::try_from(dims.get(place)).map_err(|_| Error::new(c::ERR_DIMS, words()))
    };
    let lengths = (0..count).map(length).collect::<Outcome<Vec<_>>>()?;
    let filled = balanced_dims(ranks, &lengths)?;
    filled.iter().enumerate().for_each(|(place, length)| dims.set(place, *length as c_int));
    Ok(())
}

/// `MPI_Graph_create`.
///
/// # Errors
/// If it is no graph, or has more ranks than the communicator.
pub fn graph_create(
    comm_old: Comm,
    nnodes: c_int,
    index: Ref<c_int>,
    edges: Ref<c_int>,
    _: c_int,
    comm_graph: Ref<Comm>,
) -> Outcome {
    comm_graph.set(0, Comm(c::COMM_NULL));
    let graph = Graph::of(nnodes, index, edges);
    let size = nnodes.max(0) as u64;
    let made = graph.and_then(|graph| make(comm_old, size, Topology::Graph(graph), comm_graph));
    made.map_err(|error| error.on(comm_old))
}

/// `MPI_Topo_test`.
///
/// # Errors
/// If there is no such communicator.
pub fn topo_test(comm: Comm, status: Ref<abi::Topology>) -> Outcome {
    let kind = match communicators::of(comm)?.topology.borrow().as_deref() {
        None => c::UNDEFINED,
        Some(Topology::Grid(_)) => c::CART,
        Some(Topology::Graph(_)) => c::GRAPH,
        Some(Topology::Distributed(_)) => c::DIST_GRAPH,
    };
    status.set(0, abi::Topology(kind));
    Ok(())
}

/// `MPI_Graphdims_get`.
///
/// # Errors
/// If the communicator has no graph.
pub fn graphdims_get(comm: Comm, nnodes: Ref<c_int>, nedges: Ref<c_int>) -> Outcome {
    graph(comm, |graph| {
        nnodes.set(0, graph.index.len() as c_int);
        nedges.set(0, graph.edges.len() as c_int);
        Ok(())
    })
}

/// `MPI_Graph_get`.
///
/// # Errors
/// If the communicator has no graph, or there is no room for it.
pub fn graph_get(
    comm: Comm,
    maxindex: c_int,
    maxedges: c_int,
    index: Ref<c_int>,
    edges: Ref<c_int>,
) -> Outcome {
    graph(comm, |graph| {
        store("maxindex", &graph.index, maxindex, index)?;
        store("maxedges", &graph.edges, maxedges, edges)
    })
}

/// `MPI_Cartdim_get`.
///
/// # Errors
/// If the communicator has no grid.
pub fn cartdim_get(comm: Comm, ndims: Ref<c_int>) -> Outcome {
    grid(comm, |grid, _| {
        ndims.set(0, grid.dims.len() as c_int);
        Ok(())
    })
}

fn as_integers(numbers: &[u32]) -> Vec<c_int> {
    numbers.iter().map(|number| *number as c_int).collect()
}

/// `MPI_Cart_get`.
///
/// # Errors
/// If the communicator has no grid, or there is no room for it.
pub fn cart_get(
    comm: Comm,
    maxdims: c_int,
    dims: Ref<c_int>,
    periods: Ref<c_int>,
    coords: Ref<c_int>,
) -> Outcome {
    grid(comm, |grid, of| {
        store("maxdims", &as_integers(&grid.dims), maxdims, dims)?;
        let flags: Vec<c_int> = grid.periods.iter().map(|period| (*period).into()).collect();
        store("maxdims", &flags, maxdims, periods)?;
        store("maxdims", &as_integers(&grid.coordinates(of.rank)), maxdims, coords)
    })
}

/// `MPI_Cart_rank`.
///
/// # Errors
/// If the communicator has no grid, or the coordinates are outside.
pub fn cart_rank(comm: Comm, coords: Ref<c_int>, rank: Ref<Rank>) -> Outcome {
    grid(comm, |grid, _| {
        let coordinates: Vec<_> = (0..grid.dims.len()).map(|place| i64::from(coords.get(place))).collect();
        let words = || format!("coords = {coordinates:?}: they are outside of the grid");
        let found = grid.rank(coordinates.iter().copied());
        rank.set(0, Rank(found.ok_or_else(|| Error::new(c::ERR_ARG, words()))? as c_int));
        Ok(())
    })
}

/// `MPI_Cart_coords`.
///
/// # Errors
/// If the communicator has no grid or no such rank, or there is no room for the coordinates.
pub fn cart_coords(comm: Comm, rank: Rank, maxdims: c_int, coords: Ref<c_int>) -> Outcome {
    grid(comm, |grid, _| {
        let coordinates = grid.coordinates(rank_of(rank, grid.size())?);
        store("maxdims", &as_integers(&coordinates), maxdims, coords)
    })
}

/// `MPI_Graph_neighbors_count`.
///
/// # Errors
/// If the communicator has no graph, or no such rank.
pub fn graph_neighbors_count(comm: Comm, rank: Rank, nneighbors: Ref<c_int>) -> Outcome {
    graph(comm, |graph| {
        let rank = rank_of(rank, graph.index.len() as u64)?;
        nneighbors.set(0, graph.of_rank(rank).len() as c_int);
        Ok(())
    })
}

/// `MPI_Graph_neighbors`.
///
/// # Errors
/// If the communicator has no graph, or no such rank, or there is no room for the neighbors.
pub fn graph_neighbors(comm: Comm, rank: Rank, maxneighbors: c_int, neighbors: Ref<Rank>) -> Outcome {
    graph(comm, |graph| {
        let rank = rank_of(rank, graph.index.len() as u64)?;
        store("maxneighbors", graph.of_rank(rank), maxneighbors, Ref::at(neighbors.address()))
    })
}

/// `MPI_Cart_shift`.
///
/// # Errors
/// If the communicator has no grid, or no such dimension.
pub fn cart_shift(
    comm: Comm,
    direction: c_int,
    disp: c_int,
    rank_source: Ref<Rank>,
    rank_dest: Ref<Rank>,
) -> Outcome {
    grid(comm, |grid, of| {
        let dimension = usize::try_from(direction).ok().filter(|dimension| *dimension < grid.dims.len());
        let words = || format!("one of the {} dimensions, from 0", grid.dims.len());
        let dimension = dimension.ok_or_else(|| Error::argument("direction", direction, &words()))?;
        let [source, target] = grid.shift(of.rank, dimension, disp);
        let rank = |side: Option<u32>| Rank(side.map_or(c::PROC_NULL, |rank| rank as c_int));
        rank_source.set(0, rank(source));
        rank_dest.set(0, rank(target));
        Ok(())
    })
}

/// `MPI_Cart_sub`.
///
/// # Errors
/// If the communicator has no grid.
pub fn cart_sub(comm: Comm, remain_dims: Ref<c_int>, newcomm: Ref<Comm>) -> Outcome {
    newcomm.set(0, Comm(c::COMM_NULL));
    grid(comm, |grid, of| {
        let is_kept: Vec<bool> = (0..grid.dims.len()).map(|place| remain_dims.get(place) != 0).collect();
        let (inner, ranks, before) = grid.sub(of.rank, &is_kept);
        let made = communicators::agree(of, Some(&ranks), before)?;
        if let Some(made) = &made {
            *made.topology.borrow_mut() = Some(Rc::new(Topology::Grid(inner)));
        }
        newcomm.set(0, communicators::handle(made));
        Ok(())
    })
}

/// The rank in a topology of a number of ranks.
fn mapped(comm: Comm, size: Outcome<u64>, newrank: Ref<Index>) -> Outcome {
    let map = || {
        let (of, size) = (old(comm)?, size?);
        let rank = u64::from(of.rank) < size;
        newrank.set(0, Index(if rank { of.rank as c_int } else { c::UNDEFINED }));
        Ok(())
    };
    map().map_err(|error: Error| error.on(comm))
}

/// `MPI_Cart_map`.
///
/// # Errors
/// If a length is not positive.
pub fn cart_map(
    comm: Comm,
    ndims: c_int,
    dims: Ref<c_int>,
    periods: Ref<c_int>,
    newrank: Ref<Index>,
) -> Outcome {
    mapped(comm, Grid::of(ndims, dims, periods).map(|grid| grid.size()), newrank)
}

/// `MPI_Graph_map`.
///
/// # Errors
/// If it is no graph.
pub fn graph_map(
    comm: Comm,
    nnodes: c_int,
    index: Ref<c_int>,
    edges: Ref<c_int>,
    newrank: Ref<Index>,
) -> Outcome {
    mapped(comm, Graph::of(nnodes, index, edges).map(|graph| graph.index.len() as u64), newrank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::topologies::numbered;

    fn grid_of(dims: &[u32], periods: &[bool]) -> Grid {
        Grid { dims: dims.into(), periods: periods.into() }
    }

    #[test]
    fn ranks_and_coordinates_belong_together() {
        let grid = grid_of(&[2, 3, 4], &[true, false, true]);
        assert_eq!(
            (grid.size(), grid.coordinates(23), grid.coordinates(6)),
            (24, vec![1, 2, 3], vec![0, 1, 2])
        );
        for rank in 0..24 {
            assert_eq!(grid.rank(grid.coordinates(rank).into_iter().map(i64::from)), Some(rank));
        }
        assert_eq!(grid.rank([-1, 2, 9]), Some(21));
        assert_eq!(grid.rank([0, 3, 0]), None);
        assert_eq!(grid_of(&[], &[]).rank([]), Some(0));
    }

    #[test]
    fn shifts_wrap_around_in_rings_only() {
        let grid = grid_of(&[3, 4], &[true, false]);
        assert_eq!(grid.shift(1, 0, 1), [Some(9), Some(5)]);
        assert_eq!(grid.shift(0, 0, c_int::MIN), [Some(8), Some(4)]);
        assert_eq!(grid.shift(0, 1, 1), [None, Some(1)]);
        assert_eq!(grid.shift(3, 1, -2), [None, Some(1)]);
    }

    #[test]
    fn sub_grids_share_the_coordinates_that_are_not_kept() {
        let grid = grid_of(&[2, 3, 4], &[true, false, true]);
        let (inner, ranks, before) = grid.sub(18, &[true, false, true]);
        assert_eq!(inner, grid_of(&[2, 4], &[true, true]));
        assert_eq!((ranks, before), (vec![4, 5, 6, 7, 16, 17, 18, 19], 1));
        let (inner, ranks, before) = grid.sub(18, &[false; 3]);
        assert_eq!((inner, ranks, before), (grid_of(&[], &[]), vec![18], 18));
        let (_, ranks, before) = grid.sub(18, &[true; 3]);
        assert_eq!((ranks, before), ((0..24).collect(), 0));
    }

    #[test]
    fn data_sent_to_the_one_side_arrive_as_from_the_other() {
        let neighbors = grid_of(&[2], &[true]).neighbors(0);
        assert_eq!(neighbors.sources, [(Some(1), 0), (Some(1), 1)]);
        assert_eq!(neighbors.targets, [(Some(1), 1), (Some(1), 0)]);
        let neighbors = grid_of(&[3, 1], &[false, false]).neighbors(0);
        assert_eq!(neighbors.sources, [(None, 0), (Some(1), 1), (None, 2), (None, 3)]);
        assert_eq!(numbered(&[4, 2, 4, 4]), [(Some(4), 0), (Some(2), 0), (Some(4), 1), (Some(4), 2)]);
    }

    #[test]
    fn graphs_have_edges_between_their_ranks() {
        let graph = |index: &[c_int], edges: &[c_int]| {
            Graph::checked(index.into(), |count| edges[..count].into()).map_err(|error| error.words)
        };
        let ring = graph(&[2, 3, 3, 4], &[1, 3, 0, 2]).unwrap();
        assert_eq!([0, 1, 2, 3].map(|rank| ring.of_rank(rank)), [&[1, 3][..], &[0], &[], &[2]]);
        assert_eq!(graph(&[2, 1], &[0, 0]).unwrap_err(), "index: it has numbers from 0 that do not fall");
        assert_eq!(graph(&[0, 1], &[2]).unwrap_err(), "edges: 2 is none of 2 ranks");
        assert!(graph(&[], &[]).unwrap().edges.is_empty());
    }

    #[test]
    fn dims_are_as_equal_as_possible() {
        let dims = |ranks, lengths: &[u32]| balanced_dims(ranks, lengths).map_err(|error| error.code);
        assert_eq!(dims(6, &[0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims(7, &[0, 0]), Ok(vec![7, 1]));
        assert_eq!(dims(6, &[0, 3, 0]), Ok(vec![2, 3, 1]));
        assert_eq!(dims(7, &[0, 3, 0]), Err(c::ERR_DIMS));
        assert_eq!(dims(24, &[0, 0, 0]), Ok(vec![4, 3, 2]));
        assert_eq!(dims(65_536, &[0; 4]), Ok(vec![16; 4]));
        assert_eq!(dims(12, &[3, 4]), Ok(vec![3, 4]));
        assert_eq!(dims(13, &[3, 4]), Err(c::ERR_DIMS));
        assert_eq!(dims(4, &[u32::MAX, u32::MAX, 0]), Err(c::ERR_DIMS));
    }
}
