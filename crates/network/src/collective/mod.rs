//! The collective networks: the tree network, which combines and broadcasts packets, and the global interrupts, whose
//! wires report to all nodes that all have acted.
//!
//! ```text
//!   core --write--> injection FIFO --+                          +--> reception FIFO --read--> core
//!                                    v                          |
//!   from children: [ buffers ] --> combine --> parent ... parent --> [ buffer ] --> to all children and cores
//!                                        (at the root: straight down)
//! ```
//!
//! Both are trees over the nodes ([`route`]) and run on the clock of the torus. A node acts at exact cycles: it applies
//! the events that have come ([`Event`]), then its software runs, then it begins what is possible now ([`tree`],
//! [`interrupts`]). An action that affects another node is a [`Signal`], which states the cycle of its effect, at least
//! the latency of a hop ahead. Nothing is random and nothing competes, so that both engines run this code as it is:
//! they pass signals on as they do announcements, and run a node's software at the cycles that it requests
//! ([`crate::node::software::Endpoints`]).
//!
//! They exist only where software says which cores take part ([`crate::SoftwareBuilder::participants`]). All of these
//! share the first class route. Software can give others to some of them ([`Networks::define`]): a node has a
//! [`tree::Router`] and wires for each route that passes through it, and makes them as the first packet comes.

pub mod interrupts;
mod packet;
pub mod parameters;
pub(crate) mod recorded;
pub mod route;
mod routes;
pub mod tree;

use crate::counters::Totals;
use crate::parameters::Parameters;
use base::checkpoint::{FrameReader, FrameWriter, require};
use base::time::NEVER;
use interrupts::Wires;
use packet::{CorePlace, Packet};
use parameters::{InterruptParameters, TreeParameters};
pub use recorded::Recorded;
use route::{ClassRoute, Joint, Top, Tree};
use routes::Routes;
pub use routes::{Defined, RouteName};
use serde::{Deserialize, Serialize};
use std::io;
use tree::TreeNode;

/// One of the collective networks: its parameters, and the tree of its links.
#[derive(Clone, Debug)]
pub struct Network<P> {
    /// The parameters.
    pub parameters: P,
    tree: Tree,
    world: ClassRoute,
}

impl<P> Network<P> {
    /// A network on whose first class route these cores take part.
    fn new(parameters: P, tree: Tree, cores: impl Iterator<Item = CorePlace>) -> Self {
        Network { parameters, world: ClassRoute::new(&tree, cores, Top::Root), tree }
    }

    /// The part of a node in the route of all ranks; none if another route is named.
    fn world_joint(&self, name: RouteName, node: u32) -> Option<Joint> {
        (name == RouteName::WORLD).then(|| self.world.joint(&self.tree, node).unwrap_or_default())
    }
}

/// The collective networks of a machine, for the cores that take part.
#[derive(Clone, Debug)]
pub struct Networks {
    /// The tree network, if the machine has it.
    pub tree: Option<Network<TreeParameters>>,
    /// The global interrupts, if the machine has them.
    pub interrupts: Option<Network<InterruptParameters>>,
    /// The class routes and wires of some of these cores.
    others: Routes,
}

impl Networks {
    /// The collective networks of a machine; `participants` has the cores that take part, as bits, by node. None if the
    /// machine has no such network.
    pub fn new(parameters: &Parameters, participants: &[u64]) -> Option<Self> {
        let tree_of = |arity| Tree::new(&parameters.shape, &parameters.faults, arity);
        let cores = || {
            let of_node = |(node, &cores): (u32, &u64)| {
                (0..64).filter(move |core| cores >> core & 1 == 1).map(move |core| CorePlace { node, core })
            };
            (0..).zip(participants).flat_map(of_node)
        };
        let tree = parameters.tree.map(|tree| Network::new(tree, tree_of(tree.arity), cores()));
        let interrupts =
            parameters.interrupts.map(|wires| Network::new(wires, tree_of(wires.arity), cores()));
        let others = Routes::default();
        (tree.is_some() || interrupts.is_some()).then_some(Networks { tree, interrupts, others })
    }

    /// Gives a class route, and a wire if one is left, to some cores, each with the number of its contribution, unless
    /// they have it. Returns the number of contributions and the sum of their names. All cores give the same ones, and
    /// use no other route of the class any more.
    pub fn define(&self, name: RouteName, cores: impl FnOnce() -> Vec<(CorePlace, u32)>) -> (u32, u64) {
        self.others.define(name, self, cores)
    }

    /// Lets this keep the routes that are defined from now on until other processes hear of them.
    pub fn keep_news(&self) {
        self.others.keep_news();
    }

    /// The routes that have been defined since the last news.
    pub fn take_news(&self) -> Vec<Defined> {
        self.others.take_news()
    }

    /// Adds the routes that have been defined in another process.
    pub fn hear(&self, news: Vec<Defined>) {
        self.others.hear(self, news);
    }

    /// Whether a checkpoint can hold a route.
    fn can_define(&self, name: RouteName, cores: &[(CorePlace, u32)]) -> bool {
        let of_tree = self.tree.as_ref().map(|tree| &tree.tree);
        let tree = of_tree.or(self.interrupts.as_ref().map(|wires| &wires.tree));
        let is_live = |node: u32| tree.is_some_and(|tree| tree.has(node));
        let mut places = cores.iter().map(|(place, _)| place);
        name.is_of_communicator()
            && !cores.is_empty()
            && places.all(|place| is_live(place.node) && place.core < 64)
    }

    fn tree_joint(&self, name: RouteName, node: u32) -> Joint {
        let tree = self.tree.as_ref().expect("the machine has a tree network");
        tree.world_joint(name, node)
            .unwrap_or_else(|| self.others.joint(name, |routes| routes.tree.as_ref(), &tree.tree, node))
    }

    fn wire_joint(&self, name: RouteName, node: u32) -> Joint {
        let wires = self.interrupts.as_ref().expect("the machine has global interrupts");
        wires
            .world_joint(name, node)
            .unwrap_or_else(|| self.others.joint(name, |routes| routes.wires.as_ref(), &wires.tree, node))
    }

    /// The shortest time, in cycles, in which a node affects another.
    pub(crate) fn min_latency_cycles(&self) -> u32 {
        let tree = self.tree.iter().map(|tree| tree.parameters.hop_latency_cycles);
        let wires = self.interrupts.iter().flat_map(|Network { parameters, .. }| {
            [parameters.up_latency_cycles, parameters.down_latency_cycles]
        });
        tree.chain(wires).min().unwrap_or(u32::MAX)
    }
}

/// An event of the collective networks at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Event {
    /// The transfer toward the parent has ended.
    Ascended,
    /// The transfer to all children and cores has ended.
    Descended,
    /// The head of a packet arrives from the child with this index.
    FromChild(u8, Packet),
    /// The head of a packet arrives from the parent.
    FromParent(Packet),
    /// The parent has room for another packet of a class route.
    CreditOfParent(RouteName),
    /// A child has room for another packet of a class route.
    CreditOfChild(u8, RouteName),
    /// All cores and nodes below a child have raised a wire, of those of a route.
    Raised(RouteName, u8),
    /// All nodes have raised the next wire of a route.
    Released(RouteName),
}

/// An event, with the node and the cycle for which it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// The node at which the event takes effect.
    pub node: u32,
    /// The cycle in which the event takes effect.
    pub time: u64,
    /// The event.
    pub event: Event,
}

/// The part of a node in both networks, and the events to come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    /// The events to come, in order of time.
    pending: Vec<(u64, Event)>,
    tree: Option<TreeNode>,
    wires: Option<Wires>,
}

/// The collective networks at some consecutively numbered nodes.
pub struct CollectiveNodes {
    first: u32,
    nodes: Vec<Node>,
    /// Signals for other nodes that have not been taken yet.
    signals: Vec<Signal>,
    /// Records that have not been counted yet, each with its time and node.
    recorded: Vec<(u64, u32, Recorded)>,
}

/// A node that acts at a cycle, with the lists to which it adds events, signals and records.
pub(crate) struct Here<'a> {
    /// The number of the node.
    pub node: u32,
    /// The cycle.
    pub now: u64,
    pending: &'a mut Vec<(u64, Event)>,
    signals: &'a mut Vec<Signal>,
    recorded: &'a mut Vec<(u64, u32, Recorded)>,
}

impl Here<'_> {
    /// Adds an event at a node, `after` cycles from now.
    fn signal(&mut self, node: u32, after: u32, event: Event) {
        let time = self.now + u64::from(after);
        if node == self.node {
            insert(self.pending, time, event);
        } else {
            self.signals.push(Signal { node, time, event });
        }
    }

    fn record(&mut self, recorded: Recorded) {
        self.recorded.push((self.now, self.node, recorded));
    }
}

fn insert(pending: &mut Vec<(u64, Event)>, time: u64, event: Event) {
    let place = pending.partition_point(|before| *before <= (time, event));
    pending.insert(place, (time, event));
}

impl CollectiveNodes {
    /// The networks at nodes `first..first + count`, at rest.
    pub fn new(networks: &Networks, first: u32, count: usize) -> Self {
        let new = |node: u32| Node {
            pending: Vec::new(),
            tree: networks.tree.as_ref().map(|_| TreeNode::new(networks, node)),
            wires: networks.interrupts.as_ref().map(|_| Wires::new(networks, node)),
        };
        let nodes = (first..first + count as u32).map(new).collect();
        CollectiveNodes { first, nodes, signals: Vec::new(), recorded: Vec::new() }
    }

    fn at<R>(&mut self, local: usize, now: u64, act: impl FnOnce(&mut Node, &mut Here<'_>) -> R) -> R {
        let node = self.first + local as u32;
        let CollectiveNodes { nodes, signals, recorded, .. } = self;
        let mut pending = std::mem::take(&mut nodes[local].pending);
        let result =
            act(&mut nodes[local], &mut Here { node, now, pending: &mut pending, signals, recorded });
        nodes[local].pending = pending;
        result
    }

    /// Applies the events of a node up to `now`.
    pub(crate) fn apply(&mut self, networks: &Networks, local: usize, now: u64) {
        if self.next(local) > now {
            return;
        }
        self.at(local, now, |node, here| {
            let due = here.pending.partition_point(|(time, _)| *time <= now);
            let events: Vec<(u64, Event)> = here.pending.drain(..due).collect();
            for (time, event) in events {
                debug_assert_eq!(time, now, "a node runs at the cycles of its events");
                node.apply(networks, event, here);
            }
        });
    }

    /// Begins the transfers that are possible at a node at `now`, after its software has run.
    pub(crate) fn begin(&mut self, networks: &Networks, local: usize, now: u64) {
        self.at(local, now, |node, here| {
            if let (Some(tree), Some(network)) = (&mut node.tree, &networks.tree) {
                tree.begin(network, here);
            }
        });
    }

    /// The cycle of the next event of a node.
    #[inline]
    pub(crate) fn next(&self, local: usize) -> u64 {
        self.nodes[local].pending.first().map_or(NEVER, |(time, _)| *time)
    }

    /// Adds a signal from another node.
    pub(crate) fn receive(&mut self, local: usize, signal: &Signal) {
        insert(&mut self.nodes[local].pending, signal.time, signal.event);
    }

    /// Moves the signals for other nodes to the end of `to`, and counts the records.
    pub(crate) fn take(&mut self, to: &mut Vec<Signal>, totals: &mut Totals) {
        to.append(&mut self.signals);
        self.recorded
            .drain(..)
            .for_each(|(time, node, recorded)| totals.record_collective(time, node, recorded));
    }

    /// The tree network's part of a node.
    pub(crate) fn tree(&mut self, local: usize) -> &mut TreeNode {
        self.nodes[local].tree.as_mut().expect("the machine has a tree network")
    }

    /// The router of a class route at a node.
    pub(crate) fn router(&mut self, networks: &Networks, name: RouteName, local: usize) -> &mut tree::Router {
        let node = self.first + local as u32;
        self.tree(local).router(networks, name, node)
    }

    /// A rank of a node has data for an operation of the tree network, and has to wait for another of its operations.
    pub(crate) fn wait(&mut self, local: usize, now: u64) {
        self.at(local, now, |_, here| here.record(Recorded::Wait));
    }

    /// A core of a node raises the wire of a route that is next for it, after `number` others.
    pub(crate) fn raise(
        &mut self,
        networks: &Networks,
        local: usize,
        (name, number): (RouteName, u64),
        now: u64,
    ) {
        self.at(local, now, |node, here| {
            let wires = node.wires.as_mut().expect("the machine has global interrupts");
            wires.raise_next(networks, name, number, here);
        });
    }

    /// Number of times that wires of a route have been released at a node up to now.
    pub(crate) fn released(&self, name: RouteName, local: usize) -> u64 {
        self.nodes[local].wires.as_ref().map_or(0, |wires| wires.released(name))
    }

    /// Bytes of state.
    pub(crate) fn bytes(&self) -> usize {
        let of_node = |node: &Node| {
            node.pending.capacity() * size_of::<(u64, Event)>()
                + node.tree.as_ref().map_or(0, TreeNode::bytes)
                + node.wires.as_ref().map_or(0, Wires::bytes)
        };
        size_of_val(&self.nodes[..]) + self.nodes.iter().map(of_node).sum::<usize>()
    }

    /// The state of a node, for a checkpoint. Node 0 has the routes that are defined.
    pub(crate) fn save(
        &self,
        networks: &Networks,
        local: usize,
        frames: &mut FrameWriter<'_>,
    ) -> io::Result<()> {
        if self.first + local as u32 == 0 {
            frames.write(&networks.others.defined())?;
        }
        frames.write(&self.nodes[local])
    }

    /// Restores the state of a node.
    ///
    /// # Errors
    /// Errors of the input.
    pub(crate) fn restore(
        &mut self,
        networks: &Networks,
        local: usize,
        frames: &mut FrameReader<'_>,
    ) -> io::Result<()> {
        if self.first + local as u32 == 0 {
            for (name, cores) in frames.read::<Vec<routes::Defined>>()? {
                require(networks.can_define(name, &cores))?;
                networks.define(name, || cores);
            }
        }
        self.nodes[local] = frames.read()?;
        Ok(())
    }

    /// Whether a node has all its credits and no packets, and no wire is raised. This is the state after everything has
    /// ended.
    #[cfg(test)]
    fn is_at_rest(&self, networks: &Networks, local: usize) -> bool {
        let Node { pending, tree, wires } = &self.nodes[local];
        pending.is_empty()
            && tree.as_ref().is_none_or(|tree| tree.is_at_rest(networks))
            && wires.as_ref().is_none_or(Wires::is_at_rest)
    }
}

impl Node {
    fn apply(&mut self, networks: &Networks, event: Event, here: &mut Here<'_>) {
        match event {
            Event::Raised(name, wire) => {
                self.wires.iter_mut().for_each(|wires| wires.raise(networks, name, wire, here));
            }
            Event::Released(name) => {
                self.wires.iter_mut().for_each(|wires| wires.release(networks, name, here));
            }
            Event::Ascended
            | Event::Descended
            | Event::FromChild(..)
            | Event::FromParent(_)
            | Event::CreditOfParent(_)
            | Event::CreditOfChild(..) => {
                self.tree.iter_mut().for_each(|tree| tree.apply(networks, event, here));
            }
        }
    }
}

#[cfg(test)]
mod tests;
