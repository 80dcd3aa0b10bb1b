//! Traces of liballprof: read completely, or rejected with one clear message.

use mpi::{Call, ReceiveFrom, Room, Transfer};
use std::path::{Path, PathBuf};
use traces::{Part, RankTrace, Trace, TraceError, TraceFormat};

fn own_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/exchange")
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

fn parse(texts: &[impl AsRef<[u8]>]) -> Result<Trace, TraceError> {
    let file = |(rank, text)| (PathBuf::from(format!("rank-{rank}")), AsRef::<[u8]>::as_ref(text));
    Trace::from_readers(texts.iter().enumerate().map(file).collect())
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
            "MPI_I\u{feff}nit:1000120",
            "rank-0, line 6: `MPI_I\\u{feff}nit` is not a call that can be replayed: sends, receives, waits, probes,",
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

/// The handwritten trace, in which each rank first creates a communicator of all, whose handle is 3. Rank 1 then
/// makes other calls instead of its send.
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

/// A reader of bytes without newlines that fails the test when too many are read.
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
