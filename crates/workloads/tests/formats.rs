//! Traces of all formats: read as they are, replayed to the end, with equal results on both engines.

#[path = "../../traces/tests/encoded/mod.rs"]
mod encoded;
mod replaying;

use messaging::Progress;
use reference::ReferenceEngine;
use replaying::{given, network, replay_on, traffic};
use std::path::{Path, PathBuf};
use traces::{Part, Trace, TraceFormat};
use windowed::new_engine;

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

/// OTF2's library must be available, for example by TORUSIM_OTF2_LIBRARY; the package's tests have it.
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
