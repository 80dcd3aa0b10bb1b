//! The sweep at the end of a run: processes that ranks have started, and that have left their group.
//!
//! A program that they have started has inherited the variable of the run, unless it has begun with an empty environment.
//! A copy of a rank, which may have overwritten the variable, has the memory of the run, mapped or open.

use rank_wire::Memory;
use rank_wire::process::{Inherited, VARIABLE, group_of};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};
use std::cmp::Reverse;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// Looks for processes that others start while they are killed.
const LOOKS: usize = 100;

const PAUSE: Duration = Duration::from_millis(2);

/// Kills all processes of a run that are left. `is_any_left` may know of one that a look does not see: processes that
/// start the next one and end, one after the other.
pub(crate) fn sweep(memory: &Memory, is_any_left: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        let is_any_seen = kill_all(memory);
        if !is_any_seen && !is_any_left() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Kills the processes of a run; returns whether there was any.
fn kill_all(memory: &Memory) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else { return false };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // The last one is the most likely to be one that ends at once.
    let mut numbers: Vec<i32> = numbers.collect();
    numbers.sort_unstable_by_key(|number| Reverse(*number));
    numbers.into_iter().filter(|process| is_killed(*process, memory)).count() > 0
}

/// Kills a process if it is of a run, with its group, which is of the run: programs begin a session. Its descriptor stays
/// that of the same process, whatever happens meanwhile.
fn is_killed(process: i32, memory: &Memory) -> bool {
    let kill = || {
        let number = Pid::from_raw(process).filter(|_| process as u32 != std::process::id())?;
        let descriptor = pidfd_open(number, PidfdFlags::empty()).ok()?;
        let is_of_run =
            has_variable(process, memory.run()) || has_mapped(process, memory) || has_opened(process, memory);
        is_of_run.then(|| {
            let group = group_of(process).filter(|group| Some(*group) != group_of(0));
            // An error says that all of the group have ended.
            let _ = group.and_then(Pid::from_raw).map(|group| kill_process_group(group, Signal::KILL));
            pidfd_send_signal(descriptor, Signal::KILL).ok()
        })?
    };
    kill().is_some()
}

fn has_variable(process: i32, run: u64) -> bool {
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| is_of(variable, run))
}

/// Whether a process has mapped the memory: a line of its mappings ends with the number and the name of the file.
fn has_mapped(process: i32, memory: &Memory) -> bool {
    let mappings = std::fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    let number = memory.number().to_string();
    let is_of_memory = |line: &str| {
        let mut words = line.split_ascii_whitespace().skip(4);
        words.next() == Some(&number) && words.next() == Some("/memfd:torusim")
    };
    String::from_utf8_lossy(&mappings).lines().any(is_of_memory)
}

/// Whether a process has the memory open: one that has unmapped all that it knows still inherits the descriptor.
fn has_opened(process: i32, memory: &Memory) -> bool {
    let Ok(descriptors) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    descriptors.flatten().any(|descriptor| {
        let name = std::fs::read_link(descriptor.path()).unwrap_or_default();
        let file = std::fs::metadata(descriptor.path());
        name.starts_with("/memfd:torusim (deleted)") && file.is_ok_and(|file| file.ino() == memory.number())
    })
}

fn is_of(variable: &[u8], run: u64) -> bool {
    let text = variable.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
    let inherited = text.and_then(|text| Inherited::of(std::str::from_utf8(text).ok()?));
    inherited.is_some_and(|inherited| inherited.run == run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rank_wire::Layout;
    use std::process::Command;

    #[test]
    fn processes_of_other_runs_live() {
        let memory = || Memory::create(Layout { ranks: 1, far_bytes: 2 << 20 }, 1e9).unwrap();
        let start = |run| {
            let inherited = Inherited { memory: 7, pipes: 0, rank: None, run };
            Command::new("sleep").arg("60").env(VARIABLE, inherited.text()).spawn().unwrap()
        };
        let (own, another) = (memory(), memory());
        let (mut swept, mut other) = (start(own.run()), start(another.run()));
        sweep(&own, || false);
        assert!(swept.wait().unwrap().code().is_none());
        assert_eq!(other.try_wait().unwrap(), None);
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
