//! The directions of rings.

use serde::{Deserialize, Serialize};

/// The directions of rings that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Directions {
    /// Both directions, each with half of the data.
    #[default]
    Both,
    /// One direction.
    One,
}
