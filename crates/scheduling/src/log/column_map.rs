//! Column maps for logs in other formats than SWF, written `job=1,submit=2,run=4,nodes=5,walltime=6,user=12`.

use super::swf::at_least;
use super::{Fields, Row};
use input::nearest;
use std::fmt;
use std::str::FromStr;

/// The fields that a column can hold.
const NAMES: [&str; 7] = ["job", "submit", "run", "nodes", "walltime", "user", "application"];

/// The fields that every log must have.
const REQUIRED: [&str; 4] = ["job", "submit", "run", "nodes"];

/// Mira's log of 2018: 18 columns, of which the sixth is the requested time. Its wait times are implausible, but the
/// simulation does not read them.
const MIRA: &str = "job=1,submit=2,run=4,nodes=5,walltime=6,user=12";

/// The highest column number.
const LAST_COLUMN: usize = 32;

/// The column of each field, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMap {
    columns: [Option<usize>; NAMES.len()],
}

impl FromStr for ColumnMap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = if text == "mira" { MIRA } else { text };
        let mut columns = [None; NAMES.len()];
        for part in text.split(',') {
            let (name, column) = part
                .split_once('=')
                .ok_or_else(|| format!("{part:?}: must be written NAME=COLUMN, as in {MIRA}, or be mira"))?;
            let index = NAMES.iter().position(|known| *known == name.trim()).ok_or_else(|| {
                format!("{name:?} is not a field of a log; {}", nearest(name, NAMES.into_iter()))
            })?;
            let number = column.trim().parse().ok().filter(|number| (1..=LAST_COLUMN).contains(number));
            columns[index] = Some(number.ok_or_else(|| {
                format!("{name}={column}: must be the number of a column, from 1 to {LAST_COLUMN}")
            })?);
        }
        match REQUIRED.iter().position(|name| columns[index_of(name)].is_none()) {
            Some(missing) => {
                Err(format!("there is no {}: every log needs {}", REQUIRED[missing], REQUIRED.join(", ")))
            }
            None => Ok(ColumnMap { columns }),
        }
    }
}

fn index_of(name: &str) -> usize {
    NAMES.iter().position(|known| *known == name).expect("a name of this list")
}

impl fmt::Display for ColumnMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = NAMES.iter().zip(self.columns);
        let parts: Vec<String> =
            parts.filter_map(|(name, column)| Some(format!("{name}={}", column?))).collect();
        formatter.write_str(&parts.join(","))
    }
}

impl ColumnMap {
    /// Whether a line has names instead of all numbers that are read.
    pub(super) fn is_heading(&self, fields: &Fields<'_>) -> bool {
        let mut columns = self.columns.iter().flatten();
        columns.all(|column| {
            fields.text(*column).starts_with(|letter: char| letter.is_alphabetic() || letter == '"')
        })
    }

    pub(super) fn row(&self, fields: &Fields<'_>) -> Result<Row, String> {
        let last = self.columns.iter().flatten().max().copied().unwrap_or_default();
        if fields.count < last {
            return Err(format!("{} columns: the column map needs {last}", fields.count));
        }
        let mut was_rounded = false;
        let mut values = [-1; NAMES.len()];
        for (value, column) in values.iter_mut().zip(self.columns) {
            if let Some(column) = column {
                *value = fields.number(column, &mut was_rounded)?;
            }
        }
        let [id, submit, run, nodes, walltime, user, application] = values;
        Ok(Row {
            id,
            submit: at_least(0, submit),
            run: at_least(0, run),
            requested_processors: at_least(1, nodes),
            walltime: at_least(1, walltime),
            user,
            application,
            was_rounded,
            ..Row::default()
        })
    }
}
