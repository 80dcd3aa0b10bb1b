//! The state of options for each node.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node's state for its options; `P` is a set of inputs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OptionalState<P> {
    /// Inputs whose head packets take the second VC of the dateline pair as their escape VC.
    #[serde(skip)]
    pub crossed: P,
    /// Inputs whose head packets are on the first of two route segments.
    #[serde(skip)]
    pub first_segment: P,
    /// The numbers of the head packets of infinite FIFOs in their lanes, by FIFO.
    pub numbers: [u32; 8],
    /// Normal packets in infinite FIFOs or in flight that have not been acknowledged.
    pub unacknowledged: u32,
    /// The cycles in which acknowledgements arrive.
    pub acknowledgements: BinaryHeap<Reverse<u64>>,
    /// The cycle after the one in which head packets were last examined, before any grant.
    pub examined_before: u64,
    /// Inputs of receivers whose head packets found all their links and VCs busy in that examination.
    pub found_outputs_busy: P,
    /// Head packets that leave copies.
    pub copies: Copies<P>,
}

/// The head packets of a node's VCs that leave copies, as sets of inputs.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Copies<P> {
    /// Head packets that wait.
    #[serde(skip)]
    pub waiting: P,
    /// Head packets of `waiting` whose reception FIFO had no room at the last check.
    pub without_room: P,
    /// Packets that are leaving, with a copy on the bus.
    #[serde(skip)]
    pub leaving: P,
}
