//! Traces: read completely or rejected with one clear message, and replayed to the end.

use geometry::Shape;
use messaging::{MessagingBuilder, Packetizer, Parameters, Progress, RankMap, Ranks, Report, Totals};
use mpi::{Call, Costs, Mpi};
use network::digest::Digest;
use network::reference::ReferenceEngine;
use network::windowed::new_engine;
use network::{Engine, Traffic};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workloads::trace::{CallCounts, Replay, TimeScale, Trace, TraceError};

const CYCLES_PER_MICROSECOND: u64 = 175;

fn own_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/exchange")
}

fn own_texts() -> Vec<String> {
    let name = |rank| own_directory().join(format!("pmpi-trace-rank-{rank}.txt"));
    (0..3).map(|rank| std::fs::read_to_string(name(rank)).unwrap()).collect()
}

fn parse(texts: &[impl AsRef<[u8]>]) -> Result<Trace, TraceError> {
    let file = |(rank, text)| (PathBuf::from(format!("rank-{rank}")), AsRef::<[u8]>::as_ref(text));
    Trace::from_readers(texts.iter().enumerate().map(file).collect())
}

/// A Sweep3D trace recorded elsewhere on a real machine, if it is available.
fn sweep3d() -> Option<Trace> {
    let beside_the_repository = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TORUSIM_SHARED").map_or_else(beside_the_repository, PathBuf::from);
    let directory = shared.join("data/traces/sweep3d-2x2");
    if !directory.exists() {
        println!("skipped: {} does not exist; TORUSIM_SHARED can name another place", directory.display());
        return None;
    }
    Some(Trace::read(&directory).unwrap())
}

/// The end of a replay.
#[derive(Debug, PartialEq)]
struct Run {
    progress: Progress,
    totals: Totals,
    finished: Vec<Option<u64>>,
    computed: Vec<u64>,
    digest: Digest,
}

impl Run {
    fn last_finish(&self) -> u64 {
        self.finished.iter().flatten().copied().max().unwrap()
    }
}

fn network() -> network::Parameters {
    network::Parameters::bluegene_l(Shape::torus(&[2, 2, 1]).unwrap(), 1)
}

fn traffic(trace: &Trace, compute_scale: f64) -> Traffic {
    let network = network();
    let map = RankMap::in_order(trace.ranks(), &network.shape, 1).unwrap();
    let scale = TimeScale::new(CYCLES_PER_MICROSECOND as f64, compute_scale).unwrap();
    let (trace, clock, ranks) = (Arc::new(trace.clone()), network.node.clock, trace.ranks());
    let new_ranks = move |slots: &[Option<u32>]| -> Box<dyn Ranks> {
        let program = |rank| Replay::new(trace.clone(), rank, scale, clock);
        Box::new(Mpi::new(Costs::default(), ranks, slots, program))
    };
    let smallest = Packetizer::smallest_chunks;
    let builder = MessagingBuilder::new(&network, &Parameters::default(), map, smallest, new_ranks);
    Traffic::Software(Arc::new(builder.unwrap()))
}

/// Replays on a 2x2x1 torus, in these steps, repeated cyclically.
fn replay_on(engine: &mut dyn Engine, steps: &[u64]) -> Run {
    for step in steps.iter().cycle() {
        if engine.next_event().is_none() {
            break;
        }
        engine.advance(engine.now() + step);
    }
    let digest = engine.totals().digest;
    let report = Report::of(engine, network().node.clock).unwrap();
    Run {
        progress: report.progress(),
        totals: report.totals(),
        finished: report.finish_cycles(),
        computed: report.computed_cycles(),
        digest,
    }
}

fn replay(trace: &Trace, compute_scale: f64) -> Run {
    replay_on(&mut *new_engine(network(), traffic(trace, compute_scale), 1), &[1_000_000])
}

/// The state of a replay after a while; what is left may be years of computation.
fn begin(trace: &Trace, compute_scale: f64) -> Progress {
    let mut engine = new_engine(network(), traffic(trace, compute_scale), 1);
    engine.advance(10_000_000);
    Report::of(&*engine, network().node.clock).unwrap().progress()
}

#[test]
fn the_handwritten_trace_is_read_to_the_picosecond() {
    let trace = Trace::read(&own_directory()).unwrap();
    assert_eq!(trace.ranks(), 3);
    let counts = CallCounts { sends: 0, receives: 2, broadcasts: 1, allreduces: 1, barriers: 1 };
    assert_eq!(trace.rank(0).counts(), counts);
    assert_eq!(trace.rank(1).counts(), CallCounts { sends: 1, receives: 0, ..counts });
    // 1 + 1 + 6 us up to the broadcast, and so on; time inside calls does not count.
    let events = &trace.rank(0).events;
    let compute: Vec<u64> = events.iter().map(|event| event.compute_ps / 100_000).collect();
    assert_eq!(compute, [80, 1005, 10, 100, 10_190]);
    assert_eq!(trace.rank(0).last_compute_ps, 100_000_000);
    assert_eq!(trace.rank(0).local_calls, 3);
    assert_eq!(events[1].call, Call::Receive { source: None, tag: Some(7) });
    assert_eq!(trace.rank(1).events[1].call, Call::Send { target: 0, tag: 7, bytes: 800 });
    // The send to the null process is left out, but the computation before it is not.
    assert_eq!((trace.rank(1).local_calls, trace.rank(1).events[2].compute_ps), (1, 9_000_000));
}

#[test]
fn the_handwritten_trace_is_replayed() {
    let trace = Trace::read(&own_directory()).unwrap();
    let run = replay(&trace, 1.0);
    assert_eq!(run.progress, Progress::Finished);
    for rank in 0..3 {
        let compute_cycles = trace.rank(rank).compute_ps() * CYCLES_PER_MICROSECOND / 1_000_000;
        assert_eq!(run.computed[rank as usize], network().node.clock.processor_cycle_of(compute_cycles));
        assert!(run.finished[rank as usize].unwrap() >= compute_cycles);
    }
    let totals = run.totals;
    // Two sends, two messages of the broadcast, four of the allreduce of three ranks, two rounds of the barrier.
    assert_eq!((totals.messages_sent, totals.messages_received), (14, 14));
    assert_eq!((totals.bytes_sent, totals.bytes_received), (1600 + 2 * 8 + 4 * 8, 1648));
}

#[test]
fn engines_agree_on_the_handwritten_trace_whatever_the_steps() {
    let trace = Trace::read(&own_directory()).unwrap();
    let reference =
        |steps: &[u64]| replay_on(&mut ReferenceEngine::new(network(), traffic(&trace, 1.0)), steps);
    let whole = reference(&[1 << 40]);
    assert_eq!(whole.progress, Progress::Finished);
    for steps in [&[100][..], &[7, 1000, 3], &[13, 5, 100]] {
        assert_eq!(whole, reference(steps), "{steps:?}");
        let windowed = replay_on(&mut *new_engine(network(), traffic(&trace, 1.0), 2), steps);
        assert_eq!(whole, windowed, "{steps:?}");
    }
}

#[test]
fn time_scales_are_exact_and_bounded() {
    let scale = |scale| TimeScale::new(175.0, scale).unwrap();
    assert_eq!(scale(1.0).cycles(42_500_000_000_000), 7_437_500_000);
    assert_eq!(scale(0.0).cycles(u64::MAX), 0);
    assert_eq!(TimeScale::new(1e6, 1e3).unwrap().cycles(u64::MAX), u64::MAX);
    let error = TimeScale::new(175.0, -1.0).unwrap_err();
    assert_eq!(error.to_string(), "compute_scale = -1: must be from 0 to 1000");
    assert!(TimeScale::new(f64::NAN, 1.0).is_err());
}

#[test]
fn sweep3d_is_replayed_to_the_end() {
    let Some(trace) = sweep3d() else { return };
    let counts = CallCounts { sends: 1440, receives: 1440, broadcasts: 4, allreduces: 32, barriers: 3 };
    assert!((0..4).all(|rank| trace.rank(rank).counts() == counts));
    let run = replay(&trace, 1.0);
    assert_eq!(run.progress, Progress::Finished);
    let totals = run.totals;
    assert_eq!((totals.messages_sent, totals.bytes_sent), (totals.messages_received, totals.bytes_received));
    let collectives = 4 * 3 + 32 * 8 + 3 * 8;
    assert_eq!(totals.messages_sent, 4 * 1440 + collectives);
    assert!(totals.bytes_sent >= 4 * 1440 * 36_000);

    let most_compute = (0..4).map(|rank| trace.rank(rank).compute_ps()).max().unwrap();
    let seconds = |cycles: u64| cycles as f64 / (1e6 * CYCLES_PER_MICROSECOND as f64);
    let taken = seconds(run.last_finish());
    assert!(taken >= most_compute as f64 / 1e12 && (40.0..43.5).contains(&taken), "{taken} s");

    let without_compute = seconds(replay(&trace, 0.0).last_finish());
    assert!(without_compute < taken / 10.0, "{without_compute} s of {taken} s");
}

#[test]
fn the_sweep3d_replay_does_not_depend_on_step_boundaries() {
    let Some(trace) = sweep3d() else { return };
    let whole = replay(&trace, 0.01);
    let mut engine = new_engine(network(), traffic(&trace, 0.01), 2);
    assert_eq!(whole, replay_on(&mut *engine, &[1, 999, 17, 123_456, 3]));
}

/// The message that rejects the handwritten trace after `from` is replaced by `to` in the file of `rank`.
fn refusal(rank: usize, from: &str, to: &str) -> String {
    let mut texts = own_texts();
    assert!(texts[rank].contains(from));
    texts[rank] = texts[rank].replacen(from, to, 1);
    parse(&texts).unwrap_err().to_string()
}

#[test]
fn invalid_traces_are_rejected_with_file_line_and_expectation() {
    for (rank, from, to, message) in [
        (
            0,
            "MPI_Recv:1000120",
            "MPI_Frob:1000120",
            "rank-0, line 6: `MPI_Frob` is not a call that can be replayed: MPI_Init, MPI_Send, MPI_Recv",
        ),
        (
            0,
            "MPI_Recv:1000120",
            "MPI_Get:1000120",
            "rank-0, line 6: `MPI_Get` is one-sided communication, which is not simulated: a program of messages",
        ),
        (1, ":11,8,8:0:7:0,1,3", ":11,8,8:3:7:0,1,3", "rank-1, line 4: target `3`: a number from -2 to 2"),
        (
            1,
            ":11,8,8:0:7:0,1,3",
            ":11,8,8:-1:7:0,1,3",
            "rank-1, line 4: a send to rank -1: a send names its target",
        ),
        (
            1,
            ":11,8,8:0:7:0,1,3",
            ":11,8,8:0:7:0,1,4",
            "rank-1, line 4: communicator `0,1,4` has the wrong size: 3 ranks, as many as there are files",
        ),
        (
            1,
            ":11,8,8:0:7:0,1,3",
            ":11,8,8:0:7:1,1,3",
            "rank-1, line 4: communicator `1,1,3` is not MPI_COMM_WORLD: only",
        ),
        (
            1,
            ":11,8,8:0:7:0,1,3",
            ":11,8,8:0:7:0,0,3",
            "rank-1, line 4: communicator `0,0,3` has the wrong rank: rank 1",
        ),
        (
            1,
            ":11,8,8:0:7:0,1,3",
            ":11;8,8:0:7:0,1,3",
            "rank-1, line 4: `11;8,8` is not a datatype: `type,size,extra`",
        ),
        (
            1,
            ":100:11,8",
            ":2000000000:11,8",
            "rank-1, line 4: a message of 16000000000 bytes: at most 1073741824 bytes",
        ),
        (1, ":100:11,8", ":-5:11,8", "rank-1, line 4: count `-5`: a number from 0 to 2147483647"),
        (
            1,
            "MPI_Send:1000100.000000",
            "MPI_Send:1000x00.000000",
            "rank-1, line 4: `1000x00.000000` is not a time (field 2): microseconds",
        ),
        (
            1,
            "MPI_Send:1000100.000000",
            "MPI_Send:1000000.000000",
            "rank-1, line 4: the call starts before the previous call ends",
        ),
        (1, ":0,1,3:1000110.000000", ":0,1,3", "rank-1, line 4: 8 fields instead of 9: `MPI_Send:start:"),
        (2, "MPI_Init:-:1:2:1000000.000000\n", "", "rank-2, line 3: a call before MPI_Init"),
        (
            2,
            "MPI_Finalize:1001500.000000:-\n",
            "",
            "rank-2, line 7: the file ends before MPI_Finalize: a complete trace; this one is truncated",
        ),
        (2, "MPI_Finalize:1001500.000000:-\n", "MPI_Fin", "rank-2, line 8: `MPI_Fin` is not a call"),
        (
            2,
            "MPI_Finalize:1001500.000000:-\n",
            "\0\0\0\0",
            "rank-2, line 8: bytes that are not text: a line of text",
        ),
        (
            2,
            "MPI_Finalize:1001500.000000:-\n",
            "MPI_Finalize:99001500000000.0:-\n",
            "rank-2, line 8: the call ends more than 53 days",
        ),
        (
            2,
            "MPI_Barrier:1000360.000000:0,2,3:1001400.000000\n",
            "",
            "rank-2: collective call 3 is none: MPI_Barrier, as for rank 0",
        ),
        (
            2,
            "MPI_Bcast:1000002.000000:5:2:",
            "MPI_Bcast:1000002.000000:5:3:",
            "rank-2: collective call 1 is MPI_Bcast of 12 bytes from rank 0: MPI_Bcast of 8",
        ),
    ] {
        let refusal = refusal(rank, from, to);
        assert!(refusal.starts_with(message), "{refusal}\n  instead of {message}");
        assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
    }
}

#[test]
fn directories_without_a_complete_trace_are_rejected() {
    let refusal = |name: &str, files: &[&str]| {
        let directory = std::env::temp_dir().join(format!("torusim-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        files.iter().for_each(|file| std::fs::write(directory.join(file), "# cut\n").unwrap());
        let error = Trace::read(&directory).unwrap_err();
        std::fs::remove_dir_all(&directory).unwrap();
        error.problem
    };
    assert_eq!(refusal("empty", &["other.txt"]), "holds no trace");
    let gap = ["pmpi-trace-rank-0.txt", "pmpi-trace-rank-2.txt"];
    assert_eq!(refusal("gap", &gap), "pmpi-trace-rank-1.txt is missing");
    assert_eq!(refusal("cut", &gap[..1]), "the file ends before MPI_Finalize");
    let missing = Trace::read(Path::new("/does/not/exist")).unwrap_err();
    assert!(missing.to_string().starts_with("/does/not/exist: there is no such file or directory"));
}

proptest! {
    #[test]
    fn garbled_traces_are_read_or_rejected_and_never_panic(
        rank in 0usize..3,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut texts: Vec<Vec<u8>> = own_texts().into_iter().map(String::into_bytes).collect();
        let text = &mut texts[rank];
        for (index, byte) in flips {
            let length = text.len();
            text[index.index(length)] = byte;
        }
        if let Some(index) = cut {
            text.truncate(index.index(text.len()));
        }
        if let Ok(trace) = parse(&texts) {
            prop_assert_ne!(begin(&trace, 1.0), Progress::Blocked);
        }
    }

    #[test]
    fn digits_flipped_in_a_trace_never_panic(
        index in any::<prop::sample::Index>(),
        digit in b'0'..=b'9',
        compute_scale in prop::sample::select(vec![0.0, 0.3, 1.0, 1000.0]),
    ) {
        let mut texts: Vec<Vec<u8>> = own_texts().into_iter().map(String::into_bytes).collect();
        let digits: Vec<usize> = (0..texts[0].len()).filter(|&at| texts[0][at].is_ascii_digit()).collect();
        texts[0][*index.get(&digits)] = digit;
        if let Ok(trace) = parse(&texts) {
            begin(&trace, compute_scale);
        }
    }
}

/// A reader of bytes without line ends that fails the test when too many are read.
struct Endless(u64);

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(b'x');
        self.0 += buffer.len() as u64;
        assert!(self.0 < 1 << 24, "the whole file is read");
        Ok(buffer.len())
    }
}

#[test]
fn a_trace_without_line_ends_is_not_read_whole() {
    let endless = std::io::BufReader::new(Endless(0));
    let error = Trace::from_readers(vec![(PathBuf::from("endless"), endless)]).unwrap_err();
    assert_eq!(error.to_string(), "endless, line 1: a line of more than 1 MiB: a line of text for each call");
}

#[test]
fn a_device_is_no_trace() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("device");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("pmpi-trace-rank-0.txt");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let error = Trace::read(&directory).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is not a file: the trace of a rank is needed", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = Trace::read(&directory).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is not a file: the trace of a rank is needed", path.display()));
}
