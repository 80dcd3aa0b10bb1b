//! Texts of C, which end with 0.

use crate::abi::{Text, TextAt};
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::{CStr, CString};

/// A copy of the text of an argument.
///
/// # Errors
/// If there is no address.
pub(crate) fn read(name: &str, text: Text) -> Outcome<CString> {
    if text.0.is_null() {
        return Err(Error::new(c::ERR_ARG, format!("{name} is a null pointer: it is a text")));
    }
    // SAFETY: MPI requires that the program passes a text.
    Ok(unsafe { CStr::from_ptr(text.0) }.to_owned())
}

/// Stores a text, or as much of it as there is room for, with a 0 at the end. Returns the length of what is stored.
pub(crate) fn write(text: &CStr, to: TextAt, room: usize) -> usize {
    let bytes = text.to_bytes();
    let stored = bytes.len().min(room.saturating_sub(1));
    if !to.0.is_null() && room > 0 {
        // SAFETY: MPI requires that the program passes the address of so much room.
        unsafe {
            to.0.copy_from_nonoverlapping(bytes.as_ptr().cast(), stored);
            to.0.add(stored).write(0);
        }
    }
    stored
}

/// A text without the 0 in it that would end it.
pub(crate) fn of(text: impl Into<String>) -> CString {
    CString::new(text.into().replace('\0', " ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_the_room_ends() {
        for (room, expected) in [(8, "node"), (5, "node"), (4, "nod"), (1, "")] {
            let mut place = [b'x'; 8];
            let stored = write(c"node", TextAt(place.as_mut_ptr().cast()), room);
            assert_eq!((&place[..stored], place[stored]), (expected.as_bytes(), 0));
            assert!(place[stored + 1..].iter().all(|byte| *byte == b'x'));
        }
        assert_eq!(write(c"node", TextAt([b'x'].as_mut_ptr().cast()), 0), 0);
        assert_eq!(read("key", Text(c"key".as_ptr())).unwrap(), *c"key");
        assert_eq!(read("key", Text(std::ptr::null())).unwrap_err().code, c::ERR_ARG);
    }
}
