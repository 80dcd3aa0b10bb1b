//! The requests of a rank, by the numbers that its program has given them.

use crate::call::Transfer;
use crate::marks::{Mark, Marks};
use crate::{Ended, Needed, Outcome, RequestSet, Status};
use base::memory::{self, Absent, Compact, OnDemand, compact_bytes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More requests than a program uses at once.
pub(crate) const MAX_REQUESTS: usize = 1 << 24;

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// The request is not in use.
    #[default]
    Free,
    /// The operation, of the `call`-th call of the rank, is not complete.
    Pending { call: u64 },
    /// The operation is not complete, but no wait or test will ask for it.
    Abandoned { call: u64 },
    /// The operation is complete; a receive has got this message.
    Complete { received: Option<Status> },
    /// The receive was withdrawn.
    Cancelled,
}

impl Request {
    /// Whether the request is pending, or a wait or a test can end it.
    fn mark(&self) -> Option<Mark> {
        match self {
            Request::Pending { .. } => Some(Mark::Pending),
            Request::Complete { .. } | Request::Cancelled => Some(Mark::Ended),
            Request::Free | Request::Abandoned { .. } => None,
        }
    }

    /// The report of a request to the wait or test that has ended it.
    fn end(self, request: u32) -> Ended {
        let received = if let Request::Complete { received } = self { received } else { None };
        Ended { request, received, is_cancelled: self == Request::Cancelled }
    }
}

/// The requests of a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub(crate) struct Table {
    requests: Vec<Request>,
    /// Marks derived from the states.
    marks: Marks,
    /// Whether the program is notified of the requests that have ended, as those outside are.
    notifies: bool,
    uncommon: OnDemand<Uncommon>,
}

/// State that the requests of most ranks do not need.
#[derive(Clone, Debug, Default)]
struct Uncommon {
    /// The transfers of persistent requests.
    persistent: BTreeMap<u32, Transfer>,
    /// Requests to report to the program: those with which the last wait or test has ended, and freed ones that
    /// have ended.
    ended: Vec<Ended>,
}

impl Absent for Uncommon {
    const ABSENT: &'static Self = &Uncommon { persistent: BTreeMap::new(), ended: Vec::new() };
}

impl Uncommon {
    /// Bytes in addition to the value itself.
    fn bytes(&self) -> usize {
        self.persistent.len() * size_of::<(u32, Transfer)>() + self.ended.capacity() * size_of::<Ended>()
    }
}

/// The content of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Stored {
    requests: Vec<Request>,
    persistent: BTreeMap<u32, Transfer>,
}

impl From<Stored> for Table {
    fn from(Stored { requests, persistent }: Stored) -> Self {
        let mut marks = Marks::default();
        marks.grow(requests.len());
        (0..).zip(&requests).for_each(|(number, request)| marks.set(number, request.mark()));
        let mut table = Table { requests, marks, ..Table::default() };
        if !persistent.is_empty() {
            table.uncommon.persistent = persistent;
        }
        table
    }
}

impl From<Table> for Stored {
    fn from(Table { requests, uncommon, .. }: Table) -> Self {
        Stored { requests, persistent: uncommon.persistent.clone() }
    }
}

impl Table {
    /// Makes the program be notified of the requests that have ended.
    pub fn notify_program(&mut self) {
        self.notifies = true;
    }

    /// Begins a request that is not in use, with the rank's call `call`.
    pub fn begin(&mut self, request: u32, call: u64) {
        assert!(!self.is_persistent(request), "request {request} is persistent");
        self.set_pending(request, call);
    }

    fn is_persistent(&self, request: u32) -> bool {
        self.uncommon.persistent.contains_key(&request)
    }

    fn set_pending(&mut self, request: u32, call: u64) {
        let index = request as usize;
        assert!(index < MAX_REQUESTS, "request {request} is beyond {MAX_REQUESTS}");
        if index >= self.requests.len() {
            while index >= self.requests.len() {
                self.requests.append_one(Request::Free);
            }
            self.marks.grow(index + 1);
        }
        assert_eq!(self.requests[index], Request::Free, "request {request} is in use");
        self.set(request, Request::Pending { call });
    }

    /// Sets the state; returns the state before.
    fn set(&mut self, request: u32, state: Request) -> Request {
        self.marks.set(request, state.mark());
        std::mem::replace(&mut self.requests[request as usize], state)
    }

    /// Makes a persistent request.
    pub fn prepare(&mut self, request: u32, transfer: Transfer) {
        assert!(!self.is_used(request), "request {request} is in use");
        let before = self.uncommon.persistent.insert(request, transfer);
        assert_eq!(before, None, "request {request} is persistent");
    }

    /// Begins a persistent request; returns its transfer.
    pub fn start(&mut self, request: u32, call: u64) -> Transfer {
        let transfer = self.uncommon.persistent.get(&request).copied();
        self.set_pending(request, call);
        transfer.unwrap_or_else(|| panic!("request {request} is not persistent"))
    }

    /// Frees a request, which the program no longer needs.
    pub fn free(&mut self, request: u32) {
        let was_persistent = self.is_persistent(request);
        if was_persistent {
            self.uncommon.persistent.remove(&request);
        }
        assert!(was_persistent || self.is_used(request), "request {request} is not in use");
        match self.requests.get(request as usize) {
            Some(&Request::Pending { call }) => {
                self.set(request, Request::Abandoned { call });
            }
            Some(Request::Complete { .. } | Request::Cancelled) => {
                let ended = self.set(request, Request::Free).end(request);
                self.notify(ended);
            }
            Some(Request::Free | Request::Abandoned { .. }) | None => {}
        }
    }

    /// Whether the request has begun and no wait or test has ended it.
    pub fn is_used(&self, request: u32) -> bool {
        self.requests.get(request as usize).is_some_and(|state| *state != Request::Free)
    }

    /// Ends the operation of a request; returns the call that has begun it.
    pub fn end(&mut self, request: u32, ended: Request) -> u64 {
        match self.requests[request as usize] {
            Request::Pending { call } => {
                self.set(request, ended);
                call
            }
            Request::Abandoned { call } => {
                self.set(request, Request::Free);
                self.notify(ended.end(request));
                call
            }
            Request::Free | Request::Complete { .. } | Request::Cancelled => {
                unreachable!("a request ends once")
            }
        }
    }

    /// Frees the requests with which a wait ends, if it can end; returns its outcome.
    pub fn take(&mut self, requests: RequestSet<'_>, needed: Needed) -> Option<Outcome> {
        let is_any_pending = self.first(Mark::Pending, requests, 0).is_some();
        let mut next = self.first(Mark::Ended, requests, 0);
        // A wait for nothing ends at once.
        let can_end = !is_any_pending || !needed.is_all() && next.is_some();
        if !can_end {
            return None;
        }
        let (mut count, mut cancelled, mut one) = (0, 0, None);
        while let Some(request) = next {
            let ended = self.set(request, Request::Free).end(request);
            self.notify(ended);
            count += 1;
            cancelled += u32::from(ended.is_cancelled);
            one.get_or_insert(ended);
            next = self.first(Mark::Ended, requests, request).filter(|_| !needed.is_one());
        }
        let received = one.filter(|_| count == 1).and_then(|ended| ended.received);
        let request = match needed {
            Needed::Any => one.map_or(u32::MAX, |ended| ended.request),
            Needed::All | Needed::Some => count,
        };
        Some(Outcome { received, request: Some(request), cancelled, ..Outcome::default() })
    }

    /// The first of some requests in a state, whose number is at least `from`.
    #[inline]
    fn first(&self, mark: Mark, requests: RequestSet<'_>, from: u32) -> Option<u32> {
        match requests {
            RequestSet::Range { first, count } => {
                let end = first.saturating_add(count).min(self.requests.len() as u32);
                self.marks.first(mark, first.max(from), end)
            }
            RequestSet::List(numbers) => {
                let rest = &numbers[numbers.partition_point(|&number| number < from)..];
                let is_in_state =
                    |&number: &u32| self.requests.get(number as usize).and_then(Request::mark) == Some(mark);
                rest.iter().copied().find(is_in_state)
            }
        }
    }

    /// Records a request that has ended, for a program that is notified of these.
    fn notify(&mut self, ended: Ended) {
        if self.notifies {
            self.uncommon.ended.push(ended);
        }
    }

    /// Takes the requests to report to the program. Freed ones that have ended since the last report come before
    /// those with which the last wait or test has ended.
    pub fn take_ended(&mut self) -> Vec<Ended> {
        if self.notifies { std::mem::take(&mut self.uncommon.ended) } else { Vec::new() }
    }

    /// Prefetches the states.
    pub fn prefetch(&self) {
        memory::few_of_software(&self.requests);
    }

    /// Bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.requests.capacity() * size_of::<Request>()
            + self.marks.bytes()
            + self.uncommon.bytes(Uncommon::bytes)
    }

    /// The bytes once `requests` requests have been in use at a time.
    pub fn bytes_for(requests: usize) -> usize {
        compact_bytes::<Request>(requests) + Marks::bytes_for(requests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_a_list_looks_at_its_own_requests() {
        let mut table = Table::default();
        (0..9).for_each(|request| table.begin(request, 1));
        let list = crate::Requests::list([3, 7, 20]);
        let take = |table: &mut Table, needed| table.take(list.set(), needed);
        table.end(5, Request::Complete { received: None });
        assert!(
            [Needed::All, Needed::Any, Needed::Some]
                .map(|needed| take(&mut table, needed))
                .iter()
                .all(Option::is_none)
        );
        table.end(7, Request::Cancelled);
        assert_eq!(take(&mut table, Needed::All), None);
        assert_eq!(take(&mut table, Needed::Any).and_then(|outcome| outcome.request), Some(7));
        table.end(3, Request::Complete { received: None });
        let some = take(&mut table, Needed::Some).map(|outcome| (outcome.request, outcome.cancelled));
        assert_eq!(some, Some((Some(1), 0)));
        assert!(table.is_used(5) && !table.is_used(3) && !table.is_used(7));
        assert_eq!(
            take(&mut table, Needed::All).map(|outcome| outcome.request),
            Some(Some(0)),
            "none is in use"
        );
    }

    #[test]
    fn a_program_is_notified_of_the_end_of_requests_that_it_has_freed() {
        let mut table = Table::default();
        table.notify_program();
        let complete = Request::Complete { received: Some(Status::default()) };
        (0..3).for_each(|request| table.begin(request, 1));
        table.end(0, complete);
        table.free(0);
        table.free(1);
        assert!(table.is_used(1) && !table.is_used(0));
        table.end(1, complete);
        table.end(2, Request::Cancelled);
        let outcome = table.take(crate::Requests::range(0, 3).set(), Needed::All);
        assert_eq!(outcome.map(|outcome| (outcome.request, outcome.cancelled)), Some((Some(1), 1)));
        let ended = table.take_ended();
        let ended: Vec<_> = ended.iter().map(|ended| (ended.request, ended.is_cancelled)).collect();
        assert_eq!(ended, [(0, false), (1, false), (2, true)]);
    }
}
