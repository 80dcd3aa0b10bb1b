//! The collective networks alone: cores write and read at random times, and nothing may be left when all has ended.

use super::*;
use crate::collective::tree::{CorePlace, Route, name};
use base::draws::mix;
use geometry::{Faults, Shape, WithoutCleanEscape};
use proptest::prelude::*;
use route::Top;

/// A member of a group: the packets that it has written and read, and the barriers that it has begun.
#[derive(Clone, Default)]
struct Member {
    /// The core, by its number among all.
    core: usize,
    written: u32,
    read: Vec<Packet>,
    barriers: u64,
}

/// Cores with a class route, and the packets of operations that each of them writes and reads in order.
struct Group {
    name: RouteName,
    members: Vec<Member>,
    operations: Vec<Route>,
    barriers: u64,
}

impl Group {
    fn packet(&self, member: usize, place: CorePlace, index: usize) -> Option<Packet> {
        let route = self.operations[index];
        let packet =
            Packet::of(self.name, index as u32, index as u32, route, self.members[member].core as u32);
        match route {
            Route::Broadcast(source) => (source == place).then_some(packet),
            Route::CombineForAll | Route::CombineFor(_) => Some(packet),
        }
    }

    /// Whether a member has what it has to have before it writes its next packet. A rank writes the packets after a
    /// broadcast once the broadcast has come, and so does a core here.
    fn has_come(&self, member: usize, place: CorePlace) -> bool {
        let Member { written, ref read, .. } = self.members[member];
        let before = self.operations[..written as usize].iter().enumerate().rev();
        let mut broadcasts = before.filter(|(_, route)| match route {
            Route::Broadcast(source) => *source != place,
            Route::CombineForAll | Route::CombineFor(_) => false,
        });
        let awaits = broadcasts.next();
        awaits.is_none_or(|(index, _)| read.iter().any(|packet| packet.index == index as u32))
    }

    fn has_ended(&self, member: usize, place: CorePlace) -> bool {
        let Member { written, ref read, barriers, .. } = self.members[member];
        let expected = self.operations.iter().filter(|route| match route {
            Route::CombineForAll => true,
            Route::CombineFor(target) => *target == place,
            Route::Broadcast(source) => *source != place,
        });
        let has_written = written as usize == self.operations.len();
        has_written && read.len() == expected.count() && barriers == self.barriers
    }
}

/// All cores, in groups of which the first is that of all.
struct Machine {
    networks: Networks,
    collective: CollectiveNodes,
    cores: Vec<CorePlace>,
    groups: Vec<Group>,
    seed: u64,
}

impl Machine {
    /// A member of a group acts at some of the cycles at which its node runs, drawn; returns whether it has acted.
    fn act(&mut self, (group, member): (usize, usize), now: u64) -> bool {
        let Machine { networks, collective, cores, groups, seed } = self;
        let group = &mut groups[group];
        let (name, core) = (group.name, group.members[member].core);
        if mix(*seed ^ mix(now) ^ core as u64 ^ u64::from(name.class()) << 32).is_multiple_of(3) {
            return false;
        }
        let (place, node) = (cores[core], cores[core].node as usize);
        let parameters = networks.tree.as_ref().unwrap().parameters;
        let router = collective.router(networks, name, node);
        let core = usize::from(place.core);
        let mut acted = false;
        if let Some(packet) = router.begin_read(core) {
            router.end_read(core);
            group.members[member].read.push(packet);
            acted = true;
        }
        let next = group.members[member].written as usize;
        if next < group.operations.len() && group.has_come(member, place) {
            let packet = group.packet(member, place, next);
            let can_write = packet.is_none() || router.has_room(&parameters, core);
            if let Some(packet) = packet.filter(|_| can_write) {
                router.begin_write(core);
                router.write(core, packet);
            }
            group.members[member].written += u32::from(can_write);
            acted |= can_write;
        }
        let barriers = &mut group.members[member].barriers;
        if *barriers == collective.released(name, node) && *barriers < group.barriers {
            collective.raise(networks, node, (name, *barriers), now);
            *barriers += 1;
            acted = true;
        }
        acted
    }

    fn run(&mut self) -> Totals {
        let (mut totals, mut signals) = (Totals::default(), Vec::new());
        let nodes = self.collective.nodes.len();
        let members = (0..).zip(&self.groups);
        let members: Vec<(usize, usize)> = members
            .flat_map(|(group, of)| (0..of.members.len()).map(move |member| (group, member)))
            .collect();
        for now in 0..1_000_000 {
            for node in 0..nodes {
                self.collective.apply(&self.networks, node, now);
            }
            let acted = members.iter().fold(false, |acted, &member| self.act(member, now) | acted);
            for node in 0..nodes {
                self.collective.begin(&self.networks, node, now);
            }
            self.collective.take(&mut signals, &mut totals);
            for signal in signals.drain(..) {
                assert!(signal.time >= now + u64::from(self.networks.min_latency_cycles()));
                self.collective.receive(signal.node as usize, &signal);
            }
            let is_idle = (0..nodes).all(|node| self.collective.next(node) == NEVER);
            let has_ended = members.iter().all(|&(group, member)| {
                let group = &self.groups[group];
                group.has_ended(member, self.cores[group.members[member].core])
            });
            if is_idle && has_ended && !acted {
                return totals;
            }
        }
        panic!("nothing moves any more");
    }
}

/// The numbers of packets that go in and come out in the operations of a group.
fn expected(group: &Group) -> (u64, u64) {
    let members = group.members.len() as u64;
    let each = group.operations.iter().map(|route| match route {
        Route::Broadcast(_) => (1, members - 1),
        Route::CombineForAll => (members, members),
        Route::CombineFor(_) => (members, 1),
    });
    each.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// Every core reads each packet that is for it, in order, with the contributions of all its group or of its source,
    /// also while other groups have packets on the same links. Afterwards all credits are back and all buffers are
    /// empty. As many packets have come out as have gone in.
    #[test]
    fn packets_and_credits_are_conserved(
        lengths in prop::collection::vec(1u32..=4, 1..=3), arity in 1u8..=8, wires in 1u8..5, hop in 1u32..20,
        buffer_packets in 1u8..4, fifo_packets in 1u8..4, taking in 1u64..=4, cores in 1u8..=3, count in 1usize..20,
        kinds in prop::collection::vec((0u8..3, any::<prop::sample::Index>()), 20), dead: bool, others in 0u8..5,
        seed: u64,
    ) {
        let shape = Shape::torus(&lengths).unwrap();
        let dead: Vec<u32> = if dead && shape.nodes() > 2 { vec![shape.nodes() / 2] } else { vec![] };
        let Ok(faults) = Faults::new(&shape, &dead, &[], WithoutCleanEscape::AdaptiveOnly) else { return Ok(()) };
        let takes = |node: u32, core: u8| {
            !faults.is_dead(node) && (node == 0 || mix(seed ^ u64::from(node) << 8 ^ u64::from(core)) % 4 < taking)
        };
        let places: Vec<CorePlace> = (0..shape.nodes())
            .flat_map(|node| (0..cores).map(move |core| CorePlace { node, core }))
            .filter(|place| takes(place.node, place.core))
            .collect();
        let mut participants = vec![0; shape.nodes() as usize];
        places.iter().for_each(|place| participants[place.node as usize] |= 1 << place.core);
        let tree = TreeParameters {
            arity, bytes_per_cycle: 8, hop_latency_cycles: hop, payload_bytes: 64, overhead_bytes: 3, buffer_packets,
            fifo_packets, class_routes: 1 + others,
        };
        let interrupts = InterruptParameters {
            arity: 9 - arity, wires: wires + others, communicator_wires: others, up_latency_cycles: hop,
            down_latency_cycles: 21 - hop,
        };
        let parameters = Parameters {
            tree: Some(tree), interrupts: Some(interrupts), faults, ..Parameters::bluegene_l(shape.clone(), 1)
        };
        let networks = Networks::new(&parameters, &participants).unwrap();
        let group = |class: u8| {
            let is_in = |core: &usize| class == 0 || mix(seed ^ mix(*core as u64) ^ u64::from(class)).is_multiple_of(3);
            let members: Vec<usize> = (0..places.len()).filter(is_in).collect();
            let operation = |(kind, at): &(u8, prop::sample::Index)| match (kind + class) % 3 {
                0 => Route::CombineForAll,
                1 => Route::CombineFor(places[*at.get(&members)]),
                _ => Route::Broadcast(places[*at.get(&members)]),
            };
            let operations = if members.is_empty() { vec![] } else { kinds[..count].iter().map(operation).collect() };
            let barriers = if members.is_empty() { 0 } else { 5 };
            let members = members.into_iter().map(|core| Member { core, ..Member::default() }).collect();
            Group { name: RouteName::of_class(class.into()).unwrap(), members, operations, barriers }
        };
        let groups: Vec<Group> = (0..=others).map(group).collect();
        for group in groups.iter().skip(1).filter(|group| !group.members.is_empty()) {
            let cores = || group.members.iter().map(|member| (places[member.core], member.core as u32)).collect();
            let sum = group.members.iter().map(|member| name(member.core as u32)).fold(0, u64::wrapping_add);
            prop_assert_eq!(networks.define(group.name, cores), (group.members.len() as u32, sum));
        }
        let nodes = shape.nodes() as usize;
        let mut machine = Machine {
            collective: CollectiveNodes::new(&networks, 0, nodes),
            networks,
            cores: places,
            groups,
            seed,
        };
        let totals = machine.run();
        let places = &machine.cores;
        let (mut packets, mut releases) = ((0, 0), 0);
        for group in &machine.groups {
            let all = group.members.iter().map(|member| name(member.core as u32)).fold(0, u64::wrapping_add);
            for member in &group.members {
                prop_assert!(member.read.is_sorted_by_key(|packet| packet.index));
                for packet in &member.read {
                    let source = |place: CorePlace| places.iter().position(|core| *core == place).unwrap() as u32;
                    let right = match packet.route {
                        Route::Broadcast(from) => (1, name(source(from))),
                        Route::CombineForAll | Route::CombineFor(_) => (group.members.len() as u32, all),
                    };
                    prop_assert_eq!((packet.contributions, packet.sum), right, "at {:?}", places[member.core]);
                }
            }
            let (injected, delivered) = expected(group);
            packets = (packets.0 + injected, packets.1 + delivered);
            releases += group.barriers;
        }
        prop_assert_eq!((totals.collective.tree_injected, totals.collective.tree_delivered), packets);
        prop_assert_eq!(totals.collective.releases, releases);
        for node in 0..nodes {
            prop_assert!(machine.collective.is_at_rest(&machine.networks, node), "node {}", node);
        }
    }
}

fn places(nodes: &[u32]) -> impl Iterator<Item = CorePlace> {
    nodes.iter().map(|&node| CorePlace { node, core: 0 })
}

#[test]
fn trees_are_complete() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let tree = |arity| Tree::new(&shape, &Faults::default(), arity);
    let all: Vec<u32> = (0..64).collect();
    let depths = |arity| {
        let tree = tree(arity);
        (tree.depth(63), ClassRoute::new(&tree, places(&all), Top::Root).greatest_depth(&tree))
    };
    assert_eq!([depths(1), depths(2), depths(3), depths(8)], [(63, 63), (6, 6), (4, 4), (2, 2)]);
    let binary = tree(2);
    assert_eq!((binary.parent(0), binary.parent(5), binary.parent(6)), (None, Some((2, 0)), Some((2, 1))));
    let whole = ClassRoute::new(&binary, places(&all), Top::Root);
    let children = whole.joint(&binary, 31).unwrap().children();
    assert_eq!(children.map(|which| binary.child(31, which)).collect::<Vec<_>>(), [63]);
}

/// The nodes of a route, and the greatest depth.
fn route(nodes: &[u32], top: Top) -> (Vec<u32>, u32) {
    let tree = Tree::new(&Shape::torus(&[4, 4, 4]).unwrap(), &Faults::default(), 2);
    let route = ClassRoute::new(&tree, places(nodes), top);
    let takes_part = |node: &u32| route.joint(&tree, *node).is_some();
    ((0..64).filter(takes_part).collect(), route.greatest_depth(&tree))
}

#[test]
fn a_class_route_is_the_smallest_subtree_that_joins_its_cores() {
    assert_eq!(route(&[20, 41], Top::Root), (vec![0, 1, 4, 9, 20, 41], 5));
    assert_eq!(route(&[20, 41], Top::OfSmallest), (vec![20, 41], 1));
    assert_eq!(route(&[19, 41], Top::OfSmallest), (vec![9, 19, 20, 41], 2));
    assert_eq!(route(&[3, 6], Top::OfSmallest), (vec![0, 1, 2, 3, 6], 2));
    assert_eq!(route(&[1, 17], Top::OfSmallest), (vec![1, 3, 8, 17], 3));
    assert_eq!(route(&[63], Top::OfSmallest), (vec![63], 0));
}
