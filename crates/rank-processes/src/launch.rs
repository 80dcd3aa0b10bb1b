//! What is started: the program, its environment, and how its ranks become processes.

use mpi::Selection;
use rank_wire::Computing;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How ranks become processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The program is started once, and its `MPI_Init` forks all ranks: little time and memory for each.
    #[default]
    Fork,
    /// The program is started once for each rank: for programs with threads, or with state of their own before
    /// `MPI_Init`.
    Exec,
}

/// A program to run.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program, and its arguments.
    pub command: Vec<OsString>,
    /// The number of ranks.
    pub ranks: u32,
    /// How ranks become processes.
    pub start: Start,
    /// The folder with the MPI libraries.
    pub libraries: PathBuf,
    /// Libraries that are loaded before all others.
    pub preloaded: Vec<PathBuf>,
    /// Further variables of the environment.
    pub variables: Vec<(OsString, OsString)>,
    /// The host's time without a call after which a rank is given up.
    pub rank_timeout: Duration,
    /// Whether the output of each rank has to be told apart from that of the others.
    pub separates_output: bool,
    /// How the time is simulated that ranks compute between calls.
    pub computing: Computing,
    /// A factor of measured times.
    pub scale: f64,
    /// For each rank, what an earlier run has measured: for each call of the program the hash of its name, and nanoseconds.
    pub replayed: Vec<Vec<[u64; 2]>>,
    /// How the algorithms of collectives are selected.
    pub selection: Selection,
    /// The coordinates of the node of each rank.
    pub nodes: Vec<Vec<u32>>,
    /// Processor cycles in a second.
    pub hertz: f64,
}

/// Variables of batch systems and of other MPI libraries, which would tell a program of another run.
const OF_OTHERS: [&str; 14] = [
    "OMPI_",
    "PMIX_",
    "PMI_",
    "PMI2_",
    "PRTE_",
    "SLURM_",
    "PBS_",
    "LSB_",
    "MPI_LOCAL",
    "MPICH_",
    "MV2_",
    "I_MPI_",
    "HYDRA_",
    "HYDI_",
];

/// Numbers of threads: a library that starts threads before `MPI_Init` would keep the program from being forked.
const THREADS: [&str; 4] = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"];

impl Launch {
    /// The command of the process that becomes a rank, or forks all of them.
    pub(crate) fn command(&self, rank: Option<u32>) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        for (name, _) in std::env::vars_os() {
            if OF_OTHERS.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        for name in THREADS.into_iter().filter(|name| std::env::var_os(name).is_none()) {
            command.env(name, "1");
        }
        command.env("LD_LIBRARY_PATH", joined(self.libraries.as_os_str(), "LD_LIBRARY_PATH"));
        if !self.preloaded.is_empty() {
            let all: Vec<&OsStr> = self.preloaded.iter().map(|path| path.as_os_str()).collect();
            command.env("LD_PRELOAD", joined(&all.join(OsStr::new(":")), "LD_PRELOAD"));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if rank.is_some_and(|rank| rank > 0) {
            command.stdin(Stdio::null());
        }
        command
    }
}

/// A path in front of those that the user has set.
fn joined(first: &OsStr, variable: &str) -> OsString {
    let mut joined = first.to_os_string();
    if let Some(others) = std::env::var_os(variable).filter(|others| !others.is_empty()) {
        joined.push(":");
        joined.push(others);
    }
    joined
}
