//! The description of a schedule: log, machine and rules. Plain data with every default filled in.

use crate::backfill::Backfill;
use crate::log::lublin::Model;
use crate::log::{Arrival, ColumnMap, Format, LATEST_SUBMIT, Reading, Walltimes};
use crate::machine::{Allocation, Part, Wirings};
use crate::policy::{Policy, PolicyError};
use crate::queue::{Outage, Rules};
use crate::queue_settings::QueueSettings;
use crate::site_settings::{
    MatchTable, QueueTable, ReservationTable, Wrong, check_queues, check_reservations,
};
use crate::slowdown::{Rule, Slowdown};
use input::{Document, InputError, Override, nearest, parse_toml, read};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

/// Version of the description's format.
const SCHEMA_VERSION: u64 = 1;

/// The sections of a description.
const SECTIONS: [&str; 5] = ["log", "machine", "queue", "queues", "schema_version"];

/// The log path that selects the synthetic model.
const LUBLIN: &str = "lublin";

/// The jobs: a log file or a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogSettings {
    /// Path of a log file, plain or compressed with gzip, or "lublin" for jobs of the model of Lublin and Feitelson.
    pub path: String,
    /// Format of the log file: "swf", "argonne" or "sacct"; by default detected from its first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Column of each field, counted from 1, for other formats: job=1,submit=2,run=4,nodes=5,walltime=6, or "mira" for
    /// Mira's log of 2018; or the heading of sacct, for a log of it without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// Whether jobs wait for the jobs before them, as the log says: SWF's columns 17 and 18, sacct's dependencies.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dependencies: bool,
    /// When jobs arrive: "submit" for the time of submission, "eligible" for the time at which they might first start,
    /// which only sacct has.
    #[serde(default = "default_arrival", skip_serializing_if = "is_submit")]
    pub arrival: String,
    /// Processors of the log per node; jobs are rounded up to whole nodes.
    #[serde(default = "one::<u32>")]
    pub processors_per_node: u32,
    /// Requested times of jobs whose log has none: 1 for the run time, N to draw from 1 to N run times, rounded up to a
    /// quarter of an hour.
    #[serde(default = "one::<u32>")]
    pub walltime_factor: u32,
    /// Seed of all random draws: requested times, jobs that require a torus, jobs of the model, resampled blocks.
    #[serde(default = "one::<u64>")]
    pub seed: u64,
    /// Number of jobs to skip at the beginning of the log.
    #[serde(default)]
    pub skip_jobs: usize,
    /// Number of jobs to simulate after the skipped ones; by default all of a file, 1,000 of the model. If the log is
    /// resampled, the number of jobs that are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<usize>,
    /// Number of consecutive jobs of a block. Blocks are drawn with the seed from the jobs after the skipped ones, and
    /// follow one another. By default the jobs are those of the log, in its order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resample_blocks: Option<usize>,
    /// Offered load to which submit times are scaled: node-seconds of the jobs over those of the machine from the first
    /// submission to the last; 1 fills the machine. By default submit times are unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Maximum job size in nodes; larger jobs are reduced to it. By default sizes are unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_to_nodes: Option<u32>,
    /// Job sizes of the model, in nodes with weights, such as [[512, 0.6], [1024, 0.4]]; by default the model's own
    /// sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Vec<(u32, f64)>>,
    /// Fraction of the jobs that require a torus, 0 to 1; other jobs may get a mesh.
    #[serde(default)]
    pub torus_share: f64,
}

/// The machine: a machine room, or plain nodes, any of which can run any job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineSettings {
    /// Number of nodes of a plain machine; by default as in the log's header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Machine room: the name of a compiled-in room, or the path of a TOML file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// Profile of the room that defines its partitions; by default "site" if the room has it, else the first by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Rule that selects one of the free partitions for a job: "least-blocking", "first-fit" or "most-blocking".
    #[serde(default = "default_allocation")]
    pub allocation: String,
    /// Whether jobs that do not require a torus get a mesh if their size has both.
    #[serde(default)]
    pub hybrid: bool,
    /// Slowdown factor above which a job requires a torus: the factor of the mesh of its size that would slow it down
    /// most, by slowdown and slowdown_rules. A site that knows its applications decides so. By default no job requires
    /// one for that reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torus_above: Option<f64>,
    /// Factor on run times on partitions of a midplane or more that have an open dimension, such as 1.05; 1 is no
    /// slowdown.
    #[serde(default = "one::<f64>")]
    pub slowdown: f64,
    /// Slowdown factors by application, nodes and shape, which take precedence over slowdown; the first match applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slowdown_rules: Vec<SlowdownRule>,
    /// Outages of nodes, midplanes or cables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outages: Vec<OutageSettings>,
    /// Advance reservations of nodes, midplanes or a partition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reservations: Vec<ReservationTable>,
}

/// Slowdown factor of some jobs on some partitions with an open dimension; a condition that is left out always matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SlowdownRule {
    /// Number of the application, as in the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<i32>,
    /// Size of the partition in nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Shape of the partition in nodes, such as 8x8x16; with m after the length of each open dimension, such as 8x8x16m,
    /// of partitions that are open in these alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// Factor on the run time, 0.01 to 1000; 1 is no slowdown.
    pub factor: f64,
    /// Half of the 95 % interval of the factor, where it was predicted; it is kept with the schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

/// An outage of one part of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutageSettings {
    /// Start of the outage, in seconds of the log.
    pub from: i64,
    /// End of the outage, in seconds of the log; by default it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// Number of nodes of a plain machine that fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Name of the midplane of a room that fails, such as R00-M0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub midplane: Option<String>,
    /// Name of the cable of a room that fails, such as "Z R00-M0 R00-M1".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cable: Option<String>,
}

fn default_arrival() -> String {
    "submit".to_owned()
}
fn is_false(value: &bool) -> bool {
    !*value
}
fn is_submit(arrival: &str) -> bool {
    arrival == "submit"
}
fn one<T: From<u8>>() -> T {
    T::from(1)
}
fn default_allocation() -> String {
    "least-blocking".to_owned()
}

/// A description with every value validated and every default filled in.
#[derive(Clone, Debug)]
pub struct Description {
    pub(crate) log: LogSettings,
    pub(crate) machine: MachineSettings,
    pub(crate) queue: QueueSettings,
    /// The queues of the site, in the order in which jobs are matched.
    pub(crate) queues: Vec<QueueTable>,
    document: Document,
}

impl Description {
    /// The description of a table with the sections `log`, `machine` and `queue`, after overrides are applied to it.
    ///
    /// # Errors
    /// The first error, with its location and key.
    pub fn resolve(value: Value, overrides: &[Override]) -> Result<Self, InputError> {
        Description::of(Document::from_plain(value, "schedule")?, overrides)
    }

    /// The description of a TOML file, after overrides are applied to it. Paths in the file are relative to its
    /// directory; `origin` names it in messages.
    ///
    /// # Errors
    /// The first error, with its line and key.
    pub fn parse(
        text: &str,
        origin: &str,
        directory: &Path,
        overrides: &[Override],
    ) -> Result<Self, InputError> {
        let mut document = parse_toml(text, origin)?;
        for (key, is_path) in [("log.path", is_log_path as fn(&str) -> bool), ("machine.room", is_toml_path)]
        {
            let path = document.get(key).and_then(Value::as_str).filter(|path| is_path(path));
            if let Some(path) = path.map(|path| directory.join(path)) {
                document.replace(key, json!(path.to_string_lossy()));
            }
        }
        Description::of(document, overrides)
    }

    fn of(mut document: Document, overrides: &[Override]) -> Result<Self, InputError> {
        overrides.iter().try_for_each(|change| document.apply(change))?;
        check_sections(&document)?;
        document.set_default("machine", json!({}));
        document.set_default("queue", json!({}));
        if document.get("log").is_none() {
            return Err(document.error("log", "is missing: a schedule needs a log of jobs"));
        }
        // Items of a list, and tables that may be missing, are checked one by one, so that messages name their keys.
        read_list::<ReservationTable>(&document, "machine.reservations")?;
        let queues = document.get("queues").and_then(Value::as_array).map_or(0, Vec::len);
        for path in (0..queues).map(|index| format!("queues[{index}].match")) {
            if document.get(&path).is_some() {
                read::<MatchTable>(&document, &path)?;
            }
        }
        let mut description = Description {
            log: read(&document, "log")?,
            machine: read(&document, "machine")?,
            queue: read(&document, "queue")?,
            queues: read_list(&document, "queues")?,
            document,
        };
        description.check_numbers()?;
        description.reading()?;
        // A former name of a rule becomes the present one.
        description.queue.backfill = description.rules()?.backfill.to_string();
        description.outages()?;
        description.check_site().map_err(|wrong| description.wrong(&wrong))?;
        description.allocation()?;
        Ok(description)
    }

    /// The whole description as plain data; [`Description::resolve`] reads it again.
    pub fn to_json(&self) -> Value {
        let mut plain = json!({
            "schema_version": SCHEMA_VERSION,
            "log": self.log,
            "machine": self.machine,
            "queue": self.queue,
        });
        if !self.queues.is_empty() {
            plain["queues"] = json!(self.queues);
        }
        plain
    }

    /// The error about a key of the site's tables.
    pub(crate) fn wrong(&self, (key, problem): &Wrong) -> InputError {
        match self.document.get(key) {
            Some(value) if !value.is_object() => self.error(key, problem),
            _ => InputError::at(self.document.place(key), problem).key(key),
        }
    }

    fn check_site(&self) -> Result<(), Wrong> {
        let is_room = self.machine.room.is_some();
        check_queues(&self.queues, is_room)?;
        check_reservations(&self.machine.reservations, &self.queues, is_room)?;
        if self.log.dependencies && self.log.resample_blocks.is_some() {
            let problem = "resampled jobs are no longer the ones that others wait for: leave one of them out";
            return Err(("log.dependencies".to_owned(), problem.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn error(&self, key: &str, problem: impl Into<String>) -> InputError {
        self.document.error(key, problem)
    }

    /// An error with the location of a key, but without key and value.
    pub(crate) fn error_at(&self, key: &str, problem: impl Display) -> InputError {
        InputError::at(self.document.place(key), problem.to_string())
    }

    fn check_numbers(&self) -> Result<(), InputError> {
        let LogSettings { torus_share, load, .. } = self.log;
        let checks = [
            (self.log.processors_per_node >= 1, "log.processors_per_node", "must be at least 1"),
            (self.log.walltime_factor >= 1, "log.walltime_factor", "must be at least 1"),
            (self.log.jobs != Some(0), "log.jobs", "must be at least 1"),
            (self.log.resample_blocks != Some(0), "log.resample_blocks", "must be at least 1"),
            (self.log.cut_to_nodes != Some(0), "log.cut_to_nodes", "must be at least 1"),
            ((0.0..=1.0).contains(&torus_share), "log.torus_share", "must be a fraction from 0 to 1"),
            (
                load.is_none_or(|load| (0.001..=100.0).contains(&load)),
                "log.load",
                "must be a load from 0.001 to 100, where 1 fills the machine",
            ),
            (self.machine.nodes != Some(0), "machine.nodes", "must be at least 1"),
            (is_factor(self.machine.slowdown), "machine.slowdown", FACTOR_RANGE),
            (self.machine.torus_above.is_none_or(is_factor), "machine.torus_above", FACTOR_RANGE),
            (
                self.machine.torus_above.is_none() || self.machine.hybrid,
                "machine.torus_above",
                "needs machine.hybrid: without it jobs do not get meshes unless they require a torus",
            ),
            (self.queue.wfp_exponent.is_finite(), "queue.wfp_exponent", "must be a number"),
            (
                (0.0..=1.0).contains(&self.queue.drain_threshold),
                "queue.drain_threshold",
                "must be a fraction from 0 to 1",
            ),
            (
                self.machine.nodes.is_none() || self.machine.room.is_none(),
                "machine.nodes",
                "a machine has nodes or is a room: give one of them",
            ),
            (
                self.machine.profile.is_none() || self.machine.room.is_some(),
                "machine.profile",
                "a profile belongs to a room: name the room too",
            ),
            (
                self.machine.room.is_some() || !self.has_rules_of_rooms(),
                "machine.slowdown",
                "only partitions of a room have open dimensions: name the room too",
            ),
            (
                self.machine.room.is_some() || self.machine.torus_above.is_none(),
                "machine.torus_above",
                "only partitions of a room have open dimensions: name the room too",
            ),
            (
                self.machine.slowdown_rules.iter().all(|rule| is_factor(rule.factor)),
                "machine.slowdown_rules",
                FACTOR_RANGE,
            ),
            (
                self.log.sizes.is_none() || self.is_model(),
                "log.sizes",
                "sizes apply only to the model lublin: a file has its own",
            ),
        ];
        match checks.into_iter().find(|(is_right, _, _)| !is_right) {
            Some((_, key, problem)) => Err(self.error(key, problem)),
            None => Ok(()),
        }
    }

    fn has_rules_of_rooms(&self) -> bool {
        self.machine.slowdown != 1.0 || !self.machine.slowdown_rules.is_empty()
    }

    pub(crate) fn is_model(&self) -> bool {
        self.log.path == LUBLIN
    }

    /// How the log is read.
    pub(crate) fn reading(&self) -> Result<Reading, InputError> {
        let format = match (&self.log.columns, self.log.format.as_deref()) {
            (Some(columns), None | Some("sacct")) if is_heading_of_sacct(columns) => Format::SacctColumns(
                columns
                    .parse()
                    .map(Box::new)
                    .map_err(|problem| self.error_at("log.columns", format!("columns: {problem}")))?,
            ),
            (Some(columns), None) => columns
                .parse::<ColumnMap>()
                .map(Format::Columns)
                .map_err(|problem| self.error_at("log.columns", format!("columns: {problem}")))?,
            (Some(_), Some(_)) => {
                return Err(self.error("log.format", "a column map is a format: give one of them"));
            }
            (None, None) => Format::Guessed,
            (None, Some(name)) => Format::named(name).map_err(|problem| self.error("log.format", problem))?,
        };
        let walltimes = match self.log.walltime_factor {
            1 => Walltimes::Exact,
            factor => Walltimes::Modelled { factor, seed: self.log.seed },
        };
        let is_eligible = self.choice("log.arrival", &self.log.arrival, ["submit", "eligible"])?;
        let arrival = if is_eligible { Arrival::Eligible } else { Arrival::Submit };
        let window = self.window();
        Ok(Reading { format, processors_per_node: self.log.processors_per_node, walltimes, arrival, window })
    }

    /// The jobs of the log that are simulated, or from which blocks are drawn.
    pub(crate) fn window(&self) -> Range<usize> {
        let count = if self.log.resample_blocks.is_some() { None } else { self.log.jobs };
        self.log.skip_jobs..self.log.skip_jobs.saturating_add(count.unwrap_or(usize::MAX))
    }

    /// The model that jobs are drawn from, for a machine of `nodes` nodes.
    pub(crate) fn model(&self, nodes: u32) -> Result<Model, InputError> {
        let sizes = self.log.sizes.clone().unwrap_or_default();
        let sum: f64 = sizes.iter().map(|(_, weight)| weight).sum();
        if sizes.iter().any(|&(nodes, weight)| nodes == 0 || !(0.0..1e9).contains(&weight))
            || (!sizes.is_empty() && sum <= 0.0)
        {
            return Err(self.error(
                "log.sizes",
                "must be nodes (at least 1) with weights (at least 0, not all of them 0)",
            ));
        }
        Ok(Model { nodes, sizes, seed: self.log.seed })
    }

    /// The rules of the queue.
    pub(crate) fn rules(&self) -> Result<Rules, InputError> {
        let settings = &self.queue;
        let policy = Policy::new(settings).map_err(|error| match error {
            PolicyError::Parameter(wrong) => self.wrong(&wrong),
            PolicyError::Expression(error) => self.error_at("queue.policy", format!("policy: {error}")),
        })?;
        let backfill: Backfill = settings
            .backfill
            .parse()
            .map_err(|error| self.error_at("queue.backfill", format!("backfill: {error}")))?;
        if backfill.drains() && self.machine.room.is_none() {
            let problem =
                "draining needs partitions, which plain nodes do not have: use \"easy\", or name a room";
            return Err(self.error("queue.backfill", problem));
        }
        Ok(Rules {
            policy,
            backfill,
            threshold: settings.drain_threshold,
            kill: self.choice("queue.walltime", &settings.walltime, ["keep", "kill"])?,
            restart: self.choice("queue.after_outage", &settings.after_outage, ["drop", "restart"])?,
        })
    }

    /// Whether `word` is the second of the two allowed words.
    fn choice(&self, key: &str, word: &str, words: [&str; 2]) -> Result<bool, InputError> {
        match words.iter().position(|known| *known == word) {
            Some(index) => Ok(index == 1),
            None => Err(self.error(key, format!("must be {:?} or {:?}", words[0], words[1]))),
        }
    }

    pub(crate) fn allocation(&self) -> Result<(Allocation, Wirings), InputError> {
        let allocation = self
            .machine
            .allocation
            .parse()
            .map_err(|error| self.error_at("machine.allocation", format!("allocation: {error}")))?;
        Ok((allocation, if self.machine.hybrid { Wirings::MeshUnlessRequired } else { Wirings::Any }))
    }

    pub(crate) fn slowdown(&self) -> Slowdown {
        let rules = self.machine.slowdown_rules.iter().map(|rule| Rule {
            application: rule.application,
            nodes: rule.nodes,
            shape: rule.shape.clone(),
            parts_per_million: parts_per_million(rule.factor),
        });
        Slowdown { parts_per_million: parts_per_million(self.machine.slowdown), rules: rules.collect() }
    }

    /// The factor above which a job requires a torus, in parts per million.
    pub(crate) fn torus_above(&self) -> Option<u64> {
        self.machine.torus_above.map(parts_per_million)
    }

    /// The largest factor on a run time.
    pub(crate) fn largest_slowdown(&self) -> f64 {
        let rules = self.machine.slowdown_rules.iter().map(|rule| rule.factor);
        rules.fold(self.machine.slowdown.max(1.0), f64::max)
    }

    /// The outages, with overlapping outages of one part merged.
    pub(crate) fn outages(&self) -> Result<Vec<Outage>, InputError> {
        let mut outages = Vec::new();
        for (index, settings) in self.machine.outages.iter().enumerate() {
            let key = format!("machine.outages[{index}]");
            let part = match (settings.nodes, &settings.midplane, &settings.cable) {
                (Some(nodes), None, None) if self.machine.room.is_none() => Part::Nodes(nodes),
                (None, Some(name), None) if self.machine.room.is_some() => Part::Midplane(name.clone()),
                (None, None, Some(name)) if self.machine.room.is_some() => Part::Cable(name.clone()),
                _ => {
                    let problem =
                        "must name one thing: nodes of a plain machine, a midplane or a cable of a room";
                    return Err(self.error(&key, problem));
                }
            };
            let times = [Some(settings.from), settings.until];
            if times.into_iter().flatten().any(|time| !(-LATEST_SUBMIT..=LATEST_SUBMIT).contains(&time)) {
                return Err(self.error(&key, "must have times from -2^53 to 2^53 seconds"));
            }
            let until = settings.until.unwrap_or(i64::MAX);
            if until <= settings.from {
                return Err(self.error(&key, "until must be later than from"));
            }
            outages.push(Outage { from: settings.from, until, part });
        }
        Ok(united(outages))
    }
}

const FACTOR_RANGE: &str = "must be a factor from 0.01 to 1000, where 1 is no slowdown";

fn is_factor(factor: f64) -> bool {
    (0.01..=1000.0).contains(&factor)
}

fn parts_per_million(factor: f64) -> u64 {
    (factor * Slowdown::ONE as f64).round() as u64
}

/// Merges overlapping outages of one midplane or cable; those of plain nodes add up.
fn united(mut outages: Vec<Outage>) -> Vec<Outage> {
    outages.sort_by_key(|outage| outage.from);
    let mut united: Vec<Outage> = Vec::new();
    for outage in outages {
        let same = united.iter_mut().rev().find(|earlier| {
            earlier.part == outage.part && earlier.until >= outage.from && !outage.part.adds_up()
        });
        match same {
            Some(earlier) => earlier.until = earlier.until.max(outage.until),
            None => united.push(outage),
        }
    }
    united
}

/// Reads a list of tables, if any.
fn read_list<T: serde::de::DeserializeOwned + JsonSchema>(
    document: &Document,
    path: &str,
) -> Result<Vec<T>, InputError> {
    match document.get(path) {
        None => Ok(vec![]),
        Some(Value::Array(items)) => {
            (0..items.len()).map(|index| read(document, &format!("{path}[{index}]"))).collect()
        }
        Some(_) => Err(document.error(path, format!("must be a list of tables, as in [[{path}]]"))),
    }
}

/// Whether a log is a file, and not a model.
fn is_log_path(path: &str) -> bool {
    path != LUBLIN
}

/// Whether columns are given by the names of sacct.
fn is_heading_of_sacct(columns: &str) -> bool {
    !columns.contains('=') && columns != "mira"
}

/// Whether a room is a file, and not a name.
fn is_toml_path(path: &str) -> bool {
    path.ends_with(".toml")
}

fn check_sections(document: &Document) -> Result<(), InputError> {
    let keys = document.root().as_object().into_iter().flatten();
    if let Some((key, _)) = keys.into_iter().find(|(key, _)| !SECTIONS.contains(&key.as_str())) {
        let problem = format!("a schedule has no such section; {}", nearest(key, SECTIONS.into_iter()));
        return Err(document.error(key, problem));
    }
    match document.get("schema_version") {
        Some(version) if *version != SCHEMA_VERSION => {
            Err(document.error("schema_version", format!("this torusim reads version {SCHEMA_VERSION}")))
        }
        _ => Ok(()),
    }
}
