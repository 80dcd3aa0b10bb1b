//! Messages of the library itself, on communicators that the program does not know.

use crate::abi::Status;
use crate::calls::datatypes::Data;
use crate::calls::point_to_point::{self, FROM_NOBODY, Mode, copied};
use crate::error::Outcome;
use crate::library::library;
use crate::objects::communicators::{Communicator, chosen_id};
use crate::objects::requests::{self, Incoming, Kind, RequestState};
use rank_wire::{Code, NOTHING};
use std::ffi::c_int;
use std::rc::Rc;

fn send_words(of: &Communicator, target: u32, tag: u32, data: &Data) -> [u64; 6] {
    [of.number.into(), target.into(), tag.into(), data.bytes(), Mode::Standard as u64, data.blocks()]
}

/// Begins to send to a rank of the communicator at the simulator; none is `MPI_PROC_NULL`.
pub(crate) fn begin_send(
    of: &Communicator,
    target: Option<u32>,
    tag: u32,
    data: &Data,
) -> Outcome<Rc<RequestState>> {
    let mut link = library().link()?;
    let Some(target) = target else {
        link.post_nothing();
        return Ok(RequestState::ended(Status::EMPTY));
    };
    let [a, b, c, d, e, f] = send_words(of, target, tag, data);
    let offset = copied(&mut link, data)?;
    let (begun, number) = RequestState::begin(Kind::Send);
    link.post(Code::Send, &[a, b, c, d, e, f, number.into(), offset]);
    Ok(begun)
}

/// Begins to receive from a rank of the communicator at the simulator; none is `MPI_PROC_NULL`.
pub(crate) fn begin_receive(
    of: &Communicator,
    source: Option<u32>,
    tag: u32,
    data: Data,
) -> Outcome<Rc<RequestState>> {
    let mut link = library().link()?;
    let Some(source) = source else {
        link.post_nothing();
        return Ok(RequestState::ended(FROM_NOBODY));
    };
    let blocks = data.blocks();
    let (begun, number) = RequestState::begin(Kind::Receive(Incoming { data, first_peer: 0 }));
    link.post(Code::Receive, &[of.number.into(), source.into(), tag.into(), blocks, number.into()]);
    Ok(begun)
}

/// Sends numbers, and waits until they are sent.
pub(crate) fn send(of: &Communicator, target: u32, tag: u32, numbers: &[c_int]) -> Outcome {
    let mut numbers = numbers.to_vec();
    let data = Data::of_library(&mut numbers[..]);
    let [a, b, c, d, e, f] = send_words(of, target, tag, &data);
    let mut link = library().link()?;
    let offset = copied(&mut link, &data)?;
    link.post(Code::Send, &[a, b, c, d, e, f, NOTHING, offset]);
    Ok(())
}

/// Receives numbers, at most `most`.
pub(crate) fn receive(of: &Communicator, source: u32, tag: u32, most: usize) -> Outcome<Vec<c_int>> {
    let mut numbers = vec![0; most];
    let incoming = Incoming { data: Data::of_library(&mut numbers[..]), first_peer: 0 };
    let words = [of.number.into(), source.into(), tag.into(), 1, NOTHING];
    let status = point_to_point::ask_for_message(&incoming, |link| link.ask(Code::Receive, &words))?;
    requests::checked(status)?;
    numbers.truncate(status.bytes as usize / size_of::<c_int>());
    Ok(numbers)
}

/// Receives numbers from any rank; returns the rank, too.
pub(crate) fn receive_any(of: &Communicator, tag: u32) -> Outcome<(u32, Vec<c_int>)> {
    let (takes, blocks) = (0, 1);
    let found = library().link()?.ask(Code::Probe, &[of.number.into(), NOTHING, tag.into(), takes, blocks]);
    let source = found.received.source;
    Ok((source, receive(of, source, tag, found.received.bytes as usize / size_of::<c_int>())?))
}

/// Sends numbers to a rank and receives some from it, at most `most`.
pub(crate) fn exchange(
    of: &Communicator,
    peer: u32,
    tag: u32,
    numbers: &[c_int],
    most: usize,
) -> Outcome<Vec<c_int>> {
    let (mut numbers, mut received) = (numbers.to_vec(), vec![0; most]);
    let sent = Data::of_library(&mut numbers[..]);
    let incoming = Incoming { data: Data::of_library(&mut received[..]), first_peer: 0 };
    let [a, b, c, d, e, f] = send_words(of, peer, tag, &sent);
    let offset = copied(&mut *library().link()?, &sent)?;
    let words = [a, b, c, d, e, f, offset, of.number.into(), peer.into(), tag.into(), 1];
    let status = point_to_point::ask_for_message(&incoming, |link| link.ask(Code::SendReceive, &words))?;
    requests::checked(status)?;
    received.truncate(status.bytes as usize / size_of::<c_int>());
    Ok(received)
}

/// Lets the members of a group know the id that the first of them chooses, along a tree.
pub(crate) fn tell_id(of: &Communicator, ranks: &[u32], place: usize, tag: u32) -> Outcome<u32> {
    let messages = of.own_messages()?;
    let mut id = if place == 0 { chosen_id()? } else { 0 };
    let lowest_bit = if place == 0 { ranks.len().next_power_of_two() } else { 1 << place.trailing_zeros() };
    if place > 0 {
        let told = receive(&messages, ranks[place - lowest_bit], tag, 1)?;
        id = told.first().map_or(0, |id| *id as u32);
    }
    let mut step = lowest_bit >> 1;
    while step > 0 {
        if let Some(child) = ranks.get(place + step) {
            send(&messages, *child, tag, &[id as c_int])?;
        }
        step >>= 1;
    }
    Ok(id)
}
