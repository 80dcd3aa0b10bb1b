//! Datatypes: where the elements of a buffer lie, and how they become the bytes of a message.
//!
//! ```text
//!   runs of bytes, in the order in which they are sent; adjacent ones are merged
//!
//!   |##--|##--|##|   a vector of 3 blocks of 2 characters, 4 apart   -->   (0, 2), (4, 2), (8, 2)
//!   <- extent -->
//! ```

use crate::abi::{Buffer, Count, Datatype};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::rc::Rc;

/// A run of bytes: its place from the address of the buffer, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub at: i64,
    pub bytes: u64,
}

/// A datatype.
#[derive(Debug)]
pub(crate) struct Type {
    /// The runs of one copy.
    pub runs: Vec<Run>,
    /// The bytes of data.
    pub size: u64,
    /// The lower bound, and the bytes from there to the next copy.
    pub lb: i64,
    pub extent: i64,
    /// What each element is, if all are alike: operations need it.
    pub element: Option<Element>,
}

/// The kind of a basic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of Rust's types")]
pub(crate) enum Element {
    Signed(u8),
    Unsigned(u8),
    Float32,
    Float64,
    Complex32,
    Complex64,
    Bool,
    Byte,
    /// A value, which is the second element, and a place of 4 bytes.
    Float32Int,
    Float64Int,
    Int16Int,
    Int32Int,
    Int64Int,
}

impl Type {
    /// A basic datatype.
    pub fn basic(bytes: u64, element: Element) -> Self {
        let (runs, extent) = (vec![Run { at: 0, bytes }], bytes as i64);
        Type { runs, size: bytes, lb: 0, extent, element: Some(element) }
    }

    /// A datatype without data.
    pub fn nothing() -> Self {
        Type { runs: Vec::new(), size: 0, lb: 0, extent: 0, element: None }
    }

    /// Whether copies of the datatype lie in one piece.
    fn is_dense(&self) -> bool {
        matches!(self.runs[..], [Run { at: 0, bytes }] if bytes as i64 == self.extent) || self.size == 0
    }

    /// The blocks of memory in which `count` copies lie, no two of them adjacent.
    pub fn blocks(&self, count: u64) -> u64 {
        if self.is_dense() || count == 0 {
            return 1;
        }
        let last = self.runs[self.runs.len() - 1];
        let is_joined = last.at + last.bytes as i64 == self.extent + self.runs[0].at;
        let runs = self.runs.len() as u64;
        if is_joined { count * (runs - 1) + 1 } else { count * runs }
    }

    /// Copies data from a buffer into the bytes of a message.
    ///
    /// # Safety
    /// The buffer has `count` copies of the datatype, and the message has room for them.
    pub unsafe fn pack(&self, buffer: Buffer, count: u64, to: *mut u8) {
        let from = buffer.0 as *const u8;
        if self.is_dense() {
            // SAFETY: the caller says so.
            return unsafe { to.copy_from_nonoverlapping(from, (count * self.size) as usize) };
        }
        let mut to = to;
        for copy in 0..count as i64 {
            for run in &self.runs {
                // SAFETY: the runs of all copies are in the buffer, and their bytes are those of the message.
                unsafe {
                    let at = from.wrapping_offset((copy * self.extent + run.at) as isize);
                    to.copy_from_nonoverlapping(at, run.bytes as usize);
                    to = to.add(run.bytes as usize);
                }
            }
        }
    }

    /// Copies the first `bytes` bytes of a message into a buffer.
    ///
    /// # Safety
    /// The buffer has room for as many copies of the datatype, and the message has these bytes.
    pub unsafe fn unpack(&self, from: *const u8, bytes: u64, buffer: Buffer) {
        let to = buffer.0 as *mut u8;
        if self.is_dense() {
            // SAFETY: the caller says so.
            return unsafe { to.copy_from_nonoverlapping(from, bytes as usize) };
        }
        let (mut from, mut left) = (from, bytes);
        let mut copy = 0;
        while left > 0 && self.size > 0 {
            for run in &self.runs {
                let here = run.bytes.min(left);
                // SAFETY: the runs of all copies are in the buffer, and their bytes are those of the message.
                unsafe {
                    let at = to.wrapping_offset((copy * self.extent + run.at) as isize);
                    at.copy_from_nonoverlapping(from, here as usize);
                    from = from.add(here as usize);
                }
                left -= here;
            }
            copy += 1;
        }
    }
}

/// The basic datatype of a constant.
fn predefined(datatype: Datatype) -> Option<Rc<Type>> {
    use Element::{Byte, Float32, Float64, Float64Int, Int32Int, Signed, Unsigned};
    let (bytes, element) = match datatype.0 {
        0x209 => (4, Signed(4)),
        0x20a | 0x20b | 0x201..=0x203 => (8, Signed(8)),
        0x20d => (4, Unsigned(4)),
        0x20e | 0x20f => (8, Unsigned(8)),
        0x210 => (4, Float32),
        0x214 => (8, Float64),
        0x243 | 0x244 => (1, Signed(1)),
        0x245 => (1, Unsigned(1)),
        0x207 | 0x247 => (1, Byte),
        0x229 => (12, Float64Int),
        0x22b => (8, Int32Int),
        _ => return None,
    };
    let mut made = Type::basic(bytes, element);
    if element == Float64Int {
        made.extent = 16;
    }
    Some(Rc::new(made))
}

/// The datatype of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(datatype: Datatype) -> Outcome<Rc<Type>> {
    let found = library().datatypes.get(datatype.0).or_else(|| predefined(datatype));
    found.ok_or_else(|| Error::new(c::ERR_TYPE, "datatype is no datatype"))
}

/// Data in a buffer of the program.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub buffer: Buffer,
    pub count: u64,
    pub datatype: Rc<Type>,
}

impl Data {
    /// The data that arguments name.
    ///
    /// # Errors
    /// If the count is negative, or there is no such datatype.
    pub fn of(buffer: Buffer, count: Count, datatype: Datatype) -> Outcome<Self> {
        let datatype = of(datatype)?;
        let count = u64::try_from(count.0)
            .map_err(|_| Error::new(c::ERR_COUNT, format!("count = {}: it is a number from 0", count.0)))?;
        Ok(Data { buffer, count, datatype })
    }

    /// The bytes of the data.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.datatype.size)
    }

    /// The blocks of memory in which they lie.
    pub fn blocks(&self) -> u64 {
        self.datatype.blocks(self.count)
    }

    /// Copies the data into a message.
    ///
    /// # Safety
    /// The program has passed a valid buffer, and there is room for the bytes.
    pub unsafe fn pack(&self, to: *mut u8) {
        // SAFETY: the caller says so.
        unsafe { self.datatype.pack(self.buffer, self.count, to) }
    }

    /// Copies the bytes of a message, at most those for which there is room; returns their number.
    ///
    /// # Safety
    /// The program has passed a valid buffer, and the message has these bytes.
    pub unsafe fn unpack(&self, from: *const u8, bytes: u64) -> u64 {
        let bytes = bytes.min(self.bytes());
        // SAFETY: the caller says so.
        unsafe { self.datatype.unpack(from, bytes, self.buffer) };
        bytes
    }
}
