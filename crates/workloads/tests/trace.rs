//! Traces: read completely or rejected with one clear message, and replayed to the end.

mod replaying;

use messaging::Progress;
use mpi::{Call, ReceiveFrom, Room, Transfer};
use network::reference::ReferenceEngine;
use network::windowed::new_engine;
use proptest::prelude::*;
use replaying::{CYCLES_PER_MICROSECOND, begin, given, network, replay, replay_on, traffic};
use std::path::{Path, PathBuf};
use traces::{Part, RankTrace, Trace, TraceError, TraceFormat};
use workloads::trace::TimeScale;

fn own_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/data/exchange")
}

fn own_texts() -> Vec<String> {
    let name = |rank| own_directory().join(format!("pmpi-trace-rank-{rank}.txt"));
    (0..3).map(|rank| std::fs::read_to_string(name(rank)).unwrap()).collect()
}

fn calls(trace: &Trace, rank: u32) -> &RankTrace {
    match trace.rank(rank) {
        Part::Calls(calls) => calls,
        Part::Graph(_) => panic!("rank {rank} has a graph"),
    }
}

fn all_calls() -> Vec<Vec<u8>> {
    let folder = own_directory().with_file_name("calls");
    let read = |rank| std::fs::read(folder.join(format!("pmpi-trace-rank-{rank}.txt"))).unwrap();
    (0..4).map(read).collect()
}

fn parse(texts: &[impl AsRef<[u8]>]) -> Result<Trace, TraceError> {
    let file = |(rank, text)| (PathBuf::from(format!("rank-{rank}")), AsRef::<[u8]>::as_ref(text));
    Trace::from_readers(texts.iter().enumerate().map(file).collect())
}

/// A Sweep3D trace recorded elsewhere on a real machine, if it is available.
fn sweep3d() -> Option<Trace> {
    given("sweep3d-2x2").map(|directory| Trace::read(&directory, TraceFormat::Auto).unwrap())
}

#[test]
fn the_handwritten_trace_is_read_to_the_picosecond() {
    let trace = Trace::read(&own_directory(), TraceFormat::Auto).unwrap();
    assert_eq!(trace.ranks(), 3);
    let counts =
        |rank| trace.rank(rank).counts().iter().map(|(name, count)| (*name, *count)).collect::<Vec<_>>();
    let collectives = [("MPI_Allreduce", 1), ("MPI_Barrier", 1), ("MPI_Bcast", 1)];
    assert_eq!(counts(0), [&collectives[..], &[("MPI_Recv", 2)]].concat());
    assert_eq!(counts(1), [&collectives[..], &[("MPI_Send", 1)]].concat());
    // 1 + 1 + 6 us up to the broadcast, and so on; time inside calls does not count.
    let events = &calls(&trace, 0).events;
    let compute: Vec<u64> = events.iter().map(|event| event.compute_ps / 100_000).collect();
    assert_eq!(compute, [80, 1005, 10, 100, 10_190]);
    assert_eq!(calls(&trace, 0).last_compute_ps, 100_000_000);
    assert_eq!(calls(&trace, 0).local_calls, 3);
    let room = Room { bytes: 800, receive: 0 };
    let receive = Transfer::Receive(ReceiveFrom { room, ..ReceiveFrom::new(None, Some(7)) });
    assert_eq!(events[1].call, Call::Begin { transfer: receive, request: None });
    assert_eq!(calls(&trace, 1).events[1].call, Call::Send { target: 0, tag: 7, bytes: 800 });
    // The send to the null process is left out, but the computation before it is not.
    assert_eq!((calls(&trace, 1).local_calls, calls(&trace, 1).events[2].compute_ps), (1, 9_000_000));
}

#[test]
fn the_handwritten_trace_is_replayed() {
    let trace = Trace::read(&own_directory(), TraceFormat::Auto).unwrap();
    let run = replay(&trace, 1.0);
    assert_eq!(run.progress, Progress::Finished);
    for rank in 0..3 {
        let compute_cycles = trace.rank(rank).compute_ps() * CYCLES_PER_MICROSECOND / 1_000_000;
        assert_eq!(run.computed[rank as usize], network(3).node.clock.processor_cycle_of(compute_cycles));
        assert!(run.finished[rank as usize].unwrap() >= compute_cycles);
    }
    let totals = run.totals;
    // Two sends, two messages of the broadcast, four of the allreduce of three ranks, two rounds of the barrier.
    assert_eq!((totals.messages_sent, totals.messages_received), (14, 14));
    assert_eq!((totals.bytes_sent, totals.bytes_received), (1600 + 2 * 8 + 4 * 8, 1648));
}

#[test]
fn engines_agree_on_the_handwritten_trace_whatever_the_steps() {
    let trace = Trace::read(&own_directory(), TraceFormat::Auto).unwrap();
    let reference = |steps: &[u64]| {
        replay_on(&mut ReferenceEngine::new(network(trace.ranks()), traffic(&trace, 1.0)), steps)
    };
    let whole = reference(&[1 << 40]);
    assert_eq!(whole.progress, Progress::Finished);
    for steps in [&[100][..], &[7, 1000, 3], &[13, 5, 100]] {
        assert_eq!(whole, reference(steps), "{steps:?}");
        let windowed = replay_on(&mut *new_engine(network(trace.ranks()), traffic(&trace, 1.0), 2), steps);
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
    let counts =
        [("MPI_Allreduce", 32), ("MPI_Barrier", 3), ("MPI_Bcast", 4), ("MPI_Recv", 1440), ("MPI_Send", 1440)];
    assert!((0..4).all(|rank| *trace.rank(rank).counts() == counts.into()));
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
    let mut engine = new_engine(network(trace.ranks()), traffic(&trace, 0.01), 2);
    assert_eq!(whole, replay_on(&mut *engine, &[1, 999, 17, 123_456, 3]));
}

/// The message that rejects the handwritten trace after `from` is replaced by `to` in the file of `rank`.
fn refusal(rank: usize, from: &str, to: &str) -> String {
    let mut texts = own_texts();
    assert!(texts[rank].contains(from));
    texts[rank] = texts[rank].replacen(from, to, 1);
    parse(&texts).expect_err(to).to_string()
}

#[test]
fn invalid_traces_are_rejected_with_file_line_and_expectation() {
    for (rank, from, to, message) in [
        (
            0,
            "MPI_Recv:1000120",
            "MPI_Frob:1000120",
            "rank-0, line 6: `MPI_Frob` is not a call that can be replayed: sends, receives, waits, probes,",
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
            "rank-2: collective call 3 of rank 2 is none: MPI_Barrier, as for rank 0",
        ),
        (
            2,
            "MPI_Bcast:1000002.000000:5:2:",
            "MPI_Bcast:1000002.000000:5:3:",
            "rank-2, line 4: collective call 1 of rank 2 is MPI_Bcast of 12 bytes from rank 0: MPI_Bcast of 8",
        ),
    ] {
        let refusal = refusal(rank, from, to);
        assert!(refusal.starts_with(message), "{refusal}\n  instead of {message}");
        assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
    }
}

/// The handwritten trace, in which each rank first makes a communicator of all, whose handle is 3, and rank 1 then makes
/// other calls instead of its send.
fn with_duplicate(calls: &str) -> Result<Trace, TraceError> {
    let mut texts = own_texts();
    for (rank, text) in texts.iter_mut().enumerate() {
        let begun = text.find("MPI_Init").unwrap();
        let next = begun + text[begun..].find('\n').unwrap() + 1;
        text.insert_str(next, &format!("MPI_Comm_dup:1000000.1:0,{rank},3:77:1000000.2\n"));
    }
    let send = texts[1].lines().find(|line| line.starts_with("MPI_Send")).unwrap().to_owned();
    texts[1] = texts[1].replace(&send, calls);
    parse(&texts)
}

#[test]
fn a_duplicate_of_all_ranks_is_not_all_ranks() {
    let send = "MPI_Send:1000100:0:100:11,8,8:0:7:3,1,3:1000101";
    let trace = with_duplicate(send).unwrap();
    let sends: Vec<&Call> = calls(&trace, 1)
        .events
        .iter()
        .map(|event| &event.call)
        .filter(|call| matches!(call, Call::Send { .. } | Call::Begin { .. }))
        .collect();
    let [Call::Begin { transfer: Transfer::Send(sent), .. }] = sends[..] else { panic!("{sends:?}") };
    assert_eq!((sent.communicator, sent.target, sent.bytes), (1, 0, 800));
    let freed = format!("MPI_Comm_free:1000099:77:1000099.5\n{send}");
    let refusal = with_duplicate(&freed).unwrap_err().to_string();
    assert!(refusal.contains("of which this is rank 1 of 3, that is not known"), "{refusal}");
}

#[test]
fn a_persistent_request_on_a_freed_communicator_cannot_be_started() {
    let init = "MPI_Send_init:1000099:0:100:11,8,8:0:7:3,1,3:5000:1000099.1\n";
    let start = "MPI_Start:1000099.4:5000:1000099.5";
    assert!(with_duplicate(&format!("{init}{start}")).is_ok());
    let freed = format!("{init}MPI_Comm_free:1000099.2:77:1000099.3\n{start}");
    let refusal = with_duplicate(&freed).unwrap_err().to_string();
    assert!(refusal.contains("a call on a communicator that has been freed"), "{refusal}");
}

#[test]
fn directories_without_a_complete_trace_are_rejected() {
    let refusal = |name: &str, files: &[&str]| {
        let directory = std::env::temp_dir().join(format!("torusim-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        files.iter().for_each(|file| std::fs::write(directory.join(file), "# cut\n").unwrap());
        let error = Trace::read(&directory, TraceFormat::Liballprof).unwrap_err();
        std::fs::remove_dir_all(&directory).unwrap();
        error.problem
    };
    assert_eq!(refusal("empty", &["other.txt"]), "holds no trace");
    let gap = ["pmpi-trace-rank-0.txt", "pmpi-trace-rank-2.txt"];
    assert_eq!(refusal("gap", &gap), "pmpi-trace-rank-1.txt is missing");
    assert_eq!(refusal("cut", &gap[..1]), "the file ends before MPI_Finalize");
    let missing = Trace::read(Path::new("/does/not/exist"), TraceFormat::Liballprof).unwrap_err();
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

    /// What is read can be replayed: it may be stuck, but no call is one that MPI refuses.
    #[test]
    fn garbled_traces_of_all_calls_never_panic(
        rank in 0usize..4,
        flips in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789:-,".to_vec())), 1..4),
        line in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    ) {
        let mut texts: Vec<Vec<u8>> = all_calls();
        let text = &mut texts[rank];
        for (index, byte) in flips {
            let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
            text[*index.get(&digits)] = byte;
        }
        if let Some((from, to)) = line {
            // A line more, or one less.
            let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let taken = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len()), taken);
            *text = lines.join(&b'\n');
        }
        if let Ok(trace) = parse(&texts) {
            begin(&trace, 1.0);
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
    let error = Trace::read(&directory, TraceFormat::Liballprof).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is not a file: the file of a trace is needed", path.display()));
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = Trace::read(&directory, TraceFormat::Liballprof).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is not a file: the file of a trace is needed", path.display()));
}
