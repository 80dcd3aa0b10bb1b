//! The input first whose last grant was longest ago: the order that a matrix arbiter keeps in its flip-flops.
//!
//! Source: Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, section 18.5 (matrix arbiter).

use super::{HeadPacket, Memory, Rule};

pub(super) struct LeastRecentlyUsed;

impl Rule for LeastRecentlyUsed {
    const HAS_MEMORY: bool = true;

    fn place(input: usize, _: &impl HeadPacket, memory: &Memory) -> u64 {
        memory.granted_before(input) as u64
    }
}
