//! Builds the traffic of an engine from a plan: a packet source, or ranks whose software runs on the nodes.

use crate::scenario::Scenario;
use input::InputError;
use messaging::{MessagingBuilder, Packetizer, RankMap, RankMapError, Recorder};
use mpi::{Caller, Costs, Mpi, Outside, PingPong};
use network::{Parameters, Traffic};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workloads::kernels::KernelPlan;
use workloads::patterns::{self, PingPongPlan};
use workloads::trace::{Replay, TimeScale, Trace, TraceError};
use workloads::{Plan, PlannedTraffic, RankWork};

/// The traffic for the engine.
///
/// # Errors
/// When a trace cannot be read or its ranks do not fit on the machine.
pub(crate) fn build(scenario: &Scenario, plan: &Plan) -> Result<Traffic, InputError> {
    match &plan.traffic {
        PlannedTraffic::Generated(source) => Ok(Traffic::Generated(source.clone())),
        PlannedTraffic::Ranks(RankWork::PingPong(plan)) => ping_pong(scenario, plan),
        PlannedTraffic::Ranks(RankWork::Trace(trace)) => replay(scenario, trace),
        PlannedTraffic::Ranks(RankWork::Kernel(plan)) => kernel(scenario, plan),
        PlannedTraffic::Ranks(RankWork::Program { ranks }) => outside(scenario, *ranks),
    }
}

fn ping_pong(scenario: &Scenario, plan: &PingPongPlan) -> Result<Traffic, InputError> {
    let repetitions = u32::try_from(plan.repetitions)
        .map_err(|_| scenario.error("workload.repetitions", "must be at most 4294967295"))?;
    let Parameters { shape, node, .. } = &scenario.parameters;
    let map = RankMap::on_nodes(&[plan.source, plan.target], shape, node.cores);
    let bytes = plan.payload_bytes;
    let program = move |rank| PingPong::new(rank, bytes, repetitions);
    ranks(scenario, map, Packetizer::smallest_chunks, program)
}

fn replay(scenario: &Scenario, recorded: &patterns::Trace) -> Result<Traffic, InputError> {
    let directory = directory_of(&recorded.path);
    let trace = Trace::read(&directory).map_err(|error| trace_error(scenario, &error))?;
    // A cycle is the time of one byte: cycles per microsecond equal megabytes per second.
    let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
    let scale = TimeScale::new(cycles_per_microsecond, recorded.compute_scale)
        .map_err(|error| scenario.error("workload.compute_scale", &error.expected))?;
    let Parameters { shape, faults, node, .. } = &scenario.parameters;
    let map = RankMap::on_live_nodes(trace.ranks(), shape, faults, node.cores);
    let (trace, clock) = (Arc::new(trace), node.clock);
    let program = move |rank| Replay::new(trace.clone(), rank, scale, clock);
    ranks(scenario, map, Packetizer::smallest_chunks, program)
}

fn kernel(scenario: &Scenario, plan: &KernelPlan) -> Result<Traffic, InputError> {
    let Parameters { shape, node, .. } = &scenario.parameters;
    let map = RankMap::on_nodes(&plan.nodes, shape, node.cores);
    let bytes = plan.bytes;
    let smallest = move |packetizer: &Packetizer| packetizer.smallest_chunks_of(bytes);
    let plan = plan.clone();
    ranks(scenario, map, smallest, move |rank| plan.program(rank))
}

fn outside(scenario: &Scenario, size: u32) -> Result<Traffic, InputError> {
    let Parameters { shape, faults, node, .. } = &scenario.parameters;
    let map = RankMap::on_live_nodes(size, shape, faults, node.cores);
    ranks(scenario, map, Packetizer::smallest_chunks, |_| Outside)
}

/// The costs of calls.
pub(crate) fn costs(scenario: &Scenario) -> Costs {
    let parameters = scenario.messaging_parameters();
    let sends_take_time = !MessagingBuilder::sends_at_once(&scenario.parameters, &parameters);
    Costs::of(&parameters, sends_take_time, scenario.parameters.packet.chunk_bytes)
}

/// Ranks placed by `map`, each with its program; `smallest_chunks` is the size of the smallest packet they send.
fn ranks<C: Caller>(
    scenario: &Scenario,
    map: Result<RankMap, RankMapError>,
    smallest_chunks: impl FnOnce(&Packetizer) -> u8,
    caller: impl Fn(u32) -> C + Send + Sync + 'static,
) -> Result<Traffic, InputError> {
    let map = map.map_err(|error| scenario.error("machine.shape", &error.to_string()))?;
    let parameters = scenario.messaging_parameters();
    let costs = costs(scenario);
    let size = map.ranks();
    let excerpt = scenario.excerpt(size)?;
    let counts_communication = scenario.run.communication;
    let new_ranks = move |ranks: &[Option<u32>]| -> Box<dyn messaging::Ranks> {
        let mpi = Mpi::new(costs, size, ranks, &caller);
        Box::new(if counts_communication { mpi.counting_communication() } else { mpi })
    };
    let builder = MessagingBuilder::new(&scenario.parameters, &parameters, map, smallest_chunks, new_ranks)
        .map_err(|error| scenario.error(error.key, &error.expected))?;
    Ok(Traffic::Software(Arc::new(match excerpt {
        Some(excerpt) => builder.observed(move || Box::new(Recorder::of(excerpt.clone()))),
        None => builder,
    })))
}

/// The directory of a trace. `path` may also be one of its files.
fn directory_of(path: &str) -> PathBuf {
    let path = Path::new(path);
    if path.is_file() { path.parent().unwrap_or(path).to_owned() } else { path.to_owned() }
}

/// Converts an error: its place is the line of the trace, or else the key that names the trace.
fn trace_error(scenario: &Scenario, error: &TraceError) -> InputError {
    let problem = format!("{}: {}", error.problem, error.expected);
    let file = error.file.display();
    match error.line {
        Some(line) => InputError::at(format!("{file}:{line}"), problem),
        None => scenario.error_at("workload.path", &format!("{file}: {problem}")),
    }
}
