//! How a process has ended, in words.

/// The name of a signal.
fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 19] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (10, "SIGUSR1"),
        (11, "SIGSEGV"),
        (12, "SIGUSR2"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (27, "SIGPROF"),
        (31, "SIGSYS"),
    ];
    let known = NAMES.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| String::from(*name))
}

/// The end of a process, from its status as `waitpid` gives it.
pub(crate) fn in_words(status: i32) -> String {
    match exit_code(status) {
        Some(code) => format!("ended with status {code}"),
        None => format!("was killed by {}", signal_name(status & 0x7f)),
    }
}

/// The status with which a process has ended by itself.
pub(crate) fn exit_code(status: i32) -> Option<i32> {
    (status & 0x7f == 0).then_some(status >> 8 & 0xff)
}

/// The status of a process, as a shell has it: above 128 for a signal.
pub(crate) fn shell_status(status: i32) -> i32 {
    exit_code(status).unwrap_or(128 + (status & 0x7f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_those_of_waitpid() {
        assert_eq!(in_words(11), "was killed by SIGSEGV");
        assert_eq!(in_words(11 | 0x80), "was killed by SIGSEGV");
        assert_eq!(in_words(2 << 8), "ended with status 2");
        assert_eq!(exit_code(3 << 8), Some(3));
        assert_eq!((shell_status(3 << 8), shell_status(11)), (3, 139));
    }
}
