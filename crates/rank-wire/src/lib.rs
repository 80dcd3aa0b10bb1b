//! The memory that the simulator shares with the processes of ranks. It knows neither MPI nor the simulator.
//!
//! ```text
//!   one memfd:   header | slot of each rank | batch of each rank | near arenas | far arenas
//!
//!   rank         records into its batch, data into blocks of its arena ... hands over, and sleeps
//!   simulator    copies the batch; when all its records have taken effect, writes the answer and resumes the rank
//! ```
//!
//! Either the rank runs or the simulator reads its batch, never both: [`Slot::turn`] says whose turn it is. So a batch
//! is no ring, and needs no positions. Blocks of data go from their owner to readers, in other processes, and come back
//! on a stack that the owner empties ([`blocks`]).
//!
//! All processes map all of the memory. A program that writes where it should not can damage the data of other ranks, as
//! a thread could, but not the simulator: it copies what it reads, checks every number, and trusts no counter.

#![allow(unsafe_code, reason = "memory that other processes change cannot be a reference")]

pub mod blocks;
mod futex;
mod layout;
mod memory;
pub mod pipes;
pub mod process;
mod record;
mod sides;
mod slot;
mod table;

pub use blocks::{Allocator, BLOCK_HEADER_BYTES};
pub use layout::{BATCH_WORDS, FAR_BYTES, Layout};
pub use memory::Memory;
pub use record::{Batch, Code, Collective, Damaged, NOTHING, Record, Records};
pub use sides::{Life, RankSide, SimulatorSide};
pub use slot::{Answer, Computing, Ended, Header, INLINE_ENDED, Slot};
pub use table::{Part, Table};
