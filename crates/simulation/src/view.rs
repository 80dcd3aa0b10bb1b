//! What pictures of a run show besides its result: where links lead, the flows over them, routes, and the places of ranks.
//!
//! `docs/view.md` describes these data for those who read them. A reader of another [`VIEW_SCHEMA_VERSION`] would misread
//! them.

use crate::hot::{Counted, FlowsOfLinks, flows_of_links};
use crate::mapping::map_of;
use crate::result::{Column, Table, all_links, table, vc_name};
use crate::run::Resolution;
use crate::scenario::Scenario;
use ::mapping::Link;
use geometry::{HalfWay, Hops, MAX_DIMENSIONS, Preference, RouteRequest, Service, Shape, dimension_name};
use input::InputError;
use network::Parameters;
use network::parameters::RouterParameters;
use serde_json::{Value, json};
use workloads::{Plan, PlannedTraffic, RankWork};

/// The version of the data.
const VIEW_SCHEMA_VERSION: u32 = 1;

/// The flows that are listed of each link.
const FLOWS_OF_LINK: usize = 10;

/// The most nodes of a machine whose routes are listed by difference: a megabyte of JSON.
const MAX_NODES_WITH_ROUTES: u32 = 32_768;

/// The most nodes of a machine with dead nodes or links whose detours are listed, of all pairs.
const MAX_NODES_WITH_DETOURS: u32 = 512;

/// The data of the pictures of a run.
pub struct View {
    /// Facts; see `docs/view.md`.
    pub facts: Value,
    /// The tables `wires` and `ranks`, and `flows` and `flow_counts` if flows are known.
    pub tables: Vec<Table>,
}

/// The data of the pictures of a run. `links` are the rows of its table `links` of which flows are listed; `counted` are the
/// flows that it has counted.
///
/// # Errors
/// When a link does not exist.
pub fn view(scenario: &Scenario, links: &[u32], counted: Option<Counted>) -> Result<View, InputError> {
    let Parameters { shape, .. } = &scenario.parameters;
    let plan = scenario.plan();
    let all: Vec<Link> = all_links(shape).collect();
    let missing = |row: u32| InputError::at("links", format!("{row}: {shape} has {} links", all.len()));
    let wanted = links.iter().map(|&row| all.get(row as usize).copied().ok_or_else(|| missing(row)));
    let wanted: Vec<Link> = wanted.collect::<Result<_, _>>()?;
    // A trace that is no longer there is no reason to show nothing.
    let found = |plan: &Plan| flows_of_links(scenario, plan, &wanted, FLOWS_OF_LINK, counted);
    let flows = match plan.as_ref().map(found) {
        Ok(Ok(flows)) => flows.map_err(str::to_owned),
        Ok(Err(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let is_open = plan.as_ref().is_ok_and(is_open_loop);
    let mut tables = vec![wires(shape, &all)];
    tables.extend(plan.as_ref().ok().and_then(|plan| ranks(scenario, plan)));
    let about_flows = match &flows {
        Ok(flows) => {
            tables.extend(flow_tables(flows, links, is_open));
            json!({
                "unit": flows.unit,
                "routing": flows.routing,
                "amount": if is_open { "share" } else { "bytes" },
                "note": format!(
                    "Pairs of {} whose packets can cross the link, with the bytes of their {} on it if routed {}. They \
                     follow from the workload; the run does not count them.",
                    flows.unit,
                    if flows.unit == "ranks" { "messages" } else { "packets, headers included," },
                    flows.routing
                ),
            })
        }
        Err(why) => json!({ "unit": null, "routing": null, "amount": "bytes", "note": why }),
    };
    let (routes, routes_note) = routes(&scenario.parameters);
    let facts = json!({
        "schema_version": VIEW_SCHEMA_VERSION,
        "machine": machine(scenario),
        "series": scenario.run.link_series.then(|| Resolution::of(shape).name()),
        "groups": plan.as_ref().map_or(Vec::new(), |plan| plan.jobs.iter().map(|job| job.name.clone()).collect()),
        "flows": about_flows,
        "routes": routes,
        "routes_note": routes_note,
    });
    Ok(View { facts, tables })
}

/// Whether nodes send packets as long as the run lasts, so that bytes mean nothing.
fn is_open_loop(plan: &Plan) -> bool {
    matches!(plan.traffic, PlannedTraffic::Generated(_)) && plan.total_packets.is_none()
}

fn machine(scenario: &Scenario) -> Value {
    let Parameters { shape, faults, router, .. } = &scenario.parameters;
    let dimensions = 0..shape.dimensions();
    json!({
        "name": scenario.machine.preset,
        "shape": shape.lengths(),
        "wrap": dimensions.clone().map(|dimension| shape.wraps(dimension)).collect::<Vec<_>>(),
        "is_twisted": shape.is_twisted(),
        "dimensions": dimensions.map(dimension_name).collect::<Vec<_>>(),
        "cycle_seconds": scenario.machine.cycle_seconds(),
        "dead_nodes": faults.nodes(),
        "vcs": vcs(router),
    })
}

/// The names of the VCs of packets of normal priority.
fn vcs(router: &RouterParameters) -> Vec<String> {
    (0..router.escape_vcs().end).map(|vc| vc_name(vc, router)).collect()
}

/// One row for each link: the node to which it leads, and whether it goes round the end of its dimension.
fn wires(shape: &Shape, links: &[Link]) -> Table {
    let target = |&(node, toward): &Link| shape.neighbor(node, toward).unwrap_or(node);
    let is_wrap = |&(node, toward): &Link| {
        let along = shape.coordinates(node)[toward.dimension()];
        let edge = if toward.is_plus() { shape.length(toward.dimension()) - 1 } else { 0 };
        u32::from(along == edge)
    };
    let columns = vec![
        ("target", Column::U32(links.iter().map(target).collect())),
        ("is_wrap", Column::U32(links.iter().map(is_wrap).collect())),
    ];
    table("wires", columns)
}

/// One row for each rank, or for each node of a job without ranks: its node, and the number of its group, which is its
/// job, or makes a collective together. None if nothing is placed, or a trace is no longer there.
fn ranks(scenario: &Scenario, plan: &Plan) -> Option<Table> {
    let mut rows: Vec<[u32; 4]> = Vec::new();
    let groups = match &plan.traffic {
        PlannedTraffic::Ranks(RankWork::Collective(collective)) => &*collective.groups,
        PlannedTraffic::Ranks(_) | PlannedTraffic::Generated(_) | PlannedTraffic::Jobs(_) => &[],
    };
    if let Some(map) = map_of(scenario, plan).ok()? {
        let group = |rank: u32| groups.get(rank as usize).copied().unwrap_or(0);
        let of_rank = |rank: u32| [rank, map.place(rank).node, map.place(rank).core.into(), group(rank)];
        rows.extend((0..map.ranks()).map(of_rank));
    }
    for (group, job) in (0u32..).zip(&plan.jobs) {
        rows.extend((0u32..).zip(job.nodes.nodes()).map(|(number, &node)| [number, node, 0, group]));
    }
    let column = |place: usize| Column::U32(rows.iter().map(|row| row[place]).collect());
    let columns = vec![("rank", column(0)), ("node", column(1)), ("core", column(2)), ("group", column(3))];
    (!rows.is_empty()).then(|| table("ranks", columns))
}

/// The largest flows of each link, and the sums over all of its flows. `links` are their rows in the table of links.
fn flow_tables(found: &FlowsOfLinks, links: &[u32], is_open: bool) -> [Table; 2] {
    let of_links = || links.iter().copied().zip(&found.links);
    let flows: Vec<_> = of_links()
        .flat_map(|(link, all)| all.largest.iter().map(move |flow| (link, flow, all.bytes)))
        .collect();
    let u32s = |value: &dyn Fn(usize) -> u32| Column::U32((0..flows.len()).map(value).collect());
    let node = |rank: u32| found.map.place(rank).node;
    let amount = |&(_, flow, bytes): &(u32, &::mapping::LinkFlow, f64)| {
        if is_open { flow.bytes / bytes } else { flow.bytes }
    };
    let largest = vec![
        ("link", u32s(&|row| flows[row].0)),
        ("source", u32s(&|row| flows[row].1.source)),
        ("target", u32s(&|row| flows[row].1.target)),
        ("source_node", u32s(&|row| node(flows[row].1.source))),
        ("target_node", u32s(&|row| node(flows[row].1.target))),
        ("amount", Column::F64(flows.iter().map(amount).collect())),
    ];
    let total = |(_, all): (u32, &::mapping::LinkFlows)| if is_open { 1.0 } else { all.bytes };
    let counts = vec![
        ("link", Column::U32(links.to_vec())),
        ("flows", Column::U64(of_links().map(|(_, all)| all.flows).collect())),
        ("total", Column::F64(of_links().map(total).collect())),
    ];
    [table("flows", largest), table("flow_counts", counts)]
}

/// The minimal routes by difference of nodes, and what is to be said of them. On tori, also twisted ones, pairs with the
/// same difference have the same routes; open dimensions have one way.
fn routes(parameters: &Parameters) -> (Value, String) {
    let Parameters { shape, faults, router, .. } = parameters;
    if shape.nodes() > MAX_NODES_WITH_ROUTES {
        let note = format!("Routes are listed on machines of up to {MAX_NODES_WITH_ROUTES} nodes.");
        return (Value::Null, note);
    }
    // Packets of a pair may have drawn one way for all; here are all ways.
    let all_ways = shape.clone().with_half_way(HalfWay::PerPacket, 0);
    let vectors: Vec<Vec<Value>> = (0..shape.nodes()).map(|node| vectors_to(&all_ways, node)).collect();
    let (detours, note) = match (faults.is_empty(), shape.nodes() <= MAX_NODES_WITH_DETOURS) {
        (true, _) => (Vec::new(), String::new()),
        (false, true) => (detours(parameters), "Routes lead round dead nodes and links.".to_owned()),
        (false, false) => {
            let note = format!(
                "Routes are those of the whole machine; round dead nodes and links they are listed on machines of up to \
                 {MAX_NODES_WITH_DETOURS} nodes."
            );
            (Vec::new(), note)
        }
    };
    let order = if router.dynamic_channels == 0 { "dimension order" } else { "adaptive" };
    (json!({ "vectors": vectors, "order": order, "detours": detours }), note)
}

/// The vectors from node 0 to another, each with its share of the packets.
fn vectors_to(shape: &Shape, node: u32) -> Vec<Value> {
    let vector =
        |(hops, share): (Hops, f64)| json!({ "hops": &hops.0[..shape.dimensions()], "share": share });
    shape.route_shares(0, node).filter(|&(_, share)| share > 0.0).map(vector).collect()
}

/// The pairs of live nodes that do not take their minimal vectors alike, and the ways that they take.
fn detours(parameters: &Parameters) -> Vec<Value> {
    let Parameters { shape, faults, .. } = parameters;
    let live: Vec<u32> = (0..shape.nodes()).filter(|&node| !faults.is_dead(node)).collect();
    let pairs = live.iter().flat_map(|&source| live.iter().map(move |&target| (source, target)));
    pairs.filter_map(|(source, target)| detour(parameters, source, target)).collect()
}

/// The ways of a pair, if dead nodes or links change them. They are equally frequent.
fn detour(parameters: &Parameters, source: u32, target: u32) -> Option<Value> {
    let Parameters { shape, faults, router, .. } = parameters;
    let is_dimension_ordered = router.dynamic_channels == 0;
    let service = |hops: &Hops| faults.service_of(shape, source, hops, is_dimension_ordered);
    let is_usual =
        shape.route_shares(source, target).all(|(hops, _)| service(&hops) == Some(Service::Minimal));
    if source == target || is_usual {
        return None;
    }
    let mut ways = [0, u32::MAX].map(|coin| way(parameters, source, target, coin)).to_vec();
    ways.dedup();
    Some(json!({ "source": source, "target": target, "ways": ways }))
}

/// A way of a pair: the hops of each part, and the node at its end, where software relays the packets.
fn way(parameters: &Parameters, source: u32, target: u32, coin: u32) -> Vec<Value> {
    let Parameters { shape, faults, router, .. } = parameters;
    let (mut node, mut parts) = (source, Vec::new());
    while node != target {
        let request = RouteRequest {
            source: node,
            target,
            coin,
            preferences: &[Preference::Minimal; MAX_DIMENSIONS],
            is_dimension_ordered: router.dynamic_channels == 0,
        };
        let segment = faults.segment(shape, &request);
        parts.push(json!({ "to": segment.end, "hops": &segment.hops.0[..shape.dimensions()] }));
        node = segment.end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::resolve;
    use std::path::Path;

    fn scenario(machine: &str, workload: &str) -> Scenario {
        let text = format!("[machine]\n{machine}\n[workload]\n{workload}\n");
        resolve(&text, "test.toml", Path::new(""), &[]).unwrap()
    }

    fn columns(view: &View, name: &str) -> Vec<(String, Column)> {
        view.tables.iter().find(|table| table.name == name).unwrap().columns.clone()
    }

    #[test]
    fn vectors_by_difference_lead_to_every_target() {
        for machine in ["shape = [4, 3, 2]", "shape = [4, 4, 8]\ntwist = \"auto\"", "shape = [5]"] {
            let scenario = scenario(machine, "kind = \"uniform-random\"");
            let shape = &scenario.parameters.shape;
            let facts = view(&scenario, &[], None).unwrap().facts;
            for (node, vectors) in (0..).zip(facts["routes"]["vectors"].as_array().unwrap()) {
                let vectors = vectors.as_array().unwrap();
                let share: f64 = vectors.iter().map(|vector| vector["share"].as_f64().unwrap()).sum();
                assert!((share - 1.0).abs() < 1e-6);
                for vector in vectors {
                    let hops = vector["hops"].as_array().unwrap();
                    let hops = |dimension: usize| hops.get(dimension).map_or(0, |hop| hop.as_i64().unwrap());
                    let hops = Hops(std::array::from_fn(|dimension| hops(dimension) as i32));
                    assert_eq!(hops.total(), shape.distance(0, node));
                    assert_eq!(shape.destination(0, &hops), Some(node), "{machine}");
                }
            }
        }
    }

    #[test]
    fn flows_of_all_links_carry_what_the_workload_sends() {
        let scenario = scenario("shape = [4, 4, 2]", "kind = \"all-to-all\"\npayload_bytes = 240");
        let links: Vec<u32> = (0..scenario.parameters.shape.links() as u32).collect();
        let view = view(&scenario, &links, None).unwrap();
        let counts = columns(&view, "flow_counts");
        let Column::F64(total) = &counts[2].1 else { panic!("{counts:?}") };
        let mean_hops = scenario.plan().unwrap().mean_hops.unwrap();
        let hop_bytes: f64 = total.iter().sum();
        let Column::F64(largest) = &columns(&view, "flows")[5].1 else { panic!() };
        assert_eq!(largest.len(), links.len() * FLOWS_OF_LINK);
        assert!((hop_bytes / (32.0 * 31.0 * mean_hops) / 256.0 - 1.0).abs() < 1e-9, "{hop_bytes}");
    }

    #[test]
    fn detours_avoid_what_is_dead() {
        let scenario = scenario("shape = [4, 4]\ndead_nodes = [[1, 1]]", "kind = \"uniform-random\"");
        let facts = view(&scenario, &[], None).unwrap().facts;
        let detours = facts["routes"]["detours"].as_array().unwrap().clone();
        assert!(!detours.is_empty());
        for detour in detours {
            for way in detour["ways"].as_array().unwrap() {
                let way = way.as_array().unwrap();
                assert_eq!(way.last().unwrap()["to"], detour["target"]);
                assert!(way.iter().all(|part| part["to"] != 5));
            }
        }
    }

    #[test]
    fn wires_lead_to_neighbors() {
        let scenario = scenario("shape = [3, 2]\nwrap = [true, false]", "kind = \"uniform-random\"");
        let view = view(&scenario, &[], None).unwrap();
        let wires = columns(&view, "wires");
        // Node 0: x+, x-, y+; the wrap is x-.
        let Column::U32(target) = &wires[0].1 else { panic!() };
        let Column::U32(is_wrap) = &wires[1].1 else { panic!() };
        assert_eq!((&target[..3], &is_wrap[..3]), (&[1, 2, 3][..], &[0, 1, 0][..]));
    }
}
