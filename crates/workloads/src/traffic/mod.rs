//! The sources of packets: pure functions of (node, sequence number), with nothing stored per node or packet.
//!
//! ```text
//!   Exchange<Peers>   finite: a given amount to each peer   --+
//!                                                             +--> Sender --> Offer (hops, size, class, ready)
//!   Stream<Targets>   endless, counted or Poisson           --+
//! ```
//!
//! A pattern says only who is sent to: [`exchange::Peers`] by slot of a list, [`stream::Targets`] by draw.

pub(crate) mod broadcast;
pub(crate) mod exchange;
pub(crate) mod exponential;
pub(crate) mod fixed;
pub(crate) mod groups;
pub(crate) mod permutation;
pub(crate) mod region;
pub(crate) mod sender;
pub(crate) mod stream;
