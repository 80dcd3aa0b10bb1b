//! An end of a connection between two processes.

use rustix::event::{PollFd, PollFlags};
use rustix::io::{Errno, read, write};
use std::io;
use std::os::fd::OwnedFd;

const HEAD: usize = 16;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// A socket that does not block, with what is on its way.
#[derive(Debug)]
pub(crate) struct End {
    socket: OwnedFd,
    /// What is to be sent, and how much of it has been.
    outgoing: Vec<u8>,
    sent: usize,
    /// What has been read: the message of this swap, and perhaps that of the next.
    incoming: Vec<u8>,
}

impl End {
    pub fn new(socket: OwnedFd) -> Self {
        End { socket, outgoing: Vec::new(), sent: 0, incoming: Vec::new() }
    }

    /// Begins a swap.
    pub fn send(&mut self, word: u64, message: &[u8]) {
        self.sent = 0;
        self.outgoing.clear();
        self.outgoing.extend(word.to_le_bytes());
        self.outgoing.extend((message.len() as u64).to_le_bytes());
        self.outgoing.extend(message);
    }

    /// Sends and reads what it can without waiting; returns whether that was anything.
    pub fn go_on(&mut self) -> io::Result<bool> {
        let has_sent = self.sends() && self.send_some()?;
        Ok(!self.has_read() && self.read_some()? || has_sent)
    }

    fn send_some(&mut self) -> io::Result<bool> {
        let sent = now(write(&self.socket, &self.outgoing[self.sent..]))?;
        self.sent += sent.unwrap_or(0);
        Ok(sent.is_some())
    }

    fn read_some(&mut self) -> io::Result<bool> {
        let before = self.incoming.len();
        let missing = self.length().map_or(0, |length| length - before);
        self.incoming.resize(before + missing.max(CHUNK), 0);
        let got = now(read(&self.socket, &mut self.incoming[before..]));
        self.incoming.truncate(before + got.as_ref().map_or(0, |got| got.unwrap_or(0)));
        if got? == Some(0) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(self.incoming.len() > before)
    }

    fn sends(&self) -> bool {
        self.sent < self.outgoing.len()
    }

    /// The length of the message that is being read, with its head, if that has come.
    fn length(&self) -> Option<usize> {
        let length = self.incoming.get(8..HEAD)?.try_into().ok()?;
        Some(HEAD + u64::from_le_bytes(length) as usize)
    }

    fn has_read(&self) -> bool {
        self.length().is_some_and(|length| self.incoming.len() >= length)
    }

    /// Whether the swap has ended here.
    pub fn is_done(&self) -> bool {
        !self.sends() && self.has_read()
    }

    /// What the socket waits for.
    pub fn waits(&self) -> PollFd<'_> {
        let flags = if self.sends() { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
        PollFd::new(&self.socket, if self.has_read() { PollFlags::OUT } else { flags })
    }

    /// Ends a swap; returns the word of the other process and writes its message over `message`.
    pub fn receive(&mut self, message: &mut Vec<u8>) -> u64 {
        let length = self.length().expect("the swap has ended");
        let word = self.incoming[..8].try_into().map(u64::from_le_bytes).expect("8 bytes");
        message.clear();
        message.extend(&self.incoming[HEAD..length]);
        self.incoming.drain(..length);
        word
    }
}

/// The result of a call that would otherwise wait; none if it would.
fn now(result: rustix::io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
