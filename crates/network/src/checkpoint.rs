//! The state of an engine, saved and restored.
//!
//! A checkpoint is a sequence of *frames*, each a length and that many bytes of plain data (postcard). An engine writes
//! one frame for itself and one for each node in order of node numbers; the reference engine adds one for each cycle
//! with events. The number of threads may therefore differ between saving and restoring, and neither needs memory for a
//! second copy of a large machine.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// The maximum length of a frame: a greater length means that the data are damaged.
const MAX_FRAME_BYTES: u32 = 1 << 30;

/// Writes frames.
pub struct FrameWriter<'a> {
    output: &'a mut dyn Write,
    frame: Vec<u8>,
}

impl<'a> FrameWriter<'a> {
    /// Writes frames to `output`.
    pub fn new(output: &'a mut dyn Write) -> Self {
        FrameWriter { output, frame: Vec::new() }
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
        self.output.write_all(&length.to_le_bytes())?;
        self.output.write_all(&self.frame)
    }
}

/// Reads frames in the order they were written.
pub struct FrameReader<'a> {
    input: &'a mut dyn Read,
    frame: Vec<u8>,
}

impl<'a> FrameReader<'a> {
    /// Reads frames from `input`.
    pub fn new(input: &'a mut dyn Read) -> Self {
        FrameReader { input, frame: Vec::new() }
    }

    /// Reads the next frame.
    ///
    /// # Errors
    /// Errors of the input, and a frame that does not hold a `T`.
    pub fn read<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_FRAME_BYTES {
            return Err(unexpected_state());
        }
        self.frame.clear();
        let read = (&mut self.input).take(length.into()).read_to_end(&mut self.frame)?;
        if read < length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match postcard::take_from_bytes(&self.frame) {
            Ok((value, [])) => Ok(value),
            _ => Err(unexpected_state()),
        }
    }
}

/// The error for state that is damaged or belongs to another machine.
pub fn unexpected_state() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not hold a state of this machine")
}
