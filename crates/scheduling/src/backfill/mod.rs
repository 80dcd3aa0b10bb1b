//! Backfilling: which waiting jobs start at an event, and which get a reservation.
//!
//! A pass receives the waiting jobs in order of score and starts those that its rule allows. Each rule has its own
//! file.

mod conservative;
mod drain;
mod easy;
mod greedy;
mod none;

use crate::machine::Machine;
use crate::state::State;
use std::fmt;
use std::str::FromStr;

/// The backfilling rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backfill {
    /// Strictly in order: the first job that does not fit blocks all later jobs.
    None,
    /// Every job that fits starts; there are no reservations.
    Greedy,
    /// The first job that does not fit reserves the earliest place; others may start if they do not delay it.
    Easy,
    /// Every waiting job has a reservation; no job may delay another.
    Conservative,
    /// Cobalt's rule: each job that does not fit drains the partition that becomes free first; others may use it if
    /// they end before then.
    Drain,
}

impl Backfill {
    const NAMES: [(&'static str, Backfill); 5] = [
        ("none", Backfill::None),
        ("greedy", Backfill::Greedy),
        ("easy", Backfill::Easy),
        ("conservative", Backfill::Conservative),
        ("drain", Backfill::Drain),
    ];

    /// Starts the jobs of `order` that the rule allows. Only the first `above_threshold` of them may drain partitions.
    pub(crate) fn pass<M: Machine>(self, state: &mut State<M>, order: &[u32], above_threshold: usize) {
        match self {
            Backfill::None => none::pass(state, order),
            Backfill::Greedy => greedy::pass(state, order),
            Backfill::Easy => easy::pass(state, order),
            Backfill::Conservative => conservative::pass(state, order),
            Backfill::Drain => drain::pass(state, order, above_threshold),
        }
    }
}

impl FromStr for Backfill {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Backfill::NAMES.iter().find(|(name, _)| *name == text);
        known.map(|(_, backfill)| *backfill).ok_or_else(|| {
            let names = Backfill::NAMES.map(|(name, _)| name);
            format!("{text:?} is not a backfilling rule; {}", input::nearest(text, names.into_iter()))
        })
    }
}

impl fmt::Display for Backfill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Backfill::NAMES.iter().find(|(_, backfill)| backfill == self);
        formatter.write_str(known.map_or("", |(name, _)| name))
    }
}
