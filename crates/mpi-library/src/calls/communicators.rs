//! Communicators: groups of ranks, as one of them sees them.

use crate::abi::{Comm, Ref};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::cell::Cell;
use std::ffi::c_int;
use std::rc::Rc;

/// The number, at the simulator, of the communicator of all ranks, and of the one that is the rank alone.
const WORLD: u32 = 0;
const SELF: u32 = 1;

/// A communicator.
#[derive(Debug)]
pub(crate) struct Communicator {
    /// The number that the rank uses for it at the simulator.
    pub number: u32,
    /// The members, as ranks of the machine.
    pub members: Rc<[u32]>,
    /// This rank in the communicator.
    pub rank: u32,
    /// The error handler.
    pub error_handler: Cell<usize>,
}

impl Communicator {
    fn new(number: u32, members: Rc<[u32]>, rank: u32) -> Self {
        Communicator { number, members, rank, error_handler: Cell::new(c::ERRORS_ARE_FATAL) }
    }

    /// The number of ranks that the program can send to.
    pub fn peers(&self) -> u32 {
        self.size()
    }

    /// The rank at the simulator that the program can name by 0.
    pub fn first_peer(&self) -> u32 {
        0
    }

    /// The rank at the simulator of a rank that the program names.
    pub fn peer(&self, rank: u32) -> u32 {
        self.first_peer() + rank
    }

    /// The number of ranks.
    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }
}

/// The predefined communicators, in the order of their constants.
#[derive(Debug)]
pub(crate) struct Predefined {
    world: Rc<Communicator>,
    own: Rc<Communicator>,
}

/// Makes the communicators that exist from the start.
pub(crate) fn begin(rank: u32, size: u32) {
    let world = Rc::new(Communicator::new(WORLD, (0..size).collect(), rank));
    let own = Rc::new(Communicator::new(SELF, [rank].into(), 0));
    *library().predefined.borrow_mut() = Some(Predefined { world, own });
}

/// The communicator of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(comm: Comm) -> Outcome<Rc<Communicator>> {
    let found = match comm.0 {
        c::COMM_WORLD | c::COMM_SELF => library().predefined.borrow().as_ref().map(|predefined| {
            if comm.0 == c::COMM_WORLD { predefined.world.clone() } else { predefined.own.clone() }
        }),
        handle => library().communicators.get(handle),
    };
    found.ok_or_else(|| match library().link() {
        Err(error) => error,
        Ok(_) => Error::new(c::ERR_COMM, "comm is no communicator"),
    })
}

/// The error handler that decides on an error.
pub(crate) fn error_handler(comm: Option<Comm>) -> usize {
    of(comm.unwrap_or(Comm(c::COMM_SELF))).map_or(c::ERRORS_ARE_FATAL, |found| found.error_handler.get())
}

/// `MPI_Comm_rank`.
///
/// # Errors
/// If there is no such communicator.
pub fn rank(comm: Comm, rank: Ref<c_int>) -> Outcome {
    rank.set(0, of(comm)?.rank as c_int);
    Ok(())
}

/// `MPI_Comm_size`.
///
/// # Errors
/// If there is no such communicator.
pub fn size(comm: Comm, size: Ref<c_int>) -> Outcome {
    size.set(0, of(comm)?.size() as c_int);
    Ok(())
}
