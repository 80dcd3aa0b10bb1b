//! The output of ranks: a pipe for each stream, printed in the order of simulated time and rank.

use rustix::pipe::{PipeFlags, pipe_with};
use std::io::{self, Read};
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

/// The output of all ranks.
#[derive(Debug)]
pub(crate) struct Outputs {
    pipes: Vec<std::fs::File>,
    /// Output that has been read and not printed, by pipe.
    kept: Vec<Vec<u8>>,
    piece: Vec<u8>,
}

impl Outputs {
    /// No output.
    pub fn none() -> Self {
        Outputs { pipes: Vec::new(), kept: Vec::new(), piece: Vec::new() }
    }

    /// Pipes for the output of ranks, of which several share one if there are too few. Returns their other ends, too.
    pub fn new(pipes: u32) -> io::Result<(Self, Vec<OwnedFd>)> {
        let (mut read, mut write) = (Vec::new(), Vec::new());
        for _ in 0..pipes {
            let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
            rustix::io::ioctl_fionbio(&from, true)?;
            read.push(std::fs::File::from(from));
            write.push(to);
        }
        let kept = vec![Vec::new(); read.len()];
        Ok((Outputs { pipes: read, kept, piece: vec![0; 64 << 10] }, write))
    }

    fn pipe_of(&self, rank: u32, stream: Stream) -> usize {
        (2 * rank as usize + stream as usize) % self.pipes.len().max(1)
    }

    /// Reads what a rank has written so far; returns whether there was anything.
    pub fn read(&mut self, rank: u32) -> bool {
        let (output, error) = (self.read_stream(rank, Stream::Output), self.read_stream(rank, Stream::Error));
        output || error
    }

    /// Reads what some ranks have written so far; returns whether there was anything.
    pub fn read_all(&mut self, ranks: &[u32]) -> bool {
        ranks.iter().filter(|rank| self.read(**rank)).count() > 0
    }

    fn read_stream(&mut self, rank: u32, stream: Stream) -> bool {
        let pipe = self.pipe_of(rank, stream);
        let mut any = false;
        while let Some(file) = self.pipes.get_mut(pipe)
            && self.kept[pipe].len() < LONGEST_KEPT
            && let Ok(bytes @ 1..) = file.read(&mut self.piece)
        {
            self.kept[pipe].extend_from_slice(&self.piece[..bytes]);
            any = true;
        }
        any
    }

    /// Prints what is left of a rank that has ended. A pipe holds less than is read at once; what others still write to
    /// it, whom the rank has started, is not waited for.
    pub fn print_rest(&mut self, rank: u32, host: &mut dyn Host) {
        self.print(rank, host);
        self.read(rank);
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
