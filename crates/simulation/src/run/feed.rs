//! Whether a run can continue, and the measurements of its ranks.

use super::JobEnd;
use crate::result::LinkFigures;
use crate::scenario::Scenario;
use base::bytes::Name;
use base::clock::ClockRatio;
use messaging::{Aborted, End, Progress, Ranks, Report, Stuck};
use mpi::{Caller, Digest, Mpi, Outside, PingPong, Sent};
use network::Engine;
use serde::{Deserialize, Serialize};
use traces::{CallCounts, Part, Trace, TraceError};
use workloads::exchange::{Figures, KernelProgram, RankTimes};
use workloads::ranks::CollectiveRun;
use workloads::trace::Replay;
use workloads::{JobPlan, RankWork};

const PS_PER_SECOND: f64 = 1e12;

/// Whether the run can continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FeedState {
    /// Events are pending.
    Running,
    /// All packets have been delivered, and all ranks have finished.
    Finished,
    /// Packets are in flight, but none can move.
    Blocked,
    /// Ranks wait for messages that will never be sent.
    Stuck(Stuck),
    /// A rank has ended otherwise than with `MPI_Finalize`; others may continue.
    Aborted(Aborted),
}

/// The state of a run, which may be one of several jobs.
pub(super) fn state(engine: &mut dyn Engine, clock: ClockRatio, jobs: &[JobPlan]) -> FeedState {
    match Report::of(engine, clock).map(|report| report.progress()) {
        None => source_state(engine),
        Some(Progress::Running) => FeedState::Running,
        Some(Progress::Blocked) => FeedState::Blocked,
        Some(Progress::Aborted(aborted)) => FeedState::Aborted(aborted),
        Some(_) if has_packets_to_come(engine, jobs) => match engine.next_event() {
            Some(_) => FeedState::Running,
            None => FeedState::Blocked,
        },
        Some(Progress::Finished) => FeedState::Finished,
        Some(Progress::Stuck(stuck)) => FeedState::Stuck(stuck),
    }
}

/// Whether a job without ranks has not delivered all its packets.
fn has_packets_to_come(engine: &mut dyn Engine, jobs: &[JobPlan]) -> bool {
    if jobs.iter().all(|job| job.has_ranks) {
        return false;
    }
    let totals = engine.totals();
    let runs = |(number, job): (usize, &JobPlan)| {
        !job.has_ranks && JobEnd::of(job, totals.groups.get(number)).cycle.is_none()
    };
    jobs.iter().enumerate().any(runs)
}

fn source_state(engine: &mut dyn Engine) -> FeedState {
    if engine.next_event().is_some() {
        return FeedState::Running;
    }
    if engine.totals().in_flight() == 0 { FeedState::Finished } else { FeedState::Blocked }
}

/// The figures of a trace, of all its ranks together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TraceFigures {
    #[serde(deserialize_with = "base::bytes::name")]
    pub format: Name,
    /// The number of times that the trace has each call.
    #[serde(deserialize_with = "base::bytes::by_name")]
    pub calls: CallCounts,
    pub compute_seconds: f64,
    /// The time inside calls, which is not replayed.
    pub call_seconds: f64,
}

/// The figures of the ranks of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RankFigures {
    /// MPI calls.
    pub operations: u64,
    /// The digest of the completed operations.
    pub digest: Digest,
    /// The one-way time of each message, in network cycles, if the workload is a ping-pong.
    pub one_way_cycles: Option<Vec<u64>>,
    /// The figures of a kernel or a collective: key and value, none if the run did not complete.
    pub measured: Figures,
    /// The trace that the ranks replay.
    pub trace: Option<TraceFigures>,
    /// Source, target and messages sent, in order, if the run counts communication.
    pub communication: Vec<(u32, u32, Sent)>,
}

/// A rank that plays ping-pong, and the processor cycles at which it has sent and received.
#[derive(Clone, Serialize, Deserialize)]
struct Player {
    rank: u32,
    sent: Vec<u64>,
    received: Vec<u64>,
}

/// What a process knows of the ranks on its nodes.
#[derive(Serialize, Deserialize)]
struct OwnFigures {
    operations: u64,
    digest: Digest,
    communication: Vec<(u32, u32, Sent)>,
    /// The ranks, if all of them play ping-pong.
    players: Option<Vec<Player>>,
    /// The trace, if all ranks replay the same one; none if there is no rank.
    trace: Option<Option<TraceFigures>>,
    times: RankTimes,
}

impl OwnFigures {
    fn of(report: &Report<'_>, ranks: u32) -> Self {
        let (mut operations, mut digest, mut communication) = (0, Digest::default(), Vec::new());
        for ranks in report.ranks() {
            let (calls, digest_of_part, sent) = calls_of(ranks);
            operations += calls;
            digest.add(digest_of_part);
            communication.extend(sent);
        }
        OwnFigures {
            operations,
            digest,
            communication,
            players: players(report),
            trace: report.slots().next().map(|_| trace(report)),
            times: rank_times(report, ranks),
        }
    }
}

impl RankFigures {
    /// The figures of an engine whose ranks do some work; none if it has no ranks. Only process 0 gets them. `links` are
    /// the figures of all links.
    pub(super) fn of(
        engine: &dyn Engine,
        scenario: &Scenario,
        work: Option<&RankWork>,
        links: &LinkFigures,
    ) -> Option<Self> {
        let clock = scenario.parameters.node.clock;
        let report = Report::of(engine, clock)?;
        let ranks = match work {
            Some(RankWork::Kernel(kernel)) => kernel.ranks(),
            Some(RankWork::Collective(collective)) => collective.ranks(),
            Some(
                RankWork::PingPong(_) | RankWork::Trace(_) | RankWork::Flows(_) | RankWork::Program { .. },
            )
            | None => 0,
        };
        let parts = report.peers().gather_at_first(OwnFigures::of(&report, ranks))?;
        let mut figures = RankFigures::default();
        let (mut times, mut players, mut traces) = (RankTimes::new(ranks), Some(Vec::new()), Vec::new());
        for part in parts {
            figures.operations += part.operations;
            figures.digest.add(part.digest);
            figures.communication.extend(part.communication);
            times.add_all(&part.times);
            players = players.zip(part.players).map(|(all, part)| [all, part].concat());
            traces.extend(part.trace);
        }
        figures.communication.sort_unstable_by_key(|&(source, target, _)| (source, target));
        figures.one_way_cycles = players.and_then(|players| one_way_cycles(players, clock));
        let is_only = traces.windows(2).all(|pair| pair[0] == pair[1]);
        figures.trace = traces.into_iter().next().flatten().filter(|_| is_only);
        let cycles_per_processor_cycle = f64::from(clock.cycles) / f64::from(clock.processor_cycles);
        figures.measured = match work {
            Some(RankWork::Kernel(kernel)) => {
                // A network cycle is the time of a byte on a link.
                let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
                kernel.figures(&times, cycles_per_processor_cycle, cycles_per_microsecond)
            }
            Some(RankWork::Collective(collective)) => collective.figures(&CollectiveRun {
                ended: &times.ended,
                cycles_per_processor_cycle,
                megabytes_per_second: scenario.machine.link.megabytes_per_second,
                busiest_link_bytes: links.busiest_bytes,
            }),
            Some(
                RankWork::PingPong(_) | RankWork::Trace(_) | RankWork::Flows(_) | RankWork::Program { .. },
            )
            | None => Figures::new(),
        };
        Some(figures)
    }
}

/// Number of calls, digest, and the messages sent from each rank to each other.
type Calls = (u64, Digest, Vec<(u32, u32, Sent)>);

/// The calls of some ranks, for any kind of program.
fn calls_of(ranks: &dyn Ranks) -> Calls {
    fn of<C: Caller>(ranks: &dyn Ranks) -> Option<Calls> {
        let mpi: &Mpi<C> = ranks.as_any().downcast_ref()?;
        Some((mpi.calls(), mpi.digest(), mpi.communication().collect()))
    }
    let inside = of::<PingPong>(ranks).or_else(|| of::<Replay>(ranks)).or_else(|| of::<KernelProgram>(ranks));
    let known = inside.or_else(|| of::<Outside>(ranks));
    known.expect("all programs are known here")
}

/// The figures of a trace, if all ranks replay the same. With several jobs, none represents the others.
fn trace(report: &Report<'_>) -> Option<TraceFigures> {
    let traces = report.slots().map(|(ranks, slot)| {
        let mpi: &Mpi<Replay> = ranks.as_any().downcast_ref()?;
        Some(mpi.program(slot).trace())
    });
    let traces: Vec<&Trace> = traces.collect::<Option<_>>()?;
    let trace = *traces.first()?;
    let is_only = traces.iter().all(|other| std::ptr::eq(*other, trace));
    is_only.then_some(())?;
    let seconds = |of: fn(&Part) -> u64| {
        let all: u128 = (0..trace.ranks()).map(|rank| u128::from(of(trace.rank(rank)))).sum();
        all as f64 / PS_PER_SECOND
    };
    Some(TraceFigures {
        format: trace.format()?.name(),
        calls: trace.counts(),
        compute_seconds: seconds(Part::compute_ps),
        call_seconds: seconds(Part::call_ps),
    })
}

/// The error of a trace one of whose receives has matched a message that is too long.
pub(super) fn truncation(report: &Report<'_>, aborted: &Aborted) -> Option<TraceError> {
    let Aborted { rank, end: End::Truncated { source, bytes, receive }, .. } = *aborted else { return None };
    let (ranks, slot) = report.slots().find(|(_, slot)| slot.rank == rank)?;
    let mpi: &Mpi<Replay> = ranks.as_any().downcast_ref()?;
    Some(mpi.program(slot).trace().truncation(rank, receive, source, bytes))
}

/// The times of the ranks of this process, of all `ranks` of a kernel or a collective; none otherwise.
fn rank_times(report: &Report<'_>, ranks: u32) -> RankTimes {
    let mut times = RankTimes::new(ranks);
    for (of_part, slot) in report.slots().filter(|_| ranks > 0) {
        let mpi: Option<&Mpi<KernelProgram>> = of_part.as_any().downcast_ref();
        mpi.into_iter().for_each(|mpi| times.add(slot.rank, mpi.program(slot)));
    }
    times
}

/// The ranks of this process, if all of them play ping-pong.
fn players(report: &Report<'_>) -> Option<Vec<Player>> {
    let players = report.slots().map(|(ranks, slot)| {
        let mpi: &Mpi<PingPong> = ranks.as_any().downcast_ref()?;
        let program = mpi.program(slot);
        let (sent, received) = (program.sent().to_vec(), program.received().to_vec());
        Some(Player { rank: slot.rank, sent, received })
    });
    players.collect()
}

/// The times from the call that sends a message to the end of the call that receives it, if two ranks play ping-pong.
/// Even entries are from rank 0 to rank 1, odd ones back.
fn one_way_cycles(mut players: Vec<Player>, clock: ClockRatio) -> Option<Vec<u64>> {
    players.sort_by_key(|player| player.rank);
    let [first, second] = &players[..] else { return None };
    let there = first.sent.iter().zip(&second.received);
    let back = second.sent.iter().zip(&first.received);
    let time = |(&sent, &received): (&u64, &u64)| clock.cycle_of(received) - clock.cycle_of(sent);
    let (mut cycles, mut back) = (Vec::new(), back.map(time));
    for time in there.map(time) {
        cycles.push(time);
        cycles.extend(back.next());
    }
    Some(cycles)
}
