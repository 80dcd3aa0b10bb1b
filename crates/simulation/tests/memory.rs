//! The memory that `check` predicts, against that of runs.

use simulation::{EngineKind, Run, check, resolve};
use std::path::Path;
use std::time::Duration;

/// Bytes that a run takes at its peak for each byte that `check` has predicted. The tables of the result are
/// predicted too.
fn taken_per_predicted(machine: &str, workload: &str) -> f64 {
    let text = format!("[machine]\nshape = [8, 8, 8]\n{machine}\n[workload]\n{workload}\n");
    let scenario = resolve(&text, "test.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"));
    let check = check(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let (predicted, links) = (check["memory_bytes"].as_f64().unwrap(), check["links"].as_f64().unwrap());
    let mut run = Run::new(scenario, EngineKind::Windowed, 1).unwrap_or_else(|error| panic!("{error}"));
    while !run.advance(Duration::from_secs(60)).done {}
    let result = run.finish(false);
    assert_eq!(result.summary["outcome"], "completed");
    let tables = links * simulation::TABLE_BYTES_PER_LINK as f64;
    (result.summary["peak_memory_bytes"].as_f64().unwrap() + tables) / predicted
}

/// The memory of ranks alone on their nodes and together, with cores, co-processors or DMA engines to move packets.
#[test]
fn memory_of_ranks_is_predicted_within_a_tenth() {
    const HALO: &str = "kind = \"kernel\"\nname = \"halo-3d\"\nbytes = 1024\niterations = 3";
    const ALL_REDUCE: &str = "kind = \"collective\"\noperation = \"all-reduce\"\nbytes = 8192";
    const ALL_TO_ALL: &str =
        "kind = \"collective\"\noperation = \"all-to-all\"\nalgorithm = \"direct\"\nbytes = 32768";
    const PING_PONG: &str = "kind = \"kernel\"\nname = \"ping-pong\"\nbytes = 16";
    let cases = [
        ("bluegene-l", "heater", HALO),
        ("bluegene-l", "heater", ALL_TO_ALL),
        ("bluegene-l", "heater", PING_PONG),
        ("bluegene-l", "co-processor", HALO),
        ("bluegene-l", "virtual-node", HALO),
        ("bluegene-p", "smp", HALO),
        ("bluegene-p", "smp", ALL_REDUCE),
        ("bluegene-p", "virtual-node", HALO),
        ("bluegene-p", "virtual-node", ALL_REDUCE),
    ];
    for (preset, mode, workload) in cases {
        let machine = format!("preset = \"{preset}\"\nmode = \"{mode}\"");
        let share = taken_per_predicted(&machine, workload);
        assert!((0.9..1.1).contains(&share), "{preset}, {mode}, {workload}: {share}");
    }
}
