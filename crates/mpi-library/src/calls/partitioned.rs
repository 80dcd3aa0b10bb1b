//! Partitioned messages: a rank sends parts of a buffer as they become ready.
//!
//! The simulator has no such messages. One persistent message carries all partitions, and begins when the last of them
//! is ready. So none arrives before the others: a program that computes between partitions gets no overlap by them. The
//! tags of these messages are none of a program's, as they match only each other.

use crate::abi::{Buffer, Comm, Count, Datatype, Info, Rank, Ref, Request, Status, Tag};
use crate::calls::datatypes::Data;
use crate::calls::persistent::{self, PersistentReceive, persistent, restarted};
use crate::calls::point_to_point::{self, Mode, copied};
use crate::calls::requests::get_status;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators::{self, Communicator, OWN_TAGS};
use crate::objects::requests::{self, ACTIVE, Incoming, Own, RequestState};
use rank_wire::Code;
use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;

/// A send of partitions.
#[derive(Debug)]
pub(crate) struct Partitioned {
    /// The persistent request at the simulator; none to `MPI_PROC_NULL`.
    number: Option<u32>,
    data: Data,
    /// Whether the program has started the request, and whether each partition is ready.
    is_started: Cell<bool>,
    ready: RefCell<Vec<bool>>,
}

impl Partitioned {
    /// Notes that a partition is ready; returns whether all are.
    fn note(&self, partition: c_int) -> Outcome<bool> {
        let mut ready = self.ready.borrow_mut();
        let count = ready.len();
        if !self.is_started.get() {
            return Err(Error::new(
                c::ERR_REQUEST,
                "request has not been started, or all partitions are ready",
            ));
        }
        let is_ready = usize::try_from(partition).ok().and_then(|partition| ready.get_mut(partition));
        let words = || format!("one of the {count} partitions, from 0");
        let is_ready = is_ready.ok_or_else(|| Error::argument("partition", partition, &words()))?;
        if std::mem::replace(is_ready, true) {
            return Err(Error::new(c::ERR_ARG, format!("partition = {partition} is ready already")));
        }
        let are_ready = ready.iter().all(|is_ready| *is_ready);
        self.is_started.set(!are_ready);
        Ok(are_ready)
    }

    /// Sends all partitions.
    fn send(&self, request: &Rc<RequestState>) -> Outcome {
        let Some(number) = self.number else {
            request.status.set(Some(Status::EMPTY));
            return Ok(());
        };
        let mut link = library().link()?;
        let offset = copied(&mut link, &self.data)?;
        ACTIVE.begin(number, request);
        link.post(Code::Start, &[number.into(), offset]);
        Ok(())
    }
}

impl Own for Partitioned {
    fn is_persistent(&self) -> bool {
        true
    }

    fn is_active(&self) -> bool {
        self.is_started.get()
    }

    fn start(&self, _: &Rc<RequestState>, _: &mut Vec<u64>) -> Outcome {
        self.is_started.set(true);
        self.ready.borrow_mut().fill(false);
        Ok(())
    }

    fn free(&self, active: Option<u32>) -> Outcome {
        persistent::free(self.number, active)
    }
}

/// All partitions as data, the communicator of their message and its tag.
fn prepare(
    (buffer, partitions, count, datatype): (Buffer, c_int, i64, Datatype),
    tag: Tag,
    comm: Comm,
    info: Info,
) -> Outcome<(Rc<Communicator>, Data, u64)> {
    let of = communicators::of(comm)?;
    crate::calls::info::hints(info)?;
    if partitions < 1 {
        return Err(Error::argument("partitions", partitions, "a number from 1"));
    }
    let words = || format!("count = {count}: {partitions} partitions have too many elements");
    let all = count.checked_mul(partitions.into()).ok_or_else(|| Error::new(c::ERR_COUNT, words()))?;
    let data = Data::of(buffer, Count(all), datatype)?;
    Ok((of, data, u64::from(OWN_TAGS) | point_to_point::sent_tag(tag)?))
}

/// `MPI_Psend_init`.
///
/// # Errors
/// If an argument is wrong.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn psend_init(
    buf: Buffer,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    info: Info,
    request: Ref<Request>,
) -> Outcome {
    let make = || {
        let (of, data, own_tag) = prepare((buf, partitions, count, datatype), tag, comm, info)?;
        let words = point_to_point::send_words(&of, dest, tag, &data, Mode::Standard)?;
        let messages = of.own_messages()?;
        let mut link = library().link()?;
        let number = words.map(|[_, target, _, bytes, mode, blocks]| {
            let number = ACTIVE.reserve();
            let words = [messages.number.into(), target, own_tag, bytes, mode, blocks, number.into()];
            link.post(Code::SendInit, &words);
            number
        });
        if number.is_none() {
            link.post_nothing();
        }
        let ready = RefCell::new(vec![false; partitions as usize]);
        let partitioned = Partitioned { number, data, is_started: Cell::new(false), ready };
        Ok(persistent(partitioned))
    };
    let made = make().map_err(|error: Error| error.on(comm))?;
    request.set(0, made.handle_on(comm));
    Ok(())
}

/// `MPI_Precv_init`.
///
/// # Errors
/// If an argument is wrong.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn precv_init(
    buf: Buffer,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    dest: Rank,
    tag: Tag,
    comm: Comm,
    info: Info,
    request: Ref<Request>,
) -> Outcome {
    let make = || {
        let (of, data, own_tag) = prepare((buf, partitions, count, datatype), tag, comm, info)?;
        if dest.0 == c::ANY_SOURCE {
            return Err(Error::new(c::ERR_RANK, "dest is MPI_ANY_SOURCE: partitions come from one rank"));
        }
        let selected = point_to_point::selected(&of, dest, tag)?;
        let messages = of.own_messages()?;
        let mut link = library().link()?;
        let Some([source, _]) = selected else {
            link.post_nothing();
            return Ok(restarted(|| Ok(RequestState::ended(point_to_point::FROM_NOBODY))));
        };
        let number = ACTIVE.reserve();
        let words = [messages.number.into(), source, own_tag, data.blocks(), number.into()];
        link.post(Code::ReceiveInit, &words);
        let incoming = Incoming { data, first_peer: of.first_peer() };
        Ok(persistent(PersistentReceive(number, incoming)))
    };
    let made = make().map_err(|error: Error| error.on(comm))?;
    request.set(0, made.handle_on(comm));
    Ok(())
}

/// Notes that partitions are ready.
fn ready(partitions: impl Iterator<Item = c_int>, request: Request) -> Outcome {
    let state = requests::of(request)?;
    let Some(state) = state else { return Err(Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL")) };
    let Some(partitioned) = state.own::<Partitioned>() else {
        return Err(Error::new(c::ERR_REQUEST, "request is none of MPI_Psend_init"));
    };
    for partition in partitions {
        if partitioned.note(partition)? {
            partitioned.send(&state)?;
        }
    }
    Ok(())
}

/// `MPI_Pready`.
///
/// # Errors
/// If it is no started send of partitions, or has no such partition, or that is ready already.
pub fn pready(partition: c_int, request: Request) -> Outcome {
    ready(std::iter::once(partition), request)
}

/// `MPI_Pready_range`.
///
/// # Errors
/// As those of [`pready`].
pub fn pready_range(partition_low: c_int, partition_high: c_int, request: Request) -> Outcome {
    ready(partition_low..=partition_high, request)
}

/// `MPI_Pready_list`.
///
/// # Errors
/// As those of [`pready`].
pub fn pready_list(length: c_int, array_of_partitions: Ref<c_int>, request: Request) -> Outcome {
    ready((0..requests::length(length)?).map(|place| array_of_partitions.get(place)), request)
}

/// `MPI_Parrived`: all partitions arrive at once.
///
/// # Errors
/// If there is no such request or partition.
pub fn parrived(request: Request, partition: c_int, flag: Ref<c_int>) -> Outcome {
    if partition < 0 {
        return Err(Error::argument("partition", partition, "a number from 0"));
    }
    get_status(request, flag, Ref::at(std::ptr::null_mut()))
}
