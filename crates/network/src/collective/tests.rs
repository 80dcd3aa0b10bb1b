//! The collective networks alone: cores write and read at random times, and nothing may be left when all has ended.

use super::*;
use crate::collective::tree::{CorePlace, Route, name};
use base::draws::mix;
use geometry::{Faults, Shape, WithoutCleanEscape};
use proptest::prelude::*;

/// A core: the packets that it has written and read, and whether it is reading.
#[derive(Clone, Default)]
struct Core {
    written: u32,
    read: Vec<Packet>,
    barriers: u64,
}

/// All cores, and the packets of operations that each of them writes and reads in order.
struct Machine {
    networks: Networks,
    collective: CollectiveNodes,
    cores: Vec<(CorePlace, Core)>,
    operations: Vec<Route>,
    seed: u64,
}

impl Machine {
    fn packet(&self, core: usize, index: usize) -> Option<Packet> {
        let route = self.operations[index];
        let packet = Packet::of(index as u32, index as u32, route, core as u32);
        match route {
            Route::Broadcast(source) => (source == self.cores[core].0).then_some(packet),
            Route::CombineForAll | Route::CombineFor(_) => Some(packet),
        }
    }

    /// A core acts at some of the cycles at which its node runs, drawn; returns whether it has acted.
    fn act(&mut self, core: usize, now: u64) -> bool {
        if mix(self.seed ^ mix(now) ^ core as u64).is_multiple_of(3) {
            return false;
        }
        let (parameters, route) = self.networks.tree.as_ref().unwrap();
        let (place, node) = (self.cores[core].0, self.cores[core].0.node as usize);
        let rank = route.core_rank(place.node, place.core.into());
        let mut acted = false;
        if let Some(packet) = self.collective.tree(node).unwrap().begin_read(rank) {
            self.collective.tree(node).unwrap().end_read(rank);
            self.cores[core].1.read.push(packet);
            acted = true;
        }
        // A rank writes the packets after a broadcast once the broadcast has come, and so does a core here.
        let next = self.cores[core].1.written as usize;
        if next < self.operations.len() {
            let awaits = self.operations[..next].iter().enumerate().rev().find(|(_, route)| match route {
                Route::Broadcast(source) => *source != place,
                Route::CombineForAll | Route::CombineFor(_) => false,
            });
            let has_come = awaits.is_none_or(|(index, _)| {
                self.cores[core].1.read.iter().any(|packet| packet.index == index as u32)
            });
            match self.packet(core, next) {
                _ if !has_come => {}
                None => {
                    self.cores[core].1.written += 1;
                    acted = true;
                }
                Some(packet) if self.collective.tree(node).unwrap().has_room(parameters, rank) => {
                    self.collective.tree(node).unwrap().begin_write(rank);
                    self.collective.tree(node).unwrap().write(rank, packet);
                    self.cores[core].1.written += 1;
                    acted = true;
                }
                Some(_) => {}
            }
        }
        if self.cores[core].1.barriers == self.collective.released(node) && self.cores[core].1.barriers < 5 {
            self.collective.raise(&self.networks, node, self.cores[core].1.barriers, now);
            self.cores[core].1.barriers += 1;
            acted = true;
        }
        acted
    }

    fn run(&mut self) -> Totals {
        let (mut totals, mut signals) = (Totals::default(), Vec::new());
        let nodes = self.collective.nodes.len();
        for now in 0..1_000_000 {
            for node in 0..nodes {
                self.collective.apply(&self.networks, node, now);
            }
            let acted = (0..self.cores.len()).fold(false, |acted, core| self.act(core, now) | acted);
            for node in 0..nodes {
                self.collective.begin(&self.networks, node, now);
            }
            self.collective.take(&mut signals, &mut totals);
            for signal in signals.drain(..) {
                assert!(signal.time >= now + u64::from(self.networks.min_latency_cycles()));
                self.collective.receive(signal.node as usize, &signal);
            }
            let is_idle = (0..nodes).all(|node| self.collective.next(node) == NEVER);
            let has_ended = self.cores.iter().all(|(place, core)| {
                let expected = self.operations.iter().filter(|route| match route {
                    Route::CombineForAll => true,
                    Route::CombineFor(target) => target == place,
                    Route::Broadcast(source) => source != place,
                });
                let has_written = core.written as usize == self.operations.len();
                has_written && core.read.len() == expected.count() && core.barriers == 5
            });
            if is_idle && has_ended && !acted {
                return totals;
            }
        }
        panic!("nothing moves any more");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// Every core reads each packet that is for it, in order, with the contributions of all or of its source.
    /// Afterwards all credits are back and all buffers are empty. As many packets have come out as have gone in.
    #[test]
    fn packets_and_credits_are_conserved(
        lengths in prop::collection::vec(1u32..=4, 1..=3), arity in 1u8..=8, wires in 1u8..5, hop in 1u32..20,
        buffer_packets in 1u8..4, fifo_packets in 1u8..4, taking in 1u64..=4, cores in 1u8..=3, count in 1usize..20,
        kinds in prop::collection::vec((0u8..3, any::<prop::sample::Index>()), 20), dead: bool, seed: u64,
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
            fifo_packets,
        };
        let interrupts =
            InterruptParameters { arity: 9 - arity, wires, up_latency_cycles: hop, down_latency_cycles: 21 - hop };
        let parameters = Parameters {
            tree: Some(tree), interrupts: Some(interrupts), faults, ..Parameters::bluegene_l(shape.clone(), 1)
        };
        let networks = Networks::new(&parameters, &participants).unwrap();
        let operations: Vec<Route> = kinds[..count].iter().map(|(kind, at)| match kind {
            0 => Route::CombineForAll,
            1 => Route::CombineFor(*at.get(&places)),
            _ => Route::Broadcast(*at.get(&places)),
        }).collect();
        let nodes = shape.nodes() as usize;
        let mut machine = Machine {
            collective: CollectiveNodes::new(&networks, 0, nodes),
            networks,
            cores: places.iter().map(|place| (*place, Core::default())).collect(),
            operations,
            seed,
        };
        let totals = machine.run();
        let all = (0..places.len() as u32).map(name).fold(0, u64::wrapping_add);
        let mut expected = (0, 0);
        for (place, core) in &machine.cores {
            prop_assert!(core.read.is_sorted_by_key(|packet| packet.index));
            for packet in &core.read {
                let source = |place: CorePlace| places.iter().position(|core| *core == place).unwrap() as u32;
                let right = match packet.route {
                    Route::Broadcast(from) => (1, name(source(from))),
                    Route::CombineForAll | Route::CombineFor(_) => (places.len() as u32, all),
                };
                prop_assert_eq!((packet.contributions, packet.sum), right, "at {:?}", place);
            }
            expected.1 += core.read.len() as u64;
        }
        for route in &machine.operations {
            expected.0 += match route {
                Route::Broadcast(_) => 1,
                Route::CombineForAll | Route::CombineFor(_) => places.len() as u64,
            };
        }
        prop_assert_eq!((totals.collective.tree_injected, totals.collective.tree_delivered), expected);
        prop_assert_eq!(totals.collective.releases, 5);
        for node in 0..nodes {
            prop_assert!(machine.collective.is_at_rest(&machine.networks, node), "node {}", node);
        }
    }
}

#[test]
fn trees_are_complete() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let route = |arity| ClassRoute::new(&shape, &Faults::default(), arity, &[1; 64]);
    let depths = |arity| (route(arity).depth(63), route(arity).greatest_depth());
    assert_eq!([depths(1), depths(2), depths(3), depths(8)], [(63, 63), (6, 6), (4, 4), (2, 2)]);
    let binary = route(2);
    assert_eq!((binary.parent(0), binary.parent(5), binary.parent(6)), (None, Some((2, 0)), Some((2, 1))));
    assert_eq!(binary.children(31).map(|which| binary.child(31, which)).collect::<Vec<_>>(), [63]);
    let mut cores = [0; 64];
    (cores[20], cores[41]) = (1, 0b101);
    let few = ClassRoute::new(&shape, &Faults::default(), 2, &cores);
    let taking: Vec<u32> = (0..64).filter(|&node| few.takes_part(node)).collect();
    assert_eq!((taking, few.participants(), few.greatest_depth()), (vec![0, 1, 4, 9, 20, 41], 3, 5));
}
