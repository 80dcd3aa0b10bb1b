//! The operations that a rank has under way at a time, from its calls alone, and the memory that it takes for them.

use crate::call::Call;
use crate::dry_run::{DryRun, DryStep};
use crate::process::Process;
use crate::{Caller, Given, RequestUse, Selection};
use messaging::{CallKind, queued};
use std::collections::HashSet;

/// The most operations that a rank has under way at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Messages that it sends before it waits.
    pub sends: usize,
    /// Receives that it posts before it waits.
    pub receives: usize,
    /// The receives among these whose messages arrive at one time: one of each sender.
    pub arriving: usize,
    /// The receives among these whose messages may arrive before them. Their senders send first as this rank does,
    /// or are a round of a collective ahead.
    pub late_receives: usize,
    /// Messages that it sends in one call.
    pub batch: usize,
    /// Whether the rank goes on sending although earlier messages have not left.
    pub has_window: bool,
    /// Bytes of the longest message that it sends.
    pub message_bytes: u64,
    /// Whether some messages go to ranks of the same node.
    pub sends_locally: bool,
    /// One more than the highest number of its requests.
    pub requests: usize,
    /// Ranks to which it sends by its own calls, and in collectives.
    pub targets: [usize; 2],
    /// Parts of a collective.
    pub parts: usize,
}

impl Load {
    /// The load of a rank that exchanges messages of `bytes` bytes with another, one at a time.
    pub fn of_a_message(bytes: u64) -> Self {
        Load { sends: 1, receives: 1, arriving: 1, message_bytes: bytes, targets: [1, 0], ..Load::default() }
    }

    /// The load on the message layer: of a rank among `size` ranks whose calls are made by a `C`.
    pub fn of_layer<C: Caller>(
        &self,
        size: u32,
        shares_node: bool,
        parameters: &messaging::Parameters,
    ) -> messaging::Load {
        let all_at_once = match self.is_in_parts() {
            true => shares_node && self.has_window && parameters.has_movers(),
            false => shares_node || !parameters.is_eager(self.message_bytes),
        };
        let (sends, receives) = (self.sends, self.arriving);
        let in_queues = self.in_queues(shares_node, all_at_once);
        messaging::Load {
            sends,
            receives,
            // A rank that waits for both is notified of one while the other continues; one with a window may be
            // notified of all.
            notices: queued(sends + receives, all_at_once && self.has_window),
            message_bytes: self.message_bytes,
            all_at_once,
            batch: self.batch,
            sends_locally: self.sends_locally,
            rank_bytes: size_of::<(Process, C)>() + Process::bytes_for(&in_queues, size),
        }
    }

    /// Whether the rank makes collectives whose parts progress independently: while one begins, another ends.
    fn is_in_parts(&self) -> bool {
        self.parts > 1
    }

    /// The part of this load that is in queues at a time. Ranks that share nodes get out of step, so that messages
    /// may arrive before any receive is posted.
    fn in_queues(&self, shares_node: bool, all_at_once: bool) -> Load {
        let late_receives = if shares_node { self.arriving } else { self.late_receives };
        Load {
            sends: if self.is_in_parts() { 1 } else { queued(self.sends, all_at_once) },
            late_receives: queued(late_receives, all_at_once),
            ..*self
        }
    }
}

/// A rank whose calls are read one after another, to learn its load.
pub struct LoadMeter<'a> {
    rank: DryRun,
    is_local: &'a dyn Fn(u32) -> bool,
    load: Load,
    /// Sends, receives, and late receives since the rank has waited.
    under_way: [usize; 3],
    targets: [HashSet<u32>; 2],
}

impl<'a> LoadMeter<'a> {
    /// A rank before its first call, among `size` ranks, in the given communicators in addition to that of all
    /// ranks. The algorithms of collectives are chosen by `selection`. `is_local` returns whether a rank of the
    /// machine is on the same node.
    pub fn new(
        (rank, size): (u32, u32),
        communicators: &[Given],
        selection: Selection,
        is_local: &'a dyn Fn(u32) -> bool,
    ) -> Self {
        LoadMeter {
            rank: DryRun::new(rank, size, communicators).selecting(selection),
            is_local,
            load: Load::default(),
            under_way: [0; 3],
            targets: Default::default(),
        }
    }

    /// Reads the next call.
    ///
    /// # Panics
    /// When the call names a rank or a communicator that does not exist.
    pub fn read(&mut self, call: &Call) {
        let LoadMeter { rank, is_local, load, under_way, targets } = self;
        load.requests = load.requests.max(requests(call));
        load.parts = load.parts.max(rank.parts(call));
        let is_collective = rank.parts(call) > 0;
        rank.follow(call, &mut |step| match step {
            DryStep::Send { target, bytes } => {
                under_way[0] += 1;
                load.batch = load.batch.max(if is_collective { under_way[0] } else { 1 });
                load.message_bytes = load.message_bytes.max(bytes);
                load.sends_locally |= is_local(target);
                targets[usize::from(is_collective)].insert(target);
            }
            DryStep::Receive => {
                under_way[1] += 1;
                under_way[2] += usize::from(is_collective || under_way[0] > 0);
            }
            DryStep::Wait | DryStep::EndRound => load.raise(std::mem::take(under_way)),
            // The rank sends no more than it receives in the long run.
            DryStep::NextRound => {
                let [sends, receives, late] = std::mem::take(under_way);
                load.raise([sends.max(receives), receives, late]);
                load.has_window = true;
            }
            DryStep::Compute { .. } => {}
        });
        if is_blocking_send(call) {
            load.raise(*under_way);
            under_way[0] = under_way[0].saturating_sub(1);
        }
    }

    /// The load, after the last call.
    pub fn end(self) -> Load {
        let mut load = self.load;
        load.raise(self.under_way);
        let targets = self.targets.map(|targets| targets.len());
        // The number of its senders is taken to be the number of its targets. Each sends one message after the other.
        let peers = targets[0].max(targets[1]).max(1);
        let arriving = load.receives.min(peers);
        Load {
            arriving,
            late_receives: load.late_receives.min(arriving),
            sends: if load.is_in_parts() { load.sends.min(peers) } else { load.sends },
            targets,
            ..load
        }
    }
}

impl Load {
    fn raise(&mut self, [sends, receives, late_receives]: [usize; 3]) {
        self.sends = self.sends.max(sends);
        self.receives = self.receives.max(receives);
        self.late_receives = self.late_receives.max(late_receives);
    }
}

/// One more than the highest number of the requests that a call makes or starts.
fn requests(call: &Call) -> usize {
    let Some((requests, used)) = call.arguments().requests else { return 0 };
    match used {
        RequestUse::Begins | RequestUse::Prepares | RequestUse::Starts => requests.end() as usize,
        RequestUse::Frees | RequestUse::Cancels | RequestUse::Ends { .. } => 0,
    }
}

fn is_blocking_send(call: &Call) -> bool {
    call.kind() == Some(CallKind::Send) && requests(call) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Collective, Needed, Tuning, WORLD};

    fn load(size: u32, calls: &[Call]) -> Load {
        let mut meter = LoadMeter::new((0, size), &[], Selection::default(), &|target| target == 1);
        calls.iter().for_each(|call| meter.read(call));
        meter.end()
    }

    fn exchange(peers: u32) -> Vec<Call> {
        let receive =
            |peer: u32| Call::ReceiveNonBlocking { source: Some(peer), tag: Some(0), request: peer - 1 };
        let send = |peer: u32| Call::SendNonBlocking {
            target: peer,
            tag: 0,
            bytes: u64::from(peer),
            request: peers + peer - 1,
        };
        let wait = Call::Wait { requests: crate::Requests::range(0, 2 * peers), needed: Needed::All };
        (1..=peers).map(receive).chain((1..=peers).map(send)).chain([wait]).collect()
    }

    #[test]
    fn what_is_begun_before_a_wait_is_under_way_at_a_time() {
        let twice = [exchange(5), exchange(5)].concat();
        let expected = Load {
            sends: 5,
            receives: 5,
            arriving: 5,
            late_receives: 0,
            batch: 1,
            has_window: false,
            message_bytes: 5,
            sends_locally: true,
            requests: 10,
            targets: [5, 0],
            parts: 0,
        };
        assert_eq!(load(8, &twice), expected);
    }

    #[test]
    fn a_send_that_blocks_is_the_only_one() {
        let send = |target| Call::Send { target, tag: 0, bytes: 1 };
        let receive = Call::Receive { source: Some(2), tag: None };
        let load = load(4, &[send(2), send(3), receive]);
        assert_eq!((load.sends, load.receives, load.late_receives, load.targets), (1, 1, 0, [2, 0]));
    }

    /// The window of an all-to-all directly to every rank (`collectives::direct`).
    #[test]
    fn a_collective_has_a_round_of_each_part_under_way() {
        let tuning = Tuning { algorithm: Algorithm::Direct, ..Tuning::default() };
        let collective = Collective::Alltoall { bytes: 8 };
        let direct =
            Call::Collect { collective, communicator: WORLD, request: None, tuning: Box::new(tuning) };
        let load = load(200, &[direct]);
        assert_eq!((load.sends, load.receives, load.parts, load.targets), (32, 32, 33, [0, 199]));
    }

    /// The more operations are under way, the more memory they take.
    #[test]
    fn memory_grows_with_the_load() {
        let bytes = |peers, shares_node| {
            let of_layer = load(1000, &exchange(peers)).of_layer::<crate::PingPong>(
                1000,
                shares_node,
                &messaging::Parameters::default(),
            );
            of_layer.rank_bytes
        };
        assert!(bytes(1, false) < bytes(8, false) && bytes(8, false) < bytes(40, false));
        assert!(bytes(8, false) < bytes(8, true));
    }
}
