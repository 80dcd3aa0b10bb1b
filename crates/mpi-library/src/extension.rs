//! Functions that are not MPI's: `torusim_compute` of `torusim.h`, and those by which the package `torusim.awaited` makes
//! calls. A program of `torusim.run_program` has done there in Python what this library does: its calls are records.
//!
//! ```text
//!   data     put --offset--> make(Send, ... offset) ... make(Receive) --offset--> data, release
//!   tables   make(Collect, ... offset) --table--> contribution(table, rank), release_table
//! ```
//!
//! Blocks have their own length, whatever length a message has in the simulation.

use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators;
use crate::objects::requests::ACTIVE;
use crate::of_process::OfProcess;
use rank_wire::{Answer, Code, Ended, Part, Table};
use std::cell::RefCell;
use std::ffi::{c_int, c_void};

/// The call of a function, whose errors end the run.
fn called<T>(name: &'static str, function: impl FnOnce() -> Outcome<T>) -> T {
    let outer = library().begin(name);
    let value = function().unwrap_or_else(|error| library().fail(&error));
    library().end(outer);
    value
}

/// `torusim_compute`: computes for a time in seconds.
pub fn compute(seconds: f64) {
    called("torusim_compute", || {
        let mut link = library().link()?;
        if !(seconds >= 0.0 && seconds * link.memory().hertz() < (1_u64 << 53) as f64) {
            let words = format!("seconds = {seconds}: it is a number of seconds from 0");
            return Err(Error::new(c::ERR_ARG, words));
        }
        link.compute(seconds);
        Ok(())
    });
}

/// `torusim_cycle`: the processor cycle at which the last call has ended, and what has been computed since then.
pub fn cycle() -> u64 {
    called("torusim_cycle", || Ok(library().link()?.settled_cycle()))
}

/// `torusim_hertz`: processor cycles in a second.
pub fn hertz() -> f64 {
    called("torusim_hertz", || Ok(library().memory()?.hertz()))
}

/// `torusim_place`: stores a rank (the own one for the highest number), the number of ranks, how many lower ranks are on the
/// rank's node, and the coordinates of the node. Returns the number of coordinates.
///
/// # Safety
/// There is room for 9 words.
pub unsafe fn place(rank: u32, words: *mut u32) -> u32 {
    called("torusim_place", || {
        let (own, size) = {
            let link = library().link()?;
            (link.rank, link.size)
        };
        let (rank, memory) = (if rank < size { rank } else { own }, library().memory()?);
        let node = memory.node_of(rank);
        let core = (0..rank).filter(|other| memory.node_of(*other) == node).count() as u32;
        let all: Vec<u32> = [rank, size, core].into_iter().chain(node.iter().copied()).collect();
        // SAFETY: the caller says so; a machine has at most six dimensions.
        unsafe { words.copy_from_nonoverlapping(all.as_ptr(), all.len()) };
        Ok(node.len() as u32)
    })
}

/// The requests that the last call has ended.
static ENDED: OfProcess<RefCell<Vec<Ended>>> = OfProcess::new(RefCell::new(Vec::new()));

/// The words that `torusim_make` returns.
pub const OUTCOME_WORDS: usize = 11;

fn outcome_of(answer: &Answer, ended: usize) -> [u64; OUTCOME_WORDS] {
    let Answer { time, flag, handle, id, table, received, .. } = *answer;
    let [_, source, tag, flags, bytes, offset] = words_of(&received);
    let [flag, handle, id] = [flag, handle, id].map(u64::from);
    [time, flag, handle, id, table, source, tag, flags, bytes, offset, ended as u64]
}

/// The words of a request that has ended.
fn words_of(ended: &Ended) -> [u64; 6] {
    let Ended { request, source, tag, flags, bytes, offset } = *ended;
    [request.into(), source.into(), tag.into(), flags.into(), bytes, offset]
}

/// The name of a call, by which messages name it.
fn name_of(code: Code) -> &'static str {
    match code {
        Code::Send | Code::SendInit => "a send",
        Code::Receive | Code::ReceiveInit | Code::MatchedReceive => "a receive",
        Code::SendReceive => "sendrecv",
        Code::Start => "a start of requests",
        Code::End => "a wait or a test",
        Code::Probe => "a probe",
        Code::Collect => "a collective",
        Code::Create | Code::Define => "the creation of a communicator",
        Code::Compute => "compute",
        Code::Abort => "Abort",
        Code::Free | Code::Cancel | Code::FreeCommunicator => "the release of an object",
        Code::Time | Code::Fail | Code::Finish | Code::Measured | Code::Settle => "torusim_make",
    }
}

/// `torusim_make`: makes a call by its record. With room for the outcome it waits for its end, and `torusim_ended` has the
/// requests that the call has ended.
///
/// # Safety
/// There are as many words, and room for [`OUTCOME_WORDS`] or none.
pub unsafe fn make(code: u32, words: *const u64, count: usize, outcome: *mut u64) {
    let of = Code::of(code.into());
    called(of.map_or("torusim_make", name_of), || {
        let code =
            of.ok_or_else(|| Error::new(c::ERR_ARG, format!("code = {code}: it is that of a record")))?;
        // SAFETY: the caller says so.
        let words = unsafe { std::slice::from_raw_parts(words, count) };
        let mut link = library().link()?;
        if outcome.is_null() {
            link.post(code, words);
            return Ok(());
        }
        let answer = link.ask(code, words);
        let answered = outcome_of(&answer, link.ended.len());
        // A look at a clock would forget them.
        std::mem::swap(&mut *ENDED.borrow_mut(), &mut link.ended);
        // SAFETY: the caller says so.
        unsafe { outcome.copy_from_nonoverlapping(answered.as_ptr(), OUTCOME_WORDS) };
        Ok(())
    });
    library().computation.after_call();
}

/// `torusim_ended`: the requests that the last call has ended, six words each.
///
/// # Safety
/// There is room for as many as `torusim_make` has said.
pub unsafe fn ended(rows: *mut u64) {
    for (place, ended) in ENDED.borrow().iter().enumerate() {
        let row = words_of(ended);
        // SAFETY: the caller says so.
        unsafe { rows.add(place * row.len()).copy_from_nonoverlapping(row.as_ptr(), row.len()) };
    }
}

/// `torusim_reserve`: the number of a new request.
pub fn reserve() -> u32 {
    ACTIVE.reserve()
}

/// `torusim_unreserve`: frees the number of a request that has ended.
pub fn unreserve(number: u32) {
    ACTIVE.release(number);
}

/// `torusim_communicator`: the number of the next communicator.
pub fn communicator() -> u32 {
    communicators::next_number()
}

/// `torusim_put`: a block with data for one reader; its offset.
///
/// # Safety
/// There are as many bytes.
pub unsafe fn put(data: *const c_void, bytes: u64) -> u64 {
    called("torusim_put", || {
        // SAFETY: the caller says so, and the block has room for the bytes.
        library()
            .link()?
            .put(bytes, 1, |to| unsafe { to.copy_from_nonoverlapping(data.cast(), bytes as usize) })
    })
}

/// `torusim_data`: the data of a block, whose length is stored.
///
/// # Safety
/// There is room for the length.
pub unsafe fn data(offset: u64, bytes: *mut u64) -> *const c_void {
    let Ok(memory) = library().memory() else { return std::ptr::null() };
    let length = memory.block_bytes(offset).unwrap_or(0);
    // SAFETY: the caller says so.
    unsafe { bytes.write(length) };
    memory.data(offset, length).map_or(std::ptr::null(), |data| data.cast_const().cast())
}

/// `torusim_release`: releases a block that has been read.
pub fn release(offset: u64) {
    if let Ok(memory) = library().memory() {
        memory.release(offset);
    }
}

/// `torusim_contribution`: the block that a rank has contributed to a collective; 0 without one.
pub fn contribution(table: u64, rank: u32) -> u64 {
    library().memory().map_or(0, |memory| Table(table).contribution(memory, rank))
}

/// `torusim_result`: whether another rank has computed the result of a table; else the caller computes it. The block of the
/// result is stored.
///
/// # Safety
/// There is room for the offset.
pub unsafe fn result(table: u64, offset: *mut u64) -> c_int {
    let part =
        library().memory().map_or(Part::Computes, |memory| Table(table).part(memory, library().rank()));
    match part {
        Part::Computes => 0,
        Part::Reads(at) => {
            // SAFETY: the caller says so.
            unsafe { offset.write(at) };
            1
        }
    }
}

/// `torusim_tell`: tells all ranks the block with the result of a table.
pub fn tell(table: u64, offset: u64) {
    if let Ok(memory) = library().memory() {
        Table(table).tell(memory, offset);
    }
}

/// `torusim_release_table`: releases a table that has been read.
pub fn release_table(table: u64) {
    if let Ok(memory) = library().memory() {
        Table(table).release(memory);
    }
}

/// The names of these functions, as they are exported.
pub const NAMES: [&str; 16] = [
    "torusim_compute",
    "torusim_cycle",
    "torusim_hertz",
    "torusim_place",
    "torusim_make",
    "torusim_ended",
    "torusim_reserve",
    "torusim_unreserve",
    "torusim_communicator",
    "torusim_put",
    "torusim_data",
    "torusim_release",
    "torusim_contribution",
    "torusim_result",
    "torusim_tell",
    "torusim_release_table",
];

/// Exports the functions that are not MPI's.
#[macro_export]
macro_rules! export_extension {
    () => {
        const _: () = {
            use core::ffi::{c_int, c_void};
            $crate::export_extension! {
                "torusim_compute" = compute(seconds: f64);
                "torusim_cycle" = cycle() -> u64;
                "torusim_hertz" = hertz() -> f64;
                "torusim_place" = place(rank: u32, words: *mut u32) -> u32;
                "torusim_make" = make(code: u32, words: *const u64, count: usize, outcome: *mut u64);
                "torusim_ended" = ended(rows: *mut u64);
                "torusim_reserve" = reserve() -> u32;
                "torusim_unreserve" = unreserve(number: u32);
                "torusim_communicator" = communicator() -> u32;
                "torusim_put" = put(data: *const c_void, bytes: u64) -> u64;
                "torusim_data" = data(offset: u64, bytes: *mut u64) -> *const c_void;
                "torusim_release" = release(offset: u64);
                "torusim_contribution" = contribution(table: u64, rank: u32) -> u64;
                "torusim_result" = result(table: u64, offset: *mut u64) -> c_int;
                "torusim_tell" = tell(table: u64, offset: u64);
                "torusim_release_table" = release_table(table: u64);
            }
        };
    };
    ($($name:literal = $function:ident($($parameter:ident: $type:ty),*) $(-> $value:ty)?;)+) => {$(
        #[unsafe(export_name = $name)]
        unsafe extern "C" fn $function($($parameter: $type),*) $(-> $value)? {
            #[allow(unused_unsafe, reason = "some of them are safe")]
            // SAFETY: the program passes what the function needs.
            unsafe { $crate::extension::$function($($parameter),*) }
        }
    )+};
}
