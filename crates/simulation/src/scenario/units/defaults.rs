//! What follows from the link of a machine, where nothing states it.
//!
//! Presets of real machines state all of it. The machine of an architect, on the preset "generic", needs its rate and its
//! hop latency: credits then return as fast as packets come, and the buffer of one virtual channel (VC) holds what a link
//! carries until the first credits are back.

use super::HOP_LATENCY;
use input::Document;
use network::link::{LinkProtocol, MAX_RETRANSMITTED_PACKETS};
use network::parameters::{MAX_BUFFER_CHUNKS, MAX_CHUNKS};
use serde_json::Value;

/// The smallest chunk: that of Blue Gene's packets.
const LEAST_CHUNK_BYTES: u64 = 32;

/// The largest chunk that a machine may have.
const LARGEST_CHUNK_BYTES: u64 = 4096;

/// A full packet in memory, unless its size is stated (assumed, as in the models of others).
const PACKET_BYTES: u64 = 512;

const TOKEN_LATENCY: &str = "machine.router.token_latency_cycles";
const LINK_ERRORS: &str = "machine.link_errors";
const CHUNK: &str = "machine.packet.chunk_bytes";
const MAX_CHUNKS_OF_PACKET: &str = "machine.packet.max_chunks";

/// The buffers of VCs. Those that are not stated are equal to the first that is.
const BUFFERS: [&str; 3] = [
    "machine.router.dynamic_channel_bytes",
    "machine.router.escape_channel_bytes",
    "machine.router.high_priority_channel_bytes",
];

/// What a packet occupies on a link beyond its chunks.
const OVERHEADS: [&str; 3] =
    ["machine.packet.trailer_bytes", "machine.packet.token_ack_bytes", "machine.packet.gap_bytes"];

/// Sets the keys that follow from the link, as far as the document does not give them. Values of a wrong type count as 0
/// here, and are refused where they are read.
pub(crate) fn complete(document: &mut Document) {
    let hop = longest_hop(document);
    document.set_default(TOKEN_LATENCY, hop.into());
    let buffer = BUFFERS.iter().find_map(|key| number(document, key));
    let wanted = buffer.unwrap_or_else(|| round_trip_bytes(document, PACKET_BYTES));
    document.set_default(CHUNK, chunk_bytes(wanted, buffer.is_some()).into());
    let chunk = number(document, CHUNK).unwrap_or(0).max(1);
    document.set_default(MAX_CHUNKS_OF_PACKET, (PACKET_BYTES / chunk).clamp(1, MAX_CHUNKS.into()).into());
    let packet = chunk * number(document, MAX_CHUNKS_OF_PACKET).unwrap_or(0);
    let covering = round_trip_bytes(document, packet).max(2 * packet);
    let covering = covering.div_ceil(chunk).min(MAX_BUFFER_CHUNKS.into()) * chunk;
    for key in BUFFERS {
        document.set_default(key, buffer.unwrap_or(covering).into());
    }
    if document.get(LINK_ERRORS).is_some_and(Value::is_object) {
        complete_link_errors(document, packet);
    }
}

/// Sets the time-out and the retransmission FIFO of lossy links, where a round trip needs more than their defaults.
fn complete_link_errors(document: &mut Document, packet: u64) {
    let round_trip = round_trip_bytes(document, 2 * packet); // an acknowledgement waits for a packet on its way
    let bytes = (round_trip / packet.max(1)).clamp(1, MAX_RETRANSMITTED_PACKETS.into()) * packet;
    let defaults = LinkProtocol::default();
    for (key, needed, given, usual) in [
        ("timeout_cycles", round_trip, 2 * round_trip, defaults.timeout_cycles),
        ("retransmission_fifo_bytes", bytes, bytes, defaults.retransmission_fifo_bytes),
    ] {
        if needed > usual.into() {
            document.set_default(&format!("{LINK_ERRORS}.{key}"), given.into());
        }
    }
}

/// The bytes that a link carries from the start of a packet until the packet's credits are back.
fn round_trip_bytes(document: &Document, packet: u64) -> u64 {
    let overheads = OVERHEADS.iter().filter_map(|key| number(document, key)).sum::<u64>();
    let latencies = longest_hop(document) + number(document, TOKEN_LATENCY).unwrap_or(0);
    latencies + packet + overheads // a byte takes a cycle on the fastest link
}

/// The smallest chunk of which the credits of a buffer can be counted. Chunks divide a buffer whose size is stated.
fn chunk_bytes(buffer: u64, is_stated: bool) -> u64 {
    let mut chunk = LEAST_CHUNK_BYTES;
    let divides = |chunk: u64| !is_stated || buffer.is_multiple_of(chunk);
    while buffer > chunk * u64::from(MAX_BUFFER_CHUNKS) && chunk < LARGEST_CHUNK_BYTES && divides(2 * chunk) {
        chunk *= 2;
    }
    chunk
}

/// The longest of the hop latencies, in cycles.
fn longest_hop(document: &Document) -> u64 {
    match document.get(HOP_LATENCY) {
        Some(Value::Array(each)) => each.iter().filter_map(Value::as_u64).max(),
        other => other.and_then(Value::as_u64),
    }
    .unwrap_or(0)
}

fn number(document: &Document, key: &str) -> Option<u64> {
    document.get(key).and_then(Value::as_u64)
}
