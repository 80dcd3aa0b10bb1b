//! Groups: ordered sets of ranks.

use crate::abi::HandleKind;
use crate::abi::{Comm, Comparison, Group, Index, Ranges, Rank, Ref};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::library::library;
use crate::objects::communicators;
use crate::of_process::OfProcess;
use std::ffi::c_int;
use std::rc::Rc;

pub(crate) static GROUPS: OfProcess<Objects<Rc<[u32]>>> = OfProcess::new(Objects::new(HandleKind::Group));

/// The members of a group, as ranks of the machine.
///
/// # Errors
/// If there is no such group.
pub(crate) fn of(group: Group) -> Outcome<Rc<[u32]>> {
    match group.0 {
        c::GROUP_EMPTY => Ok(Rc::from([])),
        handle => {
            let found = GROUPS.get(handle).map(|members| (*members).clone());
            found.ok_or_else(|| Error::new(c::ERR_GROUP, "group is no group"))
        }
    }
}

/// Adds a group to those of the program; returns its handle.
pub(crate) fn handle(members: Rc<[u32]>) -> Group {
    Group(if members.is_empty() { c::GROUP_EMPTY } else { GROUPS.add(Rc::new(members)) })
}

/// The result of a comparison of groups.
pub(crate) fn compared(first: &[u32], second: &[u32]) -> i32 {
    if first == second {
        return c::IDENT;
    }
    let (mut first, mut second) = (first.to_vec(), second.to_vec());
    first.sort_unstable();
    second.sort_unstable();
    if first == second { c::SIMILAR } else { c::UNEQUAL }
}

/// The ranks in a group of its members, by their ranks of the machine.
pub(crate) struct Places(Vec<u32>);

impl Places {
    const NOWHERE: u32 = u32::MAX;

    /// The places of all members.
    pub fn of(members: &[u32]) -> Self {
        let size = members.iter().max().map_or(0, |last| *last as usize + 1);
        let mut places = vec![Self::NOWHERE; size];
        (0..).zip(members).for_each(|(place, member)| places[*member as usize] = place);
        Places(places)
    }

    /// The rank in the group of a rank of the machine, if it is a member.
    pub fn get(&self, member: u32) -> Option<u32> {
        self.0.get(member as usize).copied().filter(|place| *place != Self::NOWHERE)
    }

    fn has(&self, member: u32) -> bool {
        self.get(member).is_some()
    }
}

fn union_of(first: &[u32], second: &[u32]) -> Rc<[u32]> {
    let known = Places::of(first);
    first.iter().chain(second.iter().filter(|member| !known.has(**member))).copied().collect()
}

/// The members of the first group that the second has, or has not.
fn selected(first: &[u32], second: &[u32], are_in_second: bool) -> Rc<[u32]> {
    let known = Places::of(second);
    first.iter().filter(|member| known.has(**member) == are_in_second).copied().collect()
}

/// The members with these ranks, which differ.
fn included(members: &[u32], ranks: &[c_int]) -> Outcome<Rc<[u32]>> {
    let places = checked(members, ranks)?;
    Ok(places.into_iter().map(|place| members[place]).collect())
}

/// All members but those with these ranks.
fn excluded(members: &[u32], ranks: &[c_int]) -> Outcome<Rc<[u32]>> {
    let mut stays = vec![true; members.len()];
    checked(members, ranks)?.into_iter().for_each(|place| stays[place] = false);
    Ok(members.iter().zip(stays).filter(|(_, stays)| *stays).map(|(member, _)| *member).collect())
}

/// The place of a rank in a group.
fn place_of(members: &[u32], rank: c_int) -> Outcome<usize> {
    let words = || format!("ranks: {rank} is none of the {} ranks of the group", members.len());
    let place = usize::try_from(rank).ok().filter(|place| *place < members.len());
    place.ok_or_else(|| Error::new(c::ERR_RANK, words()))
}

/// The places of different ranks.
fn checked(members: &[u32], ranks: &[c_int]) -> Outcome<Vec<usize>> {
    let mut is_free = vec![true; members.len()];
    let place = |rank: &c_int| {
        let place = place_of(members, *rank)?;
        match std::mem::take(&mut is_free[place]) {
            true => Ok(place),
            false => Err(Error::new(c::ERR_RANK, format!("ranks: {rank} is there twice"))),
        }
    };
    ranks.iter().map(place).collect()
}

/// The ranks of ranges: first, last and stride of each.
fn ranks_of(ranges: &[[c_int; 3]]) -> Outcome<Vec<c_int>> {
    let mut ranks = Vec::new();
    for &[first, last, stride] in ranges {
        if stride == 0 || (i64::from(last) - i64::from(first)) * i64::from(stride) < 0 {
            let words = format!("ranges: the stride {stride} does not lead from {first} to {last}");
            return Err(Error::new(c::ERR_ARG, words));
        }
        let count = (i64::from(last) - i64::from(first)) / i64::from(stride);
        ranks.extend((0..=count).map(|step| (i64::from(first) + step * i64::from(stride)) as c_int));
    }
    Ok(ranks)
}

fn length(n: c_int) -> Outcome<usize> {
    usize::try_from(n).map_err(|_| Error::argument("n", n, "a number from 0"))
}

fn listed(n: c_int, ranks: Ref<Rank>) -> Outcome<Vec<c_int>> {
    Ok((0..length(n)?).map(|place| ranks.get(place).0).collect())
}

fn listed_ranges(n: c_int, ranges: Ranges) -> Outcome<Vec<c_int>> {
    // SAFETY: MPI requires that the program passes an array of this length.
    let ranges = (0..length(n)?).map(|place| unsafe { ranges.0.add(place).read_unaligned() });
    ranks_of(&ranges.collect::<Vec<_>>())
}

/// `MPI_Comm_group`.
///
/// # Errors
/// If there is no such communicator.
pub fn comm_group(comm: Comm, group: Ref<Group>) -> Outcome {
    group.set(0, handle(communicators::of(comm)?.members.clone()));
    Ok(())
}

/// `MPI_Group_size`.
///
/// # Errors
/// If there is no such group.
pub fn size(group: Group, size: Ref<c_int>) -> Outcome {
    size.set(0, of(group)?.len() as c_int);
    Ok(())
}

/// `MPI_Group_rank`.
///
/// # Errors
/// If there is no such group.
pub fn rank(group: Group, rank: Ref<Index>) -> Outcome {
    let (members, own) = (of(group)?, library().link()?.rank);
    let place = members.iter().position(|member| *member == own);
    rank.set(0, Index(place.map_or(c::UNDEFINED, |place| place as c_int)));
    Ok(())
}

/// `MPI_Group_translate_ranks`.
///
/// # Errors
/// If there is no such group, or the first has no such rank.
pub fn translate_ranks(
    group1: Group,
    n: c_int,
    ranks1: Ref<Rank>,
    group2: Group,
    ranks2: Ref<Rank>,
) -> Outcome {
    let (first, second) = (of(group1)?, Places::of(&of(group2)?));
    for place in 0..length(n)? {
        let translated = match ranks1.get(place).0 {
            c::PROC_NULL => c::PROC_NULL,
            rank => {
                let member = first[place_of(&first, rank)?];
                second.get(member).map_or(c::UNDEFINED, |rank| rank as c_int)
            }
        };
        ranks2.set(place, Rank(translated));
    }
    Ok(())
}

/// `MPI_Group_compare`.
///
/// # Errors
/// If there is no such group.
pub fn compare(group1: Group, group2: Group, result: Ref<Comparison>) -> Outcome {
    result.set(0, Comparison(compared(&of(group1)?, &of(group2)?)));
    Ok(())
}

/// `MPI_Group_union`.
///
/// # Errors
/// If there is no such group.
pub fn union(group1: Group, group2: Group, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(union_of(&of(group1)?, &of(group2)?)));
    Ok(())
}

/// `MPI_Group_intersection`.
///
/// # Errors
/// If there is no such group.
pub fn intersection(group1: Group, group2: Group, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(selected(&of(group1)?, &of(group2)?, true)));
    Ok(())
}

/// `MPI_Group_difference`.
///
/// # Errors
/// If there is no such group.
pub fn difference(group1: Group, group2: Group, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(selected(&of(group1)?, &of(group2)?, false)));
    Ok(())
}

/// `MPI_Group_incl`.
///
/// # Errors
/// If there is no such group, or it has no such rank, or a rank is there twice.
pub fn incl(group: Group, n: c_int, ranks: Ref<Rank>, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(included(&of(group)?, &listed(n, ranks)?)?));
    Ok(())
}

/// `MPI_Group_excl`.
///
/// # Errors
/// As those of [`incl`].
pub fn excl(group: Group, n: c_int, ranks: Ref<Rank>, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(excluded(&of(group)?, &listed(n, ranks)?)?));
    Ok(())
}

/// `MPI_Group_range_incl`.
///
/// # Errors
/// As those of [`incl`], and if a stride does not lead from the first to the last rank.
pub fn range_incl(group: Group, n: c_int, ranges: Ranges, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(included(&of(group)?, &listed_ranges(n, ranges)?)?));
    Ok(())
}

/// `MPI_Group_range_excl`.
///
/// # Errors
/// As those of [`range_incl`].
pub fn range_excl(group: Group, n: c_int, ranges: Ranges, newgroup: Ref<Group>) -> Outcome {
    newgroup.set(0, handle(excluded(&of(group)?, &listed_ranges(n, ranges)?)?));
    Ok(())
}

/// `MPI_Group_free`.
///
/// # Errors
/// If there is no such group.
pub fn free(group: Ref<Group>) -> Outcome {
    of(group.get(0))?;
    GROUPS.remove(group.get(0).0);
    group.set(0, Group(c::GROUP_NULL));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: [u32; 5] = [7, 2, 9, 4, 0];

    #[test]
    fn sets_keep_the_order_of_their_members() {
        assert_eq!(*union_of(&MEMBERS, &[4, 5, 7, 1]), [7, 2, 9, 4, 0, 5, 1]);
        assert_eq!(*selected(&MEMBERS, &[4, 5, 7, 1], true), [7, 4]);
        assert_eq!(*selected(&MEMBERS, &[4, 5, 7, 1], false), [2, 9, 0]);
        assert_eq!(*selected(&MEMBERS, &[], true), []);
    }

    #[test]
    fn comparisons_see_members_and_order() {
        assert_eq!(compared(&MEMBERS, &MEMBERS), c::IDENT);
        assert_eq!(compared(&MEMBERS, &[0, 2, 4, 7, 9]), c::SIMILAR);
        assert_eq!(compared(&MEMBERS, &[0, 2, 4, 7, 8]), c::UNEQUAL);
        assert_eq!(compared(&MEMBERS, &MEMBERS[..4]), c::UNEQUAL);
    }

    #[test]
    fn ranks_select_members() {
        assert_eq!(*included(&MEMBERS, &[3, 0, 4]).unwrap(), [4, 7, 0]);
        assert_eq!(*excluded(&MEMBERS, &[3, 0, 4]).unwrap(), [2, 9]);
        assert_eq!(included(&MEMBERS, &[5]).unwrap_err().code, c::ERR_RANK);
        assert_eq!(included(&MEMBERS, &[-1]).unwrap_err().code, c::ERR_RANK);
        assert_eq!(excluded(&MEMBERS, &[1, 2, 1]).unwrap_err().words, "ranks: 1 is there twice");
    }

    #[test]
    fn ranges_go_both_ways() {
        assert_eq!(ranks_of(&[[1, 8, 3], [6, 2, -2], [5, 5, -1]]).unwrap(), [1, 4, 7, 6, 4, 2, 5]);
        assert_eq!(ranks_of(&[[1, 8, 0]]).unwrap_err().code, c::ERR_ARG);
        assert_eq!(ranks_of(&[[1, 8, -1]]).unwrap_err().code, c::ERR_ARG);
    }
}
