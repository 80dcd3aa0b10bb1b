//! Warnings: settings that a scenario may have, but that make no sense on a real machine, or silently throttle it.

use super::{Scenario, units};
use network::Parameters;
use network::parameters::LinkParameters;

/// The fastest processors that are taken for real ones, in GHz.
const FASTEST_PROCESSOR_GHZ: f64 = 10.0;

/// The greatest ratio of a hop's time to that of returning credits. Credits return over the link that packets take,
/// in the other direction. A hop also has a router's pipeline (6.5 times on Blue Gene/L).
const MAX_HOPS_TO_RETURN: u32 = 20;

/// The least cycles of a full packet over the longest distance of the machine.
pub(super) fn diameter_cycles(parameters: &Parameters) -> u64 {
    let Parameters { shape, links, .. } = parameters;
    let latencies: Vec<f64> = links.iter().map(|link| f64::from(link.hop_latency_cycles)).collect();
    let longest = links.iter().map(|link| packet_cycles(parameters, link)).fold(0.0, f64::max);
    shape.greatest_cost(&latencies) as u64 + longest.ceil() as u64
}

/// The cycles for which a full packet occupies a link.
fn packet_cycles(parameters: &Parameters, link: &LinkParameters) -> f64 {
    let bytes = parameters.packet.wire_bytes(parameters.packet.max_chunks);
    f64::from(bytes) * f64::from(link.cycles_per_byte)
}

impl Scenario {
    /// The warnings for the user, each a sentence that begins with the key.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let found = [self.fast_processors(), self.fast_tokens(), self.short_buffers(), self.short_window()];
        self.rounded.iter().cloned().chain(found.into_iter().flatten()).collect()
    }

    fn nanoseconds(&self, cycles: f64) -> f64 {
        cycles * self.machine.cycle_seconds() * 1e9
    }

    fn fast_processors(&self) -> Option<String> {
        let clock = self.parameters.node.clock;
        let gigahertz = f64::from(clock.processor_cycles) / f64::from(clock.cycles) / self.nanoseconds(1.0);
        (gigahertz > FASTEST_PROCESSOR_GHZ).then(|| {
            format!(
                "{}: processors of {gigahertz:.3} GHz; a byte takes {:.3} ns on a link of this network",
                self.document.written_key(units::CLOCK),
                self.nanoseconds(1.0),
            )
        })
    }

    fn fast_tokens(&self) -> Option<String> {
        let tokens = self.parameters.router.token_latency_cycles;
        let hop = self.parameters.links.iter().map(|link| link.hop_latency_cycles).max()?;
        (hop > MAX_HOPS_TO_RETURN.saturating_mul(tokens)).then(|| {
            format!(
                "{}: tokens take {:.3} ns back over links on which packets take {:.3} ns",
                self.document.written_key("machine.router.token_latency_cycles"),
                self.nanoseconds(tokens.into()),
                self.nanoseconds(hop.into()),
            )
        })
    }

    /// A buffer that holds less than what a link carries until its credits are back leaves the link idle in between.
    fn short_buffers(&self) -> Option<String> {
        let router = &self.parameters.router;
        let (key, bytes) = self.buffer_of_one_channel();
        let (coverage, all) = (self.coverage(bytes), router.buffer_bytes());
        (coverage < 1.0).then(|| {
            format!(
                "{}: one VC of {} covers {:.0} % of this link's round trip; all VCs of a link, {}, cover {:.0} %",
                self.document.written_key(key),
                kilobytes(bytes),
                100.0 * coverage,
                kilobytes(all),
                100.0 * self.coverage(all),
            )
        })
    }

    /// The key and the bytes of the buffer of one VC that normal packets use.
    pub(super) fn buffer_of_one_channel(&self) -> (&'static str, u32) {
        let router = &self.parameters.router;
        match router.dynamic_channels {
            0 => ("machine.router.escape_channel_bytes", router.escape_channel_bytes),
            _ => ("machine.router.dynamic_channel_bytes", router.dynamic_channel_bytes),
        }
    }

    /// The share that `bytes` are of what a link carries in the time of a hop and of a credit that returns. Of several
    /// links, the least.
    pub(super) fn coverage(&self, bytes: u32) -> f64 {
        let tokens = self.parameters.router.token_latency_cycles;
        let share = |link: &LinkParameters| {
            f64::from(bytes) * f64::from(link.cycles_per_byte) / f64::from(link.hop_latency_cycles + tokens)
        };
        self.parameters.links.iter().map(share).fold(f64::INFINITY, f64::min)
    }

    fn short_window(&self) -> Option<String> {
        let (window, crossing) = (self.run.window(), diameter_cycles(&self.parameters));
        let measured = window.end? - window.start;
        let key = "run.measure_cycles";
        (measured < crossing).then(|| {
            format!(
                "{}: {measured} cycles are measured, but a packet takes {crossing} cycles over the longest distance of {}",
                self.document.written_key(key),
                self.parameters.shape,
            )
        })
    }
}

/// A size in KB of 1000 bytes, or in bytes.
fn kilobytes(bytes: u32) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        _ => format!("{} KB", f64::from(bytes) / 1000.0),
    }
}
