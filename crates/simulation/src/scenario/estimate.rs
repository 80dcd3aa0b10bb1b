//! Estimates the requirements of a scenario before it runs.

use super::Scenario;
use crate::mapping::flows_and_map;
use crate::run::Prepared;
use crate::{fluid, host, traffic};
use geometry::{MAX_DIMENSIONS, Shape};
use input::{InputError, inline_value};
use network::parameters::LinkParameters;
use network::{Parameters, Traffic};
use serde_json::{Value, json};
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
///
/// # Errors
/// All reasons for which a run is refused.
pub fn check(scenario: &Scenario) -> Result<Value, InputError> {
    let (plan, traffic, warnings) = match scenario.is_fluid() {
        true => {
            let (plan, mut warnings) = (fluid::check(scenario)?, scenario.warnings());
            let traffic = traffic::build(scenario, &plan, &mut warnings).ok(); // which no packets need
            (plan, traffic, warnings)
        }
        false => {
            let Prepared { plan, traffic, warnings, .. } = Prepared::of(scenario, 1)?;
            (plan, Some(traffic), warnings)
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
        "memory_bytes": memory_bytes(&scenario.parameters, traffic.as_ref()),
        "memory_available_bytes": host::memory_available_bytes(),
        "warnings": warnings,
    }))
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

/// Checks that the part of a run of packets that each of some processes has fits in the memory that is available here.
/// If the traffic is not known yet, checks the minimum that any traffic needs.
///
/// # Errors
/// When it does not fit. The error names a shape that would.
pub(crate) fn check_memory(
    scenario: &Scenario,
    traffic: Option<&Traffic>,
    processes: usize,
) -> Result<(), InputError> {
    if scenario.is_fluid() {
        return Ok(());
    }
    let needed = memory_bytes(&scenario.parameters, traffic).div_ceil(processes as u64);
    let Some(available) = host::memory_available_bytes().filter(|&available| needed > available) else {
        return Ok(());
    };
    let shape = &scenario.parameters.shape;
    let fitting = fitting_shape(shape.lengths(), available / needed.div_ceil(shape.nodes().into()));
    let problem = format!(
        "needs about {} of memory, but only {} is available; {} would fit",
        gibibytes(needed),
        gibibytes(available),
        inline_value(&json!(fitting)),
    );
    Err(scenario.error("machine.shape", &problem))
}

fn memory_bytes(parameters: &Parameters, traffic: Option<&Traffic>) -> u64 {
    windowed::estimate_state_bytes(parameters, traffic) + parameters.shape.links() * TABLE_BYTES_PER_LINK
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

    #[test]
    fn the_suggested_shape_fits() {
        for lengths in [&[64, 64, 64][..], &[100_000], &[33, 17, 5], &[8, 8, 8, 8]] {
            let parameters = |lengths: &[u32]| Parameters::bluegene_l(Shape::torus(lengths).unwrap(), 1);
            let needed = memory_bytes(&parameters(lengths), None);
            for available in [needed - 1, needed / 3, needed / 100] {
                let nodes: u64 = lengths.iter().map(|&length| u64::from(length)).product();
                let fitting = fitting_shape(lengths, available / needed.div_ceil(nodes));
                let fits = memory_bytes(&parameters(&fitting), None);
                assert!(fits <= available, "{fitting:?} for {lengths:?}: {fits} of {available} bytes");
            }
        }
    }
}
