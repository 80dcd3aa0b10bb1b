//! Fuzz target: job logs. What is read is scheduled under every backfilling rule of plain machines.

#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;
mod support;

use proptest::prelude::*;
use scheduling::backfill::Backfill;
use scheduling::job::Job;
use scheduling::log::{Arrival, Format, Reading, Walltimes, read_from};
use scheduling::machine::Plain;
use scheduling::site::{Dependencies, Site};
use support::{rules, run_at_site};

const WORDS: &[&str] =
    &["; MaxProcs: 64", "; MaxNodes: 4", "-1", " -1 -1 -1 ", "5", "86400", ";", "\t", "1e9", "0x10"];
const SACCT_WORDS: &[&str] = &[
    "|",
    "||",
    "JobID",
    "JobIDRaw",
    "Elapsed",
    "Dependency",
    "SubmitLine",
    "UNLIMITED",
    "Partition_Limit",
    "Unknown",
    "1-00:00:00",
    "99999999999999999999",
    "2024-03-01T08:00:00",
    "9999-12-31T23:59:59",
    "_[1-5%2]",
    "+1",
    ".batch",
    "4K",
    "afterok:1:2_3,afterany:4",
    "--dep",
    "-dafterok:1",
    "\"",
    "+0200",
    "REQUEUED",
    "NODE_FAIL",
    "CANCELLED by 0",
    "RUNNING",
    "\n",
];
const NODES: u32 = 64;

/// The output of a real Slurm 22.05.8 of one node.
const SACCT: &[u8] = include_bytes!("../../../tests/data/sacct.txt");

fn corpus() -> Vec<Vec<u8>> {
    let swf = b"; MaxProcs: 64\n1 0 0 100 6 -1 -1 6 100 -1 1 3 1 1 1 -1 -1 -1\n2 1 5 50 10 -1 -1 10 50 -1 1 3 1 2 1 -1 -1 -1\n\
        3 2 -1 90 4 -1 -1 4 500 -1 1 4 1 1 1 -1 -1 -1\n4 3 -1 60 4 -1 -1 4 60 -1 0 3 1 1 1 -1 -1 -1\n"
        .to_vec();
    let argonne = b"1 0 100 6 x\n2 1 50 10 x\n3 2 90 4 x\n4 3 60 4 x\n".to_vec();
    vec![swf, argonne]
}

fn schedule(jobs: &[Job], site: &Site) {
    for backfill in [Backfill::None, Backfill::Greedy, Backfill::Easy, Backfill::Conservative] {
        let queue = run_at_site(jobs, Plain::new(NODES), rules("fcfs", backfill), vec![], site);
        for (job, record) in queue.jobs().iter().zip(queue.records()) {
            assert!(record.start.is_none_or(|start| start >= job.submit), "{job:?} {record:?}");
            assert!(record.start.is_some() || record.reason.is_some(), "{job:?} {record:?}");
        }
    }
}

/// Reads a log with its dependencies, and schedules it, or checks the message.
fn check(text: &[u8], name: &str, per_node: u32) -> Result<(), TestCaseError> {
    let reading = Reading {
        format: Format::Guessed,
        processors_per_node: per_node,
        walltimes: Walltimes::Exact,
        arrival: Arrival::Eligible,
        window: 0..usize::MAX,
    };
    match read_from(text, name, &reading) {
        Ok(mut log) => {
            let jobs: Vec<Job> =
                log.jobs.into_iter().map(|job| Job { nodes: job.nodes.min(NODES), ..job }).collect();
            let dependencies = Dependencies::of(&jobs, &log.details, &mut log.report);
            schedule(&jobs, &Site::default());
            schedule(&jobs, &Site { dependencies, ..Site::default() });
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn logs_are_scheduled_or_rejected_in_one_line(text in mutation::mutated(corpus(), WORDS), per_node in 1u32..5) {
        check(&text, "fuzz.swf", per_node)?;
    }

    #[test]
    fn logs_of_sacct_are_scheduled_or_rejected_in_one_line(text in mutation::mutated(vec![SACCT.to_vec()], SACCT_WORDS)) {
        check(&text, "fuzz.txt", 1)?;
    }
}
