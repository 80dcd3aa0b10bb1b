//! The arrivals of messages of open-loop traffic: at random (Poisson), or at random within bursts.
//!
//! ```text
//!   Poisson:   |  | |    |   |  ||    |     |
//!   bursts:    ||||| ||               |||| || |            on for a while, then off, both of random length
//! ```
//!
//! A burst has a geometric number of messages, and silences are exponential: after each message the burst ends with
//! the same probability. So the time to the next message follows from draws of that message alone.

use crate::error::{WorkloadError, require};
use crate::options::Burst;
use crate::traffic::exponential::{ExponentialGap, MAX_MEAN_GAP_CYCLES};
use crate::traffic::sender::PacketDraws;
use base::draws::{Purpose, Share};

/// The arrivals of the messages of a node, of one kind of lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrivals {
    /// The gap from message to message, within a burst if bursts are configured.
    gap: ExponentialGap,
    bursts: Option<Bursts>,
}

#[derive(Clone, Copy, Debug)]
struct Bursts {
    /// The share of messages that begin a burst, by the number of lanes, and the share of nodes that are silent at
    /// first.
    begins: f64,
    silent_at_first: Share,
    silence: ExponentialGap,
}

impl Arrivals {
    /// No messages at all: gaps are never requested.
    pub(crate) fn none() -> Self {
        Arrivals { gap: ExponentialGap::new(0.0), bursts: None }
    }

    /// Messages that are `mean_cycles` apart on average. Up to `lanes` lanes share them, each with its own bursts.
    ///
    /// # Errors
    /// When they are too far apart, or bursts would be shorter than a message.
    pub(crate) fn new(mean_cycles: f64, burst: Option<Burst>, lanes: u8) -> Result<Self, WorkloadError> {
        require(mean_cycles <= MAX_MEAN_GAP_CYCLES, "load", || {
            format!("so low that a node's packets would be {mean_cycles:.1e} cycles apart")
        })?;
        let Some(Burst { on_cycles, off_cycles }) = burst else {
            return Ok(Arrivals { gap: ExponentialGap::new(mean_cycles), bursts: None });
        };
        let lengths = [("burst.on_cycles", on_cycles, 1.0), ("burst.off_cycles", off_cycles, 0.0)];
        for (key, cycles, min) in lengths {
            require((min..=MAX_MEAN_GAP_CYCLES).contains(&cycles), key, || {
                format!("{cycles} is not a mean number of cycles from {min} to 2^40")
            })?;
        }
        let period = on_cycles + off_cycles;
        let messages = period / mean_cycles;
        require(messages >= f64::from(lanes), "burst", || {
            format!(
                "at this load a node has a message every {mean_cycles:.0} cycles, so that {period:.0} cycles on and off have \
                 fewer than one for each of its {lanes} cores that send: longer times or more load are needed"
            )
        })?;
        let bursts = Bursts {
            begins: 1.0 / messages,
            silent_at_first: Share::new(off_cycles / period),
            silence: ExponentialGap::new(off_cycles),
        };
        Ok(Arrivals { gap: ExponentialGap::new(mean_cycles * on_cycles / period), bursts: Some(bursts) })
    }

    /// Cycles before message `number` of a lane, which has these draws and shares the node's messages with others.
    pub(crate) fn gap(&self, number: u64, lanes: u32, draws: &PacketDraws) -> u64 {
        let gap = self.gap.cycles(lanes, draws.bits64(Purpose::Gap));
        let Some(bursts) = &self.bursts else { return gap };
        let begins = match number {
            0 => bursts.silent_at_first,
            _ => Share::new(bursts.begins * f64::from(lanes)),
        };
        match begins.contains(draws.bits(Purpose::BurstEnd)) {
            true => gap + bursts.silence.cycles(1, draws.bits64(Purpose::Silence)),
            false => gap,
        }
    }
}
