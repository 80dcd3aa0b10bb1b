//! The choice of an injection FIFO for a packet.

use super::software::{NodeIo, Resume};
use crate::parameters::FifoChoice;
use base::draws::{NodeKey, Purpose, pick};
use geometry::{Direction, Hops};
use std::ops::Range;

/// A packet that looks for an injection FIFO.
#[derive(Clone, Copy, Debug)]
pub struct FifoRequest {
    /// The set of FIFOs of the core that writes the packet.
    pub set: usize,
    /// The core that writes the packet.
    pub core: usize,
    /// Whether the packet is of high priority.
    pub high_priority: bool,
    /// Whether the packet must not overtake other packets to the same node. It then takes the FIFO of its direction.
    pub in_order: bool,
    /// The packet's size in chunks.
    pub chunks: u8,
    /// The packet's number among the packets of the node.
    pub sequence: u64,
    /// Number of packets that the core has written before.
    pub written: u32,
    /// Whether packets of this kind come to an end by themselves; see [`NodeIo::has_room`].
    pub is_finite: bool,
}

impl FifoRequest {
    /// The FIFO that the node's rule selects, if the packet fits. `direction` gives the packet's
    /// [direction](longest_direction).
    ///
    /// # Errors
    /// The event to wait for if the packet does not fit. It is room in that FIFO, or in any if the rule takes the
    /// emptiest.
    #[inline]
    pub fn choose(&self, io: &NodeIo<'_>, direction: impl FnOnce() -> usize) -> Result<usize, Resume> {
        let parameters = &io.fabric.parameters;
        let fifos = io.fabric.fifo_sets.fifos(self.set, self.high_priority);
        let rule = if self.in_order { FifoChoice::ByDirection } else { parameters.node.fifo_choice };
        let (chosen, candidates) = match rule {
            FifoChoice::Emptiest => (fifos.clone().min_by_key(|&fifo| io.chunks(fifo)), fifos),
            FifoChoice::RoundRobin => one(fifos.start + self.written as usize % fifos.len()),
            FifoChoice::ByDirection => one(self.fifo_in_order(io, direction())),
            FifoChoice::Random => {
                let key = NodeKey::new(parameters.seed, io.node);
                let draw = key.draw(Purpose::FifoChoice, self.sequence, self.core);
                one(fifos.start + pick(draw, fifos.len() as u32) as usize)
            }
        };
        // A packet that does not fit into the emptiest FIFO fits nowhere.
        let fits = |fifo: &usize| io.has_room(*fifo, self.chunks, self.is_finite);
        chosen.filter(fits).ok_or_else(|| Resume::when_room(candidates))
    }

    /// The FIFO of the packet's direction.
    #[inline]
    pub fn fifo_in_order(&self, io: &NodeIo<'_>, direction: usize) -> usize {
        let fifos = io.fabric.fifo_sets.fifos(self.set, self.high_priority);
        fifos.start + direction % fifos.len()
    }
}

/// A FIFO, and the range that has only this FIFO.
fn one(fifo: usize) -> (Option<usize>, Range<usize>) {
    (Some(fifo), fifo..fifo + 1)
}

/// The direction of a packet: the index of the direction with the most hops to make, the first of several.
pub fn longest_direction(hops: &Hops) -> usize {
    let (mut longest, mut max) = (0, 0);
    for (dimension, &hops) in hops.0.iter().enumerate() {
        if hops.unsigned_abs() > max {
            (longest, max) = (Direction::new(dimension, hops > 0).index(), hops.unsigned_abs());
        }
    }
    longest
}
