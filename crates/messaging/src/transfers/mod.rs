//! Transfers on their way: queues at the node that sends them, packets, and their arrivals at the node that reads.

pub mod arrivals;
pub mod making;
pub mod outgoing;
pub mod send_queues;
pub mod span;
pub mod spread;
