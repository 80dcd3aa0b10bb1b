//! Fuzz target: traces.

mod encoded;
#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

use encoded::{Sample, samples};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use traces::{Trace, TraceFormat};

/// A trace is read, or refused with a message of one text line.
fn check(format: TraceFormat, files: Vec<(std::path::PathBuf, Vec<u8>)>) -> Result<(), TestCaseError> {
    if let Err(error) = Trace::from_contents(format, files) {
        let message = error.to_string();
        prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
    }
    Ok(())
}

#[test]
fn damaged_traces_are_read_or_rejected_in_one_line() {
    for &format in TraceFormat::ALL {
        for Sample { files, words } in samples(format) {
            let contents: Vec<Vec<u8>> = files.iter().map(|(_, content)| content.clone()).collect();
            let damaged = (0..files.len(), mutation::mutated(contents, words));
            let tried = TestRunner::default().run(&damaged, |(rank, content)| {
                let mut files = files.clone();
                files[rank].1 = content;
                check(format, files)
            });
            tried.unwrap_or_else(|error| panic!("{}: {error}", format.name()));
        }
    }
}
