//! Parameters of the message layer's software: the sizes of its packets, its protocol, and what everything costs.
//!
//! # To add a cost
//!
//! 1. A field of `Parameters`, with its values in `default` and the sets of costs, each with its source. Its
//!    doc comment is what users see, as scenarios are read as this type.
//! 2. Its row in `costs.rs`, which the compiler asks for: the activity and the layer that take it.
//! 3. The place where the time is spent: `setup`, `dispatch` or `once` of a `Protocol` (`protocol/`); where a task
//!    begins, in `scheduler/reading.rs` or `scheduler/writing.rs`; or in a call (`Costs` in `mpi/src/ranks.rs`).
//!    `simulation/tests/mpi_on_engines/costs.rs` asks for it. It compares the activity too.
//! 4. If the place is no `Protocol`: the sum for a message, from which the fluid engine has its times, in
//!    `prediction/message_costs.rs`. `tests/layer.rs` asks for it. It compares the layer too.
//! 5. A row in `docs/models/messages.md`: `tests/test_pages.py` asks for it.
//!
//! What has an effect only on some machines or with another key is a field of `Choices`
//! (`simulation/src/scenario/messaging.rs`) instead.

pub mod call_costs;
mod costs;
pub mod message_protocol;
pub mod offsets;

use base::{ParameterError, describe_words};
use call_costs::{CallCosts, CallKind};
use costs::Activity;
use message_protocol::MessageProtocol;
use network::parameters::{FifoChoice, FifoSize, PacketFormat, USUAL_HEADER_BYTES};
use offsets::CyclesByOffset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The second core of a node as a co-processor: it moves packets between FIFOs and memory for the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coprocessor {
    /// Processor cycles in which a core copies a chunk to or from the scratchpad that both share; none if packets are not
    /// copied, and cores keep their caches coherent by software instead.
    pub scratchpad_processor_cycles_per_chunk: Option<u32>,
    /// Processor cycles from the end of a core's part until the other can go on with a packet.
    pub handover_processor_cycles: u32,
    /// Processor cycles in which the first core flushes or invalidates the cache lines of a chunk that is not copied.
    pub flush_processor_cycles_per_chunk: u32,
}

/// The DMA engine of a node: it moves packets between memory and the FIFOs of the torus for all cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dma {
    /// Processor cycles in which it moves a chunk of a packet, in either direction.
    pub processor_cycles_per_chunk: u32,
    /// Descriptors that the injection FIFO of a core, in memory, holds.
    pub injection_fifo_descriptors: u32,
    /// Processor cycles in which a core writes a descriptor.
    pub descriptor_processor_cycles: u32,
    /// Processor cycles from an interrupt, as there is room for descriptors again, until a core that computes writes them.
    pub interrupt_processor_cycles: u32,
}

impl Dma {
    /// Processor cycles in which the engine moves a packet.
    pub fn packet(&self, chunks: u8) -> u64 {
        u64::from(self.processor_cycles_per_chunk) * u64::from(chunks)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let key = "machine.dma.injection_fifo_descriptors";
        range(key, self.injection_fifo_descriptors, 1, MAX_DESCRIPTORS)
    }
}

/// When the contents of FIFOs interrupt a core that computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watermark {
    /// The bytes of packets at which the core is interrupted.
    pub bytes: u32,
    /// Processor cycles until the core begins to read or to write.
    pub interrupt_processor_cycles: u32,
}

// Scenarios are read as this type: its doc comments and names are what users see. Sources: S40 to S47 in the papers'
// slides of October 2003. The sums are from the slides; how a layer's sum is divided is assumed.
/// Costs and sizes of the message layer. Costs are processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parameters {
    /// How messages are sent. Default: "eager-deterministic" for "october-2003" and "bluegene-p", otherwise
    /// "eager-adaptive".
    #[schemars(transform = describe_words)]
    pub protocol: MessageProtocol,
    /// Least length of messages that are sent by rendezvous whatever the protocol, in bytes. Default: 1201 for
    /// "bluegene-p" (from memory), otherwise none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendezvous_from_bytes: Option<u64>,
    /// Eager messages that a rank can have sent to another before that has matched them with receives. Default: any
    /// number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_credits: Option<u32>,
    /// Message credits that a rank lends to those of its peers that send it many messages, in addition to `message_credits`
    /// of each. Default: 0; a connection keeps the number of its credits.
    pub message_credit_pool: u32,
    /// Memory of a rank for eager messages without a receive, in bytes. Default: 64 MB for "october-2003", otherwise
    /// without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexpected_limit_bytes: Option<u64>,
    /// Software header of each packet of an eager message, in bytes. Default: 32 for "october-2003" (224 bytes of payload),
    /// 16 for "bluegene-p", otherwise `machine.packet.header_bytes`.
    pub header_bytes: u32,
    /// Software header of each packet of the body of a rendezvous message, in bytes. Default: 16; without costs
    /// `machine.packet.header_bytes`.
    pub rendezvous_header_bytes: u32,
    /// Envelope of a message, in bytes. Default: 32 for "october-2003", otherwise 0.
    pub envelope_bytes: u32,
    /// Whether all packets are of full size. Default: true for "october-2003", otherwise false.
    pub full_packets: bool,
    /// Unit of addresses at which packets are read and written, in bytes. Default: 16 for "october-2003", otherwise 1.
    pub alignment_bytes: u32,
    /// Bytes by which send buffers lie behind an aligned address. Default: 0.
    pub send_offset_bytes: u32,
    /// Bytes by which receive buffers lie behind an aligned address. Default: 0.
    pub receive_offset_bytes: u32,
    /// Whether a packet is left in its FIFO, but for the first chunk, until its destination is known; otherwise it is read
    /// and then copied. Default: true.
    pub partial_packets: bool,
    /// Time from the last packet of a message being read until its rank sees the message, in network cycles. Default: 1 for
    /// "october-2003", where polling is part of the costs, otherwise 12.
    pub polling_interval_cycles: u32,
    /// Time in which a core writes a packet to an injection FIFO, in processor cycles: packet layer. Default: 60 for
    /// "october-2003", otherwise 0.
    pub write_processor_cycles: u32,
    /// Time in which a core writes each chunk of the packet, in processor cycles, in addition to
    /// `write_processor_cycles`. Default: 0.
    pub write_processor_cycles_per_chunk: u32,
    /// Time in which a core reads a packet from a reception FIFO, in processor cycles: packet layer. Default: 204 for
    /// "october-2003", otherwise 0.
    pub read_processor_cycles: u32,
    /// Time in which a core reads each chunk of the packet, in processor cycles, in addition to
    /// `read_processor_cycles`. Default: 0.
    pub read_processor_cycles_per_chunk: u32,
    /// Time in which a core handles a packet of an eager message in addition to reading it, in processor cycles: packet
    /// layer. Default: 146 for "october-2003" (350 with reading), otherwise 0.
    pub eager_processor_cycles: u32,
    /// Time in which a core prepares FIFOs for a message, in processor cycles: packet layer. Default: 137 for
    /// "october-2003" (fitted), otherwise 0.
    pub setup_processor_cycles: u32,
    /// Time in which a core finds the first packet of a message and dispatches it, in processor cycles: packet layer.
    /// Default: 273 for "october-2003" (fitted), otherwise 0.
    pub dispatch_processor_cycles: u32,
    /// Time in which a core queues a message, in processor cycles: message layer. Default: 183 for "october-2003" (fitted),
    /// otherwise 0.
    pub send_processor_cycles: u32,
    /// Time in which a core handles a new message, in processor cycles: message layer. Default: 182 for "october-2003"
    /// (fitted), otherwise 0.
    pub receive_processor_cycles: u32,
    /// Time from the call of a rank until it takes effect, in processor cycles: MPI. One number, or a table by kind of call,
    /// such as {all = 48, wait = 20}. Default: 245 for "october-2003", 400 for "bluegene-p"; for "none", 48
    /// for kernels, collectives and programs, and 0 for ping-pong and traces. For programs it is at least a window of the machine.
    pub call_processor_cycles: CallCosts,
    /// Time in which a message is matched with a receive, in processor cycles: MPI. Default: 245 for "october-2003"
    /// (fitted), otherwise 0.
    pub match_processor_cycles: u32,
    /// Time in which a receive is completed, in processor cycles: MPI. Default: 245 for "october-2003" (fitted),
    /// otherwise 0.
    pub complete_processor_cycles: u32,
    /// Time in which a chunk of a message that has waited for its receive is copied, in processor cycles. Default: 16 for
    /// "october-2003" (assumed: 2 bytes a cycle, as from the scratchpad), otherwise 0.
    pub copy_processor_cycles_per_chunk: u32,
    /// Time in which a byte of an operand of a reduction is combined with another, in processor cycles: MPI. Default: 0.
    pub combine_processor_cycles_per_byte: u32,
    /// Time in which a block of data that do not lie in one piece is packed or unpacked, in processor cycles: MPI. Default: 0.
    pub noncontiguous_processor_cycles_per_block: u32,
    /// Time in which a packet is re-aligned if send and receive buffers have other offsets, in processor cycles. Default:
    /// 128 for "october-2003" (assumed: a copy at 2 bytes a cycle; the slides' figure is lost), otherwise 0.
    pub realign_processor_cycles: u32,
    /// Time in which a packet is re-aligned in addition, in processor cycles, by the bytes by which its data are shifted: a list
    /// with a number for each offset from 0 to `alignment_bytes` - 1, at most 32 numbers, of which the first is 0. Default:
    /// none; the time is the same for all offsets.
    #[serde(default, skip_serializing_if = "CyclesByOffset::is_empty")]
    pub realign_processor_cycles_by_offset: CyclesByOffset,
    /// Time in which a core writes a packet to the tree network, in processor cycles. Default: 60 for "october-2003" (assumed:
    /// as to the torus), otherwise 0.
    pub tree_write_processor_cycles: u32,
    /// Time in which a core reads a packet of the tree network, in processor cycles. Default: 204 for "october-2003" (assumed:
    /// as of the torus), otherwise 0.
    pub tree_read_processor_cycles: u32,
    /// Time in which a core raises a wire of the global interrupts, or sees that it has been released, in processor cycles.
    /// Default: 100 for "october-2003" (assumed), otherwise 0.
    pub wire_processor_cycles: u32,
    /// How MPI carries out collectives whose algorithm is not named, on MPI_COMM_WORLD and on communicators that have a class
    /// route (machine.tree.class_routes) or a wire (machine.interrupts.communicator_wires): "torus" (by messages) or
    /// "all-networks" (barriers by the global interrupts; barriers, broadcasts and reductions on the tree network, where
    /// the machine has them). Default: "torus".
    pub world_collectives: WorldCollectives,
    /// Whether packets are read and written while the rank of their core computes. Default: true if writing and reading
    /// take no time.
    pub reads_while_computing: bool,
    /// The contents of reception FIFOs from which on a core that computes is interrupted to read, if any.
    #[serde(skip)]
    pub watermark: Option<Watermark>,
    /// The contents of an injection FIFO down to which a core that computes is interrupted to write what had no room, if any.
    #[serde(skip)]
    pub injection_watermark: Option<Watermark>,
    /// The co-processor of each core, if it has one.
    #[serde(skip)]
    pub coprocessor: Option<Coprocessor>,
    /// The DMA engine of each node, if it has one.
    #[serde(skip)]
    pub dma: Option<Dma>,
    /// Network cycles from the sending of data until their first packet can be written, in which no core is busy.
    #[serde(skip)]
    pub transfer_start_cycles: u32,
}

/// How MPI carries out the collectives on MPI_COMM_WORLD, and on communicators with a class route or a wire, whose
/// algorithm is not named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorldCollectives {
    /// By messages on the torus.
    #[default]
    Torus,
    /// On the tree network and by the global interrupts, where the machine has these and they can.
    AllNetworks,
}

impl Default for Parameters {
    /// 240 of a packet's 256 bytes are payload, the polling interval is the latency of one hop, and nothing else costs
    /// time.
    fn default() -> Self {
        Parameters {
            protocol: MessageProtocol::EagerAdaptive,
            rendezvous_from_bytes: None,
            message_credits: None,
            message_credit_pool: 0,
            unexpected_limit_bytes: None,
            header_bytes: USUAL_HEADER_BYTES,
            rendezvous_header_bytes: USUAL_HEADER_BYTES,
            envelope_bytes: 0,
            full_packets: false,
            alignment_bytes: 1,
            send_offset_bytes: 0,
            receive_offset_bytes: 0,
            partial_packets: true,
            polling_interval_cycles: 12,
            write_processor_cycles: 0,
            write_processor_cycles_per_chunk: 0,
            read_processor_cycles: 0,
            read_processor_cycles_per_chunk: 0,
            eager_processor_cycles: 0,
            setup_processor_cycles: 0,
            dispatch_processor_cycles: 0,
            send_processor_cycles: 0,
            receive_processor_cycles: 0,
            call_processor_cycles: CallCosts::default(),
            match_processor_cycles: 0,
            complete_processor_cycles: 0,
            copy_processor_cycles_per_chunk: 0,
            combine_processor_cycles_per_byte: 0,
            noncontiguous_processor_cycles_per_block: 0,
            realign_processor_cycles: 0,
            realign_processor_cycles_by_offset: CyclesByOffset::default(),
            tree_write_processor_cycles: 0,
            tree_read_processor_cycles: 0,
            wire_processor_cycles: 0,
            world_collectives: WorldCollectives::Torus,
            reads_while_computing: true,
            watermark: None,
            injection_watermark: None,
            coprocessor: None,
            dma: None,
            transfer_start_cycles: 0,
        }
    }
}

impl Parameters {
    /// MPI on Blue Gene/L in October 2003, in heater mode (slides; rows S40 to S47). The slides give 60 processor
    /// cycles to write a packet, 204 to read it and 350 to read and handle one of an eager message. They also give
    /// shares of a latency of 3,000 for the layers: 29 % for packets, 13 % for messages, 26 % for MPI. The rest of the
    /// first after writing and reading, 410, and the other two, 365 and 735, are costs of a message. How each is
    /// divided between sender and receiver is assumed.
    pub fn october_2003() -> Self {
        Parameters {
            protocol: MessageProtocol::EagerDeterministic,
            unexpected_limit_bytes: Some(UNEXPECTED_LIMIT_BYTES),
            header_bytes: 32,
            envelope_bytes: 32,
            full_packets: true,
            alignment_bytes: 16,
            polling_interval_cycles: 1,
            write_processor_cycles: 60,
            read_processor_cycles: 204,
            eager_processor_cycles: 146,
            setup_processor_cycles: 137,
            dispatch_processor_cycles: 273,
            send_processor_cycles: 183,
            receive_processor_cycles: 182,
            call_processor_cycles: CallCosts::from(245),
            match_processor_cycles: 245,
            complete_processor_cycles: 245,
            // Assumed: 2 bytes a cycle, the speed of the scratchpad (S47).
            copy_processor_cycles_per_chunk: 16,
            // Assumed: a copy of a packet; the figure of the slides is lost.
            realign_processor_cycles: 128,
            // Assumed: a packet of the tree network is as long as one of the torus, and passes the same registers.
            tree_write_processor_cycles: 60,
            tree_read_processor_cycles: 204,
            // Assumed: two accesses to a register outside the core, in a loop.
            wire_processor_cycles: 100,
            reads_while_computing: false,
            ..Parameters::default()
        }
    }
}

impl Parameters {
    /// MPI on Blue Gene/P, whose DMA engine moves packets. The costs of a message are fitted to the lower half of what is
    /// remembered of its latency over one hop, 2.4 to 3 us (rows L10, L11); how they are divided among layers is assumed.
    /// Nothing is fitted to what papers measured under load (rows S49 to S63).
    pub fn bluegene_p() -> Self {
        Parameters {
            protocol: MessageProtocol::EagerDeterministic,
            // From memory: the eager limit of its message layer, 1,200 bytes.
            rendezvous_from_bytes: Some(1201),
            // Assumed: the first packet has room for an envelope as long as a packet's header.
            envelope_bytes: 16,
            polling_interval_cycles: 1,
            // Assumed: a core copies 4 bytes a cycle out of the FIFO in memory that it polls.
            read_processor_cycles: 100,
            read_processor_cycles_per_chunk: 8,
            dispatch_processor_cycles: 350,
            send_processor_cycles: 250,
            receive_processor_cycles: 250,
            call_processor_cycles: CallCosts::from(400),
            match_processor_cycles: 250,
            complete_processor_cycles: 350,
            // Assumed: 4 bytes a cycle, as above.
            copy_processor_cycles_per_chunk: 8,
            // Assumed, as Blue Gene/L: cores move the packets of the collective network (row N3).
            tree_write_processor_cycles: 60,
            tree_read_processor_cycles: 204,
            // Assumed, as Blue Gene/L.
            wire_processor_cycles: 100,
            reads_while_computing: false,
            ..Parameters::default()
        }
    }
}

/// Memory of a node of October 2003 for messages without a receive (assumed, of 256 MB in all).
const UNEXPECTED_LIMIT_BYTES: u64 = 64 << 20;

/// The longest time that software takes for anything, in cycles.
const LONGEST: u32 = 1_000_000_000;

/// The longest time for each chunk or byte of something.
const LONGEST_OF_PART: u32 = 1_000_000;

/// The most descriptors of an injection FIFO in memory.
const MAX_DESCRIPTORS: u32 = 1 << 20;

/// The most message credits of a connection.
const MAX_CREDITS: u32 = 1 << 20;

/// The layers of software on a node, by which costs are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// Packets: FIFOs, headers, dispatch.
    pub packet: u64,
    /// Messages: queues, protocols.
    pub message: u64,
    /// MPI: calls, matching, completion.
    pub mpi: u64,
}

impl Parameters {
    /// Whether a core reads packets in no time: reception FIFOs then need no bound if it is never busy otherwise.
    pub fn is_reading_free(&self) -> bool {
        self.is_free(Activity::Reading) && !self.has_movers()
    }

    /// Whether a core writes packets in no time.
    pub fn is_writing_free(&self) -> bool {
        self.is_free(Activity::Writing) && !self.has_movers()
    }

    /// Whether something other than the core of a rank moves its packets.
    pub fn has_movers(&self) -> bool {
        self.coprocessor.is_some() || self.dma.is_some()
    }

    /// Whether the contents of FIFOs interrupt cores that compute.
    pub(crate) fn has_watermarks(&self) -> bool {
        self.watermark.is_some() || self.injection_watermark.is_some()
    }

    /// Whether operations on the collective networks take a core no time.
    pub fn is_collective_free(&self) -> bool {
        self.is_free(Activity::NetworkCollective)
    }

    /// Whether it takes a core no time to receive a message from a rank of its own node.
    pub fn is_local_free(&self) -> bool {
        self.receive_local(1, 1) == 0
    }

    /// Whether all packets of a message are in FIFOs in the cycle in which it is sent. Ranks then need no report of
    /// that. Writing has to take no time, and FIFOs have to be infinite and chosen by how empty they are. All packets
    /// of a message but the last have to be full, and nothing has to be waited for.
    pub fn sends_at_once(&self, network: &network::Parameters) -> bool {
        self.fills_at_once(network) && network.node.fifo_choice == FifoChoice::Emptiest
    }

    /// Whether a peer for whose packet there is no room yet is passed over. If packets were made when their messages
    /// are sent, all would be in infinite FIFOs of their directions. None would wait for a packet to another FIFO.
    pub(crate) fn passes_over(&self, network: &network::Parameters) -> bool {
        self.fills_at_once(network) && network.node.fifo_choice == FifoChoice::ByDirection
    }

    /// Whether nothing keeps packets from infinite FIFOs.
    fn fills_at_once(&self, network: &network::Parameters) -> bool {
        let node = &network.node;
        self.is_writing_free()
            && !self.protocol.keeps_order()
            && !self.has_handshakes()
            && self.message_credits.is_none()
            && (self.alignment_bytes == 1 || self.full_packets)
            && node.injection_fifo == FifoSize::Infinite
            && node.injection_window_packets.is_none()
    }

    /// Processor cycles to write a packet.
    pub fn write(&self, chunks: u8) -> u64 {
        per_chunk(self.write_processor_cycles, self.write_processor_cycles_per_chunk, chunks)
    }

    /// Processor cycles to read a packet of any protocol.
    pub fn read(&self, chunks: u8) -> u64 {
        per_chunk(self.read_processor_cycles, self.read_processor_cycles_per_chunk, chunks)
    }

    /// Processor cycles in which the data of a packet get from its FIFO to where they belong, in addition to reading
    /// it.
    pub fn store(&self, chunks: u8) -> u64 {
        let copy = if self.copies_packets() { self.copy_processor_cycles_per_chunk } else { 0 };
        per_chunk(self.realign(), copy, chunks)
    }

    /// Processor cycles to re-align a packet.
    fn realign(&self) -> u32 {
        let any = if self.realigns_packets() { self.realign_processor_cycles } else { 0 };
        any + self.realign_processor_cycles_by_offset.of(self.shift_bytes())
    }

    /// The bytes by which the data of packets lie further behind an aligned address at the receiver than at the sender.
    fn shift_bytes(&self) -> u32 {
        let shift = i64::from(self.receive_offset_bytes) - i64::from(self.send_offset_bytes);
        shift.rem_euclid(self.alignment_bytes.max(1).into()) as u32
    }

    fn realigns_packets(&self) -> bool {
        self.send_offset_bytes != self.receive_offset_bytes
    }

    fn copies_packets(&self) -> bool {
        !self.partial_packets
    }

    /// Processor cycles to copy bytes from one buffer to another; `chunk_bytes` is the size of a chunk.
    pub fn copy(&self, bytes: u64, chunk_bytes: u32) -> u64 {
        bytes.div_ceil(chunk_bytes.into()) * u64::from(self.copy_processor_cycles_per_chunk)
    }

    /// Processor cycles in which a core receives a message of another rank of its node.
    pub fn receive_local(&self, bytes: u64, chunk_bytes: u32) -> u64 {
        let once = self.send_processor_cycles
            + self.receive_processor_cycles
            + self.match_processor_cycles
            + self.complete_processor_cycles;
        u64::from(once) + self.copy(bytes, chunk_bytes)
    }

    /// Processor cycles that a message of one packet of `chunks` chunks costs on its way from call to call, by layer.
    pub fn layers_of_one_packet(&self, chunks: u8) -> Layers {
        let layers = self.layers_without_calls(chunks);
        Layers { mpi: layers.mpi + u64::from(self.call_processor_cycles.of(CallKind::Send)), ..layers }
    }

    /// Checks every value for packets of this format.
    ///
    /// # Errors
    /// The first parameter outside its range, with the valid range.
    pub fn check(&self, packet: &PacketFormat) -> Result<(), ParameterError> {
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("messaging.header_bytes", self.header_bytes, 0, full_packet - 1)?;
        range("messaging.rendezvous_header_bytes", self.rendezvous_header_bytes, 0, full_packet - 1)?;
        let left = full_packet - 1 - self.header_bytes.max(self.rendezvous_header_bytes);
        range("messaging.envelope_bytes", self.envelope_bytes, 0, left)?;
        self.check_alignment(left - self.envelope_bytes)?;
        range("messaging.polling_interval_cycles", self.polling_interval_cycles, 1, LONGEST)?;
        self.call_processor_cycles.by_key().try_for_each(|(key, value)| range(key, value, 0, LONGEST))?;
        self.costs().try_for_each(|cost| {
            range(cost.key, cost.cycles, 0, if cost.is_of_part() { LONGEST_OF_PART } else { LONGEST })
        })?;
        self.dma.map_or(Ok(()), |dma| dma.check())?;
        if let Some(watermark) = &self.watermark {
            range("messaging.watermark_bytes", watermark.bytes, packet.chunk_bytes, u32::MAX)?;
        }
        self.check_credits()
    }

    fn check_credits(&self) -> Result<(), ParameterError> {
        let (key, pool) = ("messaging.message_credit_pool", self.message_credit_pool);
        range(key, pool, 0, MAX_CREDITS)?;
        match self.message_credits {
            Some(credits) => range("messaging.message_credits", credits, 1, MAX_CREDITS),
            None if pool == 0 => Ok(()),
            None => {
                let expected = "is lent in addition to messaging.message_credits, which is not given".into();
                Err(ParameterError { key, value: pool.to_string(), expected })
            }
        }
    }

    fn check_alignment(&self, payload: u32) -> Result<(), ParameterError> {
        let alignment = self.alignment_bytes;
        // Head and tail are up to twice as long as an aligned unit, and have to fit into one packet.
        range("messaging.alignment_bytes", alignment, 1, (payload / 2).max(1))?;
        range("messaging.send_offset_bytes", self.send_offset_bytes, 0, alignment - 1)?;
        range("messaging.receive_offset_bytes", self.receive_offset_bytes, 0, alignment - 1)?;
        let (key, listed) =
            ("messaging.realign_processor_cycles_by_offset", &self.realign_processor_cycles_by_offset);
        range(key, listed.max(), 0, LONGEST)?;
        if listed.suits(alignment) {
            return Ok(());
        }
        let value = format!("{:?}", Vec::from(*listed));
        let expected = format!(
            "must have a number for each of the {alignment} offsets (messaging.alignment_bytes), 0 first"
        );
        Err(ParameterError { key, value, expected })
    }
}

fn per_chunk(once: u32, each: u32, chunks: u8) -> u64 {
    u64::from(once) + u64::from(each) * u64::from(chunks)
}

fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from {low} to {high}") })
}
