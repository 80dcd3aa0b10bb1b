//! A recorder of time lines: it keeps the intervals that it observes, or an excerpt of them.

use super::observer::Observer;
use super::{BegunRound, Interval, Passage};
use crate::ranks::Round;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// An observer that keeps intervals; [`crate::Report::time_lines`] returns the intervals of all parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// The intervals in the order in which they were observed.
    pub intervals: Vec<Interval>,
    /// The messages that passed, in the same order.
    pub passages: Vec<Passage>,
    /// The step that each rank is in, if steps are kept.
    open: BTreeMap<u32, Interval>,
    /// The excerpt that is kept; none if all intervals are.
    excerpt: Option<Excerpt>,
    /// The number of intervals that an excerpt keeps of each rank, and the start of the first beyond its limit.
    kept: BTreeMap<u32, (usize, Option<u64>)>,
    /// The number of passages that are kept of each rank.
    kept_passages: BTreeMap<u32, usize>,
    /// The first rank to begin each round of each collective.
    rounds: BTreeMap<(u32, Round), BegunRound>,
}

/// The unit that makes an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// Each step of a rank: a call, or computation.
    Steps,
    /// Each task of a core, and each wait between them.
    #[default]
    Tasks,
}

/// A part of the time lines. It is the same for any number of threads: its limit is one of each rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The ranks whose intervals are kept.
    pub ranks: RangeInclusive<u32>,
    /// Processor cycles of which an interval has to have one. An interval that takes no time counts as being at its
    /// start.
    pub times: RangeInclusive<u64>,
    /// The most intervals that are kept of a rank, from the first. As many messages are kept.
    pub intervals_of_rank: usize,
    /// The unit that makes an interval.
    pub level: Level,
}

impl Excerpt {
    fn has(&self, rank: Option<u32>, times: &Range<u64>) -> bool {
        let (first, last) = (times.start, times.end.max(times.start + 1) - 1);
        let is_in_time = first <= *self.times.end() && last >= *self.times.start();
        is_in_time && rank.is_some_and(|rank| self.ranks.contains(&rank))
    }
}

impl Recorder {
    /// A recorder of an excerpt.
    pub fn of(excerpt: Excerpt) -> Self {
        Recorder { excerpt: Some(excerpt), ..Recorder::default() }
    }

    /// The intervals that are kept, with the steps that ranks are in.
    pub fn all(&self) -> impl Iterator<Item = Interval> + '_ {
        let is_kept = |open: &&Interval| self.has(open) && self.has_room(open.rank);
        self.intervals.iter().chain(self.open.values().filter(is_kept)).copied()
    }

    /// The first rank to begin each round of the ranks' collectives.
    pub fn rounds(&self) -> impl Iterator<Item = &BegunRound> {
        self.rounds.values()
    }

    /// The start of the first interval of a rank beyond the limit of its excerpt, if any.
    pub fn cut_at(&self) -> Option<u64> {
        let is_cut = |open: &&Interval| self.has(open) && !self.has_room(open.rank);
        let open = self.open.values().filter(is_cut).map(|open| open.start);
        self.kept.values().filter_map(|(_, cut_at)| *cut_at).chain(open).min()
    }

    fn has(&self, interval: &Interval) -> bool {
        self.excerpt
            .as_ref()
            .is_none_or(|excerpt| excerpt.has(interval.rank, &(interval.start..interval.end)))
    }

    fn has_room(&self, rank: Option<u32>) -> bool {
        let limit = self.excerpt.as_ref().map_or(usize::MAX, |excerpt| excerpt.intervals_of_rank);
        rank.and_then(|rank| self.kept.get(&rank)).is_none_or(|(kept, _)| *kept < limit)
    }

    fn keep(&mut self, interval: Interval) {
        if !self.has(&interval) {
            return;
        }
        let is_kept = self.has_room(interval.rank);
        if let Some(rank) = interval.rank.filter(|_| self.excerpt.is_some()) {
            let (kept, cut_at) = self.kept.entry(rank).or_default();
            match is_kept {
                true => *kept += 1,
                false => drop(cut_at.get_or_insert(interval.start)),
            }
        }
        if is_kept {
            self.intervals.push(interval);
        }
    }

    /// Keeps a step as one interval, also if it lasts longer than one interval of a core.
    fn keep_step(&mut self, next: &Interval) {
        let Some(rank) = next.rank.filter(|_| !next.is_coprocessor) else { return };
        if let Some(open) = self.open.get_mut(&rank)
            && open.is_continued_by(next)
        {
            return open.extend(next);
        }
        let Some(step) = next.as_step() else { return };
        if let Some(ended) = self.open.insert(rank, step) {
            self.keep(ended);
        }
    }
}

impl Observer for Recorder {
    fn observe(&mut self, interval: &Interval) {
        match self.excerpt.as_ref().map_or(Level::Tasks, |excerpt| excerpt.level) {
            Level::Steps => self.keep_step(interval),
            Level::Tasks => self.keep(*interval),
        }
    }

    fn observe_passage(&mut self, passage: &Passage) {
        let Some(excerpt) = &self.excerpt else { return };
        let kept = self.kept_passages.entry(passage.rank).or_default();
        let is_kept = excerpt.has(Some(passage.rank), &(passage.time..passage.time));
        if is_kept && *kept < excerpt.intervals_of_rank {
            *kept += 1;
            self.passages.push(*passage);
        }
    }

    fn observe_round(&mut self, begun: &BegunRound) {
        let is_in_excerpt = |excerpt: &Excerpt| excerpt.has(Some(begun.rank), &(begun.time..begun.time));
        if self.excerpt.as_ref().is_none_or(is_in_excerpt) && self.has_room(Some(begun.rank)) {
            let first = self.rounds.entry((begun.collective, begun.round)).or_insert(*begun);
            *first = *begun.min(first);
        }
    }

    fn follows(&self, rank: Option<u32>) -> bool {
        let Some(excerpt) = &self.excerpt else { return true };
        rank.is_some_and(|rank| excerpt.ranks.contains(&rank))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Place;
    use crate::time_lines::Activity;

    fn interval(rank: u32, start: u64, end: u64) -> Interval {
        let place = Place { node: rank, core: 0 };
        let activity = Activity::Read;
        Interval::of(place, (false, Some(rank)), activity.into(), start..end)
    }

    #[test]
    fn an_excerpt_has_the_first_intervals_of_its_ranks_in_its_times() {
        let mut recorder =
            Recorder::of(Excerpt { ranks: 1..=2, times: 10..=19, intervals_of_rank: 2, level: Level::Tasks });
        let kept = [interval(1, 5, 11), interval(2, 10, 10), interval(2, 19, 25)];
        let outside = [interval(0, 12, 13), interval(3, 12, 13), interval(1, 5, 10), interval(1, 20, 20)];
        outside.iter().chain(&kept).for_each(|interval| recorder.observe(interval));
        let of_no_rank = Interval { rank: None, ..interval(1, 12, 13) };
        recorder.observe(&of_no_rank);
        assert_eq!((&recorder.intervals[..], recorder.cut_at()), (&kept[..], None));
        recorder.observe(&interval(2, 15, 17));
        recorder.observe(&interval(1, 11, 12));
        recorder.observe(&interval(1, 16, 18));
        assert_eq!((recorder.intervals.len(), recorder.cut_at()), (4, Some(15)));
    }
}
