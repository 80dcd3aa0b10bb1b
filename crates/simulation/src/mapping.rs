//! Mappings of a scenario's ranks: their costs, and the search for a better one.
//!
//! ```text
//!   Scenario --> Mappings   --place("XYZT")-->  evaluation        --search("random", ..)-->  MappingSearch
//!                (flows)                                            (graph of pairs)          advance, finish
//! ```
//!
//! An evaluation reads flows one by one, regardless of their number; a search holds all pairs.

use crate::scenario::Scenario;
use crate::traffic;
use ::fluid::RouteChoice;
use ::mapping::{Evaluation, Graph, Method, Search, TooManyPairs, evaluate};
use input::InputError;
use messaging::{Mapping, Order, Place, RankMap, Transfer};
use network::Parameters;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use workloads::flows::{Flows, of_trace};
use workloads::{Placement, Plan, PlannedTraffic, RankWork, Routing, Workload, selection};

/// The name of the mapping that the scenario states.
const PRESENT: &str = "present";

/// The name of the mapping in which ranks have random places.
const RANDOM: &str = "random";

/// The most orders of dimensions that are listed: those of three dimensions and the cores.
const MAX_ORDERS: usize = 24;

/// The mappings of a scenario.
pub struct Mappings {
    scenario: Scenario,
    flows: Flows,
    /// The graph of pairs, for searches.
    graph: OnceLock<Result<Graph, TooManyPairs>>,
}

/// A mapping with its costs.
pub struct EvaluatedMapping {
    /// The costs: `hop_bytes`, `mean_hops`, and the bytes on the busiest link, `busiest_link_bytes_in_order` in
    /// dimension order and `busiest_link_bytes_split_evenly` over all minimal routes. The last two are null on
    /// machines with dead nodes or links, the mean without bytes. `is_busiest_link_exact` says whether a run loads
    /// the busiest link with exactly the former, because its messages are in order. Otherwise both are
    /// expectations.
    pub evaluation: Value,
    /// A mapping file.
    pub text: String,
}

impl Mappings {
    /// The mappings of a scenario whose workload has ranks that a mapping places.
    ///
    /// # Errors
    /// When it has none, or its trace cannot be read.
    pub fn new(scenario: Scenario) -> Result<Self, InputError> {
        let known = match scenario.mapping {
            Some(_) => flows_and_map(&scenario, &scenario.plan()?)?,
            None => None,
        };
        let problem = "has no ranks that a mapping places; kernels with a grid and traces do";
        let (flows, _) = known.ok_or_else(|| scenario.error("workload.kind", problem))?;
        let flows = routed(&scenario, flows);
        Ok(Mappings { scenario, flows, graph: OnceLock::new() })
    }

    /// The names of the present mapping and of the usual ones: the orders that differ, "fold" if the ranks fold,
    /// and "random".
    pub fn names(&self) -> Vec<String> {
        let Parameters { shape, node, .. } = self.parameters();
        let orders = Order::all(shape, node.cores).into_iter().take(MAX_ORDERS).map(|order| order.name());
        let others = Mapping::NAMES.map(|(name, _)| name.to_owned()).into_iter();
        let usual = orders.chain(others).filter(|name| self.place(name).is_ok());
        [PRESENT.to_owned()].into_iter().chain(usual).collect()
    }

    /// The costs of a mapping; none if `goes_on`, which is called repeatedly, has returned false.
    ///
    /// # Errors
    /// When it does not exist for this scenario.
    pub fn evaluate(
        &self,
        name: &str,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<EvaluatedMapping>, InputError> {
        Ok(evaluated(&self.flows, &self.place(name)?, self.parameters(), goes_on))
    }

    /// A search from the mapping `start`; `is_greedy` accepts only moves that cost no more.
    ///
    /// # Errors
    /// When no such mapping exists, when ranks may not move to all places, or when too many of them send to each
    /// other.
    pub fn search(
        &self,
        start: &str,
        is_greedy: bool,
        steps: u64,
        seed: u64,
    ) -> Result<MappingSearch, InputError> {
        let graph = self.graph.get_or_init(|| Graph::of(&self.flows)).clone();
        let graph = graph.map_err(|error| self.scenario.error("workload", &error.to_string()))?;
        let start = self.place(start)?;
        // Ranks can move to all places.
        self.place(RANDOM)?;
        let method = if is_greedy { Method::Greedy } else { Method::Anneal };
        let search = Search::new(graph, &start, self.parameters(), method, (steps, seed));
        Ok(MappingSearch { search, flows: self.flows.clone(), parameters: self.parameters().clone() })
    }

    fn parameters(&self) -> &Parameters {
        &self.scenario.parameters
    }

    fn place(&self, name: &str) -> Result<RankMap, InputError> {
        let mapping = match name {
            PRESENT => self.scenario.placement.mapping.clone(),
            _ => Some(self.named(name)?),
        };
        if self.flows.grid.is_empty() && !matches!(self.scenario.workload, Workload::Trace(_)) {
            return self.planned_place(mapping);
        }
        let placement = Placement { mapping, ranks: None, nodes: None };
        let map = placement.place(self.flows.ranks, &self.flows.grid, self.parameters());
        map.map_err(|error| self.scenario.workload_error(&error))
    }

    /// The places where a run would put the ranks. The run may require a grid although ranks are not alike. It may
    /// also refuse: messages that the network copies along lines need their ranks on them.
    fn planned_place(&self, mapping: Option<Mapping>) -> Result<RankMap, InputError> {
        let mut scenario = self.scenario.clone();
        scenario.placement.mapping = mapping;
        let known = flows_and_map(&scenario, &scenario.plan()?)?;
        Ok(known.expect("only where ranks are depends on their mapping").1)
    }

    fn named(&self, name: &str) -> Result<Mapping, InputError> {
        let dimensions = self.parameters().shape.dimensions();
        let example = Order::cores_last(dimensions).name();
        let problem = format!(
            "{name:?} is no mapping: known are {PRESENT:?}, \"fold\", \"random\", and orders such as {example:?}"
        );
        Mapping::named(name, dimensions).ok_or_else(|| InputError::at("mapping", problem))
    }
}

/// A search in progress.
pub struct MappingSearch {
    search: Search,
    flows: Flows,
    parameters: Parameters,
}

impl MappingSearch {
    /// Makes up to `steps` more steps; returns whether any are left.
    pub fn advance(&mut self, steps: u64) -> bool {
        self.search.advance(steps)
    }

    /// Steps made, and the hop-bytes of the best mapping so far.
    pub fn progress(&self) -> (u64, u128) {
        (self.search.step(), self.search.hop_bytes().1)
    }

    /// The best mapping found, the start included; none if `goes_on` has returned false.
    pub fn finish(self, goes_on: &mut dyn FnMut() -> bool) -> Option<EvaluatedMapping> {
        evaluated(&self.flows, &self.search.best(), &self.parameters, goes_on)
    }
}

/// The messages that the ranks of a scenario receive in a run. None if it has no ranks, or if the number is not
/// known without a run.
///
/// # Errors
/// When its trace cannot be read.
pub fn messages(scenario: &Scenario) -> Result<Option<u64>, InputError> {
    if !scenario.workload.senders().has_ranks {
        return Ok(None);
    }
    let known = flows_and_map(scenario, &scenario.plan()?)?;
    Ok(known.map(|(flows, _)| {
        let mut messages = 0;
        flows.for_each(|_, flow| messages += flow.messages);
        messages
    }))
}

/// The data that the ranks or nodes of a scenario send, and their places. None if they are not known without a run.
///
/// # Errors
/// When its trace cannot be read.
pub(crate) fn flows_and_map(
    scenario: &Scenario,
    plan: &Plan,
) -> Result<Option<(Flows, RankMap)>, InputError> {
    let placed = |map: &RankMap| plan.flows.clone().map(|flows| (flows, map.clone()));
    match &plan.traffic {
        PlannedTraffic::Ranks(RankWork::Trace(recorded)) => {
            let trace = traffic::read_trace(scenario, recorded)?;
            let map = traffic::map_of_trace(scenario, &trace)?;
            let (machine, software) = (&scenario.parameters, scenario.messaging_parameters());
            let selection = selection(machine, &software, scenario.messaging.algorithms(), &map);
            Ok(Some((of_trace(Arc::new(trace), selection), map)))
        }
        PlannedTraffic::Ranks(RankWork::Kernel(kernel)) => Ok(placed(&kernel.map)),
        PlannedTraffic::Ranks(RankWork::Collective(collective)) => Ok(placed(&collective.map)),
        PlannedTraffic::Generated(_) if plan.map.is_none() => {
            let nodes = 0..scenario.parameters.shape.nodes();
            Ok(placed(&RankMap::of_places(nodes.map(|node| Place { node, core: 0 }).collect())))
        }
        PlannedTraffic::Ranks(RankWork::PingPong(_) | RankWork::Flows(_) | RankWork::Program { .. })
        | PlannedTraffic::Generated(_) => Ok(plan.map.as_ref().and_then(placed)),
        PlannedTraffic::Jobs(_) => Ok(None),
    }
}

/// The places of the ranks of a scenario, or of the senders of a pattern that have any. None if there are several jobs.
///
/// # Errors
/// When its trace cannot be read.
pub(crate) fn map_of(scenario: &Scenario, plan: &Plan) -> Result<Option<RankMap>, InputError> {
    Ok(match &plan.traffic {
        PlannedTraffic::Ranks(RankWork::Trace(recorded)) => {
            Some(traffic::map_of_trace(scenario, &traffic::read_trace(scenario, recorded)?)?)
        }
        PlannedTraffic::Ranks(RankWork::Kernel(kernel)) => Some(kernel.map.clone()),
        PlannedTraffic::Ranks(RankWork::Collective(collective)) => Some(collective.map.clone()),
        PlannedTraffic::Ranks(RankWork::PingPong(_) | RankWork::Flows(_) | RankWork::Program { .. })
        | PlannedTraffic::Generated(_) => plan.map.clone(),
        PlannedTraffic::Jobs(_) => None,
    })
}

/// Flows with a routing for their packets, unless packets are in order. Then all packets of a pair of nodes take
/// one route. Packets that are not in order, but have a single channel in dimension order, draw their routes one by
/// one.
pub(crate) fn routed(scenario: &Scenario, flows: Flows) -> Flows {
    let is_deterministic = Transfer::are_deterministic(&scenario.messaging_parameters());
    let routing = match RouteChoice::of(flows.routing, is_deterministic, &scenario.parameters) {
        RouteChoice::OneDirection => None,
        RouteChoice::InOrder => Some(Routing::Deterministic),
        RouteChoice::Adaptive => Some(Routing::Adaptive),
    };
    Flows { routing, ..flows }
}

fn evaluated(
    flows: &Flows,
    map: &RankMap,
    parameters: &Parameters,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<EvaluatedMapping> {
    let evaluation = evaluate(flows, map, parameters, goes_on)?;
    let Evaluation { hop_bytes, mean_hops, busiest_link_in_order, busiest_link_split_evenly, .. } =
        evaluation;
    let is_in_order = flows.routing != Some(Routing::Adaptive);
    let is_exact = busiest_link_in_order.is_some() && evaluation.is_in_order_exact && is_in_order;
    let evaluation = json!({
        "hop_bytes": u64::try_from(hop_bytes).unwrap_or(u64::MAX),
        "mean_hops": mean_hops,
        "busiest_link_bytes_in_order": busiest_link_in_order,
        "busiest_link_bytes_split_evenly": busiest_link_split_evenly,
        "is_busiest_link_exact": is_exact,
    });
    Some(EvaluatedMapping { evaluation, text: map.text(&parameters.shape) })
}
