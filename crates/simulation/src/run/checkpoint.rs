//! Checkpoints: the state of a run in a file, from which the run can be resumed after an interruption.
//!
//! ```text
//!   ( scenario | run | engine | node | node ... ), each a sealed frame, in a [`file`]
//! ```
//!
//! Files are written atomically. A resumed run has the same digest
//! and the same tables as an uninterrupted one, on any number of threads and processes.
//!
//! Several processes write the nodes into [parts], a file each. The checkpoint then names them, and is written when all of
//! them are on the disk.

use super::file::{self, FORMAT, Magic};
use super::parts::{self, SavedPart};
use super::{Run, Series, agreed};
use crate::engine::EngineKind;
use crate::scenario::resolve_for;
use base::checkpoint::{FrameReader, FrameWriter, require};
use input::InputError;
use network::{Peers, Totals};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

const MAGIC: &Magic = b"torusim restart\n";

/// The version of torusim that can read the file: the format of the state is not stable across versions.
const VERSION: &str = env!("CARGO_PKG_VERSION");

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
    /// The files with the nodes; none if they follow.
    parts: Vec<SavedPart>,
}

impl Run {
    /// Writes a checkpoint of the run to `path`. Several processes write its parts to the same folder, one that all of them
    /// see.
    ///
    /// # Errors
    /// When a file cannot be written. `path` never holds a partial file.
    pub fn save(&self, path: &Path) -> Result<(), InputError> {
        let of_file = |path: &Path, error: io::Error| {
            InputError::at(path.display().to_string(), format!("cannot write the checkpoint: {error}"))
        };
        let parts = match self.peers.is_alone() {
            true => Vec::new(),
            false => {
                let file = parts::file_of(path, &self.peers);
                let own = parts::write(&file, self.engine.as_ref());
                let own = own.map_err(|error| of_file(&file, error));
                self.peers.gather(own).into_iter().collect::<Result<_, _>>()?
            }
        };
        // All take part in what is gathered for it.
        let written = match self.peers.is_first() {
            true => file::write(path, MAGIC, |content| self.save_content(content, parts)),
            false => self.save_content(&mut io::sink(), parts),
        };
        let written = written.map_err(|error| of_file(path, error));
        self.peers.decide(|| written)
    }

    /// Writes the content of a checkpoint of a run of one process.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn save_to(&self, output: &mut dyn Write) -> io::Result<()> {
        self.save_content(output, Vec::new())
    }

    /// Writes the content of a checkpoint, whose nodes are in `parts` unless this process has all of them.
    fn save_content(&self, output: &mut dyn Write, parts: Vec<SavedPart>) -> io::Result<()> {
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
            parts,
        })?;
        self.engine.save_whole(&mut frames)?;
        if self.peers.is_alone() { parts::save_nodes(self.engine.as_ref(), &mut frames) } else { Ok(()) }
    }

    /// Resumes the run of the checkpoint at `path`, on `threads` threads or by default on as many as before.
    ///
    /// # Errors
    /// When the file does not exist, is damaged or of another version, or when the run can no longer be set up on
    /// this host.
    pub fn resume(path: &Path, threads: Option<usize>) -> Result<Run, InputError> {
        Run::resume_of_peers(path, threads, &Peers::none())
    }

    /// Resumes a run like [`Run::resume`], which several processes run together from then on.
    ///
    /// # Errors
    /// The errors of [`Run::resume`], in any of the processes.
    pub fn resume_of_peers(path: &Path, threads: Option<usize>, peers: &Peers) -> Result<Run, InputError> {
        let mut run = agreed(Run::read_file(path, threads, peers), peers)?;
        run.engine.end_restoration();
        Ok(run)
    }

    fn read_file(path: &Path, threads: Option<usize>, peers: &Peers) -> Result<Run, InputError> {
        let place = path.display().to_string();
        let unreadable = |error: io::Error| InputError::at(place.clone(), format!("cannot be read: {error}"));
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(InputError::at(place, "is not a file: the checkpoint of a run is needed"));
        }
        let content = file::open(path, MAGIC).map_err(unreadable)?;
        let content = content.ok_or("is damaged or is not a torusim checkpoint".to_owned());
        let content = content.and_then(|content| {
            let problem =
                |other| format!("has format {other}; this version of torusim reads format {FORMAT}");
            content.map_err(problem)
        });
        let mut content = content.map_err(|problem| InputError::at(&place, problem))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Run::read_content(&mut content, (&place, folder), threads, peers)
    }

    /// Resumes a run from the content of a checkpoint without parts, read to its end; `place` names it in messages.
    ///
    /// # Errors
    /// The errors of [`Run::resume`].
    pub fn resume_from(
        content: &mut dyn Read,
        place: &str,
        threads: Option<usize>,
    ) -> Result<Run, InputError> {
        let mut run = Run::read_content(content, (place, Path::new("")), threads, &Peers::none())?;
        run.engine.end_restoration();
        Ok(run)
    }

    fn read_content(
        content: &mut dyn Read,
        (place, folder): (&str, &Path),
        threads: Option<usize>,
        peers: &Peers,
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
        let scenario = resolve_for(&head.scenario, "checkpoint.json", Path::new(""), &[], peers.processes())
            .map_err(|error| InputError::at(place, error.to_string()))?;
        let mut run = Run::of_peers(scenario, engine, threads.unwrap_or(head.threads), peers)?;
        let parts = run.read_frames(frames).map_err(refused)?;
        parts.iter().try_for_each(|part| {
            let file = folder.join(&part.file);
            let refused = |error: io::Error| {
                InputError::at(file.display().to_string(), format!("cannot be resumed: {error}"))
            };
            part.read(&file, run.engine.as_mut()).map_err(refused)
        })?;
        Ok(run)
    }

    /// Reads all but the nodes that are in parts, which it returns.
    fn read_frames(&mut self, mut frames: FrameReader<'_>) -> io::Result<Vec<SavedPart>> {
        let state: State<Series> = frames.read()?;
        self.engine.restore_whole(&mut frames)?;
        let nodes = self.scenario.parameters.shape.nodes();
        match state.parts.is_empty() {
            true => parts::restore_nodes(self.engine.as_mut(), 0..nodes, &mut frames)?,
            false => require(parts::are_all(&state.parts, nodes))?,
        }
        frames.end()?;
        self.series = state.series;
        self.window_start = state.window_start;
        self.window_middle = state.window_middle;
        self.engine_time = state.engine_time;
        self.peak_state_bytes = state.peak_state_bytes;
        Ok(state.parts)
    }
}
