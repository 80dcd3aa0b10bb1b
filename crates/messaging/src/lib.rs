//! Messages above packets: the packetizer, and the ranks that send and receive.
//!
//! ```text
//!   Ranks (a kernel, MPI, another process)
//!     ^ resume(rank, time, completions)      | operations: send, compute, finish
//!     |                                      v
//!   MessageLayer --- events by (time, rank) --- messages in flight --- packetizer
//!     ^ deliveries                                                       | packets
//!     |                                                                  v
//!   network::Engine
//! ```
//!
//! A message is eager: all its packets are handed to the sending core's queue in the cycle of the send, which completes
//! at once. Rendezvous will complete sends later, as a further [`Completion`]. Messages are delivered in the order in
//! which their last packets come in, whatever that is: order belongs to the layer above, and so do communicators and
//! matching, which messaging does not know.
//!
//! **Time.** What the network delivers at cycle `t` its rank hears at `t + wakeup_cycles`, when the software polls.
//! That is also the lookahead: in a step of so many cycles from the earliest event, every rank that is due has all
//! its completions already, so ranks are resumed first, in order of (time, rank), and the network runs afterwards.
//! Results depend neither on where a step ends nor on the engine, and idle stretches cost nothing.

mod in_flight;
mod layer;
mod packetizer;
mod parameters;
mod rank_map;
mod ranks;

pub use layer::{MessageLayer, Progress, Stuck, Totals};
pub use packetizer::{MAX_MESSAGE_BYTES, Packetizer};
pub use parameters::Parameters;
pub use rank_map::{Place, RankMap, RankMapError, node_at_distance};
pub use ranks::{Completion, Envelope, Message, Operation, Ranks, Waiting};
