//! A stand-in for the simulation, so that the Python side can be built and tried. To be dropped.
#![allow(missing_docs)]

use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Override {
    pub path: String,
    pub value: Value,
    pub origin: String,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InputError(String);

#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    seed: u64,
    shape: Vec<u64>,
    payload: u64,
    whole: Value,
}

#[derive(Clone, Copy, Debug)]
pub enum EngineKind {
    Reference,
    Windowed,
}

const KINDS: [&str; 3] = ["all-to-all", "uniform-random", "trace"];

pub fn resolve(text: &str, origin: &str, directory: &Path, overrides: &[Override]) -> Result<Scenario, InputError> {
    let _ = directory;
    let value: Value = if origin.ends_with(".json") {
        let file: Value = serde_json::from_str(text)
            .map_err(|error| InputError(format!("{origin}: not a result: {error}")))?;
        file.get("scenario").cloned().ok_or_else(|| InputError(format!("{origin}: has no `scenario`")))?
    } else {
        let table: toml::Table = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            InputError(format!("{origin}:{line}: {}", error.message()))
        })?;
        if table.is_empty() {
            return Err(InputError(format!("{origin}: is empty; `torusim init` writes a scenario to begin with")));
        }
        serde_json::to_value(table).unwrap()
    };
    let stem = Path::new(origin).file_stem().map_or("scenario".into(), |stem| stem.to_string_lossy().into_owned());
    build(value, &stem, origin, overrides)
}

pub fn resolve_plain(value: Value, overrides: &[Override]) -> Result<Scenario, InputError> {
    build(value, "scenario", "the dict", overrides)
}

pub fn parse_override(text: &str) -> Result<Override, InputError> {
    let origin = format!("--set {text}");
    let (path, value) = text
        .split_once('=')
        .ok_or_else(|| InputError(format!("{origin}: has no `=`; it would be --set machine.shape=[8,8,4]")))?;
    let table: toml::Table = toml::from_str(&format!("value = {value}"))
        .map_err(|error| InputError(format!("{origin}: the value is not TOML: {}", error.message())))?;
    Ok(Override { path: path.into(), value: serde_json::to_value(&table["value"]).unwrap(), origin })
}

fn build(mut value: Value, stem: &str, origin: &str, overrides: &[Override]) -> Result<Scenario, InputError> {
    for item in overrides {
        let mut place = &mut value;
        for key in item.path.split('.') {
            place = place
                .as_object_mut()
                .ok_or_else(|| InputError(format!("{}: {} is not a section", item.origin, item.path)))?
                .entry(key)
                .or_insert_with(|| Value::Object(Map::new()));
        }
        *place = item.value.clone();
    }
    for key in value.as_object().into_iter().flatten().map(|(key, _)| key) {
        if !["name", "machine", "workload", "run", "schema_version"].contains(&key.as_str()) {
            return Err(InputError(format!("{origin}: unknown key `{key}`; known are name, machine, workload, run")));
        }
    }
    let shape: Vec<u64> = serde_json::from_value(value["machine"]["shape"].clone())
        .map_err(|error| InputError(format!("{origin}: machine.shape: {error}; it would be such as [8, 8, 8]")))?;
    if shape.is_empty() || shape.len() > 6 || shape.contains(&0) {
        return Err(InputError(format!("{origin}: machine.shape: {shape:?} has to be 1 to 6 lengths of at least 1")));
    }
    let kind = value["workload"]["kind"].as_str().unwrap_or("").to_owned();
    if !KINDS.contains(&kind.as_str()) {
        return Err(InputError(format!("{origin}: workload.kind: `{kind}` is not known; known are {}", KINDS.join(", "))));
    }
    if value["run"]["seed"].is_null() {
        value["run"]["seed"] = json!(1);
    }
    let seed = value["run"]["seed"]
        .as_u64()
        .ok_or_else(|| InputError(format!("{origin}: run.seed: {} is not an integer from 0", value["run"]["seed"])))?;
    let name = value["name"].as_str().unwrap_or(stem).to_owned();
    value["name"] = json!(name);
    value["schema_version"] = json!(1);
    let payload = value["workload"]["payload_bytes"].as_u64().unwrap_or(240);
    Ok(Scenario { name, seed, shape, payload, whole: value })
}

impl Scenario {
    pub fn to_json(&self) -> Value {
        self.whole.clone()
    }
    pub fn name(&self) -> &str {
        &self.name
    }
    pub fn seed(&self) -> u64 {
        self.seed
    }
    fn nodes(&self) -> u64 {
        self.shape.iter().product()
    }
    fn packets(&self) -> u64 {
        self.nodes() * (self.nodes() - 1) * self.payload.div_ceil(240)
    }
}

pub struct Progress {
    pub done: bool,
    pub cycle: u64,
    pub seconds_simulated: f64,
    pub fraction: Option<f64>,
    pub packets_delivered: u64,
    pub packet_hops: u64,
    pub engine_seconds: f64,
}

pub struct RunResult {
    pub summary: Value,
    pub scenario: Value,
    pub tables: Vec<Table>,
}

pub struct Table {
    pub name: &'static str,
    pub columns: Vec<(String, Column)>,
}

pub enum Column {
    U32(Vec<u32>),
    U64(Vec<u64>),
    F64(Vec<f64>),
    Text(Vec<String>),
}

pub struct Run {
    scenario: Scenario,
    delivered: u64,
    started: Instant,
    seconds: f64,
}

impl Run {
    pub fn new(scenario: Scenario, _engine: EngineKind, threads: usize) -> Result<Run, InputError> {
        if threads == 0 {
            return Err(InputError("threads: 0 has to be at least 1".into()));
        }
        Ok(Run { scenario, delivered: 0, started: Instant::now(), seconds: 0.0 })
    }

    pub fn advance(&mut self, wall_budget: Duration) -> Progress {
        let left = (self.scenario.packets() - self.delivered) as f64 / 2e6;
        let slice = wall_budget.as_secs_f64().min(left);
        std::thread::sleep(Duration::from_secs_f64(slice));
        self.seconds += slice;
        self.delivered = self.scenario.packets().min((self.seconds * 2e6).ceil() as u64);
        let cycle = self.delivered;
        Progress {
            done: self.delivered == self.scenario.packets(),
            cycle,
            seconds_simulated: cycle as f64 * 5.714e-9,
            fraction: Some(self.delivered as f64 / self.scenario.packets() as f64),
            packets_delivered: self.delivered,
            packet_hops: 6 * self.delivered,
            engine_seconds: self.seconds,
        }
    }

    pub fn finish(self, interrupted: bool) -> RunResult {
        let by_direction: Map<String, Value> =
            self.directions().iter().map(|name| (name.clone(), json!(0.955))).collect();
        let summary = json!({
            "outcome": if interrupted { "interrupted" } else { "completed" },
            "cycles": self.delivered,
            "seconds_simulated": self.delivered as f64 * 5.714e-9,
            "packets_injected": self.delivered,
            "packets_delivered": self.delivered,
            "packet_hops": 6 * self.delivered,
            "packet_hops_total": 6 * self.delivered,
            "mean_hops": 6.0,
            "link_utilization_mean": 0.955,
            "link_utilization_by_direction": by_direction,
            "payload_utilization": 0.849,
            "percent_of_peak": 95.5,
            "percent_of_peak_kind": "drained",
            "latency_cycles_mean": 18_000.5,
            "latency_cycles_p99": 90_000,
            "escape_share": 0.012,
            "longest_wait_cycles": 4321,
            "digest": format!("{:016x}", self.scenario.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            "engine_seconds": self.seconds,
            "wall_seconds": self.started.elapsed().as_secs_f64(),
            "packet_hops_per_second": 12e6,
            "peak_memory_bytes": 512 * 1024,
            "process_peak_memory_bytes": 60_000_000,
        });
        let tables = vec![self.links(), self.latency(), self.series(), self.nodes()];
        RunResult { summary, scenario: self.scenario.whole, tables }
    }

    fn directions(&self) -> Vec<String> {
        self.scenario.shape.iter().zip(["x", "y", "z", "u", "v", "w"])
            .flat_map(|(_, axis)| [format!("{axis}+"), format!("{axis}-")])
            .collect()
    }

    fn links(&self) -> Table {
        let directions = self.directions();
        let count = self.scenario.nodes() as usize * directions.len();
        let mut text = Vec::new();
        let mut node = Vec::new();
        for index in 0..count {
            node.push((index / directions.len()) as u32);
            text.push(directions[index % directions.len()].clone());
        }
        Table {
            name: "links",
            columns: vec![
                ("node".into(), Column::U32(node)),
                ("direction".into(), Column::Text(text)),
                ("packets".into(), Column::U64(vec![10; count])),
                ("chunks".into(), Column::U64(vec![80; count])),
                ("busy_cycles".into(), Column::U64(vec![2700; count])),
                ("stalled_cycles".into(), Column::U64(vec![27; count])),
                ("utilization".into(), Column::F64((0..count).map(|i| 0.9 + (i % 97) as f64 / 1000.0).collect())),
            ],
        }
    }

    fn latency(&self) -> Table {
        let low: Vec<u64> = (0..60).map(|i| 100 + i * 400).collect();
        let high = low.iter().map(|low| low + 400).collect();
        let packets = (0..60u64).map(|i| 5000 * i * (60 - i) / 900).collect();
        Table {
            name: "latency",
            columns: vec![
                ("low_cycles".into(), Column::U64(low)),
                ("high_cycles".into(), Column::U64(high)),
                ("packets".into(), Column::U64(packets)),
            ],
        }
    }

    fn series(&self) -> Table {
        let start: Vec<u64> = (0..50).map(|i| i * 1000).collect();
        let end = start.iter().map(|start| start + 1000).collect();
        let mut columns = vec![
            ("start_cycle".into(), Column::U64(start)),
            ("end_cycle".into(), Column::U64(end)),
            ("packets_injected".into(), Column::U64(vec![900; 50])),
            ("packets_delivered".into(), Column::U64(vec![880; 50])),
            ("packets_in_flight".into(), Column::U64(vec![3000; 50])),
            ("utilization".into(), Column::F64((0..50).map(|i| 1.0 - 0.9f64.powi(i + 1)).collect())),
        ];
        for (offset, direction) in self.directions().into_iter().enumerate() {
            let wave = (0..50).map(|i| (1.0 - 0.9f64.powi(i + 1)) * (1.0 - 0.02 * offset as f64)).collect();
            columns.push((format!("utilization_{direction}"), Column::F64(wave)));
        }
        columns.push(("escape_share".into(), Column::F64(vec![0.012; 50])));
        Table { name: "series", columns }
    }

    fn nodes(&self) -> Table {
        let count = self.scenario.nodes() as usize;
        let mut columns = vec![("node".into(), Column::U32((0..count as u32).collect()))];
        for (axis, _) in ["x", "y", "z", "u", "v", "w"].iter().zip(&self.scenario.shape) {
            columns.push(((*axis).into(), Column::U32(vec![0; count])));
        }
        columns.push(("injected".into(), Column::U64(vec![1; count])));
        columns.push(("delivered".into(), Column::U64(vec![1; count])));
        Table { name: "nodes", columns }
    }
}

pub fn check(scenario: &Scenario) -> Result<Value, InputError> {
    Ok(json!({
        "nodes": scenario.nodes(),
        "links": scenario.nodes() * 2 * scenario.shape.len() as u64,
        "packets": scenario.packets(),
        "memory_bytes": scenario.nodes() * 1024,
    }))
}

pub fn list() -> Value {
    let parameter = |name: &str| json!({"name": name, "meaning": "Bytes each node sends to each other.", "unit": "bytes", "default": 240});
    json!({
        "presets": [{"name": "bluegene-l", "description": "Blue Gene/L: 3-D torus, 175 MB/s a link and direction."}],
        "workloads": KINDS.iter().map(|kind| json!({"kind": kind, "description": "What it does, in a sentence.", "parameters": [parameter("payload_bytes")]})).collect::<Vec<_>>(),
        "parameters": [
            {"key": "machine.shape", "meaning": "Nodes in each dimension, 1 to 6 of them.", "unit": "nodes", "default": null},
            {"key": "machine.router.dynamic_channels", "meaning": "Virtual channels routed minimal-adaptively.", "unit": "", "default": 2},
            {"key": "run.seed", "meaning": "Names every random choice.", "unit": "", "default": 1},
        ],
    })
}

pub fn schema() -> Value {
    json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Scenario", "type": "object"})
}

pub fn template(kind: Option<&str>) -> String {
    let kind = kind.unwrap_or("all-to-all");
    format!("# What machine?\n[machine]\npreset = \"bluegene-l\"\nshape = [4, 4, 4]\n\n[workload]\nkind = \"{kind}\"\npayload_bytes = 2400\n\n[run]\nseed = 1\n")
}
