//! The state of an engine, written down and read again.
//!
//! A checkpoint is a row of *frames*, each a length and so many bytes of plain data (postcard). An engine writes one for
//! itself and one for each node, in order of their numbers, so that neither the number of threads that wrote it nor that
//! which goes on from it matters, and neither needs room for a second copy of a large machine.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// The longest frame there can be: a length beyond it is damage, not state.
const LONGEST_FRAME_BYTES: u32 = 1 << 30;

/// Writes frames.
pub struct FrameWriter<'a> {
    output: &'a mut dyn Write,
    frame: Vec<u8>,
}

impl<'a> FrameWriter<'a> {
    /// Frames for `output`.
    pub fn new(output: &'a mut dyn Write) -> Self {
        FrameWriter { output, frame: Vec::new() }
    }

    /// Writes a value as one frame.
    ///
    /// # Errors
    /// The output's, and when the value takes more than 1 GiB.
    pub fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        self.frame.clear();
        self.frame = postcard::to_extend(value, std::mem::take(&mut self.frame)).map_err(io::Error::other)?;
        let length = u32::try_from(self.frame.len()).ok().filter(|&length| length <= LONGEST_FRAME_BYTES);
        let length = length.ok_or_else(|| io::Error::other("a frame is too long"))?;
        self.output.write_all(&length.to_le_bytes())?;
        self.output.write_all(&self.frame)
    }
}

/// Reads frames in the order in which they were written.
pub struct FrameReader<'a> {
    input: &'a mut dyn Read,
    frame: Vec<u8>,
}

impl<'a> FrameReader<'a> {
    /// Frames of `input`.
    pub fn new(input: &'a mut dyn Read) -> Self {
        FrameReader { input, frame: Vec::new() }
    }

    /// Reads the next frame.
    ///
    /// # Errors
    /// The input's, and when the frame holds something else than a `T`.
    pub fn read<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST_FRAME_BYTES {
            return Err(not_what_was_expected());
        }
        self.frame.clear();
        let read = (&mut self.input).take(length.into()).read_to_end(&mut self.frame)?;
        if read < length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match postcard::take_from_bytes(&self.frame) {
            Ok((value, [])) => Ok(value),
            _ => Err(not_what_was_expected()),
        }
    }
}

/// The error of state that is of another machine, or damaged.
pub fn not_what_was_expected() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it holds something else than the state of this machine")
}
