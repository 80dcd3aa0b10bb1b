//! The node: FIFOs at the network's edge, and the software that fills and empties them.
//!
//! ```text
//!   software --writes--> injection FIFOs --> router ... router --> reception FIFOs --reads--> software
//! ```
//!
//! [`software`] is the interface through which engines use software. [`generated`] is the software that sends the
//! packets of a source, and [`infinite`] its form where that takes no time. [`relay`] forwards packets past dead nodes
//! and links.

pub mod choice;
mod choice_of_detour;
pub mod fifo_head;
pub mod fifos;
pub mod forward;
pub mod generated;
pub mod infinite;
pub mod pool;
pub mod relay;
pub mod sets;
pub mod software;
