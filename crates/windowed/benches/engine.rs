//! The windowed engine on one thread, for machines small enough for a core's cache: packet-hops per second.
//!
//! A network is warmed up once and then runs on, a few windows per iteration, so that steady state is timed. `torusim
//! bench` measures larger machines, threads and memory.

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use geometry::Shape;
use network::Engine;
use support::{RandomPackets, bluegene_l};
use windowed::new_engine;

/// Cycles per iteration: several packet times, so that iterations are alike.
const CYCLES: u64 = 2_048;

/// Number of iterations over which packet-hops are averaged.
const AVERAGED_ITERATIONS: u64 = 16;

/// A network under load.
struct Case {
    name: &'static str,
    lengths: &'static [u32],
    /// Mean cycles between packets of a node; 0: packets are always waiting.
    gap_cycles: u32,
    warmup_cycles: u64,
}

const CASES: [Case; 5] = [
    Case { name: "8x8x8, full load", lengths: &[8, 8, 8], gap_cycles: 0, warmup_cycles: 20_000 },
    // At full load each node injects a packet in 270 cycles.
    Case { name: "8x8x8, 10 % load", lengths: &[8, 8, 8], gap_cycles: 2_700, warmup_cycles: 20_000 },
    Case { name: "16x8x8, full load, blocked", lengths: &[16, 8, 8], gap_cycles: 0, warmup_cycles: 100_000 },
    // More than six ports: the wide specialization.
    Case { name: "4x4x4x4, full load", lengths: &[4, 4, 4, 4], gap_cycles: 0, warmup_cycles: 20_000 },
    Case { name: "16, full load", lengths: &[16], gap_cycles: 0, warmup_cycles: 20_000 },
];

impl Case {
    fn warmed_up_engine(&self) -> Box<dyn Engine> {
        let shape = Shape::torus(self.lengths).expect("a shape");
        let packets = RandomPackets {
            packets_per_node: None,
            gap_cycles: self.gap_cycles,
            ..RandomPackets::new(&shape, 1)
        };
        let mut engine = new_engine(bluegene_l(&shape), packets.traffic(), 1);
        engine.advance(self.warmup_cycles);
        engine
    }

    fn measure(&self, group: &mut BenchmarkGroup<'_, WallTime>) {
        let mut engine = self.warmed_up_engine();
        group.throughput(Throughput::Elements(hops_of_an_iteration(&mut *engine)));
        group.bench_function(self.name, |bencher| bencher.iter(|| engine.advance(engine.now() + CYCLES)));
    }
}

fn hops_of_an_iteration(engine: &mut dyn Engine) -> u64 {
    let before = engine.totals().hops_ever;
    engine.advance(engine.now() + AVERAGED_ITERATIONS * CYCLES);
    (engine.totals().hops_ever - before) / AVERAGED_ITERATIONS
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("windowed engine");
    CASES.iter().for_each(|case| case.measure(&mut group));
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
