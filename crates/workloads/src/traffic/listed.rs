//! Traffic that a user lists: each node sends its flows; flows that begin at the same time take turns packet by
//! packet.
//!
//! ```text
//!   flows of a node, all from cycle 0, in order of length:   a: 1 packet   b: 2 packets   c: 4 packets
//!   its packets:                                              b c a | b c | c | c
//!                                         ends (cumulative):        3     5       7
//! ```
//!
//! The packet at a place follows from the ends by binary search, so that nothing is stored for packets.

use crate::bound::messages;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::flows::{Flow, Flows, Senders};
use crate::message_size::MessageSize;
use crate::options::{Priority, Routing};
use crate::plan::{Plan, PlannedTraffic};
use crate::targets::Route;
use crate::targets::flow_table::FlowTable;
use crate::traffic::finite::Message;
use crate::traffic::sender::{PacketDraws, Sender};
use base::draws::Purpose;
use base::permutation::Permutation;
use geometry::{MAX_DIMENSIONS, Preference};
use messaging::RankMap;
use network::{Lane, Offer, Source};
use std::sync::Arc;

/// The data that a node sends to a target.
#[derive(Clone, Copy, Debug)]
struct Entry {
    target: u32,
    /// Flows of the node that begin at the same time and have no fewer packets, this one included.
    alive: u32,
    message: Message,
    start: u64,
    /// Packets that the node has sent when the last of this flow is sent, if those after it in the list are as long.
    end: u64,
}

/// The generator of listed traffic.
struct ListedTraffic {
    /// The entries of each node, in order of start and length.
    entries: Vec<Entry>,
    firsts: Vec<usize>,
    smallest_chunks: u8,
    priority: Priority,
    sender: Sender,
}

impl ListedTraffic {
    /// The flow of packet `sequence` of a node, and the number of the packet in it.
    fn packet(&self, node: u32, draws: &PacketDraws) -> Option<(&Entry, u64)> {
        let entries = &self.entries[self.firsts[node as usize]..self.firsts[node as usize + 1]];
        let place = entries.partition_point(|entry| entry.end <= draws.sequence);
        let entry = entries.get(place)?;
        let before = place.checked_sub(1).map(|before| &entries[before]);
        let is_first = before.is_none_or(|before| before.alive == 1);
        let rounds = if is_first { 0 } else { before.map_or(0, |before| before.message.packets()) };
        let offset = draws.sequence - before.map_or(0, |before| before.end);
        let alive = u64::from(entry.alive);
        let order = Permutation::new(alive, draws.key.draw64(Purpose::Order, place as u64, 0));
        let taken = &entries[place + order.at(offset % alive) as usize];
        Some((taken, rounds + offset / alive))
    }
}

impl Source for ListedTraffic {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        if !self.priority.is_carried_by(lane.kind) {
            return None;
        }
        let draws = PacketDraws::new(self.sender.seed, lane, index);
        let (entry, packet) = self.packet(lane.node, &draws)?;
        let (route, chunks) = (Route::To(entry.target), entry.message.chunks(packet));
        let ready = previous_ready.max(entry.start);
        let high_priority = self.priority == Priority::High;
        Some(self.sender.offer(lane.node, &route, &draws, high_priority, chunks, ready))
    }

    fn smallest_chunks(&self) -> u8 {
        self.smallest_chunks
    }

    fn uses_high_priority(&self) -> bool {
        self.priority == Priority::High
    }
}

/// Sorts the flows of one node and counts their packets.
fn arrange(flows: &mut [Entry]) -> Option<()> {
    flows.sort_by_key(|flow| (flow.start, flow.message.packets()));
    let mut end = 0u64;
    for together in flows.chunk_by_mut(|a, b| a.start == b.start) {
        let (count, mut rounds) = (together.len() as u64, 0);
        for (place, flow) in (0..).zip(together) {
            flow.alive = (count - place) as u32;
            end = end.checked_add((flow.message.packets() - rounds).checked_mul(count - place)?)?;
            flow.end = end;
            rounds = flow.message.packets();
        }
    }
    Some(())
}

/// The flows of a table, by rank.
pub(crate) struct OfTable(pub Arc<FlowTable>);

impl Senders for OfTable {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        let flow = |&row: &u32| {
            let row = row as usize;
            Flow { target: self.0.target[row], bytes: self.0.bytes[row], messages: 1, hops: None }
        };
        self.0.of_source(source).iter().map(flow).filter(|flow| flow.bytes > 0).for_each(visit);
    }
}

/// The flows that the ranks of a table send.
pub(crate) fn flows_of(table: &Arc<FlowTable>, routing: Option<Routing>) -> Flows {
    let flows = Flows::of_ranks(table.ranks(), Vec::new(), 1, OfTable(table.clone()));
    Flows { routing, ..flows }
}

/// The plan in which nodes send the flows of the ranks that `map` places on them.
pub(crate) fn plan(
    context: &Context,
    table: &Arc<FlowTable>,
    map: RankMap,
    (routing, priority): (Routing, Priority),
) -> Result<Plan, WorkloadError> {
    routing.require_minimal()?;
    let format = &context.parameters.packet;
    let mut of_nodes: Vec<Vec<Entry>> = vec![Vec::new(); context.shape().nodes() as usize];
    let mut smallest_chunks = format.max_chunks;
    for row in 0..table.rows() {
        let [source, target] = [table.source[row], table.target[row]].map(|rank| map.place(rank).node);
        if source == target || table.bytes[row] == 0 {
            continue;
        }
        let message = Message::with_payload(table.bytes[row], format)?;
        smallest_chunks = smallest_chunks.min(message.smallest_chunks());
        let start = table.start(row as u32);
        of_nodes[source as usize].push(Entry { target, alive: 0, message, start, end: 0 });
    }
    let too_many = || WorkloadError::new("path", "more packets than can be counted");
    of_nodes.iter_mut().try_for_each(|flows| arrange(flows)).ok_or_else(too_many)?;
    let firsts = std::iter::once(0).chain(of_nodes.iter().scan(0, |sum, flows| {
        *sum += flows.len();
        Some(*sum)
    }));
    let firsts = firsts.collect();
    let ends = of_nodes.iter().filter_map(|flows| flows.last()).map(|flow| flow.end);
    let total_packets = ends.map(u128::from).sum::<u128>().try_into().map_err(|_| too_many())?;
    require(total_packets > 0, "mapping", || "every rank sends only to ranks of its own node".into())?;
    let traffic = ListedTraffic {
        entries: of_nodes.into_iter().flatten().collect(),
        firsts,
        smallest_chunks,
        priority,
        sender: Sender::new(context, routing, [Preference::Minimal; MAX_DIMENSIONS]),
    };
    let flows = flows_of(table, Some(routing));
    let size_of = |bytes: u64| {
        let message = Message::with_payload(bytes, format);
        message.map_or(MessageSize::default(), |message| message.size(format))
    };
    let bound = messages::bound_of_uneven(context.parameters, &flows, &map, size_of);
    Ok(Plan {
        bound: bound.map(|(bound, _)| bound),
        total_packets: Some(total_packets),
        mean_hops: bound.map(|(_, mean_hops)| mean_hops),
        flows: Some(flows),
        map: Some(map),
        ..Plan::of(PlannedTraffic::Generated(Arc::new(traffic)))
    })
}
