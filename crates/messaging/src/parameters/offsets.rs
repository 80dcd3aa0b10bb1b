//! What it costs to re-align a packet, by how far its data are shifted (slides, October 2003: "the cost (cycles) of reading a
//! packet from the torus into un-aligned memory").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest unit of addresses for which costs by offset can be listed, in bytes.
const MAX_OFFSETS: usize = 32;

/// A number of processor cycles for each offset, from 0 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
#[schemars(with = "Vec<u32>")]
pub struct CyclesByOffset {
    offsets: u8,
    cycles: [u32; MAX_OFFSETS],
}

impl CyclesByOffset {
    /// The cycles of an offset; none if no offset is listed.
    pub fn of(&self, offset: u32) -> u32 {
        self.cycles.get(offset as usize).copied().unwrap_or(0)
    }

    /// Whether no offset is listed.
    pub fn is_empty(&self) -> bool {
        self.offsets == 0
    }

    /// Whether the list is one of all offsets of a unit of `alignment` bytes, the first of which costs nothing.
    pub(super) fn suits(&self, alignment: u32) -> bool {
        self.is_empty() || u32::from(self.offsets) == alignment && self.cycles[0] == 0
    }

    /// The largest cost.
    pub(super) fn max(&self) -> u32 {
        self.cycles.into_iter().max().unwrap_or(0)
    }
}

impl TryFrom<Vec<u32>> for CyclesByOffset {
    type Error = String;

    fn try_from(listed: Vec<u32>) -> Result<Self, String> {
        if listed.len() > MAX_OFFSETS {
            return Err(format!("must have at most {MAX_OFFSETS} numbers"));
        }
        let mut cycles = [0; MAX_OFFSETS];
        cycles[..listed.len()].copy_from_slice(&listed);
        Ok(CyclesByOffset { offsets: listed.len() as u8, cycles })
    }
}

impl From<CyclesByOffset> for Vec<u32> {
    fn from(listed: CyclesByOffset) -> Self {
        listed.cycles[..listed.offsets.into()].to_vec()
    }
}
