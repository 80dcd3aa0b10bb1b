//! The work of cores on the collective networks: they write and read the packets of the tree network, and raise the
//! wires of the global interrupts.
//!
//! ```text
//!   operations of the rank     all-reduce     broadcast
//!   core           read | write | write | read | write | read | read | ...       one at a time, packet by packet
//! ```
//!
//! A rank's operations on a class route of the tree network are carried out one after the other, in the order of its
//! calls: the network does not distinguish them. Those of different routes go on at the same time; the core writes for the
//! oldest that can go on. It reads only what belongs to the first operation of a route. What arrives for a later one, or
//! for one that its rank has not begun, stays in the reception FIFO, and stops the route once that is full: the danger of
//! deadlock that the slides name. Barriers by the global interrupts go on at the same time, as many at once as the route
//! has wires.

use crate::node::network_collectives::{Barriers, TreePart, packets};
use crate::node::rank::Notice;
use crate::node::task::Task;
use crate::ranks::{self, Completion, NetworkCollective, TreeKind};
use crate::scheduler::Scheduler;
use network::collective::RouteName;
use network::collective::parameters::{InterruptParameters, TreeParameters};
use network::collective::tree::{CorePlace, Packet, name};
use network::fabric::Fabric;

impl Scheduler<'_, '_> {
    /// The rank begins its part of a network collective.
    pub fn join(&mut self, number: u32, on: RouteName, collective: NetworkCollective) {
        let (fabric, contributions, rank) = (self.io.fabric, self.contributions(on), self.rank().number);
        let collectives = self.core().network_collectives.get_or_insert_default();
        match collective {
            NetworkCollective::Tree(operation) => {
                let packets = packets(tree_of(fabric), &operation) as u32;
                let part = TreePart { number, on, contributions, operation, packets, written: 0, read: 0 };
                let waits = part.to_write(rank) > 0 && collectives.first_on(on).is_some();
                collectives.tree.push_back(part);
                if waits {
                    self.io.count_tree_wait();
                }
            }
            NetworkCollective::Barrier => collectives.barriers_on(on).numbers.push_back(number),
        }
        self.counts.network_collectives += 1;
    }

    /// The number of contributions of the ranks of a class route, and the sum of their names.
    fn contributions(&mut self, on: RouteName) -> (u32, u64) {
        if on == RouteName::WORLD {
            return self.setup.all_contributions;
        }
        let slot = self.slot(self.number);
        let (programs, map) = (&*self.ranks, &self.setup.map);
        let place = |rank: u32| {
            let place = map.place(rank);
            (CorePlace { node: place.node, core: place.core }, rank)
        };
        self.io.define_route(on, || {
            programs.members(slot, ranks::RouteName(on)).into_iter().map(place).collect()
        })
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
        let core_number = self.core_number();
        let core = &mut self.cores[self.number];
        let Some(rank) = core.rank.as_ref().map(|rank| rank.number) else { return false };
        core.ignores_tree = false;
        let mut collectives = core.network_collectives.as_deref_mut();
        let mut is_expected = |packet: &&Packet| {
            let first = collectives.as_mut().and_then(|collectives| collectives.first_on(packet.on));
            let is_expected = first.is_some_and(|part| {
                part.read < part.to_read(rank)
                    && (packet.operation, packet.index) == (part.operation.tag, part.read)
            });
            core.ignores_tree |= !is_expected;
            is_expected
        };
        let next = self.io.received_from_tree(core_number).find(&mut is_expected).copied();
        let Some(packet) = next else { return false };
        self.io.begin_read_tree(packet.on, core_number);
        let (start, cycles) = (self.start(), self.setup.parameters.tree_read_processor_cycles);
        self.begin(Task::ReadTree(packet), start, start + u64::from(cycles));
        true
    }

    /// A packet of the tree network has been read.
    ///
    /// # Panics
    /// If it does not hold the contributions that it should: a bug in the network.
    pub fn end_tree_read(&mut self, packet: &Packet) {
        let (core, rank) = (self.core_number(), self.rank().number);
        self.io.end_read_tree(packet.on, core);
        let part = self.first_tree_part(packet.on);
        let expected = match part.operation.kind {
            TreeKind::Broadcast { root } => (1, name(root)),
            TreeKind::AllReduce | TreeKind::Reduce { .. } => part.contributions,
        };
        part.read += 1;
        assert_eq!(
            (packet.contributions, packet.sum),
            expected,
            "rank {rank} reads a packet of the tree network with other contributions"
        );
        self.end_tree_part(packet.on);
    }

    fn first_tree_part(&mut self, on: RouteName) -> &mut TreePart {
        let collectives = self.core().network_collectives.as_mut().expect("the rank has begun an operation");
        collectives.first_on(on).expect("the rank has begun an operation on the tree network")
    }

    /// Begins to write a packet of the tree network, or to raise a wire, if that is possible.
    #[inline]
    pub fn begin_collective_write(&mut self) -> bool {
        self.core().network_collectives.is_some() && (self.begin_tree_write() || self.begin_to_raise())
    }

    #[cold]
    fn begin_tree_write(&mut self) -> bool {
        let (core, rank) = (self.core_number(), self.rank().number);
        let collectives =
            self.cores[self.number].network_collectives.as_ref().expect("it has been looked at");
        let io = &mut *self.io;
        let can_go_on = |part: &&TreePart| part.can_write(rank) && io.tree_has_room(part.on, core);
        let next = collectives.first_of_each().find(can_go_on).copied();
        let Some(part) = next else { return false };
        let (on, index) = (part.on, part.written);
        let route = part.route(index, |rank| self.setup.map.place(rank));
        let packet = Packet::of(on, part.operation.tag, index, route, rank);
        self.first_tree_part(on).written += 1;
        self.io.begin_write_tree(on, core);
        let (start, cycles) = (self.start(), self.setup.parameters.tree_write_processor_cycles);
        self.begin(Task::WriteTree(packet), start, start + u64::from(cycles));
        true
    }

    /// A packet of the tree network has been written.
    pub fn end_tree_write(&mut self, packet: Packet) {
        let core = self.core_number();
        self.io.write_tree(core, packet);
        self.end_tree_part(packet.on);
    }

    /// Ends the first operation of a class route if nothing of it is left.
    fn end_tree_part(&mut self, on: RouteName) {
        let rank = self.rank().number;
        let part = *self.first_tree_part(on);
        if part.has_ended(rank) {
            let collectives = self.core().network_collectives.as_mut();
            collectives.expect("the rank has begun an operation").remove_first_on(on);
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
        let Some(parameters) = interrupts_of(self.io.fabric) else { return false };
        let collectives = self.core().network_collectives.as_deref_mut().expect("it has been looked at");
        let next = collectives.barriers.iter_mut().find(|Barriers { on, numbers, raised, ended }| {
            let under_way = *raised - *ended;
            under_way < parameters.wires_of(on.class()).len() as u64 && under_way < numbers.len() as u64
        });
        let Some(&mut Barriers { on, raised: ref mut number, .. }) = next else { return false };
        let task = Task::Raise { on, number: *number };
        *number += 1;
        let (start, cycles) = (self.start(), self.setup.parameters.wire_processor_cycles);
        self.begin(task, start, start + u64::from(cycles));
        true
    }

    fn begin_to_see_release(&mut self) -> bool {
        let Some(collectives) = &self.cores[self.number].network_collectives else { return false };
        let io = &mut *self.io;
        let next = collectives
            .barriers
            .iter()
            .find(|barriers| !barriers.numbers.is_empty() && io.released_wires(barriers.on) > barriers.ended);
        let Some(&Barriers { on, .. }) = next else { return false };
        let (start, cycles) = (self.start(), self.setup.parameters.wire_processor_cycles);
        self.begin(Task::SeeRelease(on), start, start + u64::from(cycles));
        true
    }

    /// The core has seen that a wire of a route has been released.
    pub fn end_seeing_release(&mut self, on: RouteName) {
        let collectives = self.core().network_collectives.as_mut().expect("the rank has begun a barrier");
        let barriers = collectives.barriers_on(on);
        barriers.ended += 1;
        let number = barriers.numbers.pop_front().expect("the rank has begun a barrier");
        self.end_collective(number);
    }
}

fn tree_of(fabric: &Fabric) -> &TreeParameters {
    let networks = fabric.collective.as_ref();
    let tree = networks.and_then(|networks| networks.tree.as_ref());
    &tree.expect("ranks use the tree network only where there is one").parameters
}

fn interrupts_of(fabric: &Fabric) -> Option<&InterruptParameters> {
    let networks = fabric.collective.as_ref()?;
    Some(&networks.interrupts.as_ref()?.parameters)
}
