//! Throughput of complete schedules in jobs per second, for logs drawn beforehand: `cargo bench -p torusim-scheduling`.

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use scheduling::backfill::Backfill;
use scheduling::job::{Job, sort};
use scheduling::log::Walltimes;
use scheduling::log::lublin::Model;
use scheduling::machine::{Machine, Plain, Room};
use scheduling::queue::{Queue, Rules};
use support::{parts, rules};

/// Sizes of 3,000 jobs of Intrepid in 2009.
const INTREPID_SIZES: [(u32, f64); 10] = [
    (64, 449.0),
    (128, 33.0),
    (256, 39.0),
    (512, 1561.0),
    (1024, 379.0),
    (2048, 186.0),
    (4096, 172.0),
    (8192, 117.0),
    (16384, 38.0),
    (32768, 26.0),
];

/// Jobs of the model, with submit times scaled to this offered load.
fn jobs(count: usize, nodes: u32, sizes: &[(u32, f64)], load: f64) -> Vec<Job> {
    let mut jobs = Model { nodes, sizes: sizes.to_vec(), seed: 1 }.jobs(count);
    let walltimes = Walltimes::Modelled { factor: 5, seed: 1 };
    let work: f64 = jobs.iter().map(|job| f64::from(job.nodes) * job.run as f64).sum();
    let scale = work / (f64::from(nodes) * load) / jobs[count - 1].submit as f64;
    for job in &mut jobs {
        job.submit = (job.submit as f64 * scale) as i64;
        job.walltime = walltimes.of(job.id, job.run);
    }
    sort(&mut jobs);
    jobs
}

fn measure<M: Machine>(
    criterion: &mut Criterion,
    name: &str,
    jobs: &[Job],
    machine: impl Fn() -> M,
    rules: &Rules,
) {
    let mut group = criterion.benchmark_group("schedule");
    group.throughput(Throughput::Elements(jobs.len() as u64)).sample_size(10);
    group.bench_function(name, |bencher| {
        bencher.iter_batched(
            || Queue::new(jobs.to_vec(), machine(), rules.clone(), vec![]),
            |mut queue| while queue.advance(1 << 20) {},
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn schedules(criterion: &mut Criterion) {
    let plain = jobs(100_000, 128, &[], 0.7);
    let easy = rules("fcfs", Backfill::Easy);
    measure(criterion, "plain-128-fcfs-easy", &plain, || Plain::new(128), &easy);
    let room = Room::new(parts("intrepid", "site"), &[]).expect("no outages");
    let of_room = jobs(20_000, 40_960, &INTREPID_SIZES, 0.7);
    for (policy, backfill) in [
        ("fcfs", Backfill::Easy),
        ("wfp", Backfill::Easy),
        ("wfp", Backfill::CobaltMarch2009),
        ("fcfs", Backfill::Conservative),
        ("wfp", Backfill::Conservative),
    ] {
        let name = format!("intrepid-site-{policy}-{backfill}");
        measure(criterion, &name, &of_room, || room.clone(), &rules(policy, backfill));
    }
}

criterion_group!(benches, schedules);
criterion_main!(benches);
