//! The windowed engine: the results of the reference engine, faster, on one or several threads.
//!
//! ```text
//!   window w:    subdomain 0: node 0, 1, 2 ... each runs its events of the window in time order   | one thread
//!                subdomain 1: node k, k+1 ...                                                     | another
//!   between:     events for nodes of other subdomains are delivered
//!   window w+1:  ...
//! ```
//!
//! A window is no longer than the least latency between nodes. An event for another node therefore takes effect in a
//! later window, and nodes within a window are independent: neither their order nor the threads change a result. A
//! [`visit`] runs a node's events at their exact cycles, [`arbitration`] grants links with bit masks, [`transfer`]
//! schedules the events that follow from a grant, and a [`subdomain`] delivers them.
//!
//! ```
//! use geometry::{Hops, Shape};
//! use network::{Class, Engine, ForwardAction, Lane, Offer, Parameters, Source, Traffic};
//! use std::sync::Arc;
//!
//! /// Node 0 sends one packet of eight chunks, two hops along x.
//! struct OnePacket;
//!
//! impl Source for OnePacket {
//!     fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
//!         let hops = Hops([2, 0, 0, 0, 0, 0]);
//!         let class = Class::default();
//!         let offer = Offer { hops, chunks: 8, class, ready: 0, forward_action: ForwardAction::Consume };
//!         ((lane.node, index) == (0, 0)).then_some(offer)
//!     }
//!
//!     fn smallest_chunks(&self) -> u8 {
//!         8
//!     }
//! }
//!
//! let machine = Parameters::bluegene_l(Shape::torus(&[8]).unwrap(), 1);
//! let mut engine = windowed::new_engine(machine, Traffic::Generated(Arc::new(OnePacket)), 1);
//! engine.advance(2_000);
//! let totals = engine.totals();
//! assert_eq!((totals.injected_ever, totals.delivered_ever), (1, 1));
//! ```

#![allow(
    unsafe_code,
    reason = "it is the time of each packet: vector instructions, and bounds that hold by construction"
)]

mod arbitration;
mod array;
mod barrier;
mod buffers;
mod calendar;
mod checkpoint;
mod delivery;
mod departure;
mod epochs;
mod estimate;
mod injection;
mod inspection;
mod links;
mod machine;
mod metadata;
mod neighbors;
mod node;
mod offered;
mod options;
mod outgoing;
mod outside;
mod pending;
mod queues;
mod reception;
mod renewal;
mod requests;
mod restored;
mod run;
mod sets;
mod software;
mod specialization;
mod stalls;
mod steps;
mod store;
mod subdomain;
mod sync;
mod threads;
mod timestamped;
mod transfer;
mod vector;
mod visit;
mod visits;
mod wake;
mod wake_priority;
mod windows;
mod wire;

use base::checkpoint::{FrameReader, FrameWriter};
use checkpoint::EngineState;
pub use estimate::estimate_state_bytes;
use network::counters::{LinkCounters, NodeCounters, Totals};
use network::deadlock::{Search, Snapshot, WaitingPacket};
use network::division::Parts;
use network::engine::{Engine, SoFar};
use network::fabric::{Fabric, TransferCycles};
use network::link::LinkReport;
use network::node::software::NodeSoftware;
use network::parameters::MAX_VCS;
use network::parameters::Parameters;
use network::peers::Peers;
use network::traffic::Traffic;
use offered::{FarOffers, RENEWAL_CYCLES};
use outside::Outside;
use sets::Tick;
use specialization::{
    Common, Compact, FourVcs, Plain, SixVcs, Specialization, ThreeVcs, TwentyVcs, Uniform, Wide, WithOptions,
};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use steps::Steps;
use subdomain::Subdomain;
use threads::{Span, Threads};
#[cfg(target_arch = "x86_64")]
use vector::{Avx2, Avx512};
use vector::{Baseline, Vectors};
use windows::Windows;

/// Creates an idle network at cycle 0, divided into `threads` subdomains (at least one, at most one per node). Each
/// subdomain runs on its own thread if there are enough cores.
///
/// # Panics
/// When the parameters do not pass [`Parameters::check`].
pub fn new_engine(parameters: Parameters, traffic: Traffic, threads: usize) -> Box<dyn Engine> {
    let parts = Parts::equal(&Peers::none(), parameters.shape.nodes());
    new_engine_of_parts(parameters, traffic, threads, &parts)
}

/// Creates an engine like [`new_engine`], of which this process runs its part of the nodes. All calls of the engine but `now` and `software` are made by all processes, in the same order.
///
/// # Panics
/// When the parameters do not pass [`Parameters::check`], and when this process has no node.
pub fn new_engine_of_parts(
    parameters: Parameters,
    traffic: Traffic,
    threads: usize,
    parts: &Parts,
) -> Box<dyn Engine> {
    // The tests of this crate's parts compile one instruction set, and those that they compare.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    if Avx512::is_supported() {
        return new_engine_on::<Avx2, Avx512>(parameters, traffic, threads, parts);
    } else if Avx2::is_supported() {
        return new_engine_on::<Avx2, Avx2>(parameters, traffic, threads, parts);
    }
    new_engine_on::<Baseline, Baseline>(parameters, traffic, threads, parts)
}

/// Creates the engine for vector instructions `X`; uniform machines use `OfUniform`.
fn new_engine_on<X: Vectors, OfUniform: Vectors>(
    parameters: Parameters,
    traffic: Traffic,
    threads: usize,
    parts: &Parts,
) -> Box<dyn Engine> {
    parameters.check().expect("parameters have been checked on input");

    let fabric =
        Arc::new(Fabric::new(parameters, &traffic.needs()).grouped(traffic.groups(), traffic.starts()));
    let is_compact = fabric.ports <= 6
        && fabric.vcs <= 4
        && max_event_delay(&fabric) < longest::<Compact<Common, FourVcs, X>>();
    match (is_compact, fabric.vcs) {
        (true, _) if fabric.has_options() || !fabric.layout.is_short() => {
            Box::new(WindowedEngine::<Compact<WithOptions, FourVcs, X>>::new(fabric, traffic, threads, parts))
        }
        (true, 3) if is_uniform(&fabric) && is_generated(&fabric, &traffic) => {
            Box::new(WindowedEngine::<Compact<Plain, ThreeVcs, OfUniform>>::new(
                fabric, traffic, threads, parts,
            ))
        }
        (true, 3) if is_uniform(&fabric) && fabric.has_software() => {
            Box::new(WindowedEngine::<Compact<Uniform, ThreeVcs, OfUniform>>::new(
                fabric, traffic, threads, parts,
            ))
        }
        (true, ..=3) => {
            Box::new(WindowedEngine::<Compact<Common, ThreeVcs, X>>::new(fabric, traffic, threads, parts))
        }
        (true, _) => {
            Box::new(WindowedEngine::<Compact<Common, FourVcs, X>>::new(fabric, traffic, threads, parts))
        }
        (false, ..=6) => Box::new(WindowedEngine::<Wide<SixVcs, X>>::new(fabric, traffic, threads, parts)),
        // Wide machines are too rare to be compiled for several instruction sets.
        (false, _) => {
            Box::new(WindowedEngine::<Wide<TwentyVcs, Baseline>>::new(fabric, traffic, threads, parts))
        }
    }
}

/// Whether the packets of a machine are generated by a source, and no software is simulated.
fn is_generated(fabric: &Fabric, traffic: &Traffic) -> bool {
    traffic.source().is_some() && !fabric.has_software()
}

/// Whether a machine is uniform; see [`Specialization::IS_UNIFORM`].
fn is_uniform(fabric: &Fabric) -> bool {
    let links = &fabric.parameters.links;
    !fabric.has_options()
        && fabric.packets_are_full()
        && !fabric.layout.has_adaptive_only()
        && fabric.high_priority_vc.is_none()
        && fabric.parameters.faults.is_empty()
        && fabric.adaptive_vcs > 0
        && links.iter().all(|link| *link == links[0])
        && pending::fits_lanes(fabric)
}

/// The most cycles from the scheduling of an event to its effect.
fn max_event_delay(fabric: &Fabric) -> u64 {
    let full = fabric.full_packet;
    let of_port = |port| {
        let TransferCycles { wire, path, arrival } = *fabric.transfer_cycles(port, full);
        let credits_back = path.max(fabric.reception_cycles(full)) + fabric.credit_latency();
        u64::from(credits_back.max(wire).max(arrival))
    };
    (0..fabric.ports).map(of_port).max().unwrap_or(0) + u64::from(fabric.window_cycles())
}

/// The most cycles ahead that a specialization can schedule an event.
fn longest<F: Specialization>() -> u64 {
    F::Tick::EPOCH_CYCLES as u64 - 2
}

/// The engine for one specialization.
struct WindowedEngine<F: Steps> {
    fabric: Arc<Fabric>,
    subdomains: Vec<Subdomain<F>>,
    threads: Threads<F>,
    peers: Peers,
    /// The nodes of this process.
    own: Range<u32>,
    now: u64,
    /// What belongs to no node, while nodes are being restored.
    restoring: Option<EngineState>,
}

impl<F: Steps> WindowedEngine<F> {
    fn new(fabric: Arc<Fabric>, traffic: Traffic, threads: usize, parts: &Parts) -> Self {
        let own = parts.own();
        assert!(!own.is_empty(), "each process has a node");
        let nodes = own.len() as u64;
        let count = (threads.max(1) as u64).min(nodes);
        let first = |subdomain: u64| own.start + (subdomain * nodes / count) as u32;
        let far = FarOffers::default();
        let mut subdomains: Vec<Subdomain<F>> = (0..count)
            .map(|subdomain| {
                let (first, end) = (first(subdomain), first(subdomain + 1));
                Subdomain::new(&fabric, &traffic, &far, first, end - first)
            })
            .collect();
        let lossy = options::lossy_links::attach(&mut subdomains, &fabric);
        let threads = Threads::new(&subdomains, Outside::new(parts, &fabric, &far, lossy));
        WindowedEngine {
            fabric,
            subdomains,
            threads,
            peers: parts.peers.clone(),
            own,
            now: 0,
            restoring: None,
        }
    }

    /// A snapshot of the state for which each head packet of this process waits.
    fn own_snapshot(&mut self) -> Snapshot<'_> {
        self.settle();
        let mut snapshot = Snapshot::new(&self.fabric, self.now);
        self.subdomains.iter().for_each(|subdomain| subdomain.describe(&mut snapshot, self.now));
        self.add_links_to(&mut snapshot);
        snapshot
    }

    /// The next window in which a node of this process must be visited, if any.
    fn next_own_window(&self) -> Option<u64> {
        self.subdomains.iter().filter_map(Subdomain::next_window).min()
    }

    /// The least of a number of each process, if any has one.
    fn least(&self, own: Option<u64>) -> Option<u64> {
        let least = self.peers.least(own.unwrap_or(u64::MAX));
        (least != u64::MAX).then_some(least)
    }

    /// Whether nothing happens before a cycle, and nothing is on its way. No link is stalled then, and no packet
    /// becomes older.
    fn is_idle_before(&mut self, cycle: u64) -> bool {
        let is_idle = self.next_event().is_none_or(|event| event >= cycle);
        is_idle && self.totals().in_flight() == 0
    }

    /// Applies the events up to now for which no node was woken, as they could not lead to a grant.
    fn settle(&mut self) {
        self.subdomains.iter_mut().for_each(|subdomain| subdomain.settle(self.now));
    }

    /// Counts the receptions whose ends do not wake the nodes of plain machines, as no head packet waits for them.
    fn count_receptions(&mut self) {
        if F::IS_PLAIN {
            self.settle();
        }
    }

    /// Sums over all subdomains of this process of all counts up to now.
    fn counted(&self) -> Totals {
        let mut totals = Totals::default();
        self.subdomains.iter().for_each(|subdomain| totals.add(&subdomain.store.totals));
        totals
    }

    /// Sums over all subdomains of all processes of all counts up to now.
    fn counted_by_all(&self) -> Totals {
        let parts = self.peers.gather(self.counted()).into_iter();
        parts
            .reduce(|mut whole, part| {
                whole.add(&part);
                whole
            })
            .unwrap_or_default()
    }

    /// The subdomain of a node, if it is one of this process.
    fn subdomain_of(&self, node: u32) -> Option<usize> {
        let subdomain =
            self.subdomains.partition_point(|subdomain| subdomain.first() <= node).checked_sub(1)?;
        self.subdomains[subdomain].local(node).map(|_| subdomain)
    }
}

impl<F: Steps> Engine for WindowedEngine<F> {
    fn now(&self) -> u64 {
        self.now
    }

    fn advance(&mut self, until: u64) {
        let windows = Windows::of(&self.fabric);
        while self.now < until {
            let renewal = self.now - self.now % RENEWAL_CYCLES + RENEWAL_CYCLES;
            let end = if until <= renewal || self.is_idle_before(until) { until } else { renewal };
            self.threads.advance(&mut self.subdomains, Span { windows, now: self.now, until: end });
            self.now = end;
            if end >= renewal {
                self.subdomains.iter_mut().for_each(|subdomain| subdomain.renew(end));
            }
        }
        if self.next_own_window().is_none() {
            self.count_receptions();
        }
    }

    fn window_cycles(&self) -> u64 {
        self.fabric.window_cycles().into()
    }

    fn next_event(&self) -> Option<u64> {
        let next = match self.least(self.next_own_window()) {
            Some(window) => Windows::of(&self.fabric).start(window),
            None => self.least(self.subdomains.iter().filter_map(Subdomain::next_reception).min())?,
        };
        Some(next.max(self.now))
    }

    fn totals(&mut self) -> Totals {
        self.count_receptions();
        self.counted_by_all()
    }

    fn so_far(&self) -> SoFar {
        let sum = |count: fn(&Totals) -> u64| {
            self.subdomains.iter().map(|part| count(&part.store.totals)).sum::<u64>()
        };
        let own = (sum(|totals| totals.hops_ever), sum(|totals| totals.delivered_ever));
        let of_all = self.peers.gather(own).into_iter();
        let (hops, delivered) = of_all.fold((0, 0), |sums, own| (sums.0 + own.0, sums.1 + own.1));
        SoFar { hops, delivered }
    }

    fn links(&self) -> Vec<LinkCounters> {
        self.subdomains.iter().flat_map(|subdomain| subdomain.links_at(self.now)).collect()
    }

    fn link_vcs(&self) -> Vec<u32> {
        let stores = self.subdomains.iter().map(|subdomain| &subdomain.store);
        let links = stores.flat_map(|store| store.link_vcs.chunks(F::VCS));
        links.flat_map(|vcs| &vcs[..self.fabric.vcs]).copied().collect()
    }

    fn nodes(&mut self) -> Vec<NodeCounters> {
        self.count_receptions();
        let nodes = self.subdomains.iter().flat_map(|subdomain| &subdomain.nodes);
        self.peers.joined_at_first(nodes.map(|node| node.counters).collect())
    }

    fn start_measurement(&mut self) {
        self.count_receptions();
        for subdomain in &mut self.subdomains {
            subdomain.start_measurement(self.now);
        }
    }

    fn credits_out(&mut self) -> [u64; MAX_VCS] {
        let own = self.own_nodes();
        let out = self.own_snapshot().credits_out(own);
        let of_all = self.peers.gather(out).into_iter();
        of_all.fold([0; MAX_VCS], |sums, out| std::array::from_fn(|vc| sums[vc] + out[vc]))
    }

    fn search_deadlock(&mut self) -> Search {
        let (peers, own) = (self.peers.clone(), self.own_nodes());
        self.own_snapshot().joined(&peers, own).search()
    }

    fn waiting(&mut self) -> Vec<WaitingPacket> {
        let own = self.own_nodes();
        self.own_snapshot().waiting(own)
    }

    fn oldest_packet_age(&mut self) -> u64 {
        self.settle();
        let oldest = self.subdomains.iter().filter_map(|subdomain| subdomain.oldest_offer(self.now)).min();
        self.least(oldest).map_or(0, |offered| self.now.saturating_sub(offered))
    }

    fn link_report(&self) -> Option<LinkReport> {
        self.report_on_links()
    }

    fn own_nodes(&self) -> Range<u32> {
        self.own.clone()
    }

    fn save_whole(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state(frames)
    }

    fn save_node(&self, node: u32, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state_of(node, frames)
    }

    fn restore_whole(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state(frames)
    }

    fn restore_node(&mut self, node: u32, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state_of(node, frames)
    }

    fn end_restoration(&mut self) {
        self.end_restoring();
    }

    fn software(&self) -> Vec<&dyn NodeSoftware> {
        self.subdomains.iter().filter_map(|subdomain| Some(subdomain.store.endpoints()?.software())).collect()
    }

    fn software_mut(&mut self) -> Vec<&mut dyn NodeSoftware> {
        let parts = self.subdomains.iter_mut();
        parts.filter_map(|subdomain| Some(subdomain.store.endpoints_mut()?.software_mut())).collect()
    }

    fn state_bytes(&self) -> u64 {
        let own: u64 = self.subdomains.iter().map(|subdomain| subdomain.bytes() as u64).sum();
        self.peers.gather(own).into_iter().sum()
    }

    fn peers(&self) -> Peers {
        self.peers.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Shape;
    use network::source::{Class, ForwardAction, Lane, Offer, Source};

    /// Every node sends packets to all other nodes in turn, as fast as it can.
    pub(crate) struct ToAll {
        pub shape: Shape,
        pub packets: u64,
    }

    impl Source for ToAll {
        fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
            let nodes = u64::from(self.shape.nodes());
            let target = (u64::from(lane.node) + 1 + index % (nodes - 1)) % nodes;
            let hops = self.shape.route(lane.node, target as u32, index as u32);
            let offer = Offer {
                hops,
                chunks: 8,
                class: Class::default(),
                ready: 0,
                forward_action: ForwardAction::Consume,
            };
            (index < self.packets).then_some(offer)
        }

        fn smallest_chunks(&self) -> u8 {
            8
        }
    }

    fn digest_of<F: Steps>(lengths: &[u32]) -> (u64, String) {
        let shape = Shape::torus(lengths).expect("a shape");
        let source = ToAll { shape: shape.clone(), packets: 200 };
        let traffic = Traffic::Generated(Arc::new(source));
        let fabric = Arc::new(Fabric::new(Parameters::bluegene_l(shape, 1), &traffic.needs()));
        let parts = Parts::equal(&Peers::none(), fabric.parameters.shape.nodes());
        let mut engine = WindowedEngine::<F>::new(fabric, traffic, 1, &parts);
        engine.advance(100_000);
        assert!(engine.next_event().is_none(), "all packets arrive");
        (engine.totals().delivered_ever, engine.totals().digest.to_string())
    }

    /// Digests of a plain machine and a wide one: other forms would take long to compile for all instruction sets.
    fn digests_on<X: Vectors>() -> [(u64, String); 2] {
        [digest_of::<Compact<Plain, ThreeVcs, X>>(&[6, 4, 3]), digest_of::<Wide<SixVcs, X>>(&[3, 2, 2, 2])]
    }

    #[test]
    fn instruction_sets_agree() {
        let expected = digests_on::<vector::Portable>();
        assert_eq!(digests_on::<Baseline>(), expected);
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_supported() {
            assert_eq!(digests_on::<Avx2>(), expected);
        }
        #[cfg(target_arch = "x86_64")]
        if Avx512::is_supported() {
            assert_eq!(digests_on::<Avx512>(), expected);
        }
    }
}
