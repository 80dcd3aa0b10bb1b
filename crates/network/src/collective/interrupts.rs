//! The global interrupts at a node: wires that join the nodes in a tree.
//!
//! A wire is raised toward the root once every core and every child of the node has raised it. At the root, the wire is
//! then released: the release goes down to all nodes, whose cores can then raise the wire again. Barriers of all ranks
//! take their wires in turn, so that as many can be under way as there are such wires. Others of the ranks have a wire
//! of their own. A node without a core that takes part has the wire raised at all times (assumed: its kernel acts, as
//! all nodes have to).

use super::parameters::InterruptParameters;
use super::route::Joint;
use super::{Event, Here, Network, Networks, Recorded, RouteName};
use serde::{Deserialize, Serialize};

/// The wires of a route at a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WiresOfRoute {
    name: RouteName,
    joint: Joint,
    /// Cores and children that have raised each wire.
    raised: Vec<u8>,
    /// Number of releases up to now.
    released: u64,
}

impl WiresOfRoute {
    fn new(networks: &Networks, name: RouteName, node: u32) -> Self {
        let wires = parameters(networks).parameters.wires_of(name.class());
        let joint = networks.wire_joint(name, node);
        WiresOfRoute { name, joint, raised: vec![0; wires.len()], released: 0 }
    }
}

/// The wires of the global interrupts at a node, by route, those of all ranks first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wires(Vec<WiresOfRoute>);

fn parameters(networks: &Networks) -> &Network<InterruptParameters> {
    networks.interrupts.as_ref().expect("the machine has global interrupts")
}

impl Wires {
    /// Wires that are not raised.
    pub(super) fn new(networks: &Networks, node: u32) -> Self {
        Wires(vec![WiresOfRoute::new(networks, RouteName::WORLD, node)])
    }

    /// The wires of a route. Those of the class's route before are at rest, and make way for them.
    fn of(&mut self, networks: &Networks, name: RouteName, node: u32) -> &mut WiresOfRoute {
        let place = self.0.iter().position(|wires| wires.name == name).unwrap_or_else(|| {
            self.0.retain(|wires| wires.name.class() != name.class());
            self.0.push(WiresOfRoute::new(networks, name, node));
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    /// A core raises the next wire of a route, after `number` others.
    pub(super) fn raise_next(
        &mut self,
        networks: &Networks,
        name: RouteName,
        number: u64,
        here: &mut Here<'_>,
    ) {
        let wires = self.of(networks, name, here.node).raised.len() as u64;
        self.raise(networks, name, (number % wires) as u8, here);
    }

    /// A core or a child raises a wire, of those of a route.
    pub(super) fn raise(&mut self, networks: &Networks, name: RouteName, wire: u8, here: &mut Here<'_>) {
        let Network { parameters, tree, .. } = parameters(networks);
        let WiresOfRoute { joint, raised, .. } = self.of(networks, name, here.node);
        here.record(Recorded::Raise(parameters.wires_of(name.class()).start + wire));
        let raised = &mut raised[usize::from(wire)];
        *raised += 1;
        if usize::from(*raised) < joint.children().count() + joint.cores().count() {
            return;
        }
        *raised = 0;
        match tree.parent(here.node) {
            Some((parent, _)) => {
                here.signal(parent, parameters.up_latency_cycles, Event::Raised(name, wire));
            }
            None => here.signal(here.node, 1, Event::Released(name)),
        }
    }

    /// The release of the next wire of a route reaches the node.
    pub(super) fn release(&mut self, networks: &Networks, name: RouteName, here: &mut Here<'_>) {
        let Network { parameters, tree, .. } = parameters(networks);
        let WiresOfRoute { joint, released, .. } = self.of(networks, name, here.node);
        here.record(Recorded::Release(joint.is_top));
        *released += 1;
        for which in joint.children() {
            let child = tree.child(here.node, which);
            here.signal(child, parameters.down_latency_cycles, Event::Released(name));
        }
    }

    /// Number of releases of the wires of a route up to now.
    pub(super) fn released(&self, name: RouteName) -> u64 {
        self.0.iter().find(|wires| wires.name == name).map_or(0, |wires| wires.released)
    }

    pub(super) fn bytes(&self) -> usize {
        let raised: usize = self.0.iter().map(|wires| size_of_val(&wires.raised[..])).sum();
        self.0.capacity() * size_of::<WiresOfRoute>() + raised
    }

    #[cfg(test)]
    pub(super) fn is_at_rest(&self) -> bool {
        self.0.iter().all(|wires| wires.raised.iter().all(|&raised| raised == 0))
    }
}
