//! The choice of an injection FIFO for a packet.

use super::software::NodeIo;
use crate::draws::{NodeKey, Purpose, pick};
use crate::parameters::FifoChoice;
use geometry::{Direction, Hops};

/// A packet that looks for an injection FIFO.
#[derive(Clone, Copy, Debug)]
pub struct FifoRequest {
    /// The set of FIFOs of the core that writes it.
    pub set: usize,
    /// That core.
    pub core: usize,
    /// Whether it is of high priority.
    pub high_priority: bool,
    /// Whether it must not overtake other packets to the same node: it then takes the FIFO of its direction.
    pub in_order: bool,
    /// Its size.
    pub chunks: u8,
    /// Its number among the packets of the node.
    pub sequence: u64,
    /// Packets that the core has written before.
    pub written: u32,
    /// Whether packets like it come to an end by themselves; see [`NodeIo::has_room`].
    pub is_finite: bool,
}

impl FifoRequest {
    /// The FIFO that the node's rule selects, if the packet fits; `direction` gives its [direction](longest_direction).
    #[inline]
    pub fn choose(&self, io: &NodeIo<'_>, direction: impl FnOnce() -> usize) -> Option<usize> {
        let parameters = &io.fabric.parameters;
        let fifos = io.fabric.fifo_sets.fifos(self.set, self.high_priority);
        let fits = |fifo: &usize| io.has_room(*fifo, self.chunks, self.is_finite);
        let rule = if self.in_order { FifoChoice::ByDirection } else { parameters.node.fifo_choice };
        let chosen = match rule {
            // If it does not fit there, it fits nowhere.
            FifoChoice::Emptiest => return fifos.min_by_key(|&fifo| io.chunks(fifo)).filter(fits),
            FifoChoice::RoundRobin => self.written as usize % fifos.len(),
            FifoChoice::ByDirection => return Some(self.fifo_in_order(io, direction())).filter(fits),
            FifoChoice::Random => {
                let key = NodeKey::new(parameters.seed, io.node);
                let draw = key.draw(Purpose::FifoChoice, self.sequence, self.core);
                pick(draw, fifos.len() as u32) as usize
            }
        };
        Some(fifos.start + chosen).filter(fits)
    }

    /// The FIFO of the packet's direction.
    #[inline]
    pub fn fifo_in_order(&self, io: &NodeIo<'_>, direction: usize) -> usize {
        let fifos = io.fabric.fifo_sets.fifos(self.set, self.high_priority);
        fifos.start + direction % fifos.len()
    }
}

/// The direction of a packet: the index of that with the most hops to make, the first of several.
pub fn longest_direction(hops: &Hops) -> usize {
    let (mut longest, mut most) = (0, 0);
    for (dimension, &hops) in hops.0.iter().enumerate() {
        if hops.unsigned_abs() > most {
            (longest, most) = (Direction::new(dimension, hops > 0).index(), hops.unsigned_abs());
        }
    }
    longest
}
