//! What a scenario would need, told before it runs.

use super::Scenario;
use crate::engine::estimate_state_bytes;
use crate::host;
use crate::input::{InputError, inline_value};
use crate::traffic;
use network::{Parameters, Traffic};
use serde_json::{Value, json};

/// Bytes of result tables for a link: its columns, and the counters they are made of.
const TABLE_BYTES_PER_LINK: u64 = 100;

/// What a run of the scenario would need and do: `nodes`, `links`, `packets` (null where the workload never ends),
/// `memory_bytes`, `memory_available_bytes` and more.
///
/// # Errors
/// When the workload's trace cannot be read, or the run would not fit in memory.
pub fn check(scenario: &Scenario) -> Result<Value, InputError> {
    let plan = scenario.plan()?;
    let (traffic, _) = traffic::build(scenario, &plan)?;
    check_memory(scenario, Some(&traffic))?;
    let shape = &scenario.parameters.shape;
    let bound = plan.bound.map(|bound| {
        json!({
            "kind": bound.kind,
            "drained_cycles": bound.drained_cycles,
            "packets_per_cycle": bound.packets_per_cycle,
        })
    });
    Ok(json!({
        "name": scenario.name(),
        "seed": scenario.seed(),
        "workload": scenario.workload.kind(),
        "shape": shape.to_string(),
        "nodes": shape.nodes(),
        "links": shape.links(),
        "packets": plan.total_packets,
        "mean_hops": plan.mean_hops,
        "bound": bound,
        "stop": scenario.run.stop,
        "cycles": scenario.run.window().end,
        "memory_bytes": memory_bytes(&scenario.parameters, Some(&traffic)),
        "memory_available_bytes": host::memory_available_bytes(),
    }))
}

/// Checks that a run fits in the memory there is; where the traffic is not known yet, the least that any would need.
///
/// # Errors
/// When it does not fit, with the shape that would.
pub(crate) fn check_memory(scenario: &Scenario, traffic: Option<&Traffic>) -> Result<(), InputError> {
    let needed = memory_bytes(&scenario.parameters, traffic);
    let Some(available) = host::memory_available_bytes().filter(|&available| needed > available) else {
        return Ok(());
    };
    let fitting = fitting_shape(&scenario.parameters, traffic, available);
    let problem = format!(
        "needs about {} of memory, but only {} is available; {} would fit",
        gibibytes(needed),
        gibibytes(available),
        inline_value(&json!(fitting)),
    );
    Err(scenario.error("machine.shape", &problem))
}

fn memory_bytes(parameters: &Parameters, traffic: Option<&Traffic>) -> u64 {
    estimate_state_bytes(parameters, traffic) + parameters.shape.links() * TABLE_BYTES_PER_LINK
}

/// The shape with its longest dimension halved until it fits.
fn fitting_shape(parameters: &Parameters, traffic: Option<&Traffic>, available: u64) -> Vec<u32> {
    let nodes_that_fit =
        available / memory_bytes(parameters, traffic).div_ceil(parameters.shape.nodes().into());
    let mut lengths = parameters.shape.lengths().to_vec();
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
