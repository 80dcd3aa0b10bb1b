//! Allreduce: recursive doubling if the number of ranks is a power of two, otherwise reduction and broadcast on a tree.

use super::{Group, Step, broadcast, tree};

pub(super) fn step(group: Group, bytes: u64, index: u32) -> Option<Step> {
    if group.size.is_power_of_two() {
        return doubling_step(group, bytes, index);
    }
    let reduction = reduction_steps(group);
    match index.checked_sub(reduction) {
        None => reduction_step(group, bytes, index),
        Some(index) => broadcast::step(group, 0, bytes, index),
    }
}

/// In round `k`, ranks that differ in bit `k` exchange their partial results.
fn doubling_step(group: Group, bytes: u64, index: u32) -> Option<Step> {
    let (round, is_receive) = (index / 2, index % 2 == 1);
    if round >= group.size.trailing_zeros() {
        return None;
    }
    let partner = group.rank ^ 1 << round;
    Some(if is_receive { Step::Receive { source: partner } } else { Step::Send { target: partner, bytes } })
}

fn reduction_steps(group: Group) -> u32 {
    tree::children(group.rank, group.size) + tree::parent(group.rank).is_some() as u32
}

/// Receive from the children, the smallest subtree first, then send to the parent.
fn reduction_step(group: Group, bytes: u64, index: u32) -> Option<Step> {
    if index < tree::children(group.rank, group.size) {
        return Some(Step::Receive { source: tree::child(group.rank, index) });
    }
    tree::parent(group.rank).map(|target| Step::Send { target, bytes })
}
