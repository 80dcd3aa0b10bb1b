//! The trace of all ranks, read from files or made in memory.

use crate::call_counts::CallCounts;
use crate::error::{TraceError, problem};
use crate::find::find;
use crate::formats::{TraceFormat, liballprof, recording};
use crate::rank::Part;
use mpi::Mode;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The parts of all ranks of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The format of the files; none if the trace was not read from files.
    format: Option<TraceFormat>,
    ranks: Vec<Part>,
}

impl Trace {
    /// A trace that no file holds, of at least one rank.
    pub fn new(ranks: Vec<Part>) -> Self {
        Trace { format: None, ranks }
    }

    /// Reads a trace: a directory, or one of the files in it. The format is recognized by the content if it is
    /// [`TraceFormat::Auto`].
    ///
    /// # Errors
    /// When the path holds no trace of that format, or more than one. Also for the first place that is truncated,
    /// garbled, an unknown call or inconsistent with the other ranks.
    pub fn read(path: &Path, format: TraceFormat) -> Result<Self, TraceError> {
        let format = find(path, format)?;
        let ranks = (format.declared().expect("a format is found").read)(path)?;
        Ok(Trace { format: Some(format), ranks })
    }

    /// Reads a trace from the contents of its files, those of all ranks in order; their paths are for messages.
    ///
    /// # Errors
    /// The errors of [`Trace::read`].
    ///
    /// # Panics
    /// When the format has no files that are read one by one.
    pub fn from_contents(format: TraceFormat, files: Vec<(PathBuf, Vec<u8>)>) -> Result<Self, TraceError> {
        let parse = format.declared().and_then(|declared| declared.parse);
        let ranks = parse.unwrap_or_else(|| panic!("{format:?} has no contents of files"))(files)?;
        Ok(Trace { format: Some(format), ranks })
    }

    /// Reads one text of liballprof for each rank, in order; the paths are for messages.
    ///
    /// # Errors
    /// The errors of [`Trace::read`].
    pub fn from_readers<R: BufRead>(files: Vec<(PathBuf, R)>) -> Result<Self, TraceError> {
        Ok(Trace { format: Some(TraceFormat::Liballprof), ranks: liballprof::parse(files)? })
    }

    /// Writes the calls of a program that has run, on processors of this frequency in Hz, to a file that
    /// [`Trace::read`] reads. Its first lines name the scenario of the run, without a workload: JSON in one line.
    ///
    /// # Errors
    /// Errors of the file.
    ///
    /// # Panics
    /// If a rank has a graph of operations: the trace is not that of a program.
    pub fn write_recording(&self, path: &Path, scenario: &str, processor_hertz: f64) -> io::Result<()> {
        let mut output = BufWriter::new(File::create(path)?);
        recording::write(&mut output, scenario, &self.ranks, processor_hertz)?;
        output.flush()
    }

    /// The format of the files, if the trace was read from any; never [`TraceFormat::Auto`].
    pub fn format(&self) -> Option<TraceFormat> {
        self.format
    }

    /// Number of ranks; at least one.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// The error of a rank one of whose receives, by number, has matched a message of `source` that is too long.
    pub fn truncation(&self, rank: u32, receive: u32, source: u32, bytes: u32) -> TraceError {
        let (file, receives) = self.rank(rank).receives();
        let (room, place) = receives.get(receive).expect("it is a receive of the trace");
        let found = format!(
            "rank {rank} receives at most {room} bytes, and gets the message of rank {source}, which has {bytes}"
        );
        let place = self.format.and_then(TraceFormat::declared).map(|declared| (declared.place)(place));
        problem(found, "a receive that is at least as long as its message").at(file, place)
    }

    /// The part of `rank`.
    pub fn rank(&self, rank: u32) -> &Part {
        &self.ranks[rank as usize]
    }

    /// The number of times that all ranks together make each call.
    pub fn counts(&self) -> CallCounts {
        let mut counts = CallCounts::new();
        for (name, count) in self.ranks.iter().flat_map(Part::counts) {
            *counts.entry(name).or_default() += count;
        }
        counts
    }

    /// This trace with standard sends between two ranks that end when a receive has matched them. A correct program
    /// completes with them, too.
    #[must_use]
    pub fn with_synchronous_sends(&self) -> Trace {
        let mut changed = self.clone();
        for part in &mut changed.ranks {
            let Part::Calls(calls) = part else { continue };
            let modes = calls.events.iter_mut().filter_map(|event| event.call.arguments_mut().mode);
            modes.filter(|mode| **mode == Mode::Standard).for_each(|mode| *mode = Mode::Synchronous);
        }
        changed
    }
}
