//! Messages from one rank to another.

use crate::abi::{Buffer, Comm, Count, Datatype, Rank, Ref, Request, Status, Tag};
use crate::calls::communicators::{self, Communicator};
use crate::calls::datatypes::Data;
use crate::calls::requests::{self, Effect, RequestState};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::{Link, optional};
use rank_wire::{Code, NOTHING};

/// The call for a transfer from or to `MPI_PROC_NULL`: it takes the time of a call, and does nothing.
pub(crate) const NO_CALL: [u64; 4] = [0, 1, 0, 0];

/// The time at which a send is complete, as the simulator numbers it.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Standard = 0,
}

/// A rank to send to; none for `MPI_PROC_NULL`.
fn target(of: &Communicator, dest: Rank) -> Outcome<Option<u32>> {
    let rank = u32::try_from(dest.0).ok().filter(|rank| *rank < of.size());
    if rank.is_some() || dest.0 == c::PROC_NULL {
        return Ok(rank);
    }
    let words = format!("dest = {}: it is a rank from 0 to {}, or MPI_PROC_NULL", dest.0, of.size() - 1);
    Err(Error::new(c::ERR_RANK, words))
}

/// A rank to receive from, and a tag, as words of a record; none for `MPI_PROC_NULL`.
fn selected(of: &Communicator, source: Rank, tag: Tag) -> Outcome<Option<[u64; 2]>> {
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
        rank if rank >= 0 && (rank as u32) < of.size() => Ok(Some([rank as u64, tag])),
        rank => {
            let last = of.size() - 1;
            let words =
                format!("source = {rank}: it is a rank from 0 to {last}, MPI_ANY_SOURCE or MPI_PROC_NULL");
            Err(Error::new(c::ERR_RANK, words))
        }
    }
}

fn sent_tag(tag: Tag) -> Outcome<u64> {
    let words = || Error::new(c::ERR_TAG, format!("tag = {}: it is a number from 0", tag.0));
    u64::try_from(tag.0).map_err(|_| words())
}

/// The words of a send, without its request: all but the offset of the data.
fn send_words(of: &Communicator, target: u32, tag: u64, data: &Data, mode: Mode) -> [u64; 6] {
    [of.number.into(), target.into(), tag, data.bytes(), mode as u64, data.blocks()]
}

/// Copies data into a block for one reader.
fn copied(link: &mut Link, data: &Data) -> Outcome<u64> {
    // SAFETY: the program has passed a valid buffer, and the block has room for its bytes.
    link.put(data.bytes(), 1, |to| unsafe { data.pack(to) })
}

fn send_in_mode(
    data: Outcome<Data>,
    (dest, tag, comm): (Rank, Tag, Comm),
    mode: Mode,
    request: Option<Ref<Request>>,
) -> Outcome {
    let of = communicators::of(comm)?;
    let begin = || {
        let (data, tag, target) = (data?, sent_tag(tag)?, target(&of, dest)?);
        let mut link = library().link()?;
        let Some(target) = target else {
            link.post(Code::End, &NO_CALL);
            return Ok(request.map(|_| RequestState::ended(Status::EMPTY)));
        };
        let begun = request.map(|_| RequestState::begin(Effect::Nothing));
        let [words @ ..] = send_words(&of, target, tag, &data, mode);
        let number = optional(begun.as_ref().map(|(_, number)| *number));
        let offset = copied(&mut link, &data)?;
        let [a, b, c, d, e, f] = words;
        link.post(Code::Send, &[a, b, c, d, e, f, number, offset]);
        Ok(begun.map(|(begun, _)| begun))
    };
    let begun = begin().map_err(|error: Error| error.on(comm))?;
    if let (Some(request), Some(begun)) = (request, begun) {
        request.set(0, Request(library().requests.add(begun)));
    }
    Ok(())
}

/// `MPI_Send`.
///
/// # Errors
/// If an argument is wrong.
pub fn send(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm) -> Outcome {
    send_in_mode(Data::of(buf, count, datatype), (dest, tag, comm), Mode::Standard, None)
}

/// `MPI_Isend`.
///
/// # Errors
/// If an argument is wrong.
pub fn isend(
    buf: Buffer,
    count: Count,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    request: Ref<Request>,
) -> Outcome {
    send_in_mode(Data::of(buf, count, datatype), (dest, tag, comm), Mode::Standard, Some(request))
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
    let of = communicators::of(comm)?;
    let receive = || {
        let data = Data::of(buf, count, datatype)?;
        let selected = selected(&of, source, tag)?;
        let mut link = library().link()?;
        let Some([source, tag]) = selected else {
            link.post(Code::End, &NO_CALL);
            return Ok(Status { source: c::PROC_NULL, ..Status::EMPTY });
        };
        let answer = link.ask(Code::Receive, &[of.number.into(), source, tag, data.blocks(), NOTHING]);
        requests::end_all(&mut link);
        Ok(requests::received(&link, &data, &answer.received))
    };
    let received = receive().map_err(|error: Error| error.on(comm))?;
    status.set(0, received);
    requests::checked(received).map_err(|error| error.on(comm))
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
    let of = communicators::of(comm)?;
    let begin = || {
        let data = Data::of(buf, count, datatype)?;
        let selected = selected(&of, source, tag)?;
        let mut link = library().link()?;
        let Some([source, tag]) = selected else {
            link.post(Code::End, &NO_CALL);
            return Ok(RequestState::ended(Status { source: c::PROC_NULL, ..Status::EMPTY }));
        };
        let blocks = data.blocks();
        let (begun, number) = RequestState::begin(Effect::Receive(data));
        link.post(Code::Receive, &[of.number.into(), source, tag, blocks, number.into()]);
        Ok(begun)
    };
    let begun = begin().map_err(|error: Error| error.on(comm))?;
    request.set(0, Request(library().requests.add(begun)));
    Ok(())
}
