//! The queues in the fullest quarter of their buffers first (S16), as in the hardware. The windowed engine has this rule on
//! sets of inputs, too (`windowed/src/arbitration/rule.rs`).

use super::{HeadPacket, Memory, Rule};

pub(super) struct LongestQueue;

impl Rule for LongestQueue {
    fn place(_: usize, head: &impl HeadPacket, _: &Memory) -> u64 {
        (3 - head.fullness()).into()
    }
}
