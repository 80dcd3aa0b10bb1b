//! Nodes in checkpoints, and the files in which several processes save them.
//!
//! ```text
//!   frames:           node | node | ...        each frame holds the frames of a node, so that others can be left out
//!   NAME.part-1-of-4: ( nodes, cycle | node | node ... )
//! ```
//!
//! A part says of itself which nodes it has, and at which cycle. Its checkpoint knows that, and its seal. So a part of another attempt, or
//! of another run, is refused.

use super::file::{self, Magic};
use base::checkpoint::{FrameReader, FrameWriter, Seal, changed};
use network::{Engine, Peers};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &Magic = b"torusim part   \n";

/// A file with the nodes of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedPart {
    /// The name of the file, in the folder of the checkpoint.
    pub file: String,
    nodes: Range<u32>,
    cycle: u64,
    seal: Seal,
}

/// The file for the part of this process, in the folder of a checkpoint.
pub(super) fn file_of(checkpoint: &Path, peers: &Peers) -> PathBuf {
    let name = checkpoint.file_name().unwrap_or_default().to_string_lossy();
    checkpoint.with_file_name(format!("{name}.part-{}-of-{}", peers.number(), peers.count()))
}

/// Writes the nodes of this process to a file.
pub(super) fn write(path: &Path, engine: &dyn Engine) -> io::Result<SavedPart> {
    let (nodes, cycle) = (engine.own_nodes(), engine.now());
    let seal = file::write(path, MAGIC, |content| {
        let mut frames = FrameWriter::new(content);
        frames.write(&(&nodes, cycle))?;
        save_nodes(engine, &mut frames)?;
        Ok(frames.seal())
    })?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SavedPart { file, nodes, cycle, seal })
}

/// Whether parts have each node once, in order.
pub(super) fn are_all(parts: &[SavedPart], nodes: u32) -> bool {
    let end = parts.iter().try_fold(0, |next, part| (part.nodes.start == next).then_some(part.nodes.end));
    end == Some(nodes)
}

impl SavedPart {
    /// Reads those nodes of the part that an engine has.
    pub fn read(&self, path: &Path, engine: &mut dyn Engine) -> io::Result<()> {
        let own = engine.own_nodes();
        if self.nodes.end <= own.start || own.end <= self.nodes.start {
            return Ok(());
        }
        let content = file::open(path, MAGIC)?.and_then(Result::ok);
        let mut content =
            content.ok_or_else(|| changed("it is not a part of a checkpoint of this version"))?;
        let mut frames = FrameReader::new(&mut content);
        let another = || changed("it is the part of another checkpoint");
        if frames.read::<(Range<u32>, u64)>()? != (self.nodes.clone(), self.cycle) {
            return Err(another());
        }
        restore_nodes(engine, self.nodes.clone(), &mut frames)?;
        if frames.seal() == self.seal { frames.end() } else { Err(another()) }
    }
}

/// Writes the nodes of this process as frames.
pub(super) fn save_nodes(engine: &dyn Engine, frames: &mut FrameWriter<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    engine.own_nodes().try_for_each(|node| {
        bytes.clear();
        engine.save_node(node, &mut FrameWriter::new(&mut bytes))?;
        frames.write_bytes(&bytes)
    })
}

/// Reads nodes from frames, and restores those that an engine has.
pub(super) fn restore_nodes(
    engine: &mut dyn Engine,
    mut nodes: Range<u32>,
    frames: &mut FrameReader<'_>,
) -> io::Result<()> {
    let own = engine.own_nodes();
    nodes.try_for_each(|node| {
        let mut bytes = frames.read_bytes()?;
        if !own.contains(&node) {
            return Ok(());
        }
        let mut of_node = FrameReader::new(&mut bytes);
        engine.restore_node(node, &mut of_node)?;
        of_node.end()
    })
}
