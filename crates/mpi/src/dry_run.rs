//! The messages that a rank sends, from its calls alone: no time passes, and no message arrives.

use crate::arguments::{Arguments, CommunicatorChange, RequestUse};
use crate::call::{Call, Spent, Transfer};
use crate::collectives::parts::Part;
use crate::collectives::{Action, Collective, Tuning};
use crate::communicators::{AGREEMENT_BYTES, Communicators, Given, WORLD, agreed};
use crate::{Selection, SendTo};
use messaging::{CallKind, RouteName};
use std::collections::BTreeMap;

/// A rank whose calls are read one after another. The messages that it reports are those that [`crate::Mpi`] sends
/// for these calls, those of collectives included. Where two ranks agree on a new communicator, a first proposal is
/// assumed to suffice, as it does for fewer than 32 communicators.
#[derive(Clone, Debug)]
pub struct DryRun {
    communicators: Communicators,
    selection: Selection,
    /// The persistent sends and receives, by request.
    prepared: BTreeMap<u32, Transfer>,
}

/// A step of a rank, as far as its calls show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DryStep {
    /// The rank sends a message to a rank of the machine.
    Send {
        /// The target.
        target: u32,
        /// The length in bytes.
        bytes: u64,
    },
    /// The rank begins to receive a message.
    Receive,
    /// The rank waits for what it receives.
    Wait,
    /// The rank waits at the end of a round of a collective, in which it may receive nothing while others do.
    EndRound,
    /// The rank proceeds to the next round of a collective, although not all messages of this one have left.
    NextRound,
    /// The rank computes.
    Compute {
        /// The length of the computation.
        processor_cycles: u64,
    },
}

fn receive(blocks: bool, report: &mut impl FnMut(DryStep)) {
    report(DryStep::Receive);
    if blocks {
        report(DryStep::Wait);
    }
}

impl DryRun {
    /// A rank before its first call, among `size` ranks, in the given communicators in addition to that of all
    /// ranks.
    pub fn new(rank: u32, size: u32, communicators: &[Given]) -> Self {
        let communicators = Communicators::new(rank, size, communicators);
        DryRun { communicators, selection: Selection::default(), prepared: BTreeMap::new() }
    }

    /// This dry run with algorithms of collectives selected by `selection`; collective networks take no messages.
    #[must_use]
    pub fn selecting(self, selection: Selection) -> Self {
        DryRun { selection, ..self }
    }

    /// Reads the next call, and reports the target and the bytes of each message that it sends. Targets are ranks
    /// of the machine.
    ///
    /// # Panics
    /// When the call names a rank or a communicator that does not exist.
    pub fn read(&mut self, call: &Call, report: &mut impl FnMut(u32, u64)) {
        self.follow(call, &mut |step| {
            if let DryStep::Send { target, bytes } = step {
                report(target, bytes);
            }
        });
    }

    /// Reads the next call, and reports its steps, in order.
    ///
    /// # Panics
    /// When the call names a rank or a communicator that does not exist.
    pub fn follow(&mut self, call: &Call, report: &mut impl FnMut(DryStep)) {
        let arguments = call.arguments();
        match call.spent() {
            Spent::Computing { cycles } => report(DryStep::Compute { processor_cycles: cycles }),
            // The length of the computation depends on when it begins: here no time passes.
            Spent::Advancing { .. } => {}
            Spent::InLibrary(kind) => self.enter(kind, &arguments, report),
        }
    }

    /// The rank makes a call of a kind.
    fn enter(&mut self, kind: CallKind, arguments: &Arguments<'_>, report: &mut impl FnMut(DryStep)) {
        let Arguments { communicator, send, requests, collective, .. } = *arguments;
        match kind {
            CallKind::Send => send.iter().for_each(|send| self.send(send, report)),
            CallKind::Receive => receive(requests.is_none(), report),
            CallKind::SendReceive => {
                send.iter().for_each(|send| self.send(send, report));
                receive(true, report);
            }
            CallKind::Start => {
                for (_, transfer) in
                    requests.iter().flat_map(|(requests, _)| requests.entries(&self.prepared))
                {
                    self.transfer(transfer, report);
                }
            }
            CallKind::Wait => report(DryStep::Wait),
            // Whether they find something depends on time.
            CallKind::Test | CallKind::Probe => {}
            CallKind::Collective => {
                let communicator = communicator.unwrap_or(WORLD);
                match collective {
                    Some((collective, tuning)) => {
                        let tuning = tuning.copied().unwrap_or_default();
                        self.collect(collective, &tuning, communicator, report);
                    }
                    None => {
                        let agreement = Collective::Allreduce { bytes: AGREEMENT_BYTES };
                        self.carry_out(&agreement, &Tuning::default(), communicator, report);
                    }
                }
            }
            CallKind::Other => {}
        }
        self.remember(arguments);
    }

    /// Creates and ends persistent requests and communicators.
    fn remember(&mut self, arguments: &Arguments<'_>) {
        let Arguments { communicator, requests, change, .. } = *arguments;
        match requests {
            Some((request, RequestUse::Prepares)) => {
                self.prepared.extend(arguments.transfer().map(|transfer| (request.first(), transfer)));
            }
            Some((request, RequestUse::Frees)) => {
                self.prepared.remove(&request.first());
            }
            None
            | Some((
                _,
                RequestUse::Begins | RequestUse::Starts | RequestUse::Cancels | RequestUse::Ends { .. },
            )) => {}
        }
        let communicator = communicator.unwrap_or(WORLD);
        match change {
            Some(CommunicatorChange::Agrees { members: Some(members), new, order }) => {
                let route = self.route_after(communicator, order);
                self.communicators.create(communicator, members, new, new, route);
            }
            Some(CommunicatorChange::Defines { members, new, id }) => {
                self.communicators.create(WORLD, members, new, id, None);
            }
            Some(CommunicatorChange::Frees) => self.communicators.free(communicator),
            None | Some(CommunicatorChange::Agrees { members: None, .. }) => {}
        }
    }

    /// The class route of a new communicator, as far as this rank knows.
    fn route_after(&self, parent: u32, order: u32) -> Option<RouteName> {
        let classes = self.selection.networks.other_classes();
        let free = self.communicators.free_names(parent, classes, 0, std::iter::empty());
        Some(RouteName::new(agreed(0, free, classes, order).1?, 0))
    }

    /// The number of parts of the collective that a call begins, if it begins one.
    pub(crate) fn parts(&self, call: &Call) -> usize {
        let Some((collective, tuning, communicator)) = call.collective() else {
            // An agreement on a new communicator, which has one part.
            return usize::from(call.kind() == Some(CallKind::Collective));
        };
        let tuning = self.tuning(collective, &tuning, communicator);
        Part::count(collective, &tuning, self.communicators.group(communicator)) as usize
    }

    /// Number of ranks of a communicator.
    pub(crate) fn size_of(&self, communicator: u32) -> u32 {
        self.communicators.group(communicator).size
    }

    fn tuning(&self, collective: &Collective, tuning: &Tuning, communicator: u32) -> Tuning {
        self.tuning_by(&self.selection, collective, *tuning, communicator)
    }

    /// The tuning of a collective call, where algorithms are selected by `selection`.
    pub(crate) fn tuning_by(
        &self,
        selection: &Selection,
        collective: &Collective,
        stated: Tuning,
        communicator: u32,
    ) -> Tuning {
        selection.tuning(collective, (&self.communicators, communicator), stated)
    }

    fn transfer(&self, transfer: &Transfer, report: &mut impl FnMut(DryStep)) {
        match transfer {
            Transfer::Send(send) => self.send(send, report),
            Transfer::Receive(_) => receive(false, report),
        }
    }

    fn send(&self, send: &SendTo, report: &mut impl FnMut(DryStep)) {
        let target = self.communicators.place(send.communicator, send.target);
        report(DryStep::Send { target, bytes: send.bytes });
    }

    fn collect(
        &self,
        collective: &Collective,
        tuning: &Tuning,
        communicator: u32,
        report: &mut impl FnMut(DryStep),
    ) {
        let tuning = self.tuning(collective, tuning, communicator);
        self.carry_out(collective, &tuning, communicator, report);
    }

    /// A rank waits after each round of a collective, if its schedule does.
    fn carry_out(
        &self,
        collective: &Collective,
        tuning: &Tuning,
        communicator: u32,
        report: &mut impl FnMut(DryStep),
    ) {
        let group = self.communicators.group(communicator);
        let numbers = 0..Part::count(collective, tuning, group);
        let parts: Vec<Part<'_>> =
            numbers.map(|number| Part::new(collective, tuning, group, number)).collect();
        let times = parts.iter().map(Part::times).max().unwrap_or(0);
        let sends_wait = parts.iter().any(Part::sends_wait);
        for time in 0..times {
            for action in parts.iter().flat_map(|part| part.actions(part.rounds_at(time))) {
                match action {
                    Action::Send { target, bytes }
                    | Action::Post { target, bytes }
                    | Action::Pass { target, bytes } => {
                        report(DryStep::Send {
                            target: self.communicators.place(communicator, target),
                            bytes,
                        });
                    }
                    // A message along a line is reported hop by hop: each of its ranks forwards it.
                    Action::Deposit { branch, bytes } => {
                        let first = tuning.grid.and_then(|grid| grid.along(group.rank, branch).next());
                        let first = first.expect("a line is one of a grid");
                        report(DryStep::Send {
                            target: self.communicators.place(communicator, first),
                            bytes,
                        });
                    }
                    Action::Receive { .. } => report(DryStep::Receive),
                    Action::Copy { .. } | Action::Join { .. } | Action::Skip => {}
                }
            }
            report(if sends_wait { DryStep::EndRound } else { DryStep::NextRound });
        }
        report(DryStep::Wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Members, Needed, ReceiveFrom, Requests};

    fn sent(rank: &mut DryRun, call: Call) -> Vec<(u32, u64)> {
        let mut sent = Vec::new();
        rank.read(&call, &mut |target, bytes| sent.push((target, bytes)));
        sent
    }

    #[test]
    fn targets_are_ranks_of_the_machine() {
        let mut rank = DryRun::new(4, 6, &[]);
        let even = Members::Stride { first: 0, stride: 2, count: 3 };
        let agreement =
            sent(&mut rank, Call::Create { communicator: WORLD, members: Some(even), new: 1, order: 0 });
        assert!(!agreement.is_empty() && agreement.iter().all(|&(_, bytes)| bytes == AGREEMENT_BYTES));
        let to_first = SendTo { communicator: 1, ..SendTo::new(0, 0, 10) };
        let to_second = SendTo { communicator: 1, ..SendTo::new(1, 0, 20) };
        let send = Call::Begin { transfer: Transfer::Send(to_second), request: None };
        assert_eq!(sent(&mut rank, send), [(2, 20)]);
        let persistent = Call::Prepare { transfer: Transfer::Send(to_first), request: 7 };
        assert_eq!(sent(&mut rank, persistent), []);
        let start = || Call::Start { requests: Requests::range(6, 2) };
        assert_eq!(sent(&mut rank, start()), [(0, 10)]);
        assert_eq!(sent(&mut rank, start()), [(0, 10)]);
        assert_eq!(sent(&mut rank, Call::Free { request: 7 }), []);
        assert_eq!(sent(&mut rank, start()), []);
        let gather = Call::Collect {
            collective: Collective::Gather { root: 0, bytes: 5 },
            communicator: 1,
            request: None,
            tuning: Box::default(),
        };
        assert_eq!(sent(&mut rank, gather), [(0, 5)]);
    }
    #[test]
    fn calls_are_followed_as_far_as_no_time_is_needed() {
        let steps = |call: Call| {
            let mut steps = Vec::new();
            DryRun::new(0, 4, &[]).follow(&call, &mut |step| steps.push(step));
            steps
        };
        let (source, tag) = (Some(1), None);
        let requests = || Requests::range(0, 2);
        let (receive, wait) = (DryStep::Receive, DryStep::Wait);
        assert_eq!(steps(Call::MatchedReceive { handle: 0 }), [receive, wait]);
        assert_eq!(steps(Call::MatchedReceiveNonBlocking { handle: 0, request: 1 }), [receive]);
        assert_eq!(steps(Call::ReceiveNonBlocking { source, tag, request: 1 }), [receive]);
        assert_eq!(steps(Call::Wait { requests: requests(), needed: Needed::Some }), [wait]);
        let exchange =
            Call::SendReceive { send: SendTo::new(3, 0, 8), receive: ReceiveFrom::new(source, tag) };
        assert_eq!(steps(exchange), [DryStep::Send { target: 3, bytes: 8 }, receive, wait]);
        // Whether these calls find something, or how long they take, depends on time.
        for call in [
            Call::Test { requests: requests() },
            Call::TestAny { requests: requests() },
            Call::TestSome { requests: requests() },
            Call::Probe { source, tag, blocks: true },
            Call::MatchedProbe { source, tag, blocks: false },
            Call::Advance { until: 5 },
        ] {
            assert_eq!(steps(call), []);
        }
        assert_eq!(steps(Call::Compute { cycles: 5 }), [DryStep::Compute { processor_cycles: 5 }]);
    }
}
