//! The message layer on top of packets: the packetizer, and the ranks that send and receive.
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
//! Messages are eager: a send puts all packets of its message into the core's queue in its own cycle and completes
//! immediately. A rendezvous protocol will complete sends later, with another [`Completion`]. Messages are delivered in
//! the order in which their last packets arrive. Message ordering, matching and communicators belong to the layer
//! above.
//!
//! **Time.** A rank sees a message that the network delivers at cycle `t` at `t + polling_interval_cycles`, when its
//! software polls. The polling interval is also the lookahead: in a step of at most that length from the earliest
//! event, every rank that is due already has all its completions. So ranks are resumed first, in order of (time, rank),
//! and the network advances afterwards. Results depend neither on step boundaries nor on the engine, and idle periods
//! cost nothing.

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
