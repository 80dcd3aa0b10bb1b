//! Backfilling: which waiting jobs start at an event, and which get a reservation.
//!
//! A pass receives the waiting jobs in order of score and starts those that its rule allows. Each rule has its own
//! file. All rules pass over jobs that a limit of their queue holds (see [`crate::site`]).
//!
//! # To add one
//!
//! 1. A file here with a function `pass`, which starts jobs of `order` that [`State::admits`], and reports reservations with
//!    [`State::record_reservation`] and [`State::claim`]. The file's head names the source.
//! 2. The module, a line in `words!` with its word and its meaning, and its arms in `drains` and `pass`, which the compiler
//!    asks for. Descriptions, options, their help and errors, and the random tests of `tests/room.rs` and `tests/site.rs`
//!    follow from it.
//! 3. A row in the table of backfilling rules in `docs/models/queue.md`: `tests/test_schedule.py` asks for it.
//! 4. A case computed by hand, in `tests/easy.rs` on plain nodes or `tests/room.rs` on partitions.

mod cobalt_2009_01;
mod cobalt_2009_03;
mod conservative;
mod easy;
mod greedy;
mod none;

use crate::machine::Machine;
use crate::policy::Policy;
use crate::state::State;
use crate::words::words;

/// The scores by which the rules of Cobalt decide which jobs are worth draining for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores<'a> {
    /// The order of waiting jobs.
    pub policy: &'a Policy,
    /// Fraction of the best score that limits draining, as the rule says.
    pub threshold: f64,
}

impl Scores<'_> {
    /// Whether the score of a job is at least a fraction of the best score. Negative scores are costs, as the requested time
    /// in sjf: the best cost is at least that fraction of a cost that is near it. A job of a queue with another priority
    /// is not near it, unless the fraction is 0.
    pub(crate) fn is_near<M: Machine>(&self, state: &State<M>, best: u32, job: u32) -> bool {
        let [best, job] = [best, job].map(|number| &state.jobs[number as usize]);
        let score = |job| self.policy.score(job, state.moment());
        let has_same_priority = || state.usage.priority(best) == state.usage.priority(job);
        let (job_score, best_score) = (score(job), score(best));
        let is_near = match best_score < 0.0 {
            true => job_score * self.threshold >= best_score,
            false => job_score >= best_score * self.threshold,
        };
        is_near && (self.threshold == 0.0 || has_same_priority())
    }
}

words! {
    /// The backfilling rules.
    pub enum Backfill, "a backfilling rule" {
        /// Strictly in order: the first job that does not fit blocks all later jobs.
        None = "none",
        /// Every job that fits starts; there are no reservations.
        Greedy = "greedy",
        /// The first job that does not fit reserves the earliest place; others may start if they do not delay it.
        Easy = "easy",
        /// Every waiting job has a reservation; no job may delay another.
        Conservative = "conservative",
        /// Cobalt's rule before 12 March 2009: jobs near enough to the best score start where they fit; otherwise the best
        /// drains a partition.
        CobaltJanuary2009 = "cobalt-2009-01",
        /// Cobalt's rule from 12 March 2009: each job that does not fit drains the partition that becomes free first;
        /// others may use it if they end before then.
        CobaltMarch2009 = "cobalt-2009-03" | "drain",
    }
}

impl Backfill {
    /// Whether jobs drain partitions, which plain nodes do not have.
    pub fn drains(self) -> bool {
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
