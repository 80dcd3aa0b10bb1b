//! The schedule as a table of jobs in the form that Batsim writes and evalys reads, `jobs.csv`, with the processors of
//! each job.
//!
//! A processor is a node. Nodes of a room are numbered midplane by midplane, in the order of the table of midplanes.
//! Nodes of a plain machine are interchangeable: each job gets the lowest numbers that are free when it starts.

use super::Outcome;
use crate::job::Job;
use std::collections::BTreeMap;

/// Ranges of processors: first and last.
pub(crate) type Processors = Vec<(u32, u32)>;

const HEADING: &str = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,\
    success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,\
    allocated_resources,consumed_energy,metadata\n";

/// A row for each job that ran, in the order of submission, with the processors of each outcome.
pub(crate) fn jobs_csv(outcomes: &[Outcome], processors: &[Processors]) -> String {
    let row = |(outcome, processors): (&Outcome, &Processors)| {
        let (start, end) = outcome.ran?;
        let Job { id, submit, walltime, application, .. } = outcome.job;
        let (wait, run, turnaround) = (start - submit, end - start, end - submit);
        // Batsim's stretch is the response over the run time; of a job of 0 seconds, over one second.
        let stretch = turnaround as f64 / run.max(1) as f64;
        let (success, state) = match outcome.killed {
            false => (1, "COMPLETED_SUCCESSFULLY"),
            true => (0, "COMPLETED_WALLTIME_REACHED"),
        };
        let (granted, processors) = (outcome.granted_nodes, in_words(processors));
        Some(format!(
            "{id},torusim,{application},{submit},{granted},{walltime},{success},{state},{start},{run},{end},{wait},\
             {turnaround},{stretch},{processors},-1,\n"
        ))
    };
    HEADING.to_owned() + &outcomes.iter().zip(processors).filter_map(row).collect::<String>()
}

/// Ranges as Batsim writes them: `0-511 1024-1535`.
fn in_words(processors: &[(u32, u32)]) -> String {
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    processors.iter().map(range).collect::<Vec<_>>().join(" ")
}

/// The processors of each outcome on a plain machine.
pub(crate) fn lowest_free(outcomes: &[Outcome], nodes: u32) -> Vec<Processors> {
    let mut events: Vec<(i64, bool, i64, usize)> = Vec::with_capacity(2 * outcomes.len());
    for (index, outcome) in outcomes.iter().enumerate() {
        let Some((start, end)) = outcome.ran else { continue };
        // At one time jobs end before others start. A job of 0 seconds holds nothing, and comes before those that do.
        events.push((start, true, end, index));
        if end > start {
            events.push((end, false, 0, index));
        }
    }
    events.sort_unstable();
    let mut free = Free { ranges: BTreeMap::from([(0, nodes)]) };
    let mut processors = vec![vec![]; outcomes.len()];
    for (time, is_start, end, index) in events {
        if is_start {
            processors[index] = free.take(outcomes[index].granted_nodes);
        }
        if !is_start || end == time {
            processors[index].iter().for_each(|&range| free.give_back(range));
        }
    }
    processors
}

/// Free processors: first of each range, and their number.
struct Free {
    ranges: BTreeMap<u32, u32>,
}

impl Free {
    /// Takes the lowest free processors.
    fn take(&mut self, mut count: u32) -> Processors {
        let mut taken = vec![];
        while count > 0 {
            let Some((first, length)) = self.ranges.pop_first() else { break };
            let used = length.min(count);
            taken.push((first, first + used - 1));
            count -= used;
            if used < length {
                self.ranges.insert(first + used, length - used);
            }
        }
        debug_assert_eq!(count, 0, "more nodes are in use than there are");
        taken
    }

    /// Gives a range back, and joins it with its neighbors.
    fn give_back(&mut self, (first, last): (u32, u32)) {
        let (mut first, mut length) = (first, last - first + 1);
        if let Some((&before, &its_length)) = self.ranges.range(..first).next_back()
            && before + its_length == first
        {
            self.ranges.remove(&before);
            (first, length) = (before, its_length + length);
        }
        if let Some(after) = self.ranges.remove(&(first + length)) {
            length += after;
        }
        self.ranges.insert(first, length);
    }
}
