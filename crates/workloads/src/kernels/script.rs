//! Programs of ranks as lists of steps, which ranks that are alike share.
//!
//! ```text
//!   rank --> class --> Script: before, iteration, after      a list of steps: Send { peer: 3, length: 1, .. }
//!     '--------------------------> Roles: who peer 3 is, and how long length 1
//! ```
//!
//! A benchmark has few classes of ranks, such as those at the edges of a grid, so that a call of a rank is looked up in
//! a list, and only its peer and its length are computed.

use super::Exchange;
use mpi::{Call, Collective, Given, Needed, Requests, WORLD};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A part of the computation of an iteration, all of which are equal. The first is 0.
    Compute(u64),
    Send {
        peer: u32,
        tag: u32,
        length: u32,
    },
    SendNonBlocking {
        peer: u32,
        tag: u32,
        length: u32,
        request: u32,
    },
    Receive {
        peer: u32,
        tag: u32,
    },
    ReceiveNonBlocking {
        peer: u32,
        tag: u32,
        request: u32,
    },
    /// A wait for all of these requests.
    Wait {
        first: u32,
        count: u32,
    },
    /// A collective on a communicator.
    Collective(Collective, u32),
}

/// The peers of a rank, and the lengths of its messages.
pub(super) trait Roles: Debug + Send + Sync {
    /// The rank that is peer `number` of a rank.
    fn peer(&self, rank: u32, number: u32) -> u32;

    /// Length `number` in bytes of the messages that a rank sends.
    fn bytes(&self, rank: u32, number: u32) -> u64;

    /// The communicators that a rank is in from the start, in addition to that of all ranks.
    fn communicators(&self, _rank: u32) -> Vec<Given> {
        Vec::new()
    }

    /// The periodic grid of ranks under whose translations all ranks are alike; empty if they are not.
    fn grid(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// Steps in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    pub fn compute(&mut self) {
        self.0.push(Step::Compute(0));
    }

    pub fn send(&mut self, peer: u32, tag: u32, length: u32) {
        self.0.push(Step::Send { peer, tag, length });
    }

    pub fn receive(&mut self, peer: u32, tag: u32) {
        self.0.push(Step::Receive { peer, tag });
    }

    pub fn begin_send(&mut self, peer: u32, tag: u32, length: u32, request: u32) {
        self.0.push(Step::SendNonBlocking { peer, tag, length, request });
    }

    pub fn begin_receive(&mut self, peer: u32, tag: u32, request: u32) {
        self.0.push(Step::ReceiveNonBlocking { peer, tag, request });
    }

    pub fn wait(&mut self, first: u32, count: u32) {
        self.0.push(Step::Wait { first, count });
    }

    /// Posts a receive, sends a message, and waits for the receive.
    pub fn exchange(&mut self, peer: u32, tag: u32, length: u32) {
        self.begin_receive(peer, tag, 0);
        self.send(peer, tag, length);
        self.wait(0, 1);
    }

    /// A collective of all ranks.
    pub fn collective(&mut self, collective: Collective) {
        self.collective_in(collective, WORLD);
    }

    pub fn collective_in(&mut self, collective: Collective, communicator: u32) {
        self.0.push(Step::Collective(collective, communicator));
    }

    /// Numbers the computations, or removes them if nothing is computed; returns their number.
    fn settle(&mut self, computes: bool) -> u64 {
        self.0.retain(|step| computes || !matches!(step, Step::Compute(_)));
        let mut computations = 0;
        for step in &mut self.0 {
            if let Step::Compute(number) = step {
                *number = computations;
                computations += 1;
            }
        }
        computations
    }
}

/// The steps of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub before: Steps,
    pub iteration: Steps,
    pub after: Steps,
}

/// The exchange of ranks that follow scripts.
#[derive(Clone, Debug)]
pub(super) struct Scripted<R> {
    roles: R,
    scripts: Vec<Script>,
    /// Computations in an iteration of each script.
    computations: Vec<u64>,
    /// The number of each rank's script.
    script_of: Vec<u32>,
    /// Processor cycles that a rank computes in an iteration.
    compute_processor_cycles: u64,
}

impl<R: Roles> Scripted<R> {
    /// Ranks of the same class follow the same script.
    pub fn new<C: Hash + Eq + Clone>(
        ranks: u32,
        roles: R,
        compute_processor_cycles: u64,
        class_of: impl Fn(u32) -> C,
        script_of: impl Fn(&C) -> Script,
    ) -> Self {
        let mut known = HashMap::new();
        let mut scripts: Vec<Script> = Vec::new();
        let number_of = |rank| {
            let class = class_of(rank);
            *known.entry(class).or_insert_with_key(|class| {
                scripts.push(script_of(class));
                (scripts.len() - 1) as u32
            })
        };
        let script_of = (0..ranks).map(number_of).collect();
        let computes = compute_processor_cycles > 0;
        let computations = scripts.iter_mut().map(|script| {
            script.before.settle(false);
            script.after.settle(false);
            script.iteration.settle(computes)
        });
        let computations = computations.collect();
        Scripted { roles, scripts, computations, script_of, compute_processor_cycles }
    }

    /// All ranks follow the same script.
    pub fn alike(ranks: u32, roles: R, compute_processor_cycles: u64, script: &Script) -> Self {
        Self::new(ranks, roles, compute_processor_cycles, |_| (), |()| script.clone())
    }

    fn script(&self, rank: u32) -> &Script {
        &self.scripts[self.script_of[rank as usize] as usize]
    }

    fn call_at(&self, steps: &Steps, rank: u32, step: u32) -> Option<Call> {
        let peer = |number| self.roles.peer(rank, number);
        let bytes = |number| self.roles.bytes(rank, number);
        Some(match steps.0.get(step as usize)?.clone() {
            Step::Compute(number) => Call::Compute { cycles: self.cycles(rank, number) },
            Step::Send { peer: to, tag, length } => {
                Call::Send { target: peer(to), tag, bytes: bytes(length) }
            }
            Step::SendNonBlocking { peer: to, tag, length, request } => {
                Call::SendNonBlocking { target: peer(to), tag, bytes: bytes(length), request }
            }
            Step::Receive { peer: from, tag } => Call::Receive { source: Some(peer(from)), tag: Some(tag) },
            Step::ReceiveNonBlocking { peer: from, tag, request } => {
                Call::ReceiveNonBlocking { source: Some(peer(from)), tag: Some(tag), request }
            }
            Step::Wait { first, count } => {
                Call::Wait { requests: Requests::range(first, count), needed: Needed::All }
            }
            Step::Collective(collective, WORLD) => Call::Collective(collective),
            Step::Collective(collective, communicator) => {
                Call::Collect { collective, communicator, request: None, tuning: Box::default() }
            }
        })
    }

    /// The length of a computation. The lengths differ by a cycle at most, and sum to those of an iteration.
    fn cycles(&self, rank: u32, number: u64) -> u64 {
        let (whole, parts) = (
            u128::from(self.compute_processor_cycles),
            u128::from(self.computations[self.script_of[rank as usize] as usize]),
        );
        let until = |number: u64| whole * u128::from(number) / parts;
        (until(number + 1) - until(number)) as u64
    }
}

impl<R: Roles> Exchange for Scripted<R> {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        self.call_at(&self.script(rank).iteration, rank, step)
    }

    fn call_before(&self, rank: u32, step: u32) -> Option<Call> {
        self.call_at(&self.script(rank).before, rank, step)
    }

    fn call_after(&self, rank: u32, step: u32) -> Option<Call> {
        self.call_at(&self.script(rank).after, rank, step)
    }

    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.roles.communicators(rank)
    }

    fn grid(&self) -> Vec<u32> {
        self.roles.grid()
    }
}
