//! The start of ranks: a process becomes one, or forks all of them and stays as their parent.
//!
//! ```text
//!   simulator --starts--> program ... MPI_Init --forks--> rank 0, rank 1, ...     each goes on in MPI_Init
//!                            |                              |
//!                            +-- waits for their ends, reports each of them, and ends with them
//! ```
//!
//! The simulator passes descriptors by a variable of the environment ([`rank_wire::process`]). All processes die with
//! their parent, and the program with the simulator, or with the script that has started it.

use crate::library::{Stage, library};
use crate::link::Link;
use crate::python;
use rank_wire::pipes::Pipes;
use rank_wire::process::{Inherited, VARIABLE, end_with_parent};
use rank_wire::{Life, Memory};
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::Arc;

/// Makes this process, or a copy of it, a rank, which waits for its first turn.
pub(super) fn connect() -> Link {
    let inherited = std::env::var(VARIABLE).ok().and_then(|text| Inherited::of(&text));
    let Some(inherited) = inherited else {
        stop("this program uses the MPI library of torusim: start it with `torusim mpirun -n RANKS PROGRAM`");
    };
    // SAFETY: a plain system call.
    if unsafe { libc::fcntl(inherited.memory, libc::F_GETFD) } < 0 {
        stop(NO_RANK);
    }
    // SAFETY: the simulator has passed the descriptor to this process, for the library alone.
    let memory = Memory::attach(unsafe { OwnedFd::from_raw_fd(inherited.memory) });
    let memory =
        memory.unwrap_or_else(|error| stop(&format!("the memory of the ranks cannot be mapped: {error}")));
    if !memory.claim(inherited.rank) {
        stop(NO_RANK);
    }
    // SAFETY: a plain system call.
    let _ = end_with_parent(unsafe { libc::getppid() } as u32);
    for descriptor in [inherited.memory, inherited.life()] {
        // Programs that a rank starts are no ranks.
        // SAFETY: a plain system call; the descriptors are the library's.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    let rank = inherited.rank.unwrap_or_else(|| fork_all(&memory, inherited));
    // The output of a rank is read line by line, as it would be from a terminal.
    // SAFETY: the standard output is open, and no output has been written to it in this process.
    unsafe { libc::setvbuf(stdout_of_c(), std::ptr::null_mut(), libc::_IOLBF, 0) };
    // SAFETY: the functions do what is safe in a process that has just been forked.
    unsafe { libc::pthread_atfork(None, None, Some(leave_forked)) };
    Link::new(Arc::new(memory), rank, inherited.life())
}

const NO_RANK: &str = "this program calls MPI_Init, and is no rank: another program of the run has been before, or the \
                       descriptors that the run has passed on are closed";

unsafe extern "C" {
    /// The standard output of C.
    static stdout: *mut libc::FILE;
}

fn stdout_of_c() -> *mut libc::FILE {
    // SAFETY: C's library initializes the variable, and programs do not change it.
    unsafe { stdout }
}

/// In a process that a rank has forked: it is no rank, and ends with the rank. One that this forks again is a daemon, and
/// ends with the run.
extern "C" fn leave_forked() {
    let stage = library().leave();
    if stage != Stage::Forked {
        // SAFETY: a plain system call.
        let _ = end_with_parent(unsafe { libc::getppid() } as u32);
    }
}

fn stop(words: &str) -> ! {
    eprintln!("torusim: {words}");
    std::process::exit(1)
}

/// Forks all ranks. Returns in each of them, with its rank; the parent ends with the last of them.
fn fork_all(memory: &Memory, inherited: Inherited) -> u32 {
    python::prepare();
    let tasks = std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    if tasks > 1 {
        stop(&format!(
            "the program has {tasks} threads when it calls MPI_Init, which its copies would lack: start it with \
             `torusim mpirun --start exec`, which starts a process for each rank"
        ));
    }
    // SAFETY: it flushes all streams, so that no copy prints what the program has printed before.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let parent = std::process::id();
    let signals = Signals::set_aside();
    // SAFETY: the simulator has passed the descriptor to this process, for the library alone.
    let socket = unsafe { OwnedFd::from_raw_fd(inherited.waiting_pipes()) };
    let mut pipes = Pipes::new(socket, inherited.pipes, memory.layout().ranks);
    let mut ranks = BTreeMap::new();
    for rank in 0..memory.layout().ranks {
        let output = pipes.of(rank).unwrap_or_else(|error| give_up(rank, &error));
        // SAFETY: the process has one thread, so that its copy is complete.
        match unsafe { libc::fork() } {
            0 => {
                signals.restore();
                become_rank(rank, parent, output);
                return rank;
            }
            child if child > 0 => {
                ranks.insert(child, rank);
            }
            _ => give_up(rank, &std::io::Error::last_os_error()),
        }
    }
    drop(pipes);
    wait_for(ranks, memory, &Life::new(inherited.life()))
}

/// The settings of signals that the program has made before it has become ranks.
struct Signals {
    mask: libc::sigset_t,
    child_ended: libc::sigaction,
}

impl Signals {
    /// Lets this process wait for the ends of its children, which the program may have refused, and run no function of the
    /// program for a signal: a timer of the program stays with this process.
    fn set_aside() -> Self {
        // SAFETY: plain system calls, with the addresses of sets of signals and of actions, which may be all zero.
        unsafe {
            let mut before: Signals = std::mem::zeroed();
            let mut all = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before.mask);
            let default = std::mem::zeroed();
            libc::sigaction(libc::SIGCHLD, &raw const default, &raw mut before.child_ended);
            before
        }
    }

    /// Sets what the program had set.
    fn restore(&self) {
        // SAFETY: as above.
        unsafe {
            libc::sigaction(libc::SIGCHLD, &raw const self.child_ended, std::ptr::null_mut());
            libc::sigprocmask(libc::SIG_SETMASK, &raw const self.mask, std::ptr::null_mut());
        }
    }
}

/// All ranks end with this process.
fn give_up(rank: u32, error: &std::io::Error) -> ! {
    eprintln!("torusim: rank {rank} cannot be forked: {error}");
    // SAFETY: a plain system call.
    unsafe { libc::_exit(1) }
}

/// The beginning of a rank: it ends with its parent, and writes to its own pipes.
fn become_rank(rank: u32, parent: u32, output: [BorrowedFd<'_>; 2]) {
    // SAFETY: plain system calls.
    unsafe {
        if end_with_parent(parent).is_err() {
            libc::_exit(1);
        }
        for (stream, pipe) in (1..).zip(output) {
            libc::dup2(pipe.as_raw_fd(), stream);
        }
        if rank > 0 {
            let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
            libc::dup2(nothing, 0);
            libc::close(nothing);
        }
    }
}

/// Reports the ends of all ranks, then ends. Ends with the simulator, too, and so end the ranks.
fn wait_for(mut ranks: BTreeMap<libc::pid_t, u32>, memory: &Memory, life: &Life) -> ! {
    let look = libc::timespec { tv_sec: 2, tv_nsec: 0 };
    // SAFETY: plain system calls, with the address of a set of signals.
    let child_ended = unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigaddset(&raw mut signals, libc::SIGCHLD);
        signals
    };
    while !ranks.is_empty() && !life.has_ended() {
        while let Some((child, status)) = ended_child() {
            if let Some(rank) = ranks.remove(&child) {
                memory.report_death(rank, status);
            }
        }
        if !ranks.is_empty() {
            // SAFETY: the addresses are those of a set of signals and of a time.
            unsafe {
                libc::sigtimedwait(&raw const child_ended, std::ptr::null_mut(), &raw const look);
            }
        }
    }
    // SAFETY: a plain system call, which runs nothing that the program has registered for its end.
    unsafe { libc::_exit(0) }
}

/// A child that has ended, and its status.
fn ended_child() -> Option<(libc::pid_t, i32)> {
    let mut status = 0;
    // SAFETY: the address is that of an integer.
    let child = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
    (child > 0).then_some((child, status))
}
