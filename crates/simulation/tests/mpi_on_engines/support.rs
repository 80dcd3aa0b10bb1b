//! Programs that make listed calls, and machines that run them on an engine.

use base::ParameterError;
use base::checkpoint::{FrameReader, FrameWriter};
use base::clock::ClockRatio;
use geometry::Shape;
use messaging::{
    BegunRound, Borders, Interval, Mapping, Messages, MessagingBuilder, Order, Parameters, Progress, RankMap,
    Ranks, Recorder, Report, Totals, ranks_of,
};
use mpi::{
    Answer, Call, Caller, Choice, Choices, CollectiveNetworks, Costs, Given, Grid, Members, Mpi, Operation,
    Outcome, Outside, OutsideRanks, PingPong, Program, Programs, Selection, Status, Stop, Transfer, WakeUp,
    exchange, set_up,
};
use network::{Engine, Traffic};
use proptest::prelude::*;
use proptest::sample::Index;
use reference::ReferenceEngine;
use std::sync::{Arc, Mutex};
use windowed::new_engine;

/// The calls and messages that the ranks of a run have seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Messages received: rank, time, status.
    pub received: Vec<(u32, u64, Status)>,
    /// The time at which each rank made each of its calls, including its end, by rank.
    pub times: Vec<Vec<u64>>,
    /// The outcomes of each rank's calls, by rank.
    pub outcomes: Vec<Vec<Outcome>>,
}

/// A list of calls, whose outcomes go to a record.
#[derive(Clone)]
pub struct Listed {
    rank: u32,
    calls: Arc<Vec<Vec<Call>>>,
    position: usize,
    record: Arc<Mutex<Record>>,
    given: Vec<Given>,
}

impl Listed {
    /// The programs of ranks that make the given calls.
    pub fn programs(calls: Vec<Vec<Call>>) -> (Arc<Mutex<Record>>, u32, impl Fn(u32) -> Listed + Clone) {
        let ranks = calls.len();
        let (times, outcomes) = (vec![vec![]; ranks], vec![vec![]; ranks]);
        let record = Arc::new(Mutex::new(Record { times, outcomes, ..Record::default() }));
        let (kept, calls) = (record.clone(), Arc::new(calls));
        let program = move |rank| Listed {
            rank,
            calls: calls.clone(),
            position: 0,
            record: record.clone(),
            given: Vec::new(),
        };
        (kept, ranks as u32, program)
    }

    /// This program, with a communicator of its rank alone from the start.
    pub fn with_self(self) -> Self {
        Listed { given: vec![Members::list([self.rank]).into()], ..self }
    }
}

impl Program for Listed {
    type State = usize;

    fn next(&mut self, time: u64, outcome: &Outcome) -> Option<Call> {
        let mut record = self.record.lock().unwrap();
        let calls = &self.calls[self.rank as usize];
        let is_receive = |call: &Call| matches!(call, Call::Receive { .. } | Call::MatchedReceive { .. });
        if let Some(before) = self.position.checked_sub(1).and_then(|before| calls.get(before)) {
            record.outcomes[self.rank as usize].push(*outcome);
            if is_receive(before) {
                record.received.extend(outcome.received.map(|status| (self.rank, time, status)));
            }
        }
        record.times[self.rank as usize].push(time);
        self.position += 1;
        calls.get(self.position - 1).map(|call| with_handle(call.clone(), outcome))
    }

    fn communicators(&self) -> Vec<Given> {
        self.given.clone()
    }

    fn state(&self) -> usize {
        self.position
    }

    fn restore(&mut self, position: usize) -> bool {
        self.position = position;
        true
    }
}

/// Right after a matched probe that has found a message, a call that receives gets that message.
fn with_handle(call: Call, probed: &Outcome) -> Call {
    match (call, probed.handle) {
        (Call::Begin { transfer: Transfer::Receive(_), request: Some(request) }, Some(handle)) => {
            Call::MatchedReceiveNonBlocking { handle, request }
        }
        (Call::Receive { .. } | Call::MatchedReceive { .. }, Some(handle)) => Call::MatchedReceive { handle },
        (Call::MatchedReceiveNonBlocking { request, .. }, Some(handle)) => {
            Call::MatchedReceiveNonBlocking { handle, request }
        }
        (call, _) => call,
    }
}

/// A machine with ranks.
#[derive(Clone, Debug)]
pub struct Machine {
    pub network: network::Parameters,
    pub parameters: Parameters,
    /// The nodes of ranks; none: in order.
    pub nodes: Option<Vec<u32>>,
    /// Whether ranks use collective networks.
    pub joins: bool,
    /// The networks that carry calls without a named algorithm, and the class routes and wires of communicators.
    pub networks: CollectiveNetworks,
    /// Whether ranks send messages along lines.
    pub deposits: bool,
    /// The choices of algorithms for collectives.
    pub choices: Choices,
}

/// A run that has ended, or has reached its last cut.
pub struct Run {
    pub engine: Box<dyn Engine>,
    pub progress: Progress,
    pub record: Record,
    pub totals: Totals,
    pub operations: mpi::Digest,
    pub finished: Vec<Option<u64>>,
    /// The time lines since the last cut.
    pub time_lines: Vec<Interval>,
    /// The first rank to begin each round of a collective since the last cut.
    pub rounds: Vec<BegunRound>,
}

impl Machine {
    /// Processors with one cycle per network cycle, so that times are easy to read.
    pub fn torus(lengths: &[u32], cores: u8) -> Self {
        let mut network = network::Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 3);
        network.node.cores = cores;
        network.node.clock = ClockRatio { processor_cycles: 1, cycles: 1 };
        Machine::of(network, Parameters::default())
    }

    /// Ranks in order, on the torus alone, with MPICH2's algorithms.
    pub fn of(network: network::Parameters, parameters: Parameters) -> Self {
        let (choices, networks) = (Choices::default(), CollectiveNetworks::default());
        Machine { network, parameters, nodes: None, joins: false, networks, deposits: false, choices }
    }

    pub fn with_nodes(self, nodes: &[u32]) -> Self {
        Machine { nodes: Some(nodes.to_vec()), ..self }
    }

    pub fn traffic<C: Caller>(
        &self,
        ranks: u32,
        caller: impl Fn(u32) -> C + Send + Sync + 'static,
    ) -> Traffic {
        self.traffic_with(self.costs(), ranks, caller)
    }

    /// The traffic at other costs of calls.
    fn traffic_with<C: Caller>(
        &self,
        costs: Costs,
        ranks: u32,
        caller: impl Fn(u32) -> C + Send + Sync + 'static,
    ) -> Traffic {
        let (shape, cores) = (&self.network.shape, self.network.node.cores);
        let map = match &self.nodes {
            Some(nodes) => RankMap::on_nodes(nodes, shape, cores),
            None => Mapping::Order(Order::cores_last(shape.dimensions())).place(ranks, &[], &self.network),
        };
        let new_ranks = move |slots: &[Option<u32>]| -> Box<dyn Ranks> {
            Box::new(Mpi::new(costs, ranks, slots, &caller).observed())
        };
        let (network, parameters) = (&self.network, &self.parameters);
        let builder = MessagingBuilder::new(network, parameters, map.unwrap(), Messages::ANY, new_ranks);
        let builder = builder.unwrap().observed(|| Box::new(Recorder::default()));
        let builder = if self.joins { builder.on_collective_networks() } else { builder };
        let builder = if self.deposits { builder.depositing() } else { builder };
        Traffic::Software(Arc::new(builder))
    }

    pub fn costs(&self) -> Costs {
        let sends_take_time = !self.parameters.sends_at_once(&self.network);
        let grid = self.nodes.is_none().then(|| self.grid());
        let (choices, networks, seed) = (self.choices, self.networks, self.network.seed);
        let selection = Selection { networks, choices, grid, seed, ..Selection::default() };
        Costs { selection, ..Costs::of(&self.parameters, sends_take_time, self.network.packet.chunk_bytes) }
    }

    /// The lengths of the machine, and the cores of a node.
    pub fn lengths(&self) -> Vec<u32> {
        let cores = u32::from(self.network.node.cores);
        self.network.shape.lengths().iter().copied().chain([cores]).collect()
    }

    /// All cores in the order of ranks.
    pub fn grid(&self) -> Grid {
        let shape = &self.network.shape;
        let wraps: Vec<bool> = (0..shape.dimensions()).map(|dimension| shape.wraps(dimension)).collect();
        let twist = shape.twist().unwrap_or_default();
        let shifts: Vec<(usize, usize, u32)> =
            twist.shifts().map(|(across, along, by)| (across, along, by as u32)).collect();
        Grid::new(&self.lengths(), &[wraps, vec![true]].concat()).with_shifts(&shifts)
    }

    /// The borders for ranks outside the simulator.
    pub fn borders(&self, engine: &dyn Engine) -> Result<Borders, ParameterError> {
        Borders::new(engine, self.network.node.clock, &self.parameters.call_processor_cycles)
    }

    /// The reference engine for 0 threads.
    pub fn engine(&self, threads: usize, traffic: Traffic) -> Box<dyn Engine> {
        match threads {
            0 => Box::new(ReferenceEngine::new(self.network.clone(), traffic)),
            _ => new_engine(self.network.clone(), traffic, threads),
        }
    }

    fn report<'a>(&self, engine: &'a dyn Engine) -> Report<'a> {
        Report::of(engine, self.network.node.clock).expect("the nodes have software")
    }

    /// Runs listed calls to the end, or to the last of these cycles. At the others, the engine is replaced by
    /// another that continues from its checkpoint.
    pub fn run(
        &self,
        threads: usize,
        cuts: &[u64],
        (record, ranks, program): (
            Arc<Mutex<Record>>,
            u32,
            impl Fn(u32) -> Listed + Clone + Send + Sync + 'static,
        ),
    ) -> Run {
        let traffic = self.traffic(ranks, program);
        let mut engine = self.engine(threads, traffic.clone());
        for (number, &cut) in cuts.iter().enumerate() {
            while let Some(next) = engine.next_event().filter(|&next| next < cut) {
                engine.advance((next + 1000).min(cut));
            }
            if number + 1 < cuts.len() {
                let mut checkpoint = Vec::new();
                engine.save(&mut FrameWriter::new(&mut checkpoint)).expect("memory takes what is written");
                let more = if threads == 0 { 0 } else { threads + number + 1 };
                engine = self.engine(more, traffic.clone());
                let resumed = engine.restore(&mut FrameReader::new(&mut &checkpoint[..]));
                resumed.expect("what was saved can be restored");
            }
        }
        self.end::<Listed>(engine, &record)
    }

    /// Runs listed calls to the end, at other costs of calls. Also returns the end of each rank, in processor
    /// cycles.
    pub fn run_with_costs(&self, costs: Costs, calls: &[Vec<Call>]) -> (Record, Progress, Vec<u64>) {
        let (record, ranks, program) = Listed::programs(calls.to_vec());
        let mut engine = self.engine(1, self.traffic_with(costs, ranks, program));
        while let Some(next) = engine.next_event() {
            engine.advance(next + 1000);
        }
        let run = self.end::<Listed>(engine, &record);
        let finished = run.record.times.iter().map(|times| *times.last().expect("each has ended")).collect();
        (run.record, run.progress, finished)
    }

    /// Runs listed calls outside the simulator to the end, in slices of the given lengths, repeated cyclically.
    pub fn run_outside(
        &self,
        threads: usize,
        slices: &[u64],
        (record, ranks, program): (
            Arc<Mutex<Record>>,
            u32,
            impl Fn(u32) -> Listed + Clone + Send + Sync + 'static,
        ),
    ) -> Run {
        let mut engine = self.engine(threads, self.traffic(ranks, |_| Outside));
        let borders = self.borders(&*engine).expect("calls cost enough");
        let mut programs = Ordered { programs: Programs::new(ranks, program), last: None };
        set_up(&mut ranks_of(&mut *engine), &programs);
        let mut slices = slices.iter().cycle();
        while engine.next_event().is_some() {
            let until = engine.now().saturating_add(*slices.next().expect("there is a length"));
            borders
                .advance(&mut *engine, until, |parts| exchange(parts, &mut programs))
                .expect("listed calls end by themselves");
        }
        self.end::<Outside>(engine, &record)
    }

    fn end<C: Caller>(&self, engine: Box<dyn Engine>, record: &Mutex<Record>) -> Run {
        let report = self.report(&*engine);
        let mut operations = mpi::Digest::default();
        for ranks in report.ranks() {
            let mpi: &Mpi<C> = ranks.as_any().downcast_ref().expect("all callers are of one kind");
            operations.add(mpi.digest());
        }
        let (progress, totals) = (report.progress(), report.totals());
        let (finished, time_lines, rounds) = (report.finish_cycles(), report.time_lines(), report.rounds());
        let mut record = record.lock().unwrap().clone();
        record.received.sort_by_key(|(rank, time, _)| (*time, *rank));
        Run { engine, progress, record, totals, operations, finished, time_lines, rounds }
    }

    /// The way in which programs end, if they do so within a million cycles.
    pub fn progress<P: Program>(
        &self,
        ranks: u32,
        program: impl Fn(u32) -> P + Send + Sync + 'static,
    ) -> Progress {
        let mut engine = self.engine(1, self.traffic(ranks, program));
        engine.advance(1_000_000);
        self.report(&*engine).progress()
    }

    /// The one-way times of a ping-pong, in order.
    pub fn one_way_times(
        &self,
        program: &(impl Fn(u32) -> PingPong + Clone + Send + Sync + 'static),
    ) -> Vec<u64> {
        let mut engine = self.engine(1, self.traffic(2, program.clone()));
        while let Some(next) = engine.next_event() {
            engine.advance(next + 1000);
        }
        let report = self.report(&*engine);
        let mut programs: Vec<_> = report
            .slots()
            .map(|(ranks, slot)| {
                let mpi: &Mpi<PingPong> = ranks.as_any().downcast_ref().expect("the ranks play ping-pong");
                (slot.rank, mpi.program(slot).clone())
            })
            .collect();
        programs.sort_by_key(|(rank, _)| *rank);
        let times = |from: usize, to: usize| {
            let pairs = programs[from].1.sent().iter().zip(programs[to].1.received()).collect::<Vec<_>>();
            pairs.into_iter().map(|(sent, received)| received - sent).collect::<Vec<_>>()
        };
        times(0, 1).into_iter().zip(times(1, 0)).flat_map(|(there, back)| [there, back]).collect()
    }
}

/// Programs that are woken up in order of time and rank, in any batches, and answer in no order.
struct Ordered {
    programs: Programs<Listed>,
    last: Option<(u64, u32)>,
}

impl OutsideRanks for Ordered {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.programs.communicators(rank)
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        for wake_up in &batch {
            let last = self.last.replace((wake_up.time, wake_up.rank));
            assert!(last < self.last, "{wake_up:?} after {last:?}");
        }
        self.programs.begin(batch);
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        let mut answers = self.programs.collect()?;
        answers.reverse();
        Ok(answers)
    }
}

/// Any choices of algorithms; half of the machines have MPICH2's.
pub fn choices() -> impl Strategy<Value = Choices> {
    let named = |(operation, index): (usize, Index)| {
        let operation = Operation::NAMES[operation].1;
        let algorithms: Vec<_> = operation.selectable().collect();
        (operation, Choice::Named(*index.get(&algorithms)))
    };
    let each = (0..Operation::NAMES.len(), any::<Index>()).prop_map(named);
    let with = |choices: Choices, (operation, choice)| choices.with(operation, choice);
    let (mpich2, by_shape) = (Choices::default(), Choices::all(Choice::ByShape));
    prop_oneof![
        2 => Just(mpich2),
        1 => Just(by_shape),
        1 => prop::collection::vec(each, 1..20)
            .prop_map(move |all| all.into_iter().fold(by_shape, with)),
    ]
}

/// Cases of a property: as many as `PROPTEST_CASES` says, or `few`.
pub fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(few), max_shrink_iters: 300, ..ProptestConfig::default() }
}
