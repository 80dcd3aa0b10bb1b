//! Dissemination barrier (Hensgen, Finkel and Manber, 1988). In round `k`, rank `r` sends to rank `r + 2^k` and
//! receives from rank `r - 2^k`, modulo the number of ranks. After `ceil(log2(ranks))` rounds every rank knows that all
//! have arrived. It works for any number of ranks.

use super::{Group, Step};

pub(super) fn step(group: Group, index: u32) -> Option<Step> {
    let Group { rank, size } = group;
    let distance = 1u32.checked_shl(index / 2).filter(|&distance| distance < size)?;
    Some(match index % 2 {
        0 => Step::Send { target: (rank + distance) % size, bytes: 0 },
        _ => Step::Receive { source: (rank + size - distance) % size },
    })
}
