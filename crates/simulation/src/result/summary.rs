//! The summary of a run.

use super::link_figures::LinkFigures;
use super::quantities::are_declared;
use super::tables::{busy_cycles, dimension_name, share};
use crate::engine::EngineKind;
use crate::run::{Extrapolation, RankFigures, TraceFigures};
use crate::scenario::{Scenario, Window, jobs};
use geometry::{Direction, ServiceShares};
use messaging::{Aborted, End, Stuck, StuckRank};
use mpi::Failure;
use network::counters::CollectiveTotals;
use network::deadlock::{Blockage, WaitingPacket};
use network::link::LinkReport;
use network::{LinkCounters, Parameters, Totals};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use workloads::{JobPlan, Workload};

/// The way in which a run ended. None of these is an error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Everything was delivered.
    Drained,
    /// The measurement is complete.
    Measured,
    /// The rate of deliveries has settled.
    Sampled(Extrapolation),
    /// A ring of packets that wait for one another.
    Deadlocked(Blockage),
    /// Ranks wait for messages that will never be sent.
    Stuck(Stuck),
    /// A rank ended otherwise than with `MPI_Finalize`; its failure, if the world outside the simulator knows it.
    Aborted(Aborted, Option<Failure>),
    /// The scenario's time limit was reached first.
    TimeLimit,
    /// The user stopped the run.
    Interrupted,
}

/// Execution time and memory of a run.
#[derive(Clone, Debug)]
pub(crate) struct Speed {
    pub engine: EngineKind,
    pub threads: usize,
    pub processes: usize,
    pub engine_time: Duration,
    pub wall_time: Duration,
    pub peak_state_bytes: u64,
    pub process_peak_memory_bytes: Option<u64>,
}

/// The data from which the summary is made.
pub(crate) struct Figures<'a> {
    pub scenario: &'a Scenario,
    pub outcome: &'a Outcome,
    pub totals: &'a Totals,
    pub warnings: &'a [String],
    pub bound: Option<&'a workloads::Bound>,
    /// Bytes per cycle that all nodes offer, if the workload has a load.
    pub offered_bytes_per_cycle: Option<f64>,
    pub window: Window,
    /// The cycle at which the run ended.
    pub end: u64,
    pub steadiness: Option<&'static str>,
    /// The figures of the ranks, if any.
    pub ranks: Option<&'a RankFigures>,
    /// The jobs, if there are several workloads.
    pub jobs: &'a [JobPlan],
    pub waits: Waits,
    /// The counters of all links, node by node.
    pub link_figures: &'a LinkFigures,
    /// The report of the link protocol, if links are lossy.
    pub links: Option<&'a LinkReport>,
    pub speed: Speed,
}

/// The packets and nodes that are waiting at the end of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    /// The age of the oldest packet in flight or at the head of an injection FIFO, in cycles.
    pub oldest_packet_age: u64,
    /// Live nodes that injected nothing during the measurement: starved, or with nothing to send.
    pub silent_nodes: usize,
}

/// The summary: a table of figures, null where a figure does not apply.
pub(crate) fn summarize(figures: &Figures<'_>) -> Value {
    let parts = [
        identity(figures.scenario),
        figures.run(),
        figures.traffic(),
        figures.rates(),
        figures.links(),
        figures.latency(),
        figures.speed(),
    ];
    let optional = [
        figures.sample(),
        figures.operations(),
        figures.collective(),
        figures.faults(),
        figures.link_errors(),
        figures.warnings(),
    ];
    let summary = joined(parts.into_iter().chain(optional.into_iter().flatten()));
    debug_assert!(are_declared(&summary), "a key is not declared: {summary}");
    summary
}

/// The keys of all parts in one.
pub(super) fn joined(parts: impl IntoIterator<Item = Value>) -> Value {
    let objects =
        parts.into_iter().filter_map(|part| if let Value::Object(keys) = part { Some(keys) } else { None });
    Value::Object(objects.flatten().collect())
}

/// The machine and workload that are simulated.
pub(super) fn identity(scenario: &Scenario) -> Value {
    let shape = &scenario.parameters.shape;
    let mut known = json!({
        "name": scenario.name(),
        "workload": scenario.workload.kind(),
        "shape": shape.to_string(),
        "nodes": shape.nodes(),
        "links": shape.links(),
        "seed": scenario.seed(),
    });
    if !scenario.run.units.are_cycles() {
        known["units"] = json!(scenario.run.units);
    }
    if let Workload::Program(program) = &scenario.workload
        && program.is_measured()
    {
        known["reproducible"] = false.into();
    }
    if let Some(router) = scenario.machine.assumed_router_in_words() {
        known["assumed_router"] = router.into();
    }
    known
}

impl Figures<'_> {
    fn parameters(&self) -> &Parameters {
        &self.scenario.parameters
    }

    /// The number of measured cycles.
    fn measured_cycles(&self) -> u64 {
        self.end.saturating_sub(self.window.start)
    }

    fn run(&self) -> Value {
        json!({
            "outcome": self.outcome.word(),
            "outcome_detail": self.outcome.detail(&self.scenario.workload),
            "steadiness": self.steadiness,
            "cycles": self.end,
            "measured_cycles": self.measured_cycles(),
            "seconds_simulated": self.end as f64 * self.scenario.machine.cycle_seconds(),
            "digest": self.totals.digest.to_string(),
        })
    }

    /// Settings that make no sense on a real machine, or throttle it, if any.
    fn warnings(&self) -> Option<Value> {
        (!self.warnings.is_empty()).then(|| json!({ "warnings": self.warnings }))
    }

    /// The extrapolated whole of which the run is a sample.
    fn sample(&self) -> Option<Value> {
        let Outcome::Sampled(found) = self.outcome else { return None };
        let seconds = found.cycles * self.scenario.machine.cycle_seconds();
        Some(json!({
            "extrapolated_cycles": found.cycles,
            "extrapolated_cycles_half_width": found.half_width,
            "extrapolated_seconds": seconds,
            "sampled_share": found.share,
            "sampled_from_cycle": found.sample.settled_cycle,
            "sampled_packets_per_cycle": found.sample.rate,
            "sampled_packets_per_cycle_half_width": found.sample.half_width,
        }))
    }

    fn traffic(&self) -> Value {
        let totals = self.totals;
        let percent_of_peak = self.percent_of_peak();
        json!({
            "packets_injected": totals.injected,
            "packets_delivered": totals.delivered,
            "nodes_without_injection": self.waits.silent_nodes,
            "packets_delivered_total": totals.delivered_ever,
            "packet_hops": totals.hops(),
            "packet_hops_total": totals.hops_ever,
            "mean_hops": ratio(totals.hops(), totals.delivered),
            "percent_of_peak": percent_of_peak,
            "percent_of_peak_kind": percent_of_peak.and(self.bound).map(|bound| bound.kind),
        })
    }

    /// The bytes of packets in memory that each live node offers and accepts on average, per cycle and in the
    /// machine's time.
    fn rates(&self) -> Value {
        let chunk_bytes = u64::from(self.parameters().packet.chunk_bytes);
        let accepted = ratio(self.totals.delivered_chunks * chunk_bytes, self.measured_cycles());
        let nodes = f64::from(self.parameters().live_nodes());
        let per_node = |bytes: f64| bytes / nodes;
        let gigabytes = |bytes: f64| bytes / nodes / self.scenario.machine.cycle_seconds() / 1e9;
        json!({
            "offered_bytes_per_node_per_cycle": self.offered_bytes_per_cycle.map(per_node),
            "accepted_bytes_per_node_per_cycle": accepted.map(per_node),
            "offered_gigabytes_per_second": self.offered_bytes_per_cycle.map(gigabytes),
            "accepted_gigabytes_per_second": accepted.map(gigabytes),
        })
    }

    /// The service of the ordered pairs of live nodes, as shares, if nodes or links are dead.
    fn faults(&self) -> Option<Value> {
        let Parameters { shape, faults, .. } = self.parameters();
        if faults.is_empty() {
            return None;
        }
        let ServiceShares { pairs, minimal, around, adaptive_only, relayed } =
            ServiceShares::count(faults, shape);
        let dead_links =
            Direction::all(shape.dimensions()).map(|toward| faults.dead_links_toward(shape, toward));
        Some(json!({
            "dead_nodes": faults.nodes().len(),
            "dead_links": dead_links.sum::<u64>(),
            "packets_relayed": self.totals.relayed,
            "pairs_share_minimal": ratio(minimal, pairs),
            "pairs_share_around": ratio(around, pairs),
            "pairs_share_dynamic_only": ratio(adaptive_only, pairs),
            "pairs_share_relayed": ratio(relayed, pairs),
        }))
    }

    /// The cost of link errors, and whether any error escaped detection.
    fn link_errors(&self) -> Option<Value> {
        let LinkReport { totals, mismatched, injection_checksums, retransmissions: _ } = self.links?;
        let shape = &self.parameters().shape;
        let name = |&(node, port): &(u32, usize)| {
            let coordinates = &shape.coordinates(node)[..shape.dimensions()];
            format!("{coordinates:?} {}", Direction::from_index(port))
        };
        let sums = injection_checksums.iter().flatten();
        let sum = sums.fold(0u32, |all, &sum| all.rotate_left(1) ^ sum);
        Some(json!({
            "link_frames": totals.frames,
            "link_frames_corrupted": totals.corrupted,
            "link_frames_sent_again": totals.retransmissions,
            "link_timeouts": totals.timeouts,
            "link_acks": totals.acks,
            "link_acks_lost": totals.lost_acks,
            "link_probes": totals.probes,
            "link_errors_escaped": totals.escapes,
            "link_checksums_differ": mismatched.iter().map(name).collect::<Vec<_>>(),
            "packets_damaged": totals.damaged_packets,
            "injection_checksum": format!("{sum:08x}"),
        }))
    }

    fn links(&self) -> Value {
        let directions = self.directions();
        let by_direction: Map<String, Value> = directions
            .iter()
            .map(|&direction| (direction.to_string(), self.utilization(&[direction]).into()))
            .collect();
        let escape: u64 = self.totals.vc_packets[self.parameters().router.escape_vcs()].iter().sum();
        let mut links = json!({
            "link_utilization_mean": self.utilization(&directions),
            "link_utilization_by_direction": by_direction,
            "payload_utilization": self.payload_utilization(&directions),
            "escape_share": ratio(escape, self.totals.hops()),
        });
        let by_dimension = &self.link_figures.sums;
        for (number, (name, _)) in LinkCounters::sums([].iter()).into_iter().enumerate() {
            let sums = || by_dimension.iter().map(|sums| sums[number]);
            links[name] = sums().sum::<u64>().into();
            let named = sums().enumerate().map(|(dimension, sum)| (dimension_name(dimension), sum.into()));
            links[format!("{name}_by_dimension")] = named.collect::<Map<_, _>>().into();
        }
        links
    }

    fn latency(&self) -> Value {
        let totals = self.totals;
        let some = totals.delivered > 0;
        let mean_cycles = some.then(|| totals.latency_sum as f64 / totals.delivered as f64);
        let p99_cycles = some.then(|| totals.latency.value_at_quantile(0.99).min(totals.latency_max));
        let ns = |cycles: f64| cycles * 1e9 * self.scenario.machine.cycle_seconds();
        json!({
            "latency_cycles_mean": mean_cycles,
            "latency_ns_mean": mean_cycles.map(ns),
            "latency_cycles_p99": p99_cycles,
            "latency_ns_p99": p99_cycles.map(|cycles| ns(cycles as f64)),
            "latency_cycles_max": some.then_some(totals.latency_max),
            "longest_wait_cycles": totals.latency_max.max(self.waits.oldest_packet_age),
            "one_way_cycles_min": self.one_way_cycles().and_then(|cycles| cycles.iter().min()),
            "one_way_cycles_mean": self.one_way_cycles().and_then(mean),
        })
    }

    fn one_way_cycles(&self) -> Option<&[u64]> {
        self.ranks?.one_way_cycles.as_deref()
    }

    /// The MPI calls of the ranks, if any.
    fn operations(&self) -> Option<Value> {
        let RankFigures { operations, digest, measured, trace, .. } = self.ranks?;
        let seconds = self.speed.engine_time.as_secs_f64();
        let mut summary = json!({
            "mpi_operations": operations,
            "mpi_operations_per_second": (seconds > 0.0).then(|| *operations as f64 / seconds),
            "operations_digest": digest.to_string(),
        });
        measured.iter().for_each(|(key, value)| summary[key] = value.clone());
        if let Some(TraceFigures { format, calls, compute_seconds, call_seconds }) = trace {
            summary["trace_format"] = json!(format);
            summary["trace_calls"] = json!(calls);
            summary["trace_compute_seconds"] = json!(compute_seconds);
            summary["trace_call_seconds"] = json!(call_seconds);
        }
        Some(summary)
    }

    /// The traffic of collective networks, if any.
    fn collective(&self) -> Option<Value> {
        let CollectiveTotals { tree_injected, tree_delivered, tree_hops, tree_stalls, tree_waits, releases } =
            self.totals.collective;
        (self.totals.collective != CollectiveTotals::default()).then(|| {
            json!({
                "tree_packets_injected": tree_injected,
                "tree_packets_delivered": tree_delivered,
                "tree_packet_hops": tree_hops,
                "tree_stalls": tree_stalls,
                "tree_waits": tree_waits,
                "interrupt_barriers": releases,
            })
        })
    }

    fn speed(&self) -> Value {
        let speed = &self.speed;
        let seconds = speed.engine_time.as_secs_f64();
        json!({
            "engine": speed.engine.name(),
            "threads": speed.threads,
            "processes": speed.processes,
            "engine_seconds": seconds,
            "wall_seconds": speed.wall_time.as_secs_f64(),
            "packet_hops_per_second": (seconds > 0.0).then(|| self.totals.hops_ever as f64 / seconds),
            "peak_memory_bytes": speed.peak_state_bytes,
            "process_peak_memory_bytes": speed.process_peak_memory_bytes,
        })
    }

    /// The directions that have links.
    fn directions(&self) -> Vec<Direction> {
        let shape = &self.parameters().shape;
        let all = Direction::all(shape.dimensions());
        all.filter(|&direction| shape.links_toward(direction) > 0).collect()
    }

    /// Share of the measured time that the links of these directions were busy, in wire bytes.
    fn utilization(&self, directions: &[Direction]) -> Option<f64> {
        let busy = |&direction: &Direction| {
            let counted = self.totals.directions[direction.index()];
            busy_cycles(self.parameters(), direction, counted.packets, counted.chunks)
        };
        let busy: u64 = directions.iter().map(busy).sum();
        share(busy as f64, self.link_cycles(directions))
    }

    /// Header of each packet; none if jobs have different ones.
    fn header_bytes(&self) -> Option<u32> {
        let of_ranks = self.ranks.map(|_| self.scenario.messaging_parameters().header_bytes);
        let is_mixed = self.jobs.iter().any(|job| !job.has_ranks);
        let of_packets = self.parameters().packet.header_bytes;
        match of_ranks {
            Some(bytes) if is_mixed && bytes != of_packets => None,
            bytes => Some(bytes.unwrap_or(of_packets)),
        }
    }

    /// Share of the measured time that the links of these directions carried payload.
    fn payload_utilization(&self, directions: &[Direction]) -> Option<f64> {
        let header_bytes = self.header_bytes()?;
        let payload = |&direction: &Direction| {
            let counted = self.totals.directions[direction.index()];
            let bytes = counted.chunks as f64 * f64::from(self.parameters().packet.chunk_bytes)
                - counted.packets as f64 * f64::from(header_bytes);
            // Packets of generated traffic can be shorter than a header.
            bytes.max(0.0) * f64::from(self.parameters().links[direction.dimension()].cycles_per_byte)
        };
        share(directions.iter().map(payload).sum(), self.link_cycles(directions))
    }

    fn link_cycles(&self, directions: &[Direction]) -> f64 {
        self.parameters().live_links(directions) as f64 * self.measured_cycles() as f64
    }

    /// The rate of the run in percent of the theoretical bound. `None` if the run did not complete or has no bound.
    fn percent_of_peak(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Drained | Outcome::Measured => {}
            Outcome::Sampled(found) => return Some(100.0 * self.bound?.drained_cycles? / found.cycles),
            Outcome::Deadlocked(_)
            | Outcome::Stuck(_)
            | Outcome::Aborted(..)
            | Outcome::TimeLimit
            | Outcome::Interrupted => return None,
        }
        let bound = self.bound?;
        if self.window.end.is_some() {
            let cycles = Some(self.measured_cycles()).filter(|&cycles| cycles > 0)?;
            return Some(100.0 * self.totals.delivered as f64 / cycles as f64 / bound.packets_per_cycle?);
        }
        let min = bound.drained_cycles?;
        match self.totals.last_delivery {
            // Nothing has used the torus: for a collective on a collective network, the last rank's end counts.
            0 => (min > 0.0 && self.end > 0).then_some(100.0 * min / self.end as f64),
            last_delivery => Some(100.0 * min / last_delivery as f64),
        }
    }
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Drained | Outcome::Measured | Outcome::Sampled(_) => "completed",
            Outcome::Deadlocked(_) => "deadlocked",
            Outcome::Stuck(_) => "stuck",
            Outcome::Aborted(_, Some(failure)) => failure.kind.outcome(),
            Outcome::Aborted(Aborted { end: End::OutOfMemory { .. }, .. }, None) => "out-of-memory",
            Outcome::Aborted(_, None) => "aborted",
            Outcome::TimeLimit => "time-limit",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// The cause, if any.
    fn detail(&self, workload: &Workload) -> Value {
        match self {
            Outcome::Deadlocked(blockage) => deadlock_detail(blockage, workload),
            Outcome::Stuck(stuck) => stuck_detail(stuck, workload),
            Outcome::Aborted(aborted, failure) => {
                aborted_detail(aborted, failure.as_ref(), jobs::name(workload, aborted.job))
            }
            Outcome::Drained
            | Outcome::Measured
            | Outcome::Sampled(_)
            | Outcome::TimeLimit
            | Outcome::Interrupted => Value::Null,
        }
    }
}

fn deadlock_detail(blockage: &Blockage, workload: &Workload) -> Value {
    let ring = &blockage.ring;
    let jobs: BTreeSet<&str> =
        ring.iter().filter_map(|packet| jobs::name_at(workload, packet.target)).collect();
    let of_jobs: Vec<String> = jobs.iter().map(|job| format!("{job:?}")).collect();
    let of_jobs = match &of_jobs[..] {
        [] => String::new(),
        [job] => format!(" of the job {job}"),
        jobs => format!(" of the jobs {}", jobs.join(", ")),
    };
    let nodes: Vec<String> = ring.iter().map(|packet| packet.node.to_string()).collect();
    let words = format!(
        "found at cycle {}: {} head packets{of_jobs} wait for one another in a ring through the nodes {}; {} head packets can \
         never move",
        blockage.cycle,
        ring.len(),
        nodes.join(", "),
        blockage.blocked_heads,
    );
    json!({
        "words": words,
        "cycle": blockage.cycle,
        "blocked_heads": blockage.blocked_heads,
        "ring": ring.iter().map(|packet| waiting_detail(packet, workload)).collect::<Vec<_>>(),
    })
}

fn waiting_detail(packet: &WaitingPacket, workload: &Workload) -> Value {
    json!({
        "words": packet.to_string(),
        "job": jobs::name_at(workload, packet.target),
        "node": packet.node,
        "receiver": packet.receiver.to_string(),
        "channel": packet.vc,
        "chunks": packet.chunks,
        "target": packet.target,
        "toward": packet.toward.to_string(),
        "toward_channel": packet.toward_vc,
        "tokens": packet.credits,
        "tokens_needed": packet.credits_needed,
    })
}

/// A rank, with its job if the run has several.
fn rank_of_job(rank: u32, job: Option<&str>) -> String {
    job.map_or_else(|| format!("rank {rank}"), |job| format!("rank {rank} of the job {job:?}"))
}

fn stuck_detail(stuck: &Stuck, workload: &Workload) -> Value {
    let Stuck { job, rank, since, waiting_for, ranks, others, .. } = stuck;
    let first = StuckRank { job: *job, rank: *rank, since: *since, waiting_for: waiting_for.clone() };
    let named: Vec<Value> =
        [&first].into_iter().chain(others).map(|rank| stuck_rank_detail(rank, workload)).collect();
    let of_first = named[0]["words"].as_str().unwrap_or_default();
    let blocked = if *ranks == 1 { "1 rank is".into() } else { format!("{ranks} ranks are") };
    let words = format!("{blocked} blocked forever; {of_first}");
    joined([named[0].clone(), json!({ "words": words, "ranks": ranks, "waiting": named })])
}

fn stuck_rank_detail(stuck: &StuckRank, workload: &Workload) -> Value {
    let StuckRank { job, rank, since, waiting_for } = stuck;
    let job = jobs::name(workload, *job);
    json!({
        "words": format!("{} has waited since cycle {since} for {waiting_for}", rank_of_job(*rank, job)),
        "job": job,
        "cycle": since,
        "rank": rank,
        "waiting_for": waiting_for,
    })
}

fn aborted_detail(aborted: &Aborted, failure: Option<&Failure>, job: Option<&str>) -> Value {
    let Aborted { rank, end, cycle, .. } = *aborted;
    let of_call = if let End::Aborted { code } = end { Some(code) } else { None };
    let (words, code) = match failure {
        Some(Failure { words, code, .. }) => (format!("{words},"), *code),
        None => (format!("{} {end}", rank_of_job(rank, job)), of_call),
    };
    json!({
        "words": format!("{words} at cycle {cycle}"),
        "job": job,
        "cycle": cycle,
        "rank": rank,
        "code": code,
    })
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn mean(values: &[u64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<u64>() as f64 / values.len() as f64)
}
