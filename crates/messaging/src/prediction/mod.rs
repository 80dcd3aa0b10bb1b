//! What messages cost and take, without a run.

pub mod message_costs;
pub mod pace;
