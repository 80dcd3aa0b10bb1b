//! Collectives of intercommunicators: each group gets the data of the other.
//!
//! ```text
//!   root               MPI_Bcast, MPI_Reduce           a message between the root and the first rank of the other
//!                                                      group, which broadcasts or reduces among its own
//!                      others, and what starts them    a message between the root and each rank of the other group
//!   all to all         MPI_Allgather, MPI_Alltoall     an MPI_Alltoallv of the ranks of both groups
//!                      MPI_Allreduce, MPI_Barrier ...  the same collective of both: a rank combines only what is
//!                                                      the other group's
//! ```

use super::{Complete, Places, Prepared, Read, Reduction, prepare_exchange};
use crate::abi::{Rank, Status};
use crate::calls::datatypes::Data;
use crate::calls::own_messages;
use crate::calls::requests::wait_for_all;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::objects::communicators::{Communicator, Remote};
use crate::objects::requests::{self, Completion, Kind, RequestState};
use rank_wire::Collective;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The tag of the messages: ranks call collectives in the same order.
const TAG: u32 = 0;

/// The part of a rank in a collective with a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Root,
    /// The rank is in the group of the root.
    Nothing,
    /// The root is this rank of the other group.
    Other(u32),
}

fn part(of: &Communicator, root: Rank) -> Outcome<Part> {
    let last = of.peers() - 1;
    let words = || format!("root = {}: it is a rank from 0 to {last}, MPI_ROOT or MPI_PROC_NULL", root.0);
    match (root.0, u32::try_from(root.0)) {
        (c::ROOT, _) => Ok(Part::Root),
        (c::PROC_NULL, _) => Ok(Part::Nothing),
        (_, Ok(rank)) if rank <= last => Ok(Part::Other(rank)),
        _ => Err(Error::new(c::ERR_ROOT, words())),
    }
}

/// A step of a collective.
type Step = Box<dyn Fn() -> Outcome>;

/// A collective that messages carry out.
pub(super) struct Messages {
    of: Rc<Communicator>,
    /// The data for ranks of the other group, and the places of theirs.
    sent: Vec<(u32, Data)>,
    received: Vec<(u32, Data)>,
    completion: Option<Complete>,
    /// The steps of the call that blocks, if they are others.
    steps: Option<Step>,
}

impl Messages {
    fn of(of: &Rc<Communicator>) -> Self {
        Messages { of: of.clone(), sent: Vec::new(), received: Vec::new(), completion: None, steps: None }
    }

    /// Begins all messages.
    pub fn begin(&self) -> Outcome<Rc<RequestState>> {
        let messages = self.of.own_messages()?;
        let mut parts = Vec::new();
        for (rank, data) in &self.received {
            parts.push(own_messages::begin_receive(&messages, Some(self.of.peer(*rank)), TAG, data.clone())?);
        }
        for (rank, data) in &self.sent {
            parts.push(own_messages::begin_send(&messages, Some(self.of.peer(*rank)), TAG, data)?);
        }
        if parts.is_empty() {
            // A call that does nothing.
            parts.push(own_messages::begin_send(&messages, None, TAG, &Data::of_library(&mut [0; 0]))?);
        }
        let completion = self.completion.clone().map(|complete| Completion(Box::new(move |_| complete(0))));
        Ok(RequestState::new(Kind::Joint(parts, completion.into()), None))
    }

    pub fn carry_out(&self) -> Outcome {
        if let Some(steps) = &self.steps {
            return steps();
        }
        let begun = self.begin()?;
        wait_for_all(std::slice::from_ref(&begun))?;
        requests::checked(begun.take_status()?)
    }

    fn prepared(self, collective: Collective) -> Prepared {
        let of = self.of.clone();
        Prepared { messages: Some(self), ..Prepared::new(of, collective) }
    }
}

/// Waits for a message to or from a rank of the other group.
fn wait_for(begun: Rc<RequestState>) -> Outcome<Status> {
    wait_for_all(std::slice::from_ref(&begun))?;
    let status = begun.take_status()?;
    requests::checked(status)?;
    Ok(status)
}

fn send(of: &Communicator, rank: u32, data: &Data) -> Outcome {
    let messages = of.own_messages()?;
    wait_for(own_messages::begin_send(&messages, Some(of.peer(rank)), TAG, data)?).map(drop)
}

fn receive(of: &Communicator, rank: u32, data: Data) -> Outcome {
    let messages = of.own_messages()?;
    wait_for(own_messages::begin_receive(&messages, Some(of.peer(rank)), TAG, data)?).map(drop)
}

fn local(of: &Communicator) -> Outcome<Rc<Communicator>> {
    let local = of.remote.as_ref().map(|remote| remote.local.clone());
    local.ok_or_else(|| Error::new(c::ERR_INTERN, "an intercommunicator has another group"))
}

/// `MPI_Bcast`.
pub(super) fn bcast(
    of: &Rc<Communicator>,
    root: Rank,
    data: impl FnOnce() -> Outcome<Data>,
) -> Outcome<Prepared> {
    let mut messages = Messages::of(of);
    let of = of.clone();
    match part(&of, root)? {
        Part::Nothing => {}
        Part::Root => {
            let data = data()?;
            messages.sent = (0..of.peers()).map(|rank| (rank, data.clone())).collect();
            messages.steps = Some(Box::new(move || send(&of, 0, &data)));
        }
        Part::Other(root) => {
            let data = data()?;
            messages.received.push((root, data.clone()));
            messages.steps = Some(Box::new(move || {
                if of.rank == 0 {
                    receive(&of, root, data.clone())?;
                }
                super::broadcast(local(&of)?, 0, data.clone()).carry_out()
            }));
        }
    }
    Ok(messages.prepared(Collective::Bcast))
}

/// `MPI_Gather` and `MPI_Gatherv`; `at_root` are the places of all blocks at the root.
pub(super) fn gather(
    of: &Rc<Communicator>,
    root: Rank,
    sent: impl FnOnce() -> Outcome<Data>,
    at_root: impl FnOnce(u32) -> Outcome<Places>,
) -> Outcome<Prepared> {
    let mut messages = Messages::of(of);
    match part(of, root)? {
        Part::Nothing => {}
        Part::Root => messages.received = (0..).zip(at_root(of.peers())?).collect(),
        Part::Other(root) => messages.sent.push((root, sent()?)),
    }
    Ok(messages.prepared(Collective::Gather))
}

/// `MPI_Scatter` and `MPI_Scatterv`; `at_root` are the places of all blocks at the root.
pub(super) fn scatter(
    of: &Rc<Communicator>,
    root: Rank,
    received: impl FnOnce() -> Outcome<Data>,
    at_root: impl FnOnce(u32) -> Outcome<Places>,
) -> Outcome<Prepared> {
    let mut messages = Messages::of(of);
    match part(of, root)? {
        Part::Nothing => {}
        Part::Root => messages.sent = (0..).zip(at_root(of.peers())?).collect(),
        Part::Other(root) => messages.received.push((root, received()?)),
    }
    Ok(messages.prepared(Collective::Scatter))
}

/// `MPI_Reduce`.
pub(super) fn reduce(
    of: &Rc<Communicator>,
    root: Rank,
    reduction: impl FnOnce() -> Outcome<Reduction>,
) -> Outcome<Prepared> {
    let mut messages = Messages::of(of);
    let of = of.clone();
    match part(&of, root)? {
        Part::Nothing => {}
        Part::Root => {
            let reduction = reduction()?;
            let bytes = reduction.result.bytes() as usize;
            let operands = (0..of.peers()).map(|_| reduction.result.room_for_packed());
            let mut operands = operands.collect::<Outcome<Vec<_>>>()?;
            messages.received =
                (0..).zip(operands.iter_mut().map(|it| Data::of_library(&mut it[..]))).collect();
            let result = reduction.result.clone();
            messages.completion = Some(Rc::new(move |_| {
                let mut combined = reduction.result.room_for_packed()?;
                let Data { datatype, count, .. } = &reduction.result;
                let operands = operands.iter().map(|operand| operand.as_ptr());
                // SAFETY: all operands and the result have these bytes, and the program has passed a valid buffer.
                unsafe {
                    reduction.operation.fold(datatype, *count, operands, combined.as_mut_ptr())?;
                    reduction.result.unpack(combined.as_ptr(), bytes as u64);
                }
                Ok(())
            }));
            messages.steps = Some(Box::new(move || receive(&of, 0, result.clone())));
        }
        Part::Other(root) => {
            let reduction = reduction()?;
            messages.sent.push((root, reduction.sent.clone()));
            messages.steps = Some(Box::new(move || {
                let combined = Rc::new(RefCell::new(reduction.result.room_for_packed()?));
                reduce_locally(&of, reduction.clone(), combined.clone())?;
                let mut combined = combined.borrow_mut();
                if of.rank == 0 { send(&of, root, &Data::of_library(&mut combined[..])) } else { Ok(()) }
            }));
        }
    }
    Ok(messages.prepared(Collective::Reduce))
}

/// Combines the data of the own group at its first rank.
fn reduce_locally(of: &Communicator, reduction: Reduction, combined: Rc<RefCell<Vec<u8>>>) -> Outcome {
    let (local, size) = (local(of)?, of.size());
    let mut prepared = reduction.prepare(local, Collective::Reduce);
    prepared.root = Some(0);
    if of.rank == 0 {
        prepared.completion = Some(Rc::new(move |table| {
            reduction.combine(&Read::new(table)?, 0..size, 0, combined.borrow_mut().as_mut_ptr())
        }));
    }
    prepared.carry_out()
}

/// An exchange of blocks with the ranks of the other group.
pub(super) fn exchange(remote: &Remote, kind: Collective, sent: Places, received: Places) -> Prepared {
    let own = remote.joint.size() - remote.members.len() as u32;
    let nothing = vec![Data::of_library(&mut [0; 0]); own as usize];
    let of_both = |places: Places| {
        if remote.first == 0 {
            [places, nothing.clone()].concat()
        } else {
            [nothing.clone(), places].concat()
        }
    };
    prepare_exchange(remote.joint.clone(), kind, of_both(sent), of_both(received))
}

/// The ranks of the other group, as those of both.
pub(super) fn others(remote: &Remote) -> Range<u32> {
    remote.first..remote.first + remote.members.len() as u32
}

/// The error of a collective that intercommunicators do not have.
pub(super) fn check_intra(of: &Communicator) -> Outcome {
    match of.remote {
        None => Ok(()),
        Some(_) => Err(Error::new(c::ERR_COMM, "comm is an intercommunicator, which has no such collective")),
    }
}
