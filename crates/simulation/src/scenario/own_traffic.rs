//! Own traffic: reads the files of flows, weights and permutations that a workload names.

use super::sheet::Sheet;
use input::{Document, InputError, nearest};
use serde_json::{Value, json};
use std::sync::Arc;
use workloads::patterns::{DestinationMatrix, FlowList, Permutation};
use workloads::targets::flow_table::{After, FlowColumns, FlowFault, FlowTable};
use workloads::targets::weight_table::{WeightColumns, WeightTable};
use workloads::{Workload, WorkloadError};

/// The headings of a table of flows.
const HEADINGS: [&str; 7] = ["source", "target", "bytes", "start_cycles", "start_ns", "phase", "after"];

/// The first of these headings are required.
const REQUIRED: usize = 3;

/// The headings of a table of weights.
const WEIGHT_HEADINGS: [&str; REQUIRED] = ["source", "target", "weight"];

/// The machine for which flows are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Nodes of the machine.
    pub nodes: u32,
    /// Ranks for which the machine has room.
    pub max_ranks: u32,
    /// Cycles in a nanosecond.
    pub cycles_per_ns: f64,
}

/// Reads the files that a workload at `path` of the document names.
///
/// # Errors
/// The file and text line, or the key, of the first value that does not fit.
pub(super) fn load(
    workload: &mut Workload,
    (document, path): (&Document, &str),
    limits: Limits,
) -> Result<(), InputError> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a plan refuses a workload whose file has not been read"
    )]
    match workload {
        Workload::FlowList(list) => load_flows(list, (document, path), limits),
        Workload::DestinationMatrix(matrix) => load_weights(matrix, (document, path), limits),
        Workload::Permutation(permutation) => load_permutation(permutation, (document, path)),
        _ => Ok(()),
    }
}

fn load_flows(
    list: &mut FlowList,
    (document, path): (&Document, &str),
    limits: Limits,
) -> Result<(), InputError> {
    let at_key = |error: WorkloadError| document.error(&format!("{path}.{}", error.key), error.message);
    let given = list.given(limits.max_ranks, limits.cycles_per_ns).map_err(at_key)?;
    let table = match (given, &list.path) {
        (Some(table), _) => table,
        (None, Some(file)) => {
            flows_of_sheet(&read_known((document, path), file, &mut list.hash)?, file, limits)?
        }
        (None, None) => unreachable!("flows are given in one way"),
    };
    list.flows = Some(Arc::new(table));
    Ok(())
}

fn load_weights(
    matrix: &mut DestinationMatrix,
    (document, path): (&Document, &str),
    limits: Limits,
) -> Result<(), InputError> {
    let at_key = |error: WorkloadError| document.error(&format!("{path}.{}", error.key), error.message);
    let given = matrix.given(limits.nodes).map_err(at_key)?;
    let table = match (given, &matrix.path) {
        (Some(table), _) => table,
        (None, Some(file)) => {
            weights_of_sheet(&read_known((document, path), file, &mut matrix.hash)?, file, limits)?
        }
        (None, None) => unreachable!("weights are given in one way"),
    };
    matrix.weights = Some(Arc::new(table));
    Ok(())
}

/// Reads the file of a workload at `path`. Its hash must equal the known one, if any.
fn read_known(
    (document, path): (&Document, &str),
    file: &str,
    known: &mut Option<String>,
) -> Result<Sheet, InputError> {
    let (sheet, hash) = read(document, &format!("{path}.path"), file)?;
    if known.as_ref().is_some_and(|known| *known != hash) {
        let problem =
            format!("{file} has changed: its hash is {hash} now; without this key it is read as it is");
        return Err(document.error(&format!("{path}.hash"), problem));
    }
    *known = Some(hash);
    Ok(sheet)
}

/// Reads a file; a file that cannot be read is an error of its key.
fn read(document: &Document, key: &str, file: &str) -> Result<(Sheet, String), InputError> {
    if file.is_empty() {
        return Err(document.error(key, "empty: a .csv, .parquet or .npy is needed"));
    }
    Sheet::read(file, |problem| {
        InputError::at(document.place(key), format!("{file}: {problem}")).key(key.to_owned())
    })
}

/// The error of a fault in a sheet.
fn fault_in<'a>(sheet: &'a Sheet, file: &'a str) -> impl Fn(FlowFault) -> InputError + Copy + 'a {
    move |fault| {
        let place = fault.row.map_or_else(|| file.to_owned(), |row| sheet.place(file, row));
        InputError::at(place, format!("column {}: {}", sheet.written(&fault.column), fault.problem))
    }
}

fn weights_of_sheet(sheet: &Sheet, file: &str, limits: Limits) -> Result<WeightTable, InputError> {
    let at = fault_in(sheet, file);
    if sheet.headings().next().is_none() {
        return WeightTable::of_matrix(&matrix_of(sheet).map_err(at)?, limits.nodes).map_err(at);
    }
    check_headings(sheet, file, "weights", &WEIGHT_HEADINGS)?;
    let columns = WeightColumns {
        source: wholes(sheet, "source").map_err(at)?,
        target: wholes(sheet, "target").map_err(at)?,
        weight: numbers(sheet, "weight").map_err(at)?,
    };
    WeightTable::of_columns(&columns, limits.nodes).map_err(at)
}

fn flows_of_sheet(sheet: &Sheet, file: &str, limits: Limits) -> Result<FlowTable, InputError> {
    let at = fault_in(sheet, file);
    if sheet.headings().next().is_none() {
        let matrix = matrix_of(sheet).map_err(at)?;
        return FlowTable::of_matrix(&matrix, limits.max_ranks).map_err(at);
    }
    check_headings(sheet, file, "flows", &HEADINGS)?;
    let columns = columns_of(sheet).map_err(at)?;
    FlowTable::of_columns(&columns, limits.max_ranks, limits.cycles_per_ns).map_err(at)
}

fn check_headings(sheet: &Sheet, file: &str, what: &str, allowed: &[&str]) -> Result<(), InputError> {
    let unknown = sheet.headings().find(|heading| !allowed.contains(heading));
    let missing = allowed[..REQUIRED].iter().find(|required| sheet.column(required).is_none());
    let problem = match (unknown, missing) {
        (Some(unknown), _) => {
            let hint = nearest(unknown, allowed.iter().copied());
            format!("a table of {what} has no column {unknown:?}; {hint}. A matrix has numbers only")
        }
        (_, Some(missing)) => format!(
            "the column {missing} is missing; found {}",
            sheet.headings().collect::<Vec<_>>().join(", ")
        ),
        _ => return Ok(()),
    };
    Err(InputError::at(file, problem))
}

fn matrix_of(sheet: &Sheet) -> Result<Vec<Vec<f64>>, FlowFault> {
    let number = |row: usize, column: usize| {
        sheet.number(row, column).map_err(|problem| FlowFault::new(row, column.to_string(), problem))
    };
    let row = |row: usize| (0..sheet.columns(row)).map(|column| number(row, column)).collect();
    (0..sheet.rows()).map(row).collect()
}

/// The numbers of a column; none if it does not exist.
fn numbers(sheet: &Sheet, heading: &str) -> Result<Vec<f64>, FlowFault> {
    let Some(column) = sheet.column(heading) else { return Ok(Vec::new()) };
    let number = |row| sheet.number(row, column).map_err(|problem| FlowFault::new(row, heading, problem));
    (0..sheet.rows()).map(number).collect()
}

/// The whole numbers of a column; none if it does not exist.
fn wholes(sheet: &Sheet, heading: &str) -> Result<Vec<u32>, FlowFault> {
    let whole = |(row, value): (usize, f64)| {
        let is_whole = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
        let problem = || format!("{value} is not a whole number from 0 on");
        if is_whole { Ok(value as u32) } else { Err(FlowFault::new(row, heading, problem())) }
    };
    numbers(sheet, heading)?.into_iter().enumerate().map(whole).collect()
}

fn columns_of(sheet: &Sheet) -> Result<FlowColumns, FlowFault> {
    let afters = |column: usize| -> Result<Vec<After>, FlowFault> {
        (0..sheet.rows()).map(|row| after(&sheet.text(row, column), row)).collect()
    };
    Ok(FlowColumns {
        source: wholes(sheet, "source")?,
        target: wholes(sheet, "target")?,
        bytes: numbers(sheet, "bytes")?,
        start_cycles: numbers(sheet, "start_cycles")?,
        start_ns: numbers(sheet, "start_ns")?,
        phase: wholes(sheet, "phase")?,
        after: sheet.column("after").map(afters).transpose()?.unwrap_or_default(),
    })
}

/// The rows that a cell names, separated by spaces.
fn after(text: &str, row: usize) -> Result<After, FlowFault> {
    let named = text.split_whitespace().map(str::parse::<u32>).collect::<Result<Vec<u32>, _>>();
    match named {
        Ok(rows) if rows.is_empty() => Ok(After::Nothing(())),
        Ok(rows) => Ok(After::Rows(rows)),
        Err(_) => {
            let problem = format!("{text:?} names no rows, which are counted from 0 and separated by spaces");
            Err(FlowFault::new(row, "after", problem))
        }
    }
}

/// Replaces a file with the lengths of messages by its content; `part` precedes the key of the workload.
///
/// # Errors
/// The file and text line of the first value that is no length or weight.
pub(super) fn inline_lengths(document: &mut Document, part: &str) -> Result<(), InputError> {
    let key = format!("{part}workload.message_bytes");
    let path_key = format!("{key}.path");
    let Some(file) = document.get(&path_key).and_then(Value::as_str).map(str::to_owned) else {
        return Ok(());
    };
    let (sheet, _) = read(document, &path_key, &file)?;
    let Some(bytes) = sheet.column("bytes") else {
        return Err(InputError::at(
            file,
            "lengths of messages have the column bytes, and weights if need be",
        ));
    };
    let numbers = |column: usize, heading: &str| {
        let number = |row| {
            let at =
                |problem| InputError::at(sheet.place(&file, row), format!("column {heading}: {problem}"));
            sheet.number(row, column).map_err(at)
        };
        (0..sheet.rows()).map(number).collect::<Result<Vec<f64>, InputError>>()
    };
    let whole = |(row, value): (usize, f64)| match value.fract() == 0.0 && (1.0..=1e15).contains(&value) {
        true => Ok(value as u64),
        false => {
            let problem = format!("column bytes: {value} is not a whole number of bytes from 1 on");
            Err(InputError::at(sheet.place(&file, row), problem))
        }
    };
    let lengths =
        numbers(bytes, "bytes")?.into_iter().enumerate().map(whole).collect::<Result<Vec<u64>, _>>()?;
    let weights =
        sheet.column("weights").map(|column| numbers(column, "weights")).transpose()?.unwrap_or_default();
    document.replace(&key, json!({ "bytes": lengths, "weights": weights }));
    Ok(())
}

fn load_permutation(
    permutation: &mut Permutation,
    (document, path): (&Document, &str),
) -> Result<(), InputError> {
    let Some(file) = permutation.path.take() else { return Ok(()) };
    let key = format!("{path}.path");
    if !permutation.targets.is_empty() {
        return Err(
            document.error(&key, "targets says already where packets go: only one of both can be given")
        );
    }
    let (sheet, _) = read(document, &key, &file)?;
    let (Some(source), Some(target)) = (sheet.column("source"), sheet.column("target")) else {
        return Err(InputError::at(file, "a permutation has the columns source and target"));
    };
    for row in 0..sheet.rows() {
        let node = |column: usize, heading: &str| {
            let value = sheet.number(row, column).and_then(|value| match value {
                value if (0.0..=f64::from(1 << 30)).contains(&value) && value.fract() == 0.0 => {
                    Ok(value as u32)
                }
                value => Err(format!("{value} is no node")),
            });
            let at =
                |problem| InputError::at(sheet.place(&file, row), format!("column {heading}: {problem}"));
            value.map_err(at)
        };
        let (source, target) = (node(source, "source")?, node(target, "target")?);
        let first = permutation.targets.len() as u32;
        permutation.targets.extend(first..=source.max(first.saturating_sub(1)));
        permutation.targets[source as usize] = target;
    }
    Ok(())
}
