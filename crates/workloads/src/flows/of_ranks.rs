//! Flows of ranks: a dry run of their calls.

use super::{Flow, Flows, Senders};
use crate::exchange::{Exchange, Part, Sent};
use crate::trace::Trace;
use mpi::{Call, DryRun, WorldNetworks};
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
        calls.for_each(|call| read(&mut rank, &call, hear));
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
