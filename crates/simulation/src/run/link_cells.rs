//! The busy cycles of links over time: a count for each link of the machine or, where there are too many, for each plane of
//! nodes and direction in which links leave it.
//!
//! ```text
//!   engine: counters of the links of each process  --gather-->  process 0: counts since the measurement began
//!   row:    the difference from the row before, packed      -->  table: a byte for each count, 255 for the largest of its row
//! ```
//!
//! Only process 0 has counts, so that a checkpoint holds them once, for any number of processes.

use crate::result::{Column, Table, all_links, busy_cycles, links_of, share, table};
use base::bytes::{packed, unpacked};
use geometry::{Direction, Shape};
use network::{LinkCounters, Parameters, Peers};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Number of rows at which pairs are merged: some 50 MB in the table, and three times that in a run, at [`MAX_LINKS`].
pub(super) const MAX_ROWS: usize = 256;

/// The most links that each have a count.
const MAX_LINKS: u64 = 200_000;

/// Bytes of a count while the run goes on: packed counts of most rows have one to three.
const BYTES_OF_COUNT: u64 = 3;

/// The things that have counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// Each link, in the order of the table `links`.
    Links,
    /// Each direction and coordinate along it: all links that leave this plane in this direction.
    Planes,
}

impl Resolution {
    /// The resolution on a machine of this shape.
    pub fn of(shape: &Shape) -> Self {
        if shape.links() <= MAX_LINKS { Resolution::Links } else { Resolution::Planes }
    }

    /// The name in the data of pictures.
    pub fn name(self) -> &'static str {
        match self {
            Resolution::Links => "links",
            Resolution::Planes => "planes",
        }
    }

    /// The number of counts.
    fn counts(self, shape: &Shape) -> u64 {
        match self {
            Resolution::Links => shape.links(),
            Resolution::Planes => shape.lengths().iter().map(|&length| 2 * u64::from(length)).sum(),
        }
    }
}

/// The most bytes of the table, and of the memory of its run with it.
pub(crate) fn link_series_bytes(shape: &Shape) -> (u64, u64) {
    let counts = Resolution::of(shape).counts(shape);
    let table = counts * MAX_ROWS as u64;
    (table, table * (BYTES_OF_COUNT + 1) + counts * size_of::<u64>() as u64)
}

/// The counts of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LinkCells(Vec<u8>);

impl LinkCells {
    fn counts(&self) -> Vec<u64> {
        if self.0.is_empty() { Vec::new() } else { unpacked(&self.0) }
    }

    /// Adds the counts of another row.
    pub fn add(&mut self, other: &LinkCells) {
        self.add_between(&[], &other.counts());
    }

    /// Adds the differences of counts; missing ones are 0.
    pub fn add_between(&mut self, base: &[u64], now: &[u64]) {
        if now.is_empty() {
            return;
        }
        let mut counts = self.counts();
        counts.resize(now.len(), 0);
        let base = base.iter().copied().chain(std::iter::repeat(0));
        for ((count, now), base) in counts.iter_mut().zip(now).zip(base) {
            *count += now - base;
        }
        self.0 = packed(&counts);
    }
}

/// The busy cycles that all links have counted, for process 0; none for the others. `own` are the counters of the
/// links of this process's `nodes`.
pub(super) fn busy_counts(
    parameters: &Parameters,
    nodes: Range<u32>,
    own: &[LinkCounters],
    peers: &Peers,
) -> Vec<u64> {
    let shape = &parameters.shape;
    let (first, ports) = (nodes.start, 2 * shape.dimensions());
    let busy = links_of(shape, nodes).map(|(node, toward)| {
        let place = (node - first) as usize * ports + toward.index();
        let LinkCounters { packets, chunks, .. } = own[place];
        (node, toward, busy_cycles(parameters, toward, packets.into(), chunks.into()))
    });
    match Resolution::of(shape) {
        Resolution::Links => peers.joined_at_first(busy.map(|(_, _, busy)| busy).collect()),
        Resolution::Planes => {
            let sums = sums_of_planes(shape, busy);
            let all = peers.gather_at_first(sums).unwrap_or_default().into_iter();
            let sum = |mut sums: Vec<u64>, more: Vec<u64>| {
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                sums
            };
            all.reduce(sum).unwrap_or_default()
        }
    }
}

/// The sums of values of links by direction and coordinate along it.
fn sums_of_planes(shape: &Shape, values: impl Iterator<Item = (u32, Direction, u64)>) -> Vec<u64> {
    let mut sums = vec![0; Resolution::Planes.counts(shape) as usize];
    let start_of = |dimension: usize| 2 * shape.lengths()[..dimension].iter().sum::<u32>() as usize;
    let starts: Vec<usize> = (0..shape.dimensions()).map(start_of).collect();
    for (node, toward, value) in values {
        let dimension = toward.dimension();
        let before = if toward.is_plus() { 0 } else { shape.length(dimension) };
        let coordinate = shape.coordinates(node)[dimension];
        sums[starts[dimension] + (before + coordinate) as usize] += value;
    }
    sums
}

/// The links behind each count that are not dead.
fn live_links(parameters: &Parameters) -> Vec<u64> {
    let shape = &parameters.shape;
    match Resolution::of(shape) {
        Resolution::Links => vec![1; shape.links() as usize],
        Resolution::Planes => {
            let is_live = |node, toward| !parameters.faults.is_dead_link(shape, node, toward);
            let live = all_links(shape).map(|(node, toward)| (node, toward, is_live(node, toward).into()));
            sums_of_planes(shape, live)
        }
    }
}

/// The counts from a cycle to another.
pub(super) struct LinkRow<'a> {
    pub start: u64,
    pub end: u64,
    pub cells: &'a LinkCells,
}

/// The table of the utilization of links in each row.
pub(super) fn link_series_table(rows: &[LinkRow<'_>], parameters: &Parameters) -> Table {
    let live = live_links(parameters);
    let mut left_over = vec![0; live.len()];
    let (full, bytes) = rows.iter().map(|row| scaled(row, &live, &mut left_over)).unzip();
    let columns = vec![
        ("start_cycle", Column::U64(rows.iter().map(|row| row.start).collect())),
        ("end_cycle", Column::U64(rows.iter().map(|row| row.end).collect())),
        ("full", Column::F64(full)),
        ("bytes", Column::Bytes(bytes)),
    ];
    table("link_series", columns)
}

/// The largest utilization of a row, and that of each count in units of a 255th of it. A packet is counted in the cycle in
/// which it begins to cross a link. So a link may have more busy cycles than the row, which are `left_over` for the next one.
fn scaled(row: &LinkRow<'_>, live: &[u64], left_over: &mut [u64]) -> (f64, Vec<u8>) {
    let mut counts = row.cells.counts();
    counts.resize(live.len(), 0);
    let utilization = |((counted, left_over), links): ((u64, &mut u64), &u64)| {
        let (busy, most) = (counted + *left_over, links * (row.end - row.start));
        *left_over = busy.saturating_sub(most);
        share(busy as f64, most as f64).unwrap_or(0.0)
    };
    let shares: Vec<f64> = counts.into_iter().zip(left_over).zip(live).map(utilization).collect();
    let full = shares.iter().copied().fold(0.0, f64::max);
    let byte = |&share: &f64| if full > 0.0 { (255.0 * share / full).round() as u8 } else { 0 };
    (full, shares.iter().map(byte).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_row_add_up() {
        let mut cells = LinkCells::default();
        cells.add_between(&[], &[1, 0, 300]);
        cells.add_between(&[1, 0, 300], &[2, 7, 1 << 40]);
        let mut all = LinkCells::default();
        all.add(&cells);
        all.add(&LinkCells::default());
        assert_eq!(all.counts(), [2, 7, 1 << 40]);
    }

    #[test]
    fn a_byte_is_within_half_a_255th_of_the_largest() {
        let mut cells = LinkCells::default();
        cells.add_between(&[], &[0, 1, 250, 499, 500, 2_000]);
        let row = LinkRow { start: 0, end: 1_000, cells: &cells };
        let mut left_over = [0; 6];
        let (full, bytes) = scaled(&row, &[1; 6], &mut left_over);
        assert_eq!((full, left_over[5]), (1.0, 1_000));
        for (byte, expected) in bytes.iter().zip([0.0, 0.001, 0.25, 0.499, 0.5, 1.0]) {
            assert!((f64::from(*byte) / 255.0 * full - expected).abs() <= 0.5 / 255.0);
        }
    }

    #[test]
    fn planes_have_all_links() {
        for (lengths, wraps) in [(&[4, 3, 2][..], &[true, true, true][..]), (&[5, 4], &[false, true])] {
            let shape = Shape::new(lengths, wraps).unwrap();
            let sums = sums_of_planes(&shape, all_links(&shape).map(|(node, toward)| (node, toward, 1)));
            assert_eq!(sums.len() as u64, Resolution::Planes.counts(&shape));
            assert_eq!(sums.iter().sum::<u64>(), shape.links());
        }
    }
}
