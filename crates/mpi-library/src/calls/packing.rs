//! Packed data: those of several datatypes, one after the other in a buffer of the program.

use crate::abi::{Buffer, Comm, Count, CountAt, Datatype, Extent, ExtentAt, Numbers, Text};
use crate::calls::datatypes::{Data, external};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::objects::communicators;
use std::ffi::CStr;

/// The room for bytes in a packed buffer, behind those that are there.
struct Room {
    /// The address of the first byte.
    at: *mut u8,
    position: Numbers,
    after: i64,
}

impl Room {
    /// The room for `bytes` bytes behind the position.
    fn of(buffer: Buffer, (name, size): (&str, i64), position: Numbers, bytes: u64) -> Outcome<Self> {
        let before = position.get(0);
        let from = u64::try_from(before)
            .map_err(|_| Error::argument("position", before, "a number of bytes from 0"))?;
        let end = from.checked_add(bytes).filter(|end| i64::try_from(*end).is_ok_and(|end| end <= size));
        let after = end.ok_or_else(|| {
            let words = format!("{name} = {size}: the data are {bytes} bytes, from byte {from} on");
            Error::new(c::ERR_TRUNCATE, words)
        })?;
        let at = buffer.0.wrapping_add(from as usize) as *mut u8;
        Ok(Room { at, position, after: after as i64 })
    }

    /// Notes that the bytes are packed, or unpacked.
    fn advance(self) {
        self.position.set(0, self.after);
    }
}

/// `MPI_Pack`.
///
/// # Errors
/// If an argument is wrong, or the buffer is too short.
pub fn pack(
    inbuf: Buffer,
    incount: Count,
    datatype: Datatype,
    outbuf: Buffer,
    outsize: Count,
    position: CountAt,
    comm: Comm,
) -> Outcome {
    let pack = || {
        communicators::of(comm)?;
        let data = Data::of(inbuf, incount, datatype)?;
        let room = Room::of(outbuf, ("outsize", outsize.0), position.0, data.bytes())?;
        // SAFETY: the program has passed valid buffers, and there is room for the bytes.
        unsafe { data.pack(room.at) };
        room.advance();
        Ok(())
    };
    pack().map_err(|error: Error| error.on(comm))
}

/// `MPI_Unpack`.
///
/// # Errors
/// If an argument is wrong, or the buffer has fewer data.
pub fn unpack(
    inbuf: Buffer,
    insize: Count,
    position: CountAt,
    outbuf: Buffer,
    outcount: Count,
    datatype: Datatype,
    comm: Comm,
) -> Outcome {
    let unpack = || {
        communicators::of(comm)?;
        let data = Data::of(outbuf, outcount, datatype)?;
        let room = Room::of(inbuf, ("insize", insize.0), position.0, data.bytes())?;
        // SAFETY: the program has passed valid buffers, and the bytes are there.
        unsafe { data.unpack(room.at, data.bytes()) };
        room.advance();
        Ok(())
    };
    unpack().map_err(|error: Error| error.on(comm))
}

/// `MPI_Pack_size`: exactly the bytes of the data.
///
/// # Errors
/// If an argument is wrong.
pub fn pack_size(incount: Count, datatype: Datatype, comm: Comm, size: CountAt) -> Outcome {
    let bytes = communicators::of(comm).and_then(|_| Ok(Data::of(Buffer(0), incount, datatype)?.bytes()));
    size.0.set(0, i64::try_from(bytes.map_err(|error| error.on(comm))?).unwrap_or(c::UNDEFINED.into()));
    Ok(())
}

/// The only representation of external data.
fn check(datarep: Text) -> Outcome {
    let expected = "external32";
    // SAFETY: the program passes a text that ends with 0.
    let given = (!datarep.0.is_null()).then(|| unsafe { CStr::from_ptr(datarep.0) }.to_string_lossy());
    match given {
        Some(given) if given == expected => Ok(()),
        other => {
            let given = other.unwrap_or_default();
            let words = format!("datarep = \"{given}\": it is \"{expected}\"");
            Err(Error::new(c::ERR_UNSUPPORTED_DATAREP, words))
        }
    }
}

/// The bytes of data in the external form.
fn external_bytes(data: &Data) -> u64 {
    data.count.saturating_mul(data.datatype.elements.external_bytes)
}

/// `MPI_Pack_external`.
///
/// # Errors
/// If an argument is wrong, or the buffer is too short, or a number does not fit into its external form.
pub fn pack_external(
    datarep: Text,
    inbuf: Buffer,
    incount: Count,
    datatype: Datatype,
    outbuf: Buffer,
    outsize: Extent,
    position: ExtentAt,
) -> Outcome {
    check(datarep)?;
    let data = Data::of(inbuf, incount, datatype)?;
    let room = Room::of(outbuf, ("outsize", outsize.0), position.0, external_bytes(&data))?;
    let mut packed = data.room_for_packed()?;
    // SAFETY: the program has passed valid buffers, and there is room for the bytes.
    unsafe {
        data.pack(packed.as_mut_ptr());
        external::convert_all(&data.datatype, data.count, (packed.as_ptr(), room.at), true)?;
    }
    room.advance();
    Ok(())
}

/// `MPI_Unpack_external`.
///
/// # Errors
/// If an argument is wrong, or the buffer has fewer data, or a number does not fit into its form in memory.
pub fn unpack_external(
    datarep: Text,
    inbuf: Buffer,
    insize: Extent,
    position: ExtentAt,
    outbuf: Buffer,
    outcount: Count,
    datatype: Datatype,
) -> Outcome {
    check(datarep)?;
    let data = Data::of(outbuf, outcount, datatype)?;
    let room = Room::of(inbuf, ("insize", insize.0), position.0, external_bytes(&data))?;
    let mut packed = data.room_for_packed()?;
    // SAFETY: the program has passed valid buffers, and the bytes are there.
    unsafe {
        external::convert_all(&data.datatype, data.count, (room.at, packed.as_mut_ptr()), false)?;
        data.unpack(packed.as_ptr(), data.bytes());
    }
    room.advance();
    Ok(())
}

/// `MPI_Pack_external_size`: exactly the bytes of the data.
///
/// # Errors
/// If an argument is wrong.
pub fn pack_external_size(datarep: Text, incount: Count, datatype: Datatype, size: ExtentAt) -> Outcome {
    check(datarep)?;
    let bytes = external_bytes(&Data::of(Buffer(0), incount, datatype)?);
    size.0.set(0, i64::try_from(bytes).unwrap_or(c::UNDEFINED.into()));
    Ok(())
}
