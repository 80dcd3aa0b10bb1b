//! The demand of the flows of a round for links and cores.

use crate::exact::Amount;
use crate::fair::{BYTES_OF_NEED, Streams};
use crate::machine::{Costs, Machine, Sending, Transfer};
use crate::spread::Spread;
use geometry::Direction;
use mapping::links::{Router, Split, Trip};
use messaging::{Place, RankMap};
use std::collections::HashMap;
use std::rc::Rc;
use workloads::Routing;
use workloads::flows::{Flow, Round};

/// The load of a link in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkLoad {
    /// Packets, on average where several routes are as good.
    pub packets: f64,
    /// Their bytes in memory.
    pub bytes: f64,
}

impl LinkLoad {
    /// Cycles for which the load keeps a link of this direction busy.
    pub fn busy_cycles(&self, network: &network::Parameters, toward: Direction) -> f64 {
        let wire_bytes = self.bytes + self.packets * f64::from(network.packet.wire_bytes(0));
        wire_bytes * f64::from(network.links[toward.dimension()].cycles_per_byte)
    }
}

/// Sums of link loads, which do not depend on the order of what is added.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinkSums {
    packets: Amount,
    bytes: Amount,
}

impl LinkSums {
    pub fn load(&self) -> LinkLoad {
        LinkLoad { packets: self.packets.value(), bytes: self.bytes.value() }
    }
}

/// The packets that a node injects and receives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeLoad {
    /// Packets that it injects.
    pub injected: f64,
    /// Packets that it receives.
    pub received: f64,
}

/// Numbers of packets that a node injects and receives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeCounts {
    injected: u128,
    received: u128,
}

impl NodeCounts {
    pub fn load(&self) -> NodeLoad {
        NodeLoad { injected: self.injected as f64, received: self.received as f64 }
    }
}

/// The setting that all demands of some flows have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    pub machine: &'a Machine<'a>,
    /// How packets are routed, if not as the protocol of messages says.
    pub routing: Option<Routing>,
    pub places: &'a RankMap,
    /// The ranks of each node, if they are all alike and one stands for all.
    pub alike: Option<u32>,
}

impl Setting<'_> {
    /// The nodes of which demands are known: all, or the one that stands for them.
    fn nodes(&self) -> usize {
        if self.alike.is_some() { 1 } else { self.machine.network.shape.nodes() as usize }
    }

    fn links(&self) -> usize {
        self.nodes() * 2 * self.machine.network.shape.dimensions()
    }

    fn cores(&self) -> usize {
        self.nodes() * usize::from(self.machine.network.node.cores)
    }

    /// The memory of a demand without flows.
    pub fn bytes_of_demand(&self) -> usize {
        self.links() * (size_of::<LinkSums>() + size_of::<u128>())
            + self.nodes() * (size_of::<NodeCounts>() + size_of::<Amount>())
            + self.cores() * size_of::<Amount>()
    }
}

/// The demand of flows, by link and core: of every node, or of one that stands for all.
#[derive(Debug)]
pub(crate) struct Demand<'a> {
    setting: Setting<'a>,
    /// How packets that choose their routes spread.
    split: Split,
    router: Router,
    sendings: HashMap<u64, Rc<Sending>>,
    pub links: Vec<LinkSums>,
    pub nodes: Vec<NodeCounts>,
    /// Cycles for which each core is busy, and the DMA engine of each node.
    cores: Vec<Amount>,
    engines: Vec<Amount>,
    streams: Streams,
    /// The bytes of the current source on each link, and the links that have any.
    needs: Vec<Amount>,
    needed: Vec<u32>,
    pub spread: Spread,
    /// Whether any message has a handshake.
    pub has_handshakes: bool,
    /// Whether a draw decides in which direction round a ring all packets of a message go.
    pub is_drawn: bool,
    /// Bytes on the wire, and those of packets that choose their routes.
    wire_bytes: u128,
    adaptive_bytes: u128,
    /// Cycles that the first packets of the slowest message spend elsewhere than in the stage where the last of them
    /// spends most.
    pub latency: f64,
    /// The link time of the largest packet, in cycles.
    pub packet_cycles: f64,
    /// The longest time for which a rank computes.
    pub compute_cycles: f64,
    pub packets: u128,
    pub packet_hops: u128,
    pub delivered_bytes: u128,
}

impl<'a> Demand<'a> {
    /// A demand without flows.
    pub fn new(setting: Setting<'a>, split: Split) -> Self {
        let links = setting.links();
        Demand {
            setting,
            split,
            router: Router::new(&setting.machine.network.shape),
            sendings: HashMap::new(),
            links: vec![LinkSums::default(); links],
            nodes: vec![NodeCounts::default(); setting.nodes()],
            cores: vec![Amount::default(); setting.cores()],
            engines: vec![Amount::default(); setting.nodes()],
            streams: Streams::new(links),
            needs: vec![Amount::default(); links],
            needed: Vec::new(),
            spread: Spread::default(),
            has_handshakes: false,
            is_drawn: false,
            wire_bytes: 0,
            adaptive_bytes: 0,
            latency: 0.0,
            packet_cycles: 0.0,
            compute_cycles: 0.0,
            packets: 0,
            packet_hops: 0,
            delivered_bytes: 0,
        }
    }

    /// The memory of the demand, in bytes.
    pub fn bytes(&self) -> usize {
        self.setting.bytes_of_demand() + self.streams.needs_of_all() * BYTES_OF_NEED
    }

    /// Adds the work of a rank in a round.
    pub fn add(&mut self, source: u32, round: &Round) {
        let of_targets: Vec<u128> = round.flows.iter().map(|&flow| self.add_flow(source, flow)).collect();
        self.spread.add_source(&of_targets);
        self.end_stream(of_targets.into_iter().sum());
        let machine = self.setting.machine;
        self.compute_cycles = self.compute_cycles.max(machine.cycles(round.compute_processor_cycles));
        let place = self.setting.places.place(source);
        self.occupy(place, Costs { core: machine.call_cycles(&round.calls), dma: 0.0 }, 1);
    }

    /// Adds a flow, and returns its bytes on the wire.
    fn add_flow(&mut self, source: u32, flow: Flow) -> u128 {
        if flow.messages == 0 {
            return 0;
        }
        let Setting { machine, routing, places, .. } = self.setting;
        let bytes = flow.bytes / flow.messages;
        let messages = u128::from(flow.messages);
        let (from, to) = (places.place(source), places.place(flow.target));
        if from.node == to.node {
            self.occupy(to, Costs { core: machine.local(bytes), dma: 0.0 }, messages);
            return 0;
        }
        let sending = self.sendings.entry(bytes).or_insert_with(|| Rc::new(machine.sending(bytes, routing)));
        let sending = Rc::clone(sending);
        let (mut wire_bytes, mut latency, mut slowest) = (0, machine.polling_cycles(), 0.0);
        for transfer in &sending.transfers {
            let ends = if transfer.is_answer { (to, from) } else { (from, to) };
            let trip = self.trip(ends, transfer, flow);
            self.occupy(ends.0, transfer.sent, messages);
            self.occupy(ends.1, transfer.received, messages);
            self.cross(&trip, transfer, messages);
            self.count(ends, &trip, (transfer, messages));
            wire_bytes += u128::from(transfer.size.wire_bytes) * messages;
            latency += self.latency_of(&trip, transfer);
            slowest = self.stages(&trip, transfer).into_iter().fold(0.0, f64::max);
        }
        // All packets of the last pass its slowest stage one after the other: that is time of cores, engines or links.
        self.latency = self.latency.max(latency - slowest);
        self.has_handshakes |= sending.transfers.len() > 1;
        wire_bytes
    }

    fn trip(&mut self, (from, to): (Place, Place), transfer: &Transfer, flow: Flow) -> Trip {
        if let Some(hops) = flow.hops {
            return self.router.trip_by(from.node, &hops);
        }
        let trip = self.router.minimal_trip(from.node, to.node);
        let is_drawn = transfer.route_choice.is_one_direction() && trip.has_choices();
        self.is_drawn |= is_drawn;
        match self.setting.alike {
            None if is_drawn => self.router.trip_in_order(self.setting.machine.network, from.node, to.node),
            // Where nodes are alike, each direction is drawn equally often.
            _ => trip,
        }
    }

    /// Keeps the core of a place busy, and the DMA engine of its node.
    fn occupy(&mut self, place: Place, costs: Costs, times: u128) {
        // A rank that stands for all receives from others what it sends.
        let (core, node, ranks) = match self.setting.alike {
            Some(ranks) => (0, 0, u128::from(ranks)),
            None => {
                let cores = usize::from(self.setting.machine.network.node.cores);
                let node = place.node as usize;
                (node * cores + usize::from(place.core), node, 1)
            }
        };
        self.cores[core] += Amount::of(costs.core) * times;
        self.engines[node] += Amount::of(costs.dma) * (times * ranks);
    }

    /// Loads the links of a trip.
    fn cross(&mut self, trip: &Trip, transfer: &Transfer, messages: u128) {
        let network = self.setting.machine.network;
        let [packets, bytes, wire_bytes] =
            [transfer.size.packets, transfer.size.fifo_bytes, transfer.size.wire_bytes]
                .map(|amount| u128::from(amount) * messages);
        let (links, needs, needed) = (&mut self.links, &mut self.needs, &mut self.needed);
        let mut load = |link: usize, share: f64| {
            let share = Amount::of(share);
            links[link].packets += share * packets;
            links[link].bytes += share * bytes;
            if needs[link] == Amount::default() {
                needed.push(link as u32);
            }
            needs[link] += share * wire_bytes;
        };
        match self.setting.alike {
            Some(ranks) => {
                trip.crossings().for_each(|(toward, hops)| load(toward.index(), hops * f64::from(ranks)));
            }
            None => {
                let directions = 2 * network.shape.dimensions();
                let split =
                    if transfer.route_choice.is_adaptive() { self.split } else { Split::DimensionOrder };
                self.router.visit(trip, 1.0, split, &mut |node, toward, share| {
                    load(node as usize * directions + toward.index(), share);
                });
            }
        }
        self.spread.add_trip(trip, (wire_bytes, packets));
        self.wire_bytes += wire_bytes;
        self.adaptive_bytes += if transfer.route_choice.is_adaptive() { wire_bytes } else { 0 };
    }

    fn count(&mut self, (from, to): (Place, Place), trip: &Trip, (transfer, messages): (&Transfer, u128)) {
        let Setting { machine, alike, .. } = self.setting;
        let packets = u128::from(transfer.size.packets) * messages;
        let ranks = alike.map_or(1, u128::from);
        let node = |place: Place| if alike.is_some() { 0 } else { place.node as usize };
        self.nodes[node(from)].injected += packets * ranks;
        self.nodes[node(to)].received += packets * ranks;
        let all = ranks * alike.map_or(1, |_| u128::from(machine.network.shape.nodes()));
        self.packets += packets * all;
        self.packet_hops += packets * u128::from(trip.hops()) * all;
        self.delivered_bytes += u128::from(transfer.size.fifo_bytes) * messages * all;
        self.packet_cycles = self.packet_cycles.max(self.packet_cycles_of(trip, transfer));
    }

    /// The link time of a packet of a transfer, on average, where it is slowest.
    fn packet_cycles_of(&self, trip: &Trip, transfer: &Transfer) -> f64 {
        let links = &self.setting.machine.network.links;
        let slowest = trip.dimensions().map(|dimension| f64::from(links[dimension].cycles_per_byte));
        transfer.size.wire_bytes as f64 / transfer.size.packets as f64 * slowest.fold(0.0, f64::max)
    }

    /// Cycles from the sending of a transfer until its first packet has been received.
    fn latency_of(&self, trip: &Trip, transfer: &Transfer) -> f64 {
        let network = self.setting.machine.network;
        let hop = |(toward, hops): (Direction, f64)| {
            f64::from(network.links[toward.dimension()].hop_latency_cycles) * hops
        };
        let stages: f64 = self.stages(trip, transfer).into_iter().sum();
        let before = transfer.start + f64::from(network.node.injection_latency_cycles);
        before + trip.crossings().map(hop).sum::<f64>() + stages
    }

    /// The stages that packets pass one after the other, each with the cycles of the first.
    fn stages(&self, trip: &Trip, transfer: &Transfer) -> [f64; 5] {
        let Transfer { first_sent, first_received, .. } = transfer;
        let on_link = self.packet_cycles_of(trip, transfer);
        [first_sent.core, first_sent.dma, on_link, first_received.dma, first_received.core]
    }

    fn end_stream(&mut self, wire_bytes: u128) {
        if self.needed.is_empty() {
            return;
        }
        let network = self.setting.machine.network;
        let (directions, needs) = (2 * network.shape.dimensions(), &mut self.needs);
        let cycles_per_byte = |dimension: usize| f64::from(network.links[dimension].cycles_per_byte);
        let needed = self.needed.drain(..).map(|link| {
            let bytes = std::mem::take(&mut needs[link as usize]).value();
            (link, bytes * cycles_per_byte(link as usize % directions / 2))
        });
        let slowest = (0..network.shape.dimensions()).map(cycles_per_byte).fold(0.0, f64::max);
        self.streams.add(1.0 / (wire_bytes as f64 * slowest), needed);
    }

    /// Cycles for which a link is busy.
    fn busy_cycles(&self, link: usize) -> f64 {
        let network = self.setting.machine.network;
        self.links[link]
            .load()
            .busy_cycles(network, Direction::from_index(link % (2 * network.shape.dimensions())))
    }

    /// Cycles for which the busiest link of each dimension is busy.
    pub fn busiest_links(&self) -> Vec<f64> {
        let dimensions = self.setting.machine.network.shape.dimensions();
        let mut busiest = vec![0.0; dimensions];
        for link in 0..self.links.len() {
            let dimension = link % (2 * dimensions) / 2;
            busiest[dimension] = f64::max(busiest[dimension], self.busy_cycles(link));
        }
        busiest
    }

    /// Flows over a link, on average.
    pub fn flows_per_link(&self) -> f64 {
        let used = self.links.iter().filter(|link| link.packets > Amount::default()).count() as f64;
        match self.setting.alike {
            Some(ranks) => self.spread.flow_hops() * f64::from(ranks) / used,
            None => {
                self.spread.flow_hops()
                    / used.max(2.0 * self.setting.machine.network.shape.dimensions() as f64)
            }
        }
    }

    /// Whether most of what links carry chooses its routes.
    pub fn is_adaptive(&self) -> bool {
        2 * self.adaptive_bytes > self.wire_bytes
    }

    /// The packets that the busiest node receives, as a multiple of the mean of all nodes.
    pub fn unevenness(&self) -> f64 {
        let received = || self.nodes.iter().map(|node| node.received);
        let mean = received().sum::<u128>() as f64 / self.nodes.len() as f64;
        if mean > 0.0 { received().max().unwrap_or(0) as f64 / mean } else { 1.0 }
    }

    /// Cycles for which the busiest core is busy, or the busiest DMA engine if that is longer.
    pub fn busiest_agent(&self) -> f64 {
        self.cores.iter().chain(&self.engines).copied().max().unwrap_or_default().value()
    }

    /// Cycles until links have carried all, at fair rates.
    pub fn drained_cycles(&self) -> f64 {
        self.streams.drained_cycles()
    }
}
