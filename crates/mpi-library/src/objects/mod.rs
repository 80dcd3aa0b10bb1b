//! What handles stand for: objects that the functions of the program make and use.
//!
//! # To add a kind of request
//!
//! 1. A type that implements [`requests::Own`], in the module of its functions in `calls`.
//! 2. `Kind::Own` in the function that makes the request.

pub(crate) mod attributes;
pub(crate) mod buffers;
pub(crate) mod communicators;
pub(crate) mod requests;
pub(crate) mod sessions;
pub(crate) mod topologies;
