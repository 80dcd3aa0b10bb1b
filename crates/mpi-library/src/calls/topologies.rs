//! Topologies: who the neighbors of a rank are.

/// A topology.
#[derive(Debug)]
pub(crate) enum Topology {}
