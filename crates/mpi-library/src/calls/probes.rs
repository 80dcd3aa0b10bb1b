//! Probes: messages that have arrived, before they are received.

use crate::abi::HandleKind;
use crate::abi::{Buffer, Comm, Count, Datatype, Message, Rank, Ref, Request, Status, Tag};
use crate::calls::datatypes::Data;
use crate::calls::point_to_point::{self, FROM_NOBODY};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::library;
use crate::objects::communicators;
use crate::objects::requests::{self, Incoming, Kind, RequestState};
use crate::of_process::OfProcess;
use rank_wire::{Answer, Code, NOTHING};
use std::ffi::c_int;
use std::rc::Rc;

pub(crate) static MESSAGES: OfProcess<Objects<Taken>> = OfProcess::new(Objects::new(HandleKind::Message));

/// A message that a matched probe has taken.
#[derive(Debug)]
pub(crate) struct Taken {
    handle: u32,
    first_peer: u32,
}

/// The message that a probe has found.
struct Found {
    answer: Answer,
    first_peer: u32,
}

/// Looks for a message; none from `MPI_PROC_NULL`.
fn look(peer: (Rank, Tag, Comm), takes: bool, blocks: bool) -> Outcome<Option<Found>> {
    let look = || {
        let of = communicators::of(peer.2)?;
        let selected = point_to_point::selected(&of, peer.0, peer.1)?;
        let mut link = library().link()?;
        let Some([source, tag]) = selected else {
            link.post_nothing();
            return Ok(None);
        };
        let words = [of.number.into(), source, tag, takes.into(), blocks.into()];
        Ok(Some(Found { answer: link.ask(Code::Probe, &words), first_peer: of.first_peer() }))
    };
    look().map_err(|error: Error| error.on(peer.2))
}

impl Found {
    fn is_there(&self) -> bool {
        self.answer.flag != 0
    }

    fn status(&self) -> Status {
        let received = &self.answer.received;
        let source = received.source.wrapping_sub(self.first_peer) as c_int;
        Status { source, tag: received.tag as c_int, bytes: received.bytes, ..Status::EMPTY }
    }

    /// The handle of the message, which the probe has taken.
    fn message(&self) -> Message {
        let taken = Taken { handle: self.answer.handle, first_peer: self.first_peer };
        Message(MESSAGES.add(Rc::new(taken)))
    }
}

/// `MPI_Probe`.
///
/// # Errors
/// If an argument is wrong.
pub fn probe(source: Rank, tag: Tag, comm: Comm, status: Ref<Status>) -> Outcome {
    let found = look((source, tag, comm), false, true)?;
    status.set(0, found.as_ref().map_or(FROM_NOBODY, Found::status));
    Ok(())
}

/// `MPI_Iprobe`.
///
/// # Errors
/// If an argument is wrong.
pub fn iprobe(source: Rank, tag: Tag, comm: Comm, flag: Ref<c_int>, status: Ref<Status>) -> Outcome {
    let found = look((source, tag, comm), false, false)?;
    let is_there = found.as_ref().is_none_or(Found::is_there);
    flag.set(0, is_there.into());
    if is_there {
        status.set(0, found.as_ref().map_or(FROM_NOBODY, Found::status));
    }
    Ok(())
}

/// `MPI_Mprobe`.
///
/// # Errors
/// If an argument is wrong.
pub fn mprobe(source: Rank, tag: Tag, comm: Comm, message: Ref<Message>, status: Ref<Status>) -> Outcome {
    let found = look((source, tag, comm), true, true)?;
    message.set(0, found.as_ref().map_or(Message(c::MESSAGE_NO_PROC), Found::message));
    status.set(0, found.as_ref().map_or(FROM_NOBODY, Found::status));
    Ok(())
}

/// `MPI_Improbe`.
///
/// # Errors
/// If an argument is wrong.
pub fn improbe(
    source: Rank,
    tag: Tag,
    comm: Comm,
    flag: Ref<c_int>,
    message: Ref<Message>,
    status: Ref<Status>,
) -> Outcome {
    let found = look((source, tag, comm), true, false)?;
    let is_there = found.as_ref().is_none_or(Found::is_there);
    flag.set(0, is_there.into());
    message.set(
        0,
        if is_there {
            found.as_ref().map_or(Message(c::MESSAGE_NO_PROC), Found::message)
        } else {
            Message(c::MESSAGE_NULL)
        },
    );
    if is_there {
        status.set(0, found.as_ref().map_or(FROM_NOBODY, Found::status));
    }
    Ok(())
}

/// Takes a message of a probe; none from `MPI_PROC_NULL`.
fn take(message: Ref<Message>) -> Outcome<Option<Rc<Taken>>> {
    let handle = message.get(0);
    message.set(0, Message(c::MESSAGE_NULL));
    if handle.0 == c::MESSAGE_NO_PROC {
        return Ok(None);
    }
    let taken = MESSAGES.remove(handle.0);
    taken.map(Some).ok_or_else(|| Error::new(c::ERR_REQUEST, "message is no message"))
}

/// `MPI_Mrecv`.
///
/// # Errors
/// If an argument is wrong, or the message is too long.
pub fn mrecv(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    message: Ref<Message>,
    status: Ref<Status>,
) -> Outcome {
    let data = Data::of(buf, count, datatype)?;
    let Some(taken) = take(message)? else {
        library().link()?.post_nothing();
        status.set(0, FROM_NOBODY);
        return Ok(());
    };
    let words = [taken.handle.into(), NOTHING];
    let incoming = Incoming { data, first_peer: taken.first_peer };
    let received = point_to_point::ask_for_message(&incoming, |link| link.ask(Code::MatchedReceive, &words))?;
    status.set(0, received);
    requests::checked(received)
}

/// `MPI_Imrecv`.
///
/// # Errors
/// If an argument is wrong.
pub fn imrecv(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    message: Ref<Message>,
    request: Ref<Request>,
) -> Outcome {
    let data = Data::of(buf, count, datatype)?;
    let taken = take(message)?;
    let mut link = library().link()?;
    let begun = match taken {
        None => {
            link.post_nothing();
            RequestState::ended(FROM_NOBODY)
        }
        Some(taken) => {
            let incoming = Incoming { data, first_peer: taken.first_peer };
            let (begun, number) = RequestState::begin(Kind::Receive(incoming));
            link.post(Code::MatchedReceive, &[taken.handle.into(), number.into()]);
            begun
        }
    };
    request.set(0, begun.handle());
    Ok(())
}
