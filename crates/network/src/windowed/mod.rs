//! The windowed engine: fast, on one or several threads, with the reference engine's results.
//!
//! ```text
//!   window w:    slab 0: node 0, 1, 2 ... each runs its events of the window, in order of time   | one thread
//!                slab 1: node k, k+1 ...                                                         | another
//!   between:     what left a slab's nodes is handed to the slabs of their neighbors
//!   window w+1:  ...
//! ```
//!
//! A window is no longer than the least latency between nodes, so that what leaves a node takes effect in a later
//! window, and nodes within a window are independent of one another: order and threads change nothing. A
//! [`visit`] runs a node's events at their exact cycles, [`arbitration`] decides with masks, [`transfer`] notes what will
//! follow; a [`slab`] passes it on.

mod arbitration;
mod barrier;
mod calendar;
mod census;
mod checkpoint;
mod dated;
mod deposit;
mod errors;
mod events;
mod family;
mod label;
mod machine;
mod mail;
mod memory;
mod node;
mod options;
mod pending;
mod queues;
mod sets;
mod slab;
mod stalls;
mod store;
mod threads;
mod transfer;
mod vector;
mod visit;
mod windows;

use crate::checkpoint::{FrameReader, FrameWriter};
use crate::counters::{LinkCounters, MAX_CHANNELS, NodeCounters, Totals};
use crate::deadlock::{Blockage, Snapshot};
use crate::engine::{Delivery, Engine, Posted, SoFar};
use crate::fabric::{Fabric, TransferCycles};
use crate::link::LinkReport;
use crate::parameters::Parameters;
use crate::source::{Lane, Offer, Source, Traffic};
use family::{Any, Compact, Family, Optional, Plain, Wide};
use sets::Tick;
use slab::Slab;
use stalls::CARRY_CYCLES;
use std::io;
use std::sync::Arc;
use threads::Span;
#[cfg(target_arch = "x86_64")]
use vector::{Avx2, Avx512};
use vector::{Baseline, Vectors};
use windows::Windows;

/// A network at rest at cycle 0, in `threads` slabs (at least one, at most one for each node), each on
/// a thread of its own as far as there are cores.
///
/// # Panics
/// When the parameters do not pass [`Parameters::check`].
pub fn new_engine(parameters: Parameters, traffic: Traffic, threads: usize) -> Box<dyn Engine> {
    #[cfg(target_arch = "x86_64")]
    if Avx512::is_here() {
        return new_engine_on::<Avx2, Avx512>(parameters, traffic, threads);
    } else if Avx2::is_here() {
        return new_engine_on::<Avx2, Avx2>(parameters, traffic, threads);
    }
    new_engine_on::<Baseline, Baseline>(parameters, traffic, threads)
}

/// The same for a kind of processor, and plain machines for another.
fn new_engine_on<X: Vectors, OfPlain: Vectors>(
    parameters: Parameters,
    traffic: Traffic,
    threads: usize,
) -> Box<dyn Engine> {
    parameters.check().expect("parameters are checked where they come in");
    let fabric = Arc::new(Fabric::for_traffic(parameters, &traffic));
    let is_compact = fabric.ports <= 6
        && fabric.channels <= 4
        && longest_look_ahead(&fabric) < longest::<Compact<Any, X>>();
    match (is_compact, fabric.channels) {
        (true, _) if fabric.has_options() || !fabric.layout.is_short() => {
            Box::new(WindowedEngine::<Compact<Optional, X>, 6, 4, 24, 48>::new(fabric, traffic, threads))
        }
        (true, 3) if is_plain(&fabric, &traffic) => {
            Box::new(WindowedEngine::<Compact<Plain, OfPlain>, 6, 3, 18, 40>::new(fabric, traffic, threads))
        }
        (true, ..=3) => {
            Box::new(WindowedEngine::<Compact<Any, X>, 6, 3, 18, 40>::new(fabric, traffic, threads))
        }
        (true, _) => Box::new(WindowedEngine::<Compact<Any, X>, 6, 4, 24, 48>::new(fabric, traffic, threads)),
        (false, _) => Box::new(WindowedEngine::<Wide<X>, 12, 6, 72, 112>::new(fabric, traffic, threads)),
    }
}

/// Whether a machine is a plain one, as [`Family::IS_PLAIN`] has it.
fn is_plain(fabric: &Fabric, traffic: &Traffic) -> bool {
    let is_generated = matches!(traffic, Traffic::Generated(_));
    let links = &fabric.parameters.links;
    is_generated
        && !fabric.has_options()
        && fabric.packets_are_full()
        && fabric.high_priority_channel.is_none()
        && fabric.parameters.faults.is_empty()
        && fabric.dynamic_channels > 0
        && !fabric.has_software(!is_generated)
        && links.iter().all(|link| *link == links[0])
        && pending::fits_lanes(fabric)
}

/// Bytes of state that an engine of these parameters will hold, for such traffic; without any, for full-size packets.
pub fn estimate_state_bytes(parameters: &Parameters, traffic: Option<&Traffic>) -> u64 {
    // Nodes are alike: a few of them tell what all will take. Wide machines stay wide whatever their lengths.
    let lengths: Vec<u32> = parameters.shape.lengths().iter().map(|&length| length.min(2)).collect();
    let shape = geometry::Shape::torus(&lengths).expect("a part of a shape is a shape");
    let few = u64::from(shape.nodes());
    let traffic = match traffic {
        Some(Traffic::Generated(source)) => Traffic::Generated(Arc::new(Silence::instead_of(&**source))),
        Some(posted) => posted.clone(),
        None => Traffic::Generated(Arc::new(Silence {
            smallest_chunks: parameters.packet.max_chunks,
            ..Silence::default()
        })),
    };
    let sample = new_engine(Parameters { shape, ..parameters.clone() }, traffic, 1);
    let nodes = u64::from(parameters.shape.nodes());
    (sample.state_bytes() - calendar::bytes_for(few)).div_ceil(few) * nodes + calendar::bytes_for(nodes)
}

/// Traffic that never sends anything, but could.
#[derive(Default)]
struct Silence {
    smallest_chunks: u8,
    high_priority: bool,
    deposits: bool,
    turns: bool,
}

impl Silence {
    fn instead_of(source: &dyn Source) -> Self {
        Silence {
            smallest_chunks: source.smallest_chunks(),
            high_priority: source.uses_high_priority(),
            deposits: source.deposits(),
            turns: source.turns(),
        }
    }
}

impl Source for Silence {
    fn offer(&self, _: Lane, _: u64, _: u64) -> Option<Offer> {
        None
    }

    fn smallest_chunks(&self) -> u8 {
        self.smallest_chunks
    }

    fn uses_high_priority(&self) -> bool {
        self.high_priority
    }

    fn deposits(&self) -> bool {
        self.deposits
    }

    fn turns(&self) -> bool {
        self.turns
    }
}

/// The farthest that anything is noted ahead of its time.
fn longest_look_ahead(fabric: &Fabric) -> u64 {
    let full = fabric.full_packet;
    let of_port = |port| {
        let TransferCycles { wire, path, arrival } = *fabric.transfer_cycles(port, full);
        let tokens_back = path.max(fabric.reception_cycles(full)) + fabric.token_latency();
        u64::from(tokens_back.max(wire).max(arrival))
    };
    (0..fabric.ports).map(of_port).max().unwrap_or(0) + u64::from(fabric.window_cycles())
}

/// The farthest ahead that a family can note.
fn longest<F: Family>() -> u64 {
    F::Tick::EPOCH_CYCLES as u64 - 2
}

/// The engine for one family and size of node.
struct WindowedEngine<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    fabric: Arc<Fabric>,
    slabs: Vec<Slab<F, P, V, C, S>>,
    now: u64,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>
    WindowedEngine<F, P, V, C, S>
{
    fn new(fabric: Arc<Fabric>, traffic: Traffic, threads: usize) -> Self {
        let source = match traffic {
            Traffic::Generated(source) => Some(source),
            Traffic::Posted { .. } => None,
        };
        let nodes = u64::from(fabric.parameters.shape.nodes());
        let count = (threads.max(1) as u64).min(nodes);
        let first = |slab: u64| (slab * nodes / count) as u32;
        let mut slabs: Vec<Slab<F, P, V, C, S>> = (0..count)
            .map(|slab| Slab::new(&fabric, source.clone(), first(slab), first(slab + 1) - first(slab)))
            .collect();
        errors::put_on(&mut slabs, &fabric);
        WindowedEngine { fabric, slabs, now: 0 }
    }

    /// Who waits for what.
    fn snapshot(&mut self) -> Snapshot<'_> {
        self.settle();
        let mut snapshot = Snapshot::new(&self.fabric, self.now);
        self.slabs.iter().for_each(|slab| slab.describe(&mut snapshot, self.now));
        self.describe_links(&mut snapshot);
        snapshot
    }

    /// The next window in which a node is to be visited, if any is.
    fn next_window(&self) -> Option<u64> {
        self.slabs.iter().filter_map(Slab::next_window).min()
    }

    /// Applies all events up to now that nothing could be granted for.
    fn settle(&mut self) {
        self.slabs.iter_mut().for_each(|slab| slab.settle(self.now));
    }

    /// Counts what plain machines' nodes are not woken for: the ends of receptions that nobody waits for.
    fn count_receptions(&mut self) {
        if F::IS_PLAIN {
            self.settle();
        }
    }

    /// The sums over all slabs, as far as they have been counted.
    fn counted(&self) -> Totals {
        let mut totals = Totals::default();
        self.slabs.iter().for_each(|slab| totals.add(&slab.store.totals));
        totals
    }

    fn slab_of(&self, node: u32) -> usize {
        self.slabs.partition_point(|slab| slab.first() <= node) - 1
    }
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Engine
    for WindowedEngine<F, P, V, C, S>
{
    fn now(&self) -> u64 {
        self.now
    }

    fn advance(&mut self, until: u64) {
        let windows = Windows::of(&self.fabric);
        while self.now < until {
            let carry_at = self.now - self.now % CARRY_CYCLES + CARRY_CYCLES;
            let end = until.min(carry_at);
            threads::advance(&mut self.slabs, Span { windows, now: self.now, until: end });
            self.now = end;
            if end == carry_at {
                self.slabs.iter_mut().for_each(|slab| slab.carry_stalls(end));
            }
        }
        if self.next_window().is_none() {
            self.count_receptions();
        }
    }

    fn next_event(&self) -> Option<u64> {
        let next = match self.next_window() {
            Some(window) => Windows::of(&self.fabric).start(window),
            None => self.slabs.iter().filter_map(Slab::next_reception).min()?,
        };
        Some(next.max(self.now))
    }

    fn post(&mut self, packets: &[Posted]) {
        for posted in packets {
            debug_assert!(posted.ready >= self.now);
            let slab = self.slab_of(posted.node);
            self.slabs[slab].post(posted);
        }
    }

    fn take_deliveries(&mut self) -> Vec<Delivery> {
        let mut deliveries: Vec<Delivery> =
            self.slabs.iter_mut().flat_map(|slab| std::mem::take(&mut slab.store.deliveries)).collect();
        deliveries.sort_unstable();
        deliveries
    }

    fn totals(&mut self) -> Totals {
        self.count_receptions();
        self.counted()
    }

    fn so_far(&self) -> SoFar {
        let totals = || self.slabs.iter().map(|slab| &slab.store.totals);
        SoFar {
            hops: totals().map(|totals| totals.hops_ever).sum(),
            delivered: totals().map(|totals| totals.delivered_ever).sum(),
        }
    }

    fn links(&self) -> Vec<LinkCounters> {
        self.slabs.iter().flat_map(|slab| slab.links_at(self.now)).collect()
    }

    fn nodes(&mut self) -> Vec<NodeCounters> {
        self.count_receptions();
        self.slabs.iter().flat_map(|slab| slab.nodes.iter().map(|node| node.counters)).collect()
    }

    fn start_measurement(&mut self) {
        self.count_receptions();
        for slab in &mut self.slabs {
            slab.start_measurement(self.now);
        }
    }

    fn tokens_out(&mut self) -> [u64; MAX_CHANNELS] {
        self.snapshot().tokens_out()
    }

    fn find_deadlock(&mut self) -> Option<Blockage> {
        self.snapshot().find_deadlock()
    }

    fn oldest_packet_age(&mut self) -> u64 {
        self.settle();
        let oldest = self.slabs.iter().filter_map(|slab| slab.oldest_offer(self.now)).min();
        oldest.map_or(0, |offered| self.now.saturating_sub(offered))
    }

    fn link_report(&self) -> Option<LinkReport> {
        self.report_on_links()
    }

    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state(frames)
    }

    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state(frames)
    }

    fn state_bytes(&self) -> u64 {
        self.slabs.iter().map(|slab| slab.bytes() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Class, Onward};
    use geometry::Shape;

    /// Every node sends some packets to all others in turn, as fast as it can.
    struct ToAll {
        shape: Shape,
        packets: u64,
    }

    impl Source for ToAll {
        fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
            let nodes = u64::from(self.shape.nodes());
            let target = (u64::from(lane.node) + 1 + index % (nodes - 1)) % nodes;
            let hops = self.shape.route(lane.node, target as u32, index as u32);
            let offer = Offer { hops, chunks: 8, class: Class::default(), ready: 0, onward: Onward::Ends };
            (index < self.packets).then_some(offer)
        }

        fn smallest_chunks(&self) -> u8 {
            8
        }
    }

    fn digest_on<X: Vectors>(lengths: &[u32]) -> (u64, String) {
        let shape = Shape::torus(lengths).expect("a shape");
        let source = ToAll { shape: shape.clone(), packets: 200 };
        let parameters = Parameters::bluegene_l(shape, 1);
        let mut engine = new_engine_on::<X, X>(parameters, Traffic::Generated(Arc::new(source)), 1);
        engine.advance(100_000);
        assert!(engine.next_event().is_none(), "all packets arrive");
        (engine.totals().delivered_ever, engine.totals().digest.to_string())
    }

    /// A plain machine, and a wide one.
    #[test]
    fn kinds_of_processors_agree() {
        for lengths in [&[6, 4, 3][..], &[3, 2, 2, 2]] {
            let expected = digest_on::<vector::Portable>(lengths);
            assert_eq!(digest_on::<Baseline>(lengths), expected);
            #[cfg(target_arch = "x86_64")]
            if Avx2::is_here() {
                assert_eq!(digest_on::<Avx2>(lengths), expected);
            }
            #[cfg(target_arch = "x86_64")]
            if Avx512::is_here() {
                assert_eq!(digest_on::<Avx512>(lengths), expected);
            }
        }
    }
}
