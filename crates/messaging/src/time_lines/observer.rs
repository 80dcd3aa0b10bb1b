//! The interface of observers.

use super::{BegunRound, Interval, Passage};
use std::any::Any;

/// The observer of the cores of a part of the machine.
pub trait Observer: Send {
    /// A core spends an interval, which begins where its last one ended; the first begins at 0. A task is observed when
    /// it begins, also one that takes no time. The time between two tasks is observed when the second begins, or when
    /// what ends the wait changes.
    fn observe(&mut self, interval: &Interval);

    /// A message passes between a rank and the layer of messages.
    fn observe_passage(&mut self, _passage: &Passage) {}

    /// A rank begins a round of a collective, if its library reports that.
    fn observe_round(&mut self, _round: &BegunRound) {}

    /// Whether the observer wants to know what the core of a rank waits for, or the co-processor of that core.
    fn follows(&self, _rank: Option<u32>) -> bool {
        true
    }

    /// The observer itself, for the code that has made it.
    fn as_any(&self) -> &dyn Any;
}
