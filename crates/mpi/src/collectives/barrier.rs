//! Barrier by dissemination (Hensgen, Finkel and Manber, 1988): in round `k` each rank tells the one `2^k` further
//! on, and hears from the one `2^k` before; after `log2` rounds everybody has heard of everybody. Any number of ranks
//! will do.

use super::{Group, Step};

pub(super) fn step(group: Group, index: u32) -> Option<Step> {
    let Group { rank, size } = group;
    let distance = 1u32.checked_shl(index / 2).filter(|&distance| distance < size)?;
    Some(match index % 2 {
        0 => Step::Send { target: (rank + distance) % size, bytes: 0 },
        _ => Step::Receive { source: (rank + size - distance) % size },
    })
}
