//! The flows of a scenario that use a link.

use crate::mapping::{flows_and_map, routed};
use crate::scenario::Scenario;
use ::mapping::links::Split;
use ::mapping::{LinkFlow, flows_over};
use geometry::Direction;
use input::InputError;
use serde_json::{Value, json};
use workloads::Routing;
use workloads::flows::counted as counted_flows;

/// The flows that use links. Each link has their number, `flows`, and lists the `max` flows with most bytes:
/// `source` and `target` (ranks, or nodes of a pattern), `source_node` and `target_node`, and `bytes` on the link.
/// `unit` is "ranks" or "nodes". `routing` names the routing: "in dimension order", or "split evenly" over minimal
/// routes, as adaptive routing would without congestion. The former is exactly as a run routes flows, unless
/// packets draw their directions half-way round a ring one by one. If flows are not known, `unknown` gives the
/// reason. Links are node and name of direction. `counted` are the flows between ranks if a run has counted them,
/// as source, target, messages and bytes.
///
/// # Errors
/// When a trace cannot be read, or a link does not exist.
pub fn hot_flows(
    scenario: &Scenario,
    links: &[(u32, String)],
    max: usize,
    counted: Option<Vec<(u32, u32, u64, u64)>>,
) -> Result<Value, InputError> {
    let shape = &scenario.parameters.shape;
    let link = |(node, name): &(u32, String)| {
        let toward = Direction::named(name).filter(|toward| toward.dimension() < shape.dimensions());
        let exists = |toward: &Direction| *node < shape.nodes() && shape.neighbor(*node, *toward).is_some();
        toward.filter(exists).map(|toward| (*node, toward)).ok_or_else(|| {
            InputError::at("links", format!("there is no link {name} at node {node} of {shape}"))
        })
    };
    let links: Vec<_> = links.iter().map(link).collect::<Result<_, _>>()?;
    let unknown = |why: &str| Ok(json!({ "unknown": why }));
    if !scenario.parameters.faults.is_empty() {
        return unknown(
            "Flows are not known: the machine has dead nodes or links, around which packets take other routes.",
        );
    }
    let plan = scenario.plan()?;
    if !plan.jobs.is_empty() {
        return unknown("Flows of several jobs at once are not known.");
    }
    let known = match (counted, &plan.map) {
        (Some(counted), Some(map)) => Some((counted_flows(map.ranks(), counted), map.clone())),
        _ => flows_and_map(scenario, &plan)?,
    };
    let Some((flows, map)) = known else {
        return unknown("The flows of this workload are not known without its run.");
    };
    let flows = routed(scenario, flows);
    let is_adaptive = flows.routing == Some(Routing::Adaptive);
    let (split, routing) = match is_adaptive {
        true => (Split::Evenly, "split evenly"),
        false => (Split::DimensionOrder, "in dimension order"),
    };
    let Some(found) = flows_over(&links, &flows, &map, (&scenario.parameters, split)) else {
        return unknown("The flows of this workload are too many to be counted.");
    };
    let of_flow = |flow: &LinkFlow| {
        let [source_node, target_node] = [flow.source, flow.target].map(|rank| map.place(rank).node);
        json!({
            "source": flow.source,
            "target": flow.target,
            "source_node": source_node,
            "target_node": target_node,
            "bytes": flow.bytes,
        })
    };
    let of_link = |flows: &Vec<LinkFlow>| json!({ "flows": flows.len(), "largest": flows.iter().take(max).map(of_flow).collect::<Vec<_>>() });
    Ok(json!({
        "unit": if scenario.workload.senders().has_ranks { "ranks" } else { "nodes" },
        "routing": routing,
        "links": found.iter().map(of_link).collect::<Vec<_>>(),
    }))
}
