//! Builds the traffic of an engine from a plan: a packet source, or ranks whose software runs on the nodes.

use crate::scenario::Scenario;
use input::InputError;
use messaging::{MessagingBuilder, Packetizer, RankMap, RankMapError};
use mpi::{Caller, Costs, Mpi, Outside, PingPong};
use network::{Parameters, Traffic};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workloads::kernels::{Halo3d, Halo3dPlan};
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
        PlannedTraffic::Ranks(RankWork::Halo3d(plan)) => halo_3d(scenario, plan),
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

fn halo_3d(scenario: &Scenario, plan: &Halo3dPlan) -> Result<Traffic, InputError> {
    let Parameters { shape, faults, node, .. } = &scenario.parameters;
    let map = RankMap::on_live_nodes(plan.ranks(), shape, faults, node.cores);
    let plan = *plan;
    let smallest =
        move |packetizer: &Packetizer| packetizer.chunks(plan.bytes, packetizer.packets(plan.bytes) - 1);
    ranks(scenario, map, smallest, move |rank| Halo3d::new(plan, rank))
}

fn outside(scenario: &Scenario, size: u32) -> Result<Traffic, InputError> {
    let Parameters { shape, faults, node, .. } = &scenario.parameters;
    let map = RankMap::on_live_nodes(size, shape, faults, node.cores);
    ranks(scenario, map, Packetizer::smallest_chunks, |_| Outside)
}

/// The costs of calls.
pub(crate) fn costs(scenario: &Scenario) -> Costs {
    let parameters = scenario.messaging.parameters();
    Costs {
        call_processor_cycles: parameters.call_processor_cycles,
        sends_take_time: !MessagingBuilder::sends_at_once(&scenario.parameters, &parameters),
    }
}

/// Ranks placed by `map`, each with its program; `smallest_chunks` is the size of the smallest packet they send.
fn ranks<C: Caller>(
    scenario: &Scenario,
    map: Result<RankMap, RankMapError>,
    smallest_chunks: impl FnOnce(&Packetizer) -> u8,
    caller: impl Fn(u32) -> C + Send + Sync + 'static,
) -> Result<Traffic, InputError> {
    let map = map.map_err(|error| scenario.error("machine.shape", &error.to_string()))?;
    let parameters = scenario.messaging.parameters();
    let costs = costs(scenario);
    let size = map.ranks();
    let new_ranks = move |ranks: &[Option<u32>]| -> Box<dyn messaging::Ranks> {
        Box::new(Mpi::new(costs, size, ranks, &caller))
    };
    let builder = MessagingBuilder::new(&scenario.parameters, &parameters, map, smallest_chunks, new_ranks)
        .map_err(|error| scenario.error(error.key, &error.expected))?;
    Ok(Traffic::Software(Arc::new(builder)))
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
