//! The state of an engine, saved and restored.
//!
//! A checkpoint is a sequence of *frames*, each a length, that many bytes of plain data (postcard), and a seal. An
//! engine writes one frame for itself, to which the reference engine adds one for each cycle with events, and then those
//! of each node in order of node numbers. The number of threads and processes may therefore differ between saving and
//! restoring, and neither needs memory for a second copy of a large machine.
//!
//! ```text
//!   length, bytes, seal | length, bytes, seal | ...       a seal: the hash of all lengths and bytes so far
//! ```
//!
//! A seal is verified before its frame is read. So whatever restores a state need not doubt it: the state is one that a
//! run of the same program has saved. Only a forged checkpoint, whose seals are right, can hold another. It is to be
//! trusted as a program is: its run may panic or give any result, but no state lets the engines access memory that
//! does not belong to them (`windowed`'s `restored`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// The maximum length of a frame: a greater length means that the data are damaged.
const MAX_FRAME_BYTES: u32 = 1 << 30;

/// The length of a seal.
const SEAL_BYTES: usize = 16;

/// The hash of frames.
pub type Seal = [u8; SEAL_BYTES];

/// The seal after the frames that `hasher` has seen.
fn seal_of(hasher: &blake3::Hasher) -> Seal {
    let mut seal = [0; SEAL_BYTES];
    hasher.finalize_xof().fill(&mut seal);
    seal
}

/// Writes frames.
pub struct FrameWriter<'a> {
    output: &'a mut dyn Write,
    frame: Vec<u8>,
    hasher: blake3::Hasher,
}

impl<'a> FrameWriter<'a> {
    /// Writes frames to `output`.
    pub fn new(output: &'a mut dyn Write) -> Self {
        FrameWriter { output, frame: Vec::new(), hasher: blake3::Hasher::new() }
    }

    /// Writes a value as one frame.
    ///
    /// # Errors
    /// Errors of the output, and a value larger than 1 GiB.
    pub fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        self.frame.clear();
        let frame = postcard::to_extend(value, std::mem::take(&mut self.frame)).map_err(io::Error::other)?;
        let written = self.write_bytes(&frame);
        self.frame = frame;
        written
    }

    /// Writes bytes as one frame.
    ///
    /// # Errors
    /// Errors of the output, and more than 1 GiB.
    pub fn write_bytes(&mut self, frame: &[u8]) -> io::Result<()> {
        let length = u32::try_from(frame.len()).ok().filter(|&length| length <= MAX_FRAME_BYTES);
        let length = length.ok_or_else(|| io::Error::other("a frame is too long"))?;
        for part in [&length.to_le_bytes()[..], frame] {
            self.hasher.update(part);
            self.output.write_all(part)?;
        }
        self.output.write_all(&self.seal())
    }

    /// The seal of all frames so far.
    pub fn seal(&self) -> Seal {
        seal_of(&self.hasher)
    }
}

/// Reads frames in the order they were written.
pub struct FrameReader<'a> {
    input: &'a mut dyn Read,
    frame: Vec<u8>,
    hasher: blake3::Hasher,
}

impl<'a> FrameReader<'a> {
    /// Reads frames from `input`.
    pub fn new(input: &'a mut dyn Read) -> Self {
        FrameReader { input, frame: Vec::new(), hasher: blake3::Hasher::new() }
    }

    /// Verifies and reads the next frame.
    ///
    /// # Errors
    /// Errors of the input, a seal that does not fit the frames so far, and a frame that does not hold a `T`.
    pub fn read<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        match postcard::take_from_bytes(self.read_bytes()?) {
            Ok((value, [])) => Ok(value),
            _ => Err(unexpected_state()),
        }
    }

    /// Verifies the next frame and reads its bytes.
    ///
    /// # Errors
    /// Errors of the input, and a seal that does not fit the frames so far.
    pub fn read_bytes(&mut self) -> io::Result<&[u8]> {
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        self.hasher.update(&length);
        let length = u32::from_le_bytes(length);
        if length > MAX_FRAME_BYTES {
            return Err(unexpected_state());
        }
        self.frame.clear();
        let read = (&mut self.input).take(length.into()).read_to_end(&mut self.frame)?;
        if read < length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.hasher.update(&self.frame);
        let mut seal = [0; SEAL_BYTES];
        self.input.read_exact(&mut seal)?;
        if seal != seal_of(&self.hasher) {
            return Err(altered());
        }
        Ok(&self.frame)
    }

    /// The seal of all frames so far.
    pub fn seal(&self) -> Seal {
        seal_of(&self.hasher)
    }

    /// Reads to the end of the input after the last frame.
    ///
    /// # Errors
    /// Errors of the input, and anything behind the last frame.
    pub fn end(self) -> io::Result<()> {
        match io::copy(self.input, &mut io::sink())? {
            0 => Ok(()),
            _ => Err(altered()),
        }
    }
}

/// The error for frames that are not as they were saved.
fn altered() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its content has been altered")
}

/// A hash of a value on which a state depends and which a checkpoint does not contain, such as the content of a file.
pub fn fingerprint<T: Serialize + ?Sized>(value: &T) -> u64 {
    let hasher = postcard::to_io(value, blake3::Hasher::new()).expect("a hasher takes everything");
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Fails unless a condition holds that every state meets that was saved for the same machine and workload.
///
/// # Errors
/// [`unexpected_state`].
pub fn require(condition: bool) -> io::Result<()> {
    if condition { Ok(()) } else { Err(unexpected_state()) }
}

/// The error for a checkpoint that cannot be resumed since something outside it has changed, as `what` says.
pub fn changed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// The error for a state of another machine or workload.
pub fn unexpected_state() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not hold a state of this machine and workload")
}
