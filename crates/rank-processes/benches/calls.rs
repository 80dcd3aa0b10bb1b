//! Calls a second of processes, with an engine that answers each at once: what hand-overs and ranks cost.
//!
//! 512 ranks in C exchange halos of 1 KB with six neighbors: twelve calls and a wait for all of them in each step. The
//! program is compiled by `cc`, with the MPI library that the build of torusim's extension has left under `target`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mpi::{Answer, Call, Ended, Outcome, OutsideRanks, Requests, Selection, Status, Transfer, WakeUp};
use rank_processes::{Computing, Host, Launch, ProcessRanks, Start, Stream};
use std::collections::HashMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const LENGTH: u32 = 8;
const RANKS: u32 = LENGTH * LENGTH * LENGTH;
const STEPS: u32 = 300;
const CALLS_OF_A_STEP: u32 = 13;
const BYTES: u64 = 1024;

struct Nobody;

impl Host for Nobody {
    fn write(&mut self, rank: u32, _: Stream, bytes: &[u8]) {
        panic!("rank {rank} has written {}", String::from_utf8_lossy(bytes));
    }

    fn is_interrupted(&mut self) -> bool {
        false
    }
}

/// The folder with the MPI library and the program.
fn build() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = package.join("../../target/mpi-libraries/libmpi_abi.so");
    let library = library.canonicalize().expect("`make test` or `maturin develop` builds the MPI library");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let link = folder.join("libmpi_abi.so.1");
    let _ = std::fs::remove_file(&link);
    symlink(library, &link).expect("the folder can be written");
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(folder.join("halo"))
        .arg(package.join("benches/halo.c"))
        .arg("-I")
        .arg(package.join("../mpi-library/include"))
        .arg(&link)
        .status();
    assert!(status.expect("there is a C compiler").success(), "the program can be compiled");
    folder
}

fn launch(folder: &Path) -> Launch {
    let length = LENGTH.to_string();
    let command =
        [folder.join("halo").to_string_lossy().as_ref(), &length, &length, &length, &STEPS.to_string()]
            .map(Into::into);
    Launch {
        command: command.to_vec(),
        ranks: RANKS,
        start: Start::Fork,
        libraries: folder.to_owned(),
        preloaded: Vec::new(),
        variables: Vec::new(),
        rank_timeout: Duration::from_secs(60),
        separates_output: false,
        computing: Computing::None,
        scale: 1.0,
        replayed: Vec::new(),
        selection: Selection::default(),
        nodes: vec![vec![0]; RANKS as usize],
        hertz: 7e8,
    }
}

/// A rank, as an engine knows it.
#[derive(Default)]
struct Rank {
    /// The message of each receive that has begun, by its request.
    receives: HashMap<u32, Status>,
    /// The messages that it has received from each rank.
    received: HashMap<u32, u32>,
    has_ended: bool,
}

impl Rank {
    /// Makes a call, whose end is notified at once.
    fn make(&mut self, call: &Call) -> Vec<Ended> {
        if let Call::Wait { requests, .. } = call {
            return self.end(requests);
        }
        let Call::Begin { transfer, request: Some(request) } = call else {
            panic!("the program calls {}", call.name());
        };
        if let Transfer::Receive(from) = transfer {
            let (source, tag) = (from.source.unwrap_or(0), from.tag.unwrap_or(0));
            let sequence = self.received.entry(source).or_default();
            let status = Status { source, tag, bytes: BYTES, number: 0, sequence: *sequence };
            *sequence += 1;
            self.receives.insert(*request, status);
        }
        Vec::new()
    }

    fn end(&mut self, requests: &Requests) -> Vec<Ended> {
        requests
            .set()
            .iter()
            .map(|request| Ended { request, received: self.receives.remove(&request), is_cancelled: false })
            .collect()
    }
}

/// Runs the program; returns the time without the start of its processes.
fn run(launch: &Launch) -> Duration {
    let mut processes = ProcessRanks::start(launch, Box::new(Nobody)).expect("the program can be started");
    let mut ranks: Vec<Rank> = (0..RANKS).map(|_| Rank::default()).collect();
    let mut batch: Vec<WakeUp> = (0..RANKS).map(|rank| wake_up(0, rank, Vec::new())).collect();
    let mut begin = None;
    for time in 1.. {
        processes.begin(batch);
        let mut answers = processes.collect().expect("the ranks go on");
        begin.get_or_insert_with(Instant::now);
        answers.sort_unstable_by_key(|answer| answer.rank);
        batch = answers.iter().filter_map(|answer| next(&mut ranks, time, answer)).collect();
        if batch.is_empty() {
            break;
        }
    }
    assert!(ranks.iter().all(|rank| rank.has_ended && rank.receives.is_empty()));
    begin.map_or(Duration::ZERO, |begin| begin.elapsed())
}

fn next(ranks: &mut [Rank], time: u64, answer: &Answer) -> Option<WakeUp> {
    let rank = &mut ranks[answer.rank as usize];
    let Some(call) = answer.calls.last() else {
        rank.has_ended = true;
        return None;
    };
    Some(wake_up(time, answer.rank, rank.make(call)))
}

fn wake_up(time: u64, rank: u32, ended: Vec<Ended>) -> WakeUp {
    WakeUp { time, rank, outcome: Outcome::default(), ended }
}

fn calls(criterion: &mut Criterion) {
    let launch = launch(&build());
    let mut group = criterion.benchmark_group("processes");
    group.throughput(Throughput::Elements(u64::from(RANKS * STEPS * CALLS_OF_A_STEP))).sample_size(10);
    group.bench_function("halo of 512 ranks", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| run(&launch)).sum());
    });
    group.finish();
}

criterion_group!(benches, calls);
criterion_main!(benches);
