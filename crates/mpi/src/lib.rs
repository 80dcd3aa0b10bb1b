//! MPI on top of messages: matching by source and tag, and collectives.
//!
//! ```text
//!   Program of each rank (a trace, a kernel, ping-pong)
//!     ^ next(time, outcome)                  | a Call
//!     |                                      v
//!   Mpi:  collectives -- sends and receives --> ordering -> matching -> requests
//!     ^ completions                          | operations
//!     |                                      v
//!   messaging::Messaging, on each node
//! ```
//!
//! Programs run on the thread that simulates their ranks, or [`outside`] the simulator. Calls of processes, which may be
//! wrong, are checked first ([`Checkers`]).
//!
//! A call takes effect when its cost has passed since the rank received its last completion; no queue is touched
//! before. Blocking calls block: a send until the last packet of its message has been written (at once where
//! writing takes no time), a receive until a matching message has arrived, a wait until its requests are complete,
//! a collective until this rank's part of it is done. The messages of a pair of ranks match in the order of their
//! sends even if packets overtake one another in the network. For that, each message carries a sequence number,
//! counted per source, target and context, and waits for the messages before it. A communicator has two contexts,
//! so that point-to-point messages never match those of collectives ([`collectives`]), nor those of other
//! communicators ([`communicators`]). MPI does not know packets, nodes or engines.

#![forbid(unsafe_code)]

mod arguments;
mod call;
mod caller;
mod cartesian;
mod checker;
mod collectives;
mod communication;
mod communicators;
mod digest;
mod dry_run;
mod failure;
mod in_progress;
mod joint_calls;
mod layout;
mod lengths;
mod load;
mod marks;
mod matching;
mod networks;
mod ordering;
mod outside;
mod ping_pong;
mod process;
mod ranks;
mod request_set;
mod requests;
mod selection;
mod slower;

pub use arguments::{Arguments, ArgumentsMut, CommunicatorChange, RequestUse};
pub use call::{
    Call, Ended, Member, Mode, Needed, Outcome, Program, ReceiveFrom, Room, SendTo, Status, Transfer,
};
pub use caller::Caller;
pub use cartesian::Cartesian;
pub use checker::{Checker, Checkers};
pub use collectives::{
    Algorithm, Collective, Directions, Disagreement, Grid, Ground, MAX_GRID_DIMENSIONS, Machine, Near,
    Operands, Operation, Tuning, TypedExchange,
};
pub use communication::Sent;
pub use communicators::{Given, Members, WORLD};
pub use digest::Digest;
pub use dry_run::{DryRun, DryStep};
pub use failure::{Failure, FailureKind};
pub use layout::Layout;
pub use lengths::Lengths;
pub use load::{Load, LoadMeter};
pub use messaging::{MAX_MESSAGE_BYTES, RouteName};
pub use networks::CollectiveNetworks;
pub use outside::{Answer, Outside, OutsideRanks, Programs, Stop, WakeUp, exchange, set_up};
pub use ping_pong::PingPong;
pub use ranks::{Costs, Mpi};
pub use request_set::{RequestSet, Requests};
pub use selection::{Choice, Choices, Selection};
pub use slower::{SlowerCall, SlowerCalls};
