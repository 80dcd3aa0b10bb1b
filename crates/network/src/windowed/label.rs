//! What goes with a packet beside its record, by family: plain machines have nothing, most a handle, and those that few
//! have, where packets may be acknowledged, their source as well.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// What goes with a packet beside its record; of a kind for each family, as few need all of it.
pub trait Label: Copy + Default + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// A label. `source` may be lost where packets are not acknowledged, `handle` where none is ever looked at.
    fn new(handle: u32, source: u32) -> Self;
    /// What its poster wants to hear, or what software makes of it.
    fn handle(self) -> u32;
    /// The node that sent it.
    fn source(self) -> u32;
}

/// Nothing: packets are neither posted nor sent on nor acknowledged.
impl Label for () {
    #[inline(always)]
    fn new(_: u32, _: u32) {}
    #[inline(always)]
    fn handle(self) -> u32 {
        0
    }
    #[inline(always)]
    fn source(self) -> u32 {
        0
    }
}

/// A handle alone: packets are not acknowledged.
impl Label for u32 {
    #[inline(always)]
    fn new(handle: u32, _: u32) -> u32 {
        handle
    }
    #[inline(always)]
    fn handle(self) -> u32 {
        self
    }
    #[inline(always)]
    fn source(self) -> u32 {
        0
    }
}

/// A handle, and the node that waits for an acknowledgement.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Sent {
    handle: u32,
    source: u32,
}

impl Label for Sent {
    fn new(handle: u32, source: u32) -> Sent {
        Sent { handle, source }
    }
    fn handle(self) -> u32 {
        self.handle
    }
    fn source(self) -> u32 {
        self.source
    }
}
