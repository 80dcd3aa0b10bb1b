//! The oldest packet first, by the cycle in which software offered it: a first-come, first-served arbiter whose order is
//! that of the whole network, so that packets of distant nodes are not starved at each merge on their way.
//!
//! Source: Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, sections 15.4 (fairness by age,
//! and the parking lot) and 18.6 (queuing arbiter).

use super::{HeadPacket, Memory, Rule};

pub(super) struct OldestFirst;

impl Rule for OldestFirst {
    fn place(_: usize, head: &impl HeadPacket, _: &Memory) -> u64 {
        head.offered()
    }
}
