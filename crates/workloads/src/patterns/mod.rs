//! The patterns, one per file: the parameters as a scenario states them, and the plan made from them.

mod all_to_all;
mod bit_complement;
mod broadcast;
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
