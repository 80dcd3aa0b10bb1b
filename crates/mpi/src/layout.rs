//! The layout of message data in memory.

use serde::{Deserialize, Serialize};

/// The layout of a message's data in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// In one piece.
    #[default]
    Contiguous,
    /// In this number of blocks that do not touch, which are packed and unpacked one by one (`MPI_Type_vector`,
    /// `MPI_Type_indexed`). The lengths and places of the blocks cost nothing.
    Blocks(u32),
}

impl Layout {
    /// The layout of data in `blocks` blocks; fewer than two are in one piece.
    pub fn of(blocks: u32) -> Self {
        if blocks < 2 { Layout::Contiguous } else { Layout::Blocks(blocks) }
    }

    /// The blocks that are packed and unpacked one by one.
    pub(crate) fn blocks(self) -> u32 {
        match self {
            Layout::Contiguous => 0,
            Layout::Blocks(blocks) => blocks,
        }
    }
}
