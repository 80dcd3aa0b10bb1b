//! The calls of a rank as a reader finds them: with times, and with handles where the program has numbers.

use crate::call_counts::CallCounts;
use crate::error::{Problem, problem};
use crate::rank::{Event, MAX_TRACE_PS};
use crate::receives::Receives;
use mpi::{Call, Collective, Layout, MAX_MESSAGE_BYTES, Mode, Needed, Requests, SendTo, Transfer};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// The last id of a communicator. Communicators of a single rank take ids from this end, as ranks agree on the
/// lowest.
const LAST_ID: u32 = (1 << 19) - 1;

/// The numbers of MPI's own operations, from MPI_MAX or MPI_MIN to MPI_REPLACE, in the formats that have any.
const PREDEFINED_OPERATIONS: RangeInclusive<u8> = 1..=13;

/// The way in which the members of a new communicator follow from those of the one from which it is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Creation {
    /// `MPI_Comm_dup`: the same members.
    Duplicate,
    /// `MPI_Comm_split`: the members of the same color, in order of keys; none without a color.
    Split { color: Option<i64>, key: i64 },
    /// `MPI_Comm_create`: these ranks of the communicator with the handle `of`, or all of them. None if this rank
    /// gets no new communicator.
    Subset { of: u32, ranks: Option<Vec<u32>> },
    /// `MPI_Cart_create`: the first ranks, as many as the grid has.
    First { count: u32 },
    /// `MPI_Cart_sub`: ranks in row-major order that agree in the coordinates of the dimensions that do not remain.
    SubGrid { dimensions: Vec<u32>, remains: Vec<bool> },
    /// No communicator for this rank.
    Nothing,
    /// The ranks that use the communicator, by the rank that each claims in it. The trace has no list of them.
    ByUse,
}

/// A communicator that is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freed {
    /// The communicator with this handle.
    Handle(u32),
    /// The communicator that this rank has created at this event.
    Made(usize),
}

/// The records of one rank. Communicators are numbered by their handles: 0 is that of all ranks.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub file: PathBuf,
    pub events: Vec<Event>,
    /// The place of each event in the file.
    pub places: Vec<u64>,
    /// Communicators that are created, by number of the event, with the handle, if the trace names it.
    pub creations: BTreeMap<usize, (Creation, Option<u32>)>,
    /// The operations of reductions, by number of the event, where they are predefined.
    pub operations: BTreeMap<usize, u8>,
    /// The rank in a communicator and its size, as the trace claims them, by number of its handle.
    pub claims: Vec<Option<(u32, u32)>>,
    /// Communicators that are freed, by number of the event.
    pub frees: BTreeMap<usize, Freed>,
    /// Communicators that exist from the start: the handle, the members among all ranks, and the id.
    pub defined: Vec<(u32, Arc<[u32]>, u32)>,
    handles: BTreeMap<(u64, Option<(u32, u32)>), u32>,
    compute_ps: u64,
    /// Time inside calls.
    call_ps: u64,
    begin: Option<u128>,
    last_end: u128,
    has_ended: bool,
    pub receives: Receives,
    pub local_calls: u64,
    pub counts: CallCounts,
}

impl Recorder {
    pub fn new(file: PathBuf, world: u64, claim: Option<(u32, u32)>) -> Self {
        Recorder {
            file,
            events: Vec::new(),
            places: Vec::new(),
            creations: BTreeMap::new(),
            operations: BTreeMap::new(),
            frees: BTreeMap::new(),
            defined: Vec::new(),
            claims: vec![claim],
            handles: BTreeMap::from([((world, claim), 0)]),
            compute_ps: 0,
            call_ps: 0,
            begin: None,
            last_end: 0,
            has_ended: false,
            receives: Receives::default(),
            local_calls: 0,
            counts: CallCounts::new(),
        }
    }

    /// The number of a communicator's handle; `claim` is the rank in it and its size, if each use names them.
    pub fn communicator(&mut self, handle: u64, claim: Option<(u32, u32)>) -> u32 {
        let next = self.claims.len() as u32;
        let number = *self.handles.entry((handle, claim)).or_insert(next);
        if number == next {
            self.claims.push(claim);
        }
        number
    }

    /// The number of the handle of a communicator of this rank alone that exists from the start, as `MPI_COMM_SELF` does.
    pub fn alone(&mut self, handle: u64, claim: Option<(u32, u32)>, rank: u32) -> u32 {
        let number = self.communicator(handle, claim);
        if self.defined.iter().all(|(known, ..)| *known != number) {
            let id = LAST_ID - self.defined.len() as u32;
            self.define(number, Arc::new([rank]), id);
        }
        number
    }

    /// Whether time has begun.
    pub fn has_begun(&self) -> bool {
        self.begin.is_some()
    }

    /// Whether `MPI_Finalize` has been called.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether MPI allows a call of this name before `MPI_Init` and after `MPI_Finalize`, and it is one of these.
    pub fn is_outside(&self, name: &str) -> bool {
        let is_allowed = matches!(name, "MPI_Initialized" | "MPI_Finalized" | "MPI_Get_version");
        is_allowed && (!self.has_begun() || self.has_ended)
    }

    /// Begins time, in picoseconds, with the end of `MPI_Init`: earlier time does not count.
    pub fn begin(&mut self, time: u128) {
        (self.begin, self.last_end) = (Some(time), time);
        (self.compute_ps, self.call_ps) = (0, 0);
    }

    /// Ends time with the beginning of `MPI_Finalize`. All of it has been computation or calls.
    pub fn end(&mut self, time: u128) -> Result<(), Problem> {
        self.span(time, time)?;
        self.has_ended = true;
        Ok(())
    }

    /// A call from `start` to `end`; the time since the end of the previous call is computation.
    pub fn span(&mut self, start: u128, end: u128) -> Result<(), Problem> {
        if end < start {
            return Err(problem("the call ends before it starts", "an end that is not before the start"));
        }
        self.compute_ps += self.pass(start, "the call starts before the previous call ends")?;
        self.call_ps += self.pass(end, "the call ends before it starts")?;
        Ok(())
    }

    /// Lets time pass inside a call.
    pub fn skip(&mut self, time: u128) -> Result<(), Problem> {
        self.call_ps += self.pass(time, "a record before the one before it")?;
        Ok(())
    }

    /// Lets time pass; returns how much. Going backwards is a problem.
    fn pass(&mut self, time: u128, backwards: &str) -> Result<u64, Problem> {
        if self.has_ended {
            return Err(problem("a call after MPI_Finalize", "MPI_Finalize comes last, once"));
        }
        let begin = self.begin.ok_or_else(|| problem("a call before MPI_Init", "MPI_Init comes first"))?;
        let passed = time.checked_sub(self.last_end);
        let passed = passed.ok_or_else(|| problem(backwards, "calls in order of time"))?;
        if time - begin > MAX_TRACE_PS.into() {
            return Err(problem("the call ends more than 53 days after MPI_Init", "a shorter trace"));
        }
        self.last_end = time;
        Ok(passed as u64)
    }

    /// Whether no call has been read.
    pub fn is_before_first_call(&self) -> bool {
        self.events.is_empty()
    }

    /// Defines a communicator that exists from the start.
    pub fn define(&mut self, handle: u32, members: Arc<[u32]>, id: u32) {
        self.defined.push((handle, members, id));
    }

    /// Counts a call of which nothing is replayed.
    pub fn local(&mut self) {
        self.local_calls += 1;
    }

    /// Counts a call, which becomes any number of events.
    pub fn count(&mut self, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
    }

    /// Sets the operation by which the next call reduces, as the trace numbers it. Others than predefined ones are
    /// known only to their rank.
    pub fn reduces_by(&mut self, operation: Option<u64>) {
        let predefined = operation.and_then(|number| u8::try_from(number).ok());
        if let Some(number) = predefined.filter(|number| PREDEFINED_OPERATIONS.contains(number)) {
            self.operations.insert(self.events.len(), number);
        }
    }

    /// Records a call to replay, which is at `place` in the file.
    pub fn push(&mut self, place: u64, call: Call) {
        self.events.push(Event { compute_ps: std::mem::take(&mut self.compute_ps), call });
        self.places.push(place);
    }

    /// A new communicator.
    pub fn create(&mut self, place: u64, communicator: u32, creation: Creation, handle: Option<u32>) {
        if matches!(creation, Creation::Split { .. }) {
            // Colors and keys are exchanged first.
            let collective = Collective::Allgather { bytes: 8 };
            self.push(
                place,
                Call::Collect { collective, communicator, request: None, tuning: Box::default() },
            );
        }
        self.creations.insert(self.events.len(), (creation, handle));
        self.push(place, Call::Create { communicator, members: None, new: 0, order: 0 });
    }

    /// The end of a communicator.
    pub fn free(&mut self, place: u64, freed: Freed) {
        self.frees.insert(self.events.len(), freed);
        self.push(place, Call::FreeCommunicator { communicator: 0 });
    }

    /// Computation since the last event.
    pub fn last_compute_ps(&self) -> u64 {
        self.compute_ps
    }

    /// Time inside calls.
    pub fn call_ps(&self) -> u64 {
        self.call_ps
    }
}

/// A send of `bytes` bytes.
pub(crate) fn send_to(communicator: u32, target: u32, tag: u32, bytes: u64, mode: Mode) -> SendTo {
    SendTo { communicator, target, tag, bytes, mode, layout: Layout::Contiguous }
}

/// A send or receive that blocks, or has a request, in the shortest form.
pub(crate) fn begin(transfer: Transfer, request: Option<u32>) -> Call {
    let world = mpi::WORLD;
    match (transfer, request) {
        (Transfer::Send(SendTo { communicator, target, tag, bytes, mode: Mode::Standard, .. }), None)
            if communicator == world =>
        {
            Call::Send { target, tag, bytes }
        }
        _ => Call::Begin { transfer, request },
    }
}

/// A wait for one request.
pub(crate) fn wait(request: u32) -> Call {
    Call::Wait { requests: Requests::one(request), needed: Needed::All }
}

/// The length of data that are a product, and cut into messages.
pub(crate) fn data_length(count: u64, size: u64) -> Result<u64, Problem> {
    let bytes = count.checked_mul(size);
    bytes.ok_or_else(|| problem(format!("data of {count} times {size} bytes"), "a length below 2^64"))
}

/// The length of a message that is a product.
pub(crate) fn length(count: u64, size: u64) -> Result<u64, Problem> {
    let bytes = u128::from(count) * u128::from(size);
    if bytes > u128::from(MAX_MESSAGE_BYTES) {
        return Err(problem(
            format!("a message of {bytes} bytes"),
            format!("at most {MAX_MESSAGE_BYTES} bytes"),
        ));
    }
    Ok(bytes as u64)
}
