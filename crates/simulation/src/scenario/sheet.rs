//! Files of rows and columns: CSV, and the formats that the reader of the package supports (Parquet, NumPy).
//!
//! ```text
//!   flows.csv      --csv-->             Sheet: headings (none in a matrix), rows of cells
//!   flows.parquet  --SheetReader-->       |
//!                                         '-- number(row, column) -> f64, or a problem and its text line
//! ```
//!
//! # To add a format
//!
//! 1. A format of text is read in `Sheet::read`. One that Python's libraries know is a case in
//!    `python/torusim/runs/sheets.py`, and its extension one in `Sheet::read`.
//! 2. Nothing else: `workloads/src/targets/flow_table.rs` checks flows, whatever they are read from.
//! 3. A test of it in `tests/test_own_traffic.py`, and a line in `docs/own-traffic.md`.

use csv::{ReaderBuilder, StringRecord, Trim};
use input::InputError;
use input::quantity::{Measure, to_f64};
use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

/// Separators of columns, the most usual first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Reads a file that is no CSV; the error describes the problem with it.
pub type SheetReader = fn(&Path) -> Result<Sheet, String>;

static READER: OnceLock<SheetReader> = OnceLock::new();

/// Sets the reader of the formats that are read outside this crate, once.
pub fn set_sheet_reader(reader: SheetReader) {
    let _ = READER.set(reader);
}

/// A column of a file whose format knows types.
#[derive(Clone, Debug)]
pub enum SheetColumn {
    /// Numbers; a missing one is not a number.
    Numbers(Vec<f64>),
    /// Text; a missing one is empty.
    Text(Vec<String>),
}

/// The content of a file.
#[derive(Debug)]
pub struct Sheet {
    headings: Vec<Heading>,
    cells: Cells,
}

/// The heading of a column, which may state a unit: `start (us)`, `size_KB`.
#[derive(Debug)]
struct Heading {
    written: String,
    /// The name of the column in the unit that it has everywhere.
    name: String,
    /// The size of the written unit in that of the name.
    factor: f64,
}

impl Heading {
    fn read(written: String) -> Self {
        let (name, factor) = in_known_unit(&written).unwrap_or_else(|| (written.clone(), 1.0));
        Heading { written, name, factor }
    }
}

/// The name of a column in its usual unit, and how many of these a written unit is.
fn in_known_unit(heading: &str) -> Option<(String, f64)> {
    let in_parentheses = heading.strip_suffix(')').and_then(|heading| heading.split_once(" ("));
    let (name, unit) = in_parentheses.or_else(|| heading.rsplit_once('_'))?;
    let one = format!("1 {unit}");
    match name {
        "start" => Some(("start_ns".to_owned(), to_f64(Measure::Time.read(&one).ok()? * 1_000_000_000))),
        "size" | "bytes" => Some(("bytes".to_owned(), to_f64(Measure::Size.read(&one).ok()?))),
        _ => None,
    }
}

#[derive(Debug)]
enum Cells {
    /// The records of a text, without headings and labels.
    Records {
        records: Vec<StringRecord>,
        first_column: usize,
    },
    Columns(Vec<SheetColumn>),
}

impl Sheet {
    /// A sheet of columns of equal length; without headings it is a matrix.
    pub fn of_columns(headings: Vec<String>, columns: Vec<SheetColumn>) -> Self {
        Sheet { headings: headings.into_iter().map(Heading::read).collect(), cells: Cells::Columns(columns) }
    }

    /// Reads a file, and also returns its hash. `problem` is the error of the file as a whole.
    ///
    /// # Errors
    /// When it cannot be read, with its text line if it is text.
    pub(super) fn read(
        file: &str,
        problem: impl Fn(String) -> InputError,
    ) -> Result<(Self, String), InputError> {
        // A pipe may block forever, and a device may never end.
        if std::fs::metadata(file).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            return Err(problem("is a pipe or a device, not a file".into()));
        }
        let bytes = std::fs::read(file).map_err(|error| problem(format!("cannot be read: {error}")))?;
        let hash = blake3::hash(&bytes).to_hex()[..32].to_owned();
        let extension = Path::new(file).extension().and_then(|extension| extension.to_str());
        let sheet = match extension {
            Some("parquet" | "npy") => read_typed(file).map_err(problem)?,
            Some("csv" | "txt" | "tsv") => Sheet::parse(file, &bytes)?,
            _ => return Err(problem("is no .csv, .parquet or .npy".into())),
        };
        let headings = sheet.headings.iter().enumerate();
        let is_known = |(index, heading): &(usize, &Heading)| {
            sheet.headings[..*index].iter().any(|known| known.name == heading.name)
        };
        match headings.clone().find(is_known) {
            Some((_, twice)) => Err(InputError::at(file, format!("there are two columns {}", twice.name))),
            None => Ok((sheet, hash)),
        }
    }

    fn parse(file: &str, bytes: &[u8]) -> Result<Self, InputError> {
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).trim(Trim::All).comment(Some(b'#'));
        let separator = separator(bytes);
        let bytes =
            if separator == b' ' { Cow::Owned(with_single_blanks(bytes)) } else { Cow::Borrowed(bytes) };
        let mut reader = builder.delimiter(separator).from_reader(&bytes[..]);
        let records: Result<Vec<StringRecord>, csv::Error> = reader.records().collect();
        let mut records = records.map_err(|error| {
            let line = error.position().map_or(1, |position| position.line());
            InputError::at(format!("{file}:{line}"), "is not text in UTF-8 with separated values")
        })?;
        let Some(first) = records.first() else {
            return Err(InputError::at(file, "is empty: a table or a matrix is needed"));
        };
        // A matrix may have labels: then its corner cell is empty.
        let is_labelled = first.len() > 1 && first.get(0).is_some_and(str::is_empty);
        if is_labelled && !are_labels(&records) {
            let problem = "the first cell is empty, but the rest of its row and column are no labels: those are texts, \
                           or count ranks from 0 or 1 on; a flow of 0 bytes is written as 0 there";
            return Err(InputError::at(format!("{file}:1"), problem));
        }
        let is_text = |cell: &str| !cell.is_empty() && cell.parse::<f64>().is_err();
        let has_headings = !is_labelled && first.iter().any(is_text);
        let headings = first.iter().map(|heading| Heading::read(heading.to_owned()));
        let headings = if has_headings { headings.collect() } else { Vec::new() };
        if is_labelled || has_headings {
            records.remove(0);
        }
        Ok(Sheet { headings, cells: Cells::Records { records, first_column: usize::from(is_labelled) } })
    }

    /// The names of the columns; none in a matrix.
    pub(super) fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter().map(|heading| &*heading.name)
    }

    /// The column of a name.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.headings().position(|known| known == name)
    }

    /// The heading of a column, as the file has it.
    pub(super) fn written<'a>(&'a self, name: &'a str) -> &'a str {
        self.column(name).map_or(name, |column| &self.headings[column].written)
    }

    /// Number of rows, without headings.
    pub(super) fn rows(&self) -> usize {
        match &self.cells {
            Cells::Records { records, .. } => records.len(),
            Cells::Columns(columns) => columns.first().map_or(0, |column| match column {
                SheetColumn::Numbers(values) => values.len(),
                SheetColumn::Text(values) => values.len(),
            }),
        }
    }

    /// Number of columns of a row.
    pub(super) fn columns(&self, row: usize) -> usize {
        match &self.cells {
            Cells::Records { records, first_column } => {
                // In a matrix, a separator may end the text line.
                let max = records.len() + first_column;
                let is_left_out = |column: usize| column >= max && records[row][column].is_empty();
                let all = records[row].len();
                let is_matrix = self.headings.is_empty();
                let end = (0..all).rev().find(|&column| !is_matrix || !is_left_out(column));
                end.map_or(0, |end| end + 1) - first_column
            }
            Cells::Columns(columns) => columns.len(),
        }
    }

    /// The place of a row in its file.
    pub(super) fn place(&self, file: &str, row: usize) -> String {
        match &self.cells {
            Cells::Records { records, .. } => {
                let line = records.get(row).and_then(StringRecord::position).map(|position| position.line());
                line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
            }
            Cells::Columns(_) => format!("{file}, row {row}"),
        }
    }

    /// The number in a cell, in the unit of the column's name; an error has no place.
    pub(super) fn number(&self, row: usize, column: usize) -> Result<f64, String> {
        let factor = self.headings.get(column).map_or(1.0, |heading| heading.factor);
        self.written_number(row, column).map(|number| number * factor)
    }

    fn written_number(&self, row: usize, column: usize) -> Result<f64, String> {
        let text = match &self.cells {
            Cells::Columns(columns) => match &columns[column] {
                SheetColumn::Numbers(values) if values[row].is_finite() => return Ok(values[row]),
                SheetColumn::Numbers(values) if values[row].is_nan() => "",
                SheetColumn::Numbers(values) => return Err(format!("{} is no finite number", values[row])),
                SheetColumn::Text(values) => &values[row],
            },
            Cells::Records { records, first_column } => {
                match records[row].get(column + first_column).unwrap_or_default() {
                    // An empty cell of a matrix, as a spreadsheet leaves it.
                    "" if self.headings.is_empty() => return Ok(0.0),
                    text => text,
                }
            }
        };
        match text.parse::<f64>() {
            _ if text.is_empty() => Err("is empty: a number is needed".into()),
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(format!("{text:?} is not a number")),
        }
    }

    /// The text in a cell; a number as it is written.
    pub(super) fn text(&self, row: usize, column: usize) -> String {
        match &self.cells {
            Cells::Columns(columns) => match &columns[column] {
                SheetColumn::Numbers(values) if values[row].is_nan() => String::new(),
                SheetColumn::Numbers(values) => values[row].to_string(),
                SheetColumn::Text(values) => values[row].clone(),
            },
            Cells::Records { records, first_column } => {
                records[row].get(column + first_column).unwrap_or_default().to_owned()
            }
        }
    }
}

fn read_typed(file: &str) -> Result<Sheet, String> {
    match READER.get() {
        Some(reader) => reader(Path::new(file)),
        None => Err("Parquet and NumPy are read by the Python package: here, a .csv is needed".into()),
    }
}

/// Whether the first row and the first column of a matrix are labels: texts, or rank numbers from 0 or 1. A matrix
/// of flows could be symmetric.
fn are_labels(records: &[StringRecord]) -> bool {
    let of_columns: Vec<&str> = records[0].iter().skip(1).collect();
    let of_rows: Vec<&str> = records[1..].iter().map(|record| record.get(0).unwrap_or_default()).collect();
    let are_texts =
        |labels: &[&str]| labels.iter().all(|label| !label.is_empty() && label.parse::<f64>().is_err());
    let count = |labels: &[&str], from: usize| {
        (from..).zip(labels).all(|(number, label)| label.parse() == Ok(number as f64))
    };
    let is_of = |first: usize| count(&of_columns, first) && count(&of_rows, first);
    are_texts(&of_columns) && are_texts(&of_rows) || is_of(0) || is_of(1)
}

/// The text with one blank between the words of a text line, for a separator that is any number of them.
fn with_single_blanks(bytes: &[u8]) -> Vec<u8> {
    let words = |line: &[u8]| {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(&b' ')
    };
    bytes.split(|&byte| byte == b'\n').map(words).collect::<Vec<_>>().join(&b'\n')
}

/// The separator that the first text line with content has most often. A blank if it has none of the usual ones.
fn separator(bytes: &[u8]) -> u8 {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let first =
        lines.find(|line| !line.is_empty() && line[0] != b'#' && line[0] != b'\r').unwrap_or_default();
    let count = |separator: u8| first.iter().filter(|&&byte| byte == separator).count();
    let mut best = SEPARATORS[0];
    for separator in SEPARATORS {
        if count(separator) > count(best) {
            best = separator;
        }
    }
    let has_words = first.trim_ascii().contains(&b' ');
    if count(best) == 0 && has_words { b' ' } else { best }
}
