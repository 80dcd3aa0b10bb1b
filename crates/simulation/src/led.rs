//! A run that process 0 leads, and that other processes follow.
//!
//! ```text
//!   process 0:    LedRun::new | advance | advance | save | finish            what a user's program calls
//!   others:       follow:  order, carry out, order, carry out ...            until there is no more
//! ```
//!
//! What the processes do together for an order is in [`Run`]: there all of them make the same calls.

use crate::engine::EngineKind;
use crate::result::RunResult;
use crate::run::{Progress, Run, agreed, check_program};
use crate::scenario::{Scenario, resolve_plain_for, resolve_program};
use input::InputError;
use messaging::Excerpt;
use mpi::OutsideRanks;
use network::Peers;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// What all processes do next.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Order {
    SetUp {
        scenario: String,
        time_lines: Option<Excerpt>,
        engine: EngineKind,
        threads: usize,
        /// Whether process 0 has a program of the ranks.
        is_program: bool,
    },
    Resume {
        path: PathBuf,
        threads: Option<usize>,
    },
    /// Something with the run that has been set up or resumed last.
    Act(Act),
    Drop,
    End,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Act {
    Advance { wall_budget: Duration, until: u64 },
    CountMessages,
    Save(PathBuf),
    Finish { interrupted: bool },
}

/// A run of this process and of those that follow it.
pub struct LedRun {
    /// None if the run has ended.
    run: Option<Run>,
    peers: Peers,
}

impl LedRun {
    /// Sets up a run, as [`Run::new`] does.
    ///
    /// # Errors
    /// Those of [`Run::of_peers`], in any of the processes.
    ///
    /// # Panics
    /// If `engine` is no engine of packets.
    pub fn new(
        scenario: Scenario,
        engine: EngineKind,
        threads: usize,
        peers: &Peers,
    ) -> Result<Self, InputError> {
        let run = LedRun::set_up(scenario, engine, threads, false, peers)?;
        Ok(LedRun { run: Some(run), peers: peers.clone() })
    }

    /// Sets up a run of a program, as [`Run::with_program`] does. This process runs all its ranks.
    ///
    /// # Errors
    /// The errors of [`Run::with_program`] and [`Run::of_peers`], in any of the processes.
    ///
    /// # Panics
    /// If `engine` is no engine of packets.
    pub fn with_program(
        scenario: Scenario,
        engine: EngineKind,
        threads: usize,
        ranks: Box<dyn OutsideRanks + Send>,
        peers: &Peers,
    ) -> Result<Self, InputError> {
        check_program(&scenario)?;
        let run = LedRun::set_up(scenario, engine, threads, true, peers)?;
        Ok(LedRun { run: Some(run.with_ranks(Some(ranks))?), peers: peers.clone() })
    }

    fn set_up(
        scenario: Scenario,
        engine: EngineKind,
        threads: usize,
        is_program: bool,
        peers: &Peers,
    ) -> Result<Run, InputError> {
        tell(peers, || Order::SetUp {
            scenario: scenario.to_json().to_string(),
            time_lines: scenario.time_lines.clone(),
            engine,
            threads,
            is_program,
        });
        agreed(Run::of_peers(scenario, engine, threads, peers), peers)
    }

    /// Resumes a run, as [`Run::resume`] does.
    ///
    /// # Errors
    /// Those of [`Run::resume_of_peers`].
    pub fn resume(path: &Path, threads: Option<usize>, peers: &Peers) -> Result<Self, InputError> {
        tell(peers, || Order::Resume { path: path.to_owned(), threads });
        let run = Run::resume_of_peers(path, threads, peers)?;
        Ok(LedRun { run: Some(run), peers: peers.clone() })
    }

    /// Lets all processes do something with the run. It is gone if one of them is lost meanwhile.
    fn all<T>(&mut self, act: impl FnOnce() -> Act, own: impl FnOnce(&mut Run) -> T) -> T {
        let mut run = self.run.take().expect("the run has not ended");
        tell(&self.peers, || Order::Act(act()));
        let result = own(&mut run);
        self.run = Some(run);
        result
    }

    /// See [`Run::seed`].
    pub fn seed(&self) -> u64 {
        self.run.as_ref().map_or(0, Run::seed)
    }

    /// See [`Run::advance_until`].
    ///
    /// # Errors
    /// The reason why the run has ended without a result, if its trace has turned out to be wrong.
    pub fn advance(&mut self, wall_budget: Duration, until: u64) -> Result<Progress, InputError> {
        self.all(
            || Act::Advance { wall_budget, until },
            |run| {
                let progress = run.advance_until(wall_budget, until);
                run.refusal().map_or(Ok(progress), Err)
            },
        )
    }

    /// See [`Run::messages_received`].
    pub fn messages_received(&mut self) -> u64 {
        self.all(|| Act::CountMessages, |run| run.messages_received())
    }

    /// See [`Run::save`].
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&mut self, path: &Path) -> Result<(), InputError> {
        self.all(|| Act::Save(path.to_owned()), |run| run.save(path))
    }

    /// See [`Run::finish`].
    pub fn finish(mut self, interrupted: bool) -> RunResult {
        let run = self.run.take().expect("the run has not ended");
        tell(&self.peers, || Order::Act(Act::Finish { interrupted }));
        run.finish(interrupted)
    }
}

/// A run of this process alone.
impl From<Run> for LedRun {
    fn from(run: Run) -> Self {
        LedRun { run: Some(run), peers: Peers::none() }
    }
}

impl Drop for LedRun {
    /// Lets the others drop the run too, unless this process has panicked. If one is lost, the next order finds out.
    fn drop(&mut self) {
        if self.run.take().is_some() && !std::thread::panicking() {
            let drop_it = || tell(&self.peers, || Order::Drop);
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(drop_it));
        }
    }
}

/// Ends the work of the processes that follow this one.
pub fn end_following(peers: &Peers) {
    tell(peers, || Order::End);
}

/// Leads `count` processes that are threads of this one, as tests do; the others follow.
pub fn lead_threads<T>(count: usize, lead: impl FnOnce(&Peers) -> T) -> T {
    let mut peers = Peers::in_threads(count).into_iter();
    let first = peers.next().expect("a run has a process");
    // A leader that panics is gone, so that the others end.
    thread::scope(move |scope| {
        for other in peers {
            scope.spawn(move || follow(&other));
        }
        let done = lead(&first);
        end_following(&first);
        done
    })
}

/// Does what process 0 orders, until it [ends](end_following) that.
pub fn follow(peers: &Peers) {
    let mut run: Option<Run> = None;
    loop {
        match peers.decide(|| -> Order { unreachable!("process 0 leads") }) {
            // The leader has the message.
            // The leader has the message of an error.
            Order::SetUp { scenario, time_lines, engine, threads, is_program } => {
                let of_peers = |scenario| Run::of_peers(scenario, engine, threads, peers);
                let set_up =
                    agreed(resolved(&scenario, time_lines, is_program, peers).and_then(of_peers), peers);
                run = set_up.and_then(|run| if is_program { run.with_ranks(None) } else { Ok(run) }).ok();
            }
            Order::Resume { path, threads } => run = Run::resume_of_peers(&path, threads, peers).ok(),
            Order::Act(act) => carry_out(act, &mut run),
            Order::Drop => run = None,
            Order::End => return,
        }
    }
}

fn carry_out(act: Act, place: &mut Option<Run>) {
    let run = place.as_mut().expect("a run has been set up");
    match act {
        Act::Advance { wall_budget, until } => {
            run.advance_until(wall_budget, until);
            run.refusal();
        }
        Act::CountMessages => {
            run.messages_received();
        }
        Act::Save(path) => {
            let _ = run.save(&path); // the leader has the message
        }
        Act::Finish { interrupted } => {
            place.take().and_then(|run| run.finish_of_peers(interrupted));
        }
    }
}

fn resolved(
    scenario: &str,
    time_lines: Option<Excerpt>,
    is_program: bool,
    peers: &Peers,
) -> Result<Scenario, InputError> {
    let scenario = serde_json::from_str(scenario).expect("process 0 has sent JSON");
    let mut scenario = match is_program {
        true => resolve_program(scenario, &[], None)?,
        false => resolve_plain_for(scenario, &[], peers.processes())?,
    };
    scenario.time_lines = time_lines;
    Ok(scenario)
}

fn tell(peers: &Peers, order: impl FnOnce() -> Order) {
    if !peers.is_alone() {
        peers.decide(order);
    }
}
