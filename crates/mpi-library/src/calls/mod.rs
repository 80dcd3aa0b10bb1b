//! The functions of MPI, by the chapters of the standard. Their parameters and handles have the values of the standard
//! ABI.

pub mod attributes;
pub mod collectives;
pub mod communicators;
pub mod conversions;
pub mod datatypes;
pub mod environment;
pub mod generalized;
pub mod groups;
pub mod info;
pub mod intercommunicators;
pub mod operations;
pub mod persistent;
pub mod point_to_point;
pub mod probes;
pub mod requests;
mod start;
pub mod topologies;
pub mod versions;
