//! The message layer's software in a scenario.

use super::collectives::Collectives;
use super::machine::{Machine, Mode};
use input::{Document, InputError, read_with, schema};
use messaging::{Coprocessor, Dma, Parameters, Watermark, WorldCollectives};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use workloads::{CallOrigin, Workload};

/// The section of the settings.
const SECTION: &str = "messaging";

/// The costs of calls, which are one number or a table by kind.
const CALLS: &str = "messaging.call_processor_cycles";

/// Makes a number for all calls a table, of which a later document or option changes single kinds.
pub(super) fn divide_calls(document: &mut Document) {
    if let Some(all) = document.get(CALLS).filter(|costs| costs.is_number()).cloned() {
        document.replace(CALLS, json!({ "all": all }));
    }
}

/// Whether a document changes costs of single kinds.
pub(super) fn has_table_of_calls(document: &Document) -> bool {
    document.get(CALLS).is_some_and(Value::is_object)
}

/// Whether an option changes the costs of single kinds.
pub(super) fn is_kind_of_call(path: &str) -> bool {
    path.strip_prefix(CALLS).is_some_and(|kind| kind.starts_with('.'))
}

/// Least default cost of a call of a kernel or program, in processor cycles. It is 69 ns at 700 MHz, far below the
/// cost of October 2003's MPI.
const CALL_PROCESSOR_CYCLES: u32 = 48;

/// Processor cycles to copy a chunk to or from the scratchpad of a co-processor (S47: 2 bytes per cycle).
const SCRATCHPAD_CYCLES_PER_CHUNK: u32 = 16;

/// Processor cycles until a core can continue with data that the other has left for it (assumed: accesses to memory
/// that is not cached).
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
    /// Software takes no time, and packets are as short as their data allow.
    None,
    /// MPI on Blue Gene/L in October 2003.
    #[serde(rename = "october-2003")]
    October2003,
    /// MPI on Blue Gene/P.
    #[serde(rename = "bluegene-p")]
    BlueGeneP,
}

/// The software of ranks; without effect on workloads without ranks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct MessagingSettings {
    #[serde(flatten)]
    choices: Choices,
    #[serde(flatten)]
    parameters: Parameters,
}

// These keys are no parameters of the layer. Its co-processor, DMA engine and watermarks follow from them and the
// machine, and collectives are MPI's.
/// The set of costs, the choice of algorithms, and settings that have an effect only in some cases. These are
/// interrupts, and nodes on which not only the core of a rank moves packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Choices {
    /// Set of costs and sizes that are the defaults of all other keys: "october-2003" (MPI on Blue Gene/L in
    /// October 2003), "bluegene-p" (MPI on Blue Gene/P, which uses the DMA engine) or "none". Default: "october-2003"
    /// for kernels, collectives and programs on bluegene-l and bluegene-l-early, "bluegene-p" for those on bluegene-p,
    /// otherwise "none".
    costs: CostSet,
    /// Bytes of packets in the reception FIFOs of a core at which its computation is interrupted; with a DMA engine, in its
    /// reception FIFO in memory. Default: none; a core polls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watermark_bytes: Option<u32>,
    /// Bytes of packets in an injection FIFO that had no room for the packets of a core: when it holds no more, the computation
    /// of the core is interrupted, and the core writes what has room. Default: none; a core writes when its rank calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    injection_watermark_bytes: Option<u32>,
    /// Time from an interrupt, at a watermark or as there is room for descriptors, until its core serves it, in
    /// processor cycles. Default: 1,000 (assumed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interrupt_processor_cycles: Option<u32>,
    /// Whether the DMA engine of the machine (`machine.dma`) moves packets for the cores. Default: true for
    /// "bluegene-p" on machines that have one, otherwise false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dma: Option<bool>,
    /// Time in which a core writes a descriptor of a message for the DMA engine, in processor cycles. Default: 150
    /// (assumed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    descriptor_processor_cycles: Option<u32>,
    /// Whether a co-processor leaves packets in memory, and caches are kept coherent by software. Default: false; packets are
    /// copied through the scratchpad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zero_copy: Option<bool>,
    /// Time in which a core copies a chunk to or from the scratchpad, in processor cycles. Default: 16 (2 bytes
    /// per cycle).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scratchpad_processor_cycles_per_chunk: Option<u32>,
    /// Time in which a core flushes or invalidates the cache lines of a chunk, in processor cycles. Default: 8 (assumed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    flush_processor_cycles_per_chunk: Option<u32>,
    /// Time until a core can continue with data that its co-processor has left for it, and vice versa, in processor
    /// cycles. Default: 100 (assumed: two accesses to non-cached memory).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    handover_processor_cycles: Option<u32>,
    /// Choice of the algorithms of collective calls: "mpich2" (by length and number of ranks, as MPICH2 does),
    /// "by-shape" (by length and the shape of the communicator, if its ranks are a box of the machine in the order
    /// of the mapping), or a table from operations to these or to algorithms, such as { all-reduce = "bucket",
    /// broadcast = "rectangle" }. "mpich2" applies to operations that are not in the table, and where a choice does
    /// not suit a call. Calls with a length for each rank always use MPICH2's, but for "alltoallv", which may be
    /// "post-and-wait". Default: "mpich2".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collectives: Option<Collectives>,
}

impl CostSet {
    fn parameters(self) -> Parameters {
        match self {
            CostSet::None => Parameters::default(),
            CostSet::October2003 => Parameters::october_2003(),
            CostSet::BlueGeneP => Parameters::bluegene_p(),
        }
    }

    /// Whether the DMA engine moves packets, if the machine has one.
    fn uses_dma(self) -> bool {
        match self {
            CostSet::BlueGeneP => true,
            CostSet::None | CostSet::October2003 => false,
        }
    }

    /// The default set of kernels and programs on a preset.
    fn of_preset(preset: &str) -> Self {
        match preset {
            "bluegene-l" | "bluegene-l-early" => CostSet::October2003,
            "bluegene-p" => CostSet::BlueGeneP,
            _ => CostSet::None,
        }
    }
}

impl MessagingSettings {
    /// Reads the settings of a document, with the defaults for its workload on a machine with the given packets.
    ///
    /// # Errors
    /// The first unknown key or invalid value, with its place.
    pub(crate) fn read(
        document: &Document,
        workload: &Workload,
        machine: &Machine,
        network: &network::Parameters,
    ) -> Result<Self, InputError> {
        let min_call = match workload.senders().calls {
            CallOrigin::Recorded => None,
            CallOrigin::Outside => Some(CALL_PROCESSOR_CYCLES.max(window_processor_cycles(network))),
            CallOrigin::Simulated => Some(CALL_PROCESSOR_CYCLES),
        };
        let settings = Self::complete(document, machine, min_call)?;
        if let Some(collectives) = &settings.choices.collectives {
            collectives.check(document, workload)?;
        }
        if workload.senders().has_ranks {
            settings.check_movers(document, machine)?;
            let checked = settings.parameters.check(&network.packet);
            checked.map_err(|error| document.error(error.key, &error.expected))?;
            if !shares_machine_with_packets(workload) {
                check_node(document, network)?;
            }
            settings.check_networks(document, network)?;
        }
        Ok(settings)
    }

    /// The settings of a document, with all defaults; `min_call` is the least default cost of calls, if they take time.
    fn complete(document: &Document, machine: &Machine, min_call: Option<u32>) -> Result<Self, InputError> {
        let schema = schema::inline(schema_for!(MessagingSettings));
        let complete = with_defaults(document, machine, min_call);
        let mut choices: Choices = read_part(&complete, &schema)?;
        if machine.dma.is_some() {
            choices.dma.get_or_insert(choices.costs.uses_dma());
        }
        let mut parameters: Parameters = read_part(&complete, &schema)?;
        (parameters.coprocessor, parameters.dma) = (choices.coprocessor(machine), choices.dma(machine));
        parameters.transfer_start_cycles = machine.node.transfer_start_cycles;
        (parameters.watermark, parameters.injection_watermark) = (
            choices.watermark(choices.watermark_bytes),
            choices.watermark(choices.injection_watermark_bytes),
        );
        if !has(document, "messaging.reads_while_computing") {
            parameters.reads_while_computing = parameters.is_writing_free() && parameters.is_reading_free();
        }
        Ok(MessagingSettings { choices, parameters })
    }

    /// Refuses a DMA engine that the machine does not have, and what has no effect as something else writes packets.
    fn check_movers(&self, document: &Document, machine: &Machine) -> Result<(), InputError> {
        let Choices { dma, watermark_bytes, injection_watermark_bytes, .. } = &self.choices;
        if *dma == Some(true) && machine.dma.is_none() {
            return Err(document.error("messaging.dma", "the machine has no DMA engine (machine.dma)"));
        }
        if watermark_bytes.is_some() && self.parameters.coprocessor.is_some() {
            let problem =
                "interrupts cores that read packets themselves: here a co-processor does (machine.mode)";
            return Err(document.error("messaging.watermark_bytes", problem));
        }
        if injection_watermark_bytes.is_some() && self.parameters.has_movers() {
            let problem = "interrupts cores that write packets themselves: here the DMA engine (messaging.dma) or a \
                           co-processor (machine.mode) does";
            return Err(document.error("messaging.injection_watermark_bytes", problem));
        }
        Ok(())
    }

    /// Refuses networks that the machine does not have.
    fn check_networks(&self, document: &Document, network: &network::Parameters) -> Result<(), InputError> {
        let are_there = network.tree.is_some() || network.interrupts.is_some();
        match self.parameters.world_collectives {
            WorldCollectives::AllNetworks if !are_there => {
                let problem =
                    "the machine has no other network than the torus (machine.tree, machine.interrupts)";
                Err(document.error("messaging.world_collectives", problem))
            }
            WorldCollectives::Torus | WorldCollectives::AllNetworks => Ok(()),
        }
    }

    /// The parameters of the message layer, on the nodes of the machine.
    pub(crate) fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The choice of algorithms for collective calls.
    pub(crate) fn algorithms(&self) -> mpi::Choices {
        self.choices.collectives.as_ref().map_or_else(mpi::Choices::default, Collectives::choices)
    }
}

impl Choices {
    /// The DMA engine of a machine, if the layer uses it.
    fn dma(&self, machine: &Machine) -> Option<Dma> {
        let engine = machine.dma.filter(|_| self.dma == Some(true))?;
        Some(Dma {
            processor_cycles_per_chunk: engine.processor_cycles_per_chunk,
            injection_fifo_descriptors: engine.injection_fifo_descriptors,
            descriptor_processor_cycles: self.descriptor_processor_cycles.unwrap_or(DESCRIPTOR_CYCLES),
            interrupt_processor_cycles: self.interrupt(),
        })
    }

    /// The watermark of this number of bytes.
    fn watermark(&self, bytes: Option<u32>) -> Option<Watermark> {
        bytes.map(|bytes| Watermark { bytes, interrupt_processor_cycles: self.interrupt() })
    }

    fn interrupt(&self) -> u32 {
        self.interrupt_processor_cycles.unwrap_or(INTERRUPT_CYCLES)
    }

    /// The co-processor of each core, in the mode that has one.
    fn coprocessor(&self, machine: &Machine) -> Option<Coprocessor> {
        let scratchpad = self.scratchpad_processor_cycles_per_chunk.unwrap_or(SCRATCHPAD_CYCLES_PER_CHUNK);
        let flush = self.flush_processor_cycles_per_chunk.unwrap_or(FLUSH_CYCLES_PER_CHUNK);
        machine.mode.is_some_and(Mode::has_coprocessors).then(|| Coprocessor {
            scratchpad_processor_cycles_per_chunk: (!self.zero_copy.unwrap_or(false)).then_some(scratchpad),
            handover_processor_cycles: self.handover_processor_cycles.unwrap_or(HANDOVER_CYCLES),
            flush_processor_cycles_per_chunk: flush,
        })
    }
}

/// The document, completed with the values of its set of costs. The set is to the section what the preset is to the
/// machine.
fn with_defaults(document: &Document, machine: &Machine, min_call: Option<u32>) -> Document {
    let mut complete = document.clone();
    complete.set_default(SECTION, json!({}));
    let default = min_call.map_or(CostSet::None, |_| CostSet::of_preset(&machine.preset));
    complete.set_default("messaging.costs", json!(default));
    // A wrong name is refused when the section is read.
    let set = complete.get("messaging.costs").and_then(|set| CostSet::deserialize(set).ok());
    let set = set.unwrap_or(default);
    let mut costs = set.parameters();
    if set == CostSet::None {
        costs.header_bytes = machine.packet.header_bytes;
        costs.rendezvous_header_bytes = machine.packet.header_bytes;
    }
    let call = costs.call_processor_cycles.min().max(min_call.unwrap_or(0));
    costs.call_processor_cycles = call.into();
    // Sets the key of all calls where the document has a table of them.
    complete.set_default(&format!("{CALLS}.all"), json!(call));
    for (key, value) in json!(costs).as_object().into_iter().flatten() {
        complete.set_default(&format!("{SECTION}.{key}"), value.clone());
    }
    complete
}

/// Reads those keys of the section that are fields of a `T`, whose schema is part of that of the section.
fn read_part<T: DeserializeOwned>(document: &Document, schema: &Value) -> Result<T, InputError> {
    let section = document.get(SECTION).unwrap_or(&Value::Null);
    read_with(document, SECTION, section, schema, |deserializer| T::deserialize(deserializer))
}

/// Whether a document gives a key.
fn has(document: &Document, key: &str) -> bool {
    document.get(key).is_some_and(|value| !value.is_null())
}

/// The least cost of calls with which programs can be outside the simulator.
fn window_processor_cycles(network: &network::Parameters) -> u32 {
    let cycles = network.node.clock.processor_cycle_of(network.window_cycles().into());
    u32::try_from(cycles).unwrap_or(u32::MAX)
}

/// Whether other jobs may send packets without ranks. They do, or the job runs alone for comparison with a run in
/// which they do.
fn shares_machine_with_packets(workload: &Workload) -> bool {
    let Workload::Jobs(jobs) = workload else { return false };
    jobs.jobs.len() == 1 || jobs.jobs.iter().any(|job| !job.workload.senders().has_ranks)
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
