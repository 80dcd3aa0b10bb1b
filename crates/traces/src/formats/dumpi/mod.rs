//! Reader of DUMPI's binary traces (SST-DUMPI, `docs/traceformat.dox`): files `NAME-0000.bin`, `NAME-0001.bin` and
//! so on, one for each rank, next to `NAME.meta`. All numbers are big-endian.
//!
//! ```text
//!   magic | body: calls in order of time | header | footer: counts of calls | ... | index: the places of these
//! ```

mod record;

use super::Format;
use crate::error::TraceError;
use crate::error::{Place, Problem, problem};
use crate::files::{content, numbered_files};
use crate::join::join;
use crate::rank::Part;
use crate::receives::{Envelope, message_from};
use crate::recorder::{Creation, Freed, Recorder, begin, data_length, length, send_to};
use crate::requests::RequestNumbers;
use mpi::{Call, Collective, Lengths, Mode, Transfer};
use record::{Bytes, CALLS, END_OF_STREAM, FUNCTION_ENTER, FUNCTION_EXIT, Fields};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = [0xff, 0xaa, 0xdd, b'D', b'U', b'M', b'P', b'I'];
const FOOTER_MAGIC: u64 = 0xf007_fee7;

/// The oldest version whose records are read: in earlier ones some have other fields (SST-DUMPI, `dumpiio.c`).
const OLDEST: [u8; 3] = [0, 6, 9];

/// Bits of the mask of a record.
const STATUSES: u8 = 0b11;
const CPU_TIME: u8 = 1 << 2;
const WALL_TIME: u8 = 1 << 3;
const THREAD: u8 = 1 << 6;
const PERFORMANCE: u8 = 1 << 7;

const ANY: i64 = -1;
const NULL: u64 = 1;
const WORLD: u64 = 2;
const SELF: u64 = 3;

/// The first datatype that the program has created.
const FIRST_OWN_DATATYPE: usize = 28;

const PS_PER_NANOSECOND: u128 = 1000;

pub const FORMAT: Format =
    Format { is_file, read, parse: Some(|files| parse(files.into_iter().map(Ok))), place: Place::Byte };

fn is_file(name: &str, beginning: &[u8]) -> bool {
    beginning.starts_with(&MAGIC) || name.ends_with(".meta") && beginning.starts_with(b"hostname=")
}

/// Reads the files of all ranks.
fn read(path: &Path) -> Result<Vec<Part>, TraceError> {
    let files = match path.extension().is_some_and(|extension| extension == "meta") {
        // The file of rank 0 has at least four digits, zeros first.
        true => {
            let stem = path.with_extension("");
            let mut first = stem.clone().into_os_string();
            first.push("-0000.bin");
            let first = PathBuf::from(first);
            let folder_or_stem =
                if first.is_file() { first } else { stem.parent().unwrap_or(&stem).to_path_buf() };
            numbered_files(&folder_or_stem, ".bin", "files NAME-0000.bin, NAME-0001.bin and so on")?
        }
        false => numbered_files(path, ".bin", "files NAME-0000.bin, NAME-0001.bin and so on")?,
    };
    parse(files.into_iter().map(|file| content(&file).map(|bytes| (file, bytes))))
}

/// Reads the content of a file for each rank; the paths are for messages.
fn parse(
    files: impl ExactSizeIterator<Item = Result<(PathBuf, Vec<u8>), TraceError>>,
) -> Result<Vec<Part>, TraceError> {
    let size = files.len() as u32;
    let read = |(rank, file): (u32, Result<(PathBuf, Vec<u8>), TraceError>)| {
        let (file, bytes) = file?;
        Reader::read(file, &bytes, (rank, size))
    };
    join((0..).zip(files).map(read).collect::<Result<_, _>>()?, Place::Byte)
}

/// The places of the parts of a file.
struct Index {
    sizes: usize,
    header: usize,
    body: usize,
    footer: usize,
}

impl Index {
    /// The index is at the end of the file. It begins with the magic, and has had four to seven places.
    fn read(all: &[u8]) -> Result<Self, Problem> {
        if !all.starts_with(&MAGIC) {
            return Err(problem("the file does not begin with DUMPI's magic", "a binary file of DUMPI"));
        }
        let begin = all.len().checked_sub(64).filter(|&begin| all[begin..].starts_with(&MAGIC));
        let begin = begin.ok_or_else(|| {
            problem(
                "the index at the end of the file is missing",
                "a complete file; this one may be truncated",
            )
        })?;
        let place = |number: usize| {
            let at = begin + 8 * number;
            let place = u64::from_be_bytes(all[at..at + 8].try_into().expect("eight bytes"));
            let place = usize::try_from(place).ok().filter(|&place| place < begin);
            place.ok_or_else(|| problem("the index names a place behind itself", "a complete file"))
        };
        Ok(Index { sizes: place(1)?, header: place(4)?, body: place(5)?, footer: place(6)? })
    }
}

/// A group of ranks of the communicator with this handle: all of them, or a list.
#[derive(Clone)]
struct Group {
    of: u32,
    ranks: Option<Vec<u32>>,
}

/// Reads the file of one rank.
struct Reader {
    rank: u32,
    recorder: Recorder,
    requests: RequestNumbers,
    /// Bytes of each datatype, by number.
    sizes: Vec<i64>,
    groups: HashMap<i64, Group>,
    /// The number of ranks of groups, by handle, if the program has asked for it.
    group_sizes: HashMap<u32, u32>,
    /// The dimensions of communicators with a Cartesian topology, by handle.
    dimensions: HashMap<u32, Vec<u32>>,
    times: Clock,
    place: u64,
}

/// Times in a file: seconds since its beginning, of 16 bits, and nanoseconds.
#[derive(Default)]
struct Clock {
    last: u16,
    wraps: u32,
}

impl Clock {
    /// The time in picoseconds.
    fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<u128, Problem> {
        let (seconds, nanoseconds) = (bytes.u16()?, bytes.u32()?);
        self.wraps += u32::from(self.last.saturating_sub(seconds) > 1 << 15);
        self.last = seconds;
        let seconds = u128::from(self.wraps) << 16 | u128::from(seconds);
        Ok((seconds * 1_000_000_000 + u128::from(nanoseconds)) * PS_PER_NANOSECOND)
    }
}

impl Reader {
    fn read(file: PathBuf, all: &[u8], (rank, size): (u32, u32)) -> Result<Recorder, TraceError> {
        let recorder = Recorder::new(file.clone(), WORLD, None);
        let mut reader = Reader {
            rank,
            recorder,
            requests: RequestNumbers::default(),
            sizes: Vec::new(),
            groups: HashMap::new(),
            group_sizes: HashMap::from([(0, size)]),
            dimensions: HashMap::new(),
            times: Clock::default(),
            place: 0,
        };
        match reader.read_all(all) {
            Ok(()) => Ok(reader.recorder),
            Err(problem) => Err(problem.at(&file, Some(Place::Byte(reader.place)))),
        }
    }

    fn read_all(&mut self, all: &[u8]) -> Result<(), Problem> {
        self.place = all.len() as u64;
        let index = Index::read(all)?;
        self.place = index.header as u64;
        check_version(Bytes { all, at: index.header })?;
        self.place = index.footer as u64;
        if (Bytes { all, at: index.footer }).u64()? != FOOTER_MAGIC {
            return Err(problem("the footer does not begin with its magic", "a complete file"));
        }
        if index.sizes > 0 {
            self.place = index.sizes as u64;
            let mut bytes = Bytes { all, at: index.sizes };
            let count = bytes.u32()?;
            let sizes = bytes.take((count as usize).saturating_mul(4))?.chunks_exact(4);
            self.sizes =
                sizes.map(|size| i32::from_be_bytes(size.try_into().expect("four bytes")).into()).collect();
        }
        let mut bytes = Bytes { all, at: index.body };
        self.place = index.body as u64;
        bytes.take(8)?;
        let mut counts = vec![0u32; CALLS.len()];
        loop {
            self.place = bytes.at as u64;
            let code = bytes.u16()?;
            if code == END_OF_STREAM {
                break;
            }
            self.take(code, &mut bytes)?;
            if let Some(count) = counts.get_mut(usize::from(code)) {
                *count += 1;
            }
        }
        if !self.recorder.has_ended() {
            return Err(problem("the calls end before MPI_Finalize", "a complete trace"));
        }
        check_counts(Bytes { all, at: index.footer + 8 }, &counts)
    }

    /// Reads a record.
    fn take(&mut self, code: u16, bytes: &mut Bytes<'_>) -> Result<(), Problem> {
        let (name, layout) = match code {
            FUNCTION_ENTER | FUNCTION_EXIT => ("function", "q"),
            code => *CALLS.get(usize::from(code)).ok_or_else(|| {
                problem(format!("a call with the number {code}"), format!("numbers below {}", CALLS.len()))
            })?,
        };
        if layout == "!" {
            return Err(not_replayed(name));
        }
        let mask = bytes.u8()?;
        if mask & THREAD != 0 {
            bytes.u16()?;
        }
        let mut span = (0, 0);
        if mask & CPU_TIME != 0 {
            // The fields are not used: computation takes the time that passes.
            bytes.take(12)?;
        }
        if mask & WALL_TIME != 0 {
            span = (self.times.read(bytes)?, self.times.read(bytes)?);
        }
        if mask & PERFORMANCE != 0 {
            let counters = usize::from(bytes.u8()?);
            bytes.take(16 * counters)?;
        }
        let fields = Fields::read(bytes, layout, mask & STATUSES != 0)?;
        match name {
            "function" => {}
            "MPI_Init" | "MPI_Init_thread" if !self.recorder.has_begun() => self.recorder.begin(span.1),
            "MPI_Init" | "MPI_Init_thread" => {
                return Err(problem("a second MPI_Init", "MPI_Init comes first, once"));
            }
            name if self.recorder.is_outside(name) => {}
            "MPI_Finalize" => self.recorder.end(span.0)?,
            name => {
                self.recorder.span(span.0, span.1)?;
                self.call(name, &fields)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, full_name: &'static str, fields: &Fields<'_>) -> Result<(), Problem> {
        let name = full_name.trim_start_matches("MPI_");
        let is_taken = self.point_to_point(name, fields)?
            || self.completion(name, fields)
            || self.collective(name, fields)?
            || self.communicator(name, fields)?;
        if is_taken {
            self.recorder.count(full_name);
        } else {
            self.group(name, fields)?;
            self.recorder.local();
        }
        Ok(())
    }

    /// Sends, receives and probes; returns whether the call is one.
    fn point_to_point(&mut self, name: &str, fields: &Fields<'_>) -> Result<bool, Problem> {
        let place = self.place;
        let mode = match name {
            "Ssend" | "Issend" | "Ssend_init" => Mode::Synchronous,
            "Bsend" | "Ibsend" | "Bsend_init" => Mode::Buffered,
            // Whether a receive has been posted depends on the network, so that ready mode is not enforced.
            _ => Mode::Standard,
        };
        match name {
            "Send" | "Bsend" | "Ssend" | "Rsend" | "Isend" | "Ibsend" | "Issend" | "Irsend" | "Send_init"
            | "Bsend_init" | "Ssend_init" | "Rsend_init" => {
                let send = self.send(fields, mode)?.map(Transfer::Send);
                self.transfer(name, send, fields.number(5) as u64);
            }
            "Recv" | "Irecv" | "Recv_init" => {
                let receive = self.receive([0, 1, 2, 3, 4].map(|index| fields.number(index)))?;
                self.transfer(name, receive.map(Transfer::Receive), fields.number(5) as u64);
            }
            "Sendrecv" | "Sendrecv_replace" => {
                let is_whole = name == "Sendrecv";
                let received = if is_whole { [4, 5, 6, 7, 8] } else { [0, 1, 4, 5, 6] };
                let received = received.map(|index| fields.number(index));
                let sent = [0, 1, 2, 3].map(|index| fields.number(index));
                let send = self.send_of(sent, received[4], mode)?;
                let receive = self.receive(received)?;
                match (send, receive) {
                    (Some(send), Some(receive)) => {
                        self.recorder.push(place, Call::SendReceive { send, receive });
                    }
                    (Some(send), None) => self.recorder.push(place, begin(Transfer::Send(send), None)),
                    (None, Some(receive)) => {
                        self.recorder.push(place, begin(Transfer::Receive(receive), None))
                    }
                    (None, None) => {}
                }
            }
            "Probe" | "Iprobe" => {
                // A probe that has found nothing has no consequence.
                if name == "Probe" || fields.number(3) != 0 {
                    let envelope = self.envelope([0, 1, 2].map(|index| fields.number(index)))?;
                    if let Some((communicator, source, tag)) = envelope {
                        let message = message_from(communicator, source, tag);
                        self.recorder.push(place, Call::Find { message, takes: false, blocks: true });
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn transfer(&mut self, name: &str, transfer: Option<Transfer>, request: u64) {
        // A message to or from the null process is complete at once.
        let Some(transfer) = transfer else { return };
        let place = self.place;
        if name.ends_with("_init") {
            let request = self.requests.prepare(request);
            self.recorder.push(place, Call::Prepare { transfer, request });
        } else if name.starts_with('I') {
            let request = self.requests.begin(&mut self.recorder, place, request);
            self.recorder.push(place, begin(transfer, Some(request)));
        } else {
            self.recorder.push(place, begin(transfer, None));
        }
    }

    fn send(&mut self, fields: &Fields<'_>, mode: Mode) -> Result<Option<mpi::SendTo>, Problem> {
        self.send_of([0, 1, 2, 3].map(|index| fields.number(index)), fields.number(4), mode)
    }

    /// A send of a count, datatype, target and tag; none to the null process.
    fn send_of(
        &mut self,
        [count, datatype, target, tag]: [i64; 4],
        communicator: i64,
        mode: Mode,
    ) -> Result<Option<mpi::SendTo>, Problem> {
        let bytes = self.bytes(count, datatype)?;
        if target < 0 {
            return Ok(None);
        }
        let tag = u32::try_from(tag).map_err(|_| problem(format!("tag {tag}"), "a tag from 0 on"))?;
        let communicator = self.handle(communicator)?;
        Ok(Some(send_to(communicator, target as u32, tag, bytes, mode)))
    }

    /// A receive of at most a count of a datatype, with source, tag and communicator. None from the null process.
    fn receive(
        &mut self,
        [count, datatype, source, tag, communicator]: [i64; 5],
    ) -> Result<Option<mpi::ReceiveFrom>, Problem> {
        let bytes = self.bytes(count, datatype)?;
        let envelope = self.envelope([source, tag, communicator])?;
        Ok(envelope.map(|envelope| self.recorder.receives.add(self.place, envelope, bytes)))
    }

    /// Communicator, source and tag of a message to receive; none from the null process.
    fn envelope(&mut self, [source, tag, communicator]: [i64; 3]) -> Result<Option<Envelope>, Problem> {
        if source < ANY {
            return Ok(None);
        }
        let communicator = self.handle(communicator)?;
        Ok(Some((communicator, u32::try_from(source).ok(), u32::try_from(tag).ok())))
    }

    /// Waits, successful tests, and other calls on requests; returns whether the call is one.
    fn completion(&mut self, name: &str, fields: &Fields<'_>) -> bool {
        let (place, recorder) = (self.place, &mut self.recorder);
        let requests = &mut self.requests;
        let key = |number: i64| u64::from(number as u32);
        let listed = |index: i64| fields.list(0).nth(usize::try_from(index).unwrap_or(usize::MAX));
        match name {
            "Wait" => requests.wait(recorder, place, std::iter::once(key(fields.number(0)))),
            "Test" if fields.number(1) != 0 => {
                requests.wait(recorder, place, std::iter::once(key(fields.number(0))));
            }
            "Waitall" => requests.wait(recorder, place, fields.list(0).map(key)),
            "Testall" if fields.number(1) != 0 => requests.wait(recorder, place, fields.list(0).map(key)),
            "Waitany" => requests.wait(recorder, place, listed(fields.number(1)).into_iter().map(key)),
            "Testany" if fields.number(2) != 0 => {
                requests.wait(recorder, place, listed(fields.number(1)).into_iter().map(key));
            }
            "Waitsome" | "Testsome" => {
                let ended: Vec<u64> = fields.list(1).filter_map(listed).map(key).collect();
                requests.wait(recorder, place, ended.into_iter());
            }
            // A test that has failed has no consequence.
            "Test" | "Testall" | "Testany" => {}
            "Request_free" => requests.free(recorder, place, key(fields.number(0))),
            "Cancel" => {
                if let Some(request) = requests.active(key(fields.number(0))) {
                    recorder.push(place, Call::Cancel { request });
                }
            }
            _ => return false,
        }
        true
    }

    /// Collectives, and persistent requests that begin; returns whether the call is one of these.
    fn collective(&mut self, name: &str, fields: &Fields<'_>) -> Result<bool, Problem> {
        let place = self.place;
        if name == "Start" || name == "Startall" {
            let single = (name == "Start").then(|| fields.number(0));
            let listed = (name == "Startall").then(|| fields.list(0)).into_iter().flatten();
            for request in single.into_iter().chain(listed) {
                self.requests.start(&mut self.recorder, place, u64::from(request as u32))?;
            }
            return Ok(true);
        }
        let n = |index| fields.number(index);
        let root = |index: usize| root(n(index));
        let (collective, communicator) = match name {
            "Barrier" => (Collective::Barrier, n(0)),
            "Bcast" => (Collective::Broadcast { root: root(2)?, bytes: self.bytes(n(0), n(1))? }, n(3)),
            "Reduce" => (Collective::Reduce { root: root(3)?, bytes: self.bytes(n(0), n(1))? }, n(4)),
            "Allreduce" => (Collective::Allreduce { bytes: self.data_bytes(n(0), n(1))? }, n(3)),
            "Scan" => (Collective::Scan { bytes: self.bytes(n(0), n(1))? }, n(3)),
            "Exscan" => (Collective::Exscan { bytes: self.bytes(n(0), n(1))? }, n(3)),
            // The root may leave its own data in place, and name their length on its side only.
            "Gather" | "Scatter" => {
                let is_root = n(0) == n(3);
                let bytes = if is_root { self.bytes(n(5), n(6))? } else { self.bytes(n(1), n(2))? };
                let root = root(3)?;
                let collective = match name {
                    "Gather" => Collective::Gather { root, bytes },
                    _ => Collective::Scatter { root, bytes },
                };
                (collective, n(4))
            }
            "Gatherv" => {
                let lengths = match fields.has_list(0) {
                    true => self.lengths(fields.list(0), n(6))?,
                    false => Lengths::new([self.bytes(n(2), n(3))?]),
                };
                (Collective::Gatherv { root: root(4)?, lengths }, n(5))
            }
            "Scatterv" => {
                let lengths = match fields.has_list(0) {
                    true => self.lengths(fields.list(0), n(2))?,
                    false => Lengths::new([self.bytes(n(3), n(4))?]),
                };
                (Collective::Scatterv { root: root(5)?, lengths }, n(6))
            }
            "Allgather" => (Collective::Allgather { bytes: self.bytes(n(2), n(3))? }, n(4)),
            "Allgatherv" => (Collective::Allgatherv { lengths: self.lengths(fields.list(0), n(3))? }, n(4)),
            "Alltoall" => (Collective::Alltoall { bytes: self.bytes(n(2), n(3))? }, n(4)),
            "Alltoallv" => {
                let (sent, received) =
                    (self.lengths(fields.list(0), n(1))?, self.lengths(fields.list(2), n(2))?);
                (Collective::Alltoallv { sent, received }, n(3))
            }
            "Alltoallw" => {
                let sent = self.lengths_of(fields.list(0), fields.short_list(2))?;
                let received = self.lengths_of(fields.list(3), fields.short_list(5))?;
                (Collective::Alltoallv { sent, received }, n(1))
            }
            "Reduce_scatter" => {
                (Collective::ReduceScatter { lengths: self.lengths(fields.list(0), n(1))? }, n(3))
            }
            _ => return Ok(false),
        };
        // A collective of one rank is no communication.
        if communicator as u64 != SELF {
            let communicator = self.handle(communicator)?;
            let call = match communicator {
                0 => Call::Collective(collective),
                communicator => {
                    Call::Collect { collective, communicator, request: None, tuning: Box::default() }
                }
            };
            let reduces = ["Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter"].contains(&name);
            self.recorder.reduces_by(reduces.then(|| n(2) as u64));
            self.recorder.push(place, call);
        }
        Ok(true)
    }

    /// New communicators, and the end of old ones; returns whether the call is one.
    fn communicator(&mut self, name: &str, fields: &Fields<'_>) -> Result<bool, Problem> {
        let n = |index| fields.number(index);
        let place = self.place;
        if name == "Comm_free" {
            let handle = self.handle(n(0))?;
            self.recorder.free(place, Freed::Handle(handle));
            return Ok(true);
        }
        let (creation, new) = match name {
            "Comm_dup" => (Creation::Duplicate, n(1)),
            "Comm_split" => {
                let color = (n(3) as u64 != NULL).then_some(n(1));
                (Creation::Split { color, key: n(2) }, n(3))
            }
            "Comm_create" => {
                let group = self.groups.get(&n(1)).cloned();
                let none = || problem("a group of which nothing is known", "one that the rank has made");
                let creation = match (group, n(2) as u64) {
                    (_, NULL) => Creation::Nothing,
                    (group, _) => {
                        let Group { of, ranks } = group.ok_or_else(none)?;
                        Creation::Subset { of, ranks }
                    }
                };
                (creation, n(2))
            }
            "Cart_create" => {
                let dimensions: Vec<u32> =
                    fields.list(0).map(|size| size.clamp(0, u32::MAX.into()) as u32).collect();
                let count = dimensions.iter().fold(1u32, |count, &size| count.saturating_mul(size));
                if n(3) as u64 != NULL {
                    let new = self.new_handle(n(3));
                    self.dimensions.insert(new, dimensions);
                }
                (Creation::First { count }, n(3))
            }
            "Cart_sub" => {
                let old = self.handle(n(1))?;
                let dimensions = self.dimensions.get(&old).cloned().ok_or_else(|| {
                    problem(
                        "MPI_Cart_sub of a communicator without dimensions",
                        "one that MPI_Cart_create has made",
                    )
                })?;
                let remains = fields.list(0).map(|remains| remains != 0).collect();
                return self.create(n(1), Creation::SubGrid { dimensions, remains }, n(2)).map(|()| true);
            }
            _ => return Ok(false),
        };
        self.create(n(0), creation, new)?;
        Ok(true)
    }

    fn create(&mut self, old: i64, creation: Creation, new: i64) -> Result<(), Problem> {
        let old = self.handle(old)?;
        let new = if new as u64 == NULL { None } else { Some(self.new_handle(new)) };
        self.recorder.create(self.place, old, creation, new);
        Ok(())
    }

    /// Groups of ranks, and sizes, from which communicators may be created.
    fn group(&mut self, name: &str, fields: &Fields<'_>) -> Result<(), Problem> {
        let n = |index| fields.number(index);
        let (group, new) = match name {
            "Comm_size" => {
                let handle = self.new_handle(n(0));
                self.group_sizes.insert(handle, n(1) as u32);
                return Ok(());
            }
            "Comm_group" => (Some(Group { of: self.new_handle(n(0)), ranks: None }), n(1)),
            "Group_incl" | "Group_excl" => {
                let listed: Vec<i64> = fields.list(0).collect();
                (self.some_of(n(0), &listed, name == "Group_incl"), n(2))
            }
            "Group_range_incl" | "Group_range_excl" => {
                let listed = ranges(&fields.lists(0))?;
                (self.some_of(n(0), &listed, name == "Group_range_incl"), n(2))
            }
            "Group_union" | "Group_intersection" | "Group_difference" => {
                let (one, other) = (self.ranks_of(n(0)), self.ranks_of(n(1)));
                (combined(name, one, other), n(2))
            }
            _ => return Ok(()),
        };
        match group {
            Some(group) => self.groups.insert(new, group),
            None => self.groups.remove(&new),
        };
        Ok(())
    }

    /// The ranks of a group, if they are known.
    fn ranks_of(&self, group: i64) -> Option<(u32, Vec<u32>)> {
        let Group { of, ranks } = self.groups.get(&group)?;
        let all = || self.group_sizes.get(of).map(|&size| (0..size).collect());
        Some((*of, ranks.clone().or_else(all)?))
    }

    fn some_of(&self, group: i64, listed: &[i64], includes: bool) -> Option<Group> {
        let (of, ranks) = self.ranks_of(group)?;
        let ranks = match includes {
            true => listed
                .iter()
                .map(|&rank| ranks.get(usize::try_from(rank).ok()?).copied())
                .collect::<Option<_>>()?,
            false => {
                let kept = (0..).zip(ranks).filter(|(place, _)| !listed.contains(place));
                kept.map(|(_, rank)| rank).collect()
            }
        };
        Some(Group { of, ranks: Some(ranks) })
    }

    /// The number of a communicator.
    fn handle(&mut self, handle: i64) -> Result<u32, Problem> {
        match handle as u64 {
            SELF => Ok(self.recorder.alone(SELF, None, self.rank)),
            0 | NULL => Err(problem("a call on MPI_COMM_NULL", "a communicator")),
            _ => Ok(self.new_handle(handle)),
        }
    }

    fn new_handle(&mut self, handle: i64) -> u32 {
        self.recorder.communicator(handle as u64, None)
    }

    /// Bytes of a datatype.
    fn size(&self, datatype: i64) -> Result<u64, Problem> {
        let datatype = datatype as usize;
        let known = self.sizes.get(datatype).and_then(|&size| u64::try_from(size).ok());
        let of_its_own = || (datatype < FIRST_OWN_DATATYPE).then(|| u64::from(SIZES[datatype]));
        known.or_else(of_its_own).ok_or_else(|| {
            problem(
                format!("datatype {datatype}, whose size the file does not have"),
                "a datatype with a size",
            )
        })
    }

    fn bytes(&self, count: i64, datatype: i64) -> Result<u64, Problem> {
        length(self.data_bytes(count, datatype)?, 1)
    }

    /// Bytes of data that need not be one message.
    fn data_bytes(&self, count: i64, datatype: i64) -> Result<u64, Problem> {
        let count =
            u64::try_from(count).map_err(|_| problem(format!("count {count}"), "a count from 0 on"))?;
        if count == 0 { Ok(0) } else { data_length(count, self.size(datatype)?) }
    }

    fn lengths(&self, counts: impl Iterator<Item = i64>, datatype: i64) -> Result<Lengths, Problem> {
        self.lengths_of(counts, std::iter::repeat(datatype))
    }

    fn lengths_of(
        &self,
        counts: impl Iterator<Item = i64>,
        datatypes: impl Iterator<Item = i64>,
    ) -> Result<Lengths, Problem> {
        let lengths: Result<Vec<u64>, Problem> =
            counts.zip(datatypes).map(|(count, datatype)| self.bytes(count, datatype)).collect();
        Ok(Lengths::new(lengths?))
    }
}

/// Bytes of MPI's predefined datatypes, on a machine of 64 bits, for files without sizes.
const SIZES: [u8; FIRST_OWN_DATATYPE] =
    [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20];

fn root(root: i64) -> Result<u32, Problem> {
    u32::try_from(root).map_err(|_| problem(format!("root {root}"), "a rank"))
}

fn not_replayed(name: &str) -> Problem {
    let what = match name {
        name if name.starts_with("MPI_File_") || name.starts_with("MPIO_") => {
            "input or output, which is not simulated"
        }
        name if name.starts_with("MPI_Win_") || ["MPI_Put", "MPI_Get", "MPI_Accumulate"].contains(&name) => {
            "one-sided communication, which is not simulated"
        }
        _ => "not a call that can be replayed",
    };
    problem(
        format!("`{name}` is {what}"),
        "a program of messages and collectives within one communicator each",
    )
}

fn check_version(mut header: Bytes<'_>) -> Result<(), Problem> {
    let version: [u8; 3] = header.take(3)?.try_into().expect("three bytes");
    if version >= OLDEST {
        return Ok(());
    }
    let [major, minor, patch] = version;
    Err(problem(format!("a file of DUMPI {major}.{minor}.{patch}"), "DUMPI 0.6.9 or later"))
}

/// Whether the number of calls that have been read is that in the footer.
fn check_counts(mut footer: Bytes<'_>, counts: &[u32]) -> Result<(), Problem> {
    for (&(name, _), &count) in CALLS.iter().zip(counts) {
        let expected = footer.u32()?;
        if expected != count {
            return Err(problem(
                format!("{count} calls of {name}"),
                format!("{expected}, as the footer counts"),
            ));
        }
    }
    Ok(())
}

/// The ranks of ranges, each given as a first rank, a last rank and a stride.
fn ranges(triples: &[Vec<i64>]) -> Result<Vec<i64>, Problem> {
    let mut ranks = Vec::new();
    for triple in triples {
        let &[first, last, stride] = &triple[..] else {
            return Err(problem("a range of ranks that is no triple", "first, last and stride"));
        };
        if stride == 0 || (last - first) / stride > i64::from(u16::MAX) {
            return Err(problem(
                format!("a range of ranks from {first} to {last} by {stride}"),
                "a range of ranks",
            ));
        }
        ranks.extend((0..=(last - first) / stride).map(|step| first + step * stride));
    }
    Ok(ranks)
}

fn combined(name: &str, one: Option<(u32, Vec<u32>)>, other: Option<(u32, Vec<u32>)>) -> Option<Group> {
    let ((of, one), (other_of, other)) = (one?, other?);
    if of != other_of {
        return None;
    }
    let is_in_other = |rank: &u32| other.contains(rank);
    let ranks = match name {
        "Group_union" => {
            let added: Vec<u32> = other.iter().copied().filter(|rank| !one.contains(rank)).collect();
            one.into_iter().chain(added).collect()
        }
        "Group_intersection" => one.into_iter().filter(is_in_other).collect(),
        _ => one.into_iter().filter(|rank| !is_in_other(rank)).collect(),
    };
    Some(Group { of, ranks: Some(ranks) })
}
