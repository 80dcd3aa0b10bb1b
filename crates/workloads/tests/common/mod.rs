//! Helpers of all workload tests: plans from JSON, the packets of a source, walks along hops.

#![allow(dead_code)] // each test file uses a part

use geometry::{HalfWay, Hops, Shape};
use network::parameters::FifoSize;
use network::{Lane, LaneKind, Offer, Parameters, Source};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use workloads::kernels::Kernel;
use workloads::{Bound, Context, Placement, Plan, PlannedTraffic, Workload, WorkloadError};

/// A torus; an `m` after a length makes that dimension a mesh: `8x8x32m`.
pub fn shape(text: &str) -> Shape {
    let wraps: Vec<bool> = text.split('x').map(|length| !length.ends_with('m')).collect();
    let lengths: Vec<u32> =
        text.split('x').map(|length| length.trim_end_matches('m').parse().unwrap()).collect();
    Shape::new(&lengths, &wraps).unwrap()
}

pub fn machine(shape: Shape) -> Parameters {
    Parameters::bluegene_l(shape, 42)
}

/// A machine with finite injection FIFOs.
pub fn machine_with_real_fifos(shape: Shape) -> Parameters {
    let mut parameters = machine(shape);
    parameters.node.injection_fifo = FifoSize::Bytes(1024);
    parameters
}

pub fn try_plan(parameters: &Parameters, kind: &str, options: Value) -> Result<Plan, WorkloadError> {
    Workload::from_kind(kind, options).unwrap().plan(&context(parameters))
}

/// The parameters of a kind that have an example instead of a default, each with its example.
pub fn required(kind: &str) -> Value {
    if kind == "kernel" {
        return json!({"name": Kernel::NAMES[0].0});
    }
    let schema = Workload::schema(kind).unwrap();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let examples =
        properties.filter_map(|(name, property)| Some((name.clone(), property["examples"].get(0)?.clone())));
    Value::Object(examples.collect())
}

/// A machine with the usual software.
pub fn context(parameters: &Parameters) -> Context<'_> {
    static SOFTWARE: LazyLock<messaging::Parameters> = LazyLock::new(Default::default);
    static PLACEMENT: LazyLock<Placement> = LazyLock::new(Default::default);
    Context { parameters, messaging: &SOFTWARE, placement: &PLACEMENT, choices: mpi::Choices::default() }
}

pub fn plan(parameters: &Parameters, kind: &str, options: Value) -> Plan {
    try_plan(parameters, kind, options).unwrap()
}

pub fn source(plan: &Plan) -> Arc<dyn Source> {
    match &plan.traffic {
        PlannedTraffic::Generated(source) => source.clone(),
        PlannedTraffic::Ranks(_) | PlannedTraffic::Jobs(_) => panic!("not generated"),
    }
}

pub fn bound(plan: &Plan) -> Bound {
    plan.bound.expect("there is a bound")
}

/// The first `max` packets of a lane.
pub fn packets(source: &dyn Source, lane: Lane, max: u64) -> Vec<Offer> {
    let mut ready = 0;
    let offers = (0..max).map_while(|index| {
        let offer = source.offer(lane, index, ready)?;
        assert!(offer.ready >= ready);
        ready = offer.ready;
        Some(offer)
    });
    offers.collect()
}

pub fn mixed(node: u32) -> Lane {
    Lane { node, kind: LaneKind::Mixed, number: 0, lanes: 1 }
}

/// The node to which the hops lead, link by link.
pub fn walk(shape: &Shape, source: u32, hops: &Hops) -> u32 {
    let mut node = source;
    for direction in hops.directions() {
        for _ in 0..hops.0[direction.dimension()].unsigned_abs() {
            node = shape.neighbor(node, direction).expect("hops stay on the machine");
        }
    }
    node
}

/// Shapes of one to four dimensions, each a ring or open, of at least two nodes.
pub fn shapes() -> impl Strategy<Value = Shape> {
    let dimensions = prop::collection::vec((1u32..6, any::<bool>()), 1..=4);
    (dimensions, prop::sample::select(&HalfWay::ALL[..]), any::<u64>())
        .prop_map(|(dimensions, half_way, seed)| {
            let (lengths, wraps): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
            Shape::new(&lengths, &wraps).unwrap().with_half_way(half_way, seed)
        })
        .prop_filter("two nodes", |shape| (2..200).contains(&shape.nodes()))
}
