//! The message layer's software in a scenario.

use super::machine::Mode;
use input::{Document, InputError, read};
use messaging::{Coprocessor, MessageProtocol, Parameters, Watermark};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workloads::Workload;

/// Processor cycles of a call of a kernel where nothing else costs time: 69 ns at 700 MHz, far below what October 2003's
/// MPI took.
const CALL_PROCESSOR_CYCLES: u32 = 48;

/// A set of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CostSet {
    /// Nothing takes time, and packets are as short as their data allow.
    None,
    /// MPI on Blue Gene/L in October 2003.
    #[serde(rename = "october-2003")]
    October2003,
}

/// How messages are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Protocol {
    EagerDeterministic,
    EagerAdaptive,
    Rendezvous,
}

/// A key of the section `[messaging]`, with the default of its set of costs.
macro_rules! settings {
    ($($(#[doc = $doc:literal])* $key:ident: $type:ty = $none:expr, $october:expr;)*) => {
        /// The software of ranks; without effect on workloads without ranks.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct MessagingSettings {
            /// Set of costs and sizes that are the defaults of all other keys: "october-2003" (MPI on Blue Gene/L in
            /// October 2003) or "none". Default: "october-2003" for kernels on bluegene-l and bluegene-l-early, otherwise
            /// "none".
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub costs: Option<CostSet>,
            /// Least length of messages that are sent by rendezvous whatever the protocol, in bytes. Default: none are.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub rendezvous_from_bytes: Option<u64>,
            /// Eager messages that a rank can have sent to another before that has matched them with receives. Default: any
            /// number.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub message_credits: Option<u32>,
            /// Memory of a rank for eager messages without a receive, in bytes. Default: 64 MB for "october-2003", otherwise
            /// without limit.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unexpected_limit_bytes: Option<u64>,
            /// Bytes of packets in the reception FIFOs of a core at which its computation is interrupted. Default: none; a
            /// core polls.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub watermark_bytes: Option<u32>,
            /// Time from the call of a rank until it takes effect, in processor cycles: MPI. Default: 245 for
            /// "october-2003"; for "none", 48 for kernels and 0 for ping-pong and traces.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub call_processor_cycles: Option<u32>,
            /// Whether packets are read and written while the rank of their core computes. Default: true if writing and reading
            /// take no time.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub reads_while_computing: Option<bool>,
            $($(#[doc = $doc])*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $key: Option<$type>,)*
        }

        impl MessagingSettings {
            /// Fills in what follows from the set of costs alone.
            fn complete(&mut self, is_october: bool) {
                $(self.$key.get_or_insert(if is_october { $october } else { $none });)*
            }
        }
    };
}

// Sources: S40 to S47 in the papers' slides of October 2003. Sums are theirs; how a layer's sum is divided is assumed.
settings! {
    /// How messages are sent: "eager-deterministic" (in order; the first packet of a message carries its envelope),
    /// "eager-adaptive" (out of order; all packets do) or "rendezvous" (after a handshake). Default: "eager-deterministic"
    /// for "october-2003", otherwise "eager-adaptive".
    protocol: Protocol = Protocol::EagerAdaptive, Protocol::EagerDeterministic;
    /// Software header of each packet of an eager message, in bytes. Default: 32 for "october-2003" (224 bytes of payload),
    /// otherwise 16.
    header_bytes: u32 = 16, 32;
    /// Software header of each packet of the body of a rendezvous message, in bytes. Default: 16.
    rendezvous_header_bytes: u32 = 16, 16;
    /// Envelope of a message, in bytes. Default: 32 for "october-2003", otherwise 0.
    envelope_bytes: u32 = 0, 32;
    /// Whether all packets are of full size. Default: true for "october-2003", otherwise false.
    full_packets: bool = false, true;
    /// Unit of addresses at which packets are read and written, in bytes. Default: 16 for "october-2003", otherwise 1.
    alignment_bytes: u32 = 1, 16;
    /// Bytes by which send buffers lie behind an aligned address. Default: 0.
    send_offset_bytes: u32 = 0, 0;
    /// Bytes by which receive buffers lie behind an aligned address. Default: 0.
    receive_offset_bytes: u32 = 0, 0;
    /// Whether a packet is left in its FIFO, but for the first chunk, until its destination is known; otherwise it is read
    /// and then copied. Default: true.
    partial_packets: bool = true, true;
    /// Time from the last packet of a message being read until its rank sees the message, in network cycles. Default: 1 for
    /// "october-2003", where polling is part of the costs, otherwise 12.
    polling_interval_cycles: u32 = 12, 1;
    /// Time in which a core writes a packet to an injection FIFO, in processor cycles: packet layer. Default: 28 for
    /// "october-2003", with 4 for each chunk 60 for a full packet (S43); otherwise 0.
    write_processor_cycles: u32 = 0, 28;
    /// The same for each chunk of the packet. Default: 4 for "october-2003", otherwise 0.
    write_processor_cycles_per_chunk: u32 = 0, 4;
    /// Time in which a core reads a packet from a reception FIFO, in processor cycles: packet layer. Default: 44 for
    /// "october-2003", with 20 for each chunk 204 for a full packet (S44); otherwise 0.
    read_processor_cycles: u32 = 0, 44;
    /// The same for each chunk of the packet. Default: 20 for "october-2003", otherwise 0.
    read_processor_cycles_per_chunk: u32 = 0, 20;
    /// Time in which a core handles a packet of an eager message beside reading it, in processor cycles: packet layer.
    /// Default: 146 for "october-2003" (S45: 350 with reading), otherwise 0.
    eager_processor_cycles: u32 = 0, 146;
    /// Time in which a core prepares FIFOs for a message, in processor cycles: packet layer. Default: 137 for
    /// "october-2003" (fitted, S41), otherwise 0.
    setup_processor_cycles: u32 = 0, 137;
    /// Time in which a core finds the first packet of a message and dispatches it, in processor cycles: packet layer.
    /// Default: 273 for "october-2003" (fitted, S41), otherwise 0.
    dispatch_processor_cycles: u32 = 0, 273;
    /// Time in which a core queues a message, in processor cycles: message layer. Default: 183 for "october-2003" (fitted,
    /// S41), otherwise 0.
    send_processor_cycles: u32 = 0, 183;
    /// Time in which a core handles a new message, in processor cycles: message layer. Default: 182 for "october-2003"
    /// (fitted, S41), otherwise 0.
    receive_processor_cycles: u32 = 0, 182;
    /// Time in which a message is matched with a receive, in processor cycles: MPI. Default: 245 for "october-2003"
    /// (fitted, S41), otherwise 0.
    match_processor_cycles: u32 = 0, 245;
    /// Time in which a receive is completed, in processor cycles: MPI. Default: 245 for "october-2003" (fitted, S41),
    /// otherwise 0.
    complete_processor_cycles: u32 = 0, 245;
    /// Time in which a chunk of a message that has waited for its receive is copied, in processor cycles. Default: 16 for
    /// "october-2003" (assumed: 2 bytes a cycle, as from the scratchpad, S47), otherwise 0.
    copy_processor_cycles_per_chunk: u32 = 0, 16;
    /// Time in which a packet is re-aligned if send and receive buffers have other offsets, in processor cycles. Default:
    /// 128 for "october-2003" (assumed: a copy at 2 bytes a cycle; the slides' figure is lost), otherwise 0.
    realign_processor_cycles: u32 = 0, 128;
    /// Time from an interrupt at the watermark until packets are read, in processor cycles. Default: 1,000 for
    /// "october-2003" (assumed), otherwise 0.
    interrupt_processor_cycles: u32 = 0, 1000;
    /// Whether a co-processor leaves packets in memory, and caches are kept coherent by software. Default: false; packets are
    /// copied through the scratchpad.
    zero_copy: bool = false, false;
    /// Time in which a core copies a chunk to or from the scratchpad, in processor cycles. Default: 16 (S47: 2 bytes a cycle).
    scratchpad_processor_cycles_per_chunk: u32 = 16, 16;
    /// Time in which a core flushes or invalidates the cache lines of a chunk, in processor cycles. Default: 8 (assumed).
    flush_processor_cycles_per_chunk: u32 = 8, 8;
    /// Time until a core can go on with what its co-processor has left for it, and the other way, in processor cycles.
    /// Default: 100 (assumed: two accesses to non-cached memory).
    handover_processor_cycles: u32 = 100, 100;
}

/// Bytes of messages without a receive for which a node of October 2003 has memory (assumed, for 256 MB in all).
const UNEXPECTED_LIMIT_BYTES: u64 = 64 << 20;

impl MessagingSettings {
    /// Reads the settings of a document, with the defaults for its workload on a machine with such packets.
    ///
    /// # Errors
    /// The first unknown key or invalid value, with its place.
    pub(crate) fn read(
        document: &Document,
        workload: &Workload,
        preset: &str,
        network: &network::Parameters,
    ) -> Result<Self, InputError> {
        let mut settings: MessagingSettings = match document.get("messaging") {
            Some(_) => read(document, "messaging")?,
            None => MessagingSettings::default(),
        };
        settings.fill(matches!(workload, Workload::Kernel(_)), preset);
        if workload.has_ranks() {
            let checked = settings.parameters(None).check(&network.packet);
            checked.map_err(|error| document.error(error.key, &error.expected))?;
            check_node(document, network)?;
        }
        Ok(settings)
    }

    /// Fills in all defaults; `has_calls` if calls of the workload take time.
    fn fill(&mut self, has_calls: bool, preset: &str) {
        let is_bluegene_l = ["bluegene-l", "bluegene-l-early"].contains(&preset);
        let costs = if has_calls && is_bluegene_l { CostSet::October2003 } else { CostSet::None };
        let is_october = *self.costs.get_or_insert(costs) == CostSet::October2003;
        self.complete(is_october);
        let call = match (is_october, has_calls) {
            (true, _) => 245,
            (false, true) => CALL_PROCESSOR_CYCLES,
            (false, false) => 0,
        };
        self.call_processor_cycles.get_or_insert(call);
        if is_october {
            self.unexpected_limit_bytes.get_or_insert(UNEXPECTED_LIMIT_BYTES);
        }
        let parameters = self.parameters(None);
        self.reads_while_computing
            .get_or_insert(parameters.is_writing_free() && parameters.is_reading_free());
    }

    /// The parameters of the message layer, on nodes in a mode.
    pub(crate) fn parameters(&self, mode: Option<Mode>) -> Parameters {
        let times = |time: Option<u32>| time.unwrap_or(0);
        let zero_copy = self.zero_copy.unwrap_or(false);
        let coprocessor = Coprocessor {
            scratchpad_processor_cycles_per_chunk: (!zero_copy)
                .then_some(times(self.scratchpad_processor_cycles_per_chunk)),
            handover_processor_cycles: times(self.handover_processor_cycles),
            flush_processor_cycles_per_chunk: times(self.flush_processor_cycles_per_chunk),
        };
        Parameters {
            protocol: match self.protocol {
                Some(Protocol::EagerDeterministic) => MessageProtocol::EagerDeterministic,
                Some(Protocol::Rendezvous) => MessageProtocol::Rendezvous,
                Some(Protocol::EagerAdaptive) | None => MessageProtocol::EagerAdaptive,
            },
            rendezvous_from_bytes: self.rendezvous_from_bytes,
            message_credits: self.message_credits,
            unexpected_limit_bytes: self.unexpected_limit_bytes,
            header_bytes: times(self.header_bytes),
            rendezvous_header_bytes: times(self.rendezvous_header_bytes),
            envelope_bytes: times(self.envelope_bytes),
            full_packets: self.full_packets.unwrap_or(false),
            alignment_bytes: times(self.alignment_bytes),
            send_offset_bytes: times(self.send_offset_bytes),
            receive_offset_bytes: times(self.receive_offset_bytes),
            partial_packets: self.partial_packets.unwrap_or(true),
            polling_interval_cycles: times(self.polling_interval_cycles),
            write_processor_cycles: times(self.write_processor_cycles),
            write_processor_cycles_per_chunk: times(self.write_processor_cycles_per_chunk),
            read_processor_cycles: times(self.read_processor_cycles),
            read_processor_cycles_per_chunk: times(self.read_processor_cycles_per_chunk),
            eager_processor_cycles: times(self.eager_processor_cycles),
            setup_processor_cycles: times(self.setup_processor_cycles),
            dispatch_processor_cycles: times(self.dispatch_processor_cycles),
            send_processor_cycles: times(self.send_processor_cycles),
            receive_processor_cycles: times(self.receive_processor_cycles),
            call_processor_cycles: times(self.call_processor_cycles),
            match_processor_cycles: times(self.match_processor_cycles),
            complete_processor_cycles: times(self.complete_processor_cycles),
            copy_processor_cycles_per_chunk: times(self.copy_processor_cycles_per_chunk),
            realign_processor_cycles: times(self.realign_processor_cycles),
            reads_while_computing: self.reads_while_computing.unwrap_or(true),
            watermark: self.watermark_bytes.map(|bytes| Watermark {
                bytes,
                interrupt_processor_cycles: times(self.interrupt_processor_cycles),
            }),
            coprocessor: (mode == Some(Mode::CoProcessor)).then_some(coprocessor),
        }
    }
}

/// Refuses costs of generated traffic for ranks, on which they have no effect.
fn check_node(document: &Document, network: &network::Parameters) -> Result<(), InputError> {
    let costs = network.node.software;
    let given = [("write", costs.write_processor_cycles), ("read", costs.read_processor_cycles)];
    match given.iter().find(|(_, cycles)| *cycles > 0) {
        None => Ok(()),
        Some((task, _)) => {
            let problem = format!(
                "is a cost of generated traffic: ranks have messaging.{task}_processor_cycles, and need 0 here"
            );
            Err(document.error(&format!("machine.node.{task}_processor_cycles"), problem))
        }
    }
}
