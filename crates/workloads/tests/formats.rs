//! Traces of all formats: read as they are, replayed to the end, the same on both engines.

#[path = "../../traces/tests/encoded/mod.rs"]
mod encoded;
mod replaying;

use messaging::Progress;
use network::reference::ReferenceEngine;
use network::windowed::new_engine;
use replaying::{given, network, replay_on, traffic};
use std::path::{Path, PathBuf};
use traces::{Part, Trace, TraceFormat};

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/data").join(name)
}

/// Replays a trace on both engines, which agree; it ends. Returns messages and bytes sent, and the last finish.
fn assert_replayed(trace: &Trace) -> (u64, u64, u64) {
    let new = |threads: usize| new_engine(network(trace.ranks()), traffic(trace, 1.0), threads);
    let whole = replay_on(&mut *new(1), &[1 << 30]);
    assert_eq!(whole.progress, Progress::Finished);
    assert_eq!(whole, replay_on(&mut *new(2), &[7, 1000, 1 << 30]));
    let mut reference = ReferenceEngine::new(network(trace.ranks()), traffic(trace, 1.0));
    assert_eq!(whole, replay_on(&mut reference, &[1 << 30]));
    assert_eq!(whole.totals.messages_sent, whole.totals.messages_received);
    (whole.totals.messages_sent, whole.totals.bytes_sent, whole.last_finish())
}

/// The counts of calls of a rank.
fn counts(trace: &Trace, rank: u32) -> Vec<(&'static str, u64)> {
    trace.rank(rank).counts().iter().map(|(name, count)| (*name, *count)).collect()
}

fn count(trace: &Trace, name: &str) -> u64 {
    trace.counts().get(name).copied().unwrap_or(0)
}

#[test]
fn every_call_of_liballprof_is_replayed() {
    let trace = Trace::read(&own("calls"), TraceFormat::Auto).unwrap();
    assert_eq!((trace.format(), trace.ranks()), (Some(TraceFormat::Liballprof), 4));
    assert_eq!(
        (count(&trace, "MPI_Isend"), count(&trace, "MPI_Test"), count(&trace, "MPI_Comm_split")),
        (8, 8, 4)
    );
    let (messages, _, _) = assert_replayed(&trace);
    assert!(messages > 100, "{messages}");
    let Part::Calls(calls) = trace.rank(0) else { panic!("it has calls") };
    assert_eq!(calls.local_calls, 3);
}

#[test]
fn operations_of_a_schedule_wait_for_one_another() {
    let trace = Trace::read(&own("goal/exchange.goal"), TraceFormat::Auto).unwrap();
    assert_eq!((trace.format(), trace.ranks()), (Some(TraceFormat::Goal), 3));
    assert_eq!(counts(&trace, 0), [("calc", 2), ("recv", 2), ("send", 1)]);
    let (messages, bytes, finish) = assert_replayed(&trace);
    assert_eq!((messages, bytes), (3, 824));
    // After 100 ns, 800 bytes take 830 cycles to arrive, while rank 0 computes for 2 us, 350 cycles; then it computes for
    // 500 ns, 88 cycles.
    assert!((17 + 800 + 88..17 + 850 + 88).contains(&finish), "{finish}");
}

#[test]
fn a_calls_trace_of_dumpi_is_replayed() {
    let trace = Trace::from_contents(TraceFormat::Dumpi, encoded::dumpi()).unwrap();
    assert_eq!(
        counts(&trace, 0),
        [("MPI_Allreduce", 1), ("MPI_Comm_split", 1), ("MPI_Isend", 1), ("MPI_Waitall", 1)]
    );
    assert_eq!(counts(&trace, 1)[2], ("MPI_Irecv", 1));
    let Part::Calls(calls) = trace.rank(0) else { panic!("it has calls") };
    // 20 us before the send, 5 us before the wait.
    let compute: Vec<u64> = calls.events.iter().map(|event| event.compute_ps / 1_000_000).collect();
    assert_eq!(compute[..2], [20, 5]);
    let (messages, bytes, _) = assert_replayed(&trace);
    // The message; of the split, an allgather of 8 bytes and the agreement on an id; the allreduce.
    assert_eq!((messages, bytes), (1 + 2 + 2 + 2, 40 + 2 * 8 + 2 * 256 + 2 * 24));
}

#[test]
fn nodes_of_chakra_are_replayed() {
    let trace = Trace::from_contents(TraceFormat::Chakra, encoded::chakra()).unwrap();
    assert_eq!(counts(&trace, 0), [("COMM_COLL_NODE", 2), ("COMM_SEND_NODE", 1), ("COMP_NODE", 1)]);
    let (messages, _, finish) = assert_replayed(&trace);
    assert!(messages > 3 && finish > 175 * 7, "{messages} {finish}");
}

/// Public traces of large language models reduce up to 5.6 GB at a time: what counts is the length of a message.
#[test]
fn collectives_of_chakra_may_be_longer_than_a_message() {
    let read = |npus, comm_type, bytes| {
        Trace::from_contents(TraceFormat::Chakra, encoded::chakra_collective(npus, comm_type, bytes))
    };
    for bytes in [2_800_000_000, 5_600_000_000] {
        assert!(read(8, 0, bytes).is_ok(), "an all-reduce of {bytes} bytes");
    }
    for (npus, comm_type, bytes) in [(4, 0, 5_600_000_000), (8, 5, 2_800_000_000)] {
        let error = read(npus, comm_type, bytes).unwrap_err().to_string();
        assert!(error.contains("bytes are more than 1073741824"), "{error}");
    }
}

#[test]
fn given_dumpi_is_replayed() {
    let Some(path) = given("dumpi") else { return };
    for path in [path.clone(), path.join("testbgp.meta"), path.join("testbgp-0003.bin")] {
        let trace = Trace::read(&path, TraceFormat::Auto).unwrap();
        assert_eq!((trace.format(), trace.ranks()), (Some(TraceFormat::Dumpi), 7));
        for rank in 0..7 {
            let expected = [
                ("MPI_Alltoall", 7),
                ("MPI_Barrier", 3),
                ("MPI_Irecv", 84),
                ("MPI_Isend", 84),
                ("MPI_Waitall", 14),
            ];
            let without_creation =
                counts(&trace, rank).into_iter().filter(|(name, _)| *name != "MPI_Comm_create");
            assert_eq!(without_creation.collect::<Vec<_>>(), expected);
        }
    }
    let trace = Trace::read(&path, TraceFormat::Dumpi).unwrap();
    let (messages, _, _) = assert_replayed(&trace);
    // Messages to itself, too; alltoalls of 7 ranks, barriers of three rounds, and the agreement on a communicator's id.
    assert_eq!(messages, 7 * 84 + 7 * 7 * 6 + 3 * 7 * 3 + (4 * 2 + 2 * 3));
}

#[test]
fn given_goal_is_replayed() {
    let Some(path) = given("goal") else { return };
    let trace = Trace::read(&path, TraceFormat::Auto).unwrap();
    assert_eq!((trace.ranks(), count(&trace, "send"), count(&trace, "recv")), (32, 31, 31));
    let (messages, bytes, _) = assert_replayed(&trace);
    assert_eq!((messages, bytes), (31, 31));
}

#[test]
fn given_chakra_is_replayed() {
    let Some(path) = given("chakra") else { return };
    for name in ["all_reduce_8", "all_to_all_8"] {
        let trace = Trace::read(&path.join(name), TraceFormat::Auto).unwrap();
        assert_eq!((trace.format(), trace.ranks()), (Some(TraceFormat::Chakra), 8));
        assert_eq!(count(&trace, "COMM_COLL_NODE"), 8);
        let (_, bytes, _) = assert_replayed(&trace);
        // 1 MiB a rank: Rabenseifner's allreduce sends twice 7/8 of it, an all-to-all 7/8.
        let parts = if name == "all_reduce_8" { 14 } else { 7 };
        assert_eq!(bytes, 8 * parts * (1 << 17));
    }
    let trace = Trace::read(&path.join("ring_allreduce_8"), TraceFormat::Auto).unwrap();
    assert_eq!(counts(&trace, 5), [("COMM_RECV_NODE", 14), ("COMM_SEND_NODE", 14), ("COMP_NODE", 7)]);
    let (messages, bytes, _) = assert_replayed(&trace);
    assert_eq!((messages, bytes), (8 * 14, 8 * 14 * 131_072));
}

/// OTF2's library has to be there, such as by TORUSIM_OTF2_LIBRARY; the package's tests have it.
#[test]
fn given_otf2_is_replayed() {
    let Some(path) = given("otf2-pingpong") else { return };
    let trace = match Trace::read(&path, TraceFormat::Auto) {
        Ok(trace) => trace,
        Err(error) if error.problem.contains("cannot be loaded") => return println!("skipped: {error}"),
        Err(error) => panic!("{error}"),
    };
    assert_eq!((trace.format(), trace.ranks()), (Some(TraceFormat::Otf2), 2));
    assert_eq!(trace.counts().get("MpiSend"), trace.counts().get("MpiRecv"));
    println!("{:?}", trace.counts());
    let (messages, _, _) = assert_replayed(&trace);
    assert!(messages >= count(&trace, "MpiSend"));
}

fn refusal(format: TraceFormat, files: Vec<(PathBuf, Vec<u8>)>) -> String {
    Trace::from_contents(format, files).unwrap_err().to_string()
}

#[test]
fn damaged_schedules_are_refused_with_file_and_line() {
    let text = std::fs::read_to_string(own("goal/exchange.goal")).unwrap();
    for (from, to, message) in [
        ("num_ranks 3", "num_ranks", "g, line 3: the number of ranks ``: a number from 1 to 16777216"),
        ("send 8b to 2", "send 8b to 3", "g, line 9: a rank `3`: a number from 0 to 2"),
        ("send 8b to 2", "send 8b from 2", "g, line 9: `from`: `to`"),
        (
            "l4 requires l1",
            "l4 requires l9",
            "g, line 10: there is no operation `l9`: a label from a line before",
        ),
        (
            "b irequires a",
            "b irequires a\ns requires b",
            "g, line 23: `s` of rank 1 waits for itself, through others perhaps",
        ),
        ("recv 8b from 0\n}", "recv 8b from 0", "g, line 25: the file ends in the schedule of rank 2"),
        ("calc 2000", "work 2000", "g, line 7: `work`: `send`, `recv` or `calc`"),
        ("rank 2 {\nrecv 8b from 0\n}\n", "", "g, line 23: the schedule of rank 2 is missing"),
    ] {
        let altered = text.replacen(from, to, 1);
        assert_ne!(altered, text, "{from}");
        let refusal = refusal(TraceFormat::Goal, vec![(PathBuf::from("g"), altered.into_bytes())]);
        assert!(refusal.starts_with(message), "{refusal}\n  instead of {message}");
    }
}

#[test]
fn damaged_binary_files_are_refused_with_file_and_byte() {
    for (format, files) in [(TraceFormat::Dumpi, encoded::dumpi()), (TraceFormat::Chakra, encoded::chakra())]
    {
        for length in 0..files[1].1.len() {
            let mut cut = files.clone();
            cut[1].1.truncate(length);
            // A cut between two nodes leaves a whole file, which lacks what others depend on, or a collective.
            let error = Trace::from_contents(format, cut).unwrap_err();
            assert_eq!(error.file, files[1].0, "{error}");
            assert!(
                error.place.is_some() || length == 0 || format == TraceFormat::Chakra,
                "{length}: {error}"
            );
        }
    }
}

#[test]
fn collectives_that_differ_are_refused() {
    let mut files = encoded::dumpi();
    let count = files[1].1.windows(4).rposition(|bytes| bytes == [0, 0, 0, 3]).unwrap();
    files[1].1[count + 3] = 4;
    let message = refusal(TraceFormat::Dumpi, files);
    assert!(
        message.contains("MPI_Allreduce of 32 bytes: MPI_Allreduce of 24 bytes, as for rank 0"),
        "{message}"
    );
}

/// In DUMPI the operation follows count and datatype; one that a rank has made itself is known to it alone.
#[test]
fn reductions_by_other_operations_are_refused() {
    let refusal_with = |operation: u8| {
        let mut files = encoded::dumpi();
        let count = files[1].1.windows(4).rposition(|bytes| bytes == [0, 0, 0, 3]).unwrap();
        let place = count + 4 + 2;
        assert_ne!(files[1].1[place], operation);
        files[1].1[place] = operation;
        Trace::from_contents(TraceFormat::Dumpi, files).err().map(|error| error.to_string())
    };
    let message = refusal_with(4).unwrap();
    assert!(
        message.contains("MPI_Allreduce of 24 bytes by operation 4: MPI_Allreduce of 24 bytes by operation"),
        "{message}"
    );
    assert_eq!(refusal_with(40), None);
}

#[test]
fn unknown_content_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unknown");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let refusal = |path: &Path| Trace::read(path, TraceFormat::Auto).unwrap_err().to_string();
    assert!(
        refusal(&folder).contains(
            "holds no trace of a known format: supported are liballprof, dumpi, goal, chakra, otf2"
        )
    );
    std::fs::write(folder.join("notes.txt"), "nothing of that kind").unwrap();
    assert!(refusal(&folder.join("notes.txt")).contains("is no trace of a known format"));
    std::fs::write(folder.join("run.PRV"), "#Paraver").unwrap();
    assert!(
        refusal(&folder)
            .contains("run.PRV is a trace in the format Paraver, which is not read: supported are")
    );
    std::fs::copy(own("goal/exchange.goal"), folder.join("exchange.goal")).unwrap();
    assert!(Trace::read(&folder, TraceFormat::Auto).is_ok());
    std::fs::copy(own("calls/pmpi-trace-rank-0.txt"), folder.join("pmpi-trace-rank-0.txt")).unwrap();
    assert!(refusal(&folder).contains("holds traces of several formats (goal, liballprof)"));
}
