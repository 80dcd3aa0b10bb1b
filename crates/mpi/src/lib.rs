//! MPI on top of messages: matching by source and tag, and collectives.
//!
//! ```text
//!   Program (a trace, a kernel, ping-pong)
//!     ^ next(rank, time, status)             | a Call
//!     |                                      v
//!   Mpi:  collectives -- sends and receives --> ordering -> matching
//!     ^ completions                          | operations
//!     |                                      v
//!   messaging::MessageLayer
//! ```
//!
//! Calls block: a send until its message is queued (sends are eager, so immediately), a receive until a matching
//! message has arrived, a collective until this rank's part of it is done. The messages of a pair of ranks match in the
//! order of their sends even if packets overtake one another in the network: each message carries a sequence number,
//! counted per source, target and context, and waits for the messages before it. There is one communicator, that of all
//! ranks, with two contexts, so that point-to-point messages never match those of collectives. MPI does not know
//! packets, nodes or engines.

mod call;
mod collectives;
mod matching;
mod ordering;
mod ping_pong;
mod process;

pub use call::{Call, Program, Status};
pub use collectives::Collective;
pub use ping_pong::PingPong;
pub use process::Mpi;
