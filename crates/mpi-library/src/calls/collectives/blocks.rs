//! Collectives that move blocks: gathers, scatters, and exchanges of all ranks with all.

use super::{Complete, Prepared, Read, inter, root_of};
use crate::abi::{Buffer, Comm, Count, Counts, Datatype, Displacements, Rank, Ref};
use crate::calls::datatypes::{Data, Type};
use crate::error::Outcome;
use crate::objects::communicators::{self, Communicator};
use rank_wire::Collective;
use std::rc::Rc;

/// Elements of an array of blocks in a buffer of the program.
fn block(buffer: Buffer, datatype: &Rc<Type>, at: i64, count: u64) -> Data {
    let buffer = Buffer(buffer.0.wrapping_add_signed(at.wrapping_mul(datatype.extent) as isize));
    Data { buffer, count, datatype: datatype.clone() }
}

/// Where the data of each rank go in a receive buffer, or come from in a send buffer.
pub(crate) type Places = Vec<Data>;

/// Blocks of one length, one after the other.
pub(crate) fn regular(buffer: Buffer, count: Count, datatype: Datatype, size: u32) -> Outcome<Places> {
    let first = Data::of(buffer, count, datatype)?;
    let at = |rank: u32| block(buffer, &first.datatype, i64::from(rank).wrapping_mul(count.0), first.count);
    Ok((0..size).map(at).collect())
}

/// Blocks with counts and displacements in elements.
pub(crate) fn irregular(
    buffer: Buffer,
    counts: Counts,
    displacements: Displacements,
    datatype: Datatype,
    size: u32,
) -> Outcome<Places> {
    let each = |rank: usize| {
        let first = Data::of(buffer, Count(counts.0.get(rank)), datatype)?;
        Ok(block(buffer, &first.datatype, displacements.0.get(rank), first.count))
    };
    (0..size as usize).map(each).collect()
}

pub(super) fn lengths(places: &Places) -> Vec<u64> {
    places.iter().map(Data::bytes).collect()
}

/// Stores what each rank has contributed, but the data that are in their place.
pub(super) fn gathered(places: Places, skipped: Option<u32>) -> Complete {
    Rc::new(move |table| {
        let read = Read::new(table)?;
        for (rank, place) in (0..).zip(&places).filter(|(rank, _)| Some(*rank) != skipped) {
            read.store(rank, 0, place);
        }
        Ok(())
    })
}

impl Prepared {
    /// Sets the lengths of blocks: a list if each may have another, else the one of all.
    fn set_lengths(&mut self, lengths: Vec<u64>, is_irregular: bool) {
        match is_irregular {
            true => self.lists.push(lengths),
            false => self.bytes = lengths[0],
        }
    }
}

/// A gather at a root; `at_root` are the places of all blocks there.
pub(super) fn prepare_gathering(
    of: Rc<Communicator>,
    root: Rank,
    sent: impl FnOnce() -> Outcome<Data>,
    at_root: impl FnOnce(u32) -> Outcome<Places>,
    is_irregular: bool,
) -> Outcome<Prepared> {
    if of.remote.is_some() {
        return inter::gather(&of, root, sent, at_root);
    }
    let root = root_of(&of, root)?;
    let (rank, size) = (of.rank, of.size());
    let kind = if is_irregular { Collective::Gatherv } else { Collective::Gather };
    let mut prepared = Prepared::new(of, kind);
    prepared.root = Some(root);
    let mut own = Vec::new();
    if rank == root {
        let places = at_root(size)?;
        own = lengths(&places);
        let data = sent()?;
        let is_in_place = data.buffer == Buffer::IN_PLACE;
        if !is_in_place {
            prepared.data.push(data);
        }
        prepared.completion = Some(gathered(places, is_in_place.then_some(root)));
    } else {
        let data = sent()?;
        own.push(data.bytes());
        prepared.data.push(data);
    }
    prepared.set_lengths(own, is_irregular);
    Ok(prepared)
}

/// The data of a send buffer, or a sign that they are in the other one.
fn sent_or_in_place(buffer: Buffer, count: Count, datatype: Datatype) -> Outcome<Data> {
    if buffer == Buffer::IN_PLACE {
        return Ok(Data { buffer, count: 0, datatype: Rc::new(Type::nothing()) });
    }
    Data::of(buffer, count, datatype)
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_gather(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let at_root = |size| regular(recvbuf, recvcount, recvtype, size);
    let sent = || sent_or_in_place(sendbuf, sendcount, sendtype);
    prepare_gathering(communicators::of(comm)?, root, sent, at_root, false)
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_gatherv(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcounts: Counts,
    displs: Displacements,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let at_root = |size| irregular(recvbuf, recvcounts, displs, recvtype, size);
    let sent = || sent_or_in_place(sendbuf, sendcount, sendtype);
    prepare_gathering(communicators::of(comm)?, root, sent, at_root, true)
}

/// A scatter from a root; `at_root` are the places of all blocks there.
pub(super) fn prepare_scattering(
    of: Rc<Communicator>,
    root: Rank,
    received: impl FnOnce() -> Outcome<Data>,
    at_root: impl FnOnce(u32) -> Outcome<Places>,
    is_irregular: bool,
) -> Outcome<Prepared> {
    if of.remote.is_some() {
        return inter::scatter(&of, root, received, at_root);
    }
    let root = root_of(&of, root)?;
    let (rank, size) = (of.rank, of.size());
    let kind = if is_irregular { Collective::Scatterv } else { Collective::Scatter };
    let mut prepared = Prepared::new(of, kind);
    prepared.root = Some(root);
    let data = received()?;
    if rank == root {
        let places = at_root(size)?;
        let own = lengths(&places);
        // The root has its own block without a message.
        if data.buffer != Buffer::IN_PLACE {
            prepared.own = Some((places[rank as usize].clone(), data));
        }
        prepared.data = places;
        if is_irregular {
            prepared.ends = ends(&own);
        }
        prepared.set_lengths(own, is_irregular);
        return Ok(prepared);
    }
    let bytes = data.bytes();
    prepared.set_lengths(vec![bytes], is_irregular);
    prepared.completion = Some(Rc::new(move |table| {
        let read = Read::new(table)?;
        let from = if is_irregular { read.piece(root, rank, size) } else { u64::from(rank) * bytes };
        read.store(root, from, &data);
        Ok(())
    }));
    Ok(prepared)
}

/// The ends of consecutive pieces.
pub(super) fn ends(lengths: &[u64]) -> Vec<u64> {
    let mut end = 0;
    lengths
        .iter()
        .map(|length| {
            end = length.saturating_add(end);
            end
        })
        .collect()
}

impl Read<'_> {
    /// The first byte of a piece, in a contribution of pieces that begins with their ends.
    fn piece(&self, of: u32, number: u32, pieces: u32) -> u64 {
        let begin = 8 * u64::from(pieces);
        let Some(before) = number.checked_sub(1) else { return begin };
        let end = self.of(of, 8 * u64::from(before), 8);
        // SAFETY: the contribution begins with the ends of all pieces.
        begin + end.map_or(0, |end| unsafe { end.cast::<u64>().read_unaligned() })
    }
}

/// Copies data from one buffer of the program to another.
///
/// # Errors
/// If there is no memory for the data between.
pub(super) fn copy(from: &Data, to: &Data) -> Outcome {
    let mut packed = from.room_for_packed()?;
    // SAFETY: the program has passed valid buffers.
    unsafe {
        from.pack(packed.as_mut_ptr());
        to.unpack(packed.as_ptr(), from.bytes());
    }
    Ok(())
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_scatter(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let at_root = |size| regular(sendbuf, sendcount, sendtype, size);
    let received = || sent_or_in_place(recvbuf, recvcount, recvtype);
    prepare_scattering(communicators::of(comm)?, root, received, at_root, false)
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_scatterv(
    sendbuf: Buffer,
    sendcounts: Counts,
    displs: Displacements,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let at_root = |size| irregular(sendbuf, sendcounts, displs, sendtype, size);
    let received = || sent_or_in_place(recvbuf, recvcount, recvtype);
    prepare_scattering(communicators::of(comm)?, root, received, at_root, true)
}

/// An allgather into places.
pub(super) fn prepare_allgathering(
    of: Rc<Communicator>,
    sent: Data,
    places: Places,
    is_irregular: bool,
) -> Outcome<Prepared> {
    if let Some(remote) = &of.remote {
        return Ok(inter::exchange(remote, Collective::Alltoallv, vec![sent; places.len()], places));
    }
    let kind = if is_irregular { Collective::Allgatherv } else { Collective::Allgather };
    let is_in_place = sent.buffer == Buffer::IN_PLACE;
    let sent = if is_in_place { places[of.rank as usize].clone() } else { sent };
    let skipped = is_in_place.then_some(of.rank);
    let mut prepared = Prepared::new(of, kind);
    match is_irregular {
        true => prepared.lists.push(lengths(&places)),
        false => prepared.bytes = sent.bytes(),
    }
    prepared.data.push(sent);
    prepared.completion = Some(gathered(places, skipped));
    Ok(prepared)
}

pub(super) fn prepare_allgather(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let places = regular(recvbuf, recvcount, recvtype, of.peers())?;
    prepare_allgathering(of, sent_or_in_place(sendbuf, sendcount, sendtype)?, places, false)
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_allgatherv(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcounts: Counts,
    displs: Displacements,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let places = irregular(recvbuf, recvcounts, displs, recvtype, of.peers())?;
    prepare_allgathering(of, sent_or_in_place(sendbuf, sendcount, sendtype)?, places, true)
}

pub(super) fn prepare_alltoall(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let (rank, size) = (of.rank, of.peers());
    let places = regular(recvbuf, recvcount, recvtype, size)?;
    let sent = match sendbuf {
        Buffer::IN_PLACE => places.clone(),
        _ => regular(sendbuf, sendcount, sendtype, size)?,
    };
    if let Some(remote) = &of.remote {
        return Ok(inter::exchange(remote, Collective::Alltoallv, sent, places));
    }
    let mut prepared = Prepared::new(of, Collective::Alltoall);
    prepared.data = sent;
    prepared.bytes = prepared.data[0].bytes();
    let bytes = prepared.bytes;
    prepared.completion = Some(Rc::new(move |table| {
        let read = Read::new(table)?;
        for (from, place) in (0..).zip(&places) {
            read.store(from, u64::from(rank) * bytes, place);
        }
        Ok(())
    }));
    Ok(prepared)
}

/// An exchange of blocks of different lengths.
pub(super) fn prepare_exchange(
    of: Rc<Communicator>,
    kind: Collective,
    sent: Places,
    received: Places,
) -> Prepared {
    if let Some(remote) = &of.remote {
        return inter::exchange(remote, kind, sent, received);
    }
    let (rank, size) = (of.rank, of.size());
    let mut prepared = Prepared::new(of, kind);
    let own = lengths(&sent);
    prepared.lists = vec![own.clone(), lengths(&received)];
    if kind == Collective::Alltoallw {
        let blocks = |places: &Places| places.iter().map(Data::blocks).collect();
        prepared.lists.extend([blocks(&sent), blocks(&received)]);
    }
    prepared.data = sent;
    prepared.ends = ends(&own);
    prepared.completion = Some(Rc::new(move |table| {
        let read = Read::new(table)?;
        for (from, place) in (0..).zip(&received) {
            read.store(from, read.piece(from, rank, size), place);
        }
        Ok(())
    }));
    prepared
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_alltoallv(
    sendbuf: Buffer,
    sendcounts: Counts,
    sdispls: Displacements,
    sendtype: Datatype,
    recvbuf: Buffer,
    recvcounts: Counts,
    rdispls: Displacements,
    recvtype: Datatype,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let received = irregular(recvbuf, recvcounts, rdispls, recvtype, of.peers())?;
    let sent = match sendbuf {
        Buffer::IN_PLACE => received.clone(),
        _ => irregular(sendbuf, sendcounts, sdispls, sendtype, of.peers())?,
    };
    Ok(prepare_exchange(of, Collective::Alltoallv, sent, received))
}

/// Blocks with counts, displacements in bytes, and datatypes.
fn typed(
    buffer: Buffer,
    counts: Counts,
    displacements: Displacements,
    types: Ref<Datatype>,
    size: u32,
) -> Outcome<Places> {
    let each = |rank: usize| {
        let at = Buffer(buffer.0.wrapping_add_signed(displacements.0.get(rank) as isize));
        Data::of(at, Count(counts.0.get(rank)), types.get(rank))
    };
    (0..size as usize).map(each).collect()
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub(super) fn prepare_alltoallw(
    sendbuf: Buffer,
    sendcounts: Counts,
    sdispls: Displacements,
    sendtypes: Ref<Datatype>,
    recvbuf: Buffer,
    recvcounts: Counts,
    rdispls: Displacements,
    recvtypes: Ref<Datatype>,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let received = typed(recvbuf, recvcounts, rdispls, recvtypes, of.peers())?;
    let sent = match sendbuf {
        Buffer::IN_PLACE => received.clone(),
        _ => typed(sendbuf, sendcounts, sdispls, sendtypes, of.peers())?,
    };
    Ok(prepare_exchange(of, Collective::Alltoallw, sent, received))
}
