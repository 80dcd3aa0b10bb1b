//! Where the data of messages lie in memory.

use serde::{Deserialize, Serialize};

/// Where the data of a message lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// In one piece.
    #[default]
    Contiguous,
    /// In so many blocks that do not touch, which are packed and unpacked one by one (`MPI_Type_vector`,
    /// `MPI_Type_indexed`). How long they are and where they lie costs nothing.
    Blocks(u32),
}

impl Layout {
    /// That of data in so many blocks, which are in one piece if there are no two.
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
