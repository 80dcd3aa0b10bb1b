//! Flows of ranks: a dry run of their calls.

use super::{Flow, Flows, Senders};
use crate::exchange::{Exchange, Part, Sent};
use crate::trace::Trace;
use mpi::{Call, DryRun, WorldNetworks};
use std::collections::HashMap;
use std::sync::Arc;

/// The flows of a part of a kernel's program, once.
pub(crate) struct OfKernel {
    pub ranks: u32,
    pub exchange: Arc<dyn Exchange>,
    pub part: Part,
    pub world: WorldNetworks,
}

impl Senders for OfKernel {
    fn tell(&self, source: u32, hear: &mut dyn FnMut(Flow)) {
        let mut hear_sent = |sent: Sent| {
            let Sent { target, bytes, messages } = sent;
            hear(Flow { target, bytes: bytes * messages, messages, hops: None });
        };
        if self.part == Part::Iteration && self.exchange.tell_sent(source, &mut hear_sent) {
            return;
        }
        let rank = DryRun::new(source, self.ranks, &self.exchange.communicators(source));
        let mut rank = rank.beside(self.world);
        let calls = (0..).map_while(|step| self.exchange.call_of(self.part, source, step));
        let mut flows = Merged::default();
        calls.for_each(|call| read(&mut rank, &call, &mut |flow| flows.add(flow)));
        flows.all.into_iter().for_each(hear);
    }
}

/// Flows of one source, those of a length to a target as one: ranks send the same again and again to few others.
#[derive(Default)]
struct Merged {
    all: Vec<Flow>,
    /// Where the flow of a target and a length is.
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

struct OfTrace(Arc<Trace>, WorldNetworks);

impl Senders for OfTrace {
    fn tell(&self, source: u32, hear: &mut dyn FnMut(Flow)) {
        let mut rank = DryRun::new(source, self.0.ranks(), &[]).beside(self.1);
        self.0.rank(source).for_each_call(|call| read(&mut rank, call, hear));
    }
}

/// The flows of a trace whose collectives go on these networks beside the torus.
pub fn of_trace(trace: Arc<Trace>, world: WorldNetworks) -> Flows {
    Flows::of_ranks(trace.ranks(), Vec::new(), 1, OfTrace(trace, world))
}

fn read(rank: &mut DryRun, call: &Call, hear: &mut dyn FnMut(Flow)) {
    rank.read(call, &mut |target, bytes| hear(Flow { target, bytes, messages: 1, hops: None }));
}
