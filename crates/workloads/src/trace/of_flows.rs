//! Flows that wait for one another, as graphs of operations of their ranks.
//!
//! ```text
//!   rank r:   sends and receives of phase 0  -->  (join)  -->  those of its next phase  -->  ...
//!             what row g sends or brings     -->  the send of a row that comes after g
//! ```

use crate::targets::flow_table::FlowTable;
use mpi::{ReceiveFrom, SendTo};
use std::collections::HashMap;
use traces::{Edge, Part, RankGraph, Trace, Until, Work};

/// The operation of a rank for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Operation {
    phase: u32,
    row: u32,
    sends: bool,
}

/// The program in which `ranks` ranks send the flows of a table.
///
/// # Errors
/// A row that waits for itself.
pub fn of_flows(table: &FlowTable, ranks: u32) -> Result<Trace, u32> {
    let mut operations: Vec<Vec<Operation>> = vec![Vec::new(); ranks as usize];
    for row in 0..table.rows() as u32 {
        let phase = table.phase.get(row as usize).copied().unwrap_or(0);
        let of = |sends| Operation { phase, row, sends };
        operations[table.source[row as usize] as usize].push(of(true));
        operations[table.target[row as usize] as usize].push(of(false));
    }
    let parts = operations.into_iter().map(|own| graph(table, own).map(Part::Graph));
    Ok(Trace::new(parts.collect::<Result<_, u32>>()?))
}

/// The graph of a rank with the given operations.
fn graph(table: &FlowTable, mut own: Vec<Operation>) -> Result<RankGraph, u32> {
    own.sort_unstable();
    let (mut works, mut rows, mut edges): (Vec<Work>, Vec<u32>, Vec<Edge>) = Default::default();
    let mut places = HashMap::new();
    let mut earlier = 0..0;
    for together in own.chunk_by(|a, b| a.phase == b.phase) {
        let join = works.len() as u32;
        if !earlier.is_empty() {
            works.push(Work::Compute(0));
            rows.push(together[0].row);
            edges.extend(earlier.map(|before| (before, join, Until::Ended)));
        }
        let first = works.len() as u32;
        for &operation in together {
            places.insert((operation.row, operation.sends), works.len() as u32);
            works.push(work(table, operation));
            rows.push(operation.row);
        }
        earlier = first..works.len() as u32;
        if first > join {
            edges.extend(earlier.clone().map(|after| (join, after, Until::Ended)));
        }
    }
    for (&(row, sends), &place) in &places {
        for &before in table.after.get(row as usize).into_iter().flatten().filter(|_| sends) {
            // A receive has ended when its data have arrived, a send when its data have been written.
            let before = places.get(&(before, false)).or_else(|| places.get(&(before, true)));
            edges.extend(before.map(|&before| (before, place, Until::Ended)));
        }
    }
    edges.sort_unstable_by_key(|&(before, after, _)| (before, after));
    RankGraph::new(works, &edges).map_err(|work| rows[work as usize])
}

fn work(table: &FlowTable, Operation { row, sends, .. }: Operation) -> Work {
    let place = row as usize;
    match sends {
        true => Work::Send(SendTo::new(table.target[place], row, table.bytes[place])),
        false => Work::Receive(ReceiveFrom::new(Some(table.source[place]), Some(row))),
    }
}
