//! The flows of a scenario that use a link.

use crate::mapping::{flows_and_map, routed};
use crate::scenario::Scenario;
use ::mapping::links::Split;
use ::mapping::{Link, LinkFlow, LinkFlows, flows_over};
use geometry::Direction;
use input::InputError;
use messaging::RankMap;
use serde_json::{Value, json};
use workloads::flows::counted as counted_flows;
use workloads::{Plan, Routing};

/// Flows between ranks that a run has counted: source, target, messages and bytes.
pub type Counted = Vec<(u32, u32, u64, u64)>;

/// The flows that use some links.
pub(crate) struct FlowsOfLinks {
    /// The flows of each link.
    pub links: Vec<LinkFlows>,
    /// The places of their ranks, or of the nodes of a pattern.
    pub map: RankMap,
    /// The senders: "ranks" or "nodes".
    pub unit: &'static str,
    /// The routing for which they are given.
    pub routing: &'static str,
}

/// The flows that use links, each with the `most` largest, or the reason why they are not known. The routing "in dimension
/// order" is exactly as a run routes flows, unless packets draw their directions half-way round a ring one by one; "split
/// evenly" is over minimal routes, as adaptive routing would without congestion.
///
/// # Errors
/// When a trace cannot be read.
pub(crate) fn flows_of_links(
    scenario: &Scenario,
    plan: &Plan,
    links: &[Link],
    most: usize,
    counted: Option<Counted>,
) -> Result<Result<FlowsOfLinks, &'static str>, InputError> {
    if !scenario.parameters.faults.is_empty() {
        return Ok(Err(
            "Flows are not known: the machine has dead nodes or links, around which packets take other routes.",
        ));
    }
    if !plan.jobs.is_empty() {
        return Ok(Err("Flows of several jobs at once are not known."));
    }
    let known = match (counted, &plan.map) {
        (Some(counted), Some(map)) => Some((counted_flows(map.ranks(), counted), map.clone())),
        _ => flows_and_map(scenario, plan)?,
    };
    let Some((flows, map)) = known else {
        return Ok(Err("The flows of this workload are not known without its run."));
    };
    let flows = routed(scenario, flows);
    let (split, routing) = match flows.routing == Some(Routing::Adaptive) {
        true => (Split::Evenly, "split evenly"),
        false => (Split::DimensionOrder, "in dimension order"),
    };
    let found = flows_over(links, most, &flows, &map, (&scenario.parameters, split));
    let unit = if scenario.workload.senders().has_ranks { "ranks" } else { "nodes" };
    let found = found.map(|links| FlowsOfLinks { links, map, unit, routing });
    Ok(found.ok_or("The flows of this workload are too many to be counted."))
}

/// The flows that use links. Each link has their number, `flows`, their `bytes` on it together, and lists the `most` flows
/// with most bytes: `source` and `target` (ranks, or nodes of a pattern), `source_node` and `target_node`, and `bytes` on the
/// link. `unit` is "ranks" or "nodes", `routing` "in dimension order" or "split evenly". If flows are not known, `unknown`
/// gives the reason. Links are node and name of direction. `counted` are flows that a run has counted.
///
/// # Errors
/// When a trace cannot be read, or a link does not exist.
pub fn hot_flows(
    scenario: &Scenario,
    links: &[(u32, String)],
    most: usize,
    counted: Option<Counted>,
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
    let found = match flows_of_links(scenario, &scenario.plan()?, &links, most, counted)? {
        Ok(found) => found,
        Err(why) => return Ok(json!({ "unknown": why })),
    };
    let of_flow = |flow: &LinkFlow| {
        let [source_node, target_node] = [flow.source, flow.target].map(|rank| found.map.place(rank).node);
        json!({
            "source": flow.source,
            "target": flow.target,
            "source_node": source_node,
            "target_node": target_node,
            "bytes": flow.bytes,
        })
    };
    let of_link = |link: &LinkFlows| {
        let largest: Vec<Value> = link.largest.iter().map(of_flow).collect();
        json!({ "flows": link.flows, "bytes": link.bytes, "largest": largest })
    };
    Ok(json!({
        "unit": found.unit,
        "routing": found.routing,
        "links": found.links.iter().map(of_link).collect::<Vec<_>>(),
    }))
}
