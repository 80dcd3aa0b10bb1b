//! The node: FIFOs between software and network, and the cores that write and read them.
//!
//! ```text
//!   Source --> core --writes--> injection FIFOs --> router ... router --> reception FIFOs --reads--> core
//! ```

pub mod infinite;
pub mod software;
