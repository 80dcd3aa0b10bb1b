//! Processes of one simulation that exchange events over sockets, on one computer or on several.
//!
//! ```text
//!   process 1, 2 ...  -- number, own address -->  process 0  listens at an address that all know
//!   process 1, 2 ...  <-- addresses of all --     process 0
//!   process 2         -- number -------------->   process 1  and so on: each connects to those below it
//!
//!   swap:   word: 8 | length: 8 | bytes      one message to each process, one from each
//! ```
//!
//! An address is a path, with a slash, of a socket of this computer, or `host:port`.

#![forbid(unsafe_code)]

mod ends;
mod meeting;

use base::yields::Yields;
use ends::End;
pub use meeting::join;
use network::peers::{Carrier, lost};
use rustix::event::{PollFd, poll};
use std::sync::{Mutex, PoisonError};

/// Times that a process looks at its sockets before it sleeps: as long as a message takes on one computer. With more
/// processes than cores, the others need the core.
const LOOKS: u32 = 200;

/// Swaps without looks after a long yield: a sleep in each costs a little, and a yield on a busy host a time slice.
const PAUSE: usize = 100;

/// The sockets of a process, by the number of the process at the other end; none for itself.
#[derive(Debug)]
struct Sockets {
    number: usize,
    ends: Mutex<Vec<Option<End>>>,
    count: usize,
    yields: Yields,
}

impl Carrier for Sockets {
    fn number(&self) -> usize {
        self.number
    }

    fn count(&self) -> usize {
        self.count
    }

    fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64 {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ends: Vec<(usize, &mut End)> =
            ends.iter_mut().enumerate().filter_map(|(other, end)| Some((other, end.as_mut()?))).collect();
        ends.iter_mut().for_each(|(other, end)| end.send(word, &messages[*other]));
        let mut state = Swapping::Waits;
        while state != Swapping::Done {
            let mut moves = || {
                state = go_on(&mut ends);
                state != Swapping::Waits
            };
            if !moves() && !self.yields.until(&mut moves) {
                wait(&ends);
            }
        }
        let words = ends.into_iter().map(|(other, end)| end.receive(&mut messages[other]));
        words.fold(word, u64::min)
    }
}

/// How far a swap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swapping {
    Waits,
    Moves,
    Done,
}

/// Sends and reads what it can without waiting.
fn go_on(ends: &mut [(usize, &mut End)]) -> Swapping {
    let mut has_moved = false;
    for (other, end) in ends.iter_mut() {
        has_moved |= end.go_on().unwrap_or_else(|error| lost(format!("process {other} has ended ({error})")));
    }
    match ends.iter().all(|(_, end)| end.is_done()) {
        true => Swapping::Done,
        false if has_moved => Swapping::Moves,
        false => Swapping::Waits,
    }
}

/// Waits until a socket may have something to do.
fn wait(ends: &[(usize, &mut End)]) {
    let mut waited_for: Vec<PollFd<'_>> =
        ends.iter().filter(|(_, end)| !end.is_done()).map(|(_, end)| end.waits()).collect();
    // An error is seen again, and told, when the socket is used.
    let _ = poll(&mut waited_for, None);
}
