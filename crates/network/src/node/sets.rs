//! Sets of FIFOs, which the cores of a node share.

use crate::parameters::NodeParameters;
use std::ops::Range;

/// The sets of FIFOs of a node, computed once: both are looked up for every packet.
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
