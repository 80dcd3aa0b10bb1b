//! Transfers on their way: queues at the node that sends them, packets, and what has arrived of them at the node that reads.

pub mod arrivals;
pub mod making;
pub mod outgoing;
pub mod send_queues;
pub mod span;
pub mod spread;
