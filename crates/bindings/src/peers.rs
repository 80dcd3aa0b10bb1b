//! The processes that run one simulation together.

use crate::input_error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use simulation::{Carrier, InputError, Lost, end_following, follow, lost};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

pyo3::create_exception!(
    torusim,
    LostProcessError,
    PyRuntimeError,
    "Another process of the run has ended, or cannot be reached any more."
);

/// The processes of a run. Process 0 leads: it sets up runs, and the others [`Peers::follow`].
#[pyclass(frozen, module = "torusim._core")]
pub struct Peers(pub simulation::Peers);

#[pymethods]
impl Peers {
    /// Joins process `number` of `count` to the others over sockets. Process 0 listens at `address`: the path of a socket,
    /// or `host:port`. Raises InputError if the others have not come within `patience_seconds`, and what `look` raises,
    /// which is called again and again meanwhile, so that it can say that they will not come.
    #[staticmethod]
    #[pyo3(signature = (number, count, address, patience_seconds, look=None))]
    fn join(
        py: Python<'_>,
        number: usize,
        count: usize,
        address: &str,
        patience_seconds: f64,
        look: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let patience = Duration::try_from_secs_f64(patience_seconds).map_err(input_error)?;
        let look = |py: Python<'_>| {
            py.check_signals()?;
            look.as_ref().map_or(Ok(()), |look| look.call0(py).map(drop))
        };
        let look = || Python::attach(look).map_err(io::Error::other);
        let joined = py.detach(|| sockets::join(number, count, address, patience, &look));
        joined.map(Peers).map_err(|error| match error.downcast::<PyErr>() {
            Ok(raised) => raised,
            Err(error) => input_error(InputError::at("processes", error.to_string())),
        })
    }

    /// The processes that an object carries messages between: its `number` and `count`, and `swap(word, messages)`, which
    /// gives `messages[p]`, bytes, to process `p`, and returns the least of the words of all and what they have given.
    #[staticmethod]
    fn carried_by(py: Python<'_>, carrier: Py<PyAny>) -> PyResult<Self> {
        let number = carrier.getattr(py, "number")?.extract(py)?;
        let count = carrier.getattr(py, "count")?.extract(py)?;
        let carrier = OfPython { carrier, number, count };
        Ok(Peers(simulation::Peers::joined_by(std::sync::Arc::new(carrier))))
    }

    /// The number of this process.
    #[getter]
    fn number(&self) -> usize {
        self.0.number()
    }

    /// The number of processes.
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    /// The number of processes on this computer.
    #[getter]
    fn here(&self) -> usize {
        self.0.processes().here
    }

    /// These processes, of which `here` are on this computer.
    fn sharing(&self, here: usize) -> Self {
        Peers(self.0.clone().sharing(here))
    }

    /// The texts of all processes, in order of their numbers; each gives one. Processes of any versions can call it first.
    fn texts(&self, py: Python<'_>, own: &str) -> PyResult<Vec<String>> {
        let swap = || {
            let mut messages = vec![own.as_bytes().to_vec(); self.0.count()];
            self.0.swap(0, &mut messages);
            messages.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
        };
        py.detach(|| unless_lost(swap))
    }

    /// Takes part in the runs of process 0, until it ends. Raises LostProcessError if it has ended otherwise.
    fn follow(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| unless_lost(|| follow(&self.0)))
    }

    /// Ends the other processes.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| unless_lost(|| end_following(&self.0)))
    }
}

/// Does some work, unless another process turns out to have ended.
pub fn unless_lost<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|why| match why.downcast::<Lost>() {
        Ok(lost) => LostProcessError::new_err(lost.0),
        Err(panic) => resume_unwind(panic),
    })
}

/// A carrier in Python, as that of mpi4py.
#[derive(Debug)]
struct OfPython {
    carrier: Py<PyAny>,
    number: usize,
    count: usize,
}

impl Carrier for OfPython {
    fn number(&self) -> usize {
        self.number
    }

    fn count(&self) -> usize {
        self.count
    }

    fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64 {
        let swapped = Python::attach(|py| -> PyResult<(u64, Vec<Vec<u8>>)> {
            let given: Vec<Bound<'_, PyBytes>> =
                messages.iter().map(|message| PyBytes::new(py, message)).collect();
            self.carrier.call_method1(py, "swap", (word, given))?.extract(py)
        });
        let (least, got) = swapped.unwrap_or_else(|error| lost(error.to_string()));
        messages.iter_mut().zip(got).for_each(|(message, got)| *message = got);
        least
    }
}
