//! The fluid engine: runs a scenario by the flows of its workload, without packets.
//!
//! A sibling of [`crate::Run`]: it takes the same scenarios, as far as their flows determine their time, and gives
//! the same kind of result. Figures that only packets have (latencies, stalls, a course of time) are null or left
//! out, and refused where a scenario asks for them.

use crate::host;
use crate::mapping::flows_and_map;
use crate::result::{FluidFigures, RunResult, busiest_link_bytes_of_flows, fluid_summary, fluid_tables};
use crate::run::Progress;
use crate::scenario::{Scenario, Stop};
use ::fluid::{Estimate, Machine, Sender, Unsuited, time_of};
use input::InputError;
use messaging::RankMap;
use std::time::{Duration, Instant};
use workloads::exchange::Figures;
use workloads::flows::Flows;
use workloads::ranks::{CollectivePlan, CollectiveRun};
use workloads::{Bound, Plan, PlannedTraffic, RankWork, Workload};

/// The key that chooses the engine, which errors name.
const KEY: &str = "run.engine";

/// A run by the fluid engine.
pub struct FluidRun {
    scenario: Scenario,
    bound: Option<Bound>,
    estimate: Estimate,
    /// The kind of traffic, by which errors against packets are known.
    kind: String,
    /// The figures of a collective.
    measured: Figures,
    started: Instant,
    engine_time: Duration,
}

impl FluidRun {
    /// Sets up a run of `scenario`.
    ///
    /// # Errors
    /// When flows do not determine its time, or it asks for figures that only packets have.
    pub fn new(scenario: Scenario) -> Result<Self, InputError> {
        let started = Instant::now();
        let task = Task::of(&scenario)?;
        let begin = Instant::now();
        let estimate = task.on(&scenario, time_of)?;
        let engine_time = begin.elapsed();
        let Task { plan, places, .. } = task;
        let ranks_per_node = places.ranks().div_ceil(scenario.parameters.shape.nodes());
        let kind = kind(&scenario, &plan, ranks_per_node, estimate.is_corrected);
        let measured = match &plan.traffic {
            PlannedTraffic::Ranks(RankWork::Collective(plan)) => measured(&scenario, plan, &estimate),
            PlannedTraffic::Ranks(
                RankWork::PingPong(_)
                | RankWork::Trace(_)
                | RankWork::Flows(_)
                | RankWork::Kernel(_)
                | RankWork::Program { .. },
            )
            | PlannedTraffic::Generated(_)
            | PlannedTraffic::Jobs(_) => Figures::new(),
        };
        Ok(FluidRun { scenario, bound: plan.bound, estimate, kind, measured, started, engine_time })
    }

    /// The seed of all random draws.
    pub fn seed(&self) -> u64 {
        self.scenario.seed()
    }

    /// The progress of the run, which is done.
    pub fn progress(&self) -> Progress {
        let cycles = self.estimate.cycles.ceil();
        Progress {
            done: true,
            cycle: cycles as u64,
            seconds_simulated: cycles * self.scenario.machine.cycle_seconds(),
            fraction: Some(1.0),
            packets_delivered: self.estimate.packets.round() as u64,
            packet_hops: self.estimate.packet_hops.round() as u64,
            engine_seconds: self.engine_time.as_secs_f64(),
        }
    }

    /// Ends the run and returns its result.
    pub fn finish(self) -> RunResult {
        let figures = FluidFigures {
            scenario: &self.scenario,
            estimate: &self.estimate,
            kind: &self.kind,
            measured: &self.measured,
            bound: self.bound.as_ref(),
            engine_time: self.engine_time,
            wall_time: self.started.elapsed(),
            process_peak_memory_bytes: host::process_peak_memory_bytes(),
        };
        RunResult {
            summary: fluid_summary(&figures),
            scenario: self.scenario.to_json(),
            tables: fluid_tables(&self.scenario.parameters, &self.estimate),
            time_lines: None,
        }
    }
}

/// Checks that a scenario can run by flows, and returns its plan. It refuses everything that [`FluidRun::new`]
/// refuses, with one exception: routes that turn out too large for memory only when they are added up.
///
/// # Errors
/// The errors of [`FluidRun::new`].
pub(crate) fn check(scenario: &Scenario) -> Result<Plan, InputError> {
    let task = Task::of(scenario)?;
    task.on(scenario, ::fluid::check)?;
    Ok(task.plan)
}

/// The flows whose time is to be computed.
struct Task {
    plan: Plan,
    flows: Flows,
    places: RankMap,
}

impl Task {
    /// The task of a scenario.
    ///
    /// # Errors
    /// When flows do not determine its time, as far as is known before they are enumerated, or it asks for figures
    /// that only packets have.
    fn of(scenario: &Scenario) -> Result<Self, InputError> {
        let plan = scenario.plan()?;
        check_settings(scenario)?;
        check_machine(scenario)?;
        check_workload(scenario, &plan)?;
        let unknown =
            || scenario.error(KEY, "it is not known in advance what this workload sends: needs \"packets\"");
        let (flows, places) = flows_and_map(scenario, &plan)?.ok_or_else(unknown)?;
        Ok(Task { plan, flows, places })
    }

    /// The result of `work` on the flows.
    fn on<T>(
        &self,
        scenario: &Scenario,
        work: impl Fn(&Machine, &Flows, &RankMap) -> Result<T, Unsuited>,
    ) -> Result<T, InputError> {
        let network = &scenario.parameters;
        // Listed flows of nodes are cut into packets like messages, without costs.
        let software = match scenario.workload.senders().has_ranks {
            true => scenario.messaging_parameters(),
            false => messaging::Parameters::default(),
        };
        let sender = match packet_bytes(scenario, &self.plan) {
            Some(packet_bytes) => Sender::Nodes { packet_bytes },
            None if scenario.workload.senders().has_ranks => Sender::Ranks(&software),
            None => Sender::Listed(&software),
        };
        work(&Machine { network, sender }, &self.flows, &self.places)
            .map_err(|why| scenario.error(KEY, &format!("the fluid engine {why}: needs \"packets\"")))
    }
}

/// The settings of a run that only packets have.
fn check_settings(scenario: &Scenario) -> Result<(), InputError> {
    let run = &scenario.run;
    let stop = match run.stop {
        Some(Stop::Measured) => Some("measures a window of time"),
        Some(Stop::Sampled) => Some("samples a course of time"),
        Some(Stop::Drained) | None => None,
    };
    let asked = [
        ("run.stop", stop.is_some(), stop.unwrap_or_default()),
        ("run.time_limit_cycles", run.time_limit_cycles.is_some(), "ends in the course of time"),
        ("run.series_interval_cycles", run.series_interval_cycles.is_some(), "records a course of time"),
        ("run.observe_buffers", run.observe_buffers, "looks at buffers"),
        ("run.communication", run.communication, "counts messages as they are sent"),
        ("run.link_series", run.link_series, "records links in the course of time"),
    ];
    let refused = asked.into_iter().find(|(_, is_asked, _)| *is_asked);
    match refused {
        _ if scenario.time_lines.is_some() => Err(InputError::at(
            "timeline",
            "the fluid engine has no time lines of ranks: needs run.engine = \"packets\"",
        )),
        Some((key, _, why)) => Err(scenario.error(
            key,
            &format!("{why}, of which the fluid engine has none: needs run.engine = \"packets\""),
        )),
        None => Ok(()),
    }
}

/// Refuses features of machines that flows do not show.
fn check_machine(scenario: &Scenario) -> Result<(), InputError> {
    let parameters = &scenario.parameters;
    let has_ranks = scenario.workload.senders().has_ranks;
    let problem = match () {
        () if !parameters.faults.is_empty() => "routes around dead nodes and links",
        () if parameters.link_protocol.is_some() => "errors of links",
        () if has_ranks && scenario.messaging_parameters().coprocessor.is_some() => "co-processors",
        () if has_ranks && scenario.messaging_parameters().message_credits.is_some() => "message credits",
        () if parameters.node.injection_window_packets.is_some() => "a bounded number of packets in flight",
        () => return Ok(()),
    };
    Err(scenario.error(KEY, &format!("the fluid engine does not know {problem}: needs \"packets\"")))
}

/// Refuses features of workloads that flows do not show.
fn check_workload(scenario: &Scenario, plan: &Plan) -> Result<(), InputError> {
    let problem = match &plan.traffic {
        _ if scenario.parameters.shape.is_twisted() && has_directions(scenario) => {
            "directions of packets on a twisted torus"
        }
        _ if scenario.workload.senders().has_starts => "flows that begin later than the run",
        PlannedTraffic::Jobs(_) => "several jobs",
        _ if !plan.ends => "a workload that never ends (packets_per_node ends it)",
        PlannedTraffic::Generated(_) => return Ok(()),
        PlannedTraffic::Ranks(RankWork::Kernel(_)) => return Ok(()),
        PlannedTraffic::Ranks(RankWork::Collective(plan)) if plan.is_on_network() => "collective networks",
        PlannedTraffic::Ranks(RankWork::Collective(plan)) if plan.deposits() => "copies by the deposit bit",
        PlannedTraffic::Ranks(RankWork::Collective(_)) => return Ok(()),
        PlannedTraffic::Ranks(RankWork::Trace(_)) => "the times between the calls of a trace",
        PlannedTraffic::Ranks(RankWork::PingPong(_) | RankWork::Flows(_) | RankWork::Program { .. }) => {
            "what these ranks wait for"
        }
    };
    Err(scenario.error(KEY, &format!("the fluid engine does not know {problem}: needs \"packets\"")))
}

/// Whether the workload states directions of its packets. The other dimensions then take one of the shortest vectors.
fn has_directions(scenario: &Scenario) -> bool {
    scenario.to_json()["workload"]["directions"].as_array().is_some_and(|directions| !directions.is_empty())
}

/// The figures of a collective: all its ranks end at the same time.
fn measured(scenario: &Scenario, plan: &CollectivePlan, estimate: &Estimate) -> Figures {
    let clock = scenario.parameters.node.clock;
    let cycles_per_processor_cycle = f64::from(clock.cycles) / f64::from(clock.processor_cycles);
    let ended = (estimate.cycles / cycles_per_processor_cycle).round() as u64;
    plan.figures(&CollectiveRun {
        ended: &[Some(ended)],
        cycles_per_processor_cycle,
        megabytes_per_second: scenario.machine.link.megabytes_per_second,
        busiest_link_bytes: busiest_link_bytes_of_flows(&scenario.parameters, estimate),
    })
}

/// The kind of traffic, by which the study `fluid` groups its errors against packets. It is patterns of nodes, or
/// what ranks do, with their costs and the number of ranks on a node. It also names the lengths of the dimensions,
/// and whether the time is corrected.
fn kind(scenario: &Scenario, plan: &Plan, ranks_per_node: u32, is_corrected: bool) -> String {
    let shape = &scenario.parameters.shape;
    let corrected = if is_corrected { "corrected" } else { "not corrected" };
    let long: Vec<u32> = shape.lengths().iter().copied().filter(|&length| length > 1).collect();
    let lengths = match &long[..] {
        _ if shape.is_twisted() => "a twist",
        [] | [_] => "one dimension",
        _ if !shape.is_torus() => "open dimensions",
        [first, others @ ..] if others.iter().any(|length| length != first) => "unequal lengths",
        _ => "equal lengths",
    };
    let content = scenario.to_json();
    let of_ranks = |what: &str| {
        let costs = content["messaging"]["costs"].as_str().unwrap_or("none");
        let ranks = if ranks_per_node > 1 { "several ranks" } else { "one rank" };
        format!("{what}, costs {costs}, {ranks} a node, {lengths}, {corrected}")
    };
    match (&plan.traffic, &scenario.workload) {
        (PlannedTraffic::Ranks(RankWork::Collective(plan)), _) => {
            let operation = content["workload"]["operation"].as_str().unwrap_or_default();
            of_ranks(&format!("{operation} by {}", plan.algorithm_name()))
        }
        (_, Workload::Kernel(kernel)) if kernel.name().starts_with("halo-") => of_ranks("halo"),
        (_, Workload::Kernel(kernel)) => of_ranks(kernel.name()),
        _ if plan.map.is_some() && shape.is_twisted() => format!("tables of flows, a twist, {corrected}"),
        _ if plan.map.is_some() => format!("tables of flows, {corrected}"),
        _ if shape.is_twisted() => format!("patterns, a twist, {corrected}"),
        _ => format!("patterns, {corrected}"),
    }
}

/// Bytes of a packet of nodes; none if messages of ranks or listed flows are cut into packets.
fn packet_bytes(scenario: &Scenario, plan: &Plan) -> Option<u64> {
    let is_listed = plan.map.is_some();
    let format = &scenario.parameters.packet;
    let full = u64::from(format.max_chunks) * u64::from(format.chunk_bytes);
    let is_of_nodes = match plan.traffic {
        PlannedTraffic::Generated(_) => !is_listed,
        PlannedTraffic::Ranks(_) | PlannedTraffic::Jobs(_) => false,
    };
    is_of_nodes.then(|| plan.mean_packet_bytes.map_or(full, |bytes| bytes.round() as u64))
}
