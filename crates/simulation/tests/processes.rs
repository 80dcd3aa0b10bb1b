//! Runs of several processes, which are threads here: their results are those of one process, and a checkpoint of some
//! is resumed by any others.

#[path = "../../windowed/tests/support/counted.rs"]
mod counted;
#[path = "random/mod.rs"]
mod random;

use counted::Counted;
use proptest::prelude::*;
use random::{Drawn, any_one_job, any_whole_machine, cases, figures, two_jobs};
use simulation::{
    EngineKind, InputError, LedRun, Peers, Run, RunResult, Scenario, TimeLineOptions, follow, lead_threads,
};
use std::path::Path;
use std::thread;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(10);

fn to_end(mut run: LedRun) -> Result<RunResult, InputError> {
    while !run.advance(BUDGET, u64::MAX)?.done {}
    Ok(run.finish(false))
}

fn result_of(scenario: &Scenario, processes: usize, threads: usize) -> Result<RunResult, InputError> {
    lead_threads(processes, |peers| {
        to_end(LedRun::new(scenario.clone(), EngineKind::Windowed, threads, peers)?)
    })
}

/// All that a result says of the simulated machine, in words.
fn said(result: &Result<RunResult, InputError>) -> Vec<String> {
    let result = match result {
        Ok(result) => result,
        Err(error) => return vec![error.to_string()],
    };
    let tables = result.tables.iter().map(|table| format!("{table:?}"));
    let time_lines = format!("{:?}", result.time_lines);
    [serde_json::to_string_pretty(&figures(result)).expect("it is JSON"), time_lines]
        .into_iter()
        .chain(tables)
        .collect()
}

fn compare(expected: &[String], found: &[String], what: &str) -> Result<(), TestCaseError> {
    for (expected, found) in expected.iter().zip(found) {
        let other = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        prop_assert!(expected == found, "{what}: {:?}", other.map(|(a, b)| (clip(a, b), clip(b, a))));
    }
    prop_assert_eq!(expected.len(), found.len());
    Ok(())
}

/// The text around the first difference to another.
fn clip<'a>(text: &'a str, other: &str) -> &'a str {
    let same = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    text.get(same.saturating_sub(200)..text.len().min(same + 200)).unwrap_or(text)
}

fn limited(drawn: &Drawn) -> Scenario {
    let scenario = drawn.limited().expect("any run may have a limit");
    let options = TimeLineOptions {
        ranks: 0..=u32::MAX,
        from_microseconds: 0.0,
        until_microseconds: None,
        has_packets: true,
    };
    scenario.clone().with_time_lines(&options).unwrap_or(scenario)
}

fn check(drawn: &Drawn, processes: usize, threads: usize) -> Result<(), TestCaseError> {
    let scenario = limited(drawn);
    let expected = said(&result_of(&scenario, 1, 1));
    let found = said(&result_of(&scenario, processes, threads));
    if found[0].contains("each process needs a node") {
        return Ok(());
    }
    compare(&expected, &found, &format!("{processes} processes with {threads} threads"))
}

/// Runs to some cycles, each time with another number of processes, from the checkpoint of the last.
fn resumed(scenario: &Scenario, stops: &[(u64, usize)], folder: &Path) -> Result<RunResult, InputError> {
    let file = |number: usize| folder.join(format!("{number}.checkpoint"));
    let mut saved: Option<usize> = None;
    for (number, &(stop, processes)) in stops.iter().enumerate() {
        let start = |peers: &Peers| match saved {
            None => LedRun::new(scenario.clone(), EngineKind::Windowed, 1, peers),
            Some(last) => LedRun::resume(&file(last), Some(1 + number % 2), peers),
        };
        let ended = lead_threads(processes, |peers| -> Result<Option<RunResult>, InputError> {
            let mut run = start(peers)?;
            if run.advance(BUDGET, stop)?.done {
                return Ok(Some(run.finish(false)));
            }
            run.save(&file(number))?;
            Ok(None)
        })?;
        if let Some(result) = ended {
            return Ok(result);
        }
        saved = Some(number);
    }
    let last = saved.expect("there is a stop");
    lead_threads(2, |peers| to_end(LedRun::resume(&file(last), None, peers)?))
}

proptest! {
    #![proptest_config(cases(75))]

    #[test]
    fn processes_change_no_result(drawn in any_whole_machine(), processes in 2usize..=8, threads in 1usize..=2) {
        prop_assume!(drawn.limited().is_some());
        check(&drawn, processes, threads)?;
    }

    #[test]
    fn processes_change_no_result_of_jobs(drawn in two_jobs(), processes in 2usize..=8, threads in 1usize..=2) {
        check(&drawn, processes, threads)?;
    }

    #[test]
    fn processes_change_no_result_of_a_job(drawn in any_one_job(), processes in 2usize..=4) {
        prop_assume!(drawn.limited().is_some());
        check(&drawn, processes, 1)?;
    }

    #[test]
    fn other_processes_resume_a_run(
        drawn in any_whole_machine(),
        stops in prop::collection::vec((0u64..20_000, 1usize..=4), 1..4),
    ) {
        let scenario = drawn.limited();
        prop_assume!(scenario.is_some());
        let scenario = scenario.expect("it has been resolved");
        let expected = said(&result_of(&scenario, 1, 1));
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorted = stops.clone();
        sorted.sort_unstable();
        let found = said(&resumed(&scenario, &sorted, folder.path()));
        if !found[0].contains("each process needs a node") {
            compare(&expected, &found, &format!("stopped at {sorted:?}"))?;
        }
    }
}

fn scenario(text: &str) -> Scenario {
    simulation::resolve(text, "test.toml", Path::new(""), &[]).expect("a scenario")
}

const SMALL: &str = "[machine]\nshape = [4, 4, 4]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 240\n";

#[test]
fn more_processes_than_nodes_and_the_reference_engine_are_refused() {
    let small = "[machine]\nshape = [2, 2]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 240\n";
    let refused = |engine| {
        lead_threads(5, |peers| {
            LedRun::new(scenario(small), engine, 1, peers).err().map(|error| error.to_string())
        })
    };
    let windowed = refused(EngineKind::Windowed).expect("refused");
    assert_eq!(windowed, "processes: 5 for 4 nodes: each process needs a node");
    let reference = refused(EngineKind::Reference).expect("refused");
    assert_eq!(reference, "--engine: the reference engine runs in one process");
}

#[test]
fn a_part_of_another_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    lead_threads(2, |peers| {
        let mut run = LedRun::new(scenario(SMALL), EngineKind::Windowed, 1, peers).expect("it can run");
        for (stop, name) in [(500, "one"), (1000, "two")] {
            run.advance(BUDGET, stop).expect("it runs");
            run.save(&file(name)).expect("it is saved");
        }
    });
    let resume = |processes| {
        lead_threads(processes, |peers| {
            LedRun::resume(&file("two"), None, peers).err().map(|error| error.to_string())
        })
    };
    assert_eq!(resume(3), None);
    std::fs::copy(file("one.part-1-of-2"), file("two.part-1-of-2")).expect("a copy");
    for processes in [1, 2] {
        let problem = resume(processes).expect("refused");
        assert!(
            problem.contains("two.part-1-of-2: cannot be resumed: it is the part of another"),
            "{problem}"
        );
    }
    std::fs::remove_file(file("two.part-1-of-2")).expect("a file");
    assert!(resume(2).expect("refused").contains("two.part-1-of-2"));
}

#[test]
fn the_end_of_a_process_ends_the_run() {
    let mut peers = Peers::in_threads(3).into_iter();
    let [first, second, third] = std::array::from_fn(|_| peers.next().expect("three"));
    let ended = thread::scope(|scope| {
        scope.spawn(move || {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| follow(&second)));
        });
        scope.spawn(move || {
            // It sets up the run, and ends.
            third.least(0);
        });
        scope
            .spawn(move || {
                let run = LedRun::new(scenario(SMALL), EngineKind::Windowed, 1, &first);
                run.map(to_end)
            })
            .join()
    });
    assert!(ended.is_err_and(|why| why.is::<network::peers::Lost>()));
}

#[test]
fn a_run_that_is_dropped_leaves_the_others_to_the_next() {
    let results = lead_threads(3, |peers| {
        let mut dropped = LedRun::new(scenario(SMALL), EngineKind::Windowed, 1, peers).expect("it can run");
        dropped.advance(Duration::ZERO, 100).expect("it runs");
        drop(dropped);
        to_end(LedRun::new(scenario(SMALL), EngineKind::Windowed, 2, peers).expect("it can run"))
    });
    let alone = Run::new(scenario(SMALL), EngineKind::Windowed, 1).expect("it can run");
    assert_eq!(results.unwrap().summary["digest"], to_end(alone.into()).unwrap().summary["digest"]);
}

/// The cycles of a run, and the swaps of its three processes.
fn swaps_of(text: &str) -> (u64, u64) {
    lead_threads(3, |peers| {
        let counted = Counted::new(peers.clone());
        let run = LedRun::new(scenario(text), EngineKind::Windowed, 1, &Peers::joined_by(counted.clone()));
        let result = to_end(run.expect("it can run")).expect("it runs");
        (result.summary["cycles"].as_u64().expect("a number"), counted.swaps())
    })
}

/// Ranks that compute, and a job that starts late, leave the machine without packets for a long time. It is skipped, but
/// for the rows of the series, which become longer: a few hundred for twice the time.
#[test]
fn processes_do_not_swap_while_nothing_happens() {
    let computing = |cycles: u64| {
        format!(
            "[machine]\nshape = [4, 4]\n[workload]\nkind = \"kernel\"\nname = \"fft-3d\"\nn = [16, 16, 16]\n\
             compute_processor_cycles = {cycles}\n"
        )
    };
    let late = |cycles: u64| {
        let job = |place, start| {
            format!(
                "[[jobs]]\nbox = {{ origin = [{place}, 0], shape = [2, 4] }}\nstart_cycles = {start}\n\
                 workload = {{ kind = \"all-to-all\", payload_bytes = 240 }}\n"
            )
        };
        format!("[machine]\nshape = [4, 4]\n[run]\nalone = false\n{}{}", job(0, 0), job(2, cycles))
    };
    for text in [&computing as &dyn Fn(u64) -> String, &late] {
        let (_, short) = swaps_of(&text(10_000));
        let (cycles, long) = swaps_of(&text(100_000_000));
        assert!(cycles > 100_000_000 && long < short + 20_000, "{cycles} cycles: {short}, {long}");
    }
}
