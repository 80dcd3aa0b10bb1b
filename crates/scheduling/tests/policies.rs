//! Policies that remember, by cases computed by hand.

mod support;

use scheduling::backfill::Backfill;
use scheduling::job::Job;
use scheduling::machine::Plain;
use scheduling::policy::{FairShare, Moment, Policy, UserUsage};
use scheduling::queue::Rules;
use std::collections::BTreeMap;
use std::f64::consts::LN_2;
use support::{rules, run};

const HALF_LIFE: i64 = 1000;

/// Number, submit, run, nodes, user.
fn job([id, submit, run, nodes, user]: [i64; 5]) -> Job {
    Job { id, submit, run, walltime: run.max(1), nodes: nodes as u32, user: user as i32, ..Job::default() }
}

/// The starts of jobs on ten nodes, without backfilling.
fn starts(rows: &[[i64; 5]], shares: &[(i32, f64)]) -> Vec<i64> {
    let shares = shares.iter().copied().collect();
    let policy = Policy::FairShare(FairShare { half_life_seconds: HALF_LIFE as f64, shares });
    let rules = Rules { policy, ..rules("fcfs", Backfill::None) };
    let jobs: Vec<Job> = rows.iter().copied().map(job).collect();
    let queue = run(&jobs, Plain::new(10), rules, vec![]);
    queue.records().iter().map(|record| record.start.expect("all run")).collect()
}

/// User 1 holds all nodes for 100 s. Then the job of user 2 starts before the second one of user 1, which came earlier.
const ONE_OVER_ITS_SHARE: [[i64; 5]; 3] = [[1, 0, 100, 10, 1], [2, 1, 10, 10, 1], [3, 2, 10, 10, 2]];

#[test]
fn users_below_their_share_come_first() {
    assert_eq!(starts(&ONE_OVER_ITS_SHARE, &[]), [0, 110, 100]);
    // Jobs of one user, and jobs without a user, keep their order.
    let of = |user: i64| ONE_OVER_ITS_SHARE.map(|[id, submit, run, nodes, _]| [id, submit, run, nodes, user]);
    assert_eq!(starts(&of(1), &[]), [0, 100, 110]);
    assert_eq!(starts(&of(-1), &[]), [0, 100, 110]);
}

/// Users 1 and 2 have used 10 nodes each, for 100 s and 50 s, at nearly the same time. With three shares user 1 has used
/// less of its shares than user 2, with one share more.
#[test]
fn shares_divide_usage() {
    let rows =
        [[1, 0, 100, 10, 1], [2, 1, 50, 10, 2], [3, 2, 200, 10, 3], [4, 3, 10, 10, 2], [5, 4, 10, 10, 1]];
    assert_eq!(starts(&rows, &[]), [0, 100, 150, 350, 360]);
    assert_eq!(starts(&rows, &[(1, 3.0)]), [0, 100, 150, 360, 350]);
}

/// User 1 has used 10 nodes for 1000 s, and user 2 for 400 s ten half-lives later. Only a thousandth of the former counts
/// then, so that user 1 comes first.
#[test]
fn old_usage_is_forgotten() {
    let rows = [[1, 0, 1000, 10, 1], [2, 11_000, 400, 10, 2], [3, 11_001, 10, 10, 2], [4, 11_002, 10, 10, 1]];
    assert_eq!(starts(&rows, &[]), [0, 11_000, 11_410, 11_400]);
    // Without the time between, it would not.
    let rows = [[1, 0, 1000, 10, 1], [2, 1, 400, 10, 2], [3, 2, 10, 10, 2], [4, 3, 10, 10, 1]];
    assert_eq!(starts(&rows, &[]), [0, 1000, 1400, 1410]);
}

#[test]
fn usage_decays_by_half_in_a_half_life() {
    let jobs = [job([1, 0, 1, 1, 1]), job([2, 0, 1, 1, 2])];
    let mut usage = UserUsage::new(HALF_LIFE as f64, &BTreeMap::from([(2, 3.0)]), &jobs);
    usage.start(1, 10, 0);
    usage.end(1, 10, HALF_LIFE);
    // The integral of 10 nodes, each second weighted by 2^-(age / half-life).
    let used = 10.0 * HALF_LIFE as f64 / LN_2 / 2.0;
    for (half_lives, expected) in [(1, used), (2, used / 2.0), (3, used / 4.0), (11, used / 1024.0)] {
        let found = usage.node_seconds(1, half_lives * HALF_LIFE);
        assert!((found / expected - 1.0).abs() < 1e-12, "{half_lives}: {found}");
    }
    // User 1 has used all, with a quarter of the shares; user 2 nothing.
    assert_eq!([1, 2].map(|user| usage.over_share(user, 5000)), [4.0, 0.0]);
    let policy: Policy = "fair-share".parse().expect("a name");
    let score = |number: usize| policy.score(&jobs[number], Moment { now: 5000, usage: Some(&usage) });
    assert_eq!([score(0), score(1)], [0.2, 1.0]);
}
