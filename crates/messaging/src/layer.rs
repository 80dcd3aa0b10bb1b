//! The driver: it connects ranks to an engine and advances time.
//!
//! A step runs from the earliest event to at most `polling_interval_cycles` later. The ranks due in the step return
//! operations, their packets are posted, the engine advances, and its deliveries become events of later steps. Events
//! are ordered by (time, rank), and those of one rank and cycle by source and the source's sequence number. The order
//! never uses handles, because they depend on when a row became free.

use crate::in_flight::{InFlight, InFlightMessage};
use crate::packetizer::{MAX_MESSAGE_BYTES, Outgoing};
use crate::{Completion, Envelope, Message, Operation, Packetizer, Parameters, Place, RankMap, Ranks};
use network::parameters::ParameterError;
use network::{Delivery, Engine, Posted, Traffic};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Why a rank continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum EventKind {
    /// A message for the rank; `sequence` counts the messages of its source.
    Arrived { source: u32, sequence: u64, message: Message },
    /// The rank starts, or its computation has ended.
    Ready,
}

/// An event of a rank. Events are ordered by their fields in this sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Event {
    time: u64,
    rank: u32,
    kind: EventKind,
}

/// A packet at a relay, where software forwards it around dead nodes and links. Packets are ordered by their fields in
/// this sequence; the fields before `handle` already determine the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct RelayedPacket {
    time: u64,
    node: u32,
    source: u32,
    sequence: u64,
    chunks: u8,
    handle: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum RankStatus {
    Computing,
    Waiting,
    Finished,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RankState {
    status: RankStatus,
    /// Messages sent so far.
    sequence: u64,
    compute_cycles: u64,
    finish_time: Option<u64>,
    /// Messages that arrived while the rank was busy.
    inbox: Vec<Completion>,
}

impl RankState {
    /// Whether a restored state can be that of one of `ranks` ranks.
    fn can_be_restored(&self, ranks: u32) -> bool {
        let is_finished = self.status == RankStatus::Finished;
        self.sequence < MOST_MESSAGES
            && self.finish_time.is_some() == is_finished
            && self.inbox.iter().all(|Completion::Arrived(message)| message.can_be_restored(ranks))
    }
}

/// More messages than any run has: sums of such counts, and of their bytes, do not overflow.
const MOST_MESSAGES: u64 = 1 << 32;

/// Counters of the layer since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Messages sent.
    pub messages_sent: u64,
    /// Messages delivered to their receivers, including receivers that had finished.
    pub messages_received: u64,
    /// Bytes of the messages sent.
    pub bytes_sent: u64,
    /// Bytes of the messages received.
    pub bytes_received: u64,
    /// Packets posted to the network; messages within a node need none.
    pub packets_sent: u64,
    /// Packets that the network has delivered to the nodes of their targets.
    pub packets_received: u64,
}

impl Totals {
    /// Whether no more has been received than sent, and no count is near its limit.
    fn are_consistent(&self) -> bool {
        self.messages_received <= self.messages_sent
            && self.bytes_received <= self.bytes_sent
            && self.packets_received <= self.packets_sent
            && self.messages_sent < MOST_MESSAGES
            && self.bytes_sent <= MOST_MESSAGES * MAX_MESSAGE_BYTES
            && self.packets_sent <= MOST_MESSAGES * MAX_MESSAGE_BYTES
    }
}

/// Ranks that can never continue: no event and no message in flight is left, yet they have not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The rank that has waited longest, the lowest of equals.
    pub rank: u32,
    /// The cycle since which it has been waiting.
    pub since: u64,
    /// What it is waiting for, in words.
    pub waiting_for: String,
    /// Number of ranks that can never continue.
    pub ranks: u32,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Events remain.
    Running,
    /// All ranks have finished and all messages have arrived.
    Finished,
    /// Some ranks can never continue.
    Stuck(Stuck),
    /// The network holds messages but none can move: it is deadlocked, and [`Engine::find_deadlock`] reports where.
    Undelivered {
        /// Number of these messages.
        messages: u32,
    },
}

/// Messages, ranks and their events, on top of an engine whose traffic is [`MessageLayer::traffic`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MessageLayer {
    polling_interval_cycles: u64,
    map: RankMap,
    packetizer: Packetizer,
    in_flight: InFlight,
    events: BinaryHeap<Reverse<Event>>,
    relays: BinaryHeap<Reverse<RelayedPacket>>,
    ranks: Vec<RankState>,
    unfinished: u32,
    totals: Totals,
    /// Packets of the step in progress.
    #[serde(skip)]
    packets: Vec<Posted>,
    /// Operations of the rank being resumed.
    #[serde(skip)]
    operations: Vec<Operation>,
}

impl MessageLayer {
    /// A layer whose ranks all start at cycle 0.
    ///
    /// # Errors
    /// The first of the layer's parameters outside its range.
    pub fn new(
        network: &network::Parameters,
        parameters: &Parameters,
        map: RankMap,
    ) -> Result<Self, ParameterError> {
        parameters.check(&network.packet)?;
        let ranks = map.ranks();
        let begin = |rank| Reverse(Event { time: 0, rank, kind: EventKind::Ready });
        let state = RankState {
            status: RankStatus::Computing,
            sequence: 0,
            compute_cycles: 0,
            finish_time: None,
            inbox: Vec::new(),
        };
        Ok(MessageLayer {
            polling_interval_cycles: parameters.polling_interval_cycles.into(),
            packetizer: Packetizer::new(network, parameters),
            map,
            in_flight: InFlight::default(),
            events: (0..ranks).map(begin).collect(),
            relays: BinaryHeap::new(),
            ranks: vec![state; ranks as usize],
            unfinished: ranks,
            totals: Totals::default(),
            packets: Vec::new(),
            operations: Vec::new(),
        })
    }

    /// Whether a restored layer can continue for `new`, one for the same machine and ranks, above a restored `engine`.
    pub fn can_continue(&self, new: &MessageLayer, engine: &dyn Engine) -> bool {
        let (ranks, now) = (self.map.ranks(), engine.now());
        let relayed = self.relays.iter().map(|Reverse(packet)| packet.handle);
        let is_unfinished = |state: &&RankState| state.status != RankStatus::Finished;
        (self.polling_interval_cycles, &self.map) == (new.polling_interval_cycles, &new.map)
            && self.packetizer.can_continue(&new.packetizer)
            && self.in_flight.can_be_restored(ranks, |bytes| self.packetizer.packets(bytes))
            && self.in_flight.expects(engine.undelivered().into_iter().chain(relayed))
            && self.relays.iter().all(|Reverse(packet)| self.can_restore_relayed(packet, new, now))
            && self.ranks.len() == ranks as usize
            && self.ranks.iter().all(|state| state.can_be_restored(ranks))
            && self.unfinished as usize == self.ranks.iter().filter(is_unfinished).count()
            && self.can_restore_events(now)
            && self.totals.are_consistent()
    }

    fn can_restore_relayed(&self, packet: &RelayedPacket, new: &MessageLayer, now: u64) -> bool {
        let nodes = new.packetizer.nodes();
        packet.time >= now
            && packet.node < nodes
            && (1..=self.packetizer.max_chunks()).contains(&packet.chunks)
            && self.map.place(self.in_flight.message(packet.handle).target).node != packet.node
    }

    /// Whether each event is of a rank, and those that compute, and no others, have one at which they are ready.
    fn can_restore_events(&self, now: u64) -> bool {
        let ranks = self.map.ranks();
        let mut computing: Vec<bool> =
            self.ranks.iter().map(|state| state.status == RankStatus::Computing).collect();
        let can_happen = |Reverse(event): &Reverse<Event>| {
            let Event { time, rank, kind } = *event;
            time >= now
                && rank < ranks
                && match kind {
                    EventKind::Ready => std::mem::take(&mut computing[rank as usize]),
                    EventKind::Arrived { message, source, .. } => {
                        source == message.source && message.can_be_restored(ranks)
                    }
                }
        };
        self.events.iter().all(can_happen) && !computing.contains(&true)
    }

    /// The traffic that the engine below must expect.
    pub fn traffic(&self) -> Traffic {
        Traffic::Posted { smallest_chunks: self.packetizer.chunks(0), high_priority: false }
    }

    /// Simulates the cycles before `until`, or up to the end of the run if that comes first.
    ///
    /// Every call must pass the same engine, and nothing else may post packets to it.
    pub fn advance<R: Ranks + ?Sized>(
        &mut self,
        engine: &mut dyn Engine,
        ranks: &mut R,
        until: u64,
    ) -> Progress {
        loop {
            let next = self.next_event(engine);
            let progress = self.progress(next, ranks);
            if progress != Progress::Running || engine.now() >= until {
                return progress;
            }
            let lookahead_end = next
                .map_or(until, |next| next.max(engine.now()).saturating_add(self.polling_interval_cycles));
            self.step(engine, ranks, lookahead_end.min(until));
        }
    }

    /// Counters since the start of the run.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The cycle at which `rank` finished, if it has.
    pub fn finish_time(&self, rank: u32) -> Option<u64> {
        self.ranks[rank as usize].finish_time
    }

    /// The cycle at which the last rank finished, or none while some rank has not.
    pub fn last_finish_time(&self) -> Option<u64> {
        let times = self.ranks.iter().map(|state| state.finish_time);
        times.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Compute cycles of `rank` so far, including all cycles of a computation in progress.
    pub fn compute_cycles(&self, rank: u32) -> u64 {
        self.ranks[rank as usize].compute_cycles
    }

    /// Where each rank runs.
    pub fn map(&self) -> &RankMap {
        &self.map
    }

    fn next_event(&self, engine: &dyn Engine) -> Option<u64> {
        let rank_event = self.peek_event().map(|event| event.time);
        let relay = self.relays.peek().map(|Reverse(packet)| packet.time);
        [rank_event, relay, engine.next_event()].into_iter().flatten().min()
    }

    fn progress<R: Ranks + ?Sized>(&self, next: Option<u64>, ranks: &R) -> Progress {
        let messages = self.in_flight.count();
        // Credits may still return after the last message: that ends nothing, and engines differ in when they notice.
        match (messages, next) {
            (0, _) if self.events.is_empty() && self.unfinished == 0 => Progress::Finished,
            (0, _) if self.events.is_empty() => Progress::Stuck(self.stuck(ranks)),
            (_, Some(_)) => Progress::Running,
            (_, None) => Progress::Undelivered { messages },
        }
    }

    fn stuck<R: Ranks + ?Sized>(&self, ranks: &R) -> Stuck {
        let waiting = (0u32..).zip(&self.ranks).filter(|(_, state)| state.status == RankStatus::Waiting);
        let (rank, longest) = waiting
            .map(|(rank, _)| (rank, ranks.waiting(rank)))
            .min_by_key(|(_, waiting)| waiting.since)
            .expect("an unfinished rank without an event is waiting");
        Stuck { rank, since: longest.since, waiting_for: longest.what, ranks: self.unfinished }
    }

    fn step<R: Ranks + ?Sized>(&mut self, engine: &mut dyn Engine, ranks: &mut R, end: u64) {
        while let Some(Event { time, rank, .. }) = self.peek_event().filter(|event| event.time < end) {
            self.take_events(time, rank);
            self.resume(time, rank, ranks);
        }
        self.relay(end);
        engine.post(&self.packets);
        self.packets.clear();
        engine.advance(end);
        self.take_deliveries(engine);
    }

    /// Forwards the packets that relays receive before `end`, each from the first core of its node.
    fn relay(&mut self, end: u64) {
        while let Some(Reverse(packet)) =
            self.relays.peek().copied().filter(|Reverse(packet)| packet.time < end)
        {
            self.relays.pop();
            let RelayedPacket { time: ready, node, chunks, handle, .. } = packet;
            let target = self.map.place(self.in_flight.message(handle).target);
            let outgoing = Outgoing { source: Place { node, core: 0 }, target, ready, bytes: 0, handle };
            self.packets.push(self.packetizer.relay(&outgoing, chunks));
        }
    }

    /// Takes all events of `rank` at `time` from the queue; its messages go to its inbox.
    fn take_events(&mut self, time: u64, rank: u32) {
        while let Some(event) = self.peek_event().filter(|event| (event.time, event.rank) == (time, rank)) {
            self.events.pop();
            match event.kind {
                EventKind::Ready => self.ranks[rank as usize].status = RankStatus::Waiting,
                EventKind::Arrived { message, .. } => self.receive(rank, message),
            }
        }
    }

    fn peek_event(&self) -> Option<Event> {
        self.events.peek().map(|Reverse(event)| *event)
    }

    fn receive(&mut self, rank: u32, message: Message) {
        self.totals.messages_received += 1;
        self.totals.bytes_received += message.bytes;
        let state = &mut self.ranks[rank as usize];
        if state.status != RankStatus::Finished {
            state.inbox.push(Completion::Arrived(message));
        }
    }

    fn resume<R: Ranks + ?Sized>(&mut self, time: u64, rank: u32, ranks: &mut R) {
        if self.ranks[rank as usize].status != RankStatus::Waiting {
            return;
        }
        let mut operations = std::mem::take(&mut self.operations);
        let inbox = &mut self.ranks[rank as usize].inbox;
        ranks.resume(rank, time, inbox, &mut operations);
        inbox.clear();
        self.perform(time, rank, &operations);
        operations.clear();
        self.operations = operations;
    }

    fn perform(&mut self, time: u64, rank: u32, operations: &[Operation]) {
        let mut clock = time;
        for &operation in operations {
            match operation {
                Operation::Send { target, bytes, envelope } => {
                    self.send(clock, rank, target, bytes, envelope)
                }
                Operation::Compute { cycles } => {
                    clock = clock.saturating_add(cycles);
                    self.compute(rank, cycles);
                }
                Operation::Finish => return self.finish(clock, rank),
            }
        }
        if self.ranks[rank as usize].status == RankStatus::Computing {
            self.events.push(Reverse(Event { time: clock, rank, kind: EventKind::Ready }));
        }
    }

    fn compute(&mut self, rank: u32, cycles: u64) {
        let state = &mut self.ranks[rank as usize];
        state.compute_cycles = state.compute_cycles.saturating_add(cycles);
        state.status = RankStatus::Computing;
    }

    fn finish(&mut self, time: u64, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        state.status = RankStatus::Finished;
        state.finish_time = Some(time);
        self.unfinished -= 1;
    }

    fn send(&mut self, ready: u64, source: u32, target: u32, bytes: u64, envelope: Envelope) {
        assert!(target < self.map.ranks(), "rank {source} sends to rank {target}, which does not exist");
        assert!(bytes <= MAX_MESSAGE_BYTES, "rank {source} sends a message of {bytes} bytes");
        let sequence = self.ranks[source as usize].sequence;
        self.ranks[source as usize].sequence += 1;
        self.totals.messages_sent += 1;
        self.totals.bytes_sent += bytes;
        let message = Message { source, bytes, envelope };
        let places = (self.map.place(source), self.map.place(target));
        let packets_left = self.packetizer.packets(bytes);
        let sent = InFlightMessage { target, sequence, packets_left, message };
        if places.0.node == places.1.node {
            return self.announce(ready, &sent);
        }
        let handle = self.in_flight.insert(sent);
        self.totals.packets_sent += packets_left;
        let outgoing = Outgoing { source: places.0, target: places.1, ready, bytes, handle };
        self.packetizer.packetize(&outgoing, &mut self.packets);
    }

    /// Schedules the arrival of a message that is complete at its target at `time`: the rank sees it one polling
    /// interval later.
    fn announce(&mut self, time: u64, sent: &InFlightMessage) {
        let InFlightMessage { target, sequence, message, .. } = *sent;
        let kind = EventKind::Arrived { source: message.source, sequence, message };
        self.events.push(Reverse(Event {
            time: time.saturating_add(self.polling_interval_cycles),
            rank: target,
            kind,
        }));
    }

    fn take_deliveries(&mut self, engine: &mut dyn Engine) {
        for delivery in engine.take_deliveries() {
            let message = self.in_flight.message(delivery.handle);
            if self.map.place(message.target).node != delivery.node {
                let (source, sequence) = (message.message.source, message.sequence);
                let time = delivery.time.saturating_add(self.polling_interval_cycles);
                let Delivery { node, chunks, handle, .. } = delivery;
                self.relays.push(Reverse(RelayedPacket { time, node, source, sequence, chunks, handle }));
                continue;
            }
            self.totals.packets_received += 1;
            if let Some(sent) = self.in_flight.count_packet(delivery.handle) {
                self.announce(delivery.time, &sent);
            }
        }
    }
}
