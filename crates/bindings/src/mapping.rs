//! Mappings of ranks, and the search for a better one.

use crate::input_error;
use crate::scenario::Scenario;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use simulation::EvaluatedMapping;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval between checks for signals.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// The mappings of a scenario's ranks.
#[pyclass(frozen, module = "torusim._core")]
pub struct Mappings(simulation::Mappings);

#[pymethods]
impl Mappings {
    /// Reads the data that the ranks of a scenario send.
    #[new]
    fn new(py: Python<'_>, scenario: &Scenario) -> PyResult<Self> {
        let scenario = scenario.0.clone();
        py.detach(|| simulation::Mappings::new(scenario)).map(Self).map_err(input_error)
    }

    /// The names of the present mapping and of the usual ones.
    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// The costs of a mapping, as JSON, and its mapping file.
    fn evaluate(&self, py: Python<'_>, name: &str) -> PyResult<(String, String)> {
        interruptible(py, |goes_on| self.0.evaluate(name, goes_on).map_err(input_error)).map(texts)
    }

    /// A search from the mapping `start`.
    fn search(
        &self,
        py: Python<'_>,
        start: &str,
        is_greedy: bool,
        steps: u64,
        seed: u64,
    ) -> PyResult<MappingSearch> {
        let search = py.detach(|| self.0.search(start, is_greedy, steps, seed)).map_err(input_error)?;
        Ok(MappingSearch(Mutex::new(Some(search))))
    }
}

/// A search in progress. It cannot be used after `finish`.
#[pyclass(frozen, module = "torusim._core")]
pub struct MappingSearch(Mutex<Option<simulation::MappingSearch>>);

#[pymethods]
impl MappingSearch {
    /// Makes up to `steps` more steps, with the GIL released; returns whether any are left.
    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<bool> {
        py.detach(|| self.lock().as_mut().map(|search| search.advance(steps))).ok_or_else(finished)
    }

    /// Steps made, and the hop-bytes of the best mapping so far.
    fn progress(&self) -> PyResult<(u64, u128)> {
        self.lock().as_ref().map(simulation::MappingSearch::progress).ok_or_else(finished)
    }

    /// Ends the search: returns the costs of the best mapping, as JSON, and its mapping file.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let search = self.lock().take().ok_or_else(finished)?;
        interruptible(py, |goes_on| Ok(search.finish(goes_on))).map(texts)
    }
}

impl MappingSearch {
    fn lock(&self) -> MutexGuard<'_, Option<simulation::MappingSearch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Evaluates with the GIL released, until the evaluation has ended or a handler of a signal has raised an
/// exception.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    evaluate: impl FnOnce(&mut dyn FnMut() -> bool) -> PyResult<Option<T>> + Send,
) -> PyResult<T> {
    let (mut raised, mut looked) = (None, Instant::now());
    let evaluated = py.detach(|| {
        evaluate(&mut || {
            if looked.elapsed() >= SIGNALS_EVERY {
                raised = Python::attach(|py| py.check_signals()).err();
                looked = Instant::now();
            }
            raised.is_none()
        })
    })?;
    evaluated
        .ok_or_else(|| raised.expect("an evaluation ends early only if a signal has raised an exception"))
}

/// The costs of a mapping, as JSON, and its mapping file.
fn texts(evaluated: EvaluatedMapping) -> (String, String) {
    (evaluated.evaluation.to_string(), evaluated.text)
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("this search is finished")
}
