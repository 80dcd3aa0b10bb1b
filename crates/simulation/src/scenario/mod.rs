//! A scenario: a machine, a workload, and how to run it.
//!
//! ```text
//!   preset file  <- scenario file <- overrides        (each overrides the one before it)
//!        \_____________|________________/
//!                      v
//!   [machine] -> Parameters (checked) -> [workload], [mapping], [messaging] -> Plan (checked) -> [run] (completed) -> Scenario
//! ```
//!
//! A resolved scenario has every default filled in and resolves to itself.

mod built_in;
mod collectives;
mod estimate;
pub(crate) mod jobs;
mod machine;
mod mapping;
mod messaging;
mod own_traffic;
mod preset;
mod router;
mod run_settings;
mod sheet;
mod slices;
mod twist;
pub(crate) mod units;
mod warnings;
mod workload;

use crate::engine::EngineFamily;
use ::messaging::{Excerpt, RankMap};
pub(crate) use built_in::{PRESETS, preset_text};
use estimate::check_idle_memory;
pub(crate) use estimate::check_memory;
pub use estimate::{TABLE_BYTES_PER_LINK, check, check_for};
use geometry::Shape;
use input::{Document, InputError, Override, nearest, parse_toml};
pub(crate) use jobs::JobSettings;
pub(crate) use machine::Machine;
pub(crate) use mapping::MappingSettings;
pub(crate) use messaging::MessagingSettings;
use mpi::Selection;
use network::{Parameters, Processes};
pub(crate) use preset::DEFAULT_PRESET;
pub(crate) use run_settings::{RunSettings, Stop, Window};
use serde_json::{Value, json};
pub use sheet::{Sheet, SheetColumn, SheetReader, set_sheet_reader};
use std::path::{Path, absolute};
use std::sync::Arc;
use traces::Trace;
use workloads::{Context, Placement, Plan, Workload, WorkloadError, selection};

/// The schema version of resolved scenarios.
const SCHEMA_VERSION: u64 = 1;

/// The sections of a scenario.
const SECTIONS: [&str; 7] = ["machine", "workload", "jobs", "mapping", "messaging", "run", "schema_version"];

/// The keys of paths, of a scenario and of each of its jobs. They name a trace's directory or a file of flows, a
/// file of message lengths, and a mapping file.
const PATH_KEYS: [&str; 3] = ["workload.path", "workload.message_bytes.path", "mapping.file"];

/// A scenario with every value checked and every default filled in.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) machine: Machine,
    pub(crate) workload: Workload,
    /// The places of ranks; none if no mapping places them.
    pub(crate) mapping: Option<MappingSettings>,
    pub(crate) placement: Placement,
    /// The jobs, if there are several workloads; the workload has them too.
    pub(crate) jobs: Vec<JobSettings>,
    pub(crate) messaging: MessagingSettings,
    pub(crate) run: RunSettings,
    pub(crate) parameters: Parameters,
    /// The time lines that a run records.
    pub(crate) time_lines: Option<Excerpt>,
    /// Values with a unit that are rounded, in sentences for the user.
    rounded: Vec<String>,
    /// The place of each value, for errors that are found late.
    document: Document,
}

/// Resolves a scenario from the text of a TOML file or, if `origin` ends in `.json`, of an earlier result. Error
/// messages name it `origin`. Relative paths in it are relative to `directory`, those in `overrides` to the working
/// directory.
///
/// # Errors
/// The first error found, with its place.
pub fn resolve(
    text: &str,
    origin: &str,
    directory: &Path,
    overrides: &[Override],
) -> Result<Scenario, InputError> {
    resolve_for(text, origin, directory, overrides, Processes::ONE)
}

/// Resolves a scenario like [`resolve`], for a run of some processes: the part of this computer has to fit in its memory.
///
/// # Errors
/// The first error found, with its place.
pub fn resolve_for(
    text: &str,
    origin: &str,
    directory: &Path,
    overrides: &[Override],
    processes: Processes,
) -> Result<Scenario, InputError> {
    let document = if origin.ends_with(".json") {
        Document::from_plain(scenario_of_result(text, origin)?, origin)?
    } else {
        parse_toml(text, origin)?
    };
    let name = Path::new(origin).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    resolve_document(document, directory, overrides, name, processes).and_then(without_program)
}

/// Resolves a scenario that a program passes as a table. Relative paths in it are relative to the working directory.
///
/// # Errors
/// The first error found, with its key.
pub fn resolve_plain(value: Value, overrides: &[Override]) -> Result<Scenario, InputError> {
    resolve_plain_for(value, overrides, Processes::ONE)
}

/// Resolves a scenario like [`resolve_plain`], for a run of some processes, as [`resolve_for`] does.
///
/// # Errors
/// The first error found, with its key.
pub fn resolve_plain_for(
    value: Value,
    overrides: &[Override],
    processes: Processes,
) -> Result<Scenario, InputError> {
    resolve_document(Document::from_plain(value, "scenario")?, Path::new(""), overrides, None, processes)
        .and_then(without_program)
}

/// Resolves the scenario of a program outside the simulator, which the caller has; see
/// [`crate::Run::with_program`]. With `recorded`, the calls of an earlier run, [`crate::Run::new`] replays them.
///
/// # Errors
/// The first error found, with its key.
pub fn resolve_program(
    value: Value,
    overrides: &[Override],
    recorded: Option<Arc<Trace>>,
) -> Result<Scenario, InputError> {
    let mut scenario = resolve_document(
        Document::from_plain(value, "program")?,
        Path::new(""),
        overrides,
        None,
        Processes::ONE,
    )?;
    let Workload::Program(program) = &mut scenario.workload else {
        return Err(scenario.error("workload.kind", "has to be \"program\""));
    };
    program.recorded = recorded;
    scenario.plan()?;
    Ok(scenario)
}

/// Refuses a scenario that describes the run of a program, and does not contain it.
fn without_program(scenario: Scenario) -> Result<Scenario, InputError> {
    let Workload::Program(program) = &scenario.workload else { return Ok(scenario) };
    let name = &program.name;
    let problem = match (&program.module, &program.command) {
        (_, Some(command)) => {
            format!("the run of {name:?} is repeated by torusim mpirun … {}", command.join(" "))
        }
        (module, None) => {
            let module = module.as_deref().unwrap_or("__main__");
            format!(
                "the run of a program in Python ({name} of the module {module}) is repeated by torusim.run_program"
            )
        }
    };
    let problem = format!("{problem}: no scenario contains a program");
    Err(scenario.error("workload.kind", &problem))
}

/// The resolved scenario in an earlier result.
fn scenario_of_result(text: &str, origin: &str) -> Result<Value, InputError> {
    let mut result: Value = serde_json::from_str(text).map_err(|error| {
        InputError::at(format!("{origin}:{}", error.line()), format!("not valid JSON: {error}"))
    })?;
    result.as_object_mut().and_then(|result| result.remove("scenario")).ok_or_else(|| {
        InputError::at(origin, "must be the result.json of a run: there is no \"scenario\" in it")
    })
}

fn resolve_document(
    mut document: Document,
    directory: &Path,
    overrides: &[Override],
    name: Option<String>,
    processes: Processes,
) -> Result<Scenario, InputError> {
    units::state_units(&mut document)?;
    make_paths_absolute(&mut document, directory);
    let document = with_overrides(document, overrides)?;
    check_sections(&document)?;
    let gives_cores = document.get(machine::CORES).is_some();
    let mut document = preset::complete_from_preset(document)?;
    if units::is_written_in_units(&document) {
        document.set_default("run.units", "physical".into());
    }
    units::show_names(&mut document);
    let rounded = units::convert(&mut document)?;
    units::complete(&mut document);
    machine::set_cores(&mut document, gives_cores)?;
    each_part(&document).iter().try_for_each(|part| own_traffic::inline_lengths(&mut document, part))?;
    let machine = Machine::read(&document)?;
    let mut run = RunSettings::read(&document)?;
    let mut parameters = machine.parameters(&run, &document)?;
    let (workload, jobs) = read_work(&document, &machine, &parameters)?;
    parameters.router.detours = workload.senders().has_detours;
    jobs::restrict_relays(&workload, &mut parameters);
    machine::check(&parameters, &document)?;
    let (mapping, placement) = MappingSettings::read((&document, "mapping"), &workload, &parameters)?;
    let messaging = MessagingSettings::read(&document, &workload, &machine, &parameters)?;
    run.check_ranks(workload.senders().has_ranks, &document)?;
    run.complete_alone(jobs.len(), &document)?;
    let mut scenario = Scenario {
        machine,
        workload,
        mapping,
        placement,
        jobs,
        messaging,
        run: run.clone(),
        parameters,
        time_lines: None,
        rounded,
        document,
    };
    check_idle_memory(&scenario, processes)?;
    let ends = scenario.planned(|context| scenario.workload.ends(context))?;
    run.complete(ends, &scenario.parameters, &scenario.document)?;
    run.name.get_or_insert_with(|| name.unwrap_or_else(|| scenario.workload.kind().to_owned()));
    scenario.run = run;
    Ok(scenario)
}

/// A document as overrides change it.
fn with_overrides(mut document: Document, overrides: &[Override]) -> Result<Document, InputError> {
    mapping::forget_replaced(&mut document, overrides);
    router::forget_replaced(&mut document, overrides);
    for change in overrides {
        check_change(&document, change)?;
        let in_units = units::state_units_of_override(change)?;
        if is_resolved(&document) {
            units::check_clocks(&document, change, &in_units)?;
        }
        for in_units in in_units {
            if messaging::is_kind_of_call(&in_units.path) {
                messaging::divide_calls(&mut document);
            }
            document.apply(&in_units)?;
            if in_units.path != change.path {
                document.name_as_written(&in_units.path, &change.path);
            }
        }
        make_paths_absolute(&mut document, Path::new(""));
    }
    Ok(document)
}

/// The prefixes of the keys of a workload: nothing, and the paths of jobs.
fn each_part(document: &Document) -> Vec<String> {
    let jobs = (0..jobs::count(document)).map(|number| format!("{}.", jobs::path_of(number)));
    std::iter::once(String::new()).chain(jobs).collect()
}

/// Reads the workload, or the jobs with their settings.
fn read_work(
    document: &Document,
    machine: &Machine,
    parameters: &Parameters,
) -> Result<(Workload, Vec<JobSettings>), InputError> {
    let cycles_per_ns = machine.link.megabytes_per_second / 1000.0;
    if document.get(jobs::SECTION).is_some() {
        let (jobs, settings) = jobs::read(document, parameters, cycles_per_ns)?;
        return Ok((Workload::Jobs(jobs), settings));
    }
    let mut workload = workload::read(document, "workload")?;
    let max_ranks = parameters.live_nodes().saturating_mul(parameters.node.cores.into());
    let limits = own_traffic::Limits { nodes: parameters.shape.nodes(), max_ranks, cycles_per_ns };
    own_traffic::load(&mut workload, (document, "workload"), limits)?;
    Ok((workload, Vec::new()))
}

/// Makes relative paths absolute, starting from `directory`.
fn make_paths_absolute(document: &mut Document, directory: &Path) {
    for part in each_part(document) {
        PATH_KEYS.iter().for_each(|key| make_absolute(document, &format!("{part}{key}"), directory));
    }
    preset::make_path_absolute(document, directory);
}

/// Makes the relative path at a key absolute, if any.
fn make_absolute(document: &mut Document, key: &str, directory: &Path) {
    let given = document.get(key).and_then(Value::as_str).filter(|path| !path.is_empty());
    let path = given.and_then(|path| absolute(directory.join(path)).ok());
    if let Some(path) = path {
        document.replace(key, path.to_string_lossy().into_owned().into());
    }
}

/// Rejects another preset for a resolved scenario. That has every value of its machine already, so that the preset
/// would silently change nothing.
fn check_change(document: &Document, change: &Override) -> Result<(), InputError> {
    let key = built_in::KEY;
    let preset = match change.path.as_str() {
        "machine" => change.value.get("preset"),
        path => (path == key).then_some(&change.value),
    };
    match preset.filter(|preset| is_resolved(document) && Some(*preset) != document.get(key)) {
        Some(preset) => {
            let problem =
                "a result contains every value of its machine: set the preset in the original scenario";
            Err(InputError::at(&change.origin, problem).key(key).value(preset))
        }
        None => Ok(()),
    }
}

/// Whether a document is the scenario of a result, which has every value.
fn is_resolved(document: &Document) -> bool {
    document.get("schema_version").is_some()
}

fn check_sections(document: &Document) -> Result<(), InputError> {
    if document.is_empty() {
        let problem =
            "the scenario is empty: needs at least a [workload] with a kind; `torusim init` writes one";
        return Err(InputError::at(document.place(""), problem));
    }
    let keys = document.root().as_object().into_iter().flatten();
    if let Some((key, _)) = keys.into_iter().find(|(key, _)| !SECTIONS.contains(&key.as_str())) {
        let problem = format!("a scenario has no such section; {}", nearest(key, SECTIONS.into_iter()));
        return Err(document.error(key, problem));
    }
    match document.get("schema_version") {
        Some(version) if *version != SCHEMA_VERSION => {
            Err(document.error("schema_version", format!("this torusim reads version {SCHEMA_VERSION}")))
        }
        _ => Ok(()),
    }
}

/// The places of the ranks of a program, and the algorithms of their collectives.
pub struct PlacedRanks {
    map: RankMap,
    shape: Shape,
    /// The selection of algorithms.
    pub selection: Selection,
}

impl PlacedRanks {
    /// The number of ranks.
    pub fn count(&self) -> u32 {
        self.map.ranks()
    }

    /// The coordinates of the node of a rank, and its core.
    pub fn place(&self, rank: u32) -> (Vec<u32>, u32) {
        let place = self.map.place(rank);
        let coordinates = self.shape.coordinates(place.node);
        (coordinates[..self.shape.dimensions()].to_vec(), place.core.into())
    }
}

impl Scenario {
    /// The resolved scenario as plain data, with its `schema_version`; [`resolve_plain`] reads it again.
    pub fn to_json(&self) -> Value {
        let mut plain = json!({
            "schema_version": SCHEMA_VERSION,
            "machine": self.machine,
            "workload": self.workload,
            "messaging": self.messaging,
            "run": self.run,
        });
        if let Some(mapping) = &self.mapping {
            plain["mapping"] = json!(mapping);
        }
        if !self.jobs.is_empty() {
            plain[jobs::SECTION] = json!(self.jobs);
        }
        plain
    }

    /// The parameters of the message layer.
    pub(crate) fn messaging_parameters(&self) -> ::messaging::Parameters {
        self.messaging.parameters()
    }

    /// The name of the scenario: `run.name`, or by default that of its file or else of its kind of workload.
    pub fn name(&self) -> &str {
        self.run.name.as_deref().unwrap_or_default()
    }

    /// Whether the fluid engine runs the scenario.
    pub fn is_fluid(&self) -> bool {
        match self.run.engine {
            EngineFamily::Fluid => true,
            EngineFamily::Packets => false,
        }
    }

    /// The seed of all random draws.
    pub fn seed(&self) -> u64 {
        self.run.seed
    }

    /// Processor cycles in a second.
    pub fn processor_hertz(&self) -> f64 {
        let clock = self.parameters.node.clock;
        f64::from(clock.processor_cycles) / f64::from(clock.cycles) / self.machine.cycle_seconds()
    }

    /// The ranks of a program outside the simulator.
    ///
    /// # Errors
    /// When they do not fit on the machine.
    pub fn placed_ranks(&self) -> Result<PlacedRanks, InputError> {
        let map = self.plan()?.map.ok_or_else(|| self.error("workload.kind", "has no ranks"))?;
        let (messaging, choices) = (self.messaging_parameters(), self.messaging.algorithms());
        let selection = selection(&self.parameters, &messaging, choices, &map);
        Ok(PlacedRanks { map, shape: self.parameters.shape.clone(), selection })
    }

    /// The plan of the workload on this machine.
    ///
    /// # Errors
    /// When a parameter of the workload does not fit the machine.
    pub(crate) fn plan(&self) -> Result<Plan, InputError> {
        self.planned(|context| self.workload.plan(context))
    }

    /// The answer of a workload in the context of the scenario.
    fn planned<T>(
        &self,
        of_context: impl FnOnce(&Context) -> Result<T, WorkloadError>,
    ) -> Result<T, InputError> {
        let context = Context {
            parameters: &self.parameters,
            messaging: &self.messaging_parameters(),
            placement: &self.placement,
            choices: self.messaging.algorithms(),
        };
        of_context(&context).map_err(|error| self.workload_error(&error))
    }

    /// An error of a workload, at the key to which it belongs.
    pub(crate) fn workload_error(&self, error: &WorkloadError) -> InputError {
        if error.key == "mapping" {
            return self.error_at(&mapping::key(&self.document), &error.message);
        }
        if error.key == "ranks" {
            return self.error("mapping.ranks", &error.message);
        }
        if error.key.starts_with("jobs[") {
            return self.error(&error.key, &error.message);
        }
        let is_of_machine = ["shape", "dead_nodes"].contains(&error.key.as_str());
        let section = if is_of_machine { "machine" } else { "workload" };
        self.error(&format!("{section}.{}", error.key), &error.message)
    }

    /// An error at the place of `key`, without its value: `problem` names the cause.
    pub(crate) fn error_at(&self, key: &str, problem: &str) -> InputError {
        InputError::at(self.document.place(key), problem).key(key)
    }

    /// An error about the value at `key`, with the value and its place.
    pub(crate) fn error(&self, key: &str, problem: &str) -> InputError {
        self.document.error(key, problem)
    }
}
