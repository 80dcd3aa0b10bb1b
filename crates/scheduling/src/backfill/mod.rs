//! Backfilling: which waiting jobs start at an event, and which get a reservation.
//!
//! A pass receives the waiting jobs in order of score and starts those that its rule allows. Each rule has its own
//! file. All rules pass over jobs that a limit of their queue holds (see [`crate::site`]).

mod cobalt_2009_01;
mod cobalt_2009_03;
mod conservative;
mod easy;
mod greedy;
mod none;

use crate::machine::Machine;
use crate::policy::Policy;
use crate::state::State;
use std::fmt;
use std::str::FromStr;

/// The scores by which the rules of Cobalt decide which jobs are worth draining for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores<'a> {
    /// The order of waiting jobs.
    pub policy: &'a Policy,
    /// Fraction of the best score that limits draining, as the rule says.
    pub threshold: f64,
}

impl Scores<'_> {
    /// Whether the score of a job is at least a fraction of that of the best. A job of a queue with another priority is
    /// not near it, unless the fraction is 0.
    pub(crate) fn is_near<M: Machine>(&self, state: &State<M>, best: u32, job: u32) -> bool {
        let [best, job] = [best, job].map(|number| &state.jobs[number as usize]);
        let score = |job| self.policy.score(job, state.now);
        let has_same_priority = || state.usage.priority(best) == state.usage.priority(job);
        score(job) >= score(best) * self.threshold && (self.threshold == 0.0 || has_same_priority())
    }
}

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
    /// Cobalt's rule before 12 March 2009: jobs near enough to the best score start where they fit; otherwise the best
    /// drains a partition.
    CobaltJanuary2009,
    /// Cobalt's rule from 12 March 2009: each job that does not fit drains the partition that becomes free first;
    /// others may use it if they end before then.
    CobaltMarch2009,
}

impl Backfill {
    /// The names; the last is the former name of the rule before it.
    const NAMES: [(&'static str, Backfill); 7] = [
        ("none", Backfill::None),
        ("greedy", Backfill::Greedy),
        ("easy", Backfill::Easy),
        ("conservative", Backfill::Conservative),
        ("cobalt-2009-01", Backfill::CobaltJanuary2009),
        ("cobalt-2009-03", Backfill::CobaltMarch2009),
        ("drain", Backfill::CobaltMarch2009),
    ];

    /// Whether jobs drain partitions, which plain nodes do not have.
    pub(crate) fn drains(self) -> bool {
        match self {
            Backfill::CobaltJanuary2009 | Backfill::CobaltMarch2009 => true,
            Backfill::None | Backfill::Greedy | Backfill::Easy | Backfill::Conservative => false,
        }
    }

    /// Starts the jobs of `order` that the rule allows.
    pub(crate) fn pass<M: Machine>(self, state: &mut State<M>, order: &[u32], scores: Scores<'_>) {
        match self {
            Backfill::None => none::pass(state, order),
            Backfill::Greedy => greedy::pass(state, order),
            Backfill::Easy => easy::pass(state, order),
            Backfill::Conservative => conservative::pass(state, order),
            Backfill::CobaltJanuary2009 => cobalt_2009_01::pass(state, order, scores),
            Backfill::CobaltMarch2009 => cobalt_2009_03::pass(state, order, scores),
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
