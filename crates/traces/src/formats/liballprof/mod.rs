//! Reader of liballprof's text traces (Hoefler, Schneider and Lumsdaine: LogGOPSim, 2010): a directory with one file
//! per rank, `pmpi-trace-rank-N.txt`.
//!
//! The format has addresses where a program has handles: that of a request, and that of the variable in which a new
//! communicator is stored. A test has no result. This has three consequences. A request gets the number that its
//! address has among all addresses of requests in the file, so that a wait for an array of them is one for
//! consecutive numbers. A test is a wait if the request is not waited for later, for then it must have ended. A new
//! handle stands for the first new communicator in which the rank has the same place ([`join`](crate::join)).

mod line;

use super::Format;
use crate::error::TraceError;
use crate::error::{Place, Problem, problem, shown, unreadable};
use crate::files::{first_file, open};
use crate::join::join;
use crate::rank::Part;
use crate::receives::{Envelope, message_from};
use crate::recorder::{Creation, Freed, Recorder, begin, send_to, wait};
use line::Fields;
use mpi::{Call, Collective, Lengths, Mode, Needed, ReceiveFrom, Requests, SendTo, Transfer};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

/// The longest text line, some thousand times that of a call: longer ones are no trace.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// More requests than a program uses at once.
const MAX_REQUESTS: usize = 1 << 24;

/// Open MPI's wildcard and null process, as its C library writes them into a trace (assumed for all traces).
const ANY: i64 = -1;
const NULL_PROCESS: i64 = -2;

const NEEDED: &str = "the directory of a liballprof trace is needed";

pub const FORMAT: Format = Format {
    is_file,
    read,
    parse: Some(|files| parse(files.into_iter().map(|(file, bytes)| (file, Cursor::new(bytes))).collect())),
    place: Place::Line,
};

fn is_file(name: &str, beginning: &[u8]) -> bool {
    let is_call = |line: &[u8]| line.starts_with(b"MPI_") && line.contains(&b':');
    let mut lines = beginning.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#"));
    rank_of(name).is_some() || lines.next().is_some_and(is_call)
}

/// Reads the files `pmpi-trace-rank-N.txt` of a directory, or of the directory of a file.
fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let directory = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let ranks = count_files(directory)?;
    let open = |rank| {
        let path = directory.join(file_name(rank));
        let file = open(&path)?;
        Ok((path, BufReader::with_capacity(1 << 20, file)))
    };
    parse((0..ranks).map(open).collect::<Result<_, _>>()?)
}

/// Reads one trace per rank, in rank order; the paths are for messages.
pub(crate) fn parse<R: BufRead>(files: Vec<(PathBuf, R)>) -> Result<Vec<Part>, TraceError> {
    let size = files.len() as u32;
    let read = |(rank, (path, reader)): (u32, (PathBuf, R))| {
        RankReader::new(path, Owner { rank, size }).read(reader)
    };
    join((0..).zip(files).map(read).collect::<Result<_, _>>()?, Place::Line)
}

fn file_name(rank: u32) -> String {
    format!("pmpi-trace-rank-{rank}.txt")
}

/// The number of ranks, which must have files numbered without gaps.
fn count_files(directory: &Path) -> Result<u32, TraceError> {
    let entries = directory.read_dir().map_err(|cause| unreadable(directory, &cause, NEEDED))?;
    let mut ranks: Vec<u32> =
        entries.filter_map(|entry| rank_of(entry.ok()?.file_name().to_str()?)).collect();
    ranks.sort_unstable();
    if let Some(missing) = (0u32..).zip(&ranks).find(|(expected, rank)| expected != *rank) {
        let expected = format!("a file for each rank from 0 to {}", ranks[ranks.len() - 1]);
        return Err(problem(format!("{} is missing", file_name(missing.0)), expected).at(directory, None));
    }
    match ranks.len() {
        0 => {
            let expected = "files pmpi-trace-rank-0.txt, pmpi-trace-rank-1.txt and so on, one for each rank";
            let other = first_file(directory, is_file)?;
            let name = other.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
            let found = name.map_or(String::from("holds no trace"), |name| {
                format!(
                    "holds calls as liballprof writes them, but in files of other names (`{}`)",
                    shown(&name)
                )
            });
            Err(problem(found, expected).at(directory, None))
        }
        ranks => Ok(ranks as u32),
    }
}

fn rank_of(name: &str) -> Option<u32> {
    let rank = name.strip_prefix("pmpi-trace-rank-")?.strip_suffix(".txt")?.parse().ok()?;
    (file_name(rank) == name).then_some(rank)
}

/// The rank that a file belongs to, and the number of ranks.
#[derive(Clone, Copy, Debug)]
struct Owner {
    rank: u32,
    size: u32,
}

/// Beginnings of the fields of calls.
macro_rules! message {
    ($peer:literal, $rest:literal) => {
        concat!("start:buffer:count:type,size,extra:", $peer, ":tag:communicator,rank,size:", $rest)
    };
}
macro_rules! reduction {
    ($rest:literal) => {
        concat!("start:send_buffer:receive_buffer:count:type,size,extra:operation:", $rest)
    };
}
macro_rules! blocks {
    ($rest:literal) => {
        concat!("start:send_buffer:count:type,size,extra:receive_buffer:count:type,size,extra:", $rest)
    };
}

/// The calls that are replayed, with their fields. Collectives may have an `I` before their names, and then also a
/// request.
const CALLS: [(&str, &str); 55] = [
    ("MPI_Init", "-:argc:argv:end"),
    ("MPI_Init_thread", "-:argc:argv:required:provided:end"),
    ("MPI_Send", message!("target", "end")),
    ("MPI_Recv", message!("source", "status:end")),
    ("MPI_Isend", message!("target", "request:end")),
    ("MPI_Irecv", message!("source", "request:end")),
    ("MPI_Wait", "start:request:status:end"),
    ("MPI_Waitall", "start:count:requests:statuses:end"),
    ("MPI_Allreduce", reduction!("communicator,rank,size:end")),
    ("MPI_Bcast", "start:buffer:count:type,size,extra:root:communicator,rank,size:end"),
    ("MPI_Barrier", "start:communicator,rank,size:end"),
    ("MPI_Bsend", message!("target", "end")),
    ("MPI_Ssend", message!("target", "end")),
    ("MPI_Rsend", message!("target", "end")),
    ("MPI_Ibsend", message!("target", "request:end")),
    ("MPI_Issend", message!("target", "request:end")),
    ("MPI_Irsend", message!("target", "request:end")),
    ("MPI_Send_init", message!("target", "request:end")),
    ("MPI_Bsend_init", message!("target", "request:end")),
    ("MPI_Ssend_init", message!("target", "request:end")),
    ("MPI_Rsend_init", message!("target", "request:end")),
    ("MPI_Recv_init", message!("source", "request:end")),
    (
        "MPI_Sendrecv",
        "start:send_buffer:count:type,size,extra:target:tag:receive_buffer:count:type,size,extra:source:tag:\
         communicator,rank,size:status:end",
    ),
    (
        "MPI_Sendrecv_replace",
        "start:buffer:count:type,size,extra:target:tag:source:tag:communicator,rank,size:status:end",
    ),
    ("MPI_Probe", "start:source:tag:communicator,rank,size:status:end"),
    ("MPI_Iprobe", "start:source:tag:communicator,rank,size:flag:status:end"),
    ("MPI_Start", "start:request:end"),
    ("MPI_Startall", "start:count:requests:end"),
    ("MPI_Waitany", "start:count:requests:index:status:end"),
    ("MPI_Waitsome", "start:count:requests:ended:indices:statuses:end"),
    ("MPI_Test", "start:request:flag:status:end"),
    ("MPI_Testall", "start:count:requests:flag:statuses:end"),
    ("MPI_Testany", "start:count:requests:index:flag:status:end"),
    ("MPI_Testsome", "start:count:requests:ended:indices:statuses:end"),
    ("MPI_Request_free", "start:request:end"),
    ("MPI_Cancel", "start:request:end"),
    ("MPI_Comm_dup", "start:communicator,rank,size:new:end"),
    ("MPI_Comm_split", "start:communicator,rank,size:color:key:new:end"),
    ("MPI_Comm_create", "start:communicator,rank,size:group:new:end"),
    ("MPI_Cart_create", "start:communicator,rank,size:dimensions:sizes:periods:reorder:new:end"),
    ("MPI_Graph_create", "start:communicator,rank,size:nodes:index:edges:reorder:new:end"),
    ("MPI_Comm_free", "start:communicator:end"),
    ("MPI_Reduce", reduction!("root:communicator,rank,size:end")),
    ("MPI_Scan", reduction!("communicator,rank,size:end")),
    ("MPI_Exscan", reduction!("communicator,rank,size:end")),
    (
        "MPI_Reduce_scatter",
        "start:send_buffer:receive_buffer:array:counts:type,size,extra:operation:communicator,rank,size:end",
    ),
    ("MPI_Allgather", blocks!("communicator,rank,size:end")),
    ("MPI_Alltoall", blocks!("communicator,rank,size:end")),
    ("MPI_Gather", blocks!("root:communicator,rank,size:end")),
    ("MPI_Scatter", blocks!("root:communicator,rank,size:end")),
    (
        "MPI_Allgatherv",
        "start:send_buffer:count:type,size,extra:receive_buffer:array:counts:array:places:type,size,extra:\
         communicator,rank,size:end",
    ),
    (
        "MPI_Gatherv",
        "start:send_buffer:count:type,size,extra:receive_buffer:array:counts:array:places:type,size,extra:root:\
         communicator,rank,size:end",
    ),
    (
        "MPI_Scatterv",
        "start:send_buffer:array:counts:array:places:type,size,extra:receive_buffer:count:type,size,extra:root:\
         communicator,rank,size:end",
    ),
    (
        "MPI_Alltoallv",
        "start:send_buffer:array:counts:array:places:type,size,extra:receive_buffer:array:counts:array:places:\
         type,size,extra:communicator,rank,size:end",
    ),
    ("MPI_Finalize", "start:-"),
];

/// Local calls of the library, which involve no other rank.
const LOCAL_CALLS: [&str; 22] = [
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Wtime",
    "MPI_Wtick",
    "MPI_Initialized",
    "MPI_Get_processor_name",
    "MPI_Get_count",
    "MPI_Type_size",
    "MPI_Type_commit",
    "MPI_Address",
    "MPI_Buffer_attach",
    "MPI_Buffer_detach",
    "MPI_Cart_coords",
    "MPI_Cart_get",
    "MPI_Cart_rank",
    "MPI_Cart_shift",
    "MPI_Cartdim_get",
    "MPI_Comm_group",
    "MPI_Dims_create",
    "MPI_Finalized",
    "MPI_Get_address",
    "MPI_Get_elements",
];

/// The beginnings of the names of further local calls.
const LOCAL_FAMILIES: [&str; 10] = [
    "MPI_Type_",
    "MPI_Group_",
    "MPI_Op_",
    "MPI_Errhandler_",
    "MPI_Attr_",
    "MPI_Keyval_",
    "MPI_Info_",
    "MPI_Pack",
    "MPI_Unpack",
    "MPI_Test_cancelled",
];

/// The beginnings of the names of one-sided calls.
const ONE_SIDED_CALLS: [&str; 9] = [
    "MPI_Put",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Win_",
];

/// A call that has the collective's name with an `I`, such as `MPI_Iallreduce`.
fn non_blocking(name: &str) -> Option<(&'static str, &'static str)> {
    let rest = name.strip_prefix("MPI_I")?;
    let first = rest.chars().next()?;
    let blocking = format!("MPI_{}{}", first.to_ascii_uppercase(), &rest[first.len_utf8()..]);
    CALLS.iter().copied().find(|(known, _)| *known == blocking && is_collective(known))
}

fn is_collective(name: &str) -> bool {
    let families = ["Barrier", "Bcast", "Gather", "Scatter", "All", "Reduce", "Scan", "Exscan"];
    families.iter().any(|family| name["MPI_".len()..].starts_with(family))
}

/// A request, by its address.
#[derive(Clone, Copy, Debug, Default)]
struct Request {
    id: u32,
    /// Whether the request has begun, and no wait for it is in the trace.
    is_active: bool,
    is_persistent: bool,
    /// Whether the program has freed the request. It is replayed as if it had not been freed, until its address is
    /// used again.
    is_freed: bool,
    /// Whether the request has been in a wait for any or some, which may have ended it.
    may_have_ended: bool,
    /// The last test for it, by number of its range.
    test: Option<usize>,
}

/// A wait for the requests at some addresses.
struct Range {
    event: usize,
    /// The bytes of the addresses, the end excluded.
    bytes: std::ops::Range<u64>,
    needed: Needed,
    /// Whether the wait is replayed: not if it is a test that has failed.
    is_wait: bool,
}

/// Reads the file of one rank.
struct RankReader {
    path: PathBuf,
    owner: Owner,
    recorder: Recorder,
    line: u64,
    /// The handle of the communicator of all ranks, once it has been seen.
    world: Option<u64>,
    requests: BTreeMap<u64, Request>,
    ranges: Vec<Range>,
    /// Bytes of a request: 4 as soon as the address of one is no multiple of 8.
    request_bytes: u64,
    /// The event that has created the communicator in a variable, by address of the variable.
    variables: HashMap<u64, usize>,
}

impl RankReader {
    fn new(path: PathBuf, owner: Owner) -> Self {
        let recorder = Recorder::new(path.clone(), 0, Some((owner.rank, owner.size)));
        RankReader {
            path,
            owner,
            recorder,
            line: 0,
            world: None,
            requests: BTreeMap::new(),
            ranges: Vec::new(),
            request_bytes: 8,
            variables: HashMap::new(),
        }
    }

    fn read(mut self, mut reader: impl BufRead) -> Result<Recorder, TraceError> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut line = (&mut reader).take(MAX_LINE_BYTES);
            let read = line.read_until(b'\n', &mut bytes);
            if read.map_err(|cause| unreadable(&self.path, &cause, NEEDED))? == 0 {
                return self.finish();
            }
            self.line += 1;
            let taken = match bytes.len() as u64 == MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
                true => Err(problem("a line of more than 1 MiB", "a line of text for each call")),
                false => self.take_line(&bytes),
            };
            taken.map_err(|problem| problem.at(&self.path, Some(Place::Line(self.line))))?;
        }
    }

    fn finish(mut self) -> Result<Recorder, TraceError> {
        if self.line == 0 {
            return Err(problem("the file is empty", "the trace of a rank is needed").at(&self.path, None));
        }
        let place = Some(Place::Line(self.line));
        if !self.recorder.has_ended() {
            let cut = problem("the file ends before MPI_Finalize", "a complete trace; this one is truncated");
            return Err(cut.at(&self.path, place));
        }
        if self.requests.len() >= MAX_REQUESTS {
            let found = format!("requests at {} addresses", self.requests.len());
            return Err(problem(found, format!("fewer than {MAX_REQUESTS}")).at(&self.path, place));
        }
        let tests = self.requests.values().filter(|request| request.is_active && !request.is_freed);
        let ended: Vec<usize> = tests.filter_map(|request| request.test).collect();
        ended.into_iter().for_each(|test| self.ranges[test].is_wait = true);
        self.number_requests();
        Ok(self.recorder)
    }

    /// Replaces the ids of requests by the numbers that their addresses have among all.
    fn number_requests(&mut self) {
        let mut numbers = vec![0; self.requests.len()];
        (0..).zip(self.requests.values()).for_each(|(number, request)| numbers[request.id as usize] = number);
        let addresses: Vec<u64> = self.requests.keys().copied().collect();
        for event in &mut self.recorder.events {
            if let Some(id) = event.call.arguments_mut().first_request {
                // A range that is waited for has no id, and its numbers below.
                *id = numbers.get(*id as usize).copied().unwrap_or(*id);
            }
        }
        let below = |address: u64| addresses.partition_point(|&other| other < address) as u32;
        for range in &self.ranges {
            let (first, end) = (below(range.bytes.start), below(range.bytes.end));
            let requests = Requests::range(first, if range.is_wait { end - first } else { 0 });
            self.recorder.events[range.event].call = Call::Wait { requests, needed: range.needed };
        }
    }

    fn take_line(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| problem("bytes that are not text", "a line of text"))?.trim_end();
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let fields = Fields::new(text);
        let name = fields.name();
        if self.recorder.is_outside(name) {
            self.recorder.local();
            return Ok(());
        }
        if let Some((name, layout)) = CALLS.iter().find(|(known, _)| *known == name) {
            fields.check(name, layout, 0)?;
            return self.take(name, &fields);
        }
        if let Some((known, layout)) = non_blocking(name) {
            fields.check(known, layout, 1)?;
            return self.take_non_blocking(known, &fields);
        }
        let is_local =
            LOCAL_CALLS.contains(&name) || LOCAL_FAMILIES.iter().any(|family| name.starts_with(family));
        if is_local && fields.count() >= 3 {
            self.recorder.local();
            let (start, end) = fields.span()?;
            return self.recorder.span(start, end);
        }
        Err(not_replayed(name))
    }

    fn take(&mut self, name: &'static str, fields: &Fields) -> Result<(), Problem> {
        match name {
            "MPI_Init" | "MPI_Init_thread" => return self.begin_at(fields),
            "MPI_Finalize" => return self.recorder.end(fields.time(1)?),
            _ => {}
        }
        let (start, end) = fields.span()?;
        self.recorder.span(start, end)?;
        let is_message = self.message(name, fields)?;
        if is_message == Some(false) {
            self.recorder.local();
            return Ok(());
        }
        if is_message.is_none() && !self.completion(name, fields)? && !self.creation(name, fields)? {
            self.collective(name, fields, None)?;
        }
        self.recorder.count(name);
        Ok(())
    }

    fn begin_at(&mut self, fields: &Fields) -> Result<(), Problem> {
        if self.recorder.has_begun() {
            return Err(problem("a second MPI_Init", "MPI_Init comes first, once"));
        }
        self.recorder.begin(fields.time(fields.count() - 1)?);
        Ok(())
    }

    /// The number of a communicator's handle; none for a communicator of this rank alone, where there is nothing to
    /// replay.
    fn communicator(&mut self, fields: &Fields, index: usize) -> Result<Option<(u32, u32)>, Problem> {
        let Owner { rank, size } = self.owner;
        let (handle, in_it, of, text) = fields.communicator(index)?;
        let wrong = |what: &str, expected: String| {
            Err(problem(format!("communicator `{}` {what}", shown(text)), expected))
        };
        let is_world =
            (in_it, of) == (rank, size) && (handle == 0 || *self.world.get_or_insert(handle) == handle);
        if is_world {
            return Ok(Some((0, size)));
        }
        // Fortran's handle of MPI_COMM_WORLD.
        if handle == 0 && of != size {
            return wrong("has the wrong size", format!("{size} ranks, as many as there are files"));
        }
        if handle == 0 {
            return wrong("has the wrong rank", format!("rank {rank}, as the name of the file says"));
        }
        if of > size {
            return wrong("has the wrong size", format!("at most {size} ranks, as many as there are files"));
        }
        Ok((of > 1).then(|| (self.recorder.communicator(handle, Some((in_it, of))), of)))
    }

    /// The number and size for a message, which a communicator of this rank alone has too.
    fn of_message(&mut self, fields: &Fields, index: usize) -> Result<(u32, u32), Problem> {
        if let Some(known) = self.communicator(fields, index)? {
            return Ok(known);
        }
        let (handle, ..) = fields.communicator(index)?;
        Ok((self.recorder.alone(handle, Some((0, 1)), self.owner.rank), 1))
    }

    /// Sends, receives and probes: returns whether there is something to replay; none if the call is another.
    fn message(&mut self, name: &str, fields: &Fields) -> Result<Option<bool>, Problem> {
        let mode = match name {
            "MPI_Ssend" | "MPI_Issend" | "MPI_Ssend_init" => Mode::Synchronous,
            "MPI_Bsend" | "MPI_Ibsend" | "MPI_Bsend_init" => Mode::Buffered,
            // Whether a receive has been posted depends on the network, so that ready mode is not enforced.
            _ => Mode::Standard,
        };
        let place = self.line;
        let transfer = match name {
            "MPI_Send" | "MPI_Bsend" | "MPI_Ssend" | "MPI_Rsend" | "MPI_Isend" | "MPI_Ibsend"
            | "MPI_Issend" | "MPI_Irsend" | "MPI_Send_init" | "MPI_Bsend_init" | "MPI_Ssend_init"
            | "MPI_Rsend_init" => self.send(fields, 7, mode)?.map(Transfer::Send),
            "MPI_Recv" | "MPI_Irecv" | "MPI_Recv_init" => {
                self.receive(fields, 5, 7, (3, 4))?.map(Transfer::Receive)
            }
            "MPI_Sendrecv" | "MPI_Sendrecv_replace" => {
                let (source, communicator, room) =
                    if name == "MPI_Sendrecv" { (10, 12, (8, 9)) } else { (7, 9, (3, 4)) };
                let send = self.send(fields, communicator, mode)?;
                let receive = self.receive(fields, source, communicator, room)?;
                let call = match (send, receive) {
                    (Some(send), Some(receive)) => Call::SendReceive { send, receive },
                    (Some(send), None) => begin(Transfer::Send(send), None),
                    (None, Some(receive)) => begin(Transfer::Receive(receive), None),
                    (None, None) => return Ok(Some(false)),
                };
                self.recorder.push(place, call);
                return Ok(Some(true));
            }
            "MPI_Probe" => {
                let Some((communicator, source, tag)) = self.envelope(fields, 2, 4)? else {
                    return Ok(Some(false));
                };
                let message = message_from(communicator, source, tag);
                self.recorder.push(place, Call::Find { message, takes: false, blocks: true });
                return Ok(Some(true));
            }
            // Whether it has found a message is not in the trace. If it has, the receive of it follows.
            "MPI_Iprobe" => return Ok(Some(false)),
            _ => return Ok(None),
        };
        let has_request = fields.count() > 9 && !matches!(name, "MPI_Recv");
        let Some(transfer) = transfer else {
            // A message to or from the null process is complete at once.
            if has_request {
                let address = fields.address(8)?;
                self.end(address, 1);
            }
            return Ok(Some(false));
        };
        if name.ends_with("_init") {
            let request = self.new_request(fields.address(8)?, true);
            self.recorder.push(place, Call::Prepare { transfer, request });
        } else if has_request {
            let request = self.new_request(fields.address(8)?, false);
            self.recorder.push(place, begin(transfer, Some(request)));
        } else {
            self.recorder.push(place, begin(transfer, None));
        }
        Ok(Some(true))
    }

    /// A send; none to the null process.
    fn send(&mut self, fields: &Fields, communicator: usize, mode: Mode) -> Result<Option<SendTo>, Problem> {
        let (communicator, size) = self.of_message(fields, communicator)?;
        let (bytes, tag) = (fields.bytes(3, 4)?, fields.number(6, "tag", 0, i32::MAX.into())? as u32);
        match fields.number(5, "target", NULL_PROCESS, i64::from(size) - 1)? {
            NULL_PROCESS => Ok(None),
            ANY => Err(problem("a send to rank -1", "a send names its target")),
            target => Ok(Some(send_to(communicator, target as u32, tag, bytes, mode))),
        }
    }

    /// A receive from the source at `index`, with the tag after it, of at most a count of a datatype. None from the
    /// null process.
    fn receive(
        &mut self,
        fields: &Fields,
        index: usize,
        communicator: usize,
        (count, datatype): (usize, usize),
    ) -> Result<Option<ReceiveFrom>, Problem> {
        let bytes = fields.bytes(count, datatype)?;
        let envelope = self.envelope(fields, index, communicator)?;
        Ok(envelope.map(|envelope| self.recorder.receives.add(self.line, envelope, bytes)))
    }

    /// Communicator, source and tag of a message to receive; none from the null process.
    fn envelope(
        &mut self,
        fields: &Fields,
        index: usize,
        communicator: usize,
    ) -> Result<Option<Envelope>, Problem> {
        let tag = u32::try_from(fields.number(index + 1, "tag", ANY, i32::MAX.into())?).ok();
        let (communicator, size) = self.of_message(fields, communicator)?;
        Ok(match fields.number(index, "source", NULL_PROCESS, i64::from(size) - 1)? {
            NULL_PROCESS => None,
            source => Some((communicator, u32::try_from(source).ok(), tag)),
        })
    }

    fn collective(&mut self, name: &str, fields: &Fields, request: Option<u64>) -> Result<(), Problem> {
        let index = fields.count() - 2 - usize::from(request.is_some());
        let communicator = self.communicator(fields, index)?;
        let (_, rank, size, _) = fields.communicator(index)?;
        let collective = collective(name, fields, rank, size)?;
        let Some((communicator, _)) = communicator else {
            request.into_iter().for_each(|address| self.end(address, 1));
            return Ok(());
        };
        let request = request.map(|address| self.new_request(address, false));
        let call = match (communicator, request) {
            (0, None) => Call::Collective(collective),
            _ => Call::Collect { collective, communicator, request, tuning: Box::default() },
        };
        self.recorder.reduces_by(operation(name).and_then(|index| fields.address(index).ok()));
        self.recorder.push(self.line, call);
        Ok(())
    }

    fn take_non_blocking(&mut self, name: &'static str, fields: &Fields) -> Result<(), Problem> {
        let (start, end) = fields.span()?;
        self.recorder.span(start, end)?;
        let address = fields.address(fields.count() - 2)?;
        self.collective(name, fields, Some(address))?;
        self.recorder.count(name);
        Ok(())
    }
}

/// Communicators.
impl RankReader {
    /// New communicators, and the end of old ones; returns whether the call is one.
    fn creation(&mut self, name: &str, fields: &Fields) -> Result<bool, Problem> {
        if name == "MPI_Comm_free" {
            // The variable has the communicator that was stored there last.
            if let Some(made) = self.variables.remove(&fields.address(2)?) {
                self.recorder.free(self.line, Freed::Made(made));
            }
            return Ok(true);
        }
        let whole = (i64::from(i32::MIN), i64::from(i32::MAX));
        let creation = match name {
            "MPI_Comm_dup" => Creation::Duplicate,
            "MPI_Comm_split" => {
                let color = fields.number(3, "color", whole.0, whole.1)?;
                let key = fields.number(4, "key", whole.0, whole.1)?;
                Creation::Split { color: (color >= 0).then_some(color), key }
            }
            "MPI_Comm_create" | "MPI_Cart_create" | "MPI_Graph_create" => Creation::ByUse,
            _ => return Ok(false),
        };
        let variable = fields.address(fields.count() - 2)?;
        if let Some((communicator, _)) = self.communicator(fields, 2)? {
            // After this, another handle of the same place may be that of the new communicator. Fortran's handle of
            // all ranks is 0.
            self.world.get_or_insert(0);
            self.recorder.create(self.line, communicator, creation, None);
            self.variables.insert(variable, self.recorder.events.len() - 1);
        }
        Ok(true)
    }
}

/// Requests.
impl RankReader {
    /// Begins or creates a request at this address; returns its id.
    fn new_request(&mut self, address: u64, is_persistent: bool) -> u32 {
        self.end_before(address);
        if !address.is_multiple_of(8) {
            self.request_bytes = 4;
        }
        let next = self.requests.len() as u32;
        let request = self.requests.entry(address).or_insert(Request { id: next, ..Request::default() });
        let id = request.id;
        if request.is_persistent {
            self.recorder.push(self.line, Call::Free { request: id });
        }
        *request = Request { id, is_active: !is_persistent, is_persistent, ..Request::default() };
        id
    }

    /// Ends a request whose address is used again. If it has not been waited for, the last test for it has
    /// succeeded, or it has ended in a wait or test for some.
    fn end_before(&mut self, address: u64) {
        let Some(request) = self.requests.get_mut(&address).filter(|request| request.is_active) else {
            return;
        };
        let (id, test) = (request.id, request.test);
        request.is_active = false;
        if let Some(test) = test {
            self.ranges[test].is_wait = true;
        }
        match test.map(|test| &self.ranges[test]) {
            // Then all of them have ended.
            Some(Range { bytes, needed: Needed::All, .. }) => self.end_of(bytes.clone(), test),
            _ => self.recorder.push(self.line, wait(id)),
        }
    }

    /// The bytes of some requests.
    fn bytes(&self, address: u64, count: u64) -> std::ops::Range<u64> {
        address..address.saturating_add(count.saturating_mul(self.request_bytes))
    }

    /// Ends the requests at some addresses.
    fn end(&mut self, address: u64, count: u64) {
        self.for_each(self.bytes(address, count), |request| {
            (request.is_active, request.test) = (false, None)
        });
    }

    /// Ends the requests at some addresses for which this was the last test.
    fn end_of(&mut self, bytes: std::ops::Range<u64>, test: Option<usize>) {
        self.for_each(bytes, |request| {
            if request.test == test {
                (request.is_active, request.test) = (false, None);
            }
        });
    }

    fn for_each(&mut self, bytes: std::ops::Range<u64>, change: impl FnMut(&mut Request)) {
        self.requests.range_mut(bytes).map(|(_, request)| request).for_each(change);
    }

    fn add_range(&mut self, address: u64, count: u64, needed: Needed, is_wait: bool) -> usize {
        let event = self.recorder.events.len();
        let requests = Requests::range(0, 0);
        self.recorder.push(self.line, Call::Wait { requests, needed });
        self.ranges.push(Range { event, bytes: self.bytes(address, count), needed, is_wait });
        self.ranges.len() - 1
    }

    /// Waits, tests, and other calls on requests; returns whether the call is one.
    fn completion(&mut self, name: &str, fields: &Fields) -> Result<bool, Problem> {
        let counted = || fields.number(2, "count", 0, MAX_REQUESTS as i64).map(|count| count as u64);
        let (count, address) = match name {
            "MPI_Wait" | "MPI_Test" | "MPI_Start" | "MPI_Request_free" | "MPI_Cancel" => {
                (1, fields.address(2)?)
            }
            "MPI_Waitall" | "MPI_Waitany" | "MPI_Waitsome" | "MPI_Testall" | "MPI_Testany"
            | "MPI_Testsome" | "MPI_Startall" => (counted()?, fields.address(3)?),
            _ => return Ok(false),
        };
        match name {
            "MPI_Wait" | "MPI_Waitall" => {
                self.add_range(address, count, Needed::All, true);
                self.end(address, count);
            }
            // The trace does not show which requests have ended.
            "MPI_Waitany" | "MPI_Waitsome" => {
                let needed = if name == "MPI_Waitany" { Needed::Any } else { Needed::Some };
                self.add_range(address, count, needed, true);
                self.for_each(self.bytes(address, count), |request| request.may_have_ended = true);
            }
            "MPI_Start" | "MPI_Startall" => self.start(address, count)?,
            "MPI_Request_free" => self.free_request(address),
            "MPI_Cancel" => self.cancel(address),
            _ => self.test(address, count, name),
        }
        Ok(true)
    }

    /// A test, which is excluded unless it turns out to have succeeded.
    fn test(&mut self, address: u64, count: u64, name: &str) {
        let needed = if matches!(name, "MPI_Test" | "MPI_Testall") { Needed::All } else { Needed::Some };
        let test = self.add_range(address, count, needed, false);
        self.for_each(self.bytes(address, count), |request| {
            if request.is_active {
                request.test = Some(test);
                request.may_have_ended |= needed != Needed::All;
            }
        });
    }

    fn start(&mut self, address: u64, count: u64) -> Result<(), Problem> {
        for place in 0..count {
            let address = address.saturating_add(place.saturating_mul(self.request_bytes));
            self.end_before(address);
            let Some(request) = self.requests.get_mut(&address).filter(|request| request.is_persistent)
            else {
                let expected = "MPI_Send_init or MPI_Recv_init first";
                return Err(problem("the start of a request that is not persistent", expected));
            };
            *request = Request { id: request.id, is_active: true, is_persistent: true, ..Request::default() };
            let requests = Requests::one(request.id);
            self.recorder.push(self.line, Call::Start { requests });
        }
        Ok(())
    }

    fn free_request(&mut self, address: u64) {
        let Some(request) = self.requests.get_mut(&address) else { return };
        if request.is_persistent && !request.is_active {
            request.is_persistent = false;
            self.recorder.push(self.line, Call::Free { request: request.id });
        } else {
            (request.is_freed, request.test) = (true, None);
        }
    }

    fn cancel(&mut self, address: u64) {
        let Some(request) = self.requests.get_mut(&address) else { return };
        if !request.is_active || request.may_have_ended {
            return;
        }
        let (id, test) = (request.id, request.test);
        self.recorder.push(self.line, Call::Cancel { request: id });
        // The request had not ended, so that no test for it and others has succeeded.
        if let Some(bytes) = test.map(|test| self.ranges[test].bytes.clone()) {
            self.for_each(bytes, |request| request.test = request.test.filter(|own| Some(*own) != test));
        }
    }
}

/// The field with the operation of a reduction.
fn operation(name: &str) -> Option<usize> {
    let (_, fields) = CALLS.iter().find(|(known, _)| *known == name)?;
    fields.split(':').position(|field| field == "operation").map(|index| index + 1)
}

/// A collective of a rank in a communicator of `size` ranks. Fields that matter only at the root are garbage
/// elsewhere, and the root may leave its own data in place.
fn collective(name: &str, fields: &Fields, rank: u32, size: u32) -> Result<Collective, Problem> {
    let root = |index: usize| {
        let root = fields.number(index, "root", 0, i64::from(size) - 1)? as u32;
        Ok((root, root == rank))
    };
    let own =
        |count: usize, datatype: usize| fields.bytes(count, datatype).map(|bytes| Lengths::new([bytes]));
    Ok(match name {
        "MPI_Barrier" => Collective::Barrier,
        "MPI_Bcast" => Collective::Broadcast { root: root(5)?.0, bytes: fields.bytes(3, 4)? },
        "MPI_Allreduce" => Collective::Allreduce { bytes: fields.data_bytes(4, 5)? },
        "MPI_Reduce" => Collective::Reduce { root: root(7)?.0, bytes: fields.bytes(4, 5)? },
        "MPI_Scan" => Collective::Scan { bytes: fields.bytes(4, 5)? },
        "MPI_Exscan" => Collective::Exscan { bytes: fields.bytes(4, 5)? },
        "MPI_Reduce_scatter" => Collective::ReduceScatter { lengths: fields.lengths(5, 6)? },
        "MPI_Allgather" => Collective::Allgather { bytes: fields.bytes(6, 7)? },
        "MPI_Alltoall" => Collective::Alltoall { bytes: fields.bytes(6, 7)? },
        "MPI_Gather" => {
            let (root, is_root) = root(8)?;
            Collective::Gather {
                root,
                bytes: if is_root { fields.bytes(6, 7)? } else { fields.bytes(3, 4)? },
            }
        }
        "MPI_Scatter" => {
            let (root, is_root) = root(8)?;
            Collective::Scatter {
                root,
                bytes: if is_root { fields.bytes(3, 4)? } else { fields.bytes(6, 7)? },
            }
        }
        "MPI_Allgatherv" => Collective::Allgatherv { lengths: fields.lengths(7, 10)? },
        "MPI_Gatherv" => {
            let (root, is_root) = root(11)?;
            let lengths = if is_root { fields.lengths(7, 10)? } else { own(3, 4)? };
            Collective::Gatherv { root, lengths }
        }
        "MPI_Scatterv" => {
            let (root, is_root) = root(11)?;
            let lengths = if is_root { fields.lengths(4, 7)? } else { own(9, 10)? };
            Collective::Scatterv { root, lengths }
        }
        "MPI_Alltoallv" => {
            Collective::Alltoallv { sent: fields.lengths(4, 7)?, received: fields.lengths(10, 13)? }
        }
        name => unreachable!("{name} is no collective"),
    })
}

fn not_replayed(name: &str) -> Problem {
    if name == "MPI_Get" || ONE_SIDED_CALLS.iter().any(|one_sided| name.starts_with(one_sided)) {
        return problem(
            format!("`{}` is one-sided communication, which is not simulated", shown(name)),
            "a program of messages and collectives",
        );
    }
    let why = match name {
        "MPI_Cart_sub" => ": the trace does not have the dimensions that remain",
        "MPI_Alltoallw" => ": the trace does not have the datatypes",
        _ => "",
    };
    problem(
        format!("`{}` is not a call that can be replayed{why}", shown(name)),
        "sends, receives, waits, probes, collectives, new communicators, and calls that only query the library are",
    )
}
