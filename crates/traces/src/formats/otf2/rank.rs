//! The MPI records of a rank, as calls.
//!
//! The kind of a non-blocking receive or collective is known when it has ended, so that the place where it began is
//! stored. The bytes of a collective follow from the records of all its ranks.

use super::definitions::{Comm, Definitions, Region};
use super::library::{Api, COLLECTIVE_COMPLETE, COLLECTIVE_REQUEST, Callback, Code, Handle};
use crate::error::TraceError;
use crate::error::{Place, Problem, problem};
use crate::recorder::{Recorder, begin, length, send_to};
use crate::requests::RequestNumbers;
use mpi::{Call, Collective, Lengths, Mode, Needed, Requests, Transfer};
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::path::PathBuf;

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// Nothing: a wait for no request, which ends at once.
const NOTHING: Call = Call::Wait { requests: Requests::range(0, 0), needed: Needed::All };

/// `OTF2_CollectiveOp`, by number; none after them is communication.
const OPERATIONS: [&str; 17] = [
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Gather",
    "MPI_Gatherv",
    "MPI_Scatter",
    "MPI_Scatterv",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Alltoallv",
    "MPI_Alltoallw",
    "MPI_Allreduce",
    "MPI_Reduce",
    "MPI_Reduce_scatter",
    "MPI_Scan",
    "MPI_Exscan",
    "MPI_Reduce_scatter_block",
];

/// A collective as one rank has recorded it.
#[derive(Clone, Copy)]
struct Part {
    event: usize,
    comm: u32,
    operation: u8,
    root: u32,
    sent: u64,
    received: u64,
    request: Option<u32>,
}

/// Reads the records of a rank.
pub(super) struct RankReader<'a> {
    rank: u32,
    definitions: &'a Definitions,
    recorder: Recorder,
    requests: RequestNumbers,
    /// The event where a receive or collective began, by request.
    begun: HashMap<u64, usize>,
    parts: Vec<Part>,
    /// Communicators other than that of all ranks, with their handles.
    comms: BTreeMap<u32, u32>,
    /// Number of MPI's regions that have been entered and not left.
    depth: u32,
    /// The record that is being read, from 1, and its time in picoseconds.
    pub place: u64,
    time: u128,
    pub problem: Option<(u64, Problem)>,
}

impl<'a> RankReader<'a> {
    pub fn new(file: PathBuf, rank: u32, definitions: &'a Definitions) -> Self {
        RankReader {
            rank,
            definitions,
            recorder: Recorder::new(file, u64::MAX, None),
            requests: RequestNumbers::default(),
            begun: HashMap::new(),
            parts: Vec::new(),
            comms: BTreeMap::new(),
            depth: 0,
            place: 0,
            time: 0,
            problem: None,
        }
    }

    /// Orders collectives by their beginning.
    pub fn finish_reading(&mut self) {
        self.parts.sort_by_key(|part| part.event);
    }

    /// The rank's collectives on each communicator, in order.
    fn parts_by_comm(&self) -> BTreeMap<u32, Vec<Part>> {
        let mut by_comm = BTreeMap::<u32, Vec<Part>>::new();
        self.parts.iter().for_each(|&part| by_comm.entry(part.comm).or_default().push(part));
        by_comm
    }

    /// Takes a record; returns whether reading continues.
    fn take(&mut self, time: u64, place: u64, take: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Code {
        self.place = place;
        self.time = u128::from(time) * PS_PER_SECOND / u128::from(self.definitions.ticks_per_second);
        let taken = self.pass().and_then(|()| take(self));
        match taken {
            Ok(()) => 0,
            Err(problem) => {
                self.problem = Some((place, problem));
                1
            }
        }
    }

    /// Lets time pass until a record: computation, if it is outside MPI. Time after the beginning of MPI_Finalize
    /// does not count.
    fn pass(&mut self) -> Result<(), Problem> {
        if self.recorder.has_ended() {
            return Ok(());
        }
        if !self.recorder.has_begun() {
            self.recorder.begin(self.time);
        }
        match self.depth {
            0 => self.recorder.span(self.time, self.time),
            _ => self.recorder.skip(self.time),
        }
    }

    fn enter(&mut self, region: u32) -> Result<(), Problem> {
        let Some(region) = self.definitions.mpi_regions.get(&region) else { return Ok(()) };
        self.depth += 1;
        match region {
            Region::Finalize if !self.recorder.has_ended() => self.recorder.end(self.time),
            Region::Finalize | Region::Init | Region::Other => Ok(()),
        }
    }

    fn leave(&mut self, region: u32) {
        let Some(region) = self.definitions.mpi_regions.get(&region) else { return };
        self.depth = self.depth.saturating_sub(1);
        // If a rank has no MPI_Init, its time begins with its first record.
        if *region == Region::Init && self.recorder.is_before_first_call() {
            self.recorder.begin(self.time);
        }
    }

    /// The handle of a communicator.
    fn comm(&mut self, comm: u32) -> Result<Option<u32>, Problem> {
        match self.definitions.comms.get(&comm) {
            Some(Comm::World) => Ok(Some(0)),
            Some(Comm::Own) => Ok(None),
            Some(Comm::Ranks(members)) if members.contains(&self.rank) => {
                let handle = self.recorder.communicator(comm.into(), None);
                self.comms.insert(comm, handle);
                Ok(Some(handle))
            }
            Some(Comm::Ranks(_)) => {
                Err(problem("a call on a communicator of other ranks", "one of this rank"))
            }
            None => Err(problem(format!("communicator {comm}"), "a communicator within one group of ranks")),
        }
    }

    /// The handle of the communicator of a message.
    fn of_message(&mut self, comm: u32) -> Result<u32, Problem> {
        let handle = self.comm(comm)?;
        Ok(handle.unwrap_or_else(|| self.recorder.alone(comm.into(), None, self.rank)))
    }

    fn count(&mut self, name: &'static str) {
        self.recorder.count(name);
    }

    fn send(
        &mut self,
        (target, comm, tag, bytes): (u32, u32, u32, u64),
        key: Option<u64>,
    ) -> Result<(), Problem> {
        let comm = self.of_message(comm)?;
        let send = Transfer::Send(send_to(comm, target, tag, length(bytes, 1)?, Mode::Standard));
        let request = key.map(|key| self.requests.begin(&mut self.recorder, self.place, key));
        self.recorder.push(self.place, begin(send, request));
        Ok(())
    }

    fn receive(
        &mut self,
        (source, comm, tag, bytes): (u32, u32, u32, u64),
        key: Option<u64>,
    ) -> Result<(), Problem> {
        let comm = self.of_message(comm)?;
        let receive = self.recorder.receives.add(self.place, (comm, Some(source), Some(tag)), bytes);
        let receive = Transfer::Receive(receive);
        let Some(key) = key else {
            self.recorder.push(self.place, begin(receive, None));
            return Ok(());
        };
        let event = self.begun.remove(&key);
        let request = self.requests.active(key);
        let (Some(event), Some(request)) = (event, request) else {
            return Err(problem(format!("request {key} ends, which has not begun"), "MpiIrecvRequest first"));
        };
        self.recorder.events[event].call = begin(receive, Some(request));
        self.requests.wait(&mut self.recorder, self.place, std::iter::once(key));
        Ok(())
    }

    /// Begins a receive or collective, of which more is known when it ends.
    fn begin_unknown(&mut self, key: u64) {
        self.requests.begin(&mut self.recorder, self.place, key);
        self.begun.insert(key, self.recorder.events.len());
        self.recorder.push(self.place, NOTHING);
    }

    fn complete(&mut self, key: u64) {
        self.requests.wait(&mut self.recorder, self.place, std::iter::once(key));
    }

    /// Ends a cancelled request: a receive is treated as if it had never begun; a send has ended.
    fn cancelled(&mut self, key: u64) {
        match self.begun.remove(&key) {
            Some(_) => self.requests.forget(key),
            None => self.complete(key),
        }
    }

    fn collective(&mut self, part: (u8, u32, u32, u64, u64), key: Option<u64>) -> Result<(), Problem> {
        let (operation, comm, root, sent, received) = part;
        let Some(&name) = OPERATIONS.get(usize::from(operation)) else { return Ok(()) };
        self.count(name);
        let handle = self.comm(comm)?;
        let Some(key) = key else {
            if handle.is_some() {
                let event = self.recorder.events.len();
                self.recorder.push(self.place, NOTHING);
                self.parts.push(Part { event, comm, operation, root, sent, received, request: None });
            }
            return Ok(());
        };
        let (event, request) = (self.begun.remove(&key), self.requests.active(key));
        let (Some(event), Some(request)) = (event, request) else {
            return Err(problem(format!("request {key} ends, which has not begun"), "its beginning first"));
        };
        match handle {
            None => self.requests.forget(key),
            Some(_) => {
                self.parts.push(Part {
                    event,
                    comm,
                    operation,
                    root,
                    sent,
                    received,
                    request: Some(request),
                });
                self.complete(key);
            }
        }
        Ok(())
    }
}

/// The records of all ranks, with their collectives.
pub(super) fn combine(
    mut readers: Vec<RankReader<'_>>,
    definitions: &Definitions,
) -> Result<Vec<Recorder>, TraceError> {
    let ranks = readers.len() as u32;
    let mut of_ranks: Vec<BTreeMap<u32, Vec<Part>>> = readers.iter().map(RankReader::parts_by_comm).collect();
    for (&comm, known) in &definitions.comms {
        let members: Vec<u32> = match known {
            Comm::Own => continue,
            Comm::World => (0..ranks).collect(),
            Comm::Ranks(members) => members.to_vec(),
        };
        let parts = members.iter().map(|&rank| of_ranks[rank as usize].remove(&comm).unwrap_or_default());
        let parts: Vec<Vec<Part>> = parts.collect();
        let max = parts.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..max {
            let row: Vec<Option<Part>> = parts.iter().map(|parts| parts.get(number).copied()).collect();
            if let Some((place, problem)) = disagreement(&row, &members) {
                let reader = &readers[members[place] as usize];
                let event = row[place].expect("it has recorded the collective").event;
                let record = reader.recorder.places[event];
                return Err(problem.at(&reader.recorder.file, Some(Place::Record(record))));
            }
            let mut of_all = OfAll::default();
            for (place, part) in row.iter().enumerate() {
                let Some(part) = part else { continue };
                let reader = &mut readers[members[place] as usize];
                let collective = of_all.collective(*part, &row).map_err(|problem| {
                    let record = reader.recorder.places[part.event];
                    problem.at(&reader.recorder.file, Some(Place::Record(record)))
                })?;
                let communicator = reader.comms.get(&comm).copied().unwrap_or(0);
                reader.recorder.events[part.event].call = match (communicator, part.request) {
                    (0, None) => Call::Collective(collective),
                    (_, request) => {
                        Call::Collect { collective, communicator, request, tuning: Box::default() }
                    }
                };
            }
        }
    }
    let finish = |mut reader: RankReader<'_>| {
        for (comm, handle) in std::mem::take(&mut reader.comms) {
            let Some(Comm::Ranks(members)) = definitions.comms.get(&comm) else { continue };
            let id = definitions.comms.range(..comm).count() as u32 + 1;
            reader.recorder.define(handle, members.clone(), id);
        }
        reader.recorder
    };
    Ok(readers.into_iter().map(finish).collect())
}

/// Bytes of each of the `ranks` messages that Score-P counts for a rank. It counts one for each rank, or, if the
/// data are in place, for each other rank.
fn share(bytes: u64, ranks: u64) -> u64 {
    let is_in_place = ranks > 1 && !bytes.is_multiple_of(ranks) && bytes.is_multiple_of(ranks - 1);
    bytes.div_ceil(if is_in_place { ranks - 1 } else { ranks.max(1) })
}

/// The place of a member with whose lengths those of others do not agree, and the fault. Members that call
/// different collectives are found later. For lists of lengths, archives have only the sums.
fn disagreement(row: &[Option<Part>], members: &[u32]) -> Option<(usize, Problem)> {
    let row: Vec<Part> = row.iter().copied().collect::<Option<_>>()?;
    let (first, ranks) = (row.first()?, row.len() as u64);
    let is_same = |part: &Part| (part.operation, part.root) == (first.operation, first.root);
    let root = first.root as usize;
    if !row.iter().all(is_same) {
        return None;
    }
    let name = OPERATIONS[usize::from(first.operation)];
    let (sent, received) = (|part: &Part| part.sent, |part: &Part| part.received);
    let sum = |of: BytesOf| row.iter().map(of).sum::<u64>();
    let (has_root, of): (bool, &dyn Fn(&Part) -> u64) = match name {
        "MPI_Bcast" | "MPI_Scatter" => (true, &received),
        "MPI_Reduce" | "MPI_Gather" => (true, &sent),
        "MPI_Allgather" | "MPI_Reduce_scatter_block" => (false, &|part| share(part.received, ranks)),
        "MPI_Alltoall" | "MPI_Allreduce" => (false, &|part| share(part.sent, ranks)),
        "MPI_Gatherv" => return unequal(root, members, (name, sum(sent), &row), (sent, received)),
        "MPI_Scatterv" => return unequal(root, members, (name, sum(received), &row), (received, sent)),
        "MPI_Alltoallv" | "MPI_Alltoallw" => {
            let (sent, received) = (sum(sent), sum(received));
            let found = format!("all ranks together send {sent} bytes in {name}");
            return (sent != received).then(|| (0, problem(found, format!("{received}, as they receive"))));
        }
        _ => return None,
    };
    let mut lengths = row.iter().map(of).enumerate().filter(|(place, _)| !has_root || *place != root);
    let (other, expected) = lengths.next()?;
    let (place, length) = lengths.find(|(_, length)| *length != expected)?;
    let found = format!("rank {} has {length} bytes in {name}", members[place]);
    Some((place, problem(found, format!("{expected}, as rank {} has", members[other]))))
}

/// The bytes that a rank sends or receives in its part of a collective.
type BytesOf = fn(&Part) -> u64;

/// Whether the root of a collective has another sum of bytes than the `sum` of all members. Its own may be in
/// place.
fn unequal(
    root: usize,
    members: &[u32],
    (name, sum, row): (&str, u64, &[Part]),
    (of_member, of_root): (BytesOf, BytesOf),
) -> Option<(usize, Problem)> {
    let at_root = row.get(root)?;
    let found = of_root(at_root);
    let is_right = found == sum || found == sum - of_member(at_root);
    let words = format!("rank {} has {found} bytes in {name} as its root", members[root]);
    (!is_right).then(|| (root, problem(words, format!("{sum}, as all ranks have together"))))
}

/// The collective that members have recorded, shared by those with the same operation and root.
#[derive(Default)]
struct OfAll(Option<(u8, u32, Collective)>);

impl OfAll {
    /// The collective of a member, from the records of all.
    fn collective(&mut self, own: Part, row: &[Option<Part>]) -> Result<Collective, Problem> {
        let is_known = |known: &(u8, u32, Collective)| (known.0, known.1) == (own.operation, own.root);
        let mut found = match self.0.take().filter(is_known) {
            Some((_, _, known)) => known,
            None => collective(own, row)?,
        };
        self.0 = Some((own.operation, own.root, found.clone()));
        // Only the sums of lengths are recorded: each rank is taken to send the same length to every other.
        if let Collective::Alltoallv { sent, .. } = &mut found {
            let each = length(share(own.sent, row.len() as u64), 1)?;
            *sent = Lengths::new(std::iter::repeat_n(each, row.len()));
        }
        Ok(found)
    }
}

/// The collective of a member, except for the data that it sends in an alltoall of different lengths. In Score-P's
/// sizes, a rank has a message to each rank that gets some of its data (`scorep_mpi_coll.c`).
fn collective(own: Part, row: &[Option<Part>]) -> Result<Collective, Problem> {
    let ranks = row.len() as u64;
    let sent = |of: &Option<Part>| of.map_or(0, |part| part.sent);
    let received = |of: &Option<Part>| of.map_or(0, |part| part.received);
    let max = |of: &dyn Fn(&Option<Part>) -> u64| length(row.iter().map(of).max().unwrap_or(0), 1);
    let each = |of: &dyn Fn(&Option<Part>) -> u64| {
        let lengths: Result<Vec<u64>, Problem> = row.iter().map(|part| length(of(part), 1)).collect();
        lengths.map(Lengths::new)
    };
    let share_of_sent = |part: &Option<Part>| share(sent(part), ranks);
    let share_of_received = |part: &Option<Part>| share(received(part), ranks);
    let root = own.root;
    let not_root = |of: fn(&Part) -> u64| {
        let others = (0..).zip(row).filter(|(place, _)| *place != root || ranks == 1);
        length(others.filter_map(|(_, part)| part.as_ref().map(of)).max().unwrap_or(0), 1)
    };
    Ok(match OPERATIONS[usize::from(own.operation)] {
        "MPI_Barrier" => Collective::Barrier,
        "MPI_Bcast" => Collective::Broadcast { root, bytes: not_root(|part| part.received)? },
        "MPI_Reduce" => Collective::Reduce { root, bytes: not_root(|part| part.sent)? },
        "MPI_Gather" => Collective::Gather { root, bytes: not_root(|part| part.sent)? },
        "MPI_Scatter" => Collective::Scatter { root, bytes: not_root(|part| part.received)? },
        "MPI_Gatherv" => Collective::Gatherv { root, lengths: each(&sent)? },
        "MPI_Scatterv" => Collective::Scatterv { root, lengths: each(&received)? },
        "MPI_Allgather" => Collective::Allgather { bytes: max(&share_of_received)? },
        "MPI_Allgatherv" => Collective::Allgatherv { lengths: each(&share_of_sent)? },
        "MPI_Alltoall" => Collective::Alltoall { bytes: max(&share_of_sent)? },
        "MPI_Allreduce" => Collective::Allreduce { bytes: row.iter().map(share_of_sent).max().unwrap_or(0) },
        "MPI_Reduce_scatter_block" => Collective::ReduceScatterBlock { bytes: max(&share_of_received)? },
        "MPI_Reduce_scatter" => Collective::ReduceScatter { lengths: each(&share_of_received)? },
        "MPI_Alltoallv" | "MPI_Alltoallw" => {
            Collective::Alltoallv { sent: Lengths::new([]), received: each(&share_of_sent)? }
        }
        // A rank receives from all before it, and from itself in a scan.
        scan => {
            let from = if scan == "MPI_Scan" { 1 } else { 0 };
            let before = (0u64..).zip(row).map(|(place, part)| received(part) / (place + from).max(1));
            let bytes = length(before.max().unwrap_or(0), 1)?;
            if from == 1 { Collective::Scan { bytes } } else { Collective::Exscan { bytes } }
        }
    })
}

fn one_sided(record: &str) -> Problem {
    problem(
        format!("{record}, of a one-sided call"),
        "calls that both sender and receiver make, and collectives",
    )
}

/// The callbacks, which call [`RankReader`].
///
/// # Safety
/// The user data of the reader with these callbacks is a `RankReader`.
pub(super) unsafe fn callbacks(api: &Api) -> Handle {
    // SAFETY: the callbacks have the parameters that the library passes.
    unsafe {
        let callbacks = (api.new_event_callbacks)();
        (api.on_enter)(callbacks, on_enter as Callback);
        (api.on_leave)(callbacks, on_leave as Callback);
        (api.on_send)(callbacks, on_send as Callback);
        (api.on_isend)(callbacks, on_isend as Callback);
        (api.on_isend_complete)(callbacks, on_isend_complete as Callback);
        (api.on_irecv_request)(callbacks, on_irecv_request as Callback);
        (api.on_recv)(callbacks, on_recv as Callback);
        (api.on_irecv)(callbacks, on_irecv as Callback);
        (api.on_test)(callbacks, on_test as Callback);
        (api.on_cancelled)(callbacks, on_cancelled as Callback);
        (api.on_collective_begin)(callbacks, on_collective_begin as Callback);
        (api.on_collective_end)(callbacks, on_collective_end as Callback);
        (api.on_window_create)(callbacks, on_window_create as Callback);
        (api.on_window_destroy)(callbacks, on_window_destroy as Callback);
        (api.on_window_collective)(callbacks, on_window_collective as Callback);
        (api.on_group_sync)(callbacks, on_group_sync as Callback);
        (api.on_request_lock)(callbacks, on_request_lock as Callback);
        (api.on_acquire_lock)(callbacks, on_acquire_lock as Callback);
        (api.on_try_lock)(callbacks, on_try_lock as Callback);
        (api.on_release_lock)(callbacks, on_release_lock as Callback);
        (api.on_window_sync)(callbacks, on_window_sync as Callback);
        (api.on_wait_change)(callbacks, on_wait_change as Callback);
        (api.on_put)(callbacks, on_put as Callback);
        (api.on_get)(callbacks, on_get as Callback);
        (api.on_atomic)(callbacks, on_atomic as Callback);
        api.register_if_known(COLLECTIVE_REQUEST, callbacks, on_collective_request as Callback);
        api.register_if_known(COLLECTIVE_COMPLETE, callbacks, on_collective_complete as Callback);
        callbacks
    }
}

/// Declares callbacks, which have specific parameters after the common ones.
macro_rules! callbacks {
    ($($name:ident($($parameter:ident: $type:ty),*) = |$reader:ident| $body:expr;)*) => {
        $(
            #[allow(clippy::too_many_arguments)] // the library's
            unsafe extern "C" fn $name(
                _location: u64,
                time: u64,
                place: u64,
                user: *mut c_void,
                _attributes: *mut c_void,
                $($parameter: $type),*
            ) -> Code {
                // SAFETY: the user data are a reader, which no other code uses meanwhile.
                let reader: &mut RankReader = unsafe { &mut *user.cast() };
                reader.take(time, place, |$reader| $body)
            }
        )*
    };
}

callbacks! {
    on_enter(region: u32) = |reader| reader.enter(region);
    on_leave(region: u32) = |reader| { reader.leave(region); Ok(()) };
    on_send(target: u32, comm: u32, tag: u32, bytes: u64) = |reader| {
        reader.count("MpiSend");
        reader.send((target, comm, tag, bytes), None)
    };
    on_isend(target: u32, comm: u32, tag: u32, bytes: u64, request: u64) = |reader| {
        reader.count("MpiIsend");
        reader.send((target, comm, tag, bytes), Some(request))
    };
    on_isend_complete(request: u64) = |reader| {
        reader.count("MpiIsendComplete");
        reader.complete(request);
        Ok(())
    };
    on_irecv_request(request: u64) = |reader| {
        reader.count("MpiIrecvRequest");
        reader.begin_unknown(request);
        Ok(())
    };
    on_recv(source: u32, comm: u32, tag: u32, bytes: u64) = |reader| {
        reader.count("MpiRecv");
        reader.receive((source, comm, tag, bytes), None)
    };
    on_irecv(source: u32, comm: u32, tag: u32, bytes: u64, request: u64) = |reader| {
        reader.count("MpiIrecv");
        reader.receive((source, comm, tag, bytes), Some(request))
    };
    // A test that has failed has no consequence.
    on_test(_request: u64) = |reader| { reader.count("MpiRequestTest"); Ok(()) };
    on_cancelled(request: u64) = |reader| {
        reader.count("MpiRequestCancelled");
        reader.cancelled(request);
        Ok(())
    };
    // The kind of the collective is known at its end.
    on_collective_begin() = |_reader| Ok(());
    on_collective_end(operation: u8, comm: u32, root: u32, sent: u64, received: u64) = |reader| {
        reader.collective((operation, comm, root, sent, received), None)
    };
    // One-sided calls, which are refused at the first of their records; operations end only after they have begun.
    on_window_create(_window: u32) = |_reader| Err(one_sided("RmaWinCreate"));
    on_window_destroy(_window: u32) = |_reader| Err(one_sided("RmaWinDestroy"));
    on_window_collective(_operation: u8, _level: u32, _window: u32, _root: u32, _sent: u64, _received: u64) =
        |_reader| Err(one_sided("RmaCollectiveEnd"));
    on_group_sync(_level: u32, _window: u32, _group: u32) = |_reader| Err(one_sided("RmaGroupSync"));
    on_request_lock(_window: u32, _remote: u32, _lock: u64, _kind: u8) = |_reader| Err(one_sided("RmaRequestLock"));
    on_acquire_lock(_window: u32, _remote: u32, _lock: u64, _kind: u8) = |_reader| Err(one_sided("RmaAcquireLock"));
    on_try_lock(_window: u32, _remote: u32, _lock: u64, _kind: u8) = |_reader| Err(one_sided("RmaTryLock"));
    on_release_lock(_window: u32, _remote: u32, _lock: u64) = |_reader| Err(one_sided("RmaReleaseLock"));
    on_window_sync(_window: u32, _remote: u32, _kind: u8) = |_reader| Err(one_sided("RmaSync"));
    on_wait_change(_window: u32) = |_reader| Err(one_sided("RmaWaitChange"));
    on_put(_window: u32, _remote: u32, _bytes: u64, _matching: u64) = |_reader| Err(one_sided("RmaPut"));
    on_get(_window: u32, _remote: u32, _bytes: u64, _matching: u64) = |_reader| Err(one_sided("RmaGet"));
    on_atomic(_window: u32, _remote: u32, _kind: u8, _sent: u64, _received: u64, _matching: u64) =
        |_reader| Err(one_sided("RmaAtomic"));
    on_collective_request(request: u64) = |reader| { reader.begin_unknown(request); Ok(()) };
    on_collective_complete(operation: u8, comm: u32, root: u32, sent: u64, received: u64, request: u64) = |reader| {
        reader.collective((operation, comm, root, sent, received), Some(request))
    };
}
