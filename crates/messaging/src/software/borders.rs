//! Borders: the times at which ranks exchange data with programs outside the simulator.
//!
//! ```text
//!   engine:    | window | window | window | window | ...         a span of one or several windows
//!   borders:   |                 |                 |
//!   ranks:         t1: asks                   t1 + lookahead: continues with the answer
//!   outside:                     answers
//! ```
//!
//! A request that a rank makes between two borders is answered at the second one. The rank continues when its lookahead
//! has passed, which is at least a span, so the answer is in time. Borders are at multiples of windows, wherever slices
//! of the run end. So the requests that are answered together do not depend on slices, threads or the engine.

use crate::parameters::call_costs::CallCosts;
use crate::ranks::Ranks;
use crate::software::Messaging;
use base::ParameterError;
use base::clock::ClockRatio;
use network::Engine;
use network::node::software::NodeSoftware;
use std::any::Any;

/// The borders of an engine, as far apart as the lookahead of its ranks allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borders {
    /// The cycles from one border to the next.
    span_cycles: u64,
}

impl Borders {
    /// The borders for ranks outside the simulator. Their lookahead is the least cost of a call in `calls`.
    ///
    /// # Errors
    /// If the lookahead is shorter than a window.
    pub fn new(engine: &dyn Engine, clock: ClockRatio, calls: &CallCosts) -> Result<Self, ParameterError> {
        let window = engine.window_cycles();
        let span_cycles = clock.cycles_within(calls.min().into()) / window * window;
        if span_cycles > 0 {
            return Ok(Borders { span_cycles });
        }
        let min = clock.processor_cycle_of(window);
        Err(calls.error_of_min(format!(
            "must be at least {min} for ranks outside the simulator: nodes affect one another within {window} cycles"
        )))
    }

    /// Processes all events before cycle `until`. Calls `exchange` at each border with the ranks of all parts of the
    /// machine. Borders are skipped while nothing happens.
    ///
    /// # Errors
    /// An error of `exchange`. The engine has stopped at that border.
    pub fn advance<E>(
        &self,
        engine: &mut dyn Engine,
        until: u64,
        mut exchange: impl FnMut(&mut [&mut dyn Ranks]) -> Result<(), E>,
    ) -> Result<(), E> {
        while engine.now() < until {
            let border = self.next(engine);
            engine.advance(border.min(until));
            if engine.now() == border {
                exchange(&mut ranks_of(engine))?;
            }
        }
        Ok(())
    }

    /// The next border at which ranks may have to exchange data. Between two borders a rank may be waiting for the
    /// second one. At a border no rank waits.
    fn next(&self, engine: &dyn Engine) -> u64 {
        let now = engine.now();
        let first = if now.is_multiple_of(self.span_cycles) { engine.next_event() } else { Some(now) };
        let border = first.and_then(|first| (first / self.span_cycles + 1).checked_mul(self.span_cycles));
        border.unwrap_or(u64::MAX)
    }
}

/// The ranks of all parts of the machine, in order of nodes.
///
/// # Panics
/// When the nodes of the engine have no ranks.
pub fn ranks_of(engine: &mut dyn Engine) -> Vec<&mut dyn Ranks> {
    let ranks = |software| {
        let software: &mut dyn NodeSoftware = software;
        let messaging = (software as &mut dyn Any).downcast_mut::<Messaging>();
        messaging.expect("the nodes have ranks").ranks_mut()
    };
    engine.software_mut().into_iter().map(ranks).collect()
}
