//! The work of cores on the collective networks: they write and read the packets of the tree network, and raise the
//! wires of the global interrupts.
//!
//! ```text
//!   operations of the rank     all-reduce     broadcast
//!   core           read | write | write | read | write | read | read | ...       one at a time, packet by packet
//! ```
//!
//! A rank's operations on the tree network are carried out one after the other, in the order of its calls: the network
//! does not distinguish them. A core reads only what belongs to the first of them. What arrives for a later one, or for
//! one that its rank has not begun, stays in the reception FIFO, and stops the network once that is full: the danger of
//! deadlock that the slides name. Barriers by the global interrupts go on at the same time, as many at once as there
//! are wires.

use crate::node::network_collectives::{NetworkCollectives, TreePart, packets};
use crate::node::rank::Notice;
use crate::node::task::Task;
use crate::ranks::{Completion, NetworkCollective, TreeKind};
use crate::scheduler::Scheduler;
use network::collective::parameters::{InterruptParameters, TreeParameters};
use network::collective::tree::{Packet, name};
use network::fabric::Fabric;

impl Scheduler<'_, '_> {
    /// The rank begins its part of a network collective.
    pub fn join(&mut self, number: u32, collective: NetworkCollective) {
        let fabric = self.io.fabric;
        let collectives = self.core().network_collectives.get_or_insert_default();
        match collective {
            NetworkCollective::Tree(operation) => {
                let packets = packets(tree_of(fabric), &operation) as u32;
                collectives.tree.push_back(TreePart { number, operation, packets, written: 0, read: 0 });
            }
            NetworkCollective::Barrier => collectives.barriers.push_back(number),
        }
        self.counts.network_collectives += 1;
    }

    /// Begins to read a packet of the tree network, or sees that a wire has been released, if either is possible.
    #[inline]
    pub fn begin_collective_read(&mut self) -> bool {
        self.setup.participants.is_some() && (self.begin_tree_read() || self.begin_to_see_release())
    }

    #[cold]
    fn begin_tree_read(&mut self) -> bool {
        if self.io.fabric.collective.as_ref().is_none_or(|networks| networks.tree.is_none()) {
            return false;
        }
        let core = self.core_number();
        let Some(rank) = self.core().rank.as_ref().map(|rank| rank.number) else { return false };
        let Some(packet) = self.io.received_from_tree(core) else {
            self.core().ignores_tree = false;
            return false;
        };
        let first = self.core().network_collectives.as_ref().and_then(|collectives| collectives.tree.front());
        let is_expected = first.is_some_and(|part| {
            part.read < part.to_read(rank)
                && (packet.operation, packet.index) == (part.operation.tag, part.read)
        });
        self.core().ignores_tree = !is_expected;
        if is_expected {
            self.io.begin_read_tree(core);
            let (start, cycles) = (self.start(), self.setup.parameters.tree_read_processor_cycles);
            self.begin(Task::ReadTree(packet), start, start + u64::from(cycles));
        }
        is_expected
    }

    /// A packet of the tree network has been read.
    ///
    /// # Panics
    /// If it does not hold the contributions that it should: a bug in the network.
    pub fn end_tree_read(&mut self, packet: &Packet) {
        let (core, rank) = (self.core_number(), self.rank().number);
        self.io.end_read_tree(core);
        let part = self.first_tree_part();
        let expected = match part.operation.kind {
            TreeKind::Broadcast { root } => (1, name(root)),
            TreeKind::AllReduce | TreeKind::Reduce { .. } => self.setup.all_contributions,
        };
        assert_eq!(
            (packet.contributions, packet.sum),
            expected,
            "rank {rank} reads a packet of the tree network with other contributions"
        );
        self.first_tree_part().read += 1;
        self.end_tree_part();
    }

    fn first_tree_part(&mut self) -> &mut TreePart {
        let collectives = self.core().network_collectives.as_mut().expect("the rank has begun an operation");
        collectives.tree.front_mut().expect("the rank has begun an operation on the tree network")
    }

    /// Begins to write a packet of the tree network, or to raise a wire, if that is possible.
    #[inline]
    pub fn begin_collective_write(&mut self) -> bool {
        self.core().network_collectives.is_some() && (self.begin_tree_write() || self.begin_to_raise())
    }

    #[cold]
    fn begin_tree_write(&mut self) -> bool {
        let (core, rank) = (self.core_number(), self.rank().number);
        let collectives = self.core().network_collectives.as_ref().expect("it has been looked at");
        let Some(part) = collectives.tree.front().copied().filter(|part| part.can_write(rank)) else {
            return false;
        };
        if !self.io.tree_has_room(core) {
            return false;
        }
        let index = part.written;
        let route = part.route(index, |rank| self.setup.map.place(rank));
        let packet = Packet::of(part.operation.tag, index, route, rank);
        self.first_tree_part().written += 1;
        self.io.begin_write_tree(core);
        let (start, cycles) = (self.start(), self.setup.parameters.tree_write_processor_cycles);
        self.begin(Task::WriteTree(packet), start, start + u64::from(cycles));
        true
    }

    /// A packet of the tree network has been written.
    pub fn end_tree_write(&mut self, packet: Packet) {
        let core = self.core_number();
        self.io.write_tree(core, packet);
        self.end_tree_part();
    }

    /// Ends the first operation on the tree network if nothing of it is left.
    fn end_tree_part(&mut self) {
        let rank = self.rank().number;
        let part = *self.first_tree_part();
        if part.has_ended(rank) {
            self.core()
                .network_collectives
                .as_mut()
                .expect("the rank has begun an operation")
                .tree
                .pop_front();
            self.end_collective(part.number);
        }
    }

    fn end_collective(&mut self, number: u32) {
        self.counts.network_collectives -= 1;
        let (time, rank) = (self.core().free_at, self.rank().number);
        let notice = Notice { time, message: (rank, number), completion: Completion::Joined(number) };
        self.notify(self.number, notice);
    }

    fn begin_to_raise(&mut self) -> bool {
        let Some(wires) = interrupts_of(self.io.fabric).map(|parameters| parameters.wires) else {
            return false;
        };
        let collectives = self.core().network_collectives.as_deref_mut().expect("it has been looked at");
        let NetworkCollectives { barriers, raised, ended, .. } = collectives;
        let under_way = *raised - *ended;
        if under_way >= wires.into() || under_way >= barriers.len() as u64 {
            return false;
        }
        let number = *raised;
        *raised += 1;
        let (start, cycles) = (self.start(), self.setup.parameters.wire_processor_cycles);
        self.begin(Task::Raise(number), start, start + u64::from(cycles));
        true
    }

    fn begin_to_see_release(&mut self) -> bool {
        let Some(collectives) = &self.core().network_collectives else { return false };
        let ended = collectives.ended;
        if collectives.barriers.is_empty() || self.io.released_wires() <= ended {
            return false;
        }
        let (start, cycles) = (self.start(), self.setup.parameters.wire_processor_cycles);
        self.begin(Task::SeeRelease, start, start + u64::from(cycles));
        true
    }

    /// The core has seen that a wire has been released.
    pub fn end_seeing_release(&mut self) {
        let collectives = self.core().network_collectives.as_mut().expect("the rank has begun a barrier");
        collectives.ended += 1;
        let number = collectives.barriers.pop_front().expect("the rank has begun a barrier");
        self.end_collective(number);
    }
}

fn tree_of(fabric: &Fabric) -> &TreeParameters {
    let networks = fabric.collective.as_ref();
    let tree = networks.and_then(|networks| networks.tree.as_ref());
    &tree.expect("ranks use the tree network only where there is one").0
}

fn interrupts_of(fabric: &Fabric) -> Option<&InterruptParameters> {
    let networks = fabric.collective.as_ref()?;
    Some(&networks.interrupts.as_ref()?.0)
}
