//! Fuzz target: job logs. What is read is scheduled under every backfilling rule of plain machines.

#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

use proptest::prelude::*;
use scheduling::backfill::Backfill;
use scheduling::job::Job;
use scheduling::log::{Arrival, Format, Reading, Walltimes, read_from};
use scheduling::machine::Plain;
use scheduling::policy::Policy;
use scheduling::queue::{Queue, Rules};

const WORDS: &[&str] =
    &["; MaxProcs: 64", "; MaxNodes: 4", "-1", " -1 -1 -1 ", "5", "86400", ";", "\t", "1e9", "0x10"];
const NODES: u32 = 64;

fn corpus() -> Vec<Vec<u8>> {
    let swf = b"; MaxProcs: 64\n1 0 0 100 6 -1 -1 6 100 -1 1 3 1 1 1 -1 -1 -1\n2 1 5 50 10 -1 -1 10 50 -1 1 3 1 2 1 -1 -1 -1\n\
        3 2 -1 90 4 -1 -1 4 500 -1 1 4 1 1 1 -1 -1 -1\n4 3 -1 60 4 -1 -1 4 60 -1 0 3 1 1 1 -1 -1 -1\n"
        .to_vec();
    let argonne = b"1 0 100 6 x\n2 1 50 10 x\n3 2 90 4 x\n4 3 60 4 x\n".to_vec();
    vec![swf, argonne]
}

fn schedule(jobs: Vec<Job>) {
    for backfill in [Backfill::None, Backfill::Greedy, Backfill::Easy, Backfill::Conservative] {
        let rules = Rules { policy: Policy::Fcfs, backfill, threshold: 0.0, kill: false, restart: true };
        let mut queue = Queue::new(jobs.clone(), Plain::new(NODES), rules, vec![]);
        while queue.advance(1000) {}
        for (job, record) in queue.jobs().iter().zip(queue.records()) {
            assert!(record.start.is_none_or(|start| start >= job.submit), "{job:?} {record:?}");
        }
    }
}

proptest! {
    #[test]
    fn logs_are_scheduled_or_rejected_in_one_line(text in mutation::mutated(corpus(), WORDS), per_node in 1u32..5) {
        let reading =
            Reading { format: Format::Guessed, processors_per_node: per_node, walltimes: Walltimes::Exact, arrival: Arrival::Submit };
        match read_from(&text[..], "fuzz.swf", &reading) {
            Ok(log) => schedule(log.jobs.into_iter().map(|job| Job { nodes: job.nodes.min(NODES), ..job }).collect()),
            Err(error) => {
                let message = error.to_string();
                prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
            }
        }
    }
}
