//! Whether a run can continue, and the measurements of its ranks.

use super::JobEnd;
use crate::result::busiest_link_bytes;
use crate::scenario::Scenario;
use base::clock::ClockRatio;
use messaging::{Aborted, End, Progress, Ranks, Report, Stuck};
use mpi::{Caller, Digest, Mpi, Outside, PingPong, Sent};
use network::Engine;
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TraceFigures {
    pub format: &'static str,
    /// The number of times that the trace has each call.
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

impl RankFigures {
    /// The figures of an engine whose ranks do some work; none if it has no ranks.
    pub(super) fn of(engine: &dyn Engine, scenario: &Scenario, work: Option<&RankWork>) -> Option<Self> {
        let clock = scenario.parameters.node.clock;
        let report = Report::of(engine, clock)?;
        let mut figures = RankFigures::default();
        for ranks in report.ranks() {
            let (operations, digest, communication) = calls_of(ranks);
            figures.operations += operations;
            figures.digest.add(digest);
            figures.communication.extend(communication);
        }
        figures.communication.sort_unstable_by_key(|&(source, target, _)| (source, target));
        figures.one_way_cycles = one_way_cycles(&report, clock);
        figures.trace = trace(&report);
        let cycles_per_processor_cycle = f64::from(clock.cycles) / f64::from(clock.processor_cycles);
        figures.measured = match work {
            Some(RankWork::Kernel(kernel)) => {
                let times = rank_times(&report, kernel.ranks());
                // A network cycle is the time of a byte on a link.
                let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
                kernel.figures(&times, cycles_per_processor_cycle, cycles_per_microsecond)
            }
            Some(RankWork::Collective(collective)) => collective.figures(&CollectiveRun {
                ended: &rank_times(&report, collective.ranks()).ended,
                cycles_per_processor_cycle,
                megabytes_per_second: scenario.machine.link.megabytes_per_second,
                busiest_link_bytes: busiest_link_bytes(&scenario.parameters, &engine.links()),
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

/// The times of the ranks of a kernel or a collective.
fn rank_times(report: &Report<'_>, ranks: u32) -> RankTimes {
    let mut times = RankTimes::new(ranks);
    for (ranks, slot) in report.slots() {
        let mpi: Option<&Mpi<KernelProgram>> = ranks.as_any().downcast_ref();
        mpi.into_iter().for_each(|mpi| times.add(slot.rank, mpi.program(slot)));
    }
    times
}

/// The times from the call that sends a message to the end of the call that receives it, if the ranks play
/// ping-pong. Even entries are from rank 0 to rank 1, odd ones back.
fn one_way_cycles(report: &Report<'_>, clock: ClockRatio) -> Option<Vec<u64>> {
    let programs = report.slots().map(|(ranks, slot)| {
        let mpi: &Mpi<PingPong> = ranks.as_any().downcast_ref()?;
        Some((slot.rank, mpi.program(slot)))
    });
    let mut programs: Vec<(u32, &PingPong)> = programs.collect::<Option<_>>()?;
    programs.sort_by_key(|(rank, _)| *rank);
    let [(_, first), (_, second)] = programs[..] else { return None };
    let there = first.sent().iter().zip(second.received());
    let back = second.sent().iter().zip(first.received());
    let time = |(&sent, &received): (&u64, &u64)| clock.cycle_of(received) - clock.cycle_of(sent);
    let (mut cycles, mut back) = (Vec::new(), back.map(time));
    for time in there.map(time) {
        cycles.push(time);
        cycles.extend(back.next());
    }
    Some(cycles)
}
