//! Results of runs: known figures of small machines, and independence from slices, engines and repetition.

use serde_json::Value;
use simulation::{
    Column, EngineKind, Override, Run, RunResult, Scenario, Table, parse_override, resolve, resolve_plain,
};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn scenario(text: &str, overrides: &[&str]) -> Scenario {
    let overrides: Vec<Override> = overrides.iter().map(|text| parse_override(text).unwrap()).collect();
    resolve(text, "test.toml", Path::new(""), &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn run_in_slices(scenario: Scenario, budget: Duration) -> RunResult {
    let mut run = Run::new(scenario, EngineKind::Reference, 1).unwrap_or_else(|error| panic!("{error}"));
    while !run.advance(budget).done {}
    run.finish(false)
}

fn run(text: &str, overrides: &[&str]) -> RunResult {
    run_in_slices(scenario(text, overrides), Duration::from_secs(60))
}

fn column<'a>(result: &'a RunResult, table: &str, name: &str) -> &'a Column {
    let Table { columns, .. } = result.tables.iter().find(|found| found.name == table).unwrap();
    &columns.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {table}.{name}")).1
}

fn sum(result: &RunResult, table: &str, name: &str) -> u64 {
    match column(result, table, name) {
        Column::U32(values) => values.iter().map(|&value| u64::from(value)).sum(),
        Column::U64(values) => values.iter().sum(),
        other @ (Column::F64(_) | Column::Text(_) | Column::Bytes(_)) => {
            panic!("{table}.{name} does not count: {other:?}")
        }
    }
}

fn floats(result: &RunResult, table: &str, name: &str) -> Vec<f64> {
    let found = column(result, table, name);
    let Column::F64(values) = found else { panic!("{table}.{name} has no shares: {found:?}") };
    values.clone()
}

/// The summary without the figures that depend on the wall clock or the host.
fn without_timing(result: &RunResult) -> Value {
    let mut summary = result.summary.clone();
    let table = summary.as_object_mut().unwrap();
    table.remove("mpi_operations_per_second"); // only with ranks
    for key in
        ["engine_seconds", "wall_seconds", "packet_hops_per_second", "process_peak_memory_bytes", "name"]
    {
        table.remove(key).unwrap_or_else(|| panic!("no {key}"));
    }
    summary
}

const ALL_TO_ALL: &str =
    "[machine]\nshape = [4, 3, 1]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 500\n";
const UNIFORM: &str = "[machine]\nshape = [4, 4]\n[workload]\nkind = \"uniform-random\"\nload = 0.5\n[run]\n\
                       warmup_cycles = 5000\nmeasure_cycles = 20001\n";
const PING_PONG: &str = "[machine]\nshape = [8, 8]\n[workload]\nkind = \"ping-pong\"\nhops = 6\nrepetitions = 5\n\
                         payload_bytes = 240\n";

/// A packet of 260 bytes, header and trailer included, takes whole cycles on its way (formula in docs/models/network.md).
#[test]
fn rates_of_links_may_be_fractions() {
    let one_way = |rate: &str| {
        let result = run(PING_PONG, &[&format!("machine.link.cycles_per_byte={rate}")]);
        result.summary["one_way_cycles_min"].as_f64().unwrap()
    };
    let whole = one_way("1");
    for (rate, cycles) in
        [("\"4/3\"", 347.0), ("1.5", 390.0), ("0.0625", 17.0), ("\"1/16\"", 17.0), ("2", 520.0)]
    {
        assert_eq!(one_way(rate) - whole, cycles - 260.0, "{rate}");
    }
}

#[test]
fn an_all_to_all_delivers_every_pair() {
    let result = run(ALL_TO_ALL, &[]);
    let summary = &result.summary;
    let packets = 12 * 11 * 3;
    assert_eq!(summary["outcome"], "completed");
    assert_eq!(summary["packets_delivered"], packets);
    assert_eq!(summary["packets_injected"], packets);
    // Mean distance in rings of 4 and 3, self excluded: (1 + 2/3) x 12/11.
    assert!((summary["mean_hops"].as_f64().unwrap() - 5.0 / 3.0 * 12.0 / 11.0).abs() < 1e-12);
    assert_eq!(summary["packet_hops"], summary["packet_hops_total"]);
    assert_eq!(sum(&result, "nodes", "delivered"), packets);
    assert_eq!(sum(&result, "latency", "packets"), packets);
    assert_eq!(sum(&result, "series", "packets_delivered"), packets);
    assert_eq!(sum(&result, "links", "packets"), summary["packet_hops"].as_u64().unwrap());
    let peak = summary["percent_of_peak"].as_f64().unwrap();
    assert!(peak > 20.0 && peak <= 100.0, "{peak}");
}

#[test]
fn tables_have_only_existing_links() {
    let result = run(ALL_TO_ALL, &["machine.wrap=[true, false, true]"]);
    let Column::Text(directions) = column(&result, "links", "direction") else { panic!() };
    let count = |name: &str| directions.iter().filter(|direction| *direction == name).count();
    assert_eq!((count("x+"), count("x-"), count("y+"), count("y-"), count("z+")), (12, 12, 8, 8, 0));
    assert_eq!(result.summary["links"], 40);
    let by_direction = result.summary["link_utilization_by_direction"].as_object().unwrap();
    assert_eq!(by_direction.keys().collect::<Vec<_>>(), ["x+", "x-", "y+", "y-"]);
    let utilization = floats(&result, "links", "utilization");
    let mean = utilization.iter().sum::<f64>() / 40.0;
    assert!((mean - result.summary["link_utilization_mean"].as_f64().unwrap()).abs() < 1e-12);
}

#[test]
fn all_columns_of_a_table_have_the_same_length() {
    for table in run(UNIFORM, &[]).tables {
        let rows = |column: &Column| match column {
            Column::U32(values) => values.len(),
            Column::U64(values) => values.len(),
            Column::F64(values) => values.len(),
            Column::Text(values) => values.len(),
            Column::Bytes(values) => values.len(),
        };
        let expected = rows(&table.columns[0].1);
        assert!(
            expected > 0 && table.columns.iter().all(|(_, column)| rows(column) == expected),
            "{}",
            table.name
        );
    }
}

#[test]
fn a_measurement_window_begins_and_ends_as_set() {
    let result = run(UNIFORM, &["run.series_interval_cycles=1000"]);
    let summary = &result.summary;
    assert_eq!((&summary["cycles"], &summary["measured_cycles"]), (&25_001.into(), &20_001.into()));
    assert_eq!(summary["steadiness"], "steady");
    let Column::U64(ends) = column(&result, "series", "end_cycle") else { panic!() };
    assert_eq!((ends.len(), ends[0], ends[25]), (26, 1_000, 25_001));
    assert_eq!(
        sum(&result, "series", "packets_delivered"),
        summary["packets_delivered_total"].as_u64().unwrap()
    );
    assert!(summary["packets_delivered"].as_u64() < summary["packets_delivered_total"].as_u64());
    let peak = summary["percent_of_peak"].as_f64().unwrap();
    assert!((45.0..55.0).contains(&peak), "half the load is offered, but {peak} % is delivered");
    // The mean over the rows of the window is that of the window: no row mixes warm-up and measurement.
    let utilization = floats(&result, "series", "utilization");
    let weighted: f64 = utilization[5..25].iter().sum::<f64>() * 1000.0 + utilization[25];
    let mean = summary["link_utilization_mean"].as_f64().unwrap();
    assert!((weighted / 20_001.0 - mean).abs() < 1e-3, "{weighted} {mean}");
}

#[test]
fn overload_is_reported_as_saturated() {
    let result = run(UNIFORM, &["workload.load=1.5", "run.measure_cycles=40000"]);
    assert_eq!(result.summary["steadiness"], "saturated");
}

#[test]
fn neither_slices_nor_rows_change_a_result() {
    for text in [ALL_TO_ALL, UNIFORM, PING_PONG] {
        let whole = run(text, &[]);
        let slices = run_in_slices(scenario(text, &[]), Duration::ZERO);
        assert_eq!(without_timing(&whole), without_timing(&slices));
        assert!(whole.tables == slices.tables, "{text}");
        let rows = run(text, &["run.series_interval_cycles=37"]);
        assert_eq!(whole.summary["digest"], rows.summary["digest"]);
        assert_eq!(whole.summary["cycles"], rows.summary["cycles"]);
    }
}

#[test]
fn both_engines_give_the_same_result_on_any_number_of_threads() {
    let of_trace = trace("engines", [SEND, RECEIVE]);
    let paced = "machine.node.injection_window_packets=1";
    for (text, overrides) in [ALL_TO_ALL, UNIFORM, PING_PONG, &of_trace]
        .into_iter()
        .flat_map(|text| [(text, vec![]), (text, vec![paced])])
    {
        let expected = run(text, &overrides);
        for threads in [1, 2] {
            let mut run = Run::new(scenario(text, &overrides), EngineKind::Windowed, threads).unwrap();
            while !run.advance(Duration::from_secs(60)).done {}
            let result = run.finish(false);
            for key in ["digest", "cycles", "packet_hops", "latency_cycles_mean", "latency_cycles_p99"] {
                assert_eq!(result.summary[key], expected.summary[key], "{key} on {threads} threads: {text}");
            }
            assert!(result.tables == expected.tables, "{threads} threads: {text}");
            assert_eq!(result.summary["engine"], "windowed");
        }
    }
}

#[test]
fn a_result_can_be_repeated() {
    let first = run(UNIFORM, &["run.seed=5"]);
    let again = run_in_slices(resolve_plain(first.scenario.clone(), &[]).unwrap(), Duration::from_secs(60));
    assert_eq!(without_timing(&first), without_timing(&again));
    assert_ne!(first.summary["digest"], run(UNIFORM, &["run.seed=6"]).summary["digest"]);
}

#[test]
fn ping_pong_takes_zero_load_latency() {
    let result = run(PING_PONG, &[]);
    // Row M6: injection, six hops, a full packet and its trailer.
    let packet = 10 + 6 * 12 + 256 + 4;
    let summary = &result.summary;
    assert_eq!(summary["latency_cycles_mean"], f64::from(packet));
    assert_eq!(summary["latency_cycles_max"], packet);
    // The receiver's polling interval is added.
    assert_eq!(summary["one_way_cycles_mean"], f64::from(packet + 12));
    assert_eq!(summary["packets_delivered"], 10);
    assert_eq!(summary["percent_of_peak"], Value::Null);
}

#[test]
fn a_time_limit_is_an_outcome() {
    let result = run(ALL_TO_ALL, &["run.time_limit_cycles=500"]);
    assert_eq!(result.summary["outcome"], "time-limit");
    assert_eq!(result.summary["cycles"], 500);
    assert_eq!(result.summary["percent_of_peak"], Value::Null);
}

#[test]
fn an_interrupted_run_keeps_partial_results() {
    let mut run = Run::new(scenario(UNIFORM, &[]), EngineKind::Reference, 1).unwrap();
    while run.advance(Duration::ZERO).cycle < 2_000 {}
    let progress = run.advance(Duration::ZERO);
    assert!(!progress.done && progress.fraction.is_some_and(|fraction| fraction > 0.0 && fraction < 1.0));
    let result = run.finish(true);
    assert_eq!(result.summary["outcome"], "interrupted");
    assert!(sum(&result, "series", "packets_delivered") > 0);
}

#[test]
fn the_uncorrected_bubble_deadlocks_and_the_ring_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/deadlock-true-size-bubble.toml");
    let text = fs::read_to_string(path).unwrap();
    let result = run(&text, &[]);
    let (summary, detail) = (&result.summary, &result.summary["outcome_detail"]);
    assert_eq!(summary["outcome"], "deadlocked", "{summary}");
    assert!(detail["words"].as_str().unwrap().contains("in a ring through the nodes"), "{detail}");
    let ring = detail["ring"].as_array().unwrap();
    assert!(ring.len() >= 2 && ring.iter().all(|packet| packet["toward"] == "x+"), "{detail}");
    let found = summary["cycles"].as_u64().unwrap();
    let until_before = format!("run.measure_cycles={}", found - 1);
    let short = run(&text, &["run.warmup_cycles=0", &until_before]);
    assert_eq!(short.summary["outcome"], "deadlocked", "a window that ends first does not hide it");
    assert!(short.summary["latency_cycles_p99"].as_u64() <= short.summary["latency_cycles_max"].as_u64());
    let corrected = run(&text, &["machine.router.bubble_rule=full-size", "run.measure_cycles=500000"]);
    assert_eq!(corrected.summary["outcome"], "completed");
}

#[test]
fn check_reports_what_a_run_needs() {
    let check = simulation::check(&scenario(ALL_TO_ALL, &[])).unwrap();
    assert_eq!((&check["nodes"], &check["links"], &check["packets"]), (&12.into(), &48.into(), &396.into()));
    assert!(check["memory_bytes"].as_u64() > Some(12 * 100));
    assert_eq!(simulation::check(&scenario(UNIFORM, &[])).unwrap()["packets"], Value::Null);
}

fn packet_hops(text: &str, overrides: &[&str]) -> (Option<f64>, f64) {
    let expected = simulation::check(&scenario(text, overrides)).unwrap()["packet_hops"].as_f64();
    (expected, run(text, overrides).summary["packet_hops_total"].as_f64().unwrap())
}

#[test]
fn packet_hops_are_estimated_before_the_run() {
    let (expected, made) = packet_hops(ALL_TO_ALL, &[]);
    assert_eq!(expected, Some(made), "a drained exchange makes as many as its plan says");
    let half_a_load = (UNIFORM, vec![]);
    let always_waiting = ("[machine]\nshape = [8, 8]\n[workload]\nkind = \"uniform-random\"\n", vec![]);
    let cut_short = (UNIFORM, vec!["run.time_limit_cycles=10000"]);
    for (text, overrides) in [half_a_load, always_waiting, cut_short] {
        let (expected, made) = packet_hops(text, &overrides);
        let share = made / expected.unwrap();
        assert!((0.9..1.05).contains(&share), "{overrides:?}: {made} of {expected:?}");
    }
    assert_eq!(packet_hops(PING_PONG, &[]).0, None, "what depends on arrivals is not known");
}

/// A scenario with a trace of two ranks, written to its own directory. `lines` are each rank's calls between
/// MPI_Init and MPI_Finalize.
fn trace(name: &str, lines: [&str; 2]) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    for (rank, lines) in lines.iter().enumerate() {
        let text = format!("MPI_Init:-:1:2:1000000.0\n{lines}\nMPI_Finalize:2000000.0:-\n");
        fs::write(directory.join(format!("pmpi-trace-rank-{rank}.txt")), text).unwrap();
    }
    format!("[machine]\nshape = [2, 2]\n[workload]\nkind = \"trace\"\npath = {directory:?}\n")
}

const SEND: &str = "MPI_Send:1000010.0:6:100:11,8,8:1:7:0,0,2:1000020.0";
const RECEIVE: &str = "MPI_Recv:1000010.0:6:100:11,8,8:0:7:0,1,2:9:1000020.0";

#[test]
fn a_trace_takes_the_time_of_its_packets_and_its_computation() {
    let text = trace("sent", [SEND, RECEIVE]);
    let summary = run(&text, &[]).summary;
    assert_eq!(summary["outcome"], "completed");
    // 800 bytes in packets of 240.
    assert_eq!(summary["packets_delivered"], 4);
    // Almost a second of computation at 175 cycles per microsecond.
    let cycles = summary["cycles"].as_u64().unwrap();
    assert!((174_000_000..176_000_000).contains(&cycles), "{cycles}");
    let summary = run(&text, &["workload.compute_scale=0.0"]).summary;
    assert!(summary["cycles"].as_u64().unwrap() < 3_000);
}

#[test]
fn a_rank_that_waits_for_an_unsent_message_is_stuck() {
    let text = trace("unsent", ["", RECEIVE]);
    let result = run(&text, &[]);
    assert_eq!(result.summary["outcome"], "stuck");
    let words = result.summary["outcome_detail"]["words"].as_str().unwrap().to_owned();
    assert!(words.contains("rank 1 has waited since cycle 1750 for MPI_Recv from rank 0"), "{words}");
    let slices = run_in_slices(scenario(&text, &[]), Duration::ZERO);
    assert_eq!(without_timing(&result), without_timing(&slices));
}

#[test]
fn errors_in_traces_name_file_and_line() {
    let text = trace("garbled", [SEND, "MPI_Frob:1:2"]);
    let error = Run::new(scenario(&text, &[]), EngineKind::Reference, 1).err().unwrap().to_string();
    assert!(error.contains("garbled/pmpi-trace-rank-1.txt:2: "), "{error}");
    let text = trace("truncated", [SEND, RECEIVE]);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("truncated/pmpi-trace-rank-1.txt");
    fs::write(&path, "").unwrap();
    let error = simulation::check(&scenario(&text, &[])).unwrap_err().to_string();
    let place = format!("workload.path: {}: the file is empty", path.display());
    assert!(error.starts_with("test.toml:") && error.contains(&place), "{error}");
}

#[test]
fn ranks_need_cores() {
    let crowded = scenario(&trace("crowded", [SEND, RECEIVE]), &["machine.shape=[1]"]);
    let error = simulation::check(&crowded).unwrap_err().to_string();
    assert!(
        error.starts_with("--set machine.shape: machine.shape = [1]: 2 ranks need as many cores"),
        "{error}"
    );
}

/// Engines keep times in few bits where they can. Both agree where these overflow. Causes are flows that begin late
/// or last that long, and packets that a computing rank leaves in the network for longer than 2^32 cycles.
#[test]
fn long_times_are_exact() {
    let flows = "kind = \"flows\"\ntable = { source = [0, 3, 5], target = [5, 9, 0], bytes = [960, 3000, 480], \
                 start_cycles = [4294967301, 2147483651, 100] }";
    let full = flows.replace("3000", "2880"); // all packets are full-size
    let slow = "kind = \"flows\"\ntable = { source = [0, 1], target = [1, 3], bytes = [4000000, 48000], start_cycles = [1, 1] }";
    let trace = std::env::temp_dir().join(format!("long-times-{}.goal", std::process::id()));
    let sends: String = (0..60).map(|number| format!("l{number}: send 2000b to 1 tag {number}\n")).collect();
    let receives: String = (0..60)
        .map(|number| format!("m{number}: recv 2000b from 0 tag {number}\nm{number} requires c\n"))
        .collect();
    let ranks = format!("num_ranks 2\nrank 0 {{\n{sends}}}\nrank 1 {{\nc: calc 60000000000\n{receives}}}\n");
    fs::write(&trace, ranks).unwrap();
    let blocked = format!("kind = \"trace\"\npath = {trace:?}");
    let [eager, computes] = ["messaging.protocol=eager-adaptive", "messaging.reads_while_computing=false"];
    let errors = "machine.link_errors.bit_error_rate=1e-6";
    let timeout = "machine.link_errors.timeout_cycles=100_000_000"; // so that links probe seldom
    let cases: [(&str, &[&str], u64); 5] = [
        (flows, &[], 0),
        (&full, &[], 0),
        (slow, &["machine.link.cycles_per_byte=1000"], 1 << 32),
        (&blocked, &[eager, computes], 1 << 32),
        (&blocked, &[eager, computes, errors, timeout], 1 << 32),
    ];
    for (workload, settings, min_latency) in cases {
        let text = format!("[machine]\nshape = [4, 4]\n[workload]\n{workload}\n");
        let run = |engine: EngineKind, threads: usize| {
            let mut run = Run::new(scenario(&text, settings), engine, threads).unwrap();
            while !run.advance(Duration::from_secs(60)).done {}
            without_timing(&run.finish(false))
        };
        let mut expected = run(EngineKind::Reference, 1);
        assert_eq!(expected["outcome"], "completed", "{workload}");
        assert!(expected["cycles"].as_u64().unwrap() > 1 << 32, "{workload}");
        assert!(expected["latency_cycles_max"].as_u64().unwrap() >= min_latency, "{workload}");
        for threads in [1, 2] {
            let mut found = run(EngineKind::Windowed, threads);
            for summary in [&mut expected, &mut found] {
                for key in ["engine", "threads", "peak_memory_bytes"] {
                    summary.as_object_mut().unwrap().remove(key);
                }
            }
            assert_eq!(found, expected, "{workload} on {threads} threads");
        }
    }
    fs::remove_file(trace).unwrap();
}
