//! Checks of a checkpoint's content.

use super::{After, Awaited, Blocked, Incoming, Joining, Next, Outgoing, Process};
use crate::Call;
use crate::collectives::schedule::Then;
use crate::in_progress::{Agreement, InProgress, What};
use crate::matching::Owner;
use messaging::{End, MAX_MESSAGE_BYTES};
use std::collections::BTreeMap;

/// More calls than a rank makes in any run.
const MOST_CALLS: u64 = 1 << 60;

impl Process {
    /// Whether a restored state can belong to the same rank, which has made no call, by processor cycle `until`.
    pub fn can_restore(&self, restored: &Process, until: u64) -> bool {
        (restored.rank, restored.size) == (self.rank, self.size)
            && self.communicators.can_be_restored(&restored.communicators)
            && restored.is_consistent(until)
    }

    fn is_consistent(&self, until: u64) -> bool {
        let ranks = self.size;
        self.next != Next::Asked
            && (self.next.has_answered() || self.to_do.is_empty())
            && (self.next != Next::Paid || !self.to_do.iter().any(Call::is_computation))
            && Call::lead_to_one(self.to_do.iter())
            && self.blocked.is_none_or(|blocked| blocked.since <= until)
            && self.fault.is_none_or(|end| match end {
                End::NotReady { source, .. } | End::Truncated { source, .. } => source < ranks,
                End::Finalized
                | End::NotFinalized
                | End::Aborted { .. }
                | End::Died
                | End::OutOfMemory { .. } => false,
            })
            && self.calls < MOST_CALLS
            && self.communication.as_ref().is_none_or(|counted| counted.can_be_restored(ranks))
            && self.ordering.can_be_restored(ranks)
            && self.requests.can_be_restored(ranks, self.requests_in_progress())
            && self.sending.iter().all(|sending| sending.target < ranks)
            && self.matched().all(|incoming| incoming.status.can_be_restored(ranks))
            && (!self.works || !self.work.is_empty())
            && self.work.iter().all(|work| match work.after {
                After::Send(Outgoing { target, bytes, .. }) => target < ranks && bytes <= MAX_MESSAGE_BYTES,
                After::Receive(_) | After::Step { .. } => true,
            })
            && self.uncommon.taken.keys().all(|&handle| handle < self.uncommon.next_handle)
            && self.uncommon.taken.values().all(|message| message.status.can_be_restored(ranks))
            && self.can_restore_blocking()
            && self.can_restore_collectives()
    }

    /// Receives that have matched messages and have not ended.
    fn matched(&self) -> impl Iterator<Item = &Incoming> {
        let worked_on = self.work.iter().filter_map(|work| match &work.after {
            After::Receive(incoming) => Some(incoming),
            After::Send(_) | After::Step { .. } => None,
        });
        self.incoming.iter().chain(&self.uncommon.ready).chain(worked_on)
    }

    /// The owners of the sends, receives and copies in progress.
    fn owners(&self) -> impl Iterator<Item = Owner> {
        let worked_on = self.work.iter().map(|work| match work.after {
            After::Receive(incoming) => incoming.owner,
            After::Send(outgoing) => outgoing.owner,
            After::Step { collective, part } => Owner::Step { collective, part, then: Then::Keep },
        });
        let incoming = self.incoming.iter().chain(&self.uncommon.ready).map(|incoming| incoming.owner);
        let posted = self.matcher.posted().map(|selector| selector.owner);
        let joining = self.uncommon.joining.iter().map(|&Joining { collective, part, .. }| Owner::Step {
            collective,
            part,
            then: Then::Keep,
        });
        let posted = posted.chain(joining);
        posted.chain(self.sending.iter().map(|sending| sending.owner)).chain(incoming).chain(worked_on)
    }

    fn requests_in_progress(&self) -> Vec<u32> {
        let collectives = self.collectives.iter().map(|collective| collective.owner);
        let requests = self.owners().chain(collectives).filter_map(|owner| match owner {
            Owner::Request(request) => Some(request),
            Owner::Call | Owner::Step { .. } => None,
        });
        requests.collect()
    }

    /// Whether the rank is blocked in exactly the sends and receives whose owner is its call.
    fn can_restore_blocking(&self) -> bool {
        let blocking = self.owners().filter(|&owner| owner == Owner::Call).count();
        let awaits = self.blocked.map(|blocked| blocked.on);
        let awaited = if let Some(Awaited::Transfers { left, .. }) = awaits { left.into() } else { 0 };
        let in_collective = self.collectives.iter().filter(|collective| collective.owner == Owner::Call);
        let keys: Vec<u32> = in_collective.map(|collective| collective.key).collect();
        let awaited_key = if let Some(Awaited::Collective(key)) = awaits { Some(key) } else { None };
        let awaits_collective = keys.into_iter().eq(awaited_key);
        blocking == awaited && (awaited > 0) == self.is_blocked_in_transfers() && awaits_collective
    }

    fn is_blocked_in_transfers(&self) -> bool {
        matches!(self.blocked, Some(Blocked { on: Awaited::Transfers { .. }, .. }))
    }

    /// Whether the steps in progress belong to the collectives in progress, and these to communicators.
    fn can_restore_collectives(&self) -> bool {
        let mut pending = BTreeMap::<u32, BTreeMap<u32, u32>>::new();
        for owner in self.owners() {
            if let Owner::Step { collective, part, .. } = owner {
                *pending.entry(collective).or_default().entry(part.into()).or_default() += 1;
            }
        }
        let mut of_communicators = BTreeMap::<u32, u32>::new();
        let mut are_valid = true;
        for collective in &self.collectives {
            let InProgress { key, communicator, owner, .. } = *collective;
            *of_communicators.entry(communicator).or_default() += 1;
            are_valid &= self.communicators.has(communicator)
                && !matches!(owner, Owner::Step { .. })
                && pending.remove(&key).is_some_and(|pending| {
                    collective.can_be_restored(self.communicators.group(communicator), &pending)
                })
                && match &collective.what {
                    What::Agreement(Agreement { members, new, .. }) => {
                        self.communicators.fault(communicator, members.as_ref(), *new).is_none()
                    }
                    What::Collective(..) => true,
                };
        }
        let mut counts = self.communicators.in_progress();
        are_valid
            && pending.is_empty()
            && counts.all(|(number, count)| of_communicators.get(&number).copied().unwrap_or(0) == count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Now;
    use super::*;
    use crate::collectives::{Collective, Tuning};
    use crate::communicators::WORLD;
    use crate::requests::Request;
    use crate::{Costs, Status};
    use messaging::{Envelope, Message};

    /// A rank with a posted receive (request 0), a cancelled one (1), one that has ended (2), and handle 0; a barrier
    /// (request 3) in progress.
    fn process() -> Process {
        let (source, tag, mut operations) = (None, Some(3), Vec::new());
        let costs = Costs { sends_take_time: true, ..Costs::default() };
        let mut now = Now { time: 0, costs: &costs, operations: &mut operations };
        let receive = |tag, request| Call::ReceiveNonBlocking { source, tag: Some(tag), request };
        let calls = [receive(7, 0), receive(8, 1), Call::Cancel { request: 1 }, receive(3, 2)];
        let mut process = Process::new(0, 2, &[]);
        calls.into_iter().for_each(|call| process.make(call, &mut now));
        now.time = 1;
        for sequence in 0..2 {
            let envelope = Envelope([3, 1 << 32 | sequence]);
            let message = Message { source: 1, number: sequence as u32, bytes: 5, envelope };
            process.arrive(&message, &mut Vec::new());
            process.complete_message(message.id(), &mut now);
        }
        now.time = 2;
        process.make(Call::MatchedProbe { source, tag, blocks: true }, &mut now);
        let barrier = Call::Collect {
            collective: Collective::Barrier,
            communicator: WORLD,
            request: Some(3),
            tuning: Box::default(),
        };
        process.make(barrier, &mut now);
        assert!(operations.len() == 1 && !process.is_blocked());
        process
    }

    fn assert_refused(alter: impl FnOnce(&mut Process)) {
        let mut altered = process();
        alter(&mut altered);
        assert!(!Process::new(0, 2, &[]).can_restore(&altered, 3), "{altered:?}");
    }

    #[test]
    fn only_states_with_known_handles_and_requests_in_progress_are_restored() {
        assert!(Process::new(0, 2, &[]).can_restore(&process(), 3));
        let of_other_rank = Status { source: 2, ..Status::default() };
        assert_refused(|process| process.uncommon.next_handle = 0);
        assert_refused(|process| process.uncommon.taken.get_mut(&0).unwrap().status = of_other_rank);
        let set =
            |request: usize, state| move |process: &mut Process| process.requests.states()[request] = state;
        assert_refused(set(0, Request::Cancelled));
        assert_refused(set(0, Request::Free));
        assert_refused(set(1, Request::Pending { call: 2 }));
        assert_refused(set(2, Request::Complete { received: Some(of_other_rank) }));
        assert_refused(|process| drop(process.requests.states().drain(..)));
    }

    #[test]
    fn only_collectives_with_their_steps_are_restored() {
        assert_refused(|process| process.collectives[0].parts[0].pending = 1);
        assert_refused(|process| process.collectives[0].parts[0].round = 0);
        assert_refused(|process| process.collectives[0].parts[0].round = 2);
        assert_refused(|process| process.collectives[0].left = 0);
        assert_refused(|process| process.collectives[0].parts.clear());
        assert_refused(|process| process.collectives[0].communicator = 1);
        assert_refused(|process| process.collectives[0].owner = Owner::Call);
        assert_refused(|process| process.collectives[0].key = 1);
        assert_refused(|process| drop(process.sending.drain(..)));
        assert_refused(|process| drop(process.collectives.drain(..)));
        let root = Collective::Broadcast { root: 2, bytes: 1 };
        assert_refused(|process| process.collectives[0].what = What::Collective(root, Tuning::default()));
        assert_refused(|process| process.blocked = Some(Blocked { since: 0, on: Awaited::Collective(0) }));
    }
}
