//! Sets up a run from a scenario.

use super::Run;
use super::outside::OutsideProgram;
use super::sampling::Sampling;
use super::series::Series;
use super::slice::Slice;
use crate::division::Divided;
use crate::engine::{EngineKind, build_engine};
use crate::scenario::{Scenario, check_memory};
use crate::traffic;
use input::InputError;
use mpi::OutsideRanks;
use network::{Parts, Peers, Processes, Totals, Traffic};
use std::time::{Duration, Instant};
use workloads::{Plan, PlannedTraffic};

/// A scenario that can run by packets, with everything from which its engine is built.
pub(crate) struct Prepared {
    pub plan: Plan,
    pub traffic: Traffic,
    /// Warnings for the user, sentences that begin with a key.
    pub warnings: Vec<String>,
    sampling: Option<Sampling>,
    /// The nodes of each process.
    pub divided: Divided,
}

impl Prepared {
    /// Prepares a scenario for some processes.
    ///
    /// # Errors
    /// All reasons for which the scenario is refused.
    pub fn of(scenario: &Scenario, processes: Processes) -> Result<Self, InputError> {
        let plan = scenario.plan()?;
        let mut warnings = scenario.warnings();
        let traffic = traffic::build(scenario, &plan, &mut warnings)?;
        let divided = Divided::of(scenario, &plan, &traffic, processes.all);
        check_memory(scenario, &traffic, &divided.division, processes)?;
        let sampling = Sampling::of(scenario, &plan)?;
        Ok(Prepared { plan, traffic, warnings, sampling, divided })
    }
}

impl Run {
    /// Sets up a run of `scenario` at cycle 0, on `threads` threads (at least one) if the engine can use them.
    ///
    /// # Errors
    /// When the workload's trace cannot be read, or the run would not fit in memory.
    ///
    /// # Panics
    /// If `engine` is no engine of packets.
    pub fn new(scenario: Scenario, engine: EngineKind, threads: usize) -> Result<Run, InputError> {
        Run::of_peers(scenario, engine, threads, &Peers::none())
    }

    /// Sets up a run like [`Run::new`] that several processes run together, each of which calls this and what it then
    /// calls of the run in the same order.
    ///
    /// # Errors
    /// The errors of [`Run::new`], and when there are more processes than nodes or the engine runs in one.
    ///
    /// # Panics
    /// If `engine` is no engine of packets.
    pub fn of_peers(
        scenario: Scenario,
        engine: EngineKind,
        threads: usize,
        peers: &Peers,
    ) -> Result<Run, InputError> {
        check_processes(&scenario, engine, peers.count())?;
        let Prepared { plan, traffic, warnings, sampling, divided } =
            Prepared::of(&scenario, peers.processes())?;
        let parts = Parts { peers: peers.clone(), division: divided.division };
        let window = scenario.run.window();
        let threads = threads.max(1);
        let has_high_priority = traffic.uses_high_priority();
        let series = if scenario.run.link_series { Series::with_links } else { Series::new };
        Ok(Run {
            engine: build_engine(engine, scenario.parameters.clone(), traffic, threads, &parts),
            peers: peers.clone(),
            program: None,
            engine_kind: engine,
            threads,
            bound: plan.bound,
            offered_bytes_per_cycle: plan.offered_bytes_per_cycle(),
            total_packets: plan.total_packets,
            sampling,
            warnings,
            jobs: plan.jobs,
            work: match plan.traffic {
                PlannedTraffic::Ranks(work) => Some(work),
                PlannedTraffic::Generated(_) | PlannedTraffic::Jobs(_) => None,
            },
            series: series(scenario.run.series_interval_cycles, window.end, has_high_priority),
            window,
            scenario,
            slice: Slice::new(),
            window_start: Totals::default(),
            window_middle: None,
            outcome: None,
            checked_until: 0,
            engine_time: Duration::ZERO,
            started: Instant::now(),
            peak_state_bytes: 0,
            next_memory_sample: 0,
        })
    }

    /// Sets up a run like [`Run::new`], in which `ranks` outside the simulator make the calls; `scenario` is from
    /// [`crate::resolve_program`].
    ///
    /// # Errors
    /// The errors of [`Run::new`], and when calls cost less than a window of the machine.
    pub fn with_program(
        scenario: Scenario,
        engine: EngineKind,
        threads: usize,
        ranks: Box<dyn OutsideRanks + Send>,
    ) -> Result<Run, InputError> {
        check_program(&scenario)?;
        Run::new(scenario, engine, threads)?.with_ranks(Some(ranks))
    }

    /// This run, which has been set up by all processes, with ranks outside the simulator. Process 0 has them.
    ///
    /// # Errors
    /// When calls cost less than a window of the machine.
    pub(crate) fn with_ranks(
        mut self,
        ranks: Option<Box<dyn OutsideRanks + Send>>,
    ) -> Result<Run, InputError> {
        let program = OutsideProgram::new(&self.scenario, self.engine.as_mut(), ranks, &self.peers)?;
        self.program = Some(program);
        Ok(self)
    }
}

/// Checks that a scenario can be that of a program.
///
/// # Errors
/// When its engine knows no times of calls.
pub(crate) fn check_program(scenario: &Scenario) -> Result<(), InputError> {
    let problem = "what a program sends is known only as it runs: needs \"packets\"";
    if scenario.is_fluid() { Err(scenario.error("run.engine", problem)) } else { Ok(()) }
}

/// Checks that some processes can run a scenario together.
///
/// # Errors
/// When an engine runs in one process, and when there are more processes than nodes.
pub fn check_processes(scenario: &Scenario, engine: EngineKind, processes: usize) -> Result<(), InputError> {
    let nodes = scenario.parameters.shape.nodes();
    if processes == 1 {
        Ok(())
    } else if scenario.is_fluid() {
        Err(InputError::at("processes", "the fluid engine runs in one process"))
    } else if engine == EngineKind::Reference {
        Err(InputError::at("--engine", "the reference engine runs in one process"))
    } else if processes > nodes as usize {
        let problem = format!("{processes} for {nodes} nodes: each process needs a node");
        Err(InputError::at("processes", problem))
    } else {
        Ok(())
    }
}

/// The run that all processes have set up, or the first problem that one of them has had.
pub(crate) fn agreed(run: Result<Run, InputError>, peers: &Peers) -> Result<Run, InputError> {
    let problems = peers.gather(run.as_ref().err().cloned());
    problems.into_iter().flatten().next().map_or(run, Err)
}
