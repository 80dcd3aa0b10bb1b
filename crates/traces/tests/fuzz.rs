//! Fuzz target: traces.

#[path = "encoded/mod.rs"]
mod encoded;
#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

use proptest::prelude::*;
use std::path::PathBuf;
use traces::{Trace, TraceError, TraceFormat};

const WORDS: &[&str] = &[
    "MPI_Send",
    "MPI_Recv",
    "MPI_Bcast",
    "MPI_Allreduce",
    "MPI_Barrier",
    "MPI_Init",
    "MPI_Finalize",
    "MPI_Comm_rank",
    "MPI_Wtime",
    "MPI_Isend",
    "MPI_Comm_split",
    "MPI_Comm_free",
    "MPI_Startall",
    "MPI_Waitany",
    "MPI_Cancel",
    "-1",
    "-2",
    ":",
    "::",
    "- ",
];

const GOAL_WORDS: &[&str] = &[
    "send",
    "recv",
    "calc",
    "requires",
    "irequires",
    "rank",
    "num_ranks",
    "{",
    "}",
    "-1",
    "tag",
    "cpu",
    "/*",
    "//",
    ":",
];

fn data(name: &str) -> Vec<u8> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn texts(folder: &str, ranks: usize) -> Vec<Vec<u8>> {
    (0..ranks).map(|rank| data(&format!("{folder}/pmpi-trace-rank-{rank}.txt"))).collect()
}

fn contents(files: &[(PathBuf, Vec<u8>)]) -> Vec<Vec<u8>> {
    files.iter().map(|(_, bytes)| bytes.clone()).collect()
}

/// A trace is read, or refused in one line.
fn check(read: Result<Trace, TraceError>) -> Result<(), TestCaseError> {
    if let Err(error) = read {
        let message = error.to_string();
        prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
    }
    Ok(())
}

fn with(
    format: TraceFormat,
    mut contents: Vec<Vec<u8>>,
    rank: usize,
    altered: Vec<u8>,
) -> Result<(), TestCaseError> {
    contents[rank] = altered;
    let file = |(rank, content)| (PathBuf::from(format!("rank-{rank}")), content);
    check(Trace::from_contents(format, contents.into_iter().enumerate().map(file).collect()))
}

proptest! {
    #[test]
    fn traces_are_read_or_rejected_in_one_line(rank in 0usize..3, text in mutation::mutated(texts("exchange", 3), WORDS)) {
        with(TraceFormat::Liballprof, texts("exchange", 3), rank, text)?;
    }

    #[test]
    fn traces_of_all_calls_are_read_or_rejected(rank in 0usize..4, text in mutation::mutated(texts("calls", 4), WORDS)) {
        with(TraceFormat::Liballprof, texts("calls", 4), rank, text)?;
    }

    #[test]
    fn schedules_are_read_or_rejected(text in mutation::mutated(vec![data("goal/exchange.goal")], GOAL_WORDS)) {
        check(Trace::from_contents(TraceFormat::Goal, vec![(PathBuf::from("goal"), text)]))?;
    }

    #[test]
    fn files_of_dumpi_are_read_or_rejected(rank in 0usize..2, bytes in mutation::mutated(contents(&encoded::dumpi()), &["DUMPI"])) {
        with(TraceFormat::Dumpi, contents(&encoded::dumpi()), rank, bytes)?;
    }

    #[test]
    fn files_of_chakra_are_read_or_rejected(rank in 0usize..3, bytes in mutation::mutated(contents(&encoded::chakra()), &["comm_size", "comm_src", "pg_name"])) {
        with(TraceFormat::Chakra, contents(&encoded::chakra()), rank, bytes)?;
    }
}
