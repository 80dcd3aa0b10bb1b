//! Physical units of keys: `hop_latency = "50 ns"` is the key `hop_latency_cycles`, which counts cycles.
//!
//! ```text
//!   each document and override     hop_latency = "50 ns"         rate = "100 GB/s"
//!        |  names::state_units     hop_latency_cycles = "50 ns"  megabytes_per_second = "100 GB/s"
//!   merged: preset <- file <- overrides
//!        |  conversion::convert    hop_latency_cycles = 5000     megabytes_per_second = 100000
//!        |  defaults::complete     token_latency_cycles = 5000   what follows from the link, if nothing states it
//! ```
//!
//! The unit of a key is the ending of its name, so that a new key needs nothing here. Text waits for the merged document,
//! since only the rate of its links gives the length of a cycle.

mod conversion;
mod defaults;
mod names;
mod schema;

pub(super) use conversion::{check_clocks, convert};
pub(super) use defaults::complete;
use input::quantity::Measure;
pub(crate) use names::is_written_in_units;
pub(super) use names::{show_names, state_units, state_units_of_override};
pub(crate) use schema::{add_names, example};

/// The rate of a link, which gives the length of a cycle.
pub(super) const RATE: &str = "machine.link.megabytes_per_second";

/// The ratio of the clocks of processors and links.
pub(super) const CLOCK: &str = "machine.node.processor_cycles_per_cycle";

/// The unit in which a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Cycles,
    ProcessorCycles,
    Bytes,
    MegabytesPerSecond,
    /// Bytes in the time of a byte on a link.
    BytesPerCycle,
    /// The ratio of two clocks.
    ProcessorCyclesPerCycle,
}

impl Unit {
    /// The unit of a key, from its name.
    fn of(key: &str) -> Option<Self> {
        match key {
            "megabytes_per_second" => Some(Unit::MegabytesPerSecond),
            "bytes_per_cycle" => Some(Unit::BytesPerCycle),
            "processor_cycles_per_cycle" => Some(Unit::ProcessorCyclesPerCycle),
            "bytes" => Some(Unit::Bytes),
            _ if key.contains("processor_cycles") => Some(Unit::ProcessorCycles),
            _ if key.ends_with("_cycles") => Some(Unit::Cycles),
            _ if key.ends_with("_bytes") => Some(Unit::Bytes),
            _ => None,
        }
    }

    /// The measure of a text that replaces a number in this unit.
    fn measure(self) -> Measure {
        match self {
            Unit::Cycles | Unit::ProcessorCycles => Measure::Time,
            Unit::Bytes => Measure::Size,
            Unit::MegabytesPerSecond | Unit::BytesPerCycle => Measure::Rate,
            Unit::ProcessorCyclesPerCycle => Measure::Frequency,
        }
    }
}

/// The hop latencies of links, from which other values follow.
const HOP_LATENCY: &str = "machine.link.hop_latency_cycles";

#[cfg(test)]
mod tests;
