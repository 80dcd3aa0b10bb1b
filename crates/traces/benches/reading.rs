//! The speed of reading traces, in bytes per second, of each of our readers. `cargo bench -p torusim-traces --bench
//! reading`.

#[path = "../tests/encoded/mod.rs"]
mod encoded;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::fmt::Write;
use std::hint::black_box;
use std::path::PathBuf;
use traces::{Trace, TraceFormat};

type Files = Vec<(PathBuf, Vec<u8>)>;

/// Iterations of the loop whose trace is made: some 10 MB in each format.
const ITERATIONS: u32 = 25_000;

/// Two ranks that exchange messages without blocking, and reduce.
fn liballprof() -> Files {
    let file = |rank: u32| {
        let (mut text, mut time) =
            (String::from("MPI_Init:-:1:2:1237666047187471.000000\n"), 1_237_666_047_187_500u64);
        let other = 1 - rank;
        let mut line = |call: &str, fields: &str| {
            writeln!(text, "{call}:{time}.000000:{fields}:{}.000000", time + 3).expect("a string takes all");
            time += 10;
        };
        for _ in 0..ITERATIONS {
            line(
                "MPI_Irecv",
                &format!("11251872:4500:11,8,46909632806920:{other}:3000:0,{rank},2:140737488340112"),
            );
            line(
                "MPI_Isend",
                &format!("11287888:4500:11,8,46909632806920:{other}:3000:0,{rank},2:140737488340120"),
            );
            line("MPI_Waitall", "2:140737488340112:140737488340200");
            line(
                "MPI_Allreduce",
                &format!("140737488340000:140737488340008:1:11,8,46909632806920:3:0,{rank},2"),
            );
        }
        writeln!(text, "MPI_Finalize:{time}.000000:-").expect("a string takes all");
        (PathBuf::from(format!("rank {rank}")), text.into_bytes())
    };
    vec![file(0), file(1)]
}

fn goal() -> Files {
    let mut text = String::from("num_ranks 2\n");
    for rank in 0..2 {
        writeln!(text, "rank {rank} {{").expect("a string takes all");
        for turn in 0..5 * ITERATIONS {
            let (label, other) = (4 * turn, 1 - rank);
            write!(
                text,
                "l{}: recv 36000b from {other} tag 3000\nl{}: send 36000b to {other} tag 3000\nl{}: calc 10000\n",
                label + 1,
                label + 2,
                label + 3
            )
            .expect("a string takes all");
            if turn > 0 {
                write!(
                    text,
                    "l{} requires l{}\nl{} irequires l{}\n",
                    label + 2,
                    label - 1,
                    label + 3,
                    label + 2
                )
                .expect("a string takes all");
            }
        }
        text.push_str("}\n");
    }
    vec![(PathBuf::from("goal"), text.into_bytes())]
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    for (format, files) in [
        (TraceFormat::Liballprof, liballprof()),
        (TraceFormat::Goal, goal()),
        (TraceFormat::Dumpi, encoded::long_dumpi(5 * ITERATIONS)),
        (TraceFormat::Chakra, encoded::long_chakra(5 * ITERATIONS)),
    ] {
        group.throughput(Throughput::Bytes(files.iter().map(|(_, bytes)| bytes.len() as u64).sum()));
        group.bench_function(format.name(), |bencher| {
            bencher.iter_batched(
                || files.clone(),
                |files| black_box(Trace::from_contents(format, files).expect("it is a trace")),
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
