//! The torus network: packets, routers, links, nodes, and the engines that run them.
//!
//! ```text
//!   Source / Posted packets          Engine (reference | windowed)                Totals, counters, digest
//!   --------------------- offers --> injection FIFO -> router -> link -> ... ---> -----------------------
//!                                    router -> reception FIFO -> software         deliveries
//! ```
//!
//! The model is that of Blue Gene/L's designers; `docs/models/network.md` has its rules and their sources. It does not
//! know messages, ranks or workloads: software above it is a [`Source`] of packets, or posts packets one by one and
//! hears of their delivery. It does no input or output, and every random choice is a [`draws`] function of (seed, node,
//! purpose, cycle or sequence, port), so that no engine, thread count or order of evaluation changes a result.

pub mod checkpoint;
pub mod counters;
pub mod deadlock;
pub mod digest;
pub mod draws;
pub mod engine;
pub mod fabric;
pub mod link;
pub mod node;
pub mod packet;
pub mod parameters;
pub mod reference;
pub mod source;
pub mod windowed;

pub use counters::{LinkCounters, NodeCounters, Totals};
pub use engine::{Delivery, Engine, Posted, SoFar};
pub use parameters::Parameters;
pub use source::{Class, Lane, LaneKind, Offer, Onward, Source, Traffic};
