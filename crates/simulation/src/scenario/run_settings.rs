//! The settings of a scenario's run: the seed, the stop, the measurement.

use super::warnings::diameter_cycles;
use crate::engine::EngineFamily;
use base::time::LATEST_CYCLE;
use input::{Document, InputError, read};
use network::Parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Default warm-up per node along the longest dimension. A saturated 32x32x32 torus has filled its buffers and
/// reached steady throughput after about 30,000 cycles.
const WARMUP_CYCLES_PER_LENGTH: u64 = 1_000;

/// The shortest default warm-up: about 40 full packets over each link.
const SHORTEST_WARMUP_CYCLES: u64 = 10_000;

/// The shortest default warm-up in times of a packet over the longest distance. It applies where links are long.
/// Packets of all distances have then arrived, and so have packets that they have met. On the presets it is shorter
/// than the others.
const WARMUP_IN_DIAMETERS: u64 = 10;

/// The settings of a scenario's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunSettings {
    /// Name of the result. Default: the name of the scenario file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Seed of all random draws.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Method by which the result is computed: "packets", or "fluid": the flows of the workload, without packets,
    /// much faster and with an error that the result states. Default: packets.
    #[serde(default, skip_serializing_if = "EngineFamily::is_default")]
    pub engine: EngineFamily,
    /// End of the run: "drained" when all packets are delivered, "measured" after warm-up and measurement,
    /// "sampled" when the rate of a workload that ends has settled, from which the rest is extrapolated. Default:
    /// drained for finite workloads, measured for open-loop workloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// Warm-up of a measured run, in cycles. Default: 1,000 per node along the longest dimension, at least 10,000
    /// and ten times the time of a packet over the longest distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_cycles: Option<u64>,
    /// Length of the measurement of a measured run, in cycles. Default: twice the default warm-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_cycles: Option<u64>,
    /// Greatest half-width of the 95 % interval of the rate at which a sampled run ends, in percent of the rate.
    /// Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_half_width_percent: Option<f64>,
    /// Cycle at which the run ends in any case. Default: 2^46.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_cycles: Option<u64>,
    /// Interval between rows of the time series, in cycles. Default: chosen for 200 to 400 rows, at least 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series_interval_cycles: Option<u64>,
    /// Unit of times and rates on screens and in pictures: "cycles", with the machine's time behind them, or "physical":
    /// nanoseconds and GB/s alone. Default: physical if the rate of the links has a unit.
    #[serde(default, skip_serializing_if = "Units::are_cycles")]
    pub units: Units,
    /// Whether the time series includes the buffer occupancy of each virtual channel (VC) and the share of credit
    /// returns that unblock a head packet. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observe_buffers: bool,
    /// Whether the messages and bytes that each rank sends to each other are counted, in the table `communication`. Default:
    /// false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub communication: bool,
    /// Whether the utilization of each link over time is recorded, in the table `link_series`. Beyond 200,000 links it is
    /// that of the links that leave each plane in each direction. The time series then has at most 256 rows. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub link_series: bool,
    /// Whether each of several jobs also runs alone, on the same nodes and by the same seed, to compute its
    /// slowdown. Default: true if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<bool>,
}

/// The unit of times and rates where people read them. Files have both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Units {
    /// Cycles of the network.
    #[default]
    Cycles,
    /// Seconds, and bytes in a second.
    Physical,
}

impl Units {
    pub(crate) fn are_cycles(&self) -> bool {
        match self {
            Units::Cycles => true,
            Units::Physical => false,
        }
    }
}

/// The condition at which a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stop {
    /// When all packets are delivered.
    Drained,
    /// After the warm-up and the measurement.
    Measured,
    /// Once the rate of deliveries has settled.
    Sampled,
}

/// The default of [`RunSettings::sample_half_width_percent`].
const SAMPLE_HALF_WIDTH_PERCENT: f64 = 1.0;

/// The default seed.
const DEFAULT_SEED: u64 = 1;

fn default_seed() -> u64 {
    DEFAULT_SEED
}

impl Default for RunSettings {
    fn default() -> Self {
        RunSettings {
            name: None,
            seed: DEFAULT_SEED,
            engine: EngineFamily::default(),
            stop: None,
            warmup_cycles: None,
            measure_cycles: None,
            sample_half_width_percent: None,
            time_limit_cycles: None,
            series_interval_cycles: None,
            units: Units::default(),
            observe_buffers: false,
            communication: false,
            link_series: false,
            alone: None,
        }
    }
}

/// Whether `name` can be a file name: results are stored under it.
fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(|c: char| c.is_control() || "/\\".contains(c))
}

/// The cycles that a run measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The first measured cycle.
    pub start: u64,
    /// The cycle at which the measurement and the run end; `None` for a drained run.
    pub end: Option<u64>,
}

impl Window {
    /// The middle of the measurement; `None` for a drained run.
    pub(crate) fn middle(&self) -> Option<u64> {
        self.end.map(|end| self.start.midpoint(end))
    }
}

impl RunSettings {
    /// Reads the settings of a document. All of them are optional.
    ///
    /// # Errors
    /// The first unknown key or invalid value, with its place.
    pub(crate) fn read(document: &Document) -> Result<Self, InputError> {
        let settings: RunSettings = match document.get("run") {
            Some(_) => read(document, "run")?,
            None => RunSettings::default(),
        };
        if settings.name.as_deref().is_some_and(|name| !is_file_name(name)) {
            return Err(document
                .error("run.name", "must be usable as a file name: not empty, no slashes, no leading dot"));
        }
        for (key, value) in [
            ("run.measure_cycles", settings.measure_cycles),
            ("run.time_limit_cycles", settings.time_limit_cycles),
            ("run.series_interval_cycles", settings.series_interval_cycles),
        ] {
            if value == Some(0) {
                return Err(document.error(key, "must be at least 1"));
            }
        }
        let is_late = settings.time_limit_cycles.is_some_and(|limit| limit > LATEST_CYCLE);
        if is_late {
            return Err(document.error("run.time_limit_cycles", "must be at most 2^46, where every run ends"));
        }
        Ok(settings)
    }

    /// Checks that the workload has ranks if their communication is to be counted.
    ///
    /// # Errors
    /// When it has none.
    pub(crate) fn check_ranks(&self, has_ranks: bool, document: &Document) -> Result<(), InputError> {
        match self.communication && !has_ranks {
            true => Err(document.error(
                "run.communication",
                "this workload has no ranks, whose messages could be counted; ping-pong, kernel and trace have some",
            )),
            false => Ok(()),
        }
    }

    /// Fills in whether jobs also run alone.
    ///
    /// # Errors
    /// When no job could; when the communication of ranks of jobs is to be counted.
    pub(crate) fn complete_alone(&mut self, jobs: usize, document: &Document) -> Result<(), InputError> {
        if jobs > 0 && self.communication {
            let problem =
                "ranks are numbered within each job: without [[jobs]] their communication can be counted";
            return Err(document.error("run.communication", problem));
        }
        if jobs == 0 && self.alone.is_some() {
            return Err(document.error("run.alone", "has no effect without [[jobs]]"));
        }
        if jobs > 0 {
            self.alone.get_or_insert(jobs > 1);
        }
        Ok(())
    }

    /// Fills in the defaults that depend on the shape and on whether the workload `ends`.
    ///
    /// # Errors
    /// When the run would never stop, a drained run sets a measurement, or the measurement ends too late.
    pub(crate) fn complete(
        &mut self,
        ends: bool,
        parameters: &Parameters,
        document: &Document,
    ) -> Result<(), InputError> {
        let default = if ends { Stop::Drained } else { Stop::Measured };
        match *self.stop.get_or_insert(default) {
            Stop::Measured => self.complete_window(parameters, document),
            Stop::Drained => self.check_drained(ends, document),
            Stop::Sampled => self.complete_sample(ends, document),
        }?;
        match self.sample_half_width_percent.is_some() && self.stop != Some(Stop::Sampled) {
            true => Err(document.error("run.sample_half_width_percent", "needs run.stop = \"sampled\"")),
            false => Ok(()),
        }
    }

    fn complete_sample(&mut self, ends: bool, document: &Document) -> Result<(), InputError> {
        if !ends {
            let problem = "this workload never ends: \"sampled\" is for workloads that do; \"measured\" is for this one";
            return Err(document.error("run.stop", problem));
        }
        let percent = *self.sample_half_width_percent.get_or_insert(SAMPLE_HALF_WIDTH_PERCENT);
        if !(percent > 0.0 && percent <= 50.0) {
            let problem = "must be more than 0 and at most 50";
            return Err(document.error("run.sample_half_width_percent", problem));
        }
        self.check_without_window(document)
    }

    fn complete_window(&mut self, parameters: &Parameters, document: &Document) -> Result<(), InputError> {
        let longest = parameters.shape.lengths().iter().copied().max().unwrap_or(1);
        let settling = (u64::from(longest) * WARMUP_CYCLES_PER_LENGTH)
            .max(SHORTEST_WARMUP_CYCLES)
            .max(WARMUP_IN_DIAMETERS * diameter_cycles(parameters));
        let warmup = *self.warmup_cycles.get_or_insert(settling);
        let measured = *self.measure_cycles.get_or_insert(2 * settling);
        let end = warmup.checked_add(measured).filter(|end| *end < LATEST_CYCLE);
        end.map(|_| ())
            .ok_or_else(|| document.error("run.measure_cycles", "must end before 2^46, where every run does"))
    }

    fn check_drained(&self, ends: bool, document: &Document) -> Result<(), InputError> {
        if !ends && self.time_limit_cycles.is_none() {
            let problem = "this workload never ends: must be \"measured\", or have a run.time_limit_cycles";
            return Err(document.error("run.stop", problem));
        }
        self.check_without_window(document)
    }

    fn check_without_window(&self, document: &Document) -> Result<(), InputError> {
        let window = [("run.warmup_cycles", self.warmup_cycles), ("run.measure_cycles", self.measure_cycles)];
        match window.into_iter().find(|(_, value)| value.is_some()) {
            Some((key, _)) => Err(document.error(
                key,
                "a run that is not measured counts all of its cycles: needs run.stop = \"measured\"",
            )),
            None => Ok(()),
        }
    }

    /// The cycles that the run measures.
    pub(crate) fn window(&self) -> Window {
        match self.stop {
            Some(Stop::Measured) => {
                let start = self.warmup_cycles.unwrap_or(0);
                Window { start, end: Some(start + self.measure_cycles.unwrap_or(0)) }
            }
            Some(Stop::Drained | Stop::Sampled) | None => Window { start: 0, end: None },
        }
    }
}
