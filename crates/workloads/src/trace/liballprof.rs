//! Reader of liballprof's text traces (Hoefler, Schneider and Lumsdaine: LogGOPSim, 2010): a directory with one file
//! per rank, `pmpi-trace-rank-N.txt`.

use super::line::{self, Owner, Problem, Record, Span, problem};
use super::{Event, RankTrace, Trace, TraceError};
use mpi::Collective;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The longest trace of a rank in picoseconds, 53 days, so that sums of times fit 64 bits.
const MAX_TRACE_PS: u128 = 1 << 62;

/// The longest line, some thousand times that of a call: what is longer is no trace.
const MAX_LINE_BYTES: u64 = 1 << 20;

impl Trace {
    /// Reads the files `pmpi-trace-rank-N.txt` of a directory.
    ///
    /// # Errors
    /// When there is no file or one is missing, and for the first line that is truncated, garbled, an unknown call or
    /// inconsistent with the other ranks.
    pub fn read(directory: &Path) -> Result<Self, TraceError> {
        let ranks = count_files(directory)?;
        let open = |rank| {
            let path = directory.join(file_name(rank));
            let file = open_file(&path)?;
            Ok((path, BufReader::new(file)))
        };
        Trace::from_readers((0..ranks).map(open).collect::<Result<_, _>>()?)
    }

    /// Reads one trace per rank, in rank order; the paths are for error messages.
    ///
    /// # Errors
    /// As [`Trace::read`].
    pub fn from_readers<R: BufRead>(files: Vec<(PathBuf, R)>) -> Result<Self, TraceError> {
        let size = files.len() as u32;
        let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
        let ranks = (0..)
            .zip(files)
            .map(|(rank, (path, reader))| RankReader::new(&path, Owner { rank, size }).read(reader))
            .collect::<Result<Vec<_>, _>>()?;
        check_collectives(&ranks, &paths)?;
        Ok(Trace { ranks })
    }
}

fn file_name(rank: u32) -> String {
    format!("pmpi-trace-rank-{rank}.txt")
}

/// Opens a file. Opening a pipe would wait for its writer, and a device may never end.
fn open_file(path: &Path) -> Result<File, TraceError> {
    let kind = path.metadata().map_err(|cause| unreadable(path, &cause))?;
    if !kind.is_file() {
        return Err(error(path, None, problem("is not a file", "the trace of a rank is needed")));
    }
    File::open(path).map_err(|cause| unreadable(path, &cause))
}

fn error(file: &Path, line: Option<u64>, Problem { problem, expected }: Problem) -> TraceError {
    TraceError { file: file.to_path_buf(), line, problem, expected }
}

fn unreadable(path: &Path, cause: &io::Error) -> TraceError {
    let found = match cause.kind() {
        io::ErrorKind::NotFound => "there is no such file or directory".to_owned(),
        _ => format!("cannot be read ({cause})"),
    };
    error(path, None, problem(found, "the directory of a liballprof trace is needed"))
}

/// The number of ranks, which must have files numbered without gaps.
fn count_files(directory: &Path) -> Result<u32, TraceError> {
    let entries = directory.read_dir().map_err(|cause| unreadable(directory, &cause))?;
    let mut ranks: Vec<u32> =
        entries.filter_map(|entry| rank_of(entry.ok()?.file_name().to_str()?)).collect();
    ranks.sort_unstable();
    if let Some(missing) = (0u32..).zip(&ranks).find(|(expected, rank)| expected != *rank) {
        let expected = format!("a file for each rank from 0 to {}", ranks[ranks.len() - 1]);
        return Err(error(
            directory,
            None,
            problem(format!("{} is missing", file_name(missing.0)), expected),
        ));
    }
    match ranks.len() {
        0 => Err(error(
            directory,
            None,
            problem("holds no trace", "files pmpi-trace-rank-0.txt, pmpi-trace-rank-1.txt and so on"),
        )),
        ranks => Ok(ranks as u32),
    }
}

fn rank_of(name: &str) -> Option<u32> {
    let rank = name.strip_prefix("pmpi-trace-rank-")?.strip_suffix(".txt")?.parse().ok()?;
    (file_name(rank) == name).then_some(rank)
}

/// Checks that all ranks call the same collectives in the same order; otherwise the replay would never finish.
fn check_collectives(ranks: &[RankTrace], paths: &[PathBuf]) -> Result<(), TraceError> {
    let name =
        |collective: Option<Collective>| collective.map_or(String::from("none"), |call| call.to_string());
    for (rank, path) in ranks.iter().zip(paths) {
        if let Some((number, own, first)) = first_difference(rank, &ranks[0]) {
            let found = format!("collective call {number} is {}", name(own));
            return Err(error(path, None, problem(found, format!("{}, as for rank 0", name(first)))));
        }
    }
    Ok(())
}

/// The number (from 1) of the first collective in which two ranks differ, and the collective of each.
fn first_difference(
    one: &RankTrace,
    other: &RankTrace,
) -> Option<(u64, Option<Collective>, Option<Collective>)> {
    let (mut one, mut other) = (one.collectives(), other.collectives());
    (1..)
        .map(|number| (number, one.next(), other.next()))
        .take_while(|(_, one, other)| one.is_some() || other.is_some())
        .find(|(_, one, other)| one != other)
}

/// Reads the file of one rank.
struct RankReader<'a> {
    path: &'a Path,
    owner: Owner,
    trace: RankTrace,
    /// The end of `MPI_Init`.
    begin: Option<u128>,
    /// The end of the last call.
    last_end: u128,
    /// Computation since the last replayed call.
    compute_ps: u64,
    is_finalized: bool,
}

impl<'a> RankReader<'a> {
    fn new(path: &'a Path, owner: Owner) -> Self {
        let trace = RankTrace::default();
        RankReader { path, owner, trace, begin: None, last_end: 0, compute_ps: 0, is_finalized: false }
    }

    fn read(mut self, mut reader: impl BufRead) -> Result<RankTrace, TraceError> {
        let mut bytes = Vec::new();
        let mut lines = 0;
        loop {
            bytes.clear();
            let mut line = (&mut reader).take(MAX_LINE_BYTES);
            if line.read_until(b'\n', &mut bytes).map_err(|cause| unreadable(self.path, &cause))? == 0 {
                return self.finish(lines);
            }
            lines += 1;
            if bytes.len() as u64 == MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
                let endless = problem("a line of more than 1 MiB", "a line of text for each call");
                return Err(error(self.path, Some(lines), endless));
            }
            self.take_line(&bytes).map_err(|problem| error(self.path, Some(lines), problem))?;
        }
    }

    fn finish(mut self, lines: u64) -> Result<RankTrace, TraceError> {
        if lines == 0 {
            return Err(error(
                self.path,
                None,
                problem("the file is empty", "the trace of a rank is needed"),
            ));
        }
        if !self.is_finalized {
            let cut = problem("the file ends before MPI_Finalize", "a complete trace; this one is truncated");
            return Err(error(self.path, Some(lines), cut));
        }
        self.trace.last_compute_ps = self.compute_ps;
        self.trace.events.shrink_to_fit();
        Ok(self.trace)
    }

    fn take_line(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| problem("bytes that are not text", "a line of text"))?.trim_end();
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        if self.is_finalized {
            return Err(problem("a call after MPI_Finalize", "MPI_Finalize comes last, once"));
        }
        self.take_record(line::parse(text, self.owner)?)
    }

    fn take_record(&mut self, record: Record) -> Result<(), Problem> {
        match record {
            Record::Init { end } => self.begin_at(end),
            Record::Local { span } => {
                self.trace.local_calls += 1;
                self.take_span(span)
            }
            Record::Call { span, call } => {
                self.take_span(span)?;
                self.trace.events.push(Event { compute_ps: std::mem::take(&mut self.compute_ps), call });
                Ok(())
            }
            Record::Finalize { start } => {
                self.is_finalized = true;
                self.take_span(Span { start, end: start })
            }
        }
    }

    fn begin_at(&mut self, end: u128) -> Result<(), Problem> {
        if self.begin.is_some() {
            return Err(problem("a second MPI_Init", "MPI_Init comes first, once"));
        }
        self.begin = Some(end);
        self.last_end = end;
        Ok(())
    }

    /// Adds the time of a call; the time since the end of the previous call is computation.
    fn take_span(&mut self, span: Span) -> Result<(), Problem> {
        let begin = self.begin.ok_or_else(|| problem("a call before MPI_Init", "MPI_Init comes first"))?;
        let gap = span.start.checked_sub(self.last_end);
        let gap = gap.ok_or_else(|| {
            problem("the call starts before the previous call ends", "lines in order of time")
        })?;
        if span.end - begin > MAX_TRACE_PS {
            return Err(problem("the call ends more than 53 days after MPI_Init", "a shorter trace"));
        }
        self.compute_ps += gap as u64;
        self.last_end = span.end;
        Ok(())
    }
}
