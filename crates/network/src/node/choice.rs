//! The choice of an injection FIFO for a packet.

use super::software::NodeIo;
use crate::draws::{NodeKey, Purpose, pick};
use crate::parameters::{FifoChoice, NodeParameters};
use geometry::Hops;
use std::cmp::Reverse;
use std::ops::Range;

/// A packet that looks for an injection FIFO.
#[derive(Clone, Copy, Debug)]
pub struct FifoRequest {
    /// The set of FIFOs of the core that writes it.
    pub set: usize,
    /// That core.
    pub core: usize,
    /// Whether it is of high priority.
    pub high_priority: bool,
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
    /// The FIFO that the node's rule selects, if the packet fits.
    pub fn choose(&self, io: &NodeIo<'_>, hops: impl FnOnce() -> Hops) -> Option<usize> {
        let parameters = &io.fabric.parameters;
        let fifos = io.fabric.fifo_sets.fifos(self.set, self.high_priority);
        let fits = |fifo: &usize| io.has_room(*fifo, self.chunks, self.is_finite);
        let chosen = match parameters.node.fifo_choice {
            // If it does not fit there, it fits nowhere.
            FifoChoice::Emptiest => return fifos.min_by_key(|&fifo| io.chunks(fifo)).filter(fits),
            FifoChoice::RoundRobin => self.written as usize % fifos.len(),
            FifoChoice::ByDirection => longest_direction(&hops()) % fifos.len(),
            FifoChoice::Random => {
                let key = NodeKey::new(parameters.seed, io.node);
                let draw = key.draw(Purpose::FifoChoice, self.sequence, self.core);
                pick(draw, fifos.len() as u32) as usize
            }
        };
        Some(fifos.start + chosen).filter(fits)
    }
}

/// The sets of FIFOs of a node, worked out once: both are asked for with every packet.
#[derive(Clone, Debug)]
pub struct FifoSets {
    /// The set of each core.
    of_cores: Vec<u8>,
    /// The injection FIFOs of each set, for packets of normal and of high priority.
    injection: Vec<[Range<u8>; 2]>,
}

impl FifoSets {
    /// The sets of a node; FIFOs are divided evenly among them.
    pub fn new(node: &NodeParameters) -> Self {
        let (normal, high) = (node.normal_injection_fifos, node.high_priority_injection_fifos);
        let (normal, high) = (usize::from(normal), usize::from(high));
        let sets = node.fifo_sets();
        let share = |fifos: usize, set: usize| (set * fifos / sets) as u8;
        let of_set = |set: usize| {
            let high_priority = share(high, set) + normal as u8..share(high, set + 1) + normal as u8;
            [share(normal, set)..share(normal, set + 1), high_priority]
        };
        FifoSets {
            of_cores: (0..node.cores).map(|core| node.set_of_core(core.into()) as u8).collect(),
            injection: (0..sets).map(of_set).collect(),
        }
    }

    /// The set of a core.
    #[inline]
    pub fn of_core(&self, core: usize) -> usize {
        self.of_cores[core].into()
    }

    /// The injection FIFOs of a set for packets of one priority.
    #[inline]
    pub fn fifos(&self, set: usize, high_priority: bool) -> Range<usize> {
        let Range { start, end } = self.injection[set][usize::from(high_priority)];
        start.into()..end.into()
    }
}

/// The index of the direction with the most hops to make, the first of several.
fn longest_direction(hops: &Hops) -> usize {
    let longest = hops.directions().max_by_key(|direction| {
        (hops.0[direction.dimension()].unsigned_abs(), Reverse(direction.dimension()))
    });
    longest.map_or(0, |direction| direction.index())
}
