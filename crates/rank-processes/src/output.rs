//! The output of ranks: a pipe for each stream, printed in the order of simulated time and rank.

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

/// A stream of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The standard output.
    Output,
    /// The standard error.
    Error,
}

/// The surroundings of a run: where output goes, and who can stop it.
pub trait Host: Send {
    /// Takes output of a rank.
    fn write(&mut self, rank: u32, stream: Stream, bytes: &[u8]);

    /// Whether the user wants the run to stop. It is asked several times a second.
    fn is_interrupted(&mut self) -> bool;
}

/// A rank with more output than this that has not been printed waits until it is.
const LONGEST_KEPT: usize = 16 << 20;

/// The most pipes that the host names at once of those with output.
const NAMED_AT_ONCE: usize = 256;

const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// The output of all ranks.
#[derive(Debug)]
pub(crate) struct Outputs {
    pipes: Vec<std::fs::File>,
    /// Names the pipes that have output: most ranks write nothing, and need not be asked.
    ready: Option<OwnedFd>,
    /// Output that has been read and not printed, by pipe.
    kept: Vec<Vec<u8>>,
    piece: Vec<u8>,
}

impl Outputs {
    /// No output.
    pub fn none() -> Self {
        Outputs { pipes: Vec::new(), ready: None, kept: Vec::new(), piece: Vec::new() }
    }

    /// Pipes for the output of ranks, of which several share one if there are too few. Returns their other ends, too.
    pub fn new(pipes: u32) -> io::Result<(Self, Vec<OwnedFd>)> {
        let (mut read, mut write) = (Vec::new(), Vec::new());
        let ready = epoll::create(CreateFlags::CLOEXEC)?;
        for pipe in 0..pipes {
            let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
            rustix::io::ioctl_fionbio(&from, true)?;
            epoll::add(&ready, &from, EventData::new_u64(pipe.into()), EventFlags::IN)?;
            read.push(std::fs::File::from(from));
            write.push(to);
        }
        let kept = vec![Vec::new(); read.len()];
        Ok((Outputs { pipes: read, ready: Some(ready), kept, piece: vec![0; 64 << 10] }, write))
    }

    fn pipe_of(&self, rank: u32, stream: Stream) -> usize {
        (2 * rank as usize + stream as usize) % self.pipes.len().max(1)
    }

    /// Reads what all ranks have written so far; returns whether there was anything.
    pub fn read(&mut self) -> bool {
        let mut any = false;
        let mut room = [MaybeUninit::uninit(); NAMED_AT_ONCE];
        // An error names none.
        while let Some(ready) = &self.ready
            && let Ok((named, _)) = epoll::wait(ready, &mut room, Some(&NOW))
        {
            let is_read =
                named.iter().filter(|event| self.read_pipe({ event.data }.u64() as usize)).count() > 0;
            any |= is_read;
            if !is_read || named.len() < NAMED_AT_ONCE {
                break;
            }
        }
        any
    }

    fn read_pipe(&mut self, pipe: usize) -> bool {
        let mut any = false;
        while let Some(file) = self.pipes.get_mut(pipe)
            && self.kept[pipe].len() < LONGEST_KEPT
        {
            match (file.read(&mut self.piece), &self.ready) {
                (Ok(bytes @ 1..), _) => self.kept[pipe].extend_from_slice(&self.piece[..bytes]),
                (Ok(0), Some(ready)) => {
                    // Nobody has the other end any more, which the host would name again and again.
                    let _ = epoll::delete(ready, file);
                    break;
                }
                _ => break,
            }
            any = true;
        }
        any
    }

    /// Prints what is left of a rank that has ended, and no more than [`LONGEST_KEPT`] of what a process still writes that
    /// the rank has started.
    pub fn print_rest(&mut self, rank: u32, host: &mut dyn Host) {
        self.print(rank, host);
        for stream in [Stream::Output, Stream::Error] {
            self.read_pipe(self.pipe_of(rank, stream));
        }
        self.print(rank, host);
    }

    /// Prints what has been read of a rank.
    pub fn print(&mut self, rank: u32, host: &mut dyn Host) {
        for stream in [Stream::Output, Stream::Error] {
            let pipe = self.pipe_of(rank, stream);
            if let Some(kept) = self.kept.get_mut(pipe).filter(|kept| !kept.is_empty()) {
                host.write(rank, stream, kept);
                kept.clear();
                kept.shrink_to(1 << 16);
            }
        }
    }
}
