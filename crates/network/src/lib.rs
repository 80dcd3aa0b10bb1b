//! The torus network, and those beside it: packets, routers, links, nodes, and the engines that run them.
//!
//! ```text
//!   Source / SoftwareBuilder         Engine (reference | windowed)                Totals, counters, digest
//!   --------------------- offers --> injection FIFO -> router -> link -> ... ---> -----------------------
//!                                    router -> reception FIFO -> software
//! ```
//!
//! The model is that of Blue Gene/L's designers; `docs/models/network.md` states its rules and their sources. The crate
//! has no messages, ranks or workloads: its packets come from a [`Source`], or from software of the nodes that
//! others implement ([`node::software::NodeSoftware`]). The crate does no input or output. Every random choice is a [`draws`](base::draws) function of
//! (seed, node, purpose, cycle or sequence number, port), so that results do not depend on the engine, the number of
//! threads or the order of evaluation.

pub mod beside;
pub mod counters;
pub mod deadlock;
pub mod detour;
pub mod engine;
pub mod fabric;
pub mod link;
pub mod node;
pub mod packet;
pub mod parameters;
pub mod parted;
mod policy;
mod rate;
pub mod reference;
pub mod source;
pub mod traffic;
pub mod windowed;

pub use counters::{GroupTotals, LinkCounters, NodeCounters, Totals};
pub use detour::Detour;
pub use engine::{Engine, SoFar};
pub use parameters::Parameters;
pub use rate::CyclesPerByte;
pub use source::{Class, ForwardAction, Lane, LaneKind, Offer, Source};
pub use traffic::{SoftwareBuilder, Traffic};
