//! Requests: operations in progress. The simulator knows them by numbers, the program by handles.

use crate::abi::{Ref, Request, Status};
use crate::calls::datatypes::Data;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::Link;
use rank_wire::{Code, Ended};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::c_int;
use std::rc::Rc;

/// What a request does when its operation has ended.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Nothing, as for a send.
    Nothing,
    /// The data of a message are stored.
    Receive(Data),
}

/// An operation that has begun.
#[derive(Debug)]
pub(crate) struct RequestState {
    /// The number at the simulator while the operation is in progress there.
    number: Cell<Option<u32>>,
    effect: Effect,
    /// The status, once the operation has ended.
    status: Cell<Option<Status>>,
}

/// The requests whose operations the simulator has in progress, by number.
#[derive(Debug)]
pub(crate) struct Active {
    requests: RefCell<Vec<Option<Rc<RequestState>>>>,
    free: RefCell<BinaryHeap<Reverse<u32>>>,
}

impl Active {
    pub const fn new() -> Self {
        Active { requests: RefCell::new(Vec::new()), free: RefCell::new(BinaryHeap::new()) }
    }

    /// Gives a request the lowest free number.
    fn begin(&self, request: &Rc<RequestState>) -> u32 {
        let mut requests = self.requests.borrow_mut();
        let number = self.free.borrow_mut().pop().map_or_else(
            || {
                requests.push(None);
                requests.len() as u32 - 1
            },
            |Reverse(number)| number,
        );
        requests[number as usize] = Some(request.clone());
        request.number.set(Some(number));
        number
    }

    /// Takes the request of a number, which is free again.
    fn end(&self, number: u32) -> Option<Rc<RequestState>> {
        let request = self.requests.borrow_mut().get_mut(number as usize)?.take()?;
        self.free.borrow_mut().push(Reverse(number));
        request.number.set(None);
        Some(request)
    }
}

impl RequestState {
    /// A request, with its number at the simulator.
    pub fn begin(effect: Effect) -> (Rc<Self>, u32) {
        let request = Rc::new(RequestState { number: Cell::new(None), effect, status: Cell::new(None) });
        let number = library().active.begin(&request);
        (request, number)
    }

    /// A request whose operation has ended.
    pub fn ended(status: Status) -> Rc<Self> {
        Rc::new(RequestState {
            number: Cell::new(None),
            effect: Effect::Nothing,
            status: Cell::new(Some(status)),
        })
    }

    fn needs_answer(&self) -> bool {
        match self.effect {
            Effect::Nothing => false,
            Effect::Receive(_) => true,
        }
    }

    fn finish(&self, link: &Link, ended: &Ended) {
        let status = match &self.effect {
            Effect::Nothing => Status { is_cancelled: ended.flags & Ended::CANCELLED != 0, ..Status::EMPTY },
            Effect::Receive(data) => received(link, data, ended),
        };
        self.status.set(Some(status));
    }
}

/// Stores the data of a message; returns its status.
pub(crate) fn received(link: &Link, data: &Data, ended: &Ended) -> Status {
    if ended.flags & Ended::RECEIVED == 0 {
        return Status { is_cancelled: ended.flags & Ended::CANCELLED != 0, ..Status::EMPTY };
    }
    let memory = link.memory();
    let stored = memory.data(ended.offset, ended.bytes).filter(|_| ended.bytes > 0).map_or(0, |from| {
        // SAFETY: the block has the bytes of the message, and the program has passed a valid buffer.
        unsafe { data.unpack(from, ended.bytes) }
    });
    memory.release(ended.offset);
    let error = if stored < ended.bytes { c::ERR_TRUNCATE } else { c::SUCCESS };
    Status {
        source: ended.source as c_int,
        tag: ended.tag as c_int,
        error,
        bytes: stored,
        is_cancelled: false,
    }
}

/// Ends the requests that the last answer has ended.
pub(crate) fn end_all(link: &mut Link) {
    let ended = std::mem::take(&mut link.ended);
    for one in &ended {
        match library().active.end(one.request) {
            Some(request) => request.finish(link, one),
            None => link.memory().release(one.offset),
        }
    }
    link.ended = ended;
}

/// The request of a handle; none for `MPI_REQUEST_NULL`.
fn of(request: Request) -> Outcome<Option<Rc<RequestState>>> {
    match request.0 {
        c::REQUEST_NULL => Ok(None),
        handle => {
            let found = library().requests.get(handle);
            found.map(Some).ok_or_else(|| Error::new(c::ERR_REQUEST, "request is no request"))
        }
    }
}

/// Waits for all of some requests.
fn wait_for_all(requests: &[Rc<RequestState>]) -> Outcome {
    let mut link = library().link()?;
    let mut numbers: Vec<u64> =
        requests.iter().filter_map(|request| request.number.get()).map(u64::from).collect();
    numbers.sort_unstable();
    let needs_answer =
        requests.iter().any(|request| request.number.get().is_some() && request.needs_answer());
    let words = end_words(&mut link, 0, true, &numbers)?;
    if needs_answer {
        link.ask(Code::End, &words);
        end_all(&mut link);
    } else {
        link.post(Code::End, &words);
        for &number in &numbers {
            if let Some(request) = library().active.end(number as u32) {
                request.status.set(Some(Status::EMPTY));
            }
        }
    }
    Ok(())
}

/// The words of a wait or a test.
fn end_words(link: &mut Link, needed: u64, blocks: bool, numbers: &[u64]) -> Outcome<Vec<u64>> {
    const LONGEST_INLINE: usize = 512;
    let at = if numbers.len() > LONGEST_INLINE { link.put_words(numbers)? } else { 0 };
    let inline = if at == 0 { numbers } else { &[] };
    Ok([needed, blocks.into(), at, numbers.len() as u64].into_iter().chain(inline.iter().copied()).collect())
}

/// Takes the status of a request that has ended, and frees it.
fn take(place: usize, request: &RequestState, handles: Ref<Request>) -> Status {
    let status = request.status.take().unwrap_or(Status::EMPTY);
    library().requests.remove(handles.get(place).0);
    handles.set(place, Request(c::REQUEST_NULL));
    status
}

/// `MPI_Wait`.
///
/// # Errors
/// If there is no such request, and that of its operation.
pub fn wait(request: Ref<Request>, status: Ref<Status>) -> Outcome {
    let Some(state) = of(request.get(0))? else {
        wait_for_all(&[])?;
        status.set(0, Status::EMPTY);
        return Ok(());
    };
    wait_for_all(std::slice::from_ref(&state))?;
    let ended = take(0, &state, request);
    status.set(0, ended);
    checked(ended)
}

/// The error of an operation.
pub(crate) fn checked(status: Status) -> Outcome {
    match status.error {
        c::SUCCESS => Ok(()),
        c::ERR_TRUNCATE => Err(Error::new(
            c::ERR_TRUNCATE,
            format!(
                "the message of rank {} is longer than the {} bytes of the buffer",
                status.source, status.bytes
            ),
        )),
        code => Err(Error::new(code, "the operation has failed")),
    }
}

/// `MPI_Waitall`.
///
/// # Errors
/// If a handle is no request, and those of the operations.
pub fn waitall(count: c_int, requests: Ref<Request>, statuses: Ref<Status>) -> Outcome {
    let count = usize::try_from(count).map_err(|_| Error::new(c::ERR_COUNT, "count is negative"))?;
    let states: Vec<_> = (0..count).map(|place| of(requests.get(place))).collect::<Outcome<_>>()?;
    let used: Vec<_> = states.iter().flatten().cloned().collect();
    wait_for_all(&used)?;
    let mut failed = None;
    for (place, state) in states.iter().enumerate() {
        let status = state.as_ref().map_or(Status::EMPTY, |state| take(place, state, requests));
        statuses.set(place, status);
        failed = failed.or((status.error != c::SUCCESS).then_some(status));
    }
    match failed {
        None => Ok(()),
        Some(status) => checked(status).map_err(|error| Error { code: c::ERR_IN_STATUS, ..error }),
    }
}
