//! Metadata of a packet, stored separately from its record. Its type depends on the specialization: none on plain
//! machines, a tag on most others, and tag and source with options, where packets may be acknowledged.

use network::node::pool::HalfLine;
use network::packet::Tag;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Metadata of a packet. Few specializations need all of it.
pub trait Metadata: Copy + Default + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// The type with whose alignment a packet and its metadata are stored.
    type Aligned: Copy + Debug + Send + Sync;
    /// The metadata of a packet. Types that lack `source` or `tag` drop it: packets are then not acknowledged, or tags
    /// never read.
    fn new(tag: Tag, source: u32) -> Self;
    /// Data that software has attached to the packet.
    fn tag(self) -> Tag;
    /// The node that sent the packet.
    fn source(self) -> u32;
}

/// No metadata: packets do not belong to messages, and are neither forwarded nor acknowledged.
///
/// It is saved as a byte: any number of values without bytes could be read from a damaged checkpoint.
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
    type Aligned = u8;
    #[inline(always)]
    fn new(_: Tag, _: u32) -> NoMetadata {
        NoMetadata
    }
    #[inline(always)]
    fn tag(self) -> Tag {
        Tag::default()
    }
    #[inline(always)]
    fn source(self) -> u32 {
        0
    }
}

/// A tag only: packets are not acknowledged.
impl Metadata for Tag {
    type Aligned = HalfLine;
    #[inline(always)]
    fn new(tag: Tag, _: u32) -> Tag {
        tag
    }
    #[inline(always)]
    fn tag(self) -> Tag {
        self
    }
    #[inline(always)]
    fn source(self) -> u32 {
        0
    }
}

/// A tag, and the node that awaits an acknowledgement.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct TagAndSource {
    tag: Tag,
    source: u32,
}

impl Metadata for TagAndSource {
    type Aligned = HalfLine;
    fn new(tag: Tag, source: u32) -> TagAndSource {
        TagAndSource { tag, source }
    }
    fn tag(self) -> Tag {
        self.tag
    }
    fn source(self) -> u32 {
        self.source
    }
}
