//! Neighborhood collectives: a rank exchanges data with its neighbors in a topology.
//!
//! Each makes the calls of a receive from every source and of a send to every target, and a wait for all. Its messages
//! use a separate communicator. The ranks define it without a message, by one call in their first neighborhood
//! collective.

use crate::abi::{Buffer, Comm, Count, Counts, Datatype, Displacements, Info, Ref, Request};
use crate::calls::collectives::{irregular, regular};
use crate::calls::datatypes::Data;
use crate::calls::own_messages;
use crate::calls::persistent::restarted;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators::{self, Communicator};
use crate::objects::requests::{self, Kind, RequestState};
use crate::objects::topologies::Neighbors;
use std::rc::Rc;

/// The data for each target, and the places for those of each source.
struct Exchange {
    of: Rc<Communicator>,
    neighbors: Neighbors,
    sent: Vec<Data>,
    received: Vec<Data>,
}

impl Exchange {
    /// Begins all messages, receives first.
    fn begin(&self) -> Outcome<Rc<RequestState>> {
        let messages = self.of.own_messages()?;
        let mut parts = Vec::new();
        for (data, (source, tag)) in self.received.iter().zip(&self.neighbors.sources) {
            parts.push(own_messages::begin_receive(&messages, *source, *tag, data.clone())?);
        }
        for (data, (target, tag)) in self.sent.iter().zip(&self.neighbors.targets) {
            parts.push(own_messages::begin_send(&messages, *target, *tag, data)?);
        }
        Ok(RequestState::new(Kind::Joint(parts, None.into()), None))
    }

    fn carry_out(&self) -> Outcome {
        let begun = self.begin()?;
        crate::calls::requests::wait_for_all(std::slice::from_ref(&begun))?;
        requests::checked(begun.take_status()?)
    }
}

/// The neighbors of a rank in its topology.
fn neighbors(comm: Comm, buffers: [Buffer; 2]) -> Outcome<(Rc<Communicator>, Neighbors)> {
    let of = communicators::of(comm)?;
    if buffers.contains(&Buffer::IN_PLACE) {
        return Err(Error::new(c::ERR_BUFFER, "MPI_IN_PLACE is no buffer of a neighborhood collective"));
    }
    let topology = of.topology.borrow().clone();
    let topology = topology.ok_or_else(|| Error::new(c::ERR_TOPOLOGY, "comm has no topology"))?;
    let neighbors = topology.neighbors(of.rank);
    Ok((of, neighbors))
}

/// Blocks with counts, displacements in bytes, and datatypes.
fn typed(
    buffer: Buffer,
    (counts, displacements): (Counts, Ref<isize>),
    datatypes: Ref<Datatype>,
    blocks: u32,
) -> Outcome<Vec<Data>> {
    let block = |block: usize| {
        let at = Buffer(buffer.0.wrapping_add_signed(displacements.get(block)));
        Data::of(at, Count(counts.0.get(block)), datatypes.get(block))
    };
    (0..blocks as usize).map(block).collect()
}

/// Makes the three forms of a collective from the function that prepares it.
macro_rules! forms {
    ($($prepare:ident $name:ident $begin:ident $init:ident ($($parameter:ident: $kind:ty),*);)*) => {$(
        #[doc = concat!("`MPI_Neighbor_", stringify!($name), "`.")]
        ///
        /// # Errors
        /// If an argument is wrong, or the communicator has no topology.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $name($($parameter: $kind,)* comm: Comm) -> Outcome {
            let exchange = $prepare($($parameter,)* comm);
            exchange.and_then(|exchange| exchange.carry_out()).map_err(|error| error.on(comm))
        }

        #[doc = concat!("`MPI_Ineighbor_", stringify!($name), "`.")]
        ///
        /// # Errors
        /// If an argument is wrong, or the communicator has no topology.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $begin($($parameter: $kind,)* comm: Comm, request: Ref<Request>) -> Outcome {
            let exchange = $prepare($($parameter,)* comm);
            let begun = exchange.and_then(|exchange| exchange.begin());
            request.set(0, begun.map_err(|error| error.on(comm))?.handle_on(comm));
            Ok(())
        }

        #[doc = concat!("`MPI_Neighbor_", stringify!($name), "_init`.")]
        ///
        /// # Errors
        /// If an argument is wrong, or the communicator has no topology.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $init($($parameter: $kind,)* comm: Comm, _: Info, request: Ref<Request>) -> Outcome {
            let exchange = $prepare($($parameter,)* comm).map_err(|error| error.on(comm))?;
            library().link()?.post_nothing();
            request.set(0, restarted(move || exchange.begin()).handle_on(comm));
            Ok(())
        }
    )*};
}

forms! {
    prepare_allgather allgather iallgather allgather_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcount: Count, recvtype: Datatype);
    prepare_allgatherv allgatherv iallgatherv allgatherv_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype);
    prepare_alltoall alltoall ialltoall alltoall_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcount: Count, recvtype: Datatype);
    prepare_alltoallv alltoallv ialltoallv alltoallv_init (sendbuf: Buffer, sendcounts: Counts, sdispls: Displacements,
        sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype);
    prepare_alltoallw alltoallw ialltoallw alltoallw_init (sendbuf: Buffer, sendcounts: Counts, sdispls: Ref<isize>,
        sendtypes: Ref<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: Ref<isize>, recvtypes: Ref<Datatype>);
}

fn prepare_allgather(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Exchange> {
    let (of, neighbors) = neighbors(comm, [sendbuf, recvbuf])?;
    let sent = vec![Data::of(sendbuf, sendcount, sendtype)?; neighbors.targets.len()];
    let received = regular(recvbuf, recvcount, recvtype, neighbors.sources.len() as u32)?;
    Ok(Exchange { of, neighbors, sent, received })
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
fn prepare_allgatherv(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcounts: Counts,
    displs: Displacements,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Exchange> {
    let (of, neighbors) = neighbors(comm, [sendbuf, recvbuf])?;
    let sent = vec![Data::of(sendbuf, sendcount, sendtype)?; neighbors.targets.len()];
    let received = irregular(recvbuf, recvcounts, displs, recvtype, neighbors.sources.len() as u32)?;
    Ok(Exchange { of, neighbors, sent, received })
}

fn prepare_alltoall(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Exchange> {
    let (of, neighbors) = neighbors(comm, [sendbuf, recvbuf])?;
    let sent = regular(sendbuf, sendcount, sendtype, neighbors.targets.len() as u32)?;
    let received = regular(recvbuf, recvcount, recvtype, neighbors.sources.len() as u32)?;
    Ok(Exchange { of, neighbors, sent, received })
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
fn prepare_alltoallv(
    sendbuf: Buffer,
    sendcounts: Counts,
    sdispls: Displacements,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcounts: Counts,
    rdispls: Displacements,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Exchange> {
    let (of, neighbors) = neighbors(comm, [sendbuf, recvbuf])?;
    let sent = irregular(sendbuf, sendcounts, sdispls, sendtype, neighbors.targets.len() as u32)?;
    let received = irregular(recvbuf, recvcounts, rdispls, recvtype, neighbors.sources.len() as u32)?;
    Ok(Exchange { of, neighbors, sent, received })
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
fn prepare_alltoallw(
    sendbuf: Buffer,
    sendcounts: Counts,
    sdispls: Ref<isize>,
    sendtypes: Ref<Datatype>,
    recvbuf: Buffer,
    recvcounts: Counts,
    rdispls: Ref<isize>,
    recvtypes: Ref<Datatype>,
    comm: Comm,
) -> Outcome<Exchange> {
    let (of, neighbors) = neighbors(comm, [sendbuf, recvbuf])?;
    let sent = typed(sendbuf, (sendcounts, sdispls), sendtypes, neighbors.targets.len() as u32)?;
    let received = typed(recvbuf, (recvcounts, rdispls), recvtypes, neighbors.sources.len() as u32)?;
    Ok(Exchange { of, neighbors, sent, received })
}
