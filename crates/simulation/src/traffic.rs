//! Builds the traffic of an engine from a plan: a packet source, or ranks whose software runs on the nodes.

use crate::scenario::Scenario;
use input::InputError;
use messaging::{MessagingBuilder, Packetizer, RankMap, Recorder};
use mpi::{Caller, Costs, Mpi, Outside, PingPong};
use network::{Parameters, Traffic};
use std::path::Path;
use std::sync::Arc;

use workloads::ranks::{FlowReplay, CollectivePlan, KernelPlan, PingPongPlan, Recording};
use workloads::trace::{Place, Replay, TimeScale, Trace, TraceError};
use workloads::{Plan, PlannedTraffic, RankWork, Workload};

/// The traffic for the engine.
///
/// # Errors
/// When a trace cannot be read or its ranks do not fit on the machine.
pub(crate) fn build(scenario: &Scenario, plan: &Plan) -> Result<Traffic, InputError> {
    match &plan.traffic {
        PlannedTraffic::Generated(source) => Ok(Traffic::Generated(source.clone())),
        PlannedTraffic::Ranks(RankWork::PingPong(plan)) => ping_pong(scenario, plan),
        PlannedTraffic::Ranks(RankWork::Trace(trace)) => replay(scenario, trace),
        PlannedTraffic::Ranks(RankWork::Flows(flows)) => flow_replay(scenario, flows),
        PlannedTraffic::Ranks(RankWork::Kernel(plan)) => kernel(scenario, plan),
        PlannedTraffic::Ranks(RankWork::Collective(plan)) => collective(scenario, plan),
        PlannedTraffic::Ranks(RankWork::Program { map }) => {
            ranks(scenario, map.clone(), Packetizer::smallest_chunks, |_| Outside)
        }
    }
}

fn ping_pong(scenario: &Scenario, plan: &PingPongPlan) -> Result<Traffic, InputError> {
    let repetitions = u32::try_from(plan.repetitions)
        .map_err(|_| scenario.error("workload.repetitions", "must be at most 4294967295"))?;
    let Parameters { shape, node, .. } = &scenario.parameters;
    let map = RankMap::on_nodes(&[plan.source, plan.target], shape, node.cores);
    let map = map.expect("the plan has two nodes of the machine");
    let bytes = plan.payload_bytes;
    let program = move |rank| PingPong::new(rank, bytes, repetitions);
    ranks(scenario, map, Packetizer::smallest_chunks, program)
}

fn replay(scenario: &Scenario, recorded: &Recording) -> Result<Traffic, InputError> {
    let trace = read_trace(scenario, recorded)?;
    // A cycle is the time of one byte: cycles per microsecond equal megabytes per second.
    let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
    let scale = TimeScale::new(cycles_per_microsecond, recorded.compute_scale)
        .map_err(|error| scenario.error("workload.compute_scale", &error.expected))?;
    let map = map_of_trace(scenario, &trace)?;
    let (trace, clock) = (Arc::new(trace), scenario.parameters.node.clock);
    let program = move |rank| Replay::new(trace.clone(), rank, scale, clock);
    ranks(scenario, map, Packetizer::smallest_chunks, program)
}

/// Reads the trace of a scenario.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_trace(scenario: &Scenario, recorded: &Recording) -> Result<Trace, InputError> {
    let trace = Trace::read(Path::new(&recorded.path), recorded.format);
    trace.map_err(|error| trace_error(scenario, &error))
}

/// Where the ranks of a trace run.
///
/// # Errors
/// When they are not as many as the scenario says, or do not fit on the machine.
pub(crate) fn map_of_trace(scenario: &Scenario, trace: &Trace) -> Result<RankMap, InputError> {
    let ranks = trace.ranks();
    if scenario.placement.ranks.is_some_and(|wanted| wanted != ranks) {
        return Err(scenario.error("mapping.ranks", &format!("the trace has {ranks} ranks")));
    }
    let map = scenario.placement.place(ranks, &[], &scenario.parameters);
    map.map_err(|error| scenario.workload_error(&error))
}

fn flow_replay(scenario: &Scenario, flows: &FlowReplay) -> Result<Traffic, InputError> {
    // Flows have no computation to scale.
    let scale = TimeScale::new(1.0, 1.0).expect("1 is in range");
    let (trace, clock) = (flows.trace.clone(), scenario.parameters.node.clock);
    let program = move |rank| Replay::new(trace.clone(), rank, scale, clock);
    ranks(scenario, flows.map.clone(), Packetizer::smallest_chunks, program)
}

fn kernel(scenario: &Scenario, plan: &KernelPlan) -> Result<Traffic, InputError> {
    let (bytes, map) = (plan.bytes, plan.map.clone());
    let smallest = move |packetizer: &Packetizer| packetizer.smallest_chunks_of(bytes);
    let plan = plan.clone();
    ranks(scenario, map, smallest, move |rank| plan.program(rank))
}

fn collective(scenario: &Scenario, plan: &CollectivePlan) -> Result<Traffic, InputError> {
    let (bytes, map) = (plan.message_bytes, plan.map.clone());
    let smallest = move |packetizer: &Packetizer| match bytes {
        Some(bytes) => packetizer.smallest_chunks_of(bytes),
        None => packetizer.smallest_chunks(),
    };
    let plan = plan.clone();
    ranks(scenario, map, smallest, move |rank| plan.program(rank))
}

/// The costs of calls.
pub(crate) fn costs(scenario: &Scenario) -> Costs {
    let parameters = scenario.messaging_parameters();
    let sends_take_time = !MessagingBuilder::sends_at_once(&scenario.parameters, &parameters);
    let costs = Costs::of(&parameters, sends_take_time, scenario.parameters.packet.chunk_bytes);
    let combine_processor_cycles_per_byte = match &scenario.workload {
        Workload::Collective(collective) => collective.combine_processor_cycles_per_byte,
        _ => None,
    };
    Costs {
        combine_processor_cycles_per_byte: combine_processor_cycles_per_byte
            .unwrap_or(costs.combine_processor_cycles_per_byte),
        ..costs
    }
}

/// Ranks placed by `map`, each with its program; `smallest_chunks` is the size of the smallest packet they send.
fn ranks<C: Caller>(
    scenario: &Scenario,
    map: RankMap,
    smallest_chunks: impl FnOnce(&Packetizer) -> u8,
    caller: impl Fn(u32) -> C + Send + Sync + 'static,
) -> Result<Traffic, InputError> {
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

/// Converts an error: its place is the one in the trace, or else the key that names the trace.
fn trace_error(scenario: &Scenario, error: &TraceError) -> InputError {
    let problem = format!("{}: {}", error.problem, error.expected);
    let file = error.file.display();
    match error.place {
        Some(Place::Line(line)) => InputError::at(format!("{file}:{line}"), problem),
        Some(Place::Byte(byte)) => InputError::at(format!("{file}, byte {byte}"), problem),
        Some(Place::Record(record)) => InputError::at(format!("{file}, record {record}"), problem),
        None => scenario.error_at("workload.path", &format!("{file}: {problem}")),
    }
}
