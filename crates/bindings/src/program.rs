//! Programs in Python: the ranks of a run outside the simulator.
//!
//! ```text
//!   exchange --begin--> wake-ups, ended requests: arrays of integers -->  program(wake_ups, ended)  in Python
//!            <-collect- calls                                        <--  one array of integers, lists that they name
//! ```
//!
//! Each batch of ranks exchanges two arrays in one direction, and one in the other: their rows have the fields
//! below. A field that does not apply is -1. Lengths of blocks and members of communicators, which ranks may share,
//! are separate objects.
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
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyListMethods};
use std::sync::{Arc, Mutex, PoisonError};

/// The fields of a wake-up. `id` is that of a new communicator. `ended` is a number of requests, which are the next
/// rows of the other array.
pub const WAKE_UP: [&str; 10] =
    ["rank", "time", "flag", "source", "tag", "bytes", "sequence", "handle", "id", "ended"];

/// The fields of a request with which a wait or a test has ended, or which was freed and has ended.
pub const ENDED: [&str; 6] = ["request", "source", "tag", "bytes", "sequence", "cancelled"];

/// A call of an answer. Its row is: rank, processor cycles of computation, the place of the call in [`CALLS`], and its
/// arguments.
pub struct Record {
    name: &'static str,
    /// The integers of the row. A `request` is -1 if the call blocks. `source` and `tag` are -1 for any, and
    /// `blocks` is below 2 for data in one piece. `count` requests have numbers from `first`; if it is negative, as
    /// many have numbers in ascending order, of which `first` is one and the others follow the row.
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
        let Some(call) = (CALLS[row.number() as usize].call)(&mut row)? else { return Ok(None) };
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

/// The programs of all ranks, as one Python object that is called with each batch. The run ends when it raises an
/// exception.
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
        let wake_ups: Vec<i64> = batch.iter().flat_map(wake_up_row).collect();
        let ended: Vec<i64> = batch.iter().flat_map(|wake_up| &wake_up.ended).flat_map(ended_row).collect();
        Python::attach(|py| {
            let arrays = (PyArray1::from_vec(py, wake_ups), PyArray1::from_vec(py, ended));
            let (answers, lists): (PyReadonlyArray1<'_, i64>, Bound<'_, PyList>) =
                self.program.bind(py).call1(arrays)?.extract()?;
            let mut rows = Arguments { integers: answers.as_slice()?, lists, next_list: 0 };
            batch.iter().map(|_| rows.answer()).collect()
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

fn wake_up_row(wake_up: &WakeUp) -> [i64; WAKE_UP.len()] {
    let WakeUp { time, rank, outcome, ended } = wake_up;
    let [source, tag, bytes, sequence] = status_fields(outcome.received);
    let optional = |value: Option<u32>| value.map_or(-1, i64::from);
    let (handle, id) = (optional(outcome.handle), optional(outcome.member.map(|member| member.id)));
    let (rank, time, flag) = (i64::from(*rank), *time as i64, i64::from(outcome.flag));
    [rank, time, flag, source, tag, bytes, sequence, handle, id, ended.len() as i64]
}

fn ended_row(ended: &Ended) -> [i64; ENDED.len()] {
    let [source, tag, bytes, sequence] = status_fields(ended.received);
    [ended.request.into(), source, tag, bytes, sequence, ended.is_cancelled.into()]
}

fn status_fields(received: Option<Status>) -> [i64; 4] {
    let fields = |status: Status| {
        [status.source.into(), status.tag.into(), status.bytes as i64, status.sequence.into()]
    };
    received.map_or([-1; 4], fields)
}

/// The rows of an answer, read from their beginning; the program has checked their values.
struct Arguments<'a, 'py> {
    integers: &'a [i64],
    lists: Bound<'py, PyList>,
    next_list: usize,
}

fn some(call: Call) -> PyResult<Option<Call>> {
    Ok(Some(call))
}

impl Arguments<'_, '_> {
    fn answer(&mut self) -> PyResult<Answer> {
        let (rank, cycles, place) = (self.number(), self.bytes(), self.number());
        let computation = (cycles > 0).then_some(Call::Compute { cycles });
        let call = (CALLS[place as usize].call)(self)?;
        Ok(Answer { rank, calls: computation.into_iter().chain(call).collect() })
    }

    fn integer(&mut self) -> i64 {
        let (&first, rest) = self.integers.split_first().expect("a row has all its arguments");
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

/// The fields of a wake-up, the fields of a request that has ended, and the calls with their arguments, in order.
#[pyfunction]
pub fn program_records() -> (Names, Names, Vec<(&'static str, Names)>) {
    let calls = CALLS.iter().map(|record| (record.name, record.arguments.to_vec())).collect();
    (WAKE_UP.to_vec(), ENDED.to_vec(), calls)
}
