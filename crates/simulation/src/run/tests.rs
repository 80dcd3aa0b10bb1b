//! Ranks that end otherwise than with `MPI_Finalize`, which no program of a scenario does.

use super::*;
use crate::engine::build_engine;
use crate::result::RunResult;
use crate::scenario::resolve;
use crate::traffic::costs;
use base::checkpoint::{FrameReader, FrameWriter};
use input::{Override, parse_override};
use messaging::{
    Completion, End, Message, MessageId, Messages, MessagingBuilder, Operation, RankMap, RankSlot, Ranks,
    Waiting,
};
use mpi::Mpi;
use network::{Parts, Traffic};
use serde_json::json;
use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::Arc;
use workloads::exchange::KernelProgram;
use workloads::ranks::KernelPlan;
use workloads::{PlannedTraffic, RankWork};

const SCENARIO: &str = "
[machine]
shape = [4, 4, 4]
[workload]
kind = \"kernel\"
name = \"halo-3d\"
bytes = 4096
iterations = 100
[run]
series_interval_cycles = 5000
";

/// A halo exchange in which some ranks end in a given way once they are resumed at this processor cycle or later.
struct Ending {
    ranks: Mpi<KernelProgram>,
    ends: Vec<(u32, u64, End)>,
}

impl Ranks for Ending {
    fn arrive(&mut self, rank: RankSlot, message: &Message, accepted: &mut Vec<MessageId>) -> bool {
        self.ranks.arrive(rank, message, accepted)
    }

    fn resume(
        &mut self,
        rank: RankSlot,
        time: u64,
        completions: &[Completion],
        operations: &mut Vec<Operation>,
    ) {
        match self.ends.iter().find(|(of, at, _)| *of == rank.rank && *at <= time) {
            Some((_, _, end)) => operations.push(Operation::Finish(*end)),
            None => self.ranks.resume(rank, time, completions, operations),
        }
    }

    fn waiting(&self, rank: RankSlot) -> Waiting {
        self.ranks.waiting(rank)
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, rank: RankSlot, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.ranks.save(rank, frames)
    }

    fn restore(&mut self, rank: RankSlot, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.ranks.restore(rank, frames)
    }

    fn as_any(&self) -> &dyn Any {
        self.ranks.as_any()
    }
}

fn traffic(scenario: &Scenario, plan: &KernelPlan, ends: &[(u32, u64, End)]) -> Traffic {
    let (parameters, ends) = (scenario.messaging_parameters(), ends.to_vec());
    let costs = costs(scenario);
    let program = plan.clone();
    let new_ranks = move |ranks: &[Option<u32>]| -> Box<dyn Ranks> {
        let ranks = Mpi::new(costs, program.ranks(), ranks, |rank| program.program(rank));
        Box::new(Ending { ranks, ends: ends.clone() })
    };
    let map = RankMap::in_order(plan.ranks(), &scenario.parameters.shape, 1).unwrap();
    let builder = MessagingBuilder::new(&scenario.parameters, &parameters, map, Messages::ANY, new_ranks);
    Traffic::Software(Arc::new(builder.unwrap()))
}

/// The result of a run in slices of the given length.
fn result(
    (engine, threads, slice_cycles): (EngineKind, usize, u64),
    overrides: &[&str],
    ends: &[(u32, u64, End)],
) -> RunResult {
    let overrides: Vec<Override> = overrides.iter().map(|text| parse_override(text).unwrap()).collect();
    let scenario = resolve(SCENARIO, "test.toml", Path::new(""), &overrides).unwrap();
    let PlannedTraffic::Ranks(RankWork::Kernel(plan)) = scenario.plan().unwrap().traffic else {
        panic!("the scenario is a kernel")
    };
    let traffic = traffic(&scenario, &plan, ends);
    let parameters = scenario.parameters.clone();
    let mut run = Run::new(scenario, engine, threads).unwrap();
    let parts = Parts::equal(&Peers::none(), parameters.shape.nodes());
    run.engine = build_engine(engine, parameters, traffic, threads, &parts);
    let mut is_done = false;
    while !is_done {
        run.slice = Slice::of(slice_cycles);
        is_done = run.advance(Duration::ZERO).done;
    }
    run.finish(false)
}

const WAYS: [(EngineKind, usize, u64); 5] = [
    (EngineKind::Reference, 1, 64),
    (EngineKind::Reference, 1, 1 << 30),
    (EngineKind::Windowed, 1, 7),
    (EngineKind::Windowed, 3, 1000),
    (EngineKind::Windowed, 3, 1 << 30),
];

/// The result, which is the same in several ways of running.
fn same_result(overrides: &[&str], ends: &[(u32, u64, End)]) -> RunResult {
    let mut results = WAYS.map(|way| result(way, overrides, ends)).into_iter();
    let expected = results.next().expect("there are several");
    for result in results {
        let keys =
            ["outcome", "outcome_detail", "cycles", "digest", "operations_digest", "packets_delivered"];
        for key in keys {
            assert_eq!(result.summary[key], expected.summary[key], "{key}");
        }
        assert!(result.tables == expected.tables);
    }
    expected
}

#[test]
fn an_aborted_run_is_the_same_for_all_engines_threads_and_slices() {
    let ends =
        [(40, 60_000, End::Aborted { code: 7 }), (20, 90_000, End::Failed), (3, 120_000, End::Finalized)];
    let failed = same_result(&[], &ends[1..]);
    let detail = &failed.summary["outcome_detail"];
    assert_eq!((&detail["rank"], &detail["code"]), (&json!(20), &json!(null)));
    let aborted = same_result(&[], &ends);
    let detail = &aborted.summary["outcome_detail"];
    let cycle = detail["cycle"].as_u64().unwrap();
    assert_eq!(aborted.summary["outcome"], "aborted");
    assert_eq!(detail["words"], format!("rank 40 called MPI_Abort with code 7 at cycle {cycle}"));
    assert_eq!((&detail["rank"], &detail["code"]), (&json!(40), &json!(7)));
    assert_eq!(aborted.summary["cycles"], 100_000);
    let rows = same_result(&["run.series_interval_cycles=777"], &ends);
    assert_eq!(rows.summary["digest"], aborted.summary["digest"]);
    let limited = |limit| {
        let result = same_result(&[&format!("run.time_limit_cycles={limit}")], &ends);
        (result.summary["outcome"].clone(), result.summary["cycles"].clone())
    };
    assert_eq!(limited(cycle), (json!("time-limit"), json!(cycle)));
    assert_eq!(limited(cycle + 1), (json!("aborted"), json!(cycle + 1)));
}

/// Nothing that a finalized rank leaves undone is an abort.
#[test]
fn a_rank_that_finalizes_early_leaves_others_stuck() {
    assert_eq!(same_result(&[], &[(3, 60_000, End::Finalized)]).summary["outcome"], "stuck");
}
