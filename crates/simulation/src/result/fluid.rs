//! The summary and the tables of a run by the fluid engine: the keys and columns of a run with packets, as far as
//! they have a meaning.

use super::quantities::are_declared;
use super::summary::{identity, joined};
use super::tables::{Column, Table, coordinates};
use crate::engine::EngineKind;
use crate::scenario::Scenario;
use fluid::{Estimate, LinkLoad, NodeLoad};
use geometry::Direction;
use network::Parameters;
use serde_json::{Map, Value, json};
use std::time::Duration;
use workloads::exchange::Figures;

/// The data from which the summary is made.
pub(crate) struct FluidFigures<'a> {
    pub scenario: &'a Scenario,
    pub estimate: &'a Estimate,
    pub kind: &'a str,
    pub measured: &'a Figures,
    pub bound: Option<&'a workloads::Bound>,
    pub engine_time: Duration,
    pub wall_time: Duration,
    pub process_peak_memory_bytes: Option<u64>,
}

/// The summary: a table of figures, null where a figure needs packets or does not apply.
pub(crate) fn fluid_summary(figures: &FluidFigures<'_>) -> Value {
    let known = identity(figures.scenario);
    let measured = figures.measured.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let parts = [figures.run(), figures.traffic(), figures.links(), figures.correction(), figures.speed()];
    let summary = joined([known].into_iter().chain(parts).chain([Value::Object(measured.collect())]));
    debug_assert!(are_declared(&summary), "a key is not declared: {summary}");
    summary
}

impl FluidFigures<'_> {
    fn cycles(&self) -> u64 {
        self.estimate.cycles.ceil() as u64
    }

    fn run(&self) -> Value {
        json!({
            "outcome": "completed",
            "outcome_detail": Value::Null,
            "steadiness": Value::Null,
            "cycles": self.cycles(),
            "measured_cycles": self.cycles(),
            "seconds_simulated": self.cycles() as f64 * self.scenario.machine.cycle_seconds(),
        })
    }

    fn traffic(&self) -> Value {
        let Estimate { cycles, packets, packet_hops, .. } = self.estimate;
        let drained = self.bound.and_then(|bound| bound.drained_cycles).filter(|_| *cycles > 0.0);
        let shape = &self.scenario.parameters.shape;
        let bytes: f64 = self.estimate.delivered_bytes;
        let per_node = (*cycles > 0.0).then(|| bytes / cycles / f64::from(shape.nodes()));
        json!({
            "packets_injected": packets.round(),
            "packets_delivered": packets.round(),
            "packets_delivered_total": packets.round(),
            "packet_hops": packet_hops.round(),
            "packet_hops_total": packet_hops.round(),
            "mean_hops": (*packets > 0.0).then(|| packet_hops / packets),
            "percent_of_peak": drained.map(|drained| 100.0 * drained / cycles),
            "percent_of_peak_kind": drained.and(self.bound).map(|bound| bound.kind),
            "accepted_bytes_per_node_per_cycle": per_node,
            "accepted_gigabytes_per_second": per_node.map(|rate| rate / self.scenario.machine.cycle_seconds() / 1e9),
        })
    }

    fn links(&self) -> Value {
        let parameters = &self.scenario.parameters;
        let loads = LinkLoads::of(parameters, &self.estimate.links);
        // (links, cycles in which they are busy) of each direction.
        let mut directions = vec![(0u32, 0.0); 2 * parameters.shape.dimensions()];
        for (node, toward) in loads.existing() {
            let (links, busy) = &mut directions[toward.index()];
            *links += 1;
            *busy += loads.busy_cycles(node, toward);
        }
        let mean = |(links, busy): (u32, f64)| {
            let cycles = f64::from(links) * self.estimate.cycles;
            (cycles > 0.0).then(|| busy / cycles)
        };
        let all = directions.iter().fold((0, 0.0), |all, of| (all.0 + of.0, all.1 + of.1));
        let by_direction: Map<String, Value> = directions
            .iter()
            .enumerate()
            .filter_map(|(index, &of)| Some((Direction::from_index(index).to_string(), json!(mean(of)?))))
            .collect();
        json!({ "link_utilization_mean": mean(all), "link_utilization_by_direction": by_direction })
    }

    fn correction(&self) -> Value {
        json!({
            "fluid_kind": self.kind,
            "fluid_corrected": self.estimate.is_corrected,
            "fluid_uncorrected_cycles": self.estimate.uncorrected_cycles.ceil(),
        })
    }

    fn speed(&self) -> Value {
        json!({
            "engine": EngineKind::Fluid.name(),
            "threads": 1,
            "processes": 1,
            "engine_seconds": self.engine_time.as_secs_f64(),
            "wall_seconds": self.wall_time.as_secs_f64(),
            "process_peak_memory_bytes": self.process_peak_memory_bytes,
        })
    }
}

/// Bytes on the wire of the link that carries most.
pub(crate) fn busiest_link_bytes_of_flows(parameters: &Parameters, estimate: &Estimate) -> u64 {
    let between = f64::from(parameters.packet.wire_bytes(0));
    estimate.links.iter().map(|link| link.bytes + link.packets * between).fold(0.0, f64::max).round() as u64
}

/// The tables `links` and `nodes`; counts are rounded.
pub(crate) fn fluid_tables(parameters: &Parameters, estimate: &Estimate) -> Vec<Table> {
    vec![links_table(parameters, estimate), nodes_table(parameters, estimate)]
}

fn links_table(parameters: &Parameters, estimate: &Estimate) -> Table {
    let loads = LinkLoads::of(parameters, &estimate.links);
    let chunk_bytes = f64::from(parameters.packet.chunk_bytes);
    let links: Vec<(u32, Direction)> = loads.existing().collect();
    let of_links = |value: &dyn Fn(u32, Direction) -> f64| -> Vec<f64> {
        links.iter().map(|&(node, toward)| value(node, toward)).collect()
    };
    let counts =
        |values: Vec<f64>| Column::U64(values.into_iter().map(|value| value.round() as u64).collect());
    let busy = of_links(&|node, toward| loads.busy_cycles(node, toward));
    let utilization =
        busy.iter().map(|busy| if estimate.cycles > 0.0 { busy / estimate.cycles } else { 0.0 });
    let columns = vec![
        ("direction", Column::Text(links.iter().map(|link| link.1.to_string()).collect())),
        ("packets", counts(of_links(&|node, toward| loads.load(node, toward).packets))),
        ("chunks", counts(of_links(&|node, toward| loads.load(node, toward).bytes / chunk_bytes))),
        ("utilization", Column::F64(utilization.collect())),
        ("busy_cycles", counts(busy)),
    ];
    let nodes = || links.iter().map(|link| link.0);
    placed("links", parameters, nodes().collect(), columns)
}

fn nodes_table(parameters: &Parameters, estimate: &Estimate) -> Table {
    let of_node = |node: u32| *estimate.nodes.get(node as usize).unwrap_or(&estimate.nodes[0]);
    let column = |value: fn(NodeLoad) -> f64| {
        Column::U64((0..parameters.shape.nodes()).map(|node| value(of_node(node)).round() as u64).collect())
    };
    let columns =
        vec![("injected", column(|node| node.injected)), ("delivered", column(|node| node.received))];
    placed("nodes", parameters, (0..parameters.shape.nodes()).collect(), columns)
}

/// A table whose rows are at nodes, with their coordinates.
fn placed(
    name: &'static str,
    parameters: &Parameters,
    nodes: Vec<u32>,
    columns: Vec<(&str, Column)>,
) -> Table {
    let mut all = vec![("node".to_owned(), Column::U32(nodes.clone()))];
    all.extend(coordinates(&parameters.shape, nodes.iter().copied()));
    all.extend(columns.into_iter().map(|(name, column)| (name.to_owned(), column)));
    Table { name, columns: all }
}

/// The loads of all links, where one node may represent all.
struct LinkLoads<'a> {
    parameters: &'a Parameters,
    loads: &'a [LinkLoad],
}

impl<'a> LinkLoads<'a> {
    fn of(parameters: &'a Parameters, loads: &'a [LinkLoad]) -> Self {
        LinkLoads { parameters, loads }
    }

    fn existing(&self) -> impl Iterator<Item = (u32, Direction)> {
        let shape = &self.parameters.shape;
        (0..shape.nodes())
            .flat_map(|node| Direction::all(shape.dimensions()).map(move |toward| (node, toward)))
            .filter(|&(node, toward)| shape.neighbor(node, toward).is_some())
    }

    fn load(&self, node: u32, toward: Direction) -> LinkLoad {
        let directions = 2 * self.parameters.shape.dimensions();
        let of_node = node as usize * directions + toward.index();
        self.loads[if self.loads.len() == directions { toward.index() } else { of_node }]
    }

    fn busy_cycles(&self, node: u32, toward: Direction) -> f64 {
        self.load(node, toward).busy_cycles(self.parameters, toward)
    }
}
