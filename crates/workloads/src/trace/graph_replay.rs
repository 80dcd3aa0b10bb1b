//! A graph as a program: it begins every operation that can begin, without blocking, and waits for the one that
//! ends first.
//!
//! ```text
//!   communication that can begin  -->  begun, each with a request
//!   else computation that can     -->  the next one, after a test for any request, as messages may have come meanwhile
//!   else                          -->  a wait for any request
//! ```

use super::times::Times;
use mpi::{Call, Needed, Outcome, Requests};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use traces::{RankGraph, Until, Work};

/// The state of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    #[default]
    Waiting,
    Begun,
    Ended,
}

/// The purpose of the last call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Last {
    /// A communicator, or the beginning of an operation.
    #[default]
    Other,
    /// Computation, after which messages may have arrived.
    Computed,
    /// A test or a wait for any request.
    Asked,
}

/// The progress of a rank in its graph. The operations that each still waits for follow from the states.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Communicators that exist.
    groups: u32,
    states: Vec<State>,
    /// Communication that can begin.
    communication: VecDeque<u32>,
    /// Computation that can begin.
    computation: VecDeque<u32>,
    /// The operation in progress, by request.
    requests: Vec<Option<u32>>,
    /// Requests among these that are not in use.
    free: Vec<u32>,
    /// Computation so far. Cycles are differences of its scaled values, so that rounding errors do not accumulate.
    compute_ps: u64,
    last: Last,
    /// The number of others that each operation still waits for.
    #[serde(skip)]
    waits_for: Vec<u32>,
}

impl Progress {
    pub(super) fn new(graph: &RankGraph) -> Self {
        let mut progress = Progress {
            states: vec![State::Waiting; graph.works.len()],
            waits_for: graph.waits_for().to_vec(),
            ..Progress::default()
        };
        let free = (0..).zip(graph.waits_for()).filter(|(_, left)| **left == 0);
        free.for_each(|(work, _)| progress.enqueue(graph, work));
        progress
    }

    fn enqueue(&mut self, graph: &RankGraph, work: u32) {
        match graph.works[work as usize] {
            Work::Compute(_) => self.computation.push_back(work),
            Work::Send(_) | Work::Receive(_) | Work::Collect { .. } => self.communication.push_back(work),
        }
    }

    /// Begins or ends an operation.
    fn set(&mut self, graph: &RankGraph, work: u32, state: State) {
        self.states[work as usize] = state;
        let reached = if state == State::Begun { Until::Begun } else { Until::Ended };
        for &(after, until) in graph.successors(work) {
            if until == reached {
                self.waits_for[after as usize] -= 1;
                if self.waits_for[after as usize] == 0 {
                    self.enqueue(graph, after);
                }
            }
        }
    }

    /// The next call; none if nothing is left.
    pub(super) fn next(&mut self, graph: &RankGraph, times: &Times, outcome: &Outcome) -> Option<Call> {
        if let Some((members, id)) = graph.groups.get(self.groups as usize) {
            self.groups += 1;
            return Some(Call::Define { members: members.clone(), new: self.groups, id: *id });
        }
        self.receive_outcome(graph, outcome);
        if let Some(work) = self.communication.pop_front() {
            return Some(self.begin(graph, work));
        }
        let is_any_in_progress = self.free.len() < self.requests.len();
        let requests = Requests::range(0, self.requests.len() as u32);
        if self.last == Last::Computed && is_any_in_progress && !self.computation.is_empty() {
            self.last = Last::Asked;
            return Some(Call::TestAny { requests });
        }
        if let Some(work) = self.computation.pop_front() {
            return Some(self.compute(graph, work, times));
        }
        self.last = Last::Asked;
        is_any_in_progress.then_some(Call::Wait { requests, needed: Needed::Any })
    }

    /// Handles the operations that have ended with the last call.
    fn receive_outcome(&mut self, graph: &RankGraph, outcome: &Outcome) {
        if self.last != Last::Asked {
            return;
        }
        self.last = Last::Other;
        let request = outcome.request.filter(|&request| (request as usize) < self.requests.len());
        if let Some(work) = request.and_then(|request| self.requests[request as usize].take()) {
            self.free.push(request.expect("it has ended"));
            self.set(graph, work, State::Ended);
            // Others may have ended too, before the next computation begins.
            self.last = Last::Computed;
        }
    }

    fn begin(&mut self, graph: &RankGraph, work: u32) -> Call {
        let request = self.free.pop().unwrap_or_else(|| {
            self.requests.push(None);
            self.requests.len() as u32 - 1
        });
        self.requests[request as usize] = Some(work);
        let call = graph.works[work as usize].call(Some(request)).expect("computation has no request");
        self.set(graph, work, State::Begun);
        call
    }

    fn compute(&mut self, graph: &RankGraph, work: u32, times: &Times) -> Call {
        let Work::Compute(compute_ps) = graph.works[work as usize] else {
            unreachable!("only computation computes")
        };
        let before = times.cycles(self.compute_ps);
        self.compute_ps += compute_ps;
        self.last = Last::Computed;
        self.set(graph, work, State::Begun);
        // The next actions of the rank all follow the computation.
        self.set(graph, work, State::Ended);
        Call::Compute { cycles: times.cycles(self.compute_ps) - before }
    }

    /// Computes again what follows from the states.
    pub(super) fn restore(&mut self, graph: &RankGraph) {
        self.waits_for = graph.waits_for().to_vec();
        for (work, state) in (0..).zip(&self.states) {
            let reached = |until| match until {
                Until::Begun => *state != State::Waiting,
                Until::Ended => *state == State::Ended,
            };
            let after = graph.successors(work).iter().filter(|(_, until)| reached(*until));
            after.for_each(|(after, _)| self.waits_for[*after as usize] -= 1);
        }
    }

    /// Bytes in addition to the value itself.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity()
            + (self.communication.capacity() + self.computation.capacity() + self.free.capacity()) * 4
            + self.requests.capacity() * size_of::<Option<u32>>()
            + self.waits_for.capacity() * 4
    }
}
