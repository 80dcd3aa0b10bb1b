//! Flows that a user lists: the bytes from each source to each target, the start of each flow, and the flows that
//! it waits for.
//!
//! ```text
//!   row   source target bytes   start_cycles        phase                        after
//!   0     0      1      4096    from this cycle     once the rank's own sends    once these rows have ended
//!   1     1      2      4096    on                  and receives of the phases   at the source
//!                                                   before have ended
//! ```
//!
//! Sources and targets are ranks. Columns that are not given are empty.

use crate::error::WorkloadError;
use base::time::LATEST_CYCLE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More rows than in any table that fits in memory with the packets it describes. Row numbers are 32 bits wide.
const MAX_ROWS: usize = 1 << 30;

/// The longest flow: more than any network carries in a run.
const MAX_BYTES: f64 = (1u64 << 50) as f64;

/// The flows that a flow waits for: one or several rows, or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "after is a row, a list of rows, or null")]
pub enum After {
    /// This row.
    Row(u32),
    /// These rows.
    Rows(Vec<u32>),
    /// None.
    Nothing(()),
}

impl After {
    fn rows(&self) -> Vec<u32> {
        match self {
            After::Row(row) => vec![*row],
            After::Rows(rows) => rows.clone(),
            After::Nothing(()) => Vec::new(),
        }
    }
}

/// A table of flows, by columns of equal length. Bytes and times may be written as 4096.0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowColumns {
    /// The ranks that send.
    pub source: Vec<u32>,
    /// The ranks that receive.
    pub target: Vec<u32>,
    /// Bytes of each flow.
    pub bytes: Vec<f64>,
    /// The cycles at which flows begin. Default: all at 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start_cycles: Vec<f64>,
    /// The times at which flows begin, in nanoseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start_ns: Vec<f64>,
    /// The phases of flows: a rank begins those of a phase when all that it sends and receives in earlier phases
    /// has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phase: Vec<u32>,
    /// The rows, counted from 0, that must end at the source before the flow begins: one, a list or null.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<After>,
}

/// The fault of a table of flows, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowFault {
    /// The row, counted from 0; in a matrix the row of the source.
    pub row: Option<usize>,
    /// The column: its heading, or its number in a matrix.
    pub column: String,
    /// The fault, and what is expected.
    pub problem: String,
}

impl FlowFault {
    /// A fault of a value.
    pub fn new(row: usize, column: impl Into<String>, problem: impl Into<String>) -> Self {
        FlowFault { row: Some(row), column: column.into(), problem: problem.into() }
    }

    /// A fault of a whole column.
    pub fn of_column(column: impl Into<String>, problem: impl Into<String>) -> Self {
        FlowFault { row: None, column: column.into(), problem: problem.into() }
    }

    /// The fault as an error of the parameter `key` of a workload.
    pub(crate) fn of_key(self, key: &str) -> WorkloadError {
        let place = match self.row {
            Some(row) if key == "matrix" => format!("matrix[{row}][{}]", self.column),
            Some(row) => format!("{key}.{}[{row}]", self.column),
            None => key.to_owned(),
        };
        WorkloadError { key: place, message: self.problem }
    }
}

/// Flows that have been checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTable {
    ranks: u32,
    pub(crate) source: Vec<u32>,
    pub(crate) target: Vec<u32>,
    pub(crate) bytes: Vec<u64>,
    /// The cycle at which each flow begins; empty if all begin at cycle 0.
    pub(crate) start: Vec<u64>,
    /// The phase of each flow; empty if no flow has one.
    pub(crate) phase: Vec<u32>,
    /// The rows that each flow waits for; empty if no flow waits for another.
    pub(crate) after: Vec<Vec<u32>>,
    /// The rows in order of their sources, and the place at which those of each rank begin.
    by_source: Vec<u32>,
    firsts: Vec<u32>,
}

impl FlowTable {
    /// The flows of a table, whose ranks are below `max_ranks`; there are `cycles_per_ns` cycles in a nanosecond.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn of_columns(columns: &FlowColumns, max_ranks: u32, cycles_per_ns: f64) -> Result<Self, FlowFault> {
        check_lengths(columns)?;
        let rows = columns.source.len();
        let mut table = FlowTable::default();
        for row in 0..rows {
            table.source.push(rank(row, "source", columns.source[row], max_ranks)?);
            table.target.push(rank(row, "target", columns.target[row], max_ranks)?);
            table.bytes.push(whole_bytes(row, "bytes", columns.bytes[row])?);
        }
        table.start = starts(columns, cycles_per_ns)?;
        table.phase.clone_from(&columns.phase);
        table.after = columns.after.iter().map(After::rows).collect();
        table.check_waits(&columns.start_cycles, &columns.start_ns)?;
        table.finish()
    }

    /// The flows of a square matrix: in row `s` and column `t` the bytes that rank `s` sends to rank `t`.
    ///
    /// # Errors
    /// A matrix that is not square, has more rows than `max_ranks`, or has a value that is no number of bytes.
    pub fn of_matrix(matrix: &[Vec<f64>], max_ranks: u32) -> Result<Self, FlowFault> {
        let ranks = matrix.len();
        if ranks > max_ranks as usize {
            let problem = format!("{ranks} rows, but the machine has room for {max_ranks} ranks");
            return Err(FlowFault::new(max_ranks as usize, "0", problem));
        }
        let mut table = FlowTable { ranks: ranks as u32, ..FlowTable::default() };
        for (source, row) in matrix.iter().enumerate() {
            if row.len() != ranks {
                let problem = format!(
                    "{} values, but there are {ranks} rows: a matrix of flows is square, with a row for each source and a \
                     column for each target",
                    row.len()
                );
                return Err(FlowFault::new(source, row.len().min(ranks).to_string(), problem));
            }
            for (target, &value) in row.iter().enumerate() {
                let bytes = whole_bytes(source, &target.to_string(), value)?;
                if bytes > 0 {
                    table.source.push(source as u32);
                    table.target.push(target as u32);
                    table.bytes.push(bytes);
                }
            }
        }
        table.finish()
    }

    fn check_waits(&self, start_cycles: &[f64], start_ns: &[f64]) -> Result<(), FlowFault> {
        let has_start = !start_cycles.is_empty() || !start_ns.is_empty();
        if has_start && self.has_dependencies() {
            let column = if start_cycles.is_empty() { "start_ns" } else { "start_cycles" };
            let problem = "a flow begins at a time, or once others have ended: a table with phase or after has no start";
            return Err(FlowFault::of_column(column, problem));
        }
        for (row, before) in self.after.iter().enumerate() {
            before.iter().try_for_each(|&before| self.check_wait(row, before))?;
        }
        match self.first_in_a_circle() {
            Some(row) => Err(FlowFault::new(row, "after", "waits for itself, through others perhaps")),
            None => Ok(()),
        }
    }

    /// A flow waits at its source, where the other has to begin or end.
    fn check_wait(&self, row: usize, before: u32) -> Result<(), FlowFault> {
        let Some((&from, &to)) = self.source.get(before as usize).zip(self.target.get(before as usize))
        else {
            let problem = format!("{before}: rows are counted from 0 to {}", self.source.len() - 1);
            return Err(FlowFault::new(row, "after", problem));
        };
        let source = self.source[row];
        if [from, to].contains(&source) {
            return Ok(());
        }
        let problem = format!(
            "row {before} goes from {from} to {to}, so that rank {source} does not know when it has ended: a flow \
             waits for those that its own source sends or receives"
        );
        Err(FlowFault::new(row, "after", problem))
    }

    fn first_in_a_circle(&self) -> Option<usize> {
        let mut waits_for: Vec<usize> = self.after.iter().map(Vec::len).collect();
        let mut successors = vec![Vec::new(); self.after.len()];
        for (row, before) in self.after.iter().enumerate() {
            before.iter().for_each(|&before| successors[before as usize].push(row));
        }
        let mut free: Vec<usize> = (0..waits_for.len()).filter(|&row| waits_for[row] == 0).collect();
        while let Some(row) = free.pop() {
            for &after in &successors[row] {
                waits_for[after] -= 1;
                if waits_for[after] == 0 {
                    free.push(after);
                }
            }
        }
        waits_for.iter().position(|&left| left > 0)
    }

    fn finish(mut self) -> Result<Self, FlowFault> {
        let highest = self.source.iter().chain(&self.target).max();
        let Some(highest) = highest.filter(|_| self.bytes.iter().any(|&bytes| bytes > 0)) else {
            return Err(FlowFault::of_column("bytes", "nothing is sent: at least one flow needs a byte"));
        };
        self.ranks = self.ranks.max(highest + 1);
        self.by_source = (0..self.source.len() as u32).collect();
        self.by_source.sort_by_key(|&row| self.source[row as usize]);
        let mut counts = vec![0u32; self.ranks as usize + 1];
        self.source.iter().for_each(|&source| counts[source as usize + 1] += 1);
        self.firsts = counts
            .into_iter()
            .scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            })
            .collect();
        Ok(self)
    }

    /// Number of ranks, up to the highest that is named.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Number of flows.
    pub fn rows(&self) -> usize {
        self.source.len()
    }

    /// Whether a flow begins later than at cycle 0.
    pub fn has_starts(&self) -> bool {
        self.start.iter().any(|&start| start > 0)
    }

    /// Whether flows wait for others, so that only ranks can send them.
    pub fn has_dependencies(&self) -> bool {
        !self.phase.is_empty() || !self.after.is_empty()
    }

    /// The rows with this source.
    pub(crate) fn of_source(&self, source: u32) -> &[u32] {
        &self.by_source[self.firsts[source as usize] as usize..self.firsts[source as usize + 1] as usize]
    }

    /// The cycle from which a row is sent.
    pub(crate) fn start(&self, row: u32) -> u64 {
        self.start.get(row as usize).copied().unwrap_or(0)
    }
}

fn check_lengths(columns: &FlowColumns) -> Result<(), FlowFault> {
    let rows = columns.source.len();
    let lengths = [
        ("target", columns.target.len()),
        ("bytes", columns.bytes.len()),
        ("start_cycles", columns.start_cycles.len()),
        ("start_ns", columns.start_ns.len()),
        ("phase", columns.phase.len()),
        ("after", columns.after.len()),
    ];
    let is_optional = |index: usize| index >= 2;
    let wrong = lengths
        .iter()
        .enumerate()
        .find(|(index, (_, length))| *length != rows && !(is_optional(*index) && *length == 0));
    if let Some((_, (column, length))) = wrong {
        return Err(FlowFault::of_column(*column, format!("{length} values, but source has {rows}")));
    }
    if !columns.start_cycles.is_empty() && !columns.start_ns.is_empty() {
        let problem = "start_cycles says already when flows begin: only one of both can be given";
        return Err(FlowFault::of_column("start_ns", problem));
    }
    match rows {
        0 => Err(FlowFault::of_column("source", "there are no flows: at least one is needed")),
        rows if rows > MAX_ROWS => {
            Err(FlowFault::of_column("source", format!("{rows} flows: at most {MAX_ROWS}")))
        }
        _ => Ok(()),
    }
}

fn rank(row: usize, column: &str, rank: u32, max_ranks: u32) -> Result<u32, FlowFault> {
    if rank < max_ranks {
        return Ok(rank);
    }
    let problem = format!(
        "there is no rank {rank}: the machine has room for {max_ranks}, numbered from 0 to {}",
        max_ranks.saturating_sub(1)
    );
    Err(FlowFault::new(row, column, problem))
}

fn whole_bytes(row: usize, column: &str, bytes: f64) -> Result<u64, FlowFault> {
    if (0.0..=MAX_BYTES).contains(&bytes) && bytes.fract() == 0.0 {
        return Ok(bytes as u64);
    }
    let problem = format!("{bytes} is not a whole number of bytes from 0 to 2^50");
    Err(FlowFault::new(row, column, problem))
}

fn starts(columns: &FlowColumns, cycles_per_ns: f64) -> Result<Vec<u64>, FlowFault> {
    let (column, values, scale) = match columns.start_ns.is_empty() {
        true => ("start_cycles", &columns.start_cycles, 1.0),
        false => ("start_ns", &columns.start_ns, cycles_per_ns),
    };
    let cycle = |(row, &value): (usize, &f64)| {
        let cycles = (value * scale).round();
        if value >= 0.0 && cycles < LATEST_CYCLE as f64 {
            return Ok(cycles as u64);
        }
        let latest = LATEST_CYCLE as f64 / scale;
        Err(FlowFault::new(row, column, format!("{value} is not a time from 0 on and below {latest:.3e}")))
    };
    values.iter().enumerate().map(cycle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(flows: &[(u32, u32, f64)]) -> FlowColumns {
        FlowColumns {
            source: flows.iter().map(|flow| flow.0).collect(),
            target: flows.iter().map(|flow| flow.1).collect(),
            bytes: flows.iter().map(|flow| flow.2).collect(),
            ..FlowColumns::default()
        }
    }

    fn fault(columns: &FlowColumns) -> String {
        let FlowFault { row, column, problem } = FlowTable::of_columns(columns, 4, 0.175).unwrap_err();
        format!("{row:?} {column}: {problem}")
    }

    #[test]
    fn a_matrix_is_the_table_of_its_values() {
        let matrix = [vec![0.0, 8.0], vec![3.0, 0.0]];
        let table = FlowTable::of_columns(&columns(&[(0, 1, 8.0), (1, 0, 3.0)]), 2, 1.0);
        assert_eq!(FlowTable::of_matrix(&matrix, 2), table);
    }

    #[test]
    fn faults_name_row_and_column() {
        let flows = [(0, 1, 10.0), (1, 2, 20.0), (3, 0, 5.0)];
        let good = columns(&flows);
        assert!(FlowTable::of_columns(&good, 4, 1.0).is_ok());
        let with = |change: fn(&mut FlowColumns)| {
            let mut columns = good.clone();
            change(&mut columns);
            fault(&columns)
        };
        type Change = fn(&mut FlowColumns);
        let wrong: [(Change, &str); 8] = [
            (|c| c.source[1] = 9, "Some(1) source: there is no rank 9"),
            (|c| c.bytes[2] = 0.5, "Some(2) bytes: 0.5 is not a whole number"),
            (|c| c.bytes.truncate(2), "None bytes: 2 values, but source has 3"),
            (|c| c.start_ns = vec![0.0, -1.0, 0.0], "Some(1) start_ns: -1 is not a time"),
            (
                |c| c.after = vec![After::Nothing(()), After::Row(7), After::Nothing(())],
                "Some(1) after: 7: rows",
            ),
            (
                |c| c.after = vec![After::Nothing(()), After::Nothing(()), After::Row(0)],
                "Some(2) after: row 0 goes from 0 to 1",
            ),
            (
                |c| c.after = vec![After::Row(0), After::Nothing(()), After::Nothing(())],
                "Some(0) after: waits for itself",
            ),
            (|c| c.bytes = vec![0.0; 3], "None bytes: nothing is sent"),
        ];
        for (change, expected) in wrong {
            let found = with(change);
            assert!(found.starts_with(expected), "{found}");
        }
    }
}
