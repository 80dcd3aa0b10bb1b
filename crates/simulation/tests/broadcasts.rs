//! Runs of broadcasts with the deposit bit: published shares of peak, and the effect of full FIFOs at the corners.

use serde_json::Value;
use simulation::{EngineKind, Override, Run, RunResult, parse_override, resolve};
use std::path::Path;
use std::time::Duration;

fn run_by(
    (engine, threads): (EngineKind, usize),
    shape: &str,
    kind: &str,
    packets: u32,
    overrides: &[&str],
) -> RunResult {
    let overrides: Vec<Override> = overrides.iter().map(|text| parse_override(text).unwrap()).collect();
    let payload_bytes = 240 * packets;
    let text = format!(
        "[machine]\nshape = {shape}\n[workload]\nkind = \"{kind}\"\npayload_bytes = {payload_bytes}\n"
    );
    let scenario = resolve(&text, "test.toml", Path::new(""), &overrides).unwrap();
    let mut run = Run::new(scenario, engine, threads).unwrap();
    while !run.advance(Duration::from_secs(60)).done {}
    run.finish(false)
}

fn summary(shape: &str, kind: &str, packets: u32, overrides: &[&str]) -> Value {
    run_by((EngineKind::Windowed, 1), shape, kind, packets, overrides).summary
}

/// The figures of a summary that must not depend on the engine.
fn observed(summary: &Value) -> [&Value; 7] {
    [
        "digest",
        "outcome",
        "outcome_detail",
        "cycles",
        "latency_cycles_mean",
        "packets_delivered",
        "packet_hops",
    ]
    .map(|name| &summary[name])
}

#[test]
fn engines_agree_on_broadcasts() {
    let costs = "machine.node={cores = 2, read_processor_cycles = 196, write_processor_cycles = 60}";
    let tight =
        "machine.node={reception_fifo_bytes = 256, injection_fifo_bytes = 512, read_processor_cycles = 300}";
    for (shape, kind, overrides) in [
        ("[8, 1, 1]", "line-broadcast", &[][..]),
        ("[8, 1, 1]", "line-broadcast", &["machine.node.injection_window_packets=2"]),
        ("[5, 8]", "plane-broadcast", &[costs]),
        ("[4, 3, 5]", "torus-broadcast", &[costs, "machine.router.escape=\"dateline\""]),
        ("[4, 3, 5]", "torus-broadcast", &[tight]),
        ("[3, 3, 2, 3]", "torus-broadcast", &[tight, "machine.router.arbitration_gap_share=0.5"]),
    ] {
        let reference = run_by((EngineKind::Reference, 1), shape, kind, 301, overrides);
        assert!(reference.summary["packets_delivered"].as_u64() > Some(0), "{shape} {kind} {overrides:?}");
        for threads in [1, 2, 3, 8] {
            let windowed = run_by((EngineKind::Windowed, threads), shape, kind, 301, overrides);
            let what = format!("{shape} {kind} {overrides:?}, {threads} threads");
            assert_eq!(windowed.summary["engine"], "windowed", "{what}");
            assert_eq!(observed(&windowed.summary), observed(&reference.summary), "{what}");
            assert!(windowed.tables == reference.tables, "{what}");
        }
    }
}

fn percent_of_peak(summary: &Value) -> f64 {
    assert_eq!(summary["outcome"], "completed", "{summary}");
    summary["percent_of_peak"].as_f64().unwrap()
}

#[test]
fn a_line_is_filled_at_the_rate_of_two_links() {
    let line = summary("[8, 1, 1]", "line-broadcast", 4000, &[]);
    assert!(percent_of_peak(&line) > 99.0, "row S37: {line}");
    assert_eq!((&line["packets_delivered"], &line["packets_injected"]), (&28_000.into(), &4000.into()));
    // Two colors have twice the rate of one.
    let one_color = summary("[8, 1, 1]", "line-broadcast", 4000, &["workload.colors=1"]);
    let ratio = one_color["cycles"].as_f64().unwrap() / line["cycles"].as_f64().unwrap();
    assert!((1.98..2.02).contains(&ratio), "{ratio}");
}

#[test]
fn planes_and_machines_are_filled_at_the_rate_of_all_links() {
    for (shape, kind, packets) in [
        ("[8, 8, 1]", "plane-broadcast", 2000),
        ("[4, 4, 4]", "plane-broadcast", 2000),
        ("[4, 4, 4]", "torus-broadcast", 2000),
        ("[3, 5]", "torus-broadcast", 2000),
    ] {
        let filled = summary(shape, kind, packets, &["machine.node.cores=2"]);
        assert!(percent_of_peak(&filled) > 96.0, "row S38, {shape} {kind}: {filled}");
    }
}

/// Over lossy links, copies and the packets that software forwards arrive undamaged and exactly once.
#[test]
fn link_errors_lose_no_copies() {
    let lossy = summary("[4, 3, 2]", "torus-broadcast", 600, &["machine.link_errors.bit_error_rate=0.00003"]);
    assert_eq!(lossy["outcome"], "completed", "{lossy}");
    assert!(lossy["link_frames_sent_again"].as_u64() > Some(100));
    assert_eq!((&lossy["packets_delivered"], &lossy["packets_damaged"]), (&(23 * 600).into(), &0.into()));
}

/// If reading waits for room to forward packets, packets may wait for one another through software. Such a deadlock
/// is an outcome, not an error.
#[test]
fn full_fifos_at_the_corners_complete_or_deadlock() {
    let mut outcomes = Vec::new();
    for (shape, fifos, bytes) in [("[4, 4]", 6, 1024), ("[4, 4]", 1, 256), ("[3, 3, 3]", 1, 256)] {
        let overrides = [
            "machine.node.reception_fifo_bytes=256".to_owned(),
            "machine.node.read_processor_cycles=100".to_owned(),
            "machine.node.write_processor_cycles=400".to_owned(),
            format!("machine.node.injection_fifo_bytes={bytes}"),
            format!("machine.node.normal_injection_fifos={fifos}"),
        ];
        let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
        let ended = summary(shape, "torus-broadcast", 300, &overrides);
        outcomes.push(ended["outcome"].as_str().unwrap().to_owned());
        let reference = run_by((EngineKind::Reference, 1), shape, "torus-broadcast", 300, &overrides);
        assert_eq!(observed(&ended), observed(&reference.summary), "{shape}");
        if ended["outcome"] == "deadlocked" {
            assert!(ended["outcome_detail"]["ring"].as_array().unwrap().len() > 1);
        }
    }
    assert!(outcomes.iter().all(|outcome| outcome == "completed" || outcome == "deadlocked"), "{outcomes:?}");
}
