//! Backfilling on plain machines, checked against the definitions of the rules.

use scheduling::backfill::Backfill;
use scheduling::job::{Job, sort};
use scheduling::machine::Plain;
use scheduling::queue::{Queue, Rules};

/// Number, submit, run, nodes, walltime.
fn job([id, submit, run, nodes, walltime]: [i64; 5]) -> Job {
    Job { id, submit, run, walltime, nodes: nodes as u32, ..Job::default() }
}

fn rules(backfill: Backfill) -> Rules {
    Rules { policy: "fcfs".parse().unwrap(), backfill, threshold: 0.0, kill: false, restart: true }
}

fn starts(nodes: u32, rows: &[[i64; 5]], rules: Rules) -> Vec<Option<i64>> {
    let mut jobs: Vec<Job> = rows.iter().copied().map(job).collect();
    sort(&mut jobs);
    let mut queue = Queue::new(jobs, Plain::new(nodes), rules, vec![]);
    while queue.advance(1000) {}
    queue.records().iter().map(|record| record.start).collect()
}

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
        assert_eq!(starts(10, &FOUR_JOBS, rules(backfill)), expected.map(Some), "{backfill}");
    }
}
