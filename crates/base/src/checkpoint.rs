//! The state of an engine, saved and restored.
//!
//! A checkpoint is a sequence of *frames*, each a length and that many bytes of plain data (postcard). An engine writes
//! one frame for itself and one for each node in order of node numbers; the reference engine adds one for each cycle
//! with events. The number of threads may therefore differ between saving and restoring, and neither needs memory for a
//! second copy of a large machine.
//!
//! ```text
//!   length, bytes | length, bytes | ... | seal: the hash of all before it
//! ```
//!
//! The seal detects every accidental change. It cannot detect a forged checkpoint, whose seal is right, and it is read
//! after the state that it protects. So whatever restores a state checks it ([`require`]): a state that passes can be
//! simulated without access to memory that does not belong to it, even if no simulation leads to it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// The maximum length of a frame: a greater length means that the data are damaged.
const MAX_FRAME_BYTES: u32 = 1 << 30;

/// More packets than a node sends in any run.
pub const MOST_PACKETS: u64 = 1 << 48;

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
        self.frame = postcard::to_extend(value, std::mem::take(&mut self.frame)).map_err(io::Error::other)?;
        let length = u32::try_from(self.frame.len()).ok().filter(|&length| length <= MAX_FRAME_BYTES);
        let length = length.ok_or_else(|| io::Error::other("a frame is too long"))?;
        for part in [&length.to_le_bytes()[..], &self.frame] {
            self.hasher.update(part);
            self.output.write_all(part)?;
        }
        Ok(())
    }

    /// Writes the seal, after the last frame.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn seal(self) -> io::Result<()> {
        self.output.write_all(self.hasher.finalize().as_bytes())
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

    /// Reads the next frame.
    ///
    /// # Errors
    /// Errors of the input, and a frame that does not hold a `T`.
    pub fn read<T: DeserializeOwned>(&mut self) -> io::Result<T> {
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
        match postcard::take_from_bytes(&self.frame) {
            Ok((value, [])) => Ok(value),
            _ => Err(unexpected_state()),
        }
    }

    /// Reads the seal after the last frame, and to the end of the input.
    ///
    /// # Errors
    /// Errors of the input, a seal that does not fit the frames, and anything behind it.
    pub fn check_seal(self) -> io::Result<()> {
        let mut seal = [0; blake3::OUT_LEN];
        self.input.read_exact(&mut seal)?;
        let is_last = io::copy(self.input, &mut io::sink())? == 0;
        match self.hasher.finalize() == seal && is_last {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "its content has been altered")),
        }
    }
}

/// Fails unless a condition holds that every saved state meets.
///
/// # Errors
/// [`unexpected_state`].
pub fn require(condition: bool) -> io::Result<()> {
    if condition { Ok(()) } else { Err(unexpected_state()) }
}

/// The error for state that is damaged or belongs to another machine.
pub fn unexpected_state() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not hold a state of this machine and workload")
}
