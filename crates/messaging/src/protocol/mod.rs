//! Protocols: how a message gets from rank to rank.

pub(crate) mod eager;
