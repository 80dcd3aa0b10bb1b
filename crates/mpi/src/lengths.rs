//! Lists that calls carry: shared, and never changed.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) mod list {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(list: &Arc<[u32]>, serializer: S) -> Result<S::Ok, S::Error> {
        list[..].serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u32]>, D::Error> {
        Vec::deserialize(deserializer).map(Arc::from)
    }
}

/// The lengths in bytes of the blocks of a collective, one for each rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub struct Lengths {
    /// The end of each block, so that the length of consecutive blocks is a difference.
    ends: Arc<[u64]>,
}

impl Lengths {
    /// The lengths of the blocks, in order.
    pub fn new(lengths: impl IntoIterator<Item = u64>) -> Self {
        let ends = lengths.into_iter().scan(0u64, |end, length| {
            *end = end.saturating_add(length);
            Some(*end)
        });
        Lengths { ends: ends.collect() }
    }

    /// Number of blocks.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Whether the list has no blocks.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of the blocks before block `number`.
    pub(crate) fn before(&self, number: u32) -> u64 {
        number.checked_sub(1).map_or(0, |last| self.ends[last as usize])
    }

    /// Bytes of all blocks.
    pub fn total(&self) -> u64 {
        self.before(self.len())
    }

    /// Bytes of block `number`.
    pub fn of(&self, number: u32) -> u64 {
        self.before(number + 1) - self.before(number)
    }

    /// Bytes in addition to the value itself.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.ends[..])
    }
}

impl From<Vec<u64>> for Lengths {
    fn from(lengths: Vec<u64>) -> Self {
        Lengths::new(lengths)
    }
}

impl From<Lengths> for Vec<u64> {
    fn from(lengths: Lengths) -> Self {
        (0..lengths.len()).map(|number| lengths.of(number)).collect()
    }
}
