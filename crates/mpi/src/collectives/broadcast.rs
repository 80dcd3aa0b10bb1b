//! Broadcast along a binomial tree: receive from the parent, then send to the children, the largest subtree first.

use super::{Group, Step, tree};

pub(super) fn step(group: Group, root: u32, bytes: u64, index: u32) -> Option<Step> {
    let Group { rank, size } = group;
    let member = (rank + size - root) % size;
    let place = |member: u32| (member + root) % size;
    let sends_before = match (tree::parent(member), index) {
        (Some(parent), 0) => return Some(Step::Receive { source: place(parent) }),
        (Some(_), _) => index - 1,
        (None, _) => index,
    };
    let child = tree::children(member, size).checked_sub(sends_before + 1)?;
    Some(Step::Send { target: place(tree::child(member, child)), bytes })
}
