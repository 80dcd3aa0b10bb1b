//! Communicators: groups of ranks, as one of them sees them.
//!
//! The ranks agree on the id of a new communicator by a call of the simulator ([`agree`]), or know it ([`define`]).

use crate::abi::{Comm, HandleKind};
use crate::calls::info::Hints;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::{Stage, library};
use crate::objects::attributes::Attributes;
use crate::objects::topologies::Topology;
use crate::of_process::OfProcess;
use rank_wire::{Code, NOTHING};
use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::CString;
use std::rc::Rc;

pub(crate) static IDS_CHOSEN: OfProcess<Cell<u32>> = OfProcess::new(Cell::new(0));

pub(crate) static MADE: OfProcess<Cell<u32>> = OfProcess::new(Cell::new(0));

pub(crate) static COMMUNICATORS: OfProcess<Objects<Communicator>> =
    OfProcess::new(Objects::new(HandleKind::Comm));

pub(crate) static PREDEFINED: OfProcess<RefCell<Option<Predefined>>> = OfProcess::new(RefCell::new(None));

/// The number, at the simulator, of the communicator of all ranks, and of the one that is the rank alone.
const WORLD: u32 = 0;
const SELF: u32 = 1;

/// The ids of communicators for messages of the library begin here, as those of programs in Python: above those on
/// which ranks agree.
const OWN_MESSAGES: u32 = 1 << 19;

/// The ids on which the members of a group alone agree begin here. The lowest member chooses one, of as many.
const OF_GROUPS: u32 = 1 << 26;
const OF_A_RANK: u32 = 1 << 10;
const OWN_MESSAGES_OF_GROUPS: u32 = 1 << 27;

/// Tags of messages of the library, from here on, are none of a program.
pub(crate) const OWN_TAGS: u32 = 1 << 31;

/// A communicator.
#[derive(Debug)]
pub(crate) struct Communicator {
    /// The number that the rank uses for it at the simulator.
    pub number: u32,
    /// The id, which is the same at all members.
    pub id: u32,
    /// The members, as ranks of the machine. Of an intercommunicator: those of the own group.
    pub members: Rc<[u32]>,
    /// This rank in the communicator, or its own group.
    pub rank: u32,
    /// The other group of an intercommunicator.
    pub remote: Option<Remote>,
    pub error_handler: Cell<usize>,
    pub name: RefCell<CString>,
    pub attributes: Attributes,
    pub hints: RefCell<Hints>,
    pub topology: RefCell<Option<Rc<Topology>>>,
    /// The communicator for messages of the library, once it is used.
    own_messages: OnceCell<Rc<Communicator>>,
}

/// The other group of an intercommunicator.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    /// The members, as ranks of the machine.
    pub members: Rc<[u32]>,
    /// The first rank of the other, and of the own group, among both, as the simulator knows them.
    pub first: u32,
    pub first_own: u32,
    /// A communicator of the own group, for collectives in two steps.
    pub local: Rc<Communicator>,
    /// All ranks of both, as the simulator knows them: the same communicator, for agreements and collectives.
    pub joint: Rc<Communicator>,
}

impl Communicator {
    /// A communicator of its members.
    pub fn new(number: u32, id: u32, members: Rc<[u32]>, rank: u32) -> Self {
        Communicator {
            number,
            id,
            members,
            rank,
            remote: None,
            error_handler: Cell::new(c::ERRORS_ARE_FATAL),
            name: RefCell::default(),
            attributes: Attributes::default(),
            hints: RefCell::default(),
            topology: RefCell::new(None),
            own_messages: OnceCell::new(),
        }
    }

    /// This communicator, with another group.
    pub fn with(self, remote: Remote) -> Self {
        Communicator { remote: Some(remote), ..self }
    }

    /// The number of ranks; of an intercommunicator, of the own group.
    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The number of ranks that the program can send to.
    pub fn peers(&self) -> u32 {
        self.remote.as_ref().map_or(self.size(), |remote| remote.members.len() as u32)
    }

    /// The rank at the simulator that the program can name by 0.
    pub fn first_peer(&self) -> u32 {
        self.remote.as_ref().map_or(0, |remote| remote.first)
    }

    /// The rank at the simulator of a rank that the program names.
    pub fn peer(&self, rank: u32) -> u32 {
        self.first_peer() + rank
    }

    /// The communicator of the same ranks for messages of the library, which match none of the program. Each rank
    /// defines it by one call, when it uses it first.
    pub fn own_messages(&self) -> Outcome<Rc<Communicator>> {
        if let Some(own) = self.own_messages.get() {
            return Ok(own.clone());
        }
        let id = if self.id < OF_GROUPS { OWN_MESSAGES + self.id } else { OWN_MESSAGES_OF_GROUPS | self.id };
        let all = self.remote.as_ref().map_or(self, |remote| &remote.joint);
        let own = define(id, all.members.clone(), all.rank)?;
        Ok(self.own_messages.get_or_init(|| own).clone())
    }
}

/// The predefined communicators.
#[derive(Debug)]
pub(crate) struct Predefined {
    world: Rc<Communicator>,
    own: Rc<Communicator>,
}

/// Makes the communicators that exist from the start.
pub(crate) fn begin(rank: u32, size: u32) {
    let world = Rc::new(Communicator::new(WORLD, 0, (0..size).collect(), rank));
    let own = Rc::new(Communicator::new(SELF, 1, [rank].into(), 0));
    *world.name.borrow_mut() = c"MPI_COMM_WORLD".into();
    *own.name.borrow_mut() = c"MPI_COMM_SELF".into();
    MADE.set(SELF + 1);
    *PREDEFINED.borrow_mut() = Some(Predefined { world, own });
}

/// The communicator of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(comm: Comm) -> Outcome<Rc<Communicator>> {
    let found = match comm.0 {
        c::COMM_WORLD | c::COMM_SELF if library().world.get() != Stage::Running => {
            let words = "comm is there from MPI_Init to MPI_Finalize only";
            return Err(library().link().err().unwrap_or_else(|| Error::new(c::ERR_COMM, words)));
        }
        c::COMM_WORLD => Some(world()?),
        c::COMM_SELF => PREDEFINED.borrow().as_ref().map(|predefined| predefined.own.clone()),
        handle => COMMUNICATORS.get(handle),
    };
    found.ok_or_else(|| match library().link() {
        Err(error) => error,
        Ok(_) if comm.0 == c::COMM_NULL => Error::new(c::ERR_COMM, "comm is MPI_COMM_NULL"),
        Ok(_) => Error::new(c::ERR_COMM, "comm is no communicator"),
    })
}

/// The communicator of all ranks, also where the program has called `MPI_Session_init` and not `MPI_Init`.
///
/// # Errors
/// Before both.
pub(crate) fn world() -> Outcome<Rc<Communicator>> {
    let world = PREDEFINED.borrow().as_ref().map(|predefined| predefined.world.clone());
    world.ok_or_else(|| Error::new(c::ERR_OTHER, "it is called before MPI_Init"))
}

/// The error handler that decides on errors without a communicator: that of `MPI_COMM_SELF`.
pub(crate) fn default_error_handler() -> usize {
    let of_self = |predefined: &Predefined| predefined.own.error_handler.get();
    PREDEFINED.borrow().as_ref().map_or(c::ERRORS_ARE_FATAL, of_self)
}

/// Adds a communicator to those of the program; returns its handle.
pub(crate) fn handle(made: Option<Rc<Communicator>>) -> Comm {
    made.map_or(Comm(c::COMM_NULL), |made| Comm(COMMUNICATORS.add(made)))
}

/// The number of the next communicator that the rank makes.
pub(crate) fn next_number() -> u32 {
    let number = MADE.get();
    MADE.set(number + 1);
    number
}

/// Defines a communicator whose members know its id, without a message.
pub(crate) fn define(id: u32, members: Rc<[u32]>, rank: u32) -> Outcome<Rc<Communicator>> {
    let number = next_number();
    let mut link = library().link()?;
    let list: Vec<u64> = members.iter().map(|member| u64::from(*member)).collect();
    let at = link.put_words(&list)?;
    link.post(Code::Define, &[number.into(), id.into(), at, list.len() as u64]);
    Ok(Rc::new(Communicator::new(number, id, members, rank)))
}

/// Makes a communicator of some ranks of another, all of whose ranks call this. `ranks` are the members, as ranks of the
/// other; none at ranks that are no members. `order` counts the others of the same call that come before it.
pub(crate) fn agree(
    of: &Communicator,
    ranks: Option<&[u32]>,
    order: u32,
) -> Outcome<Option<Rc<Communicator>>> {
    let number = next_number();
    let mut link = library().link()?;
    let head = [of.number.into(), number.into(), order.into()];
    let Some(ranks) = ranks else {
        let [of, number, order] = head;
        link.post(Code::Create, &[of, number, order, 0, 0]);
        return Ok(None);
    };
    let are_all = ranks.len() == of.members.len() && ranks.iter().copied().eq(0..of.size());
    let list: Vec<u64> = ranks.iter().map(|rank| u64::from(*rank)).collect();
    let (at, count) = if are_all { (NOTHING, 0) } else { (link.put_words(&list)?, list.len() as u64) };
    let [communicator, new, order] = head;
    let answer = link.ask(Code::Create, &[communicator, new, order, at, count]);
    let members: Rc<[u32]> = match are_all {
        true => of.members.clone(),
        false => ranks.iter().map(|rank| of.members[*rank as usize]).collect(),
    };
    let own = of.members[of.rank as usize];
    let rank = members.iter().position(|member| *member == own).unwrap_or(0) as u32;
    let made = Communicator::new(number, answer.id, members, rank);
    made.error_handler.set(of.error_handler.get());
    Ok(Some(Rc::new(made)))
}

/// Makes a communicator of the same ranks as another.
pub(crate) fn agree_on_all(of: &Communicator) -> Outcome<Rc<Communicator>> {
    let all: Vec<u32> = (0..of.size()).collect();
    agree(of, Some(&all), 0)?.ok_or_else(|| Error::new(c::ERR_INTERN, "a rank is in its communicator"))
}

/// An id that no other rank chooses.
pub(crate) fn chosen_id() -> Outcome<u32> {
    let chosen = IDS_CHOSEN.get();
    IDS_CHOSEN.set(chosen + 1);
    if chosen >= OF_A_RANK {
        return Err(Error::new(c::ERR_OTHER, "a rank chooses at most 1,024 ids of communicators of groups"));
    }
    Ok(OF_GROUPS + library().link()?.rank * OF_A_RANK + chosen)
}

/// Frees a communicator at the simulator.
pub(crate) fn release(of: &Communicator) -> Outcome {
    library().link()?.post(Code::FreeCommunicator, &[of.number.into()]);
    if let Some(own) = of.own_messages.get() {
        release(own)?;
    }
    match &of.remote {
        Some(remote) => release(&remote.local),
        None => Ok(()),
    }
}
