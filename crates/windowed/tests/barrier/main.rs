//! The barrier between windows: checked over all interleavings of a model by loom, and run with the system's threads.
//!
//! The barrier's source is compiled here twice, above loom's primitives and above the standard library's.

#![allow(dead_code, clippy::duplicate_mod)]

mod model;
mod system;
