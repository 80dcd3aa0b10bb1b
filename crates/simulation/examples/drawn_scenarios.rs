//! Prints random scenarios, one in each line, as JSON: those of the random tests, for tests in Python.
//!
//! ```text
//! drawn_scenarios SEED COUNT
//! ```
//!
//! The same seed gives the same scenarios. Traces are written to the folder of temporary files.

#[path = "../tests/random/mod.rs"]
mod random;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use random::{Drawn, any_one_job, any_whole_machine, cases, two_jobs};
use serde_json::Value;
use std::io::{BufWriter, Write};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let (Some(Ok(seed)), Some(Ok(count)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
        eprintln!("usage: drawn_scenarios SEED COUNT");
        std::process::exit(2);
    };
    let mut runner = seeded(seed);
    let whole = any_whole_machine().boxed();
    let kinds = [whole.clone(), two_jobs().boxed(), whole.clone(), any_one_job().boxed(), whole];
    let mut out = BufWriter::new(std::io::stdout().lock());
    for kind in kinds.iter().cycle().take(count as usize) {
        writeln!(out, "{}", next(&mut runner, kind)).expect("the reader waits for all of them");
    }
}

fn seeded(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(cases(1), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// The next scenario of a kind that resolves.
fn next(runner: &mut TestRunner, kind: &BoxedStrategy<Drawn>) -> Value {
    loop {
        let drawn = kind.new_tree(runner).expect("there are scenarios that suit").current();
        if let Some(scenario) = drawn.limited() {
            return scenario.to_json();
        }
    }
}
