//! Collectives in progress at a rank.

use crate::collectives::schedule::Group;
use crate::collectives::{Action, Collective};
use crate::communicators::{AGREEMENT_BYTES, MOST_IDS, Members};
use crate::matching::Owner;
use serde::{Deserialize, Serialize};

/// The making of a communicator: an allreduce of ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Agreement {
    pub members: Option<Members>,
    /// The number of the new communicator.
    pub new: u32,
    /// The first of the ids in question.
    pub first: u32,
    /// Which of them are free as far as this rank has heard.
    pub free: u32,
}

/// What is in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum What {
    Collective(Collective),
    Agreement(Agreement),
}

/// This rank's part of a collective in progress: which round, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InProgress {
    /// Its name among those of the rank.
    pub key: u32,
    pub what: What,
    /// The number of its communicator.
    pub communicator: u32,
    /// The call, or the request, that ends with it.
    pub owner: Owner,
    pub tag: u32,
    /// The next round.
    pub round: u32,
    /// Steps of the round before that have not ended.
    pub pending: u32,
}

const AGREEMENT: Collective = Collective::Allreduce { bytes: AGREEMENT_BYTES };

impl InProgress {
    fn collective(&self) -> &Collective {
        match &self.what {
            What::Collective(collective) => collective,
            What::Agreement(_) => &AGREEMENT,
        }
    }

    /// Whether no round is left.
    pub fn is_over(&self, group: Group) -> bool {
        self.round == self.collective().rounds(group)
    }

    /// A step of a round.
    pub fn step(&self, group: Group, round: u32, index: u32) -> Option<Action> {
        self.collective().step(group, round, index)
    }

    /// The ids that its messages propose.
    pub fn proposed(&self) -> u32 {
        match &self.what {
            What::Collective(_) => 0,
            What::Agreement(agreement) => agreement.free,
        }
    }

    /// A message of another rank has proposed ids.
    pub fn hear(&mut self, proposed: u32) {
        if let What::Agreement(agreement) = &mut self.what {
            agreement.free &= proposed;
        }
    }

    /// Its name.
    pub fn name(&self) -> String {
        match &self.what {
            What::Collective(collective) => collective.to_string(),
            What::Agreement(_) => String::from("MPI_Comm_create"),
        }
    }

    /// Bytes beside itself.
    pub fn bytes(&self) -> usize {
        self.collective().bytes()
    }

    /// Whether a restored one can be in progress at a rank of this group with so many steps that have not ended.
    pub fn can_be_restored(&self, group: Group, pending: u32) -> bool {
        let is_valid = match &self.what {
            What::Collective(_) => true,
            What::Agreement(agreement) => agreement.first < MOST_IDS,
        };
        is_valid
            && self.pending == pending
            && pending > 0
            && self.collective().fault(group).is_none()
            && (1..=self.collective().rounds(group)).contains(&self.round)
    }
}
