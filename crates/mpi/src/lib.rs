//! MPI above messages: matching by source and tag, and collectives.
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
//! Calls block: a send until its message is handed over (it is eager, so at once), a receive until a matching message
//! has come, a collective until this rank's part in it is done. Messages of a pair of ranks match in the order of
//! their sends, whatever overtakes what in the network: each carries a number, counted by source, target and context,
//! and waits for those before it. There is one communicator, that of all ranks, with two contexts: calls and the
//! messages of collectives never match each other. MPI does not know packets, nodes or engines.

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
