//! Fuzz target: traces.

#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

use proptest::prelude::*;
use std::path::PathBuf;
use workloads::trace::Trace;

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
    "-1",
    "-2",
    ":",
    "::",
    "- ",
];

fn texts() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/exchange");
    (0..3).map(|rank| std::fs::read(folder.join(format!("pmpi-trace-rank-{rank}.txt"))).unwrap()).collect()
}

proptest! {
    #[test]
    fn traces_are_read_or_rejected_in_one_line(rank in 0usize..3, text in mutation::mutated(texts(), WORDS)) {
        let mut texts = texts();
        texts[rank] = text;
        let file = |(rank, text): (usize, Vec<u8>)| (PathBuf::from(format!("rank-{rank}")), std::io::Cursor::new(text));
        if let Err(error) = Trace::from_readers(texts.into_iter().enumerate().map(file).collect()) {
            let message = error.to_string();
            prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
        }
    }
}
