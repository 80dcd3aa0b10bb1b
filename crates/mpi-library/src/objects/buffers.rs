//! Buffers for messages of `MPI_Bsend`. The data of all messages are copied at the call, into memory of the library, so
//! that buffers never fill up, and are free at once: a program gets its buffer back, and hears when it has none.

use crate::abi::{AddressKind, Buffer, Count, CountAt, Pointer, Runtime, Session};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::objects::communicators::Communicator;
use crate::of_process::OfProcess;
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(crate) static BUFFERS: OfProcess<Buffers> = OfProcess::new(Buffers::new());

/// Whose messages a buffer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    Program,
    /// A communicator, by its number at the simulator.
    Comm(u32),
    /// A session, by its handle.
    Session(usize),
}

/// A buffer.
#[derive(Clone, Copy, Debug)]
struct Attached {
    address: usize,
    bytes: i64,
}

/// The buffers that are attached.
#[derive(Debug)]
pub(crate) struct Buffers(RefCell<BTreeMap<Owner, Attached>>);

impl Buffers {
    pub const fn new() -> Self {
        Buffers(RefCell::new(BTreeMap::new()))
    }
}

/// Checks that a message has room in a buffer: that of its communicator, or of the program.
///
/// # Errors
/// If there is no buffer, or it is too small for the message alone.
pub(crate) fn check(of: &Communicator, bytes: u64) -> Outcome {
    let buffers = BUFFERS.0.borrow();
    let found = buffers.get(&Owner::Comm(of.number)).or_else(|| buffers.get(&Owner::Program));
    // Which session a communicator comes from is not known: any will do.
    let of_session = || buffers.iter().find(|(owner, _)| matches!(owner, Owner::Session(_)));
    let found = found.or_else(|| of_session().map(|(_, attached)| attached));
    match found {
        None => Err(Error::new(c::ERR_BUFFER, "no buffer is attached")),
        Some(Attached { address: c::BUFFER_AUTOMATIC, .. }) => Ok(()),
        Some(attached) if bytes <= attached.bytes.unsigned_abs() => Ok(()),
        Some(attached) => {
            let words =
                format!("the message of {bytes} bytes has no room in the buffer of {}", attached.bytes);
            Err(Error::new(c::ERR_BUFFER, words))
        }
    }
}

/// Forgets the buffer of a session that ends.
pub(crate) fn forget(session: Session) {
    BUFFERS.0.borrow_mut().remove(&Owner::Session(session.0));
}

pub(crate) fn attach(owner: Owner, buffer: Buffer, size: Count) -> Outcome {
    if size.0 < 0 {
        return Err(Error::argument("size", size.0, "a number from 0"));
    }
    let mut buffers = BUFFERS.0.borrow_mut();
    if buffers.contains_key(&owner) {
        return Err(Error::new(c::ERR_BUFFER, "a buffer is attached already"));
    }
    buffers.insert(owner, Attached { address: buffer.0, bytes: size.0 });
    Ok(())
}

pub(crate) fn detach(owner: Owner, address: Pointer, size: CountAt) -> Outcome {
    let attached = BUFFERS.0.borrow_mut().remove(&owner);
    let attached = attached.ok_or_else(|| Error::new(c::ERR_BUFFER, "no buffer is attached"))?;
    let is_automatic = attached.address == c::BUFFER_AUTOMATIC;
    let raw = Runtime::raw_address(attached.address, AddressKind::Buffer);
    // SAFETY: the program passes the address of a pointer.
    unsafe { address.0.cast::<usize>().write_unaligned(raw) };
    size.0.set(0, if is_automatic { 0 } else { attached.bytes });
    Ok(())
}
