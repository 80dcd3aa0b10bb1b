//! Numbers for the requests of a recording, which names them in its own way.

use crate::error::{Problem, problem};
use crate::recorder::{Recorder, wait};
use mpi::{Call, Needed, Requests};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The requests of a rank. The lowest number that is not in use is taken. So requests that are begun together have
/// consecutive numbers, and a wait for all of them is one call.
#[derive(Debug, Default)]
pub(crate) struct RequestNumbers {
    by_key: HashMap<u64, Request>,
    free: BinaryHeap<Reverse<u32>>,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    number: u32,
    is_active: bool,
    is_persistent: bool,
}

impl RequestNumbers {
    fn take(&mut self) -> u32 {
        self.free.pop().map_or_else(
            || {
                self.next += 1;
                self.next - 1
            },
            |Reverse(number)| number,
        )
    }

    /// Begins a request; returns its number. One of the same name that has not been waited for must have ended, so
    /// that the rank waits for it first.
    pub fn begin(&mut self, recorder: &mut Recorder, place: u64, key: u64) -> u32 {
        if let Some(before) = self.by_key.get(&key).filter(|before| before.is_active) {
            recorder.push(place, wait(before.number));
            self.end(key);
        }
        let number = self.take();
        self.by_key.insert(key, Request { number, is_active: true, is_persistent: false });
        number
    }

    /// Creates a persistent request; returns its number.
    pub fn prepare(&mut self, key: u64) -> u32 {
        let number = self.take();
        self.by_key.insert(key, Request { number, is_active: false, is_persistent: true });
        number
    }

    /// Begins a persistent request.
    pub fn start(&mut self, recorder: &mut Recorder, place: u64, key: u64) -> Result<(), Problem> {
        let Some(request) = self.by_key.get_mut(&key).filter(|request| request.is_persistent) else {
            return Err(problem(
                "the start of a request that is not persistent",
                "MPI_Send_init or MPI_Recv_init first",
            ));
        };
        if request.is_active {
            recorder.push(place, wait(request.number));
        }
        request.is_active = true;
        let requests = Requests::one(request.number);
        recorder.push(place, Call::Start { requests });
        Ok(())
    }

    /// The number of a request in progress.
    pub fn active(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).filter(|request| request.is_active).map(|request| request.number)
    }

    fn end(&mut self, key: u64) -> Option<u32> {
        let request = self.by_key.get_mut(&key).filter(|request| request.is_active)?;
        let number = request.number;
        request.is_active = false;
        if !request.is_persistent {
            self.by_key.remove(&key);
            self.free.push(Reverse(number));
        }
        Some(number)
    }

    /// Waits for requests that have ended. Those that are not in progress, such as null requests, count as ended.
    pub fn wait(&mut self, recorder: &mut Recorder, place: u64, keys: impl Iterator<Item = u64>) {
        let numbers: Vec<u32> = keys.filter_map(|key| self.end(key)).collect();
        if !numbers.is_empty() {
            recorder.push(place, Call::Wait { requests: Requests::list(numbers), needed: Needed::All });
        }
    }

    /// Forgets a request, as if it had never begun.
    pub fn forget(&mut self, key: u64) {
        self.end(key);
    }

    /// `MPI_Request_free`. The number of an operation in progress is not used again.
    pub fn free(&mut self, recorder: &mut Recorder, place: u64, key: u64) {
        if let Some(request) = self.by_key.remove(&key) {
            recorder.push(place, Call::Free { request: request.number });
            if !request.is_active {
                self.free.push(Reverse(request.number));
            }
        }
    }
}
