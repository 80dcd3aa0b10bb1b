//! The files of a trace.

use crate::error::{TraceError, problem, unreadable};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Number of bytes at the beginning of a file that suffice to recognize its format.
const BEGINNING_BYTES: u64 = 64 << 10;

pub(crate) const NEEDED: &str = "the directory of a trace, or a file in it, is needed";

/// The most files of a folder that are opened to recognize them; files of ranks count as one.
pub(crate) const MAX_OPENED: usize = 1000;

/// The longest file that is read as a whole: more than fits in memory.
const MAX_BYTES: u64 = 1 << 36;

/// The path of a file, for messages, and its content.
pub(crate) type Contents = (PathBuf, Vec<u8>);

/// Whether a file with this name and beginning is one of a trace.
pub(crate) type Recognizer = fn(&str, &[u8]) -> bool;

/// The first of the given formats that recognizes a file by its name and beginning.
pub(crate) fn recognize<T: Copy>(path: &Path, formats: &[(T, Recognizer)]) -> Result<Option<T>, TraceError> {
    let beginning = beginning(path).map_err(|cause| unreadable(path, &cause, NEEDED))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let recognized = formats.iter().find(|(_, is_file)| is_file(name, &beginning));
    Ok(recognized.map(|(format, _)| *format))
}

/// The first bytes of a file. Files without a length have none: those of `/proc` may never end, or wait for input.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    if path.metadata()?.len() > 0 {
        File::open(path)?.take(BEGINNING_BYTES).read_to_end(&mut beginning)?;
    }
    Ok(beginning)
}

/// The error of a folder in which too many files would have to be opened.
pub(crate) fn too_many(directory: &Path) -> TraceError {
    let found = format!("holds more than {MAX_OPENED} files of different names");
    problem(found, "the folder of a trace alone, or a file of the trace").at(directory, None)
}

/// The files in a directory, in order of their names.
pub(crate) fn files(directory: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let entries = directory.read_dir().map_err(|cause| unreadable(directory, &cause, NEEDED))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The first file of a format in a directory, among those that would be opened.
pub(crate) fn first_file(directory: &Path, is_file: Recognizer) -> Result<Option<PathBuf>, TraceError> {
    Ok(files(directory)?.into_iter().take(MAX_OPENED).find(|file| is_recognized(file, is_file)))
}

/// Whether a file can be read, and belongs to a trace.
fn is_recognized(file: &Path, is_file: Recognizer) -> bool {
    recognize(file, &[((), is_file)]).is_ok_and(|recognized| recognized.is_some())
}

/// The only file of a format with this name, if `path` is a directory.
pub(crate) fn only_file(path: &Path, format: &str, is_file: Recognizer) -> Result<PathBuf, TraceError> {
    if path.is_file() {
        return Ok(path.to_path_buf());
    }
    let mut found = files(path)?;
    if found.len() > MAX_OPENED {
        return Err(too_many(path));
    }
    // Files that cannot be read belong to other programs.
    found.retain(|file| is_recognized(file, is_file));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(problem(format!("holds no {format} trace"), NEEDED).at(path, None)),
        _ => Err(problem(format!("holds several {format} traces"), "a file in it").at(path, None)),
    }
}

/// Files that differ in a number before their last extension: the text before the number, and the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Numbered<'a> {
    pub prefix: &'a str,
    pub number: u32,
}

impl<'a> Numbered<'a> {
    /// The parts of a name that ends with `extension`, and has a number before it.
    pub fn of(name: &'a str, extension: &str) -> Option<Self> {
        let stem = name.strip_suffix(extension)?;
        let digits = stem.len() - stem.bytes().rev().take_while(u8::is_ascii_digit).count();
        let number = stem[digits..].parse().ok()?;
        Some(Numbered { prefix: &stem[..digits], number })
    }
}

/// The files of all ranks in `path` or next to it, in order of ranks. If `path` is one of them, only those with its
/// prefix.
pub(crate) fn numbered_files(path: &Path, extension: &str, what: &str) -> Result<Vec<PathBuf>, TraceError> {
    let name_of =
        |path: &Path| path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let is_file = path.is_file();
    let directory = if is_file { path.parent().unwrap_or(path) } else { path };
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let given = name_of(path);
    let wanted = Numbered::of(&given, extension).filter(|_| is_file).map(|given| given.prefix);
    let mut found: Vec<(String, u32, PathBuf)> = Vec::new();
    for file in files(directory)? {
        let name = name_of(&file);
        if let Some(Numbered { prefix, number }) = Numbered::of(&name, extension)
            && wanted.is_none_or(|wanted| wanted == prefix)
        {
            found.push((prefix.to_owned(), number, file));
        }
    }
    found.sort();
    if let Some(pair) = found.windows(2).find(|pair| pair[0].0 != pair[1].0) {
        let several = format!("holds several traces ({} and {})", pair[0].0, pair[1].0);
        return Err(problem(several, "a file of the one that is meant").at(directory, None));
    }
    if let Some((expected, (prefix, ..))) =
        (0..).zip(&found).find(|(expected, (_, number, _))| expected != number)
    {
        let last = found[found.len() - 1].1;
        return Err(problem(
            format!("the file of rank {expected} of {prefix} is missing"),
            format!("a file for each rank from 0 to {last}"),
        )
        .at(directory, None));
    }
    if found.is_empty() {
        return Err(problem("holds no trace", what).at(directory, None));
    }
    Ok(found.into_iter().map(|(_, _, file)| file).collect())
}

/// The content of a file.
pub(crate) fn content(path: &Path) -> Result<Vec<u8>, TraceError> {
    let mut content = Vec::new();
    open(path)?.read_to_end(&mut content).map_err(|cause| unreadable(path, &cause, NEEDED))?;
    Ok(content)
}

/// Opens a file that is no pipe or device. Opening a pipe would wait for its writer, and a device may never end.
pub(crate) fn open(path: &Path) -> Result<File, TraceError> {
    let kind = path.metadata().map_err(|cause| unreadable(path, &cause, NEEDED))?;
    let wrong = match kind.len() {
        _ if !kind.is_file() => Some("is not a file"),
        0 => Some("the file is empty"),
        bytes if bytes > MAX_BYTES => Some("has more than 64 GiB"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(problem(wrong, "the file of a trace is needed").at(path, None));
    }
    File::open(path).map_err(|cause| unreadable(path, &cause, NEEDED))
}
