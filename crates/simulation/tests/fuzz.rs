//! Fuzz targets: scenarios, and checkpoints. A scenario that resolves is estimated, and run for a moment if it is
//! small.

#[path = "../../input/tests/mutation/mod.rs"]
mod mutation;

#[path = "fuzz/checkpoints.rs"]
mod checkpoints;

use proptest::prelude::*;
use simulation::{EngineKind, Run, Scenario, check, parse_override, resolve};
use std::path::{Path, PathBuf};
use std::time::Duration;

const WORDS: &[&str] = &[
    "uniform-random",
    "all-to-all",
    "hot-spot",
    "hot-region",
    "nearest-neighbor",
    "ping-pong",
    "trace",
    "kernel",
    "halo-2d",
    "halo-3d",
    "six-way-send",
    "six-way-receive",
    "sweep3d",
    "nas-mg",
    "communication",
    "messaging",
    "transpose",
    "tornado",
    "shift",
    "line-broadcast",
    "torus-broadcast",
    "drained",
    "measured",
    "dateline",
    "bubble",
    "direction",
    "relay",
    "full",
    "load",
    "machine.router",
    "machine.link",
    "machine.node",
    "machine.packet",
    "[run]",
    "[workload]",
    "x+",
    "preset",
    "bluegene-p",
    "bluegene-l-early",
    "machine.link_errors.bit_error_rate",
    "dead_nodes",
    "time_limit_cycles",
];

const SMALL_NODES: u64 = 64;
const SMALL_BYTES: u64 = 1 << 26;

fn corpus() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut texts: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    texts.sort();
    let small = b"[machine]\nshape = [2, 3]\n[machine.link_errors]\nbit_error_rate = 0.0001\ntimeout_cycles = 2000\n\
        [workload]\nkind = \"uniform-random\"\nload = 0.5\n[run]\nstop = \"measured\"\nmeasure_cycles = 100\n";
    texts.push(small.to_vec());
    texts
}

fn is_small(scenario: &Scenario) -> bool {
    let estimate = check(scenario).ok();
    let value = |key: &str| estimate.as_ref().and_then(|estimate| estimate[key].as_u64());
    value("nodes").is_some_and(|nodes| nodes <= SMALL_NODES)
        && value("memory_bytes").is_some_and(|bytes| bytes <= SMALL_BYTES)
}

proptest! {
    #[test]
    fn scenarios_resolve_or_are_rejected_in_one_line(bytes in mutation::mutated(corpus(), WORDS)) {
        let text = String::from_utf8_lossy(&bytes);
        match resolve(&text, "fuzz.toml", Path::new("/nonexistent"), &[]) {
            Err(error) => {
                let message = error.to_string();
                prop_assert!(!message.is_empty() && !message.contains('\n') && message.len() < 4000, "{message}");
            }
            Ok(scenario) if is_small(&scenario) => {
                let limit = parse_override("run.time_limit_cycles=300").unwrap();
                if let Ok(scenario) = resolve(&text, "fuzz.toml", Path::new("/nonexistent"), &[limit])
                    && let Ok(mut run) = Run::new(scenario, EngineKind::Windowed, 2)
                {
                    run.advance(Duration::from_millis(20));
                    run.finish(true);
                }
            }
            Ok(_) => {}
        }
    }
}
