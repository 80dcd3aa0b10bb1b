//! Ranks that write any records, right ones and damaged ones, into the memory that processes share with the simulator:
//! each run has an outcome.

use crate::support::{Machine, cases};
use base::draws::mix;
use messaging::{Parameters, ranks_of};
use mpi::{Answer, Failure, Given, Outside, OutsideRanks, Stop, WakeUp, exchange, set_up};
use proptest::prelude::*;
use rank_processes::{Host, ProcessRanks, Stream};
use rank_wire::{Code, Collective, Ended, Layout, Memory, NOTHING, RankSide};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

    /// A small number, none, or any.
    fn number(&mut self) -> u64 {
        match self.below(300) {
            0 => self.next(),
            1 => u64::from(u32::MAX),
            2 => NOTHING,
            _ => self.below(4),
        }
    }

    fn optional(&mut self) -> u64 {
        if self.one_in(3) { NOTHING } else { self.number() }
    }
}

const RANKS: u32 = 4;

/// A rank, played by a thread of the test.
struct Player {
    rank: u32,
    side: RankSide,
    draws: Draws,
    /// Which numbers of requests are in use, and the number of communicators, as far as the player cares.
    requests: Vec<bool>,
    /// The numbers of persistent requests.
    persistent: Vec<u64>,
    /// The handles of messages that probes have taken.
    taken: Vec<u64>,
    communicators: u64,
    /// The seed of collectives that all ranks call in the same order, and how many there have been.
    common: (u64, u64),
    /// Batches that the rank hands over before it ends.
    left: u32,
    /// One of how many records is damaged.
    damaged: u64,
}

impl Player {
    /// A number for a new request, most often the right one.
    fn new_request(&mut self) -> u64 {
        if self.draws.one_in(40) {
            return self.draws.number();
        }
        let free = self.requests.iter().position(|used| !used).unwrap_or(self.requests.len());
        self.requests.resize(self.requests.len().max(free + 1), false);
        self.requests[free] = true;
        free as u64
    }

    /// The number of a request in use, rarely of any; none if no request is in use.
    fn used_request(&mut self) -> Option<u64> {
        let used = (0..).zip(&self.requests).filter_map(|(number, used)| used.then_some(number));
        let used: Vec<u64> = used.collect();
        self.one_of(&used)
    }

    fn one_of(&mut self, numbers: &[u64]) -> Option<u64> {
        let any = self.draws.one_in(30).then(|| self.draws.number());
        let one = self.draws.below(numbers.len().max(1) as u64) as usize;
        any.or_else(|| numbers.get(one).copied())
    }

    fn persistent_request(&mut self) -> u64 {
        let number = self.new_request();
        self.persistent.push(number);
        number
    }

    fn optional_request(&mut self) -> u64 {
        if self.draws.one_in(8) { NOTHING } else { self.new_request() }
    }

    fn communicator(&mut self) -> u64 {
        if self.draws.one_in(20) { self.draws.number() } else { self.draws.below(self.communicators) }
    }

    fn data(&mut self) -> u64 {
        let (bytes, readers) = (self.draws.below(2_000), self.draws.below(3) as u32);
        match self.draws.below(4) {
            0 => 0,
            1 if self.draws.one_in(10) => self.draws.next(),
            _ => self.side.allocate(bytes, readers).unwrap_or(0),
        }
    }

    /// The offset and the length of a list of words.
    fn list(&mut self, words: &[u64]) -> [u64; 2] {
        let at = self.side.allocate(8 * words.len() as u64, 1).unwrap_or(0);
        if let Some(to) = self.side.memory().data(at, 8 * words.len() as u64) {
            // SAFETY: the block has room for the words, and nobody reads it yet.
            unsafe { to.copy_from_nonoverlapping(words.as_ptr().cast(), 8 * words.len()) };
        }
        [at, words.len() as u64]
    }

    fn send(&mut self) -> Vec<u64> {
        let communicator = self.communicator();
        let size = if communicator == 1 { 1 } else { u64::from(RANKS) };
        let target = if self.draws.one_in(20) { self.draws.number() } else { self.draws.below(size) };
        let bytes = [0, 8, 300, 5_000][self.draws.below(4) as usize];
        let mode = if self.draws.one_in(8) { self.draws.number() } else { 0 };
        vec![communicator, target, self.draws.number(), bytes, mode, self.draws.number()]
    }

    fn receive(&mut self) -> Vec<u64> {
        let communicator = self.communicator();
        let source = if communicator == 1 { NOTHING } else { self.draws.optional() };
        vec![communicator, source, self.draws.optional(), self.draws.number()]
    }

    /// A collective on all ranks.
    fn collect(&mut self) -> Vec<u64> {
        let common = &mut Draws(mix(self.common.0 ^ self.common.1));
        self.common.1 += 1;
        let kind = common.below(17);
        let (root, bytes) = (common.below(u64::from(RANKS)), 8 * common.below(100));
        let has_root = [Collective::Bcast, Collective::Reduce, Collective::Gather, Collective::Scatter];
        let has_lists = [(Collective::Gatherv, 1), (Collective::Scatterv, 1), (Collective::Allgatherv, 1)];
        let more = [(Collective::ReduceScatter, 1), (Collective::Alltoallv, 2), (Collective::Alltoallw, 4)];
        let lists = has_lists.iter().chain(&more).find(|(other, _)| *other as u64 == kind);
        let with_root = has_root.iter().chain(&[Collective::Gatherv, Collective::Scatterv]);
        let root = if with_root.copied().any(|other| other as u64 == kind) { root } else { NOTHING };
        let bytes = if lists.is_some() || kind == 0 { 0 } else { bytes };
        let (data, is_read) = (self.data(), self.draws.below(2));
        let mut words = vec![kind, 0, self.optional_request(), root, bytes, 0, data, is_read];
        for _ in 0..lists.map_or(0, |(_, lists)| *lists) {
            let mut lengths = [(); RANKS as usize].map(|()| common.below(3) * 8).to_vec();
            if matches!(Collective::of(kind), Some(Collective::Gatherv | Collective::Scatterv))
                && root != u64::from(self.rank)
            {
                lengths = vec![lengths[self.rank as usize]];
            }
            if self.draws.one_in(50) {
                lengths.resize(self.draws.below(6) as usize, 8);
            }
            words.extend(self.list(&lengths));
        }
        words
    }

    fn end(&mut self) -> Vec<u64> {
        let used = (0..).zip(&self.requests).filter_map(|(number, used)| used.then_some(number));
        let mut numbers: Vec<u64> = used.collect();
        if self.draws.one_in(3) {
            numbers.truncate(self.draws.below(4) as usize);
        }
        // Waits are rare, since the message may never come.
        let [needed, blocks, is_heard] = [self.draws.below(3), u64::from(self.draws.one_in(20)), 1];
        let mut words = vec![needed, blocks, is_heard];
        if self.draws.one_in(2) {
            words.extend(self.list(&numbers));
        } else {
            words.extend([0, numbers.len() as u64]);
            words.extend(numbers);
        }
        words
    }

    fn record(&mut self) -> (Code, Vec<u64>) {
        let (code, words) = match self.draws.below(26) {
            0..4 => (Code::Send, {
                let mut words = self.send();
                words.extend([self.optional_request(), self.data()]);
                words
            }),
            4..8 => (Code::Receive, {
                let mut words = self.receive();
                words.push(self.new_request());
                words
            }),
            8 => (Code::SendReceive, {
                let mut words = self.send();
                words.push(self.data());
                words.extend(self.receive());
                words
            }),
            9 => (Code::SendInit, {
                let mut words = self.send();
                words.push(self.persistent_request());
                words
            }),
            10 => (Code::ReceiveInit, {
                let mut words = self.receive();
                words.push(self.persistent_request());
                words
            }),
            11 => {
                let persistent = std::mem::take(&mut self.persistent);
                self.one_of(&persistent)
                    .map_or((Code::Settle, Vec::new()), |number| (Code::Start, vec![number, self.data()]))
            }
            code @ 12..14 => self.used_request().map_or((Code::Settle, Vec::new()), |number| {
                (if code == 12 { Code::Free } else { Code::Cancel }, vec![number])
            }),
            14..17 => (Code::End, self.end()),
            17 => (Code::Probe, {
                let mut words = self.receive();
                words[3] = self.draws.below(2);
                words.push(u64::from(self.draws.one_in(20)));
                words
            }),
            18 => {
                let taken = std::mem::take(&mut self.taken);
                self.one_of(&taken).map_or((Code::Settle, Vec::new()), |handle| {
                    (Code::MatchedReceive, vec![handle, self.optional_request()])
                })
            }
            19..22 => (Code::Collect, self.collect()),
            22 => (Code::Create, {
                let all = [0, self.communicators, 0, NOTHING, 0];
                self.communicators += 1;
                all.to_vec()
            }),
            23 => (Code::Compute, vec![self.draws.number()]),
            24 => (Code::Time, Vec::new()),
            _ => match self.draws.below(40) {
                0 => (Code::Abort, vec![self.draws.number()]),
                1 => (Code::Fail, vec![self.draws.number(), self.data(), self.draws.number()]),
                2 => (Code::FreeCommunicator, vec![self.draws.number()]),
                3 => (Code::Define, {
                    let members = self.list(&[u64::from(self.rank)]);
                    vec![self.communicators, self.draws.number().wrapping_add(5), members[0], members[1]]
                }),
                4 => (Code::Measured, [(); 4].map(|()| self.draws.number()).to_vec()),
                _ => (Code::Settle, Vec::new()),
            },
        };
        (code, words)
    }

    /// Hands over records, and ends when it has handed over enough.
    fn play(&mut self, memory: &Memory) {
        let answer = self.side.wait();
        let mut ended: Vec<Ended> = Vec::new();
        self.side.take_ended(&answer, &mut ended);
        self.taken.extend((answer.handle != NOTHING as u32).then_some(u64::from(answer.handle)));
        for Ended { request, .. } in ended {
            if let Some(used) = self.requests.get_mut(request as usize) {
                *used = false;
            }
        }
        let records = if self.draws.one_in(200) { 0 } else { 1 + self.draws.below(7) };
        for _ in 0..records {
            let (code, mut words) = self.record();
            if self.draws.one_in(self.damaged) {
                match self.draws.below(3) {
                    0 => words.push(self.draws.number()),
                    1 => drop(words.pop()),
                    _ if words.is_empty() => {}
                    _ => {
                        let place = self.draws.below(words.len() as u64) as usize;
                        words[place] = self.draws.number();
                    }
                }
            }
            self.side.batch.push(code, &words);
            if self.draws.one_in(self.damaged.saturating_mul(4)) {
                let any = [self.draws.next(), self.draws.number() << 32 | self.draws.below(30)];
                self.side.batch.push_words(&any);
            }
        }
        self.left -= 1;
        if self.left == 0 {
            let finishes = !self.draws.one_in(3);
            if finishes {
                self.side.batch.push(Code::Finish, &[]);
                self.side.hand_over_and_go_on();
            }
            memory.report_death(self.rank, if finishes { 0 } else { 11 });
        } else {
            self.side.hand_over_and_go_on();
        }
    }
}

/// Counts the calls of ranks that the library takes.
struct Counted {
    ranks: ProcessRanks,
    calls: usize,
}

impl OutsideRanks for Counted {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.ranks.communicators(rank)
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        self.ranks.begin(batch);
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        let answers = self.ranks.collect()?;
        self.calls += answers.iter().map(|answer| answer.calls.len()).sum::<usize>();
        Ok(answers)
    }

    fn failure(&self, rank: u32) -> Option<Failure> {
        self.ranks.failure(rank)
    }
}

/// Ends all ranks when their thread panics, so that the run ends and the test fails.
struct EndedByPanic<'a>(&'a Memory);

impl Drop for EndedByPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (0..RANKS).for_each(|rank| self.0.report_death(rank, 6));
        }
    }
}

struct Nobody;

impl Host for Nobody {
    fn write(&mut self, _: u32, _: Stream, _: &[u8]) {}

    fn is_interrupted(&mut self) -> bool {
        false
    }
}

/// What has come of a run: how many calls the library has taken, and whether a rank has failed.
fn run(seed: u64, batches: u32, damaged: u64) -> (usize, bool) {
    let machine = Machine::torus(&[4], 1);
    let parameters = Parameters { call_processor_cycles: 50.into(), ..machine.parameters };
    let machine = Machine { parameters, ..machine };
    let layout = Layout { ranks: RANKS, far_bytes: 2 << 20 };
    let memory = Arc::new(Memory::create(layout, 7e8).expect("the host has room"));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _ended = EndedByPanic(&memory);
            let player = |rank: u32| Player {
                rank,
                side: RankSide::new(memory.clone(), rank, -1),
                draws: Draws(mix(seed ^ u64::from(rank) << 32)),
                requests: Vec::new(),
                persistent: Vec::new(),
                taken: Vec::new(),
                communicators: 2,
                common: (seed, 0),
                left: batches,
                damaged,
            };
            let mut players: Vec<Player> = (0..RANKS).map(player).collect();
            while !is_over.load(Ordering::Acquire) {
                for player in players.iter_mut().filter(|player| player.left > 0) {
                    if memory.is_running(player.rank) {
                        player.play(&memory);
                    }
                }
                std::thread::yield_now();
            }
        });
        let selection = machine.costs().selection;
        let ranks = ProcessRanks::of(memory.clone(), selection, Duration::from_secs(60), Box::new(Nobody));
        let mut ranks = Counted { ranks, calls: 0 };
        let mut engine = machine.engine(0, machine.traffic(RANKS, |_| Outside));
        let borders = machine.borders(&*engine).expect("an engine has borders");
        set_up(&mut ranks_of(&mut *engine), &ranks);
        let mut stop: Option<Stop> = None;
        while stop.is_none() && engine.next_event().is_some() && engine.now() < 1_000_000 {
            let until = engine.now() + 1_000;
            stop = borders.advance(&mut *engine, until, |parts| exchange(parts, &mut ranks)).err();
        }
        let has_failed = stop.is_some() || (0..RANKS).any(|rank| ranks.failure(rank).is_some());
        is_over.store(true, Ordering::Release);
        (ranks.calls, has_failed)
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn records_of_any_kind_have_an_outcome(seed: u64, batches in 1u32..40, damaged in 5u64..200) {
        run(seed, batches, damaged);
    }
}

#[test]
fn calls_are_made_and_ranks_fail() {
    let runs: Vec<(usize, bool)> = (0..100).map(|seed| run(seed, 20, 100)).collect();
    let calls: usize = runs.iter().map(|(calls, _)| calls).sum();
    let failures = runs.iter().filter(|(_, has_failed)| *has_failed).count();
    assert!(calls > 2_000 && (10..100).contains(&failures), "{calls} calls, {failures} failures");
}
