//! Programs outside the simulator: their runs are those of the same programs inside.

use mpi::{Answer, Call, Failure, FailureKind, OutsideRanks, Programs, Stop, WakeUp};
use serde_json::{Value, json};
use simulation::{
    EngineKind, LedRun, Mappings, ProgramRecorder, Recording, Run, Scenario, check, lead_threads,
    resolve_plain, resolve_program,
};
use std::sync::Arc;
use std::time::Duration;
use workloads::exchange::KernelProgram;
use workloads::kernels::Kernel;
use workloads::ranks::KernelPlan;
use workloads::{Context, Placement, PlannedTraffic, RankWork, Workload};

fn halo() -> Value {
    json!({ "kind": "kernel", "name": "halo-3d", "bytes": 3000, "iterations": 4 })
}

/// A kernel whose ranks begin with communicators of their own.
fn fft() -> Value {
    json!({ "kind": "kernel", "name": "fft-3d", "n": [32, 32, 32], "grid": [8, 4], "iterations": 2 })
}

/// The plan of a kernel, on the machine of [`scenario`].
fn plan(mut parameters: Value) -> KernelPlan {
    parameters.as_object_mut().unwrap().remove("kind");
    let kernel: Kernel = serde_json::from_value(parameters).unwrap();
    let machine = network::Parameters::bluegene_l(geometry::Shape::torus(&[4, 4, 2]).unwrap(), 1);
    let (messaging, placement) = (messaging::Parameters::default(), Placement::default());
    let context = Context {
        parameters: &machine,
        messaging: &messaging,
        placement: &placement,
        choices: mpi::Choices::default(),
    };
    let plan = Workload::Kernel(kernel).plan(&context).unwrap();
    let PlannedTraffic::Ranks(RankWork::Kernel(plan)) = plan.traffic else { panic!("a kernel has ranks") };
    plan
}

/// The programs of a kernel's ranks, outside.
fn programs(kernel: Value) -> Programs<KernelProgram> {
    let plan = plan(kernel);
    Programs::new(plan.ranks(), |rank| plan.program(rank))
}

fn scenario(workload: Value, messaging: Value) -> Value {
    json!({ "machine": { "shape": [4, 4, 2] }, "workload": workload, "messaging": messaging })
}

fn program(messaging: Value) -> Value {
    scenario(json!({ "kind": "program", "name": "main", "module": "halo" }), messaging)
}

fn summary(mut run: Run) -> Value {
    while !run.advance(Duration::from_millis(1)).done {}
    run.finish(false).summary
}

/// The summary of a run of a program on several processes.
fn summary_of_processes(
    processes: usize,
    scenario: Scenario,
    ranks: impl OutsideRanks + Send + 'static,
) -> Value {
    lead_threads(processes, |peers| {
        let run = LedRun::with_program(scenario, EngineKind::Windowed, 2, Box::new(ranks), peers);
        let mut run = run.unwrap();
        while !run.advance(Duration::from_millis(1), u64::MAX).unwrap().done {}
        run.finish(false).summary
    })
}

fn outside(kernel: Value, scenario: Scenario, engine: EngineKind, threads: usize) -> Run {
    Run::with_program(scenario, engine, threads, Box::new(programs(kernel))).unwrap()
}

#[test]
fn a_program_outside_does_what_the_same_program_does_inside() {
    let costs = json!({ "write_processor_cycles": 60, "read_processor_cycles": 204 });
    for (kernel, costs) in [(halo(), json!({})), (halo(), costs.clone()), (fft(), costs)] {
        let inside = resolve_plain(scenario(kernel.clone(), costs.clone()), &[]).unwrap();
        let expected = summary(Run::new(inside, EngineKind::Windowed, 1).unwrap());
        assert_eq!(expected["outcome"], "completed");
        let scenario = || resolve_program(program(costs.clone()), &[], None).unwrap();
        let ways = [(EngineKind::Reference, 1), (EngineKind::Windowed, 1), (EngineKind::Windowed, 3)];
        let alone =
            ways.map(|(engine, threads)| summary(outside(kernel.clone(), scenario(), engine, threads)));
        let together = [2, 5].map(|count| summary_of_processes(count, scenario(), programs(kernel.clone())));
        for (way, summary) in alone.iter().chain(&together).enumerate() {
            for key in ["outcome", "cycles", "digest", "operations_digest", "mpi_operations"] {
                assert_eq!(summary[key], expected[key], "{key}, way {way}, {costs}");
            }
        }
    }
}

/// Programs that end their run at one of their batches: at once, or by an answer of rank 7.
struct Stopping {
    programs: Programs<KernelProgram>,
    batches: u32,
    stop: Option<Stop>,
}

impl OutsideRanks for Stopping {
    fn begin(&mut self, batch: Vec<WakeUp>) {
        self.programs.begin(batch);
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        let mut answers = self.programs.collect()?;
        self.batches = self.batches.saturating_sub(1);
        match self.stop {
            Some(stop) if self.batches == 0 => return Err(stop),
            None if self.batches == 0 => {
                let failed = answers.iter_mut().filter(|answer| answer.rank == 7);
                failed.for_each(|answer| answer.calls = vec![Call::Compute { cycles: 5 }, Call::Fail]);
            }
            Some(_) | None => {}
        }
        Ok(answers)
    }

    fn failure(&self, rank: u32) -> Option<Failure> {
        let words = format!("rank {rank} was killed by SIGSEGV after MPI_Irecv (call 17)");
        match rank {
            5 => Some(Failure { kind: FailureKind::RankTimeout, words, code: None }),
            7 => Some(Failure { kind: FailureKind::RankDied, words, code: Some(139) }),
            _ => None,
        }
    }
}

/// The summary of a run that its program ends, which is the same in all ways of running.
fn stopped(stop: Option<Stop>) -> Value {
    let costs = json!({ "write_processor_cycles": 60, "read_processor_cycles": 204 });
    let scenario = || resolve_program(program(costs.clone()), &[], None).unwrap();
    let ranks = || Stopping { programs: programs(halo()), batches: 20, stop };
    let ways = [(EngineKind::Reference, 1), (EngineKind::Windowed, 1), (EngineKind::Windowed, 3)];
    let alone = ways.map(|(engine, threads)| {
        summary(Run::with_program(scenario(), engine, threads, Box::new(ranks())).unwrap())
    });
    let together = summary_of_processes(3, scenario(), ranks());
    for summary in alone.iter().chain([&together]) {
        for key in ["outcome", "outcome_detail", "cycles", "digest", "operations_digest"] {
            assert_eq!(summary[key], alone[0][key], "{key}");
        }
    }
    together
}

#[test]
fn a_program_outside_ends_its_run_at_a_border() {
    let interrupted = stopped(Some(Stop::Interrupted));
    assert_eq!(interrupted["outcome"], "interrupted");
    assert_eq!(interrupted["outcome_detail"], json!(null));
    assert!(interrupted["packets_delivered"].as_u64() > Some(0));
    let failed = |rank| stopped(Some(Stop::Failed { rank }));
    for (run, outcome, words) in [
        (failed(5), "rank-timeout", "rank 5 was killed by SIGSEGV after MPI_Irecv (call 17),"),
        (failed(6), "aborted", "rank 6 failed"),
    ] {
        let cycle = run["cycles"].as_u64().unwrap();
        assert_eq!((&run["outcome"], &run["outcome_detail"]["cycle"]), (&json!(outcome), &run["cycles"]));
        assert_eq!(run["outcome_detail"]["words"], format!("{words} at cycle {cycle}"));
        assert_eq!((&run["cycles"], &run["digest"]), (&interrupted["cycles"], &interrupted["digest"]));
    }
}

#[test]
fn a_rank_outside_that_fails_ends_the_run() {
    let run = stopped(None);
    assert_eq!((&run["outcome"], &run["cycles"]), (&json!("rank-died"), &json!(100_000)));
    let detail = &run["outcome_detail"];
    let cycle = detail["cycle"].as_u64().unwrap();
    let words = format!("rank 7 was killed by SIGSEGV after MPI_Irecv (call 17), at cycle {cycle}");
    assert_eq!((&detail["rank"], &detail["code"], &detail["words"]), (&json!(7), &json!(139), &json!(words)));
    assert!(cycle < 100_000);
}

#[test]
fn a_recorded_program_does_again_what_it_did() {
    let costs = json!({ "write_processor_cycles": 60, "read_processor_cycles": 204 });
    for kernel in [halo(), fft()] {
        let inside = resolve_plain(scenario(kernel.clone(), costs.clone()), &[]).unwrap();
        let expected = summary(Run::new(inside.clone(), EngineKind::Windowed, 1).unwrap());
        let recording = Recording::new(32);
        let recorder = Box::new(ProgramRecorder::new(programs(kernel), recording.clone()));
        let first = resolve_program(program(costs.clone()), &[], None).unwrap();
        summary(Run::with_program(first, EngineKind::Windowed, 3, recorder).unwrap());
        let calls = Arc::new(recording.take());
        for trace in [calls.clone(), Arc::new(calls.with_synchronous_sends())] {
            let again = resolve_program(program(costs.clone()), &[], Some(trace.clone())).unwrap();
            let of_mappings = |scenario: &Scenario, name| {
                let mappings = Mappings::new(scenario.clone()).unwrap();
                mappings.evaluate(name, &mut || true).unwrap().unwrap().evaluation
            };
            for name in ["present", "YXZT", "ZXYT"] {
                assert_eq!(of_mappings(&again, name), of_mappings(&inside, name), "{name}");
            }
            let summary = summary(Run::new(again, EngineKind::Windowed, 2).unwrap());
            let keys = if Arc::ptr_eq(&trace, &calls) {
                &["cycles", "digest", "operations_digest"][..]
            } else {
                &[]
            };
            for &key in keys.iter().chain(&["outcome", "mpi_operations"]) {
                assert_eq!(summary[key], expected[key], "{key}");
            }
        }
    }
    let few = resolve_program(program(json!({})), &[], Some(Arc::new(Recording::new(31).take())));
    let wrong = few.map(|_| ()).unwrap_err().to_string();
    assert!(wrong.contains("the program has run on 31 ranks"), "{wrong}");
}

#[test]
fn a_scenario_does_not_contain_a_program() {
    let error = resolve_plain(program(json!({})), &[]).unwrap_err().to_string();
    assert!(error.contains("main of the module halo") && error.contains("torusim.run_program"), "{error}");
    let kernel = scenario(halo(), json!({}));
    let error = resolve_program(kernel, &[], None).unwrap_err().to_string();
    assert!(error.contains("has to be \"program\""), "{error}");
    let resolved = resolve_program(program(json!({})), &[], None).unwrap();
    assert_eq!(check(&resolved).unwrap()["workload"], "program");
    let again = resolve_program(resolved.to_json(), &[], None).unwrap();
    assert_eq!(again.to_json(), resolved.to_json());
}

#[test]
fn calls_cost_a_window_at_least() {
    let scenario = resolve_program(program(json!({ "call_processor_cycles": 39 })), &[], None).unwrap();
    let error = Run::with_program(scenario, EngineKind::Windowed, 1, Box::new(programs(halo())))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("call_processor_cycles") && error.contains("must be at least 40"), "{error}");
}

#[test]
fn the_run_of_a_program_cannot_be_saved() {
    let scenario = resolve_program(program(json!({})), &[], None).unwrap();
    let run = outside(halo(), scenario, EngineKind::Windowed, 1);
    let error = run.save_to(&mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("cannot be saved"), "{error}");
}
