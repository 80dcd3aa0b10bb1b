//! Parameters of the message layer's software.

use network::parameters::{PacketFormat, ParameterError};

/// Costs and sizes of the message layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Software header of each packet, in bytes.
    pub header_bytes: u32,
    /// Polling interval: cycles from the delivery of a message until its rank sees it. At least 1.
    pub polling_interval_cycles: u32,
}

impl Default for Parameters {
    /// 240 of a packet's 256 bytes are payload, and the polling interval is the latency of one hop.
    fn default() -> Self {
        Parameters { header_bytes: 16, polling_interval_cycles: 12 }
    }
}

impl Parameters {
    /// Checks every value for packets of this format.
    ///
    /// # Errors
    /// The first parameter outside its range, with the valid range.
    pub fn check(&self, packet: &PacketFormat) -> Result<(), ParameterError> {
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("messaging.header_bytes", self.header_bytes, 0, full_packet - 1)?;
        range("messaging.polling_interval_cycles", self.polling_interval_cycles, 1, 1_000_000_000)
    }
}

fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from {low} to {high}") })
}
