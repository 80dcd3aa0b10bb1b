//! Advances the engine together with the software that feeds it.

use crate::traffic::{RankProgram, RankSoftware, Software};
use messaging::{Progress, Ranks, Stuck};
use network::Engine;

/// Whether the run can continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FeedState {
    /// Events are pending.
    Running,
    /// All packets have been delivered, and all ranks have finished.
    Finished,
    /// Packets are in flight, but none can move.
    Blocked,
    /// Ranks wait for messages that will never be sent.
    Stuck(Stuck),
}

impl Software {
    /// Processes all events before cycle `until`, or up to the end of the run if that comes first.
    pub(super) fn advance(&mut self, engine: &mut dyn Engine, until: u64) -> FeedState {
        match self {
            Software::Source => {
                engine.advance(until);
                source_state(engine)
            }
            Software::Ranks(ranks) => ranks.advance(engine, until),
        }
    }

    /// The cycle at which the last rank finished, if there are ranks and all have finished.
    pub(super) fn last_finish_cycle(&self) -> Option<u64> {
        match self {
            Software::Source => None,
            Software::Ranks(ranks) => ranks.layer.last_finish_time(),
        }
    }

    /// The one-way time of each message, in cycles, if the workload is a ping-pong.
    pub(super) fn one_way_cycles(&self) -> Option<&[u64]> {
        match self {
            Software::Source => None,
            Software::Ranks(ranks) => match &ranks.program {
                RankProgram::PingPong(ranks) => Some(ranks.program().one_way_cycles()),
                RankProgram::Trace(_) => None,
            },
        }
    }
}

fn source_state(engine: &mut dyn Engine) -> FeedState {
    if engine.next_event().is_some() {
        return FeedState::Running;
    }
    if engine.totals().in_flight() == 0 { FeedState::Finished } else { FeedState::Blocked }
}

impl RankSoftware {
    fn advance(&mut self, engine: &mut dyn Engine, until: u64) -> FeedState {
        let ranks: &mut dyn Ranks = match &mut self.program {
            RankProgram::PingPong(ranks) => ranks,
            RankProgram::Trace(ranks) => ranks,
        };
        match self.layer.advance(engine, ranks, until) {
            Progress::Running => FeedState::Running,
            Progress::Finished => self.finish(engine, until),
            Progress::Undelivered { .. } => FeedState::Blocked,
            Progress::Stuck(stuck) => FeedState::Stuck(stuck),
        }
    }

    /// Goes on to the last action of a rank: it may end with a computation, which lies ahead.
    fn finish(&self, engine: &mut dyn Engine, until: u64) -> FeedState {
        let has_passed = |now| self.layer.last_finish_time().is_none_or(|finish| finish < now);
        if !has_passed(engine.now()) {
            engine.advance(until);
        }
        if has_passed(engine.now()) { FeedState::Finished } else { FeedState::Running }
    }
}
