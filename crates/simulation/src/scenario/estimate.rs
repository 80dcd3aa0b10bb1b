//! Estimates the requirements of a scenario before it runs.

use super::Scenario;
use crate::division::Divided;
use crate::engine::EngineKind;
use crate::mapping::flows_and_map;
use crate::run::{Prepared, check_processes, link_series_bytes};
use crate::{fluid, host, traffic};
use geometry::{MAX_DIMENSIONS, Shape};
use input::{InputError, inline_value};
use network::parameters::LinkParameters;
use network::{Division, Parameters, Processes, Traffic};
use serde_json::{Value, json};
use std::ops::Range;
use workloads::{Plan, PlannedTraffic, RankWork, all_to_all_cycles_per_byte};

/// Speed of the windowed engine on one thread of a current core (`docs/performance.md`; `torusim bench` measures
/// it). The network is neither congested nor idle. Only good enough to distinguish minutes from hours.
const PACKET_HOPS_PER_SECOND: f64 = 6e6;

/// The speed with lossy links.
const LOSSY_PACKET_HOPS_PER_SECOND: f64 = 1.5e6;

/// The cycles in which the rate of an all-to-all settles, as sampled runs take them: on machines of equal dimensions, and on
/// others, whose packets first fill buffers on their way to the busiest dimension ([`crate::result::escapes`]). Measured:
/// 90,000 on 8x8 and 8x8x8; 2.8 to 7.2 million on 4x16x16, 8x8x16 and 4x8x16.
const SETTLING_CYCLES: [f64; 2] = [1e5, 5e6];

/// Bytes per link for the result tables: the columns, and the counters they are made from.
pub const TABLE_BYTES_PER_LINK: u64 = 100;

/// Estimates of a run of the scenario: `nodes`, `links`, `packets` (null if the workload never ends), `packet_hops` and
/// `one_thread_seconds` (null if the plan does not determine them), `memory_bytes`, `memory_available_bytes` and more.
/// `settles_at_saturation_after_cycles` is null where no rate is offered or sampled. Rates are those of each live node, in
/// bytes of packets in memory. `link` has the links and the buffer of one VC in the machine's time.
/// `link_series_bytes` are the most that the table of links over time can have, null if it is not recorded.
///
/// # Errors
/// All reasons for which a run is refused.
pub fn check(scenario: &Scenario) -> Result<Value, InputError> {
    check_for(scenario, 1)
}

/// Estimates like those of [`check`], of a run of some processes, each on a computer like this one. If there are several,
/// `processes` has the part of each: `nodes`, `part` in words, `memory_bytes`, and `load_share`, null if nothing is known of
/// the load. `window` has the time between two swaps of theirs, with the packet-hops of all nodes in it at the expected rate,
/// null if it is unknown.
///
/// # Errors
/// All reasons for which a run is refused.
pub fn check_for(scenario: &Scenario, processes: usize) -> Result<Value, InputError> {
    check_processes(scenario, EngineKind::Windowed, processes)?;
    let (plan, traffic, warnings, divided) = match scenario.is_fluid() {
        true => {
            let (plan, mut warnings) = (fluid::check(scenario)?, scenario.warnings());
            let traffic = traffic::build(scenario, &plan, &mut warnings).ok(); // which no packets need
            (plan, traffic, warnings, None)
        }
        false => {
            let Prepared { plan, traffic, warnings, divided, .. } =
                Prepared::of(scenario, Processes::apart(processes))?;
            (plan, Some(traffic), warnings, Some(divided))
        }
    };
    let shape = &scenario.parameters.shape;
    let packet_hops = match plan.expected_packet_hops(end_cycle(scenario)) {
        None => packet_hops_of_flows(scenario, &plan)?,
        known => known,
    };
    let is_sampled = scenario.run.sample_half_width_percent.is_some();
    let offered = plan.offered_bytes_per_cycle();
    let settling_cycles = (is_sampled || offered.is_some()).then(|| settling_cycles(shape));
    let of_sample = settling_cycles.filter(|_| is_sampled);
    let packet_hops = match of_sample.and_then(|cycles| packet_hops_of_sample(&plan, cycles)) {
        Some(of_sample) => Some(packet_hops.map_or(of_sample, |whole| whole.min(of_sample))),
        None => packet_hops,
    };
    let makes_errors = scenario.parameters.link_protocol.is_some();
    let hops_per_second = if makes_errors { LOSSY_PACKET_HOPS_PER_SECOND } else { PACKET_HOPS_PER_SECOND };
    let cycle_seconds = scenario.machine.cycle_seconds();
    let per_node = |bytes_per_cycle: f64| bytes_per_cycle / f64::from(scenario.parameters.live_nodes());
    let gigabytes = |bytes_per_cycle: f64| per_node(bytes_per_cycle) / cycle_seconds / 1e9;
    let bound = plan.bound.map(|bound| {
        json!({
            "kind": bound.kind,
            "drained_cycles": bound.drained_cycles,
            "packets_per_cycle": bound.packets_per_cycle,
            "bytes_per_node_per_cycle": plan.max_bytes_per_cycle().map(per_node),
            "gigabytes_per_second": plan.max_bytes_per_cycle().map(gigabytes),
        })
    });
    let jobs: Vec<Value> = plan
        .jobs
        .iter()
        .map(|job| {
            json!({
                "job": job.name,
                "workload": job.kind,
                "nodes": job.nodes.nodes().len(),
                "shape": job.nodes.shape().to_string(),
                "packets": job.total_packets,
                "bound_cycles": job.bound.and_then(|bound| bound.drained_cycles),
            })
        })
        .collect();
    Ok(json!({
        "units": scenario.run.units,
        "name": scenario.name(),
        "seed": scenario.seed(),
        "workload": scenario.workload.kind(),
        "machine": scenario.machine.preset,
        "shape": shape.to_string(),
        "nodes": shape.nodes(),
        "links": shape.links(),
        "assumed_router": scenario.machine.assumed_router_in_words(),
        "twist": twist_and_gain(&scenario.parameters),
        "link": link_in_physical_units(scenario),
        "packets": plan.total_packets,
        "mean_hops": plan.mean_hops,
        "bound": bound,
        "offered_bytes_per_node_per_cycle": offered.map(per_node),
        "offered_gigabytes_per_second": offered.map(gigabytes),
        "cycle_seconds": cycle_seconds,
        "jobs": jobs,
        "stop": scenario.run.stop,
        "cycles": scenario.run.window().end,
        "settles_at_saturation_after_cycles": settling_cycles,
        "packet_hops": packet_hops.map(|hops| hops.round() as u64),
        "one_thread_seconds": packet_hops.map(|hops| hops / hops_per_second),
        "memory_bytes": Memory::of_run(scenario, traffic.as_ref()).all(),
        "memory_available_bytes": host::memory_available_bytes(),
        "link_series_bytes": scenario.run.link_series.then(|| link_series_bytes(shape).0),
        "warnings": warnings,
        "window": window_of(scenario, &plan, hops_per_second),
        "processes": processes_of(scenario, traffic.as_ref().zip(divided.as_ref())),
    }))
}

/// The window between two swaps of several processes; see [`check_for`].
fn window_of(scenario: &Scenario, plan: &Plan, hops_per_second: f64) -> Value {
    let window_cycles = scenario.parameters.window_cycles();
    let packet_hops = plan.expected_packet_hops_per_cycle().map(|hops| hops * f64::from(window_cycles));
    let traffic = match (&scenario.parameters.link_protocol, scenario.workload.senders().has_ranks) {
        (Some(_), _) => "lossy links",
        (None, true) => "ranks",
        (None, false) => "packets",
    };
    json!({
        "cycles": window_cycles,
        "packet_hops": packet_hops,
        "one_thread_seconds": packet_hops.map(|hops| hops / hops_per_second),
        "traffic": traffic,
    })
}

/// The parts of several processes; see [`check_for`].
fn processes_of(scenario: &Scenario, known: Option<(&Traffic, &Divided)>) -> Vec<Value> {
    let Some((traffic, divided)) = known.filter(|(_, divided)| divided.division.parts() > 1) else {
        return Vec::new();
    };
    let Divided { division, load_shares } = divided;
    let memory = Memory::of_run(scenario, Some(traffic));
    let bytes = memory.of_parts(traffic, division);
    let part = |number: usize| {
        let nodes = division.part(number);
        json!({
            "process": number,
            "nodes": nodes.len(),
            "part": in_words(&scenario.parameters.shape, &nodes),
            "memory_bytes": bytes[number] + if number == 0 { memory.tables } else { 0 },
            "load_share": load_shares.as_ref().map(|shares| shares[number]),
        })
    };
    (0..division.parts()).map(part).collect()
}

/// Consecutive nodes in words, by the slabs or lines that they are if they are such.
fn in_words(shape: &Shape, nodes: &Range<u32>) -> String {
    let last = nodes.end - 1;
    let (from, to) = (shape.coordinates(nodes.start), shape.coordinates(last));
    let dimensions = 0..shape.dimensions();
    // Those before it are whole, those behind it the same for all.
    let across = dimensions.clone().rev().find(|&dimension| {
        let is_whole = |other: usize| from[other] == 0 && to[other] + 1 == shape.length(other);
        let is_same = |other: usize| from[other] == to[other];
        dimensions.clone().all(|other| {
            other == dimension || if other < dimension { is_whole(other) } else { is_same(other) }
        })
    });
    let name = geometry::dimension_name;
    let Some(across) = across else {
        let point = |coordinates: &[u32]| {
            let numbers: Vec<String> =
                dimensions.clone().map(|dimension| coordinates[dimension].to_string()).collect();
            format!("({})", numbers.join(", "))
        };
        return format!("{} to {}", point(&from), point(&to));
    };
    let same = (across + 1..shape.dimensions()).rev().filter(|&dimension| shape.length(dimension) > 1);
    let same = same.map(|dimension| format!("{} {}, ", name(dimension), from[dimension]));
    let range = match (from[across], to[across]) {
        (from, to) if from == to => from.to_string(),
        (from, to) => format!("{from} to {to}"),
    };
    format!("{}{} {range}", same.collect::<String>(), name(across))
}

/// The twist of the machine, its distances, and how many times as fast its bound of an all-to-all is as without it.
fn twist_and_gain(parameters: &Parameters) -> Option<Value> {
    let shape = &parameters.shape;
    let plain = Parameters { shape: shape.clone().without_twist(), ..parameters.clone() };
    let gain = || all_to_all_cycles_per_byte(&plain) / all_to_all_cycles_per_byte(parameters);
    shape.twist().map(|twist| {
        json!({
            "shifts": twist.to_string(),
            "longest_distance": shape.greatest_cost(&[1.0; MAX_DIMENSIONS]),
            "mean_distance": shape.mean_distance(),
            "all_to_all_gain": gain(),
        })
    })
}

/// The links of each dimension and the buffers behind them in the machine's time.
fn link_in_physical_units(scenario: &Scenario) -> Value {
    let nanoseconds = |cycles: u32| f64::from(cycles) * scenario.machine.cycle_seconds() * 1e9;
    let Parameters { links, packet, router, .. } = &scenario.parameters;
    let rate = |link: &LinkParameters| {
        scenario.machine.link.megabytes_per_second / 1000.0 / f64::from(link.cycles_per_byte)
    };
    json!({
        "gigabytes_per_second": links.iter().map(rate).collect::<Vec<_>>(),
        "hop_latency_ns": links.iter().map(|link| nanoseconds(link.hop_latency_cycles)).collect::<Vec<_>>(),
        "token_latency_ns": nanoseconds(router.token_latency_cycles),
        "packet_bytes": u32::from(packet.max_chunks) * packet.chunk_bytes,
        "channel_bytes": scenario.buffer_of_one_channel().1,
        "channel_covers_percent": 100.0 * scenario.coverage(scenario.buffer_of_one_channel().1),
    })
}

/// The cycles in which the rate of a machine of this shape is expected to settle at saturation.
fn settling_cycles(shape: &Shape) -> f64 {
    let rings = (0..shape.dimensions()).map(|dimension| (shape.length(dimension), shape.wraps(dimension)));
    let mut long = rings.filter(|&(length, _)| length > 1);
    let first = long.next();
    let [even, uneven] = SETTLING_CYCLES;
    if long.all(|other| Some(other) == first) { even } else { uneven }
}

/// Packet hops of a sampled run in these cycles, as many as the bound allows.
fn packet_hops_of_sample(plan: &Plan, cycles: f64) -> Option<f64> {
    Some(plan.bound?.packets_per_cycle? * plan.mean_hops? * cycles)
}

/// Packet hops of the messages of a trace or a recorded program, on minimal routes. None for other ranks, whose
/// collectives may have millions of segments.
fn packet_hops_of_flows(scenario: &Scenario, plan: &Plan) -> Result<Option<f64>, InputError> {
    match &plan.traffic {
        PlannedTraffic::Ranks(RankWork::Trace(_) | RankWork::Program { recorded: Some(_), .. }) => {}
        PlannedTraffic::Ranks(
            RankWork::PingPong(_)
            | RankWork::Flows(_)
            | RankWork::Kernel(_)
            | RankWork::Collective(_)
            | RankWork::Program { recorded: None, .. },
        )
        | PlannedTraffic::Generated(_)
        | PlannedTraffic::Jobs(_) => return Ok(None),
    }
    let Parameters { shape, packet, .. } = &scenario.parameters;
    let packet_bytes = f64::from(u32::from(packet.max_chunks) * packet.chunk_bytes);
    Ok(flows_and_map(scenario, plan)?.map(|(flows, map)| {
        let mut packet_hops = 0.0;
        flows.for_each(|source, flow| {
            let distance = shape.distance(map.place(source).node, map.place(flow.target).node);
            packet_hops += f64::from(distance) * (flow.messages as f64 + flow.bytes as f64 / packet_bytes);
        });
        packet_hops
    }))
}

/// The cycle at which the run ends at the latest, if the scenario sets one.
fn end_cycle(scenario: &Scenario) -> Option<u64> {
    [scenario.run.window().end, scenario.run.time_limit_cycles].into_iter().flatten().min()
}

/// Checks that the idle state of the nodes that this computer has of a run of packets fits in the memory that is available
/// here: the least that any traffic needs. Process 0 has the tables of all nodes in addition, which the plans of others
/// take too.
///
/// # Errors
/// When it does not fit. The error names a shape that would.
pub(crate) fn check_idle_memory(scenario: &Scenario, processes: Processes) -> Result<(), InputError> {
    let idle = Memory::of_run(scenario, None);
    let own = (idle.state * processes.here as u64).div_ceil(processes.all as u64);
    require_memory(scenario, own + idle.tables, processes)
}

/// Checks that the parts of a run of packets that this computer has fit in its memory, if each is as large as the largest.
///
/// # Errors
/// When they do not fit. The error names a shape that would.
pub(crate) fn check_memory(
    scenario: &Scenario,
    traffic: &Traffic,
    division: &Division,
    processes: Processes,
) -> Result<(), InputError> {
    let memory = Memory::of_run(scenario, Some(traffic));
    let largest = memory.of_parts(traffic, division).into_iter().max().unwrap_or(0);
    let whole = memory.state + memory.software;
    require_memory(scenario, (largest * processes.here as u64).min(whole) + memory.tables, processes)
}

fn require_memory(scenario: &Scenario, needed: u64, processes: Processes) -> Result<(), InputError> {
    let available = host::memory_available_bytes().filter(|&available| needed > available);
    let Some(available) = available.filter(|_| !scenario.is_fluid()) else { return Ok(()) };
    let shape = &scenario.parameters.shape;
    let fitting = fitting_shape(shape.lengths(), available / needed.div_ceil(shape.nodes().into()));
    let Processes { all, here } = processes;
    let of_processes = if all > 1 { format!(" for {here} of {all} processes") } else { String::new() };
    let problem = format!(
        "needs about {} of memory{of_processes}, but only {} is available; {} would fit",
        gibibytes(needed),
        gibibytes(available),
        inline_value(&json!(fitting)),
    );
    Err(scenario.error("machine.shape", &problem))
}

/// Bytes of all nodes.
pub(crate) struct Memory {
    /// The state of the network.
    state: u64,
    /// The state of ranks and their software.
    software: u64,
    /// The tables of the result, which process 0 has.
    pub tables: u64,
}

impl Memory {
    pub fn of(parameters: &Parameters, traffic: Option<&Traffic>) -> Self {
        let software = match traffic {
            Some(Traffic::Software(builder)) => builder.state_bytes(),
            Some(Traffic::Generated(_)) | None => 0,
        };
        let state = windowed::estimate_state_bytes(parameters, traffic) - software;
        Memory { state, software, tables: parameters.shape.links() * TABLE_BYTES_PER_LINK }
    }

    /// Also those of the links over time, if the run records them.
    fn of_run(scenario: &Scenario, traffic: Option<&Traffic>) -> Self {
        let memory = Memory::of(&scenario.parameters, traffic);
        let series = scenario.run.link_series.then(|| link_series_bytes(&scenario.parameters.shape).1);
        Memory { tables: memory.tables + series.unwrap_or(0), ..memory }
    }

    fn all(&self) -> u64 {
        self.state + self.software + self.tables
    }

    /// The bytes of each part of the nodes, without tables. Software is where ranks are.
    pub fn of_parts(&self, traffic: &Traffic, division: &Division) -> Vec<u64> {
        let parts = || (0..division.parts()).map(|number| division.part(number));
        let nodes: Vec<u64> = parts().map(|part| part.len() as u64).collect();
        let ranks: Vec<u64> = match traffic {
            Traffic::Software(builder) => {
                parts().map(|part| part.map(|node| u64::from(builder.ranks_at(node))).sum()).collect()
            }
            Traffic::Generated(_) => nodes.clone(),
        };
        let share = |of: u64, own: u64, all: &[u64]| {
            (u128::from(of) * u128::from(own)).div_ceil(u128::from(all.iter().sum::<u64>().max(1))) as u64
        };
        let of_part = |(own, ranked): (&u64, &u64)| {
            share(self.state, *own, &nodes) + share(self.software, *ranked, &ranks)
        };
        nodes.iter().zip(&ranks).map(of_part).collect()
    }
}

/// The shape, with its longest dimension halved until it fits.
fn fitting_shape(lengths: &[u32], nodes_that_fit: u64) -> Vec<u32> {
    let mut lengths = lengths.to_vec();
    while lengths.iter().map(|&length| u64::from(length)).product::<u64>() > nodes_that_fit.max(1) {
        if let Some(longest) = lengths.iter_mut().max() {
            *longest = longest.div_ceil(2);
        }
    }
    lengths
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::resolve;
    use std::path::Path;

    #[test]
    fn parts_are_named_by_slabs_lines_or_nodes() {
        let shape = |lengths: &[u32]| Shape::torus(lengths).unwrap();
        let words = |lengths: &[u32], nodes: Range<u32>| in_words(&shape(lengths), &nodes);
        assert_eq!(words(&[4, 4, 8], 0..64), "z 0 to 3");
        assert_eq!(words(&[4, 4, 8], 16..32), "z 1");
        assert_eq!(words(&[4, 4, 8], 20..28), "z 1, y 1 to 2");
        assert_eq!(words(&[4, 4, 8], 21..23), "z 1, y 1, x 1 to 2");
        assert_eq!(words(&[4, 4, 8], 21..26), "(1, 1, 1) to (1, 2, 1)");
        assert_eq!(words(&[4, 4, 1], 4..16), "y 1 to 3");
        assert_eq!(words(&[8], 3..5), "x 3 to 4");
    }

    #[test]
    fn the_memory_of_parts_is_that_of_all() {
        for workload in ["kind = \"uniform-random\"", "kind = \"kernel\"\nname = \"halo-3d\""] {
            let text = format!("[machine]\nshape = [4, 4, 8]\n[workload]\n{workload}\n");
            let scenario = resolve(&text, "test.toml", Path::new(""), &[]).unwrap();
            let whole = check(&scenario).unwrap();
            assert!(whole["processes"].as_array().unwrap().is_empty());
            let parts = check_for(&scenario, 3).unwrap()["processes"].as_array().unwrap().clone();
            let sum = |key: &str| parts.iter().map(|part| part[key].as_f64().unwrap()).sum::<f64>();
            assert_eq!(sum("nodes"), 128.0);
            assert!((sum("load_share") - 1.0).abs() < 1e-9);
            let bytes = whole["memory_bytes"].as_f64().unwrap();
            assert!((sum("memory_bytes") / bytes - 1.0).abs() < 1e-3, "{parts:?}: {bytes}");
        }
    }

    #[test]
    fn more_processes_than_nodes_have_no_division() {
        let text = "[machine]\nshape = [2, 2]\n[workload]\nkind = \"uniform-random\"\n";
        let scenario = resolve(text, "test.toml", Path::new(""), &[]).unwrap();
        let problem = check_for(&scenario, 5).unwrap_err().to_string();
        assert_eq!(problem, "processes: 5 for 4 nodes: each process needs a node");
    }

    #[test]
    fn several_computers_have_more_memory_than_one() {
        let text = "[machine]\nshape = [64, 64, 2]\n[workload]\nkind = \"uniform-random\"\n";
        let mut scenario = resolve(text, "test.toml", Path::new(""), &[]).unwrap();
        let idle = Memory::of(&scenario.parameters, None);
        let Some(available) = host::memory_available_bytes() else { return };
        let of_slab = idle.all() / 2;
        // Tables of all nodes have to fit, too.
        let length = (available + available / 2) / of_slab;
        scenario.parameters.shape = Shape::torus(&[64, 64, length as u32]).unwrap();
        let refused = |all: usize, here: usize| {
            check_idle_memory(&scenario, Processes { all, here }).err().map(|error| error.to_string())
        };
        assert!(refused(1, 1).is_some_and(|words| words.contains("GiB of memory, but only")));
        assert!(refused(4, 4).is_some_and(|words| words.contains("for 4 of 4 processes")));
        assert_eq!(refused(64, 1), None);
    }

    #[test]
    fn the_suggested_shape_fits() {
        for lengths in [&[64, 64, 64][..], &[100_000], &[33, 17, 5], &[8, 8, 8, 8]] {
            let parameters = |lengths: &[u32]| Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 1);
            let needed = Memory::of(&parameters(lengths), None).all();
            for available in [needed - 1, needed / 3, needed / 100] {
                let nodes: u64 = lengths.iter().map(|&length| u64::from(length)).product();
                let fitting = fitting_shape(lengths, available / needed.div_ceil(nodes));
                let fits = Memory::of(&parameters(&fitting), None).all();
                assert!(fits <= available, "{fitting:?} for {lengths:?}: {fits} of {available} bytes");
            }
        }
    }
}
