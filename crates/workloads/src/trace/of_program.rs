//! The calls of a program outside the simulator, recorded in its run: a trace that no file holds.
//!
//! ```text
//!   simulator  <-- answers ---  ProgramRecorder  <-- answers ---  program
//!              --- outcomes ->   calls, by rank  --- outcomes ->
//! ```
//!
//! Everything that depended on time is recorded as it happened: a receive from any source names the source of its
//! message, a test that succeeded is a wait, and one that did not takes the time of a call. So its replay sends
//! what the program has sent, on any mapping, and on the same mapping in the same time. The exception is a program
//! with persistent receives from any source: each start of one becomes a separate receive.

use mpi::{
    Answer, Arguments, Call, Ended, Failure, Given, Needed, Outcome, OutsideRanks, ReceiveFrom, RequestSet,
    RequestUse, Requests, Status, Stop, Transfer, WakeUp,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use traces::{Event, Part, RankTrace, Trace};

/// Forwards the actions of programs outside, and records them.
pub struct ProgramRecorder<R> {
    programs: R,
    recording: Recording,
}

/// The calls that have been recorded.
#[derive(Clone, Debug)]
pub struct Recording(Arc<Mutex<Vec<Calls>>>);

impl Recording {
    /// An empty recording of ranks that have made no call.
    pub fn new(ranks: u32) -> Self {
        Recording(Arc::new(Mutex::new(vec![Calls::default(); ranks as usize])))
    }

    /// The calls so far, as a trace. The recording forgets them.
    pub fn take(&self) -> Trace {
        let part = |calls: &mut Calls| {
            let Calls { communicators, events, .. } = std::mem::take(calls);
            Part::Calls(RankTrace::of(communicators, events))
        };
        Trace::new(self.calls(|calls| calls.iter_mut().map(part).collect()))
    }

    fn calls<T>(&self, with: impl FnOnce(&mut Vec<Calls>) -> T) -> T {
        with(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<R: OutsideRanks> ProgramRecorder<R> {
    /// A recorder of the actions of these programs, which have made no call.
    pub fn new(programs: R, recording: Recording) -> Self {
        recording.calls(|calls| {
            (0..).zip(calls).for_each(|(rank, calls)| calls.communicators = programs.communicators(rank));
        });
        ProgramRecorder { programs, recording }
    }
}

impl<R: OutsideRanks> OutsideRanks for ProgramRecorder<R> {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.programs.communicators(rank)
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        self.recording.calls(|calls| {
            batch.iter().for_each(|wake_up| calls[wake_up.rank as usize].receive_outcome(wake_up));
        });
        self.programs.begin(batch);
    }

    fn failure(&self, rank: u32) -> Option<Failure> {
        self.programs.failure(rank)
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        let answers = self.programs.collect()?;
        self.recording.calls(|calls| {
            for answer in &answers {
                answer.calls.iter().for_each(|call| calls[answer.rank as usize].make(call));
            }
        });
        Ok(answers)
    }
}

/// The calls of one rank.
#[derive(Clone, Debug, Default)]
struct Calls {
    /// The communicators that exist from the start.
    communicators: Vec<Given>,
    events: Vec<Event>,
    /// The event of a receive in progress, by request.
    receives: BTreeMap<u32, usize>,
    /// Requests that have been freed before their ends.
    freed: BTreeSet<u32>,
    /// Persistent receives from any source, by request.
    open: BTreeMap<u32, ReceiveFrom>,
}

impl Calls {
    fn push(&mut self, call: Call) {
        self.events.push(Event { compute_ps: 0, call });
    }

    fn make(&mut self, call: &Call) {
        let Arguments { receive, requests, .. } = call.arguments();
        let Some((requests, used)) = requests else { return self.push(call.clone()) };
        let request = requests.first();
        match used {
            RequestUse::Begins => {
                self.freed.remove(&request);
                self.receives.extend(receive.map(|_| (request, self.events.len())));
                self.push(call.clone());
            }
            RequestUse::Prepares => {
                self.freed.remove(&request);
                let open = receive.filter(|receive| receive.source.is_none());
                self.open.extend(open.map(|receive| (request, receive)));
                self.push(if open.is_some() { Call::Time } else { call.clone() });
            }
            RequestUse::Starts => self.start(requests),
            RequestUse::Frees => {
                let was_open = self.open.remove(&request).is_some();
                self.freed.insert(request);
                let is_known = !was_open || self.receives.contains_key(&request);
                self.push(if is_known { call.clone() } else { Call::Time });
            }
            // Whether it withdraws a receive depends on time: one that it has withdrawn is not recorded.
            RequestUse::Cancels => self.push(Call::Time),
            RequestUse::Ends { .. } => self.push(call.clone()),
        }
    }

    /// Starts persistent requests; open receives among them become separate receives.
    fn start(&mut self, requests: RequestSet<'_>) {
        let numbers: Vec<u32> = requests.iter().collect();
        if numbers.is_empty() {
            self.push(Call::Start { requests: Requests::NONE });
        }
        let is_open = |number: &u32| self.open.contains_key(number);
        let runs: Vec<&[u32]> = numbers.chunk_by(|one, next| !is_open(one) && !is_open(next)).collect();
        for run in runs {
            match self.open.get(&run[0]).map(|&receive| Transfer::Receive(receive)) {
                Some(transfer) => self.make(&Call::Begin { transfer, request: Some(run[0]) }),
                None => self.push(Call::Start { requests: Requests::list(run.iter().copied()) }),
            }
        }
    }

    /// Records the outcome of the last call.
    fn receive_outcome(&mut self, WakeUp { outcome, ended, .. }: &WakeUp) {
        for of_request in ended {
            self.end(of_request);
        }
        let waited: Vec<u32> = ended
            .iter()
            .map(|of_request| of_request.request)
            .filter(|request| !self.freed.remove(request))
            .collect();
        let Some(Event { call, .. }) = self.events.last_mut() else { return };
        let requests = call.arguments().requests;
        match requests.map(|(_, used)| used) {
            None => {
                name_message(call, outcome.received);
                find(call, outcome);
            }
            // The operations that it has ended, if any, depended on time.
            Some(
                RequestUse::Ends { needed: Needed::Any | Needed::Some, .. }
                | RequestUse::Ends { blocks: false, .. },
            ) => {
                self.events.pop();
                self.wait(waited);
            }
            Some(
                RequestUse::Ends { needed: Needed::All, blocks: true }
                | RequestUse::Begins
                | RequestUse::Prepares
                | RequestUse::Starts
                | RequestUse::Frees
                | RequestUse::Cancels,
            ) => {}
        }
    }

    /// Records the end of a request.
    fn end(&mut self, ended: &Ended) {
        let Some(place) = self.receives.remove(&ended.request) else { return };
        let call = &mut self.events[place].call;
        match ended.is_cancelled {
            true => *call = Call::Time,
            false => name_message(call, ended.received),
        }
    }

    /// Waits for requests; a test of nothing, if none is given.
    fn wait(&mut self, requests: Vec<u32>) {
        self.push(match requests.is_empty() {
            true => Call::Test { requests: Requests::NONE },
            false => Call::Wait { requests: Requests::list(requests), needed: Needed::All },
        });
    }
}

/// Makes a receive name the message that it has got.
fn name_message(call: &mut Call, received: Option<Status>) {
    let Some(Status { source, tag, .. }) = received else { return };
    let named = call.arguments_mut();
    named.source.into_iter().for_each(|own| *own = Some(source));
    named.tag.into_iter().for_each(|own| *own = Some(tag));
}

/// Makes a probe that has found a message wait for it; another probe finds none.
fn find(call: &mut Call, outcome: &Outcome) {
    if let Call::Find { takes, blocks, .. } = call {
        *blocks = outcome.flag;
        *takes &= outcome.flag;
    }
}
