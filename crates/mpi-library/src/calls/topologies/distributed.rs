//! Graphs of which each rank knows its own edges.

use super::{make, old, topology};
use crate::abi::{self, Comm, Info, Rank, Ref, Weight};
use crate::calls::collectives;
use crate::calls::datatypes::Data;
use crate::calls::own_messages;
use crate::calls::requests;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::objects::communicators::{self, Communicator, OWN_TAGS};
use crate::objects::topologies::{Distributed, Topology, number};
use std::collections::BTreeMap;
use std::ffi::c_int;

fn distributed<T>(comm: Comm, take: impl FnOnce(&Distributed) -> Outcome<T>) -> Outcome<T> {
    topology(comm, "a distributed graph", |topology, _| match topology {
        Topology::Distributed(graph) => Some(take(graph)),
        Topology::Grid(_) | Topology::Graph(_) => None,
    })
}

/// Ranks of a communicator, or `MPI_PROC_NULL`.
fn neighbors_of(of: &Communicator, name: &str, count: usize, ranks: Ref<Rank>) -> Outcome<Vec<c_int>> {
    let neighbor = |place: usize| match ranks.get(place).0 {
        rank if rank == c::PROC_NULL || (0..of.size() as c_int).contains(&rank) => Ok(rank),
        rank => {
            let words = format!("{name}: {rank} is none of the {} ranks, nor MPI_PROC_NULL", of.size());
            Err(Error::new(c::ERR_RANK, words))
        }
    };
    (0..count).map(neighbor).collect()
}

/// Weights; none of `MPI_UNWEIGHTED`.
fn weights_of(name: &str, count: usize, weights: Ref<Weight>) -> Outcome<Option<Vec<c_int>>> {
    match weights.address() as usize {
        c::UNWEIGHTED => Ok(None),
        c::WEIGHTS_EMPTY if count > 0 => {
            Err(Error::argument(name, "MPI_WEIGHTS_EMPTY", &format!("{count} weights, or MPI_UNWEIGHTED")))
        }
        _ => Ok(Some((0..count).map(|place| weights.get(place).0).collect())),
    }
}

/// `MPI_Dist_graph_create_adjacent`.
///
/// # Errors
/// If a neighbor is no rank of the communicator, or the weights of one side are missing.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn dist_graph_create_adjacent(
    comm_old: Comm,
    indegree: c_int,
    sources: Ref<Rank>,
    sourceweights: Ref<Weight>,
    outdegree: c_int,
    destinations: Ref<Rank>,
    destweights: Ref<Weight>,
    info: Info,
    _: c_int,
    comm_dist_graph: Ref<Comm>,
) -> Outcome {
    let graph = || {
        let of = old(comm_old)?;
        let (indegree, outdegree) = (number("indegree", indegree)?, number("outdegree", outdegree)?);
        let sources = neighbors_of(&of, "sources", indegree, sources)?;
        let targets = neighbors_of(&of, "destinations", outdegree, destinations)?;
        let of_sources = weights_of("sourceweights", indegree, sourceweights)?;
        let of_targets = weights_of("destweights", outdegree, destweights)?;
        let weights = match (of_sources, of_targets) {
            (Some(of_sources), Some(of_targets)) => Some([of_sources, of_targets]),
            (None, None) => None,
            _ => {
                let words = "sourceweights and destweights: both or none are MPI_UNWEIGHTED";
                return Err(Error::new(c::ERR_ARG, words));
            }
        };
        Ok(Distributed { sources, targets, weights })
    };
    comm_dist_graph.set(0, Comm(c::COMM_NULL));
    make_distributed(comm_old, graph, info, comm_dist_graph)
}

/// Makes a communicator of the same ranks, with a graph and hints.
fn make_distributed(
    comm: Comm,
    graph: impl FnOnce() -> Outcome<Distributed>,
    info: Info,
    new: Ref<Comm>,
) -> Outcome {
    let make_it = || {
        let hints = crate::calls::info::hints(info)?;
        let topology = Topology::Distributed(graph()?);
        make(comm, old(comm)?.size().into(), topology, new)?;
        *communicators::of(new.get(0))?.hints.borrow_mut() = hints;
        Ok(())
    };
    make_it().map_err(|error: Error| error.on(comm))
}

/// Edges that a rank gets to know: their other rank and their weight.
type Edges = Vec<[c_int; 2]>;

/// The edges of a rank, as another one tells them: those to it and those from it.
type Told = [Edges; 2];

/// Lets each rank know its edges, which any rank may have named. As in MPICH, a reduction counts the messages that each
/// rank will get, and they come in any order.
fn tell_edges(comm: Comm, of: &Communicator, mut named: BTreeMap<u32, Told>) -> Outcome<Told> {
    const TAG: u32 = OWN_TAGS;
    let own = named.remove(&of.rank).unwrap_or_default();
    let mut counts = vec![0; of.size() as usize];
    named.keys().for_each(|rank| counts[*rank as usize] = 1);
    let mut count = 0;
    let (sent, received) = (counts.as_mut_ptr() as usize, &raw mut count as usize);
    collectives::reduce_scatter_block(
        abi::Buffer(sent),
        abi::Buffer(received),
        abi::Count(1),
        abi::Datatype(c::INT),
        abi::Op(c::SUM),
        comm,
    )?;
    let messages = of.own_messages()?;
    let send = |(rank, told): (&u32, &Told)| {
        let mut numbers = vec![told[0].len() as c_int];
        numbers.extend(told.iter().flatten().flatten());
        own_messages::begin_send(&messages, Some(*rank), TAG, &Data::of_library(&mut numbers[..]))
    };
    let sends = named.iter().map(send).collect::<Outcome<Vec<_>>>()?;
    let mut all = BTreeMap::from([(of.rank, own)]);
    for _ in 0..count {
        let (rank, numbers) = own_messages::receive_any(&messages, TAG)?;
        let mut edges = numbers[1..].chunks_exact(2).map(|edge| [edge[0], edge[1]]);
        let to = edges.by_ref().take(numbers[0] as usize).collect();
        all.insert(rank, [to, edges.collect()]);
    }
    requests::wait_for_all(&sends)?;
    let side = |side: usize| all.values().flat_map(|told| told[side].iter().copied()).collect();
    Ok([side(0), side(1)])
}

/// Edges by each rank that one has: `sources` have their numbers of edges, whose targets and weights follow each other.
fn by_rank(
    sources: impl Iterator<Item = (c_int, usize)>,
    mut targets: impl Iterator<Item = (c_int, c_int)>,
) -> BTreeMap<u32, Told> {
    let mut named: BTreeMap<u32, Told> = BTreeMap::new();
    for (source, degree) in sources {
        for (target, weight) in targets.by_ref().take(degree) {
            // An edge from or to MPI_PROC_NULL has one end.
            for (rank, side, other) in [(target, 0, source), (source, 1, target)] {
                if let Ok(rank) = u32::try_from(rank) {
                    named.entry(rank).or_default()[side].push([other, weight]);
                }
            }
        }
    }
    named
}

/// `MPI_Dist_graph_create`.
///
/// # Errors
/// If an edge names no rank of the communicator.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn dist_graph_create(
    comm_old: Comm,
    n: c_int,
    sources: Ref<Rank>,
    degrees: Ref<c_int>,
    destinations: Ref<Rank>,
    weights: Ref<Weight>,
    info: Info,
    _: c_int,
    comm_dist_graph: Ref<Comm>,
) -> Outcome {
    let graph = || {
        let of = old(comm_old)?;
        let sources = neighbors_of(&of, "sources", number("n", n)?, sources)?;
        let degrees = (0..sources.len()).map(|place| number("degrees", degrees.get(place)));
        let degrees = degrees.collect::<Outcome<Vec<_>>>()?;
        let count = degrees.iter().sum();
        let targets = neighbors_of(&of, "destinations", count, destinations)?;
        let weights = weights_of("weights", count, weights)?;
        let is_weighted = weights.is_some();
        let weights = weights.unwrap_or_else(|| vec![1; count]);
        let named = by_rank(sources.into_iter().zip(degrees), targets.into_iter().zip(weights));
        let [to, from] = tell_edges(comm_old, &of, named)?
            .map(|edges| edges.into_iter().map(<(c_int, c_int)>::from).unzip::<_, _, Vec<_>, Vec<_>>());
        let weights = is_weighted.then_some([to.1, from.1]);
        Ok(Distributed { sources: to.0, targets: from.0, weights })
    };
    comm_dist_graph.set(0, Comm(c::COMM_NULL));
    make_distributed(comm_old, graph, info, comm_dist_graph)
}

/// `MPI_Dist_graph_neighbors_count`.
///
/// # Errors
/// If the communicator has no distributed graph.
pub fn dist_graph_neighbors_count(
    comm: Comm,
    indegree: Ref<c_int>,
    outdegree: Ref<c_int>,
    weighted: Ref<c_int>,
) -> Outcome {
    distributed(comm, |graph| {
        indegree.set(0, graph.sources.len() as c_int);
        outdegree.set(0, graph.targets.len() as c_int);
        weighted.set(0, graph.weights.is_some().into());
        Ok(())
    })
}

/// `MPI_Dist_graph_neighbors`: as many as there is room for.
///
/// # Errors
/// If the communicator has no distributed graph, or a number is negative.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn dist_graph_neighbors(
    comm: Comm,
    maxindegree: c_int,
    sources: Ref<Rank>,
    sourceweights: Ref<Weight>,
    maxoutdegree: c_int,
    destinations: Ref<Rank>,
    destweights: Ref<Weight>,
) -> Outcome {
    distributed(comm, |graph| {
        let most = [number("maxindegree", maxindegree)?, number("maxoutdegree", maxoutdegree)?];
        let sides = [(&graph.sources, sources, sourceweights), (&graph.targets, destinations, destweights)];
        for (side, ((ranks, to, weights_to), most)) in sides.into_iter().zip(most).enumerate() {
            ranks.iter().take(most).enumerate().for_each(|(place, rank)| to.set(place, Rank(*rank)));
            let are_wanted = ![c::UNWEIGHTED, c::WEIGHTS_EMPTY].contains(&(weights_to.address() as usize));
            let weights = graph.weights.as_ref().filter(|_| are_wanted).map(|weights| &weights[side]);
            let weights = weights.into_iter().flatten().take(most).enumerate();
            weights.for_each(|(place, weight)| weights_to.set(place, Weight(*weight)));
        }
        Ok(())
    })
}
