//! Messages from one rank to another.

use crate::abi::{Buffer, Comm, Count, Datatype, Rank, Ref, Request, Status, Tag};
use crate::calls::datatypes::Data;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::Link;
use crate::objects::buffers;
use crate::objects::communicators::{self, Communicator};
use crate::objects::requests::{self, Incoming, Kind, RequestState};
use rank_wire::{Answer, Code, NOTHING};
use std::rc::Rc;

/// The time at which a send is complete, as the simulator numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Standard = 0,
    Synchronous = 1,
    Buffered = 2,
    Ready = 3,
}

/// A rank to send to; none for `MPI_PROC_NULL`.
fn target(of: &Communicator, dest: Rank) -> Outcome<Option<u32>> {
    let rank = u32::try_from(dest.0).ok().filter(|rank| *rank < of.peers());
    if rank.is_some() || dest.0 == c::PROC_NULL {
        return Ok(rank);
    }
    let words = format!("dest = {}: it is a rank from 0 to {}, or MPI_PROC_NULL", dest.0, of.peers() - 1);
    Err(Error::new(c::ERR_RANK, words))
}

/// A rank to receive from, and a tag, as words of a record; none for `MPI_PROC_NULL`.
pub(crate) fn selected(of: &Communicator, source: Rank, tag: Tag) -> Outcome<Option<[u64; 2]>> {
    let tag = match tag.0 {
        c::ANY_TAG => NOTHING,
        tag if tag >= 0 => tag as u64,
        tag => {
            return Err(Error::new(
                c::ERR_TAG,
                format!("tag = {tag}: it is a number from 0, or MPI_ANY_TAG"),
            ));
        }
    };
    match source.0 {
        c::PROC_NULL => Ok(None),
        c::ANY_SOURCE => Ok(Some([NOTHING, tag])),
        rank if rank >= 0 && (rank as u32) < of.peers() => Ok(Some([of.peer(rank as u32).into(), tag])),
        rank => {
            let last = of.peers() - 1;
            let words =
                format!("source = {rank}: it is a rank from 0 to {last}, MPI_ANY_SOURCE or MPI_PROC_NULL");
            Err(Error::new(c::ERR_RANK, words))
        }
    }
}

/// A tag to send, as a word of a record.
pub(crate) fn sent_tag(tag: Tag) -> Outcome<u64> {
    let words = || Error::new(c::ERR_TAG, format!("tag = {}: it is a number from 0", tag.0));
    u64::try_from(tag.0).map_err(|_| words())
}

/// The words of a send but its request and the offset of its data; none for `MPI_PROC_NULL`.
pub(crate) fn send_words(
    of: &Communicator,
    dest: Rank,
    tag: Tag,
    data: &Data,
    mode: Mode,
) -> Outcome<Option<[u64; 6]>> {
    let (tag, target) = (sent_tag(tag)?, target(of, dest)?);
    if mode == Mode::Buffered && target.is_some() {
        buffers::check(of, data.bytes())?;
    }
    let words = |target: u32| {
        [of.number.into(), of.peer(target).into(), tag, data.bytes(), mode as u64, data.blocks()]
    };
    Ok(target.map(words))
}

/// Copies data into a block for one reader.
pub(crate) fn copied(link: &mut Link, data: &Data) -> Outcome<u64> {
    // SAFETY: the program has passed a valid buffer, and the block has room for its bytes.
    link.put(data.bytes(), 1, |to| unsafe { data.pack(to) })
}

/// The status of a receive from `MPI_PROC_NULL`.
pub(crate) const FROM_NOBODY: Status = Status { source: c::PROC_NULL, ..Status::EMPTY };

/// Where a message goes, or comes from.
type Peer = (Rank, Tag, Comm);

/// Sends, and waits if there is no request.
fn send_in_mode(data: &Data, (dest, tag, comm): Peer, mode: Mode) -> Outcome {
    let of = communicators::of(comm)?;
    let words = send_words(&of, dest, tag, data, mode)?;
    let mut link = library().link()?;
    let Some([a, b, c, d, e, f]) = words else {
        link.post_nothing();
        return Ok(());
    };
    let offset = copied(&mut link, data)?;
    link.post(Code::Send, &[a, b, c, d, e, f, NOTHING, offset]);
    Ok(())
}

/// Begins to send.
pub(crate) fn begin_send(data: &Data, (dest, tag, comm): Peer, mode: Mode) -> Outcome<Rc<RequestState>> {
    let of = communicators::of(comm)?;
    let words = send_words(&of, dest, tag, data, mode)?;
    let mut link = library().link()?;
    let Some([a, b, c, d, e, f]) = words else {
        link.post_nothing();
        return Ok(RequestState::ended(Status::EMPTY));
    };
    let offset = copied(&mut link, data)?;
    let (begun, number) = RequestState::begin(Kind::Send);
    link.post(Code::Send, &[a, b, c, d, e, f, number.into(), offset]);
    Ok(begun)
}

/// Begins to receive.
pub(crate) fn begin_receive(data: Data, (source, tag, comm): Peer) -> Outcome<Rc<RequestState>> {
    let of = communicators::of(comm)?;
    let selected = selected(&of, source, tag)?;
    let mut link = library().link()?;
    let Some([source, tag]) = selected else {
        link.post_nothing();
        return Ok(RequestState::ended(FROM_NOBODY));
    };
    let blocks = data.blocks();
    let (begun, number) = RequestState::begin(Kind::Receive(Incoming { data, first_peer: of.first_peer() }));
    link.post(Code::Receive, &[of.number.into(), source, tag, blocks, number.into()]);
    Ok(begun)
}

/// Makes a call that receives a message, and stores its data.
pub(crate) fn ask_for_message(incoming: &Incoming, ask: impl FnOnce(&mut Link) -> Answer) -> Outcome<Status> {
    let answer = ask(&mut *library().link()?);
    Ok(requests::received(library().memory()?, incoming, &answer.received))
}

fn receive(data: &Data, (source, tag, comm): Peer) -> Outcome<Status> {
    let of = communicators::of(comm)?;
    let Some([source, tag]) = selected(&of, source, tag)? else {
        library().link()?.post_nothing();
        return Ok(FROM_NOBODY);
    };
    let words = [of.number.into(), source, tag, data.blocks(), NOTHING];
    let incoming = Incoming { data: data.clone(), first_peer: of.first_peer() };
    ask_for_message(&incoming, |link| link.ask(Code::Receive, &words))
}

macro_rules! sends {
    ($($(#[$doc:meta])* $name:ident $mode:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an argument is wrong.
        pub fn $name(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) -> Outcome {
            let data = Data::of(buf, count, datatype);
            data.and_then(|data| send_in_mode(&data, (dest, tag, comm), Mode::$mode)).map_err(|error| error.on(comm))
        }
    )*};
}

macro_rules! starts {
    ($($(#[$doc:meta])* $name:ident $mode:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an argument is wrong.
        pub fn $name(
            buf: Buffer,
            count: Count,
            datatype: Datatype,
            dest: Rank,
            tag: Tag,
            comm: Comm,
            request: Ref<Request>,
        ) -> Outcome {
            let data = Data::of(buf, count, datatype);
            let begun = data.and_then(|data| begin_send(&data, (dest, tag, comm), Mode::$mode));
            request.set(0, begun.map_err(|error| error.on(comm))?.handle_on(comm));
            Ok(())
        }
    )*};
}

sends! {
    /// `MPI_Send`.
    send Standard;
    /// `MPI_Ssend`.
    ssend Synchronous;
    /// `MPI_Bsend`.
    bsend Buffered;
    /// `MPI_Rsend`.
    rsend Ready;
}

starts! {
    /// `MPI_Isend`.
    isend Standard;
    /// `MPI_Issend`.
    issend Synchronous;
    /// `MPI_Ibsend`.
    ibsend Buffered;
    /// `MPI_Irsend`.
    irsend Ready;
}

/// `MPI_Recv`.
///
/// # Errors
/// If an argument is wrong, or the message is too long.
pub fn recv(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    status: Ref<Status>,
) -> Outcome {
    let received = || {
        let data = Data::of(buf, count, datatype)?;
        let received = receive(&data, (source, tag, comm))?;
        status.set(0, received);
        requests::checked(received)
    };
    received().map_err(|error| error.on(comm))
}

/// `MPI_Irecv`.
///
/// # Errors
/// If an argument is wrong.
pub fn irecv(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    source: Rank,
    tag: Tag,
    comm: Comm,
    request: Ref<Request>,
) -> Outcome {
    let data = Data::of(buf, count, datatype);
    let begun = data.and_then(|data| begin_receive(data, (source, tag, comm)));
    request.set(0, begun.map_err(|error| error.on(comm))?.handle_on(comm));
    Ok(())
}

/// Sends and receives by one call.
fn exchange(sent: &Data, to: Peer, data: &Data, from: Peer) -> Outcome<Status> {
    let of = communicators::of(to.2)?;
    let words = send_words(&of, to.0, to.1, sent, Mode::Standard)?;
    let selected = selected(&of, from.0, from.1)?;
    let (Some([a, b, c, d, e, f]), Some([source, tag])) = (words, selected) else {
        // With MPI_PROC_NULL on one side, the other one is left.
        return match words {
            None => receive(data, from),
            Some(_) => send_in_mode(sent, to, Mode::Standard).map(|()| FROM_NOBODY),
        };
    };
    let offset = copied(&mut *library().link()?, sent)?;
    let words = [a, b, c, d, e, f, offset, of.number.into(), source, tag, data.blocks()];
    let incoming = Incoming { data: data.clone(), first_peer: of.first_peer() };
    ask_for_message(&incoming, |link| link.ask(Code::SendReceive, &words))
}

/// `MPI_Sendrecv`.
///
/// # Errors
/// If an argument is wrong, or the message is too long.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn sendrecv(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    dest: Rank,
    sendtag: Tag,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    status: Ref<Status>,
) -> Outcome {
    let exchanged = || {
        let sent = Data::of(sendbuf, sendcount, sendtype)?;
        let data = Data::of(recvbuf, recvcount, recvtype)?;
        let received = exchange(&sent, (dest, sendtag, comm), &data, (source, recvtag, comm))?;
        status.set(0, received);
        requests::checked(received)
    };
    exchanged().map_err(|error| error.on(comm))
}

/// `MPI_Sendrecv_replace`: the data are copied before those that arrive are stored.
///
/// # Errors
/// If an argument is wrong, or the message is too long.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn sendrecv_replace(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    sendtag: Tag,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    status: Ref<Status>,
) -> Outcome {
    sendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm, status)
}

/// `MPI_Isendrecv`: a receive and a send, as one request.
///
/// # Errors
/// If an argument is wrong.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn isendrecv(
    sendbuf: Buffer,
    sendcount: Count,
    sendtype: Datatype,
    dest: Rank,
    sendtag: Tag,
    recvbuf: Buffer,
    recvcount: Count,
    recvtype: Datatype,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    request: Ref<Request>,
) -> Outcome {
    let begin = || {
        let sent = Data::of(sendbuf, sendcount, sendtype)?;
        let data = Data::of(recvbuf, recvcount, recvtype)?;
        let receive = begin_receive(data, (source, recvtag, comm))?;
        let send = begin_send(&sent, (dest, sendtag, comm), Mode::Standard)?;
        // The status is that of the receive, which is the last part.
        Ok(RequestState::new(Kind::Joint(vec![send, receive], None.into()), None))
    };
    let begun = begin().map_err(|error: Error| error.on(comm))?;
    request.set(0, begun.handle_on(comm));
    Ok(())
}

/// `MPI_Isendrecv_replace`.
///
/// # Errors
/// If an argument is wrong.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn isendrecv_replace(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    sendtag: Tag,
    source: Rank,
    recvtag: Tag,
    comm: Comm,
    request: Ref<Request>,
) -> Outcome {
    isendrecv(buf, count, datatype, dest, sendtag, buf, count, datatype, source, recvtag, comm, request)
}
