//! The time in which a source generates an offer. Engines request one for every injected packet.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{machine, mixed, packets, plan, shape, source};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;

const COUNT: u64 = 1_000;
const NODE: u32 = 77;

fn offers(criterion: &mut Criterion) {
    let cases: [(&str, &str, Value); 4] = [
        ("uniform random, always waiting", "uniform-random", json!({})),
        ("uniform random, Poisson arrivals", "uniform-random", json!({"load": 0.5})),
        (
            "hot region, many sizes",
            "hot-region",
            json!({"share": 0.25, "origin": [0, 0, 0], "box": [4, 4, 4], "packet_bytes": [32, 256]}),
        ),
        ("all to all, in random order", "all-to-all", json!({"payload_bytes": 960})),
    ];
    let machine = machine(shape("8x8x8"));
    let mut group = criterion.benchmark_group("offers");
    group.throughput(Throughput::Elements(COUNT));
    for (name, kind, options) in cases {
        let source = source(&plan(&machine, kind, options));
        group.bench_function(name, |bencher| {
            bencher.iter(|| packets(&*source, mixed(black_box(NODE)), COUNT))
        });
    }
    group.finish();
}

criterion_group!(benches, offers);
criterion_main!(benches);
