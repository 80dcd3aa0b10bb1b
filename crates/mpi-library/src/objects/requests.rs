//! Requests: operations in progress. The simulator knows them by numbers, the program by handles.
//!
//! ```text
//!   begin:   a number at the simulator, which it ends with a wait or a test
//!   wait:    one call over the numbers that are in progress; a wait for sends alone has no answer that matters
//!   ended:   data are stored, and the status is kept until the program takes it; then the handle is freed
//! ```

use crate::abi::{Comm, HandleKind, Request, Status};
use crate::calls::datatypes::Data;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::library;
use crate::link::FREED;
use crate::objects::communicators::OWN_TAGS;
use crate::of_process::OfProcess;
use rank_wire::{Ended, Memory};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::c_int;
use std::rc::Rc;

pub(crate) static ACTIVE: OfProcess<Active> = OfProcess::new(Active::new());

pub(crate) static REQUESTS: OfProcess<Objects<RequestState>> =
    OfProcess::new(Objects::new(HandleKind::Request));

/// The operation of a request.
#[derive(Debug)]
pub(crate) enum Kind {
    Send,
    Receive(Incoming),
    /// What is done with the table of a collective, if the rank reads it.
    Collective(RefCell<Option<Completion>>),
    /// Several operations, of which none is a request of the program, and what is done when all have ended.
    Joint(Vec<Rc<RequestState>>, RefCell<Option<Completion>>),
    /// An operation with rules of its own.
    Own(Box<dyn Own>),
    /// An operation that ended as it began, such as a send to `MPI_PROC_NULL`.
    Nothing,
}

/// What is done with the table of a collective, or when several operations have ended.
pub(crate) struct Completion(pub Box<dyn FnOnce(u64) -> Outcome>);

impl std::fmt::Debug for Completion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Completion")
    }
}

/// An operation with rules of its own, such as a persistent one. Most have none of some of these.
pub(crate) trait Own: std::fmt::Debug + Any {
    /// Whether the request stays when its operation has ended.
    fn is_persistent(&self) -> bool {
        false
    }

    /// Whether a wait or a test still has to end the request, other than one at the simulator.
    fn is_active(&self) -> bool {
        false
    }

    /// Whether the operation has ended, other than one at the simulator.
    fn has_ended(&self) -> bool {
        false
    }

    /// Whether the end of the operation tells something that the rank does not know.
    fn needs_answer(&self) -> bool {
        false
    }

    /// Adds the numbers that the simulator has in progress, but that of the request.
    fn add_numbers(&self, _: &mut Vec<u64>) {}

    /// Ends the operation, as the simulator reports it.
    fn finish(&self, _: &Memory, _: &Ended) -> Status {
        Status::EMPTY
    }

    /// Takes the status of an operation that has ended other than at the simulator.
    fn take_status(&self) -> Outcome<Status> {
        Ok(Status::EMPTY)
    }

    /// The status of an operation that has ended, if the operation keeps it.
    fn look(&self) -> Option<Outcome<Status>> {
        None
    }

    /// Starts a persistent operation; appends the words of its start at the simulator.
    fn start(&self, _: &Rc<RequestState>, _: &mut Vec<u64>) -> Outcome {
        Err(Error::new(c::ERR_REQUEST, "request is not persistent"))
    }

    /// Frees the request; `active` is its number if it is in progress.
    fn free(&self, active: Option<u32>) -> Outcome;

    /// Cancels the operation, unless the simulator does that.
    fn cancel(&self) -> Option<Outcome> {
        None
    }
}

/// Where a message goes that a rank receives.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    pub data: Data,
    /// The rank of the communicator at the simulator that is the first one that the program can name: of an
    /// intercommunicator, the first of the other group.
    pub first_peer: u32,
}

/// An operation that has begun.
#[derive(Debug)]
pub(crate) struct RequestState {
    /// The number at the simulator while the operation is in progress there.
    pub number: Cell<Option<u32>>,
    pub kind: Kind,
    /// The status, once the operation has ended, until the program takes it.
    pub status: Cell<Option<Status>>,
    /// The communicator whose error handler decides on the errors of the operation.
    comm: Cell<Option<Comm>>,
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

    /// The lowest free number, which is then in use.
    pub fn reserve(&self) -> u32 {
        FREED.borrow_mut().drain(..).for_each(|number| self.release(number));
        let mut requests = self.requests.borrow_mut();
        self.free.borrow_mut().pop().map_or_else(
            || {
                requests.push(None);
                requests.len() as u32 - 1
            },
            |Reverse(number)| number,
        )
    }

    /// Frees a number.
    pub fn release(&self, number: u32) {
        self.free.borrow_mut().push(Reverse(number));
    }

    /// Lets a request have a number while its operation is in progress.
    pub fn begin(&self, number: u32, request: &Rc<RequestState>) {
        self.requests.borrow_mut()[number as usize] = Some(request.clone());
        request.number.set(Some(number));
    }

    /// Forgets a request that the program has freed. If its operation is in progress, the number is free when it has ended.
    pub fn abandon(&self, number: u32, is_in_progress: bool) {
        self.requests.borrow_mut()[number as usize] = None;
        if !is_in_progress {
            self.release(number);
        }
    }

    /// Takes the request of a number, which is free again unless the request is persistent.
    pub fn end(&self, number: u32) -> Option<Rc<RequestState>> {
        let request = self.requests.borrow_mut().get_mut(number as usize)?.take()?;
        if !request.is_persistent() {
            self.release(number);
        }
        request.number.set(None);
        Some(request)
    }
}

impl RequestState {
    /// A request without an operation in progress.
    pub fn new(kind: Kind, status: Option<Status>) -> Rc<Self> {
        let (number, status, comm) = (Cell::new(None), Cell::new(status), Cell::new(None));
        Rc::new(RequestState { number, kind, status, comm })
    }

    /// A request, with its number at the simulator.
    pub fn begin(kind: Kind) -> (Rc<Self>, u32) {
        let (request, number) = (Self::new(kind, None), ACTIVE.reserve());
        ACTIVE.begin(number, &request);
        (request, number)
    }

    /// A request whose operation has ended as it began.
    pub fn ended(status: Status) -> Rc<Self> {
        Self::new(Kind::Nothing, Some(status))
    }

    /// Adds the request to those of the program; returns its handle.
    pub fn handle(self: Rc<Self>) -> Request {
        Request(REQUESTS.add(self))
    }

    /// Adds the request, of an operation on a communicator, to those of the program; returns its handle.
    pub fn handle_on(self: Rc<Self>, comm: Comm) -> Request {
        self.comm.set(Some(comm));
        self.handle()
    }

    /// An error of the operation.
    pub fn error(&self, error: Error) -> Error {
        self.comm.get().into_iter().fold(error, Error::on)
    }

    pub fn is_persistent(&self) -> bool {
        if let Kind::Own(own) = &self.kind { own.is_persistent() } else { false }
    }

    /// The operation with rules of its own, if it is of a type.
    pub fn own<T: Own>(&self) -> Option<&T> {
        let Kind::Own(own) = &self.kind else { return None };
        (&**own as &dyn Any).downcast_ref()
    }

    /// Whether a wait or a test still has to end the request.
    pub fn is_active(&self) -> bool {
        self.number.get().is_some()
            || self.has_ended()
            || match &self.kind {
                Kind::Joint(..) => true,
                Kind::Own(own) => own.is_active(),
                Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => false,
            }
    }

    /// Whether the operation has ended.
    pub fn has_ended(&self) -> bool {
        self.status.get().is_some()
            || match &self.kind {
                Kind::Joint(parts, _) => parts.iter().all(|part| part.has_ended()),
                Kind::Own(own) => own.has_ended(),
                Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => false,
            }
    }

    /// Whether the end of the operation tells something that the rank does not know.
    pub fn needs_answer(&self) -> bool {
        match &self.kind {
            Kind::Send | Kind::Nothing => false,
            Kind::Receive(_) => true,
            Kind::Collective(completion) => completion.borrow().is_some(),
            Kind::Joint(parts, _) => parts.iter().any(|part| part.needs_answer()),
            Kind::Own(own) => own.needs_answer(),
        }
    }

    /// The numbers that the simulator has in progress.
    pub fn add_numbers(&self, numbers: &mut Vec<u64>) {
        numbers.extend(self.number.get().map(u64::from));
        match &self.kind {
            Kind::Joint(parts, _) => parts.iter().for_each(|part| part.add_numbers(numbers)),
            Kind::Own(own) => own.add_numbers(numbers),
            Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => {}
        }
    }

    /// Ends the operation, as the simulator reports it.
    fn finish(&self, memory: &Memory, ended: &Ended) {
        let cancelled = Status { is_cancelled: ended.flags & Ended::CANCELLED != 0, ..Status::EMPTY };
        let status = match &self.kind {
            Kind::Receive(incoming) => received(memory, incoming, ended),
            Kind::Own(own) => own.finish(memory, ended),
            Kind::Collective(completion) => match completion.borrow_mut().take() {
                Some(Completion(complete)) => status_of(complete(ended.offset)),
                None => cancelled,
            },
            Kind::Send | Kind::Joint(..) | Kind::Nothing => cancelled,
        };
        self.status.set(Some(status));
    }

    /// The status of an operation that has ended, which stays as it is.
    ///
    /// # Errors
    /// The error of a function of the program.
    pub fn look(&self) -> Outcome<Status> {
        let looked = if let Kind::Own(own) = &self.kind { own.look() } else { None };
        looked.unwrap_or_else(|| self.take_status().inspect(|status| self.status.set(Some(*status))))
    }

    /// Takes the status of an operation that has ended.
    ///
    /// # Errors
    /// The error of a function of the program.
    pub fn take_status(&self) -> Outcome<Status> {
        if let Some(status) = self.status.take() {
            return Ok(status);
        }
        match &self.kind {
            Kind::Joint(parts, completion) => {
                let failed =
                    parts.iter().filter_map(|part| part.status.get()).find(|status| status.error != 0);
                match completion.borrow_mut().take() {
                    Some(Completion(complete)) if failed.is_none() => complete(0).map(|()| Status::EMPTY),
                    _ => Ok(failed.unwrap_or_else(|| {
                        parts.last().and_then(|part| part.status.get()).unwrap_or(Status::EMPTY)
                    })),
                }
            }
            Kind::Own(own) => own.take_status(),
            Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => Ok(Status::EMPTY),
        }
    }
}

fn status_of(outcome: Outcome) -> Status {
    Status { error: outcome.err().map_or(c::SUCCESS, |error| error.code), ..Status::EMPTY }
}

/// Stores the data of a message; returns its status.
pub(crate) fn received(memory: &Memory, incoming: &Incoming, ended: &Ended) -> Status {
    let Incoming { data, first_peer } = incoming;
    if ended.flags & Ended::RECEIVED == 0 {
        return Status { is_cancelled: ended.flags & Ended::CANCELLED != 0, ..Status::EMPTY };
    }
    let stored = memory.data(ended.offset, ended.bytes).filter(|_| ended.bytes > 0).map_or(0, |from| {
        // SAFETY: the block has the bytes of the message, and the program has passed a valid buffer.
        unsafe { data.unpack(from, ended.bytes) }
    });
    memory.release(ended.offset);
    let error = if stored < ended.bytes { c::ERR_TRUNCATE } else { c::SUCCESS };
    let source = ended.source.wrapping_sub(*first_peer) as c_int;
    // The tag of a message in partitions is one that no other message of a program has.
    let tag = (ended.tag & !OWN_TAGS) as c_int;
    Status { source, tag, error, bytes: stored, is_cancelled: false }
}

/// Ends the requests that an answer has ended.
pub(crate) fn end_all(ended: &[Ended]) -> Outcome {
    let memory = library().memory()?;
    for one in ended {
        if let Some(request) = ACTIVE.end(one.request) {
            request.finish(memory, one);
        }
    }
    Ok(())
}

/// The request of a handle; none for `MPI_REQUEST_NULL`.
///
/// # Errors
/// If there is none.
pub(crate) fn of(request: Request) -> Outcome<Option<Rc<RequestState>>> {
    match request.0 {
        c::REQUEST_NULL => Ok(None),
        handle => {
            let found = REQUESTS.get(handle);
            found.map(Some).ok_or_else(|| Error::new(c::ERR_REQUEST, "request is no request"))
        }
    }
}

/// The length of an array of requests.
///
/// # Errors
/// If it is negative.
pub(crate) fn length(count: c_int) -> Outcome<usize> {
    let words = || format!("count = {count}: it is a number from 0");
    usize::try_from(count).map_err(|_| Error::new(c::ERR_COUNT, words()))
}

/// Refuses requests of which one is listed twice.
pub(crate) fn differ(requests: &[Rc<RequestState>]) -> Outcome {
    let mut all: Vec<*const RequestState> = requests.iter().map(Rc::as_ptr).collect();
    all.sort_unstable();
    match all.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Err(Error::new(c::ERR_REQUEST, "array_of_requests has a request twice")),
        false => Ok(()),
    }
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
