//! Buffers for messages of `MPI_Bsend`. The data of all messages are copied at the call, into memory of the library, so
//! that buffers never fill up, and are free at once: a program gets its buffer back, and hears when it has none.

use crate::abi::{
    AddressKind, Buffer, Comm, Count, CountAt, Pointer, Ref, Request, Runtime, Session, Status,
};
use crate::calls::communicators::{self, Communicator};
use crate::calls::sessions;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::requests::RequestState;
use crate::of_process::OfProcess;
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(crate) static BUFFERS: OfProcess<Buffers> = OfProcess::new(Buffers::new());

/// Whose messages a buffer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
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

fn attach(owner: Owner, buffer: Buffer, size: Count) -> Outcome {
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

fn detach(owner: Owner, address: Pointer, size: CountAt) -> Outcome {
    let attached = BUFFERS.0.borrow_mut().remove(&owner);
    let attached = attached.ok_or_else(|| Error::new(c::ERR_BUFFER, "no buffer is attached"))?;
    let is_automatic = attached.address == c::BUFFER_AUTOMATIC;
    let raw = Runtime::raw_address(attached.address, AddressKind::Buffer);
    // SAFETY: the program passes the address of a pointer.
    unsafe { address.0.cast::<usize>().write_unaligned(raw) };
    size.0.set(0, if is_automatic { 0 } else { attached.bytes });
    Ok(())
}

fn of_comm(comm: Comm) -> Outcome<Owner> {
    Ok(Owner::Comm(communicators::of(comm)?.number))
}

fn of_session(session: Session) -> Outcome<Owner> {
    sessions::of(session)?;
    Ok(Owner::Session(session.0))
}

/// `MPI_Buffer_attach`.
///
/// # Errors
/// If a buffer is attached already, or the size is negative.
pub fn buffer_attach(buffer: Buffer, size: Count) -> Outcome {
    library().link()?;
    attach(Owner::Program, buffer, size)
}

/// `MPI_Comm_attach_buffer`.
///
/// # Errors
/// As those of [`buffer_attach`], and if there is no such communicator.
pub fn comm_attach_buffer(comm: Comm, buffer: Buffer, size: Count) -> Outcome {
    attach(of_comm(comm)?, buffer, size).map_err(|error| error.on(comm))
}

/// `MPI_Session_attach_buffer`.
///
/// # Errors
/// As those of [`buffer_attach`], and if there is no such session.
pub fn session_attach_buffer(session: Session, buffer: Buffer, size: Count) -> Outcome {
    attach(of_session(session)?, buffer, size)
}

/// `MPI_Buffer_detach`.
///
/// # Errors
/// If no buffer is attached.
pub fn buffer_detach(buffer_addr: Pointer, size: CountAt) -> Outcome {
    library().link()?;
    detach(Owner::Program, buffer_addr, size)
}

/// `MPI_Comm_detach_buffer`.
///
/// # Errors
/// If no buffer is attached, or there is no such communicator.
pub fn comm_detach_buffer(comm: Comm, buffer_addr: Pointer, size: CountAt) -> Outcome {
    detach(of_comm(comm)?, buffer_addr, size).map_err(|error| error.on(comm))
}

/// `MPI_Session_detach_buffer`.
///
/// # Errors
/// If no buffer is attached, or there is no such session.
pub fn session_detach_buffer(session: Session, buffer_addr: Pointer, size: CountAt) -> Outcome {
    detach(of_session(session)?, buffer_addr, size)
}

/// `MPI_Buffer_flush`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn buffer_flush() -> Outcome {
    library().link().map(drop)
}

/// `MPI_Comm_flush_buffer`.
///
/// # Errors
/// If there is no such communicator.
pub fn comm_flush_buffer(comm: Comm) -> Outcome {
    of_comm(comm).map(drop)
}

/// `MPI_Session_flush_buffer`.
///
/// # Errors
/// If there is no such session.
pub fn session_flush_buffer(session: Session) -> Outcome {
    of_session(session).map(drop)
}

fn ended(request: Ref<Request>) {
    request.set(0, RequestState::ended(Status::EMPTY).handle());
}

/// `MPI_Buffer_iflush`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn buffer_iflush(request: Ref<Request>) -> Outcome {
    buffer_flush().map(|()| ended(request))
}

/// `MPI_Comm_iflush_buffer`.
///
/// # Errors
/// If there is no such communicator.
pub fn comm_iflush_buffer(comm: Comm, request: Ref<Request>) -> Outcome {
    comm_flush_buffer(comm).map(|()| ended(request))
}

/// `MPI_Session_iflush_buffer`.
///
/// # Errors
/// If there is no such session.
pub fn session_iflush_buffer(session: Session, request: Ref<Request>) -> Outcome {
    session_flush_buffer(session).map(|()| ended(request))
}
