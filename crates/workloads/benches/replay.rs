//! The speed of replay programs, in calls per second. `cargo bench -p torusim-workloads --bench replay`.

use base::clock::ClockRatio;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mpi::{Call, Collective, Needed, Outcome, Program, Requests};
use std::hint::black_box;
use std::sync::Arc;
use traces::{Event, Part, RankTrace, Trace};
use workloads::trace::{Replay, TimeScale};

/// Iterations of the loop whose calls are replayed.
const ITERATIONS: u32 = 25_000;

/// A rank that exchanges messages with another without blocking, and reduces.
fn calls() -> Vec<Event> {
    let of_iteration = || {
        let requests = Requests::range(0, 2);
        [
            Call::ReceiveNonBlocking { source: Some(1), tag: Some(3000), request: 0 },
            Call::SendNonBlocking { target: 1, tag: 3000, bytes: 36_000, request: 1 },
            Call::Wait { requests, needed: Needed::All },
            Call::Collective(Collective::Allreduce { bytes: 8 }),
        ]
    };
    let calls = (0..ITERATIONS).flat_map(|_| of_iteration());
    calls.map(|call| Event { compute_ps: 7_000_000, call }).collect()
}

fn next_calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replay");
    group.sample_size(10);
    let trace = Arc::new(Trace::new(vec![Part::Calls(RankTrace::of(Vec::new(), calls()))]));
    group.throughput(Throughput::Elements(u64::from(4 * ITERATIONS)));
    group.bench_function("calls", |bencher| {
        let scale = TimeScale::new(175.0, 1.0).expect("it is in range");
        bencher.iter(|| {
            let mut replay =
                Replay::new(trace.clone(), 0, scale, ClockRatio { processor_cycles: 4, cycles: 1 });
            let calls = std::iter::from_fn(|| replay.next(0, &Outcome::default()));
            black_box(calls.count())
        });
    });
    group.finish();
}

criterion_group!(benches, next_calls);
criterion_main!(benches);
