//! A catalogue: the partitions that a profile defines, and which of them conflict.

use crate::{Partition, Room};
use fixedbitset::FixedBitSet;

/// The partitions of a profile, sorted by nodes, then by name, with their conflict matrix.
#[derive(Clone, Debug)]
pub struct Catalogue {
    profile: String,
    partitions: Vec<Partition>,
    rows: Vec<FixedBitSet>,
}

impl Catalogue {
    /// Sorts the partitions and computes their conflict matrix.
    pub(crate) fn new(profile: &str, mut partitions: Vec<Partition>, room: &Room) -> Self {
        partitions.sort_by(|a, b| (a.nodes(), a.name()).cmp(&(b.nodes(), b.name())));
        let rows =
            if room.is_switched() { switched_rows(&partitions, room) } else { rows(&partitions, room) };
        Catalogue { profile: profile.to_owned(), partitions, rows }
    }

    /// The profile's name.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// The partitions, smallest first.
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The number of the partition with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.partitions.iter().position(|partition| partition.name() == name)
    }

    /// The distinct partition sizes in nodes, in ascending order.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = self.partitions.iter().map(Partition::nodes).collect();
        sizes.dedup();
        sizes
    }

    /// The partitions that cannot run at the same time as partition `index`, itself included.
    ///
    /// In a switched room partitions have no fixed midplanes. A row then holds the partitions that do not fit into the
    /// room together with `index`; a scheduler must also count midplanes.
    pub fn conflicts(&self, index: usize) -> &FixedBitSet {
        &self.rows[index]
    }

    /// Whether two partitions cannot run at the same time.
    pub fn conflict(&self, one: usize, other: usize) -> bool {
        self.rows[one].contains(other)
    }
}

/// The conflict matrix: a partition's row is the union of all users of its midplanes and cables. Partitions on disjoint
/// node cards of a midplane do not conflict.
fn rows(partitions: &[Partition], room: &Room) -> Vec<FixedBitSet> {
    let count = partitions.len();
    let mut of_midplane = vec![FixedBitSet::with_capacity(count); room.midplanes().len()];
    let mut of_cable = vec![FixedBitSet::with_capacity(count); room.cables().len()];
    for (index, partition) in partitions.iter().enumerate() {
        partition.midplanes().ones().for_each(|midplane| of_midplane[midplane].insert(index));
        partition.cables().ones().for_each(|cable| of_cable[cable].insert(index));
    }
    let row = |(index, partition): (usize, &Partition)| {
        let mut row = FixedBitSet::with_capacity(count);
        row.insert(index);
        partition.midplanes().ones().for_each(|midplane| row.union_with(&of_midplane[midplane]));
        partition.cables().ones().for_each(|cable| row.union_with(&of_cable[cable]));
        if partition.cards().is_some() {
            let users = row.clone();
            let disjoint = |other: &usize| !partition.shares_with(&partitions[*other]);
            users.ones().filter(disjoint).for_each(|other| row.remove(other));
        }
        row
    };
    partitions.iter().enumerate().map(row).collect()
}

fn switched_rows(partitions: &[Partition], room: &Room) -> Vec<FixedBitSet> {
    let count = partitions.len();
    let row = |(index, partition): (usize, &Partition)| {
        let too_large = |other: &usize| {
            *other == index
                || partition.midplane_count() + partitions[*other].midplane_count() > room.midplanes().len()
        };
        let mut row = FixedBitSet::with_capacity(count);
        row.extend((0..count).filter(too_large));
        row
    };
    partitions.iter().enumerate().map(row).collect()
}
