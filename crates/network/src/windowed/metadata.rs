//! Metadata of a packet, stored beside its record. Its type depends on the specialization: none on plain machines, a
//! handle on most others, and handle and source with options, where packets may be acknowledged.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Metadata of a packet. Few specializations need all of it.
pub trait Metadata: Copy + Default + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// The metadata of a packet. Types that lack `source` or `handle` drop it: packets are then not acknowledged, or
    /// handles never read.
    fn new(handle: u32, source: u32) -> Self;
    /// The poster's handle, or the code of what software does with the packet on reception (`ForwardAction`).
    fn handle(self) -> u32;
    /// The node that sent it.
    fn source(self) -> u32;
}

/// None: packets are neither posted nor forwarded nor acknowledged.
///
/// Saved as a byte: any number of values without bytes could be read from a damaged checkpoint.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct NoMetadata;

impl From<u8> for NoMetadata {
    fn from(_: u8) -> Self {
        NoMetadata
    }
}

impl From<NoMetadata> for u8 {
    fn from(_: NoMetadata) -> Self {
        0
    }
}

impl Metadata for NoMetadata {
    #[inline(always)]
    fn new(_: u32, _: u32) -> NoMetadata {
        NoMetadata
    }
    #[inline(always)]
    fn handle(self) -> u32 {
        0
    }
    #[inline(always)]
    fn source(self) -> u32 {
        0
    }
}

/// A handle only: packets are not acknowledged.
impl Metadata for u32 {
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

/// A handle, and the node that awaits an acknowledgement.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct HandleAndSource {
    handle: u32,
    source: u32,
}

impl Metadata for HandleAndSource {
    fn new(handle: u32, source: u32) -> HandleAndSource {
        HandleAndSource { handle, source }
    }
    fn handle(self) -> u32 {
        self.handle
    }
    fn source(self) -> u32 {
        self.source
    }
}
