//! Backfilling on plain machines, checked against the definitions of the rules.

mod support;

use scheduling::backfill::Backfill;
use scheduling::machine::Plain;
use support::{job, rules, run, starts};

/// A case that two popular simulators get wrong: under EASY, job 3 must not start before job 2.
const FOUR_JOBS: [[i64; 5]; 4] =
    [[1, 0, 100, 6, 100], [2, 1, 50, 10, 50], [3, 2, 90, 4, 500], [4, 3, 60, 4, 60]];

#[test]
fn four_jobs() {
    let cases = [
        (Backfill::None, [0, 100, 150, 150]),
        (Backfill::Greedy, [0, 152, 2, 92]),
        (Backfill::Easy, [0, 100, 150, 3]),
        (Backfill::Conservative, [0, 100, 150, 3]),
    ];
    for (backfill, expected) in cases {
        let queue = run(&FOUR_JOBS.map(job), Plain::new(10), rules("fcfs", backfill), vec![]);
        assert_eq!(starts(&queue), expected.map(Some), "{backfill}");
    }
}
