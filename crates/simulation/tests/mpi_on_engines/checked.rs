//! Ranks that make any calls whatsoever, of which a checker lets those pass that are right: the library takes them all.

use crate::collective_networks::{machine, with_routes};
use crate::support::{Machine, cases, choices};
use base::draws::mix;
use messaging::{MessageProtocol, Parameters, ranks_of};
use mpi::{
    Algorithm, Answer, Arguments, Call, Checkers, Collective, CommunicatorChange, Given, Layout, Lengths,
    Members, Mode, Needed, Outside, OutsideRanks, ReceiveFrom, RequestUse, Requests, Room, SendTo, Stop,
    Transfer, Tuning, TypedExchange, WORLD, WakeUp, exchange, set_up,
};
use proptest::prelude::*;
use proptest::sample::select;

/// Random numbers, one after another.
#[derive(Clone, Debug)]
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn below(&mut self, max: u64) -> u64 {
        self.next() % max
    }

    fn one_in(&mut self, max: u64) -> bool {
        self.below(max) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A small number, or any.
    fn number(&mut self) -> u32 {
        match self.below(30) {
            0 => u32::MAX,
            1 => self.next() as u32,
            _ => self.below(6) as u32,
        }
    }

    fn optional(&mut self) -> Option<u32> {
        (!self.one_in(3)).then(|| self.number())
    }

    fn bytes(&mut self) -> u64 {
        match self.below(30) {
            0 => u64::MAX,
            1 => 1 << 30,
            2 => (1 << 30) + 1,
            3 => self.next(),
            _ => self.of(&[0, 1, 8, 300, 5000]),
        }
    }

    fn lengths(&mut self, size: u32) -> Lengths {
        let count = if self.one_in(10) { self.below(9) as u32 } else { size };
        Lengths::new((0..count).map(|_| self.bytes()).collect::<Vec<_>>())
    }

    fn layout(&mut self) -> Layout {
        match self.below(6) {
            0 => Layout::Blocks(self.number()),
            1 => Layout::of(self.below(9) as u32),
            _ => Layout::Contiguous,
        }
    }

    fn send(&mut self) -> SendTo {
        let modes = [Mode::Standard, Mode::Synchronous, Mode::Buffered];
        SendTo {
            communicator: self.communicator(),
            target: self.number(),
            tag: self.number(),
            bytes: self.bytes(),
            mode: if self.one_in(100) { Mode::Ready } else { self.of(&modes) },
            layout: self.layout(),
        }
    }

    fn receive(&mut self) -> ReceiveFrom {
        let room = if self.one_in(50) { Room { bytes: 1, receive: self.number() } } else { Room::UNLIMITED };
        ReceiveFrom {
            communicator: self.communicator(),
            source: self.optional(),
            tag: self.optional(),
            layout: self.layout(),
            room,
        }
    }

    fn transfer(&mut self) -> Transfer {
        if self.one_in(2) { Transfer::Send(self.send()) } else { Transfer::Receive(self.receive()) }
    }

    fn communicator(&mut self) -> u32 {
        if self.one_in(3) { self.number() } else { WORLD }
    }

    fn request(&mut self) -> Option<u32> {
        (!self.one_in(40)).then(|| self.number())
    }

    fn requests(&mut self) -> Requests {
        match self.below(4) {
            0 => Requests::list([(); 3].map(|()| self.number())),
            _ => Requests::range(self.number(), self.number()),
        }
    }

    fn members(&mut self, size: u32) -> Members {
        match self.below(8) {
            0 => Members::Stride { first: self.number(), stride: self.number(), count: self.number() },
            1 => Members::List((0..self.below(5)).map(|_| self.number()).collect()),
            2 => Members::list((0..size).rev()),
            3 => Members::Stride { first: 0, stride: 1, count: size },
            _ => Members::All,
        }
    }

    fn collective(&mut self, size: u32) -> Collective {
        let (root, bytes) = (self.number(), self.bytes());
        match self.below(17) {
            0 => Collective::Broadcast { root, bytes },
            1 => Collective::Allreduce { bytes },
            2 => Collective::Reduce { root, bytes },
            3 => Collective::Gather { root, bytes },
            4 => Collective::Gatherv { root, lengths: self.lengths(size) },
            5 => Collective::Scatter { root, bytes },
            6 => Collective::Scatterv { root, lengths: self.lengths(size) },
            7 => Collective::Allgather { bytes },
            8 => Collective::Allgatherv { lengths: self.lengths(size) },
            9 => Collective::Alltoall { bytes },
            10 => Collective::Alltoallv { sent: self.lengths(size), received: self.lengths(size) },
            11 => Collective::ReduceScatter { lengths: self.lengths(size) },
            12 => Collective::ReduceScatterBlock { bytes },
            13 => Collective::Scan { bytes },
            14 => Collective::Exscan { bytes },
            15 => {
                let [sent, received, blocks_sent, blocks_received] = [(); 4].map(|()| self.lengths(size));
                Collective::Alltoallw(Box::new(TypedExchange {
                    sent,
                    received,
                    blocks_sent,
                    blocks_received,
                }))
            }
            _ => Collective::Barrier,
        }
    }

    fn tuning(&mut self) -> Box<Tuning> {
        let tuning = Tuning::default();
        Box::new(if self.one_in(30) { tuning.with(Algorithm::TreeNetwork) } else { tuning })
    }

    fn collect(&mut self, size: u32) -> Call {
        let (communicator, request) = (self.communicator(), self.request());
        let (collective, tuning) = (self.collective(size), self.tuning());
        Call::Collect { collective, communicator, request, tuning }
    }

    /// Any call. Few of them block.
    fn call(&mut self, size: u32) -> Call {
        let (source, tag, blocks) = (self.optional(), self.optional(), self.one_in(10));
        let (target, bytes, request) = (self.number(), self.bytes(), self.number());
        match self.below(40) {
            0..5 => Call::Begin { transfer: self.transfer(), request: self.request() },
            5 => Call::SendReceive { send: self.send(), receive: self.receive() },
            6..9 => Call::Prepare { transfer: self.transfer(), request },
            9..12 => Call::Start { requests: self.requests() },
            12 => Call::Free { request },
            13 => Call::Find { message: self.receive(), takes: self.one_in(2), blocks },
            14..17 => self.collect(size),
            17..19 => Call::Create {
                communicator: self.communicator(),
                members: (!self.one_in(4)).then(|| self.members(size)),
                new: self.number(),
                order: self.number(),
            },
            19 => Call::Define { members: self.members(size), new: self.number(), id: self.number() },
            20 => Call::FreeCommunicator { communicator: self.number() },
            21 => Call::Send { target, tag: self.number(), bytes },
            22..24 => Call::SendNonBlocking { target, tag: self.number(), bytes, request },
            24 if blocks => Call::Receive { source, tag },
            24..27 => Call::ReceiveNonBlocking { source, tag, request },
            27 if blocks => Call::Wait {
                requests: self.requests(),
                needed: self.of(&[Needed::All, Needed::Any, Needed::Some]),
            },
            27 => Call::Test { requests: self.requests() },
            28 => Call::TestAny { requests: self.requests() },
            29 => Call::TestSome { requests: self.requests() },
            30 => Call::Probe { source, tag, blocks },
            31..33 => Call::MatchedProbe { source, tag, blocks },
            33 if blocks => Call::MatchedReceive { handle: self.number() },
            33..35 => Call::MatchedReceiveNonBlocking { handle: self.number(), request },
            35 => Call::Cancel { request },
            36 if blocks => Call::Collective(self.collective(size)),
            36 => Call::Time,
            37 if self.one_in(40) => Call::Fail,
            37 if self.one_in(40) => Call::Abort { code: 3 },
            38 if self.one_in(20) => Call::Advance { until: self.bytes() },
            39 if self.one_in(20) => Call::Compute { cycles: self.bytes() },
            _ => Call::Compute { cycles: self.below(1000) },
        }
    }
}

/// A rank that makes any calls, and now and then one that all ranks make in the same order.
struct Rank {
    number: u32,
    draws: Draws,
    /// The seed of the common calls, and how many of them the rank has made.
    common: (u64, u32),
    /// Whether all ranks call what concerns all in the same order.
    is_orderly: bool,
    /// Calls to make.
    left: u32,
}

/// Whether all ranks have to make a call, and in the same order; or whether it may block for ever.
fn is_of_all(call: &Call) -> bool {
    let Arguments { communicator, send, receive, requests, collective, change, .. } = call.arguments();
    let is_joint = collective.is_some() || matches!(change, Some(CommunicatorChange::Agrees { .. }));
    let blocks = requests.is_none() && (send.is_some() || receive.is_some());
    let waits = matches!(requests, Some((_, RequestUse::Ends { blocks: true, .. })));
    is_joint && communicator != Some(ITSELF) || waits || blocks && !call.arguments().is_poll
}

/// Calls that checkers have accepted and refused.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    accepted: u32,
    refused: u32,
}

/// Ranks that try calls until a checker accepts one.
struct Anything {
    checkers: Checkers,
    ranks: Vec<Rank>,
    answers: Vec<Answer>,
    counts: Counts,
}

/// The number of the communicator of a rank alone, with which each begins.
const ITSELF: u32 = 1;

/// That communicator.
fn itself(rank: u32) -> Vec<Given> {
    vec![Members::list([rank]).into()]
}

impl Rank {
    /// A call that all ranks make: a collective, or a new communicator.
    fn common_call(&mut self, size: u32) -> Call {
        let (seed, number) = self.common;
        self.common.1 += 1;
        let (draws, new) = (&mut Draws(mix(seed ^ u64::from(number))), 100 + number);
        let communicator = WORLD;
        match draws.below(3) {
            0 => Call::Create { communicator, members: Some(draws.members(size)), new, order: 0 },
            _ => {
                let request = draws.one_in(2).then_some(new);
                let collective = draws.collective(size);
                Call::Collect { collective, communicator, request, tuning: Box::default() }
            }
        }
    }

    /// The next call that is right.
    fn next(&mut self, size: u32, checkers: &mut Checkers, counts: &mut Counts) -> Option<Call> {
        self.left = self.left.checked_sub(1)?;
        for _ in 0..100 {
            let call = if self.draws.one_in(8) {
                self.common_call(size)
            } else {
                let call = self.draws.call(size);
                if self.is_orderly && is_of_all(&call) {
                    continue;
                }
                call
            };
            match checkers.check(self.number, &call) {
                Ok(()) => {
                    counts.accepted += 1;
                    return Some(call);
                }
                Err(why) => {
                    counts.refused += 1;
                    assert!(!why.is_empty());
                }
            }
        }
        None
    }
}

impl OutsideRanks for Anything {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        itself(rank)
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        let size = self.ranks.len() as u32;
        for wake_up in batch {
            let rank = &mut self.ranks[wake_up.rank as usize];
            self.checkers.hear(&wake_up);
            let mut calls = Vec::new();
            while calls.last().is_none_or(Call::is_computation)
                && let Some(call) = rank.next(size, &mut self.checkers, &mut self.counts)
            {
                calls.push(call);
            }
            self.answers.push(Answer { rank: wake_up.rank, calls });
        }
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        Ok(std::mem::take(&mut self.answers))
    }
}

/// Runs ranks that make any calls, for a while.
fn run(machine: &Machine, ranks: u32, seed: u64, calls: u32) -> Counts {
    let selection = machine.costs().selection;
    let rank = |number: u32| Rank {
        number,
        draws: Draws(mix(seed ^ u64::from(number) << 32)),
        common: (seed, 0),
        is_orderly: seed.is_multiple_of(2),
        left: calls,
    };
    let mut programs = Anything {
        checkers: Checkers::new(ranks, itself, selection),
        ranks: (0..ranks).map(rank).collect(),
        answers: Vec::new(),
        counts: Counts::default(),
    };
    let mut engine = machine.engine(0, machine.traffic(ranks, |_| Outside));
    let borders = machine.borders(&*engine).unwrap();
    set_up(&mut ranks_of(&mut *engine), &programs);
    while engine.next_event().is_some() && engine.now() < 100_000 {
        let until = engine.now() + 1000;
        borders.advance(&mut *engine, until, |parts| exchange(parts, &mut programs)).unwrap();
    }
    programs.counts
}

/// Machines under all protocols, also with collective networks that carry what they can.
fn machines() -> impl Strategy<Value = Machine> {
    let protocols = select(MessageProtocol::ALL);
    let lengths_and_cores = select(vec![(vec![2, 2], 2), (vec![4, 2], 1)]);
    (protocols, lengths_and_cores, any::<bool>(), choices()).prop_map(
        |(protocol, (lengths, cores), joins, choices)| {
            let mut machine = match joins {
                true => with_routes(machine(&lengths, cores), 2, 1),
                false => Machine::torus(&lengths, cores),
            };
            (machine.networks.tree, machine.networks.interrupts) = (joins, joins);
            let (call_processor_cycles, read_processor_cycles) = (50.into(), 20);
            let parameters =
                Parameters { protocol, call_processor_cycles, read_processor_cycles, ..machine.parameters };
            Machine { parameters, choices, ..machine }
        },
    )
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn what_a_checker_accepts_the_library_takes(machine in machines(), seed: u64, calls in 1u32..60) {
        run(&machine, 8, seed, calls);
    }
}

#[test]
fn checkers_accept_and_refuse() {
    let machine = Machine::torus(&[4, 2], 1);
    let parameters = Parameters { call_processor_cycles: 50.into(), ..machine.parameters };
    let machine = Machine { parameters, ..machine };
    let all = (0..20).map(|seed| run(&machine, 8, seed, 60));
    let counts = all.fold(Counts::default(), |all, of| Counts {
        accepted: all.accepted + of.accepted,
        refused: all.refused + of.refused,
    });

    assert!(counts.accepted > 1000 && counts.refused > 1000, "{counts:?}");
}
