//! The processes: a thread starts them, waits for their ends, and reports each to the memory.
//!
//! ```text
//!   thread:  starts programs ... waits for the end of one -> reports it ... until none is left
//!   end():   kills those programs, and their groups; waits for the thread; then sweeps what their ranks have left
//! ```
//!
//! A process ends with the thread that has started it. So that thread stays until all of them have ended. It waits for
//! its own children alone: those of other threads belong to others.

use crate::launch::{Launch, Start};
use crate::sweep::sweep;
use rank_wire::Memory;
use rank_wire::pipes::queue;
use rank_wire::process::{Inherited, VARIABLE, has_readers, ignores_ends_of_children, prepare, session_of};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, wait, waitid,
};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// All processes of a run, which end when this is dropped.
#[derive(Debug)]
pub(crate) struct Processes {
    memory: Arc<Memory>,
    started: Arc<Started>,
    watcher: Option<JoinHandle<()>>,
    /// Processes know by the other end that the simulator has ended.
    life: OwnedFd,
}

impl Processes {
    /// Starts the processes of a program. Their output goes to the pipes: for each rank one for its output, and one for
    /// its errors.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(launch: &Launch, memory: Arc<Memory>, pipes: Vec<OwnedFd>) -> io::Result<Self> {
        if ignores_ends_of_children() {
            let words = "this process ignores the signal SIGCHLD, so that it cannot wait for what it starts";
            return Err(io::Error::other(words));
        }
        let (life, own_end) = pipe_with(PipeFlags::CLOEXEC)?;
        let (report, reported) = channel();
        let started = Arc::new(Started::default());
        let (launch, programs, of_run) = (launch.clone(), started.clone(), memory.clone());
        let start_and_watch = move || {
            let outside = Outside { launch: &launch, memory: &memory, life: &life, pipes: &pipes };
            // Whoever waits for it has not gone.
            let _ = report.send(start_all(&outside, &programs));
            drop((life, pipes));
            watch(&programs, &memory);
        };
        let watcher = std::thread::Builder::new().name(String::from("processes")).spawn(start_and_watch)?;
        // In case of an error it is dropped, and ends what has been started.
        let processes = Processes { memory: of_run, started, watcher: Some(watcher), life: own_end };
        let unknown = |_| Err(io::Error::other("the processes cannot be started"));
        reported.recv().unwrap_or_else(unknown).map(|()| processes)
    }

    /// Whether a process is in the session of a program that has been started.
    pub fn has(&self, process: Pid) -> bool {
        session_of(process.as_raw_nonzero().get())
            .is_some_and(|session| self.started.all().contains_key(&session))
    }

    /// Kills all processes, and waits until none is left.
    pub fn end(&mut self) {
        if let Some(watcher) = self.watcher.take() {
            self.started.kill();
            // Its panic has been printed, and there is nothing left to do.
            let _ = watcher.join();
            sweep(&self.memory, || has_readers(&self.life));
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.end();
    }
}

/// The programs that have been started and not been waited for, with their ranks: none for one that forks all of them.
#[derive(Debug, Default)]
struct Started(Mutex<BTreeMap<i32, Option<u32>>>);

impl Started {
    fn all(&self) -> MutexGuard<'_, BTreeMap<i32, Option<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills all programs, each with the group of processes that it leads. Nobody else has their numbers, since nobody
    /// has waited for them.
    fn kill(&self) {
        for process in self.all().keys().copied().filter_map(Pid::from_raw) {
            // An error says that it has ended.
            let _ = kill_process_group(process, Signal::KILL);
            let _ = kill_process(process, Signal::KILL);
        }
    }

    /// Waits for the end of a program; returns its rank and its status, or none if no program is left.
    fn wait(&self) -> Option<(Option<u32>, i32)> {
        // Linux has this option, for which rustix has no name.
        const OF_THIS_THREAD: u32 = 0x2000_0000;
        let has_ended = WaitIdOptions::EXITED.bits() | WaitIdOptions::NOWAIT.bits() | OF_THIS_THREAD;
        let at_once = WaitOptions::from_bits_retain(WaitOptions::NOHANG.bits() | OF_THIS_THREAD);
        loop {
            match waitid(WaitId::All, WaitIdOptions::from_bits_retain(has_ended)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return None,
            }
            let mut all = self.all();
            let ended = wait(at_once).ok().flatten();
            let of_rank = ended.and_then(|(process, status)| {
                Some((all.remove(&process.as_raw_nonzero().get())?, status.as_raw()))
            });
            if of_rank.is_some() {
                return of_rank;
            }
        }
    }
}

/// What programs get.
struct Outside<'a> {
    launch: &'a Launch,
    memory: &'a Memory,
    life: &'a OwnedFd,
    pipes: &'a [OwnedFd],
}

fn start_all(outside: &Outside<'_>, programs: &Started) -> io::Result<()> {
    let ranks = match outside.launch.start {
        Start::Fork => vec![None],
        Start::Exec => (0..outside.launch.ranks).map(Some).collect(),
    };
    ranks.into_iter().try_for_each(|rank| {
        let process = outside.start(rank)?;
        programs.all().insert(process, rank);
        Ok(())
    })
}

impl Outside<'_> {
    /// Starts the process of a rank, or the one that forks all of them; returns its number.
    fn start(&self, rank: Option<u32>) -> io::Result<i32> {
        let mut command = self.launch.command(rank);
        // What a program prints before it forks its ranks is printed as the output of rank 0.
        redirect(&mut command, self.pipe(rank, 0), self.pipe(rank, 1))?;
        let waiting = if rank.is_none() { Some(queue(self.pipes)?) } else { None };
        let pipes = waiting.as_ref().map(|socket| (socket, self.pipes.len() as u32));
        let inherited = prepare(&mut command, self.memory, self.life, pipes);
        let text = Inherited { rank, ..inherited }.text();
        Ok(command.env(VARIABLE, text).spawn()?.id() as i32)
    }

    fn pipe(&self, rank: Option<u32>, stream: usize) -> &OwnedFd {
        &self.pipes[(2 * rank.unwrap_or(0) as usize + stream) % self.pipes.len()]
    }
}

fn redirect(command: &mut Command, output: &OwnedFd, error: &OwnedFd) -> io::Result<()> {
    command.stdout(Stdio::from(output.try_clone()?)).stderr(Stdio::from(error.try_clone()?));
    Ok(())
}

/// Waits for the ends of all programs, and reports them.
fn watch(programs: &Started, memory: &Memory) {
    while let Some((rank, status)) = programs.wait() {
        match rank {
            Some(rank) => memory.report_death(rank, status),
            // The ranks of the program have ended with it. It has reported those that had ended before.
            None => report_all(memory, status),
        }
    }
    // Somebody else in this process has waited for them: their statuses are not known.
    report_all(memory, 0);
}

/// Reports the ends of all ranks whose ends have not been reported.
fn report_all(memory: &Memory, status: i32) {
    (0..memory.layout().ranks)
        .filter(|rank| memory.slot(*rank).death.load(Ordering::Acquire) == 0)
        .for_each(|rank| memory.report_death(rank, status));
}
