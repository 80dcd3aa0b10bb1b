//! The tree network's router at a node: it combines the packets of its children and cores, and broadcasts those of its
//! parent.
//!
//! A packet goes up as soon as its head has arrived from every child and every core of the route, the link to the
//! parent is idle, and the parent has room. At the root it turns and goes down. A packet goes down to all children and
//! cores at once, as soon as all of them have room: a core that does not read stops the packets of all. Packets that a
//! single core broadcasts go up uncombined. All links have one rate, so that packets cut through. Heads that belong to
//! different operations are never combined: cores that disagree about their operation wait forever.

pub use super::packet::{CorePlace, Packet, Route, name};
use super::parameters::TreeParameters;
use super::route::ClassRoute;
use super::{Event, Here, Recorded};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The transfer that goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Ascending {
    /// One packet of every input, combined.
    All,
    /// The packet of one input.
    One(u8),
}

/// The router at a node, and the FIFOs of its cores. Its inputs are the children that take part, then the cores that
/// do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// Packets that wait at each input, with their heads here.
    inputs: Vec<VecDeque<Packet>>,
    /// Occupied places in the injection FIFO of each core: by packets that are being written, wait or are leaving.
    injecting: Vec<u8>,
    ascending: Option<Ascending>,
    /// The operation of the packet that goes up; 0 if nothing goes up.
    ascending_operation: u32,
    /// Whether a packet of a core that could go up next has found the network busy.
    is_stalled: bool,
    /// Packets for which the parent has room.
    credits: u8,
    /// Packets from the parent that wait.
    from_parent: VecDeque<Packet>,
    descending: Option<Packet>,
    /// Packets for which each child has room.
    credits_of_children: Vec<u8>,
    /// Complete packets in the reception FIFO of each core.
    received: Vec<VecDeque<Packet>>,
    /// Occupied places in the reception FIFO of each core, also by packets that are being read or received.
    receiving: Vec<u8>,
}

impl TreeNode {
    /// A router at rest.
    pub(super) fn new(parameters: &TreeParameters, route: &ClassRoute, node: u32) -> Self {
        let (children, cores) = (route.children(node).count(), route.cores(node).count());
        TreeNode {
            inputs: vec![VecDeque::new(); children + cores],
            injecting: vec![0; cores],
            ascending: None,
            ascending_operation: 0,
            is_stalled: false,
            credits: parameters.buffer_packets,
            from_parent: VecDeque::new(),
            descending: None,
            credits_of_children: vec![parameters.buffer_packets; children],
            received: vec![VecDeque::new(); cores],
            receiving: vec![0; cores],
        }
    }

    fn children(&self) -> usize {
        self.credits_of_children.len()
    }

    /// Applies an event.
    pub(super) fn apply(
        &mut self,
        parameters: &TreeParameters,
        route: &ClassRoute,
        event: Event,
        here: &mut Here<'_>,
    ) {
        match event {
            Event::Ascended => self.end_ascent(parameters, route, here),
            Event::Descended => self.end_descent(parameters, route, here),
            Event::FromChild(which, packet) => {
                let input = &mut self.inputs[route.child_rank(here.node, which)];
                input.push_back(packet);
                debug_assert!(input.len() <= parameters.buffer_packets.into(), "a buffer overflows");
            }
            Event::FromParent(packet) => {
                self.from_parent.push_back(packet);
                debug_assert!(
                    self.from_parent.len() <= parameters.buffer_packets.into(),
                    "a buffer overflows"
                );
            }
            Event::CreditOfParent => self.credits += 1,
            Event::CreditOfChild(which) => {
                self.credits_of_children[route.child_rank(here.node, which)] += 1;
            }
            Event::Raised(_) | Event::Released => unreachable!("wires are no part of the tree network"),
        }
    }

    /// Begins the transfers that are possible now.
    pub(super) fn begin(&mut self, parameters: &TreeParameters, route: &ClassRoute, here: &mut Here<'_>) {
        let parent = route.parent(here.node);
        if self.ascending.is_none() && (parent.is_none() || self.credits > 0) {
            self.begin_ascent(parameters, route, parent, here);
        }
        self.count_stall(here);
        if parent.is_some()
            && self.descending.is_none()
            && let Some(packet) = self.from_parent.front().copied()
            && self.can_descend(parameters, route, &packet, here.node)
        {
            self.from_parent.pop_front();
            self.begin_descent(parameters, route, packet, here);
        }
    }

    /// Counts a packet of a core that is the next to go up and cannot, once for each packet. The reason is that the
    /// link is busy with another operation, or has no room behind it. This is row S56: data to send, and the network is
    /// busy.
    fn count_stall(&mut self, here: &mut Here<'_>) {
        if self.is_stalled {
            return;
        }
        let Some((ascending, packet)) = self.next_to_ascend() else { return };
        let is_of_core = match ascending {
            Ascending::All => self.inputs.len() > self.children(),
            Ascending::One(input) => usize::from(input) >= self.children(),
        };
        let follows_its_own = self.ascending.is_some() && self.ascending_operation == packet.operation;
        if is_of_core && !follows_its_own {
            self.is_stalled = true;
            here.record(Recorded::Stall);
        }
    }

    fn begin_ascent(
        &mut self,
        parameters: &TreeParameters,
        route: &ClassRoute,
        parent: Option<(u32, u8)>,
        here: &mut Here<'_>,
    ) {
        let Some((ascending, packet)) = self.next_to_ascend() else { return };
        if parent.is_none()
            && (self.descending.is_some() || !self.can_descend(parameters, route, &packet, here.node))
        {
            return;
        }
        let children = self.children();
        let inputs = match ascending {
            Ascending::All => 0..self.inputs.len(),
            Ascending::One(input) => input.into()..usize::from(input) + 1,
        };
        let written = inputs.clone().filter(|&input| input >= children).count() as u32;
        for input in &mut self.inputs[inputs] {
            input.pop_front();
        }
        self.ascending = Some(ascending);
        (self.ascending_operation, self.is_stalled) = (packet.operation, false);
        here.signal(here.node, parameters.packet_cycles(), Event::Ascended);
        here.record(Recorded::Ascent(packet, u32::from(parent.is_some()), written));
        match parent {
            Some((parent, which)) => {
                self.credits -= 1;
                here.signal(parent, parameters.hop_latency_cycles, Event::FromChild(which, packet));
            }
            None => self.begin_descent(parameters, route, packet, here),
        }
    }

    /// The next packet to go up: a broadcast, by itself, or the packets of all inputs, combined.
    fn next_to_ascend(&self) -> Option<(Ascending, Packet)> {
        let mut heads = self.inputs.iter().map(VecDeque::front);
        let broadcast = heads.clone().enumerate().find_map(|(input, head)| {
            let head = head.filter(|head| head.is_broadcast())?;
            Some((Ascending::One(input as u8), *head))
        });
        if broadcast.is_some() {
            return broadcast;
        }
        let first = *heads.next()??;
        let combined = heads.try_fold(first, |combined, head| {
            let head = head.filter(|head| head.matches(&first))?;
            Some(combined.combined(head))
        });
        Some((Ascending::All, combined?))
    }

    fn end_ascent(&mut self, parameters: &TreeParameters, route: &ClassRoute, here: &mut Here<'_>) {
        let ascending = self.ascending.take().expect("a transfer ends that has begun");
        self.ascending_operation = 0;
        let is_freed = |input: usize| match ascending {
            Ascending::All => true,
            Ascending::One(one) => input == usize::from(one),
        };
        for (input, which) in route.children(here.node).enumerate().filter(|(input, _)| is_freed(*input)) {
            debug_assert!(input < self.children());
            here.signal(route.child(here.node, which), parameters.hop_latency_cycles, Event::CreditOfParent);
        }
        let children = self.children();
        for core in (0..self.injecting.len()).filter(|core| is_freed(children + core)) {
            self.injecting[core] -= 1;
        }
    }

    fn can_descend(
        &self,
        parameters: &TreeParameters,
        route: &ClassRoute,
        packet: &Packet,
        node: u32,
    ) -> bool {
        let has_room = |(rank, core): (usize, u8)| {
            !packet.is_for(CorePlace { node, core }) || self.receiving[rank] < parameters.fifo_packets
        };
        self.credits_of_children.iter().all(|&credits| credits > 0)
            && route.cores(node).enumerate().all(has_room)
    }

    fn begin_descent(
        &mut self,
        parameters: &TreeParameters,
        route: &ClassRoute,
        packet: Packet,
        here: &mut Here<'_>,
    ) {
        self.descending = Some(packet);
        here.signal(here.node, parameters.packet_cycles(), Event::Descended);
        here.record(Recorded::Descent(packet, self.children() as u32));
        self.credits_of_children.iter_mut().for_each(|credits| *credits -= 1);
        for which in route.children(here.node) {
            let child = route.child(here.node, which);
            here.signal(child, parameters.hop_latency_cycles, Event::FromParent(packet));
        }
        let node = here.node;
        for (rank, core) in route.cores(node).enumerate() {
            self.receiving[rank] += u8::from(packet.is_for(CorePlace { node, core }));
        }
    }

    fn end_descent(&mut self, parameters: &TreeParameters, route: &ClassRoute, here: &mut Here<'_>) {
        let packet = self.descending.take().expect("a transfer ends that has begun");
        let node = here.node;
        for (rank, core) in route.cores(node).enumerate() {
            if packet.is_for(CorePlace { node, core }) {
                self.received[rank].push_back(packet);
                here.record(Recorded::Delivery(packet));
            }
        }
        if let Some((parent, which)) = route.parent(node) {
            here.signal(parent, parameters.hop_latency_cycles, Event::CreditOfChild(which));
        }
    }

    /// Whether the injection FIFO of a core has room; `core` is the core's rank among those that take part.
    pub fn has_room(&self, parameters: &TreeParameters, core: usize) -> bool {
        self.injecting[core] < parameters.fifo_packets
    }

    /// A core begins to write a packet.
    pub fn begin_write(&mut self, core: usize) {
        self.injecting[core] += 1;
    }

    /// A core has written a packet.
    pub fn write(&mut self, core: usize, packet: Packet) {
        let children = self.children();
        self.inputs[children + core].push_back(packet);
    }

    /// The packet that a core reads next, if one has arrived.
    pub fn received(&self, core: usize) -> Option<&Packet> {
        self.received[core].front()
    }

    /// A core begins to read a packet.
    pub fn begin_read(&mut self, core: usize) -> Option<Packet> {
        self.received[core].pop_front()
    }

    /// A core has read a packet.
    pub fn end_read(&mut self, core: usize) {
        self.receiving[core] -= 1;
    }

    pub(super) fn bytes(&self) -> usize {
        let queues = self.inputs.iter().chain(&self.received).chain([&self.from_parent]);
        let packets: usize = queues.map(|queue| queue.capacity() * size_of::<Packet>()).sum();
        packets
            + (self.inputs.len() + self.received.len()) * size_of::<VecDeque<Packet>>()
            + 2 * self.received.len()
            + self.children()
    }
}
