//! Programs whose ranks are processes of the host: `torusim mpirun`.
//!
//! ```text
//!   mpi::exchange --begin--> wake-ups --> hear: data for what has ended --+--> the next call of the rank's batch
//!                                                                       |
//!                                  without one: resume the process <----+
//!                                     wait, read its batch ... until all ranks of the round have a call
//!                 <-collect- answers
//! ```
//!
//! [`ProcessRanks`] is the program of all ranks for the simulator. It resumes processes in order of time and rank, and
//! goes on when all of them have handed over. So an answer depends on the program and on the outcomes of its calls, and
//! on nothing else of the host. Records of a process are checked ([`decode`]) before they become calls. Data stay in the
//! memory that all processes share: [`payloads`] and [`tables`] know where.
//!
//! Processes are started, watched and ended in [`processes`], with the processes that they have started themselves
//! ([`sweep`]). Their output is passed on in [`output`]. This crate starts threads and processes. It reads the clock for
//! nothing but the time after which a process is given up.

#![forbid(unsafe_code)]

mod collective;
mod decode;
mod ending;
mod launch;
mod left;
mod output;
mod payloads;
mod places;
mod processes;
pub mod program;
mod rank;
mod ranks;
mod sweep;
mod tables;

pub use launch::{Launch, Start};
pub use left::{Left, Measured};
pub use output::{Host, Stream};
pub use rank_wire::Computing;
pub use ranks::ProcessRanks;
