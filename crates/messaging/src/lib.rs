//! Messages on the nodes of a torus: software that turns the operations of ranks into packets, and packets into messages.
//!
//! ```text
//!   Ranks (MPI with a program)
//!     ^ resume(rank, time, completions)            | operations: send, compute, advance, call, finish
//!     |                                            v
//!   core:  reads packets, resumes its rank, performs its operations, writes packets       (one time line a core)
//!     ^ packets    ^ announcements                 | announcements, packets
//!     |            |                               v
//!   network::node: reception FIFOs                 injection FIFOs
//! ```
//!
//! [`Messaging`] is the software of some nodes, which engines run at exact times ([`network::node::software`]). A core
//! has one time line: reading, computing, calls and writing follow one another on it ([`turn`]), which can be observed
//! ([`observer`]). The packets of a message come into being one by one, as injection FIFOs take them, so that a long
//! message takes no more memory than a short one ([`packetizer`], [`sends`], [`spread`]).
//!
//! What a receiver has to know of a message goes ahead of its first packet as an announcement
//! ([`receiving`]); each packet carries the sending rank and the number of the message. No table is shared by nodes, so
//! that nodes can be on different threads.
//!
//! What ranks need from outside the simulator they get at [`borders`], between which an engine runs alone.
//!
//! How a message gets to its receiver is its protocol ([`protocol`]): without a handshake (eager) or after one
//! (rendezvous). Messages are delivered in the order in which their last packets are read. Message ordering, matching and
//! communicators belong to the layer above.

mod borders;
mod calls;
mod connections;
mod coprocessor;
mod core;
mod costs;
mod dma;
mod interrupts;
mod joining;
mod joint;
mod lines;
mod load;
mod mapping;
mod observer;
mod observing;
mod pace;
mod packetizer;
mod parameters;
mod protocol;
mod ranks;
mod reading;
mod receiving;
mod report;
mod sends;
mod setup;
mod software;
mod spread;
mod totals;
mod transfer;
mod turn;
mod writing;

pub use borders::Borders;
pub use calls::{CallCosts, CallCounts, CallKind};
pub use costs::{NodeCosts, Transfer};
pub use load::{Load, queued};
pub use mapping::{ListError, Listed, Mapping, Order, Place, RankMap, RankMapError, node_at_distance};
pub use observer::{Activity, Awaited, Excerpt, Interval, Level, Observer, Passage, RankStep, Recorder};
pub use pace::{MessageTimes, PARTS, Pace};
pub use packetizer::{MAX_MESSAGE_BYTES, Packetizer, hops_in_order};
pub use parameters::{
    Coprocessor, Dma, HEADER_BYTES, Layers, MessageProtocol, Parameters, Watermark, WorldCollectives,
};
pub use ranks::{
    Blocking, Called, Completion, End, Envelope, Joint, Line, Message, MessageId, Operation, Pending,
    RankSlot, Ranks, Round, TreeKind, TreeOperation, Waiting,
};
pub use report::{Aborted, Progress, Report, Stuck, StuckRank};
pub use setup::Messages;
pub use software::{Messaging, MessagingBuilder};
pub use totals::Totals;
