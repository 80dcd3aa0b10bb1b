//! A catalogue: the partitions that a profile defines, and which of them conflict.

use crate::{Bits, Partition, Room};

/// The partitions of a profile, sorted by nodes, then by name, with their conflict matrix.
#[derive(Clone, Debug)]
pub struct Catalogue {
    profile: String,
    partitions: Vec<Partition>,
    rows: Vec<Bits>,
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

    /// The partitions that cannot run at the same time as partition `index`, itself included, as bits: partition `j` is
    /// bit `j % 64` of word `j / 64`. All rows have the same number of words.
    ///
    /// In a switched room partitions have no fixed midplanes. A row then holds the partitions that do not fit into the
    /// room together with `index`; a scheduler must also count midplanes.
    pub fn conflicts(&self, index: usize) -> &[u64] {
        self.rows[index].words()
    }

    /// Whether two partitions cannot run at the same time.
    pub fn conflict(&self, one: usize, other: usize) -> bool {
        self.rows[one].contains(other)
    }
}

/// The conflict matrix: a partition's row is the union of all users of its midplanes and cables. Partitions on disjoint
/// node cards of a midplane do not conflict.
fn rows(partitions: &[Partition], room: &Room) -> Vec<Bits> {
    let count = partitions.len();
    let mut of_midplane = vec![Bits::new(count); room.midplanes().len()];
    let mut of_cable = vec![Bits::new(count); room.cables().len()];
    for (index, partition) in partitions.iter().enumerate() {
        partition.midplanes().iter().for_each(|midplane| of_midplane[midplane].insert(index));
        partition.cables().iter().for_each(|cable| of_cable[cable].insert(index));
    }
    let row = |(index, partition): (usize, &Partition)| {
        let mut row = Bits::new(count);
        row.insert(index);
        partition.midplanes().iter().for_each(|midplane| row.unite(&of_midplane[midplane]));
        partition.cables().iter().for_each(|cable| row.unite(&of_cable[cable]));
        if partition.cards().is_some() {
            let disjoint = |other: &usize| !partition.shares_with(&partitions[*other]);
            let disjoint = Bits::of(count, row.iter().filter(disjoint));
            row.subtract(&disjoint);
        }
        row
    };
    partitions.iter().enumerate().map(row).collect()
}

fn switched_rows(partitions: &[Partition], room: &Room) -> Vec<Bits> {
    let count = partitions.len();
    let row = |(index, partition): (usize, &Partition)| {
        let too_large = |other: &usize| {
            *other == index
                || partition.midplane_count() + partitions[*other].midplane_count() > room.midplanes().len()
        };
        Bits::of(count, (0..count).filter(too_large))
    };
    partitions.iter().enumerate().map(row).collect()
}
