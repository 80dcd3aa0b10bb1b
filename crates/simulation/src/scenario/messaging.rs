//! The message layer's software in a scenario.

use input::{Document, InputError, read};
use messaging::Parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workloads::Workload;

/// Processor cycles of a call unless a scenario sets them: 69 ns at 700 MHz, far below what October 2003's MPI took.
const CALL_PROCESSOR_CYCLES: u32 = 48;

/// The software of ranks; without effect on workloads without ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagingSettings {
    /// Time in which a core writes a packet to an injection FIFO, in processor cycles. Default 0.
    #[serde(default)]
    pub write_processor_cycles: u32,
    /// Time in which a core reads a packet from a reception FIFO, in processor cycles. Default 0.
    #[serde(default)]
    pub read_processor_cycles: u32,
    /// Time from the call of a rank until it takes effect, in processor cycles. Default: 48 for kernels and programs (for
    /// these at least a window of the machine), 0 for ping-pong and traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_processor_cycles: Option<u32>,
    /// Time from the last packet of a message being read until its rank sees the message, in network cycles. Default
    /// 12.
    #[serde(default = "one_hop")]
    pub polling_interval_cycles: u32,
    /// Software header of each packet, in bytes. Default 16.
    #[serde(default = "one_header")]
    pub header_bytes: u32,
    /// Whether packets are read and written while the rank of their core computes. Default: true if writing and reading take no
    /// time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_while_computing: Option<bool>,
}

fn one_hop() -> u32 {
    Parameters::default().polling_interval_cycles
}

fn one_header() -> u32 {
    Parameters::default().header_bytes
}

impl Default for MessagingSettings {
    fn default() -> Self {
        MessagingSettings {
            write_processor_cycles: 0,
            read_processor_cycles: 0,
            call_processor_cycles: None,
            polling_interval_cycles: one_hop(),
            header_bytes: one_header(),
            reads_while_computing: None,
        }
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
        network: &network::Parameters,
    ) -> Result<Self, InputError> {
        let mut settings: MessagingSettings = match document.get("messaging") {
            Some(_) => read(document, "messaging")?,
            None => MessagingSettings::default(),
        };
        let call = || match workload {
            Workload::Kernel(_) => CALL_PROCESSOR_CYCLES,
            Workload::Program(_) => CALL_PROCESSOR_CYCLES.max(window_processor_cycles(network)),
            _ => 0,
        };
        settings.call_processor_cycles.get_or_insert_with(call);
        let parameters = settings.parameters();
        let is_free = parameters.is_writing_free() && parameters.is_reading_free();
        settings.reads_while_computing.get_or_insert(is_free);
        if workload.has_ranks() {
            let checked = settings.parameters().check(&network.packet);
            checked.map_err(|error| document.error(error.key, &error.expected))?;
            check_node(document, network)?;
        }
        Ok(settings)
    }

    /// The parameters of the message layer.
    pub(crate) fn parameters(&self) -> Parameters {
        Parameters {
            header_bytes: self.header_bytes,
            polling_interval_cycles: self.polling_interval_cycles,
            write_processor_cycles: self.write_processor_cycles,
            read_processor_cycles: self.read_processor_cycles,
            call_processor_cycles: self.call_processor_cycles.unwrap_or(0),
            reads_while_computing: self.reads_while_computing.unwrap_or(true),
        }
    }
}

/// The least cost of calls with which programs can be outside the simulator.
fn window_processor_cycles(network: &network::Parameters) -> u32 {
    let cycles = network.node.clock.processor_cycle_of(network.window_cycles().into());
    u32::try_from(cycles).unwrap_or(u32::MAX)
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
