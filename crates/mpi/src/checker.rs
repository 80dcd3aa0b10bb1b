//! Checks of a rank's calls before the library makes them.
//!
//! ```text
//!   process  --- call --->  check  --- Ok --->  Answer  --->  Mpi
//!            <-- words ---        Err
//!                           hear   <----------  WakeUp  <---
//! ```
//!
//! [`crate::Mpi`] panics on calls that no correct caller makes, such as a receive with a request that is in use. A
//! process outside the simulator may make any call. Its caller checks each of them first, and passes on what the rank
//! hears. From both follows what the rank has: requests, communicators, and messages of matched probes.
//!
//! A [`Checker`] knows one rank. [`Checkers`] also compare the calls that ranks make together.

use crate::arguments::{Arguments, CommunicatorChange, RequestUse};
use crate::call::{Call, ReceiveFrom, SendTo, Transfer};
use crate::collectives::schedule::Group;
use crate::collectives::{Collective, Tuning};
use crate::communicators::{Communicators, Given, MAX_DEFINED_IDS, Members, WORLD};
use crate::joint_calls::{JointCall, JointCalls, Place};
use crate::layout::Layout;
use crate::requests::MAX_REQUESTS;
use crate::{Ended, Outcome, RequestSet, Selection, WakeUp};
use messaging::MAX_MESSAGE_BYTES;
use std::collections::{BTreeMap, BTreeSet};

/// The most communicators that a rank has at a time. Of more, the ranks of a large machine might find no common id.
const MAX_COMMUNICATORS: usize = 1 << 16;

/// The longest operand of a collective in bytes; data that an algorithm cuts may be longer than a message.
const MAX_OPERAND_BYTES: u64 = 1 << 36;

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Free,
    /// An operation is in progress, or has ended, and no wait or test has ended the request.
    Active,
    /// The same of a request that the program has freed: its number is in use until the rank hears of its end.
    Freed,
    /// A persistent request that has not been started.
    Inactive,
    /// A persistent request that has been started.
    Started,
}

/// A communicator that the last call makes.
#[derive(Clone, Debug)]
struct Creation {
    communicator: u32,
    members: Members,
    new: u32,
}

/// Checks the calls of one rank.
#[derive(Clone, Debug)]
pub struct Checker {
    communicators: Communicators,
    selection: Selection,
    /// The states of requests, by number.
    requests: Vec<State>,
    /// The transfers of persistent requests.
    persistent: BTreeMap<u32, Transfer>,
    /// The communicators of collectives that have begun with a request.
    collectives: BTreeMap<u32, u32>,
    /// The handles of messages that matched probes have taken.
    handles: BTreeSet<u32>,
    creation: Option<Creation>,
}

impl Checker {
    /// The checker of a rank before its first call, among `size` ranks, in the given communicators in addition to that
    /// of all ranks. Algorithms of its collectives are selected by `selection`.
    pub fn new(rank: u32, size: u32, communicators: &[Given], selection: Selection) -> Self {
        Checker {
            communicators: Communicators::new(rank, size, communicators),
            selection,
            requests: Vec::new(),
            persistent: BTreeMap::new(),
            collectives: BTreeMap::new(),
            handles: BTreeSet::new(),
            creation: None,
        }
    }

    /// Checks the next call of the rank, which makes it if it is right.
    ///
    /// # Errors
    /// If the library would not take the call. The words name an argument, and complete "MPI_Send: ". Then the call
    /// counts as not made.
    pub fn check(&mut self, call: &Call) -> Result<(), String> {
        let arguments = call.arguments();
        self.examine(call, &arguments)?;
        self.make(call, &arguments);
        Ok(())
    }

    fn examine(&self, call: &Call, arguments: &Arguments<'_>) -> Result<(), String> {
        let Arguments { communicator, send, receive, requests, collective, change, .. } = *arguments;
        send.iter().try_for_each(|send| self.check_send(send))?;
        receive.iter().try_for_each(|receive| self.check_receive(receive))?;
        if let (Some(send), Some(_)) = (send, receive)
            && send.mode.is_buffered()
        {
            return Err("a send with a receive is not buffered".into());
        }
        if let Some(handle) = handle_of(call).filter(|handle| !self.handles.contains(handle)) {
            return Err(format!("message = {handle}: no probe has found it, or it has been received"));
        }
        if let Some((requests, used)) = requests {
            self.check_requests(requests, used)?;
        }
        if let (Some((collective, tuning)), Some(communicator)) = (collective, communicator) {
            self.check_collective(collective, tuning, communicator)?;
        }
        change.map_or(Ok(()), |change| self.check_change(communicator, change))
    }

    /// The place of a call that is right among those that ranks make together, if it is one.
    fn place(&self, arguments: &Arguments<'_>) -> Option<Place> {
        let communicator = arguments.communicator.filter(|_| is_joint(arguments))?;
        let name = (self.communicators.id(communicator), self.communicators.place(communicator, 0));
        let Group { rank, size } = self.communicators.group(communicator);
        let number = self.communicators.collectives(communicator);
        Some(Place { communicator: name, rank, size, number })
    }

    /// Makes a call that is right.
    fn make(&mut self, call: &Call, arguments: &Arguments<'_>) {
        if let Some(handle) = handle_of(call) {
            self.handles.remove(&handle);
        }
        if let Some((requests, used)) = arguments.requests {
            self.use_requests(requests, used, arguments.transfer());
        }
        if let Some(communicator) = arguments.communicator.filter(|_| is_joint(arguments)) {
            self.communicators.begin_collective(communicator);
            match arguments.requests {
                Some((request, _)) => {
                    self.collectives.insert(request.first(), communicator);
                }
                // The rank makes no other call before it ends.
                None => self.communicators.end_collective(communicator),
            }
        }
        self.change(arguments.communicator.unwrap_or(WORLD), arguments.change);
    }

    /// Hears the outcome of the last call, and the requests with which it has ended, and those freed that have ended.
    pub fn hear(&mut self, outcome: &Outcome, ended: &[Ended]) {
        for &Ended { request, .. } in ended {
            let Some(state) = self.requests.get_mut(request as usize) else { continue };
            *state = match *state {
                State::Started | State::Inactive => State::Inactive,
                State::Free | State::Active | State::Freed => State::Free,
            };
            if let Some(communicator) = self.collectives.remove(&request) {
                self.communicators.end_collective(communicator);
            }
        }
        self.handles.extend(outcome.handle);
        if let (Some(creation), Some(member)) = (self.creation.take(), outcome.member) {
            let Creation { communicator, members, new } = creation;
            self.communicators.create(communicator, &members, new, member.id, None);
        }
    }

    fn check_send(&self, send: &SendTo) -> Result<(), String> {
        let &SendTo { communicator, target, bytes, layout, .. } = send;
        let size = self.communicators.find(communicator)?.size;
        if target >= size {
            return Err(format!("dest = {target}: the communicator has {size} ranks"));
        }
        if bytes > MAX_MESSAGE_BYTES {
            return Err(format!("count: {bytes} bytes: messages of more than 1 GiB are not simulated"));
        }
        check_layout(layout)
    }

    fn check_receive(&self, receive: &ReceiveFrom) -> Result<(), String> {
        let &ReceiveFrom { communicator, source, layout, .. } = receive;
        let size = self.communicators.find(communicator)?.size;
        if let Some(source) = source.filter(|&source| source >= size) {
            return Err(format!("source = {source}: the communicator has {size} ranks"));
        }
        check_layout(layout)
    }

    fn check_requests(&self, requests: RequestSet<'_>, used: RequestUse) -> Result<(), String> {
        let first = requests.first();
        match used {
            RequestUse::Begins | RequestUse::Prepares => self.check_free(first),
            RequestUse::Starts => requests.iter().try_for_each(|request| self.check_start(request)),
            RequestUse::Frees => match self.state(first) {
                State::Active | State::Inactive | State::Started => Ok(()),
                State::Free | State::Freed => Err(format!("request = {first}: it is not in use")),
            },
            RequestUse::Cancels => match self.state(first) {
                State::Active | State::Started => Ok(()),
                State::Free | State::Freed | State::Inactive => {
                    Err(format!("request = {first}: it is not in progress"))
                }
            },
            // Requests that are not in use count as complete.
            RequestUse::Ends { .. } => Ok(()),
        }
    }

    fn state(&self, request: u32) -> State {
        self.requests.get(request as usize).copied().unwrap_or_default()
    }

    fn check_free(&self, request: u32) -> Result<(), String> {
        if request as usize >= MAX_REQUESTS {
            return Err(format!("request = {request}: a rank has at most {MAX_REQUESTS} at a time"));
        }
        match self.state(request) {
            State::Free => Ok(()),
            State::Active | State::Freed | State::Inactive | State::Started => {
                Err(format!("request = {request}: it is in use"))
            }
        }
    }

    /// Checks the start of a persistent request, whose communicator may have been freed since it was made.
    fn check_start(&self, request: u32) -> Result<(), String> {
        let wrong = |why: &str| Err(format!("request = {request}: {why}"));
        match self.state(request) {
            State::Inactive => {}
            State::Started => return wrong("it has been started, and no wait or test has ended it"),
            State::Free | State::Active | State::Freed => return wrong("it is not persistent"),
        }
        let checked = match self.persistent.get(&request) {
            Some(Transfer::Send(send)) => self.check_send(send),
            Some(Transfer::Receive(receive)) => self.check_receive(receive),
            None => return wrong("it is not persistent"),
        };
        checked.or_else(|why| wrong(&why))
    }

    fn check_collective(
        &self,
        collective: &Collective,
        tuning: Option<&Tuning>,
        communicator: u32,
    ) -> Result<(), String> {
        self.communicators.find(communicator)?;
        if tuning.is_some_and(|tuning| *tuning != Tuning::default()) {
            return Err("a program does not choose the algorithms of its collectives".into());
        }
        let bytes = collective.block_bytes();
        if bytes > MAX_OPERAND_BYTES {
            return Err(format!("count: {bytes} bytes: operands of more than 64 GiB are not simulated"));
        }
        self.selection.checked(collective, (&self.communicators, communicator), Tuning::default()).map(|_| ())
    }

    fn check_change(&self, parent: Option<u32>, change: CommunicatorChange<'_>) -> Result<(), String> {
        let parent = parent.unwrap_or(WORLD);
        self.communicators.find(parent)?;
        let (members, new) = match change {
            CommunicatorChange::Frees if parent == WORLD => {
                return Err("comm: the communicator of all ranks cannot be freed".into());
            }
            CommunicatorChange::Frees => return Ok(()),
            CommunicatorChange::Agrees { members, new, .. } => (members, new),
            CommunicatorChange::Defines { members, new, id } => {
                if id == 0 || id >= MAX_DEFINED_IDS || self.communicators.ids().any(|known| known == id) {
                    return Err(format!("id = {id}: it is not from 1 to {}, or in use", MAX_DEFINED_IDS - 1));
                }
                (Some(members), new)
            }
        };
        if self.communicators.ids().count() >= MAX_COMMUNICATORS {
            return Err(format!("newcomm: a rank has at most {MAX_COMMUNICATORS} communicators at a time"));
        }
        self.communicators.fault(parent, members, new).map_or(Ok(()), Err)
    }

    fn change(&mut self, communicator: u32, change: Option<CommunicatorChange<'_>>) {
        self.creation = None;
        match change {
            None | Some(CommunicatorChange::Agrees { members: None, .. }) => {}
            Some(CommunicatorChange::Agrees { members: Some(members), new, .. }) => {
                self.creation = Some(Creation { communicator, members: members.clone(), new });
            }
            Some(CommunicatorChange::Defines { members, new, id }) => {
                self.communicators.create(WORLD, members, new, id, None);
            }
            Some(CommunicatorChange::Frees) => self.communicators.free(communicator),
        }
    }

    fn use_requests(&mut self, requests: RequestSet<'_>, used: RequestUse, transfer: Option<Transfer>) {
        let first = requests.first();
        match used {
            RequestUse::Begins => self.set(first, State::Active),
            RequestUse::Prepares => {
                self.persistent.extend(transfer.map(|transfer| (first, transfer)));
                self.set(first, State::Inactive);
            }
            RequestUse::Starts => requests.iter().for_each(|request| self.set(request, State::Started)),
            RequestUse::Frees => {
                self.persistent.remove(&first);
                let is_active = self.state(first) != State::Inactive;
                self.set(first, if is_active { State::Freed } else { State::Free });
            }
            RequestUse::Cancels | RequestUse::Ends { .. } => {}
        }
    }

    fn set(&mut self, request: u32, state: State) {
        let index = request as usize;
        if index >= self.requests.len() {
            self.requests.resize(index + 1, State::Free);
        }
        self.requests[index] = state;
    }
}

/// Checks the calls of all ranks.
#[derive(Debug)]
pub struct Checkers {
    ranks: Vec<Checker>,
    joint_calls: JointCalls,
}

impl Checkers {
    /// The checkers of `size` ranks before their first calls, in the communicators that exist from the start in
    /// addition to that of all ranks.
    pub fn new(size: u32, communicators: impl Fn(u32) -> Vec<Given>, selection: Selection) -> Self {
        let checker = |rank| Checker::new(rank, size, &communicators(rank), selection);
        Checkers { ranks: (0..size).map(checker).collect(), joint_calls: JointCalls::default() }
    }

    /// Checks the next call of a rank, as [`Checker::check`] does, and whether it is the call that other ranks make
    /// together with it.
    ///
    /// # Errors
    /// If the library would not take the call. The words name an argument, and complete "MPI_Send: ". Then the call
    /// counts as not made.
    pub fn check(&mut self, rank: u32, call: &Call) -> Result<(), String> {
        let (checker, arguments) = (&mut self.ranks[rank as usize], call.arguments());
        checker.examine(call, &arguments)?;
        if let Some(place) = checker.place(&arguments) {
            let joint = match arguments.collective {
                Some((collective, _)) => JointCall::Collective(collective.clone()),
                None => JointCall::Creation(members_of(&arguments).cloned()),
            };
            self.joint_calls.enter(rank, place, joint)?;
        }
        checker.make(call, &arguments);
        Ok(())
    }

    /// A rank hears the outcome of its last call, as [`Checker::hear`] describes.
    pub fn hear(&mut self, WakeUp { rank, outcome, ended, .. }: &WakeUp) {
        self.ranks[*rank as usize].hear(outcome, ended);
    }
}

/// Whether all ranks of the communicator make the call together.
fn is_joint(arguments: &Arguments<'_>) -> bool {
    arguments.collective.is_some() || matches!(arguments.change, Some(CommunicatorChange::Agrees { .. }))
}

/// The members of the new communicator on which ranks agree, if this rank gets one.
fn members_of<'a>(arguments: &Arguments<'a>) -> Option<&'a Members> {
    if let Some(CommunicatorChange::Agrees { members, .. }) = arguments.change { members } else { None }
}

/// The message of a matched probe that a call receives.
fn handle_of(call: &Call) -> Option<u32> {
    if let Call::MatchedReceive { handle } | Call::MatchedReceiveNonBlocking { handle, .. } = *call {
        Some(handle)
    } else {
        None
    }
}

fn check_layout(layout: Layout) -> Result<(), String> {
    match layout {
        Layout::Blocks(blocks) if u64::from(blocks) > MAX_MESSAGE_BYTES => {
            Err(format!("datatype: {blocks} blocks: messages of more than 1 GiB are not simulated"))
        }
        Layout::Contiguous | Layout::Blocks(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Mode;
    use crate::{Lengths, Needed, Requests, Status};

    fn checker() -> Checker {
        Checker::new(2, 6, &[Members::list([2]).into()], Selection::default())
    }

    fn receive(request: u32) -> Call {
        Call::ReceiveNonBlocking { source: None, tag: None, request }
    }

    fn collect(collective: Collective, communicator: u32, request: Option<u32>) -> Call {
        Call::Collect { collective, communicator, request, tuning: Box::default() }
    }

    fn ended(request: u32) -> Ended {
        Ended { request, received: Some(Status::default()), is_cancelled: false }
    }

    fn range(first: u32, count: u32) -> Requests {
        Requests::range(first, count)
    }

    /// Each call of a checker with the words of its fault; none if it has none.
    fn assert_checked(checker: &mut Checker, calls: &[(Call, &str)]) {
        for (call, fault) in calls {
            let checked = checker.check(call);
            match (&checked, *fault) {
                (Ok(()), "") => {}
                (Err(words), fault) if !fault.is_empty() && words.contains(fault) => {}
                _ => panic!("{call:?}: {checked:?}, not {fault:?}"),
            }
        }
    }

    #[test]
    fn arguments_of_transfers_are_checked() {
        let send = SendTo::new(5, 0, 8);
        let begin = |send| Call::Begin { transfer: Transfer::Send(send), request: None };
        let message = ReceiveFrom::new(Some(6), None);
        let buffered = SendTo { mode: Mode::Buffered, ..send };
        let joint = |send, source| Call::SendReceive { send, receive: ReceiveFrom::new(source, None) };
        assert_checked(
            &mut checker(),
            &[
                (Call::Send { target: 5, tag: 9, bytes: MAX_MESSAGE_BYTES }, ""),
                (Call::Send { target: 6, tag: 9, bytes: 0 }, "dest = 6: the communicator has 6 ranks"),
                (
                    Call::Send { target: 5, tag: 9, bytes: MAX_MESSAGE_BYTES + 1 },
                    "count: 1073741825 bytes: messages of more than 1 GiB are not simulated",
                ),
                (begin(SendTo { communicator: 1, ..send }), "dest = 5: the communicator has 1 ranks"),
                (begin(SendTo { communicator: 2, ..send }), "comm = 2: no communicator has this number"),
                (begin(SendTo { layout: Layout::Blocks(u32::MAX), ..send }), "datatype: 4294967295 blocks"),
                (Call::Find { message, takes: false, blocks: false }, "source = 6"),
                (joint(send, Some(6)), "source = 6"),
                (joint(buffered, None), "not buffered"),
                (joint(send, None), ""),
                (Call::MatchedReceive { handle: 0 }, "message = 0: no probe has found it"),
            ],
        );
    }

    #[test]
    fn requests_are_used_as_what_they_are() {
        let mut checker = checker();
        let prepared = Transfer::Receive(ReceiveFrom { communicator: 3, ..ReceiveFrom::new(None, None) });
        let (define, prepare) = (
            Call::Define { members: Members::All, new: 3, id: 9 },
            Call::Prepare { transfer: prepared, request: 4 },
        );
        assert_checked(
            &mut checker,
            &[
                (define, ""),
                (receive(3), ""),
                (receive(3), "request = 3: it is in use"),
                (receive(MAX_REQUESTS as u32), "request = 16777216: a rank has at most 16777216"),
                (Call::Start { requests: range(3, 1) }, "request = 3: it is not persistent"),
                (Call::Cancel { request: 7 }, "request = 7: it is not in progress"),
                (Call::Free { request: 7 }, "request = 7: it is not in use"),
                (prepare.clone(), ""),
                (prepare.clone(), "request = 4: it is in use"),
                (Call::Start { requests: range(4, 2) }, "request = 5: it is not persistent"),
                (Call::Start { requests: range(4, 1) }, ""),
                (Call::Start { requests: range(4, 1) }, "request = 4: it has been started"),
                (Call::Wait { requests: range(0, u32::MAX), needed: Needed::All }, ""),
            ],
        );
        checker.hear(&Outcome::default(), &[ended(3), ended(4)]);
        assert_checked(
            &mut checker,
            &[
                (receive(3), ""),
                (Call::FreeCommunicator { communicator: 3 }, ""),
                (
                    Call::Start { requests: range(4, 1) },
                    "request = 4: comm = 3: no communicator has this number",
                ),
                (Call::Free { request: 4 }, ""),
                (receive(4), ""),
                (Call::Free { request: 3 }, ""),
                (receive(3), "request = 3: it is in use"),
            ],
        );
        checker.hear(&Outcome::default(), &[ended(3)]);
        assert_checked(&mut checker, &[(receive(3), "")]);
    }

    #[test]
    fn a_message_is_received_once() {
        let mut checker = checker();
        let probe = Call::MatchedProbe { source: None, tag: None, blocks: true };
        let receive = Call::MatchedReceiveNonBlocking { handle: 5, request: 0 };
        assert_checked(&mut checker, &[(probe, "")]);
        checker.hear(&Outcome { handle: Some(5), ..Outcome::default() }, &[]);
        assert_checked(&mut checker, &[(receive.clone(), ""), (receive, "message = 5")]);
    }

    #[test]
    fn a_communicator_can_be_used_while_it_exists() {
        let mut checker = checker();
        let create =
            |members, new| Call::Create { communicator: WORLD, members: Some(members), new, order: 0 };
        let free = |communicator| Call::FreeCommunicator { communicator };
        let barrier = |communicator| collect(Collective::Barrier, communicator, Some(0));
        assert_checked(
            &mut checker,
            &[
                (create(Members::All, 1), "communicator 1 exists"),
                (create(Members::list([2, 6]), 2), "not different ranks of 6"),
                (create(Members::list([0, 1]), 2), "rank 2 is none of the members"),
                (Call::Define { members: Members::All, new: 2, id: 1 }, "id = 1"),
                (free(WORLD), "cannot be freed"),
                (create(Members::All, 2), ""),
            ],
        );
        let member = Some(crate::Member { id: 7, rank: 2, size: 6 });
        checker.hear(&Outcome { member, ..Outcome::default() }, &[]);
        assert_checked(
            &mut checker,
            &[
                (barrier(2), ""),
                (free(2), ""),
                (free(2), "comm = 2: it has been freed"),
                (create(Members::All, 2), "communicator 2 exists"),
            ],
        );
        checker.hear(&Outcome::default(), &[ended(0)]);
        assert_checked(
            &mut checker,
            &[(barrier(2), "comm = 2: no communicator"), (create(Members::All, 2), "")],
        );
    }

    #[test]
    fn arguments_of_collectives_are_checked() {
        let lengths = |count: usize| Lengths::new(vec![MAX_MESSAGE_BYTES; count]);
        let world = |collective| collect(collective, WORLD, None);
        let tuning = Box::new(Tuning::default().with(crate::Algorithm::Ring));
        let named =
            Call::Collect { collective: Collective::Barrier, communicator: WORLD, request: None, tuning };
        assert_checked(
            &mut checker(),
            &[
                // Blocks of 1 GiB go around a ring one by one; in a tree the parent of rank 3 sends two.
                (world(Collective::Allgatherv { lengths: lengths(6) }), ""),
                (world(Collective::Allgatherv { lengths: lengths(5) }), "5 lengths are given for 6 ranks"),
                (
                    world(Collective::Gather { root: 0, bytes: MAX_MESSAGE_BYTES }),
                    "sends 2147483648 bytes in a message",
                ),
                (world(Collective::Broadcast { root: 6, bytes: 0 }), "root 6 is none of 6 ranks"),
                (world(Collective::Allreduce { bytes: u64::MAX }), "more than 64 GiB"),
                (collect(Collective::Barrier, 5, None), "comm = 5"),
                (named, "does not choose the algorithms"),
            ],
        );
    }

    #[test]
    fn ranks_make_joint_calls_in_the_same_order() {
        let mut checkers = Checkers::new(3, |_| Vec::new(), Selection::default());
        let broadcast = |root| collect(Collective::Broadcast { root, bytes: 10 }, WORLD, None);
        let create = |members| Call::Create { communicator: WORLD, members, new: 1, order: 0 };
        let (pair, other) = (Some(Members::list([0, 2])), Some(Members::list([2, 1])));
        let mut check = |rank, call: &Call| checkers.check(rank, call);
        assert_eq!(check(0, &broadcast(1)), Ok(()));
        assert_eq!(
            check(2, &broadcast(0)).unwrap_err(),
            "collective call 1 of the communicator is MPI_Bcast of 10 bytes from rank 0, and that of rank 0 is MPI_Bcast of \
             10 bytes from rank 1"
        );
        assert_eq!(check(2, &broadcast(1)), Ok(()));
        assert!(
            check(1, &create(None))
                .unwrap_err()
                .contains("is a new communicator, and that of rank 0 is MPI_Bcast")
        );
        assert_eq!(check(1, &broadcast(1)), Ok(()));
        assert_eq!(check(0, &create(pair.clone())), Ok(()));
        assert!(check(2, &create(other)).unwrap_err().contains("do not all name the same"));
        assert_eq!(check(2, &create(pair)), Ok(()));
        assert_eq!(check(1, &create(None)), Ok(()));
    }
}
