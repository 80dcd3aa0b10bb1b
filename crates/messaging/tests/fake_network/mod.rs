//! A fake network for tests of the layers above: fixed latency, one link per core, and packets that overtake one
//! another.

use geometry::{Direction, Hops, Shape};
use network::checkpoint::{FrameReader, FrameWriter};
use network::counters::MAX_VCS;
use network::deadlock::Blockage;
use network::draws::mix;
use network::{Delivery, Engine, LinkCounters, NodeCounters, Posted, SoFar, Totals};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// A packet leaves after the earlier packets of its core. It takes `10 + 12 x hops + size` cycles and up to
/// `disorder_cycles` more.
pub struct FakeNetwork {
    shape: Shape,
    disorder_cycles: u64,
    now: u64,
    /// By node and core: the cycle at which the next packet can leave, and the number of packets sent.
    cores: Vec<[(u64, u64); 2]>,
    in_flight: BinaryHeap<Reverse<Delivery>>,
    /// Every packet that was posted, in order.
    pub posted: Vec<Posted>,
}

impl FakeNetwork {
    pub fn new(shape: &Shape, disorder_cycles: u64) -> Self {
        let cores = vec![[(0, 0); 2]; shape.nodes() as usize];
        let shape = shape.clone();
        FakeNetwork {
            shape,
            disorder_cycles,
            now: 0,
            cores,
            in_flight: BinaryHeap::new(),
            posted: Vec::new(),
        }
    }

    fn send(&mut self, packet: &Posted) {
        assert!(packet.ready >= self.now && packet.hops.total() > 0);
        let (free, sequence) = &mut self.cores[packet.node as usize][packet.core as usize];
        let start = packet.ready.max(*free);
        let size = 32 * u64::from(packet.chunks);
        let disorder = mix(*sequence ^ u64::from(packet.node) << 32) % (self.disorder_cycles + 1);
        *free = start + size + 14;
        *sequence += 1;
        let time = start + 10 + 12 * u64::from(packet.hops.total()) + size + disorder;
        let node = walk(&self.shape, packet.node, &packet.hops);
        self.in_flight.push(Reverse(Delivery { time, node, handle: packet.handle, chunks: packet.chunks }));
    }
}

fn walk(shape: &Shape, source: u32, hops: &Hops) -> u32 {
    let links = |direction: Direction| hops.0[direction.dimension()].unsigned_abs();
    hops.directions()
        .flat_map(|direction| std::iter::repeat_n(direction, links(direction) as usize))
        .fold(source, |node, direction| shape.neighbor(node, direction).expect("no edge on the way"))
}

impl Engine for FakeNetwork {
    fn now(&self) -> u64 {
        self.now
    }

    fn advance(&mut self, until: u64) {
        assert!(until >= self.now);
        self.now = until;
    }

    fn next_event(&self) -> Option<u64> {
        self.in_flight.peek().map(|Reverse(delivery)| delivery.time)
    }

    fn post(&mut self, packets: &[Posted]) {
        packets.iter().for_each(|packet| self.send(packet));
        self.posted.extend_from_slice(packets);
    }

    fn take_deliveries(&mut self) -> Vec<Delivery> {
        let mut due = Vec::new();
        while self.in_flight.peek().is_some_and(|Reverse(delivery)| delivery.time < self.now) {
            due.extend(self.in_flight.pop().map(|Reverse(delivery)| delivery));
        }
        due
    }

    fn totals(&mut self) -> Totals {
        Totals::default()
    }

    fn so_far(&self) -> SoFar {
        SoFar::default()
    }

    fn links(&self) -> Vec<LinkCounters> {
        Vec::new()
    }

    fn nodes(&mut self) -> Vec<NodeCounters> {
        Vec::new()
    }

    fn start_measurement(&mut self) {}

    fn find_deadlock(&mut self) -> Option<Blockage> {
        None
    }

    fn oldest_packet_age(&mut self) -> u64 {
        0
    }

    fn credits_out(&mut self) -> [u64; MAX_VCS] {
        [0; MAX_VCS]
    }

    fn save(&self, _: &mut FrameWriter<'_>) -> io::Result<()> {
        unreachable!("a fake network is not saved")
    }

    fn restore(&mut self, _: &mut FrameReader<'_>) -> io::Result<()> {
        unreachable!("a fake network is not saved")
    }

    fn undelivered(&self) -> Vec<u32> {
        self.in_flight.iter().map(|Reverse(delivery)| delivery.handle).collect()
    }

    fn state_bytes(&self) -> u64 {
        0
    }
}
