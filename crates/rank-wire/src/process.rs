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
    // Other threads open descriptors meanwhile, and so does the start of the command.
    const APART: RawFd = 64;
    let own = [memory.file().as_raw_fd(), life.as_raw_fd()];
    let from: Vec<RawFd> =
        own.into_iter().chain(pipes.iter().map(|(socket, _)| socket.as_raw_fd())).collect();
    let most = from.iter().copied().max().unwrap_or(0) + 1;
    let room = descriptors().rlim_cur.min(1 << 30) as RawFd - most - from.len() as RawFd;
    let first = most + room.clamp(0, APART);
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
                let is_free = libc::fcntl(to, libc::F_GETFD) < 0;
                if !is_free || libc::dup2(from, to) < 0 {
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

/// The group of a process; none as for [`session_of`].
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

/// The session of a process; none for a process of the kernel, or if there is no such process.
pub fn session_of(process: i32) -> Option<i32> {
    // SAFETY: a plain system call.
    let session = unsafe { libc::getsid(process) };
    (session > 0).then_some(session)
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
    fn processes_of_the_kernel_have_no_session() {
        assert!(session_of(std::process::id() as i32).is_some());
        // Process 2 starts those of the kernel, and has session 0, unless this host is a container.
        assert_ne!(session_of(2), Some(0));
        assert_eq!(session_of(i32::MAX), None);
    }
}
