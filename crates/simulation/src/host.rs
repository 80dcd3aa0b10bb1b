//! What the host has to give: memory, read where the system tells.

use std::fs;

/// Bytes of memory that can be taken without swapping, or none where the system does not tell.
pub(crate) fn memory_available_bytes() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemAvailable:").map(|kibibytes| kibibytes * 1024)
}

/// The most bytes of memory that this process has held, or none where the system does not tell.
pub(crate) fn process_peak_memory_bytes() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:").map(|kibibytes| kibibytes * 1024)
}

fn kibibytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}
