//! Builds the traffic of an engine from a plan: a packet source, or ranks whose software runs on the nodes.

use crate::scenario::Scenario;
use input::InputError;
use messaging::{Messages, MessagingBuilder, RankMap, Recorder};
use mpi::{Caller, Choice, Choices, Costs, Load, Mpi, Outside, PingPong, Selection, SlowerCall};
use network::several_jobs::{Part as PartOfJobs, SoftwareOfJobsBuilder};
use network::{Parameters, Traffic};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use traces::{Place, Trace, TraceError};
use workloads::exchange::{of_trace as loads_of_trace, slower_of_trace};
use workloads::patterns::Jobs;
use workloads::ranks::{CollectivePlan, FlowReplay, KernelPlan, PingPongPlan, Recording};
use workloads::trace::{Replay, TimeScale};
use workloads::{Job, JobSources, Placement, Plan, PlannedTraffic, RankWork, Workload, selection};

/// The part whose work is built: the whole scenario, or one of its jobs.
#[derive(Clone, Copy)]
struct Part<'a> {
    scenario: &'a Scenario,
    /// The number of the job and the job.
    job: Option<(usize, &'a Job)>,
}

impl<'a> Part<'a> {
    fn of(scenario: &'a Scenario) -> Self {
        Part { scenario, job: None }
    }

    fn workload(&self) -> &'a Workload {
        self.job.map_or(&self.scenario.workload, |(_, job)| &job.workload)
    }

    fn placement(&self) -> &'a Placement {
        self.job.map_or(&self.scenario.placement, |(_, job)| &job.placement)
    }

    /// The machine that the part sees.
    fn parameters(&self) -> Cow<'a, Parameters> {
        match self.job {
            Some((_, job)) => Cow::Owned(job.parameters(&self.scenario.parameters)),
            None => Cow::Borrowed(&self.scenario.parameters),
        }
    }

    /// The places of ranks on the machine.
    fn on_machine(&self, map: RankMap) -> RankMap {
        self.job.map_or_else(|| map.clone(), |(_, job)| job.nodes().on_machine(&map))
    }

    /// The selection of algorithms for collectives of the part's ranks, which `map` places on the machine that it
    /// sees. A workload that names algorithms has made its own choice.
    fn selection(&self, map: &RankMap) -> Selection {
        let names_its_own = self.workload().senders().names_algorithms;
        let choices = if names_its_own { Choices::default() } else { self.scenario.messaging.algorithms() };
        self.selection_by(map, choices)
    }

    /// The selection of algorithms by other choices than the stated ones.
    fn selection_by(&self, map: &RankMap, choices: Choices) -> Selection {
        selection(&self.parameters(), &self.scenario.messaging_parameters(), choices, map)
    }

    /// The path of a key of the part.
    fn key(&self, key: &str) -> String {
        self.job.map_or_else(|| key.to_owned(), |(number, _)| format!("jobs[{number}].{key}"))
    }

    fn error(&self, key: &str, problem: &str) -> InputError {
        self.scenario.error(&self.key(key), problem)
    }
}

/// The traffic for the engine; adds to `warnings` those that its ranks cause.
///
/// # Errors
/// When a trace cannot be read or its ranks do not fit on the machine.
pub(crate) fn build(
    scenario: &Scenario,
    plan: &Plan,
    warnings: &mut Vec<String>,
) -> Result<Traffic, InputError> {
    match &plan.traffic {
        PlannedTraffic::Generated(source) => Ok(Traffic::Generated(source.clone())),
        PlannedTraffic::Ranks(work) => {
            let builder = build_ranks(Part::of(scenario), work, warnings)?;
            Ok(Traffic::Software(Arc::new(builder)))
        }
        PlannedTraffic::Jobs(traffic) => {
            let Workload::Jobs(jobs) = &scenario.workload else {
                unreachable!("only jobs have such traffic")
            };
            traffic_of_jobs(scenario, jobs, traffic, warnings)
        }
    }
}

/// Jobs with ranks have their own software. One source generates the packets of all other jobs. Where no job has
/// ranks, and all start with the run, this source is all that engines need. Times that count from the start of a
/// job are those of software.
fn traffic_of_jobs(
    scenario: &Scenario,
    jobs: &Jobs,
    planned: &[PlannedTraffic],
    warnings: &mut Vec<String>,
) -> Result<Traffic, InputError> {
    let places = jobs.places(scenario.parameters.shape.nodes());
    let places = places.map_err(|error| scenario.workload_error(&error))?;
    let (mut parts, mut sources) = (Vec::new(), vec![None; jobs.jobs.len()]);
    for (number, (job, planned)) in jobs.jobs.iter().zip(planned).enumerate() {
        match planned {
            PlannedTraffic::Generated(source) => {
                sources[number] = Some(source.clone());
            }
            PlannedTraffic::Ranks(work) => {
                let builder = build_ranks(Part { scenario, job: Some((number, job)) }, work, warnings)?;
                let traffic = Traffic::Software(Arc::new(builder));
                parts.push(PartOfJobs { traffic, jobs: vec![number as u16] });
            }
            PlannedTraffic::Jobs(_) => unreachable!("jobs have no jobs"),
        }
    }
    let generated = (0..).zip(&sources).filter(|(_, source)| source.is_some());
    let generated: Vec<u16> = generated.map(|(number, _)| number).collect();
    let full_chunks = scenario.parameters.packet.max_chunks;
    let traffic =
        Traffic::Generated(Arc::new(JobSources { places: places.clone(), jobs: sources, full_chunks }));
    let starts: Arc<[u64]> = jobs.jobs.iter().map(|job| job.start_cycles).collect();
    if parts.is_empty() && starts.iter().all(|&start| start == 0) {
        return Ok(traffic);
    }
    if !generated.is_empty() {
        parts.push(PartOfJobs { traffic, jobs: generated });
    }
    Ok(Traffic::Software(Arc::new(SoftwareOfJobsBuilder::new(parts, places.groups(), starts))))
}

fn build_ranks(
    part: Part<'_>,
    work: &RankWork,
    warnings: &mut Vec<String>,
) -> Result<MessagingBuilder, InputError> {
    match work {
        RankWork::PingPong(plan) => ping_pong(part, plan),
        RankWork::Trace(trace) => replay(part, trace, warnings),
        RankWork::Flows(flows) => flow_replay(part, flows),
        RankWork::Kernel(plan) => kernel(part, plan),
        RankWork::Collective(plan) => collective(part, plan),
        RankWork::Program { map, recorded: Some(trace) } => {
            replay_of(part, trace.clone(), map.clone(), unscaled(), Messages::ANY)
        }
        RankWork::Program { map, recorded: None } => {
            // The messages that the program will send are not known: one at a time is assumed.
            let placed = Placed { map: map.clone(), loads: vec![Load::of_a_message(0)], joins: false };
            ranks(part, placed, Messages::ANY, |_| Outside)
        }
    }
}

fn ping_pong(part: Part<'_>, plan: &PingPongPlan) -> Result<MessagingBuilder, InputError> {
    let repetitions = u32::try_from(plan.repetitions)
        .map_err(|_| part.error("workload.repetitions", "must be at most 4294967295"))?;
    let parameters = part.parameters();
    let map = RankMap::on_nodes(&[plan.source, plan.target], &parameters.shape, parameters.node.cores);
    let map = map.expect("the plan has two nodes of the machine");
    let bytes = plan.payload_bytes;
    let program = move |rank| PingPong::new(rank, bytes, repetitions);
    let placed = Placed { map, loads: vec![Load::of_a_message(bytes)], joins: false };
    ranks(part, placed, Messages::standard(Some(bytes)), program)
}

fn replay(
    part: Part<'_>,
    recorded: &Recording,
    warnings: &mut Vec<String>,
) -> Result<MessagingBuilder, InputError> {
    let scenario = part.scenario;
    let trace = read_part(part, recorded)?;
    // A cycle is the time of one byte: cycles per microsecond equal megabytes per second.
    let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
    let scale = TimeScale::new(cycles_per_microsecond, recorded.compute_scale)
        .map_err(|error| part.error("workload.compute_scale", &error.expected))?;
    let map = map_of_part(part, &trace)?;
    warnings.extend(slow_collectives(part, &trace, &map));
    replay_of(part, Arc::new(trace), map, scale, Messages::ANY)
}

/// The collectives of a trace that would take far less time by shape.
fn slow_collectives(part: Part<'_>, trace: &Trace, map: &RankMap) -> Vec<String> {
    let milliseconds = |cycles: u64| 1e3 * cycles as f64 * part.scenario.machine.cycle_seconds();
    let by_shape = part.selection_by(map, Choices::all(Choice::ByShape));
    let slower = slower_of_trace(trace, part.selection(map), by_shape);
    let sentence = |call: &SlowerCall| {
        let SlowerCall { operation, bytes, algorithms: [chosen, faster], cycles } = call;
        let [long, short] = cycles.map(milliseconds);
        format!(
            "messaging.collectives: the {} of {bytes} bytes is predicted to take {long:.3} ms by {chosen}, and {short:.3} ms by \
             {faster}, which \"by-shape\" chooses",
            operation.name(),
        )
    };
    slower.iter().map(sentence).collect()
}

/// Reads the trace of a scenario.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_trace(scenario: &Scenario, recorded: &Recording) -> Result<Trace, InputError> {
    read_part(Part::of(scenario), recorded)
}

fn read_part(part: Part<'_>, recorded: &Recording) -> Result<Trace, InputError> {
    let trace = Trace::read(Path::new(&recorded.path), recorded.format);
    trace.map_err(|error| trace_error(part, &error))
}

/// The places of the ranks of a trace.
///
/// # Errors
/// When their number is not that of the scenario, or they do not fit on the machine.
pub(crate) fn map_of_trace(scenario: &Scenario, trace: &Trace) -> Result<RankMap, InputError> {
    map_of_part(Part::of(scenario), trace)
}

fn map_of_part(part: Part<'_>, trace: &Trace) -> Result<RankMap, InputError> {
    let ranks = trace.ranks();
    if part.placement().ranks.is_some_and(|wanted| wanted != ranks) {
        return Err(part.error("mapping.ranks", &format!("the trace has {ranks} ranks")));
    }
    let map = part.placement().place(ranks, &[], &part.parameters());
    map.map_err(|error| match part.job {
        Some(_) => part.error("workload", &error.message),
        None => part.scenario.workload_error(&error),
    })
}

fn flow_replay(part: Part<'_>, flows: &FlowReplay) -> Result<MessagingBuilder, InputError> {
    replay_of(part, flows.trace.clone(), flows.map.clone(), unscaled(), Messages::standard(None))
}

/// Returns the time scale of ranks without recorded times.
fn unscaled() -> TimeScale {
    TimeScale::new(1.0, 1.0).expect("1 is in range")
}

fn replay_of(
    part: Part<'_>,
    trace: Arc<Trace>,
    map: RankMap,
    scale: TimeScale,
    messages: Messages,
) -> Result<MessagingBuilder, InputError> {
    let loads = loads_of_trace(&trace, &map, part.selection(&map));
    let clock = part.scenario.parameters.node.clock;
    let program = move |rank| Replay::new(trace.clone(), rank, scale, clock);
    ranks(part, Placed { map, loads, joins: false }, messages, program)
}

fn kernel(part: Part<'_>, plan: &KernelPlan) -> Result<MessagingBuilder, InputError> {
    let plan = plan.clone();
    let loads = plan.loads(part.selection(&plan.map));
    let placed = Placed { map: plan.map.clone(), loads, joins: false };
    ranks(part, placed, Messages::standard(plan.message_bytes), move |rank| plan.program(rank))
}

fn collective(part: Part<'_>, plan: &CollectivePlan) -> Result<MessagingBuilder, InputError> {
    let plan = plan.clone();
    let deposits = plan.deposits();
    let loads = plan.loads(part.selection(&plan.map));
    let placed = Placed { map: plan.map.clone(), loads, joins: plan.is_on_network() };
    let messages = Messages::standard(plan.message_bytes);
    let builder = ranks(part, placed, messages, move |rank| plan.program(rank))?;
    Ok(if deposits { builder.depositing() } else { builder })
}

/// The costs of calls; algorithms are MPICH2's.
pub(crate) fn costs(scenario: &Scenario) -> Costs {
    costs_of(Part::of(scenario))
}

fn costs_of(part: Part<'_>) -> Costs {
    let scenario = part.scenario;
    let parameters = scenario.messaging_parameters();
    let sends_take_time = !parameters.sends_at_once(&scenario.parameters);
    let costs = Costs::of(&parameters, sends_take_time, scenario.parameters.packet.chunk_bytes);
    let Workload::Collective(collective) = part.workload() else { return costs };
    Costs {
        combine_processor_cycles_per_byte: collective
            .combine_processor_cycles_per_byte
            .unwrap_or(costs.combine_processor_cycles_per_byte),
        ..costs
    }
}

/// Ranks in their places.
struct Placed {
    map: RankMap,
    /// The loads of a sample of the ranks, which represents all.
    loads: Vec<Load>,
    /// Whether the ranks use collective networks.
    joins: bool,
}

/// Ranks, each with its program, which send messages of the given loads.
fn ranks<C: Caller>(
    part: Part<'_>,
    Placed { map, loads, joins }: Placed,
    messages: Messages,
    caller: impl Fn(u32) -> C + Send + Sync + 'static,
) -> Result<MessagingBuilder, InputError> {
    let scenario = part.scenario;
    let costs = Costs { selection: part.selection(&map), ..costs_of(part) };
    let map = part.on_machine(map);
    let parameters = scenario.messaging_parameters();
    let (size, shares_nodes) = (map.ranks(), map.shares_nodes());
    let loads = loads.iter().map(|load| load.of_layer::<C>(size, shares_nodes, &parameters)).collect();
    let excerpt = scenario.excerpt(size)?;
    let (counts_communication, is_observed) = (scenario.run.communication, excerpt.is_some());
    let new_ranks = move |ranks: &[Option<u32>]| -> Box<dyn messaging::Ranks> {
        let mpi = Mpi::new(costs, size, ranks, &caller);
        let mpi = if is_observed { mpi.observed() } else { mpi };
        Box::new(if counts_communication { mpi.counting_communication() } else { mpi })
    };
    let builder = MessagingBuilder::new(&scenario.parameters, &parameters, map, messages, new_ranks)
        .map_err(|error| scenario.error(error.key, &error.expected))?
        .loaded(loads);
    let builder =
        if joins || costs.selection.networks.is_any() { builder.on_collective_networks() } else { builder };
    Ok(match excerpt {
        Some(excerpt) => builder.observed(move || Box::new(Recorder::of(excerpt.clone()))),
        None => builder,
    })
}

/// Converts an error: its place is the one in the trace, or else the key that names the trace.
fn trace_error(part: Part<'_>, error: &TraceError) -> InputError {
    placed_error(error).unwrap_or_else(|| {
        let problem = format!("{}: {}: {}", error.file.display(), error.problem, error.expected);
        part.scenario.error_at(&part.key("workload.path"), &problem)
    })
}

/// An error with a place in the trace.
pub(crate) fn placed_error(error: &TraceError) -> Option<InputError> {
    let file = error.file.display();
    let place = match error.place? {
        Place::Line(line) => format!("{file}:{line}"),
        Place::Byte(byte) => format!("{file}, byte {byte}"),
        Place::Record(record) => format!("{file}, record {record}"),
    };
    Some(InputError::at(place, format!("{}: {}", error.problem, error.expected)))
}
