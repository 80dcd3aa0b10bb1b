//! Requests: operations in progress. The simulator knows them by numbers, the program by handles.
//!
//! ```text
//!   begin:   a number at the simulator, which it ends with a wait or a test
//!   wait:    one call over the numbers that are in progress; a wait for sends alone has no answer that matters
//!   ended:   data are stored, and the status is kept until the program takes it; then the handle is freed
//! ```

use crate::abi::{Index, Ref, Request, Status};
use crate::calls::collectives::Completion;
use crate::calls::datatypes::Data;
use crate::calls::generalized::Generalized;
use crate::calls::own_messages::OWN_TAGS;
use crate::calls::persistent::Persistent;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::Link;
use rank_wire::{Code, Ended, Memory};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::c_int;
use std::rc::Rc;

/// What a request stands for.
#[derive(Debug)]
pub(crate) enum Kind {
    Send,
    Receive(Incoming),
    /// What is done with the table of a collective, if the rank reads it.
    Collective(RefCell<Option<Completion>>),
    /// Several operations, of which none is a request of the program, and what is done when all have ended.
    Joint(Vec<Rc<RequestState>>, RefCell<Option<Completion>>),
    Persistent(Persistent),
    Generalized(Generalized),
    /// An operation that ended as it began, such as a send to `MPI_PROC_NULL`.
    Nothing,
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
    number: Cell<Option<u32>>,
    pub kind: Kind,
    /// The status, once the operation has ended, until the program takes it.
    pub status: Cell<Option<Status>>,
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
    fn end(&self, number: u32) -> Option<Rc<RequestState>> {
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
        Rc::new(RequestState { number: Cell::new(None), kind, status: Cell::new(status) })
    }

    /// A request, with its number at the simulator.
    pub fn begin(kind: Kind) -> (Rc<Self>, u32) {
        let (request, number) = (Self::new(kind, None), library().active.reserve());
        library().active.begin(number, &request);
        (request, number)
    }

    /// A request whose operation has ended as it began.
    pub fn ended(status: Status) -> Rc<Self> {
        Self::new(Kind::Nothing, Some(status))
    }

    /// Adds the request to those of the program; returns its handle.
    pub fn handle(self: Rc<Self>) -> Request {
        Request(library().requests.add(self))
    }

    pub fn is_persistent(&self) -> bool {
        matches!(self.kind, Kind::Persistent(_))
    }

    /// Whether a wait or a test still has to end the request.
    pub fn is_active(&self) -> bool {
        self.number.get().is_some()
            || self.has_ended()
            || match &self.kind {
                Kind::Joint(..) => true,
                Kind::Generalized(_) => true,
                Kind::Persistent(persistent) => persistent.is_active(),
                Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => false,
            }
    }

    /// Whether the operation has ended.
    pub fn has_ended(&self) -> bool {
        self.status.get().is_some()
            || match &self.kind {
                Kind::Joint(parts, _) => parts.iter().all(|part| part.has_ended()),
                Kind::Generalized(generalized) => generalized.is_complete(),
                Kind::Persistent(persistent) => persistent.has_ended(),
                Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => false,
            }
    }

    /// Whether the end of the operation tells something that the rank does not know.
    fn needs_answer(&self) -> bool {
        match &self.kind {
            Kind::Send | Kind::Nothing | Kind::Generalized(_) => false,
            Kind::Receive(_) => true,
            Kind::Collective(completion) => completion.borrow().is_some(),
            Kind::Joint(parts, _) => parts.iter().any(|part| part.needs_answer()),
            Kind::Persistent(persistent) => persistent.needs_answer(),
        }
    }

    /// The numbers that the simulator has in progress.
    pub fn add_numbers(&self, numbers: &mut Vec<u64>) {
        numbers.extend(self.number.get().map(u64::from));
        match &self.kind {
            Kind::Joint(parts, _) => parts.iter().for_each(|part| part.add_numbers(numbers)),
            Kind::Persistent(persistent) => persistent.add_numbers(numbers),
            Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Generalized(_) | Kind::Nothing => {}
        }
    }

    /// Ends the operation, as the simulator reports it.
    fn finish(&self, memory: &Memory, ended: &Ended) {
        let cancelled = Status { is_cancelled: ended.flags & Ended::CANCELLED != 0, ..Status::EMPTY };
        let status = match &self.kind {
            Kind::Receive(incoming) => received(memory, incoming, ended),
            Kind::Persistent(persistent) => persistent.finish(memory, ended),
            Kind::Collective(completion) => match completion.borrow_mut().take() {
                Some(Completion(complete)) => status_of(complete(ended.offset)),
                None => cancelled,
            },
            Kind::Send | Kind::Joint(..) | Kind::Generalized(_) | Kind::Nothing => cancelled,
        };
        self.status.set(Some(status));
    }

    /// Takes the status of an operation that has ended.
    ///
    /// # Errors
    /// That of a function of the program.
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
            Kind::Generalized(generalized) => generalized.take_status(),
            Kind::Persistent(persistent) => Ok(persistent.take_status()),
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
        if let Some(request) = library().active.end(one.request) {
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
            let found = library().requests.get(handle);
            found.map(Some).ok_or_else(|| Error::new(c::ERR_REQUEST, "request is no request"))
        }
    }
}

/// The requests that a wait or a test needs, as its record numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    All = 0,
    Any = 1,
    Some = 2,
}

/// The words of a wait or a test; `is_heard` if the rank hears which requests end.
fn end_words(
    link: &mut Link,
    (needed, blocks): (Needed, bool),
    is_heard: bool,
    numbers: &[u64],
) -> Outcome<Vec<u64>> {
    const LONGEST_INLINE: usize = 512;
    let at = if numbers.len() > LONGEST_INLINE { link.put_words(numbers)? } else { 0 };
    let inline = if at == 0 { numbers } else { &[] };
    let words = [needed as u64, blocks.into(), is_heard.into(), at, numbers.len() as u64];
    Ok(words.into_iter().chain(inline.iter().copied()).collect())
}

/// Waits for requests, or tests them: one call over those that are in progress. Returns whether a test has succeeded.
fn end(requests: &[Rc<RequestState>], needed: Needed, blocks: bool) -> Outcome<bool> {
    let mut numbers = Vec::new();
    requests.iter().for_each(|request| request.add_numbers(&mut numbers));
    // One that has ended is enough.
    if needed != Needed::All && requests.iter().any(|request| request.has_ended()) {
        numbers.clear();
    }
    numbers.sort_unstable();
    let in_progress = |request: &&Rc<RequestState>| request.number.get().is_some() || !request.has_ended();
    let needs_answer = requests.iter().filter(in_progress).any(|request| request.needs_answer());
    let mut link = library().link()?;
    let is_heard = !blocks || needed != Needed::All || needs_answer;
    let words = end_words(&mut link, (needed, blocks), is_heard, &numbers)?;
    if !is_heard {
        link.post(Code::End, &words);
        drop(link);
        let sent = |&number: &u64| Ended { request: number as u32, ..Ended::default() };
        end_all(&numbers.iter().map(sent).collect::<Vec<_>>())?;
        return Ok(true);
    }
    let answer = link.ask(Code::End, &words);
    let ended = std::mem::take(&mut link.ended);
    drop(link);
    end_all(&ended)?;
    Ok(answer.flag != 0)
}

/// Waits until all requests have ended.
pub(crate) fn wait_for_all(requests: &[Rc<RequestState>]) -> Outcome {
    end(requests, Needed::All, true)?;
    match requests.iter().any(|request| request.is_active() && !request.has_ended()) {
        true => Err(nothing_completes()),
        false => Ok(()),
    }
}

/// The error of a wait that cannot end, as a rank has one thread.
fn nothing_completes() -> Error {
    let words = "it waits for a generalized request, or a send of partitions that are not ready, which nothing completes";
    Error::new(c::ERR_REQUEST, words)
}

/// Waits until one of the requests has ended, or some.
fn wait_for_some(requests: &[Rc<RequestState>], needed: Needed) -> Outcome {
    end(requests, needed, true)?;
    // The parts of a joint request end one after the other.
    while requests.iter().any(|request| request.is_active())
        && !requests.iter().any(|request| request.has_ended())
    {
        let mut numbers = Vec::new();
        requests.iter().for_each(|request| request.add_numbers(&mut numbers));
        if numbers.is_empty() {
            return Err(nothing_completes());
        }
        end(requests, needed, true)?;
    }
    Ok(())
}

/// The requests of an array.
struct Listed {
    handles: Ref<Request>,
    states: Vec<Option<Rc<RequestState>>>,
}

impl Listed {
    fn of(count: c_int, handles: Ref<Request>) -> Outcome<Self> {
        let count = usize::try_from(count)
            .map_err(|_| Error::new(c::ERR_COUNT, format!("count = {count}: it is a number from 0")))?;
        let states = (0..count).map(|place| of(handles.get(place))).collect::<Outcome<_>>()?;
        Ok(Listed { handles, states })
    }

    fn active(&self) -> Vec<Rc<RequestState>> {
        self.states.iter().flatten().filter(|state| state.is_active()).cloned().collect()
    }

    fn is_any_active(&self) -> bool {
        self.states.iter().flatten().any(|state| state.is_active())
    }

    fn ended(&self) -> impl Iterator<Item = usize> + '_ {
        let has_ended =
            |state: &Option<Rc<RequestState>>| state.as_ref().is_some_and(|state| state.has_ended());
        self.states.iter().enumerate().filter(move |(_, state)| has_ended(state)).map(|(place, _)| place)
    }

    /// Takes the status of a request that has ended, and frees its handle unless it is persistent.
    fn take(&self, place: usize) -> Outcome<Status> {
        let Some(state) = &self.states[place] else { return Ok(Status::EMPTY) };
        let status = state.take_status()?;
        if !state.is_persistent() {
            library().requests.remove(self.handles.get(place).0);
            self.handles.set(place, Request(c::REQUEST_NULL));
        }
        Ok(status)
    }

    /// Takes the statuses of requests into an array.
    fn take_into(&self, places: impl Iterator<Item = usize>, statuses: Ref<Status>) -> Outcome<usize> {
        let (mut failed, mut count) = (None, 0);
        for (nth, place) in places.enumerate() {
            let status = self.take(place)?;
            statuses.set(nth, status);
            failed = failed.or((status.error != c::SUCCESS).then_some(status));
            count += 1;
        }
        let in_status = |error| Error { code: c::ERR_IN_STATUS, ..error };
        failed.map_or(Ok(count), |status| checked(status).map(|()| count).map_err(in_status))
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

/// `MPI_Wait`.
///
/// # Errors
/// If there is no such request, and that of its operation.
pub fn wait(request: Ref<Request>, status: Ref<Status>) -> Outcome {
    let listed = Listed::of(1, request)?;
    wait_for_all(&listed.active())?;
    let ended = listed.take(0)?;
    status.set(0, ended);
    checked(ended)
}

/// `MPI_Waitall`.
///
/// # Errors
/// If a handle is no request, and those of the operations.
pub fn waitall(count: c_int, requests: Ref<Request>, statuses: Ref<Status>) -> Outcome {
    let listed = Listed::of(count, requests)?;
    wait_for_all(&listed.active())?;
    listed.take_into(0..listed.states.len(), statuses).map(drop)
}

/// `MPI_Waitany`.
///
/// # Errors
/// As those of [`waitall`].
pub fn waitany(count: c_int, requests: Ref<Request>, index: Ref<Index>, status: Ref<Status>) -> Outcome {
    let listed = Listed::of(count, requests)?;
    wait_for_some(&listed.active(), Needed::Any)?;
    take_one(&listed, index, status)
}

fn take_one(listed: &Listed, index: Ref<Index>, status: Ref<Status>) -> Outcome {
    let first = listed.ended().next();
    let ended = first.map_or(Ok(Status::EMPTY), |place| listed.take(place))?;
    index.set(0, Index(first.map_or(c::UNDEFINED, |place| place as c_int)));
    status.set(0, ended);
    checked(ended)
}

/// `MPI_Waitsome`.
///
/// # Errors
/// As those of [`waitall`].
pub fn waitsome(
    count: c_int,
    requests: Ref<Request>,
    ended: Ref<Index>,
    indices: Ref<c_int>,
    statuses: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let is_any_active = listed.is_any_active();
    wait_for_some(&listed.active(), Needed::Some)?;
    take_some(&listed, is_any_active, (ended, indices, statuses))
}

fn take_some(
    listed: &Listed,
    is_any_active: bool,
    (ended, indices, statuses): (Ref<Index>, Ref<c_int>, Ref<Status>),
) -> Outcome {
    let places: Vec<usize> = listed.ended().collect();
    places.iter().enumerate().for_each(|(nth, place)| indices.set(nth, *place as c_int));
    ended.set(0, Index(if is_any_active { places.len() as c_int } else { c::UNDEFINED }));
    listed.take_into(places.into_iter(), statuses).map(drop)
}

/// `MPI_Test`.
///
/// # Errors
/// As those of [`wait`].
pub fn test(request: Ref<Request>, flag: Ref<c_int>, status: Ref<Status>) -> Outcome {
    let listed = Listed::of(1, request)?;
    end(&listed.active(), Needed::All, false)?;
    let has_ended = listed.ended().next().is_some() || !listed.is_any_active();
    flag.set(0, has_ended.into());
    if !has_ended {
        return Ok(());
    }
    let ended = listed.take(0)?;
    status.set(0, ended);
    checked(ended)
}

/// `MPI_Testall`.
///
/// # Errors
/// As those of [`waitall`].
pub fn testall(count: c_int, requests: Ref<Request>, flag: Ref<c_int>, statuses: Ref<Status>) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let active = listed.active();
    end(&active, Needed::All, false)?;
    let have_ended = active.iter().all(|state| state.has_ended());
    flag.set(0, have_ended.into());
    if have_ended { listed.take_into(0..listed.states.len(), statuses).map(drop) } else { Ok(()) }
}

/// `MPI_Testany`.
///
/// # Errors
/// As those of [`waitall`].
pub fn testany(
    count: c_int,
    requests: Ref<Request>,
    index: Ref<Index>,
    flag: Ref<c_int>,
    status: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let is_any_active = listed.is_any_active();
    end(&listed.active(), Needed::Any, false)?;
    let has_ended = listed.ended().next().is_some();
    flag.set(0, (has_ended || !is_any_active).into());
    if has_ended || !is_any_active {
        take_one(&listed, index, status)
    } else {
        index.set(0, Index(c::UNDEFINED));
        Ok(())
    }
}

/// `MPI_Testsome`.
///
/// # Errors
/// As those of [`waitall`].
pub fn testsome(
    count: c_int,
    requests: Ref<Request>,
    ended: Ref<Index>,
    indices: Ref<c_int>,
    statuses: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let is_any_active = listed.is_any_active();
    end(&listed.active(), Needed::Some, false)?;
    take_some(&listed, is_any_active, (ended, indices, statuses))
}

/// `MPI_Request_get_status`: a test that leaves the request as it is.
///
/// # Errors
/// As those of [`wait`].
pub fn get_status(request: Request, flag: Ref<c_int>, status: Ref<Status>) -> Outcome {
    let Some(state) = of(request)?.filter(|state| state.is_active()) else {
        flag.set(0, 1);
        status.set(0, Status::EMPTY);
        return Ok(());
    };
    end(std::slice::from_ref(&state), Needed::All, false)?;
    flag.set(0, state.has_ended().into());
    if state.has_ended() {
        let ended = state.take_status()?;
        state.status.set(Some(ended));
        status.set(0, ended);
    }
    Ok(())
}

/// `MPI_Request_free`.
///
/// # Errors
/// If there is no such request.
pub fn free(request: Ref<Request>) -> Outcome {
    let Some(state) = of(request.get(0))? else {
        return Err(Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL"));
    };
    library().requests.remove(request.get(0).0);
    request.set(0, Request(c::REQUEST_NULL));
    free_state(&state)
}

/// Frees a request, whose operation completes.
fn free_state(state: &RequestState) -> Outcome {
    match &state.kind {
        Kind::Joint(parts, _) => parts.iter().try_for_each(|part| free_state(part)),
        Kind::Generalized(generalized) => generalized.free(),
        Kind::Persistent(persistent) => persistent.free(state.number.get()),
        Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => {
            if let Some(number) = state.number.get() {
                library().active.abandon(number, true);
                library().link()?.post(Code::Free, &[number.into()]);
            }
            Ok(())
        }
    }
}

/// `MPI_Cancel`.
///
/// # Errors
/// If there is no such request.
pub fn cancel(request: Ref<Request>) -> Outcome {
    let Some(state) = of(request.get(0))? else {
        return Err(Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL"));
    };
    if let Kind::Generalized(generalized) = &state.kind {
        return generalized.cancel();
    }
    let mut numbers = Vec::new();
    state.add_numbers(&mut numbers);
    let mut link = library().link()?;
    numbers.iter().for_each(|number| link.post(Code::Cancel, &[*number]));
    Ok(())
}
