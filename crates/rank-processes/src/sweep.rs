//! The sweep at the end of a run: processes that ranks have started, and that have left their group.
//!
//! All of them have inherited the variable of the run, unless they have begun with an empty environment.

use rank_wire::process::{Inherited, VARIABLE};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::time::Duration;

/// Looks for processes that others start while they are killed.
const LOOKS: usize = 100;

const PAUSE: Duration = Duration::from_millis(2);

/// Kills all processes of a run that are left.
pub(crate) fn sweep(run: u64) {
    for _ in 0..LOOKS {
        if !kill_all(run) {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Kills the processes of a run; returns whether there was any.
fn kill_all(run: u64) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else { return false };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|process| is_killed(*process, run)).count() > 0
}

/// Kills a process if it is of a run. Its descriptor stays that of the same process, whatever happens meanwhile.
fn is_killed(process: i32, run: u64) -> bool {
    let kill = || {
        let descriptor = pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()?;
        let environment = std::fs::read(format!("/proc/{process}/environ")).ok()?;
        let is_of_run = environment.split(|byte| *byte == 0).any(|variable| is_of(variable, run));
        is_of_run.then(|| pidfd_send_signal(descriptor, Signal::KILL).ok()).flatten()
    };
    kill().is_some()
}

fn is_of(variable: &[u8], run: u64) -> bool {
    let text = variable.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
    let inherited = text.and_then(|text| Inherited::of(std::str::from_utf8(text).ok()?));
    inherited.is_some_and(|inherited| inherited.run == run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn processes_of_other_runs_live() {
        let start = |run| {
            let inherited = Inherited { memory: 7, pipes: 0, rank: None, run };
            Command::new("sleep").arg("60").env(VARIABLE, inherited.text()).spawn().unwrap()
        };
        let own = u64::from(std::process::id()) << 32;
        let (mut swept, mut other) = (start(own + 1), start(own + 2));
        sweep(own + 1);
        assert!(swept.wait().unwrap().code().is_none());
        assert_eq!(other.try_wait().unwrap(), None);
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
