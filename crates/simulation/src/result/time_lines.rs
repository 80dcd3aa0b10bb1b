//! Time lines of ranks: the parts of a run that are recorded, and their form outside the simulator.
//!
//! They change no result, so that they are not part of a scenario's description; a resumed run has none.

use super::tables::{Column, Table, table};
use crate::scenario::Scenario;
use input::InputError;
use messaging::{Activity, BegunRound, Called, Excerpt, Interval, Level, Passage, RankStep, Report};
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// The most intervals that are recorded of all ranks together: each has an equal share. A file of them takes some
/// 150 MB.
const MAX_INTERVALS: usize = 1 << 20;

/// The time lines that a run records.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLineOptions {
    /// The ranks whose time lines are recorded, as far as the workload has them.
    pub ranks: RangeInclusive<u32>,
    /// Start of the excerpt, in microseconds of simulated time.
    pub from_microseconds: f64,
    /// End of the excerpt, in the same unit; none for the end of the run.
    pub until_microseconds: Option<f64>,
    /// Whether tasks of cores are recorded, such as packets and waits for them, and not steps of ranks.
    pub has_packets: bool,
}

/// The time lines of some ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLines {
    /// One row for each interval, in order of time. Columns of all intervals are `rank`, `node`, `core`,
    /// `coprocessor` (1 for an interval of the co-processor), `activity` (its place in `activities`), `start` and
    /// `end` in processor cycles. `call` is a place in `calls`. For the message of a packet or wait: `has_message`
    /// (0 or 1), `source` and `number`. For waits: `peer`, `bytes`, `collective` (its place in `collectives`),
    /// `stage` and `round`, each plus 1, or 0 if it is unknown or does not exist.
    pub intervals: Table,
    /// One row for each message that a rank has sent, or that has arrived at it: `rank`, `source`, `number`,
    /// `is_sent` (0 or 1), and `time` in processor cycles.
    pub passages: Table,
    /// The names of the activities that occur.
    pub activities: Vec<&'static str>,
    /// The names of the collectives in which ranks wait.
    pub collectives: Vec<&'static str>,
    /// The names of the calls that ranks make.
    pub calls: Vec<&'static str>,
    /// The length of a processor cycle.
    pub microseconds_per_processor_cycle: f64,
    /// The start of the first interval that was not recorded because its rank had used up its share.
    pub cut_at_microseconds: Option<f64>,
}

impl TimeLines {
    /// The time lines that a run of `scenario` has recorded.
    pub(crate) fn of(recorded: &RecordedLines, scenario: &Scenario) -> Self {
        let intervals = &recorded.intervals;
        let activities: BTreeSet<Activity> = intervals.iter().map(|interval| interval.activity).collect();
        let collectives: BTreeSet<&str> = intervals.iter().filter_map(collective_of).collect();
        let calls: BTreeSet<&str> = intervals.iter().filter_map(call_of).collect();
        let length = scenario.microseconds_per_processor_cycle();
        TimeLines {
            intervals: table_of(intervals, &activities, &collectives, &calls),
            passages: table_of_passages(&recorded.passages),
            activities: activities.into_iter().map(Activity::name).collect(),
            collectives: collectives.into_iter().collect(),
            calls: calls.into_iter().collect(),
            microseconds_per_processor_cycle: length,
            cut_at_microseconds: recorded.cut_at.map(|cycle| cycle as f64 * length),
        }
    }
}

impl Scenario {
    /// This scenario, with time lines of its run recorded.
    ///
    /// # Errors
    /// When its workload has no ranks.
    pub fn with_time_lines(mut self, options: &TimeLineOptions) -> Result<Self, InputError> {
        if !self.workload.senders().has_ranks {
            let problem = "there are no ranks, whose time lines could be recorded; ping-pong, kernel and trace have some";
            return Err(self.error("workload.kind", problem));
        }
        if !self.jobs.is_empty() {
            let problem = "time lines are those of one job: run it alone, with only its table [[jobs]]";
            return Err(self.error("jobs", problem));
        }
        let cycle = |microseconds: f64| microseconds / self.microseconds_per_processor_cycle();
        let first = cycle(options.from_microseconds).floor() as u64;
        let after = options.until_microseconds.map_or(u64::MAX, |until| cycle(until).ceil() as u64);
        let excerpt = Excerpt {
            ranks: options.ranks.clone(),
            times: first..=after.saturating_sub(1).max(first),
            intervals_of_rank: MAX_INTERVALS,
            level: if options.has_packets { Level::Tasks } else { Level::Steps },
        };
        self.time_lines = Some(excerpt);
        Ok(self)
    }

    /// The part to record of the time lines of `size` ranks, each of which has an equal share of memory.
    ///
    /// # Errors
    /// When none of these is to be recorded.
    pub(crate) fn excerpt(&self, size: u32) -> Result<Option<Excerpt>, InputError> {
        let Some(excerpt) = &self.time_lines else { return Ok(None) };
        let (first, last) = (*excerpt.ranks.start(), (*excerpt.ranks.end()).min(size - 1));
        if first > last {
            let problem = format!("there is no rank {first}: ranks are numbered from 0 to {}", size - 1);
            return Err(InputError::at("time lines", problem));
        }
        let intervals_of_rank = MAX_INTERVALS / (last - first + 1) as usize;
        Ok(Some(Excerpt { ranks: first..=last, intervals_of_rank, ..excerpt.clone() }))
    }

    fn microseconds_per_processor_cycle(&self) -> f64 {
        let clock = self.parameters.node.clock;
        1e6 * self.machine.cycle_seconds() * f64::from(clock.cycles) / f64::from(clock.processor_cycles)
    }
}

/// The time lines of a run, as the software of the nodes has recorded them.
pub(crate) struct RecordedLines {
    /// The intervals, in order of time.
    pub intervals: Vec<Interval>,
    /// The messages sent and arrived.
    pub passages: Vec<Passage>,
    /// The first rank to begin each round of the collectives, in order of time.
    pub rounds: Vec<BegunRound>,
    /// The processor cycle of the first interval that was not recorded.
    cut_at: Option<u64>,
}

impl RecordedLines {
    /// The time lines of a run of `scenario` that has ended at network cycle `end`. None if they were not recorded.
    pub fn of(report: &Report<'_>, scenario: &Scenario, end: u64) -> Option<Self> {
        let excerpt = scenario.time_lines.as_ref()?;
        let end = scenario.parameters.node.clock.processor_cycle_of(end);
        let mut intervals = report.time_lines();
        let mut open = report.open_intervals(end);
        open.retain(|open| open.rank.is_some_and(|rank| excerpt.ranks.contains(&rank)));
        match excerpt.level {
            Level::Tasks => intervals.extend(open),
            Level::Steps => go_on(&mut intervals, open),
        }
        let last = end.min(excerpt.times.end().saturating_add(1));
        let clipped = |interval: Interval| Interval {
            start: interval.start.max(*excerpt.times.start()),
            end: interval.end.min(last),
            ..interval
        };
        let is_shown =
            |interval: &Interval| interval.activity != Activity::Idle && interval.start <= interval.end;
        let intervals = intervals.into_iter().map(clipped).filter(is_shown).collect();
        let (passages, rounds) = (report.passages(), report.rounds());
        Some(RecordedLines { intervals, passages, rounds, cut_at: report.time_lines_cut_at() })
    }
}

fn collective_of(interval: &Interval) -> Option<&'static str> {
    interval.round.map(|round| round.collective)
}

/// The call of an interval that is a step of its rank.
pub(super) fn call_of(interval: &Interval) -> Option<&'static str> {
    let Some(RankStep::Call(Some(Called { name, .. }))) = interval.step else { return None };
    name.filter(|_| interval.activity == Activity::Call)
}

/// Ends the steps of ranks that have not ended with the activities of their cores at the end of the run.
fn go_on(steps: &mut Vec<Interval>, open: Vec<Interval>) {
    let last: HashMap<Option<u32>, usize> =
        steps.iter().enumerate().map(|(place, step)| (step.rank, place)).collect();
    for next in open {
        match last.get(&next.rank).map(|&place| &mut steps[place]) {
            Some(step) if step.is_continued_by(&next) => step.extend(&next),
            _ => steps.extend(next.as_step()),
        }
    }
}

fn table_of_passages(passages: &[Passage]) -> Table {
    let u32s = |value: fn(&Passage) -> u32| Column::U32(passages.iter().map(value).collect());
    let columns = vec![
        ("rank", u32s(|passage| passage.rank)),
        ("source", u32s(|passage| passage.message.source)),
        ("number", u32s(|passage| passage.message.number)),
        ("is_sent", u32s(|passage| passage.is_sent.into())),
        ("time", Column::U64(passages.iter().map(|passage| passage.time).collect())),
    ];
    table("passages", columns)
}

fn table_of(
    intervals: &[Interval],
    activities: &BTreeSet<Activity>,
    collectives: &BTreeSet<&'static str>,
    calls: &BTreeSet<&'static str>,
) -> Table {
    let call = |interval| calls.iter().position(|known| call_of(interval) == Some(known));
    let call = |interval| call(interval).map_or(0, |place| place as u32 + 1);
    let collective = |interval| {
        let name = collective_of(interval)?;
        collectives.iter().position(|known| *known == name)
    };
    let collective = |interval| collective(interval).map_or(0, |place| place as u32 + 1);
    let place = |activity| activities.iter().position(|known| *known == activity).unwrap_or_default() as u32;
    let u32s = |value: fn(&Interval) -> u32| Column::U32(intervals.iter().map(value).collect());
    let u64s = |value: fn(&Interval) -> u64| Column::U64(intervals.iter().map(value).collect());
    let columns = vec![
        ("rank", u32s(|interval| interval.rank.unwrap_or_default())),
        ("node", u32s(|interval| interval.place.node)),
        ("core", u32s(|interval| interval.place.core.into())),
        ("coprocessor", u32s(|interval| interval.is_coprocessor.into())),
        ("activity", Column::U32(intervals.iter().map(|interval| place(interval.activity)).collect())),
        ("has_message", u32s(|interval| interval.message.is_some().into())),
        ("source", u32s(|interval| interval.message.map_or(0, |message| message.source))),
        ("number", u32s(|interval| interval.message.map_or(0, |message| message.number))),
        ("peer", u64s(|interval| interval.peer.map_or(0, |peer| u64::from(peer) + 1))),
        ("bytes", u64s(|interval| interval.bytes.map_or(0, |bytes| bytes + 1))),
        ("collective", Column::U32(intervals.iter().map(collective).collect())),
        (
            "stage",
            u32s(|interval| interval.round.and_then(|round| round.stage).map_or(0, |number| number + 1)),
        ),
        (
            "round",
            u32s(|interval| interval.round.and_then(|round| round.number).map_or(0, |number| number + 1)),
        ),
        ("call", Column::U32(intervals.iter().map(call).collect())),
        ("start", u64s(|interval| interval.start)),
        ("end", u64s(|interval| interval.end)),
    ];
    table("time_lines", columns)
}
