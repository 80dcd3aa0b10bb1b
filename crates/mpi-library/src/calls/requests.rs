//! Waits and tests for requests.

use crate::abi::{Index, Ref, Request, Status};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::link::Link;
use crate::objects::requests::{ACTIVE, Kind, REQUESTS, RequestState, checked, differ, end_all, length, of};
use rank_wire::{Code, Ended};
use std::ffi::c_int;
use std::rc::Rc;

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
    differ(requests)?;
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
        let states = (0..length(count)?).map(|place| of(handles.get(place))).collect::<Outcome<_>>()?;
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
        let status = state.take_status().map_err(|error| state.error(error));
        if !state.is_persistent() {
            REQUESTS.remove(self.handles.get(place).0);
            self.handles.set(place, Request(c::REQUEST_NULL));
        }
        status
    }

    /// Takes the statuses of requests into an array.
    fn take_into(&self, places: impl Iterator<Item = usize>, statuses: Ref<Status>) -> Outcome<usize> {
        let (mut failed, mut count) = (None, 0);
        for (nth, place) in places.enumerate() {
            let status = self.take(place)?;
            statuses.set(nth, status);
            failed = failed.or((status.error != c::SUCCESS).then_some((place, status)));
            count += 1;
        }
        let Some((place, status)) = failed else { return Ok(count) };
        self.checked(place, status).map(|()| count).map_err(|error| error.of_class(c::ERR_IN_STATUS))
    }

    /// The error of an operation that has ended.
    fn checked(&self, place: usize, status: Status) -> Outcome {
        let decided = |error| self.states[place].iter().fold(error, |error, state| state.error(error));
        checked(status).map_err(decided)
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
    listed.checked(0, ended)
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
    first.map_or(Ok(()), |place| listed.checked(place, ended))
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
    let places = listed.tell_ended(is_any_active, ended, indices);
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
    listed.checked(0, ended)
}

/// `MPI_Testall`.
///
/// # Errors
/// As those of [`waitall`].
pub fn testall(count: c_int, requests: Ref<Request>, flag: Ref<c_int>, statuses: Ref<Status>) -> Outcome {
    let listed = Listed::of(count, requests)?;
    if listed.have_all_ended(flag)? {
        listed.take_into(0..listed.states.len(), statuses).map(drop)
    } else {
        Ok(())
    }
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
    if listed.has_any_ended(flag)? {
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
        status.set(0, looked_at(&state)?);
    }
    Ok(())
}

/// The status of a request that has ended, which keeps it.
fn looked_at(state: &RequestState) -> Outcome<Status> {
    state.look().map_err(|error| state.error(error))
}

impl Listed {
    /// The status of a request that has ended, or is none, which keeps it.
    fn look_at(&self, place: usize) -> Outcome<Status> {
        let ended = self.states[place].as_ref().filter(|state| state.has_ended());
        ended.map_or(Ok(Status::EMPTY), |state| looked_at(state))
    }

    /// Stores the statuses of requests in an array, which keep them.
    fn look_into(&self, mut places: impl Iterator<Item = usize>, statuses: Ref<Status>) -> Outcome {
        (0..)
            .zip(&mut places)
            .try_for_each(|(nth, place)| self.look_at(place).map(|ended| statuses.set(nth, ended)))
    }

    /// Whether all requests have ended, after a test of them.
    fn have_all_ended(&self, flag: Ref<c_int>) -> Outcome<bool> {
        let active = self.active();
        end(&active, Needed::All, false)?;
        let have_ended = active.iter().all(|state| state.has_ended());
        flag.set(0, have_ended.into());
        Ok(have_ended)
    }

    /// Whether a request has ended, or none is active, after a test of them.
    fn has_any_ended(&self, flag: Ref<c_int>) -> Outcome<bool> {
        let is_any_active = self.is_any_active();
        end(&self.active(), Needed::Any, false)?;
        let has_ended = self.ended().next().is_some() || !is_any_active;
        flag.set(0, has_ended.into());
        Ok(has_ended)
    }

    /// Stores the places of the requests that have ended, and their number; returns the places.
    fn tell_ended(&self, is_any_active: bool, ended: Ref<Index>, indices: Ref<c_int>) -> Vec<usize> {
        let places: Vec<usize> = self.ended().collect();
        places.iter().enumerate().for_each(|(nth, place)| indices.set(nth, *place as c_int));
        ended.set(0, Index(if is_any_active { places.len() as c_int } else { c::UNDEFINED }));
        places
    }
}

/// `MPI_Request_get_status_all`.
///
/// # Errors
/// The errors of [`waitall`].
pub fn get_status_all(
    count: c_int,
    requests: Ref<Request>,
    flag: Ref<c_int>,
    statuses: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    if listed.have_all_ended(flag)? { listed.look_into(0..listed.states.len(), statuses) } else { Ok(()) }
}

/// `MPI_Request_get_status_any`.
///
/// # Errors
/// The errors of [`waitall`].
pub fn get_status_any(
    count: c_int,
    requests: Ref<Request>,
    index: Ref<Index>,
    flag: Ref<c_int>,
    status: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let has_any_ended = listed.has_any_ended(flag)?;
    let first = listed.ended().next();
    index.set(0, Index(first.map_or(c::UNDEFINED, |place| place as c_int)));
    if has_any_ended {
        status.set(0, first.map_or(Ok(Status::EMPTY), |place| listed.look_at(place))?);
    }
    Ok(())
}

/// `MPI_Request_get_status_some`.
///
/// # Errors
/// The errors of [`waitall`].
pub fn get_status_some(
    count: c_int,
    requests: Ref<Request>,
    ended: Ref<Index>,
    indices: Ref<c_int>,
    statuses: Ref<Status>,
) -> Outcome {
    let listed = Listed::of(count, requests)?;
    let is_any_active = listed.is_any_active();
    end(&listed.active(), Needed::Some, false)?;
    let places = listed.tell_ended(is_any_active, ended, indices);
    listed.look_into(places.into_iter(), statuses)
}

/// `MPI_Request_free`.
///
/// # Errors
/// If there is no such request.
pub fn free(request: Ref<Request>) -> Outcome {
    let Some(state) = of(request.get(0))? else {
        return Err(Error::new(c::ERR_REQUEST, "request is MPI_REQUEST_NULL"));
    };
    REQUESTS.remove(request.get(0).0);
    request.set(0, Request(c::REQUEST_NULL));
    free_state(&state)
}

/// Frees a request, whose operation completes.
fn free_state(state: &RequestState) -> Outcome {
    match &state.kind {
        Kind::Joint(parts, _) => parts.iter().try_for_each(|part| free_state(part)),
        Kind::Own(own) => own.free(state.number.get()),
        Kind::Send | Kind::Receive(_) | Kind::Collective(_) | Kind::Nothing => {
            if let Some(number) = state.number.get() {
                ACTIVE.abandon(number, true);
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
    if let Kind::Own(own) = &state.kind
        && let Some(cancelled) = own.cancel()
    {
        return cancelled;
    }
    let mut numbers = Vec::new();
    state.add_numbers(&mut numbers);
    let mut link = library().link()?;
    numbers.iter().for_each(|number| link.post(Code::Cancel, &[*number]));
    Ok(())
}
