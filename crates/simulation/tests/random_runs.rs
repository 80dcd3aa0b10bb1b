//! Properties of runs of all kinds, drawn at random. The start of a job changes nothing but the times of the run,
//! and neither do stops from which runs are resumed.

#[path = "random/mod.rs"]
mod random;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use random::{Drawn, any_one_job, any_whole_machine, cases, figures, one_job, two_jobs, whole_machine};
use serde_json::{Map, Value, json};
use simulation::{
    Column, EngineKind, FluidRun, InputError, Run, RunResult, Scenario, Table, TimeLineOptions,
};
use std::time::Duration;

/// Longer than any of these runs should take: the time limit for a deadlock, or for ranks that are stuck.
const LIMIT_CYCLES: u64 = 400_000;

fn to_end(mut run: Run) -> RunResult {
    while !run.advance(Duration::from_secs(10)).done {}
    run.finish(false)
}

fn run(scenario: Scenario, engine: EngineKind) -> RunResult {
    to_end(Run::new(scenario, engine, 1).unwrap_or_else(|error| panic!("{error}")))
}

fn table<'a>(result: &'a RunResult, name: &str) -> &'a Table {
    result.tables.iter().find(|table| table.name == name).unwrap()
}

/// The value of a column in the first row, as text.
fn first(column: &Column) -> String {
    match column {
        Column::U32(values) => values[0].to_string(),
        Column::U64(values) => values[0].to_string(),
        Column::F64(values) => values[0].to_string(),
        Column::Text(values) => values[0].clone(),
        Column::Bytes(values) => format!("{:?}", values[0]),
    }
}

/// The figures that count from the start of the only job, which is at `start`.
fn since_start(result: &RunResult, start: u64) -> Map<String, Value> {
    let summary = &result.summary;
    let mut found = Map::new();
    let keys = [
        "outcome",
        "packets_delivered",
        "packets_injected",
        "packet_hops",
        "latency_cycles_mean",
        "latency_cycles_p99",
        "latency_cycles_max",
        "operations_digest",
        "mpi_operations",
        "escape_share",
        "one_way_cycles_mean",
    ];
    for key in keys {
        found.insert(key.to_owned(), summary.get(key).cloned().unwrap_or_default());
    }
    let end = summary["cycles"].as_u64().unwrap();
    found.insert("cycles".to_owned(), json!(end - start));
    for (name, column) in &table(result, "jobs").columns {
        let value = first(column);
        let value = match name.as_str() {
            "start_cycle" => value.parse::<u64>().unwrap() - start,
            // 0 if nothing has been delivered.
            "last_delivery_cycle" => value.parse::<u64>().unwrap().saturating_sub(start),
            _ => {
                found.insert(format!("jobs.{name}"), json!(value));
                continue;
            }
        };
        found.insert(format!("jobs.{name}"), json!(value));
    }
    for name in ["latency", "nodes"] {
        found.insert(name.to_owned(), json!(format!("{:?}", table(result, name))));
    }
    found
}

/// A scenario with one job, which starts at a cycle.
fn starting(drawn: &Drawn, start: u64) -> Scenario {
    let mut changes = vec![("jobs[0].start_cycles", json!(start)), ("run.alone", json!(false))];
    match drawn.is_open() {
        true => changes.push(("run.warmup_cycles", json!(start + 300))),
        false => changes.push(("run.time_limit_cycles", json!(start + LIMIT_CYCLES))),
    }
    drawn.scenario(&changes).expect("a job may start at any cycle")
}

/// The cycle at which a run is stopped: any, or near the end of something that a rank does, or of the run.
#[derive(Clone, Debug)]
enum Stop {
    At(Index),
    Near(Index, i64),
    BeforeEnd(u64),
}

fn stops() -> impl Strategy<Value = Vec<Stop>> {
    let stop = prop_oneof![
        2 => any::<Index>().prop_map(Stop::At),
        4 => (any::<Index>(), -1i64..=1).prop_map(|(which, off)| Stop::Near(which, off)),
        1 => prop_oneof![0u64..3, 0u64..300].prop_map(Stop::BeforeEnd),
    ];
    prop::collection::vec(stop, 1..6)
}

/// The cycles at which ranks begin or end something.
fn ends_of_phases(result: &RunResult, cycles_per_microsecond: f64) -> Vec<u64> {
    let Some(lines) = &result.time_lines else { return Vec::new() };
    let times = lines.intervals.columns.iter().filter(|(name, _)| ["start", "end"].contains(&name.as_str()));
    let cycle =
        |time: &u64| (*time as f64 * lines.microseconds_per_processor_cycle * cycles_per_microsecond) as u64;
    let cycles = times.flat_map(|(_, column)| {
        let Column::U64(values) = column else { return Vec::new() };
        values.iter().map(cycle).collect::<Vec<_>>()
    });
    cycles.collect()
}

fn cycles_of(stops: &[Stop], end: u64, phases: &[u64]) -> Vec<u64> {
    let anywhere = |which: &Index| which.index(end.max(1) as usize) as u64;
    let mut cycles: Vec<u64> = stops
        .iter()
        .map(|stop| match stop {
            Stop::Near(which, off) if !phases.is_empty() => which.get(phases).saturating_add_signed(*off),
            Stop::At(which) | Stop::Near(which, _) => anywhere(which),
            Stop::BeforeEnd(cycles) => end.saturating_sub(*cycles),
        })
        .collect();
    cycles.sort_unstable();
    cycles
}

/// The result of a run that is stopped at each of the given cycles, and resumed on another number of threads.
fn resumed(scenario: Scenario, engine: EngineKind, stops: &[u64]) -> Result<RunResult, TestCaseError> {
    let mut run = Run::new(scenario, engine, 1).unwrap();
    for (threads, &stop) in (2..).zip(stops) {
        if run.advance_until(Duration::from_secs(60), stop).done {
            break; // a run that has ended has no checkpoint
        }
        let mut content = Vec::new();
        run.save_to(&mut content).unwrap();
        let threads = if engine != EngineKind::Reference { threads % 3 + 1 } else { 1 };
        run = match Run::resume_from(&mut &content[..], "checkpoint", Some(threads)) {
            Ok(run) => run,
            Err(error) => return Err(TestCaseError::fail(format!("stopped at {stop}: {error}"))),
        };
    }
    Ok(to_end(run))
}

fn check_resumed(drawn: &Drawn, engine: EngineKind, stops: &[Stop]) -> Result<(), TestCaseError> {
    let scenario = drawn.limited().expect("any run may have a limit");
    let options = TimeLineOptions {
        ranks: 0..=u32::MAX,
        from_microseconds: 0.0,
        until_microseconds: None,
        has_packets: true,
    };
    let recorded = scenario.clone().with_time_lines(&options).unwrap_or(scenario.clone());
    let whole = run(recorded, engine);
    let (end, seconds) = (&whole.summary["cycles"], &whole.summary["seconds_simulated"]);
    let (end, seconds) = (end.as_u64().unwrap(), seconds.as_f64().unwrap());
    let phases = ends_of_phases(&whole, end as f64 / (seconds * 1e6));
    let stops = cycles_of(stops, end, &phases);
    let resumed = resumed(scenario, engine, &stops)?;
    prop_assert_eq!(figures(&whole), figures(&resumed), "stopped at {:?} of {}", &stops, end);
    for (table, other) in whole.tables.iter().zip(&resumed.tables) {
        prop_assert_eq!(format!("{table:?}"), format!("{other:?}"), "stopped at {:?} of {}", &stops, end);
    }
    Ok(())
}

fn engine() -> impl Strategy<Value = EngineKind> {
    let all: Vec<_> = EngineKind::of_packets().collect();
    prop_oneof![1 => Just(EngineKind::Windowed), 1 => select(all)]
}

/// Engines keep times in 16 and 32 bits where they can: starts where these overflow are drawn too.
fn start() -> impl Strategy<Value = u64> {
    let around_power =
        (28u32..=45, -3000i64..3000).prop_map(|(bits, off)| (1u64 << bits).saturating_add_signed(off));
    prop_oneof![1u64..20, 1u64..5000, 20_000u64..50_000, around_power]
}

/// A scenario by one of the engines, perhaps with a way to end, that resolves.
fn any_scenario() -> impl Strategy<Value = (Drawn, Vec<(&'static str, Value)>)> {
    let ends = prop_oneof![
        4 => Just(None),
        1 => Just(Some(("run.stop", json!("sampled")))),
        1 => Just(Some(("run.stop", json!("drained")))),
        1 => Just(Some(("run.time_limit_cycles", json!(1000)))),
    ];
    let engine = select(&[None, Some("fluid"), Some("fluid")][..]);
    let drawn = prop_oneof![3 => any_whole_machine(), 1 => any_one_job()];
    (drawn, ends, engine).prop_filter_map("it resolves", |(drawn, ends, engine)| {
        let engine = engine.map(|engine| ("run.engine", json!(engine)));
        let changes: Vec<_> = ends.into_iter().chain(engine).collect();
        drawn.scenario(&changes).is_some().then_some((drawn, changes))
    })
}

proptest! {
    #![proptest_config(cases(25))]

    /// On an empty machine, all figures that count from the start of a job are the same for any start. The times of
    /// the run are later by the same amount.
    #[test]
    fn a_job_does_the_same_whenever_it_starts(drawn in one_job(), start in start(), engine in engine()) {
        let at_once = since_start(&run(starting(&drawn, 0), engine), 0);
        let later = since_start(&run(starting(&drawn, start), engine), start);
        // A deadlock or stuck ranks are found at the next check, which is at a cycle of the run.
        prop_assume!(at_once["outcome"] == "completed");
        for (key, value) in &at_once {
            prop_assert_eq!(value, &later[key], "{}", key);
        }
    }

    /// A check refuses a scenario if and only if its run does, with the same words.
    #[test]
    fn check_and_run_agree((drawn, changes) in any_scenario()) {
        let scenario = || drawn.scenario(&changes).expect("it has been resolved");
        let is_fluid = changes.iter().any(|(key, _)| *key == "run.engine");
        let check = simulation::check(&scenario()).map(drop);
        let run = match is_fluid {
            true => FluidRun::new(scenario()).map(drop),
            false => Run::new(scenario(), EngineKind::Windowed, 1).map(drop),
        };
        let words = |result: Result<(), InputError>| result.map_err(|error| error.to_string());
        prop_assert_eq!(words(check), words(run));
    }

    /// A run that is stopped at any cycles and resumed ends as one that is not.
    #[test]
    fn a_resumed_run_ends_as_a_whole_one(drawn in whole_machine(), engine in engine(), stops in stops()) {
        check_resumed(&drawn, engine, &stops)?;
    }

    #[test]
    fn a_resumed_run_of_two_jobs_ends_as_a_whole_one(drawn in two_jobs(), engine in engine(), stops in stops()) {
        check_resumed(&drawn, engine, &stops)?;
    }
}
