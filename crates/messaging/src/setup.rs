//! The parameters of the message layer of a machine, and what follows from them.

use crate::{Packetizer, Parameters, RankMap};

/// What all nodes have in common.
pub(crate) struct Setup {
    pub parameters: Parameters,
    pub packetizer: Packetizer,
    /// The size of the smallest packet that is ever sent: engines size their queues by it.
    pub smallest_chunks: u8,
    pub map: RankMap,
    /// The polling interval in processor cycles.
    pub polling_interval: u64,
    /// Whether messages are spread over infinite FIFOs in the cycle in which they are sent.
    pub spreads: bool,
}
