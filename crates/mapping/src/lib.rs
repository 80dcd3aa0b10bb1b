//! Mappings of ranks to nodes: how good one is, and the search for a better one.
//!
//! ```text
//!   Flows --evaluate(map)--> hop-bytes, mean hops, bytes on the busiest link
//!   Flows --Graph::of--> Graph   bytes between pairs of ranks, sparse
//!                          '---- Search::new(map)   swaps ranks, step by step: advance(steps), best()
//!   Flows --flows_over(links, map)--> the flows that use each of some links
//!   Flows --ranks_per_node(map)--> whether one rank stands for all
//! ```
//!
//! Hop-bytes are the bytes of all messages, each times the hops between the nodes of its ranks: what the links carry
//! together under minimal routing. No time passes here, and nothing is read or written.

#![forbid(unsafe_code)]

mod evaluation;
mod graph;
mod hot;
pub mod links;
mod search;
mod source_loads;
mod symmetry;

pub use evaluation::{Evaluation, evaluate};
pub use graph::{Graph, Pair, TooManyPairs};
pub use hot::{Link, LinkFlow, LinkFlows, flows_over};
pub use search::{Method, Search};
pub use symmetry::ranks_per_node;
