//! The files of checkpoints.
//!
//! ```text
//!   magic | format | zstd with a checksum ( content )
//! ```

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The first bytes of a file.
pub(super) type Magic = [u8; 16];

/// The version of the content, to be incremented with every change.
pub(super) const FORMAT: u32 = 33;

/// A fast level. The state is mostly packets, which do not compress, and counters and free space, which any level
/// compresses.
const COMPRESSION_LEVEL: i32 = 1;

/// Writes a file atomically: under a temporary name, synced to disk and renamed.
pub(super) fn write<T>(
    path: &Path,
    magic: &Magic,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(magic)?;
    file.write_all(&FORMAT.to_le_bytes())?;
    let mut compressed = zstd::Encoder::new(&mut file, COMPRESSION_LEVEL)?;
    compressed.include_checksum(true)?;
    let written = write(&mut compressed)?;
    compressed.finish()?.flush()?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    File::open(folder)?.sync_all()?;
    Ok(written)
}

/// The content of a file, or its format if that is another; none if it has other first bytes.
pub(super) fn open(path: &Path, magic: &Magic) -> io::Result<Option<Result<impl Read + use<>, u32>>> {
    let mut file = BufReader::new(File::open(path)?);
    let (mut first, mut format) = ([0; size_of::<Magic>()], [0; 4]);
    let is_ours =
        file.read_exact(&mut first).is_ok() && first == *magic && file.read_exact(&mut format).is_ok();
    match (is_ours, u32::from_le_bytes(format)) {
        (true, FORMAT) => zstd::Decoder::with_buffer(file).map(|content| Some(Ok(content))),
        (true, other) => Ok(Some(Err(other))),
        (false, _) => Ok(None),
    }
}
