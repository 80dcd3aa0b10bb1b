//! Memory of the host, as reported by the operating system.

use std::fs;

/// Memory available without swapping, in bytes; `None` if the system does not report it.
pub(crate) fn memory_available_bytes() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemAvailable:").map(|kibibytes| kibibytes * 1024)
}

/// Peak resident memory of this process, in bytes; `None` if the system does not report it.
pub(crate) fn process_peak_memory_bytes() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:").map(|kibibytes| kibibytes * 1024)
}

fn kibibytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}
