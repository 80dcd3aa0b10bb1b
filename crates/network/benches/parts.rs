//! The components of a packet-hop, each separately: draws, the packet's record, the digest.
//!
//! Each figure is per draw, packet or record, averaged over a thousand different ones.

use base::digest::Digest;
use base::draws::{NodeKey, Purpose, pick};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use geometry::{Direction, Shape};
use network::packet::{ExtraBits, Packet, PacketLayout};
use network::{Class, ForwardAction, LaneKind, Offer};
use std::hint::black_box;

const COUNT: u64 = 1_000;
const NODE: u32 = 77;
const FULL_CHUNKS: u8 = 8;

fn draws(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("draws");
    group.throughput(Throughput::Elements(COUNT));
    let key = NodeKey::new(1, NODE);
    group.bench_function("one at a time", |bencher| {
        bencher.iter(|| sum((0..COUNT).map(|cycle| key.draw(Purpose::SenderTie, black_box(cycle), 3))));
    });
    group.bench_function("all ports of a cycle", |bencher| {
        let at_cycle = key.at(black_box(1_234));
        bencher.iter(|| sum((0..COUNT).map(|port| at_cycle.draw(Purpose::SenderTie, port as usize % 6))));
    });
    group.bench_function("one of six", |bencher| {
        bencher.iter(|| sum((0..COUNT).map(|cycle| pick(key.draw(Purpose::Target, black_box(cycle), 0), 6))));
    });
    group.finish();
}

fn sum(values: impl Iterator<Item = u32>) -> u64 {
    values.map(u64::from).sum()
}

fn packets(criterion: &mut Criterion) {
    let shape = Shape::torus(&[8, 8, 8]).expect("a shape");
    let layout = PacketLayout::new(&shape, ExtraBits::default());
    let offers = offers(&shape);
    let packed = pack_all(&layout, &offers);
    let mut group = criterion.benchmark_group("packets");
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function("pack", |bencher| bencher.iter(|| pack_all(&layout, black_box(&offers))));
    group.throughput(Throughput::Elements(packed.iter().map(|&packet| hops(&layout, packet)).sum()));
    group.bench_function("after a hop, all the way", |bencher| {
        bencher.iter(|| black_box(&packed).iter().map(|&packet| hops(&layout, packet)).sum::<u64>());
    });
    group.finish();
}

/// Full packets of a node to random targets.
fn offers(shape: &Shape) -> Vec<Offer> {
    let key = NodeKey::new(1, NODE);
    let target = |sequence| {
        (NODE + 1 + pick(key.draw(Purpose::Target, sequence, 0), shape.nodes() - 1)) % shape.nodes()
    };
    let offer = |sequence| Offer {
        hops: shape.route(NODE, target(sequence), key.draw(Purpose::RingTie, sequence, 0)),
        chunks: FULL_CHUNKS,
        class: Class::default(),
        ready: 0,
        forward_action: ForwardAction::Consume,
    };
    (0..COUNT).map(offer).collect()
}

fn pack_all(layout: &PacketLayout, offers: &[Offer]) -> Vec<Packet> {
    let pack = |(sequence, offer)| layout.pack(NODE, LaneKind::Normal, sequence, offer);
    (0..).zip(offers).map(pack).collect()
}

/// Moves a packet to its destination and counts the hops.
fn hops(layout: &PacketLayout, mut packet: Packet) -> u64 {
    let mut hops = 0;
    while layout.hint_bits(packet) != 0 {
        let direction = Direction::from_index(layout.hint_bits(packet).trailing_zeros() as usize);
        packet = layout.after_hop(packet, direction);
        hops += 1;
    }
    hops
}

fn digest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("digest");
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function("record", |bencher| {
        bencher.iter(|| {
            let mut digest = Digest::default();
            (0..COUNT).for_each(|time| digest.record(black_box(time), NODE, 3, 1, time << 20));
            digest
        });
    });
    group.finish();
}

criterion_group!(benches, draws, packets, digest);
criterion_main!(benches);
