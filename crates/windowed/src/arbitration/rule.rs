//! The requests that a [rule](network::arbitration) prefers, as sets of inputs.

use crate::buffers::Buffers;
use crate::sets::{BitSet, prefer};
use crate::specialization::Specialization;
use crate::timestamped::Timestamped;
use crate::visit::Visit;
use base::draws::{Draws, Purpose};
use network::arbitration::{Arbiter, ArbitrationRule, HeadPacket};
use std::cmp::Ordering;

/// The head packet of an input.
struct Waiting<'v, 'a, F: Specialization> {
    visit: &'v Visit<'a, F>,
    input: usize,
    now: u64,
}

impl<F: Specialization> HeadPacket for Waiting<'_, '_, F> {
    fn offered(&self) -> u64 {
        let Waiting { visit, input, now } = *self;
        let store = &*visit.store;
        let offered = match (input.checked_sub(F::VC_INPUTS), store.endpoints()) {
            (None, _) => store.buffers.timestamped(visit.packet_index(input, 0)).offered(),
            (Some(fifo), None) => store.heads[visit.local * store.layout.fifos + fifo].offered(),
            (Some(fifo), Some(endpoints)) => {
                let head = endpoints.fifos().head(visit.local, fifo);
                return head.expect("a packet makes the request").stored.offered;
            }
        };
        store.far.cycle(offered, now)
    }

    fn fullness(&self) -> u8 {
        let Waiting { visit, input, .. } = *self;
        let occupied = visit.node.queues.occupied[input];
        match input < F::VC_INPUTS {
            true => visit.fabric.quarter(input % F::VCS, occupied),
            false => occupied,
        }
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// The rule of a receiver or a sender in this cycle. Forms without options have those of the hardware.
    #[inline(always)]
    pub(super) fn rule(&self, draws: Draws, purpose: Purpose, port: usize) -> ArbitrationRule {
        let bits = || draws.draw(purpose, port);
        match F::HAS_OPTIONS {
            true => self.fabric.rule_of_cycle(bits),
            false if self.fabric.longest_queue_share.decide(bits) => ArbitrationRule::LongestQueue,
            false => ArbitrationRule::Random,
        }
    }

    /// The inputs that a rule prefers at an arbiter, at least one if there are any. Uniform machines compute the longest
    /// queues in any case, because the branch would be unpredictable.
    #[inline(always)]
    pub(super) fn preferred_by(
        &self,
        now: i32,
        rule: ArbitrationRule,
        arbiter: Arbiter,
        inputs: F::Inputs,
    ) -> F::Inputs {
        if F::HAS_OPTIONS && rule.needs_options() {
            return self.first_by(self.cycle(now), rule, arbiter, inputs);
        }
        let is_longest_queue = rule == ArbitrationRule::LongestQueue;
        let is_computed = F::IS_UNIFORM || is_longest_queue;
        let longest = if is_computed { self.longest_queues(inputs) } else { inputs };
        if is_longest_queue { longest } else { inputs }
    }

    /// The queues in the fullest quarter of their buffers first (S16).
    #[inline(always)]
    fn longest_queues(&self, inputs: F::Inputs) -> F::Inputs {
        let reaches = |quarter: usize| {
            F::at_least(inputs, &self.node.queues.occupied, &self.store.layout.quarter_thresholds[quarter])
        };
        let (second, third, last) = (reaches(0), reaches(1), reaches(2));
        prefer(prefer(inputs, third), last | (second & !third))
    }

    /// The inputs that any rule prefers, found one by one.
    fn first_by(&self, now: u64, rule: ArbitrationRule, arbiter: Arbiter, inputs: F::Inputs) -> F::Inputs {
        let memory = arbiter.memory(self.store.memories_of(self.local));
        let (mut lowest, mut first) = (u64::MAX, F::Inputs::default());
        for input in inputs.iter() {
            let number = Self::origin(input).number_at(arbiter);
            let place = rule.place(number, &Waiting { visit: self, input, now }, memory);
            match place.cmp(&lowest) {
                Ordering::Less => (lowest, first) = (place, F::Inputs::only(input)),
                Ordering::Equal => first |= F::Inputs::only(input),
                Ordering::Greater => {}
            }
        }
        first
    }
}
