//! Flows of ranks, found by a dry run of their calls.

use super::{Flow, Flows, Round, Senders};
use crate::exchange::{Exchange, Part, Sent};
use mpi::{Call, DryRun, DryStep, Selection};
use std::collections::HashMap;
use std::sync::Arc;
use traces::Trace;

/// The flows of one execution of a part of a kernel's program.
pub(crate) struct OfKernel {
    pub ranks: u32,
    pub exchange: Arc<dyn Exchange>,
    pub part: Part,
    pub selection: Selection,
}

impl Senders for OfKernel {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        let mut visit_sent = |sent: Sent| {
            let Sent { target, bytes, messages } = sent;
            visit(Flow { target, bytes: bytes * messages, messages, hops: None });
        };
        if self.part == Part::Iteration && self.exchange.report_sent(source, &mut visit_sent) {
            return;
        }
        let (mut rank, mut flows) = (self.rank(source), Merged::default());
        self.calls(source).for_each(|call| read(&mut rank, &call, &mut |flow| flows.add(flow)));
        flows.all.into_iter().for_each(visit);
    }

    /// None if the exchange reports the messages of `source` without its calls: their rounds are not known.
    fn rounds(&self, source: u32) -> Option<Vec<Round>> {
        if self.part == Part::Iteration && self.exchange.report_sent(source, &mut |_| {}) {
            return None;
        }
        let (mut rank, mut rounds) = (self.rank(source), Rounds::default());
        for call in self.calls(source) {
            call.kind().into_iter().for_each(|kind| rounds.current.calls.add(kind));
            rank.follow(&call, &mut |step| rounds.add(step));
        }
        Some(rounds.end())
    }
}

impl OfKernel {
    fn rank(&self, source: u32) -> DryRun {
        DryRun::new(source, self.ranks, &self.exchange.communicators(source)).selecting(self.selection)
    }

    fn calls(&self, source: u32) -> impl Iterator<Item = Call> {
        (0..).map_while(move |step| self.exchange.call_of(self.part, source, step))
    }
}

/// The rounds of a rank, as its calls are read.
#[derive(Default)]
struct Rounds {
    ended: Vec<Round>,
    flows: Merged,
    current: Round,
    received: u64,
}

impl Rounds {
    fn add(&mut self, step: DryStep) {
        match step {
            DryStep::Send { target, bytes } => {
                self.flows.add(Flow { target, bytes, messages: 1, hops: None })
            }
            DryStep::Receive => self.received += 1,
            DryStep::EndRound => self.end_round(),
            DryStep::Wait if self.received > 0 => self.end_round(),
            DryStep::Wait | DryStep::NextRound => {}
            DryStep::Compute { processor_cycles } => {
                self.current.compute_processor_cycles += processor_cycles
            }
        }
    }

    fn end_round(&mut self) {
        let flows = std::mem::take(&mut self.flows).all;
        let received = Some(std::mem::take(&mut self.received));
        self.ended.push(Round { flows, received, ..std::mem::take(&mut self.current) });
    }

    fn end(mut self) -> Vec<Round> {
        if self.current != Round::default() || !self.flows.all.is_empty() || self.received > 0 {
            self.end_round();
        }
        self.ended
    }
}

/// Flows of one source, merged by target and length: a rank sends equal messages repeatedly to few other ranks.
#[derive(Default)]
struct Merged {
    all: Vec<Flow>,
    /// The index in `all` of the flow with this target and message length.
    known: HashMap<(u32, u64), usize>,
}

impl Merged {
    /// Adds a message.
    fn add(&mut self, message: Flow) {
        let place = *self.known.entry((message.target, message.bytes)).or_insert(self.all.len());
        match self.all.get_mut(place) {
            Some(flow) => {
                flow.bytes += message.bytes;
                flow.messages += message.messages;
            }
            None => self.all.push(message),
        }
    }
}

struct OfTrace(Arc<Trace>, Selection);

impl Senders for OfTrace {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        let part = self.0.rank(source);
        let mut rank = DryRun::new(source, self.0.ranks(), part.communicators()).selecting(self.1);
        part.for_each_call(|call| read(&mut rank, call, visit));
    }
}

/// The flows of a trace, with algorithms of collectives chosen by `selection`.
pub fn of_trace(trace: Arc<Trace>, selection: Selection) -> Flows {
    Flows::of_ranks(trace.ranks(), Vec::new(), 1, OfTrace(trace, selection))
}

/// Counted flows, by source.
struct Counted(Vec<Vec<Flow>>);

impl Senders for Counted {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        self.0[source as usize].iter().for_each(|flow| visit(*flow));
    }
}

/// The flows that a run has counted between `ranks` ranks. Each pair is (source, target, messages, bytes).
pub fn counted(ranks: u32, pairs: impl IntoIterator<Item = (u32, u32, u64, u64)>) -> Flows {
    let mut of_sources = vec![Vec::new(); ranks as usize];
    for (source, target, messages, bytes) in pairs {
        if let Some(flows) = of_sources.get_mut(source as usize).filter(|_| target < ranks) {
            flows.push(Flow { target, bytes, messages, hops: None });
        }
    }
    Flows::of_ranks(ranks, Vec::new(), 1, Counted(of_sources))
}

fn read(rank: &mut DryRun, call: &Call, visit: &mut dyn FnMut(Flow)) {
    rank.read(call, &mut |target, bytes| visit(Flow { target, bytes, messages: 1, hops: None }));
}
