//! Ranks whose programs run outside the simulator: in another process, or in another language.
//!
//! ```text
//!   Mpi<Outside>, in each part       wake-ups by time and rank --- begin --->    OutsideRanks
//!     the library: matching,                                                     the programs
//!     collectives, requests          <--- collect ---  answers: the next calls
//! ```
//!
//! A rank asks when it receives the outcome of its last call, and needs the answer when the cost of its next call
//! has passed. Until then its core is inside that call, whichever it will be, and whether or not the program
//! computes before. So nothing that the core does depends on the answer, and a program outside is simulated like
//! one inside.

use crate::caller::{Caller, pass_outcome};
use crate::{Call, Ended, Failure, Given, Mpi, Outcome, Program};
use base::checkpoint::{FrameReader, FrameWriter};
use messaging::Ranks;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::io;

/// A notification to a rank of the outcome of its last call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeUp {
    /// The processor cycle.
    pub time: u64,
    /// The rank.
    pub rank: u32,
    /// The outcome.
    pub outcome: Outcome,
    /// The requests with which a wait or a test has ended, in order of their numbers. Freed ones that have ended
    /// since the rank last woke up come first. The payload of each message that they have received is outside.
    pub ended: Vec<Ended>,
}

/// The answer of a rank: what it does next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The rank.
    pub rank: u32,
    /// Computation, in any number of pieces, and then one call. Without the call the program ends there.
    pub calls: Vec<Call>,
}

/// The reason why programs outside give no more answers, which ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// The user has stopped the run.
    Interrupted,
    /// A rank cannot answer, and the others do not go on without it ([`OutsideRanks::failure`]).
    Failed {
        /// The rank.
        rank: u32,
    },
}

/// The programs outside. [`exchange`] makes the two calls one after the other while the simulator waits. Between
/// them, programs in several processes can work at the same time.
pub trait OutsideRanks {
    /// The communicators of a rank that exist from the start, as [`Program::communicators`] gives them.
    fn communicators(&self, _rank: u32) -> Vec<Given> {
        Vec::new()
    }

    /// Whether the machine has parts in other processes, whose ranks ask at the same borders. A batch may be empty then.
    fn is_joint(&self) -> bool {
        false
    }

    /// Wakes up ranks, in order of time and rank. The ranks of a later batch wake up later.
    fn begin(&mut self, batch: Vec<WakeUp>);

    /// The answers of all ranks of the batch, in any order.
    ///
    /// # Errors
    /// If the run ends here. Then neither method is called again.
    fn collect(&mut self) -> Result<Vec<Answer>, Stop>;

    /// Looks for ranks that have failed while they wait. It is asked when all ranks that are left wait for ever.
    ///
    /// # Errors
    /// If a rank has failed, and the others may wait for it.
    fn look(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// The failure of a rank that has ended with [`Call::Fail`], or for which the run ends ([`Stop::Failed`]).
    fn failure(&self, _rank: u32) -> Option<Failure> {
        None
    }
}

/// The caller of a program outside: it answers at the next border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside;

impl Caller for Outside {
    const IS_NOTIFIED_OF_REQUESTS: bool = true;

    fn ask(&mut self, _: u64, _: &Outcome, _: &mut VecDeque<Call>) -> bool {
        false
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, _: &mut FrameWriter<'_>) -> io::Result<()> {
        Err(cannot_be_saved())
    }

    fn restore(&mut self, _: &mut FrameReader<'_>) -> io::Result<()> {
        Err(cannot_be_saved())
    }
}

fn cannot_be_saved() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "programs outside the simulator cannot be saved")
}

/// A rank that has asked.
struct Asked {
    wake_up: WakeUp,
    place: Place,
}

/// The place of a rank that waits for its answer.
struct Place {
    rank: u32,
    part: usize,
    slot: usize,
}

/// Gives the ranks of all parts of the machine, before they run, the communicators that exist from the start.
///
/// # Panics
/// When a rank is not a member of a communicator that it is given, and when a part has its programs inside.
pub fn set_up(parts: &mut [&mut dyn Ranks], programs: &dyn OutsideRanks) {
    for part in parts {
        outside(&mut **part).give_communicators(|rank| programs.communicators(rank));
    }
}

/// Passes the outcomes of all parts of the machine to the programs, and their answers to the ranks.
///
/// # Errors
/// If the programs end the run. Their ranks have no answers then, and cannot go on.
///
/// # Panics
/// When a rank that has been woken up does not answer, or when one answers that has not been. Also when an answer
/// has several calls, and when a part has its programs inside.
pub fn exchange(parts: &mut [&mut dyn Ranks], programs: &mut dyn OutsideRanks) -> Result<(), Stop> {
    let mut parts: Vec<&mut Mpi<Outside>> = parts.iter_mut().map(|part| outside(&mut **part)).collect();
    let mut asked = take_asked(&mut parts);
    if asked.is_empty() && !programs.is_joint() {
        return Ok(());
    }
    asked.sort_unstable_by_key(|asked| (asked.wake_up.time, asked.wake_up.rank));
    let (batch, mut places): (Vec<WakeUp>, Vec<Place>) =
        asked.into_iter().map(|Asked { wake_up, place }| (wake_up, place)).unzip();
    programs.begin(batch);
    let mut answers = programs.collect()?;
    answers.sort_by_key(|answer| answer.rank);
    places.sort_unstable_by_key(|place| place.rank);
    let is_complete = places.iter().map(|place| place.rank).eq(answers.iter().map(|answer| answer.rank));
    assert!(is_complete, "the ranks that have been woken up answer, and no others");
    for (Place { part, slot, .. }, answer) in places.into_iter().zip(answers) {
        parts[part].answer(slot, answer);
    }
    Ok(())
}

fn outside(part: &mut dyn Ranks) -> &mut Mpi<Outside> {
    (part as &mut dyn Any).downcast_mut().expect("the programs are outside")
}

/// Takes the ranks that have asked since the last border.
fn take_asked(parts: &mut [&mut Mpi<Outside>]) -> Vec<Asked> {
    let mut asked = Vec::new();
    for (part, ranks) in parts.iter_mut().enumerate() {
        asked.extend(ranks.wake_ups.drain(..).map(|(slot, wake_up)| {
            let place = Place { rank: wake_up.rank, part, slot };
            Asked { wake_up, place }
        }));
    }
    asked
}

/// Programs that run outside the simulator, but in its process: a model of programs in other processes.
pub struct Programs<P> {
    /// The programs, by rank.
    programs: Vec<P>,
    answers: Vec<Answer>,
}

impl<P> Programs<P> {
    /// The programs of `size` ranks, made by `program`.
    pub fn new(size: u32, program: impl Fn(u32) -> P) -> Self {
        Programs { programs: (0..size).map(program).collect(), answers: Vec::new() }
    }
}

impl<P: Program> OutsideRanks for Programs<P> {
    fn communicators(&self, rank: u32) -> Vec<Given> {
        self.programs[rank as usize].communicators()
    }

    fn begin(&mut self, batch: Vec<WakeUp>) {
        for WakeUp { time, rank, outcome, .. } in batch {
            let mut calls = Vec::new();
            pass_outcome(&mut self.programs[rank as usize], time, &outcome, |call| calls.push(call));
            self.answers.push(Answer { rank, calls });
        }
    }

    fn collect(&mut self) -> Result<Vec<Answer>, Stop> {
        Ok(std::mem::take(&mut self.answers))
    }
}
