//! Intercommunicators: two groups of ranks, each of which sends to the other.
//!
//! ```text
//!   at the simulator   one communicator: the ranks of the first group, then those of the second
//!   first group        0 1 2 . .       the group whose leader has the lower rank of the machine
//!   second group       . . . 0 1
//! ```

use crate::abi::{Buffer, Comm, Count, Datatype, Errhandler, Group, Info, Rank, Ref, Tag, Text};
use crate::calls::collectives::{self, allgather_pairs};
use crate::calls::own_messages;
use crate::calls::{errors, groups, info, point_to_point, sessions};
use crate::constants as c;
use crate::error::{Decides, Error, Outcome};
use crate::library::library;
use crate::objects::communicators::{self, Communicator, OWN_TAGS, Remote};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::ops::Range;
use std::rc::Rc;

/// The intercommunicator of the first `border` ranks of a communicator and the others. All of these ranks call this.
fn divided(joint: Rc<Communicator>, border: u32) -> Outcome<Rc<Communicator>> {
    let (first, second) = (0..border, border..joint.size());
    let is_first = first.contains(&joint.rank);
    let (own, other) = if is_first { (first, second) } else { (second, first) };
    let own_ranks: Vec<u32> = own.clone().collect();
    let local = communicators::agree(&joint, Some(&own_ranks), u32::from(!is_first))?;
    let local = local.ok_or_else(|| Error::new(c::ERR_INTERN, "a rank is in its group"))?;
    let group = |ranks: Range<u32>| Rc::from(&joint.members[ranks.start as usize..ranks.end as usize]);
    let made = Communicator::new(joint.number, joint.id, group(own.clone()), joint.rank - own.start);
    made.error_handler.set(joint.error_handler.get());
    let (first, first_own) = (other.start, own.start);
    let remote = Remote { members: group(other), first, first_own, local, joint };
    Ok(Rc::new(made.with(remote)))
}

/// The number of ranks of the first group.
fn border(of: &Communicator, remote: &Remote) -> u32 {
    if remote.first_own == 0 { of.size() } else { remote.first_own }
}

/// `MPI_Comm_dup` of an intercommunicator.
pub(crate) fn duplicate(of: &Communicator, remote: &Remote) -> Outcome<Rc<Communicator>> {
    let joint = communicators::agree_on_all(&remote.joint)?;
    joint.error_handler.set(of.error_handler.get());
    divided(joint, border(of, remote))
}

/// Makes an intercommunicator of some ranks of another, all of whose ranks call this: the members of both groups, as
/// ranks of the joint communicator. It needs some of each.
fn reduced(
    of: &Communicator,
    remote: &Remote,
    [first, second]: [Vec<u32>; 2],
    order: u32,
) -> Outcome<Option<Rc<Communicator>>> {
    let border = first.len() as u32;
    let is_there = !first.is_empty() && !second.is_empty();
    let ranks = [first, second].concat();
    let is_member = is_there && ranks.contains(&remote.joint.rank);
    let joint = communicators::agree(&remote.joint, is_member.then_some(&ranks[..]), order)?;
    let divide = |joint: Rc<Communicator>| {
        joint.error_handler.set(of.error_handler.get());
        divided(joint, border)
    };
    joint.map(divide).transpose()
}

/// `MPI_Comm_create` of an intercommunicator; the ranks are those of the own group.
pub(crate) fn create_of(
    of: &Communicator,
    remote: &Remote,
    ranks: &[u32],
) -> Outcome<Option<Rc<Communicator>>> {
    let place = ranks.iter().position(|rank| *rank == of.rank).map_or(c::UNDEFINED, |place| place as c_int);
    let color = if place == c::UNDEFINED { c::UNDEFINED } else { 0 };
    split(of, remote, [color, place])
}

/// The groups of a color, as ranks of both, and how many colors come before it: those of several ranks of each.
fn of_color(pairs: &[[c_int; 2]], border: u32, own: c_int) -> ([Vec<u32>; 2], u32) {
    let mut colors: BTreeMap<c_int, [Vec<(c_int, u32)>; 2]> = BTreeMap::new();
    for (rank, [color, key]) in (0..).zip(pairs).filter(|(_, [color, _])| *color != c::UNDEFINED) {
        colors.entry(*color).or_default()[usize::from(rank >= border)].push((*key, rank));
    }
    let has_both = |sides: &[Vec<_>; 2]| sides.iter().all(|side| !side.is_empty());
    let order = colors.iter().filter(|(color, sides)| **color < own && has_both(sides)).count() as u32;
    let mut sides = colors.remove(&own).unwrap_or_default();
    sides.iter_mut().for_each(|side| side.sort_unstable());
    (sides.map(|side| side.into_iter().map(|(_, rank)| rank).collect()), order)
}

/// `MPI_Comm_split` of an intercommunicator: the ranks of a color, by key, in each of the groups.
pub(crate) fn split(
    of: &Communicator,
    remote: &Remote,
    [color, key]: [c_int; 2],
) -> Outcome<Option<Rc<Communicator>>> {
    let pairs = allgather_pairs(remote.joint.clone(), [color, key])?;
    let (sides, order) = match color {
        c::UNDEFINED => Default::default(),
        color => of_color(&pairs, border(of, remote), color),
    };
    reduced(of, remote, sides, order)
}

fn remote_of(of: &Communicator) -> Outcome<&Remote> {
    of.remote.as_ref().ok_or_else(|| Error::new(c::ERR_COMM, "comm is no intercommunicator"))
}

/// `MPI_Comm_test_inter`.
///
/// # Errors
/// If there is no such communicator.
pub fn test_inter(comm: Comm, flag: Ref<c_int>) -> Outcome {
    flag.set(0, communicators::of(comm)?.remote.is_some().into());
    Ok(())
}

/// `MPI_Comm_remote_size`.
///
/// # Errors
/// If there is no such intercommunicator.
pub fn remote_size(comm: Comm, size: Ref<c_int>) -> Outcome {
    let of = communicators::of(comm)?;
    size.set(0, remote_of(&of).map_err(|error| error.on(comm))?.members.len() as c_int);
    Ok(())
}

/// `MPI_Comm_remote_group`.
///
/// # Errors
/// If there is no such intercommunicator.
pub fn remote_group(comm: Comm, group: Ref<Group>) -> Outcome {
    let of = communicators::of(comm)?;
    group.set(0, groups::handle(remote_of(&of).map_err(|error| error.on(comm))?.members.clone()));
    Ok(())
}

/// A rank of `size` ranks.
fn leader(name: &str, rank: Rank, size: u32) -> Outcome<u32> {
    let words = || format!("{name} = {}: it is a rank from 0 to {}", rank.0, size - 1);
    let place = u32::try_from(rank.0).ok().filter(|rank| *rank < size);
    place.ok_or_else(|| Error::new(c::ERR_RANK, words()))
}

/// What the leaders of two groups tell each other: whether the own group is the first, the id, and the other group.
fn exchange(of: &Communicator, peer: &Communicator, remote_leader: Rank, tag: Tag) -> Outcome<Vec<c_int>> {
    let other = leader("remote_leader", remote_leader, peer.peers())?;
    let peers = peer.remote.as_ref().map_or(&peer.members, |remote| &remote.members);
    let is_first = library().link()?.rank < peers[other as usize];
    let id = if is_first { communicators::chosen_id()? } else { 0 };
    let mut own = vec![id as c_int];
    own.extend(of.members.iter().map(|member| *member as c_int));
    let (messages, tag) = (peer.own_messages()?, OWN_TAGS | point_to_point::sent_tag(tag)? as u32);
    let most = communicators::world()?.size() as usize + 1;
    let mut told = own_messages::exchange(&messages, peer.peer(other), tag, &own, most)?;
    if is_first {
        told[0] = id as c_int;
    }
    told.insert(0, is_first.into());
    Ok(told)
}

/// Passes numbers, which the root has, to all ranks of a communicator.
fn tell(numbers: &mut [c_int], root: Rank, comm: Comm) -> Outcome {
    let (at, count) = (Buffer(numbers.as_mut_ptr() as usize), Count(numbers.len() as i64));
    collectives::bcast(at, count, Datatype(c::INT), root, comm)
}

/// The ranks of two groups, which differ: those of the first, then those of the second.
fn both(own: &[u32], other: &[u32], is_first: bool) -> Outcome<Rc<[u32]>> {
    let known = groups::Places::of(own);
    if let Some(rank) = other.iter().find(|member| known.get(**member).is_some()) {
        return Err(Error::new(c::ERR_COMM, format!("rank {rank} of MPI_COMM_WORLD is in both groups")));
    }
    Ok(if is_first { [own, other] } else { [other, own] }.concat().into())
}

/// `MPI_Intercomm_create`: the leaders exchange the groups by messages, and tell them the ranks of their own.
///
/// # Errors
/// If an argument is wrong, or the groups have a rank in common.
pub fn create(
    local_comm: Comm,
    local_leader: Rank,
    peer_comm: Comm,
    remote_leader: Rank,
    tag: Tag,
    newintercomm: Ref<Comm>,
) -> Outcome {
    let make = || {
        let of = communicators::of(local_comm)?;
        if of.remote.is_some() {
            return Err(Error::new(c::ERR_COMM, "local_comm is an intercommunicator"));
        }
        let own_leader = leader("local_leader", local_leader, of.size())?;
        let mut told = match of.rank == own_leader {
            true => exchange(&of, &*communicators::of(peer_comm)?, remote_leader, tag)?,
            false => Vec::new(),
        };
        let mut length = [told.len() as c_int];
        tell(&mut length, local_leader, local_comm)?;
        told.resize(length[0] as usize, 0);
        tell(&mut told, local_leader, local_comm)?;
        let (is_first, id) = (told[0] != 0, told[1] as u32);
        let other: Vec<u32> = told[2..].iter().map(|member| *member as u32).collect();
        let members = both(&of.members, &other, is_first)?;
        let border = if is_first { of.size() } else { other.len() as u32 };
        let rank = if is_first { of.rank } else { border + of.rank };
        let joint = communicators::define(id, members, rank)?;
        joint.error_handler.set(of.error_handler.get());
        divided(joint, border)
    };
    newintercomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(local_comm))?;
    newintercomm.set(0, communicators::handle(Some(made)));
    Ok(())
}

/// `MPI_Intercomm_create_from_groups`: the first member of the first group tells all others an id.
///
/// # Errors
/// If an argument is wrong, or the groups have a rank in common.
#[allow(clippy::too_many_arguments, reason = "they are MPI's")]
pub fn create_from_groups(
    local_group: Group,
    local_leader: Rank,
    remote_group: Group,
    remote_leader: Rank,
    stringtag: Text,
    info: Info,
    errhandler: Errhandler,
    newintercomm: Ref<Comm>,
) -> Outcome {
    let make = || {
        let (own, other) = (groups::of(local_group)?, groups::of(remote_group)?);
        let (hints, handler) = (info::hints(info)?, errors::of_comm(errhandler)?);
        if own.is_empty() || other.is_empty() {
            return Ok(None);
        }
        leader("local_leader", local_leader, own.len() as u32)?;
        leader("remote_leader", remote_leader, other.len() as u32)?;
        let is_first = own[0] < other[0];
        let joint = sessions::make_of_group(&both(&own, &other, is_first)?, sessions::tag_of(stringtag)?)?;
        joint.error_handler.set(handler);
        let made = divided(joint, if is_first { own.len() } else { other.len() } as u32)?;
        *made.hints.borrow_mut() = hints;
        Ok(Some(made))
    };
    newintercomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.decided_by(Decides::Handler(errhandler)))?;
    newintercomm.set(0, communicators::handle(made));
    Ok(())
}

/// The ranks of both groups in the order of a merge: those that do not want to be the high ones come first.
fn merged(highs: &[c_int], border: u32) -> Outcome<Vec<u32>> {
    let (first, second) = highs.split_at(border as usize);
    let is_alike = |side: &[c_int]| side.iter().all(|high| *high == side[0]);
    if !is_alike(first) || !is_alike(second) {
        return Err(Error::new(c::ERR_ARG, "high: all ranks of a group pass the same"));
    }
    let all = 0..highs.len() as u32;
    let is_turned = first[0] > second[0];
    Ok(if is_turned { (border..all.end).chain(0..border).collect() } else { all.collect() })
}

/// `MPI_Intercomm_merge`.
///
/// # Errors
/// If there is no such intercommunicator, or the ranks of a group do not pass the same.
pub fn merge(intercomm: Comm, high: c_int, newintracomm: Ref<Comm>) -> Outcome {
    let make = || {
        let of = communicators::of(intercomm)?;
        let remote = remote_of(&of)?;
        let pairs = allgather_pairs(remote.joint.clone(), [(high != 0).into(), 0])?;
        let highs: Vec<c_int> = pairs.into_iter().map(|[high, _]| high).collect();
        let made = communicators::agree(&remote.joint, Some(&merged(&highs, border(&of, remote))?), 0)?;
        made.iter().for_each(|made| made.error_handler.set(of.error_handler.get()));
        Ok(made)
    };
    newintracomm.set(0, Comm(c::COMM_NULL));
    let made = make().map_err(|error: Error| error.on(intercomm))?;
    newintracomm.set(0, communicators::handle(made));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_puts_the_high_group_last() {
        assert_eq!(merged(&[0, 0, 1], 2).unwrap(), [0, 1, 2]);
        assert_eq!(merged(&[1, 1, 0], 2).unwrap(), [2, 0, 1]);
        assert_eq!(merged(&[1, 1, 1], 2).unwrap(), [0, 1, 2]);
        assert_eq!(merged(&[1, 0, 1], 2).unwrap_err().code, c::ERR_ARG);
    }

    #[test]
    fn a_color_has_ranks_of_both_groups() {
        const NONE: c_int = c::UNDEFINED;
        let pairs = [[4, 9], [2, 0], [4, 1], [2, 0], [NONE, 0], [4, 3], [7, 0]];
        assert_eq!(of_color(&pairs, 3, 4), ([vec![2, 0], vec![5]], 1));
        assert_eq!(of_color(&pairs, 3, 2), ([vec![1], vec![3]], 0));
        assert_eq!(of_color(&pairs, 3, 7), ([vec![], vec![6]], 2));
    }

    #[test]
    fn groups_of_an_intercommunicator_have_no_rank_in_common() {
        assert_eq!(*both(&[3, 1], &[0, 7], false).unwrap(), [0, 7, 3, 1]);
        assert_eq!(both(&[3, 1], &[0, 1], true).unwrap_err().code, c::ERR_COMM);
    }
}
