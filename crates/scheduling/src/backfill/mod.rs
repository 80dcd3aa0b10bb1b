//! Which jobs start at an event: what is done about those that do not fit.
//!
//! A pass gets the waiting jobs in the order of their score, and starts what its rule allows. Each rule has its file.

mod conservative;
mod drain;
mod easy;
mod greedy;
mod none;

use crate::machine::Machine;
use crate::state::State;
use std::fmt;
use std::str::FromStr;

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backfill {
    /// Strictly in order: the first job that does not fit lets all others wait.
    None,
    /// Whoever fits starts; nobody is promised anything.
    Greedy,
    /// The first job that does not fit is promised the earliest place; others may start if they do not delay it.
    Easy,
    /// Every waiting job is promised a place; nobody may delay any other.
    Conservative,
    /// Cobalt's: each job that does not fit drains the partition that is free first; others may use it if they end
    /// before.
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

    /// Starts what may start of those that wait, in their order. The first so many of them are `above_threshold`, and may
    /// drain.
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
            format!("{text:?} is no rule of backfilling; {}", input::nearest(text, names.into_iter()))
        })
    }
}

impl fmt::Display for Backfill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Backfill::NAMES.iter().find(|(_, backfill)| backfill == self);
        formatter.write_str(known.map_or("", |(name, _)| name))
    }
}
