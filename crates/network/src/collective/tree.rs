//! The tree network's part of a node: it combines the packets of children and cores, and broadcasts those of the
//! parent.
//!
//! ```text
//!   router of each class route    inputs, credits, FIFOs of cores     its own
//!   link up, links down           one packet at a time, of any router; they take turns
//! ```
//!
//! A packet goes up as soon as its head has arrived from every child and every core of the route, the link to the
//! parent is idle, and the parent has room. At the topmost node of the route it turns and goes down. A packet goes down
//! to all children and cores at once, as soon as all of them have room: a core that does not read stops the packets of
//! all. Packets that a single core broadcasts go up uncombined. All links have one rate, so that packets cut through.
//! Heads that belong to different operations are never combined: cores that disagree about their operation wait forever.
//!
//! Each class route has buffers and FIFOs of its own (assumed): routes that shared them would wait for one another where
//! their packets come in different orders. They share the links, and the parts of a node that combine and copy.

pub use super::packet::{CorePlace, Packet, Route, name};
use super::parameters::TreeParameters;
use super::route::{Joint, Tree};
use super::{Event, Here, Network, Networks, Recorded, RouteName};
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

/// The transfers in progress at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Links {
    /// The transfer that goes up, or turns here; and the route and operation of its packet.
    ascending: Option<(Ascending, RouteName, u32)>,
    descending: Option<Packet>,
    /// The routes whose packets went up and down last.
    last_up: RouteName,
    last_down: RouteName,
    /// Whether the last packet that went down had turned here.
    has_turned: bool,
}

/// The tree network's part of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    links: Links,
    /// The routers of the class routes that have been used here, in the order of their names.
    routers: Vec<Router>,
}

/// The router of a class route at a node, and the FIFOs of its cores. Its inputs are the children that take part, then
/// the cores that do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Router {
    name: RouteName,
    joint: Joint,
    /// Packets that wait at each input, with their heads here.
    inputs: Vec<VecDeque<Packet>>,
    /// Occupied places in the injection FIFO of each core: by packets that are being written, wait or are leaving.
    injecting: Vec<u8>,
    /// Whether a packet of a core that could go up next has found the network busy.
    is_stalled: bool,
    /// Packets for which the parent has room.
    credits: u8,
    /// Packets from the parent that wait.
    from_parent: VecDeque<Packet>,
    /// Packets for which each child has room.
    credits_of_children: Vec<u8>,
    /// Complete packets in the reception FIFO of each core.
    received: Vec<VecDeque<Packet>>,
    /// Occupied places in the reception FIFO of each core, also by packets that are being read or received.
    receiving: Vec<u8>,
}

fn network(networks: &Networks) -> &Network<TreeParameters> {
    networks.tree.as_ref().expect("the machine has a tree network")
}

impl TreeNode {
    /// A node at rest.
    pub(super) fn new(networks: &Networks, node: u32) -> Self {
        let world = Router::new(networks, RouteName::WORLD, node);
        TreeNode { links: Links::default(), routers: vec![world] }
    }

    /// The router of a class route. A router of the class's route before makes way for it once it is at rest.
    pub(crate) fn router(&mut self, networks: &Networks, name: RouteName, node: u32) -> &mut Router {
        let place = |routers: &[Router]| routers.binary_search_by_key(&name, |router| router.name);
        let place = place(&self.routers).unwrap_or_else(|_| {
            let parameters = &network(networks).parameters;
            self.routers
                .retain(|router| router.name.class() != name.class() || !router.is_at_rest(parameters));
            let place = place(&self.routers).unwrap_or_else(|place| place);
            self.routers.insert(place, Router::new(networks, name, node));
            place
        });
        &mut self.routers[place]
    }

    /// The packets that a core could read next: one at most of each class route.
    pub(crate) fn received(&self, core: usize) -> impl Iterator<Item = &Packet> {
        self.routers.iter().filter_map(move |router| router.received(core))
    }

    /// Applies an event.
    pub(super) fn apply(&mut self, networks: &Networks, event: Event, here: &mut Here<'_>) {
        let parameters = &network(networks).parameters;
        match event {
            Event::Ascended => self.end_ascent(networks, here),
            Event::Descended => self.end_descent(networks, here),
            Event::FromChild(which, packet) => {
                let router = self.router(networks, packet.on, here.node);
                let input = &mut router.inputs[router.joint.child_rank(which)];
                input.push_back(packet);
                debug_assert!(input.len() <= parameters.buffer_packets.into(), "a buffer overflows");
            }
            Event::FromParent(packet) => {
                let waiting = &mut self.router(networks, packet.on, here.node).from_parent;
                waiting.push_back(packet);
                debug_assert!(waiting.len() <= parameters.buffer_packets.into(), "a buffer overflows");
            }
            Event::CreditOfParent(name) => self.router(networks, name, here.node).credits += 1,
            Event::CreditOfChild(which, name) => {
                let router = self.router(networks, name, here.node);
                router.credits_of_children[router.joint.child_rank(which)] += 1;
            }
            Event::Raised(..) | Event::Released(_) => unreachable!("wires are no part of the tree network"),
        }
    }

    /// Begins the transfers that are possible now. Where packets that turn here and packets from the parent would go
    /// down, they take turns.
    pub(super) fn begin(&mut self, network: &Network<TreeParameters>, here: &mut Here<'_>) {
        if self.links.has_turned {
            self.begin_descent(network, here);
        }
        self.begin_ascent(network, here);
        let TreeNode { links, routers } = self;
        routers.iter_mut().for_each(|router| router.count_stall(links, here));
        self.begin_descent(network, here);
    }

    /// Begins to move a packet up, if the link is idle: of the first router that can, behind the last that has.
    fn begin_ascent(&mut self, network: &Network<TreeParameters>, here: &mut Here<'_>) {
        let TreeNode { links, routers } = self;
        if links.ascending.is_some() {
            return;
        }
        let candidate = |router: &Router| router.ascent(&network.parameters, links, here.node);
        if let Some((place, next)) = next_of(routers, links.last_up, candidate) {
            routers[place].begin_ascent(network, links, next, here);
        }
    }

    /// Begins to move a packet of the parent down, if no other goes down.
    fn begin_descent(&mut self, network: &Network<TreeParameters>, here: &mut Here<'_>) {
        let TreeNode { links, routers } = self;
        if links.descending.is_some() {
            return;
        }
        let candidate = |router: &Router| {
            let waiting = router.from_parent.front().copied();
            waiting.filter(|packet| router.can_descend(&network.parameters, packet, here.node))
        };
        if let Some((place, packet)) = next_of(routers, links.last_down, candidate) {
            routers[place].from_parent.pop_front();
            links.has_turned = false;
            routers[place].begin_descent(network, links, packet, here);
        }
    }

    fn end_ascent(&mut self, networks: &Networks, here: &mut Here<'_>) {
        let (ascending, name, _) = self.links.ascending.take().expect("a transfer ends that has begun");
        self.router(networks, name, here.node).free(network(networks), ascending, here);
    }

    fn end_descent(&mut self, networks: &Networks, here: &mut Here<'_>) {
        let packet = self.links.descending.take().expect("a transfer ends that has begun");
        self.router(networks, packet.on, here.node).deliver(network(networks), packet, here);
    }

    pub(super) fn bytes(&self) -> usize {
        self.routers.capacity() * size_of::<Router>() + self.routers.iter().map(Router::bytes).sum::<usize>()
    }

    #[cfg(test)]
    pub(super) fn is_at_rest(&self, networks: &Networks) -> bool {
        self.links.ascending.is_none()
            && self.links.descending.is_none()
            && self.routers.iter().all(|router| router.is_at_rest(&network(networks).parameters))
    }
}

/// The place of the first router behind that of `last`, in a circle, which has a candidate, and the candidate.
fn next_of<T>(
    routers: &[Router],
    last: RouteName,
    candidate: impl Fn(&Router) -> Option<T>,
) -> Option<(usize, T)> {
    let first = routers.partition_point(|router| router.name <= last);
    (first..routers.len()).chain(0..first).find_map(|place| Some((place, candidate(&routers[place])?)))
}

impl Router {
    /// A router at rest.
    fn new(networks: &Networks, name: RouteName, node: u32) -> Self {
        let buffer_packets = network(networks).parameters.buffer_packets;
        let joint = networks.tree_joint(name, node);
        let (children, cores) = (joint.children().count(), joint.cores().count());
        Router {
            name,
            joint,
            inputs: vec![VecDeque::new(); children + cores],
            injecting: vec![0; cores],
            is_stalled: false,
            credits: buffer_packets,
            from_parent: VecDeque::new(),
            credits_of_children: vec![buffer_packets; children],
            received: vec![VecDeque::new(); cores],
            receiving: vec![0; cores],
        }
    }

    /// Whether it has all its credits, and no packets.
    fn is_at_rest(&self, parameters: &TreeParameters) -> bool {
        let mut queues = self.inputs.iter().chain(&self.received).chain([&self.from_parent]);
        let mut credits = self.credits_of_children.iter().chain([&self.credits]);
        queues.all(VecDeque::is_empty)
            && credits.all(|&credits| credits == parameters.buffer_packets)
            && self.injecting.iter().chain(&self.receiving).all(|&occupied| occupied == 0)
    }

    fn children(&self) -> usize {
        self.credits_of_children.len()
    }

    /// The children that take part.
    fn child_nodes(&self, tree: &Tree, node: u32) -> impl Iterator<Item = u32> {
        self.joint.children().map(move |which| tree.child(node, which))
    }

    /// The parent, unless the route ends here.
    fn parent(&self, tree: &Tree, node: u32) -> Option<(u32, u8)> {
        if self.joint.is_top { None } else { tree.parent(node) }
    }

    /// Counts a packet of a core that is the next to go up and cannot, once for each packet. The reason is that the
    /// link is busy with another operation, or has no room behind it. This is row S56: data to send, and the network is
    /// busy.
    fn count_stall(&mut self, links: &Links, here: &mut Here<'_>) {
        if self.is_stalled {
            return;
        }
        let Some((ascending, packet)) = self.next_to_ascend() else { return };
        let is_of_core = match ascending {
            Ascending::All => self.inputs.len() > self.children(),
            Ascending::One(input) => usize::from(input) >= self.children(),
        };
        let is_its_own = |name, operation| (name, operation) == (packet.on, packet.operation);
        let follows_its_own = links.ascending.is_some_and(|(_, name, operation)| is_its_own(name, operation));
        if is_of_core && !follows_its_own {
            self.is_stalled = true;
            here.record(Recorded::Stall);
        }
    }

    /// The next packet to go up, if it can go up, or turn, while the link is idle.
    fn ascent(&self, parameters: &TreeParameters, links: &Links, node: u32) -> Option<(Ascending, Packet)> {
        if !self.joint.is_top {
            return if self.credits > 0 { self.next_to_ascend() } else { None };
        }
        let next = if links.descending.is_none() { self.next_to_ascend() } else { None };
        next.filter(|(_, packet)| self.can_descend(parameters, packet, node))
    }

    fn begin_ascent(
        &mut self,
        network: &Network<TreeParameters>,
        links: &mut Links,
        (ascending, packet): (Ascending, Packet),
        here: &mut Here<'_>,
    ) {
        let (children, parent) = (self.children(), self.parent(&network.tree, here.node));
        let inputs = match ascending {
            Ascending::All => 0..self.inputs.len(),
            Ascending::One(input) => input.into()..usize::from(input) + 1,
        };
        let written = inputs.clone().filter(|&input| input >= children).count() as u32;
        for input in &mut self.inputs[inputs] {
            input.pop_front();
        }
        links.ascending = Some((ascending, self.name, packet.operation));
        links.last_up = self.name;
        self.is_stalled = false;
        here.signal(here.node, network.parameters.packet_cycles(), Event::Ascended);
        here.record(Recorded::Ascent(packet, u32::from(parent.is_some()), written));
        match parent {
            Some((parent, which)) => {
                self.credits -= 1;
                here.signal(parent, network.parameters.hop_latency_cycles, Event::FromChild(which, packet));
            }
            None => {
                links.has_turned = true;
                self.begin_descent(network, links, packet, here);
            }
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

    /// Frees the buffers and FIFOs of packets that have gone up.
    fn free(&mut self, network: &Network<TreeParameters>, ascending: Ascending, here: &mut Here<'_>) {
        let is_freed = |input: usize| match ascending {
            Ascending::All => true,
            Ascending::One(one) => input == usize::from(one),
        };
        let children = self.child_nodes(&network.tree, here.node).enumerate();
        for (_, child) in children.filter(|(input, _)| is_freed(*input)) {
            here.signal(child, network.parameters.hop_latency_cycles, Event::CreditOfParent(self.name));
        }
        let children = self.children();
        for core in (0..self.injecting.len()).filter(|core| is_freed(children + core)) {
            self.injecting[core] -= 1;
        }
    }

    fn can_descend(&self, parameters: &TreeParameters, packet: &Packet, node: u32) -> bool {
        let has_room = |(rank, core): (usize, u8)| {
            !packet.is_for(CorePlace { node, core }) || self.receiving[rank] < parameters.fifo_packets
        };
        self.credits_of_children.iter().all(|&credits| credits > 0)
            && self.joint.cores().enumerate().all(has_room)
    }

    fn begin_descent(
        &mut self,
        network: &Network<TreeParameters>,
        links: &mut Links,
        packet: Packet,
        here: &mut Here<'_>,
    ) {
        (links.descending, links.last_down) = (Some(packet), self.name);
        here.signal(here.node, network.parameters.packet_cycles(), Event::Descended);
        here.record(Recorded::Descent(packet, self.children() as u32));
        self.credits_of_children.iter_mut().for_each(|credits| *credits -= 1);
        for child in self.child_nodes(&network.tree, here.node) {
            here.signal(child, network.parameters.hop_latency_cycles, Event::FromParent(packet));
        }
        let node = here.node;
        for (rank, core) in self.joint.cores().enumerate() {
            self.receiving[rank] += u8::from(packet.is_for(CorePlace { node, core }));
        }
    }

    /// A packet has gone down completely.
    fn deliver(&mut self, network: &Network<TreeParameters>, packet: Packet, here: &mut Here<'_>) {
        let node = here.node;
        for (rank, core) in self.joint.cores().enumerate() {
            if packet.is_for(CorePlace { node, core }) {
                self.received[rank].push_back(packet);
                here.record(Recorded::Delivery(packet));
            }
        }
        if let Some((parent, which)) = self.parent(&network.tree, node) {
            let latency = network.parameters.hop_latency_cycles;
            here.signal(parent, latency, Event::CreditOfChild(which, self.name));
        }
    }

    fn core_rank(&self, core: usize) -> usize {
        self.joint.core_rank(core).expect("the core takes part")
    }

    /// Whether the injection FIFO of a core has room.
    pub fn has_room(&self, parameters: &TreeParameters, core: usize) -> bool {
        self.injecting[self.core_rank(core)] < parameters.fifo_packets
    }

    /// A core begins to write a packet.
    pub fn begin_write(&mut self, core: usize) {
        let rank = self.core_rank(core);
        self.injecting[rank] += 1;
    }

    /// A core has written a packet.
    pub fn write(&mut self, core: usize, packet: Packet) {
        let place = self.children() + self.core_rank(core);
        self.inputs[place].push_back(packet);
    }

    /// The packet that a core reads next, if one has arrived.
    pub fn received(&self, core: usize) -> Option<&Packet> {
        self.received[self.joint.core_rank(core)?].front()
    }

    /// A core begins to read a packet.
    pub fn begin_read(&mut self, core: usize) -> Option<Packet> {
        let rank = self.core_rank(core);
        self.received[rank].pop_front()
    }

    /// A core has read a packet.
    pub fn end_read(&mut self, core: usize) {
        let rank = self.core_rank(core);
        self.receiving[rank] -= 1;
    }

    fn bytes(&self) -> usize {
        let queues = self.inputs.iter().chain(&self.received).chain([&self.from_parent]);
        let packets: usize = queues.map(|queue| queue.capacity() * size_of::<Packet>()).sum();
        packets
            + (self.inputs.len() + self.received.len()) * size_of::<VecDeque<Packet>>()
            + 2 * self.received.len()
            + self.children()
    }
}
