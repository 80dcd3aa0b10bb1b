//! Programs in Python: the ranks of a run outside the simulator.
//!
//! ```text
//!   exchange --begin--> wake-ups, ended requests: arrays of integers -->  program(wake_ups, ended)  in Python
//!            <-collect- calls                                        <--  one array of integers
//! ```
//!
//! What crosses is two arrays a batch of ranks, and one back: rows of fixed length, whose fields are below. A field
//! that does not apply is -1.

use mpi::{Answer, Call, Collective, Ended, Needed, OutsideRanks, Requests, Status, WakeUp};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The fields of a wake-up. `ended` is a number of requests: the next rows of the other array.
pub const WAKE_UP: [&str; 10] =
    ["rank", "time", "flag", "source", "tag", "bytes", "number", "sent", "handle", "ended"];

/// The fields of a request with which a wait or a test has ended.
pub const ENDED: [&str; 6] = ["request", "source", "tag", "bytes", "number", "cancelled"];

/// The calls of an answer. It is a row: rank, processor cycles of computation, the place of the call in this list, and as
/// many arguments as the longest list here has. `finish` ends the rank.
pub const CALLS: [(&str, &[&str]); 18] = [
    ("finish", &[]),
    ("send", &["target", "tag", "bytes"]),
    ("isend", &["target", "tag", "bytes", "request"]),
    ("recv", &["source", "tag"]),
    ("irecv", &["source", "tag", "request"]),
    ("waitall", &["first", "count"]),
    ("waitany", &["first", "count"]),
    ("waitsome", &["first", "count"]),
    ("test", &["first", "count"]),
    ("probe", &["source", "tag", "blocks"]),
    ("mprobe", &["source", "tag", "blocks"]),
    ("mrecv", &["handle"]),
    ("imrecv", &["handle", "request"]),
    ("cancel", &["request"]),
    ("barrier", &[]),
    ("bcast", &["root", "bytes"]),
    ("allreduce", &["bytes"]),
    ("abort", &["code"]),
];

type Names = Vec<&'static str>;

/// Length of an answer's row.
const ANSWER: usize = 7;

/// The exception with which a program has ended.
pub type Failure = Arc<Mutex<Option<PyErr>>>;

/// The exception of a program, if it has ended with one.
pub fn take_failure(failure: &Failure) -> Option<PyErr> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The programs of all ranks, as one Python object to be called with each batch. Once it has raised an exception, all
/// ranks end.
pub struct PythonRanks {
    program: Py<PyAny>,
    failure: Failure,
    has_failed: bool,
    answers: Vec<Answer>,
}

impl PythonRanks {
    /// The ranks that `program` runs, whose exception goes to `failure`.
    pub fn new(program: Py<PyAny>, failure: Failure) -> Self {
        PythonRanks { program, failure, has_failed: false, answers: Vec::new() }
    }

    fn call(&self, batch: &[WakeUp]) -> PyResult<Vec<Answer>> {
        let wake_ups: Vec<i64> = batch.iter().flat_map(wake_up_row).collect();
        let ended: Vec<i64> = batch.iter().flat_map(|wake_up| &wake_up.ended).flat_map(ended_row).collect();
        Python::attach(|py| {
            let arrays = (PyArray1::from_vec(py, wake_ups), PyArray1::from_vec(py, ended));
            let answers: PyReadonlyArray1<'_, i64> = self.program.bind(py).call1(arrays)?.extract()?;
            Ok(answers.as_slice()?.chunks_exact(ANSWER).map(answer).collect())
        })
    }
}

impl OutsideRanks for PythonRanks {
    fn begin(&mut self, batch: Vec<WakeUp>) {
        let answered = if self.has_failed { None } else { Some(self.call(&batch)) };
        self.answers = match answered {
            Some(Ok(answers)) => answers,
            failed => {
                if let Some(Err(error)) = failed {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                self.has_failed = true;
                batch.iter().map(|wake_up| Answer { rank: wake_up.rank, calls: Vec::new() }).collect()
            }
        };
    }

    fn collect(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }
}

fn wake_up_row(wake_up: &WakeUp) -> [i64; WAKE_UP.len()] {
    let WakeUp { time, rank, outcome, ended } = wake_up;
    let [source, tag, bytes, number] = status_fields(outcome.received);
    let optional = |value: Option<u32>| value.map_or(-1, i64::from);
    let (sent, handle) = (optional(outcome.sent), optional(outcome.handle));
    let (rank, time, flag) = (i64::from(*rank), *time as i64, i64::from(outcome.flag));
    [rank, time, flag, source, tag, bytes, number, sent, handle, ended.len() as i64]
}

fn ended_row(ended: &Ended) -> [i64; ENDED.len()] {
    let [source, tag, bytes, number] = status_fields(ended.received);
    [ended.request.into(), source, tag, bytes, number, ended.is_cancelled.into()]
}

fn status_fields(received: Option<Status>) -> [i64; 4] {
    let fields =
        |status: Status| [status.source.into(), status.tag.into(), status.bytes as i64, status.number.into()];
    received.map_or([-1; 4], fields)
}

/// The answer of a row, whose values the program has checked.
fn answer(row: &[i64]) -> Answer {
    let (rank, cycles, name) = (row[0] as u32, row[1] as u64, CALLS[row[2] as usize].0);
    let computation = (cycles > 0).then_some(Call::Compute { cycles });
    Answer { rank, calls: computation.into_iter().chain(call(name, &row[3..])).collect() }
}

fn call(name: &str, arguments: &[i64]) -> Option<Call> {
    let number = |index: usize| arguments[index] as u32;
    let selected = |index: usize| u32::try_from(arguments[index]).ok();
    let bytes = |index: usize| arguments[index] as u64;
    let requests = || Requests { first: number(0), count: number(1) };
    Some(match name {
        "send" => Call::Send { target: number(0), tag: number(1), bytes: bytes(2) },
        "isend" => {
            Call::SendNonBlocking { target: number(0), tag: number(1), bytes: bytes(2), request: number(3) }
        }
        "recv" => Call::Receive { source: selected(0), tag: selected(1) },
        "irecv" => Call::ReceiveNonBlocking { source: selected(0), tag: selected(1), request: number(2) },
        "waitall" => Call::Wait { requests: requests(), needed: Needed::All },
        "waitany" => Call::Wait { requests: requests(), needed: Needed::Any },
        "waitsome" => Call::Wait { requests: requests(), needed: Needed::Some },
        "test" => Call::Test { requests: requests() },
        "probe" => Call::Probe { source: selected(0), tag: selected(1), blocks: number(2) != 0 },
        "mprobe" => Call::MatchedProbe { source: selected(0), tag: selected(1), blocks: number(2) != 0 },
        "mrecv" => Call::MatchedReceive { handle: number(0) },
        "imrecv" => Call::MatchedReceiveNonBlocking { handle: number(0), request: number(1) },
        "cancel" => Call::Cancel { request: number(0) },
        "barrier" => Call::Collective(Collective::Barrier),
        "bcast" => Call::Collective(Collective::Broadcast { root: number(0), bytes: bytes(1) }),
        "allreduce" => Call::Collective(Collective::Allreduce { bytes: bytes(0) }),
        "abort" => Call::Abort { code: arguments[0] as i32 },
        _ => return None,
    })
}

/// The fields of a wake-up, those of a request that has ended, and the calls with their arguments, in order.
#[pyfunction]
pub fn program_records() -> (Names, Names, Vec<(&'static str, Names)>) {
    let calls = CALLS.iter().map(|(name, arguments)| (*name, arguments.to_vec())).collect();
    (WAKE_UP.to_vec(), ENDED.to_vec(), calls)
}
