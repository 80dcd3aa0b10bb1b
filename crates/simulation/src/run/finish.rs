//! The end of a run: what the engine has counted, and the result made of it.
//!
//! ```text
//!   engine  --counted-->  Counted  --summary-->  summary
//!                                  --tables-->   tables, once the engine is gone
//! ```
//!
//! All processes count. Process 0 makes the result.

use super::{JobEnd, RankFigures, Run};
use crate::host;
use crate::result::{
    CountedLinks, Figures, LinkFigures, Outcome, RecordedLines, RunResult, Speed, Table, TimeLines, Waits,
    calls_tables, communication_table, injection_table, jobs_table, latency_table, links_table, nodes_table,
    summarize, waiting_table,
};
use crate::scenario::Scenario;
use messaging::Report;
use network::deadlock::WaitingPacket;
use network::link::LinkReport;
use network::{LinkCounters, NodeCounters, Totals};
use serde_json::Value;
use std::ops::Range;
use workloads::JobPlan;

/// The counts of the engine and of the software of the nodes.
struct Counted {
    /// The cycles of the measurement.
    measured: Range<u64>,
    totals: Totals,
    /// For process 0.
    nodes: Vec<NodeCounters>,
    /// The links of this process's nodes, whose counters of all nodes take much memory.
    own_links: Vec<LinkCounters>,
    /// For process 0.
    link_vcs: Vec<u32>,
    /// For process 0.
    waiting: Vec<WaitingPacket>,
    link_figures: LinkFigures,
    lossy: Option<LinkReport>,
    oldest_packet_age: u64,
    job_ends: Vec<JobEnd>,
    ranks: Option<RankFigures>,
    recorded: Option<RecordedLines>,
}

impl Run {
    /// Ends the run and returns its result, which only process 0 gets. A run that has not reached its end is marked as
    /// interrupted.
    pub fn finish_of_peers(mut self, interrupted: bool) -> Option<RunResult> {
        let outcome = self.outcome.take();
        debug_assert!(interrupted || outcome.is_some(), "a run is finished at its end, or interrupted");
        let outcome = outcome.unwrap_or(Outcome::Interrupted);
        let mut counted = self.counted(&outcome);
        let summary = self.peers.is_first().then(|| self.summary(&outcome, &counted));
        // The counters of all links take much memory in process 0, and their table more: the engine makes room.
        let Run { engine, peers, scenario, series, jobs, .. } = self;
        drop(engine);
        let links = peers.joined_at_first(std::mem::take(&mut counted.own_links));
        let summary = summary?;
        let time_lines = counted.recorded.as_ref().map(|recorded| TimeLines::of(recorded, &scenario));
        let end = counted.measured.end;
        let mut tables = tables(&scenario, &jobs, links, counted);
        tables.extend(series.into_tables(end, &scenario.parameters));
        Some(RunResult { summary, scenario: scenario.to_json(), tables, time_lines })
    }

    /// Ends a run of one process and returns its result, as [`Run::finish_of_peers`] does.
    ///
    /// # Panics
    /// When this is not process 0.
    pub fn finish(self, interrupted: bool) -> RunResult {
        self.finish_of_peers(interrupted).expect("process 0 gets the result")
    }

    fn counted(&mut self, outcome: &Outcome) -> Counted {
        let totals = self.engine.totals();
        self.sample_memory();
        let end = self.end_cycle(outcome, &totals);
        self.record_series(end, &totals);
        let own_links = self.engine.links();
        let own_figures = LinkFigures::of(&self.scenario.parameters, &own_links);
        let link_figures = self.peers.gather(own_figures).into_iter().reduce(LinkFigures::and);
        let link_figures = link_figures.expect("a run has a process");
        let clock = self.scenario.parameters.node.clock;
        let ranks = RankFigures::of(self.engine.as_ref(), &self.scenario, self.work.as_ref(), &link_figures);
        let report = Report::of(self.engine.as_ref(), clock);
        let recorded = report.and_then(|report| RecordedLines::of(&report, &self.scenario, end));
        Counted {
            measured: self.window.start..end,
            nodes: self.engine.nodes(),
            own_links,
            link_vcs: self.peers.joined_at_first(self.engine.link_vcs()),
            waiting: match self.scenario.run.link_series {
                true => self.peers.joined_at_first(self.engine.waiting()),
                false => Vec::new(),
            },
            link_figures,
            lossy: self.engine.link_report(),
            oldest_packet_age: self.engine.oldest_packet_age(),
            job_ends: self.job_ends(&totals),
            ranks,
            recorded,
            totals,
        }
    }

    fn job_ends(&self, totals: &Totals) -> Vec<JobEnd> {
        let groups = totals.groups.iter().map(Some).chain(std::iter::repeat(None));
        let clock = self.scenario.parameters.node.clock;
        let end = |(number, (job, group))| match Report::of_job(self.engine.as_ref(), clock, number) {
            Some(ranks) => JobEnd::of_ranks(&ranks, group),
            None => JobEnd::of(job, group),
        };
        self.jobs.iter().zip(groups).enumerate().map(end).collect()
    }

    fn summary(&self, outcome: &Outcome, counted: &Counted) -> Value {
        let Counted { totals, measured, .. } = counted;
        let silent = counted.nodes.iter().filter(|node| node.injected == 0).count();
        let silent_nodes = silent - self.scenario.parameters.faults.nodes().len();
        summarize(&Figures {
            scenario: &self.scenario,
            outcome,
            totals,
            warnings: &self.warnings,
            bound: self.bound.as_ref(),
            offered_bytes_per_cycle: self.offered_bytes_per_cycle,
            window: self.window,
            end: measured.end,
            steadiness: self.steadiness(outcome, totals, measured.end),
            ranks: counted.ranks.as_ref(),
            jobs: &self.jobs,
            waits: Waits { oldest_packet_age: counted.oldest_packet_age, silent_nodes },
            link_figures: &counted.link_figures,
            links: counted.lossy.as_ref(),
            speed: Speed {
                engine: self.engine_kind,
                threads: self.threads,
                processes: self.peers.count(),
                engine_time: self.engine_time,
                wall_time: self.started.elapsed(),
                peak_state_bytes: self.peak_state_bytes,
                process_peak_memory_bytes: host::process_peak_memory_bytes(),
            },
        })
    }
}

/// All tables but those of the time series. `links` are the counters of all links.
fn tables(scenario: &Scenario, jobs: &[JobPlan], links: Vec<LinkCounters>, counted: Counted) -> Vec<Table> {
    let parameters = &scenario.parameters;
    let Counted { totals, nodes, measured, link_vcs, waiting, lossy, job_ends, ranks, recorded, .. } =
        counted;
    let cycles = measured.end.saturating_sub(measured.start);
    let of_links = CountedLinks { counters: &links, vcs: &link_vcs, lossy: lossy.as_ref() };
    let mut tables = vec![
        links_table(parameters, &of_links, cycles),
        latency_table(&totals),
        nodes_table(parameters, &nodes),
    ];
    drop(links);
    let jobs: Vec<(&JobPlan, JobEnd)> = jobs.iter().zip(job_ends).collect();
    tables.extend((!jobs.is_empty()).then(|| jobs_table(parameters, &jobs, (&totals, &nodes), measured)));
    tables.extend(lossy.as_ref().map(injection_table));
    tables.extend(scenario.run.link_series.then(|| waiting_table(parameters, &waiting)));
    let calls = recorded.and_then(|recorded| calls_tables(&recorded, scenario));
    tables.extend(calls.into_iter().flatten());
    let communication = ranks.filter(|_| scenario.run.communication);
    tables.extend(communication.map(|ranks| communication_table(&ranks.communication)));
    tables
}
