//! Parameters of the message layer's software.

use network::parameters::{PacketFormat, ParameterError};

/// Software header of a packet unless a scenario sets it: 240 of 256 bytes are payload (row S6).
pub const HEADER_BYTES: u32 = 16;

/// Costs and sizes of the message layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Software header of each packet, in bytes.
    pub header_bytes: u32,
    /// Polling interval: network cycles from the time at which the last packet of a message has been read until its
    /// rank sees it. At least 1.
    pub polling_interval_cycles: u32,
    /// Processor cycles in which a core writes a packet into an injection FIFO.
    pub write_processor_cycles: u32,
    /// Processor cycles in which a core reads a packet from a reception FIFO.
    pub read_processor_cycles: u32,
    /// Processor cycles from a rank's call until it takes effect.
    pub call_processor_cycles: u32,
    /// Whether packets are read and written while the rank of their core computes, as if by somebody else.
    pub reads_while_computing: bool,
}

impl Default for Parameters {
    /// 240 of a packet's 256 bytes are payload, the polling interval is the latency of one hop, and nothing else costs
    /// time.
    fn default() -> Self {
        Parameters {
            header_bytes: HEADER_BYTES,
            polling_interval_cycles: 12,
            write_processor_cycles: 0,
            read_processor_cycles: 0,
            call_processor_cycles: 0,
            reads_while_computing: true,
        }
    }
}

/// The longest time that software takes for anything, in cycles.
const LONGEST: u32 = 1_000_000_000;

impl Parameters {
    /// Whether a core reads packets in no time: reception FIFOs then need no bound if it is never busy otherwise.
    pub fn is_reading_free(&self) -> bool {
        self.read_processor_cycles == 0
    }

    /// Whether a core writes packets in no time.
    pub fn is_writing_free(&self) -> bool {
        self.write_processor_cycles == 0
    }

    /// Checks every value for packets of this format.
    ///
    /// # Errors
    /// The first parameter outside its range, with the valid range.
    pub fn check(&self, packet: &PacketFormat) -> Result<(), ParameterError> {
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("messaging.header_bytes", self.header_bytes, 0, full_packet - 1)?;
        range("messaging.polling_interval_cycles", self.polling_interval_cycles, 1, LONGEST)?;
        range("messaging.write_processor_cycles", self.write_processor_cycles, 0, LONGEST)?;
        range("messaging.read_processor_cycles", self.read_processor_cycles, 0, LONGEST)?;
        range("messaging.call_processor_cycles", self.call_processor_cycles, 0, LONGEST)
    }
}

fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from {low} to {high}") })
}
