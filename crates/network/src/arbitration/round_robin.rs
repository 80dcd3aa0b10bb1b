//! Inputs in turn: the one that was granted last becomes the last choice, and the next behind it the first.
//!
//! Source: Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, section 18.4.2. The turn moves
//! on only with a grant, as in iSLIP (McKeown, *IEEE/ACM Transactions on Networking* 7(2), 1999): a request that its
//! receiver selects and no sender grants keeps its turn.

use super::{HeadPacket, MAX_INPUTS, Memory, Rule};

pub(super) struct RoundRobin;

impl Rule for RoundRobin {
    const HAS_MEMORY: bool = true;

    fn place(input: usize, _: &impl HeadPacket, memory: &Memory) -> u64 {
        ((input + MAX_INPUTS - 1 - memory.last()) % MAX_INPUTS) as u64
    }
}
