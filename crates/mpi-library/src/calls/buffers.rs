//! Buffers for messages of `MPI_Bsend`.

use crate::abi::{Buffer, Comm, Count, CountAt, Pointer, Ref, Request, Session, Status};
use crate::error::Outcome;
use crate::library::library;
use crate::objects::buffers::{Owner, attach, detach};
use crate::objects::requests::RequestState;
use crate::objects::{communicators, sessions};

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
