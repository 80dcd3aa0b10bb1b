//! A machine room: midplanes, the cables between them, and the partitions that they can form.
//!
//! ```text
//!   machine-rooms/intrepid.toml --> Room ---------------------> Partition
//!                                    |   a box of midplanes,       |  midplanes, cables, link chips,
//!                                    |   torus or mesh             |  shape and wrap for the network
//!                                    |                             v
//!                                    +--- profile (rules) ---> Catalogue: partitions + conflict matrix
//! ```
//!
//! A midplane, a node card or a cable belongs to at most one running partition; two partitions that share one conflict.
//! Everything specific to a room is in its file. This crate has no notion of time or jobs.
//!
//! ```
//! use machine_room::Room;
//!
//! let room = Room::named("bluegene-p-2-racks").unwrap();
//! let catalogue = room.catalogue("site").unwrap();
//! let whole = catalogue.partitions().iter().position(|partition| partition.nodes() == room.nodes()).unwrap();
//! // A partition of all nodes shares midplanes with every other.
//! assert!((0..catalogue.partitions().len()).all(|other| catalogue.conflict(whole, other)));
//! ```

#![forbid(unsafe_code)]

mod catalogue;
mod dimension;
mod file;
mod partition;
mod room;

pub use catalogue::Catalogue;
pub use dimension::Dimension;
pub use file::ROOMS;
pub use partition::{CardRange, LinkChip, Partition, PassThrough, Wiring};
pub use room::{Cable, Room};
