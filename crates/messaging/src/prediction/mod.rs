//! The costs and times of messages, without a run.

pub mod message_costs;
pub mod pace;
