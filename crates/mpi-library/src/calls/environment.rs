//! The beginning and the end of a program, its threads, memory and clock, and where it runs.

use crate::abi::{Arguments, Buffer, Comm, Info, IntegerKind, Limit, Pointer, Ref, Runtime, TextAt, Threads};
use crate::calls::{errors, info, start, texts};
use crate::clocks;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::{Stage, library};
use crate::link::noted_seconds;
use crate::objects::{attributes, communicators, sessions};
use crate::of_process::OfProcess;
use rank_wire::process::VARIABLE;
use std::cell::Cell;
use std::ffi::{c_int, c_void};

pub(crate) static ENVIRONMENT: OfProcess<Environment> = OfProcess::new(Environment::new());

/// The level of threads that the program knows, and the thread that calls MPI.
#[derive(Debug)]
pub(crate) struct Environment {
    /// The level of thread support.
    level: Cell<c_int>,
    /// The thread that has initialized MPI.
    thread: Cell<libc::pthread_t>,
}

impl Environment {
    pub const fn new() -> Self {
        Environment { level: Cell::new(c::THREAD_SINGLE), thread: Cell::new(0) }
    }
}

/// `MPI_Init`.
///
/// # Errors
/// If the program has called it before.
pub fn init(_: Ref<c_int>, _: Arguments) -> Outcome {
    begin(c::THREAD_SINGLE)
}

/// `MPI_Init_thread`: the level of thread support is at most `MPI_THREAD_FUNNELED`.
///
/// # Errors
/// If the program has called it before.
pub fn init_thread(_: Ref<c_int>, _: Arguments, required: Threads, provided: Ref<Threads>) -> Outcome {
    begin(required.0.clamp(c::THREAD_SINGLE, c::THREAD_FUNNELED))?;
    query_thread(provided)
}

fn begin(level: c_int) -> Outcome {
    if library().world.get() != Stage::Before {
        return Err(Error::new(c::ERR_OTHER, "a program initializes MPI once"));
    }
    connect()?;
    library().world.set(Stage::Running);
    ENVIRONMENT.level.set(level);
    Ok(())
}

/// Makes the process a rank, unless it is one.
///
/// # Errors
/// If it has been one.
pub(crate) fn connect() -> Outcome {
    match library().stage.get() {
        Stage::Before => {
            let link = start::connect();
            let (rank, size) = (link.rank, link.size);
            library().connect(link);
            clocks::begin();
            // Programs that the rank starts are no ranks, and have the clocks of the host.
            // SAFETY: no other thread changes or reads the environment now.
            unsafe { std::env::remove_var(VARIABLE) };
            communicators::begin(rank, size);
            attributes::begin(size, errors::last_class());
            // SAFETY: a plain call.
            ENVIRONMENT.thread.set(unsafe { libc::pthread_self() });
            Ok(())
        }
        Stage::Running | Stage::Finalized | Stage::Forked => library().link().map(drop),
    }
}

/// `MPI_Initialized`.
///
/// # Errors
/// None.
pub fn initialized(flag: Ref<c_int>) -> Outcome {
    flag.set(0, (library().world.get() != Stage::Before).into());
    Ok(())
}

/// `MPI_Finalized`.
///
/// # Errors
/// None.
pub fn finalized(flag: Ref<c_int>) -> Outcome {
    flag.set(0, (library().world.get() == Stage::Finalized).into());
    Ok(())
}

/// `MPI_Finalize`: first it deletes the attributes of `MPI_COMM_SELF`, whose functions may call MPI.
///
/// # Errors
/// Before `MPI_Init`, and if the program has called it before.
pub fn finalize() -> Outcome {
    let why = match library().world.get() {
        Stage::Running => None,
        Stage::Finalized => Some("a program finalizes MPI once"),
        Stage::Before | Stage::Forked => Some("it is called before MPI_Init"),
    };
    if let Some(why) = why {
        return Err(Error::new(c::ERR_OTHER, why));
    }
    communicators::of(Comm(c::COMM_SELF))?.attributes.delete_all(c::COMM_SELF)?;
    library().world.set(Stage::Finalized);
    if sessions::are_all_finalized() { finish() } else { Ok(()) }
}

/// Makes the last call of the rank.
pub(crate) fn finish() -> Outcome {
    library().link()?.finish();
    library().stage.set(Stage::Finalized);
    Ok(())
}

/// `MPI_Query_thread`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn query_thread(provided: Ref<Threads>) -> Outcome {
    library().link()?;
    provided.set(0, Threads(ENVIRONMENT.level.get()));
    Ok(())
}

/// `MPI_Is_thread_main`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn is_thread_main(flag: Ref<c_int>) -> Outcome {
    library().link()?;
    // SAFETY: a plain call.
    let own = unsafe { libc::pthread_self() };
    flag.set(0, (own == ENVIRONMENT.thread.get()).into());
    Ok(())
}

/// `MPI_Get_library_version`.
///
/// # Errors
/// None.
pub fn get_library_version(version: TextAt, resultlen: Ref<c_int>) -> Outcome {
    let (own, major, minor) = (env!("CARGO_PKG_VERSION"), c::VERSION, c::SUBVERSION);
    let text = texts::of(format!("torusim {own}: MPI {major}.{minor} on a simulated machine"));
    resultlen.set(0, texts::write(&text, version, Runtime::limit(Limit::LibraryVersion)) as c_int);
    Ok(())
}

/// `MPI_Get_processor_name`: the coordinates of the node, which several ranks may share.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn get_processor_name(name: TextAt, resultlen: Ref<c_int>) -> Outcome {
    let rank = library().link()?.rank;
    let coordinates: Vec<_> = library().memory()?.node_of(rank).iter().map(u32::to_string).collect();
    let text = texts::of(format!("node ({})", coordinates.join(", ")));
    resultlen.set(0, texts::write(&text, name, Runtime::limit(Limit::ProcessorName)) as c_int);
    Ok(())
}

/// `MPI_Get_hw_resource_info`: a rank is on a node. Other kinds of hardware are not known.
///
/// # Errors
/// None.
pub fn get_hw_resource_info(hw_info: Ref<Info>) -> Outcome {
    hw_info.set(0, info::handle(vec![(c"mpi_shared_memory".into(), c"true".into())]));
    Ok(())
}

/// `MPI_Alloc_mem`.
///
/// # Errors
/// If the size is negative, the hints are wrong, or no memory is left.
pub fn alloc_mem(size: isize, info: Info, baseptr: Pointer) -> Outcome {
    const LEAST_ALIGNMENT: usize = 64;
    let bytes = usize::try_from(size).map_err(|_| Error::argument("size", size, "a number from 0"))?;
    let hints = info::hints(info)?;
    let hint = info::value(&hints, c"mpi_minimum_memory_alignment").and_then(|value| value.to_str().ok());
    let wanted = hint.and_then(|value| value.parse().ok()).filter(|wanted: &usize| wanted.is_power_of_two());
    let alignment = wanted.unwrap_or(0).max(LEAST_ALIGNMENT);
    let mut at = std::ptr::null_mut();
    // SAFETY: the alignment is a power of two and a multiple of the size of a pointer.
    if unsafe { libc::posix_memalign(&raw mut at, alignment, bytes.max(1)) } != 0 {
        return Err(Error::new(c::ERR_NO_MEM, format!("size = {bytes}: the host has no room for it")));
    }
    // SAFETY: the program passes the address of a pointer.
    unsafe { baseptr.0.cast::<*mut c_void>().write_unaligned(at) };
    Ok(())
}

/// `MPI_Free_mem`.
///
/// # Errors
/// None.
pub fn free_mem(base: Buffer) -> Outcome {
    // SAFETY: the program has got the address from `MPI_Alloc_mem`.
    unsafe { libc::free(base.0 as *mut c_void) };
    Ok(())
}

/// `MPI_Abort`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn abort(_: Comm, errorcode: c_int) -> Outcome {
    library().link()?.abort(errorcode)
}

/// `MPI_Wtime`: simulated seconds from the beginning of the run.
pub fn wtime() -> f64 {
    match (library().stage.get(), library().connection()) {
        (Stage::Running, Some(mut link)) if clocks::calls_mpi() => link.seconds(),
        _ => noted_seconds(),
    }
}

/// `MPI_Wtick`: a processor cycle in seconds.
pub fn wtick() -> f64 {
    library().connection().map_or(1e-9, |link| 1.0 / link.memory().hertz())
}

/// The code of the standard ABI for a code of this interface.
pub(crate) fn code_of(raw: c_int) -> c_int {
    Runtime::integer(raw, IntegerKind::Error)
}
