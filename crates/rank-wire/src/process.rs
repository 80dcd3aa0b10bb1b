//! The descriptors and limits of a process that becomes ranks, set between its fork and its program.

use crate::memory::Memory;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The variable of the environment by which a process gets [`Inherited`].
pub const VARIABLE: &str = "TORUSIM_RANKS";

/// What a process inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// The descriptor of the memory.
    pub memory: RawFd,
    /// The descriptors of the pipes for output begin after it; their number.
    pub pipes: u32,
    /// The rank; none if the process forks all ranks.
    pub rank: Option<u32>,
}

impl Inherited {
    /// The text of the variable.
    pub fn text(&self) -> String {
        let rank = self.rank.map_or(-1, i64::from);
        format!("{},{},{rank}", self.memory, self.pipes)
    }

    /// What the text of the variable says.
    pub fn of(text: &str) -> Option<Self> {
        let mut numbers = text.split(',').map(|number| number.parse::<i64>().ok());
        let mut next = || numbers.next().flatten();
        let (memory, pipes) = (RawFd::try_from(next()?).ok()?, u32::try_from(next()?).ok()?);
        Some(Inherited { memory, pipes, rank: u32::try_from(next()?).ok() })
    }
}

/// How a process begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// As the first of a session.
    Session,
    /// As the first of a group of processes.
    First,
    /// In the group of this process.
    Of(u32),
}

/// Lets a command inherit the memory and pipes, whose descriptors are made one after the other; returns what it
/// inherits. The command ends with the thread that starts it. The addresses of its memory are always the same, where the
/// host allows it, so that programs whose order depends on them repeat.
pub fn prepare(command: &mut Command, memory: &Memory, pipes: &[OwnedFd], group: Group) -> Inherited {
    let from: Vec<RawFd> =
        [memory.file().as_raw_fd()].into_iter().chain(pipes.iter().map(AsRawFd::as_raw_fd)).collect();
    let first = from.iter().copied().max().unwrap_or(0) + 1;
    let parent = std::process::id();
    let begin = move || {
        // SAFETY: plain system calls, with numbers that the closure owns.
        unsafe {
            match group {
                Group::Session => {
                    libc::setsid();
                }
                Group::First => {
                    libc::setpgid(0, 0);
                }
                Group::Of(leader) => {
                    libc::setpgid(0, leader as libc::pid_t);
                }
            }
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            for (&from, to) in from.iter().zip(first..) {
                if libc::dup2(from, to) < 0 {
                    return Err(io::Error::last_os_error());
                }
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec it makes system calls, and allocates nothing.
    unsafe { command.pre_exec(begin) };
    Inherited { memory: first, pipes: pipes.len() as u32, rank: None }
}

/// The highest number of descriptors of this process while it lives: a host limits it, and lets a process raise it.
#[derive(Debug)]
pub struct MoreDescriptors(libc::rlimit);

impl MoreDescriptors {
    /// Lets the process have at least `count` descriptors more than by default, if it can; returns how many it can have.
    pub fn raise(count: u64) -> (Self, u64) {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the address is that of a limit.
        unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
        let before = limit;
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
            let inherited = Inherited { memory: 17, pipes: 8, rank };
            assert_eq!(Inherited::of(&inherited.text()), Some(inherited));
        }
        assert_eq!(Inherited::of("17,x,3"), None);
    }
}
