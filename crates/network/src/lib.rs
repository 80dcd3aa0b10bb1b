//! The torus network and the collective networks: packets, routers, links and nodes, which an [`Engine`] runs.
//!
//! ```text
//!   Source / SoftwareBuilder         Engine (reference | windowed)                Totals, counters, digest
//!   --------------------- offers --> injection FIFO -> router -> link -> ... ---> -----------------------
//!                                    router -> reception FIFO -> software
//! ```
//!
//! The model is that of Blue Gene/L's designers; `docs/models/network.md` states its rules and their sources. The crate
//! has no messages, ranks or workloads: its packets come from a [`Source`], or from software of the nodes that others
//! implement ([`node::software::NodeSoftware`]). The crate does no input or output. Every random choice is a
//! [`draws`](base::draws) function of (seed, node, purpose, cycle or sequence number, port), so that results do not
//! depend on the engine, the number of threads or the order of evaluation.
//!
//! ```
//! use geometry::{Hops, Shape};
//! use network::{Class, ForwardAction, Lane, Offer, Parameters, Source, Traffic};
//! use std::sync::Arc;
//!
//! /// Node 0 sends one packet of eight chunks, two hops along x.
//! struct OnePacket;
//!
//! impl Source for OnePacket {
//!     fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
//!         let hops = Hops([2, 0, 0, 0, 0, 0]);
//!         let class = Class::default();
//!         let offer = Offer { hops, chunks: 8, class, ready: 0, forward_action: ForwardAction::Consume };
//!         ((lane.node, index) == (0, 0)).then_some(offer)
//!     }
//!
//!     fn smallest_chunks(&self) -> u8 {
//!         8
//!     }
//! }
//!
//! let machine = Parameters::bluegene_l(Shape::torus(&[8]).unwrap(), 1);
//! assert!(machine.check().is_ok());
//! let traffic = Traffic::Generated(Arc::new(OnePacket)); // an engine takes both
//! ```

#![forbid(unsafe_code)]

pub mod arbitration;
pub mod collective;
pub mod counters;
pub mod deadlock;
pub mod detour;
pub mod division;
pub mod engine;
pub mod fabric;
pub mod link;
pub mod node;
pub mod packet;
pub mod parameters;
pub mod peers;
mod rate;
pub mod several_jobs;
pub mod source;
pub mod traffic;

pub use counters::{GroupTotals, LinkColumn, LinkCounters, NodeCounters, Totals};
pub use detour::Detour;
pub use division::{Division, Parts};
pub use engine::{Engine, SoFar};
pub use parameters::Parameters;
pub use peers::{Peers, Processes};
pub use rate::CyclesPerByte;
pub use source::{Class, ForwardAction, Lane, LaneKind, Offer, Source};
pub use traffic::{SoftwareBuilder, Traffic};
