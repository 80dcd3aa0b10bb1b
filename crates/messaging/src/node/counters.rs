//! Counters of the message layer.

use serde::{Deserialize, Serialize};

/// Counters since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Messages sent. A message along a line counts for each rank that gets it, here and below.
    pub messages_sent: u64,
    /// Messages delivered to their receivers, including receivers that had finished.
    pub messages_received: u64,
    /// Bytes of the messages sent.
    pub bytes_sent: u64,
    /// Bytes of the messages received.
    pub bytes_received: u64,
    /// Packets of the messages sent; messages within a node need none.
    pub packets_sent: u64,
    /// Packets read at the nodes of their targets.
    pub packets_received: u64,
}

impl Totals {
    /// Adds the counters of another part of the machine.
    pub fn add(&mut self, other: &Totals) {
        self.messages_sent += other.messages_sent;
        self.messages_received += other.messages_received;
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        self.packets_sent += other.packets_sent;
        self.packets_received += other.packets_received;
    }
}

/// Counts of some nodes, known without looking at each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Transfers begun, and ended.
    pub begun: u64,
    pub ended: u64,
    /// Network collectives that ranks have begun and that have not ended at them.
    pub network_collectives: u32,
    /// Ranks that have not ended.
    pub unfinished: u32,
    /// Unfinished ranks that will act without a further notice.
    pub busy: u32,
    /// Ranks that have ended otherwise than with `MPI_Finalize`.
    pub failed: u32,
    /// The latest processor cycle at which a rank has finished.
    pub last_finish: u64,
}

impl Counts {
    /// Adds the counts of other nodes.
    pub fn add(&mut self, other: &Counts) {
        self.begun += other.begun;
        self.ended += other.ended;
        self.network_collectives += other.network_collectives;
        self.unfinished += other.unfinished;
        self.busy += other.busy;
        self.failed += other.failed;
        self.last_finish = self.last_finish.max(other.last_finish);
    }
}
