//! Recognizes the format of a trace by the content of its files.

use crate::error::{Problem, TraceError, problem, unreadable};
use crate::files::{MAX_OPENED, NEEDED, Recognizer, files, recognize, too_many};
use crate::formats::TraceFormat;
use crate::others;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The formats that a file may have.
fn formats() -> Vec<(TraceFormat, Recognizer)> {
    let declared = |&format: &TraceFormat| format.declared().map(|declared| (format, declared.is_file));
    TraceFormat::ALL.iter().filter_map(declared).collect()
}

/// The format of a trace: the given one, or that of its files.
pub(crate) fn find(path: &Path, format: TraceFormat) -> Result<TraceFormat, TraceError> {
    let kind = path.metadata().map_err(|cause| unreadable(path, &cause, NEEDED))?;
    if !kind.is_file() && !kind.is_dir() {
        return Err(problem("is not a file", NEEDED).at(path, None));
    }
    if format != TraceFormat::Auto {
        return Ok(format);
    }
    let formats = formats();
    if kind.is_file() {
        let recognized = recognize(path, &formats)?;
        return recognized.ok_or_else(|| unknown("is no", &[path.to_path_buf()]).at(path, None));
    }
    let files = files(path)?;
    let (mut found, mut kinds, mut unreadable) = (BTreeSet::new(), BTreeSet::new(), None);
    for file in &files {
        // Files of ranks, whose names differ in digits, have one format.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !kinds.insert(name.replace(|character: char| character.is_ascii_digit(), "")) {
            continue;
        }
        if kinds.len() > MAX_OPENED {
            return Err(too_many(path));
        }
        match recognize(file, &formats) {
            Ok(format) => found.extend(format.map(TraceFormat::name)),
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    let mut known = TraceFormat::ALL.iter().filter(|format| found.contains(format.name()));
    match (known.next(), known.next()) {
        (Some(format), None) => Ok(*format),
        (None, _) => Err(unreadable.unwrap_or_else(|| unknown("holds no", &files).at(path, None))),
        (Some(_), Some(_)) => {
            let names: Vec<&str> = found.into_iter().collect();
            let several = format!("holds traces of several formats ({})", names.join(", "));
            Err(problem(several, "`format` names one of them, or `path` a file of one").at(path, None))
        }
    }
}

fn unknown(what: &str, files: &[PathBuf]) -> Problem {
    let what = match others::find(files) {
        Some((format, file)) => format!("{file} is a trace in the format {format}, which is not read"),
        None => format!("{what} trace of a known format"),
    };
    let names: Vec<&str> = TraceFormat::ALL.iter().map(|format| format.name()).collect();
    problem(what, format!("supported are {}", names.join(", ")))
}
