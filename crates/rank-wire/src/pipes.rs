//! The pipes for the output of ranks, which the process that forks all ranks takes as it goes on.
//!
//! A copy of a process has copies of all its descriptors, and closes those of other ranks. If the process had the pipes
//! of all ranks, the time to start them would grow with the square of their number. So the pipes wait in a socket.

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The most descriptors of a message are 253 (`SCM_MAX_FD` of Linux). Each rank has two.
const OF_A_MESSAGE: usize = 252;

/// The most pipes that wait: a socket's buffer holds some 270 messages by default.
pub const MOST_PIPES: u64 = 256 * OF_A_MESSAGE as u64;

/// A socket in which pipes wait until [`Pipes`] takes them.
///
/// # Errors
/// If the host has no room for them.
pub fn queue(pipes: &[OwnedFd]) -> io::Result<OwnedFd> {
    let (to, from) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    for message in pipes.chunks(OF_A_MESSAGE) {
        let descriptors: Vec<BorrowedFd<'_>> = message.iter().map(AsFd::as_fd).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(OF_A_MESSAGE))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        sendmsg(&to, &[IoSlice::new(&[0])], &mut control, SendFlags::DONTWAIT)?;
    }
    Ok(from)
}

/// The pipes of ranks, in their order.
#[derive(Debug)]
pub struct Pipes {
    socket: OwnedFd,
    /// The number of all pipes. Two for each rank, or several ranks share each.
    all: usize,
    is_shared: bool,
    first: usize,
    /// The pipes from `first`.
    taken: Vec<OwnedFd>,
}

impl Pipes {
    /// The pipes that wait in a socket, for a number of ranks.
    pub fn new(socket: OwnedFd, pipes: u32, ranks: u32) -> Self {
        let is_shared = u64::from(pipes) < 2 * u64::from(ranks);
        Pipes { socket, all: pipes.max(1) as usize, is_shared, first: 0, taken: Vec::new() }
    }

    /// The pipes for the output and the errors of a rank. Ranks come in ascending order.
    ///
    /// # Errors
    /// If the process has no room for descriptors, or the socket is closed.
    pub fn of(&mut self, rank: u32) -> io::Result<[BorrowedFd<'_>; 2]> {
        let [output, error] = [0, 1].map(|stream| (2 * rank as usize + stream) % self.all);
        while output.max(error) >= self.first + self.taken.len() {
            if !self.is_shared {
                self.first += self.taken.drain(..).len();
            }
            self.take()?;
        }
        Ok([output, error].map(|pipe| self.taken[pipe - self.first].as_fd()))
    }

    /// Takes the next message.
    fn take(&mut self) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(OF_A_MESSAGE))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        recvmsg(&self.socket, &mut [IoSliceMut::new(&mut [0])], &mut control, RecvFlags::CMSG_CLOEXEC)?;
        let before = self.taken.len();
        for message in control.drain() {
            let RecvAncillaryMessage::ScmRights(descriptors) = message else { continue };
            for descriptor in descriptors {
                // A program may have closed its own output, whose number the pipe has got.
                self.taken.push(fcntl_dupfd_cloexec(descriptor, 3)?);
            }
        }
        if self.taken.len() > before { Ok(()) } else { Err(Errno::MFILE.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::{PipeFlags, pipe_with};
    use std::fs::File;
    use std::io::{Read, Write};

    /// Writes the name of each stream of each rank to its pipe; returns what comes out of all pipes.
    fn written(ranks: u32, pipes: u32) -> Vec<String> {
        let (read, write): (Vec<OwnedFd>, Vec<OwnedFd>) =
            (0..pipes).map(|_| pipe_with(PipeFlags::CLOEXEC).unwrap()).unzip();
        let mut taken = Pipes::new(queue(&write).unwrap(), pipes, ranks);
        drop(write);
        for rank in 0..ranks {
            for (stream, pipe) in taken.of(rank).unwrap().into_iter().enumerate() {
                let mut file = File::from(pipe.try_clone_to_owned().unwrap());
                write!(file, "{rank}.{stream} ").unwrap();
            }
        }
        drop(taken);
        let text = |pipe| {
            let mut text = String::new();
            File::from(pipe).read_to_string(&mut text).unwrap();
            text
        };
        read.into_iter().map(text).collect()
    }

    #[test]
    fn each_rank_has_its_own_pipes() {
        let expected: Vec<String> =
            (0..300).flat_map(|rank| [0, 1].map(|s| format!("{rank}.{s} "))).collect();
        let raised = crate::process::MoreDescriptors::raise(2000);
        assert_eq!(written(300, 600), expected);
        drop(raised);
    }

    #[test]
    fn ranks_share_pipes() {
        assert_eq!(written(3, 2), ["0.0 1.0 2.0 ", "0.1 1.1 2.1 "]);
    }

    #[test]
    fn a_closed_socket_is_an_error() {
        let mut none = Pipes::new(queue(&[]).unwrap(), 2, 1);
        assert!(none.of(0).is_err());
    }
}
