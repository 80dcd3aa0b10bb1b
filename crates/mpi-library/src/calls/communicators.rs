//! Communicators: groups of ranks, as one of them sees them, and the creation of new ones.
//!
//! The ranks agree on the id of a new communicator by a call of the simulator. They know each other's groups already,
//! or get to know them by an allgather of 8 bytes (`MPI_Comm_split`).

use crate::abi::HandleKind;
use crate::abi::{Comm, Comparison, Group, Index, Info, Ref, Request, Split, Status, Tag};
use crate::calls::attributes::Attributes;
use crate::calls::collectives::allgather_pairs;
use crate::calls::groups;
use crate::calls::info::Hints;
use crate::calls::intercommunicators;
use crate::calls::own_messages;
use crate::calls::point_to_point;
use crate::calls::topologies::Topology;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::{Stage, library};
use crate::objects::requests::RequestState;
use crate::of_process::OfProcess;
use rank_wire::{Code, NOTHING};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CString, c_int};
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

fn next_number() -> u32 {
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

/// `MPI_Comm_compare`.
///
/// # Errors
/// If there is no such communicator.
pub fn compare(comm1: Comm, comm2: Comm, result: Ref<Comparison>) -> Outcome {
    let (first, second) = (of(comm1)?, of(comm2)?);
    let remote = |of: &Communicator| of.remote.as_ref().map(|remote| remote.members.clone());
    let compared = if Rc::ptr_eq(&first, &second) {
        c::IDENT
    } else {
        let groups = match (remote(&first), remote(&second)) {
            (None, None) => groups::compared(&first.members, &second.members),
            (Some(one), Some(other)) => {
                groups::compared(&first.members, &second.members).max(groups::compared(&one, &other))
            }
            _ => c::UNEQUAL,
        };
        if groups == c::IDENT { c::CONGRUENT } else { groups }
    };
    result.set(0, Comparison(compared));
    Ok(())
}

/// A communicator of the same ranks as another, with its topology, hints and attributes.
fn duplicate(comm: Comm, hints: Option<Hints>) -> Outcome<Rc<Communicator>> {
    let of = of(comm)?;
    let made = match &of.remote {
        Some(remote) => intercommunicators::duplicate(&of, remote)?,
        None => agree_on_all(&of)?,
    };
    *made.topology.borrow_mut() = of.topology.borrow().clone();
    *made.hints.borrow_mut() = hints.unwrap_or_else(|| of.hints.borrow().clone());
    made.attributes.copy_from(&of.attributes, comm.0)?;
    Ok(made)
}

/// `MPI_Comm_dup`.
///
/// # Errors
/// If there is no such communicator, and that of a function that copies an attribute.
pub fn dup(comm: Comm, newcomm: Ref<Comm>) -> Outcome {
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = duplicate(comm, None).map_err(|error| error.on(comm))?;
    newcomm.set(0, handle(Some(made)));
    Ok(())
}

/// `MPI_Comm_dup_with_info`.
///
/// # Errors
/// As those of [`dup`].
pub fn dup_with_info(comm: Comm, info: Info, newcomm: Ref<Comm>) -> Outcome {
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = duplicate(comm, Some(crate::calls::info::hints(info)?)).map_err(|error| error.on(comm))?;
    newcomm.set(0, handle(Some(made)));
    Ok(())
}

/// `MPI_Comm_idup`: the communicator is made at once, so that the request has ended.
///
/// # Errors
/// As those of [`dup`].
pub fn idup(comm: Comm, newcomm: Ref<Comm>, request: Ref<Request>) -> Outcome {
    dup(comm, newcomm)?;
    request.set(0, RequestState::ended(Status::EMPTY).handle());
    Ok(())
}

/// `MPI_Comm_idup_with_info`.
///
/// # Errors
/// As those of [`dup`].
pub fn idup_with_info(comm: Comm, info: Info, newcomm: Ref<Comm>, request: Ref<Request>) -> Outcome {
    dup_with_info(comm, info, newcomm)?;
    request.set(0, RequestState::ended(Status::EMPTY).handle());
    Ok(())
}

/// The ranks of a communicator that are the members of a group, in its order.
fn ranks_of(of: &Communicator, group: &[u32]) -> Outcome<Vec<u32>> {
    let places = groups::Places::of(&of.members);
    let ranks = group.iter().map(|member| places.get(*member)).collect::<Option<_>>();
    ranks.ok_or_else(|| Error::new(c::ERR_GROUP, "group has ranks that are not in the communicator"))
}

/// `MPI_Comm_create`.
///
/// # Errors
/// If there is no such communicator or group, or the group has other ranks.
pub fn create(comm: Comm, group: Group, newcomm: Ref<Comm>) -> Outcome {
    let make = || {
        let of = of(comm)?;
        let ranks = ranks_of(&of, &groups::of(group)?)?;
        if let Some(remote) = &of.remote {
            return intercommunicators::create_of(&of, remote, &ranks);
        }
        // Groups of one call are disjoint: the lowest rank tells them apart.
        let order = ranks.iter().min().copied().unwrap_or(0);
        let is_member = ranks.contains(&of.rank);
        agree(&of, is_member.then_some(&ranks[..]), if is_member { order } else { 0 })
    };
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(comm))?;
    newcomm.set(0, handle(made));
    Ok(())
}

/// `MPI_Comm_create_group`: only the members call it. The lowest one tells the others an id.
///
/// # Errors
/// As those of [`create`].
pub fn create_group(comm: Comm, group: Group, tag: Tag, newcomm: Ref<Comm>) -> Outcome {
    let make = || {
        let of = of(comm)?;
        if of.remote.is_some() {
            return Err(Error::new(c::ERR_COMM, "comm is an intercommunicator"));
        }
        let ranks = ranks_of(&of, &groups::of(group)?)?;
        let Some(rank) = ranks.iter().position(|rank| *rank == of.rank) else {
            return Err(Error::new(c::ERR_GROUP, "group does not have the rank that calls"));
        };
        let tag = point_to_point::sent_tag(tag)? as u32;
        let id = tell_id(&of, &ranks, rank, tag)?;
        let members = ranks.iter().map(|rank| of.members[*rank as usize]).collect();
        let made = define(id, members, rank as u32)?;
        made.error_handler.set(of.error_handler.get());
        Ok(made)
    };
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(comm))?;
    newcomm.set(0, handle(Some(made)));
    Ok(())
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

/// Lets the members of a group know the id that the first of them chooses, along a tree.
pub(crate) fn tell_id(of: &Communicator, ranks: &[u32], place: usize, tag: u32) -> Outcome<u32> {
    let messages = of.own_messages()?;
    let mut id = if place == 0 { chosen_id()? } else { 0 };
    let lowest_bit = if place == 0 { ranks.len().next_power_of_two() } else { 1 << place.trailing_zeros() };
    if place > 0 {
        let told = own_messages::receive(&messages, ranks[place - lowest_bit], tag, 1)?;
        id = told.first().map_or(0, |id| *id as u32);
    }
    let mut step = lowest_bit >> 1;
    while step > 0 {
        if let Some(child) = ranks.get(place + step) {
            own_messages::send(&messages, *child, tag, &[id as c_int])?;
        }
        step >>= 1;
    }
    Ok(id)
}

/// The ranks of a color, in the order of keys and then of ranks, and how many colors come before it: those of several
/// ranks first, as a rank that is alone needs no class route.
fn of_color(pairs: &[[c_int; 2]], own: c_int) -> (Vec<u32>, u32) {
    let mut colors: BTreeMap<c_int, Vec<(c_int, u32)>> = BTreeMap::new();
    for (rank, [color, key]) in (0..).zip(pairs) {
        colors.entry(*color).or_default().push((*key, rank));
    }
    colors.remove(&c::UNDEFINED);
    let mut ordered: Vec<(bool, c_int)> =
        colors.iter().map(|(color, ranks)| (ranks.len() == 1, *color)).collect();
    ordered.sort_unstable();
    let order = ordered.iter().position(|(_, color)| *color == own).unwrap_or(0) as u32;
    let mut ranks = colors.remove(&own).unwrap_or_default();
    ranks.sort_unstable();
    (ranks.into_iter().map(|(_, rank)| rank).collect(), order)
}

fn split_by(of: &Rc<Communicator>, color: c_int, key: c_int) -> Outcome<Option<Rc<Communicator>>> {
    if let Some(remote) = &of.remote {
        return intercommunicators::split(of, remote, [color, key]);
    }
    let pairs = allgather_pairs(of.clone(), [color, key])?;
    if color == c::UNDEFINED {
        return agree(of, None, 0);
    }
    let (ranks, order) = of_color(&pairs, color);
    agree(of, Some(&ranks), order)
}

/// `MPI_Comm_split`.
///
/// # Errors
/// If there is no such communicator, or the color is negative.
pub fn split(comm: Comm, color: Index, key: c_int, newcomm: Ref<Comm>) -> Outcome {
    let make = || {
        if color.0 < 0 && color.0 != c::UNDEFINED {
            let words = format!("color = {}: it is a number from 0, or MPI_UNDEFINED", color.0);
            return Err(Error::new(c::ERR_ARG, words));
        }
        split_by(&of(comm)?, color.0, key)
    };
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(comm))?;
    newcomm.set(0, handle(made));
    Ok(())
}

/// `MPI_Comm_split_type`: ranks that share memory are those of a node. Other kinds of hardware are not known.
///
/// # Errors
/// If there is no such communicator.
pub fn split_type(comm: Comm, split_type: Split, key: c_int, _: Info, newcomm: Ref<Comm>) -> Outcome {
    let make = || {
        let of = of(comm)?;
        let color = match split_type.0 {
            c::COMM_TYPE_SHARED => first_on_node(&of)?,
            _ => c::UNDEFINED,
        };
        split_by(&of, color, key)
    };
    newcomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(comm))?;
    newcomm.set(0, handle(made));
    Ok(())
}

/// The first rank of a communicator on the node of this rank.
fn first_on_node(of: &Communicator) -> Outcome<c_int> {
    let memory = library().memory()?;
    let own = memory.node_of(of.members[of.rank as usize]);
    let first = of.members.iter().position(|member| memory.node_of(*member) == own);
    Ok(first.unwrap_or(0) as c_int)
}

/// `MPI_Comm_free`.
///
/// # Errors
/// If it is predefined, or there is none.
pub fn free(comm: Ref<Comm>) -> Outcome {
    let given = comm.get(0);
    let of = of(given)?;
    if [c::COMM_WORLD, c::COMM_SELF].contains(&given.0) {
        return Err(Error::new(c::ERR_COMM, "a predefined communicator cannot be freed").on(given));
    }
    of.attributes.delete_all(given.0)?;
    COMMUNICATORS.remove(given.0);
    comm.set(0, Comm(c::COMM_NULL));
    release(&of)
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

/// `MPI_Comm_set_info`.
///
/// # Errors
/// If there is no such communicator or info.
pub fn set_info(comm: Comm, info: Info) -> Outcome {
    *of(comm)?.hints.borrow_mut() = crate::calls::info::hints(info)?;
    Ok(())
}

/// `MPI_Comm_get_info`.
///
/// # Errors
/// If there is no such communicator.
pub fn get_info(comm: Comm, info_used: Ref<Info>) -> Outcome {
    let hints = of(comm)?.hints.borrow().clone();
    info_used.set(0, crate::calls::info::handle(hints));
    Ok(())
}
