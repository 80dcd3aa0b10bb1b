//! The MPI library of every rank: it turns a program's calls into messages, and messages into results of calls.

use crate::call::OrAny;
use crate::collectives::{Collective, Group, Step};
use crate::matching::{Context, Matcher, Selector};
use crate::ordering::Ordering;
use crate::{Call, Program, Status};
use messaging::{Completion, Message, Operation, Ranks, Waiting};
use serde::{Deserialize, Serialize};

/// This rank's part of a collective in progress.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ActiveCollective {
    collective: Collective,
    tag: u32,
    next_step: u32,
}

/// More calls than a rank makes in any run.
const MOST_CALLS: u64 = 1 << 60;

/// More steps than a collective has: two for each bit of the number of ranks, in two phases.
const MOST_STEPS: u32 = 4 * u32::BITS;

/// The state of one rank's library.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Process {
    ordering: Ordering,
    matcher: Matcher,
    active_collective: Option<ActiveCollective>,
    /// The cycle since which a receive blocks the rank, if one does.
    blocked_since: Option<u64>,
    /// The message that the last call received.
    received: Option<Status>,
    /// MPI calls made, including the one in progress.
    calls: u64,
    collectives: u32,
}

/// The next action of a rank, from a call or from a step of a collective.
enum Action {
    Send { context: Context, target: u32, tag: u32, bytes: u64 },
    Receive(Selector),
    Begin(Collective),
    Compute { cycles: u64 },
    Finish,
}

/// The ranks of a program, for [`messaging::MessageLayer`] to resume.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mpi<P> {
    program: P,
    processes: Vec<Process>,
}

impl<P: Program> Mpi<P> {
    /// `ranks` ranks that run `program`.
    pub fn new(program: P, ranks: u32) -> Self {
        Mpi { program, processes: vec![Process::default(); ranks as usize] }
    }

    /// Whether a restored library can continue for as many ranks as `new` has, at cycle `now`, apart from its program.
    pub fn can_continue(&self, new: &Mpi<P>, now: u64) -> bool {
        let ranks = new.processes.len();
        self.processes.len() == ranks
            && self.processes.iter().all(|process| process.can_be_restored(ranks as u32, now))
    }

    /// The program, with its measurements.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// The program, mutably.
    pub fn program_mut(&mut self) -> &mut P {
        &mut self.program
    }

    fn next_action(&mut self, rank: u32, time: u64) -> Action {
        let group = Group { rank, size: self.processes.len() as u32 };
        let process = &mut self.processes[rank as usize];
        if let Some(action) = process.next_collective_action(group) {
            return action;
        }
        let Some(call) = self.program.next(rank, time, process.received.take()) else {
            return Action::Finish;
        };
        process.calls += !matches!(call, Call::Compute { .. }) as u64;
        match call {
            Call::Send { target, tag, bytes } => Action::Send { context: Context::Calls, target, tag, bytes },
            Call::Receive { source, tag } => {
                Action::Receive(Selector { context: Context::Calls, source, tag })
            }
            Call::Compute { cycles } => Action::Compute { cycles },
            Call::Collective(collective) => Action::Begin(collective),
        }
    }
}

impl<P: Program> Ranks for Mpi<P> {
    fn resume(&mut self, rank: u32, time: u64, completions: &[Completion], operations: &mut Vec<Operation>) {
        let process = &mut self.processes[rank as usize];
        for Completion::Arrived(message) in completions {
            process.arrive(message);
        }
        while self.processes[rank as usize].blocked_since.is_none() {
            let action = self.next_action(rank, time);
            if let Some(last) = self.processes[rank as usize].perform(time, action, operations) {
                operations.push(last);
                return;
            }
        }
    }

    fn waiting(&self, rank: u32) -> Waiting {
        let process = &self.processes[rank as usize];
        Waiting { since: process.blocked_since.unwrap_or_default(), what: process.waiting_for() }
    }
}

impl Process {
    /// Whether a restored state can be that of one of `ranks` ranks at cycle `now`.
    fn can_be_restored(&self, ranks: u32, now: u64) -> bool {
        self.blocked_since.is_none_or(|since| since <= now)
            && self.calls < MOST_CALLS
            && self.active_collective.is_none_or(|active| {
                active.collective.can_be_restored(ranks) && active.next_step <= MOST_STEPS
            })
    }

    fn begin(&mut self, collective: Collective) {
        self.active_collective =
            Some(ActiveCollective { collective, tag: collective.tag(self.collectives), next_step: 0 });
        self.collectives = self.collectives.wrapping_add(1);
    }

    /// The next action of the collective in progress. Ends the collective when there is none.
    fn next_collective_action(&mut self, group: Group) -> Option<Action> {
        let active_collective = self.active_collective.as_mut()?;
        let context = Context::Collectives;
        let step = active_collective.collective.step(group, active_collective.next_step);
        active_collective.next_step += 1;
        let tag = active_collective.tag;
        if step.is_none() {
            self.active_collective = None;
            // Only the program's own receives report what they received.
            self.received = None;
        }
        step.map(|step| match step {
            Step::Send { target, bytes } => Action::Send { context, target, tag, bytes },
            Step::Receive { source } => {
                Action::Receive(Selector { context, source: Some(source), tag: Some(tag) })
            }
        })
    }

    /// Performs an action. If the action ends the batch, returns its operation.
    fn perform(&mut self, time: u64, action: Action, operations: &mut Vec<Operation>) -> Option<Operation> {
        match action {
            Action::Send { context, target, tag, bytes } => {
                let envelope = self.ordering.number(context, target, tag);
                operations.push(Operation::Send { target, bytes, envelope });
            }
            Action::Receive(selector) => match self.matcher.post(selector) {
                Some(message) => self.received = Some(message.status),
                None => self.blocked_since = Some(time),
            },
            Action::Begin(collective) => self.begin(collective),
            Action::Compute { cycles: 0 } => {}
            Action::Compute { cycles } => return Some(Operation::Compute { cycles }),
            Action::Finish => return Some(Operation::Finish),
        }
        None
    }

    fn arrive(&mut self, message: &Message) {
        let Process { ordering, matcher, blocked_since, received, .. } = self;
        ordering.accept(message, |arrived| {
            if matcher.arrive(arrived).is_some() {
                *received = Some(arrived.status);
                *blocked_since = None;
            }
        });
    }

    fn waiting_for(&self) -> String {
        let Some(receive) = self.matcher.oldest_posted() else { return String::from("nothing") };
        let (source, tag) = (OrAny(receive.source), OrAny(receive.tag));
        let call = self.calls;
        match self.active_collective {
            Some(active_collective) => {
                format!("a message from rank {source} in {} (call {call})", active_collective.collective)
            }
            None => format!("MPI_Recv from rank {source} with tag {tag} (call {call})"),
        }
    }
}
