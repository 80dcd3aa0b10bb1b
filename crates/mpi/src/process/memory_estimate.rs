//! The memory that a rank will need, from the operations that it has under way at a time.

use super::{Incoming, Process, Sending, Work};
use crate::Call;
use crate::in_progress::{InProgress, Progress};
use crate::load::Load;
use crate::matching::Matcher;
use crate::ordering::Ordering;
use crate::requests::Table;
use base::memory::{compact_bytes, grown_bytes};

impl Process {
    /// Bytes in addition to the value itself, with this load, in a run of `ranks` ranks. A message without a
    /// receive makes work, as it is copied.
    pub fn bytes_for(load: &Load, ranks: u32) -> usize {
        let collectives = usize::from(load.parts > 0);
        Matcher::bytes_for(load.receives, load.late_receives)
            + Ordering::bytes_for(load.targets, ranks)
            + grown_bytes::<InProgress>(collectives)
            + load.parts * size_of::<Progress>()
            + Table::bytes_for(load.requests)
            + size_of::<Call>()
            + compact_bytes::<Incoming>(load.arriving)
            + compact_bytes::<Work>(load.late_receives.min(1))
            + compact_bytes::<Sending>(load.sends)
    }
}
