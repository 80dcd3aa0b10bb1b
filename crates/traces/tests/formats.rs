//! Traces of all formats: damaged ones are refused with the file and the place in it.

mod encoded;

use std::path::{Path, PathBuf};
use traces::{Trace, TraceFormat};

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Public traces of large language models reduce up to 5.6 GB at a time. Only the length of a message is limited.
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
            // A cut between two nodes leaves a valid file, but it lacks nodes on which others depend, or a
            // collective.
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

/// In DUMPI the operation follows count and datatype. An operation that a rank has created itself is known only to
/// that rank.
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
    let names: Vec<_> = TraceFormat::ALL.iter().map(|format| format.name()).collect();
    let message = format!("holds no trace of a known format: supported are {}", names.join(", "));
    assert!(refusal(&folder).contains(&message));
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
