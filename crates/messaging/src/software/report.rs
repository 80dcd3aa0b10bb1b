//! Reports on the message layers of all nodes.
//!
//! How far the ranks of all nodes are is a sum over the parts of the machine, those of other processes included. So a run
//! ends, or is found to be stuck, at the same time on any number of threads and processes. While operations on the collective network are in
//! progress, no rank is stuck as long as the engine has events.

use crate::node::counters::{Counts, Totals};
use crate::node::rank::{Rank, State};
use crate::ranks::{End, Pending, RankSlot, Ranks, Waiting};
use crate::software::Messaging;
use crate::time_lines::observer::Observer;
use crate::time_lines::recorder::Recorder;
use crate::time_lines::{BegunRound, Interval, Passage};
use base::clock::ClockRatio;
use network::node::software::NodeSoftware;
use network::several_jobs::SoftwareOfJobs;
use network::{Engine, Peers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Ranks that can never continue: nothing is left to happen, yet they have not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The number of the job of `rank`; 0 if there is only one.
    pub job: usize,
    /// The rank that has waited longest, the lowest of equals.
    pub rank: u32,
    /// The network cycle since which it has been waiting.
    pub since: u64,
    /// The network cycle since which nothing has happened: when the last rank began to wait, or finished.
    pub quiet_since: u64,
    /// The object of the wait, in words.
    pub waiting_for: String,
    /// Number of ranks that can never continue.
    pub ranks: u32,
    /// The ranks that have waited longest after `rank`, in order: at most [`MAX_OTHERS`].
    pub others: Vec<StuckRank>,
}

/// The number of ranks that are named in addition to the one that has waited longest.
const MAX_OTHERS: usize = 7;

/// A rank that can never continue, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckRank {
    /// The number of its job; 0 if there is only one.
    pub job: usize,
    /// The rank.
    pub rank: u32,
    /// The network cycle since which it has been waiting.
    pub since: u64,
    /// The object of the wait, in words.
    pub waiting_for: String,
}

/// The first rank, by time and number, that has ended otherwise than with `MPI_Finalize`, which ends all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aborted {
    /// The number of the job of `rank`; 0 if there is only one.
    pub job: usize,
    /// The rank.
    pub rank: u32,
    /// How it ended.
    pub end: End,
    /// The network cycle at which it ended. Other ranks may have gone on since.
    pub cycle: u64,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Something is left to happen.
    Running,
    /// All ranks have finished and all messages have arrived.
    Finished,
    /// Some ranks can never continue.
    Stuck(Stuck),
    /// A rank has ended otherwise than with `MPI_Finalize`.
    Aborted(Aborted),
    /// Packets are left but none can move: the network is deadlocked, and [`Engine::find_deadlock`] reports where.
    Blocked,
}

/// The wait of a rank, with the state of its messages.
fn waiting_for(part: &Messaging, slot: RankSlot, rank: &Rank) -> Waiting {
    let mut waiting = part.ranks().waiting(slot);
    let pending = part.ranks().blocking(slot).pending;
    let awaited =
        if let Pending::Send { number, .. } = pending { rank.unsettled.request(number) } else { None };
    if let Some(request) = awaited.or(rank.unsettled.requested.first()) {
        let (bytes, target) = (request.message.bytes, request.target);
        let why = if request.lacks_credit { ", without a message credit" } else { "" };
        let protocol = format!("{:?}", request.kind.occasion()).to_lowercase();
        waiting.what += &format!(
            "; no clear to send has come, as rank {target} has no receive for its message of {bytes} bytes ({protocol}{why})"
        );
    }
    if let Some(collectives) =
        part.network_collectives(slot).and_then(|collectives| collectives.waiting_for(slot.rank))
    {
        waiting.what += &collectives;
    }
    waiting
}

/// The message layer of some nodes of a job, which counts time from the start of the job.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// The number of the job.
    job: usize,
    /// The cycle at which the job starts.
    start: u64,
    messaging: &'a Messaging,
    clock: ClockRatio,
}

impl Part<'_> {
    /// The network cycle of an action of its software at a processor cycle.
    fn cycle_of(&self, processor_cycle: u64) -> u64 {
        self.start.saturating_add(self.clock.cycle_of(processor_cycle))
    }

    /// The cycle at which the last of its finished ranks has finished.
    fn last_finish(&self) -> u64 {
        self.cycle_of(self.messaging.counts().last_finish)
    }
}

/// Why the ranks of a process can never continue.
#[derive(Serialize, Deserialize)]
struct Standstill {
    /// The ranks that have waited longest, in order, with the processor cycle since which each waits.
    waiting: Vec<(u64, StuckRank)>,
    /// The network cycle since which nothing has happened.
    quiet_since: Option<u64>,
    /// The lowest rank that does not read what the tree network has brought it.
    ignoring: Option<u32>,
}

/// Sorts ranks that can never continue: those that have waited longest come first, the lowest of equals first.
fn sort_waiting(waiting: &mut Vec<(u64, StuckRank)>) {
    waiting.sort_by_key(|(since, rank)| (rank.since, *since, rank.job, rank.rank));
    waiting.truncate(1 + MAX_OTHERS);
}

/// The message layers of all nodes of an engine. All its processes call the functions of it that gather.
pub struct Report<'a> {
    /// The layers of this process.
    parts: Vec<Part<'a>>,
    peers: Peers,
    has_events: bool,
}

impl<'a> Report<'a> {
    /// The message layers of an engine whose processors have this clock; none if its traffic is generated.
    pub fn of(engine: &'a dyn Engine, clock: ClockRatio) -> Option<Self> {
        Report::of_parts(engine, clock, |_| true)
    }

    /// The message layers of one of several jobs; none if its traffic is generated.
    pub fn of_job(engine: &'a dyn Engine, clock: ClockRatio, job: usize) -> Option<Self> {
        Report::of_parts(engine, clock, |number| number == job)
    }

    fn of_parts(
        engine: &'a dyn Engine,
        clock: ClockRatio,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let of_jobs = engine.software().into_iter().flat_map(|software| {
            let jobs: Vec<(&dyn NodeSoftware, u64)> = match software.as_any().downcast_ref::<SoftwareOfJobs>()
            {
                Some(parted) => parted.jobs().collect(),
                None => vec![(software, 0)],
            };
            jobs.into_iter().enumerate()
        });
        let parts = of_jobs.filter_map(|(job, (software, start))| {
            Some(Part { job, start, messaging: software.as_any().downcast_ref()?, clock })
        });
        let parts: Vec<Part<'_>> = parts.filter(|part| is_wanted(part.job)).collect();
        let peers = engine.peers();
        (!parts.is_empty()).then(|| Report { parts, peers, has_events: engine.next_event().is_some() })
    }

    fn parts(&self) -> impl Iterator<Item = &'a Messaging> {
        self.parts.iter().map(|part| part.messaging)
    }

    /// The ranks of all parts.
    fn ranks_of_parts(&self) -> impl Iterator<Item = (Part<'a>, RankSlot, &'a Rank)> {
        let of_part =
            |part: Part<'a>| part.messaging.ranks_with_slots().map(move |(slot, rank)| (part, slot, rank));
        self.parts.iter().copied().flat_map(of_part)
    }

    /// The processes that gather.
    pub fn peers(&self) -> &Peers {
        &self.peers
    }

    /// Counters since the start of the run. It gathers.
    pub fn totals(&self) -> Totals {
        let mut own = Totals::default();
        self.parts().for_each(|part| own.add(&part.totals()));
        let mut totals = Totals::default();
        self.peers.gather(own).iter().for_each(|part| totals.add(part));
        totals
    }

    /// The state of the run. Credits may still return after it has ended. It gathers.
    pub fn progress(&self) -> Progress {
        let mut counts = Counts::default();
        self.parts().for_each(|part| counts.add(part.counts()));
        let counts = self.peers.gather(counts).into_iter().fold(Counts::default(), |mut sum, part| {
            sum.add(&part);
            sum
        });
        // Where ranks take part in network collectives, something happens as long as there are events.
        let is_joining = counts.network_collectives > 0 && self.has_events;
        let is_quiet = counts.begun == counts.ended && counts.busy == 0 && !is_joining;
        if counts.failed > 0 {
            return Progress::Aborted(self.aborted());
        }
        match (is_quiet, counts.unfinished) {
            (true, 0) => Progress::Finished,
            (true, ranks) => Progress::Stuck(self.stuck(ranks)),
            _ if self.has_events => Progress::Running,
            _ => Progress::Blocked,
        }
    }

    /// All parts have been simulated up to the same cycle, and ranks end when their time has come. So none can end
    /// earlier than the first any more.
    fn aborted(&self) -> Aborted {
        let failed = self.ranks_of_parts().filter_map(|(part, slot, rank)| {
            let (at, end) = rank.finish().filter(|(_, end)| end.is_failure())?;
            Some((at, Aborted { job: part.job, rank: slot.rank, end, cycle: part.cycle_of(at) }))
        });
        let place = |(at, aborted): &(u64, Aborted)| (aborted.cycle, *at, aborted.job, aborted.rank);
        let first = self.peers.gather(failed.min_by_key(place)).into_iter().flatten().min_by_key(place);
        first.expect("a rank that failed is counted").1
    }

    fn stuck(&self, ranks: u32) -> Stuck {
        let parts = self.peers.gather(self.standstill());
        let quiet_since = parts.iter().filter_map(|part| part.quiet_since).max();
        let ignoring = parts.iter().filter_map(|part| part.ignoring).min();
        let mut waiting: Vec<_> = parts.into_iter().flat_map(|part| part.waiting).collect();
        sort_waiting(&mut waiting);
        let mut longest = waiting.into_iter().map(|(_, rank)| rank);
        let StuckRank { job, rank, since, waiting_for } =
            longest.next().expect("an unfinished rank that is not busy waits");
        let ignoring = ignoring
            .map(|ignoring| format!("; rank {ignoring} does not read what the tree network has brought it"));
        let waiting_for = waiting_for + &ignoring.unwrap_or_default();
        let quiet_since = quiet_since.unwrap_or(since);
        Stuck { job, rank, since, quiet_since, waiting_for, ranks, others: longest.collect() }
    }

    fn standstill(&self) -> Standstill {
        let waiting = self.ranks_of_parts().filter(|(_, _, rank)| rank.state == State::Waiting);
        let waiting = waiting.map(|(part, slot, rank)| {
            let Waiting { since, what } = waiting_for(part.messaging, slot, rank);
            let (job, rank) = (part.job, slot.rank);
            (since, StuckRank { job, rank, since: part.cycle_of(since), waiting_for: what })
        });
        let cores_of = |part: &'_ Part<'a>| {
            let part = *part;
            part.messaging.cores_with_ranks().map(move |core| (part, core))
        };
        let cores = || self.parts.iter().flat_map(cores_of);
        let joined = cores().filter(|(_, core)| core.network_collectives.is_some());
        let joined = joined.map(|(part, core)| part.cycle_of(core.free_at));
        let ignoring = cores().filter(|(_, core)| core.ignores_tree);
        let mut waiting: Vec<(u64, StuckRank)> = waiting.collect();
        let finished = self.parts.iter().map(Part::last_finish);
        let quiet_since = waiting.iter().map(|(_, rank)| rank.since).chain(finished).chain(joined).max();
        sort_waiting(&mut waiting);
        let ignoring = ignoring.filter_map(|(_, core)| core.rank.as_ref()).map(|rank| rank.number).min();
        Standstill { waiting, quiet_since, ignoring }
    }

    /// The network cycle at which the last rank finished, or none while some rank has not. It gathers.
    pub fn last_finish_cycle(&self) -> Option<u64> {
        let has_finished = self.parts().all(|part| part.counts().unfinished == 0);
        let last = self.parts.iter().map(Part::last_finish).max();
        let parts = self.peers.gather(last.filter(|_| has_finished));
        parts.into_iter().collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// The network cycle at which each rank finished, if it has, in order of ranks. It gathers.
    pub fn finish_cycles(&self) -> Vec<Option<u64>> {
        self.by_rank(|part, rank| rank.finish().map(|(at, _)| part.cycle_of(at)))
    }

    /// Processor cycles of computation of each rank so far, including all of one in progress. It gathers.
    pub fn computed_cycles(&self) -> Vec<u64> {
        self.by_rank(|_, rank| rank.computed)
    }

    fn by_rank<T: Serialize + DeserializeOwned>(&self, value: impl Fn(Part<'_>, &Rank) -> T) -> Vec<T> {
        let own = self.ranks_of_parts().map(|(part, slot, rank)| (slot.rank, value(part, rank)));
        let mut values: Vec<(u32, T)> = self.all(own.collect());
        values.sort_by_key(|(rank, _)| *rank);
        values.into_iter().map(|(_, value)| value).collect()
    }

    fn all<T: Serialize + DeserializeOwned>(&self, own: Vec<T>) -> Vec<T> {
        self.peers.gather(own).into_iter().flatten().collect()
    }

    /// The observers of the parts of the machine, if any.
    pub fn observers(&self) -> impl Iterator<Item = &'a dyn Observer> {
        self.parts().filter_map(|part| part.observer())
    }

    fn recorders(&self) -> impl Iterator<Item = &'a Recorder> {
        self.observers().filter_map(|observer| observer.as_any().downcast_ref())
    }

    /// When recorders began to keep less than their excerpt, if they did. It gathers.
    pub fn time_lines_cut_at(&self) -> Option<u64> {
        self.all(self.recorders().filter_map(Recorder::cut_at).collect()).into_iter().min()
    }

    /// The intervals that recorders have kept of all cores, in order of time, node and core, a core before its
    /// co-processor. It gathers.
    pub fn time_lines(&self) -> Vec<Interval> {
        let mut intervals = self.all(self.recorders().flat_map(Recorder::all).collect::<Vec<Interval>>());
        intervals.sort_by_key(|Interval { start, place, is_coprocessor, .. }| {
            (*start, place.node, place.core, *is_coprocessor)
        });
        intervals
    }

    /// The messages that recorders have seen pass, in order of time, rank and message, the sender first. It gathers.
    pub fn passages(&self) -> Vec<Passage> {
        let own = self.recorders().flat_map(|recorder| &recorder.passages).copied();
        let mut passages: Vec<Passage> = self.all(own.collect());
        passages.sort_by_key(|passage| (passage.time, passage.rank, !passage.is_sent, passage.message));
        passages
    }

    /// The first rank to begin each round of the collectives of ranks, in order of time, as far as recorders have seen it.
    /// Ranks number their collectives alike. It gathers.
    pub fn rounds(&self) -> Vec<BegunRound> {
        let mut rounds: Vec<BegunRound> =
            self.all(self.recorders().flat_map(Recorder::rounds).copied().collect());
        rounds.sort_unstable();
        let mut seen = HashSet::new();
        rounds.retain(|begun| seen.insert((begun.collective, begun.round)));
        rounds
    }

    /// The intervals since the last one, up to a processor cycle, of the cores of ranks that have not ended. It
    /// gathers.
    pub fn open_intervals(&self, until: u64) -> Vec<Interval> {
        let ranks = self.parts().flat_map(|part| part.ranks_with_slots().map(move |rank| (part, rank)));
        let unfinished = ranks.filter(|(_, (_, rank))| !rank.has_finished());
        let open = unfinished.filter_map(|(part, (RankSlot { rank, slot }, _))| {
            let (start, detailed) = part.pause(slot)?;
            let interval = Interval::of(part.place(rank), (false, Some(rank)), detailed, start..until);
            (start < until).then_some(interval)
        });
        self.all(open.collect())
    }

    /// The ranks of each part of the machine that is in this process.
    pub fn ranks(&self) -> impl Iterator<Item = &'a dyn Ranks> {
        self.parts().map(|part| part.ranks())
    }

    /// All ranks of this process, each with its slot in the ranks of its part.
    pub fn slots(&self) -> impl Iterator<Item = (&'a dyn Ranks, RankSlot)> {
        self.parts().flat_map(|part| part.ranks_with_slots().map(|(slot, _)| (part.ranks(), slot)))
    }
}
