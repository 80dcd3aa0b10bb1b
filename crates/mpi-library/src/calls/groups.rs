//! Groups: ordered sets of ranks.

use crate::abi::Group;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::rc::Rc;

/// The members of a group, as ranks of the machine.
///
/// # Errors
/// If there is no such group.
pub(crate) fn of(group: Group) -> Outcome<Rc<[u32]>> {
    match group.0 {
        c::GROUP_EMPTY => Ok(Rc::from([])),
        handle => {
            let found = library().groups.get(handle).map(|members| (*members).clone());
            found.ok_or_else(|| Error::new(c::ERR_GROUP, "group is no group"))
        }
    }
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
