//! Trace formats that are not read, by the names of their files, so that an error can name the format.

use std::path::{Path, PathBuf};

/// Extensions of file names, and the format. Each is that of the tool's own documentation.
const EXTENSIONS: [(&str, &str); 7] = [
    ("otf", "OTF (VampirTrace)"),
    ("prv", "Paraver"),
    ("mpit", "Paraver, before mpi2prv"),
    ("slog2", "SLOG-2 (MPE)"),
    ("clog2", "CLOG-2 (MPE)"),
    ("stf", "STF (Intel Trace Collector)"),
    ("tit", "SimGrid's time-independent trace"),
];

/// The format and the name of the first file that looks like a trace of another tool.
pub(crate) fn find(files: &[PathBuf]) -> Option<(&'static str, String)> {
    files.iter().find_map(|file| {
        let name = file.file_name()?.to_str()?;
        Some((format_of(name)?, name.to_owned()))
    })
}

fn format_of(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?.to_lowercase();
    EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format)
}
