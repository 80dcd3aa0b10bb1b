//! Machines with lossy links, from scenario to summary.

use serde_json::Value;
use simulation::{EngineKind, Run, RunResult, resolve};
use std::path::Path;
use std::time::Duration;

fn run(machine: &str, engine: EngineKind) -> RunResult {
    all_to_all(&format!("shape = [4, 4]\n{machine}"), 2000, 1, engine)
}

fn all_to_all(machine: &str, payload_bytes: u32, seed: u64, engine: EngineKind) -> RunResult {
    let workload = format!("[workload]\nkind = \"all-to-all\"\npayload_bytes = {payload_bytes}");
    let text = format!("[machine]\n{machine}\n{workload}\n[run]\nseed = {seed}\n");
    let scenario = resolve(&text, "test.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scenario, engine, 2).unwrap_or_else(|error| panic!("{error}"));
    while !run.advance(Duration::from_secs(60)).done {}
    run.finish(false)
}

#[test]
fn link_errors_change_only_times() {
    let clean = run("link_errors = { bit_error_rate = 0 }", EngineKind::Windowed).summary;
    let plain = run("", EngineKind::Windowed).summary;
    let lossy = run("link_errors = { bit_error_rate = 1e-5 }", EngineKind::Windowed).summary;
    assert_eq!(clean["digest"], plain["digest"], "the protocol alone changes nothing");
    assert_ne!(lossy["digest"], plain["digest"]);
    for summary in [&clean, &lossy] {
        assert_eq!(summary["outcome"], "completed");
        assert_eq!(summary["packets_delivered"], 16 * 15 * 9);
        assert_eq!(summary["link_checksums_differ"].as_array().unwrap().len(), 0);
        assert_eq!((&summary["link_errors_escaped"], &summary["packets_damaged"]), (&0.into(), &0.into()));
    }
    assert_eq!((&clean["link_frames_corrupted"], &clean["link_frames_sent_again"]), (&0.into(), &0.into()));
    assert!(lossy["link_frames_sent_again"].as_u64() > lossy["link_frames_corrupted"].as_u64());
    assert!(lossy["cycles"].as_u64() > clean["cycles"].as_u64());
    assert!(plain.get("link_frames").is_none());
}

/// A run repeated on either engine has the same checksums of injected packets, in the table and in the summary.
#[test]
fn injection_checksums_compare_runs() {
    let sums = |rate: &str, engine: EngineKind| {
        let result = run(&format!("link_errors = {{ bit_error_rate = {rate} }}"), engine);
        let table = result.tables.iter().find(|table| table.name == "injection").unwrap();
        assert_eq!(table.columns.len(), 3);
        (format!("{:?}", table.columns[2].1), result.summary["injection_checksum"].clone())
    };
    let lossy = sums("1e-5", EngineKind::Windowed);
    assert_eq!(lossy, sums("1e-5", EngineKind::Windowed));
    assert_eq!(lossy, sums("1e-5", EngineKind::Reference));
    assert_ne!(lossy, sums("0", EngineKind::Windowed), "other FIFOs were free for each packet");
}

/// Both engines report the same link figures.
#[test]
fn engines_report_the_same_link_figures() {
    for machine in [
        "link_errors = { bit_error_rate = 1e-5 }",
        "link_errors = { bit_error_rate = 1e-4, explicit_acks = true, retransmission_fifo_bytes = 512 }",
        "link_errors = { bit_error_rate = 1e-5 }\nnode = { cores = 2, read_processor_cycles = 300 }",
        "link_errors = { bit_error_rate = 1e-5 }\ndead_nodes = [[1, 2]]",
    ] {
        let [windowed, reference] = [EngineKind::Windowed, EngineKind::Reference].map(|engine| {
            let mut summary = run(machine, engine).summary;
            let of_links = |(key, _): &(&String, &Value)| key.starts_with("link_") || key.contains("cycles");
            assert_eq!(summary["engine"], engine.name());
            let reported = summary.as_object_mut().unwrap().iter().filter(of_links);
            let reported: Vec<String> = reported.map(|(key, value)| format!("{key}: {value}")).collect();
            (reported, summary["digest"].clone())
        });
        assert!(windowed.0.iter().any(|line| line.starts_with("link_frames_sent_again")), "{windowed:?}");
        assert_eq!(windowed, reference, "{machine}");
    }
}

/// Bit error rate 1e-6 on all links of 8x8x8, more than a million packets, five seeds. A frame of 270 bytes fails
/// with probability p and is retransmitted three frames later (docs/models/link-errors.md).
#[test]
#[ignore = "takes a minute"]
fn an_all_to_all_of_a_million_packets_loses_what_the_formula_predicts() {
    const SEEDS: u64 = 5;
    let p = 1.0 - (1.0 - 1e-6_f64).powi(8 * 270);
    let predicted = 1.0 - 1.0 / (1.0 + 3.0 * p / (1.0 - p));
    let loss = |seed| {
        let [clean, lossy] = ["", "link_errors = { bit_error_rate = 1e-6 }"].map(|errors| {
            let machine = format!("shape = [8, 8, 8]\n{errors}");
            all_to_all(&machine, 960, seed, EngineKind::Windowed).summary
        });
        for summary in [&clean, &lossy] {
            assert_eq!(summary["outcome"], "completed");
            assert_eq!(summary["packets_delivered"], 512 * 511 * 4);
        }
        assert_eq!(lossy["packets_damaged"], 0);
        assert_eq!(lossy["link_checksums_differ"].as_array().unwrap().len(), 0);
        1.0 - clean["cycles"].as_f64().unwrap() / lossy["cycles"].as_f64().unwrap()
    };
    let mean = (1..=SEEDS).map(loss).sum::<f64>() / SEEDS as f64;
    println!("{mean:.5} of the throughput is lost, {predicted:.5} predicted");
    // Standard deviation of the loss: a sixth for one seed, a thirteenth for the mean of five.
    assert!((mean / predicted - 1.0).abs() < 0.15, "{mean:.5}, {predicted:.5} predicted");
}

#[test]
fn invalid_link_errors_are_rejected() {
    for (machine, expected) in [
        ("link_errors = { bit_error_rate = 0.5 }", "must be a number from 0 to 0.001"),
        ("link_errors = { bit_error_rate = 1e-6, timeout_cycles = 100 }", "must be from 562 to"),
        (
            "link_errors = { bit_error_rate = 1e-6, retransmission_fifo_bytes = 100 }",
            "must be a multiple of 32",
        ),
        ("link_errors = { rate = 1e-6 }", "bit_error_rate"),
    ] {
        let text = format!("[machine]\nshape = [4]\n{machine}\n[workload]\nkind = \"uniform-random\"\n");
        let error = resolve(&text, "test.toml", Path::new(""), &[]).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("link_errors"), "{error}");
    }
}
