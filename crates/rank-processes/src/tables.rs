//! Collectives in progress: what each rank has called, which must suit, and the tables of their data.

use mpi::Lengths;
use rank_wire::{Collective, SimulatorSide, Table};
use rustc_hash::FxHashMap;

/// A collective: the id of its communicator, the first member as a rank of the machine (groups of one split share an
/// id), and its number among those of the communicator.
pub(crate) type Key = (u32, u32, u32);

/// The part of a call that is the same at all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    pub collective: Collective,
    pub root: Option<u32>,
    pub bytes: u64,
    pub operation: u64,
}

/// The predefined operations, by their numbers in MPI's standard binary interface.
const OPERATIONS: [(u64, &str); 14] = [
    (0x21, "MPI_SUM"),
    (0x22, "MPI_MIN"),
    (0x23, "MPI_MAX"),
    (0x24, "MPI_PROD"),
    (0x28, "MPI_BAND"),
    (0x29, "MPI_BOR"),
    (0x2a, "MPI_BXOR"),
    (0x30, "MPI_LAND"),
    (0x31, "MPI_LOR"),
    (0x32, "MPI_LXOR"),
    (0x38, "MPI_MINLOC"),
    (0x39, "MPI_MAXLOC"),
    (0x3c, "MPI_REPLACE"),
    (0x3d, "MPI_NO_OP"),
];

impl Called {
    fn words(&self) -> String {
        let mut words = format!("MPI_{:?}", self.collective);
        let mut add = |text: String| {
            words.push_str(if words.contains('(') { ", " } else { " (" });
            words.push_str(&text);
        };
        if let Some(root) = self.root {
            add(format!("root {root}"));
        }
        if self.bytes > 0 {
            add(format!("{} bytes", self.bytes));
        }
        if self.operation > 0 {
            let named = OPERATIONS.iter().find(|(number, _)| *number == self.operation);
            add(named
                .map_or_else(|| format!("operation {:#x}", self.operation), |(_, name)| String::from(*name)));
        }
        if words.contains('(') { words + ")" } else { words }
    }
}

/// A rank's part in a collective.
#[derive(Clone, Debug)]
pub(crate) struct Entering {
    pub called: Called,
    /// The rank in the communicator, and their number.
    pub rank: u32,
    pub size: u32,
    /// The block that the rank contributes; 0 without one.
    pub offset: u64,
    pub lengths: Vec<Lengths>,
}

#[derive(Debug)]
struct InProgress {
    called: Called,
    /// The rank, in the communicator, that called first.
    first: u32,
    table: Table,
    size: u32,
    ended: u32,
    /// The lists of lengths of the ranks that have called, if the collective has any.
    lengths: Vec<(u32, Vec<Lengths>)>,
}

/// The collectives in progress.
#[derive(Debug, Default)]
pub(crate) struct Tables(FxHashMap<Key, InProgress>);

impl Tables {
    /// Enters a rank into a collective.
    ///
    /// # Errors
    /// If other ranks have called something else, in words.
    pub fn enter(&mut self, key: Key, part: Entering, side: &mut SimulatorSide) -> Result<(), String> {
        let Entering { called, rank, size, offset, lengths } = part;
        let full = "no shared memory is left for collectives";
        let entry = match self.0.entry(key) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let table = Table::create(side, size).ok_or(full)?;
                entry.insert(InProgress { called, first: rank, table, size, ended: 0, lengths: Vec::new() })
            }
        };
        if entry.called != called {
            let (own, other, first) = (called.words(), entry.called.words(), entry.first);
            return Err(format!("called {own}, where rank {first} of the communicator called {other}"));
        }
        entry.table.contribute(side.memory(), rank, offset);
        if !lengths.is_empty() {
            entry.lengths.push((rank, lengths));
            if entry.lengths.len() as u32 == size {
                check_lengths(&called, std::mem::take(&mut entry.lengths))?;
            }
        }
        Ok(())
    }

    /// The table of a collective, which a rank reads and releases.
    pub fn table(&self, key: Key) -> u64 {
        self.0.get(&key).map_or(0, |entry| entry.table.0)
    }

    /// Ends the part of a rank. Its table is released here, unless the rank reads it.
    pub fn end(&mut self, key: Key, is_read: bool, side: &SimulatorSide) {
        let Some(entry) = self.0.get_mut(&key) else { return };
        if !is_read {
            entry.table.release(side.memory());
        }
        entry.ended += 1;
        if entry.ended == entry.size {
            self.0.remove(&key);
        }
    }
}

/// Compares what ranks send with what others receive.
fn check_lengths(called: &Called, mut lengths: Vec<(u32, Vec<Lengths>)>) -> Result<(), String> {
    lengths.sort_unstable_by_key(|(rank, _)| *rank);
    let lists: Vec<Vec<Lengths>> = lengths.into_iter().map(|(_, lists)| lists).collect();
    let of = |rank: u32, list: usize, place: u32| lists[rank as usize][list].of(place);
    let size = lists.len() as u32;
    let others = |root: u32| (0..size).filter(move |rank| *rank != root);
    let name = format!("MPI_{:?}", called.collective);
    let compare = |from: u32, sent: u64, to: u32, received: u64| match sent == received {
        true => Ok(()),
        false => Err(format!(
            "failed in {name}: rank {from} of the communicator sends {sent} bytes to rank {to}, which receives {received}"
        )),
    };
    match (called.collective, called.root) {
        (Collective::Gatherv, Some(root)) => {
            others(root).try_for_each(|rank| compare(rank, of(rank, 0, 0), root, of(root, 0, rank)))
        }
        (Collective::Scatterv, Some(root)) => {
            others(root).try_for_each(|rank| compare(root, of(root, 0, rank), rank, of(rank, 0, 0)))
        }
        (Collective::Alltoallv | Collective::Alltoallw, _) => {
            let mut pairs = (0..size).flat_map(|from| (0..size).map(move |to| (from, to)));
            pairs.try_for_each(|(from, to)| compare(from, of(from, 0, to), to, of(to, 1, from)))
        }
        _ => check_blocks(&name, &lists),
    }
}

/// Compares the lengths that all ranks have of the same blocks.
fn check_blocks(name: &str, lists: &[Vec<Lengths>]) -> Result<(), String> {
    for (rank, list) in lists.iter().enumerate().skip(1) {
        for place in 0..lists.len() as u32 {
            let (first, own) = (lists[0][0].of(place), list[0].of(place));
            if first != own {
                return Err(format!(
                    "failed in {name}: the block of rank {place} has {first} bytes at rank 0 of the communicator, and {own} \
                     at rank {rank}"
                ));
            }
        }
    }
    Ok(())
}
