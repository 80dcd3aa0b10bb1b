//! Replays of traces, for the tests of readers.
#![allow(dead_code)] // each test file uses a part

use base::digest::Digest;
use geometry::Shape;
use messaging::{Messages, MessagingBuilder, Parameters, Progress, RankMap, Ranks, Report, Totals};
use mpi::{Costs, Mpi};
use network::{Engine, Traffic};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use traces::Trace;
use windowed::new_engine;
use workloads::trace::{Replay, TimeScale};

pub const CYCLES_PER_MICROSECOND: u64 = 175;

/// A trace recorded elsewhere, if it is available.
pub fn given(name: &str) -> Option<PathBuf> {
    let next_to_the_repository = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TORUSIM_SHARED").map_or_else(next_to_the_repository, PathBuf::from);
    let path = shared.join("data/traces").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} does not exist; TORUSIM_SHARED can name another place", path.display());
    None
}

/// The end of a replay.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub progress: Progress,
    pub totals: Totals,
    pub finished: Vec<Option<u64>>,
    pub computed: Vec<u64>,
    pub digest: Digest,
}

impl Run {
    pub fn last_finish(&self) -> u64 {
        self.finished.iter().flatten().copied().max().unwrap()
    }
}

/// Blue Gene/L with a node for each rank: 2x2x1, or 4x4x2.
pub fn network(ranks: u32) -> network::Parameters {
    let shape: &[u32] = if ranks <= 4 { &[2, 2, 1] } else { &[4, 4, 2] };
    network::Parameters::bluegene_l(Shape::torus(shape).unwrap(), 1)
}

pub fn traffic(trace: &Trace, compute_scale: f64) -> Traffic {
    let network = network(trace.ranks());
    let map = RankMap::in_order(trace.ranks(), &network.shape, 1).unwrap();
    let scale = TimeScale::new(CYCLES_PER_MICROSECOND as f64, compute_scale).unwrap();
    let (trace, clock, ranks) = (Arc::new(trace.clone()), network.node.clock, trace.ranks());
    let new_ranks = move |slots: &[Option<u32>]| -> Box<dyn Ranks> {
        let program = |rank| Replay::new(trace.clone(), rank, scale, clock);
        Box::new(Mpi::new(Costs::default(), ranks, slots, program))
    };
    let builder = MessagingBuilder::new(&network, &Parameters::default(), map, Messages::ANY, new_ranks);
    Traffic::Software(Arc::new(builder.unwrap()))
}

/// Replays in the given steps, repeated cyclically.
pub fn replay_on(engine: &mut dyn Engine, steps: &[u64]) -> Run {
    for step in steps.iter().cycle() {
        if engine.next_event().is_none() {
            break;
        }
        engine.advance(engine.now() + step);
    }
    let digest = engine.totals().digest;
    let report = Report::of(engine, network(1).node.clock).unwrap();
    Run {
        progress: report.progress(),
        totals: report.totals(),
        finished: report.finish_cycles(),
        computed: report.computed_cycles(),
        digest,
    }
}

pub fn replay(trace: &Trace, compute_scale: f64) -> Run {
    replay_on(&mut *new_engine(network(trace.ranks()), traffic(trace, compute_scale), 1), &[1_000_000])
}

/// The state of a replay after a while. The rest may be years of computation.
pub fn begin(trace: &Trace, compute_scale: f64) -> Progress {
    let mut engine = new_engine(network(trace.ranks()), traffic(trace, compute_scale), 1);
    engine.advance(10_000_000);
    Report::of(&*engine, network(1).node.clock).unwrap().progress()
}
