//! The reason why a rank is blocked: for observers of its time line, and in words for messages about a rank that is
//! stuck.
//!
//! ```text
//!   call        a receive without a message  >  one whose message is not complete  >  a send      the first there is
//!   requests    a receive without a message  >  a collective  >  ...
//! ```

use super::{Awaited, Blocked, Incoming, Probe, Process, Sending};
use crate::call::OrAny;
use crate::in_progress::InProgress;
use crate::matching::{Owner, Selector};
use crate::{RequestSet, Status};
use messaging::{Blocking, MessageId, NetworkCollective, Pending};
use std::fmt;

impl Process {
    /// The operation that blocks the rank; the first of several.
    pub fn blocking(&self) -> Blocking {
        let Some(Blocked { on, .. }) = &self.blocked else { return Blocking::default() };
        let of = |pending| Blocking { pending, round: None };
        match *on {
            Awaited::End => Blocking::default(),
            Awaited::Probed(Probe { selector, .. }) => of(Pending::Receive { source: selector.source }),
            Awaited::Transfers { .. } => of(self.transfer_of(is_of_call).pending()),
            Awaited::Requests(ref requests, _) => match self.operation_of(requests.set()) {
                Waited::Transfer(transfer) => of(transfer.pending()),
                Waited::Collective(collective) => self.blocking_step(collective),
            },
            Awaited::Collective(key) => self.blocking_step(&self.collectives[self.place_of(key)]),
        }
    }

    fn blocking_step(&self, of: &InProgress) -> Blocking {
        let (pending, part) = match self.joins(of) {
            Some(collective) => (Pending::Join(collective), Some(0)),
            None => {
                let step = self.transfer_of(is_step_of(of));
                (step.pending(), step.part())
            }
        };
        let round = part.and_then(|part| Some((part, of.parts.get(usize::from(part))?.round)));
        let round = of.named(round, self.communicators.group(of.communicator));
        Blocking { pending, round: Some(round) }
    }

    /// The operation that blocks the rank, in words, with the call.
    pub(super) fn waiting_for(&self) -> String {
        let Some(Blocked { on, .. }) = &self.blocked else { return String::from("nothing") };
        let what = match *on {
            Awaited::End => return String::from("nothing"),
            Awaited::Requests(ref requests, _) => {
                let first = match self.operation_of(requests.set()) {
                    Waited::Transfer(Step::Nothing) => String::new(),
                    Waited::Transfer(transfer) => format!(", first {transfer}"),
                    Waited::Collective(collective) => format!(", first {}", self.step_in_words(collective)),
                };
                format!("{} requests{first}", requests.set().len())
            }
            Awaited::Probed(Probe { selector, takes }) => {
                let (source, tag) = (OrAny(selector.source), OrAny(selector.tag));
                let name = if takes { "MPI_Mprobe" } else { "MPI_Probe" };
                format!("{name} from rank {source} with tag {tag}")
            }
            Awaited::Transfers { .. } => self.transfer_of(is_of_call).to_string(),
            Awaited::Collective(key) => self.step_in_words(&self.collectives[self.place_of(key)]),
        };
        format!("{what} (call {})", self.calls)
    }

    fn step_in_words(&self, of: &InProgress) -> String {
        match self.joins(of) {
            Some(NetworkCollective::Tree(_)) => format!("the tree network in {of}"),
            Some(NetworkCollective::Barrier) => format!("the global interrupts in {of}"),
            None => format!("{} in {of}", self.transfer_of(is_step_of(of))),
        }
    }

    /// The operation that some requests wait for. It is a receive without a message, or else a collective, or else
    /// the choice of [`Process::transfer_of`].
    fn operation_of(&self, requests: RequestSet<'_>) -> Waited<'_> {
        let is_of_these = |owner| matches!(owner, Owner::Request(request) if requests.contains(request));
        let transfer = self.transfer_of(is_of_these);
        if matches!(transfer, Step::Receive(_)) {
            return Waited::Transfer(transfer);
        }
        let collective = self.collectives.iter().find(|collective| is_of_these(collective.owner));
        collective.map_or(Waited::Transfer(transfer), Waited::Collective)
    }

    /// The network collective of a collective on a collective network, if it is in progress there.
    fn joins(&self, of: &InProgress) -> Option<NetworkCollective> {
        self.uncommon
            .network_steps
            .iter()
            .any(|step| step.collective == of.key)
            .then(|| of.network_collective(0, |rank| rank))
    }

    /// The first receive of an owner without a message, or else one whose message is not complete, or else a send.
    fn transfer_of(&self, is_owner: impl Fn(Owner) -> bool) -> Step<'_> {
        let receive = || self.matcher.posted().find(|selector| is_owner(selector.owner)).map(Step::Receive);
        let incoming = || self.incoming.iter().find(|incoming| is_owner(incoming.owner)).map(Step::Message);
        let sending = || self.sending.iter().find(|sending| is_owner(sending.owner)).map(Step::Send);
        receive().or_else(incoming).or_else(sending).unwrap_or(Step::Nothing)
    }
}

fn is_of_call(owner: Owner) -> bool {
    owner == Owner::Call
}

fn is_step_of(of: &InProgress) -> impl Fn(Owner) -> bool + use<> {
    let key = of.key;
    move |owner| matches!(owner, Owner::Step { collective, .. } if collective == key)
}

/// The operation of its requests that a rank waits for.
enum Waited<'a> {
    Transfer(Step<'a>),
    Collective(&'a InProgress),
}

/// A send or receive that has not ended, of the program or of a collective.
enum Step<'a> {
    Receive(&'a Selector),
    Message(&'a Incoming),
    Send(&'a Sending),
    Nothing,
}

impl Step<'_> {
    /// The operation as the message layer names it.
    fn pending(&self) -> Pending {
        match *self {
            Step::Receive(Selector { source, .. }) => Pending::Receive { source: *source },
            Step::Message(Incoming { origin, status: Status { number, bytes, .. }, .. }) => {
                Pending::Message { id: MessageId { source: *origin, number: *number }, bytes: *bytes }
            }
            Step::Send(Sending { target, status: Status { number, bytes, .. }, .. }) => {
                Pending::Send { number: *number, target: *target, bytes: *bytes }
            }
            Step::Nothing => Pending::Unknown,
        }
    }

    /// The part of the step's collective.
    fn part(&self) -> Option<u16> {
        let owner = match self {
            Step::Receive(selector) => selector.owner,
            Step::Message(incoming) => incoming.owner,
            Step::Send(sending) => sending.owner,
            Step::Nothing => return None,
        };
        match owner {
            Owner::Step { part, .. } => Some(part),
            Owner::Call | Owner::Request(_) => None,
        }
    }
}

/// Words that complete "waiting for".
impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Receive(Selector { source, tag, owner, .. }) => {
                let (source, tag) = (OrAny(*source), OrAny(*tag));
                match owner {
                    Owner::Call => write!(f, "MPI_Recv from rank {source} with tag {tag}"),
                    Owner::Request(_) => write!(f, "a message from rank {source} with tag {tag}"),
                    Owner::Step { .. } => write!(f, "a message from rank {source}"),
                }
            }
            Step::Message(Incoming { status, origin, .. }) => {
                write!(f, "the rest of a message of {} bytes from rank {origin}", status.bytes)
            }
            Step::Send(Sending { status, target, owner }) => {
                let what = match owner {
                    Owner::Call => "MPI_Send",
                    Owner::Request(_) | Owner::Step { .. } => "a send",
                };
                write!(f, "{what} of {} bytes to rank {target}", status.bytes)
            }
            Step::Nothing => f.write_str("nothing"),
        }
    }
}
