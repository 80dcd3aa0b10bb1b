//! The machine that carries flows: the network, and the software of messages.

use messaging::{CallCounts, NodeCosts};
use workloads::{MessageSize, Routing};

/// A machine that carries flows.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// Shape, links, packet format and node. Without dead nodes and links.
    pub network: &'a network::Parameters,
    /// The sender of the flows.
    pub sender: Sender<'a>,
}

/// The sender of flows.
#[derive(Clone, Copy, Debug)]
pub enum Sender<'a> {
    /// Nodes, in packets of at most `packet_bytes` bytes in memory; a flow counts these bytes.
    Nodes {
        /// Bytes of a packet in memory.
        packet_bytes: u64,
    },
    /// Nodes, whose listed flows are cut into packets as messages are; a flow counts the bytes of its messages.
    Listed(&'a messaging::Parameters),
    /// The software of ranks; a flow counts the bytes of its messages.
    Ranks(&'a messaging::Parameters),
}

impl<'a> Sender<'a> {
    /// The software that cuts messages into packets, if any.
    fn software(&self) -> Option<&'a messaging::Parameters> {
        match *self {
            Sender::Nodes { .. } => None,
            Sender::Listed(software) | Sender::Ranks(software) => Some(software),
        }
    }
}

/// Network cycles for which something keeps a node busy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Costs {
    /// A core.
    pub core: f64,
    /// The DMA engine.
    pub dma: f64,
}

/// A message on its way: its transfers from node to node, in order. A message with a handshake has three.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sending {
    pub transfers: Vec<Transfer>,
}

/// Packets from the sender of a message to its receiver, or back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub is_answer: bool,
    pub route_choice: RouteChoice,
    pub size: MessageSize,
    /// Cycles until the transfer begins.
    pub start: f64,
    /// The costs of the transfer where it is sent, and where it is received.
    pub sent: Costs,
    pub received: Costs,
    /// The costs of its first packet there, with what is done once.
    pub first_sent: Costs,
    pub first_received: Costs,
}

/// The way in which packets are routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteChoice {
    /// Packets choose among minimal routes.
    Adaptive,
    /// In the order of the dimensions, round a ring in either direction if both are equally short.
    InOrder,
    /// In the order of the dimensions. All packets of a pair of nodes go in one direction, as they must not overtake
    /// one another.
    OneDirection,
}

impl RouteChoice {
    /// The way of packets as the workload's `routing` says, or else as their messages are sent, deterministically or
    /// not.
    pub fn of(routing: Option<Routing>, is_deterministic: bool, network: &network::Parameters) -> Self {
        match routing {
            None if is_deterministic => RouteChoice::OneDirection,
            Some(Routing::Deterministic) => RouteChoice::InOrder,
            None | Some(Routing::Adaptive | Routing::Valiant | Routing::Ugal) => {
                if network.router.dynamic_channels == 0 {
                    RouteChoice::InOrder
                } else {
                    RouteChoice::Adaptive
                }
            }
        }
    }

    pub(crate) fn is_adaptive(self) -> bool {
        match self {
            RouteChoice::Adaptive => true,
            RouteChoice::InOrder | RouteChoice::OneDirection => false,
        }
    }

    pub(crate) fn is_one_direction(self) -> bool {
        match self {
            RouteChoice::OneDirection => true,
            RouteChoice::Adaptive | RouteChoice::InOrder => false,
        }
    }
}

impl Machine<'_> {
    /// A message of `bytes` bytes, whose packets are routed as a workload says, or else as their protocol does.
    pub(crate) fn sending(&self, bytes: u64, routing: Option<Routing>) -> Sending {
        match self.sender {
            Sender::Nodes { packet_bytes } => self.of_node(bytes, packet_bytes, routing),
            Sender::Listed(software) | Sender::Ranks(software) => self.of_rank(bytes, software, routing),
        }
    }

    /// Whether no packet chooses its route.
    pub(crate) fn is_in_order(&self, routing: Option<Routing>) -> bool {
        let is_deterministic = self.sender.software().is_some_and(messaging::Transfer::are_deterministic);
        !RouteChoice::of(routing, is_deterministic, self.network).is_adaptive()
    }

    fn of_node(&self, bytes: u64, packet_bytes: u64, routing: Option<Routing>) -> Sending {
        let software = &self.network.node.software;
        let size = MessageSize::of_packets(bytes, packet_bytes, &self.network.packet);
        let costs =
            |cycles: u32, packets: u64| Costs { core: self.cycles(packets * u64::from(cycles)), dma: 0.0 };
        let (write, read) = (software.write_processor_cycles, software.read_processor_cycles);
        let transfer = Transfer {
            is_answer: false,
            route_choice: RouteChoice::of(routing, false, self.network),
            size,
            start: 0.0,
            sent: costs(write, size.packets),
            received: costs(read, size.packets),
            first_sent: costs(write, 1),
            first_received: costs(read, 1),
        };
        Sending { transfers: vec![transfer] }
    }

    fn of_rank(&self, bytes: u64, software: &messaging::Parameters, routing: Option<Routing>) -> Sending {
        let format = &self.network.packet;
        let costs = |costs: NodeCosts| Costs { core: self.cycles(costs.core), dma: self.cycles(costs.dma) };
        let transfer = |transfer: messaging::Transfer| {
            let fifo_bytes = transfer.chunks * u64::from(format.chunk_bytes);
            let wire_bytes = fifo_bytes + transfer.packets * u64::from(format.wire_bytes(0));
            Transfer {
                is_answer: transfer.is_answer,
                route_choice: RouteChoice::of(routing, transfer.is_deterministic, self.network),
                size: MessageSize { packets: transfer.packets, fifo_bytes, wire_bytes },
                start: transfer.start as f64,
                sent: costs(transfer.sent),
                received: costs(transfer.received),
                first_sent: costs(transfer.first_sent),
                first_received: costs(transfer.first_received),
            }
        };
        let transfers = messaging::Transfer::all(self.network, software, bytes);
        Sending { transfers: transfers.into_iter().map(transfer).collect() }
    }

    /// Network cycles for which a message within a node keeps the core of its receiver busy.
    pub(crate) fn local(&self, bytes: u64) -> f64 {
        let chunk_bytes = self.network.packet.chunk_bytes;
        let of_message = |software: &messaging::Parameters| software.receive_local(bytes, chunk_bytes);
        self.cycles(self.sender.software().map_or(0, of_message))
    }

    /// Network cycles from the end of a message until its receiver goes on.
    pub(crate) fn polling_cycles(&self) -> f64 {
        self.sender.software().map_or(0.0, |software| software.polling_interval_cycles.into())
    }

    /// Network cycles of some calls of MPI.
    pub(crate) fn call_cycles(&self, calls: &CallCounts) -> f64 {
        let of_calls = |software: &messaging::Parameters| software.call_processor_cycles.of_calls(calls);
        self.cycles(self.sender.software().map_or(0, of_calls))
    }

    /// Network cycles that `processor_cycles` processor cycles take.
    pub(crate) fn cycles(&self, processor_cycles: u64) -> f64 {
        let clock = self.network.node.clock;
        processor_cycles as f64 * f64::from(clock.cycles) / f64::from(clock.processor_cycles)
    }
}
