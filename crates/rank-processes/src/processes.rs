//! The processes: a thread starts them, waits for their ends, and reports each to the memory.
//!
//! A process ends with the thread that has started it. So that thread stays until all of them have ended.

use crate::launch::{Launch, Start};
use rank_wire::Memory;
use rank_wire::process::{Group, VARIABLE, prepare};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpgid};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

/// All processes of a run, which end when this is dropped.
#[derive(Debug)]
pub(crate) struct Processes {
    /// The group of the processes, named after the first one.
    group: Pid,
    watcher: Option<JoinHandle<()>>,
}

impl Processes {
    /// Starts the processes of a program. Their output goes to the pipes: for each rank one for its output, and one for
    /// its errors.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(launch: &Launch, memory: Arc<Memory>, pipes: Vec<OwnedFd>) -> io::Result<Self> {
        let (report, started) = channel();
        let launch = launch.clone();
        let watch = move || {
            let started = start_all(&launch, &memory, pipes, &report);
            if let Ok((group, ranks)) = started {
                watch(group, ranks, &memory);
            }
        };
        let watcher = std::thread::Builder::new().name(String::from("processes")).spawn(watch)?;
        match started.recv() {
            Ok(Ok(group)) => Ok(Processes { group, watcher: Some(watcher) }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::Error::other("the processes cannot be started")),
        }
    }

    /// Kills all processes, and waits until none is left.
    pub fn end(&mut self) {
        // An error says that none is left.
        let _ = kill_process_group(self.group, Signal::KILL);
        if let Some(watcher) = self.watcher.take() {
            // Its panic has been printed, and there is nothing left to do.
            let _ = watcher.join();
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.end();
    }
}

/// The ranks of processes; none for a process that forks all of them.
type Ranks = BTreeMap<i32, Option<u32>>;

fn start_all(
    launch: &Launch,
    memory: &Memory,
    pipes: Vec<OwnedFd>,
    report: &Sender<io::Result<Pid>>,
) -> Result<(Pid, Ranks), ()> {
    let started = match launch.start {
        Start::Fork => start_parent(launch, memory, &pipes),
        Start::Exec => start_each(launch, memory, &pipes),
    };
    match started {
        Ok((group, ranks)) => {
            // Whoever waits for it has not gone.
            let _ = report.send(Ok(group));
            Ok((group, ranks))
        }
        Err(error) => {
            let _ = report.send(Err(error));
            Err(())
        }
    }
}

fn pid(child: &std::process::Child) -> io::Result<Pid> {
    Pid::from_raw(child.id() as i32).ok_or_else(|| io::Error::other("a process has a number"))
}

/// Starts the process that forks all ranks.
fn start_parent(launch: &Launch, memory: &Memory, pipes: &[OwnedFd]) -> io::Result<(Pid, Ranks)> {
    let mut command = launch.command(None);
    // What the program prints before it forks its ranks is printed as the output of rank 0.
    redirect(&mut command, &pipes[0], pipes.get(1).unwrap_or(&pipes[0]))?;
    let inherited = prepare(&mut command, memory, pipes, Group::Session);
    let child = command.env(VARIABLE, inherited.text()).spawn()?;
    let group = pid(&child)?;
    Ok((group, BTreeMap::from([(child.id() as i32, None)])))
}

fn redirect(command: &mut Command, output: &OwnedFd, error: &OwnedFd) -> io::Result<()> {
    command.stdout(Stdio::from(output.try_clone()?)).stderr(Stdio::from(error.try_clone()?));
    Ok(())
}

/// Starts a process for each rank.
fn start_each(launch: &Launch, memory: &Memory, pipes: &[OwnedFd]) -> io::Result<(Pid, Ranks)> {
    let mut group = None;
    let mut ranks = Ranks::new();
    for rank in 0..launch.ranks {
        let started = start_rank(launch, memory, pipes, rank, group);
        match started {
            Ok(child) => {
                ranks.insert(child.id() as i32, Some(rank));
                group = group.or(Some(pid(&child)?));
            }
            Err(error) => {
                if let Some(group) = group {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                return Err(error);
            }
        }
    }
    let group = group.ok_or_else(|| io::Error::other("a program has ranks"))?;
    Ok((group, ranks))
}

fn start_rank(
    launch: &Launch,
    memory: &Memory,
    pipes: &[OwnedFd],
    rank: u32,
    group: Option<Pid>,
) -> io::Result<std::process::Child> {
    let mut command = launch.command(Some(rank));
    let pipe = |stream: usize| &pipes[(2 * rank as usize + stream) % pipes.len()];
    redirect(&mut command, pipe(0), pipe(1))?;
    let group = group.map_or(Group::First, |group| Group::Of(group.as_raw_nonzero().get() as u32));
    let inherited = prepare(&mut command, memory, &[], group);
    let inherited = rank_wire::process::Inherited { rank: Some(rank), ..inherited };
    command.env(VARIABLE, inherited.text()).spawn()
}

/// Waits for the ends of all processes, and reports them.
fn watch(group: Pid, mut ranks: Ranks, memory: &Memory) {
    while !ranks.is_empty() {
        match waitpgid(group, WaitOptions::empty()) {
            Ok(Some((process, status))) => {
                let ended = ranks.remove(&process.as_raw_nonzero().get());
                report(ended.flatten(), ended.is_some(), status.as_raw(), memory);
            }
            Err(rustix::io::Errno::INTR) | Ok(None) => {}
            Err(_) => break,
        }
    }
    // Whoever is left is no rank any more.
    for rank in ranks.into_values() {
        report(rank, true, 0, memory);
    }
}

/// Reports the end of a rank, or of the parent of all of them, which ends after them.
fn report(rank: Option<u32>, is_known: bool, status: i32, memory: &Memory) {
    match rank {
        Some(rank) => memory.report_death(rank, status),
        None if is_known => {
            let is_alive =
                |rank: &u32| memory.slot(*rank).death.load(std::sync::atomic::Ordering::Acquire) == 0;
            (0..memory.layout().ranks).filter(is_alive).for_each(|rank| memory.report_death(rank, status));
        }
        None => {}
    }
}
