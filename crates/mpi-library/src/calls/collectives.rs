//! Collectives: what a rank contributes, and what it does with the contributions of all when its part has ended.
//!
//! ```text
//!   prepare:     Prepared { what the simulator needs, data, completion }         one function for each collective
//!   MPI_Bcast    carries it out and waits     MPI_Ibcast: a request     MPI_Bcast_init: anew at each start
//! ```
//!
//! A rank that reads nothing, such as the root of a broadcast, goes on at once.

mod inter;

use crate::abi::{Buffer, Comm, Count, Counts, Datatype, Displacements, Info, Op, Rank, Ref, Request};
use crate::calls::datatypes::{Data, Type};
use crate::calls::operations::{self, Operation};
use crate::calls::persistent::restarted;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::optional;
use crate::objects::communicators::{self, Communicator};
use crate::objects::requests::{Completion, Kind, RequestState};
use rank_wire::{Code, Collective, Memory, Part, Table};
use std::ffi::c_int;
use std::rc::Rc;

/// What a rank does with the table of a collective.
type Complete = Rc<dyn Fn(u64) -> Outcome>;

/// A collective that a rank is about to call, once or again and again. It has copies of all lists of the program, which
/// need not stay as they are.
struct Prepared {
    of: Rc<Communicator>,
    collective: Collective,
    root: Option<u32>,
    bytes: u64,
    /// What the ranks compare: the handle of a predefined operation.
    operation: u64,
    /// The packed data that the rank contributes, behind their ends if readers need them.
    data: Vec<Data>,
    ends: Vec<u64>,
    /// Lists of lengths, for the simulator.
    lists: Vec<Vec<u64>>,
    completion: Option<Complete>,
    /// The data that the rank has for itself without a message, and their place.
    own: Option<(Data, Data)>,
    /// The messages that carry out some collectives of intercommunicators.
    messages: Option<inter::Messages>,
}

impl Prepared {
    fn new(of: Rc<Communicator>, collective: Collective) -> Self {
        Prepared {
            of,
            collective,
            root: None,
            bytes: 0,
            operation: 0,
            data: Vec::new(),
            ends: Vec::new(),
            lists: Vec::new(),
            completion: None,
            own: None,
            messages: None,
        }
    }

    /// Copies the data that the rank contributes into a block.
    fn contribute(&self) -> Outcome<u64> {
        let head = size_of_val(&self.ends[..]);
        let bytes = self.data.iter().map(Data::bytes).fold(head as u64, u64::saturating_add);
        library().link()?.put(bytes, 1, |to| {
            // SAFETY: the block has room for the ends.
            let mut to = unsafe {
                to.copy_from_nonoverlapping(self.ends.as_ptr().cast(), head);
                to.add(head)
            };
            for data in &self.data {
                // SAFETY: the program has passed valid buffers, and the block has room for all of their bytes.
                unsafe {
                    data.pack(to);
                    to = to.add(data.bytes() as usize);
                }
            }
        })
    }

    /// The words of the record.
    fn words(&self, request: Option<u32>) -> Outcome<Vec<u64>> {
        if let Some((from, to)) = &self.own {
            copy(from, to);
        }
        let offset = self.contribute()?;
        let mut words = vec![
            self.collective as u64,
            self.of.number.into(),
            optional(request),
            optional(self.root),
            self.bytes,
            self.operation,
            offset,
            self.completion.is_some().into(),
        ];
        for list in &self.lists {
            words.extend([library().link()?.put_words(list)?, list.len() as u64]);
        }
        Ok(words)
    }

    /// Makes the call, and waits for its end if it has data to read.
    fn carry_out(&self) -> Outcome {
        if let Some(messages) = &self.messages {
            return messages.carry_out();
        }
        let words = self.words(None)?;
        let mut link = library().link()?;
        let Some(completion) = &self.completion else {
            link.post(Code::Collect, &words);
            return Ok(());
        };
        let answer = link.ask(Code::Collect, &words);
        drop(link);
        completion(answer.table)
    }

    /// Makes the call, as a request.
    fn begin(&self) -> Outcome<Rc<RequestState>> {
        if let Some(messages) = &self.messages {
            return messages.begin();
        }
        let number = crate::objects::requests::ACTIVE.reserve();
        let words =
            self.words(Some(number)).inspect_err(|_| crate::objects::requests::ACTIVE.release(number))?;
        let completion =
            self.completion.clone().map(|complete| Completion(Box::new(move |table| complete(table))));
        let begun = RequestState::new(Kind::Collective(completion.into()), None);
        crate::objects::requests::ACTIVE.begin(number, &begun);
        library().link()?.post(Code::Collect, &words);
        Ok(begun)
    }
}

/// The table of a collective that has ended, which is released when it is dropped.
struct Read<'a> {
    memory: &'a Memory,
    table: Table,
}

impl Drop for Read<'_> {
    fn drop(&mut self) {
        self.table.release(self.memory);
    }
}

impl Read<'_> {
    fn new(table: u64) -> Outcome<Read<'static>> {
        Ok(Read { memory: library().memory()?, table: Table(table) })
    }

    /// The data that a rank has contributed, from a byte on.
    fn of(&self, rank: u32, from: u64, bytes: u64) -> Option<*const u8> {
        let at = self.table.contribution(self.memory, rank);
        let data = if at > 0 && bytes > 0 { self.memory.data(at + from, bytes) } else { None };
        data.map(<*mut u8>::cast_const)
    }

    /// Stores data that a rank has contributed.
    fn store(&self, rank: u32, from: u64, to: &Data) {
        let bytes = to.bytes();
        if let Some(data) = self.of(rank, from, bytes) {
            // SAFETY: the rank has contributed these bytes, and the program has passed a valid buffer.
            unsafe { to.unpack(data, bytes) };
        }
    }
}

/// Lets all ranks of a communicator know two numbers of each, by an allgather of 8 bytes.
pub(crate) fn allgather_pairs(of: Rc<Communicator>, own: [c_int; 2]) -> Outcome<Vec<[c_int; 2]>> {
    let mut all = vec![[0; 2]; of.size() as usize];
    let mut own = own;
    let (sent, places) = (Data::of_library(&mut own), all.iter_mut().map(Data::of_library).collect());
    prepare_allgathering(of, sent, places, false)?.carry_out()?;
    Ok(all)
}

/// Elements of an array of blocks in a buffer of the program.
fn block(buffer: Buffer, datatype: &Rc<Type>, at: i64, count: u64) -> Data {
    let buffer = Buffer(buffer.0.wrapping_add_signed(at.wrapping_mul(datatype.extent) as isize));
    Data { buffer, count, datatype: datatype.clone() }
}

fn root_of(of: &Communicator, root: Rank) -> Outcome<u32> {
    let words = || format!("root = {}: it is a rank from 0 to {}", root.0, of.size() - 1);
    u32::try_from(root.0)
        .ok()
        .filter(|root| *root < of.size())
        .ok_or_else(|| Error::new(c::ERR_ROOT, words()))
}

/// Makes the three forms of a collective from the function that prepares it.
macro_rules! forms {
    ($($prepare:ident $name:ident $begin:ident $init:ident ($($parameter:ident: $kind:ty),*);)*) => {$(
        #[doc = concat!("`MPI_", stringify!($name), "`, with a capital letter.")]
        ///
        /// # Errors
        /// If an argument is wrong.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $name($($parameter: $kind,)* comm: Comm) -> Outcome {
            $prepare($($parameter,)* comm).and_then(|prepared| prepared.carry_out()).map_err(|error| error.on(comm))
        }

        #[doc = concat!("`MPI_", stringify!($begin), "`, with a capital letter.")]
        ///
        /// # Errors
        /// If an argument is wrong.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $begin($($parameter: $kind,)* comm: Comm, request: Ref<Request>) -> Outcome {
            let begun = $prepare($($parameter,)* comm).and_then(|prepared| prepared.begin());
            request.set(0, begun.map_err(|error| error.on(comm))?.handle_on(comm));
            Ok(())
        }

        #[doc = concat!("`MPI_", stringify!($init), "`, with a capital letter.")]
        ///
        /// # Errors
        /// If an argument is wrong.
        #[allow(clippy::too_many_arguments, reason = "they are MPI's")]
        pub fn $init($($parameter: $kind,)* comm: Comm, _: Info, request: Ref<Request>) -> Outcome {
            let prepared = $prepare($($parameter,)* comm).map_err(|error| error.on(comm))?;
            library().link()?.post_nothing();
            request.set(0, restarted(move || prepared.begin()).handle_on(comm));
            Ok(())
        }
    )*};
}

forms! {
    prepare_barrier barrier ibarrier barrier_init ();
    prepare_bcast bcast ibcast bcast_init (buffer: Buffer, count: Count, datatype: Datatype, root: Rank);
    prepare_gather gather igather gather_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype, recvbuf: Buffer,
        recvcount: Count, recvtype: Datatype, root: Rank);
    prepare_gatherv gatherv igatherv gatherv_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, root: Rank);
    prepare_scatter scatter iscatter scatter_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank);
    prepare_scatterv scatterv iscatterv scatterv_init (sendbuf: Buffer, sendcounts: Counts, displs: Displacements,
        sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank);
    prepare_allgather allgather iallgather allgather_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcount: Count, recvtype: Datatype);
    prepare_allgatherv allgatherv iallgatherv allgatherv_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype);
    prepare_alltoall alltoall ialltoall alltoall_init (sendbuf: Buffer, sendcount: Count, sendtype: Datatype,
        recvbuf: Buffer, recvcount: Count, recvtype: Datatype);
    prepare_alltoallv alltoallv ialltoallv alltoallv_init (sendbuf: Buffer, sendcounts: Counts, sdispls: Displacements,
        sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype);
    prepare_alltoallw alltoallw ialltoallw alltoallw_init (sendbuf: Buffer, sendcounts: Counts, sdispls: Displacements,
        sendtypes: Ref<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements,
        recvtypes: Ref<Datatype>);
    prepare_reduce reduce ireduce reduce_init (sendbuf: Buffer, recvbuf: Buffer, count: Count, datatype: Datatype,
        op: Op, root: Rank);
    prepare_allreduce allreduce iallreduce allreduce_init (sendbuf: Buffer, recvbuf: Buffer, count: Count,
        datatype: Datatype, op: Op);
    prepare_reduce_scatter reduce_scatter ireduce_scatter reduce_scatter_init (sendbuf: Buffer, recvbuf: Buffer,
        recvcounts: Counts, datatype: Datatype, op: Op);
    prepare_reduce_scatter_block reduce_scatter_block ireduce_scatter_block reduce_scatter_block_init
        (sendbuf: Buffer, recvbuf: Buffer, recvcount: Count, datatype: Datatype, op: Op);
    prepare_scan scan iscan scan_init (sendbuf: Buffer, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op);
    prepare_exscan exscan iexscan exscan_init (sendbuf: Buffer, recvbuf: Buffer, count: Count, datatype: Datatype,
        op: Op);
}

fn prepare_barrier(comm: Comm) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let all = of.remote.as_ref().map_or(&of, |remote| &remote.joint);
    Ok(Prepared::new(all.clone(), Collective::Barrier))
}

fn prepare_bcast(
    buffer: Buffer,
    count: Count,
    datatype: Datatype,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let (of, data) = (communicators::of(comm)?, || Data::of(buffer, count, datatype));
    if of.remote.is_some() {
        return inter::bcast(&of, root, data);
    }
    let root = root_of(&of, root)?;
    Ok(broadcast(of, root, data()?))
}

fn broadcast(of: Rc<Communicator>, root: u32, data: Data) -> Prepared {
    let is_root = of.rank == root;
    let mut prepared = Prepared::new(of, Collective::Bcast);
    (prepared.root, prepared.bytes) = (Some(root), data.bytes());
    if is_root {
        prepared.data.push(data);
    } else {
        prepared.completion = Some(Rc::new(move |table| {
            Read::new(table)?.store(root, 0, &data);
            Ok(())
        }));
    }
    prepared
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

fn lengths(places: &Places) -> Vec<u64> {
    places.iter().map(Data::bytes).collect()
}

/// Stores what each rank has contributed, but the data that are in their place.
fn gathered(places: Places, skipped: Option<u32>) -> Complete {
    Rc::new(move |table| {
        let read = Read::new(table)?;
        for (rank, place) in (0..).zip(&places).filter(|(rank, _)| Some(*rank) != skipped) {
            read.store(rank, 0, place);
        }
        Ok(())
    })
}

/// A gather at a root; `at_root` are the places of all blocks there.
fn prepare_gathering(
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
    match is_irregular {
        true => prepared.lists.push(own),
        false => prepared.bytes = own[0],
    }
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
fn prepare_gather(
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
fn prepare_gatherv(
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
fn prepare_scattering(
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
    let own = if rank == root {
        let places = at_root(size)?;
        let own = lengths(&places);
        // The root has its own block without a message.
        if data.buffer != Buffer::IN_PLACE {
            prepared.own = Some((places[rank as usize].clone(), data.clone()));
        }
        prepared.data = places;
        own
    } else {
        vec![data.bytes()]
    };
    if !is_irregular {
        prepared.bytes = own[0];
    } else {
        if rank == root {
            prepared.ends = ends(&own);
        }
        prepared.lists.push(own);
    }
    if rank != root {
        let bytes = prepared.bytes;
        prepared.completion = Some(Rc::new(move |table| {
            let read = Read::new(table)?;
            let from = if is_irregular { read.piece(root, rank, size) } else { u64::from(rank) * bytes };
            read.store(root, from, &data);
            Ok(())
        }));
    }
    Ok(prepared)
}

/// The ends of consecutive pieces.
fn ends(lengths: &[u64]) -> Vec<u64> {
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
fn copy(from: &Data, to: &Data) {
    let mut packed = vec![0; from.bytes() as usize];
    // SAFETY: the program has passed valid buffers.
    unsafe {
        from.pack(packed.as_mut_ptr());
        to.unpack(packed.as_ptr(), from.bytes());
    }
}

#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
fn prepare_scatter(
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
fn prepare_scatterv(
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
fn prepare_allgathering(
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

fn prepare_allgather(
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
fn prepare_allgatherv(
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

fn prepare_alltoall(
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
fn prepare_exchange(of: Rc<Communicator>, kind: Collective, sent: Places, received: Places) -> Prepared {
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
fn prepare_alltoallw(
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

/// A reduction: its operands, and where the result goes.
#[derive(Clone)]
struct Reduction {
    operation: Rc<Operation>,
    /// The data that the rank contributes.
    sent: Data,
    /// The place of the result.
    result: Data,
    handle: u64,
}

impl Reduction {
    fn of(sendbuf: Buffer, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op) -> Outcome<Self> {
        let operation = operations::of(op)?;
        let result = Data::of(recvbuf, count, datatype)?;
        operation.check(&result.datatype)?;
        let sent = if sendbuf == Buffer::IN_PLACE {
            result.clone()
        } else {
            Data { buffer: sendbuf, ..result.clone() }
        };
        // Functions of the program have handles of each rank's own.
        let handle = if op.0 < c::FIRST_OWN_HANDLE { op.0 as u64 } else { 0 };
        Ok(Reduction { operation, sent, result, handle })
    }

    fn prepare(&self, of: Rc<Communicator>, collective: Collective) -> Prepared {
        let mut prepared = Prepared::new(of, collective);
        (prepared.bytes, prepared.operation) = (self.sent.bytes(), self.handle);
        prepared.data.push(self.sent.clone());
        prepared
    }

    /// Combines the data of some ranks, from a byte on; none without data.
    fn combine(&self, read: &Read<'_>, ranks: std::ops::Range<u32>, from: u64, to: *mut u8) -> Outcome {
        let bytes = self.result.bytes();
        let operands = ranks.filter_map(|rank| read.of(rank, from, bytes));
        // SAFETY: all ranks have contributed these bytes, and the caller has room for them.
        unsafe { self.operation.fold(&self.result.datatype, self.result.count, operands, to) }
    }

    /// Combines the data of some ranks in their order, and stores the result.
    fn combine_and_store(&self, read: &Read<'_>, ranks: std::ops::Range<u32>, from: u64) -> Outcome {
        let bytes = self.result.bytes();
        let mut combined = vec![0; bytes as usize];
        self.combine(read, ranks, from, combined.as_mut_ptr())?;
        // SAFETY: the program has passed a valid buffer.
        unsafe { self.result.unpack(combined.as_ptr(), bytes) };
        Ok(())
    }

    /// Stores the result of all ranks, which the first of them that gets here computes.
    fn combine_once(&self, read: &Read<'_>, size: u32) -> Outcome {
        let bytes = self.result.bytes();
        if bytes == 0 {
            return Ok(());
        }
        let own = library().link()?.rank;
        let at = match read.table.part(read.memory, own) {
            Part::Reads(at) => at,
            Part::Computes => {
                let at = library().link()?.allocate(bytes, 1)?;
                let to = read
                    .memory
                    .data(at, bytes)
                    .ok_or_else(|| Error::new(c::ERR_INTERN, "a block has its bytes"))?;
                self.combine(read, 0..size, 0, to)?;
                read.table.tell(read.memory, at);
                at
            }
        };
        if let Some(from) = read.memory.data(at, bytes) {
            // SAFETY: the block has these bytes, and the program has passed a valid buffer.
            unsafe { self.result.unpack(from, bytes) };
        }
        Ok(())
    }
}

fn prepare_reduce(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let reduction = || Reduction::of(sendbuf, recvbuf, count, datatype, op);
    if of.remote.is_some() {
        return inter::reduce(&of, root, reduction);
    }
    let (root, reduction) = (root_of(&of, root)?, reduction()?);
    let (rank, size) = (of.rank, of.size());
    let mut prepared = reduction.prepare(of, Collective::Reduce);
    prepared.root = Some(root);
    if rank == root {
        prepared.completion =
            Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, 0..size, 0)));
    }
    Ok(prepared)
}

fn prepare_allreduce(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let size = of.size();
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    if let Some(remote) = &of.remote {
        let (others, mut prepared) =
            (inter::others(remote), reduction.prepare(remote.joint.clone(), Collective::Allreduce));
        prepared.completion =
            Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, others.clone(), 0)));
        return Ok(prepared);
    }
    let mut prepared = reduction.prepare(of, Collective::Allreduce);
    prepared.completion = Some(Rc::new(move |table| reduction.combine_once(&Read::new(table)?, size)));
    Ok(prepared)
}

fn prepare_scan(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    inter::check_intra(&of)?;
    let rank = of.rank;
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    let mut prepared = reduction.prepare(of, Collective::Scan);
    prepared.completion =
        Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, 0..rank + 1, 0)));
    Ok(prepared)
}

fn prepare_exscan(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    inter::check_intra(&of)?;
    let rank = of.rank;
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    let mut prepared = reduction.prepare(of, Collective::Exscan);
    prepared.completion = Some(Rc::new(move |table| {
        let read = Read::new(table)?;
        if rank > 0 { reduction.combine_and_store(&read, 0..rank, 0) } else { Ok(()) }
    }));
    Ok(prepared)
}

/// The sum of counts. One that is too large is refused, since no memory has room for the data.
fn total(counts: &[i64]) -> i64 {
    counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
}

/// A reduction of which each rank gets a part; `counts` are the elements of each.
fn prepare_parts(
    of: Rc<Communicator>,
    (sendbuf, recvbuf): (Buffer, Buffer),
    counts: &[i64],
    (datatype, op): (Datatype, Op),
) -> Outcome<Prepared> {
    let (rank, size) = (of.rank as usize, of.size());
    if let Some(count) = counts.iter().find(|count| **count < 0) {
        return Err(Error::new(c::ERR_COUNT, format!("recvcounts: {count} is negative")));
    }
    let whole = Reduction::of(sendbuf, recvbuf, Count(total(counts)), datatype, op)?;
    let bytes = whole.result.datatype.size;
    let before = (total(&counts[..rank]) as u64).saturating_mul(bytes);
    let result = Data { count: counts[rank] as u64, ..whole.result.clone() };
    let (mut prepared, ranks) = match &of.remote {
        // No rank knows how the other group divides its data: each gets all, and keeps its part.
        Some(remote) => (whole.prepare(remote.joint.clone(), Collective::Allreduce), inter::others(remote)),
        None => {
            let mut prepared = whole.prepare(of, Collective::ReduceScatter);
            prepared.bytes = 0;
            prepared.lists.push(counts.iter().map(|count| (*count as u64).saturating_mul(bytes)).collect());
            (prepared, 0..size)
        }
    };
    let part = Reduction { result, ..whole };
    prepared.completion =
        Some(Rc::new(move |table| part.combine_and_store(&Read::new(table)?, ranks.clone(), before)));
    Ok(prepared)
}

fn prepare_reduce_scatter(
    sendbuf: Buffer,
    recvbuf: Buffer,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let counts = recvcounts.0.list(of.size() as usize);
    prepare_parts(of, (sendbuf, recvbuf), &counts, (datatype, op))
}

fn prepare_reduce_scatter_block(
    sendbuf: Buffer,
    recvbuf: Buffer,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let counts = vec![recvcount.0; of.size() as usize];
    let mut prepared = prepare_parts(of, (sendbuf, recvbuf), &counts, (datatype, op))?;
    // Of an intercommunicator it is an allreduce.
    if let Some(lengths) = prepared.lists.pop() {
        prepared.collective = Collective::ReduceScatterBlock;
        prepared.bytes = lengths.first().copied().unwrap_or(0);
    }
    Ok(prepared)
}
