//! The base of all models: random draws, permutations, memory, frames of checkpoints, the digest, clocks, limits of time
//! and yields of a core. Nothing here knows nodes, packets or messages.
//!
//! ```
//! use base::draws::{NodeKey, Purpose, pick};
//! use base::permutation::Permutation;
//!
//! // A draw is a function of the seed, the node, its purpose, a time and a port: it can be repeated in any order.
//! let node = NodeKey::new(1, 7);
//! let draw = node.draw(Purpose::Target, 100, 0);
//! assert_eq!(draw, node.draw(Purpose::Target, 100, 0));
//! assert!(pick(draw, 6) < 6);
//!
//! // An order of all nodes that needs no table.
//! let order = Permutation::new(512, 3);
//! let sum: u64 = (0..512).map(|position| order.at(position)).sum();
//! assert_eq!(sum, 511 * 512 / 2);
//! ```

#![deny(unsafe_code)]

pub mod bytes;
pub mod checkpoint;
pub mod clock;
pub mod decimal;
pub mod digest;
pub mod draws;
pub mod memory;
mod parameter_error;
pub mod permutation;
pub mod time;
mod words;
pub mod yields;

pub use parameter_error::{ParameterError, range};
pub use words::describe_words;
