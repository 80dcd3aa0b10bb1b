//! Specializations: compile-time forms of the engine, with types that keep the nodes of common machines small.
//!
//! | specialization                | machines                                      | masks       | times   | pending events    |
//! |-------------------------------|-----------------------------------------------|-------------|---------|-------------------|
//! | compact, [`Plain`]            | full-size packets, as in the papers' studies  | 32, 64 bits | 16 bits | lanes in the node |
//! | compact, [`Uniform`]          | the same, with software                       | 32, 64 bits | 16 bits | lanes in the node |
//! | compact, [`Common`]           | up to 3 dimensions, 4 VCs, ordinary latencies | 32, 64 bits | 16 bits | rows of the store |
//! | compact, [`WithOptions`]      | the same, with options that few machines have | 32, 64 bits | 16 bits | rows of the store |
//! | wide                          | up to 6 dimensions, 6 VCs, any latency        | 128 bits    | 32 bits | rows of the store |
//! | wide, [`TwentyVcs`]           | up to 6 dimensions, 20 VCs, any latency       | 320 bits    | 32 bits | rows of the store |
//!
//! A specialization is one type, of three parts:
//!
//! ```text
//!   width:      sets of inputs and slots, times, arrays by port      [`Width`]           compact.rs, wide.rs
//!   form:       packets, buffers, pending events                     [`Specialization`]  forms.rs
//!   processor:  vector instructions                                  [`Vectors`]         ../vector/
//! ```
//!
//! This module has types and constants alone. Steps that differ between forms are in [`steps`](super::steps).
//!
//! Options exist in two of the forms only, and so does a packet's source in its metadata. Arrays are
//! associated types, since constants of a trait cannot be lengths of arrays. Results are the same in all
//! forms.

mod compact;
mod forms;
mod wide;

pub use compact::{Compact, FourVcs, ThreeVcs, VcCount};
pub use forms::{Common, Plain, Uniform, UniformForm, WithOptions};
pub use wide::{SixVcs, TwentyVcs, Wide, WideVcCount};

use super::array::{Data, Items};
use super::buffers::Buffers;
use super::metadata::Metadata;
use super::pending::Pending;
use super::queues::{NextHeadRequests, Queues, RequestVectors};
use super::sets::{BitSet, Tick};
use super::timestamped::Timestamped;
use super::vector::{Vectors, count_off};

/// The queues of a node, by specialization.
pub type QueuesOf<F> =
    Queues<<F as Width>::RequestVectors, <F as Specialization>::NextHeadRequests, <F as Width>::Bytes>;

/// The extent of a node: the number of ports and VCs that it can have, and the types for them.
///
/// A head packet waits at an *input*: a VC of a receiver, or one of up to eight injection FIFOs. A *slot* is a kind of
/// event that can happen to a node at one future time. Their numbers:
///
/// ```text
///   inputs:  VCs of receivers, port by port | injection FIFOs
///            0                                VC_INPUTS
///   slots:   links | VCs becoming free | injection FIFOs | arrivals, by port
///            0       VC_SLOT             FIFO_SLOT         ARRIVAL_SLOT
/// ```
pub trait Width: Copy + Default + Send + Sync + 'static {
    /// Maximum number of ports.
    const PORTS: usize;
    /// Maximum number of VCs of a port.
    const VCS: usize;
    /// Number of slots, a multiple of eight.
    const SLOTS: usize;
    /// Number of VCs of all ports.
    const VC_INPUTS: usize = Self::PORTS * Self::VCS;
    /// First slot of VCs becoming free.
    const VC_SLOT: usize = Self::PORTS.next_multiple_of(8);
    /// First slot of the injection FIFOs.
    const FIFO_SLOT: usize = Self::VC_SLOT + Self::VC_INPUTS;
    /// First slot of arrivals.
    const ARRIVAL_SLOT: usize = Self::FIFO_SLOT + 8;

    /// Set of a node's inputs.
    type Inputs: BitSet;
    /// Set of a node's event slots.
    type Slots: BitSet;
    /// An event time.
    type Tick: Tick;
    /// An event time for each slot.
    type Times: Items<Self::Tick> + Data;
    /// One byte for each VC of all ports.
    type PerVc: Items<u8> + Data;
    /// One item for each port.
    type PerPort<T: Copy>: Items<T>;
    /// One byte per input.
    type Bytes: Items<u8> + Data + Default;
    /// Requests of the waiting head packets, by input.
    type RequestVectors: RequestVectors<Self::Inputs>;
    /// The vector instructions for which the specialization is compiled.
    type Processor: Vectors;

    /// The input of rank `rank` (from 0) in a set, ascending.
    fn nth(inputs: Self::Inputs, rank: u32) -> usize;
    /// The VC of rank `rank` in a set of adaptive VCs, given as bits.
    #[inline(always)]
    fn nth_vc(vcs: u16, rank: u32) -> usize {
        count_off(vcs, rank)
    }
    /// The inputs among `inputs` whose byte is at least the byte in `min`.
    fn at_least(inputs: Self::Inputs, bytes: &Self::Bytes, min: &Self::Bytes) -> Self::Inputs;

    /// Slots with a time of at most `now`.
    fn due(times: &[Self::Tick], now: Self::Tick) -> Self::Slots;
    /// The earliest time later than `now`.
    fn next(times: &[Self::Tick], now: Self::Tick) -> Self::Tick;
    /// The earliest of the times of some slots.
    fn earliest(times: &[Self::Tick], slots: Self::Slots) -> Self::Tick;

    /// The lowest slots as a set of links.
    fn links(slots: Self::Slots) -> u32;
    /// The lowest slots as a set of inputs.
    fn inputs(slots: Self::Slots) -> Self::Inputs;
    /// The inverse of [`Width::inputs`].
    fn slots_of_inputs(inputs: Self::Inputs) -> Self::Slots;
    /// The inverse of [`Width::links`].
    fn slots_of_links(links: u32) -> Self::Slots;
}

/// A compile-time form of the engine for one kind of machine: how its packets and pending events are stored.
pub trait Specialization: Width {
    /// A packet as stored in the subdomain's arrays.
    type Timestamped: Timestamped;
    /// Metadata of a packet.
    type Metadata: Metadata;
    /// The VC buffers of a subdomain.
    type Buffers: Buffers<Self::Timestamped, Self::Metadata>;
    /// Credits and packets in flight to a node.
    type Pending: Pending<Self::Tick>;
    /// Requests of the next head packets; kept for uniform machines only.
    type NextHeadRequests: NextHeadRequests;
    /// Whether the machine is known to be uniform. All packets are full-size and of normal priority. All links are
    /// alike and alive. All VCs are in use, the last one as escape.
    const IS_UNIFORM: bool = false;
    /// Whether the machine is known to be plain: it is uniform, and its packets are generated by a source. FIFOs are
    /// infinite and no software is simulated.
    const IS_PLAIN: bool = false;
    /// Whether the machine may have options that few machines have. Dateline pairs, direction order, pacing, copies
    /// and lossy links are such options. Other specializations pay nothing for them.
    const HAS_OPTIONS: bool;
}
