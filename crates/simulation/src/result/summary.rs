//! The figures of a run.

use super::tables::{busy_cycles, share};
use crate::engine::EngineKind;
use crate::scenario::{Scenario, Window};
use geometry::{Direction, ServiceShares};
use messaging::Stuck;
use network::deadlock::{Blockage, WaitingPacket};
use network::link::LinkReport;
use network::{Parameters, Totals};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Bytes of each packet that software takes for its header: 240 of 256 are payload (row S6).
const SOFTWARE_HEADER_BYTES: f64 = 16.0;

/// How a run ended. None of these is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was delivered, or measured to the end.
    Completed,
    /// Packets wait for one another in a ring.
    Deadlocked(Blockage),
    /// Ranks wait for messages that nobody will send.
    Stuck(Stuck),
    /// The scenario's time limit came first.
    TimeLimit,
    /// The user stopped it.
    Interrupted,
}

/// What a run cost.
#[derive(Clone, Debug)]
pub(crate) struct Speed {
    pub engine: EngineKind,
    pub threads: usize,
    pub engine_time: Duration,
    pub wall_time: Duration,
    pub peak_state_bytes: u64,
    pub process_peak_memory_bytes: Option<u64>,
}

/// All that the summary is made of.
pub(crate) struct Figures<'a> {
    pub scenario: &'a Scenario,
    pub outcome: &'a Outcome,
    pub totals: &'a Totals,
    pub bound: Option<&'a workloads::Bound>,
    pub window: Window,
    /// The cycle at which the run ended.
    pub end: u64,
    pub steadiness: Option<&'static str>,
    /// How long each message of a ping-pong took, if it is one.
    pub one_way_cycles: Option<&'a [u64]>,
    pub waits: Waits,
    /// What there is to say of links that make errors.
    pub links: Option<&'a LinkReport>,
    pub speed: Speed,
}

/// Who waits at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    /// The age of the oldest packet on its way or at the head of an injection FIFO, in cycles.
    pub oldest_packet_age: u64,
    /// Nodes that injected nothing in the measurement: they starve, or have nothing to send.
    pub silent_nodes: usize,
}

/// The summary: a table of figures, null where a thing makes no sense.
pub(crate) fn summarize(figures: &Figures<'_>) -> Value {
    let mut summary = Map::new();
    let parts = [figures.run(), figures.traffic(), figures.links(), figures.latency(), figures.speed()];
    for part in parts.into_iter().chain(figures.faults()).chain(figures.link_errors()) {
        if let Value::Object(part) = part {
            summary.extend(part);
        }
    }
    Value::Object(summary)
}

impl Figures<'_> {
    fn parameters(&self) -> &Parameters {
        &self.scenario.parameters
    }

    /// Cycles that were measured.
    fn measured_cycles(&self) -> u64 {
        self.end.saturating_sub(self.window.start)
    }

    fn run(&self) -> Value {
        let shape = &self.parameters().shape;
        json!({
            "name": self.scenario.name(),
            "workload": self.scenario.workload.kind(),
            "shape": shape.to_string(),
            "nodes": shape.nodes(),
            "links": shape.links(),
            "seed": self.scenario.seed(),
            "outcome": self.outcome.word(),
            "outcome_detail": self.outcome.detail(),
            "steadiness": self.steadiness,
            "cycles": self.end,
            "measured_cycles": self.measured_cycles(),
            "seconds_simulated": self.end as f64 * self.scenario.machine.cycle_seconds(),
            "digest": self.totals.digest.to_string(),
        })
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

    /// How many ordered pairs of live nodes are served in which way, where something is dead.
    fn faults(&self) -> Option<Value> {
        let Parameters { shape, faults, .. } = self.parameters();
        if faults.is_empty() {
            return None;
        }
        let ServiceShares { pairs, minimal, around, dynamic_only, relayed } =
            ServiceShares::count(faults, shape);
        let dead_links =
            Direction::all(shape.dimensions()).map(|toward| faults.dead_links_toward(shape, toward));
        Some(json!({
            "dead_nodes": faults.nodes().len(),
            "dead_links": dead_links.sum::<u64>(),
            "packets_relayed": self.totals.relayed,
            "pairs_share_minimal": ratio(minimal, pairs),
            "pairs_share_around": ratio(around, pairs),
            "pairs_share_dynamic_only": ratio(dynamic_only, pairs),
            "pairs_share_relayed": ratio(relayed, pairs),
        }))
    }

    /// What errors on links have cost, and whether the results are to be trusted.
    fn link_errors(&self) -> Option<Value> {
        let LinkReport { totals, mismatched, injection_checksums } = self.links?;
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
        let escape: u64 =
            self.totals.channel_packets[self.parameters().router.escape_channels()].iter().sum();
        json!({
            "link_utilization_mean": self.utilization(&directions),
            "link_utilization_by_direction": by_direction,
            "payload_utilization": self.payload_utilization(&directions),
            "escape_share": ratio(escape, self.totals.hops()),
        })
    }

    fn latency(&self) -> Value {
        let totals = self.totals;
        let some = totals.delivered > 0;
        json!({
            "latency_cycles_mean": some.then(|| totals.latency_sum as f64 / totals.delivered as f64),
            "latency_cycles_p99": some.then(|| totals.latency.value_at_quantile(0.99).min(totals.latency_max)),
            "latency_cycles_max": some.then_some(totals.latency_max),
            "longest_wait_cycles": totals.latency_max.max(self.waits.oldest_packet_age),
            "one_way_cycles_min": self.one_way_cycles.and_then(|cycles| cycles.iter().min()),
            "one_way_cycles_mean": self.one_way_cycles.and_then(mean),
        })
    }

    fn speed(&self) -> Value {
        let speed = &self.speed;
        let seconds = speed.engine_time.as_secs_f64();
        json!({
            "engine": speed.engine.name(),
            "threads": speed.threads,
            "engine_seconds": seconds,
            "wall_seconds": speed.wall_time.as_secs_f64(),
            "packet_hops_per_second": (seconds > 0.0).then(|| self.totals.hops_ever as f64 / seconds),
            "peak_memory_bytes": speed.peak_state_bytes,
            "process_peak_memory_bytes": speed.process_peak_memory_bytes,
        })
    }

    /// The directions in which there are links.
    fn directions(&self) -> Vec<Direction> {
        let shape = &self.parameters().shape;
        let all = Direction::all(shape.dimensions());
        all.filter(|&direction| shape.links_toward(direction) > 0).collect()
    }

    /// Share of their time that the links of these directions were held, in wire bytes.
    fn utilization(&self, directions: &[Direction]) -> Option<f64> {
        let busy = |&direction: &Direction| {
            let counted = self.totals.directions[direction.index()];
            busy_cycles(self.parameters(), direction, counted.packets, counted.chunks)
        };
        let busy: u64 = directions.iter().map(busy).sum();
        share(busy as f64, self.link_cycles(directions))
    }

    /// Share of the links' time that carried payload.
    fn payload_utilization(&self, directions: &[Direction]) -> Option<f64> {
        let payload = |&direction: &Direction| {
            let counted = self.totals.directions[direction.index()];
            let bytes = counted.chunks as f64 * f64::from(self.parameters().packet.chunk_bytes)
                - counted.packets as f64 * SOFTWARE_HEADER_BYTES;
            bytes * f64::from(self.parameters().links[direction.dimension()].cycles_per_byte)
        };
        share(directions.iter().map(payload).sum(), self.link_cycles(directions))
    }

    fn link_cycles(&self, directions: &[Direction]) -> f64 {
        let Parameters { shape, faults, .. } = self.parameters();
        let live = |&direction: &Direction| {
            shape.links_toward(direction) - faults.dead_links_toward(shape, direction)
        };
        let links: u64 = directions.iter().map(live).sum();
        links as f64 * self.measured_cycles() as f64
    }

    /// How close the run came to what theory allows; none where it did not end, or theory says nothing.
    fn percent_of_peak(&self) -> Option<f64> {
        let bound = self.bound.filter(|_| *self.outcome == Outcome::Completed)?;
        if self.window.end.is_some() {
            let rate = self.totals.delivered as f64 / self.measured_cycles() as f64;
            return Some(100.0 * rate / bound.packets_per_cycle?);
        }
        let last_delivery = self.totals.last_delivery;
        (last_delivery > 0).then_some(100.0 * bound.drained_cycles? / last_delivery as f64)
    }
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Deadlocked(_) => "deadlocked",
            Outcome::Stuck(_) => "stuck",
            Outcome::TimeLimit => "time-limit",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// The cause, where there is one to tell.
    fn detail(&self) -> Value {
        match self {
            Outcome::Deadlocked(blockage) => deadlock_detail(blockage),
            Outcome::Stuck(stuck) => stuck_detail(stuck),
            Outcome::Completed | Outcome::TimeLimit | Outcome::Interrupted => Value::Null,
        }
    }
}

fn deadlock_detail(blockage: &Blockage) -> Value {
    let ring = &blockage.ring;
    let nodes: Vec<String> = ring.iter().map(|packet| packet.node.to_string()).collect();
    let words = format!(
        "found at cycle {}: {} packets at the heads of their channels wait for one another in a ring through the nodes \
         {}, and {} can never move",
        blockage.cycle,
        ring.len(),
        nodes.join(", "),
        blockage.blocked_heads,
    );
    json!({
        "words": words,
        "cycle": blockage.cycle,
        "blocked_heads": blockage.blocked_heads,
        "ring": ring.iter().map(waiting_detail).collect::<Vec<_>>(),
    })
}

fn waiting_detail(packet: &WaitingPacket) -> Value {
    json!({
        "words": packet.to_string(),
        "node": packet.node,
        "receiver": packet.receiver.to_string(),
        "channel": packet.channel,
        "chunks": packet.chunks,
        "toward": packet.toward.to_string(),
        "toward_channel": packet.toward_channel,
        "tokens": packet.tokens,
    })
}

fn stuck_detail(stuck: &Stuck) -> Value {
    let Stuck { rank, since, waiting_for, ranks } = stuck;
    json!({
        "words": format!("{ranks} ranks can never go on; rank {rank} waits since cycle {since} for {waiting_for}"),
        "cycle": since,
        "rank": rank,
        "ranks": ranks,
        "waiting_for": waiting_for,
    })
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn mean(values: &[u64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<u64>() as f64 / values.len() as f64)
}
