//! Kernels: the communication of programs, as programs of ranks.

mod halo_3d;

pub use halo_3d::{Halo3d, Halo3dPlan};
