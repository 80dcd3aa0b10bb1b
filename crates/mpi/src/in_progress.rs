//! Collectives in progress at a rank.

use crate::collectives::on_network::network_collective;
use crate::collectives::parts::{Part, Progressed, Round};
use crate::collectives::schedule::Group;
use crate::collectives::{Action, Branch, Collective, Tuning};
use crate::communicators::{AGREEMENT_BYTES, Members};
use crate::layout::Layout;
use crate::matching::Owner;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The agreement on a new communicator: an allreduce of ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Agreement {
    pub members: Option<Members>,
    /// The number of the new communicator.
    pub new: u32,
    /// How many others come before it, of those that the call makes.
    pub order: u32,
    /// The first of the ids in question.
    pub first: u32,
    /// The classes that communicators can have.
    pub classes: u32,
    /// The ids and classes that are free, as far as this rank knows.
    pub free: u32,
}

impl Agreement {
    /// Whether none of the ids in question is free.
    pub fn lacks_id(&self) -> bool {
        self.free << self.classes == 0
    }
}

/// The operation in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum What {
    Collective(Collective, Tuning),
    Agreement(Agreement),
}

/// The progress of a part of a collective: a round, and how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The next round.
    pub round: u32,
    /// Steps of the round before that have not ended.
    pub pending: u32,
}

/// This rank's part of a collective in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InProgress {
    /// The name of the collective among those of the rank.
    pub key: u32,
    pub what: What,
    /// The number of its communicator.
    pub communicator: u32,
    /// The call, or the request, that ends with the collective.
    pub owner: Owner,
    pub tag: u32,
    /// The progress of each part.
    pub parts: Vec<Progress>,
    /// Parts that have not ended.
    pub left: u32,
    /// Sends that no part waits for and that have not ended.
    pub posted: u32,
    /// Messages that the collective has received.
    pub received: u32,
    /// The part whose next round begins when the collective has received more.
    pub held: Option<u16>,
}

const AGREEMENT: Collective = Collective::Allreduce { bytes: AGREEMENT_BYTES };

/// The part of sends that no part waits for.
pub(crate) const POSTED: u16 = u16::MAX;

/// The place of a channel in a tag, above the numbers of collectives that can be in progress at a time.
const CHANNEL_BITS: u32 = 20;

impl What {
    fn collective(&self) -> (&Collective, &Tuning) {
        match self {
            What::Collective(collective, tuning) => (collective, tuning),
            What::Agreement(_) => (&AGREEMENT, &Tuning::UNSTATED),
        }
    }
}

impl fmt::Display for InProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Collective(collective, _) => collective.fmt(f),
            What::Agreement(_) => f.write_str(self.name()),
        }
    }
}

impl InProgress {
    /// A collective that has not begun.
    pub fn new(key: u32, what: What, communicator: u32, group: Group, owner: Owner, tag: u32) -> Self {
        let (collective, tuning) = what.collective();
        let parts = Part::count(collective, tuning, group);
        let parts = vec![Progress::default(); parts as usize];
        let left = parts.len() as u32;
        InProgress { key, what, communicator, owner, tag, parts, left, posted: 0, received: 0, held: None }
    }

    fn part(&self, number: u32, group: Group) -> Part<'_> {
        let (collective, tuning) = self.what.collective();
        Part::new(collective, tuning, group, number)
    }

    /// Whether all parts and sends have ended.
    pub fn has_ended(&self) -> bool {
        self.left == 0 && self.posted == 0
    }

    /// The next round of a part, if one is left.
    pub fn next_round(&self, part: u32, group: Group) -> Option<Round> {
        self.part(part, group).round(self.parts[part as usize].round, self)
    }

    /// The collective as observers know it, in a round of a part, if it is in one; rounds count from 1.
    pub fn named(&self, round: Option<(u16, u32)>, group: Group) -> messaging::Round {
        let stage = round.and_then(|(part, _)| self.part(part.into(), group).stage()).map(|stage| stage + 1);
        messaging::Round { collective: self.name(), stage, number: round.map(|(_, number)| number) }
    }

    /// The part after another, if its next round has waited for rounds that this other part has ended.
    pub fn released(&self, part: u32, group: Group) -> Option<u16> {
        let next = self.part(part, group).follower(self.ended(part))?;
        let Progress { round, pending: 0 } = self.parts[next as usize] else { return None };
        let begins = self.part(next, group).round(round, self)?.held.is_none();
        begins.then_some(next as u16)
    }

    /// Whether a part has begun.
    pub fn has_begun(&self, part: u16) -> bool {
        self.parts[usize::from(part)] != Progress::default()
    }

    /// The operation that all its ranks perform together in a turn of the collective on a collective network; `place`
    /// gives the rank of the machine that is a rank of the communicator.
    pub fn network_collective(&self, turn: u32, place: impl Fn(u32) -> u32) -> messaging::NetworkCollective {
        let (collective, tuning) = self.what.collective();
        network_collective(collective, tuning, (self.tag, turn), place)
    }

    /// The ranks of a branch of its grid at a rank.
    pub fn along(&self, rank: u32, branch: Branch) -> impl Iterator<Item = u32> + use<> {
        let grid = self.what.collective().1.grid;
        grid.into_iter().flat_map(move |grid| grid.along(rank, branch))
    }

    /// A step of a round of a part.
    pub fn step(&self, part: u32, group: Group, round: &Round, index: u32) -> Option<Action> {
        self.part(part, group).step_of(round, index)
    }

    /// The layout of the data for a rank of the communicator.
    pub fn layout_to(&self, rank: u32) -> Layout {
        self.what.collective().0.layout_to(rank)
    }

    /// The layout of the data from a rank of the communicator.
    pub fn layout_from(&self, rank: u32) -> Layout {
        self.what.collective().0.layout_from(rank)
    }

    /// The tag of the messages of a round.
    pub fn tag_of(&self, round: &Round) -> u32 {
        self.tag ^ round.channel << CHANNEL_BITS
    }

    /// The ids that its messages propose.
    pub fn proposed(&self) -> u32 {
        match &self.what {
            What::Collective(..) => 0,
            What::Agreement(agreement) => agreement.free,
        }
    }

    /// Receives the ids that a message of another rank proposes.
    pub fn receive_proposal(&mut self, proposed: u32) {
        if let What::Agreement(agreement) = &mut self.what {
            agreement.free &= proposed;
        }
    }

    /// The name of the collective.
    pub fn name(&self) -> &'static str {
        match &self.what {
            What::Collective(collective, _) => collective.name(),
            What::Agreement(_) => "MPI_Comm_create",
        }
    }

    /// Bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.what.collective().0.bytes() + self.parts.capacity() * size_of::<Progress>()
    }
}

impl Progressed for InProgress {
    fn received(&self) -> u32 {
        self.received
    }

    fn ended(&self, part: u32) -> u32 {
        let Progress { round, pending } = self.parts[part as usize];
        round - u32::from(pending > 0)
    }
}
