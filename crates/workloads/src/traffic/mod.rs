//! The sources of packets: pure functions of (node, sequence number) that store nothing per node or packet.
//!
//! ```text
//!   FiniteTraffic<Peers>   a given amount to each peer            --+
//!                                                                   +--> Sender --> Offer (hops, size, class, ready)
//!   OpenLoop<Targets>      without end or up to a number; Poisson --+
//! ```
//!
//! A pattern only defines the targets: [`crate::targets::Peers`] by slot of a list, [`open_loop::Targets`] by random draw.

pub(crate) mod arrivals;
pub(crate) mod broadcast;
pub(crate) mod exponential;
pub(crate) mod finite;
pub(crate) mod fixed;
pub(crate) mod jobs;
pub(crate) mod lengths;
pub(crate) mod listed;
pub(crate) mod open_loop;
pub(crate) mod sender;
