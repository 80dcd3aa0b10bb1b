//! The general form: packets of any size, software, any FIFOs. Events are applied one by one, and ports are examined
//! one by one: the provided functions of [`Specialization`].

use super::compact::VcCount;
use super::{Compact, Specialization, Wide};
use crate::packet::Tag;
use crate::windowed::buffers::Lists;
use crate::windowed::metadata::TagAndSource;
use crate::windowed::pending::Rows;
use crate::windowed::timestamped::{FullTimestamped, ShortTimestamped};
use crate::windowed::vector::Vectors;

/// Any machine without options, with short packet records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Common;

/// Any machine, with options.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithOptions;

impl<N: VcCount, X: Vectors> Specialization for Compact<Common, N, X> {
    type Timestamped = ShortTimestamped;
    type Metadata = Tag;
    type Buffers = Lists<ShortTimestamped, Tag>;
    type Pending = Rows<6>;
    type NextHeadRequests = ();
    const HAS_OPTIONS: bool = false;
}

impl<N: VcCount, X: Vectors> Specialization for Compact<WithOptions, N, X> {
    type Timestamped = FullTimestamped;
    type Metadata = TagAndSource;
    type Buffers = Lists<FullTimestamped, TagAndSource>;
    type Pending = Rows<6>;
    type NextHeadRequests = ();
    const HAS_OPTIONS: bool = true;
}

impl<X: Vectors> Specialization for Wide<X> {
    type Timestamped = FullTimestamped;
    type Metadata = TagAndSource;
    type Buffers = Lists<FullTimestamped, TagAndSource>;
    type Pending = Rows<12>;
    type NextHeadRequests = ();
    const HAS_OPTIONS: bool = true;
}
