//! The patterns, one per file: the parameters as a scenario states them, and the plan made from them.
//!
//! # To add one
//!
//! 1. A file here. A `parameters!` struct states its keys; their doc comments are what `torusim list` prints.
//!    A key without a default has an example (`#[schemars(example = 240)]`). The struct implements `Kind`:
//!    `senders` says who sends, and `plan` returns traffic and bound. Patterns with one target for each node
//!    get both from `traffic::fixed::plan`. A fault of the machine is an error with the key `shape`. If the
//!    bound is not known for detours, `plan` refuses them by `Routing::require_minimal`.
//! 2. Its `mod` and `pub use` in this file.
//! 3. Its name in `workloads!` (`workload.rs`), before `outside:`. Parser, schema, `init`, `list` and the
//!    tests of parameters follow from it.
//! 4. A row in the table of workloads of `docs/guide.md`: `tests/test_pages.py` asks for it.
//! 5. If each node has one target, an example of it in `TARGETS` of `tests/open_loop.rs`, where a test asks for it.
//!
//! `tests/bounds.rs` compares the bound of every pattern with the links that its packets use, and random runs
//! (`simulation/tests/random/mod.rs`) take every pattern.

mod all_to_all;
mod bit_complement;
mod broadcast;
mod destination_matrix;
mod flow_list;
mod hot_region;
mod hot_spot;
mod jobs;
mod line_all_to_all;
mod nearest_neighbor;
mod permutation;
mod ping_pong;
mod plane_all_to_all;
mod program;
mod shift;
mod tornado;
mod trace;
mod transpose;
mod uniform_random;

pub use all_to_all::AllToAll;
pub use bit_complement::BitComplement;
pub use broadcast::{LineBroadcast, PlaneBroadcast, TorusBroadcast};
pub use destination_matrix::DestinationMatrix;
pub use flow_list::FlowList;
pub use hot_region::HotRegion;
pub use hot_spot::HotSpot;
pub use jobs::{Job, Jobs};
pub use line_all_to_all::LineAllToAll;
pub use nearest_neighbor::NearestNeighbor;
pub use permutation::{Permutation, PermutationOrder};
pub use ping_pong::PingPong;
pub use plane_all_to_all::PlaneAllToAll;
pub use program::Program;
pub use shift::Shift;
pub use tornado::Tornado;
pub use trace::Trace;
pub use transpose::{Transpose, TransposeBy};
pub use uniform_random::UniformRandom;
