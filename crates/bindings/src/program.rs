//! Programs in Python: the ranks of a run outside the simulator.
//!
//! ```text
//!   exchange --begin--> for each wake-up:  process.resume(outcome)  runs a rank up to its next call, in Python
//!            <-collect-                <-- the call: a tuple of integers, and in `lists` those that it names
//! ```
//!
//! A field that does not apply is -1. Lengths of blocks and members of communicators, which ranks may share, are
//! objects.
//!
//! # To add a call
//!
//! 1. Its row of `CALLS` here, with the fields that it names.
//! 2. Its constant in `python/torusim/programs/records.py`. Both lists are compared when the package is
//!    imported.
//! 3. A method of the layer of `Comm` to which it belongs: `point_to_point.py`, `collective_calls.py`
//!    (objects), `buffer_calls.py` (arrays), `neighbors.py` or `communicator.py`. A collective's result is a
//!    function in `collectives.py`.
//! 4. Its use in a test: a collective in `OBJECTS` or `BUFFER_CALLS` of `tests/program_support.py`, any other
//!    call in `tests/test_program_messages.py`.
//! 5. A row in `docs/programs.md`.

use crate::input_error;
use crate::scenario::Scenario;
use mpi::{
    Answer, Call, Checker, Collective, Ended, Layout, Mode, Needed, OutsideRanks, ReceiveFrom, Requests,
    SendTo, Status, Stop, Transfer, TypedExchange, WakeUp,
};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyListMethods, PyTuple};
use std::sync::{Arc, Mutex, PoisonError};

/// The outcome of a rank's last call. Its fields become objects when the program reads them, which few calls do.
#[pyclass(frozen, get_all, module = "torusim._core")]
pub struct Outcome {
    flag: i64,
    source: i64,
    tag: i64,
    bytes: i64,
    sequence: i64,
    handle: i64,
    id: i64,
}

#[pymethods]
impl Outcome {
    /// The outcome with these fields.
    #[new]
    fn new(flag: i64, source: i64, tag: i64, bytes: i64, sequence: i64, handle: i64, id: i64) -> Self {
        Outcome { flag, source, tag, bytes, sequence, handle, id }
    }
}

impl Outcome {
    fn of(outcome: &mpi::Outcome) -> Self {
        let [source, tag, bytes, sequence] = status_fields(outcome.received);
        let optional = |value: Option<u32>| value.map_or(-1, i64::from);
        let (handle, id) = (optional(outcome.handle), optional(outcome.member.map(|member| member.id)));
        Outcome { flag: outcome.flag.into(), source, tag, bytes, sequence, handle, id }
    }
}

/// A call of an answer: its place in [`CALLS`], and its arguments.
pub struct Record {
    name: &'static str,
    /// The integers after the place. A `request` is -1 if the call blocks. `source` and `tag` are -1 for any, and
    /// `blocks` is below 2 for data in one piece. `count` requests have numbers from `first`; if it is negative, as
    /// many have numbers in ascending order, of which `first` is one and the others follow.
    arguments: &'static [&'static str],
    /// The call, made of its arguments in their order, and of its lists, the next ones of the answer. None ends the
    /// rank.
    call: fn(&mut Arguments<'_, '_>) -> PyResult<Option<Call>>,
}

macro_rules! records {
    ($($name:literal [$($argument:literal)*] $call:expr;)*) => {
        &[$(Record { name: $name, arguments: &[$($argument),*], call: $call }),*]
    };
}

/// All calls.
pub const CALLS: &[Record] = records! {
    "finish" [] |_| Ok(None);
    "send" ["communicator" "target" "tag" "bytes" "mode" "blocks" "request"]
        |of| of.begin(|of| Transfer::Send(of.send()));
    "recv" ["communicator" "source" "tag" "blocks" "request"]
        |of| of.begin(|of| Transfer::Receive(of.receive()));
    "sendrecv" ["communicator" "target" "sendtag" "bytes" "mode" "sendblocks"
            "communicator" "source" "recvtag" "recvblocks"]
        |of| some(Call::SendReceive { send: of.send(), receive: of.receive() });
    "send_init" ["communicator" "target" "tag" "bytes" "mode" "blocks" "request"]
        |of| some(Call::Prepare { transfer: Transfer::Send(of.send()), request: of.number() });
    "recv_init" ["communicator" "source" "tag" "blocks" "request"]
        |of| some(Call::Prepare { transfer: Transfer::Receive(of.receive()), request: of.number() });
    "start" ["first" "count"] |of| some(Call::Start { requests: of.requests() });
    "free" ["request"] |of| some(Call::Free { request: of.number() });
    "cancel" ["request"] |of| some(Call::Cancel { request: of.number() });
    "waitall" ["first" "count"] |of| some(Call::Wait { requests: of.requests(), needed: Needed::All });
    "waitany" ["first" "count"] |of| some(Call::Wait { requests: of.requests(), needed: Needed::Any });
    "waitsome" ["first" "count"] |of| some(Call::Wait { requests: of.requests(), needed: Needed::Some });
    "test" ["first" "count"] |of| some(Call::Test { requests: of.requests() });
    "testany" ["first" "count"] |of| some(Call::TestAny { requests: of.requests() });
    "testsome" ["first" "count"] |of| some(Call::TestSome { requests: of.requests() });
    "probe" ["communicator" "source" "tag" "takes" "blocks"]
        |of| some(Call::Find { message: of.message(), takes: of.flag(), blocks: of.flag() });
    "mrecv" ["handle"] |of| some(Call::MatchedReceive { handle: of.number() });
    "imrecv" ["handle" "request"]
        |of| some(Call::MatchedReceiveNonBlocking { handle: of.number(), request: of.number() });
    "barrier" ["communicator" "request"] |of| of.collect(|_| Ok(Collective::Barrier));
    "bcast" ["communicator" "request" "root" "bytes"]
        |of| of.collect(|of| Ok(Collective::Broadcast { root: of.number(), bytes: of.bytes() }));
    "allreduce" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::Allreduce { bytes: of.bytes() }));
    "reduce" ["communicator" "request" "root" "bytes"]
        |of| of.collect(|of| Ok(Collective::Reduce { root: of.number(), bytes: of.bytes() }));
    "scan" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::Scan { bytes: of.bytes() }));
    "exscan" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::Exscan { bytes: of.bytes() }));
    "reduce_scatter_block" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::ReduceScatterBlock { bytes: of.bytes() }));
    "reduce_scatter" ["communicator" "request"]
        |of| of.collect(|of| Ok(Collective::ReduceScatter { lengths: of.lengths()? }));
    "gather" ["communicator" "request" "root" "bytes"]
        |of| of.collect(|of| Ok(Collective::Gather { root: of.number(), bytes: of.bytes() }));
    "gatherv" ["communicator" "request" "root"]
        |of| of.collect(|of| Ok(Collective::Gatherv { root: of.number(), lengths: of.lengths()? }));
    "scatter" ["communicator" "request" "root" "bytes"]
        |of| of.collect(|of| Ok(Collective::Scatter { root: of.number(), bytes: of.bytes() }));
    "scatterv" ["communicator" "request" "root"]
        |of| of.collect(|of| Ok(Collective::Scatterv { root: of.number(), lengths: of.lengths()? }));
    "allgather" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::Allgather { bytes: of.bytes() }));
    "allgatherv" ["communicator" "request"]
        |of| of.collect(|of| Ok(Collective::Allgatherv { lengths: of.lengths()? }));
    "alltoall" ["communicator" "request" "bytes"]
        |of| of.collect(|of| Ok(Collective::Alltoall { bytes: of.bytes() }));
    "alltoallv" ["communicator" "request"]
        |of| of.collect(|of| Ok(Collective::Alltoallv { sent: of.lengths()?, received: of.lengths()? }));
    "alltoallw" ["communicator" "request"] |of| of.collect(|of| Ok(Collective::Alltoallw(of.exchange()?)));
    "create" ["communicator" "is_member" "new" "order"] |of| of.create();
    "define" ["new" "id"] |of| of.define();
    "free_communicator" ["communicator"]
        |of| some(Call::FreeCommunicator { communicator: of.number() });
    "abort" ["code"] |of| some(Call::Abort { code: of.integer() as i32 });
};

/// The modes of a send, by their numbers.
const MODES: [Mode; 4] = [Mode::Standard, Mode::Synchronous, Mode::Buffered, Mode::Ready];

type Names = Vec<&'static str>;

/// The lengths in bytes of the blocks of a collective.
#[pyclass(frozen, module = "torusim._core")]
pub struct Lengths(mpi::Lengths);

#[pymethods]
impl Lengths {
    /// The lengths, one for each rank.
    #[new]
    fn new(lengths: Vec<u64>) -> Self {
        Lengths(mpi::Lengths::new(lengths))
    }

    /// The lengths.
    fn to_list(&self) -> Vec<u64> {
        (0..self.0.len()).map(|rank| self.0.of(rank)).collect()
    }

    /// The sum of the lengths.
    #[getter]
    fn total_bytes(&self) -> u64 {
        (0..self.0.len()).fold(0, |total, rank| total.saturating_add(self.0.of(rank)))
    }
}

/// The places of the ranks of a program, and the algorithms of their collectives.
#[pyclass(frozen, module = "torusim._core")]
pub struct PlacedRanks(simulation::PlacedRanks);

#[pymethods]
impl PlacedRanks {
    /// Reads the scenario of a program.
    #[new]
    fn new(scenario: &Scenario) -> PyResult<Self> {
        scenario.0.placed_ranks().map(PlacedRanks).map_err(input_error)
    }

    /// The coordinates of the node of a rank, and its core.
    fn place(&self, rank: u32) -> (Vec<u32>, u32) {
        self.0.place(rank)
    }

    /// Checks a call that a rank makes on a communicator, by its row and its lists; returns its fault. The members
    /// are ranks of the machine, which has `ranks` ranks.
    fn fault(
        &self,
        rank: u32,
        ranks: u32,
        members: Vec<u32>,
        row: Vec<i64>,
        lists: Bound<'_, PyList>,
    ) -> PyResult<Option<String>> {
        let mut row = Arguments { integers: &row, lists, next_list: 0 };
        let Some(call) = row.call()? else { return Ok(None) };
        let mut of_rank = Checker::new(rank, ranks, &[], self.0.selection);
        if let Call::Collect { communicator: new, .. } = call
            && new != mpi::WORLD
        {
            let define = Call::Define { members: mpi::Members::list(members), new, id: 1 };
            of_rank.check(&define).expect("the rank is a member");
        }
        Ok(of_rank.check(&call).err())
    }
}

/// The ranks of a communicator, as ranks of the communicator from which it is created.
#[pyclass(frozen, module = "torusim._core")]
pub struct Members(mpi::Members);

#[pymethods]
impl Members {
    /// The given ranks, which differ, in the order of their ranks in the new communicator.
    #[new]
    fn new(ranks: Vec<u32>) -> PyResult<Self> {
        if ranks.is_empty() {
            return Err(PyValueError::new_err("a communicator has at least one rank"));
        }
        Ok(Members(mpi::Members::list(ranks)))
    }

    /// The ranks.
    fn to_list(&self) -> Vec<u32> {
        self.0.of(0).collect()
    }
}

/// A grid of ranks, whose last coordinate varies fastest.
#[pyclass(frozen, module = "torusim._core")]
pub struct Cartesian(mpi::Cartesian);

#[pymethods]
impl Cartesian {
    /// A grid with the given lengths, each at least 1, closed to rings where it is periodic.
    #[new]
    fn new(lengths: Vec<u32>, periodic: Vec<bool>) -> Self {
        Cartesian(mpi::Cartesian::new(&lengths, &periodic))
    }

    /// The coordinates of a rank.
    fn coordinates(&self, rank: u32) -> Vec<u32> {
        self.0.coordinates(rank)
    }

    /// The rank at the given coordinates; none outside the grid.
    fn rank(&self, coordinates: Vec<i64>) -> Option<u32> {
        self.0.rank(&coordinates)
    }

    /// The ranks from which a rank receives, and to which it sends, when data move by `displacement` along a
    /// dimension.
    fn shift(&self, rank: u32, dimension: usize, displacement: i64) -> (Option<u32>, Option<u32>) {
        self.0.shift(rank, dimension, displacement)
    }

    /// The ranks of a rank's sub-grid, in which only the kept dimensions remain.
    fn sub(&self, rank: u32, keep: Vec<bool>) -> Vec<u32> {
        self.0.sub_ranks(rank, &keep)
    }
}

/// The exception with which a program has ended.
pub type Failure = Arc<Mutex<Option<PyErr>>>;

/// The exception of a program, if it has ended with one.
pub fn take_failure(failure: &Failure) -> Option<PyErr> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The programs of all ranks, as one Python object (`ProgramRanks`). The run ends when one raises an exception.
pub struct PythonRanks {
    program: Py<PyAny>,
    failure: Failure,
    answers: Result<Vec<Answer>, Stop>,
}

impl PythonRanks {
    /// The ranks that `program` runs; its exception is stored in `failure`.
    pub fn new(program: Py<PyAny>, failure: Failure) -> Self {
        PythonRanks { program, failure, answers: Ok(Vec::new()) }
    }

    fn call(&self, batch: &[WakeUp]) -> PyResult<Vec<Answer>> {
        Python::attach(|py| {
            let program = self.program.bind(py);
            let (world, processes): (Bound<'_, PyAny>, Bound<'_, PyList>) =
                program.call_method0("begin")?.extract()?;
            let lists = world.getattr("lists")?.cast_into()?;
            let nothing = Bound::new(py, Outcome::of(&mpi::Outcome::default()))?;
            let mut resumed = Resumed { program, world, processes, nothing, lists, next_list: 0 };
            let answers = batch.iter().map(|wake_up| resumed.answer(wake_up)).collect();
            program.call_method0("pause")?;
            answers
        })
    }
}

impl OutsideRanks for PythonRanks {
    fn begin(&mut self, batch: Vec<WakeUp>) {
        self.answers = self.call(&batch).map_err(|error| {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Stop::Interrupted
        });
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        std::mem::replace(&mut self.answers, Ok(Vec::new()))
    }
}

/// The ranks of a batch, which are resumed one after the other.
struct Resumed<'a, 'py> {
    program: &'a Bound<'py, PyAny>,
    world: Bound<'py, PyAny>,
    processes: Bound<'py, PyList>,
    nothing: Bound<'py, Outcome>,
    lists: Bound<'py, PyList>,
    next_list: usize,
}

impl<'py> Resumed<'_, 'py> {
    fn answer(&mut self, wake_up: &WakeUp) -> PyResult<Answer> {
        let process = self.processes.get_item(wake_up.rank as usize)?;
        let call = self.call(&process, wake_up)?;
        let integers = call.iter_borrowed().map(|item| item.extract()).collect::<PyResult<Vec<i64>>>()?;
        let cycles = self.computed_cycles(&process)?;
        let mut arguments =
            Arguments { integers: &integers, lists: self.lists.clone(), next_list: self.next_list };
        let call = arguments.call()?;
        self.next_list = arguments.next_list;
        let computation = (cycles > 0).then_some(Call::Compute { cycles });
        Ok(Answer { rank: wake_up.rank, calls: computation.into_iter().chain(call).collect() })
    }

    /// Runs a rank up to its next call. What else its coroutine does, `program` judges.
    fn call(&self, process: &Bound<'py, PyAny>, wake_up: &WakeUp) -> PyResult<Bound<'py, PyTuple>> {
        let py = self.py();
        process.setattr(intern!(py, "cycle"), wake_up.time)?;
        if !wake_up.ended.is_empty() {
            let ended: Vec<_> = wake_up.ended.iter().map(ended_fields).collect();
            process.call_method1(intern!(py, "complete"), (ended,))?;
        }
        self.world.setattr(intern!(py, "running"), process)?;
        match process.getattr(intern!(py, "resume"))?.call1((self.outcome(&wake_up.outcome)?,)) {
            Ok(call) if call.is_exact_instance_of::<PyTuple>() => Ok(call.cast_into()?),
            Ok(other) => Ok(self.program.call_method1("refuse", (process, other))?.cast_into()?),
            Err(error) => {
                Ok(self.program.call_method1("end", (process, error.into_value(py)))?.cast_into()?)
            }
        }
    }

    /// The outcome of a call; most have none, and share it.
    fn outcome(&self, outcome: &mpi::Outcome) -> PyResult<Bound<'py, Outcome>> {
        match *outcome == mpi::Outcome::default() {
            true => Ok(self.nothing.clone()),
            false => Bound::new(self.py(), Outcome::of(outcome)),
        }
    }

    /// Takes the cycles that a rank computes before its call.
    fn computed_cycles(&self, process: &Bound<'py, PyAny>) -> PyResult<u64> {
        let py = self.py();
        if process.getattr(intern!(py, "computations"))?.extract::<u64>()? == 0 {
            return Ok(0);
        }
        let cycles = process.getattr(intern!(py, "computed_cycles"))?.extract()?;
        process.setattr(intern!(py, "computed_cycles"), 0)?;
        process.setattr(intern!(py, "computations"), 0)?;
        Ok(cycles)
    }

    fn py(&self) -> Python<'py> {
        self.program.py()
    }
}

/// A request with which a wait or a test has ended, or which was freed and has ended.
fn ended_fields(ended: &Ended) -> (i64, i64, i64, i64, i64, i64) {
    let [source, tag, bytes, sequence] = status_fields(ended.received);
    (ended.request.into(), source, tag, bytes, sequence, ended.is_cancelled.into())
}

fn status_fields(received: Option<Status>) -> [i64; 4] {
    let fields = |status: Status| {
        [status.source.into(), status.tag.into(), status.bytes as i64, status.sequence.into()]
    };
    received.map_or([-1; 4], fields)
}

/// A call of a program, read from its beginning; the program has checked its values.
struct Arguments<'a, 'py> {
    integers: &'a [i64],
    lists: Bound<'py, PyList>,
    next_list: usize,
}

fn some(call: Call) -> PyResult<Option<Call>> {
    Ok(Some(call))
}

impl Arguments<'_, '_> {
    fn call(&mut self) -> PyResult<Option<Call>> {
        (CALLS[self.number() as usize].call)(self)
    }

    fn integer(&mut self) -> i64 {
        let (&first, rest) = self.integers.split_first().expect("a call has all its arguments");
        self.integers = rest;
        first
    }

    fn number(&mut self) -> u32 {
        self.integer() as u32
    }

    fn optional(&mut self) -> Option<u32> {
        u32::try_from(self.integer()).ok()
    }

    fn bytes(&mut self) -> u64 {
        self.integer() as u64
    }

    fn flag(&mut self) -> bool {
        self.integer() != 0
    }

    fn requests(&mut self) -> Requests {
        let (first, count) = (self.number(), self.integer());
        match u32::try_from(count) {
            Ok(count) => Requests::range(first, count),
            Err(_) => Requests::list(std::iter::once(first).chain((1..-count).map(|_| self.number()))),
        }
    }

    fn send(&mut self) -> SendTo {
        let (communicator, target, tag, bytes) = (self.number(), self.number(), self.number(), self.bytes());
        let (mode, layout) = (MODES[self.number() as usize], Layout::of(self.number()));
        SendTo { communicator, target, tag, bytes, mode, layout }
    }

    fn receive(&mut self) -> ReceiveFrom {
        let message = self.message();
        ReceiveFrom { layout: Layout::of(self.number()), ..message }
    }

    fn message(&mut self) -> ReceiveFrom {
        let communicator = self.number();
        ReceiveFrom { communicator, ..ReceiveFrom::new(self.optional(), self.optional()) }
    }

    fn begin(&mut self, transfer: impl FnOnce(&mut Self) -> Transfer) -> PyResult<Option<Call>> {
        some(Call::Begin { transfer: transfer(self), request: self.optional() })
    }

    fn collect(
        &mut self,
        collective: impl FnOnce(&mut Self) -> PyResult<Collective>,
    ) -> PyResult<Option<Call>> {
        let (communicator, request) = (self.number(), self.optional());
        some(Call::Collect { collective: collective(self)?, communicator, request, tuning: Box::default() })
    }

    fn create(&mut self) -> PyResult<Option<Call>> {
        let (communicator, is_member, new, order) =
            (self.number(), self.flag(), self.number(), self.number());
        let members = if is_member { Some(self.list()?.cast::<Members>()?.get().0.clone()) } else { None };
        some(Call::Create { communicator, members, new, order })
    }

    fn define(&mut self) -> PyResult<Option<Call>> {
        let (new, id) = (self.number(), self.number());
        some(Call::Define { members: self.list()?.cast::<Members>()?.get().0.clone(), new, id })
    }

    fn exchange(&mut self) -> PyResult<Box<TypedExchange>> {
        Ok(Box::new(TypedExchange {
            sent: self.lengths()?,
            received: self.lengths()?,
            blocks_sent: self.lengths()?,
            blocks_received: self.lengths()?,
        }))
    }

    fn lengths(&mut self) -> PyResult<mpi::Lengths> {
        Ok(self.list()?.cast::<Lengths>()?.get().0.clone())
    }
}

impl<'py> Arguments<'_, 'py> {
    /// The next list of the answer.
    fn list(&mut self) -> PyResult<Bound<'py, PyAny>> {
        self.next_list += 1;
        self.lists.get_item(self.next_list - 1)
    }
}

/// The calls with their arguments, in order.
#[pyfunction]
pub fn program_records() -> Vec<(&'static str, Names)> {
    CALLS.iter().map(|record| (record.name, record.arguments.to_vec())).collect()
}
