//! Communicators, and the creation of new ones.
//!
//! The ranks know each other's groups already, or get to know them by an allgather of 8 bytes (`MPI_Comm_split`).

use crate::abi::{Comm, Comparison, Group, Index, Info, Ref, Request, Split, Status, Tag};
use crate::calls::collectives::allgather_pairs;
use crate::calls::info::Hints;
use crate::calls::{groups, intercommunicators, own_messages, point_to_point};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators::{
    COMMUNICATORS, Communicator, agree, agree_on_all, define, handle, of, release,
};
use crate::objects::requests::RequestState;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_int};
use std::rc::Rc;

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

/// A communicator of the same ranks as another, with its topology and attributes, and with hints.
fn duplicate(comm: Comm, hints: Option<Hints>) -> Outcome<Rc<Communicator>> {
    let of = of(comm)?;
    let made = match &of.remote {
        Some(remote) => intercommunicators::duplicate(&of, remote)?,
        None => agree_on_all(&of)?,
    };
    *made.topology.borrow_mut() = of.topology.borrow().clone();
    // Hints of the other communicator are not copied (MPI 4.0, section 7.4.2).
    *made.hints.borrow_mut() = hints.unwrap_or_default();
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
        let id = own_messages::tell_id(&of, &ranks, rank, tag)?;
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

/// `MPI_Comm_split_type`: ranks that share memory are those of a node. Other kinds of hardware are not known: a split by
/// them has no new communicator.
///
/// # Errors
/// If there is no such communicator, kind of split, or info.
pub fn split_type(comm: Comm, split_type: Split, key: c_int, info: Info, newcomm: Ref<Comm>) -> Outcome {
    let make = || {
        let (of, hints) = (of(comm)?, crate::calls::info::hints(info)?);
        let hint = |key: &CStr| crate::calls::info::value(&hints, key).map(CString::as_bytes);
        let color = match split_type.0 {
            c::COMM_TYPE_SHARED => first_on_node(&of)?,
            c::COMM_TYPE_HW_GUIDED | c::COMM_TYPE_RESOURCE_GUIDED => {
                match (hint(c"mpi_hw_resource_type"), hint(c"mpi_pset_name")) {
                    (Some(b"mpi_shared_memory"), _) => first_on_node(&of)?,
                    (None, Some(b"mpi://WORLD")) if split_type.0 == c::COMM_TYPE_RESOURCE_GUIDED => 0,
                    (None, Some(b"mpi://SELF")) if split_type.0 == c::COMM_TYPE_RESOURCE_GUIDED => {
                        of.rank as c_int
                    }
                    _ => c::UNDEFINED,
                }
            }
            c::COMM_TYPE_HW_UNGUIDED | c::UNDEFINED => c::UNDEFINED,
            other => return Err(Error::argument("split_type", other, "an MPI_COMM_TYPE, or MPI_UNDEFINED")),
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

/// `MPI_Comm_set_info`.
///
/// # Errors
/// If there is no such communicator or info.
pub fn set_info(comm: Comm, info: Info) -> Outcome {
    let (of, new) = (of(comm)?, crate::calls::info::hints(info)?);
    new.into_iter().for_each(|(key, value)| crate::calls::info::put(&mut of.hints.borrow_mut(), key, value));
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
