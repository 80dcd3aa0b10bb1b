//! The tables of a description that describe a site, and the site that they make of a log: which queue each job is in,
//! and which advance reservations it may use.

use crate::job::Job;
use crate::log::{AllDetails, Details, LATEST_SUBMIT, NO_NAME, Name, Report, Time};
use crate::machine::Part;
use crate::site::{AdvanceReservation, AdvanceReservations, JobQueue, Limits};
use input::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A queue with its limits. A job belongs to the first queue that it matches; jobs that match none have no limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueTable {
    /// Name of the queue.
    pub name: String,
    /// Jobs of queues with a higher priority come first, and the policy orders those of one priority; jobs without a
    /// queue have 0.
    #[serde(default)]
    pub priority: i64,
    /// Jobs of the queue; by default those whose queue or partition in the log has its name.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<MatchTable>,
    /// Least number of nodes that a job may request; others are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_nodes: Option<u32>,
    /// Largest number of nodes that a job may request; others are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nodes: Option<u32>,
    /// Longest requested time in seconds; jobs that request more are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_walltime_seconds: Option<i64>,
    /// Number of jobs of one user that may wait at a time; further jobs are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_queued_jobs_per_user: Option<u32>,
    /// Number of jobs that may run at a time; others wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_running_jobs: Option<u32>,
    /// Number of jobs of one user that may run at a time; others wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_running_jobs_per_user: Option<u32>,
    /// Number of nodes that running jobs may hold at a time; others wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nodes_in_use: Option<u32>,
    /// Names of the midplanes of a room that the jobs may use; by default all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub midplanes: Option<Vec<String>>,
}

/// Conditions on the jobs of a queue, all of which must hold; a condition that is left out always holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchTable {
    /// Queues of the log: numbers of SWF's column 15, or sacct's qualities of service (QOS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<Vec<Label>>,
    /// Partitions of the log: numbers of SWF's column 16, or sacct's names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<Vec<Label>>,
    /// Users: numbers, or sacct's names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Vec<Label>>,
    /// Least number of requested nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_nodes: Option<u32>,
    /// Largest number of requested nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nodes: Option<u32>,
    /// Shortest requested time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_walltime_seconds: Option<i64>,
    /// Longest requested time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_walltime_seconds: Option<i64>,
}

/// An advance reservation: a time in which a part of the machine is kept for some jobs. Without jobs, users or queues
/// it is kept for nobody, as for maintenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReservationTable {
    /// Name; jobs that ran in a reservation of this name, by sacct, may use it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Beginning, in seconds of the log, or as a date of a log with dates, such as "2024-03-01T08:00:00".
    pub from: Moment,
    /// End, in seconds of the log or as a date; by default it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// Number of nodes of a plain machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Names of midplanes of a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub midplanes: Option<Vec<String>>,
    /// Name of a partition of the room's profile, with its midplanes and its cables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Numbers of the jobs that may use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<i64>,
    /// Users whose jobs may use it: numbers, or sacct's names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<Label>,
    /// Names of the queues whose jobs may use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
}

/// A number or a name, as logs have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Label {
    Number(i64),
    Name(String),
}

impl Label {
    fn text(&self) -> String {
        match self {
            Label::Number(number) => number.to_string(),
            Label::Name(name) => name.clone(),
        }
    }
}

/// A time: seconds of the log, or a date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Moment {
    Second(i64),
    Date(String),
}

impl Moment {
    /// The date; `None` for seconds.
    fn date(&self) -> Result<Option<Time>, String> {
        let Moment::Date(text) = self else { return Ok(None) };
        let date =
            Time::read(text).ok_or_else(|| format!("{text:?} is no date: write it as 2024-03-01T08:00:00"));
        date.map(Some)
    }

    /// The second of a log whose second 0 is the date `zero`.
    fn second(&self, zero: Option<Time>) -> Result<i64, String> {
        let second = match (self, self.date()?) {
            (Moment::Second(second), _) => *second,
            (Moment::Date(text), date) => {
                let zero = zero.ok_or(
                    "dates need a log that has dates, as sacct's or with UnixStartTime in its header: \
                     give seconds of the log",
                )?;
                let seconds = date.map_or(Ok(0), |date| date.since(zero));
                seconds.map_err(|problem| format!("{text:?}: {problem}"))?
            }
        };
        if !(-LATEST_SUBMIT..=LATEST_SUBMIT).contains(&second) {
            return Err("must have times from -2^53 to 2^53 seconds".to_owned());
        }
        Ok(second)
    }
}

/// A key, and what is wrong with it.
pub(crate) type Wrong = (String, String);

/// Checks what can be checked without a log.
pub(crate) fn check_queues(queues: &[QueueTable], is_room: bool) -> Result<(), Wrong> {
    for (index, queue) in queues.iter().enumerate() {
        let key = |key: &str| format!("queues[{index}].{key}");
        let limits = [
            ("max_nodes", queue.max_nodes.map(i64::from)),
            ("max_walltime_seconds", queue.max_walltime_seconds),
            ("max_running_jobs", queue.max_running_jobs.map(i64::from)),
            ("max_running_jobs_per_user", queue.max_running_jobs_per_user.map(i64::from)),
            ("max_nodes_in_use", queue.max_nodes_in_use.map(i64::from)),
        ];
        if queue.name.is_empty() {
            return Err((key("name"), "must not be empty".to_owned()));
        }
        if queues[..index].iter().any(|other| other.name == queue.name) {
            return Err((key("name"), "is the name of a queue above: names must differ".to_owned()));
        }
        if let Some((name, _)) = limits.into_iter().find(|(_, limit)| limit.is_some_and(|limit| limit < 1)) {
            return Err((key(name), "must be at least 1".to_owned()));
        }
        if queue.min_nodes.zip(queue.max_nodes).is_some_and(|(min, max)| min > max) {
            return Err((key("min_nodes"), "must be at most max_nodes".to_owned()));
        }
        if queue.midplanes.is_some() && !is_room {
            return Err((key("midplanes"), "only a room has midplanes: name the room too".to_owned()));
        }
    }
    if queues.len() >= usize::from(u16::MAX) {
        return Err(("queues".to_owned(), "must be fewer than 65,535".to_owned()));
    }
    Ok(())
}

/// Checks what can be checked without a log.
pub(crate) fn check_reservations(
    reservations: &[ReservationTable],
    queues: &[QueueTable],
    is_room: bool,
) -> Result<(), Wrong> {
    for (index, table) in reservations.iter().enumerate() {
        let key = format!("machine.reservations[{index}]");
        let parts = [table.nodes.is_some(), table.midplanes.is_some(), table.partition.is_some()];
        let is_one = parts.into_iter().filter(|is_given| *is_given).count() == 1;
        if !is_one || (table.nodes.is_some() == is_room) {
            let problem = "must name one thing: nodes of a plain machine, midplanes or a partition of a room";
            return Err((key, problem.to_owned()));
        }
        for name in &table.queues {
            if queues.iter().all(|queue| queue.name != *name) {
                let names = queues.iter().map(|queue| queue.name.as_str());
                let problem = format!("there is no queue {name:?} in queues; {}", nearest(name, names));
                return Err((format!("{key}.queues"), problem));
            }
        }
        if let (Moment::Second(from), Some(Moment::Second(until))) = (&table.from, &table.until)
            && until <= from
        {
            return Err((key, "until must be later than from".to_owned()));
        }
        for date in [Some(&table.from), table.until.as_ref()].into_iter().flatten() {
            date.date().map_err(|problem| (key.clone(), problem))?;
        }
    }
    Ok(())
}

/// The queues with their limits.
pub(crate) fn queues_of(tables: &[QueueTable]) -> Vec<JobQueue> {
    let queue = |table: &QueueTable| JobQueue {
        name: table.name.clone(),
        priority: table.priority,
        limits: Limits {
            min_nodes: table.min_nodes,
            max_nodes: table.max_nodes,
            max_walltime: table.max_walltime_seconds,
            max_queued_jobs_per_user: table.max_queued_jobs_per_user,
            max_running_jobs: table.max_running_jobs,
            max_running_jobs_per_user: table.max_running_jobs_per_user,
            max_nodes_in_use: table.max_nodes_in_use,
        },
    };
    tables.iter().map(queue).collect()
}

/// Puts each job into its queue, and reports queues without jobs.
pub(crate) fn assign_queues(
    tables: &[QueueTable],
    jobs: &mut [Job],
    details: &AllDetails,
    report: &mut Report,
) -> Result<(), Wrong> {
    let matchers: Vec<Matcher<'_>> = tables.iter().map(|table| Matcher::new(table, details)).collect();
    let mut is_used = vec![false; tables.len()];
    for job in jobs.iter_mut() {
        let found = matchers.iter().position(|matcher| matcher.matches(job, details));
        job.queue = found.map_or(0, |index| index as u16 + 1);
        if let Some(index) = found {
            is_used[index] = true;
        }
    }
    for (table, _) in tables.iter().zip(is_used).filter(|(_, is_used)| !is_used) {
        report.note_queue(&table.name);
    }
    let has_users = jobs.iter().any(|job| job.user >= 0);
    for (index, table) in tables.iter().enumerate() {
        let limits = [
            ("max_queued_jobs_per_user", table.max_queued_jobs_per_user),
            ("max_running_jobs_per_user", table.max_running_jobs_per_user),
        ];
        if let Some((key, _)) = limits.into_iter().find(|(_, limit)| limit.is_some())
            && !has_users
        {
            let problem = "the log has no users: leave this limit out".to_owned();
            return Err((format!("queues[{index}].{key}"), problem));
        }
    }
    Ok(())
}

/// The conditions of a queue, with the names as the log counts them.
struct Matcher<'a> {
    table: Option<&'a MatchTable>,
    /// The queue's own name, where it has no conditions.
    own: Vec<Name>,
    queues: Option<Vec<Name>>,
    partitions: Option<Vec<Name>>,
}

impl<'a> Matcher<'a> {
    fn new(table: &'a QueueTable, details: &AllDetails) -> Self {
        let names = |labels: &Option<Vec<Label>>| {
            let labels = labels.as_ref()?;
            Some(labels.iter().filter_map(|label| details.find(&label.text())).collect())
        };
        let conditions = table.matches.as_ref();
        Matcher {
            table: conditions,
            own: details.find(&table.name).into_iter().collect(),
            queues: conditions.and_then(|table| names(&table.queue)),
            partitions: conditions.and_then(|table| names(&table.partition)),
        }
    }

    fn matches(&self, job: &Job, all: &AllDetails) -> bool {
        let details = all.get(job.details);
        let Some(table) = self.table else {
            return self.own.contains(&details.queue) || self.own.contains(&details.partition);
        };
        let is_one_of =
            |names: &Option<Vec<Name>>, name: Name| names.as_ref().is_none_or(|names| names.contains(&name));
        is_one_of(&self.queues, details.queue)
            && is_one_of(&self.partitions, details.partition)
            && table.user.as_ref().is_none_or(|users| is_user(users, job, details, all))
            && table.min_nodes.is_none_or(|min| job.nodes >= min)
            && table.max_nodes.is_none_or(|max| job.nodes <= max)
            && table.min_walltime_seconds.is_none_or(|min| job.walltime >= min)
            && table.max_walltime_seconds.is_none_or(|max| job.walltime <= max)
    }
}

/// Whether the user of a job is among some: by number, or by name where the log has names.
fn is_user(users: &[Label], job: &Job, details: &Details, all: &AllDetails) -> bool {
    users.iter().any(|user| match user {
        Label::Number(number) => *number == i64::from(job.user),
        Label::Name(name) => details.user != NO_NAME && all.name(details.user) == name,
    })
}

/// The advance reservations of a machine, in the order of their tables, then those that keep queues to their midplanes;
/// each job gets its class of access.
pub(crate) fn reservations_of(
    tables: &[ReservationTable],
    queues: &[QueueTable],
    jobs: &mut [Job],
    log: LogFacts<'_>,
) -> Result<AdvanceReservations, Wrong> {
    let mut list = vec![];
    for (index, table) in tables.iter().enumerate() {
        let reservation = reservation(table, log.zero)
            .map_err(|problem| (format!("machine.reservations[{index}]"), problem))?;
        list.push(reservation);
    }
    let mut of_queue = vec![None; queues.len()];
    for (queue, table) in queues.iter().enumerate() {
        if let Some(own) = &table.midplanes {
            of_queue[queue] = Some(list.len());
            list.push(all_but(own, log.midplanes).map_err(|name| unknown_midplane(queue, &name, log))?);
        }
    }
    let mut classes: BTreeMap<Vec<usize>, u16> = BTreeMap::from([(vec![], 0)]);
    for job in jobs.iter_mut() {
        let mut closed: Vec<usize> =
            (0..tables.len()).filter(|&index| !may_use(&tables[index], queues, job, log.details)).collect();
        closed.extend(usize::from(job.queue).checked_sub(1).and_then(|queue| of_queue[queue]));
        let next = classes.len();
        let class = *classes.entry(closed).or_insert(next.min(usize::from(u16::MAX)) as u16);
        job.access = class;
    }
    if classes.len() >= usize::from(u16::MAX) {
        let problem = "jobs may use too many different sets of them: at most 65,534".to_owned();
        return Err(("machine.reservations".to_owned(), problem));
    }
    let mut closed = vec![vec![]; classes.len()];
    classes.into_iter().for_each(|(indices, class)| closed[usize::from(class)] = indices);
    Ok(AdvanceReservations { list, closed })
}

/// The facts about the log and the room that reservations need.
#[derive(Clone, Copy)]
pub(crate) struct LogFacts<'a> {
    pub details: &'a AllDetails,
    /// The date of second 0.
    pub zero: Option<Time>,
    /// The midplanes of the room.
    pub midplanes: &'a [String],
}

fn reservation(table: &ReservationTable, zero: Option<Time>) -> Result<AdvanceReservation, String> {
    let from = table.from.second(zero)?;
    let until = table.until.as_ref().map_or(Ok(i64::MAX), |until| until.second(zero))?;
    if until <= from {
        return Err("until must be later than from".to_owned());
    }
    let part = match (table.nodes, &table.midplanes, &table.partition) {
        (Some(nodes), _, _) => Part::Nodes(nodes),
        (_, Some(names), _) => Part::Midplanes(names.clone()),
        (_, _, name) => Part::Partition(name.clone().unwrap_or_default()),
    };
    Ok(AdvanceReservation { from, until, part })
}

/// A reservation of all midplanes but those of a queue, for ever; an error is a name that the room does not have.
fn all_but(own: &[String], midplanes: &[String]) -> Result<AdvanceReservation, String> {
    if let Some(unknown) = own.iter().find(|name| !midplanes.contains(name)) {
        return Err(unknown.clone());
    }
    let others = midplanes.iter().filter(|name| !own.contains(name)).cloned().collect();
    Ok(AdvanceReservation { from: -LATEST_SUBMIT, until: i64::MAX, part: Part::Midplanes(others) })
}

fn unknown_midplane(queue: usize, name: &str, log: LogFacts<'_>) -> Wrong {
    let hint = nearest(name, log.midplanes.iter().map(String::as_str));
    let hint = hint.split_once(", ").map_or(hint.as_str(), |(first, _)| first);
    (format!("queues[{queue}].midplanes"), format!("there is no midplane {name:?}; {hint}, …"))
}

fn may_use(table: &ReservationTable, queues: &[QueueTable], job: &Job, all: &AllDetails) -> bool {
    let details = all.get(job.details);
    let queue = usize::from(job.queue).checked_sub(1).map(|queue| &queues[queue].name);
    table.jobs.contains(&job.id)
        || is_user(&table.users, job, details, all)
        || queue.is_some_and(|name| table.queues.contains(name))
        || (!table.name.is_empty()
            && details.reservation != NO_NAME
            && all.name(details.reservation) == table.name)
}
