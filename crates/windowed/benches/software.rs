//! The software of nodes: packets to all neighbors in turn, which cross one link each, on a torus of 16x16x16.
//!
//! Each figure is per packet: written into an injection FIFO, sent over a link, read from a reception FIFO.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use geometry::{Direction, Hops, Shape};
use network::parameters::{FifoChoice, FifoSize, SoftwareCost};
use network::{Class, ForwardAction, Lane, Offer, Parameters, Source, Traffic};
use std::sync::Arc;
use windowed::new_engine;

const PACKETS_PER_NODE: u64 = 100;
const FULL_CHUNKS: u8 = 8;

/// Packets to all neighbors in turn, always waiting.
struct ToNeighbors;

impl Source for ToNeighbors {
    fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
        let number = lane.sequence(index);
        let direction = Direction::from_index((number % 6) as usize);
        let mut hops = Hops::default();
        hops.0[direction.dimension()] = if direction.is_plus() { 1 } else { -1 };
        (number < PACKETS_PER_NODE).then_some(Offer {
            hops,
            chunks: FULL_CHUNKS,
            class: Class::default(),
            ready: 0,
            forward_action: ForwardAction::Consume,
        })
    }

    fn smallest_chunks(&self) -> u8 {
        FULL_CHUNKS
    }
}

fn neighbors(criterion: &mut Criterion) {
    let shape = Shape::torus(&[16, 16, 16]).expect("a shape");
    let mut group = criterion.benchmark_group("packets to neighbors");
    group.throughput(Throughput::Elements(u64::from(shape.nodes()) * PACKETS_PER_NODE)).sample_size(10);
    let mut measure = |name: &str, change: fn(&mut Parameters)| {
        let mut parameters = Parameters::bluegene_l(shape.clone(), 1);
        change(&mut parameters);
        group.bench_function(name, |bencher| bencher.iter(|| run(&parameters)));
    };
    measure("infinite FIFOs", |_| {});
    measure("FIFOs of 1 KiB, no costs", |parameters| {
        parameters.node.injection_fifo = FifoSize::Bytes(1024);
        parameters.node.fifo_choice = FifoChoice::ByDirection;
    });
    measure("FIFOs of 1 KiB, 60 cycles to write and 204 to read", |parameters| {
        parameters.node.injection_fifo = FifoSize::Bytes(1024);
        parameters.node.fifo_choice = FifoChoice::ByDirection;
        parameters.node.software = SoftwareCost { write_processor_cycles: 60, read_processor_cycles: 204 };
    });
    group.finish();
}

/// Runs all packets to their targets.
fn run(parameters: &Parameters) -> u64 {
    let mut engine = new_engine(parameters.clone(), Traffic::Generated(Arc::new(ToNeighbors)), 1);
    while let Some(next) = engine.next_event() {
        engine.advance(next + 10_000);
    }
    engine.totals().delivered
}

criterion_group!(benches, neighbors);
criterion_main!(benches);
