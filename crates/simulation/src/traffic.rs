//! Builds the traffic of an engine from a plan: a packet source, or ranks that post messages.

use crate::scenario::Scenario;
use input::InputError;
use messaging::{MessageLayer, RankMap, RankMapError};
use mpi::{Mpi, PingPong};
use network::checkpoint::require;
use network::{Engine, Parameters, Traffic};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use workloads::patterns::{self, PingPongPlan};
use workloads::trace::{Replay, TimeScale, Trace, TraceError};
use workloads::{Plan, PlannedTraffic, PostedWork};

/// The software above the network.
#[derive(Serialize, Deserialize)]
pub(crate) enum Software {
    /// None: the engine takes packets from its source.
    Source,
    /// Ranks exchange messages.
    Ranks(Box<RankSoftware>),
}

/// Ranks and the layer that turns their messages into packets.
#[derive(Serialize, Deserialize)]
pub(crate) struct RankSoftware {
    pub layer: MessageLayer,
    pub program: RankProgram,
}

/// The program that the ranks run.
#[derive(Serialize, Deserialize)]
pub(crate) enum RankProgram {
    PingPong(Mpi<PingPong>),
    Trace(Mpi<Replay>),
}

impl Software {
    /// Continues from `state`, saved by software for the same scenario, above the restored `engine`. Keeps what
    /// checkpoints omit: the trace.
    ///
    /// # Errors
    /// When the state is not one of this software.
    pub(crate) fn resume(&mut self, mut state: Software, engine: &dyn Engine) -> io::Result<()> {
        if let (Some(this), Some(state)) = (self.replay(), state.replay()) {
            state.take_trace_of(this);
        }
        require(state.can_continue(self, engine))?;
        *self = state;
        Ok(())
    }

    fn can_continue(&self, new: &Software, engine: &dyn Engine) -> bool {
        match (self, new) {
            (Software::Source, Software::Source) => true,
            (Software::Ranks(ranks), Software::Ranks(new)) => {
                ranks.layer.can_continue(&new.layer, engine)
                    && ranks.program.can_continue(&new.program, engine.now())
            }
            _ => false,
        }
    }

    fn replay(&mut self) -> Option<&mut Replay> {
        let Software::Ranks(ranks) = self else { return None };
        match &mut ranks.program {
            RankProgram::Trace(ranks) => Some(ranks.program_mut()),
            RankProgram::PingPong(_) => None,
        }
    }
}

impl RankProgram {
    fn can_continue(&self, new: &RankProgram, now: u64) -> bool {
        match (self, new) {
            (RankProgram::PingPong(ranks), RankProgram::PingPong(new)) => {
                ranks.can_continue(new, now) && ranks.program().can_continue(new.program(), now)
            }
            (RankProgram::Trace(ranks), RankProgram::Trace(new)) => {
                ranks.can_continue(new, now) && ranks.program().can_continue(new.program())
            }
            _ => false,
        }
    }
}

/// The traffic for the engine, and the software that generates it.
///
/// # Errors
/// When a trace cannot be read or its ranks do not fit on the machine.
pub(crate) fn build(scenario: &Scenario, plan: &Plan) -> Result<(Traffic, Software), InputError> {
    match &plan.traffic {
        PlannedTraffic::Generated(source) => Ok((Traffic::Generated(source.clone()), Software::Source)),
        PlannedTraffic::Posted(work) => {
            let ranks = match work {
                PostedWork::PingPong(plan) => ping_pong(scenario, plan)?,
                PostedWork::Trace(trace) => replay(scenario, trace)?,
            };
            Ok((ranks.layer.traffic(), Software::Ranks(Box::new(ranks))))
        }
    }
}

fn ping_pong(scenario: &Scenario, plan: &PingPongPlan) -> Result<RankSoftware, InputError> {
    let repetitions = u32::try_from(plan.repetitions)
        .map_err(|_| scenario.error("workload.repetitions", "must be at most 4294967295"))?;
    let program = RankProgram::PingPong(Mpi::new(PingPong::new(plan.payload_bytes, repetitions), 2));
    let Parameters { shape, node, .. } = &scenario.parameters;
    let map = RankMap::on_nodes(&[plan.source, plan.target], shape, node.cores);
    Ok(RankSoftware { layer: layer(scenario, map)?, program })
}

fn replay(scenario: &Scenario, recorded: &patterns::Trace) -> Result<RankSoftware, InputError> {
    let directory = directory_of(&recorded.path);
    let trace = Trace::read(&directory).map_err(|error| trace_error(scenario, &error))?;
    // A cycle is the time of one byte: cycles per microsecond equal megabytes per second.
    let cycles_per_microsecond = scenario.machine.link.megabytes_per_second;
    let scale = TimeScale::new(cycles_per_microsecond, recorded.compute_scale)
        .map_err(|error| scenario.error("workload.compute_scale", &error.expected))?;
    let Parameters { shape, faults, node, .. } = &scenario.parameters;
    let ranks = trace.ranks();
    let map = RankMap::on_live_nodes(ranks, shape, faults, node.cores);
    let program = RankProgram::Trace(Mpi::new(Replay::new(trace, scale), ranks));
    Ok(RankSoftware { layer: layer(scenario, map)?, program })
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

/// The message layer for ranks placed by `map`.
fn layer(scenario: &Scenario, map: Result<RankMap, RankMapError>) -> Result<MessageLayer, InputError> {
    let map = map.map_err(|error| scenario.error("machine.shape", &error.to_string()))?;
    MessageLayer::new(&scenario.parameters, &messaging::Parameters::default(), map)
        .map_err(|error| scenario.error("machine.packet", &error.to_string()))
}
