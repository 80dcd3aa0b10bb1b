//! The functions of MPI, by the chapters of the standard. Their parameters and handles have the values of the standard
//! ABI.

pub mod attributes;
pub mod buffers;
pub mod collectives;
pub mod communicators;
pub mod conversions;
pub mod datatypes;
pub mod dynamic;
pub mod environment;
pub mod errors;
pub mod generalized;
pub mod groups;
pub mod info;
pub mod intercommunicators;
pub mod names;
pub mod neighbors;
pub mod operations;
mod own_messages;
pub mod packing;
pub mod partitioned;
pub mod persistent;
pub mod point_to_point;
pub mod probes;
pub mod requests;
pub mod sessions;
mod start;
pub mod statuses;
mod texts;
pub mod tools;
pub mod topologies;
pub mod versions;
