//! The descriptors and limits of a process that becomes ranks, set between its fork and its program.

use crate::memory::Memory;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The variable of the environment by which a process gets [`Inherited`].
pub const VARIABLE: &str = "TORUSIM_RANKS";

/// The descriptors and numbers that a process inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// The descriptor of the memory. That of the simulator's life follows, and then the socket with pipes for output.
    pub memory: RawFd,
    /// The number of pipes.
    pub pipes: u32,
    /// The rank; none if the process forks all ranks.
    pub rank: Option<u32>,
    /// A number that no other run of the host has at the time.
    pub run: u64,
}

impl Inherited {
    /// The text of the variable.
    pub fn text(&self) -> String {
        let rank = self.rank.map_or(-1, i64::from);
        format!("{},{},{rank},{}", self.memory, self.pipes, self.run)
    }

    /// The descriptors and numbers of a variable's text.
    pub fn of(text: &str) -> Option<Self> {
        let mut numbers = text.split(',').map(|number| number.parse::<i128>().ok());
        let mut next = || numbers.next().flatten();
        let (memory, pipes) = (RawFd::try_from(next()?).ok()?, u32::try_from(next()?).ok()?);
        let rank = u32::try_from(next()?).ok();
        Some(Inherited { memory, pipes, rank, run: u64::try_from(next()?).ok()? })
    }

    /// The descriptor of the simulator's life: a pipe whose other end the simulator alone has.
    pub fn life(&self) -> RawFd {
        self.memory + 1
    }

    /// The socket in which the pipes for output wait ([`crate::pipes`]).
    pub fn waiting_pipes(&self) -> RawFd {
        self.memory + 2
    }
}

/// Lets a command inherit the memory, the simulator's life, and a socket with a number of pipes, if it forks all ranks;
/// returns what it inherits. The command begins a session, and ends with the thread that starts it. The addresses of its
/// memory are always the same, where the host allows it, so that programs whose order depends on them repeat.
pub fn prepare(
    command: &mut Command,
    memory: &Memory,
    life: &OwnedFd,
    pipes: Option<(&OwnedFd, u32)>,
) -> Inherited {
    let own = [memory.file().as_raw_fd(), life.as_raw_fd()];
    let from: Vec<RawFd> =
        own.into_iter().chain(pipes.iter().map(|(socket, _)| socket.as_raw_fd())).collect();
    let first = free_descriptors(from.len() as RawFd, from.iter().copied().max().unwrap_or(0));
    let parent = std::process::id();
    let begin = move || {
        // SAFETY: plain system calls, with numbers that the closure owns.
        unsafe {
            libc::setsid();
            // A process that ignores the ends of its children cannot wait for one.
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            end_with_parent(parent)?;
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            for (&from, to) in from.iter().zip(first..) {
                if !is_free(to) || libc::dup2(from, to) < 0 {
                    return Err(io::Error::from_raw_os_error(libc::EMFILE));
                }
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec it makes system calls, and allocates nothing.
    unsafe { command.pre_exec(begin) };
    Inherited { memory: first, pipes: pipes.map_or(0, |(_, number)| number), rank: None, run: memory.run() }
}

/// Lets this process end with its parent.
///
/// # Errors
/// If the parent has ended already.
pub fn end_with_parent(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls.
    let now = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::getppid()
    };
    if now as u32 == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
}

/// The group of a process; none as for [`session_of`]. Process 0 is the one that asks.
pub fn group_of(process: i32) -> Option<i32> {
    // SAFETY: a plain system call.
    let group = unsafe { libc::getpgid(process) };
    (group > 0).then_some(group)
}

/// Whether a process has the other end of a pipe.
pub fn has_readers(pipe: &OwnedFd) -> bool {
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: the address is that of one entry.
    unsafe { libc::poll(&raw mut poll, 1, 0) };
    poll.revents & libc::POLLERR == 0
}

/// Whether this process has the host forget its children when they end, so that it cannot wait for one.
pub fn ignores_ends_of_children() -> bool {
    // SAFETY: plain system call, with the address of an action, which may be all zero.
    let action = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut action);
        action
    };
    action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0
}

/// The session of a process; none if there is no such process, for a process of the kernel, and in a container for a
/// session that has been begun outside. Process 0 is the one that asks.
pub fn session_of(process: i32) -> Option<i32> {
    // SAFETY: a plain system call.
    let session = unsafe { libc::getsid(process) };
    (session > 0).then_some(session)
}

/// The first of some descriptors in a row that are free. They lie apart from those that are open, if the limit allows it:
/// other threads open some meanwhile, and so does the start of a command.
fn free_descriptors(count: RawFd, open: RawFd) -> RawFd {
    const APART: RawFd = 64;
    let end = descriptors().rlim_cur.min(1 << 20) as RawFd - count;
    let apart = (open + APART).min(end);
    let are_free = |first: &RawFd| (*first..*first + count).all(is_free);
    // Without such a row, the start of the command says that there are too many.
    (apart..end).chain((0..apart).rev()).find(are_free).unwrap_or(0)
}

fn is_free(descriptor: RawFd) -> bool {
    // SAFETY: a plain system call.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) < 0 }
}

/// The limit of the number of descriptors of this process.
fn descriptors() -> libc::rlimit {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the address is that of a limit.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    limit
}

/// The highest number of descriptors of this process while it lives: a host limits it, and lets a process raise it.
#[derive(Debug)]
pub struct MoreDescriptors(libc::rlimit);

impl MoreDescriptors {
    /// Lets the process have at least `count` descriptors more than by default, if it can; returns how many it can have.
    pub fn raise(count: u64) -> (Self, u64) {
        let before = descriptors();
        let mut limit = before;
        limit.rlim_cur = limit.rlim_cur.saturating_add(count).min(limit.rlim_max);
        // SAFETY: the address is that of a limit.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
        (MoreDescriptors(before), limit.rlim_cur)
    }
}

impl Drop for MoreDescriptors {
    fn drop(&mut self) {
        // SAFETY: the address is that of a limit.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::FromRawFd;

    #[test]
    fn what_is_inherited_is_read_as_it_is_written() {
        for rank in [None, Some(3)] {
            let inherited = Inherited { memory: 17, pipes: 8, rank, run: u64::MAX };
            assert_eq!(Inherited::of(&inherited.text()), Some(inherited));
        }
        assert_eq!(Inherited::of("17,x,3,4"), None);
        assert_eq!(Inherited::of("17,8,3"), None);
    }

    #[test]
    fn a_program_is_in_the_session_that_it_begins() {
        let mut command = Command::new("sleep");
        // SAFETY: a plain system call.
        unsafe {
            command.arg("60").pre_exec(|| {
                libc::setsid();
                Ok(())
            })
        };
        let mut program = command.spawn().unwrap();
        let number = program.id() as i32;
        assert_eq!((session_of(number), group_of(number)), (Some(number), Some(number)));
        program.kill().unwrap();
        program.wait().unwrap();
        assert_eq!((session_of(number), group_of(number)), (None, None));
    }

    #[test]
    fn descriptors_that_are_open_are_not_free() {
        let open = std::io::stderr().as_raw_fd();
        let free = free_descriptors(2, open);
        // SAFETY: a plain system call, which gives a descriptor that nobody else has.
        let taken = unsafe { OwnedFd::from_raw_fd(libc::fcntl(open, libc::F_DUPFD_CLOEXEC, free + 1)) };
        let another = free_descriptors(2, open);
        assert!(!(another..another + 2).contains(&taken.as_raw_fd()));
    }

    #[test]
    fn sessions_and_groups_have_no_number_zero() {
        // Process 2 starts those of the kernel, unless this host is a container. There, the session of this process can
        // be one outside, which has no number inside.
        for process in [0, 2, std::process::id() as i32, i32::MAX] {
            assert_ne!(session_of(process), Some(0));
            assert_ne!(group_of(process), Some(0));
        }
    }
}
