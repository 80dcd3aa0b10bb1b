//! The processes that run one simulation together, each with some of the nodes.
//!
//! ```text
//!   process 0   | window w | swap | window w+1 | swap | ... | gather |       nodes 0 .. 99
//!   process 1   | window w | swap | window w+1 | swap | ... | gather |       nodes 100 .. 199
//! ```
//!
//! All processes run the same program. Whatever looks at all nodes is a call that all of them make, in the same order,
//! and all get the same answer. So all take the same decisions; what depends on a clock or on a user is decided by
//! process 0 ([`Peers::decide`]).
//!
//! # To add a carrier
//!
//! 1. A type that implements [`Carrier`]: in a crate above, as `sockets` does, or in Python, as `python/torusim/runs/peers.py`
//!    does for mpi4py.
//! 2. The option or variable that chooses it, in `peers_of` of `python/torusim/runs/peers.py`.
//! 3. A run over it in `tests/test_processes.py`, random ones in `CARRIERS` of `tests/test_live_processes.py`, and how it
//!    is used in `docs/processes.md`.

use base::bytes::{packed, unpacked};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Carries bytes between the processes of a simulation.
pub trait Carrier: Debug + Send + Sync {
    /// The number of this process.
    fn number(&self) -> usize;

    /// The number of processes.
    fn count(&self) -> usize;

    /// Gives `messages[p]` to process `p`; afterwards `messages[p]` is what that process has given to this one. The
    /// entry of this process stays as it is. Returns the least of the words of all processes. All of them call it.
    ///
    /// # Panics
    /// With [`lost`], if another process has ended.
    fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64;
}

/// The payload of the panic with which a run ends whose other processes cannot be reached any more.
#[derive(Debug)]
pub struct Lost(pub String);

/// Ends the run of this process, since another one has ended. It prints nothing: the caller that catches the [`Lost`]
/// knows what to say.
pub fn lost(why: impl Into<String>) -> ! {
    resume_unwind(Box::new(Lost(why.into())))
}

/// The numbers of processes of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processes {
    /// The number of all.
    pub all: usize,
    /// The number on this computer, which share its memory.
    pub here: usize,
}

impl Processes {
    /// One process.
    pub const ONE: Self = Processes { all: 1, here: 1 };

    /// Processes that each have a computer.
    pub fn apart(all: usize) -> Self {
        Processes { all, here: 1 }
    }
}

/// The processes of a simulation, as one of them sees them.
#[derive(Clone, Debug, Default)]
pub struct Peers {
    carrier: Option<Arc<dyn Carrier>>,
    /// The number of processes on this computer, if it is known.
    here: Option<usize>,
}

impl Peers {
    /// No other process.
    pub fn none() -> Self {
        Peers::default()
    }

    /// The processes that a carrier joins.
    pub fn joined_by(carrier: Arc<dyn Carrier>) -> Self {
        Peers { carrier: (carrier.count() > 1).then_some(carrier), here: None }
    }

    /// These processes, of which `here` are on this computer; otherwise all of them are.
    #[must_use]
    pub fn sharing(self, here: usize) -> Self {
        Peers { here: Some(here), ..self }
    }

    /// The numbers of processes.
    pub fn processes(&self) -> Processes {
        Processes { all: self.count(), here: self.here.unwrap_or(self.count()) }
    }

    /// Peers that are threads of this process: what each of them holds.
    pub fn in_threads(count: usize) -> Vec<Self> {
        let channels = || (0..count).map(|_| channel::<Swapped>());
        // Each row has what one of them sends to: thread 0, 1 and so on.
        let (to, from): (Vec<Vec<_>>, Vec<Vec<_>>) = (0..count).map(|_| channels().unzip()).unzip();
        let mut from: Vec<_> = from.into_iter().map(Vec::into_iter).collect();
        let of_thread = |(number, to)| {
            let from = from.iter_mut().filter_map(Iterator::next).collect();
            Peers::joined_by(Arc::new(InThreads { number, to, from: Mutex::new(from) }))
        };
        to.into_iter().enumerate().map(of_thread).collect()
    }

    /// The number of this process.
    pub fn number(&self) -> usize {
        self.carrier.as_ref().map_or(0, |carrier| carrier.number())
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.carrier.as_ref().map_or(1, |carrier| carrier.count())
    }

    /// Whether there is no other process.
    pub fn is_alone(&self) -> bool {
        self.carrier.is_none()
    }

    /// Whether this process speaks for all.
    pub fn is_first(&self) -> bool {
        self.number() == 0
    }

    /// See [`Carrier::swap`].
    pub fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64 {
        self.carrier.as_ref().map_or(word, |carrier| carrier.swap(word, messages))
    }

    /// The least of the words of all processes.
    pub fn least(&self, word: u64) -> u64 {
        self.swap(word, &mut vec![Vec::new(); self.count()])
    }

    /// The values of all processes, in order of their numbers.
    pub fn gather<T: Serialize + DeserializeOwned>(&self, own: T) -> Vec<T> {
        if self.is_alone() {
            return vec![own];
        }
        let bytes = packed(&own);
        self.exchange(vec![bytes; self.count()]).iter().map(|bytes| unpacked(bytes)).collect()
    }

    /// The values of all processes, in order of their numbers, for process 0; none for the others.
    pub fn gather_at_first<T: Serialize + DeserializeOwned>(&self, own: T) -> Option<Vec<T>> {
        if self.is_alone() {
            return Some(vec![own]);
        }
        let mut messages = vec![Vec::new(); self.count()];
        messages[0] = packed(&own);
        let messages = self.exchange(messages);
        self.is_first().then(|| messages.iter().map(|bytes| unpacked(bytes)).collect())
    }

    /// The values of all processes, one after the other, for process 0; none for the others.
    pub fn joined_at_first<T: Serialize + DeserializeOwned>(&self, own: Vec<T>) -> Vec<T> {
        if self.is_alone() {
            return own;
        }
        let mut messages = vec![Vec::new(); self.count()];
        if !self.is_first() {
            messages[0] = packed(&own);
            self.exchange(messages);
            return Vec::new();
        }
        // Each message is gone before the next one is unpacked: there may be little room for them.
        self.exchange(messages).into_iter().skip(1).fold(own, |mut all, message| {
            all.append(&mut unpacked(&message));
            all
        })
    }

    /// The decision of process 0.
    pub fn decide<T: Serialize + DeserializeOwned>(&self, decision: impl FnOnce() -> T) -> T {
        if self.is_alone() {
            return decision();
        }
        let own = if self.is_first() { packed(&decision()) } else { Vec::new() };
        unpacked(&self.exchange(vec![own; self.count()])[0])
    }

    fn exchange(&self, mut messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.swap(0, &mut messages);
        messages
    }
}

/// A word and a message.
type Swapped = (u64, Vec<u8>);

/// A carrier between threads.
#[derive(Debug)]
struct InThreads {
    number: usize,
    to: Vec<Sender<Swapped>>,
    from: Mutex<Vec<Receiver<Swapped>>>,
}

impl Carrier for InThreads {
    fn number(&self) -> usize {
        self.number
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn swap(&self, word: u64, messages: &mut [Vec<u8>]) -> u64 {
        let from = self.from.lock().unwrap_or_else(PoisonError::into_inner);
        let others = || (0..self.count()).filter(|&other| other != self.number);
        let gone = |other: usize| -> ! { lost(format!("thread {other} has ended")) };
        for other in others() {
            let message = (word, std::mem::take(&mut messages[other]));
            self.to[other].send(message).unwrap_or_else(|_| gone(other));
        }
        others().fold(word, |least, other| {
            let (word, message) = from[other].recv().unwrap_or_else(|_| gone(other));
            messages[other] = message;
            least.min(word)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_all<T: Send>(count: usize, run: impl Fn(Peers) -> T + Sync) -> Vec<T> {
        let peers = Peers::in_threads(count);
        std::thread::scope(|scope| {
            let run = &run;
            let threads: Vec<_> = peers.into_iter().map(|peers| scope.spawn(move || run(peers))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        })
    }

    #[test]
    fn messages_reach_those_for_whom_they_are() {
        for count in 1..5 {
            let got = on_all(count, |peers| {
                let own = peers.number() as u8;
                let mut messages: Vec<Vec<u8>> = (0..count as u8).map(|other| vec![own, other]).collect();
                let least = peers.swap(10 + u64::from(own), &mut messages);
                (least, messages)
            });
            for (number, (least, messages)) in (0..).zip(got) {
                let expected: Vec<Vec<u8>> = (0..count as u8).map(|other| vec![other, number]).collect();
                assert_eq!((least, messages), (10, expected));
            }
        }
    }

    #[test]
    fn all_get_what_is_gathered_and_decided() {
        let got = on_all(3, |peers| {
            let number = peers.number();
            let whole = peers.gather(number * number);
            (
                whole,
                peers.gather_at_first(number),
                peers.joined_at_first(vec![number; number]),
                peers.decide(|| number + 7),
                peers.least(5 - number as u64),
            )
        });
        for (number, (whole, at_first, joined, decided, least)) in got.into_iter().enumerate() {
            assert_eq!((whole, decided, least), (vec![0, 1, 4], 7, 3));
            assert_eq!(at_first, (number == 0).then(|| vec![0, 1, 2]));
            assert_eq!(joined, if number == 0 { vec![1, 2, 2] } else { Vec::new() });
        }
    }

    #[test]
    fn processes_share_a_computer_unless_they_say_otherwise() {
        assert_eq!(Peers::none().processes(), Processes::ONE);
        let all = Peers::in_threads(3);
        assert!(all.iter().all(|peers| peers.processes() == Processes { all: 3, here: 3 }));
        let apart = all.into_iter().map(|peers| peers.sharing(1).processes());
        assert!(apart.into_iter().all(|processes| processes == Processes::apart(3)));
    }

    #[test]
    fn the_end_of_one_ends_the_others() {
        let ends = on_all(2, |peers| {
            if peers.is_first() {
                return true;
            }
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| peers.least(1)));
            caught.expect_err("nobody answers").is::<Lost>()
        });
        assert_eq!(ends, [true, true]);
    }
}
