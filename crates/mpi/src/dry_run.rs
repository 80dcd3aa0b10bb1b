//! What a rank sends, from its calls alone: no time passes, and no message arrives.

use crate::call::{Call, Transfer};
use crate::collectives::parts::Part;
use crate::collectives::{Action, Collective, Tuning};
use crate::communicators::{AGREEMENT_BYTES, Communicators, WORLD};
use crate::{Members, Requests, SendTo, WorldNetworks};
use std::collections::BTreeMap;

/// A rank whose calls are read one after another. The messages that it tells are those that [`crate::Mpi`] sends for
/// these calls, those of collectives included; of two ranks that agree on a new communicator it assumes that a first
/// proposal suffices, as it does for fewer than 32 communicators.
#[derive(Clone, Debug)]
pub struct DryRun {
    communicators: Communicators,
    world: WorldNetworks,
    /// The persistent sends, by request.
    prepared: BTreeMap<u32, SendTo>,
}

impl DryRun {
    /// A rank before its first call, among `size` ranks, in these communicators beside that of all ranks.
    pub fn new(rank: u32, size: u32, communicators: &[Members]) -> Self {
        let communicators = Communicators::new(rank, size, communicators);
        DryRun { communicators, world: WorldNetworks::default(), prepared: BTreeMap::new() }
    }

    /// The same, where networks beside the torus carry collectives, which then send no messages.
    #[must_use]
    pub fn beside(self, world: WorldNetworks) -> Self {
        DryRun { world, ..self }
    }

    /// Reads the next call, and tells the target and the bytes of each message that it sends; targets are ranks of the
    /// machine.
    ///
    /// # Panics
    /// When the call names a rank or a communicator that does not exist.
    pub fn read(&mut self, call: &Call, tell: &mut impl FnMut(u32, u64)) {
        match call {
            Call::Send { target, bytes, .. } | Call::SendNonBlocking { target, bytes, .. } => {
                tell(*target, *bytes);
            }
            Call::Begin { transfer: Transfer::Send(send), .. } | Call::SendReceive { send, .. } => {
                self.send(send, tell);
            }
            Call::Prepare { transfer: Transfer::Send(send), request } => {
                self.prepared.insert(*request, *send);
            }
            Call::Start { requests: Requests { first, count } } => {
                for (_, send) in self.prepared.range(first..&(first + count)) {
                    self.send(send, tell);
                }
            }
            Call::Free { request } => {
                self.prepared.remove(request);
            }
            Call::Collective(collective) => self.collect(collective, &Tuning::default(), WORLD, tell),
            Call::Collect { collective, communicator, tuning, .. } => {
                self.collect(collective, tuning, *communicator, tell);
            }
            Call::Create { communicator, members, new } => {
                let agreement = Collective::Allreduce { bytes: AGREEMENT_BYTES };
                self.collect(&agreement, &Tuning::default(), *communicator, tell);
                self.create(*communicator, members.as_ref(), *new);
            }
            Call::Define { members, new, id } => {
                self.communicators.create(WORLD, members, *new, *id);
            }
            Call::FreeCommunicator { communicator } => self.communicators.free(*communicator),
            _ => {}
        }
    }

    fn send(&self, send: &SendTo, tell: &mut impl FnMut(u32, u64)) {
        tell(self.communicators.place(send.communicator, send.target), send.bytes);
    }

    fn collect(
        &self,
        collective: &Collective,
        tuning: &Tuning,
        communicator: u32,
        tell: &mut impl FnMut(u32, u64),
    ) {
        let group = self.communicators.group(communicator);
        let tuning = &self.world.tuning(collective, communicator, *tuning);
        let parts = 0..Part::count(collective, tuning, group);
        let actions = parts.map(|number| Part { collective, tuning, group, number }).flat_map(|part| {
            (0..part.rounds()).flat_map(move |round| (0..).map_while(move |index| part.step(round, index)))
        });
        for action in actions {
            if let Action::Send { target, bytes } | Action::Post { target, bytes } = action {
                tell(self.communicators.place(communicator, target), bytes);
            }
        }
    }

    fn create(&mut self, parent: u32, members: Option<&Members>, new: u32) {
        if let Some(members) = members {
            self.communicators.create(parent, members, new, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(rank: &mut DryRun, call: Call) -> Vec<(u32, u64)> {
        let mut sent = Vec::new();
        rank.read(&call, &mut |target, bytes| sent.push((target, bytes)));
        sent
    }

    #[test]
    fn targets_are_ranks_of_the_machine() {
        let mut rank = DryRun::new(4, 6, &[]);
        let even = Members::Stride { first: 0, stride: 2, count: 3 };
        let agreement = sent(&mut rank, Call::Create { communicator: WORLD, members: Some(even), new: 1 });
        assert!(!agreement.is_empty() && agreement.iter().all(|&(_, bytes)| bytes == AGREEMENT_BYTES));
        let to_first = SendTo { communicator: 1, ..SendTo::new(0, 0, 10) };
        let to_second = SendTo { communicator: 1, ..SendTo::new(1, 0, 20) };
        let send = Call::Begin { transfer: Transfer::Send(to_second), request: None };
        assert_eq!(sent(&mut rank, send), [(2, 20)]);
        let persistent = Call::Prepare { transfer: Transfer::Send(to_first), request: 7 };
        assert_eq!(sent(&mut rank, persistent), []);
        let start = || Call::Start { requests: Requests { first: 6, count: 2 } };
        assert_eq!(sent(&mut rank, start()), [(0, 10)]);
        assert_eq!(sent(&mut rank, start()), [(0, 10)]);
        assert_eq!(sent(&mut rank, Call::Free { request: 7 }), []);
        assert_eq!(sent(&mut rank, start()), []);
        let gather = Call::Collect {
            collective: Collective::Gather { root: 0, bytes: 5 },
            communicator: 1,
            request: None,
            tuning: Tuning::default(),
        };
        assert_eq!(sent(&mut rank, gather), [(0, 5)]);
    }
}
