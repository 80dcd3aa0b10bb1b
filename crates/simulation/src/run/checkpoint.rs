//! Checkpoints: the state of a run in a file, from which the run can be resumed after an interruption.
//!
//! ```text
//!   magic | format | zstd with a checksum ( scenario | run | engine | node | node ... ), each a sealed frame
//! ```
//!
//! Files are written atomically: under a temporary name, synced to disk and renamed. A resumed run has the same digest
//! and the same tables as an uninterrupted one, on any number of threads.

use super::{Run, Series};
use crate::engine::EngineKind;
use crate::scenario::resolve;
use base::checkpoint::{FrameReader, FrameWriter};
use input::InputError;
use network::Totals;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::time::Duration;

const MAGIC: &[u8; 16] = b"torusim restart\n";

/// The version of the file format, to be incremented with every change.
const FORMAT: u32 = 32;

/// The version of torusim that can read the file: the format of the state is not stable across versions.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A fast level. The state is mostly packets, which do not compress, and counters and free space, which any level
/// compresses.
const COMPRESSION_LEVEL: i32 = 1;

/// The data needed to set up the run.
#[derive(Serialize, Deserialize)]
struct Header {
    version: String,
    /// The engine's name.
    engine: String,
    threads: usize,
    /// The resolved scenario, as in `result.json`.
    scenario: String,
}

/// The state of the run outside the engine.
#[derive(Serialize, Deserialize)]
struct State<R> {
    series: R,
    window_start: Totals,
    window_middle: Option<Totals>,
    engine_time: Duration,
    peak_state_bytes: u64,
}

impl Run {
    /// Writes a checkpoint of the run to `path`.
    ///
    /// # Errors
    /// When the file cannot be written. `path` never holds a partial file.
    pub fn save(&self, path: &Path) -> Result<(), InputError> {
        let problem = |error: io::Error| {
            InputError::at(path.display().to_string(), format!("cannot write the checkpoint: {error}"))
        };
        self.write_checkpoint(path).map_err(problem)
    }

    fn write_checkpoint(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&FORMAT.to_le_bytes())?;
        let mut compressed = zstd::Encoder::new(&mut file, COMPRESSION_LEVEL)?;
        compressed.include_checksum(true)?;
        self.save_to(&mut compressed)?;
        compressed.finish()?.flush()?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        File::open(folder)?.sync_all()
    }

    /// Writes the content of a checkpoint.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn save_to(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut frames = FrameWriter::new(output);
        frames.write(&Header {
            version: VERSION.to_owned(),
            engine: self.engine_kind.name().to_owned(),
            threads: self.threads,
            scenario: serde_json::json!({ "scenario": self.scenario.to_json() }).to_string(),
        })?;
        frames.write(&State {
            series: &self.series,
            window_start: self.window_start.clone(),
            window_middle: self.window_middle.clone(),
            engine_time: self.engine_time,
            peak_state_bytes: self.peak_state_bytes,
        })?;
        self.engine.save(&mut frames)
    }

    /// Resumes the run of the checkpoint at `path`, on `threads` threads or by default on as many as before.
    ///
    /// # Errors
    /// When the file does not exist, is damaged or of another version, or when the run can no longer be set up on
    /// this host.
    pub fn resume(path: &Path, threads: Option<usize>) -> Result<Run, InputError> {
        let place = path.display().to_string();
        let damaged = |error: io::Error| InputError::at(place.clone(), format!("is damaged ({error})"));
        let unreadable = |error: io::Error| InputError::at(place.clone(), format!("cannot be read: {error}"));
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(InputError::at(place, "is not a file: the checkpoint of a run is needed"));
        }
        let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
        check_format(&mut file, &place)?;
        let mut content = zstd::Decoder::with_buffer(file).map_err(damaged)?;
        Run::resume_from(&mut content, &place, threads)
    }

    /// Resumes a run from the content of a checkpoint, read to its end; `place` names it in messages.
    ///
    /// # Errors
    /// The errors of [`Run::resume`].
    pub fn resume_from(
        content: &mut dyn Read,
        place: &str,
        threads: Option<usize>,
    ) -> Result<Run, InputError> {
        let refused = |error: io::Error| {
            let has_changed = error.kind() == io::ErrorKind::InvalidInput;
            let damaged = format!("is damaged ({error})");
            InputError::at(place, if has_changed { format!("cannot be resumed: {error}") } else { damaged })
        };
        let mut frames = FrameReader::new(content);
        let head: Header = frames.read().map_err(refused)?;
        if head.version != VERSION {
            let problem =
                format!("was written by torusim {}; this is {VERSION}, which cannot resume it", head.version);
            return Err(InputError::at(place, problem));
        }
        let engine = EngineKind::of_packets()
            .find(|engine| engine.name() == head.engine)
            .ok_or_else(|| refused(io::ErrorKind::InvalidData.into()))?;
        let scenario = resolve(&head.scenario, "checkpoint.json", Path::new(""), &[])
            .map_err(|error| InputError::at(place, error.to_string()))?;
        let mut run = Run::new(scenario, engine, threads.unwrap_or(head.threads))?;
        run.read_frames(frames).map_err(refused)?;
        Ok(run)
    }

    fn read_frames(&mut self, mut frames: FrameReader<'_>) -> io::Result<()> {
        let state: State<Series> = frames.read()?;
        self.engine.restore(&mut frames)?;
        frames.end()?;
        self.series = state.series;
        self.window_start = state.window_start;
        self.window_middle = state.window_middle;
        self.engine_time = state.engine_time;
        self.peak_state_bytes = state.peak_state_bytes;
        Ok(())
    }
}

fn check_format(file: &mut impl Read, place: &str) -> Result<(), InputError> {
    let (mut magic, mut format) = ([0; MAGIC.len()], [0; 4]);
    let is_ours =
        file.read_exact(&mut magic).is_ok() && &magic == MAGIC && file.read_exact(&mut format).is_ok();
    match (is_ours, u32::from_le_bytes(format)) {
        (true, FORMAT) => Ok(()),
        (true, other) => {
            let problem = format!("has format {other}; this version of torusim reads format {FORMAT}");
            Err(InputError::at(place, problem))
        }
        (false, _) => Err(InputError::at(place, "is damaged or is not a torusim checkpoint")),
    }
}
