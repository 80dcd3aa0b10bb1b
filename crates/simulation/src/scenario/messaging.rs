//! The message layer's software in a scenario.

use super::collectives::Collectives;
use super::machine::{Machine, Mode};
use input::{Document, InputError, read};
use messaging::{Coprocessor, Dma, MessageProtocol, Parameters, Watermark, WorldCollectives};
use mpi::Choices;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workloads::Workload;

/// Least default cost of a call of a kernel or program, in processor cycles: 69 ns at 700 MHz, far below what October 2003's
/// MPI took.
const CALL_PROCESSOR_CYCLES: u32 = 48;

/// Processor cycles to copy a chunk to or from the scratchpad of a co-processor (S47: 2 bytes a cycle).
const SCRATCHPAD_CYCLES_PER_CHUNK: u32 = 16;

/// Processor cycles until a core can go on with what the other has left for it (assumed: accesses to memory that is not
/// cached).
const HANDOVER_CYCLES: u32 = 100;

/// Processor cycles to flush or invalidate the cache line of a chunk (assumed).
const FLUSH_CYCLES_PER_CHUNK: u32 = 8;

/// Processor cycles to write a descriptor for the DMA engine: some stores, and one to a register of the engine (assumed).
const DESCRIPTOR_CYCLES: u32 = 150;

/// Processor cycles of an interrupt (assumed).
const INTERRUPT_CYCLES: u32 = 1000;

/// A set of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CostSet {
    /// Nothing takes time, and packets are as short as their data allow.
    None,
    /// MPI on Blue Gene/L in October 2003.
    #[serde(rename = "october-2003")]
    October2003,
    /// MPI on Blue Gene/P.
    #[serde(rename = "bluegene-p")]
    BlueGeneP,
}

/// The section `[messaging]`: keys that are parameters of the message layer, whose defaults its sets of costs are.
macro_rules! settings {
    ($($(#[doc = $doc:literal])* $key:ident: $type:ty;)*) => {
        /// The software of ranks; without effect on workloads without ranks.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct MessagingSettings {
            /// Set of costs and sizes that are the defaults of all other keys: "october-2003" (MPI on Blue Gene/L in
            /// October 2003), "bluegene-p" (MPI on Blue Gene/P, which uses the DMA engine) or "none". Default: "october-2003"
            /// for kernels and programs on bluegene-l and bluegene-l-early, "bluegene-p" for those on bluegene-p, otherwise
            /// "none".
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub costs: Option<CostSet>,
            /// Least length of messages that are sent by rendezvous whatever the protocol, in bytes. Default: 1201 for
            /// "bluegene-p" (from memory), otherwise none are.
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
            /// "october-2003"; for "none", 48 for kernels and programs (for these at least a window of the machine) and
            /// 0 for ping-pong and traces.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub call_processor_cycles: Option<u32>,
            /// Whether packets are read and written while the rank of their core computes. Default: true if writing and reading
            /// take no time.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub reads_while_computing: Option<bool>,
            /// Time from an interrupt, at the watermark or as there is room for descriptors, until its core does what it is
            /// for, in processor cycles. Default: 1,000 (assumed).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub interrupt_processor_cycles: Option<u32>,
            /// Whether the DMA engine of the machine (`machine.dma`) moves packets for the cores. Default: true for
            /// "bluegene-p" on machines that have one, otherwise false.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub dma: Option<bool>,
            /// Time in which a core writes a descriptor of a message for the DMA engine, in processor cycles. Default: 150
            /// (assumed).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub descriptor_processor_cycles: Option<u32>,
            /// Whether a co-processor leaves packets in memory, and caches are kept coherent by software. Default: false; packets are
            /// copied through the scratchpad.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub zero_copy: Option<bool>,
            /// Time in which a core copies a chunk to or from the scratchpad, in processor cycles. Default: 16 (S47: 2 bytes a cycle).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub scratchpad_processor_cycles_per_chunk: Option<u32>,
            /// Time in which a core flushes or invalidates the cache lines of a chunk, in processor cycles. Default: 8 (assumed).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub flush_processor_cycles_per_chunk: Option<u32>,
            /// Time until a core can go on with what its co-processor has left for it, and the other way, in processor cycles.
            /// Default: 100 (assumed: two accesses to non-cached memory).
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub handover_processor_cycles: Option<u32>,
            /// How the algorithms of collective calls are chosen: "mpich2" (by length and number of ranks, as MPICH2 does),
            /// "by-shape" (by length and the shape of the communicator, if its ranks are a box of the machine in the order of
            /// the mapping), or a table from operations to these or to algorithms, such as { all-reduce = "bucket", broadcast =
            /// "rectangle" }; what does not suit a call, and what is not in the table, is as "mpich2". Calls with a length for each
            /// rank are MPICH2's always. Default: "mpich2".
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub collectives: Option<Collectives>,
            $($(#[doc = $doc])*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $key: Option<$type>,)*
        }

        impl MessagingSettings {
            /// Fills in what follows from the set of costs alone.
            fn complete(&mut self, costs: &Parameters) {
                $(self.$key.get_or_insert(costs.$key);)*
            }

            /// A set of costs with these keys changed.
            fn change(&self, costs: Parameters) -> Parameters {
                Parameters { $($key: self.$key.unwrap_or(costs.$key),)* ..costs }
            }
        }
    };
}

// Sources: S40 to S47 in the papers' slides of October 2003. Sums are theirs; how a layer's sum is divided is assumed.
settings! {
    /// How messages are sent: "eager-deterministic" (in order; the first packet of a message carries its envelope),
    /// "eager-adaptive" (out of order; all packets do) or "rendezvous" (after a handshake). Default: "eager-deterministic"
    /// for "october-2003", otherwise "eager-adaptive".
    protocol: MessageProtocol;
    /// Software header of each packet of an eager message, in bytes. Default: 32 for "october-2003" (224 bytes of payload),
    /// otherwise 16.
    header_bytes: u32;
    /// Software header of each packet of the body of a rendezvous message, in bytes. Default: 16.
    rendezvous_header_bytes: u32;
    /// Envelope of a message, in bytes. Default: 32 for "october-2003", otherwise 0.
    envelope_bytes: u32;
    /// Whether all packets are of full size. Default: true for "october-2003", otherwise false.
    full_packets: bool;
    /// Unit of addresses at which packets are read and written, in bytes. Default: 16 for "october-2003", otherwise 1.
    alignment_bytes: u32;
    /// Bytes by which send buffers lie behind an aligned address. Default: 0.
    send_offset_bytes: u32;
    /// Bytes by which receive buffers lie behind an aligned address. Default: 0.
    receive_offset_bytes: u32;
    /// Whether a packet is left in its FIFO, but for the first chunk, until its destination is known; otherwise it is read
    /// and then copied. Default: true.
    partial_packets: bool;
    /// Time from the last packet of a message being read until its rank sees the message, in network cycles. Default: 1 for
    /// "october-2003", where polling is part of the costs, otherwise 12.
    polling_interval_cycles: u32;
    /// Time in which a core writes a packet to an injection FIFO, in processor cycles: packet layer. Default: 60 for
    /// "october-2003" (S43), otherwise 0.
    write_processor_cycles: u32;
    /// The same for each chunk of the packet, beside that. Default: 0.
    write_processor_cycles_per_chunk: u32;
    /// Time in which a core reads a packet from a reception FIFO, in processor cycles: packet layer. Default: 204 for
    /// "october-2003" (S44), otherwise 0.
    read_processor_cycles: u32;
    /// The same for each chunk of the packet, beside that. Default: 0.
    read_processor_cycles_per_chunk: u32;
    /// Time in which a core handles a packet of an eager message beside reading it, in processor cycles: packet layer.
    /// Default: 146 for "october-2003" (S45: 350 with reading), otherwise 0.
    eager_processor_cycles: u32;
    /// Time in which a core prepares FIFOs for a message, in processor cycles: packet layer. Default: 137 for
    /// "october-2003" (fitted, S41), otherwise 0.
    setup_processor_cycles: u32;
    /// Time in which a core finds the first packet of a message and dispatches it, in processor cycles: packet layer.
    /// Default: 273 for "october-2003" (fitted, S41), otherwise 0.
    dispatch_processor_cycles: u32;
    /// Time in which a core queues a message, in processor cycles: message layer. Default: 183 for "october-2003" (fitted,
    /// S41), otherwise 0.
    send_processor_cycles: u32;
    /// Time in which a core handles a new message, in processor cycles: message layer. Default: 182 for "october-2003"
    /// (fitted, S41), otherwise 0.
    receive_processor_cycles: u32;
    /// Time in which a message is matched with a receive, in processor cycles: MPI. Default: 245 for "october-2003"
    /// (fitted, S41), otherwise 0.
    match_processor_cycles: u32;
    /// Time in which a receive is completed, in processor cycles: MPI. Default: 245 for "october-2003" (fitted, S41),
    /// otherwise 0.
    complete_processor_cycles: u32;
    /// Time in which a chunk of a message that has waited for its receive is copied, in processor cycles. Default: 16 for
    /// "october-2003" (assumed: 2 bytes a cycle, as from the scratchpad, S47), otherwise 0.
    copy_processor_cycles_per_chunk: u32;
    /// Time in which a byte of an operand of a reduction is combined with another, in processor cycles: MPI. Default: 0.
    combine_processor_cycles_per_byte: u32;
    /// How MPI carries out collectives on MPI_COMM_WORLD whose algorithm is not named: "torus" (by messages) or "all-networks"
    /// (barriers by the global interrupts; barriers, broadcasts and reductions on the tree network, where the machine has
    /// them). Default: "torus".
    world_collectives: WorldCollectives;
    /// Time in which a core writes a packet to the tree network, in processor cycles. Default: 60 for "october-2003" (assumed:
    /// as to the torus, S43), otherwise 0.
    tree_write_processor_cycles: u32;
    /// Time in which a core reads a packet of the tree network, in processor cycles. Default: 204 for "october-2003" (assumed:
    /// as of the torus, S44), otherwise 0.
    tree_read_processor_cycles: u32;
    /// Time in which a core raises a wire of the global interrupts, or sees that it has been released, in processor cycles.
    /// Default: 100 for "october-2003" (assumed), otherwise 0.
    wire_processor_cycles: u32;
    /// Time in which a block of data that do not lie in one piece is packed or unpacked, in processor cycles: MPI. Default: 0.
    noncontiguous_processor_cycles_per_block: u32;
    /// Time in which a packet is re-aligned if send and receive buffers have other offsets, in processor cycles. Default:
    /// 128 for "october-2003" (assumed: a copy at 2 bytes a cycle; the slides' figure is lost), otherwise 0.
    realign_processor_cycles: u32;
}

impl CostSet {
    fn parameters(self) -> Parameters {
        match self {
            CostSet::None => Parameters::default(),
            CostSet::October2003 => Parameters::october_2003(),
            CostSet::BlueGeneP => Parameters::bluegene_p(),
        }
    }

    /// The default of kernels and programs on a preset.
    fn of_preset(preset: &str) -> Self {
        match preset {
            "bluegene-l" | "bluegene-l-early" => CostSet::October2003,
            "bluegene-p" => CostSet::BlueGeneP,
            _ => CostSet::None,
        }
    }
}

/// Whether calls take time by default.
fn calls_cost(workload: &Workload) -> bool {
    match workload {
        Workload::Kernel(_) | Workload::Collective(_) => true,
        Workload::Jobs(jobs) => jobs.jobs.iter().any(|job| calls_cost(&job.workload)),
        _ => false,
    }
}

impl MessagingSettings {
    /// Reads the settings of a document, with the defaults for its workload on a machine with such packets.
    ///
    /// # Errors
    /// The first unknown key or invalid value, with its place.
    pub(crate) fn read(
        document: &Document,
        workload: &Workload,
        machine: &Machine,
        network: &network::Parameters,
    ) -> Result<Self, InputError> {
        let mut settings: MessagingSettings = match document.get("messaging") {
            Some(_) => read(document, "messaging")?,
            None => MessagingSettings::default(),
        };
        if let Some(collectives) = &settings.collectives {
            collectives.check(document, workload)?;
        }
        settings.fill(machine, || match workload {
            _ if calls_cost(workload) => Some(CALL_PROCESSOR_CYCLES),
            Workload::Program(_) => Some(CALL_PROCESSOR_CYCLES.max(window_processor_cycles(network))),
            _ => None,
        });
        if workload.has_ranks() {
            settings.check_dma(document, machine)?;
            let checked = settings.parameters(machine).check(&network.packet);
            checked.map_err(|error| document.error(error.key, &error.expected))?;
            if !shares_machine_with_packets(workload) {
                check_node(document, network)?;
            }
            settings.check_networks(document, network)?;
        }
        Ok(settings)
    }

    /// Fills in all defaults; `least_call` is the least default cost of calls, if they take time.
    fn fill(&mut self, machine: &Machine, least_call: impl FnOnce() -> Option<u32>) {
        let least_call = least_call();
        let default = least_call.map_or(CostSet::None, |_| CostSet::of_preset(&machine.preset));
        let set = *self.costs.get_or_insert(default);
        let costs = set.parameters();
        if machine.dma.is_some() {
            self.dma.get_or_insert(set == CostSet::BlueGeneP);
        }
        self.rendezvous_from_bytes = self.rendezvous_from_bytes.or(costs.rendezvous_from_bytes);
        self.complete(&costs);
        let call = costs.call_processor_cycles.max(least_call.unwrap_or(0));
        self.call_processor_cycles.get_or_insert(call);
        self.unexpected_limit_bytes = self.unexpected_limit_bytes.or(costs.unexpected_limit_bytes);
        let parameters = self.parameters(machine);
        self.reads_while_computing
            .get_or_insert(parameters.is_writing_free() && parameters.is_reading_free());
    }

    /// Refuses a DMA engine that the machine does not have.
    fn check_dma(&self, document: &Document, machine: &Machine) -> Result<(), InputError> {
        match (self.dma, machine.dma) {
            (Some(true), None) => {
                Err(document.error("messaging.dma", "the machine has no DMA engine (machine.dma)"))
            }
            _ => Ok(()),
        }
    }

    /// The DMA engine of a machine, if the layer uses it.
    fn dma(&self, machine: &Machine) -> Option<Dma> {
        let engine = machine.dma.filter(|_| self.dma == Some(true))?;
        Some(Dma {
            processor_cycles_per_chunk: engine.processor_cycles_per_chunk,
            injection_fifo_descriptors: engine.injection_fifo_descriptors,
            descriptor_processor_cycles: self.descriptor_processor_cycles.unwrap_or(DESCRIPTOR_CYCLES),
            interrupt_processor_cycles: self.interrupt_processor_cycles.unwrap_or(INTERRUPT_CYCLES),
        })
    }

    /// Refuses networks that the machine does not have.
    fn check_networks(&self, document: &Document, network: &network::Parameters) -> Result<(), InputError> {
        let are_there = network.tree.is_some() || network.interrupts.is_some();
        match self.world_collectives {
            Some(WorldCollectives::AllNetworks) if !are_there => {
                let problem =
                    "the machine has no other network than the torus (machine.tree, machine.interrupts)";
                Err(document.error("messaging.world_collectives", problem))
            }
            _ => Ok(()),
        }
    }

    /// How the algorithms of collective calls are chosen.
    pub(crate) fn choices(&self) -> Choices {
        self.collectives.as_ref().map_or_else(Choices::default, Collectives::choices)
    }

    /// The parameters of the message layer, on the nodes of a machine.
    pub(crate) fn parameters(&self, machine: &Machine) -> Parameters {
        let scratchpad = self.scratchpad_processor_cycles_per_chunk.unwrap_or(SCRATCHPAD_CYCLES_PER_CHUNK);
        let coprocessor = Coprocessor {
            scratchpad_processor_cycles_per_chunk: (!self.zero_copy.unwrap_or(false)).then_some(scratchpad),
            handover_processor_cycles: self.handover_processor_cycles.unwrap_or(HANDOVER_CYCLES),
            flush_processor_cycles_per_chunk: self
                .flush_processor_cycles_per_chunk
                .unwrap_or(FLUSH_CYCLES_PER_CHUNK),
        };
        let costs = self.change(self.costs.map_or_else(Parameters::default, CostSet::parameters));
        Parameters {
            rendezvous_from_bytes: self.rendezvous_from_bytes,
            message_credits: self.message_credits,
            unexpected_limit_bytes: self.unexpected_limit_bytes,
            call_processor_cycles: self.call_processor_cycles.unwrap_or(costs.call_processor_cycles),
            reads_while_computing: self.reads_while_computing.unwrap_or(costs.reads_while_computing),
            watermark: self.watermark_bytes.map(|bytes| Watermark {
                bytes,
                interrupt_processor_cycles: self.interrupt_processor_cycles.unwrap_or(INTERRUPT_CYCLES),
            }),
            coprocessor: (machine.mode == Some(Mode::CoProcessor)).then_some(coprocessor),
            dma: self.dma(machine),
            ..costs
        }
    }
}

/// The least cost of calls with which programs can be outside the simulator.
fn window_processor_cycles(network: &network::Parameters) -> u32 {
    let cycles = network.node.clock.processor_cycle_of(network.window_cycles().into());
    u32::try_from(cycles).unwrap_or(u32::MAX)
}

/// Whether other jobs may send packets without ranks: they do, or the job is alone to be compared with a run in which they do.
fn shares_machine_with_packets(workload: &Workload) -> bool {
    let Workload::Jobs(jobs) = workload else { return false };
    jobs.jobs.len() == 1 || jobs.jobs.iter().any(|job| !job.workload.has_ranks())
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
