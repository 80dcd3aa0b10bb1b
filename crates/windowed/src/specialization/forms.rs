//! The forms: how packets and pending events are stored.

use super::{Compact, Specialization, ThreeVcs, VcCount, Wide, WideVcCount};
use crate::buffers::{Lists, Rings};
use crate::metadata::{Metadata, NoMetadata, TagAndSource};
use crate::pending::{Lanes, Rows};
use crate::timestamped::{FullTimestamped, ShortTimestamped};
use crate::vector::Vectors;
use network::packet::Tag;
use std::fmt::Debug;

/// A plain machine ([`Specialization::IS_PLAIN`]), with short packet records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// A uniform machine ([`Specialization::IS_UNIFORM`]) with software on its nodes, with short packet records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

/// A form of uniform machines.
pub trait UniformForm: Copy + Debug + Default + Send + Sync + 'static {
    /// Metadata of a packet.
    type Metadata: Metadata;
    /// See [`Specialization::IS_PLAIN`].
    const IS_PLAIN: bool;
}

impl UniformForm for Plain {
    type Metadata = NoMetadata;
    const IS_PLAIN: bool = true;
}

impl UniformForm for Uniform {
    type Metadata = Tag;
    const IS_PLAIN: bool = false;
}

/// Any machine without options, with short packet records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Common;

/// Any machine, with options.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithOptions;

impl<M: UniformForm, X: Vectors> Specialization for Compact<M, ThreeVcs, X> {
    type Timestamped = ShortTimestamped;
    type Metadata = M::Metadata;
    type Buffers = Rings<M::Metadata>;
    type Pending = Lanes<3>;
    type NextHeadRequests = [u8; 32];
    const IS_UNIFORM: bool = true;
    const IS_PLAIN: bool = M::IS_PLAIN;
    const HAS_OPTIONS: bool = false;
}

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

impl<N: WideVcCount, X: Vectors> Specialization for Wide<N, X> {
    type Timestamped = FullTimestamped;
    type Metadata = TagAndSource;
    type Buffers = Lists<FullTimestamped, TagAndSource>;
    type Pending = Rows<12>;
    type NextHeadRequests = ();
    const HAS_OPTIONS: bool = true;
}
