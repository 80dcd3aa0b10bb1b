//! The simplified logs of Argonne's machines: a heading, then number, submit, run, nodes and up to two columns that are
//! not read. They have no requested times.

use super::swf::at_least;
use super::{Fields, Row};

const COLUMNS: std::ops::RangeInclusive<usize> = 4..=6;

/// Whether a line is the heading.
pub(super) fn is_heading(fields: &Fields<'_>) -> bool {
    COLUMNS.contains(&fields.count)
        && fields.fields[0].starts_with(|letter: char| letter.is_ascii_alphabetic())
}

pub(super) fn row(fields: &Fields<'_>) -> Result<Row, String> {
    if !COLUMNS.contains(&fields.count) {
        return Err(format!(
            "{} columns: a simplified log has 4 to 6 (number, submit, run, nodes)",
            fields.count
        ));
    }
    let mut was_rounded = false;
    let [id, submit, run, nodes] = [1, 2, 3, 4].map(|column| fields.number(column, &mut was_rounded));
    let row = Row {
        id: id?,
        submit: at_least(0, submit?),
        run: at_least(0, run?),
        requested_processors: at_least(1, nodes?),
        user: -1,
        application: -1,
        ..Row::default()
    };
    Ok(Row { was_rounded, ..row })
}
