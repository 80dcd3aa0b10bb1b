//! What a machine is asked to do: traffic patterns and traces.

pub mod trace;
