//! What feeds the engine is moved along with it.

use crate::traffic::{RankProgram, RankSoftware, Software};
use messaging::{Progress, Ranks, Stuck};
use network::Engine;

/// Whether anything is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FeedState {
    /// Something can still happen.
    Running,
    /// Everything that will ever be sent has been delivered, and all ranks have finished.
    Finished,
    /// Packets are under way, but nothing can move.
    Blocked,
    /// Ranks wait for messages that nobody will send.
    Stuck(Stuck),
}

impl Software {
    /// Runs everything that happens before cycle `until`, or up to the end if that comes first.
    pub(super) fn advance(&mut self, engine: &mut dyn Engine, until: u64) -> FeedState {
        match self {
            Software::Source => {
                engine.advance(until);
                source_state(engine)
            }
            Software::Ranks(ranks) => ranks.advance(engine, until),
        }
    }

    /// The cycle at which the last rank finished, if there are ranks and all have.
    pub(super) fn last_finish_cycle(&self) -> Option<u64> {
        match self {
            Software::Source => None,
            Software::Ranks(ranks) => ranks.layer.last_finish_time(),
        }
    }

    /// How long each message of a ping-pong took, if it is one.
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
    if engine.totals().under_way() == 0 { FeedState::Finished } else { FeedState::Blocked }
}

impl RankSoftware {
    fn advance(&mut self, engine: &mut dyn Engine, until: u64) -> FeedState {
        let ranks: &mut dyn Ranks = match &mut self.program {
            RankProgram::PingPong(ranks) => ranks,
            RankProgram::Trace(ranks) => ranks,
        };
        match self.layer.advance(engine, ranks, until) {
            Progress::Running => FeedState::Running,
            Progress::Finished => FeedState::Finished,
            Progress::Undelivered { .. } => FeedState::Blocked,
            Progress::Stuck(stuck) => FeedState::Stuck(stuck),
        }
    }
}
