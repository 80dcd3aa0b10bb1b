//! A destination matrix that a user gives: weights for the frequency with which each node sends to each other.
//!
//! ```text
//!   matrix    0 2 1       node 0 sends two packets of three to node 1, one to node 2
//!             0 0 0       node 1 sends nothing
//!             5 0 0       node 2 sends all to node 0
//! ```
//!
//! Targets are drawn from each row separately, in constant time, by the alias method (Walker 1977, Vose 1991). A
//! place of the row is drawn evenly, then its target or the other target that fills its column. Memory is that of
//! the weights above 0.

use crate::targets::flow_table::FlowFault;
use base::draws::{Share, pick};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of parts for weights that are not multiples of each other.
const PARTS: u64 = 1 << 40;

/// Weights by columns of equal length; pairs that are not listed have none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeightColumns {
    /// The nodes that send.
    pub source: Vec<u32>,
    /// The nodes that receive.
    pub target: Vec<u32>,
    /// The frequency, in proportion to the other weights of the source.
    pub weight: Vec<f64>,
}

/// Weights that have been checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightTable {
    /// The place at which the entries of each node begin.
    firsts: Vec<usize>,
    /// Targets of each node, ascending, with weights above 0.
    entries: Vec<(u32, f64)>,
}

impl WeightTable {
    /// The weights of a square matrix of `nodes` rows.
    ///
    /// # Errors
    /// The first row or value that is wrong.
    pub fn of_matrix(matrix: &[Vec<f64>], nodes: u32) -> Result<Self, FlowFault> {
        let nodes = nodes as usize;
        if matrix.len() != nodes {
            let problem = format!("{} rows, but the machine has {nodes} nodes: a row for each", matrix.len());
            return Err(FlowFault::of_column("0", problem));
        }
        let mut table = WeightTable { firsts: vec![0], entries: Vec::new() };
        for (source, row) in matrix.iter().enumerate() {
            if row.len() != nodes {
                let problem = format!("{} values, but there are {nodes} nodes: one for each", row.len());
                return Err(FlowFault::new(source, row.len().min(nodes).to_string(), problem));
            }
            for (target, &weight) in row.iter().enumerate() {
                check(source, &target.to_string(), (source as u32, target as u32), weight)?;
                if weight > 0.0 {
                    table.entries.push((target as u32, weight));
                }
            }
            table.firsts.push(table.entries.len());
        }
        table.finished("0")
    }

    /// The weights of a list of pairs of `nodes` nodes. If a pair is listed more than once, its weights are added.
    ///
    /// # Errors
    /// The first column or value that is wrong.
    pub fn of_columns(columns: &WeightColumns, nodes: u32) -> Result<Self, FlowFault> {
        let WeightColumns { source, target, weight } = columns;
        for (name, length) in [("target", target.len()), ("weight", weight.len())] {
            if length != source.len() {
                let problem = format!("{length} values, but source has {}", source.len());
                return Err(FlowFault::of_column(name, problem));
            }
        }
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); nodes as usize];
        for (row, ((&source, &target), &weight)) in source.iter().zip(target).zip(weight).enumerate() {
            for (name, node) in [("source", source), ("target", target)] {
                if node >= nodes {
                    let problem = format!("there is no node {node}: from 0 to {}", nodes - 1);
                    return Err(FlowFault::new(row, name, problem));
                }
            }
            check(row, "weight", (source, target), weight)?;
            if weight > 0.0 {
                rows[source as usize].push((target, weight));
            }
        }
        let mut table = WeightTable { firsts: vec![0], entries: Vec::new() };
        for mut row in rows {
            row.sort_by_key(|&(target, _)| target);
            for (target, weight) in row {
                match table.entries[table.firsts[table.firsts.len() - 1]..].last_mut() {
                    Some(last) if last.0 == target => last.1 += weight,
                    _ => table.entries.push((target, weight)),
                }
            }
            table.firsts.push(table.entries.len());
        }
        table.finished("weight")
    }

    fn finished(self, column: &str) -> Result<Self, FlowFault> {
        let sum_is_finite = |node| self.of_node(node).iter().map(|entry| entry.1).sum::<f64>().is_finite();
        match (0..self.nodes()).find(|&node| !sum_is_finite(node)) {
            _ if self.entries.is_empty() => {
                Err(FlowFault::of_column(column, "nothing is sent: at least one weight has to be above 0"))
            }
            Some(node) => Err(FlowFault::of_column(
                column,
                format!("the sum of node {node} is too large: scale it down"),
            )),
            None => Ok(self),
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.firsts.len() as u32 - 1
    }

    /// The targets of a node, ascending, with their weights.
    pub(crate) fn of_node(&self, node: u32) -> &[(u32, f64)] {
        &self.entries[self.firsts[node as usize]..self.firsts[node as usize + 1]]
    }

    /// These weights without missing targets.
    pub(crate) fn without(&self, is_missing: impl Fn(u32) -> bool) -> Self {
        let mut kept = WeightTable { firsts: vec![0], entries: Vec::new() };
        for node in 0..self.nodes() {
            let targets = if is_missing(node) { &[] } else { self.of_node(node) };
            kept.entries.extend(targets.iter().filter(|(target, _)| !is_missing(*target)));
            kept.firsts.push(kept.entries.len());
        }
        kept
    }

    /// Nodes that send.
    pub(crate) fn senders(&self) -> impl Iterator<Item = u32> {
        (0..self.nodes()).filter(|&node| !self.of_node(node).is_empty())
    }

    /// The parts of a node's packets for each target, out of `parts()`. They are exact where all weights are whole
    /// numbers and nodes that send have one sum.
    pub(crate) fn parts_of(&self, node: u32) -> impl Iterator<Item = (u32, u64)> {
        let parts = self.parts() as f64;
        let sum: f64 = self.of_node(node).iter().map(|entry| entry.1).sum();
        self.of_node(node)
            .iter()
            .map(move |&(target, weight)| (target, (weight / sum * parts).round() as u64))
    }

    /// The number of parts into which a node's packets are divided.
    pub(crate) fn parts(&self) -> u64 {
        let sum = |node: u32| self.of_node(node).iter().map(|entry| entry.1).sum::<f64>();
        let first = self.senders().next().map_or(0.0, sum);
        let is_whole = self.entries.iter().all(|entry| entry.1.fract() == 0.0) && first <= PARTS as f64;
        if is_whole && self.senders().all(|node| sum(node) == first) { first as u64 } else { PARTS }
    }

    /// The tables from which targets are drawn.
    pub(crate) fn drawn(&self) -> DrawnTargets {
        let mut columns = Vec::with_capacity(self.entries.len());
        (0..self.nodes()).for_each(|node| columns.extend(columns_of(self.of_node(node))));
        DrawnTargets { firsts: self.firsts.clone(), columns }
    }
}

fn check(row: usize, column: &str, (source, target): (u32, u32), weight: f64) -> Result<(), FlowFault> {
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(FlowFault::new(row, column, format!("{weight} is not a weight of 0 or more")));
    }
    if source == target && weight > 0.0 {
        let problem =
            format!("node {source} would send to itself, for which there is no network: 0 is needed");
        return Err(FlowFault::new(row, column, problem));
    }
    Ok(())
}

/// A column of an alias table: a target, and another one above it.
#[derive(Clone, Copy, Debug)]
struct Column {
    target: u32,
    other: u32,
    /// The share of the first.
    share: Share,
}

/// The alias tables of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct DrawnTargets {
    firsts: Vec<usize>,
    columns: Vec<Column>,
}

impl DrawnTargets {
    /// The target that 64 random bits choose; none for a node that sends nothing.
    pub(crate) fn target(&self, node: u32, bits: u64) -> Option<u32> {
        let columns = &self.columns[self.firsts[node as usize]..self.firsts[node as usize + 1]];
        if columns.is_empty() {
            return None;
        }
        let Column { target, other, share } =
            columns[pick((bits >> 32) as u32, columns.len() as u32) as usize];
        Some(if share.contains(bits as u32) { target } else { other })
    }
}

/// The columns of a node, of equal width. If a target has less than the mean, another that has more fills its
/// column.
fn columns_of(entries: &[(u32, f64)]) -> Vec<Column> {
    let mean = entries.iter().map(|entry| entry.1).sum::<f64>() / entries.len() as f64;
    let mut left: Vec<f64> = entries.iter().map(|entry| entry.1 / mean).collect();
    let whole = |&(target, _): &(u32, f64)| Column { target, other: target, share: Share::new(1.0) };
    let mut columns: Vec<Column> = entries.iter().map(whole).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..entries.len()).partition(|&place| left[place] < 1.0);
    while let (Some(lacks), Some(&has)) = (small.pop(), large.last()) {
        columns[lacks].other = entries[has].0;
        columns[lacks].share = Share::new(left[lacks]);
        left[has] -= 1.0 - left[lacks];
        if left[has] < 1.0 {
            large.pop();
            small.push(has);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(matrix: &[Vec<f64>]) -> String {
        let FlowFault { row, column, problem } = WeightTable::of_matrix(matrix, 2).unwrap_err();
        format!("{row:?} {column}: {problem}")
    }

    #[test]
    fn faults_name_row_and_column() {
        let row = |a: f64, b: f64| vec![a, b];
        for (matrix, expected) in [
            (vec![row(0.0, 1.0)], "None 0: 1 rows, but the machine has 2 nodes"),
            (vec![row(0.0, 1.0), vec![1.0]], "Some(1) 1: 1 values"),
            (vec![row(0.0, 1.0), row(-1.0, 0.0)], "Some(1) 0: -1 is not a weight"),
            (vec![row(0.0, f64::NAN), row(1.0, 0.0)], "Some(0) 1: NaN is not a weight"),
            (vec![row(0.0, 1.0), row(1.0, 3.0)], "Some(1) 1: node 1 would send to itself"),
            (vec![row(0.0, 0.0), row(0.0, 0.0)], "None 0: nothing is sent"),
        ] {
            let found = fault(&matrix);
            assert!(found.starts_with(expected), "{found}");
        }
    }

    proptest! {
        /// Each target has its share of all draws, within the resolution of 32 bits. A list of pairs equals its
        /// matrix.
        #[test]
        fn shares_are_those_of_the_weights(
            weights in prop::collection::vec(prop::collection::vec(prop_oneof![Just(0.0), 0.0f64..1.0, 1.0f64..1e6], 6), 6),
        ) {
            let mut matrix = weights;
            (0..6).for_each(|node| matrix[node][node] = 0.0);
            prop_assume!(matrix.iter().flatten().any(|&weight| weight > 0.0));
            let table = WeightTable::of_matrix(&matrix, 6).unwrap();
            let mut columns = WeightColumns::default();
            for (source, target) in (0..36).map(|pair| (pair / 6, pair % 6)) {
                columns.source.push(source);
                columns.target.push(target);
                columns.weight.push(matrix[source as usize][target as usize]);
            }
            prop_assert_eq!(&WeightTable::of_columns(&columns, 6).unwrap(), &table);
            let drawn = table.drawn();
            for node in 0..6 {
                let entries = table.of_node(node);
                let sum: f64 = entries.iter().map(|entry| entry.1).sum();
                let columns = &drawn.columns[drawn.firsts[node as usize]..drawn.firsts[node as usize + 1]];
                for &(target, weight) in entries {
                    let of_column = |column: &Column| {
                        let share = column.share.probability();
                        share * f64::from(u8::from(column.target == target))
                            + (1.0 - share) * f64::from(u8::from(column.other == target))
                    };
                    let found = columns.iter().map(of_column).sum::<f64>() / columns.len() as f64;
                    prop_assert!((found - weight / sum).abs() < 1e-8, "{found} of {weight}");
                }
                prop_assert_eq!(drawn.target(node, 7 << 32).is_none(), entries.is_empty());
            }
        }
    }
}
