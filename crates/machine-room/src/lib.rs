//! A machine room: midplanes, the cables between them, and the partitions that both can form.
//!
//! ```text
//!   machine-rooms/intrepid.toml --> Room ---------------------> Partition
//!                                    |   a box of midplanes,       |  midplanes, cables, link chips,
//!                                    |   torus or mesh             |  shape and wrap for the network
//!                                    |                             v
//!                                    +--- profile (rules) ---> Catalogue: partitions + who conflicts with whom
//! ```
//!
//! A midplane and a cable belong to one running partition at a time; two partitions that share either conflict. All
//! that tells one room from another stands in its file. This crate knows neither time nor jobs.

mod bits;
mod catalogue;
mod dimension;
mod file;
mod partition;
mod room;

pub use bits::Bits;
pub use catalogue::Catalogue;
pub use dimension::Dimension;
pub use file::ROOMS;
pub use partition::{CardRange, LinkChip, Partition, PassThrough, Wiring};
pub use room::{Cable, Room};
