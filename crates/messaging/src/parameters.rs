//! What describes the software of the message layer.

use network::parameters::{PacketFormat, ParameterError};

/// Costs and sizes of the message layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Bytes of each packet that software takes for its own header.
    pub header_bytes: u32,
    /// Cycles from a delivery to the rank's hearing of it: how long the software takes to poll. At least 1.
    pub wakeup_cycles: u32,
}

impl Default for Parameters {
    /// 240 of a packet's 256 bytes for the payload, and a poll in one hop's time.
    fn default() -> Self {
        Parameters { header_bytes: 16, wakeup_cycles: 12 }
    }
}

impl Parameters {
    /// Checks every value for packets of this format.
    ///
    /// # Errors
    /// The first parameter outside its range, with what would be right.
    pub fn check(&self, packet: &PacketFormat) -> Result<(), ParameterError> {
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("messaging.header_bytes", self.header_bytes, 0, full_packet - 1)?;
        range("messaging.wakeup_cycles", self.wakeup_cycles, 1, 1_000_000_000)
    }
}

fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from {low} to {high}") })
}
