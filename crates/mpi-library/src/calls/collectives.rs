//! Collectives: what a rank contributes, and what it does with the contributions of all when its part has ended.
//!
//! ```text
//!   prepare:     Prepared { what the simulator needs, data, completion }         one function for each collective
//!   MPI_Bcast    carries it out and waits     MPI_Ibcast: a request     MPI_Bcast_init: anew at each start
//! ```
//!
//! A rank that reads nothing, such as the root of a broadcast, goes on at once.

mod blocks;
mod inter;
mod reductions;

use crate::abi::{Buffer, Comm, Count, Counts, Datatype, Displacements, Info, Op, Rank, Ref, Request};
use crate::calls::datatypes::Data;
use crate::calls::persistent::restarted;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::optional;
use crate::objects::communicators::{self, Communicator};
use crate::objects::requests::{Completion, Kind, RequestState};
use rank_wire::{Code, Collective, Memory, Table};
use std::ffi::c_int;
use std::rc::Rc;

pub(crate) use blocks::{Places, irregular, regular};
use blocks::{
    copy, prepare_allgather, prepare_allgathering, prepare_allgatherv, prepare_alltoall, prepare_alltoallv,
    prepare_alltoallw, prepare_exchange, prepare_gather, prepare_gatherv, prepare_scatter, prepare_scatterv,
};
use reductions::{
    Reduction, prepare_allreduce, prepare_exscan, prepare_reduce, prepare_reduce_scatter,
    prepare_reduce_scatter_block, prepare_scan,
};

/// The work of a rank on the table of a collective that has ended.
type Complete = Rc<dyn Fn(u64) -> Outcome>;

/// A collective that a rank is about to call, once or again and again. It has copies of all lists of the program, which
/// need not stay as they are.
struct Prepared {
    of: Rc<Communicator>,
    collective: Collective,
    root: Option<u32>,
    bytes: u64,
    /// The handle of a predefined operation, which must be the same at all ranks; else 0.
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
            copy(from, to)?;
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
