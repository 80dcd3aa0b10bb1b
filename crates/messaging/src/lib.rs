//! Messages on the nodes of a torus: software that turns the operations of ranks into packets, and packets into messages.
//!
//! ```text
//!   Ranks (MPI with a program)
//!     ^ resume(rank, time, completions)            | operations: send, compute, advance, call, finish
//!     |                                            v
//!   core:  reads packets, resumes its rank, performs its operations, writes packets       (one time line per core)
//!     ^ packets    ^ announcements                 | announcements, packets
//!     |            |                               v
//!   network::node: reception FIFOs                 injection FIFOs
//! ```
//!
//! [`Messaging`] is the software of some nodes, which engines run at exact times ([`network::node::software`]). From the
//! bottom up, each folder knows only those before it:
//!
//! ```text
//!   ranks, mapping     the interface of ranks, and the nodes on which they run
//!   parameters         sizes, costs and protocols, as scenarios set them
//!   packetizer         messages as packets
//!   protocol           the kinds of transfers, as plain data: eager, rendezvous, credits
//!   transfers          transfers on their way: send queues, packets, arrivals
//!   setup, node        what all nodes have in common, and the state of one
//!   time_lines         observers of cores
//!   scheduler          what the time lines of a node do, one thing after the other
//!   software           all of this as software for the engines; checkpoints, reports, borders
//!   prediction         what messages cost and take, without a run
//! ```
//!
//! The packets of a message are made one by one, as injection FIFOs take them, so that a long message takes no more
//! memory than a short one. An announcement goes ahead of the first packet, with all that a receiver has to know of a
//! message ([`transfers::arrivals`]); each packet carries the sending rank and the number of the message. No table is
//! shared by nodes, so that nodes can be on different threads.
//!
//! Messages are delivered in the order in which their last packets are read. Message ordering, matching and communicators
//! belong to the layer above.
//!
//! ```
//! use geometry::Shape;
//! use messaging::{Parameters, Transfer};
//!
//! // A kilobyte between two nodes of Blue Gene/L, first without a handshake, then with one.
//! let network = network::Parameters::bluegene_l(Shape::torus(&[8, 8, 8]).unwrap(), 1);
//! let eager = Transfer::all(&network, &Parameters::default(), 1024);
//! assert_eq!((eager.len(), eager[0].packets), (1, 5));
//! let rendezvous = Parameters { rendezvous_from_bytes: Some(1000), ..Parameters::default() };
//! let packets = Transfer::all(&network, &rendezvous, 1024).iter().map(|transfer| transfer.packets).collect::<Vec<_>>();
//! assert_eq!(packets[..2], [1, 1]); // the request to send and its answer, then the body
//! ```

#![forbid(unsafe_code)]

mod mapping;
mod node;
mod packetizer;
mod parameters;
mod prediction;
mod protocol;
mod ranks;
mod scheduler;
mod setup;
mod software;
mod time_lines;
mod transfers;

pub use mapping::{ListError, Listed, Mapping, Order, Place, RankMap, RankMapError, node_at_distance};
pub use node::counters::Totals;
pub use packetizer::Packetizer;
pub use parameters::call_costs::{CallCosts, CallCounts, CallKind};
pub use parameters::message_protocol::MessageProtocol;
pub use parameters::offsets::CyclesByOffset;
pub use parameters::{Coprocessor, Dma, Layers, Parameters, Watermark, WorldCollectives};
pub use prediction::message_costs::{NodeCosts, Transfer};
pub use prediction::pace::{MessageTimes, PARTS, Pace};
pub use ranks::{
    Blocking, Called, Completion, End, Envelope, Line, MAX_MESSAGE_BYTES, Message, MessageId,
    NetworkCollective, Operation, Pending, RankSlot, Ranks, Round, RouteName, TreeKind, TreeOperation,
    Waiting,
};
pub use setup::Messages;
pub use software::borders::{Borders, ranks_of};
pub use software::memory_estimate::{Load, queued};
pub use software::report::{Aborted, Progress, Report, Stuck, StuckRank};
pub use software::{Messaging, MessagingBuilder};
pub use time_lines::awaited::Awaited;
pub use time_lines::observer::Observer;
pub use time_lines::recorder::{Excerpt, Level, Recorder};
pub use time_lines::{Activity, BegunRound, Interval, Passage, RankStep};
pub use transfers::making::hops_in_order;
