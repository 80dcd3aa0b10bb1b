//! A schedule: takes a description, runs in time slices, returns a result. Only this module combines logs, machines and
//! measures.

use crate::description::Description;
use crate::draws::uniform;
use crate::job::{Job, sort};
use crate::log::{self, AllDetails, Details, Log, Name, Report, Resampling, SWF_COLUMNS, Time, swf_text};
use crate::machine::{Booking, Machine, Part, Plain, ReservedPlain, Room, RoomParts};
use crate::measures::{
    BrokenRun, Capacity, Column, Delays, Fairness, Outcome, Processors, SiteColumns, Statistics, Table,
    are_declared, jobs_csv, jobs_table, lowest_free, queues_table, series_table, sizes_table,
};
use crate::queue::{EndedRun, LostCapacity, Outage, Queue};
use crate::site::{AdvanceReservation, Dependencies, Site};
use crate::site_settings::{LogFacts, assign_queues, queues_of, reservations_of};
use input::InputError;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// Event times between two checks of the clock.
const STEPS_OF_A_SLICE: usize = 256;

/// Number of jobs of the model, if none is given.
const DEFAULT_MODEL_JOBS: usize = 1_000;

/// Maximum number of jobs of the model.
const MAX_MODEL_JOBS: usize = 10_000_000;

const TORUS_PURPOSE: u64 = 2;

/// No time of a schedule is later, so that sums of two times do not overflow: 2^62 s.
const LATEST_END: f64 = 4_611_686_018_427_387_904.0;

/// A schedule in progress.
pub struct Schedule {
    description: Description,
    report: Report,
    queue: AnyQueue,
    room: Option<machine_room::Room>,
    details: AllDetails,
    zero: Option<Time>,
    /// The submit times of the log, where jobs arrive later because they wait for others.
    submitted: Option<Vec<i64>>,
}

enum AnyQueue {
    Plain(Box<Queue<Plain>>),
    ReservedPlain(Box<Queue<ReservedPlain>>),
    Room(Box<Queue<Room>>),
}

/// The result of a schedule.
pub struct ScheduleResult {
    /// Measures over all jobs.
    pub summary: Value,
    /// The complete description.
    pub description: Value,
    /// Anomalies of the log.
    pub report: Value,
    /// Jobs, sizes, series; partitions and midplanes of a room.
    pub tables: Vec<Table>,
    /// The schedule as a log in the Standard Workload Format.
    pub swf: Vec<u8>,
    outcomes: Vec<Outcome>,
    processors: ProcessorsOf,
}

/// How jobs are given processors.
enum ProcessorsOf {
    /// The lowest free ones, of this many.
    Nodes(u32),
    /// The processors of each partition.
    Partitions(Vec<Processors>),
}

impl ScheduleResult {
    /// The schedule as a table of jobs with their processors, as Batsim writes it.
    pub fn jobs_csv(&self) -> Vec<u8> {
        let processors = match &self.processors {
            ProcessorsOf::Nodes(nodes) => lowest_free(&self.outcomes, *nodes),
            ProcessorsOf::Partitions(partitions) => {
                let of_job = |outcome: &Outcome| {
                    outcome.partition.map_or(vec![], |partition| partitions[partition as usize].clone())
                };
                self.outcomes.iter().map(of_job).collect()
            }
        };
        jobs_csv(&self.outcomes, &processors).into_bytes()
    }
}

impl Schedule {
    /// Reads the log and sets up the machine.
    ///
    /// # Errors
    /// If the log cannot be read, or the machine is unknown.
    pub fn new(mut description: Description) -> Result<Self, InputError> {
        let room = description.machine.room.as_deref().map(machine_room::Room::load).transpose();
        let room = room.map_err(|error| named(&description, "machine.room", &error))?;
        if let Some(room) = &room {
            let default = || room.default_profile().unwrap_or_default().to_owned();
            description.machine.profile.get_or_insert_with(default);
        }
        let log = read_log(&description, room.as_ref())?;
        let nodes = nodes_of(&description, room.as_ref(), &log)?;
        let Log { jobs, available, mut report, details, zero, .. } = log;
        let mut jobs = prepare(&description, select(&description, jobs, available)?, nodes);
        let facts = LogFacts {
            details: &details,
            zero,
            midplanes: room.as_ref().map_or(&[], machine_room::Room::midplanes),
        };
        let site = site(&description, &mut jobs, facts, &mut report)?;
        check_times(&description, &jobs, &site)?;
        check_users(&description, &jobs)?;
        let has_dependencies = !site.dependencies.edges.is_empty();
        let submitted = has_dependencies.then(|| jobs.iter().map(|job| job.submit).collect());
        let queue = build(&description, room.as_ref(), nodes, jobs, &site)?;
        Ok(Schedule { description, report, queue, room, details, zero, submitted })
    }

    /// Runs for about `budget` of wall-clock time; returns the completed fraction, which is 1 only at the end.
    pub fn advance(&mut self, budget: Duration) -> f64 {
        let until = Instant::now() + budget;
        loop {
            let (goes_on, fraction) = match &mut self.queue {
                AnyQueue::Plain(queue) => (queue.advance(STEPS_OF_A_SLICE), queue.fraction()),
                AnyQueue::ReservedPlain(queue) => (queue.advance(STEPS_OF_A_SLICE), queue.fraction()),
                AnyQueue::Room(queue) => (queue.advance(STEPS_OF_A_SLICE), queue.fraction()),
            };
            if !goes_on {
                return 1.0;
            }
            if Instant::now() >= until {
                return fraction.min(0.999);
            }
        }
    }

    /// The result.
    pub fn finish(self) -> ScheduleResult {
        match &self.queue {
            AnyQueue::Plain(queue) => {
                let sizes = |place: u32| (place, None);
                self.result(queue, sizes, |_| String::new())
            }
            AnyQueue::ReservedPlain(queue) => {
                let sizes = |place: Booking| (place.nodes, None);
                self.result(queue, sizes, |_| String::new())
            }
            AnyQueue::Room(queue) => {
                let machine = queue.machine();
                let of_place = |place: u32| (machine.nodes_of(place), Some(place));
                let name = |place: u32| {
                    machine.partition(place).map_or(String::new(), |partition| partition.name().to_owned())
                };
                let mut result = self.result(queue, of_place, name);
                let partitions = machine.catalogue().partitions();
                result.processors = ProcessorsOf::Partitions(
                    partitions.iter().map(|partition| processors_of(machine.room(), partition)).collect(),
                );
                result.tables.push(partitions_table(machine));
                result.tables.push(midplanes_table(machine.room()));
                result
            }
        }
    }

    fn result<M: Machine>(
        &self,
        queue: &Queue<M>,
        of_place: impl Fn(M::Place) -> (u32, Option<u32>),
        name: impl Fn(u32) -> String,
    ) -> ScheduleResult {
        let outcomes = outcomes(queue, &of_place);
        let nodes = queue.machine().nodes();
        let queues: Vec<String> = self.description.queues.iter().map(|table| table.name.clone()).collect();
        let site = SiteColumns { queues: &queues, submitted: self.submitted.as_deref() };
        let summary = summary(&outcomes, queue.losses(), nodes, queue.passes());
        let broken = queue.ended_runs().iter().map(|&EndedRun { job, place, start, end }| BrokenRun {
            job: job as usize,
            start,
            end,
            granted_nodes: of_place(place).0,
        });
        let series = series_table(&outcomes, &broken.collect::<Vec<_>>(), nodes);
        let mut tables = vec![jobs_table(&outcomes, &name, site), sizes_table(&outcomes), series];
        if !self.description.machine.outages.is_empty() {
            tables.push(ended_runs_table(queue, of_place, name));
        }
        if !queues.is_empty() {
            let span = summary["span_seconds"].as_f64().unwrap_or_default();
            tables.push(queues_table(&outcomes, &queues, span * f64::from(nodes)));
        }
        ScheduleResult {
            summary,
            description: self.description.to_json(),
            report: json!(self.report),
            swf: self.swf(&outcomes, nodes),
            outcomes,
            processors: ProcessorsOf::Nodes(nodes),
            tables,
        }
    }

    /// The schedule as a log, with the simulated waits. Its header has what evalys looks for.
    fn swf(&self, outcomes: &[Outcome], nodes: u32) -> Vec<u8> {
        let room = self.room.as_ref().map_or("plain nodes", |room| room.name());
        let file = self.report.file.replace(|letter: char| letter.is_control(), " ");
        let mut header = vec![
            ("Version", "2.2".to_owned()),
            ("Computer", room.to_owned()),
            ("Conversion", format!("torusim {}, a simulated schedule", env!("CARGO_PKG_VERSION"))),
            ("MaxJobs", outcomes.len().to_string()),
            ("MaxRecords", outcomes.len().to_string()),
            ("UnixStartTime", self.zero.map_or(0, |zero| zero.seconds).to_string()),
            ("TimeZoneString", "UTC".to_owned()),
            ("MaxNodes", nodes.to_string()),
            ("MaxProcs", nodes.to_string()),
        ];
        let numbers = Numbers::new(outcomes, &self.details);
        header.extend(numbers.queues.iter().map(|(name, number)| ("Queue", format!("{number} {name}"))));
        header.extend(
            numbers.partitions.iter().map(|(name, number)| ("Partition", format!("{number} {name}"))),
        );
        header.push(("Note", format!("of the log {file}")));
        let rows = outcomes.iter().map(|outcome| self.swf_row(outcome, &numbers));
        swf_text(&header, rows).into_bytes()
    }

    fn swf_row(&self, outcome: &Outcome, numbers: &Numbers<'_>) -> [i64; SWF_COLUMNS] {
        let Job { id, submit, nodes, walltime, user, application, .. } = outcome.job;
        let details = self.details.get(outcome.job.details);
        let (wait, run) = outcome.ran.map_or((-1, -1), |(start, end)| (start - submit, end - start));
        let allocated = if outcome.ran.is_some() { outcome.granted_nodes.into() } else { -1 };
        let status = match (outcome.ran, outcome.killed) {
            (Some(_), false) => 1,
            (Some(_), true) => 0,
            (None, _) => 5,
        };
        let [user, executable] = [user, application].map(|number| number.max(-1).into());
        let (requested, group) = (nodes.into(), details.group.unwrap_or(-1));
        let queue = number_of(&numbers.queues, self.details.name(details.queue));
        let partition = number_of(&numbers.partitions, self.details.name(details.partition));
        let (before, think) = details.after.first().map_or((-1, -1), |after| (after.target.job, after.think));
        [
            id, submit, wait, run, allocated, -1, -1, requested, walltime, -1, status, user, group,
            executable, queue, partition, before, think,
        ]
    }
}

/// The numbers that stand for names of queues and partitions in a log: names that are numbers keep them, if all are.
struct Numbers<'a> {
    queues: BTreeMap<&'a str, i64>,
    partitions: BTreeMap<&'a str, i64>,
}

impl<'a> Numbers<'a> {
    fn new(outcomes: &[Outcome], details: &'a AllDetails) -> Self {
        let used: BTreeSet<u32> = outcomes.iter().map(|outcome| outcome.job.details).collect();
        let names = |name: &dyn Fn(&Details) -> Name| -> BTreeMap<&'a str, i64> {
            let names: BTreeSet<&str> =
                used.iter().map(|number| details.name(name(details.get(*number)))).collect();
            let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
            if names.iter().all(|name| name.parse::<i64>().is_ok()) {
                return BTreeMap::new();
            }
            names.into_iter().zip(1..).collect()
        };
        Numbers { queues: names(&|details| details.queue), partitions: names(&|details| details.partition) }
    }
}

/// The number of a name; -1 if it is missing.
fn number_of(numbers: &BTreeMap<&str, i64>, name: &str) -> i64 {
    numbers.get(name).copied().or_else(|| name.parse().ok()).unwrap_or(-1)
}

/// The processors of a partition: the nodes of its midplanes, or those of its node cards.
fn processors_of(room: &machine_room::Room, partition: &machine_room::Partition) -> Processors {
    let nodes = room.nodes_of_midplane();
    if let Some(cards) = partition.cards() {
        let midplane = partition.midplanes().ones().next().unwrap_or_default() as u32;
        let first = midplane * nodes + cards.first * (partition.nodes() / cards.count);
        return vec![(first, first + partition.nodes() - 1)];
    }
    let mut ranges: Processors = vec![];
    for midplane in partition.midplanes().ones() {
        let first = midplane as u32 * nodes;
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == first => *last += nodes,
            _ => ranges.push((first, first + nodes - 1)),
        }
    }
    ranges
}

/// The error about an unknown room or profile, with the location of the key that names it. An error within a room file
/// keeps its own location.
fn named(description: &Description, key: &str, error: &InputError) -> InputError {
    let text = error.to_string();
    match text.split_once(": ") {
        Some((place, problem)) if !place.contains(".toml:") => description.error_at(key, problem),
        _ => error.clone(),
    }
}

fn read_log(description: &Description, room: Option<&machine_room::Room>) -> Result<Log, InputError> {
    let reading = description.reading()?;
    if !description.is_model() {
        return log::read(Path::new(&description.log.path), &reading);
    }
    let nodes = room.map(machine_room::Room::nodes).or(description.machine.nodes).ok_or_else(|| {
        description.error("machine.nodes", "is missing: the model needs a number of nodes, or a room")
    })?;
    let count = description.log.jobs.unwrap_or(DEFAULT_MODEL_JOBS).saturating_add(description.log.skip_jobs);
    if count > MAX_MODEL_JOBS {
        return Err(description.error("log.jobs", format!("at most {MAX_MODEL_JOBS} jobs are drawn")));
    }
    let mut jobs = description.model(nodes)?.jobs(count);
    for job in &mut jobs {
        job.walltime = reading.walltimes.of(job.id, job.run).max(1);
    }
    let available = jobs.len();
    jobs.drain(..description.log.skip_jobs.min(available));
    let report = Report {
        file: description.log.path.clone(),
        format: "model of Lublin and Feitelson".to_owned(),
        job_lines: 0,
        jobs: jobs.len() as u64,
        ..Report::default()
    };
    Ok(Log { jobs, available, report, ..Log::default() })
}

fn nodes_of(
    description: &Description,
    room: Option<&machine_room::Room>,
    log: &Log,
) -> Result<u32, InputError> {
    let of_header = log.processors.map(|count| count.div_ceil(description.log.processors_per_node).max(1));
    room.map(machine_room::Room::nodes).or(description.machine.nodes).or(of_header).ok_or_else(|| {
        let problem =
            "its header does not say how many processors its machine has: give --nodes N, or --room NAME";
        InputError::at(log.report.file.clone(), problem)
    })
}

/// Modifies jobs as the description says.
fn prepare(description: &Description, mut jobs: Vec<Job>, nodes: u32) -> Vec<Job> {
    let settings = &description.log;
    for job in &mut jobs {
        job.nodes = job.nodes.min(settings.cut_to_nodes.unwrap_or(u32::MAX));
        job.requires_torus = uniform(settings.seed, job.id as u64, TORUS_PURPOSE) < settings.torus_share;
    }
    if let Some(load) = settings.load {
        scale_to_load(&mut jobs, load, nodes);
    }
    jobs.shrink_to_fit();
    sort(&mut jobs);
    jobs
}

/// The jobs of the window, or blocks that are drawn from them.
fn select(description: &Description, jobs: Vec<Job>, available: usize) -> Result<Vec<Job>, InputError> {
    let settings = &description.log;
    if jobs.is_empty() {
        let problem = format!("must leave some of the log's {available} jobs");
        return Err(description.error("log.skip_jobs", problem));
    }
    let Some(jobs_per_block) = settings.resample_blocks else { return Ok(jobs) };
    if jobs_per_block > jobs.len() {
        let problem = format!("must be at most {}, the number of jobs to draw from", jobs.len());
        return Err(description.error("log.resample_blocks", problem));
    }
    let count = settings.jobs.unwrap_or(jobs.len());
    if count > MAX_MODEL_JOBS {
        return Err(description.error("log.jobs", format!("at most {MAX_MODEL_JOBS} jobs are drawn")));
    }
    Ok(Resampling { jobs_per_block, jobs: count, seed: settings.seed }.of(&jobs))
}

/// The queues, advance reservations and dependencies of the jobs.
fn site(
    description: &Description,
    jobs: &mut [Job],
    facts: LogFacts<'_>,
    report: &mut Report,
) -> Result<Site, InputError> {
    let wrong = |wrong| description.wrong(&wrong);
    if !description.queues.is_empty() {
        assign_queues(&description.queues, jobs, facts.details, report).map_err(wrong)?;
    }
    let tables = &description.machine.reservations;
    let reservations = reservations_of(tables, &description.queues, jobs, facts).map_err(wrong)?;
    let dependencies = match description.log.dependencies {
        true => Dependencies::of(jobs, facts.details, report),
        false => Dependencies::default(),
    };
    Ok(Site { queues: queues_of(&description.queues), reservations, dependencies })
}

/// Checks that the log has users, if the policy asks for what they use.
fn check_users(description: &Description, jobs: &[Job]) -> Result<(), InputError> {
    let needs_users = description.rules()?.policy.usage(jobs).is_some();
    match needs_users && jobs.iter().all(|job| job.user < 0) {
        true => {
            Err(description.error("queue.policy", "needs the users of jobs, which the log does not have"))
        }
        false => Ok(()),
    }
}

/// Checks that no time of the schedule can overflow, even if all jobs run one after another. Each job may run as often
/// as there are outages that may end it, after all think times and advance reservations.
fn check_times(description: &Description, jobs: &[Job], site: &Site) -> Result<(), InputError> {
    let edges = site.dependencies.edges.iter().flatten();
    let think: f64 = edges.map(|edge| edge.think as f64).sum();
    let ends = site.reservations.list.iter().map(|reservation| reservation.until);
    let reserved: f64 = ends.filter(|end| *end < i64::MAX).map(|end| end as f64).fold(0.0, f64::max);
    let longest: f64 = think + jobs.iter().map(|job| job.run.max(job.walltime) as f64).sum::<f64>();
    let attempts = 1 + description.machine.outages.len();
    let last = jobs.iter().map(|job| job.submit as f64).fold(reserved, f64::max);
    if last + longest * description.largest_slowdown() * attempts as f64 > LATEST_END {
        let problem = format!(
            "its {} jobs could end more than 2^62 seconds after the log's zero: \
             select fewer jobs, or correct their times",
            jobs.len()
        );
        return Err(description.error("log.path", problem));
    }
    Ok(())
}

/// Multiplies the times between submissions by one factor that gives the load.
fn scale_to_load(jobs: &mut [Job], load: f64, nodes: u32) {
    let (Some(first), Some(last)) = (jobs.first().map(|job| job.submit), jobs.last().map(|job| job.submit))
    else {
        return;
    };
    let work: u128 = jobs.iter().map(|job| u128::from(job.nodes) * job.run as u128).sum();
    let span = (work as f64 / (load * f64::from(nodes))).round().min(LATEST_END) as i128;
    let old_span = i128::from(last - first).max(1);
    for job in jobs {
        let shift = i128::from(job.submit - first) * span / old_span;
        job.submit = i64::try_from(shift).map_or(i64::MAX, |shift| first.saturating_add(shift));
    }
}

fn build(
    description: &Description,
    room: Option<&machine_room::Room>,
    nodes: u32,
    mut jobs: Vec<Job>,
    site: &Site,
) -> Result<AnyQueue, InputError> {
    let rules = description.rules()?;
    let outages = description.outages()?;
    let Some(room) = room else {
        return plain(description, Plain::new(nodes), jobs, outages, site);
    };
    let profile = description.machine.profile.as_deref().unwrap_or_default();
    let catalogue = room.catalogue(profile).map_err(|error| named(description, "machine.profile", &error))?;
    if room.is_switched() {
        return switched(description, room, &catalogue, jobs, site);
    }
    let (allocation, wirings) = description.allocation()?;
    let parts =
        RoomParts { room: room.clone(), catalogue, allocation, wirings, slowdown: description.slowdown() };
    let mut failing: Vec<Part> = outages.iter().map(|outage| outage.part.clone()).collect();
    failing.dedup();
    let machine = Room::new(parts, &failing)?.with_reservations(&site.reservations)?;
    if let Some(factor) = description.torus_above() {
        machine.require_tori(&mut jobs, factor);
    }
    Ok(AnyQueue::Room(Box::new(Queue::at_site(jobs, machine, rules, outages, site))))
}

/// A number of nodes, with advance reservations of some of them, if any.
fn plain(
    description: &Description,
    machine: Plain,
    jobs: Vec<Job>,
    outages: Vec<Outage>,
    site: &Site,
) -> Result<AnyQueue, InputError> {
    let rules = description.rules()?;
    let reservations = &site.reservations;
    if reservations.list.is_empty() {
        return Ok(AnyQueue::Plain(Box::new(Queue::at_site(jobs, machine, rules, outages, site))));
    }
    let nodes = |reservation: &AdvanceReservation| u64::from(reservation.part.plain_nodes());
    for (index, reservation) in reservations.list.iter().enumerate() {
        let at_once = reservations.list.iter().filter(|other| other.is_active(reservation.from));
        let at_once: u64 = at_once.map(nodes).sum();
        if at_once > u64::from(machine.nodes()) {
            let problem = format!(
                "{at_once} nodes are reserved when it begins, but the machine has {}",
                machine.nodes()
            );
            return Err(description.wrong(&(format!("machine.reservations[{index}]"), problem)));
        }
    }
    let machine = ReservedPlain::new(machine, reservations.clone());
    Ok(AnyQueue::ReservedPlain(Box::new(Queue::at_site(jobs, machine, rules, outages, site))))
}

/// A switched room: a number of nodes, allocated in the sizes of its catalogue.
fn switched(
    description: &Description,
    room: &machine_room::Room,
    catalogue: &machine_room::Catalogue,
    jobs: Vec<Job>,
    site: &Site,
) -> Result<AnyQueue, InputError> {
    let midplanes = description.outages()?.into_iter().map(|outage| {
        if outage.part.failed_midplane().and_then(|name| room.midplane(name)).is_none() {
            return Err(description.error("machine.outages", "in a switched room only midplanes can fail"));
        }
        Ok(Outage { part: Part::Nodes(room.nodes_of_midplane()), ..outage })
    });
    let outages = midplanes.collect::<Result<_, _>>()?;
    let mut site = site.clone();
    for (index, reservation) in site.reservations.list.iter_mut().enumerate() {
        reservation.part = match &reservation.part {
            Part::Midplanes(names) if names.iter().all(|name| room.midplane(name).is_some()) => {
                Part::Nodes(room.nodes_of_midplane() * names.len() as u32)
            }
            Part::Nodes(_) | Part::Midplane(_) | Part::Cable(_) | Part::Midplanes(_) | Part::Partition(_) => {
                let problem = "in a switched room only its midplanes can be reserved".to_owned();
                return Err(description.wrong(&(format!("machine.reservations[{index}]"), problem)));
            }
        };
    }
    plain(description, Plain::with_sizes(room.nodes(), catalogue.sizes()), jobs, outages, &site)
}

fn outcomes<M: Machine>(queue: &Queue<M>, of_place: impl Fn(M::Place) -> (u32, Option<u32>)) -> Vec<Outcome> {
    let pairs = queue.jobs().iter().zip(queue.records());
    let outcome = |(job, record): (&Job, &crate::state::Record<M::Place>)| {
        let ran = record.start.zip(record.end).filter(|_| record.reason.is_none());
        let (granted_nodes, partition) = match record.place.filter(|_| ran.is_some()) {
            Some(place) => of_place(place),
            None => (0, None),
        };
        Outcome {
            job: *job,
            ran,
            granted_nodes,
            partition,
            reserved: record.reserved,
            restarts: record.restarts,
            lost_node_seconds: record.lost_node_seconds,
            killed: record.killed,
            reason: record.reason,
        }
    };
    pairs.map(outcome).collect()
}

/// One row for each run that an outage ended, in order of time.
fn ended_runs_table<M: Machine>(
    queue: &Queue<M>,
    of_place: impl Fn(M::Place) -> (u32, Option<u32>),
    name: impl Fn(u32) -> String,
) -> Table {
    let runs = queue.ended_runs();
    let i64s = |value: &dyn Fn(&EndedRun<M::Place>) -> i64| Column::I64(runs.iter().map(value).collect());
    let columns = vec![
        ("job", i64s(&|run| queue.jobs()[run.job as usize].id)),
        ("start", i64s(&|run| run.start)),
        ("end", i64s(&|run| run.end)),
        (
            "partition",
            Column::Text(runs.iter().map(|run| of_place(run.place).1.map_or(String::new(), &name)).collect()),
        ),
        ("granted_nodes", Column::U32(runs.iter().map(|run| of_place(run.place).0).collect())),
    ];
    Table { name: "ended_runs", columns }
}

fn summary(outcomes: &[Outcome], losses: LostCapacity, nodes: u32, passes: u64) -> Value {
    let mut summary = Map::new();
    let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    let mut reasons: Map<String, Value> = Map::new();
    for reason in outcomes.iter().filter_map(|outcome| outcome.reason) {
        let entry = reasons.entry(reason.name()).or_insert(json!(0));
        *entry = json!(entry.as_u64().unwrap_or_default() + 1);
    }
    summary.insert("outcome".to_owned(), json!("completed"));
    summary.insert("machine_nodes".to_owned(), json!(nodes));
    summary.insert("jobs".to_owned(), json!(outcomes.len()));
    summary.insert("jobs_run".to_owned(), json!(count(&|outcome| outcome.ran.is_some())));
    summary.insert("jobs_not_run".to_owned(), Value::Object(reasons));
    summary.insert("jobs_killed".to_owned(), json!(count(&|outcome| outcome.killed)));
    let restarts: u64 = outcomes.iter().map(|outcome| u64::from(outcome.restarts)).sum();
    summary.insert("restarts".to_owned(), json!(restarts));
    add_all(&mut summary, json!(Capacity::of(outcomes, losses, nodes)));
    if let Some(delays) = Delays::of(outcomes.iter()) {
        add_statistics(&mut summary, "wait_seconds", delays.wait);
        add_statistics(&mut summary, "response_seconds", delays.response);
        add_statistics(&mut summary, "bounded_slowdown", delays.bounded_slowdown);
    }
    add_all(&mut summary, json!(Fairness::of(outcomes)));
    summary.insert("passes".to_owned(), json!(passes));
    debug_assert!(are_declared(&summary), "a key is not declared: {summary:?}");
    Value::Object(summary)
}

fn add_all(summary: &mut Map<String, Value>, values: Value) {
    if let Value::Object(values) = values {
        summary.extend(values);
    }
}

fn add_statistics(summary: &mut Map<String, Value>, name: &str, statistics: Statistics) {
    if let Value::Object(values) = json!(statistics) {
        values.into_iter().for_each(|(which, value)| {
            summary.insert(format!("{name}_{which}"), value);
        });
    }
}

/// One row for each partition of the catalogue: the midplanes and cables that it uses.
fn partitions_table(room: &Room) -> Table {
    let partitions = room.catalogue().partitions();
    let listed = |numbers: Vec<usize>| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let texts = |text: &dyn Fn(&machine_room::Partition) -> String| {
        Column::Text(partitions.iter().map(text).collect())
    };
    let columns = vec![
        ("partition", texts(&|partition| partition.name().to_owned())),
        ("nodes", Column::U32(partitions.iter().map(machine_room::Partition::nodes).collect())),
        ("wiring", texts(&|partition| partition.wiring().to_string())),
        ("midplanes", texts(&|partition| listed(partition.midplanes().ones().collect()))),
        ("cables", texts(&|partition| listed(partition.cables().ones().collect()))),
        (
            "passed_through",
            texts(&|partition| {
                listed(partition.passed_through().iter().map(|passed| passed.midplane).collect())
            }),
        ),
    ];
    Table { name: "partitions", columns }
}

/// One row for each midplane: its name and its coordinates.
fn midplanes_table(room: &machine_room::Room) -> Table {
    let places: Vec<Vec<u32>> =
        (0..room.midplanes().len()).map(|midplane| room.coordinates(midplane)).collect();
    let in_words = |place: &Vec<u32>| place.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let columns = vec![
        ("midplane", Column::Text(room.midplanes().to_vec())),
        ("place", Column::Text(places.iter().map(in_words).collect())),
    ];
    Table { name: "midplanes", columns }
}
